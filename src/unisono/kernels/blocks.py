"""Many small annotation sets, aligned in one call.

Sets are one after another; units of a set are sorted by annotator, then by start. Those of annotator a in set s are
begin[s · n + a] to begin[s · n + a + 1]. Small sets are aligned in microseconds, so that any call, array or object for
each of them would take longer than the work itself.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unisono.arrays import BoolArray, FloatArray, IntArray
from unisono.kernels.assignment import best_matching
from unisono.kernels.groups import Levels, groups_from, hopes
from unisono.kernels.partition import (
    EFFORT,
    FIRST_EFFORT,
    PROVEN,
    SLACK,
    TIGHT,
    all_separate,
    cover_components,
    find,
    sort_groups,
    tight_components,
)
from unisono.kernels.prices import SWEEPS, ascend, even_prices, groups_by_unit, reduced_costs, scale
from unisono.kernels.switch import kernel
from unisono.kernels.workspace import bools, floats, ints, longer

_FEW_UNITS = 16
_FEW_GROUPS = 64
_FEW_STEPS = 2_000
"""Up to so many units, groups and steps, a cover is searched with even prices; beyond, better prices pay."""
_AT_MOST_TWO = 5
"""Among so many units, there are at most two groups of two and more."""


@kernel
def near_in_sets(
    begin: IntArray, start: FloatArray, end: FloatArray, n: int, reach: float
) -> tuple[IntArray, IntArray]:
    """List, for each unit, the units of later annotators of its set that may be within reach.

    Parameters
    ----------
    begin : int64 array, shape (n_sets · n + 1,)
        Where the units of each annotator begin.
    start, end : float64 array, shape (n_units,)
        Their positions.
    n : int
        Number of annotators of each set.
    reach : float
        How far apart midpoints may be, as a multiple of the mean length of both units: see `dissimilarity.reach`.

    Returns
    -------
    starts : int64 array, shape (n_units + 1,)
        Where the list of each unit begins in `found`.
    found : int64 array
        The units, sorted for each unit.
    """
    # a little more, so that no pair is lost by rounding; the caller computes d and drops pairs that are too dissimilar
    generous = reach * (1.0 + 1e-6)
    n_units = len(start)
    starts = ints(n_units + 1, 0)
    found = ints(4 * n_units + 16, 0)
    count = starts[0]  # not a literal 0, for which helpers would be compiled once more
    for one in range((len(begin) - 1) // n):
        longest = 0.0
        for unit in range(begin[one * n], begin[one * n + n]):
            longest = max(longest, end[unit] - start[unit])
        for who in range(one * n, one * n + n):
            for unit in range(begin[who], begin[who + 1]):
                length = end[unit] - start[unit]
                # |start - start| + |end - end| is at most reach · (length + length), so each of the two is
                widest = generous * (length + longest)
                for other in range(who + 1, one * n + n):
                    low, high = begin[other], begin[other + 1]
                    last = high
                    while low < high:
                        half = (low + high) // 2
                        if start[half] < start[unit] - widest:
                            low = half + 1
                        else:
                            high = half
                    for candidate in range(low, last):
                        if start[candidate] > start[unit] + widest:
                            break
                        apart = abs(start[candidate] - start[unit]) + abs(end[candidate] - end[unit])
                        if apart <= generous * (length + end[candidate] - start[candidate]):
                            if count == len(found):
                                found = longer(found)
                            found[count] = candidate
                            count += 1
                starts[unit + 1] = count
    return starts, found[:count]


class Weights(NamedTuple):
    """How unlike two units are: d = α d_pos + β d_cat, d_cat by the kinds of both (`dissimilarity.Kinds`)."""

    alpha: float
    beta: float
    categorical: FloatArray
    n_kinds: int


@kernel
def pairs_in_sets(
    begin: IntArray,
    start: FloatArray,
    end: FloatArray,
    kind: IntArray,
    n: int,
    reach: float,
    limit: float,
    weights: Weights,
    ties: FloatArray,
) -> tuple[IntArray, IntArray, FloatArray]:
    """List the pairs of units of each set whose d is below a limit: what `near_in_sets` finds, and d.

    Parameters
    ----------
    begin, start, end, n, reach
        See `near_in_sets`.
    kind : int64 array, shape (n_units,)
        The kind of each unit.
    limit : float
        The limit.
    weights : Weights
        d.
    ties : float64 array, shape (n_kinds²,)
        What is added to d, by kinds, to tell equally good alignments apart.

    Returns
    -------
    starts, other, dissimilarity : array
        See `pairs.Pairs`.
    """
    starts, other = near_in_sets(begin, start, end, n, reach)
    dissimilarity = floats(len(other), 0.0)
    count = starts[0]
    pair = starts[0]
    for unit in range(len(start)):
        while pair < starts[unit + 1]:
            position, category = compared(unit, other[pair], start, end, kind, weights)
            d = weights.alpha * position + weights.beta * category
            if d < limit:
                other[count] = other[pair]
                dissimilarity[count] = d + ties[kind[unit] * weights.n_kinds + kind[other[pair]]]
                count += 1
            pair += 1
        starts[unit + 1] = count
    return starts, other[:count], dissimilarity[:count]


@kernel
def compared(
    u: int, v: int, start: FloatArray, end: FloatArray, kind: IntArray, weights: Weights
) -> tuple[float, float]:
    """Return d_pos and d_cat of two units: see `dissimilarity.positional`."""
    difference = abs(start[u] - start[v]) + abs(end[u] - end[v])
    length = (end[u] - start[u]) + (end[v] - start[v])
    ratio = 0.0 if difference == 0.0 else np.inf  # of units without length
    if length > 0.0:
        ratio = difference / length
    return ratio * ratio, weights.categorical[kind[u] * weights.n_kinds + kind[v]]


@kernel
def sums_of_sets(
    begin: IntArray,
    start: FloatArray,
    end: FloatArray,
    kind: IntArray,
    label: IntArray,
    group: IntArray,
    n: int,
    weights: Weights,
    size: int,
    apart: FloatArray,
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Add up what the groups of each set cost, and their categories.

    Parameters
    ----------
    begin, start, end, n
        See `near_in_sets`.
    kind, weights
        See `pairs_in_sets`.
    label : int64 array, shape (n_units,)
        The category of each unit, from 1 up; 0 is none.
    group : int64 array, shape (n_units,)
        One of the units of each unit's group.
    size : int
        1 + number of categories.
    apart : float64 array, shape (n_pairs,)
        Of units with several anchors, D_pos of the pairs that `grouped_pairs` lists; empty if all units are plain.

    Returns
    -------
    total : float64 array, shape (n_sets,)
        The cost, in units of Δ∅.
    disorder, weight : float64 array, shape (n_sets · size,)
        The sums of `categories.CategoryTally`.
    """
    n_sets = (len(begin) - 1) // n
    n_pairs = n * (n - 1) / 2.0
    total = floats(n_sets, 0.0)
    disorder, weight = floats(n_sets * size, 0.0), floats(n_sets * size, 0.0)
    earlier, n_members = chained(group)
    plain = len(apart) == 0
    pair = begin[0]
    for one in range(n_sets):
        for name in range(begin[one * n], begin[one * n + n]):
            if n_members[name] == 0:
                continue
            cost = 0.0
            u = name
            while u >= 0:
                v = earlier[u]
                while v >= 0:
                    if plain:
                        position, category = compared(u, v, start, end, kind, weights)
                    else:
                        position = apart[pair]
                        category = weights.categorical[kind[u] * weights.n_kinds + kind[v]]
                        pair += 1
                    cost += weights.alpha * position + weights.beta * category - 1.0
                    near = max(0.0, 1.0 - position) / (n_members[name] - 1)
                    at = one * size
                    weight[at] += near
                    disorder[at] += near * category
                    if label[u] > 0:
                        weight[at + label[u]] += near
                        disorder[at + label[u]] += near * category
                    if label[v] > 0 and label[v] != label[u]:
                        weight[at + label[v]] += near
                        disorder[at + label[v]] += near * category
                    v = earlier[v]
                u = earlier[u]
            total[one] += 1.0 + cost / n_pairs
    return total, disorder, weight


@kernel
def chained(group: IntArray) -> tuple[IntArray, IntArray]:
    """Chain the members of each group, each to the one before, the last of them to the unit that names it.

    Returns
    -------
    earlier : int64 array, shape (n_units,)
        The next unit of the chain, -1 at its end.
    n_members : int64 array, shape (n_units,)
        The size of the group that each unit names, 0 if it names none.
    """
    earlier, n_members = ints(len(group), -1), ints(len(group), 0)
    for unit in range(len(group)):
        name = group[unit]
        n_members[name] += 1
        if unit != name:
            earlier[unit] = earlier[name]
            earlier[name] = unit
    return earlier, n_members


@kernel
def grouped_pairs(group: IntArray) -> tuple[IntArray, IntArray]:
    """List the pairs of units that are in the same group, in the order in which `sums_of_sets` compares them."""
    earlier, n_members = chained(group)
    size = 0
    for name in range(len(group)):
        size += n_members[name] * (n_members[name] - 1) // 2
    first, second = ints(size, 0), ints(size, 0)
    pair = 0
    for name in range(len(group)):
        u = name if n_members[name] > 0 else -1
        while u >= 0:
            v = earlier[u]
            while v >= 0:
                first[pair], second[pair] = u, v
                pair += 1
                v = earlier[v]
            u = earlier[u]
    return first, second


class Search(NamedTuple):
    """What a search for the best cover of a component works in.

    Attributes
    ----------
    units, price : array
        The units of the component, sorted by position, and their prices.
    mask, reduced, lowest : array
        Each group as bits (its units by their place in `units`), its reduced cost, and the place of its first unit.
    begins, order : int64 array
        The groups whose first unit is at place k are order[begins[k] : begins[k + 1]], sorted by reduced cost.
    covered, spent, at, turn, picked, best : array
        By depth of the search: the units covered so far as bits, the reduced cost so far, the place to cover next,
        whose turn it is, the group picked; and the groups of the best cover.
    """

    units: IntArray
    price: FloatArray
    mask: IntArray
    reduced: FloatArray
    lowest: IntArray
    begins: IntArray
    order: IntArray
    covered: IntArray
    spent: FloatArray
    at: IntArray
    turn: IntArray
    picked: IntArray
    best: IntArray


@kernel
def align_sets(
    begin: IntArray,
    start: FloatArray,
    annotator: IntArray,
    starts: IntArray,
    neighbour: IntArray,
    dissimilarity: FloatArray,
    n: int,
    most: int,
    effort: int,
    temperatures: FloatArray,
    sweeps: IntArray,
) -> tuple[IntArray, FloatArray]:
    """Group the units of each set at the least cost.

    Parameters
    ----------
    begin, start, n
        See `near_in_sets`.
    annotator : int64 array, shape (n_units,)
        Who made each unit.
    starts, neighbour, dissimilarity : array
        The pairs of units that can meet, and their d: see `undominated`.
    most, effort : int
        How many groups to list at most, and how many splits of groups to look at, in each set.
    temperatures, sweeps : array
        The scalings that are tried in turn for hard components; all have as many temperatures.

    Returns
    -------
    group : int64 array, shape (n_units,)
        The first unit of each unit's group.
    excess : float64 array, shape (n_sets,)
        By how much the cost may be above the least: 0 where it is proven, infinite where there are too many groups.
    """
    n_units = len(start)
    n_sets = (len(begin) - 1) // n
    largest, widest = 0, 0
    for one in range(n_sets):
        largest = max(largest, begin[one * n + n] - begin[one * n])
    for unit in range(n_units):
        widest = max(widest, starts[unit + 1] - starts[unit])
    hope = hopes(starts, neighbour, dissimilarity, annotator, n)
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
    search = Search(
        ints(_FEW_UNITS + 1, 0),
        floats(_FEW_UNITS + 1, 0.0),
        ints(_FEW_GROUPS, 0),
        floats(_FEW_GROUPS, 0.0),
        ints(_FEW_GROUPS, 0),
        ints(_FEW_UNITS + 2, 0),
        ints(_FEW_GROUPS, 0),
        ints(_FEW_UNITS + 1, 0),
        floats(_FEW_UNITS + 1, 0.0),
        ints(_FEW_UNITS + 1, 0),
        ints(_FEW_UNITS + 1, 0),
        ints(_FEW_UNITS + 1, 0),
        ints(_FEW_UNITS + 1, 0),
    )
    group = all_separate(n_units)
    excess = floats(n_sets, 0.0)
    bounds = ints(4 * largest + 16, 0)
    members = ints(16 * largest + n, 0)
    cost = floats(4 * largest + 16, 0.0)
    root = all_separate(n_units)
    by_root = ints(largest + 1, 0)
    listed = ints(4 * largest + 16, 0)
    for one in range(n_sets):
        first, last = begin[one * n], begin[one * n + n]
        bounds, members, cost, n_groups, complete = groups_from(
            first,
            last,
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
        if not complete:
            excess[one] = np.inf
            continue
        for index in range(n_groups):
            for place in range(bounds[index] + 1, bounds[index + 1]):
                here, there = find(root, members[bounds[index]]), find(root, members[place])
                root[max(here, there)] = min(here, there)
        # groups by component: counting, adding up, filling
        for place in range(last - first + 1):
            by_root[place] = 0
        if n_groups > len(listed):
            listed = ints(2 * n_groups, 0)
        for index in range(n_groups):
            by_root[find(root, members[bounds[index]]) - first] += 1
        before = 0
        for place in range(last - first):
            before += by_root[place]
            by_root[place] = before  # where the groups of this component end
        for index in range(n_groups - 1, -1, -1):
            place = find(root, members[bounds[index]]) - first
            by_root[place] -= 1
            listed[by_root[place]] = index
        by_root[last - first] = n_groups
        for name in range(first, last):
            begins, ends = by_root[name - first], by_root[name - first + 1]
            if begins == ends:
                continue
            if ends - begins == 1:  # no split makes it cheaper, and there is nothing else to choose
                index = listed[begins]
                for place in range(bounds[index], bounds[index + 1]):
                    group[members[place]] = name
                continue
            done = cover_few(name, last, root, start, listed[begins:ends], bounds, members, cost, search, group)
            if not done and n == 2:
                match_two(first, begin[one * n + 1], last, starts, neighbour, dissimilarity, group)
                break
            if not done:
                excess[one] += cover_many(
                    name, last, root, listed[begins:ends], bounds, members, cost, temperatures, sweeps, group
                )
    return group, excess


@kernel
def cover_few(
    name: int,
    last: int,
    root: IntArray,
    start: FloatArray,
    listed: IntArray,
    bounds: IntArray,
    members: IntArray,
    cost: FloatArray,
    search: Search,
    group: IntArray,
) -> bool:
    """Cover a component of few units at the least cost; return whether it was small enough for that."""
    size = few_units(name, last, root, start, search.units)
    n_groups = len(listed) + size
    if size == 0 or n_groups > _FEW_GROUPS:
        return False
    if size <= _AT_MOST_TWO:
        choose_two(size, listed, bounds, members, cost, search, group)
        return True
    sort_few(size, listed, bounds, members, cost, search, group)
    n_best = search_few(size, search)
    if n_best == 0:
        return False
    units, mask, lowest = search.units, search.mask, search.lowest
    for depth in range(n_best):
        index = search.best[depth]
        for place in range(size):
            if mask[index] >> place & 1:
                group[units[place]] = units[lowest[index]]
    return True


@kernel
def few_units(name: int, last: int, root: IntArray, start: FloatArray, units: IntArray) -> int:
    """List the units of a component, sorted by position; return how many there are, 0 if too many."""
    size = 0
    for unit in range(name, last):
        if find(root, unit) == name:
            if size == _FEW_UNITS:
                return 0
            place = size
            while place > 0 and start[units[place - 1]] > start[unit]:
                units[place] = units[place - 1]
                place -= 1
            units[place] = unit
            size += 1
    return size


@kernel
def choose_two(
    size: int,
    listed: IntArray,
    bounds: IntArray,
    members: IntArray,
    cost: FloatArray,
    search: Search,
    group: IntArray,
) -> None:
    """Choose the group, or the two groups, that save most compared to units that are alone."""
    units, mask, saving, lowest = search.units, search.mask, search.reduced, search.lowest
    for place in range(size):
        group[units[place]] = place  # for now
    most, one, two = 0.0, -1, -1
    for index in range(len(listed)):
        low, high = bounds[listed[index]], bounds[listed[index] + 1]
        bits, least = 0, size
        for member in range(low, high):
            bits |= 1 << group[members[member]]
            least = min(least, group[members[member]])
        mask[index], lowest[index], saving[index] = bits, least, (high - low) - cost[listed[index]]
        if saving[index] > most + SLACK:
            most, one, two = saving[index], index, -1
        for earlier in range(index):
            if not mask[earlier] & bits and saving[earlier] + saving[index] > most + SLACK:
                most, one, two = saving[earlier] + saving[index], earlier, index
    for place in range(size):
        group[units[place]] = units[place]
        if one >= 0 and mask[one] >> place & 1:
            group[units[place]] = units[lowest[one]]
        elif two >= 0 and mask[two] >> place & 1:
            group[units[place]] = units[lowest[two]]


@kernel
def sort_few(
    size: int,
    listed: IntArray,
    bounds: IntArray,
    members: IntArray,
    cost: FloatArray,
    search: Search,
    group: IntArray,
) -> None:
    """Write down the groups of a component, each unit alone included, with reduced costs at feasible prices."""
    units, price, mask, reduced, lowest, begins, order = search[:7]
    n_listed = len(listed)
    n_groups = n_listed + size
    for place in range(size):
        group[units[place]] = place  # for now
        price[place] = 1.0
        mask[n_listed + place] = 1 << place
        reduced[n_listed + place] = 1.0
        lowest[n_listed + place] = place
    for index in range(n_listed):
        low, high = bounds[listed[index]], bounds[listed[index] + 1]
        reduced[index] = cost[listed[index]]
        share = reduced[index] / (high - low)
        bits, least = 0, size
        for member in range(low, high):
            place = group[members[member]]
            bits |= 1 << place
            least = min(least, place)
            price[place] = min(price[place], share)  # feasible: each member pays its share at most
        mask[index] = bits
        lowest[index] = least
    for index in range(n_groups):
        for place in range(size):
            if mask[index] >> place & 1:
                reduced[index] -= price[place]
    # then each unit gets what its groups leave over
    for place in range(size):
        left = np.inf
        for index in range(n_groups):
            if mask[index] >> place & 1:
                left = min(left, reduced[index])
        for index in range(n_groups):
            if mask[index] >> place & 1:
                reduced[index] = max(0.0, reduced[index] - left)  # below 0 is rounding
    for index in range(n_groups):
        place = index
        while place > 0 and (
            lowest[order[place - 1]] > lowest[index]
            or (lowest[order[place - 1]] == lowest[index] and reduced[order[place - 1]] > reduced[index])
        ):
            order[place] = order[place - 1]
            place -= 1
        order[place] = index
    place = 0
    for index in range(n_groups):
        while place <= lowest[order[index]]:
            begins[place] = index
            place += 1
    begins[size] = n_groups


@kernel
def search_few(size: int, search: Search) -> int:
    """Search for the best cover, depth first; return how many groups it has, 0 if that takes too many steps."""
    mask, reduced = search.mask, search.reduced
    begins, order, covered, spent, at, turn, picked, best = search[5:]
    everything = (1 << size) - 1
    least, n_best, depth = np.inf, 0, 0
    covered[0], spent[0], at[0], turn[0] = 0, 0.0, 0, begins[0]
    steps = _FEW_STEPS
    while depth >= 0:
        if turn[depth] == begins[at[depth] + 1]:
            depth -= 1
            continue
        index = order[turn[depth]]
        turn[depth] += 1
        total = spent[depth] + reduced[index]
        if total >= least - SLACK:  # what follows costs at least 0, and later groups cost no less than this one
            depth -= 1
            continue
        if mask[index] & covered[depth]:
            continue
        steps -= 1
        if steps < 0:
            return 0
        picked[depth] = index
        bits = covered[depth] | mask[index]
        if bits == everything:
            least, n_best = total, depth + 1
            for earlier in range(n_best):
                best[earlier] = picked[earlier]
            continue
        # the first unit that is not covered: its group has no earlier unit, since those are covered
        place = at[depth] + 1
        while bits >> place & 1:
            place += 1
        depth += 1
        covered[depth], spent[depth], at[depth], turn[depth] = bits, total, place, begins[place]
    return n_best


@kernel
def match_two(
    first: int,
    second: int,
    last: int,
    starts: IntArray,
    neighbour: IntArray,
    dissimilarity: FloatArray,
    group: IntArray,
) -> None:
    """Align all units of two annotators at the least cost: see `alignment.two`."""
    begin = starts[first]
    rows = ints(second - first + 1, 0)
    for row in range(second - first + 1):
        rows[row] = starts[first + row] - begin
    n_pairs = rows[second - first]
    columns, saving = ints(n_pairs, 0), floats(n_pairs, 0.0)
    for pair in range(n_pairs):
        columns[pair] = neighbour[begin + pair] - second
        saving[pair] = 2.0 - dissimilarity[begin + pair]
    column_of = best_matching(rows, columns, saving, last - second)
    for unit in range(first, last):
        group[unit] = unit
    for row in range(second - first):
        if column_of[row] >= 0:
            group[second + column_of[row]] = first + row


@kernel
def cover_many(
    name: int,
    last: int,
    root: IntArray,
    listed: IntArray,
    bounds: IntArray,
    members: IntArray,
    cost: FloatArray,
    temperatures: FloatArray,
    sweeps: IntArray,
    group: IntArray,
) -> float:
    """Cover a component of many units, as `alignment.partition` does; return by how much it may cost too much."""
    size = 0
    for unit in range(name, last):
        if find(root, unit) == name:
            group[unit] = size  # for now
            size += 1
    n_groups = len(listed) + size
    own_bounds, own_cost = ints(n_groups + 1, 0), floats(n_groups, 1.0)
    for index in range(len(listed)):
        own_bounds[index + 1] = own_bounds[index] + bounds[listed[index] + 1] - bounds[listed[index]]
        own_cost[index] = cost[listed[index]]
    for index in range(len(listed), n_groups):
        own_bounds[index + 1] = own_bounds[index] + 1
    own_members = ints(own_bounds[n_groups], 0)
    units = ints(size, 0)
    for index in range(len(listed)):
        for member in range(bounds[listed[index]], bounds[listed[index] + 1]):
            place = group[members[member]]
            units[place] = members[member]
            own_members[own_bounds[index] + member - bounds[listed[index]]] = place
    for place in range(size):
        own_members[own_bounds[len(listed) + place]] = place
    where, groups_of = groups_by_unit(own_bounds, own_members, size)
    price = even_prices(own_bounds, own_members, own_cost, size)
    chosen, best, missing = bools(n_groups), bools(n_groups), np.inf
    for stage in range(len(sweeps) + 1):
        if stage > 0:
            each = len(temperatures) // len(sweeps)
            for temperature in temperatures[(stage - 1) * each : stage * each]:
                scale(own_bounds, own_members, own_cost, where, groups_of, price, temperature, sweeps[stage - 1])
        ascend(own_bounds, own_members, own_cost, where, groups_of, price, SWEEPS)
        effort = FIRST_EFFORT if stage == 0 else EFFORT
        proven = choose_cover(own_bounds, own_members, own_cost, where, groups_of, price, effort, chosen)
        above = 0.0
        for index in range(n_groups):
            if chosen[index]:
                above += own_cost[index]
        for place in range(size):
            above -= price[place]
        if proven or above < missing:
            missing = 0.0 if proven else above
            for index in range(n_groups):
                best[index] = chosen[index]
        if proven:
            break
    for index in range(n_groups):
        if best[index]:
            first = units[own_members[own_bounds[index]]]
            for member in range(own_bounds[index], own_bounds[index + 1]):
                group[units[own_members[member]]] = first
    return missing


@kernel
def choose_cover(
    bounds: IntArray,
    members: IntArray,
    cost: FloatArray,
    where: IntArray,
    groups_of: IntArray,
    price: FloatArray,
    effort: int,
    chosen: BoolArray,
) -> bool:
    """Choose groups at these prices; return whether no choice costs less."""
    size = len(price)
    reduced = reduced_costs(bounds, members, cost, price)
    for index in range(len(cost)):
        reduced[index] = max(reduced[index], 0.0)  # below 0 is rounding
        chosen[index] = False
    component = tight_components(bounds, members, reduced, TIGHT, size)
    state, extra = ints(size, 0), floats(size, 0.0)
    ordered = sort_groups(where, groups_of, reduced)
    cover_components(bounds, members, where, ordered, reduced, component, extra, state, chosen, effort)
    for place in range(size):
        if state[component[place]] != PROVEN:
            return False
    return True
