"""Results as tables that fit a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.console import Console, JustifyMethod
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from unisono.reporting.cards import value_text
from unisono.reporting.shown_tables import (
    COLUMNS_IN_TERMINAL,
    ROWS_IN_TERMINAL,
    ShownTable,
    shown_table,
    subset_tables,
    without_long_texts,
    zero_is_perfect,
)
from unisono.results import Line, Result, Table

_BARS = "▁▂▃▄▅▆▇█"


def show(
    console: Console,
    result: Result,
    *,
    remarks: Sequence[str] = (),
    hints: Sequence[str] = (),
    **subsets: Sequence[dict[str, Any]],
) -> None:
    """Print a result, with further remarks besides its own, and what the user could do next.

    Each hint stays on one line, so that a command can be copied. For the subsets of annotators see `subset_tables`.
    """
    source = result.source
    console.print(Text.assemble((result.title(), "bold"), ("   " + source if source else "", "dim")))
    console.print()
    console.print(_indented(_headline(result.headline())))
    for table in [*result.tables(), *subset_tables(result, **subsets)]:
        if table.rows:
            console.print()
            shown = shown_table(
                without_long_texts(table),
                most_rows=ROWS_IN_TERMINAL,
                most_columns=COLUMNS_IN_TERMINAL,
                rest="the JSON output has all",
                bars=not zero_is_perfect(result),
            )
            _print(console, shown, widest=40)
    console.print()
    for line in [*result.remarks(), *remarks]:
        console.print(_indented(Text(line)))
    for line in hints:
        console.print(Text("  " + line), soft_wrap=True)
    console.print(Text("  " + result.signature, style="dim"), soft_wrap=True)


def show_table(console: Console, caption: str, table: Table, n_summary: int = 0) -> None:
    """Print a whole table with its caption; the rows that sum it up are set apart."""
    console.print(Text(caption, style="bold"))
    _print(console, shown_table(table, n_summary=n_summary, missing=""))
    console.print()


def _print(console: Console, table: ShownTable, widest: int | None = None) -> None:
    console.print(_indented(_grid(table, widest)))
    if table.note:
        console.print(_indented(Text(table.note, style="dim")))


def _indented(what: Any) -> Padding:
    return Padding(what, (0, 0, 0, 2), expand=False)


def _headline(lines: Sequence[Line]) -> Grid:
    grid = Grid.grid(padding=(0, 3))
    grid.add_column(no_wrap=True)
    grid.add_column(no_wrap=True)
    grid.add_column()
    for index, line in enumerate(lines):
        grid.add_row(line.name, Text(value_text(line.value, 3), style="" if index else "bold"), line.remark)
    return grid


def _grid(table: ShownTable, widest: int | None) -> Grid:
    """Lay a table out, with values as bars too; names are cut to a width."""
    grid = Grid(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    barred = any(cell.bar is not None for row in table.rows for cell in row)
    for index, name in enumerate(table.columns):
        justify: JustifyMethod = "right" if table.numeric[index] else "left"
        grid.add_column(name, justify=justify, overflow="ellipsis", no_wrap=True, max_width=widest)
        if barred and index == 1:
            grid.add_column("", no_wrap=True)
    for place, row in enumerate(table.rows):
        if table.n_summary and place == len(table.rows) - table.n_summary:
            grid.add_row()
        cells = [Text(cell.text) for cell in row]
        if barred:
            cells.insert(2, Text(_bar(row[1].bar)))
        grid.add_row(*cells)
    return grid


def _bar(share: float | None) -> str:
    return "" if share is None else _BARS[min(int(share * len(_BARS)), len(_BARS) - 1)]
