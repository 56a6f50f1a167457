"""The jackknife: confidence limits of any measure, from what it is without each part of its data.

Let r be the error: 1 - agreement, or the value itself where 0 is perfect. Parts g = 1 … G are left out one by one. The
jackknife works on λ = log r, so that r stays above 0 and agreement below 1, or on λ = log(r / (R - r)) if r cannot
exceed R: 1 for shares, 2 for coefficients from -1 to 1, whose λ is Fisher's z, but for a factor of -2:

    v = (G - 1)/G Σ (λ₍₋g₎ - mean)²,   limits at λ ± t √v,   t with G_eff - 1 degrees of freedom,

G_eff = (Σ weight)²/Σ weight²: parts of very different weight are worth as much as fewer parts. Where that says nothing
(no disagreement was seen, nearly all of it is in one part, all parts are alike), the number of disagreements is taken
as a Poisson count. docs/coverage.md shows by simulation which of these limits hold; a percentile bootstrap does not.

A family of measures supplies a `Jackknife` through a `Divisible`; everything else is here.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import exp, inf, log, sqrt
from typing import ClassVar

import numpy as np

from unisono.arrays import BoolArray, FloatArray
from unisono.errors import listed, plural
from unisono.results import Interval
from unisono.statistics.quantiles import LEVEL, poisson_limits, student_quantile

FEWEST_PARTS = 3
"""Two parts, or one, show nothing about how much parts vary."""
_WIDEST = log(100)
"""If r could be a hundred times as large, the data says nothing."""
_HARDLY_ANY = 0.2
"""If at most this share of the error is left without one part, that part holds nearly all of it."""
_ROUNDING = 1e-20
"""A variance of λ up to this is rounding."""
_NEGLIGIBLE = -700
"""Below this λ, 1 + exp(-λ) is exp(-λ), and would soon exceed what can be computed."""
UNSEEN = 0.5
"""So much of the variance of one more item on which annotators differ is added where parts may not have shown any."""
_ONE = {
    "documents": "document",
    "groups": "group",
    "blocks": "block",
    "stretches": "stretch",
    "texts": "text",
    "items": "item",
}


@dataclass(frozen=True)
class ErrorScale:
    """What errors of a measure can be."""

    bounded: bool = False  # whether λ takes the greatest possible error into account
    greatest: float = inf  # the greatest possible error
    widest: float = _WIDEST  # half the length of the longest interval of λ that still says something
    agreement: bool = True  # whether the measure's value is 1 - error; else it is the error itself

    def scaled(self, error: FloatArray | float) -> FloatArray:
        """Return λ of errors; not finite for an error of 0, or for the greatest if λ takes it into account."""
        with np.errstate(divide="ignore", invalid="ignore"):
            rest = self.greatest - np.asarray(error) if self.bounded else 1.0
            return np.asarray(np.log(error) - np.log(rest))

    def error_at(self, scaled: float) -> float:
        """Return the error of λ."""
        if not self.bounded:
            return exp(scaled)
        if scaled < _NEGLIGIBLE:
            return self.greatest * exp(scaled)
        return self.greatest / (1 + exp(-scaled))

    def interval(self, low: float, high: float, level: float, method: str) -> Interval:
        """Turn limits of the error into an interval of the value, within what is possible."""
        high = min(high, self.greatest)
        return Interval(1 - high, 1 - low, level, method) if self.agreement else Interval(low, high, level, method)


@dataclass(frozen=True)
class Disputes:
    """What is known about single disagreements, for limits from their number."""

    # how many there are, if they can be counted as independent events; 0 if none is serious; None if unknown
    n: int | None = None
    one_more: float = 0.0  # by how much a further one could raise the error
    # whether those that were seen may be smaller than a further one, as where labels have a distance
    near_misses: bool = False

    def limits(self, n: int, error: float, level: float) -> tuple[float, float]:
        """Return the limits of an error that consists of n disagreements."""
        low, high = poisson_limits(n, level)
        each = error / n if n else self.one_more
        if self.near_misses:
            each = max(each, self.one_more)
        return (low / n * error if n else 0.0), error + (high - n) * each


@dataclass(frozen=True)
class Jackknife:
    """An error, and what it is without each part of the data."""

    error: float  # r of all data
    # shape (n_parts,): r without each part; NaN if there is no value then
    without: FloatArray = field(default_factory=lambda: np.zeros(0))
    # shape (n_parts,): how much each part counts: its number of units, or of what matters in them
    weights: FloatArray = field(default_factory=lambda: np.zeros(0))
    what: str = "documents"  # what the parts are, in the plural: documents, blocks of items
    names: Sequence[str] = ()  # the parts' names; empty if they have none
    each: float = 1.0  # how many documents or items a part has on average
    scale: ErrorScale = field(default_factory=ErrorScale)  # what errors can be
    disputes: Disputes = field(default_factory=Disputes)  # what is known about single disagreements
    # shape (n_parts,): the share of all disagreement that is left without each part; by default that of the error
    remaining: FloatArray | None = None
    remark: str = ""  # a clause about the parts, for the interval's method
    noise: float = 0.0  # a variance of λ that parts do not show: that of random samples which all parts share

    def interval(self, level: float = LEVEL) -> Interval | str:
        """Return the interval of the value, or a clause that explains why there is none."""
        n, seen = self.n_parts, self.disputes.n
        found = self.limits(level)
        if found is not None:
            low, high = found
            if seen == 0:  # a jackknife of tiny disagreements cannot know of serious ones
                high = max(high, self.disputes.limits(0, self.error, level)[1])
            more = f"; {self.remark}" if self.remark else ""
            return self.scale.interval(low, high, level, f"jackknife over {n:,} {self.what}{more}")
        if seen is not None:
            none = f"Poisson limit, no {'serious ' if self.error > 0 else ''}disagreement seen"
            return self._counted(seen, level, f"Poisson limits, {plural(seen, 'item')} disputed" if seen else none)
        if self.in_one_part and n >= FEWEST_PARTS:
            return self._counted(1, level, f"Poisson limits, nearly all disagreement in one of {n:,} {self.what}")
        return self.no_limits

    def limits(self, level: float = LEVEL) -> tuple[float, float] | None:
        """Return the jackknife's limits of the error; None if the parts say too little."""
        if self.variance is None or self.alike:
            return None
        width = float(student_quantile((1 + level) / 2, self.freedom)) * sqrt(self.variance)
        if width > self.scale.widest:
            return None
        middle = float(self.scale.scaled(self.error))
        return self.scale.error_at(middle - width), min(self.scale.error_at(middle + width), self.scale.greatest)

    def with_one_unseen(self) -> Jackknife:
        """Add some of the variance of one more item on which annotators differ, if there are any at all.

        Where one of them is in all pairs and hardly ever differs, parts do not show how often that may happen.
        docs/simulations.md shows by simulation what `UNSEEN` does.
        """
        if not 0 < self.error < self.scale.greatest:
            return self
        slope = 1 / self.error + (1 / (self.scale.greatest - self.error) if self.scale.bounded else 0.0)
        return replace(self, noise=self.noise + UNSEEN * (self.disputes.one_more * slope) ** 2)

    @property
    def n_parts(self) -> int:
        """Number of parts."""
        return len(self.without)

    @cached_property
    def defined(self) -> BoolArray:
        """Whether there is a value without each part."""
        return np.isfinite(self.without)

    @property
    def n_undefined(self) -> int:
        """Number of parts without which there is no value."""
        return int((~self.defined).sum())

    @property
    def in_one_part(self) -> bool:
        """Whether one part holds nearly all the error."""
        if not self.error > 0 or self.n_undefined:
            return False
        left = self.without / self.error if self.remaining is None else self.remaining
        return bool((left <= _HARDLY_ANY).any())

    @cached_property
    def influence(self) -> FloatArray | None:
        """(G - 1) (mean - λ₍₋g₎) of each part: what it adds to λ, times G.

        None if there are too few parts, if one holds all the error, or if there is no value without one: to skip a part
        that cannot be left out would be to skip the one that matters most.
        """
        if self.n_parts < FEWEST_PARTS or self.n_undefined:
            return None
        scaled = self.scale.scaled(self.without)
        if not np.isfinite(scaled).all() or not np.isfinite(self.scale.scaled(self.error)):
            return None
        return np.asarray((self.n_parts - 1) * (scaled.mean() - scaled))

    @property
    def variance(self) -> float | None:
        """The variance of λ; None if the parts do not show it."""
        if self.influence is None:
            return None
        return float(np.square(self.influence).sum() / (self.n_parts * (self.n_parts - 1))) + self.noise

    @property
    def alike(self) -> bool:
        """Whether all parts are alike, so that nothing shows how much others would differ."""
        return self.variance is not None and self.variance <= _ROUNDING

    @property
    def freedom(self) -> float:
        """Degrees of freedom."""
        return effective_freedom(self.weights)

    @property
    def no_limits(self) -> str:
        """A clause that explains why `limits` returns none."""
        n, what, one = self.n_parts, self.what, _ONE.get(self.what.split(" ")[0], "part")
        if n < FEWEST_PARTS:
            count = f"{what.replace(what.split(' ')[0], one, 1)} counts" if n == 1 else f"{what} count"
            return f"only {n} {count}, and an interval needs {FEWEST_PARTS} or more"
        if self.n_undefined:
            return f"{self.no_value}, so everything depends on one {one}"
        if self.alike:
            return f"all {n} {what} are alike, so they do not show how much others would differ"
        if self.error <= 0:
            return "annotators never differ, so the data does not show how much they would elsewhere"
        if self.scale.bounded and self.error >= self.scale.greatest:
            return "annotators agree on nothing, so the data does not show how much they would elsewhere"
        if self.influence is None:
            do = "differ" if self.in_one_part else "agree"
            return f"everything that annotators {do} on is in one {one}; annotate more"
        times = f"the error could be {exp(self.scale.widest):.0f} times as large"
        anything = "the value could be almost anything" if self.scale.greatest < inf else times
        return f"the {what} differ so much that {anything}; annotate more"

    @property
    def no_value(self) -> str:
        """A clause that says without which parts there is no value."""
        gone = np.flatnonzero(~self.defined).tolist()
        any_of = "any of " if len(gone) > 1 else ""
        if self.names and "documents" in self.what:
            named = listed([self.names[index] for index in gone], 3)
            return f"without {any_of or 'document '}{named} there is no value"
        which = (
            f"any one of the {len(gone)}" if len(gone) == self.n_parts > 1 else f"{any_of}{len(gone)} of {self.n_parts}"
        )
        return f"without {which} {self.what} there is no value"

    def _counted(self, n: int, level: float, method: str) -> Interval:
        return self.scale.interval(*self.disputes.limits(n, self.error, level), level, method)


class Divisible(ABC):
    """A value whose documents can be left out: what a family of measures supplies."""

    most_parts: ClassVar[float] = inf  # how many parts are left out one by one at most; more are put into groups

    @property
    def measures_again(self) -> bool:
        """Whether leaving documents out means measuring what is left; else the value follows from sums."""
        return False

    @abstractmethod
    def documents(self) -> Mapping[str, float]:
        """Return the documents that count in the value, and how much each counts."""

    @abstractmethod
    def leave_out(self, groups: Sequence[Sequence[str]]) -> Jackknife:
        """Leave groups of documents out one by one; names that are not among the documents change nothing."""

    @abstractmethod
    def jackknife(self) -> Jackknife | str:
        """Leave out the parts that an interval is made of, or explain in a clause why there are none."""

    def interval(self) -> Interval | str:
        """Return the interval, or a clause that explains why there is none."""
        found = self.jackknife()
        return found if isinstance(found, str) else found.interval()


def effective_freedom(weights: FloatArray) -> float:
    """Return G_eff - 1, at least 1."""
    return effective_freedoms(weights[np.newaxis])[0]


def effective_freedoms(weights: FloatArray) -> list[float]:
    """Return G_eff - 1 of each row, at least 1."""
    squares = np.square(weights).sum(axis=1).tolist()
    totals = zip(weights.sum(axis=1).tolist(), squares, strict=True)
    return [max(total**2 / square - 1, 1.0) if square else 1.0 for total, square in totals]
