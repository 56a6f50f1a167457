"""What a solver returns: groups of units, what they cost, and what is proven."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unisono.alignment.pairs import TIE
from unisono.arrays import ComparedByContent, FloatArray, IntArray
from unisono.data import AnnotationSet
from unisono.data.annotation_set import Stack
from unisono.dissimilarity.combined import BoundDissimilarity


@dataclass(frozen=True, slots=True, eq=False)
class Solution(ComparedByContent):
    """An alignment as arrays, in units of Δ∅.

    Attributes
    ----------
    table : int64 array, shape (n_unitary_alignments, n_annotators)
        The unit of each annotator, -1 for the empty unit; sorted by position.
    cost : float64 array, shape (n_unitary_alignments,)
        The disorder of each unitary alignment, equation (6).
    bound : float
        No alignment costs less in total.
    """

    table: IntArray
    cost: FloatArray
    bound: float

    @property
    def total(self) -> float:
        """The cost of all unitary alignments together."""
        return float(self.cost.sum())

    @property
    def gap(self) -> float:
        """The share of its cost by which the alignment may be above the best one; 0 when proven best."""
        return relative_gap(self.total, self.bound)


def relative_gap(total: float, bound: float) -> float:
    """Return (total - bound)/total, 0 where they are equal up to rounding."""
    # 1e-11 is far above the rounding of sums of thousands of costs, and far below what anybody would report
    missing = total - bound
    return 0.0 if missing <= 1e-11 * max(1.0, abs(total)) else missing / max(abs(total), missing)


def sorted_by_position(found: Solution, units: AnnotationSet) -> Solution:
    """Sort by position, then by units: the same alignment is the same table, however it was found."""
    first = np.where(found.table >= 0, units.start[found.table], np.inf).min(axis=1, initial=np.inf)
    order = np.lexsort((*found.table.T[::-1], first))
    return Solution(found.table[order], found.cost[order], found.bound)


def solution(
    units: AnnotationSet,
    dissimilarity: BoundDissimilarity,
    bounds: IntArray,
    members: IntArray,
    bound: float | None,
) -> Solution:
    """Make a solution out of groups; `bound` None means proven best.

    Costs are computed anew from the groups' units, so that they do not depend on how the groups were found.
    """
    table = np.full((len(bounds) - 1, units.n_annotators), -1, np.int64)
    table[np.repeat(np.arange(len(table)), np.diff(bounds)), units.annotator[members]] = members
    cost = unitary_costs(units, dissimilarity, table)
    # The bound is one of costs with TIE added where labels differ: at most TIE for each pair of a group and so, divided
    # by C, at most TIE for each group, of which there are no more than units. Less that, it is a bound of real costs.
    total = float(cost.sum())
    return sorted_by_position(
        Solution(table, cost, total if bound is None else min(bound - TIE * units.n_units, total)), units
    )


def unitary_costs(units: AnnotationSet | Stack, dissimilarity: BoundDissimilarity, table: IntArray) -> FloatArray:
    """Return the disorder of each unitary alignment (6): the mean over all pairs, 1 for those with an empty unit."""
    n = units.n_annotators
    pairs = n * (n - 1) / 2
    row, u, v = aligned_pairs(table)
    excess = dissimilarity(units, u, v) - 1.0
    return 1.0 + np.bincount(row, weights=excess, minlength=len(table)) / pairs


def aligned_pairs(table: IntArray) -> tuple[IntArray, IntArray, IntArray]:
    """List the pairs of real units that are aligned: row of the table, unit, unit."""
    rows, first, second = [], [], []
    for a in range(table.shape[1]):
        with_a = np.flatnonzero(table[:, a] >= 0)
        row, later = np.nonzero(table[with_a, a + 1 :] >= 0)
        rows.append(with_a[row])
        first.append(table[with_a[row], a])
        second.append(table[with_a[row], a + 1 + later])
    return np.concatenate(rows), np.concatenate(first), np.concatenate(second)
