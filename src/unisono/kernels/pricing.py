"""Groups of units found as they are needed: by local search, and by what they would save at given prices.

In units of Δ∅, a group S saves Σ_pairs (1 - d)/C against 1, so its cost is 1 - Σ_pairs w with w = (1 - d)/C. The pairs
are stored for both units: the neighbours of unit u are `other[starts[u] : starts[u + 1]]`, sorted, with their `weight`.
Units without a weight never meet. At prices π, the value of a group is Σ_{u∈S} π_u + Σ_pairs w - 1: its reduced cost
with the other sign.
"""

from __future__ import annotations

import numpy as np

from unisono.arrays import BoolArray, FloatArray, IntArray
from unisono.kernels.room import bools, copied, floats, ints, longer, longer_floats
from unisono.kernels.sorting import sort_run_by
from unisono.kernels.switch import kernel


@kernel
def search(
    starts: IntArray,
    other: IntArray,
    weight: FloatArray,
    annotator: IntArray,
    n_annotators: int,
    rank: IntArray,
    price: FloatArray,
    firsts: IntArray,
    worth: float,
    every: bool,
    effort: int,
    total_effort: int,
    most: int,
) -> tuple[IntArray, IntArray, FloatArray, FloatArray, int]:
    """Find groups of two and more units by value, each among those with the same first unit.

    Branch and bound on the extremes: the first and the last unit of a group, by rank, are fixed; the others lie between
    and have a weight to both. What a set of candidates can add is bounded by half of each unit's best weights.

    Parameters
    ----------
    rank : int64 array, shape (n_units,)
        Any order of the units; the search is fast if it is that of their positions.
    price : float64 array, shape (n_units,)
        π.
    firsts : int64 array
        The first units of the groups to look for.
    worth : float
        Look for groups of a greater value only.
    every : bool
        Whether to find all of them, or better and better ones until the best for each first unit.
    effort : int
        Pairs to look at for each first unit, about.
    total_effort : int
        Begin no other first unit after so many.
    most : int
        Stop at so many groups.

    Returns
    -------
    bounds, members, cost : array
        The groups found.
    limit : float64 array, shape (n_done,)
        No group with this first unit has a greater value than this; with `every`, none besides those found has.
    n_stopped : int
        How many first units were given up, by effort or number.
    """
    half = half_weights(starts, other, weight, annotator)
    widest = 0
    for unit in range(len(annotator)):
        widest = max(widest, starts[unit + 1] - starts[unit])
    unit_at = ints(widest, 0)
    who = ints(widest, 0)
    place = ints(len(annotator), -1)
    to_first = floats(widest, 0.0)
    hope = floats(widest, 0.0)
    between = np.empty((widest, widest))
    lasts = ints(widest, 0)
    last_limit = floats(widest, 0.0)
    # one level a member, the first unit apart, which all gains contain
    live = np.empty((n_annotators + 1, widest), np.int64)
    n_live = ints(n_annotators + 1, 0)
    gain = np.empty((n_annotators + 1, widest))
    group = ints(n_annotators + 1, 0)
    value = floats(n_annotators + 1, 0.0)
    bounds = ints(4 * len(firsts) + 16, 0)
    members = ints(16 * len(firsts) + n_annotators, 0)
    cost = floats(4 * len(firsts) + 16, 0.0)
    n_groups = 0
    limit = floats(len(firsts), 0.0)
    n_done = 0
    n_stopped = 0
    n_looks = 0
    for turn in range(len(firsts)):
        if n_looks > total_effort:
            break
        n_done += 1
        first = firsts[turn]
        alone = price[first] - 1.0
        count = candidates(first, starts, other, weight, annotator, rank, price, half, worth, unit_at, to_first, hope)
        weights_between(unit_at, count, starts, other, weight, place, between)
        for index in range(count):
            who[index] = annotator[unit_at[index]]
            live[0, index] = index
            gain[0, index] = price[unit_at[index]] + to_first[index]
        _, n_live[0] = tighten(live[0], count, gain[0], between, who, hope, alone, worth)
        n_lasts = 0
        for index in range(n_live[0]):
            last = live[0, index]
            last_limit[last] = -limit_of_last(
                last, live[0], n_live[0], unit_at, who, rank, gain[0], hope, between, alone
            )
            if last_limit[last] < -worth:
                lasts[n_lasts] = last
                n_lasts += 1
        sort_run_by(lasts, last_limit, 0, n_lasts)
        looks = 3 * count * count
        limit[turn] = worth
        value[0] = alone
        for index in range(n_lasts):
            last = lasts[index]
            wanted = worth if every else limit[turn]
            if -last_limit[last] <= wanted:
                break
            count = 0
            for at in range(n_live[0]):
                unit = live[0, at]
                if rank[unit_at[unit]] < rank[unit_at[last]] and between[last, unit] > -np.inf:
                    live[1, count] = unit
                    gain[1, unit] = gain[0, unit] + between[last, unit]
                    count += 1
            n_live[1] = count
            group[1] = last
            value[1] = alone + gain[0, last]
            before = n_groups
            bounds, members, cost, n_groups, looks, reached, stopped = explore(
                live,
                n_live,
                gain,
                group,
                value,
                between,
                who,
                hope,
                wanted,
                every,
                looks,
                effort,
                most,
                bounds,
                members,
                cost,
                n_groups,
            )
            name_members(before, n_groups, bounds, members, cost, first, unit_at, price)
            limit[turn] = max(limit[turn], min(reached, -last_limit[last]))
            if stopped:
                n_stopped += 1
                if index + 1 < n_lasts:
                    limit[turn] = max(limit[turn], -last_limit[lasts[index + 1]])
                break
        n_looks += looks
    return bounds[: n_groups + 1], members[: bounds[n_groups]], cost[:n_groups], limit[:n_done], n_stopped


@kernel
def explore(
    live: IntArray,
    n_live: IntArray,
    gain: FloatArray,
    group: IntArray,
    value: FloatArray,
    between: FloatArray,
    who: IntArray,
    hope: FloatArray,
    wanted: float,
    every: bool,
    looks: int,
    effort: int,
    most: int,
    bounds: IntArray,
    members: IntArray,
    cost: FloatArray,
    n_groups: int,
) -> tuple[IntArray, IntArray, FloatArray, int, int, float, bool]:
    """Find groups of a value above `wanted` from level 1 on, and append them: branch and bound.

    Members are given by their places, the value stands where the cost will be. Further results are the looks so
    far, what no group besides those found exceeds (without `every`: what none at all exceeds), and whether that is
    for want of effort or room.
    """
    reached = wanted
    hoped = np.inf
    level = 1
    fresh = True
    while level >= 1:
        if fresh and value[level] > wanted:
            if n_groups == most:
                return bounds, members, cost, n_groups, looks, hoped, True
            begin = bounds[n_groups]
            if n_groups + 1 == len(bounds):
                bounds = longer(bounds)
                cost = longer_floats(cost)
            if begin + level + 1 > len(members):
                members = longer(members)
            for index in range(1, level + 1):
                members[begin + index] = group[index]
            cost[n_groups] = value[level]
            bounds[n_groups + 1] = begin + level + 1
            n_groups += 1
            if not every:
                wanted = value[level]
                reached = wanted
        looks += n_live[level] * n_live[level]
        total, n_live[level] = tighten(
            live[level], n_live[level], gain[level], between, who, hope, value[level], wanted
        )
        if hoped == np.inf:
            hoped = max(total, reached)
        if n_live[level] == 0:
            level -= 1
            fresh = False
            continue
        if looks > effort:
            return bounds, members, cost, n_groups, looks, hoped, True
        # with the chosen candidate on the next level; afterwards without it on this one
        chosen = most_regretted(live[level], n_live[level], who, hope)
        unit = live[level, chosen]
        count = 0
        for index in range(n_live[level]):
            candidate = live[level, index]
            if between[unit, candidate] > -np.inf:
                live[level + 1, count] = candidate
                gain[level + 1, candidate] = gain[level, candidate] + between[unit, candidate]
                count += 1
        n_live[level] -= 1
        for index in range(chosen, n_live[level]):
            live[level, index] = live[level, index + 1]
        n_live[level + 1] = count
        group[level + 1] = unit
        value[level + 1] = value[level] + gain[level, unit]
        level += 1
        fresh = True
    return bounds, members, cost, n_groups, looks, reached, False


@kernel
def name_members(
    begin: int,
    end: int,
    bounds: IntArray,
    members: IntArray,
    cost: FloatArray,
    first: int,
    unit_at: IntArray,
    price: FloatArray,
) -> None:
    """Turn places into units and values into costs, for groups that `explore` appended."""
    for group in range(begin, end):
        cost[group] = price[first] - cost[group]
        members[bounds[group]] = first
        for index in range(bounds[group] + 1, bounds[group + 1]):
            members[index] = unit_at[members[index]]
            cost[group] += price[members[index]]


@kernel
def half_weights(starts: IntArray, other: IntArray, weight: FloatArray, annotator: IntArray) -> FloatArray:
    """Give half of what each unit can gain at most from its best neighbour of each annotator."""
    half = floats(len(annotator), 0.0)
    for unit in range(len(annotator)):
        best = 0.0
        for edge in range(starts[unit], starts[unit + 1]):
            if edge > starts[unit] and annotator[other[edge]] != annotator[other[edge - 1]]:
                half[unit] += best / 2.0
                best = 0.0
            best = max(best, weight[edge])
        half[unit] += best / 2.0
    return half


@kernel
def candidates(
    first: int,
    starts: IntArray,
    other: IntArray,
    weight: FloatArray,
    annotator: IntArray,
    rank: IntArray,
    price: FloatArray,
    half: FloatArray,
    worth: float,
    unit_at: IntArray,
    to_first: FloatArray,
    hope: FloatArray,
) -> int:
    """List who can follow the first unit in a group of a value above `worth`; gives their number."""
    count = 0
    for edge in range(starts[first], starts[first + 1]):
        unit = other[edge]
        if rank[unit] > rank[first]:
            unit_at[count] = unit
            to_first[count] = weight[edge]
            count += 1
    hoped = price[first] - 1.0
    begin = 0
    while begin < count:
        best = 0.0
        end = begin
        while end < count and annotator[unit_at[end]] == annotator[unit_at[begin]]:
            hope[end] = price[unit_at[end]] + to_first[end] + half[unit_at[end]]
            best = max(best, hope[end])
            end += 1
        for index in range(begin, end):
            hope[index] -= best
        hoped += best
        begin = end
    kept = 0
    for index in range(count):
        if hoped + hope[index] > worth:
            unit_at[kept] = unit_at[index]
            to_first[kept] = to_first[index]
            kept += 1
    return kept


@kernel
def weights_between(
    unit_at: IntArray,
    count: int,
    starts: IntArray,
    other: IntArray,
    weight: FloatArray,
    place: IntArray,
    between: FloatArray,
) -> None:
    """Write the weights between listed units as a matrix, -inf where there is none."""
    for index in range(count):
        place[unit_at[index]] = index
    for row in range(count):
        for column in range(count):
            between[row, column] = -np.inf
        unit = unit_at[row]
        for edge in range(starts[unit], starts[unit + 1]):
            if place[other[edge]] >= 0:
                between[row, place[other[edge]]] = weight[edge]
    for index in range(count):
        place[unit_at[index]] = -1


@kernel
def limit_of_last(
    last: int,
    live: IntArray,
    n_live: int,
    unit_at: IntArray,
    who: IntArray,
    rank: IntArray,
    gain: FloatArray,
    hope: FloatArray,
    between: FloatArray,
    value: float,
) -> float:
    """Bound the value of groups with this last unit; `hope` has the gains with half of the weights between."""
    total = value + gain[last]
    best = 0.0
    for index in range(n_live):
        unit = live[index]
        if index > 0 and who[unit] != who[live[index - 1]]:
            total += best
            best = 0.0
        if rank[unit_at[unit]] < rank[unit_at[last]]:
            best = max(best, hope[unit] + between[last, unit])
    return total + best


@kernel
def tighten(
    live: IntArray,
    n_live: int,
    gain: FloatArray,
    between: FloatArray,
    who: IntArray,
    hope: FloatArray,
    value: float,
    worth: float,
) -> tuple[float, int]:
    """Drop candidates that cannot be in a group of a value above `worth`; bound what the others can reach.

    `gain` is what a candidate adds to the members so far; `hope`, an output, is that and half of its best weights to
    other candidates. `live` is changed in place; its new length is the second result.
    """
    while True:
        total = value
        begin = 0
        while begin < n_live:
            end = begin
            best = 0.0
            while end < n_live and who[live[end]] == who[live[begin]]:
                unit = live[end]
                half = 0.0
                partner = 0.0
                for index in range(n_live):
                    if index > 0 and who[live[index]] != who[live[index - 1]]:
                        half += partner
                        partner = 0.0
                    partner = max(partner, between[unit, live[index]])
                hope[unit] = gain[unit] + (half + partner) / 2.0
                best = max(best, hope[unit])
                end += 1
            total += best
            begin = end
        if total <= worth:
            return total, 0
        kept = 0
        begin = 0
        while begin < n_live:
            end = begin
            best = 0.0
            while end < n_live and who[live[end]] == who[live[begin]]:
                best = max(best, hope[live[end]])
                end += 1
            for index in range(begin, end):
                if total - best + hope[live[index]] > worth:
                    live[kept] = live[index]
                    kept += 1
            begin = end
        if kept == n_live:
            return total, kept
        n_live = kept


@kernel
def most_regretted(live: IntArray, n_live: int, who: IntArray, hope: FloatArray) -> int:
    """Find the candidate without which the bound falls most."""
    chosen = 0
    regret = -np.inf
    begin = 0
    while begin < n_live:
        best = -np.inf
        second = 0.0
        best_index = begin
        end = begin
        while end < n_live and who[live[end]] == who[live[begin]]:
            if hope[live[end]] > best:
                second = max(second, best)
                best = hope[live[end]]
                best_index = end
            else:
                second = max(second, hope[live[end]])
            end += 1
        if best - second > regret:
            regret = best - second
            chosen = best_index
        begin = end
    return chosen


@kernel
def share_prices(
    starts: IntArray, other: IntArray, weight: FloatArray, annotator: IntArray, n_annotators: int
) -> FloatArray:
    """Give prices that are feasible for all groups: the least that a unit bears in a group of any size.

    cost(S) = Σ_{u∈S} (1/|S| - ½ Σ_{v∈S} w(u, v)): with k members, at least 1/k less half of u's k - 1 best weights.
    """
    price = floats(len(annotator), 1.0)
    best = floats(n_annotators, 0.0)
    order = ints(n_annotators, 0)
    for unit in range(len(annotator)):
        count = 0
        for edge in range(starts[unit], starts[unit + 1]):
            if edge == starts[unit] or annotator[other[edge]] != annotator[other[edge - 1]]:
                best[count] = weight[edge]
                count += 1
            else:
                best[count - 1] = max(best[count - 1], weight[edge])
        for index in range(count):
            order[index] = index
            best[index] = -best[index]
        sort_run_by(order, best, 0, count)
        saved = 0.0
        for size in range(2, count + 2):
            saved -= best[order[size - 2]] / 2.0
            price[unit] = min(price[unit], 1.0 / size - saved)
    return price


@kernel
def merge_greedily(
    starts: IntArray,
    other: IntArray,
    weight: FloatArray,
    annotator: IntArray,
    n_annotators: int,
    first: IntArray,
    second: IntArray,
    table: IntArray,
    group_of: IntArray,
) -> None:
    """Merge the groups of pair after pair, as given, where that lowers the cost.

    `table` has the unit of each group and annotator, -1 for none; it and `group_of` are changed in place.
    """
    for pair in range(len(first)):
        here, there = group_of[first[pair]], group_of[second[pair]]
        if here == there:
            continue
        free = True
        for who in range(n_annotators):
            free = free and (table[here, who] < 0 or table[there, who] < 0)
        if free and merged_weight(here, there, starts, other, weight, table, group_of, n_annotators) > -1.0:
            move_group(there, here, table, group_of, n_annotators)


@kernel
def merged_weight(
    here: int,
    there: int,
    starts: IntArray,
    other: IntArray,
    weight: FloatArray,
    table: IntArray,
    group_of: IntArray,
    n_annotators: int,
) -> float:
    """Add up the weights between two groups; -inf if some pair has none."""
    total = 0.0
    missing = 0
    size = 0
    for who in range(n_annotators):
        if table[there, who] >= 0:
            size += 1
    for who in range(n_annotators):
        unit = table[here, who]
        if unit >= 0:
            missing += size
            for edge in range(starts[unit], starts[unit + 1]):
                if group_of[other[edge]] == there:
                    total += weight[edge]
                    missing -= 1
    return total if missing == 0 else -np.inf


@kernel
def move_group(source: int, target: int, table: IntArray, group_of: IntArray, n_annotators: int) -> None:
    """Move all units of one group to another."""
    for who in range(n_annotators):
        unit = table[source, who]
        if unit >= 0:
            table[target, who] = unit
            group_of[unit] = target
            table[source, who] = -1


@kernel
def improve(
    starts: IntArray,
    other: IntArray,
    weight: FloatArray,
    annotator: IntArray,
    n_annotators: int,
    table: IntArray,
    group_of: IntArray,
    active: BoolArray,
) -> float:
    """Move units, exchange them and merge groups around active units while that lowers the cost; tell by how much."""
    n_units = len(annotator)
    to = floats(n_units, 0.0)
    count = ints(n_units, 0)
    touched = ints(n_units, 0)
    size = ints(n_units, 0)
    for unit in range(n_units):
        size[group_of[unit]] += 1
    empty = n_units - 1
    change = 0.0
    going = True
    while going:
        going = False
        for unit in range(n_units):
            if not active[unit]:
                continue
            active[unit] = False
            who = annotator[unit]
            home = group_of[unit]
            n_touched = weigh(unit, starts, other, weight, group_of, to, count, touched)
            own = to[home]
            best = 1.0 + own if size[home] > 1 else 0.0
            target = -2 if best < 0.0 else -1
            for index in range(n_touched):
                there = touched[index]
                if there == home:
                    continue
                rival = table[there, who]
                if count[there] == size[there]:
                    delta = own - to[there] - (1.0 if size[home] == 1 else 0.0)
                elif rival >= 0 and count[there] == size[there] - 1:
                    delta = (
                        own
                        - to[there]
                        + exchange(rival, unit, home, there, size[home] - 1, starts, other, weight, group_of)
                    )
                else:
                    continue
                if delta < best - 1e-12:
                    best = delta
                    target = there
            for index in range(n_touched):
                to[touched[index]] = 0.0
                count[touched[index]] = 0
            if target == -1 or best > -1e-12:
                continue
            if target == -2:
                while size[empty] > 0:
                    empty = empty - 1 if empty > 0 else n_units - 1
                target = empty
            rival = table[target, who]
            table[home, who] = rival
            table[target, who] = unit
            group_of[unit] = target
            if rival >= 0:
                group_of[rival] = home
            else:
                size[home] -= 1
                size[target] += 1
            change += best
            wake(home, table, active, n_annotators)
            wake(target, table, active, n_annotators)
            going = True
        if not going:
            merged = merge_any(starts, other, weight, n_annotators, table, group_of, size, to, count, touched, active)
            change += merged
            going = merged < 0.0
    return change


@kernel
def weigh(
    unit: int,
    starts: IntArray,
    other: IntArray,
    weight: FloatArray,
    group_of: IntArray,
    to: FloatArray,
    count: IntArray,
    touched: IntArray,
) -> int:
    """Add a unit's weights to each group to `to`, and how many there are to `count`; list the groups."""
    n_touched = 0
    for edge in range(starts[unit], starts[unit + 1]):
        there = group_of[other[edge]]
        if count[there] == 0:
            touched[n_touched] = there
            n_touched += 1
        to[there] += weight[edge]
        count[there] += 1
    return n_touched


@kernel
def exchange(
    rival: int,
    unit: int,
    home: int,
    there: int,
    n_home: int,
    starts: IntArray,
    other: IntArray,
    weight: FloatArray,
    group_of: IntArray,
) -> float:
    """Tell what it costs the rival to go from `there` to `home`, which the unit leaves with n_home others."""
    cost = 0.0
    for edge in range(starts[rival], starts[rival + 1]):
        if group_of[other[edge]] == there:
            cost += weight[edge]
        elif group_of[other[edge]] == home and other[edge] != unit:
            cost -= weight[edge]
            n_home -= 1
    return cost if n_home == 0 else np.inf


@kernel
def wake(group: int, table: IntArray, active: BoolArray, n_annotators: int) -> None:
    """Make the units of a group active."""
    for who in range(n_annotators):
        if table[group, who] >= 0:
            active[table[group, who]] = True


@kernel
def merge_any(
    starts: IntArray,
    other: IntArray,
    weight: FloatArray,
    n_annotators: int,
    table: IntArray,
    group_of: IntArray,
    size: IntArray,
    to: FloatArray,
    count: IntArray,
    touched: IntArray,
    active: BoolArray,
) -> float:
    """Merge each group with the best other one if that lowers the cost; tell by how much in all."""
    change = 0.0
    for here in range(len(size)):
        if size[here] == 0:
            continue
        n_touched = 0
        for who in range(n_annotators):
            unit = table[here, who]
            if unit >= 0:
                for edge in range(starts[unit], starts[unit + 1]):
                    there = group_of[other[edge]]
                    if count[there] == 0:
                        touched[n_touched] = there
                        n_touched += 1
                    to[there] += weight[edge]
                    count[there] += 1
        best = -1.0 + 1e-12
        target = -1
        for index in range(n_touched):
            there = touched[index]
            if there != here and count[there] == size[here] * size[there] and to[there] > best:
                best = to[there]
                target = there
            to[there] = 0.0
            count[there] = 0
        if target >= 0:
            move_group(here, target, table, group_of, n_annotators)
            size[target] += size[here]
            size[here] = 0
            wake(target, table, active, n_annotators)
            change -= 1.0 + best
    return change


@kernel
def shake(
    starts: IntArray,
    other: IntArray,
    weight: FloatArray,
    annotator: IntArray,
    n_annotators: int,
    group_of: IntArray,
    times: int,
    seed: int,
) -> tuple[float, int]:
    """Dissolve two neighbouring groups, improve, take it back unless the cost is lower; again and again."""
    n_units = len(annotator)
    active = bools(n_units)
    change = 0.0
    for _ in range(times):
        seed = (seed * 1103515245 + 12345) % 2147483648
        unit = (seed // 7) % n_units
        if starts[unit + 1] == starts[unit]:
            continue
        seed = (seed * 1103515245 + 12345) % 2147483648
        partner = other[starts[unit] + (seed // 7) % (starts[unit + 1] - starts[unit])]
        kept = copied(group_of)
        table = tabulate(group_of, annotator, n_annotators)
        delta = dissolve(group_of[unit], starts, other, weight, n_annotators, table, group_of, active)
        if group_of[partner] != group_of[unit]:
            delta += dissolve(group_of[partner], starts, other, weight, n_annotators, table, group_of, active)
        delta += improve(starts, other, weight, annotator, n_annotators, table, group_of, active)
        if delta < -1e-12:
            change += delta
        elif delta > 1e-12:
            for moved in range(n_units):
                group_of[moved] = kept[moved]
    return change, seed


@kernel
def tabulate(group_of: IntArray, annotator: IntArray, n_annotators: int) -> IntArray:
    """Give the unit of each group and annotator, -1 for none."""
    table = np.full((len(group_of), n_annotators), -1, np.int64)
    for unit in range(len(group_of)):
        table[group_of[unit], annotator[unit]] = unit
    return table


@kernel
def dissolve(
    group: int,
    starts: IntArray,
    other: IntArray,
    weight: FloatArray,
    n_annotators: int,
    table: IntArray,
    group_of: IntArray,
    active: BoolArray,
) -> float:
    """Put each unit of a group in a group of its own and make it active; tell the change of cost."""
    change = 0.0
    empty = 0
    remaining = 0
    for who in range(n_annotators):
        if table[group, who] >= 0:
            remaining += 1
    for who in range(n_annotators):
        unit = table[group, who]
        if unit < 0:
            continue
        active[unit] = True
        for edge in range(starts[unit], starts[unit + 1]):
            if group_of[other[edge]] == group:
                change += weight[edge]
        if remaining > 1:
            while occupied(empty, table, n_annotators):
                empty += 1
            table[group, who] = -1
            table[empty, who] = unit
            group_of[unit] = empty
            change += 1.0
            remaining -= 1
    return change


@kernel
def occupied(group: int, table: IntArray, n_annotators: int) -> bool:
    """Tell whether a group has a unit."""
    for who in range(n_annotators):
        if table[group, who] >= 0:
            return True
    return False


@kernel
def normal_matrix(bounds: IntArray, members: IntArray, scale: FloatArray, rank: IntArray, width: int) -> FloatArray:
    """Give A D Aᵀ as a band: A has a column for each group, D is `scale`; band[i, k] is row i + k of column i."""
    band = np.zeros((len(rank), width + 1))
    for group in range(len(scale)):
        for index in range(bounds[group], bounds[group + 1]):
            row = rank[members[index]]
            for again in range(bounds[group], bounds[group + 1]):
                column = rank[members[again]]
                if row >= column:
                    band[column, row - column] += scale[group]
    return band


@kernel
def factorize(band: FloatArray) -> bool:
    """Factorize a positive definite band matrix in place (Cholesky); tell whether it is one."""
    n, width = band.shape
    for column in range(n):
        if not band[column, 0] > 0.0:
            return False
        pivot = np.sqrt(band[column, 0])
        reach = min(width, n - column)
        for offset in range(reach):
            band[column, offset] /= pivot
        for first in range(1, reach):
            factor = band[column, first]
            if factor != 0.0:
                for offset in range(first, reach):
                    band[column + first, offset - first] -= factor * band[column, offset]
    return True


@kernel
def solve_factorized(band: FloatArray, right: FloatArray) -> FloatArray:
    """Solve L Lᵀ z = right with the factor that `factorize` leaves."""
    n, width = band.shape
    z = floats(n, 0.0)
    for row in range(n):
        z[row] = right[row]
    for column in range(n):
        z[column] /= band[column, 0]
        for offset in range(1, min(width, n - column)):
            z[column + offset] -= band[column, offset] * z[column]
    for column in range(n - 1, -1, -1):
        for offset in range(1, min(width, n - column)):
            z[column] -= band[column, offset] * z[column + offset]
        z[column] /= band[column, 0]
    return z
