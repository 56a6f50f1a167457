"""Limits of an error r = 1 - agreement, of any measure, from what it is without each part of the data.

The jackknife is on λ = log r, so that r stays above 0 and agreement below 1, or, where r is within 0 and 1, on
λ = log(r / (1 - r)): v = (G - 1)/G Σ (λ₍₋g₎ - mean)², the limits are at λ ± t √v with t at G_eff - 1 degrees of
freedom, G_eff = (Σ weight)²/Σ weight².
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import exp, inf, lgamma, log, sqrt

import numpy as np

from unisono.arrays import BoolArray, FloatArray
from unisono.errors import listed
from unisono.statistics.student import t_quantile

FEWEST = 3
"""Fewer parts that can be left out say nothing about how much they vary."""
WIDEST = log(100)
"""Where r could be a hundred times as much, there is too little data to say anything."""
HARDLY = 0.2
"""Where no more than this part of the error is left without one part, that holds nearly all of it."""
_ONE = {"documents": "document", "groups": "group", "blocks": "block", "stretches": "stretch", "texts": "text"}
_ALIKE = 1e-20
"""A variance up to this is rounding."""


@dataclass(frozen=True)
class LeftOut:
    """An error, and what it is without each part of the data.

    Attributes
    ----------
    error : float
        r of all data.
    without : float64 array, shape (n_parts,)
        r without each part; NaN where there is no value then.
    weights : float64 array, shape (n_parts,)
        How much each part weighs: its number of units, or of what matters in them.
    within_one : bool
        Whether r cannot be above 1.
    greatest : float
        The greatest r there can be.
    names : sequence of str
        What to call the parts; nothing if they have no names of their own.
    widest : float
        Half the length of the longest interval of λ that says anything.
    """

    error: float
    without: FloatArray
    weights: FloatArray
    within_one: bool = False
    greatest: float = inf
    names: Sequence[str] = ()
    widest: float = WIDEST

    @property
    def n_parts(self) -> int:
        """Number of parts."""
        return len(self.without)

    @cached_property
    def defined(self) -> BoolArray:
        """Which parts can be left out."""
        return np.isfinite(self.without)

    @property
    def n_undefined(self) -> int:
        """How many parts cannot be left out, since there is no value then."""
        return int((~self.defined).sum())

    @property
    def in_one_part(self) -> bool:
        """Whether one part holds nearly all the error."""
        return bool(self.error > 0 and self.defined.all() and (self.without <= HARDLY * self.error).any())

    @cached_property
    def influence(self) -> FloatArray | None:
        """(G - 1) (mean - λ₍₋g₎) of each part: what it adds to λ, times G.

        None where there are too few parts, where one part holds all the error, and where one holds all that gives a
        value at all: to pass over a part that cannot be left out is to pass over the one that matters most.
        """
        too_few = self.n_parts < FEWEST or self.n_undefined
        if too_few or not np.isfinite(self.scaled(np.append(self.without, self.error))).all():
            return None
        scaled = self.scaled(self.without)
        return np.asarray((self.n_parts - 1) * (scaled.mean() - scaled))

    def scaled(self, error: FloatArray | float) -> FloatArray:
        """Give λ of errors; not finite at the limits of what an error can be."""
        with np.errstate(divide="ignore", invalid="ignore"):
            rest = 1.0 - np.asarray(error) if self.within_one else 1.0
            return np.asarray(np.log(error) - np.log(rest))

    def error_at(self, scaled: float) -> float:
        """Give the error of λ."""
        return 1 / (1 + exp(-scaled)) if self.within_one else exp(scaled)

    @property
    def variance(self) -> float | None:
        """The variance of λ; None if it cannot be told."""
        if self.influence is None:
            return None
        return float(np.square(self.influence).sum() / (self.n_parts * (self.n_parts - 1)))

    @property
    def alike(self) -> bool:
        """Whether all parts are alike, so that nothing tells how much others would differ."""
        return self.variance is not None and self.variance <= _ALIKE

    @property
    def freedom(self) -> float:
        """Degrees of freedom."""
        return freedom(self.weights)


def freedom(weights: FloatArray) -> float:
    """Give G_eff - 1, at least 1: parts of very different weight are as good as fewer parts."""
    squares = float(np.square(weights).sum())
    return max(float(weights.sum()) ** 2 / squares - 1, 1.0) if squares else 1.0


def limits(left: LeftOut, level: float = 0.95) -> tuple[float, float] | None:
    """Give the limits of an error; None if there is too little to go by."""
    if left.variance is None or left.alike:
        return None
    width = t_quantile((1 + level) / 2, left.freedom) * sqrt(left.variance)
    if width > left.widest:
        return None
    middle = float(left.scaled(left.error))
    return left.error_at(middle - width), min(left.error_at(middle + width), left.greatest)


def no_limits(left: LeftOut, what: str) -> str:
    """Say why there are no limits, in a clause.

    Parameters
    ----------
    left : LeftOut
        An error for which `limits` gives None.
    what : str
        What its parts are: documents.
    """
    one = _ONE.get(what.split(" ")[0], "part")
    if left.n_parts < FEWEST:
        return f"there are {left.n_parts} {what}, and an interval takes {FEWEST} or more"
    if left.n_undefined:
        return f"{without_value(left, what)}, so that all of it hangs on one {one}"
    if left.alike:
        return f"all {left.n_parts} {what} are alike, and nothing tells how much others would differ"
    if left.error <= 0:
        return "annotators never differ, so that nothing tells how much they would elsewhere"
    if left.within_one and left.error >= 1:
        return "annotators agree on nothing, so that nothing tells how much they would elsewhere"
    if left.influence is None:
        return f"all that annotators {'differ' if left.in_one_part else 'agree'} on is in one {one}; annotate more"
    anything, times = "the value could be almost anything", f"the error could be {exp(left.widest):.0f} times as large"
    return f"the {what} differ so much that {anything if left.greatest < inf else times}; annotate more"


def without_value(left: LeftOut, what: str) -> str:
    """Say without which parts there is no value."""
    gone = np.flatnonzero(~left.defined).tolist()
    any_of = "any of " if len(gone) > 1 else ""
    if left.names and "documents" in what:
        return f"without {any_of or 'document '}{listed([left.names[index] for index in gone], 3)} there is no value"
    return f"without {any_of}{len(gone)} of {left.n_parts} {what} there is no value"


def in_one_part(error: float, level: float = 0.95) -> tuple[float, float]:
    """Give the limits of an error that one part holds nearly all of: those of a Poisson count of one such part."""
    low, high = poisson_limits(1, level)
    return low * error, high * error


def poisson_limits(n_events: int, level: float = 0.95) -> tuple[float, float]:
    """Give the limits of a Poisson mean when so many events were seen (Garwood 1936); 0 and 3.69 for none at 95 %."""
    tail = (1 - level) / 2
    low = 0.0 if n_events == 0 else _mean_at(n_events - 1, 1 - tail)
    return low, _mean_at(n_events, tail)


def _mean_at(n_events: int, probability: float) -> float:
    """Give the Poisson mean at which so many events or fewer have this probability, by bisection."""
    low, high = 0.0, 1.0
    while _at_most(n_events, high) > probability:
        high *= 2
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if _at_most(n_events, middle) > probability else (low, middle)
    return (low + high) / 2


def _at_most(n_events: int, mean: float) -> float:
    logs = (
        k * log(mean) - lgamma(k + 1) - mean if mean > 0 else (0.0 if k == 0 else -inf) for k in range(n_events + 1)
    )
    return sum(map(exp, logs))
