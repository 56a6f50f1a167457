"""Tables as people see them.

This module alone decides how numbers are written, what stands for a missing one, what is cut off, what is drawn as a
bar, and in which order rows are said to be. Terminal, notebooks, pages and LaTeX only place the cells; CSV has the
exact numbers instead.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from unisono.errors import plural
from unisono.reporting.markup import is_finite, seen_label, shortened
from unisono.results import NOTHING, PValue, Result, Table
from unisono.results.shown import TEXT_COLUMN, column_digits, fixed

ROWS_IN_TERMINAL, COLUMNS_IN_TERMINAL, ROWS_IN_NOTEBOOK, ROWS_ON_PAGE = 12, 12, 20, 500
"""Longer and wider tables are cut, and say so."""
LONGEST_TEXT, TEXT_IN_TERMINAL = 160, 40
"""Of longer texts of items, only the beginning is shown; a terminal shows them only if all are short."""
SHADES = 9
"""The number of shades of heat maps, besides none."""
NO_ADDRESSES: Mapping[str, Mapping[str, str]] = {}


@dataclass(frozen=True)
class ShownCell:
    """A cell."""

    text: str
    key: float | str | None = None
    """What rows are sorted by; None comes last."""
    shade: str = ""
    """The class of its colour, in heat maps."""
    bar: float | None = None
    """How much of a small bar is filled, from 0 to 1."""
    small: str = ""
    """What stands below the text, in small letters."""
    address: str = ""
    """Where the cell leads: the places behind it; empty if it is no link."""


@dataclass(frozen=True)
class ShownTable:
    """A table; the first column names the rows."""

    caption: str
    columns: Sequence[str]
    rows: Sequence[Sequence[ShownCell]]
    numeric: Sequence[bool] = ()
    """Which columns hold numbers; by default all but the first."""
    note: str = ""
    """What a reader should know."""
    matrix: bool = False
    """Whether it is a matrix, whose rows are not to be sorted."""
    sorted: int | None = None
    """The column by which it is sorted already, counted from 1; negative if in descending order."""
    n_summary: int = 0
    """How many of its last rows sum it up."""

    def __post_init__(self) -> None:
        if not self.numeric:
            object.__setattr__(self, "numeric", (False, *[True] * (len(self.columns) - 1)))


def shown_table(
    table: Table,
    caption: str = "",
    *,
    most_rows: int | None = None,
    most_columns: int | None = None,
    rest: str = "the result's own tables have all",
    n_summary: int = 0,
    missing: str = NOTHING,
    bars: bool = False,
    addresses: Mapping[str, Mapping[str, str]] = NO_ADDRESSES,
    note: str = "",
) -> ShownTable:
    """Write a table out.

    What comes after so many rows or columns is cut off, and the note says so and where the rest is. If `bars`, the
    values in the second column are drawn as bars too. `addresses` are those of names in the first column, by its name.
    """
    table = _with_short_texts(table)
    columns = tuple(map(str, table.columns))[:most_columns]
    rows = [row[: len(columns)] for row in table.rows[:most_rows]]
    barred = bars and _can_be_bars(rows)
    known = addresses.get(columns[0], {})
    digits = column_digits(columns, rows, table.digits)
    cells = [
        [
            _name(row[0], known),
            *(_cell(value, digits[k], missing, barred and k == 1) for k, value in enumerate(row[1:], start=1)),
        ]
        for row in rows
    ]
    more = [(len(table.rows) - len(rows), "row"), (len(table.columns) - len(columns), "column")]
    return ShownTable(
        caption,
        columns,
        cells,
        [k > 0 and all(_is_number(row[k]) for row in rows) for k in range(len(columns))],
        note=" ".join(filter(None, [note, *(f"… and {plural(n, f'more {what}')}; {rest}." for n, what in more if n)])),
        sorted={"rising": 2, "falling": -2}.get(_order([row[1].key for row in cells if len(row) > 1])),
        n_summary=n_summary,
    )


def without_long_texts(table: Table) -> Table:
    """Leave out what items say if that does not fit a terminal."""
    shown = table.rows[:ROWS_IN_TERMINAL]
    if table.columns[-1] != TEXT_COLUMN or all(len(str(row[-1])) <= TEXT_IN_TERMINAL for row in shown):
        return table
    return table._replace(columns=table.columns[:-1], rows=[row[:-1] for row in table.rows])


def _with_short_texts(table: Table) -> Table:
    if len(table.columns) < 2 or table.columns[-1] != TEXT_COLUMN:
        return table
    return table._replace(rows=[(*row[:-1], shortened(str(row[-1]), LONGEST_TEXT)) for row in table.rows])


def name_cell(text: Any, address: str = "") -> ShownCell:
    """Make the cell of a name, which may link to its places."""
    return ShownCell(seen_label(text), seen_label(text), address=address)


def count_cell(count: int, shade: str = "", zero: str = "0", address: str = "") -> ShownCell:
    """Make the cell of a number that counts something, and may link to what it counts."""
    return ShownCell(f"{count:,}" if count else zero, float(count), shade, address=address if count else "")


def shade(share: float, kind: str = "heat") -> str:
    """Name the class of a shade, for a share from 0 to 1."""
    return f"{kind} shade-{round(min(max(share, 0.0), 1.0) * SHADES)}"


def zero_is_perfect(result: Result) -> bool:
    """Whether a value is a distance or an error, so that 0 is perfect agreement."""
    return result.scale != "agreement"


def is_worst_first(table: Table, result: Result) -> bool:
    """Whether the second column has values of the measure, or agreement, from the worst to the best."""
    name = str(table.columns[1]) if len(table.columns) > 1 else ""
    own = name.partition("_")[0] == result.symbol.partition("_")[0]
    worst = "falling" if own and zero_is_perfect(result) else "rising"
    return (own or name == "agreement") and _order([row[1] for row in table.rows]) == worst


def subset_tables(
    result: Result,
    *,
    without: Sequence[dict[str, Any]] = (),
    pairs: Sequence[dict[str, Any]] = (),
    groups: Sequence[dict[str, Any]] = (),
) -> list[Table]:
    """Lay out what a result says of some of the annotators only; tables without rows are left out.

    The values without each annotator, of pairs and of groups of annotators are given as the result returns them.
    """
    symbol, units = result.symbol, f"{result.unit}s"
    known = [row for row in without if any(other["value_without"] is not None for other in without)]
    ranked = sorted(known, key=lambda row: (row["agreement_without"] is None, -(row["agreement_without"] or 0.0)))
    alone = [(row["annotator"], row["value_without"], row["n_units"]) for row in ranked]
    together = [(f"{row['annotator_1']} – {row['annotator_2']}", row["value"], row["n_units"]) for row in pairs]
    of_groups = [(row["group"], row["value"], row["n_units"]) for row in groups]
    tables = [
        Table(("annotator", f"{symbol} without", units), alone),
        Table(("pair", symbol, units), together),
        Table(("group", symbol, units), of_groups),
    ]
    return [table for table in tables if table.rows]


_TITLES = {
    "category": "categories",
    "length": "lengths on which categories coincide",
    **{name: f"{name}s" for name in ("annotator", "document", "feature", "group", "item", "pair", "text", "type")},
}


def table_title(table: Table) -> str:
    """Say what a result's table shows, after its first column."""
    first = str(table.columns[0])
    title = _TITLES.get(first, first)
    return title[:1].upper() + title[1:]


def _name(value: Any, known: Mapping[str, str]) -> ShownCell:
    if value is None:  # a row without a name, unlike one whose name is empty
        return ShownCell("", "")
    return name_cell(value, known.get(seen_label(value), ""))


def _cell(value: Any, digits: int, missing: str, bar: bool) -> ShownCell:
    if value is None or (isinstance(value, float) and not is_finite(value)):
        return ShownCell(missing)
    if value in ("", NOTHING):
        return ShownCell(value)
    if isinstance(value, PValue):
        return ShownCell(value.spelled(digits), float(value))
    if isinstance(value, float):
        return ShownCell(fixed(value, digits), value, bar=min(max(value, 0.0), 1.0) if bar else None)
    if isinstance(value, int) and not isinstance(value, bool):
        return count_cell(value)
    return name_cell(value)


def _is_number(value: Any) -> bool:
    return value in (None, "", NOTHING) or (isinstance(value, int | float) and not isinstance(value, bool))


def _can_be_bars(rows: Sequence[Sequence[Any]]) -> bool:
    """Whether the second column has values of agreement, of which 1 is the greatest possible."""
    values = [row[1] for row in rows if len(row) > 1 and row[1] is not None]
    return bool(values) and all(isinstance(value, float) and value <= 1 for value in values)


def _order(values: Sequence[Any]) -> str:
    """Say in which order numbers are, missing ones last; nothing if they are in none."""
    known = [value for value in values if isinstance(value, float)]
    if len(set(known)) < 2 or values[len(known) :] != [None] * (len(values) - len(known)):
        return ""
    return "rising" if known == sorted(known) else "falling" if known == sorted(known, reverse=True) else ""
