"""Whether the order of items carries meaning, and items put into groups where it does not.

Items of a running text are in an order: neighbours are often alike, which blocks of neighbours show. Rows that were
sorted by their labels, or written out from a table of counts, are in an order, too, but it says nothing about others.
"""

from __future__ import annotations

from math import log, sqrt
from typing import TYPE_CHECKING

import numpy as np

from unisono.arrays import FloatArray, IntArray

if TYPE_CHECKING:  # formulas over counts make results, and these ask for intervals
    from unisono.measurement.categorization.counts import Counts

_UNLIKELY = log(1e-3)
"""An order is taken for sorted if a random order would be so with this probability at most."""
_DEPENDENT = -3.0
"""Within rows sorted by one annotator's labels, neighbours are alike if there are so many standard deviations fewer
runs of identical rows than in a random order: then it is a text in sections rather than a sorted table."""


def is_sorted(counts: Counts, document: IntArray) -> bool:
    """Whether rows stand in an order that comes from their labels.

    Either all identical rows stand together, as in a table of counts that was written out, while some annotator's
    labels come back again and again; or one annotator's labels are sorted, or all equal ones stand together, and within
    them rows are in no order. Both must be very unlikely in a random order.
    """
    labelled = np.flatnonzero(counts.given > 0)
    order = labelled[np.argsort(document[labelled], kind="stable")]
    columns, document = counts.columns[:, order], document[order]
    if not len(order):
        return False
    row = counts.pattern[order]
    if _together(row, document) and any(_n_runs(column, document) > _n_kinds(column, document) for column in columns):
        return True
    sorted_by = (column for column in columns if _together(column, document) or _ascending(column, document))
    return any(not _alike_within(row, column, document) for column in sorted_by)


def mixed(counts: Counts, n_groups: int) -> IntArray:
    """Put items into groups of about the same size, whatever their order: the number of each item's group.

    Which items are together depends on their labels only; annotators and labels are taken in the order of how often
    they occur, so that their names and their order play no part unless that is the same.
    """
    often = np.argsort(np.argsort(-counts.frequencies, kind="stable"), kind="stable")
    use = np.stack([np.bincount(own + 1, weights=counts.repeats, minlength=len(often) + 1) for own in counts.columns])
    people = np.lexsort(use[:, np.append(0, 1 + np.argsort(often))].T[::-1])
    each = counts.distinct.columns[people]
    codes = np.where(each >= 0, np.append(often, 0)[each], -1)
    rank = np.argsort(np.lexsort(codes[::-1]))
    row = rank[counts.pattern]
    order = np.argsort(row, kind="stable")[np.random.default_rng(0).permutation(len(row))]
    group = np.empty(len(row), dtype=np.int64)
    group[order] = np.arange(len(row)) * n_groups // max(len(row), 1)
    return group


def _together(column: IntArray, document: IntArray) -> bool:
    """Whether equal ones stand together in each document, which is unlikely by chance: Π_d K_d! Π_k n_dk! / n_d!."""
    if _n_runs(column, document) > _n_kinds(column, document):
        return False
    chance = 0.0
    for number in np.unique(document):
        sizes = _sizes(column[document == number])
        chance += _log_factorials(np.append(sizes, len(sizes))) - _log_factorials(sizes.sum())
    return chance <= _UNLIKELY


def _ascending(column: IntArray, document: IntArray) -> bool:
    """Whether labels rise or fall throughout each document, which is unlikely by chance: 2 Π_d Π_k n_dk! / n_d!."""
    steps = np.diff(column)[np.diff(document) == 0]
    if (steps < 0).any() and (steps > 0).any():
        return False
    chance = log(2)
    for number in np.unique(document):
        sizes = _sizes(column[document == number])
        chance += _log_factorials(sizes) - _log_factorials(sizes.sum())
    return chance <= _UNLIKELY


def _alike_within(row: IntArray, column: IntArray, document: IntArray) -> bool:
    """Whether identical rows stand together more often than by chance, within each label of one annotator.

    With n rows of which n_p are of kind p, a random order has 1 + n - Σ n_p²/n runs on average (Barton & David 1957).
    """
    part = np.unique(np.stack([document, column]), axis=1, return_inverse=True)[1].reshape(-1)
    found = expected = variance = 0.0
    for number in np.unique(part):
        own = row[part == number]
        sizes = _sizes(own).astype(np.float64)
        n, squares, cubes = float(len(own)), float((sizes**2).sum()), float((sizes**3).sum())
        found += 1 + np.count_nonzero(np.diff(own))
        expected += 1 + n - squares / n
        if n > 1:
            variance += (squares * (squares + n * (n + 1)) - 2 * n * cubes - n**3) / (n * n * (n - 1))
    return found - expected < _DEPENDENT * sqrt(max(variance, 0.0))


def _n_runs(column: IntArray, document: IntArray) -> int:
    return 1 + int(np.count_nonzero((np.diff(column) != 0) | (np.diff(document) != 0)))


def _n_kinds(column: IntArray, document: IntArray) -> int:
    return len(np.unique(document * (int(column.max()) + 2) + column))


def _sizes(column: IntArray) -> IntArray:
    return np.asarray(np.unique(column, return_counts=True)[1])


def _log_factorials(n: IntArray | FloatArray) -> float:
    """Return Σ log n!."""
    from scipy.special import gammaln

    return float(gammaln(np.asarray(n) + 1.0).sum())
