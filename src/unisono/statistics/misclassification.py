"""Shares of categories as a model finds them, corrected for how it mistakes categories for each other.

With A_ij how often the model says i where people say j, and q_i how often it says i, what people would say is
p = A⁻¹ q; for two categories, this is the estimate of Rogan & Gladen [1]_, (q - (1 - specificity)) / (sensitivity +
specificity - 1). A is known from the items that people labelled, too. Unlike prediction-powered inference, it stays
unbiased if people label some categories more often than others on purpose; but where the model is weak, it needs many
more items.

By Cramer's rule, p_k = D_k / D, where D = det A, and D_k has q in place of the column k. Its limits are those of a
ratio [2]_: all p for which (D_k - p D)² ≤ t² Var(D_k - p D). If the data cannot rule out that D = 0, that may be all
of 0 to 1.

References
----------
.. [1] Rogan, W. J. & Gladen, B. (1978). Estimating prevalence from the results of a screening test. American Journal of
       Epidemiology 107(1), 71–76.
.. [2] Fieller, E. C. (1954). Some problems in interval estimation. Journal of the Royal Statistical Society B 16(2),
       175–185.
"""

from __future__ import annotations

from dataclasses import replace
from math import sqrt

import numpy as np

from unisono.arrays import FloatArray
from unisono.statistics.quantiles import LEVEL, student_quantile
from unisono.statistics.shares import DoubleSample, EstimatedShare

_SINGULAR = 1e-9
_UNSEEN = 2.0
"""So many items are added to A for the limits, spread over its cells: a few items without a mistake prove little."""


def corrected_shares(sample: DoubleSample) -> list[EstimatedShare | None] | str:
    """Return the share of each category, or a clause that explains why there is none.

    Each item has one label by the model. A category that people never gave has no share.
    """
    given = sample.people[sample.by_people].sum(axis=0) > 0
    known = replace(sample, people=sample.people[:, given], model=sample.model[:, given])
    people, model = known.people[known.by_people], known.model[known.by_people]
    q = known.model.mean(axis=0)
    confusion = (model.T @ people) / people.sum(axis=0)
    if abs(float(np.linalg.det(confusion))) < _SINGULAR:
        return "what the model says does not distinguish all categories that people distinguish"
    value = np.clip(np.linalg.solve(confusion, q), 0.0, 1.0).tolist()
    found = (
        EstimatedShare(one, min(low, one), max(high, one))
        for one, (low, high) in zip(value, _limits(known, q), strict=True)
    )
    return [next(found) if there else None for there in given.tolist()]


def _limits(sample: DoubleSample, q: FloatArray) -> list[tuple[float, float]]:
    by_people = sample.by_people
    people, model = sample.people[by_people], sample.model[by_people]
    size = len(q)
    added = np.full((size, size), _UNSEEN / size**2)
    together = model.T @ people + added
    each = together.sum(axis=0)
    confusion = together / each
    # how much an item that the model calls i and people j changes q, and the columns of A
    change_q = (sample.model - q) / len(sample.model)
    t = float(student_quantile((1 + LEVEL) / 2, sample.freedom))
    determinant = float(np.linalg.det(confusion))
    of_bottom = _cofactors(confusion)
    found = []
    for k in range(size):
        ours = confusion.copy()
        ours[:, k] = q
        cofactors = of_bottom, _cofactors(ours)
        influence = np.zeros((len(sample.part), 2))
        influence[by_people, 0] = _through_columns(cofactors[0], people, model, confusion, each)
        influence[by_people, 1] = _through_columns(cofactors[1], people, model, confusion, each, without=k)
        influence[:, 1] += change_q @ cofactors[1][:, k]
        unseen = _of_added(added, cofactors, confusion, each, k)
        spread = _products(sample, influence) + unseen
        found.append(_ratio_limits(float(np.linalg.det(ours)), determinant, spread, t))
    return found


def _cofactors(matrix: FloatArray) -> FloatArray:
    """Return the derivative of a determinant by each cell, for singular matrices, too."""
    u, s, v = np.linalg.svd(matrix)
    others = np.array([np.prod(np.delete(s, k)) for k in range(len(s))])
    sign = np.linalg.det(u) * np.linalg.det(v)
    return np.asarray(sign * (u * others) @ v)


def _through_columns(
    cofactors: FloatArray,
    people: FloatArray,
    model: FloatArray,
    confusion: FloatArray,
    each: FloatArray,
    without: int | None = None,
) -> FloatArray:
    """Return how much each item changes a determinant by changing the columns of A, perhaps without one of them."""
    weight = cofactors / each
    if without is not None:
        weight[:, without] = 0.0
    middle = (weight * confusion).sum(axis=0)
    return np.asarray(((model @ weight - middle) * people).sum(axis=1))


def _of_added(
    added: FloatArray, cofactors: tuple[FloatArray, FloatArray], confusion: FloatArray, each: FloatArray, k: int
) -> FloatArray:
    """Return the variances and the covariance that the added items would have."""
    size = len(each)
    i, j = (index.ravel() for index in np.indices((size, size)))
    model, people = np.eye(size)[i], np.eye(size)[j]
    first = _through_columns(cofactors[0], people, model, confusion, each)
    second = _through_columns(cofactors[1], people, model, confusion, each, without=k)
    weight = added.ravel()
    return np.array([weight @ first**2, weight @ second**2, weight @ (first * second)])


def _products(sample: DoubleSample, influence: FloatArray) -> FloatArray:
    """Return the variances of both determinants, and their covariance."""
    both = sample.variance(np.column_stack([influence, influence.sum(axis=1)]))
    return np.array([both[0], both[1], (both[2] - both[0] - both[1]) / 2])


def _ratio_limits(top: float, bottom: float, spread: FloatArray, t: float) -> tuple[float, float]:
    """Return the limits of a ratio within 0 and 1 (Fieller)."""
    var_bottom, var_top, both = spread.tolist()
    a = bottom**2 - t * t * var_bottom
    b = top * bottom - t * t * both
    c = top**2 - t * t * var_top
    root = b * b - a * c
    if a <= 0:
        # not even the sign of the denominator is known: the limits are outside of two values, or there are none
        if root <= 0:
            return 0.0, 1.0
        ends = sorted(((b - sqrt(root)) / a, (b + sqrt(root)) / a))
        inside = [end for end in ends if 0 < end < 1]
        if ends[0] >= 1 or ends[1] <= 0 or len(inside) != 1:
            return 0.0, 1.0
        return (inside[0], 1.0) if inside[0] == ends[1] else (0.0, inside[0])
    half = sqrt(max(root, 0.0))
    return min(max((b - half) / a, 0.0), 1.0), min(max((b + half) / a, 0.0), 1.0)
