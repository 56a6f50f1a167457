"""Shares of categories in a sample of items, with limits.

The limits are those of Wilson's score interval [1]_ for n* = p (1 - p) / v items, of which a simple random sample would
have the variance v that the estimate has: on samples of a hundred items, p ± t √v covers rare categories too seldom.

References
----------
.. [1] Wilson, E. B. (1927). Probable inference, the law of succession, and statistical inference. Journal of the
       American Statistical Association 22, 209–212.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from unisono.arrays import BoolArray, FloatArray, IntArray
from unisono.statistics.jackknife import UNSEEN, effective_freedom
from unisono.statistics.quantiles import LEVEL, student_quantile


@dataclass(frozen=True)
class EstimatedShare:
    """An estimated share.

    Attributes
    ----------
    value : float
        The estimate, within 0 and 1.
    low, high : float
        Its limits.
    """

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class DoubleSample:
    """Items that a model labelled, of which people labelled some, too.

    Attributes
    ----------
    people : float64 array, shape (n_items, n_categories)
        Which share of the people who labelled an item gave each category; NaN where nobody labelled it.
    model : float64 array, shape (n_items, n_categories)
        1 where the model gave the category, else 0.
    part : int64 array, shape (n_items,)
        Items of one part may be alike, such as those of one document; parts are independent of each other.
    """

    people: FloatArray
    model: FloatArray
    part: IntArray

    @cached_property
    def by_people(self) -> BoolArray:
        """Which items people labelled."""
        return np.asarray(~np.isnan(self.people[:, 0]))

    @property
    def n_people(self) -> int:
        """How many items people labelled."""
        return int(self.by_people.sum())

    @property
    def n_model(self) -> int:
        """How many items only the model labelled."""
        return len(self.part) - self.n_people

    @cached_property
    def parts_of_people(self) -> IntArray:
        """How many items people labelled, in each part in which they labelled any."""
        counts = np.bincount(self.part[self.by_people])
        return counts[counts > 0]

    @property
    def freedom(self) -> float:
        """Degrees of freedom of a variance between parts."""
        return effective_freedom(self.parts_of_people.astype(np.float64))

    def variance(self, influence: FloatArray) -> FloatArray:
        """Return the variance of estimates from the influence of each item on them; shape (n_items, …)."""
        n = len(self.parts_of_people)
        return np.asarray(np.square(self._of_parts(influence)).sum(axis=0) * n / max(n - 1, 1))

    def unseen_variance(self, influence: FloatArray) -> FloatArray:
        """Return some of the variance of one more part like those that matter most; 0 if parts are single items.

        If few documents have a rare category, how much documents vary is known badly. docs/simulations.md shows what
        this does.
        """
        squares = np.square(self._of_parts(influence))
        total = squares.sum(axis=0)
        if len(squares) == len(self.part):
            return np.zeros_like(total)
        each = np.square(squares).sum(axis=0) / np.maximum(np.square(total), 1e-300)
        return np.asarray(UNSEEN * each * self.variance(influence))

    def _of_parts(self, influence: FloatArray) -> FloatArray:
        """Return the influence of each part, the sum over its items."""
        n_parts = int(self.part.max()) + 1
        if n_parts >= len(self.part):
            return influence
        sums = np.zeros((n_parts, *influence.shape[1:]))
        np.add.at(sums, self.part, influence)
        return sums


def share_limits(value: FloatArray, variance: FloatArray, n: int, freedom: float) -> tuple[FloatArray, FloatArray]:
    """Return the limits of estimates within 0 and 1 with these variances; `n` is the number of items."""
    inner = np.clip(value, 0.5 / n, 1 - 0.5 / n)
    equivalent = inner * (1 - inner) / np.maximum(variance, 1e-300)
    t = float(student_quantile((1 + LEVEL) / 2, freedom))
    shrink = 1 + t * t / equivalent
    middle = (value + t * t / (2 * equivalent)) / shrink
    half = t / shrink * np.sqrt(value * (1 - value) / equivalent + np.square(t / (2 * equivalent)))
    return np.maximum(middle - half, 0.0), np.minimum(middle + half, 1.0)


def shares_of(value: FloatArray, variance: FloatArray, n: int, freedom: float) -> list[EstimatedShare]:
    """Return estimates with their limits; those beyond 0 and 1, which an unbiased estimate can be, are 0 and 1."""
    within = np.clip(value, 0.0, 1.0)
    low, high = share_limits(within, variance, n, freedom)
    return [EstimatedShare(*one) for one in zip(within.tolist(), low.tolist(), high.tolist(), strict=True)]


def plain_shares(given: FloatArray, part: IntArray) -> list[EstimatedShare]:
    """Return the shares in a sample of items that are all labelled; `given` is who gave what, as in `DoubleSample`."""
    sample = DoubleSample(given, given, part)
    value, n = given.mean(axis=0), len(given)
    influence = (given - value) / n
    variance = sample.variance(influence) + sample.unseen_variance(influence)
    # as if one item more had been half of the category: where nobody gave it, nothing else says how rare it is
    unseen = (np.square(1 - value) + np.square(value)) / 2 / n**2
    return shares_of(value, variance + unseen, n, sample.freedom)
