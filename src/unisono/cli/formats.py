"""`unisono formats`: what can be read and written."""

from __future__ import annotations

import json
from typing import Any

from unisono.cli.options import AsJson


def formats(as_json: AsJson = False) -> None:
    """List the file formats, what is read of them and what is ignored."""
    from unisono.formats.registry import FORMATS

    rows: list[dict[str, Any]] = [
        {
            "name": one.name,
            "title": one.title,
            "suffixes": list(one.suffixes),
            "reads": one.reads,
            "ignores": one.ignores,
            "options": dict(one.options),
            "written": one.write is not None or one.folder is not None,
        }
        for one in FORMATS
    ]
    if as_json:
        print(json.dumps(rows, ensure_ascii=False, indent=1))
        return
    from rich.padding import Padding
    from rich.text import Text

    from unisono.cli.screen import screen

    for row in rows:
        written = "read and written" if row["written"] else "read"
        files = " ".join(row["suffixes"])
        screen.print(Text.assemble((row["name"], "bold"), f"  {row['title']}  ", (f"{files}  {written}", "dim")))
        for name, said in (("reads", row["reads"]), ("ignores", row["ignores"])):
            screen.print(Padding(Text.assemble((f"{name} ", "dim"), said), (0, 0, 0, 2), expand=False))
        for option, meaning in row["options"].items():
            screen.print(Padding(Text.assemble((f"--option {option}=… ", "dim"), meaning), (0, 0, 0, 2), expand=False))
        screen.print()
    screen.print(
        "Data frames (pandas, polars, pyarrow) are read by unisono.from_frame, units and ratings alike.", style="dim"
    )
