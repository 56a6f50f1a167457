"""`unisono formats`: what can be read and written."""

from __future__ import annotations

import json

from unisono.cli.options import AsJson


def formats(as_json: AsJson = False) -> None:
    """List the file formats, what is read of them and what is ignored."""
    from unisono.formats.registry import FORMATS

    rows = [
        {
            "name": one.name,
            "title": one.title,
            "suffixes": list(one.suffixes),
            "reads": one.reads,
            "ignores": one.ignores,
            "options": dict(one.options),
            "written": one.write is not None,
        }
        for one in FORMATS
    ]
    if as_json:
        print(json.dumps(rows, ensure_ascii=False, indent=1))
        return
    from rich.table import Table

    from unisono.cli.screen import screen

    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    for title in ("name", "files", "reads", "ignores", "written"):
        table.add_column(title)
    for one, row in zip(FORMATS, rows, strict=True):
        table.add_row(one.name, " ".join(one.suffixes), one.reads, one.ignores, "yes" if row["written"] else "no")
    screen.print(table)
    options = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    for title in ("name", "--option", "says"):
        options.add_column(title)
    for one in FORMATS:
        for option, meaning in one.options.items():
            options.add_row(one.name, f"{option}=…", meaning)
    screen.print()
    screen.print(options)
    screen.print()
    screen.print(
        "Data frames (pandas, polars, pyarrow) are read by unisono.from_frame, units and ratings alike.", style="dim"
    )
