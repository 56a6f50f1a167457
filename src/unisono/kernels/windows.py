"""Which units lie near enough to each other to be worth comparing."""

from __future__ import annotations

from unisono.arrays import FloatArray, IntArray
from unisono.kernels.sorting import sort_run
from unisono.kernels.switch import kernel
from unisono.kernels.workspace import ints, longer


@kernel
def near(
    middle: FloatArray,
    length: FloatArray,
    annotator: IntArray,
    order: IntArray,
    classes: IntArray,
    longest: FloatArray,
    reach: float,
    first: int,
    enough: int,
) -> tuple[IntArray, IntArray]:
    """List, for each unit from `first` on, the units of later annotators within reach.

    Two units are within reach if their midpoints are at most reach · (length + length)/2 apart. In `position.reach`
    stands why no other units can be as similar as asked for.

    Parameters
    ----------
    middle, length, annotator : array, shape (n_units,)
        Midpoint and length of each unit, and its annotator.
    order : int64 array, shape (n_units,)
        Units sorted by class of length, then by midpoint.
    classes : int64 array, shape (n_classes + 1,)
        Where each class begins in `order`.
    longest : float64 array, shape (n_classes,)
        The greatest length in each class.
    reach : float
        See above.
    first : int
        The unit to begin with.
    enough : int
        Stop after the unit with which so many units have been found.

    Returns
    -------
    starts : int64 array, shape (n_done + 1,)
        Where the list of unit first, first + 1, … begins in `found`.
    found : int64 array
        The units within reach, sorted for each unit.
    """
    # A little more than `reach`, so that no pair is lost by rounding; the caller computes d of all pairs found, and
    # drops those that are too dissimilar.
    generous = reach / 2.0 * (1.0 + 1e-6)
    n_units = len(middle)
    starts = ints(n_units - first + 1, 0)
    found = ints(4 * n_units + 16, 0)
    end = starts[0]  # not a literal 0, for which helpers would be compiled once more
    unit = first
    while unit < n_units and end < enough:
        begin = end
        for index in range(len(longest)):
            # In a class, nobody is farther away than the longest unit of it could be. Lengths in a class differ by less
            # than a factor of 2, so this window is at most twice as wide as needed.
            farthest = generous * (length[unit] + longest[index])
            low, high = classes[index], classes[index + 1]
            # in a class, units are sorted by midpoint: find the first in the window, then go on to its end
            while low < high:
                half = (low + high) // 2
                if middle[order[half]] < middle[unit] - farthest:
                    low = half + 1
                else:
                    high = half
            for position in range(low, classes[index + 1]):
                other = order[position]
                gap = middle[other] - middle[unit]
                if gap > farthest:
                    break
                if annotator[other] > annotator[unit] and abs(gap) <= generous * (length[unit] + length[other]):
                    if end == len(found):
                        found = longer(found)
                    found[end] = other
                    end += 1
        sort_run(found, begin, end)
        unit += 1
        starts[unit - first] = end
    return starts[: unit - first + 1], found[:end]
