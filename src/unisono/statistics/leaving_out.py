"""Limits of an error r = 1 - agreement, of any measure, from what it is without each part of the data.

The jackknife is on λ = log r, so that r stays above 0 and agreement below 1, or, where r is within 0 and 1, on
λ = log(r / (1 - r)): v = (G - 1)/G Σ (λ₍₋g₎ - mean)², the limits are at λ ± t √v with t at G_eff - 1 degrees of
freedom, G_eff = (Σ weight)²/Σ weight².
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import exp, inf, lgamma, log, sqrt

import numpy as np

from unisono.arrays import BoolArray, FloatArray
from unisono.statistics.student import t_quantile

FEWEST = 3
"""Fewer parts that can be left out say nothing about how much they vary."""
WIDEST = 4.6
"""Where r could be a hundred times as much, there is too little data to say anything."""
_MOST_UNDEFINED = 0.2


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
        How much each part weighs: its number of units.
    within_one : bool
        Whether r cannot be above 1.
    """

    error: float
    without: FloatArray
    weights: FloatArray
    within_one: bool = False

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

    @cached_property
    def influence(self) -> FloatArray | None:
        """(G - 1) (mean - λ₍₋g₎) of the parts that can be left out: what each adds to λ, times G.

        None where too few can be left out, or where one part holds all the error.
        """
        without = self.without[self.defined]
        too_few = len(without) < FEWEST or self.n_undefined > _MOST_UNDEFINED * self.n_parts
        if too_few or not np.isfinite(self.scaled(np.append(without, self.error))).all():
            return None
        scaled = self.scaled(without)
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
        n = len(self.influence)
        return float(np.square(self.influence).sum() / (n * (self.n_parts - 1)))

    @property
    def freedom(self) -> float:
        """Degrees of freedom."""
        return freedom(self.weights[self.defined])


def freedom(weights: FloatArray) -> float:
    """Give G_eff - 1, at least 1: parts of very different weight are as good as fewer parts."""
    return max(float(weights.sum()) ** 2 / float(np.square(weights).sum()) - 1, 1.0)


def limits(left: LeftOut, level: float = 0.95) -> tuple[float, float] | None:
    """Give the limits of an error; None if there is too little to go by."""
    if left.variance is None:
        return None
    width = t_quantile((1 + level) / 2, left.freedom) * sqrt(left.variance)
    if width > WIDEST:
        return None
    middle = float(left.scaled(left.error))
    return left.error_at(middle - width), left.error_at(middle + width)


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
