"""What every measure gives: a value, what it was made of, and what is needed to repeat it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, Protocol

import numpy as np

from unisono.drawing import Drawn
from unisono.version import __version__


@dataclass(frozen=True)
class Interval:
    """A confidence interval.

    Attributes
    ----------
    low, high : float
        Its limits.
    level : float
        How often such an interval covers the true value.
    method : str
        How it was made, and what for.
    """

    low: float
    high: float
    level: float
    method: str

    def __str__(self) -> str:
        low, high = (f"{round(limit, 2) + 0.0:.2f}".replace("-", "−") for limit in (self.low, self.high))
        return f"{self.level:.0%} interval {low} to {high} ({self.method})"

    def to_dict(self) -> dict[str, Any]:
        """Give plain data."""
        return {"low": self.low, "high": self.high, "level": self.level, "method": self.method}


@dataclass(frozen=True)
class Estimate:
    """What a formula gives: the value, and what it is made of.

    Attributes
    ----------
    value : float or None
        The coefficient; None where it is undefined.
    observed, expected : float or None
        Observed and expected agreement or disagreement, as the formula has it; None where it has none.
    undefined : str or None
        Why there is no value, if there is none.
    details : dict
        Further values that belong to this one, such as the greatest possible κ.
    tables : dict
        Rows that only this formula gives, by the name of the table, such as the categories of (k)uα.
    notes : tuple of str
        What one should know about the value.
    what : str
        What was observed and expected: agreement or disagreement.
    normalized : float or None
        The error as a share of the greatest possible one, for values that are errors of any size.
    """

    value: float | None
    observed: float | None = None
    expected: float | None = None
    undefined: str | None = None
    details: Mapping[str, float | None] = field(default_factory=dict)
    tables: Mapping[str, list[dict[str, Any]]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    what: str = "agreement"
    normalized: float | None = None


class Line(NamedTuple):
    """A line of a result's headline: what, how much, and a remark."""

    name: str
    value: float | None
    remark: str


class Table(NamedTuple):
    """A table of a result for people: the first column names the rows, numbers stand in the others.

    `holds` tells what its words are: names of documents, annotators and the like; labels of the data; or text of the
    data, which a report of private data must not show.
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
        """Give tables, and sentences on what they say."""


class Result(Protocol):
    """What every result has, whatever the measure."""

    @property
    def measure(self) -> str:
        """The measure's name."""

    @property
    def symbol(self) -> str:
        """The letter that papers use for it."""

    @property
    def value(self) -> float | None:
        """The value; None where it is undefined."""

    @property
    def agreement(self) -> float | None:
        """The value as an agreement: 1 is perfect, also where the value itself is an error rate."""

    @property
    def undefined(self) -> str | None:
        """Why there is no value, if there is none."""

    @property
    def interval(self) -> Interval | None:
        """The confidence interval; None if there is too little to go by."""

    @property
    def observed(self) -> float | None:
        """What was observed, disorder or agreement; None where the measure has no such part."""

    @property
    def expected(self) -> float | None:
        """What chance gives; None where the measure has no such part."""

    @property
    def parameters(self) -> Mapping[str, Any]:
        """What the measure was given."""

    @property
    def data(self) -> Any:
        """What was measured: a corpus, ratings or normalizations."""

    @property
    def alignment(self) -> Mapping[str, Any]:
        """Document to its alignment; empty if the measure aligns nothing."""

    @property
    def unit(self) -> str:
        """What is counted: a unit, a label."""

    @property
    def n_annotators(self) -> int:
        """Number of annotators."""

    @property
    def n_documents(self) -> int:
        """Number of documents."""

    @property
    def n_units(self) -> int:
        """Number of units, or of labels given to items."""

    @property
    def source(self) -> str:
        """Where the data comes from."""

    @property
    def signature(self) -> str:
        """What is needed to repeat the value."""

    def leave_one_out(self) -> list[dict[str, Any]]:
        """Give the value without each annotator in turn."""

    def pairwise(self) -> list[dict[str, Any]]:
        """Give the value of every pair of annotators."""

    def groups(self, groups: Mapping[str, Iterable[str]]) -> list[dict[str, Any]]:
        """Give the value within each group of annotators, and of every two groups together."""

    def title(self) -> str:
        """Say in one line what was measured."""

    def headline(self) -> list[Line]:
        """Give the value and what it is made of, line by line."""

    def tables(self) -> list[Table]:
        """Give tables for people: documents, categories and what else the measure has."""

    def remarks(self) -> list[str]:
        """Give sentences on what one should know about the value."""

    def to_dict(self) -> dict[str, Any]:
        """Give plain data, as `--json` prints it."""


@dataclass(frozen=True)
class Signature:
    """Measure, parameters, seed and version on one line, so that two results can be compared."""

    measure: str
    parameters: Mapping[str, Any]

    def __str__(self) -> str:
        parts = [f"{name}:{spelled(value)}" for name, value in self.parameters.items()]
        return "|".join([self.measure, *parts, f"unisono:{__version__}"])


def spelled(value: Any) -> str:
    """Spell a parameter's value, numbers as short as can be."""
    if isinstance(value, bool) or value is None:
        return str(value).lower()
    if isinstance(value, float | np.floating):
        return f"{value:g}" if float(f"{value:g}") == value else repr(float(value))
    return str(value)


_ROUNDING = 1e-12
_NO_CHANCE = "no disagreement is expected by chance, so agreement beyond chance cannot be told"


def beyond_chance(observed: float, expected: float, **more: Any) -> Estimate:
    """Correct an agreement for chance: (A_o - A_e) / (1 - A_e)."""
    if 1 - expected < _ROUNDING:
        reason = "agreement by chance is already perfect, so agreement beyond chance cannot be told"
        return Estimate(None, observed, expected, reason, **more)
    return Estimate((observed - expected) / (1 - expected), observed, expected, **more)


def from_disagreement(observed: float, expected: float, reason: str = _NO_CHANCE, **more: Any) -> Estimate:
    """Turn disagreements into an agreement: 1 - D_o / D_e; `reason` says why none may be expected."""
    if not expected > 0:
        return Estimate(None, observed, expected, reason, what="disagreement", **more)
    return Estimate(1 - observed / expected, observed, expected, what="disagreement", **more)
