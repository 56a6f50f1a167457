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

from unisono.arrays import IntArray
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
    return cuts.boundaries[ranges(cuts.starts[which], counts)], np.repeat(np.arange(len(which)), counts)


def _edits(cuts: Cuts, first: IntArray, second: IntArray, reach: int, room: int) -> IntArray:
    """Return matches, transpositions and distance of some pairs, laid side by side."""
    placed = []
    for side, which in enumerate((first, second)):
        position, owner = boundaries_side_by_side(cuts, which)
        placed.append(2 * (position + owner * room) + side)
    code = np.sort(np.concatenate(placed), kind="stable")
    place, from_second = code >> 1, code & 1
    same = np.flatnonzero(place[1:] == place[:-1])
    found = np.zeros((3, len(first)), dtype=np.int64)
    found[0] = np.bincount(place[same] // room, minlength=len(first))
    single = np.ones(len(code), dtype=np.bool_)
    single[same] = single[same + 1] = False
    _transpose(place[single], from_second[single], reach, room, found)
    return found


def _transpose(place: IntArray, side: IntArray, reach: int, room: int, found: IntArray) -> None:
    """Choose transpositions, the shortest first.

    The shortest that are left always join neighbours: a boundary between the two would be closer to one of them.
    """
    while True:
        gap = np.diff(place)
        gap[side[1:] == side[:-1]] = room
        span = int(gap.min(initial=room))
        if span >= reach:
            return
        left = _every_other(np.flatnonzero(gap == span))
        taken = np.bincount(place[left] // room, minlength=found.shape[1])
        found[1] += taken
        found[2] += span * taken
        free = np.ones(len(place), dtype=np.bool_)
        free[left] = free[left + 1] = False
        place, side = place[free], side[free]


def _every_other(links: IntArray) -> IntArray:
    """Keep the first, third, fifth … of every run of neighbouring links, so that no two share an end."""
    begins = np.diff(links, prepend=-2) > 1
    begin = np.maximum.accumulate(np.where(begins, links, 0))
    return np.asarray(links[(links - begin) & 1 == 0])
