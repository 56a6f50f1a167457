"""Groups of units found as they are needed, by what they would save at given prices.

In units of Δ∅, the cost of a group S is 1 - Σ_pairs w with w = (1 - d)/C. The pairs are stored for both units: the
neighbours of unit u are `other[starts[u] : starts[u + 1]]`, sorted, with their `weight`. Units without a weight never
meet. At prices π, the value of a group is Σ_{u∈S} π_u + Σ_pairs w - 1: its reduced cost with the opposite sign.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unisono.arrays import FloatArray, IntArray
from unisono.kernels.sorting import sort_run_by
from unisono.kernels.switch import kernel
from unisono.kernels.workspace import floats, ints, longer, longer_floats

# The bound of every search here is the same. Let S be members so far, T what is added to them, and g_u = π_u + Σ_{s∈S}
# w(u, s) the gain of a candidate u. Each weight between two units of T is shared by both, half and half, so
#
#     value(S ∪ T) = value(S) + Σ_{u∈T} (g_u + ½ Σ_{v∈T} w(u, v)) ≤ value(S) + Σ_a max(0, max_{u∈a} h_u),
#
# where h_u = g_u + ½ Σ_a max(0, max_{v∈a} w(u, v)) is what u can hope for, and a are the annotators whose candidates
# are left: each adds one unit at most, or none. If u is added, its annotator's maximum is h_u; a candidate for which
# that leaves the sum at or below the value that is looked for can be dropped. Only this test on the total is valid. To
# drop a candidate because it has little to hope for by itself is not: others may gain by it (a tight group of all
# annotators would be lost).


class Graph(NamedTuple):
    """Pairs of units that can meet, for both units, and who made the units; see above."""

    starts: IntArray
    other: IntArray
    weight: FloatArray
    annotator: IntArray
    n_annotators: int


class Branches(NamedTuple):
    """Candidates for a group with a given first unit, by their places, one level per member besides that unit.

    Attributes
    ----------
    unit_at, who : int64 array
        The unit at each place, and its annotator.
    between : float64 array
        The weights between candidates, row by row; -inf where there is none.
    hope : float64 array
        What each candidate can hope for, h_u.
    live, n_live, gain : array
        The candidates that are left on each level, sorted by annotator, how many there are, and g_u by place.
    group, value : array
        The member of each level, and the value of the group up to it.
    widest : int
        The number of places: what belongs to level k begins at k * widest.
    """

    unit_at: IntArray
    who: IntArray
    between: FloatArray
    hope: FloatArray
    live: IntArray
    n_live: IntArray
    gain: FloatArray
    group: IntArray
    value: FloatArray
    widest: int


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
    them and have a weight to both.

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
        Whether to find all of them; otherwise only better and better ones, up to the best for each first unit.
    effort : int
        Pairs to look at for each first unit, about.
    total_effort : int
        Start no other first unit after so many pairs.
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
    graph = Graph(starts, other, weight, annotator, n_annotators)
    half = half_weights(graph)
    tree = empty_branches(most_neighbours(starts), n_annotators)
    unit_at, widest, n_live, value = tree.unit_at, tree.widest, tree.n_live, tree.value
    place = ints(len(annotator), -1)
    lasts = ints(widest, 0)
    last_limit = floats(widest, 0.0)
    bounds = ints(4 * len(firsts) + 16, 0)
    members = ints(16 * len(firsts) + n_annotators, 0)
    cost = floats(4 * len(firsts) + 16, 0.0)
    root = bounds[0]  # 0, but not a literal: for those, numba compiles what is called once more
    n_groups = root
    limit = floats(len(firsts), 0.0)
    n_done = 0
    n_stopped = 0
    n_looks = 0
    for turn in range(len(firsts)):
        if n_looks > total_effort:
            break
        n_done += 1
        first = firsts[turn]
        value[0] = price[first] - 1.0
        count = candidates(first, graph, rank, price, half, worth, tree)
        weights_between(count, graph, place, tree)
        _, n_live[0] = tighten(root, count, value[0], worth, tree)
        n_lasts = possible_lasts(tree, rank, worth, lasts, last_limit)
        sort_run_by(lasts, last_limit, root, n_lasts)  # the most promising first: limits are negative
        looks = 3 * count * count
        limit[turn] = worth
        # Fixing the last unit as well leaves only what lies between both, with weights to both: far fewer candidates,
        # and far better bounds, than with one end fixed.
        for index in range(n_lasts):
            last = lasts[index]
            wanted = worth if every else limit[turn]
            if -last_limit[last] <= wanted:  # and so for all that follow
                break
            start_with(last, rank, tree)
            before = n_groups
            bounds, members, cost, n_groups, looks, reached, stopped = explore(
                tree, wanted, every, looks, effort, most, bounds, members, cost, n_groups
            )
            name_members(before, n_groups, bounds, members, cost, first, unit_at, price)
            limit[turn] = max(limit[turn], min(reached, -last_limit[last]))
            if stopped:
                n_stopped += 1
                if index + 1 < n_lasts:  # the next last unit bounds all that were not looked at
                    limit[turn] = max(limit[turn], -last_limit[lasts[index + 1]])
                break
        n_looks += looks
    return bounds[: n_groups + 1], members[: bounds[n_groups]], cost[:n_groups], limit[:n_done], n_stopped


@kernel
def empty_branches(widest: int, n_annotators: int) -> Branches:
    """Make the arrays to search in."""
    levels = n_annotators + 1
    return Branches(
        ints(widest, 0),
        ints(widest, 0),
        floats(widest * widest, 0.0),
        floats(widest, 0.0),
        ints(levels * widest, 0),
        ints(levels, 0),
        floats(levels * widest, 0.0),
        ints(levels, 0),
        floats(levels, 0.0),
        widest,
    )


@kernel
def start_with(last: int, rank: IntArray, tree: Branches) -> None:
    """Prepare level 1, where the first and the last unit are members: candidates lie between and can meet both."""
    unit_at, _, between, _, live, n_live, gain, group, value, widest = tree
    count = 0
    for at in range(n_live[0]):
        unit = live[at]
        if rank[unit_at[unit]] < rank[unit_at[last]] and between[last * widest + unit] > -np.inf:
            live[widest + count] = unit
            gain[widest + unit] = gain[unit] + between[last * widest + unit]
            count += 1
    n_live[1] = count
    group[1] = last
    value[1] = value[0] + gain[last]


@kernel
def explore(
    tree: Branches,
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

    Members are given by their places, and values stand where the costs will be. Further results are the looks so far,
    what no group besides those found exceeds (without `every`: what none at all exceeds), and whether the search ended
    for lack of effort or space.
    """
    n_live, value = tree.n_live, tree.value
    reached = wanted
    hoped = np.inf
    level = 1
    fresh = True
    while level >= 1:
        if fresh and value[level] > wanted:
            if n_groups == most:
                return bounds, members, cost, n_groups, looks, hoped, True
            if n_groups + 1 == len(bounds):
                bounds = longer(bounds)
                cost = longer_floats(cost)
            begin = bounds[n_groups]
            if begin + level + 1 > len(members):
                members = longer(members)
            for index in range(1, level + 1):
                members[begin + index] = tree.group[index]
            cost[n_groups] = value[level]
            bounds[n_groups + 1] = begin + level + 1
            n_groups += 1
            if not every:
                wanted = value[level]
                reached = wanted
        looks += n_live[level] * n_live[level]
        total, n_live[level] = tighten(level * tree.widest, n_live[level], value[level], wanted, tree)
        if hoped == np.inf:  # the bound of all groups with these first and last units, for when effort runs out
            hoped = max(total, reached)
        if n_live[level] == 0:
            level -= 1
            fresh = False
            continue
        if looks > effort:
            return bounds, members, cost, n_groups, looks, hoped, True
        # with the chosen candidate on the next level; afterwards without it on this one
        branch(most_regretted(level * tree.widest, n_live[level], tree), level, tree)
        level += 1
        fresh = True
    return bounds, members, cost, n_groups, looks, reached, False


@kernel
def branch(chosen: int, level: int, tree: Branches) -> None:
    """Make a candidate a member on the next level, with those that can meet it; take it away from this one."""
    _, _, between, _, live, n_live, gain, group, value, widest = tree
    row = level * widest
    unit = live[row + chosen]
    count = 0
    for index in range(n_live[level]):
        candidate = live[row + index]
        if between[unit * widest + candidate] > -np.inf:
            live[row + widest + count] = candidate
            gain[row + widest + candidate] = gain[row + candidate] + between[unit * widest + candidate]
            count += 1
    n_live[level] -= 1
    for index in range(chosen, n_live[level]):
        live[row + index] = live[row + index + 1]
    n_live[level + 1] = count
    group[level + 1] = unit
    value[level + 1] = value[level] + gain[row + unit]


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
    # value = Σπ - cost
    for group in range(begin, end):
        cost[group] = price[first] - cost[group]
        members[bounds[group]] = first
        for index in range(bounds[group] + 1, bounds[group + 1]):
            members[index] = unit_at[members[index]]
            cost[group] += price[members[index]]


@kernel
def most_neighbours(starts: IntArray) -> int:
    """Return the greatest number of neighbours that a unit has."""
    most = 0
    for unit in range(len(starts) - 1):
        most = max(most, starts[unit + 1] - starts[unit])
    return most


@kernel
def half_weights(graph: Graph) -> FloatArray:
    """Return half of what each unit can gain at most from its best neighbour of each annotator."""
    starts, other, weight, annotator, _ = graph
    half = floats(len(annotator), 0.0)
    # units are sorted by annotator, and so are the neighbours of a unit
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
    first: int, graph: Graph, rank: IntArray, price: FloatArray, half: FloatArray, worth: float, tree: Branches
) -> int:
    """List who can follow the first unit in a group of a value above `worth`; return their number."""
    starts, other, weight, annotator, _ = graph
    unit_at, who, _, hope, live, _, gain, _, value, _ = tree
    count = 0
    for edge in range(starts[first], starts[first + 1]):
        unit = other[edge]
        if rank[unit] > rank[first]:
            unit_at[count] = unit
            gain[count] = price[unit] + weight[edge]
            count += 1
    # The bound from above, with S = {first}. Weights to units that come before the first one are counted
    # too: that makes it weaker, but so `half` is the same for all first units.
    hoped = value[0]
    begin = 0
    while begin < count:
        best = 0.0
        end = begin
        while end < count and annotator[unit_at[end]] == annotator[unit_at[begin]]:
            hope[end] = gain[end] + half[unit_at[end]]
            best = max(best, hope[end])
            end += 1
        for index in range(begin, end):
            hope[index] -= best  # how far the sum falls if this one is taken
        hoped += best
        begin = end
    kept = 0
    for index in range(count):
        if hoped + hope[index] > worth:
            unit_at[kept], who[kept], live[kept] = unit_at[index], annotator[unit_at[index]], kept
            gain[kept] = gain[index]
            kept += 1
    return kept


@kernel
def weights_between(count: int, graph: Graph, place: IntArray, tree: Branches) -> None:
    """Write the weights between listed units as a matrix, -inf where there is none."""
    unit_at, between, widest = tree.unit_at, tree.between, tree.widest
    for index in range(count):
        place[unit_at[index]] = index
    for row in range(count):
        for column in range(count):
            between[row * widest + column] = -np.inf
        unit = unit_at[row]
        for edge in range(graph.starts[unit], graph.starts[unit + 1]):
            if place[graph.other[edge]] >= 0:
                between[row * widest + place[graph.other[edge]]] = graph.weight[edge]
    for index in range(count):
        place[unit_at[index]] = -1


@kernel
def possible_lasts(tree: Branches, rank: IntArray, worth: float, lasts: IntArray, last_limit: FloatArray) -> int:
    """List candidates that can be the last unit of a group of a value above `worth`; return their number.

    `last_limit` gets what the value cannot exceed, with the opposite sign.
    """
    # S = {first, last}: the weight to the last unit joins the gain. That `hope` may count half of it once more only
    # makes the bound weaker.
    unit_at, who, between, hope, live, n_live, gain, _, value, widest = tree
    n_lasts = 0
    for turn in range(n_live[0]):
        last = live[turn]
        total = value[0] + gain[last]
        best = 0.0
        for index in range(n_live[0]):
            unit = live[index]
            if index > 0 and who[unit] != who[live[index - 1]]:
                total += best
                best = 0.0
            if rank[unit_at[unit]] < rank[unit_at[last]]:  # those of the same annotator have no weight: -inf
                best = max(best, hope[unit] + between[last * widest + unit])
        if total + best > worth:
            last_limit[last] = -total - best
            lasts[n_lasts] = last
            n_lasts += 1
    return n_lasts


@kernel
def tighten(row: int, n_live: int, value: float, worth: float, tree: Branches) -> tuple[float, int]:
    """Drop candidates that cannot be in a group of a value above `worth`; bound what the others can reach.

    `live` is changed in place from `row` on; its new length is the second result.
    """
    _, who, between, hope, live, _, gain, _, _, widest = tree
    # Whoever is dropped is no partner any more, which lowers the hopes of others: again until nobody is dropped.
    while True:
        total = value
        begin = 0
        while begin < n_live:
            end = begin
            best = 0.0
            while end < n_live and who[live[row + end]] == who[live[row + begin]]:
                unit = live[row + end]
                half = 0.0
                partner = 0.0
                whose = -1
                for index in range(n_live):
                    other = live[row + index]
                    if who[other] != whose:
                        whose = who[other]
                        half += partner
                        partner = 0.0
                    if between[unit * widest + other] > partner:
                        partner = between[unit * widest + other]
                hope[unit] = gain[row + unit] + (half + partner) / 2.0
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
            while end < n_live and who[live[row + end]] == who[live[row + begin]]:
                best = max(best, hope[live[row + end]])
                end += 1
            for index in range(begin, end):
                if total - best + hope[live[row + index]] > worth:
                    live[row + kept] = live[row + index]
                    kept += 1
            begin = end
        if kept == n_live:
            return total, kept
        n_live = kept


@kernel
def most_regretted(row: int, n_live: int, tree: Branches) -> int:
    """Find the candidate without which the bound falls most."""
    who, hope, live = tree.who, tree.hope, tree.live
    # Without an annotator's best candidate, its second best (or nobody, 0) takes its place in the sum. To branch where
    # that loses most makes the branch without the candidate end soon.
    chosen = 0
    regret = -np.inf
    begin = 0
    while begin < n_live:
        best = -np.inf
        second = 0.0
        best_index = begin
        end = begin
        while end < n_live and who[live[row + end]] == who[live[row + begin]]:
            if hope[live[row + end]] > best:
                second = max(second, best)
                best = hope[live[row + end]]
                best_index = end
            else:
                second = max(second, hope[live[row + end]])
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
    """Return prices that are feasible for all groups: the least that a unit bears in a group of any size.

    cost(S) = 1 - Σ_pairs w = Σ_{u∈S} (1/|S| - ½ Σ_{v∈S} w(u, v)). In a group of k members, the share of u is at least
    1/k less half of its k - 1 best weights, of different annotators.
    """
    graph = Graph(starts, other, weight, annotator, n_annotators)
    price = floats(len(annotator), 1.0)
    best = floats(n_annotators, 0.0)
    order = ints(n_annotators, 0)
    for unit in range(len(annotator)):
        count = best_weights(unit, graph, best)
        for index in range(count):
            order[index] = index
            best[index] = -best[index]
        sort_run_by(order, best, count - count, count)  # not a literal 0, see `search`
        saved = 0.0
        for size in range(2, count + 2):
            saved -= best[order[size - 2]] / 2.0
            price[unit] = min(price[unit], 1.0 / size - saved)
    return price


@kernel
def best_weights(unit: int, graph: Graph, best: FloatArray) -> int:
    """Write a unit's best weight to each annotator of its neighbours to `best`; return their number."""
    starts, other, weight, annotator, _ = graph
    count = 0
    for edge in range(starts[unit], starts[unit + 1]):
        if edge == starts[unit] or annotator[other[edge]] != annotator[other[edge - 1]]:
            best[count] = weight[edge]
            count += 1
        else:
            best[count - 1] = max(best[count - 1], weight[edge])
    return count
