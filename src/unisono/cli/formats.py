"""`unisono formats`: what can be read and written."""

from __future__ import annotations

from typing import Any

from unisono.cli.printing import AsJson, print_json, screen
from unisono.cli.spelling import as_reading_option
from unisono.errors import spelled_out


def formats(as_json: AsJson = False) -> None:
    """List the file formats: what is read and what is ignored.

    The format of a file is detected automatically; --format sets it if that fails.

    Examples
    --------
    unisono formats
    unisono formats --json
    """
    from unisono.formats.registry import FORMATS

    rows = [
        {
            "name": one.name,
            "title": one.title,
            "suffixes": list(one.suffixes),
            "reads": spelled_out(one.reads, as_reading_option),
            "ignores": spelled_out(one.ignores, as_reading_option),
            "options": {name: spelled_out(meaning, as_reading_option) for name, meaning in one.options.items()},
            "written": one.is_written,
        }
        for one in FORMATS
    ]
    if as_json:
        print_json(rows)
    else:
        _show(rows)


def _show(rows: list[dict[str, Any]]) -> None:
    from rich.padding import Padding
    from rich.text import Text

    console = screen()
    for row in rows:
        written = "read and written" if row["written"] else "read"
        files = " ".join(row["suffixes"])
        console.print(Text.assemble((row["name"], "bold"), f"  {row['title']}  ", (f"{files}  {written}", "dim")))
        options = {f"--option {option}=…": meaning for option, meaning in row["options"].items()}
        for name, text in {"reads": row["reads"], "ignores": row["ignores"], **options}.items():
            console.print(Padding(Text.assemble((f"{name} ", "dim"), text), (0, 0, 0, 2), expand=False))
        console.print()
    console.print(
        "Data frames (pandas, polars, pyarrow) of units and of ratings are read by unisono.from_frame.", style="dim"
    )
