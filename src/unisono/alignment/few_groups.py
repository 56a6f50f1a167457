"""Annotators with one unit each: how many groups there are decides, and few are possible.

Any units may then be in a group, so groups are large, and there are too many to generate. But every group costs 1, in
units of Δ∅, and a pair that is grouped saves 1/C at most; so with K groups the cost is K - Σ_pairs 1/C at least, which
is as much as that of a known grouping for all but the smallest K. For these, let M(u, v) = (d - 1)/C, W the sum over
all pairs, and X(u, v) = 1 if u and v are in one group, else 0. The cost is K + Σ_{u<v} M X, and Y = (K X - J)/(K - 1),
where J is 1 everywhere, is positive semidefinite with 1 on the diagonal (Frieze & Jerrum 1997). If M - diag(y) is
positive semidefinite too, then <M, Y> ≥ Σ y, and the cost is K + W/K + (K - 1)/(2K) Σ y at least. The best y are near
what pulls the directions of units apart (`turned_apart`); all are lowered by the same until Cholesky's decomposition
shows that the matrix is semidefinite, so the bound is proven whatever these directions are.

References
----------
.. [1] Frieze, A. & Jerrum, M. (1997). Improved approximation algorithms for max k-cut and max bisection. Algorithmica
       18(1), 67–81.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from unisono.alignment.pairs import Pairs, most_dissimilar
from unisono.alignment.partition import Partition, UnitGroups
from unisono.arrays import FloatArray, IntArray
from unisono.kernels.few_groups import few_large_groups, is_definite, random_directions, turned_apart

# Chosen by trial, with 100 and 300 random units; they decide how near the bound is, not whether it is one.
_MOST_UNITS = 1_000
"""With more, the matrices take long."""
_MOST_GROUPS = 4
"""Better bounds are looked for where no more groups are possible; generating groups does well with more."""
_DIMENSIONS = 12
_SWEEPS, _SWEEPS_AGAIN = 60, 10
_TRIES = 30
_ROUNDS = 200
_FIRST_CAP, _LOWERING, _CALMER = 8.0, 1.0, 40
"""In terms of (K/n)², one divided by the number of pairs between two groups."""
_APART = 8.0
"""M of units that must not meet: far more than a group costs."""
_LEAST_SHIFT, _STEP = 1e-5, 2.0
"""By how much all y are lowered at first, and by which factor more each time."""
_ROUNDING = 1e-10
"""Far more than the rounding errors of Cholesky's decomposition."""


def few_groups(pairs: Pairs, annotator: IntArray, n_annotators: int, tolerance: float = 0.0) -> Partition | None:
    """Group units of annotators who have one each, with a bound; None if somebody has several, or if they are too many.

    Parameters
    ----------
    pairs : Pairs
        The pairs that can meet in a group.
    annotator : int64 array, shape (n_units,)
        Who made each unit; units are sorted by it.
    n_annotators : int
        All annotators, those without units included.
    tolerance : float
        The relative gap that is good enough.
    """
    n = len(annotator)
    if not 2 <= n <= _MOST_UNITS or (np.diff(annotator) == 0).any():
        return None
    n_pairs = n_annotators * (n_annotators - 1) / 2
    matrix = _matrix(pairs, n, n_pairs, _APART)
    # no pair that is not listed is nearer than that, so the bounds hold
    nearest = _matrix(pairs, n, n_pairs, (most_dissimilar(n_annotators) - 1.0) / n_pairs)
    bounds = bounds_by_number(nearest)
    group, cost = np.zeros(n, np.int64), 1.0 + float(matrix.sum()) / 2
    for n_groups in range(2, n + 1):
        if bounds[n_groups - 1] < cost:
            found = few_large_groups(matrix.ravel(), n, n_groups, _TRIES)
            of_found = len(np.unique(found)) + float(matrix[found[:, None] == found].sum()) / 2
            if of_found < cost:
                group, cost = found, of_found
    wanted = (1.0 - tolerance) * cost
    possible = 1 + np.flatnonzero(bounds < wanted)
    if len(possible) and possible[0] > 2 and possible[-1] <= _MOST_GROUPS:
        for n_groups in possible.tolist():
            better = bound_apart(nearest, n_groups, wanted)
            bounds[n_groups - 1] = max(bounds[n_groups - 1], better)
    bound = float(bounds.min())
    return Partition(_groups(group, matrix), None if bound >= cost else bound)


def bounds_by_number(matrix: FloatArray) -> FloatArray:
    """Return what no grouping into 1, 2, … n groups costs less than, given M."""
    n = len(matrix)
    n_groups = np.arange(1, n + 1)
    saved = np.minimum(matrix, 0.0).sum() / 2
    product = _least_product(matrix, random_directions(n, min(_DIMENSIONS, n)), _SWEEPS)
    return np.asarray(n_groups + np.maximum(saved, _with_product(matrix, n_groups, product)), dtype=np.float64)


def bound_apart(matrix: FloatArray, n_groups: int, wanted: float) -> float:
    """Return a better bound for so many groups, three or more; stop at what is wanted.

    There, <u, v> of two units must not be below -1/(K - 1): X is not negative. So M(u, v) may be lowered where X would
    be, by what keeps it at 0.
    """
    n = len(matrix)
    direction, scale = random_directions(n, min(_DIMENSIONS, n)), (n_groups / n) ** 2
    lowered, best = np.maximum(0.0, matrix - _FIRST_CAP * scale), -np.inf
    for turn in range(_ROUNDS):
        product = _least_product(matrix - lowered, direction, _SWEEPS_AGAIN if turn else _SWEEPS)
        best = max(best, n_groups + float(_with_product(matrix - lowered, n_groups, product)))
        if best >= wanted:
            break
        each = direction.reshape(n, -1)
        together = (1.0 + (n_groups - 1) * np.einsum("ia,ja->ij", each, each)) / n_groups
        lowered = np.maximum(0.0, lowered - _LOWERING / (1 + turn / _CALMER) * scale * together)
        np.fill_diagonal(lowered, 0.0)
    return best


def _with_product(matrix: FloatArray, n_groups: Any, product: float) -> Any:
    """Return what Σ_{u<v} M X is at least, if <M, Y> is at least the product."""
    return matrix.sum() / 2 / n_groups + (n_groups - 1) / (2 * n_groups) * product


def _matrix(pairs: Pairs, n: int, n_pairs: float, apart: float) -> FloatArray:
    """Return M, with a value for pairs that cannot meet."""
    made = np.full((n, n), apart)
    made[pairs.unit, pairs.other] = made[pairs.other, pairs.unit] = (pairs.dissimilarity - 1.0) / n_pairs
    np.fill_diagonal(made, 0.0)
    return made


def _least_product(matrix: FloatArray, direction: FloatArray, n_sweeps: int) -> float:
    """Return what <M, Y> is at least, for all positive semidefinite Y with 1 on the diagonal; change the directions."""
    n, entries = len(matrix), matrix.ravel()
    pull = turned_apart(entries, direction, n, n_sweeps)
    shift = _LEAST_SHIFT * float(pull.max())
    while not is_definite(entries, pull + shift, n):
        shift *= _STEP
        if shift == 0.0:  # nothing pulls
            return 0.0
    return -float(pull.sum()) - n * (shift + _ROUNDING)


def _groups(group: IntArray, matrix: FloatArray) -> UnitGroups:
    """Return groups with their costs."""
    _, group = np.unique(group, return_inverse=True)
    order = np.argsort(group, kind="stable")
    sizes = np.bincount(group)
    within = np.bincount(group, np.where(group[:, None] == group, matrix, 0.0).sum(axis=1)) / 2
    bounds = np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)])
    return UnitGroups(bounds, order, np.asarray(1.0 + within, dtype=np.float64))
