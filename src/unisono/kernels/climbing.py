"""Groups of units that are worth much at given prices, found by climbing: fast, without proof.

In units of Δ∅, the cost of a group S is 1 - Σ_pairs w with w = (1 - d)/C. At prices π, the value of a group is
Σ_{u∈S} π_u - cost(S): its reduced cost with the opposite sign.

Units are numbered by position. The partners of unit u, those that it can meet in a group, are `other[starts[u] :
starts[u + 1]]`, sorted by annotator, then by position. The weight w(u, v) is `weight[at[u] + v]`, for all v between
those that u or a partner of it can meet: a row is as long as that takes. Within an annotator it is 0, so that the
weights of a unit to a group are also those that it would have in place of the unit of its own annotator. Two units that
must not meet have `FAR`.
"""

from __future__ import annotations

from typing import NamedTuple

from unisono.arrays import FloatArray, IntArray
from unisono.kernels.randomness import uniform
from unisono.kernels.switch import kernel
from unisono.kernels.workspace import floats, ints, longer

# No unit can gain so much: its price is about 1 at most, and its weights add up to 2/n at most. So a group with such a
# pair is never of use: to take one of the two out is better. And it is a power of 2 and not large, so that adding and
# subtracting it many times loses next to nothing.
FAR = -8.0
"""The weight of two units that must not meet."""
NEAR = -4.0
"""Weights above this are those of units that can meet."""
ROUNDING = 1e-12
"""Costs are about 1 per group; a change below this may be rounding, and accepting those could go on forever."""

WORTHLESS = 1e-9
"""A group that is worth no more than this is worth nothing: prices need not be better than that."""


class Ascent(NamedTuple):
    """A group that grows, and who can be in it.

    Attributes
    ----------
    unit, whose : int64 array
        The candidates, sorted by annotator, and their annotators.
    gain : float64 array
        What each candidate adds to the value, in place of the member of its annotator if there is one.
    member : int64 array, shape (n_annotators,)
        Which candidate is in the group, -1 for none.
    """

    unit: IntArray
    whose: IntArray
    gain: FloatArray
    member: IntArray


@kernel
def climb_to_groups(
    who: IntArray,
    starts: IntArray,
    other: IntArray,
    at: IntArray,
    weight: FloatArray,
    n_annotators: int,
    price: FloatArray,
    noise: float,
    seed: int,
    stride: int,
) -> tuple[IntArray, IntArray, FloatArray]:
    """Climb from every unit, or from every so many, to a group that is worth more than it costs.

    Parameters
    ----------
    who : int64 array, shape (n_units,)
        The annotator of each unit.
    starts, other, at, weight : array
        See above.
    price : float64 array, shape (n_units,)
        π.
    noise : float
        Climb at prices that differ by up to this part at random first, then at the given ones: that leads elsewhere.
    seed : int
        Which random numbers, and with which unit to begin.
    stride : int
        From how many units to climb: every one, every second …

    Returns
    -------
    bounds, members, cost : array
        Groups of two and more units with a value above 0; some may be the same.
    """
    n_units = len(who)
    ascent = Ascent(ints(n_units, 0), ints(n_units, 0), floats(n_units, 0.0), ints(n_annotators, -1))
    unit, whose, gain, member = ascent
    shaken = floats(n_units, 0.0)
    bounds = ints(n_units + 1, 0)
    members = ints(8 * n_units + n_annotators, 0)
    cost = floats(n_units, 0.0)
    n_groups = 0
    for start in range(seed % stride, n_units, stride):
        unit[0], whose[0] = start, who[start]
        count = 1
        for edge in range(starts[start], starts[start + 1]):
            unit[count] = other[edge]
            whose[count] = who[other[edge]]
            count += 1
        for annotator in range(n_annotators):
            member[annotator] = -1
        for index in range(count):
            gain[index] = price[unit[index]]
        if noise > 0.0:
            for index in range(count):
                turn = noise * (2.0 * uniform(seed, start, unit[index], 1) - 1.0)
                shaken[index] = turn * abs(gain[index])
                gain[index] += shaken[index]
        put_in(whose[0] - whose[0], count, at, weight, ascent)  # not a literal 0, for which numba compiles once more
        # with the start held fixed it cannot slide to the next great group at once
        climb(count, whose[0], at, weight, ascent)
        if noise > 0.0:
            for index in range(count):
                gain[index] -= shaken[index]
        climb(count, whose[0] - whose[0] - 1, at, weight, ascent)
        size = 0
        begin = bounds[n_groups]
        if begin + n_annotators > len(members):
            members = longer(members)
        value = 0.0
        for annotator in range(n_annotators):
            if member[annotator] >= 0:
                members[begin + size] = unit[member[annotator]]
                value += price[unit[member[annotator]]]
                size += 1
        if size > 1:
            cost[n_groups] = group_cost(members, begin, begin + size, at, weight)
            if value - cost[n_groups] > WORTHLESS:
                n_groups += 1
                bounds[n_groups] = begin + size
    return bounds[: n_groups + 1], members[: bounds[n_groups]], cost[:n_groups]


@kernel
def climb(count: int, fixed: int, at: IntArray, weight: FloatArray, ascent: Ascent) -> None:
    """Change the annotator by which the value rises most, to its best candidate or to none, as long as it rises."""
    _, whose, gain, member = ascent
    while True:
        most = ROUNDING
        chosen = -1
        changing = -1
        begin = 0
        while begin < count:
            annotator = whose[begin]
            best = 0.0
            arg = -1
            index = begin
            while index < count and whose[index] == annotator:
                if gain[index] > best:
                    best = gain[index]
                    arg = index
                index += 1
            begin = index
            if annotator != fixed:
                rise = best - gain[member[annotator]] if member[annotator] >= 0 else best
                if rise > most:
                    most = rise
                    chosen = arg
                    changing = annotator
        if changing < 0:
            return
        if member[changing] >= 0:
            take_out(member[changing], count, at, weight, ascent)
        if chosen >= 0:
            put_in(chosen, count, at, weight, ascent)


@kernel
def put_in(index: int, count: int, at: IntArray, weight: FloatArray, ascent: Ascent) -> None:
    """Make a candidate a member."""
    unit, whose, gain, member = ascent
    member[whose[index]] = index
    row = at[unit[index]]
    for other in range(count):
        gain[other] += weight[row + unit[other]]


@kernel
def take_out(index: int, count: int, at: IntArray, weight: FloatArray, ascent: Ascent) -> None:
    """Make a member a candidate again."""
    unit, whose, gain, member = ascent
    member[whose[index]] = -1
    row = at[unit[index]]
    for other in range(count):
        gain[other] -= weight[row + unit[other]]


@kernel
def group_cost(members: IntArray, begin: int, end: int, at: IntArray, weight: FloatArray) -> float:
    """Return 1 - Σ_pairs w."""
    total = 1.0
    for index in range(begin, end):
        row = at[members[index]]
        for later in range(index + 1, end):
            total -= weight[row + members[later]]
    return total


@kernel
def group_costs(bounds: IntArray, members: IntArray, at: IntArray, weight: FloatArray) -> FloatArray:
    """Return what each group costs."""
    cost = floats(len(bounds) - 1, 0.0)
    for group in range(len(cost)):
        cost[group] = group_cost(members, bounds[group], bounds[group + 1], at, weight)
    return cost
