"""Random annotation sets, many at a time: each annotator's continuum split and its parts swapped.

Sets are side by side, as `stacked` would put them: sorted by annotator, then by set, then by position.
"""

from __future__ import annotations

from unisono.arrays import FloatArray, IntArray
from unisono.kernels.randomness import below, uniform
from unisono.kernels.switch import kernel
from unisono.kernels.workspace import floats, ints


@kernel
def _whole_splits(
    split: FloatArray, at: int, n: int, free: int, distance: float, length: float, key: int, other: int, sample: int, k: int
) -> int:
    """Draw n splits at least `distance` apart around a circle of whole positions, all choices equally likely."""
    # n - 1 different places among free + n - 1 divide what is free into n whole parts (Floyd's way to draw them)
    places = ints(n, 0)
    size = 0
    for top in range(free, free + n - 1):
        drawn = below(top + 1, key, other, sample, k)
        k += 1
        for i in range(size):
            if places[i] == drawn:
                drawn = top
                break
        i = size
        while i > 0 and places[i - 1] > drawn:
            places[i] = places[i - 1]
            i -= 1
        places[i] = drawn
        size += 1
    turn = below(int(length), key, other, sample, k)
    split[at] = turn
    for i in range(n - 1):
        split[at + i + 1] = (places[i] - i + distance * (i + 1) + turn) % length
    return k + 1


@kernel
def _real_splits(
    split: FloatArray, at: int, n: int, free: float, distance: float, length: float, key: int, other: int, sample: int, k: int
) -> int:
    """Do the same with positions that are not whole."""
    cuts = floats(n, 0.0)
    for size in range(n - 1):
        drawn = free * uniform(key, other, sample, k)
        k += 1
        i = size
        while i > 0 and cuts[i - 1] > drawn:
            cuts[i] = cuts[i - 1]
            i -= 1
        cuts[i] = drawn
    turn = length * uniform(key, other, sample, k)
    split[at] = turn
    for i in range(n - 1):
        split[at + i + 1] = (cuts[i] + distance * (i + 1) + turn) % length
    return k + 1


@kernel
def choose_shifts(
    first: IntArray, length: float, distance: float, whole: bool, key: int, other: int, sample: int, n_samples: int
) -> tuple[IntArray, FloatArray]:
    """Draw, for each annotator of each sample, whose work it is and where it is split.

    Parameters
    ----------
    first : int64 array, shape (n_annotators + 1,)
        Where the units of each annotator begin.
    length, distance : float
        The length of the continuum, and the least distance between splits.
    whole : bool
        Whether positions are whole numbers.
    key, other, sample, n_samples : int
        The key of the random numbers, the number of the first sample, and how many there are.

    Returns
    -------
    chosen : int64 array, shape (n_samples · n_annotators,)
        The annotator, sample by sample.
    split : float64 array, the same shape
        The split.
    """
    n = len(first) - 1
    chosen, split = ints(n_samples * n, 0), floats(n_samples * n, 0.0)
    free = length - n * distance
    for s in range(n_samples):
        at, k, size = s * n, 0, 0
        while size == 0:  # somebody must have marked something
            for a in range(n):
                who = below(n, key, other, sample + s, k)
                k += 1
                chosen[at + a] = who
                size += first[who + 1] - first[who]
        if not whole:
            k = _real_splits(split, at, n, free, distance, length, key, other, sample + s, k)
        elif distance >= 1.0:
            k = _whole_splits(split, at, n, int(free), distance, length, key, other, sample + s, k)
        else:  # splits may coincide, so each is drawn on its own
            for a in range(n):
                split[at + a] = below(int(length), key, other, sample + s, k)
                k += 1
        for a in range(n - 1, 0, -1):  # who gets which split
            b = below(a + 1, key, other, sample + s, k)
            k += 1
            split[at + a], split[at + b] = split[at + b], split[at + a]
    return chosen, split
