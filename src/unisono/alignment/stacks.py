"""The best alignments of many small annotation sets, found together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unisono.alignment.pairs import TIE, Pairs, most_dissimilar, near_enough
from unisono.alignment.partition import SCALINGS
from unisono.alignment.solution import relative_gap, unitary_costs
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
    total, bound : float64 array, shape (n_sets,)
        The cost of the alignment of each set; no alignment costs less than the bound.
    """

    table: IntArray
    cost: FloatArray
    set_of: IntArray
    total: FloatArray
    bound: FloatArray

    @property
    def gap(self) -> FloatArray:
        """The share of its cost by which each alignment may be above the best one; 0 when proven best."""
        gap = np.zeros(len(self.total))
        for number in np.flatnonzero(self.bound < self.total):
            gap[number] = relative_gap(float(self.total[number]), float(self.bound[number]))
        return gap


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
    group, excess = np.arange(units.n_units), np.full(units.n_sets, np.inf)
    reach = _listed(n, dissimilarity)
    if reach is not None and (units.n_sets > 1 or units.n_units <= _MOST_UNITS):
        pairs = _candidate_pairs(units, dissimilarity, reach)
        group, excess = align_sets(
            units.begin,
            units.start,
            annotator,
            pairs.starts,
            pairs.other,
            pairs.dissimilarity,
            n,
            MOST_GROUPS,
            MOST_SPLITS,
            np.array([temperature for temperatures, _ in SCALINGS for temperature in temperatures]),
            np.array([sweeps for _, sweeps in SCALINGS]),
        )
    found = _solution(units, dissimilarity, annotator, group, excess)
    hard = np.flatnonzero(excess > tolerance * found.total)
    if not len(hard):
        return found
    for number in hard.tolist():
        alone = best_alignment(units.one(number), dissimilarity, time_limit=time_limit, tolerance=tolerance)
        real = alone.table >= 0
        members = alone.table + units.begin[number * n]
        name = members[np.arange(len(members)), real.argmax(axis=1)]
        group[members[real]] = np.repeat(name, real.sum(axis=1))
        excess[number] = alone.total - alone.bound if alone.gap else 0.0
    return _solution(units, dissimilarity, annotator, group, excess)


def _solution(
    units: Stack, dissimilarity: BoundDissimilarity, annotator: IntArray, group: IntArray, excess: FloatArray
) -> StackSolution:
    """Make tables of groups, each named by one of its units; costs are computed anew, as for a single set."""
    named = group == np.arange(units.n_units)
    row = np.cumsum(named) - 1
    table = np.full((int(named.sum()), units.n_annotators), -1, np.int64)
    table[row[group], annotator] = np.arange(units.n_units)
    set_of = np.repeat(np.arange(units.n_sets), units.sizes)[named]
    cost = unitary_costs(units, dissimilarity, table)
    total = np.bincount(set_of, weights=cost, minlength=units.n_sets).astype(np.float64)
    # as in `solution`: prices are those of costs with TIE added
    below = np.where(excess > 0, excess + TIE * units.sizes, 0.0)
    return StackSolution(table, cost, set_of, total, total - below)


def _candidate_pairs(units: Stack, dissimilarity: BoundDissimilarity, reach: float) -> Pairs:
    """List the pairs of units that can meet in a best alignment."""
    starts, other = near_in_sets(units.begin, units.start, units.end, units.n_annotators, reach)
    unit = np.repeat(np.arange(units.n_units), np.diff(starts))
    return near_enough(units, dissimilarity, starts, unit, other)
