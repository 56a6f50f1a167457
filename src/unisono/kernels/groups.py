"""Every group of units that can be part of a best alignment."""

from __future__ import annotations

import numpy as np

from unisono.arrays import FloatArray, IntArray
from unisono.kernels.switch import kernel
from unisono.kernels.workspace import floats, ints, longer, longer_floats


@kernel
def undominated(
    starts: IntArray,
    neighbour: IntArray,
    dissimilarity: FloatArray,
    annotator: IntArray,
    n_annotators: int,
    most: int,
    effort: int,
) -> tuple[IntArray, IntArray, FloatArray, bool]:
    """List the groups of two and more units, at most one an annotator, that no split makes cheaper.

    In units of the empty unit's cost, a group S costs 1 + Σ_pairs (d - 1)/C with C = n(n - 1)/2. Splitting it in
    A and B changes that by 1 - Σ_{a∈A, b∈B} (d(a, b) - 1)/C; so a group is of no use if Σ (d - 1) ≥ C across some
    split. Groups grow annotator by annotator; what later annotators can still save a unit bounds the search.

    Parameters
    ----------
    starts : int64 array, shape (n_units + 1,)
        Where the neighbours of each unit begin.
    neighbour, dissimilarity : array, shape (n_pairs,)
        Units of later annotators that a group can join to it, sorted, and their d.
    annotator : int64 array, shape (n_units,)
        Who made each unit; units are sorted by it.
    n_annotators : int
        n.
    most : int
        Stop at so many groups.
    effort : int
        Stop after looking at so many splits of groups.

    Returns
    -------
    bounds : int64 array, shape (n_groups + 1,)
        Where each group begins in `members`.
    members : int64 array
        The units of the groups.
    cost : float64 array, shape (n_groups,)
        What each group costs.
    complete : bool
        False if there are more.
    """
    n = n_annotators
    n_units = len(annotator)
    pairs = n * (n - 1) / 2.0
    hope = hopes(starts, neighbour, dissimilarity, annotator, n)
    widest = 0
    for unit in range(n_units):
        widest = max(widest, starts[unit + 1] - starts[unit])
    # one level a member: who can still join, and with which d - 1 to each member so far
    joining = ints(n * widest, 0)
    excess = floats(n * n * widest, 0.0)
    n_joining = ints(n, 0)
    turn = ints(n, 0)
    marked = floats(n_units, np.inf)
    group = ints(n, 0)
    weight = floats(n * n, 0.0)
    side = ints(n, 0)
    bounds = ints(4 * n_units + 16, 0)
    members = ints(16 * n_units + n, 0)
    cost = floats(4 * n_units + 16, 0.0)
    n_groups = 0
    for root in range(n_units):
        group[0] = root
        level = 0
        turn[0] = 0
        n_joining[0] = starts[root + 1] - starts[root]
        for index in range(n_joining[0]):
            joining[index] = neighbour[starts[root] + index]
            excess[index] = dissimilarity[starts[root] + index] - 1.0
        while level >= 0:
            if turn[level] == n_joining[level]:
                level -= 1
                continue
            index = turn[level]
            turn[level] += 1
            unit = joining[level * widest + index]
            size = level + 2
            group[size - 1] = unit
            for member in range(size - 1):
                apart = excess[(level * n + member) * widest + index]
                weight[member * n + size - 1] = apart
                weight[(size - 1) * n + member] = apart
            if hopeless(weight, group, size, hope, annotator[unit] + 1, n):
                continue
            effort -= 2 ** (size - 1)
            if unsplittable(weight, side, size, n):
                if n_groups == most or effort < 0:
                    return bounds[: n_groups + 1], members[: bounds[n_groups]], cost[:n_groups], False
                begin = bounds[n_groups]
                if n_groups + 1 == len(bounds):
                    bounds = longer(bounds)
                    cost = longer_floats(cost)
                if begin + size > len(members):
                    members = longer(members)
                total = 0.0
                for member in range(size):
                    members[begin + member] = group[member]
                    for other in range(member):
                        total += weight[member * n + other]
                bounds[n_groups + 1] = begin + size
                cost[n_groups] = 1.0 + total / pairs
                n_groups += 1
            if size < n:
                # who can join next must be a neighbour of this unit too
                for edge in range(starts[unit], starts[unit + 1]):
                    marked[neighbour[edge]] = dissimilarity[edge] - 1.0
                count = 0
                for later in range(index + 1, n_joining[level]):
                    candidate = joining[level * widest + later]
                    if marked[candidate] < np.inf:
                        joining[(level + 1) * widest + count] = candidate
                        for member in range(size - 1):
                            excess[((level + 1) * n + member) * widest + count] = excess[
                                (level * n + member) * widest + later
                            ]
                        excess[((level + 1) * n + size - 1) * widest + count] = marked[candidate]
                        count += 1
                for edge in range(starts[unit], starts[unit + 1]):
                    marked[neighbour[edge]] = np.inf
                level += 1
                turn[level] = 0
                n_joining[level] = count
    return bounds[: n_groups + 1], members[: bounds[n_groups]], cost[:n_groups], True


@kernel
def hopeless(weight: FloatArray, group: IntArray, size: int, hope: FloatArray, later: int, n: int) -> bool:
    """Tell whether some member is better off alone whatever annotators `later`, later + 1, … add."""
    for member in range(size):
        alone = 0.0
        for other in range(size):
            alone += weight[member * n + other]
        if alone - hope[group[member] * (n + 1) + later] >= n * (n - 1) / 2.0:
            return True
    return False


@kernel
def hopes(starts: IntArray, neighbour: IntArray, dissimilarity: FloatArray, annotator: IntArray, n: int) -> FloatArray:
    """Bound what annotators b, b + 1, … can save each unit; n + 1 values a unit."""
    best = floats(len(annotator) * (n + 1), 0.0)
    for unit in range(len(annotator)):
        for edge in range(starts[unit], starts[unit + 1]):
            place = unit * (n + 1) + annotator[neighbour[edge]]
            best[place] = max(best[place], 1.0 - dissimilarity[edge])
    for unit in range(len(annotator)):
        for place in range((unit + 1) * (n + 1) - 2, unit * (n + 1) - 1, -1):
            best[place] += best[place + 1]
    return best


@kernel
def unsplittable(weight: FloatArray, side: IntArray, size: int, n: int) -> bool:
    """Tell whether Σ (d - 1) across every split of a group is below C; splits in Gray-code order."""
    for member in range(size):
        side[member] = 0
    across = 0.0
    for split in range(1, 2 ** (size - 1)):
        member = 0
        bit = split
        while bit % 2 == 0:
            bit //= 2
            member += 1
        for other in range(size):
            if other != member:
                if side[other] == side[member]:
                    across += weight[member * n + other]
                else:
                    across -= weight[member * n + other]
        side[member] = 1 - side[member]
        if across >= n * (n - 1) / 2.0:
            return False
    return True
