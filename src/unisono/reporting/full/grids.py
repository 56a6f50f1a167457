"""Tables of the page: cells that know how they are written and how they are sorted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from unisono.errors import plural
from unisono.reporting.markup import fixed, is_finite
from unisono.reporting.notebook import seen_label
from unisono.results import Table

MOST_ROWS = 500
"""Longer tables are cut, and say so."""
SHADES = 9
"""Heat maps have so many shades besides none."""


@dataclass(frozen=True)
class Cell:
    """A cell.

    Attributes
    ----------
    text : str
        What is written.
    key : float, str or None
        What it is sorted by; None comes last.
    shade : str
        The class of its colour, in heat maps.
    bar : float or None
        How much of a small bar is filled, from 0 to 1.
    small : str
        What stands below, in small letters.
    document : str or None
        The document whose places it leads to.
    """

    text: str
    key: float | str | None = None
    shade: str = ""
    bar: float | None = None
    small: str = ""
    document: str | None = None


@dataclass(frozen=True)
class Grid:
    """A table: the first column names the rows.

    Attributes
    ----------
    caption : str
        What it shows.
    columns : sequence of str
        Their names.
    numeric : sequence of bool
        Whether a column holds numbers.
    rows : sequence of cells
        Row by row.
    note : str
        What one should know.
    sorted : int or None
        The column by which it is sorted already, counted from 1; negative if it falls.
    matrix : bool
        Whether it is a matrix, which is not sorted.
    """

    caption: str
    columns: Sequence[str]
    numeric: Sequence[bool]
    rows: Sequence[Sequence[Cell]]
    note: str = ""
    sorted: int | None = None
    matrix: bool = False


def grid_of(table: Table, caption: str, documents: Sequence[str] = (), *, bars: bool = True, note: str = "") -> Grid:
    """Make a grid of a result's table.

    Parameters
    ----------
    table : Table
        What to show.
    caption, note : str
        What it shows, and what one should know.
    documents : sequence of str
        Those that have places to look at; their names become links.
    bars : bool
        Whether values are drawn as bars too; not if 0 is perfect, where a long bar would look good.
    """
    shown = table.rows[:MOST_ROWS]
    numeric = [column > 0 and _is_numeric([row[column] for row in shown]) for column in range(len(table.columns))]
    known = set(documents) if table.columns[0] in ("document", "text") else set()
    barred = (
        bars and len(numeric) > 1 and numeric[1] and all(row[1] is None or isinstance(row[1], float) for row in shown)
    )
    rows = [
        [
            _cell(value, table.digits, first=column == 0, bar=barred and column == 1, known=known)
            for column, value in enumerate(row)
        ]
        for row in shown
    ]
    notes = " ".join(filter(None, [note, _cut(table)]))
    return Grid(caption, tuple(map(str, table.columns)), numeric, rows, note=notes, sorted=_sorted(rows))


def named(text: Any) -> Cell:
    """Make the cell of a name."""
    return Cell(seen_label(text), seen_label(text))


def number(value: int) -> Cell:
    """Make the cell of a number that counts something."""
    return Cell(f"{value:,}", float(value))


def shade(share: float, kind: str = "heat") -> str:
    """Name the class of a shade, for a share from 0 to 1."""
    return f"{kind} {kind}-{round(min(max(share, 0.0), 1.0) * SHADES)}"


def _cell(value: Any, digits: int, *, first: bool, bar: bool, known: set[str]) -> Cell:
    if value is None or (isinstance(value, float) and not is_finite(value)):
        return Cell("–")
    if value == "" and not first:
        return Cell("")
    if isinstance(value, float):
        return Cell(fixed(value, digits), value, bar=min(max(value, 0.0), 1.0) if bar else None)
    if isinstance(value, int) and not isinstance(value, bool):
        return number(value)
    return Cell(seen_label(value), seen_label(value), document=value if first and value in known else None)


def _is_numeric(cells: Sequence[Any]) -> bool:
    return all(cell is None or (isinstance(cell, int | float) and not isinstance(cell, bool)) for cell in cells)


def _sorted(rows: Sequence[Sequence[Cell]]) -> int | None:
    """Tell whether the second column is in order already."""
    if not rows or len(rows[0]) < 2:
        return None
    values = [key for row in rows if isinstance(key := row[1].key, float)]
    if len(values) < 2 or len(set(values)) < 2:
        return None
    return 2 if values == sorted(values) else -2 if values == sorted(values, reverse=True) else None


def _cut(table: Table) -> str:
    left = len(table.rows) - MOST_ROWS
    return f"… and {plural(left, 'more row')}; the result's own table has all" if left > 0 else ""
