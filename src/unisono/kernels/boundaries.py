"""Which boundaries of one segmentation are moved to become boundaries of another."""

from __future__ import annotations

from unisono.arrays import FloatArray, IntArray
from unisono.kernels.switch import kernel
from unisono.kernels.workspace import ints


@kernel
def moves(
    boundaries: IntArray, starts: IntArray, first: IntArray, second: IntArray, saved: float, price: FloatArray
) -> tuple[IntArray, IntArray]:
    """Find, for pairs of segmentations, the moves of boundaries that save most.

    A boundary that is moved by d saves its deletion and an insertion, and costs price · d. The rows of the dynamic
    program hold the best moves among the boundaries so far and the first j boundaries of the second segmentation.

    Parameters
    ----------
    boundaries, starts : int64 array
        See `Cuts`.
    first, second : int64 array, shape (n_pairs,)
        Which segmentations are compared.
    saved : float
        What a deletion and an insertion cost.
    price : float64 array, shape (n_pairs,)
        What a move costs for each atom.

    Returns
    -------
    moved : int64 array, shape (n_pairs,)
        How many boundaries are moved, or stay where they are.
    distance : int64 array, shape (n_pairs,)
        By how many atoms in total.
    """
    # Moves that do not cross are enough: for a₁ < a₂ and b₁ < b₂, |a₁ - b₁| + |a₂ - b₂| ≤ |a₁ - b₂| + |a₂ - b₁|, so two
    # moves that cross can be exchanged at no cost. That is what makes rows and columns in order sufficient.
    # A move with price · d ≥ saved saves nothing. Boundaries are sorted in both segmentations, so the boundaries of the
    # second that are near enough are a window, low to high, both ends of which only move to the right.
    n_pairs = len(first)
    moved = ints(n_pairs, 0)
    distance = ints(n_pairs, 0)
    for pair in range(n_pairs):
        begin, end = starts[second[pair]], starts[second[pair] + 1]
        count = ints(end - begin + 1, 0)
        total = ints(end - begin + 1, 0)
        low, high = begin, begin
        for index in range(starts[first[pair]], starts[first[pair] + 1]):
            here = boundaries[index]
            while high < end and (boundaries[high] <= here or price[pair] * (boundaries[high] - here) < saved):
                # beyond the window so far, a column is as good as the last one inside
                count[high - begin + 1] = count[high - begin]
                total[high - begin + 1] = total[high - begin]
                high += 1
            while low < high and boundaries[low] < here and price[pair] * (here - boundaries[low]) >= saved:
                low += 1
            before, so_far = count[low - begin], total[low - begin]  # of the row above, one column to the left
            for other in range(low, high):
                column = other - begin + 1
                with_move, with_distance = before + 1, so_far + abs(boundaries[other] - here)
                before, so_far = count[column], total[column]
                best = saved * before - price[pair] * so_far
                if saved * count[column - 1] - price[pair] * total[column - 1] > best:
                    count[column], total[column] = count[column - 1], total[column - 1]
                    best = saved * count[column] - price[pair] * total[column]
                if saved * with_move - price[pair] * with_distance > best:
                    count[column], total[column] = with_move, with_distance
        moved[pair] = count[high - begin]
        distance[pair] = total[high - begin]
    return moved, distance
