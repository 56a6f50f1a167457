"""Boundary edit distance (Fournier 2013): the edits that turn the boundaries of one segmentation into those of another.

A boundary that both have is a match. A boundary of one and a boundary of the other that lie fewer than n potential
boundaries apart are a transposition, a near miss. A boundary that is left over is an addition, a full miss.

Transpositions are chosen greedily, the shortest first and from left to right, each boundary once; a boundary that is
matched is excluded. With n = 2 this is the least number of edits. With a larger n it need not be, and may even change
when both segmentations are read backwards; it is the rule of the author's own implementation.

References
----------
.. [1] Fournier, C. (2013). Evaluating text segmentation using boundary edit distance. Proceedings of ACL 2013,
       1702–1712.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from unisono.arrays import FloatArray, IntArray
from unisono.data.cuts import Cuts
from unisono.data.meetings import ranges

_AT_ONCE = 2**16
"""This many boundaries are compared at a time: few enough to stay in the processor's cache."""
_FARTHEST = 2**61


@dataclass(frozen=True, slots=True)
class BoundaryEdits:
    """Edits of each pair of segmentations."""

    # shape (n_pairs,): how many of each
    matches: IntArray
    additions: IntArray
    transpositions: IntArray
    distance: IntArray  # shape (n_pairs,): potential boundaries that the transpositions span, all added up


def edits(cuts: Cuts, first: IntArray, second: IntArray, n: int) -> BoundaryEdits:
    """Find the edits between pairs of segmentations; near misses are fewer than n potential boundaries apart."""
    sizes = cuts.n_boundaries[first] + cuts.n_boundaries[second]
    longest = int(cuts.length.max(initial=0))
    reach = min(n, longest)
    room = longest + reach  # for each pair, so that no transposition goes from one to the next
    found = np.zeros((3, len(first)), dtype=np.int64)
    for pairs in portions(sizes, room):
        found[:, pairs] = _edits(cuts, first[pairs], second[pairs], reach, room)
    matches, transpositions, distance = found
    return BoundaryEdits(matches, sizes - 2 * matches - 2 * transpositions, transpositions, distance)


def boundary_costs(cuts: Cuts, first: IntArray, second: IntArray, n: int) -> tuple[FloatArray, FloatArray]:
    """Return what the edits of each boundary cost over all pairs: as a full miss, and as one half of a near miss."""
    sizes = cuts.n_boundaries[first] + cuts.n_boundaries[second]
    longest = int(cuts.length.max(initial=0))
    reach = min(n, longest)
    room = longest + reach
    full, near = np.zeros(len(cuts.boundaries)), np.zeros(len(cuts.boundaries))
    for pairs in portions(sizes, room):
        place, side, boundary = _unmatched(cuts, first[pairs], second[pairs], room)[:3]
        left_over = np.ones(len(place), dtype=np.bool_)
        for one, other, span in _transpositions(place, side, reach, room):
            for end in (one, other):
                np.add.at(near, boundary[end], span / n / 2)
                left_over[end] = False
        np.add.at(full, boundary[left_over], 1.0)
    return full, near


def portions(sizes: IntArray, room: int) -> Iterator[slice]:
    """Divide pairs with so many boundaries into portions that can be laid side by side, each taking `room`."""
    total = np.cumsum(sizes)
    low = 0
    while low < len(sizes):
        before = int(total[low] - sizes[low])
        high = int(np.searchsorted(total, before + _AT_ONCE, side="right"))
        high = max(min(high, low + _FARTHEST // max(room, 1)), low + 1)
        yield slice(low, high)
        low = high


def boundaries_side_by_side(cuts: Cuts, which: IntArray) -> tuple[IntArray, IntArray]:
    """Return the boundaries of some segmentations one after another, and the index of the segmentation of each."""
    counts = cuts.n_boundaries[which]
    return cuts.boundaries[_rows(cuts, which)], np.repeat(np.arange(len(which)), counts)


def _rows(cuts: Cuts, which: IntArray) -> IntArray:
    """Return where the boundaries of some segmentations are in `Cuts.boundaries`."""
    return ranges(cuts.starts[which], cuts.n_boundaries[which])


def _edits(cuts: Cuts, first: IntArray, second: IntArray, reach: int, room: int) -> IntArray:
    """Return matches, transpositions and distance of some pairs, laid side by side."""
    place, side, _, matched = _unmatched(cuts, first, second, room)
    found = np.zeros((3, len(first)), dtype=np.int64)
    found[0] = np.bincount(matched // room, minlength=len(first))
    for left, _, span in _transpositions(place, side, reach, room):
        taken = np.bincount(place[left] // room, minlength=len(first))
        found[1] += taken
        found[2] += span * taken
    return found


def _unmatched(
    cuts: Cuts, first: IntArray, second: IntArray, room: int
) -> tuple[IntArray, IntArray, IntArray, IntArray]:
    """Lay pairs side by side; return place, side and index of the boundaries of one only, and places of the others."""
    placed = []
    for side, which in enumerate((first, second)):
        position, owner = boundaries_side_by_side(cuts, which)
        placed.append(2 * (position + owner * room) + side)
    every = np.concatenate(placed)
    order = np.argsort(every, kind="stable")
    place, from_second = every[order] >> 1, every[order] & 1
    same = np.flatnonzero(place[1:] == place[:-1])
    single = np.ones(len(order), dtype=np.bool_)
    single[same] = single[same + 1] = False
    boundary = np.concatenate([_rows(cuts, first), _rows(cuts, second)])[order]
    return place[single], from_second[single], boundary[single], place[same]


def _transpositions(place: IntArray, side: IntArray, reach: int, room: int) -> Iterator[tuple[IntArray, IntArray, int]]:
    """Choose transpositions, the shortest first; yield the boundaries that they join, and how far they are apart.

    The shortest that are left always join neighbours: a boundary between the two would be closer to one of them.
    """
    rest = np.arange(len(place))
    while True:
        gap = np.diff(place[rest])
        gap[side[rest][1:] == side[rest][:-1]] = room
        span = int(gap.min(initial=room))
        if span >= reach:
            return
        left = _every_other(np.flatnonzero(gap == span))
        yield rest[left], rest[left + 1], span
        free = np.ones(len(rest), dtype=np.bool_)
        free[left] = free[left + 1] = False
        rest = rest[free]


def _every_other(links: IntArray) -> IntArray:
    """Keep the first, third, fifth … of every run of neighbouring links, so that no two share an end."""
    begins = np.diff(links, prepend=-2) > 1
    begin = np.maximum.accumulate(np.where(begins, links, 0))
    return np.asarray(links[(links - begin) & 1 == 0])
