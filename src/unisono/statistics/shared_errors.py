"""Errors that models share, beyond what people explain, and how many independent annotators models are worth.

Let r_ab be the agreement of a and b, corrected for chance, and think of it as a correlation: people j measure something
with r_jt, a model f with r_ft, and r_ab = r_at r_bt if errors are independent. Then

    r_ft r_gt = Σ r_fj r_gk / Σ r_jk    over people j ≠ k,

whatever the r_jt, which is Spearman's (1904) correction for attenuation; no person is taken for the truth. Agreement of
two models beyond that comes from errors in common: e_fg = r_fg - r_ft r_gt, with e_ff = 1 - r_ft². The error
correlation is e_fg/√(e_ff e_gg), a partial correlation. It holds for labels if whoever does not see the right one draws
any; for other data it is an approximation (docs/models.md). With one person, that person is the truth: r_ft r_gt =
r_fj r_gj.

M models whose errors have the mean correlation ρ are worth M/(1 + (M - 1) ρ) independent ones (Kish 1965).

Limits are those of a jackknife on Fisher's z. Where errors are few, it may not have seen any that are shared: so much
variance is added as two items more with an error in common would make.
"""

from __future__ import annotations

from math import sqrt, tanh

import numpy as np

from unisono.arrays import FloatArray
from unisono.statistics.jackknife import effective_freedom
from unisono.statistics.quantiles import LEVEL, student_quantile

FEWEST_ERRORS = 10.0
"""With fewer, in items, an error correlation is a matter of chance."""
_UNSEEN = 2.0


def error_products(models: FloatArray, with_people: FloatArray, people: FloatArray, weights: FloatArray) -> FloatArray:
    """Return e_fg of every two models, shape (n_models, n_models, …); NaN where it is unknown.

    Parameters
    ----------
    models : float64 array, shape (n_models, n_models, …)
        Agreement of models; what they agree with themselves is not looked at.
    with_people : float64 array, shape (n_models, n_people, …)
        Agreement of models with people.
    people : float64 array, shape (n_people, n_people, …)
        Agreement among people, NaN on the diagonal and where it is unknown.
    weights : float64 array, shape (n_people, n_people)
        How much pairs of people count.
    """
    if people.shape[0] == 1:
        through = with_people[:, None, 0] * with_people[None, :, 0]
    else:
        counts = np.where(np.isnan(people), 0.0, weights.reshape(*weights.shape, *(1,) * (people.ndim - 2)))
        there = np.nan_to_num(with_people)
        both = np.isfinite(with_people).astype(np.float64)
        within = np.nan_to_num(people) * counts
        products = np.einsum("fj...,gk...,jk...->fg...", there, there, counts)
        among = np.einsum("fj...,gk...,jk...->fg...", both, both, within)
        with np.errstate(divide="ignore", invalid="ignore"):
            through = np.where(among > 0, products / among, np.nan)
    own = models.copy()
    own[np.arange(len(own)), np.arange(len(own))] = 1.0
    return np.asarray(own - through)


def error_correlations(products: FloatArray) -> FloatArray:
    """Return the error correlation of every two models; NaN where a model has no errors."""
    own = np.einsum("ff...->f...", products)
    with np.errstate(divide="ignore", invalid="ignore"):
        found = products / np.sqrt(own[:, None] * own[None, :])
    return np.asarray(np.where((own[:, None] > 0) & (own[None, :] > 0), found, np.nan))


def mean_correlation(products: FloatArray) -> FloatArray:
    """Return the mean of e_fg over pairs of models, as a share of the mean of e_ff."""
    n = len(products)
    own = np.einsum("ff...->...", products)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray((products.sum(axis=(0, 1)) - own) / (n - 1) / np.where(own > 0, own, np.nan))


def correlation_limits(
    found: FloatArray, sizes: FloatArray, n_errors: float, level: float = LEVEL
) -> tuple[float, float] | None:
    """Return the limits of an error correlation; None if errors are too few, or if it is unknown without some part.

    `found` is the correlation of all data, then without each part, which count `sizes`; `n_errors` is how many items
    have an error.
    """
    if not np.isfinite(found).all() or n_errors < FEWEST_ERRORS or len(sizes) < 3:
        return None
    on_scale = bool((np.abs(found) < 1).all())
    scaled = np.arctanh(found) if on_scale else found
    n = len(sizes)
    without, middle = scaled[1:], float(scaled[0])
    slope = 1 / (1 - float(found[0]) ** 2) if on_scale else 1.0
    variance = (n - 1) / n * float(np.square(without - without.mean()).sum()) + _UNSEEN * (slope / n_errors) ** 2
    half = float(student_quantile((1 + level) / 2, effective_freedom(sizes))) * sqrt(variance)
    low, high = (tanh(middle - half), tanh(middle + half)) if on_scale else (middle - half, middle + half)
    return max(low, -1.0), min(high, 1.0)


def worth(n_models: int, correlation: float) -> float:
    """Return how many independent annotators models are worth whose errors have this mean correlation."""
    return n_models / (1 + (n_models - 1) * max(correlation, 0.0))
