"""`unisono advise`: which measures fit the data, and why."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from unisono.cli.options import AsJson, Paths
from unisono.cli.reading import Reading, reads

if TYPE_CHECKING:
    from unisono.measurement.advice import Advice
    from unisono.results import Captioned

_NAMES = 34
"""So wide is a column that names things at most; the rest is for sentences."""


@reads
def advise(
    reading: Reading,
    paths: Paths,
    as_json: AsJson = False,
) -> None:
    """Say which measures fit the data and why; `measure` takes the first if none is named."""
    from unisono.measurement import advice

    found = advice.advise(reading.data(paths))
    if as_json:
        print(json.dumps(found.to_dict(), ensure_ascii=False, indent=1))
        return
    from unisono.cli.screen import screen

    for sentence in found.observations:
        screen.print(sentence)
    for one in found.tabled()[0]:
        if one.table.rows:
            _show(one)
    _show_commands(found, reading, paths)


def _show(one: Captioned) -> None:
    """Print a table of sentences, which go on below each other where they are long."""
    from rich.padding import Padding
    from rich.table import Table

    from unisono.cli.screen import screen

    screen.print(f"\n{one.caption}:", style="bold")
    several = len(one.table.columns) > 1
    grid = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim", show_header=several)
    for number, name in enumerate(one.table.columns if several else ("", *one.table.columns)):
        grid.add_column(name, max_width=None if number else _NAMES, overflow="fold")
    for row in one.table.rows:
        grid.add_row(*map(str, row if several else ("–", *row)))
    screen.print(Padding(grid, (0, 0, 0, 2), expand=False))


def _show_commands(found: Advice, reading: Reading, paths: list[Path]) -> None:
    """Print what to type next, or what is lacking."""
    from unisono.cli.screen import screen

    for condition, measures in found.take:
        screen.print(f"\nIf {condition}:" if condition else "\nTake:", style="bold")
        words = [word for measure in measures for word in ("-m", measure)]
        screen.print(f"  {reading.command('measure', paths, *words)}", soft_wrap=True)
    if found.lacking:
        screen.print(f"\n{found.lacking}")
