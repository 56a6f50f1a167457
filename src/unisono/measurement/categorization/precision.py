"""Analytic standard errors of coefficients for categorization, and what follows from them.

They are those of Gwet (2014, chapters 5 and 6; 2021), as irrCAC reports them, and of Fleiss, Cohen & Everitt (1969), as
vcd, psych and statsmodels do: conditional on the annotators, for items that are independent of each other. All are
linearizations: each item i has a value x_i, whose mean is the coefficient, and s² = Σ_i (x_i - κ)² / (n (n - 1)).

The interval of a result is a jackknife instead, which also holds where items of one document are alike (see
docs/intervals.md); for many independent items, both are the same.

References
----------
.. [1] Gwet, K. L. (2014). Handbook of inter-rater reliability, 4th edition. Advanced Analytics.
.. [2] Gwet, K. L. (2021). Large-sample variance of Fleiss generalized kappa. Educational and Psychological Measurement
       81(4), 781–790.
.. [3] Fleiss, J. L., Cohen, J. & Everitt, B. S. (1969). Large sample standard errors of kappa and weighted kappa.
       Psychological Bulletin 72(5), 323–327.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt
from typing import Any

import numpy as np

from unisono.arrays import FloatArray
from unisono.dissimilarity.difference_sums import Differences, Unlike
from unisono.dissimilarity.registry import DistanceLike
from unisono.measurement.categorization.counts import Contingency, Counts
from unisono.measurement.readers import read_alpha_distance, read_weights
from unisono.results import Estimate
from unisono.statistics.benchmarks import benchmarks
from unisono.statistics.homogeneity import bhapkar, mcnemar, stuart_maxwell
from unisono.statistics.quantiles import LEVEL, student_quantile

_ROUNDING = 1e-12
"""A standard error up to this is rounding."""


def of_agreement(counts: Counts) -> Mapping[str, Any]:
    """Return the standard error of percent agreement: that of a mean over items."""
    return _of_items(counts, Unlike(), Estimate(counts.observed, counts.observed, 0.0), None)


def of_uniform(counts: Counts, weights: DistanceLike, found: Estimate) -> Mapping[str, Any]:
    """Return the standard error of S: what is expected by chance is certain."""
    return _of_items(counts, _bound(counts, weights), found, None)


def of_fleiss(counts: Counts, weights: DistanceLike, found: Estimate) -> Mapping[str, Any]:
    """Return the standard error of Fleiss' κ: label k expects Σ_c π_c (1 - w_ck)."""
    w = _bound(counts, weights)
    return _of_items(counts, w, found, 1 - w.sums(counts.shares))


def of_gwet(counts: Counts, weights: DistanceLike, found: Estimate, total: float) -> Mapping[str, Any]:
    """Return the standard error of AC1 and AC2: label k expects T / (K (K - 1)) (1 - π_k)."""
    return _of_items(counts, _bound(counts, weights), found, total * (1 - counts.shares))


def of_conger(counts: Counts, weights: DistanceLike, found: Estimate) -> Mapping[str, Any]:
    """Return the standard error of multi-κ: every annotator's preferences are estimated from the items they labelled.

    Of annotator g with n_g of n items, item i has p_gk + n/n_g (1 if x_ig = k, else 0, minus p_gk if there is x_ig).
    """
    w = _bound(counts, weights)
    counts = counts.distinct
    labelled = counts.given > 0
    n = float(counts.repeats[labelled].sum())
    shares, there = counts.annotator_shares, (counts.columns >= 0) & (counts.repeats > 0)
    columns = counts.columns[there.any(axis=1)]
    people = len(columns)
    of_all = shares.sum(axis=0)
    chance = np.zeros(columns.shape[1])
    for column, share in zip(columns, shares, strict=True):
        others = (people - 1) - w.sums(of_all - share)
        given = column >= 0
        times = n / float(counts.repeats[given].sum())
        own = float(share @ others)
        chance += own + times * np.where(given, others[column] - own, 0.0)
    return _linearized(counts, w, found, chance / (people * (people - 1)))


def of_alpha(counts: Counts, distance: DistanceLike, value: float | None) -> Mapping[str, Any]:
    """Return the standard error of α; differences that depend on how often labels occur are taken as given.

    With m_i labels on item i, m their mean and D_o, D_e as they are with replacement: item i has d_i = Σ δ / (m (m_i -
    1)) - D_o (m_i - m) / m and e_i = Σ_k r_ik Σ_c π_c δ_ck / m - D_e (m_i - m) / m, and x_i = 1 - d_i / D_e + 2 (1 - α)
    (e_i - D_e) / D_e. As in irrCAC, the D_o in d_i is that without replacement.
    """
    w = counts.scale.weighing(distance, read_alpha_distance).differences.given(counts.marginals)
    counts = counts.distinct
    paired = counts.paired
    repeats, given = counts.repeats[paired], counts.given[paired]
    n = counts.n_paired
    mean = counts.n_pairable / n
    shares = counts.marginals / counts.n_pairable
    each = counts.item_differences(w)[paired] / (mean * (given - 1))
    observed, expected = float(repeats @ each) / n, w.total(shares, shares)
    if value is None or not expected > 0:
        return {}
    more = (given - mean) / mean
    seen = each - observed * (1 - 1 / counts.n_pairable) * more
    chance = (counts.label_means(w.sums(shares)) * counts.given)[paired] / mean - expected * more
    ratio = observed / expected
    x = 1 - seen / expected + 2 * ratio * (chance - expected) / expected
    return _reported(value, float(repeats @ np.square(x - (1 - ratio))), n)


def of_two(counts: Counts, weights: DistanceLike, value: float | None, *, own: bool) -> Mapping[str, Any]:
    """Return the standard error of κ, κ_w and π of two annotators, and the tests of marginal homogeneity.

    Each annotator has their `own` preferences in κ, whose variance is that of Fleiss, Cohen & Everitt (1969): n s² is
    the variance over items of w_ck / D_e - (1 - κ) (Σ_j w_cj p_2j + Σ_j w_jk p_1j) / D_e. In π, the preferences are
    those of both together, and the variance is Gwet's (2014).
    """
    w = _bound(counts, weights)
    table = counts.contingency
    n = table.total
    first, second = (table.first, table.second) if own else ((table.first + table.second) / 2,) * 2
    expected = w.total(first, second)
    if value is None or not expected > 0:
        return marginal_homogeneity(counts)
    seen = w.compare(table.rows, table.columns)
    chance = w.sums(second)[table.rows] + w.sums(first)[table.columns]
    x = (seen - float(table.n @ seen) / n) / expected - (1 - value) * (chance / expected - 2)
    squares = float(table.n @ np.square(x))
    return {**_reported(value, squares * (n - 1) / n if own else squares, n), **marginal_homogeneity(counts)}


def marginal_homogeneity(counts: Counts) -> Mapping[str, Any]:
    """Test whether two annotators use categories equally often; McNemar's test is for two categories."""
    table = counts.contingency
    found = stuart_maxwell(table.rows, table.columns, table.n)
    tests = {"stuart_maxwell": found, "bhapkar": bhapkar(found, table.total)}
    if counts.scale.n_categories() != 2:
        return tests
    return {"mcnemar": mcnemar(_times(table, 0, 1), _times(table, 1, 0)), **tests}


def _times(table: Contingency, row: int, column: int) -> float:
    return float(table.n[(table.rows == row) & (table.columns == column)].sum())


def _bound(counts: Counts, weights: DistanceLike) -> Differences:
    """Bind weights again: what is called later is kept in a result, and differences cannot be pickled."""
    return counts.scale.weighing(weights, read_weights).differences


def _of_items(counts: Counts, w: Differences, found: Estimate, chance: FloatArray | None) -> Mapping[str, Any]:
    """Return the standard error where an item expects the mean of what its labels do; None if chance is certain."""
    counts = counts.distinct
    return _linearized(counts, w, found, None if chance is None else counts.label_means(chance))


def _linearized(counts: Counts, w: Differences, found: Estimate, chance: FloatArray | None) -> Mapping[str, Any]:
    """Return the standard error of (A_o - A_e) / (1 - A_e), where item i has agreement a_i and expects e_i by chance.

    x_i = n/n' (a_i - A_e) / (1 - A_e), 0 for items with a single label, minus 2 (1 - κ) (e_i - A_e) / (1 - A_e); n of
    the items have labels, and n' two or more.
    """
    value, expected = found.value, found.expected
    if value is None or expected is None:
        return {}
    labelled = counts.given > 0
    repeats = counts.repeats[labelled]
    n = float(repeats.sum())
    agreeing = 1 - counts.item_differences(w) / np.maximum(counts.pairs, 1)
    x = np.where(counts.paired, (agreeing - expected) * n / counts.n_paired, 0.0)
    if chance is not None:
        x -= 2 * (1 - value) * (chance - expected)
    return _reported(value, float(repeats @ np.square(x[labelled] / (1 - expected) - value)), n)


def _reported(value: float, squares: float, n: float) -> Mapping[str, Any]:
    """Return the standard error, the interval (Student's t with n - 1 degrees of freedom, up to 1), the benchmarks."""
    if n < 2:
        return {}
    error = sqrt(squares / (n * (n - 1)))
    if error <= _ROUNDING:
        return {"standard_error_analytic": 0.0, "interval_analytic": None, "benchmarks": None}
    half = float(student_quantile((1 + LEVEL) / 2, n - 1)) * error
    return {
        "standard_error_analytic": error,
        "interval_analytic": {"low": value - half, "high": min(value + half, 1.0), "level": LEVEL},
        "benchmarks": benchmarks(value, error),
    }
