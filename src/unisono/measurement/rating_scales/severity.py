"""Who rates higher than the others: annotators' mean deviations, with intervals."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from unisono.arrays import FloatArray, IntArray
from unisono.measurement.rating_scales.scores import Scores
from unisono.statistics.quantiles import LEVEL, student_quantile

MOST_COMPARED_ANNOTATORS = 2_000
"""A system of equations with one unknown per annotator is solved."""


@dataclass(frozen=True)
class Additive:
    """The model x_ij = item i + annotator j + error, fitted by least squares to items with two numbers or more.

    Items are eliminated: with r_i annotators on item i, A = diag(n_j) - Σ_i 1/r_i (the pairs of annotators of i) and
    b_j = Σ_i (x_ij - mean of i), the effects a of annotators solve A a = b. They are determined up to a constant within
    each group of annotators who are connected by shared items; here they add up to 0 within each group.
    """

    scores: Scores

    @cached_property
    def deviations(self) -> FloatArray:
        """x_ij - mean of item i; 0 where there is none."""
        scores = self.scores
        means = np.where(scores.given, scores.values, 0.0).sum(axis=0) / scores.sizes
        return np.where(scores.given, scores.values - means, 0.0)

    @cached_property
    def system(self) -> FloatArray:
        """A, shape (n_annotators, n_annotators)."""
        given = self.scores.given.astype(np.float64)
        weighted = given * self.scores.repeats
        return np.asarray(np.diag(weighted.sum(axis=1)) - (weighted / self.scores.sizes) @ given.T)

    @cached_property
    def group(self) -> IntArray:
        """The group of connected annotators that each annotator is in."""
        from scipy.sparse.csgraph import connected_components

        return np.asarray(connected_components(np.abs(self.system) > _NOTHING)[1], dtype=np.int64)

    @property
    def n_groups(self) -> int:
        """Number of such groups."""
        return int(self.group.max(initial=-1)) + 1

    @cached_property
    def effects(self) -> FloatArray:
        """a, shape (n_annotators,)."""
        return self.solve((self.deviations @ self.scores.repeats)[:, None])[:, 0]

    @cached_property
    def residuals(self) -> FloatArray:
        """x_ij - item i - annotator j; 0 where there is none."""
        given, sizes = self.scores.given, self.scores.sizes
        expected = np.where(given, self.effects[:, None], 0.0)
        return np.where(given, self.deviations - expected + expected.sum(axis=0) / sizes, 0.0)

    def solve(self, right: FloatArray) -> FloatArray:
        """Solve A a = b for each column b: the first annotator of each group is set to 0, then each group centred."""
        from scipy.linalg import cho_factor, cho_solve

        free = np.ones(len(self.group), dtype=np.bool_)
        free[np.unique(self.group, return_index=True)[1]] = False
        found = np.zeros_like(right)
        if free.any():
            found[free] = cho_solve(cho_factor(self.system[np.ix_(free, free)]), right[free])
        return self._centred(found)

    def _centred(self, values: FloatArray) -> FloatArray:
        size = np.bincount(self.group)
        sums = np.zeros((len(size), values.shape[1]))
        np.add.at(sums, self.group, values)
        return np.asarray(values - (sums / size[:, None])[self.group])


@dataclass(frozen=True)
class Severity:
    """How much higher each annotator rates than the others; NaN where that is unknown."""

    value: FloatArray  # shape (n_annotators,)
    half_width: FloatArray  # shape (n_annotators,): half the length of the 95% interval


def severity(scores: Scores) -> Severity:
    """Return how much higher each annotator rates than the others would rate the same items.

    With effects a_j of the additive model and m annotators connected by shared items, it is a_j minus the mean of the
    others' effects, m/(m - 1) a_j. If all rated everything, that is the mean of x_ij minus the mean of the others; if
    not, it does not depend on who the others of an item happen to be. The interval is that of the t distribution, with
    a variance that allows items, and annotators, to be of different difficulty (a sandwich over items); for complete
    data it is the interval of a paired t-test against the mean of the others.
    """
    there = scores.given.any(axis=1)
    value, half_width = (np.full(scores.n_annotators, np.nan) for _ in range(2))
    if there.sum() < 2:
        return Severity(value, half_width)
    model = Additive(Scores(scores.values[there], scores.repeats))
    size = np.bincount(model.group)[model.group]
    others = size / (size - 1)
    value[there] = others * model.effects
    half_width[there] = others * _half_widths(model)
    return Severity(value, half_width)


def _half_widths(model: Additive) -> FloatArray:
    scores = model.scores
    n = (scores.given * scores.repeats).sum(axis=1)
    pulls = np.square(model.solve(model.residuals)) @ scores.repeats
    enough = n >= 2
    variance = pulls[enough] * n[enough] / (n[enough] - 1)
    found = np.full(len(n), np.nan)
    found[enough] = student_quantile((1 + LEVEL) / 2, n[enough] - 1) * np.sqrt(variance)
    return found


_NOTHING = 1e-12
