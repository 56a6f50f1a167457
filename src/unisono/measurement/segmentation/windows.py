"""A window that slides over two segmentations (P_k, WindowDiff), and how often they differ inside it.

A window of size k compares the atoms i and i + k. A boundary b lies between them if b - k <= i < b. Between the
places where boundaries enter and leave, nothing changes, so the work grows with the boundaries and not with the atoms.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from unisono.arrays import BoolArray, IntArray
from unisono.data.cuts import Cuts
from unisono.measurement.segmentation.edits import boundaries_side_by_side, portions

Differ: TypeAlias = Callable[[IntArray, IntArray], BoolArray]
"""Boundaries of the reference and of the hypothesis in a window -> whether the two differ there."""


def one_only(reference: IntArray, hypothesis: IntArray) -> BoolArray:
    """Whether only one of two has boundaries in a window."""
    return np.asarray((reference > 0) != (hypothesis > 0))


def half_a_segment(cuts: Cuts, reference: IntArray) -> IntArray:
    """Return the usual window: half the mean length of the reference's segments, rounded half to even, at least 2."""
    half = cuts.length[reference] / (2 * (cuts.n_boundaries[reference] + 1))
    return np.maximum(np.rint(half).astype(np.int64), 2)


def windows(
    cuts: Cuts, reference: IntArray, hypothesis: IntArray, size: IntArray, differ: Differ, *, padded: bool = False
) -> tuple[IntArray, IntArray]:
    """Count the windows of size k in which reference and hypothesis differ, and all windows, for each pair.

    Padded windows extend past both ends, so that a boundary near an end is in as many as any other. There is no window
    where k is not below the number of atoms.
    """
    before = size if padded else np.zeros_like(size)
    n_windows = np.maximum(cuts.length[reference] + (size if padded else -size), 0)
    sizes = cuts.n_boundaries[reference] + cuts.n_boundaries[hypothesis]
    room = int(n_windows.max(initial=0)) + 1
    differing = np.zeros_like(size)
    for pairs in portions(sizes, room):
        placed = []
        for which in (reference[pairs], hypothesis[pairs]):
            boundary, owner = boundaries_side_by_side(cuts, which)
            most, k, shift = n_windows[pairs][owner], size[pairs][owner], before[pairs][owner]
            enters, leaves = np.clip((boundary + shift - k, boundary + shift), 0, most) + owner * room
            placed.append((enters, leaves))
        differing[pairs] = _differing(placed, differ, room, len(differing[pairs]))
    return differing, n_windows


def _differing(placed: list[tuple[IntArray, IntArray]], differ: Differ, room: int, n_pairs: int) -> IntArray:
    """Sweep over all places where boundaries enter and leave windows, and add up the stretches that differ."""
    place = np.concatenate([part for both in placed for part in both])
    order = np.argsort(place, kind="stable")
    place = place[order]
    counts = []
    for side, (enters, leaves) in enumerate(placed):
        change = [np.zeros(2 * len(part[0]), dtype=np.int64) for part in placed]
        change[side] = np.repeat([1, -1], [len(enters), len(leaves)])
        counts.append(np.cumsum(np.concatenate(change)[order])[:-1])
    stretch = np.where(differ(counts[0], counts[1]), np.diff(place), 0)
    return np.bincount(place[:-1] // room, weights=stretch, minlength=n_pairs).astype(np.int64)
