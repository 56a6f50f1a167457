"""What is displayed: lines, tables with captions, sentences."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from math import isfinite
from typing import Any, Literal, NamedTuple

from unisono.arrays import FloatArray
from unisono.drawing import Drawn


class Line(NamedTuple):
    """A line of a result's headline: what, how much, and a remark; with so many decimals."""

    name: str
    value: float | None
    remark: str
    digits: int = 3


class Table(NamedTuple):
    """A table of a result for display: the first column names the rows, the others have numbers.

    `holds` states what its words are: names of documents, annotators and the like; labels of the data; or text of the
    data, which a report on private data must not show.
    """

    columns: Sequence[str]
    rows: Sequence[Sequence[Any]]
    digits: int = 2
    holds: Literal["names", "labels", "text"] = "text"


TEXT_COLUMN = "text"
"""The last column of a table whose rows are items with a text; the text may be long."""
MOST_SQUARE = 12
"""Up to this many categories, a table of all pairs is shown."""


def square_table(corner: str, names: Sequence[str], cells: FloatArray, digits: int) -> Table:
    """Write how often, or over what length, each two categories meet, with so many decimals."""
    columns = [aligned_numbers(column, digits) for column in cells.T.tolist()]
    return Table((corner, *names), [*zip(names, *columns, strict=True)], holds="labels")


_LARGE = 1e6
"""From here on, so little more would be visible."""


def above_ties(value: float) -> float:
    """Return a number that is a little farther from 0, so that 0.375 becomes 0.38 on every computer.

    The last bit of a value depends on the processor; without this, it would decide how half a unit is rounded.
    """
    return value * (1 + 1e-12) if abs(value) < _LARGE else value


def fixed(value: float, digits: int = 2) -> str:
    """Write a number with some decimals, with a real minus sign and without a negative zero."""
    written = f"{above_ties(value):.{digits}f}"
    return written.lstrip("-") if float(written) == 0 else written.replace("-", "−")


_FROM, _TO = "from", "to"
"""The columns of a table with the limits of an interval."""
_MOST_DIGITS = 4
"""More decimals show nothing that matters; numbers that they would distinguish may look equal."""


def digits_apart(numbers: Iterable[float | None], digits: int = 2, most: int = _MOST_DIGITS) -> int:
    """Return how many decimals a value and the limits of its interval need.

    They are `digits`, or more, up to `most`, if some numbers that differ would look the same otherwise.
    """
    known = {number for number in numbers if number is not None and isfinite(number)}
    n_different = [len({fixed(number, more) for number in known}) for more in range(digits, max(digits, most) + 1)]
    return digits + n_different.index(max(n_different))


def written_alike(*numbers: float, digits: int = 2) -> list[str]:
    """Write a value and the limits of its interval, or just these, with the same decimals; see `digits_apart`."""
    enough = digits_apart(numbers, digits)
    return [fixed(number, enough) for number in numbers]


def percentages(*shares: float) -> list[str]:
    """Write shares as percentages in the same way."""
    percent = [100 * share for share in shares]
    enough = digits_apart(percent, 0, _MOST_DIGITS - 2)
    return [f"{fixed(number, enough)}%" for number in percent]


def column_digits(columns: Sequence[str], rows: Sequence[Sequence[Any]], digits: int) -> list[int]:
    """Return with how many decimals to write each column of a table.

    Columns "from" and "to" have the limits of the values before them, and all three have the same decimals.
    """
    found = [digits] * len(columns)
    for first in range(1, len(columns) - 1):
        if columns[first].endswith(_FROM) and columns[first + 1] == _TO:
            three = slice(first - 1, first + 2)
            each = [[cell for cell in row[three] if isinstance(cell, float)] for row in rows]
            found[three] = [max((digits_apart(cells, digits) for cells in each), default=digits)] * 3
    return found


def aligned_numbers(numbers: Iterable[float], digits: int) -> list[str]:
    """Write numbers, all of one width."""
    written = [f"{above_ties(number):,.{digits}f}" for number in numbers]
    width = max(map(len, written), default=0)
    return [number.rjust(width) for number in written]


class PValue(float):
    """A probability that is displayed as small rather than as 0."""

    def spelled(self, digits: int) -> str:
        """Write it for display."""
        least = 10**-digits
        return f"< {least:.{digits}f}" if self < least else f"{above_ties(self):.{digits}f}"


def p_value(p: float | None) -> PValue | None:
    """Convert to such a probability; None stays None."""
    return None if p is None else PValue(p)


class Captioned(NamedTuple):
    """A table, its caption, and how many of its last rows summarize it."""

    caption: str
    table: Table
    n_summary: int = 0


NOTHING = "–"
"""What is displayed in a cell where no number is expected; programs get an empty cell."""


class Tabled(Drawn, ABC):
    """Anything displayed as tables with captions and sentences, in the terminal, on pages and in notebooks."""

    @abstractmethod
    def tabled(self) -> tuple[list[Captioned], list[str]]:
        """Return tables, and sentences about them."""
