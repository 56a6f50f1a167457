"""A grouping of units improved by taking groups apart and putting them together again; weights as in `climbing`.

In these weights, a grouping costs the number of its groups less all weights inside them. What counts most is the number
of groups, as in bin packing, and single moves rarely change it. So a few neighbouring groups are taken apart at random,
and their units put where they are worth most at prices ("ruin and recreate" [1]_); moves, exchanges and merges follow,
and the result is kept if it is better, or at first if it is not much worse.

References
----------
.. [1] Schrimpf, G., Schneider, J., Stamm-Wilbrandt, H. & Dueck, G. (2000). Record breaking optimization results using
       the ruin and recreate principle. Journal of Computational Physics 159, 139–171.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from unisono.arrays import FloatArray, IntArray
from unisono.kernels.climbing import FAR, NEAR, ROUNDING, Ascent, climb, group_cost, put_in
from unisono.kernels.randomness import threefry, uniform
from unisono.kernels.switch import kernel
from unisono.kernels.workspace import floats, ints, longer

_MOST_RUINED = 4
"""Groups to take apart at a time."""
_STAYING = 0.3
"""The part of the units that stay, half of the time."""
_SHAKE = 0.3
"""By which part prices differ at random while groups are put together."""
_CLOSE = 1.05
"""Groups of groupings up to so many times the best cost are worth knowing."""


class Grouping(NamedTuple):
    """Units in groups, all weights at hand.

    Attributes
    ----------
    who : int64 array, shape (n_units,)
        The annotator of each unit.
    at, weight : array
        The weight of u and v is weight[at[u] + v], for all units.
    group_of : int64 array, shape (n_units,)
        The group of each unit, -1 for none.
    size : int64 array, shape (n_units,)
        How many units each group has; there are as many places for groups as units.
    table : int64 array, shape (n_units * n_annotators,)
        The unit of each group and annotator, -1 for none.
    sums : float64 array, shape (n_units * n_units,)
        The sum of the weights between each group and unit.
    top : int64 array, shape (1,)
        No group is at this place or after it.
    n_annotators : int
        Number of annotators.
    """

    who: IntArray
    at: IntArray
    weight: FloatArray
    group_of: IntArray
    size: IntArray
    table: IntArray
    sums: FloatArray
    top: IntArray
    n_annotators: int


class Backup(NamedTuple):
    """Groups as they were before they were changed.

    Attributes
    ----------
    changed : int64 array
        The groups that were changed, `changed[-1]` of them.
    is_changed : int64 array, shape (n_units,)
        1 for these.
    size, table, sums : array
        See `Grouping`.
    """

    changed: IntArray
    is_changed: IntArray
    size: IntArray
    table: IntArray
    sums: FloatArray


class Known(NamedTuple):
    """Groups met on the way, each once.

    Attributes
    ----------
    keys : int64 array
        A table of the keys of the groups, by their last bits; 0 where there is none.
    unit_key : int64 array, shape (n_units,)
        A random number for each unit; the key of a group is the exclusive or of its units'.
    """

    keys: IntArray
    unit_key: IntArray


@kernel
def ruin_and_recreate(
    who: IntArray,
    weight: FloatArray,
    n_annotators: int,
    price: FloatArray,
    given: bool,
    group_of: IntArray,
    iterations: int,
    heat: float,
    seed: int,
    most: int,
) -> tuple[IntArray, IntArray, FloatArray, float]:
    """Improve a grouping; return groups of good groupings met on the way, and the cost of the best.

    Parameters
    ----------
    who : int64 array, shape (n_units,)
        The annotator of each unit.
    weight : float64 array, shape (n_units * n_units,)
        See `climbing`; all rows are complete.
    price : float64 array, shape (n_units,)
        What each unit should cost; changed in place unless `given`.
    given : bool
        Whether to keep to the prices; otherwise they are what each unit costs in the current grouping.
    group_of : int64 array, shape (n_units,)
        The names of the units' groups, -1 for none; changed in place to the best grouping, with names from 0 on.
    iterations : int
        How often groups are taken apart.
    heat : float
        How much worse a grouping may get at first, as in simulated annealing; that falls to 0.
    seed : int
        Which random numbers.
    most : int
        How many groups to return at most; a power of 2.
    """
    n_units = len(who)
    at = ints(n_units, 0)
    for unit in range(n_units):
        at[unit] = unit * n_units
    groups = Grouping(
        who,
        at,
        weight,
        ints(n_units, -1),
        ints(n_units, 0),
        ints(n_units * n_annotators, -1),
        floats(n_units * n_units, 0.0),
        ints(1, 0),
        n_annotators,
    )
    backup = Backup(
        ints(n_units + 1, 0),
        ints(n_units, 0),
        ints(n_units, 0),
        ints(n_units * n_annotators, -1),
        floats(n_units * n_units, 0.0),
    )
    known = Known(ints(2 * most, 0), ints(n_units, 0))
    for unit in range(n_units):
        x, y = threefry(n_units, 1, unit, 0)
        known.unit_key[unit] = (x << 30) ^ y
    ascent = Ascent(ints(n_units, 0), ints(n_units, 0), floats(n_units, 0.0), ints(n_annotators, -1))
    by_annotator = sorted_by_annotator(who, n_annotators)
    shaken = floats(n_units, 0.0)
    free = ints(n_units, 0)
    bounds = ints(most + 1, 0)
    members = ints(8 * n_units + n_annotators, 0)
    cost = floats(most, 0.0)
    n_groups = bounds[0]

    # the grouping to begin with
    n_free = bounds[0]
    for unit in range(n_units):
        if group_of[unit] >= 0:
            join_group(unit, group_of[unit], groups, backup)
        else:
            free[n_free] = unit
            n_free += 1
        shaken[unit] = price[unit]
    recreate(free, n_free, shaken, by_annotator, ascent, groups, backup)
    settle(groups, backup)
    current = whole_cost(groups, price, given)
    best = current
    keep_grouping(groups, group_of)
    members, n_groups = keep_groups(groups, backup, known, bounds, members, cost, n_groups, most)
    for iteration in range(iterations):
        number = 4
        forget(backup)
        n_free, number = ruin(free, groups, backup, seed, iteration, number)
        for index in range(n_free - 1, 0, -1):
            other = int(uniform(seed, 0, iteration, number) * (index + 1))
            number += 1
            free[index], free[other] = free[other], free[index]
        for index in range(n_free):
            unit = free[index]
            turn = 2.0 * uniform(seed, 0, iteration, number) - 1.0
            number += 1
            shaken[unit] = price[unit] + _SHAKE * turn * abs(price[unit])
        recreate(free, n_free, shaken, by_annotator, ascent, groups, backup)
        settle(groups, backup)
        new = whole_cost(groups, price, True)
        allowed = heat * (1.0 - iteration / iterations)
        if new < current - ROUNDING or new < current - allowed * math.log(1.0 - uniform(seed, 0, iteration, 3)):
            current = new
            whole_cost(groups, price, given)
            if new < best - ROUNDING:
                best = new
                keep_grouping(groups, group_of)
            if new < _CLOSE * best:
                members, n_groups = keep_groups(groups, backup, known, bounds, members, cost, n_groups, most)
        else:
            restore(groups, backup)
    return bounds[: n_groups + 1], members[: bounds[n_groups]], cost[:n_groups], best


@kernel
def sorted_by_annotator(who: IntArray, n_annotators: int) -> IntArray:
    """Return the units sorted by annotator."""
    place = ints(n_annotators + 1, 0)
    for unit in range(len(who)):
        place[who[unit] + 1] += 1
    for annotator in range(n_annotators):
        place[annotator + 1] += place[annotator]
    order = ints(len(who), 0)
    for unit in range(len(who)):
        order[place[who[unit]]] = unit
        place[who[unit]] += 1
    return order


@kernel
def ruin(free: IntArray, groups: Grouping, backup: Backup, seed: int, iteration: int, number: int) -> tuple[int, int]:
    """Take some groups near a random unit apart, whole or in part; return how many units are free now."""
    _, _, _, group_of, size, table, sums, top, n_annotators = groups
    n_units = len(group_of)
    middle = int(uniform(seed, 0, iteration, 0) * n_units)
    n_ruined = 1 + int(uniform(seed, 0, iteration, 1) * _MOST_RUINED)
    in_part = uniform(seed, 0, iteration, 2) < 0.5
    n_free = 0
    for turn in range(n_ruined):
        chosen = group_of[middle] if turn == 0 else -1
        if turn > 0:
            nearest = -np.inf
            for group in range(top[0]):
                if size[group] > 0 and backup.is_changed[group] == 0:
                    near = sums[group * n_units + middle] / size[group]
                    if near > nearest:
                        nearest = near
                        chosen = group
        if chosen < 0:
            break
        save(chosen, groups, backup)
        for annotator in range(n_annotators):
            unit = table[chosen * n_annotators + annotator]
            if unit >= 0:
                number += 1
                if not in_part or uniform(seed, 0, iteration, number - 1) >= _STAYING:
                    free[n_free] = unit
                    n_free += 1
    for index in range(n_free):
        leave(free[index], groups, backup)
    return n_free, number


@kernel
def recreate(
    free: IntArray,
    n_free: int,
    price: FloatArray,
    by_annotator: IntArray,
    ascent: Ascent,
    groups: Grouping,
    backup: Backup,
) -> None:
    """Put free units, in their order, into the group where they cost least or into a new one, worth more or less."""
    who, at, weight, group_of, size, table, sums, top, n_annotators = groups
    unit_at, whose, gain, member = ascent
    n_units = len(who)
    for index in range(n_free):
        unit = free[index]
        if group_of[unit] >= 0:
            continue
        best = -np.inf
        target = -1
        for group in range(top[0]):
            taken = size[group] == 0 or table[group * n_annotators + who[unit]] >= 0
            if not taken and sums[group * n_units + unit] > best:
                best = sums[group * n_units + unit]
                target = group
        count = 0
        origin = 0
        for annotator in range(n_annotators):
            member[annotator] = -1
        for place in range(n_units):
            other = by_annotator[place]
            if group_of[other] < 0 and weight[at[unit] + other] > NEAR:
                if other == unit:
                    origin = count
                unit_at[count] = other
                whose[count] = who[other]
                gain[count] = price[other]
                count += 1
        put_in(origin, count, at, weight, ascent)
        climb(count, who[unit], at, weight, ascent)
        value = new_value(price, ascent, n_annotators)
        if target >= 0 and price[unit] + best >= value:
            join_group(unit, target, groups, backup)
            continue
        place = 0
        while size[place] > 0:
            place += 1
        for annotator in range(n_annotators):
            if member[annotator] >= 0:
                join_group(unit_at[member[annotator]], place, groups, backup)


@kernel
def new_value(price: FloatArray, ascent: Ascent, n_annotators: int) -> float:
    """Return what the group of an ascent is worth: Σπ + Σ_pairs w - 1."""
    # the gain of a member is its price and its weights, and every weight is in two of them
    value = -1.0
    for annotator in range(n_annotators):
        if ascent.member[annotator] >= 0:
            index = ascent.member[annotator]
            value += (ascent.gain[index] + price[ascent.unit[index]]) / 2.0
    return value


@kernel
def settle(groups: Grouping, backup: Backup) -> None:
    """Move units, exchange them and merge groups around what has changed, while that lowers the cost."""
    who, _, _, group_of, size, table, sums, top, n_annotators = groups
    n_units = len(who)
    fresh = ints(n_units, 0)
    for index in range(backup.changed[n_units]):
        fresh[backup.changed[index]] = 1
    going = True
    while going:
        going = False
        for here in range(n_units):
            if here >= top[0]:
                break
            if fresh[here] == 0 or size[here] == 0:
                continue
            fresh[here] = 0
            # what is inside goes elsewhere
            for annotator in range(n_annotators):
                unit = table[here * n_annotators + annotator]
                if unit < 0:
                    continue
                own = sums[here * n_units + unit]
                alone = 1.0 if size[here] == 1 else 0.0
                best = -ROUNDING
                target = -1
                for there in range(top[0]):
                    if size[there] == 0 or there == here:
                        continue
                    change = own - sums[there * n_units + unit]
                    rival = table[there * n_annotators + annotator]
                    if rival >= 0:
                        change += sums[there * n_units + rival] - sums[here * n_units + rival]
                    else:
                        change -= alone
                    if change < best:
                        best = change
                        target = there
                if size[here] > 1 and 1.0 + own < best:
                    target = 0
                    while size[target] > 0:
                        target += 1
                if target >= 0:
                    exchange(unit, target, groups, backup)
                    fresh[here], fresh[target] = 1, 1
                    going = True
            # what is outside comes in
            for unit in range(n_units):
                there = group_of[unit]
                if there == here or size[here] == 0:
                    continue
                change = sums[there * n_units + unit] - sums[here * n_units + unit]
                rival = table[here * n_annotators + who[unit]]
                if rival >= 0:
                    change += sums[here * n_units + rival] - sums[there * n_units + rival]
                elif size[there] == 1:
                    change -= 1.0
                if change < -ROUNDING:
                    exchange(unit, here, groups, backup)
                    fresh[here], fresh[there] = 1, 1
                    going = True
            # merging saves a group and brings in the weights between both
            if size[here] > 0:
                best = -1.0 + ROUNDING
                target = -1
                for there in range(top[0]):
                    if size[there] == 0 or there == here:
                        continue
                    across = 0.0
                    for annotator in range(n_annotators):
                        unit = table[here * n_annotators + annotator]
                        if unit >= 0:
                            if table[there * n_annotators + annotator] >= 0:
                                across = -np.inf
                                break
                            across += sums[there * n_units + unit]
                    if across > best:
                        best = across
                        target = there
                if target >= 0:
                    for annotator in range(n_annotators):
                        unit = table[here * n_annotators + annotator]
                        if unit >= 0:
                            leave(unit, groups, backup)
                            join_group(unit, target, groups, backup)
                    fresh[target] = 1
                    going = True


@kernel
def exchange(unit: int, target: int, groups: Grouping, backup: Backup) -> None:
    """Move a unit to a group; its rival there, if any, takes its place."""
    home = groups.group_of[unit]
    rival = groups.table[target * groups.n_annotators + groups.who[unit]]
    leave(unit, groups, backup)
    if rival >= 0:
        leave(rival, groups, backup)
        join_group(rival, home, groups, backup)
    join_group(unit, target, groups, backup)


@kernel
def join_group(unit: int, group: int, groups: Grouping, backup: Backup) -> None:
    """Put a unit into a group."""
    save(group, groups, backup)
    n_units = len(groups.who)
    groups.group_of[unit] = group
    groups.table[group * groups.n_annotators + groups.who[unit]] = unit
    groups.size[group] += 1
    groups.top[0] = max(groups.top[0], group + 1)
    sums, weight = groups.sums, groups.weight
    to, row = group * n_units, groups.at[unit]
    for other in range(n_units):
        sums[to + other] += weight[row + other]


@kernel
def leave(unit: int, groups: Grouping, backup: Backup) -> None:
    """Take a unit out of its group."""
    group = groups.group_of[unit]
    save(group, groups, backup)
    n_units = len(groups.who)
    groups.group_of[unit] = -1
    groups.table[group * groups.n_annotators + groups.who[unit]] = -1
    groups.size[group] -= 1
    sums, weight = groups.sums, groups.weight
    to, row = group * n_units, groups.at[unit]
    if groups.size[group] == 0:  # no rounding is carried on
        for other in range(n_units):
            sums[to + other] = 0.0
    else:
        for other in range(n_units):
            sums[to + other] -= weight[row + other]


@kernel
def whole_cost(groups: Grouping, price: FloatArray, given: bool) -> float:
    """Return what the grouping costs, and set prices to the units' parts of it unless they are given."""
    # cost(S) = 1 - Σ_pairs w = Σ_{u∈S} (1/|S| - ½ Σ_{v∈S} w(u, v))
    n_units = len(groups.who)
    total = 0.0
    for unit in range(n_units):
        group = groups.group_of[unit]
        part = 1.0 / groups.size[group] - groups.sums[group * n_units + unit] / 2.0
        total += part
        if not given:
            price[unit] = part
    return total


@kernel
def keep_grouping(groups: Grouping, group_of: IntArray) -> None:
    """Copy the grouping."""
    for unit in range(len(group_of)):
        group_of[unit] = groups.group_of[unit]


@kernel
def keep_groups(
    groups: Grouping,
    backup: Backup,
    known: Known,
    bounds: IntArray,
    members: IntArray,
    cost: FloatArray,
    n_groups: int,
    most: int,
) -> tuple[IntArray, int]:
    """Append the changed groups of two and more units that are not known yet."""
    n_annotators = groups.n_annotators
    for index in range(backup.changed[len(groups.who)]):
        group = backup.changed[index]
        if groups.size[group] < 2 or n_groups == most:
            continue
        begin = bounds[n_groups]
        if begin + n_annotators > len(members):
            members = longer(members)
        end = begin
        key = 0
        for annotator in range(n_annotators):
            unit = groups.table[group * n_annotators + annotator]
            if unit >= 0:
                members[end] = unit
                end += 1
                key ^= known.unit_key[unit]
        # two groups may have the same key: then one is not kept, which proves nothing wrong
        place = key % len(known.keys)
        while known.keys[place] != 0 and known.keys[place] != key:
            place = (place + 1) % len(known.keys)
        if known.keys[place] == 0:
            known.keys[place] = key
            cost[n_groups] = group_cost(members, begin, end, groups.at, groups.weight)
            n_groups += 1
            bounds[n_groups] = end
    return members, n_groups


@kernel
def save(group: int, groups: Grouping, backup: Backup) -> None:
    """Remember a group as it is, unless it was changed before."""
    if backup.is_changed[group] == 1:
        return
    n_units, n_annotators = len(groups.who), groups.n_annotators
    backup.is_changed[group] = 1
    backup.changed[backup.changed[n_units]] = group
    backup.changed[n_units] += 1
    backup.size[group] = groups.size[group]
    for index in range(group * n_annotators, (group + 1) * n_annotators):
        backup.table[index] = groups.table[index]
    for index in range(group * n_units, (group + 1) * n_units):
        backup.sums[index] = groups.sums[index]


@kernel
def restore(groups: Grouping, backup: Backup) -> None:
    """Undo all changes."""
    n_units, n_annotators = len(groups.who), groups.n_annotators
    for turn in range(backup.changed[n_units]):
        group = backup.changed[turn]
        groups.size[group] = backup.size[group]
        for index in range(group * n_annotators, (group + 1) * n_annotators):
            unit = backup.table[index]
            groups.table[index] = unit
            if unit >= 0:
                groups.group_of[unit] = group
        for index in range(group * n_units, (group + 1) * n_units):
            groups.sums[index] = backup.sums[index]


@kernel
def forget(backup: Backup) -> None:
    """Take the groups as they are for unchanged."""
    n_units = len(backup.is_changed)
    for turn in range(backup.changed[n_units]):
        backup.is_changed[backup.changed[turn]] = 0
    backup.changed[n_units] = 0


@kernel
def weights_between(
    units: IntArray, who: IntArray, at: IntArray, weight: FloatArray, begin: IntArray, end: IntArray
) -> FloatArray:
    """Return the weights between some units as complete rows; the row of unit u has begin[u] … end[u] - 1."""
    count = len(units)
    between = floats(count * count, FAR)
    for index in range(count):
        unit = units[index]
        for place in range(count):
            other = units[place]
            if begin[unit] <= other < end[unit]:
                between[index * count + place] = weight[at[unit] + other]
            elif who[unit] == who[other]:
                between[index * count + place] = 0.0
    return between
