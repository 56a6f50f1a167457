"""Results as tables that fit a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from unisono.reporting.markup import fixed
from unisono.reporting.subsets import subset_tables
from unisono.results import NOTHING, Line, PValue, Result, Table

_MOST_ROWS = 12
_MOST_COLUMNS = 12
_BARS = "▁▂▃▄▅▆▇█"


def show(
    console: Console,
    result: Result,
    *,
    without: Sequence[dict[str, Any]] = (),
    pairs: Sequence[dict[str, Any]] = (),
    groups: Sequence[dict[str, Any]] = (),
    remarks: Sequence[str] = (),
    hints: Sequence[str] = (),
) -> None:
    """Print a result.

    Parameters
    ----------
    console : Console
        Where to.
    result : Result
        What.
    without, pairs, groups : sequence of dict
        The value without each annotator, of pairs and of groups of annotators, as the result gives them.
    remarks : sequence of str
        What else to say, besides the result's own remarks.
    hints : sequence of str
        What one could do next; each stays one line, so that a command can be copied.
    """
    source = result.source
    console.print(Text.assemble((result.title(), "bold"), ("   " + source if source else "", "dim")))
    console.print()
    console.print(_indented(_headline(result.headline())))
    for table in [*result.tables(), *subset_tables(result.symbol, f"{result.unit}s", without, pairs, groups)]:
        if table.rows:
            console.print()
            console.print(_indented(_grid(table)))
    console.print()
    for line in [*result.remarks(), *remarks]:
        console.print(_indented(Text(line)))
    for line in hints:
        console.print(Text("  " + line), soft_wrap=True)
    console.print(Text("  " + result.signature, style="dim"), soft_wrap=True)


def show_table(console: Console, caption: str, table: Table, n_summary: int = 0) -> None:
    """Print a whole table with its caption; empty where there is no value, the rows that sum it up set apart."""
    grid = Grid(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    for index, name in enumerate(table.columns):
        grid.add_column(str(name), justify="left" if index == 0 else "right", no_wrap=True)
    for place, row in enumerate(table.rows):
        if n_summary and place == len(table.rows) - n_summary:
            grid.add_section()
            grid.add_row(*[""] * len(table.columns))
        cells = [Text("") if cell is None else _cell(cell, table.digits) for cell in row[1:]]
        grid.add_row(Text(str(row[0])), *cells)
    console.print(Text(caption, style="bold"))
    console.print(_indented(grid))
    console.print()


def number(value: float | None, digits: int = 2) -> str:
    """Write a number for people; a dash where there is none."""
    return NOTHING if value is None else fixed(value, digits)


def _indented(what: Any) -> Padding:
    return Padding(what, (0, 0, 0, 2), expand=False)


def _headline(lines: Sequence[Line]) -> Grid:
    grid = Grid.grid(padding=(0, 3))
    grid.add_column(no_wrap=True)
    grid.add_column(no_wrap=True)
    grid.add_column()
    for index, line in enumerate(lines):
        grid.add_row(line.name, Text(number(line.value, 3), style="" if index else "bold"), line.remark)
    return grid


def _grid(table: Table) -> Grid:
    """Lay a table out; the first column of numbers is drawn as a bar too."""
    grid = Grid(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    shown = table.columns[:_MOST_COLUMNS]
    bar = _barred(table)
    for index, name in enumerate(shown):
        words = index == 0 or any(isinstance(row[index], str) for row in table.rows)
        grid.add_column(
            str(name), justify="left" if words else "right", overflow="ellipsis", no_wrap=True, max_width=40
        )
        if index == bar:
            grid.add_column("", no_wrap=True)
    for row in table.rows[:_MOST_ROWS]:
        cells = []
        for index, cell in enumerate(row[:_MOST_COLUMNS]):
            cells.append(_cell(cell, table.digits))
            if index == bar:
                cells.append(_bar(cell))
        grid.add_row(*cells)
    left = len(table.rows) - _MOST_ROWS
    if left > 0:
        grid.add_row(Text(f"… and {left} more, all in --json", style="dim"))
    return grid


def _barred(table: Table) -> int | None:
    """Find the first column of values, the one that comes right after the names."""
    values = [row[1] for row in table.rows if len(row) > 1 and row[1] is not None]
    return 1 if values and all(isinstance(value, float) and abs(value) <= 1 for value in values) else None


def _cell(value: Any, digits: int) -> Text:
    if isinstance(value, PValue):
        return Text(value.spelled(digits))
    if isinstance(value, float) or value is None:
        return Text(number(value, digits))
    return Text(f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value))


def _bar(value: float | None) -> Text:
    if value is None:
        return Text("")
    return Text(_BARS[min(max(int(value * len(_BARS)), 0), len(_BARS) - 1)])
