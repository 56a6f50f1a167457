"""What people look at: lines, tables with captions, sentences."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from unisono.drawing import Drawn


class Line(NamedTuple):
    """A line of a result's headline: what, how much, and a remark."""

    name: str
    value: float | None
    remark: str


class Table(NamedTuple):
    """A table of a result for people: the first column names the rows, the others have numbers.

    `holds` tells what its words are: names of documents, annotators and the like; labels of the data; or text of the
    data, which a report on private data must not show.
    """

    columns: Sequence[str]
    rows: Sequence[Sequence[Any]]
    digits: int = 2
    holds: Literal["names", "labels", "text"] = "text"


class PValue(float):
    """A probability that is said to be small rather than 0."""

    def spelled(self, digits: int) -> str:
        """Write it for people."""
        least = 10**-digits
        return f"< {least:.{digits}f}" if self < least else f"{self:.{digits}f}"


def p_value(p: float | None) -> PValue | None:
    """Take a probability for one; None stays None."""
    return None if p is None else PValue(p)


class Captioned(NamedTuple):
    """A table, what it shows, and how many of its last rows sum it up."""

    caption: str
    table: Table
    n_summary: int = 0


NOTHING = "–"
"""What stands in a cell for people where there is no number to expect; programs get an empty cell."""


class Tabled(Drawn, ABC):
    """What people look at as tables with captions and sentences, in the terminal, on pages and in notebooks."""

    @abstractmethod
    def tabled(self) -> tuple[list[Captioned], list[str]]:
        """Return tables, and sentences on what they say."""
