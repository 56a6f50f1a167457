"""The best alignments of many small annotation sets, found together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unisono.alignment.pairs import Pairs, most_dissimilar, near_enough
from unisono.alignment.solution import unitary_costs
from unisono.alignment.solve import MOST_GROUPS, MOST_SPLITS, best_alignment
from unisono.arrays import FloatArray, IntArray
from unisono.data.annotation_set import Stack
from unisono.dissimilarity.combined import BoundDissimilarity
from unisono.kernels.blocks import align_sets, near_in_sets

_MOST_UNITS = 400
_MOST_ANNOTATORS = 6
"""Larger sets are aligned one by one: there, what a call costs is little compared to the work."""


@dataclass(frozen=True, slots=True)
class StackSolution:
    """Alignments as arrays, in units of Δ∅.

    Attributes
    ----------
    table : int64 array, shape (n_unitary_alignments, n_annotators)
        The unit of each annotator, -1 for the empty unit; those of the first set come first.
    cost : float64 array, shape (n_unitary_alignments,)
        The disorder of each unitary alignment.
    set_of : int64 array, shape (n_unitary_alignments,)
        The set of each.
    gap : float64 array, shape (n_sets,)
        The share of its cost by which each alignment may be above the best one; 0 when proven best.
    """

    table: IntArray
    cost: FloatArray
    set_of: IntArray
    gap: FloatArray

    @property
    def totals(self) -> FloatArray:
        """The cost of the alignment of each set."""
        return np.bincount(self.set_of, weights=self.cost, minlength=len(self.gap)).astype(np.float64)


def aligned_together(n_units: int, n_annotators: int, dissimilarity: BoundDissimilarity) -> bool:
    """Whether sets of about this size are aligned faster together with others."""
    return n_units <= _MOST_UNITS and _listed(n_annotators, dissimilarity) is not None


def _listed(n_annotators: int, dissimilarity: BoundDissimilarity) -> float | None:
    """Return how near units must be to meet in a group; None if there are too many groups to list."""
    return dissimilarity.reach(most_dissimilar(n_annotators)) if n_annotators <= _MOST_ANNOTATORS else None


def best_alignments(
    units: Stack, dissimilarity: BoundDissimilarity, *, time_limit: float | None = None, tolerance: float = 0.0
) -> StackSolution:
    """Find the alignment with the least disorder of each set.

    Parameters
    ----------
    units : Stack
        The sets.
    dissimilarity : BoundDissimilarity
        d(u, v).
    time_limit, tolerance : float
        See `best_alignment`, for sets that are aligned on their own because they are large or hard.
    """
    n, annotator = units.n_annotators, units.annotator
    group, solved, gap = np.arange(units.n_units), np.zeros(units.n_sets, np.int64), np.zeros(units.n_sets)
    reach = _listed(n, dissimilarity)
    if reach is not None:
        pairs = _candidate_pairs(units, dissimilarity, reach)
        group, solved = align_sets(
            units.begin,
            units.start,
            annotator,
            pairs.starts,
            pairs.other,
            pairs.dissimilarity,
            n,
            MOST_GROUPS,
            MOST_SPLITS,
        )
    for number in np.flatnonzero(solved == 0):  # those that are too hard for the kernel
        found = best_alignment(units.one(number), dissimilarity, time_limit=time_limit, tolerance=tolerance)
        members = found.table + units.begin[number * n]
        for row, real in zip(members, found.table >= 0, strict=True):
            group[row[real]] = row[real][0]
        gap[number] = found.gap
    named = group == np.arange(units.n_units)  # a group is named by one of its units
    row = np.cumsum(named) - 1
    table = np.full((int(named.sum()), n), -1, np.int64)
    table[row[group], annotator] = np.arange(units.n_units)
    set_of = np.repeat(np.arange(units.n_sets), units.sizes)[named]
    return StackSolution(table, unitary_costs(units, dissimilarity, table), set_of, gap)


def _candidate_pairs(units: Stack, dissimilarity: BoundDissimilarity, reach: float) -> Pairs:
    """List the pairs of units that can meet in a best alignment."""
    starts, other = near_in_sets(units.begin, units.start, units.end, units.n_annotators, reach)
    unit = np.repeat(np.arange(units.n_units), np.diff(starts))
    return near_enough(units, dissimilarity, starts, unit, other)
