"""What is displayed: lines, tables with captions, sentences."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any, Literal, NamedTuple

from unisono.arrays import FloatArray
from unisono.drawing import Drawn


class Line(NamedTuple):
    """A line of a result's headline: what, how much, and a remark."""

    name: str
    value: float | None
    remark: str


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
