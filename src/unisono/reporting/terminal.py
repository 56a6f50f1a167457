"""Results as tables that fit a terminal."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from rich.cells import cell_len
from rich.console import Console, JustifyMethod
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from unisono.measurement.completing import Measured
from unisono.reporting.answer import PlainAnswer, answer_of
from unisono.reporting.cards import value_text
from unisono.reporting.markup import is_finite
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
from unisono.results.shown import above_ties

_BARS = "▁▂▃▄▅▆▇█"
_GAP, _LEAST = 2, 8
"""The space between columns, and the least width of one with text."""
_WORD = r"""(?:'[^']*'|"[^"]*"|\\.|[^\s'"\\])+"""
_ARGUMENT = re.compile(rf"-\S+ (?!-){_WORD}|{_WORD}")


def show(
    console: Console,
    result: Result,
    *,
    remarks: Sequence[str] = (),
    hints: Sequence[str] = (),
    **subsets: Sequence[dict[str, Any]],
) -> None:
    """Print a result and what it means, with further remarks besides its own, and what the user could do next.

    Each hint can be copied: see `print_command`. For the subsets of annotators see `subset_tables`.
    """
    source = result.source
    console.print(Text.assemble((result.title(), "bold"), ("   " + source if source else "", "dim")))
    console.print()
    console.print(_indented(_headline(result.headline())))
    if answer := _answer(result, subsets.get("without", ())):
        console.print()
        console.print(_indented(Text(answer)))
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
        print_command(console, line)
    console.print(Text("  " + result.signature, style="dim"), soft_wrap=True)


def show_table(console: Console, caption: str, table: Table, n_summary: int = 0) -> None:
    """Print a whole table with its caption; the rows that sum it up are set apart."""
    console.print(Text(caption, style="bold"))
    _print(console, shown_table(table, n_summary=n_summary, missing=""))
    console.print()


def print_command(console: Console, line: str) -> None:
    """Print a command, perhaps after words that end in a colon, so that it can be copied and run.

    Where it is longer than the terminal is wide, it goes on in further lines, as a shell reads them; elsewhere it stays
    on one line.
    """
    begin = line.find("unisono ")
    if begin < 0 or not console.is_terminal or cell_len(line) + 2 <= console.width:
        console.print(Text("  " + line), soft_wrap=True)
        return
    if begin:
        console.print(_indented(Text(line[:begin].rstrip())))
    for part in _broken(line[begin:], console.width - 6):
        console.print(Text("    " + part), soft_wrap=True)


def _broken(command: str, width: int) -> list[str]:
    """Break a command between its words, not within quotes or after an option; a backslash says that it goes on."""
    lines: list[str] = []
    for word in _ARGUMENT.findall(command):
        if lines and cell_len(lines[-1]) + 1 + cell_len(word) <= width - 2:
            lines[-1] += f" {word}"
        else:
            lines.append(word if not lines else f"  {word}")
    return [f"{line} \\" for line in lines[:-1]] + lines[-1:]


def _print(console: Console, table: ShownTable, widest: int | None = None) -> None:
    for part in _side_by_side(console, table, widest):
        console.print(_indented(_grid(part, widest, console.width - 2)))
    if table.note:
        console.print(_indented(Text(table.note, style="dim")))


def _side_by_side(console: Console, table: ShownTable, widest: int | None) -> list[ShownTable]:
    """Divide the columns of a table that is too wide into several tables, each with the names of the rows.

    Text is shortened rather, as the last column may be.
    """
    grid = _grid(table, widest)
    room = console.width - 2
    if console.measure(grid, options=console.options.update(width=10_000)).maximum <= room or len(table.columns) < 3:
        return [table]
    if not all(table.numeric[1:]):
        return [table]
    found: list[list[int]] = [[]]
    for column in range(1, len(table.columns)):
        wider = [*found[-1], column]
        size = console.measure(
            _grid(_columns(table, wider), widest), options=console.options.update(width=10_000)
        ).maximum
        if found[-1] and size > room:
            found.append([column])
        else:
            found[-1] = wider
    return [_columns(table, some) for some in found]


def _columns(table: ShownTable, some: Sequence[int]) -> ShownTable:
    """Keep the names of the rows and some columns; only the first number may be drawn as a bar."""
    kept = [0, *some]
    rows = [[row[k] if k < 2 else replace(row[k], bar=None) for k in kept] for row in table.rows]
    return replace(table, columns=[table.columns[k] for k in kept], rows=rows, numeric=[table.numeric[k] for k in kept])


def _indented(what: Any) -> Padding:
    return Padding(what, (0, 0, 0, 2), expand=False)


def _answer(result: Result, without: Sequence[dict[str, Any]]) -> str:
    """Return what the report begins with, but for the value, which has been printed; empty if there is nothing else."""
    if not is_finite(result.value):
        return ""
    answer = answer_of(Measured(result.measure, result, without=without), quick=True)
    return str(PlainAnswer(answer.sentences[1:]))


def _headline(lines: Sequence[Line]) -> Grid:
    grid = Grid.grid(padding=(0, 3))
    grid.add_column(no_wrap=True)
    grid.add_column(no_wrap=True)
    grid.add_column()
    for index, line in enumerate(lines):
        grid.add_row(line.name, Text(value_text(line.value, line.digits), style="" if index else "bold"), line.remark)
    return grid


def _grid(table: ShownTable, widest: int | None, room: int | None = None) -> Grid:
    """Lay a table out, with values as bars too; names are cut to a width, and text to what room there is."""
    grid = Grid(box=None, pad_edge=False, header_style="dim", padding=(0, _GAP, 0, 0))
    barred = any(cell.bar is not None for row in table.rows for cell in row)
    widths = _widths(table, widest, room)
    for index, name in enumerate(table.columns):
        justify: JustifyMethod = "right" if table.numeric[index] else "left"
        grid.add_column(name, justify=justify, overflow="ellipsis", no_wrap=True, max_width=widths[index])
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


def _widths(table: ShownTable, widest: int | None, room: int | None) -> list[int]:
    """Return how wide columns may be; where there is too little room, the widest text gives way, never a number."""
    names = enumerate(table.columns)
    widths = [max(cell_len(part) for part in [name, *(row[k].text for row in table.rows)]) for k, name in names]
    if widest is not None:
        widths = [min(width, widest) for width in widths]
    barred = any(cell.bar is not None for row in table.rows for cell in row)
    over = sum(widths) + _GAP * (len(widths) - 1) + (1 + _GAP) * barred - (room or 10**9)
    text = [k for k in range(len(widths)) if not table.numeric[k]]
    while over > 0 and text:
        most = max(text, key=widths.__getitem__)
        if widths[most] <= _LEAST:
            break
        widths[most] -= 1
        over -= 1
    return widths


def _bar(share: float | None) -> str:
    return "" if share is None else _BARS[min(int(above_ties(share) * len(_BARS)), len(_BARS) - 1)]
