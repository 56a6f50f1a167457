"""Pairs of units that can meet in a best alignment."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from unisono.alignment.anchor_windows import Windows, octave
from unisono.arrays import FloatArray, IntArray
from unisono.data import AnnotationSet
from unisono.data.annotation_set import Stack
from unisono.dissimilarity.combined import BoundDissimilarity
from unisono.kernels.windows import near

_BLOCK = 1 << 22
"""So many pairs are compared at a time: a limit of memory, some hundred MB for the arrays of a comparison."""

# Of alignments with the same disorder, the one with the fewest different labels is taken, so that γ_cat does not depend
# on the order of the data. That is far above rounding (1e-16) and far below any difference that a disorder could mean;
# `solution` computes costs without it, and takes it off bounds.
TIE = 1e-10
"""Added to d where labels differ."""


@dataclass(frozen=True, slots=True)
class Pairs:
    """Pairs of units of different annotators, in compressed rows.

    Attributes
    ----------
    starts : int64 array, shape (n_units + 1,)
        Where the pairs of each unit begin.
    other : int64 array, shape (n_pairs,)
        The unit of a later annotator, sorted for each unit.
    dissimilarity : float64 array, shape (n_pairs,)
        d in units of Δ∅.
    """

    starts: IntArray
    other: IntArray
    dissimilarity: FloatArray

    @property
    def unit(self) -> IntArray:
        """The first unit of each pair."""
        return np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))


def most_dissimilar(n_annotators: int) -> float:
    """Return the limit below which d of a pair in a best alignment must be, in units of Δ∅.

    A group is of no use if it can be split so that Σ (d - 1) ≥ C across the split, C = n(n - 1)/2. With u alone on one
    side there are d(u, v) - 1 and at most n - 2 other pairs of u, of at least -1 each (d ≥ 0). So a group that is of
    use has d(u, v) - 1 - (n - 2) < C. For two annotators that is d < 2: as much as leaving both units alone. Equation
    (9) of Mathet et al. 2015 bounds the cost of whole groups; this bounds pairs, before there are groups.
    """
    return n_annotators * (n_annotators - 1) / 2 + n_annotators - 1


def candidate_pairs(units: AnnotationSet, dissimilarity: BoundDissimilarity) -> Pairs:
    """List the pairs of units that can meet in a best alignment.

    Memory and, where d grows with distance, time grow with their number, not with the product of the units.
    """
    limit = most_dissimilar(units.n_annotators)
    reach, farthest = dissimilarity.reach(limit), dissimilarity.farthest(limit)
    if reach is None or farthest is None:
        listed = _all_pairs(units)
    elif units.anchors is None:
        listed = _near_pairs(units, reach)
    else:
        listed = Windows.of(units, units.anchors, dissimilarity.definition.roles).in_blocks(farthest, _BLOCK)
    parts = [near_enough(units, dissimilarity, *pairs) for pairs in listed]
    if not parts:  # there are no units
        return Pairs(np.zeros(1, np.int64), np.zeros(0, np.int64), np.zeros(0))
    starts = np.concatenate([[0], np.cumsum(np.concatenate([np.diff(part.starts) for part in parts]))])
    return Pairs(
        starts, np.concatenate([part.other for part in parts]), np.concatenate([part.dissimilarity for part in parts])
    )


def near_enough(
    units: AnnotationSet | Stack, dissimilarity: BoundDissimilarity, starts: IntArray, unit: IntArray, other: IntArray
) -> Pairs:
    """Keep the pairs that can meet in a best alignment, and compute their d.

    Parameters
    ----------
    units : AnnotationSet or Stack
        The units.
    dissimilarity : BoundDissimilarity
        d(u, v).
    starts, unit, other : int64 array
        Pairs in compressed rows: where those of each unit begin, and both units.
    """
    limit = most_dissimilar(units.n_annotators)
    d = dissimilarity(units, unit, other)
    kept = d < limit
    unit, other, d = unit[kept], other[kept], d[kept]
    if len(units.codes):
        d = d + TIE * (units.codes[:, unit] != units.codes[:, other]).mean(axis=0)
    return Pairs(np.concatenate([[0], np.cumsum(kept)])[starts], other, d)


def _near_pairs(units: AnnotationSet, reach: float) -> Iterator[tuple[IntArray, IntArray, IntArray]]:
    length = units.end - units.start
    middle = (units.start + units.end) / 2.0
    # so that one long unit does not widen everybody's window
    scale = octave(length)
    order = np.lexsort((middle, scale))
    begins = np.flatnonzero(np.diff(scale[order], prepend=-9999))
    classes = np.append(begins, units.n_units)
    longest = np.maximum.reduceat(length[order], begins) if units.n_units else np.zeros(0)
    first = 0
    while first < units.n_units:
        starts, found = near(middle, length, units.annotator, order, classes, longest, float(reach), first, _BLOCK)
        done = len(starts) - 1
        yield starts, np.repeat(np.arange(first, first + done), np.diff(starts)), found
        first += done


def _all_pairs(units: AnnotationSet) -> Iterator[tuple[IntArray, IntArray, IntArray]]:
    # A dissimilarity that the user gives has no window: all pairs of different annotators, in blocks of whole units.
    ends = np.searchsorted(units.annotator, units.annotator, side="right")
    counts = units.n_units - ends
    totals = np.cumsum(counts)
    first = 0
    while first < units.n_units:
        done = totals[first - 1] if first else 0
        last = max(first + 1, int(np.searchsorted(totals, done + _BLOCK, side="right")))
        block = np.arange(first, last)
        u = np.repeat(block, counts[block])
        within = np.arange(len(u)) - np.repeat(totals[block] - counts[block] - done, counts[block])
        yield np.concatenate([[0], np.cumsum(counts[block])]), u, ends[u] + within
        first = last
