"""`unisono advise`: which measures suit the data, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unisono.cli.options import Paths, with_groups
from unisono.cli.printing import AsJson, plain_table, print_json, screen
from unisono.cli.reading import Reading
from unisono.cli.spelling import as_reading_option

if TYPE_CHECKING:
    from rich.console import Console

    from unisono.results import Captioned

_NAME_WIDTH = 34
"""The maximum width of a column of names; the rest is for sentences."""
_MOST_LAYERS = 5


@with_groups
def advise(paths: Paths, reading: Reading, as_json: AsJson = False) -> None:
    """Explain which measures suit the data, and why.

    `unisono measure` uses the first one unless you choose another with -m.

    Examples
    --------
    unisono advise annotations.csv
    unisono advise ratings.csv --json
    """
    from unisono.measurement.advice import advised
    from unisono.reporting.terminal import print_command

    found = advised(reading.data(paths), as_reading_option)
    if as_json:
        print_json(found.to_dict())
        return
    console = screen()
    for sentence in found.observations:
        console.print(sentence)
    for one in found.tabled()[0]:
        if one.table.rows:
            _show(one, console)
    for condition, measures in found.take:
        console.print(f"\nIf {condition}:" if condition else "\nUse:", style="bold")
        words = [word for measure in measures for word in ("-m", measure)]
        print_command(console, reading.command("measure", paths, *words))
    if found.lacking:
        console.print(f"\n{found.lacking}")
    for layer in found.layers[:_MOST_LAYERS]:
        print_command(console, reading.command("advise", paths, "--layer", layer))


def _show(one: Captioned, console: Console) -> None:
    """Print a table of sentences; long ones continue on the next line."""
    from rich.padding import Padding

    console.print(f"\n{one.caption}:", style="bold")
    several = len(one.table.columns) > 1
    grid = plain_table(show_header=several)
    for number, name in enumerate(one.table.columns if several else ("", *one.table.columns)):
        grid.add_column(name, max_width=None if number else _NAME_WIDTH, overflow="fold")
    for row in one.table.rows:
        grid.add_row(*map(str, row if several else ("–", *row)))
    console.print(Padding(grid, (0, 0, 0, 2), expand=False))
