"""Every group of units that can be part of a best alignment."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unisono.arrays import FloatArray, IntArray
from unisono.kernels.switch import kernel
from unisono.kernels.workspace import floats, ints, longer, longer_floats


class Levels(NamedTuple):
    """Groups as they grow, one level per member: what belongs to level k begins at k * widest.

    Attributes
    ----------
    joining, n_joining, turn : int64 array
        The candidates of each level, sorted, how many there are, and whose turn it is.
    excess : float64 array
        d - 1 of each candidate and each member so far.
    marked : float64 array, shape (n_units,)
        d - 1 of the neighbours of one unit, infinite elsewhere.
    group, weight : array
        The members, and d - 1 of every two of them.
    side : float64 array
        On which side of a split each member is, 1 or -1.
    widest : int
        The most candidates of a level.
    """

    joining: IntArray
    n_joining: IntArray
    turn: IntArray
    excess: FloatArray
    marked: FloatArray
    group: IntArray
    weight: FloatArray
    side: FloatArray
    widest: int


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
    """List the groups of two and more units, at most one per annotator, that no split makes cheaper.

    In units of the empty unit's cost, a group S costs 1 + Σ_pairs (d - 1)/C with C = n(n - 1)/2. Splitting it into
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
    hope = hopes(starts, neighbour, dissimilarity, annotator, n)
    widest = 0
    for unit in range(n_units):
        widest = max(widest, starts[unit + 1] - starts[unit])
    levels = Levels(
        ints(n * widest, 0),
        ints(n, 0),
        ints(n, 0),
        floats(n * n * widest, 0.0),
        floats(n_units, np.inf),
        ints(n, 0),
        floats(n * n, 0.0),
        floats(n, 1.0),
        widest,
    )
    bounds = ints(4 * n_units + 16, 0)
    members = ints(16 * n_units + n, 0)
    cost = floats(4 * n_units + 16, 0.0)
    bounds, members, cost, n_groups, complete = groups_from(
        bounds[0],
        n_units,
        starts,
        neighbour,
        dissimilarity,
        annotator,
        n,
        hope,
        levels,
        most,
        effort,
        bounds,
        members,
        cost,
    )
    return bounds[: n_groups + 1], members[: bounds[n_groups]], cost[:n_groups], complete


@kernel
def groups_from(
    first: int,
    last: int,
    starts: IntArray,
    neighbour: IntArray,
    dissimilarity: FloatArray,
    annotator: IntArray,
    n: int,
    hope: FloatArray,
    levels: Levels,
    most: int,
    effort: int,
    bounds: IntArray,
    members: IntArray,
    cost: FloatArray,
) -> tuple[IntArray, IntArray, FloatArray, int, bool]:
    """List the groups whose unit of the first annotator is one of `first` to `last`, the latter excluded."""
    if n <= 3:  # pairs and triples need no search
        return small_groups_from(
            first, last, starts, neighbour, dissimilarity, annotator, n, hope, most, bounds, members, cost
        )
    # Every group has exactly one unit of its first annotator, so to start from each unit and add units of later
    # annotators only finds every group once. They grow depth first.
    joining, n_joining, turn, excess, marked, group, weight, side, widest = levels
    n_groups = bounds[0]  # 0, but not a literal, for which helpers would be compiled once more
    for root in range(first, last):
        if starts[root] == starts[root + 1]:
            continue
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
            effort -= 1 << (size - 1)
            # a group that can be split may still be part of larger ones that cannot: it is left out, but grows on
            if unsplittable(weight, side, size, n):
                if n_groups == most or effort < 0:
                    return bounds, members, cost, n_groups, False
                if n_groups + 1 == len(bounds):
                    bounds = longer(bounds)
                    cost = longer_floats(cost)
                if bounds[n_groups] + size > len(members):
                    members = longer(members)
                write_group(group, size, weight, n, bounds, members, cost, n_groups)
                n_groups += 1
            if size < n:
                # Who can join next must be a neighbour of this unit too: a pair that is no candidate is so
                # dissimilar that no useful group has it (`pairs.most_dissimilar`).
                for edge in range(starts[unit], starts[unit + 1]):
                    marked[neighbour[edge]] = dissimilarity[edge] - 1.0
                count = 0
                for later in range(index + 1, n_joining[level]):
                    candidate = joining[level * widest + later]
                    if marked[candidate] < np.inf:
                        joining[(level + 1) * widest + count] = candidate
                        for member in range(size - 1):
                            apart = excess[(level * n + member) * widest + later]
                            excess[((level + 1) * n + member) * widest + count] = apart
                        excess[((level + 1) * n + size - 1) * widest + count] = marked[candidate]
                        count += 1
                for edge in range(starts[unit], starts[unit + 1]):
                    marked[neighbour[edge]] = np.inf
                level += 1
                turn[level] = 0
                n_joining[level] = count
    return bounds, members, cost, n_groups, True


@kernel
def small_groups_from(
    first: int,
    last: int,
    starts: IntArray,
    neighbour: IntArray,
    dissimilarity: FloatArray,
    annotator: IntArray,
    n: int,
    hope: FloatArray,
    most: int,
    bounds: IntArray,
    members: IntArray,
    cost: FloatArray,
) -> tuple[IntArray, IntArray, FloatArray, int, bool]:
    """List the same of two or three annotators: pairs, and two pairs whose second units are a pair themselves."""
    n_pairs = n * (n - 1) / 2.0
    n_groups = bounds[0]  # 0, but not a literal
    for root in range(first, last):
        stop = starts[root + 1]
        for edge in range(starts[root], stop):
            unit, apart = neighbour[edge], dissimilarity[edge] - 1.0
            later = annotator[unit] + 1
            if apart - max(hope[root * (n + 1) + later], hope[unit * (n + 1) + later]) >= n_pairs:
                continue  # see `hopeless`
            while n_groups + 1 + stop - edge >= len(bounds):
                bounds, cost = longer(bounds), longer_floats(cost)
            while bounds[n_groups] + 2 + 3 * (stop - edge) > len(members):
                members = longer(members)
            at = bounds[n_groups]
            if apart < n_pairs:
                members[at], members[at + 1] = root, unit
                cost[n_groups] = 1.0 + apart / n_pairs
                n_groups, at = n_groups + 1, at + 2
                bounds[n_groups] = at
            # both lists are sorted; only the third annotator can be in both
            other, ends = starts[unit], starts[unit + 1]
            for third in range(edge + 1, stop):
                while other < ends and neighbour[other] < neighbour[third]:
                    other += 1
                if other == ends:
                    break
                if neighbour[other] > neighbour[third]:
                    continue
                one, two = dissimilarity[third] - 1.0, dissimilarity[other] - 1.0
                if apart + one < n_pairs and apart + two < n_pairs and one + two < n_pairs:
                    members[at], members[at + 1], members[at + 2] = root, unit, neighbour[third]
                    cost[n_groups] = 1.0 + (apart + one + two) / n_pairs
                    n_groups, at = n_groups + 1, at + 3
                    bounds[n_groups] = at
            if n_groups > most:
                return bounds, members, cost, n_groups, False
    return bounds, members, cost, n_groups, True


@kernel
def write_group(
    group: IntArray,
    size: int,
    weight: FloatArray,
    n: int,
    bounds: IntArray,
    members: IntArray,
    cost: FloatArray,
    n_groups: int,
) -> None:
    """Write a group and its cost behind the others."""
    begin = bounds[n_groups]
    total = 0.0
    for member in range(size):
        members[begin + member] = group[member]
        for other in range(member):
            total += weight[member * n + other]
    bounds[n_groups + 1] = begin + size
    cost[n_groups] = 1.0 + total / (n * (n - 1) / 2.0)


@kernel
def hopeless(weight: FloatArray, group: IntArray, size: int, hope: FloatArray, later: int, n: int) -> bool:
    """Whether some member is better off alone, whatever annotators `later`, later + 1, … add."""
    # Across the split of one member from all others, Σ (d - 1) is `alone` now, and falls by what later annotators save
    # that member: at most `hope`. If it stays at or above C, that split makes this group and all larger ones cheaper
    # (or no dearer), so none of them is needed.
    for member in range(size):
        alone = 0.0
        for other in range(size):
            alone += weight[member * n + other]
        if alone - hope[group[member] * (n + 1) + later] >= n * (n - 1) / 2.0:
            return True
    return False


@kernel
def hopes(starts: IntArray, neighbour: IntArray, dissimilarity: FloatArray, annotator: IntArray, n: int) -> FloatArray:
    """Bound what annotators b, b + 1, … can save each unit; n + 1 values per unit."""
    # Of each annotator, a group has one unit at most: its best one saves 1 - d, or nothing if that is negative. The sum
    # over annotators from b on bounds all that b and later ones can save.
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
def unsplittable(weight: FloatArray, side: FloatArray, size: int, n: int) -> bool:
    """Whether Σ (d - 1) across every split of a group is below C."""
    # In the order of a Gray code, one member changes sides from split to split, so that the sum changes by that
    # member's pairs only: split k differs from k - 1 in the member whose number is that of the zeros at the end of k.
    # The last member never changes sides, because a split and its mirror image are the same.
    for member in range(size):
        side[member] = 1.0
    across = 0.0
    for split in range(1, 1 << (size - 1)):
        member = 0
        bit = split
        while bit % 2 == 0:
            bit //= 2
            member += 1
        # pairs on the same side (1 · 1 or -1 · -1) come to lie across, others no longer do; a product of signs is
        # faster than a branch that the processor cannot predict (measured: by an eighth)
        turned = side[member]
        row = member * n
        for other in range(size):
            across += turned * side[other] * weight[row + other]
        side[member] = -turned
        if across >= n * (n - 1) / 2.0:
            return False
    return True
