"""The best alignments of many small annotation sets, found together."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from unisono.alignment.anchor_windows import Windows
from unisono.alignment.pairs import TIE, Pairs, most_dissimilar, near_enough
from unisono.alignment.solution import relative_gap, unitary_costs
from unisono.alignment.solve import GROUPS_PER_UNIT, MOST_GROUPS, MOST_SPLITS, best_alignment
from unisono.arrays import FloatArray, IntArray
from unisono.data.annotation_set import Stack
from unisono.dissimilarity.combined import BoundDissimilarity, Kinds
from unisono.kernels.blocks import Weights, align_sets, grouped_pairs, near_in_sets, pairs_in_sets, sums_of_sets

_MOST_UNITS = 400
_MOST_ANNOTATORS = 6
"""Larger sets are aligned one by one: there, what a call costs is little compared to the work."""
_SCALINGS = (((0.1, 0.05, 0.02, 0.01, 0.005), 60), ((0.02, 0.01, 0.005, 0.002, 0.001), 250))
"""Temperatures and sweeps of scaling, tried in turn where the search with the first prices is not enough."""


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
        return _gaps(self.total, self.bound)


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
    annotator = units.annotator
    group, excess = _grouped(units, dissimilarity, annotator, time_limit, tolerance)
    return _solution(units, dissimilarity, annotator, group, excess)


@dataclass(frozen=True, slots=True)
class StackSums:
    """What the best alignments of sets add up to, in units of Δ∅.

    Attributes
    ----------
    total, gap : float64 array, shape (n_sets,)
        The cost of each alignment, and the share by which it may be above the best one.
    disorder, weight : float64 array, shape (n_sets, 1 + n_categories)
        Sums over pairs by category: see `CategoryTally`.
    """

    total: FloatArray
    gap: FloatArray
    disorder: FloatArray
    weight: FloatArray


def least_sums(
    units: Stack, dissimilarity: BoundDissimilarity, *, time_limit: float | None = None, tolerance: float = 0.0
) -> StackSums | None:
    """Find the same and add it up, without tables of who is aligned with whom; None if there are too many labels."""
    kinds = dissimilarity.kinds
    if kinds is None:
        return None
    group, excess = _grouped(units, dissimilarity, units.annotator, time_limit, tolerance)
    size = 1 + len(dissimilarity.labels[dissimilarity.features[0]]) if dissimilarity.features else 1
    label = units.codes[0] + 1 if dissimilarity.features else np.zeros(units.n_units, np.int64)
    total, disorder, weight = sums_of_sets(
        units.begin,
        units.start,
        units.end,
        kinds.of(units.codes),
        label,
        group,
        units.n_annotators,
        _weights(dissimilarity, kinds),
        size,
        np.zeros(0) if units.anchors is None else dissimilarity.positional(units, *grouped_pairs(group)),
    )
    gap = _gaps(total, _bounds(total, excess, units))
    return StackSums(total, gap, disorder.reshape(-1, size), weight.reshape(-1, size))


def _grouped(
    units: Stack,
    dissimilarity: BoundDissimilarity,
    annotator: IntArray,
    time_limit: float | None,
    tolerance: float,
) -> tuple[IntArray, FloatArray]:
    """Name the group of each unit by one of its units; also return by how much each set may cost too much."""
    n = units.n_annotators
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
            max(MOST_GROUPS, GROUPS_PER_UNIT * _MOST_UNITS),
            MOST_SPLITS,
            np.array([temperature for temperatures, _ in _SCALINGS for temperature in temperatures]),
            np.array([sweeps for _, sweeps in _SCALINGS]),
        )
    if not excess.any():
        return group, excess
    found = _solution(units, dissimilarity, annotator, group, excess)
    for number in np.flatnonzero(excess > tolerance * found.total).tolist():  # those that are too hard for the kernel
        alone = best_alignment(units.one(number), dissimilarity, time_limit=time_limit, tolerance=tolerance)
        real = alone.table >= 0
        members = alone.table + units.begin[number * n]
        name = members[np.arange(len(members)), real.argmax(axis=1)]
        group[members[real]] = np.repeat(name, real.sum(axis=1))
        excess[number] = alone.total - alone.bound if alone.gap else 0.0
    return group, excess


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
    return StackSolution(table, cost, set_of, total, _bounds(total, excess, units))


def _bounds(total: FloatArray, excess: FloatArray, units: Stack) -> FloatArray:
    # as in `solution`: prices are those of costs with TIE added
    return np.where(excess > 0, total - excess - TIE * units.sizes, total)


def _gaps(total: FloatArray, bound: FloatArray) -> FloatArray:
    gap = np.zeros(len(total))
    for number in np.flatnonzero(bound < total):
        gap[number] = relative_gap(float(total[number]), float(bound[number]))
    return gap


def _weights(dissimilarity: BoundDissimilarity, kinds: Kinds) -> Weights:
    definition = dissimilarity.definition
    beta = definition.beta if dissimilarity.compare else 0.0
    return Weights(float(definition.alpha), float(beta), kinds.categorical, math.isqrt(len(kinds.categorical)))


def _candidate_pairs(units: Stack, dissimilarity: BoundDissimilarity, reach: float) -> Pairs:
    """List the pairs of units that can meet in a best alignment."""
    if units.anchors is not None:
        farthest = dissimilarity.farthest(most_dissimilar(units.n_annotators))
        assert farthest is not None  # as `reach` is not
        windows = Windows.of(units, units.anchors, dissimilarity.definition.roles)
        return near_enough(units, dissimilarity, *windows.pairs(farthest))
    kinds = dissimilarity.kinds
    if kinds is not None:
        found = pairs_in_sets(
            units.begin,
            units.start,
            units.end,
            kinds.of(units.codes),
            units.n_annotators,
            reach,
            most_dissimilar(units.n_annotators),
            _weights(dissimilarity, kinds),
            TIE * kinds.differing,
        )
        return Pairs(*found)
    starts, other = near_in_sets(units.begin, units.start, units.end, units.n_annotators, reach)
    unit = np.repeat(np.arange(units.n_units), np.diff(starts))
    return near_enough(units, dissimilarity, starts, unit, other)
