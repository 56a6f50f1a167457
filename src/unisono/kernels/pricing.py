"""All groups of units that are worth more than a given value at given prices: branch and bound, a proof.

Weights, prices and values are those of `climbing`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unisono.arrays import FloatArray, IntArray
from unisono.kernels.climbing import NEAR
from unisono.kernels.sorting import sort_run_by
from unisono.kernels.switch import kernel
from unisono.kernels.workspace import floats, ints, longer, longer_floats

# Two bounds serve every search here. Let S be members so far, V their value, T what is added to them, and g_u = π_u +
# Σ_{s∈S} w(u, s) the gain of a candidate u. Each weight between two units of T is shared by both, half and half, so
#
#     value(S ∪ T) = V + Σ_{u∈T} (g_u + ½ Σ_{v∈T} w(u, v)) ≤ V + Σ_a max(0, max_{u∈a} h_u),
#
# where h_u = g_u + ½ Σ_a b(u, a) is what u can hope for, b(u, a) the greatest weight of u to a candidate of annotator
# a, or 0 if none is positive, and a are the annotators whose candidates are left: each adds one unit at most, or none.
# If u is added, its annotator's maximum is h_u, and a candidate for which that leaves the sum at or below the value
# that is looked for can be dropped.
#
# If u is added for sure, its weights count in full for its partners (the star of u), which is better:
#
#     value(S ∪ T) ≤ V + g_u + Σ_{a ≠ a(u)} max(0, max_{v∈a} (h_v - ½ b(v, a(u)) + w(u, v))).
#
# Only such tests on totals are valid. To drop a candidate because it has little to hope for by itself is not: others
# may gain by it (a tight group of all annotators would be lost).

_SHRINK = 0.7
"""Weights between candidates are copied together again once so many of them are left; more often takes longer."""


class Tree(NamedTuple):
    """Candidates on each level of the search; what belongs to level k begins at k * widest.

    Attributes
    ----------
    unit, whose : int64 array
        The candidates of each level, sorted by annotator, and their annotators.
    gain : float64 array
        g of each candidate.
    row : int64 array
        The row of each candidate among the weights of its level.
    n_live : int64 array, shape (n_levels,)
        How many candidates there are on each level.
    weight : float64 array
        The weights between candidates, row by row.
    begin, side : int64 array, shape (n_levels,)
        Where the weights of each level begin, and how many rows there are.
    member, value : array, shape (n_levels,)
        The unit that joined on each level, and the value of the group up to it.
    hope : float64 array, shape (widest,)
        h of each candidate of the level at hand.
    half : float64 array, shape (widest * n_annotators,)
        ½ b(u, a): for each annotator with candidates, in their order, one number per candidate.
    run : int64 array
        Which of these annotators each candidate has.
    kept : int64 array
        Candidates that are not dropped.
    widest : int
        The most candidates on a level.
    """

    unit: IntArray
    whose: IntArray
    gain: FloatArray
    row: IntArray
    n_live: IntArray
    weight: FloatArray
    begin: IntArray
    side: IntArray
    member: IntArray
    value: FloatArray
    hope: FloatArray
    half: FloatArray
    run: IntArray
    kept: IntArray
    widest: int


@kernel
def search(
    who: IntArray,
    starts: IntArray,
    other: IntArray,
    at: IntArray,
    weight: FloatArray,
    n_annotators: int,
    hopes: FloatArray,
    price: FloatArray,
    firsts: IntArray,
    worth: float,
    effort: int,
    total_effort: int,
    most: int,
    most_each: int,
) -> tuple[IntArray, IntArray, FloatArray, FloatArray, int]:
    """Find all groups of two and more units above a value, each among those with the same first unit.

    Branch and bound on the extremes: the first and the last unit of a group are fixed; the others lie between them and
    have weights to both.

    Parameters
    ----------
    who, starts, other, at, weight, n_annotators, price
        See `climbing.climb_from_all`.
    hopes : float64 array, shape (n_units,)
        Half of what each unit can gain at most from its best partner of each annotator; see `shares_and_hopes`.
    firsts : int64 array
        The first units of the groups to look for.
    worth : float
        Look for groups of a greater value.
    effort : int
        Pairs to look at for each first unit, about.
    total_effort : int
        Start no other first unit after so many pairs.
    most, most_each : int
        Stop at so many groups in all, or with the same first unit.

    Returns
    -------
    bounds, members, cost : array
        The groups found.
    limit : float64 array, shape (n_done,)
        No group with this first unit, besides those found, has a greater value than this.
    n_looks : int
        Pairs looked at.
    """
    n_units = len(who)
    widest = 1
    for unit in range(n_units):
        widest = max(widest, starts[unit + 1] - starts[unit])
    tree = empty_tree(widest, n_annotators)
    lasts = ints(widest, 0)
    last_limit = floats(widest, 0.0)
    bounds = ints(4 * len(firsts) + 16, 0)
    members = ints(16 * len(firsts) + n_annotators, 0)
    cost = floats(4 * len(firsts) + 16, 0.0)
    root = bounds[0]  # 0, but not a literal: for those, numba compiles what is called once more
    n_groups = root
    limit = floats(len(firsts), 0.0)
    n_done = 0
    n_looks = 0
    for turn in range(len(firsts)):
        if n_looks > total_effort:
            break
        n_done += 1
        first = firsts[turn]
        limit[turn] = worth
        enough = min(most, n_groups + most_each)
        looks = plant(first, who, starts, other, at, weight, price, hopes, worth, tree)
        looks += tighten(root, worth, tree)
        n_lasts = possible_lasts(worth, tree, lasts, last_limit)
        looks += tree.n_live[0] * tree.n_live[0]
        sort_run_by(lasts, last_limit, root, n_lasts)  # the most promising first: limits are negative
        # Fixing the last unit as well leaves only what lies between both, with weights to both: far fewer candidates,
        # and far better bounds, than with one end fixed.
        for index in range(n_lasts):
            branch(lasts[index], root, True, tree)
            bounds, members, cost, n_groups, looks, stopped = explore(
                first, price, worth, looks, effort, enough, tree, bounds, members, cost, n_groups
            )
            if stopped:  # this last unit bounds all that were not looked at
                limit[turn] = max(worth, -last_limit[lasts[index]])
                break
        n_looks += looks
    return bounds[: n_groups + 1], members[: bounds[n_groups]], cost[:n_groups], limit[:n_done], n_looks


@kernel
def empty_tree(widest: int, n_annotators: int) -> Tree:
    """Make the arrays to search in."""
    levels = n_annotators + 1
    # each copy of weights has at most _SHRINK² of the space of the one before: twice that of the first is enough
    return Tree(
        ints(levels * widest, 0),
        ints(levels * widest, 0),
        floats(levels * widest, 0.0),
        ints(levels * widest, 0),
        ints(levels, 0),
        floats(2 * widest * widest, 0.0),
        ints(levels, 0),
        ints(levels, 0),
        ints(levels, 0),
        floats(levels, 0.0),
        floats(widest, 0.0),
        floats(widest * n_annotators, 0.0),
        ints(widest, 0),
        ints(widest, 0),
        widest,
    )


@kernel
def plant(
    first: int,
    who: IntArray,
    starts: IntArray,
    other: IntArray,
    at: IntArray,
    weight: FloatArray,
    price: FloatArray,
    hopes: FloatArray,
    worth: float,
    tree: Tree,
) -> int:
    """Prepare level 0: who can follow the first unit in a group of a value above `worth`; return looks."""
    unit_at, whose, gain, row, hope = tree.unit, tree.whose, tree.gain, tree.row, tree.hope
    count = 0
    for edge in range(starts[first], starts[first + 1]):
        unit = other[edge]
        if unit > first:
            unit_at[count] = unit
            gain[count] = price[unit] + weight[at[first] + unit]
            count += 1
    # The first bound from above, with S = {first}. Weights to units that come before the first one are counted too:
    # that makes it weaker, but so `hopes` is the same for all first units.
    tree.value[0] = price[first] - 1.0
    hoped = tree.value[0]
    begin = 0
    while begin < count:
        best = 0.0
        end = begin
        while end < count and who[unit_at[end]] == who[unit_at[begin]]:
            hope[end] = gain[end] + hopes[unit_at[end]]
            best = max(best, hope[end])
            end += 1
        for index in range(begin, end):
            hope[index] -= best  # how far the sum falls if this one is taken
        hoped += best
        begin = end
    kept = 0
    for index in range(count):
        if hoped + hope[index] > worth:
            unit_at[kept] = unit_at[index]
            whose[kept] = who[unit_at[index]]
            gain[kept] = gain[index]
            row[kept] = kept
            kept += 1
    tree.n_live[0] = kept
    tree.begin[0] = 0
    tree.side[0] = kept
    for index in range(kept):
        line = at[unit_at[index]]
        for other in range(kept):
            tree.weight[index * kept + other] = weight[line + unit_at[other]]
    return kept * kept


@kernel
def possible_lasts(worth: float, tree: Tree, lasts: IntArray, last_limit: FloatArray) -> int:
    """List candidates that can be the last unit of a group of a value above `worth`; return their number.

    `last_limit` gets what the value cannot exceed, with the opposite sign. It is the bound of the star, with candidates
    that come before the last unit only.
    """
    unit_at, whose, gain, row, run = tree.unit, tree.whose, tree.gain, tree.row, tree.run
    count, side = tree.n_live[0], tree.side[0]
    n_lasts = 0
    for candidate in range(count):
        total = tree.value[0] + gain[candidate]
        best = 0.0
        own = run[candidate] * count
        line = tree.begin[0] + row[candidate] * side
        for index in range(count):
            if index > 0 and run[index] != run[index - 1]:
                total += best
                best = 0.0
            if unit_at[index] < unit_at[candidate] and whose[index] != whose[candidate]:
                best = max(best, tree.hope[index] - tree.half[own + index] + tree.weight[line + row[index]])
        if total + best > worth:
            last_limit[candidate] = -total - best
            lasts[n_lasts] = candidate
            n_lasts += 1
    return n_lasts


@kernel
def explore(
    first: int,
    price: FloatArray,
    worth: float,
    looks: int,
    effort: int,
    most: int,
    tree: Tree,
    bounds: IntArray,
    members: IntArray,
    cost: FloatArray,
    n_groups: int,
) -> tuple[IntArray, IntArray, FloatArray, int, int, bool]:
    """Find groups of a value above `worth` from level 1 on, and append them.

    Further results are the looks so far, and whether the search ended for lack of effort or space.
    """
    n_live, value = tree.n_live, tree.value
    level = 1
    fresh = True
    while level >= 1:
        if fresh and value[level] > worth:
            if n_groups == most:
                return bounds, members, cost, n_groups, looks, True
            if n_groups + 1 == len(bounds):
                bounds = longer(bounds)
                cost = longer_floats(cost)
            begin = bounds[n_groups]
            if begin + level + 1 > len(members):
                members = longer(members)
            members[begin] = first
            cost[n_groups] = price[first] - value[level]
            for index in range(1, level + 1):
                members[begin + index] = tree.member[index]
                cost[n_groups] += price[tree.member[index]]
            bounds[n_groups + 1] = begin + level + 1
            n_groups += 1
        looks += tighten(level, worth, tree)
        if n_live[level] == 0:
            level -= 1
            fresh = False
            continue
        if looks > effort:
            return bounds, members, cost, n_groups, looks, True
        # with the chosen candidate on the next level; afterwards without it on this one
        chosen = most_regretted(level, tree)
        branch(chosen, level, False, tree)
        remove(chosen, level, tree)
        level += 1
        fresh = True
    return bounds, members, cost, n_groups, looks, False


@kernel
def branch(chosen: int, level: int, before: bool, tree: Tree) -> None:
    """Make a candidate a member on the next level, with those that can meet it, or those `before` it only."""
    unit, whose, gain, row, widest = tree.unit, tree.whose, tree.gain, tree.row, tree.widest
    here = level * widest
    there = here + widest
    start, side = tree.begin[level], tree.side[level]
    line = start + row[here + chosen] * side
    joined = unit[here + chosen]
    count = 0
    for index in range(here, here + tree.n_live[level]):
        across = tree.weight[line + row[index]]
        if (not before or unit[index] < joined) and across > NEAR and whose[index] != whose[here + chosen]:
            unit[there + count] = unit[index]
            whose[there + count] = whose[index]
            gain[there + count] = gain[index] + across
            row[there + count] = row[index]
            count += 1
    tree.n_live[level + 1] = count
    tree.member[level + 1] = joined
    tree.value[level + 1] = tree.value[level] + gain[here + chosen]
    tree.begin[level + 1] = start
    tree.side[level + 1] = side
    if count <= _SHRINK * side:
        compact(level + 1, tree)


@kernel
def compact(level: int, tree: Tree) -> None:
    """Copy the weights between the candidates of a level together."""
    row, weight = tree.row, tree.weight
    here = level * tree.widest
    start, side, count = tree.begin[level], tree.side[level], tree.n_live[level]
    place = start + side * side
    for index in range(count):
        line = start + row[here + index] * side
        for other in range(count):
            weight[place + index * count + other] = weight[line + row[here + other]]
    for index in range(count):
        row[here + index] = index
    tree.begin[level] = place
    tree.side[level] = count


@kernel
def remove(chosen: int, level: int, tree: Tree) -> None:
    """Take a candidate away from a level."""
    here = level * tree.widest
    tree.n_live[level] -= 1
    for index in range(here + chosen, here + tree.n_live[level]):
        move_candidate(index + 1, index, tree)


@kernel
def move_candidate(source: int, target: int, tree: Tree) -> None:
    """Copy a candidate to another place."""
    tree.unit[target] = tree.unit[source]
    tree.whose[target] = tree.whose[source]
    tree.gain[target] = tree.gain[source]
    tree.row[target] = tree.row[source]


@kernel
def tighten(level: int, worth: float, tree: Tree) -> int:
    """Drop candidates of a level that cannot be in a group of a value above `worth`; return how many looks it took.

    Leaves `hope`, `half` and `run` as they are for the candidates that are left.
    """
    here = level * tree.widest
    n_live, hope, run, kept = tree.n_live, tree.hope, tree.run, tree.kept
    looks = 0
    # Whoever is dropped is no partner any more, which lowers the hopes of others: again until nobody is dropped.
    while n_live[level] > 0:
        count = n_live[level]
        looks += count * count
        total = weigh(level, tree)
        n_kept = 0
        if total > worth:
            begin = 0
            while begin < count:
                best = 0.0
                end = begin
                while end < count and run[end] == run[begin]:
                    best = max(best, hope[end])
                    end += 1
                for index in range(begin, end):
                    # the second bound takes longer, so it is for those whom the first one leaves
                    if total - best + hope[index] > worth:
                        looks += count
                        if star_exceeds(index, level, worth, tree):
                            kept[n_kept] = index
                            n_kept += 1
                begin = end
        n_live[level] = n_kept
        if n_kept == count:
            break
        for index in range(n_kept):
            move_candidate(here + kept[index], here + index, tree)
        if n_kept <= _SHRINK * tree.side[level]:
            compact(level, tree)
    return looks


@kernel
def weigh(level: int, tree: Tree) -> float:
    """Compute what each candidate of a level can hope for; return the first bound."""
    here = level * tree.widest
    whose, row, run, half, hope = tree.whose, tree.row, tree.run, tree.half, tree.hope
    start, side, count = tree.begin[level], tree.side[level], tree.n_live[level]
    n_runs = 0
    for index in range(count):
        if index > 0 and whose[here + index] != whose[here + index - 1]:
            n_runs += 1
        run[index] = n_runs
    total: float = tree.value[level]
    most = 0.0
    for index in range(count):
        line = start + row[here + index] * side
        hoped = tree.gain[here + index]
        best = 0.0
        for other in range(count):
            if other > 0 and run[other] != run[other - 1]:
                half[run[other - 1] * count + index] = best / 2.0
                hoped += best / 2.0
                best = 0.0
            if tree.weight[line + row[here + other]] > best:
                best = tree.weight[line + row[here + other]]
        half[n_runs * count + index] = best / 2.0
        hope[index] = hoped + best / 2.0
        if index > 0 and run[index] != run[index - 1]:
            total += most
            most = 0.0
        most = max(most, hope[index])
    return total + most


@kernel
def star_exceeds(candidate: int, level: int, worth: float, tree: Tree) -> bool:
    """Whether the second bound of a candidate is above `worth`."""
    here = level * tree.widest
    row, run, half, hope = tree.row, tree.run, tree.half, tree.hope
    count = tree.n_live[level]
    line = tree.begin[level] + row[here + candidate] * tree.side[level]
    own = run[candidate]
    total = tree.value[level] + tree.gain[here + candidate]
    best = 0.0
    for index in range(count):
        if index > 0 and run[index] != run[index - 1]:
            total += best
            best = 0.0
            if total > worth:  # every annotator adds 0 or more
                return True
        if run[index] != own:
            best = max(best, hope[index] - half[own * count + index] + tree.weight[line + row[here + index]])
    return total + best > worth


@kernel
def most_regretted(level: int, tree: Tree) -> int:
    """Find the candidate without which the bound falls most."""
    hope, run, count = tree.hope, tree.run, tree.n_live[level]
    # Without an annotator's best candidate, its second best (or nobody, 0) takes its place in the sum. To branch where
    # that loses most makes the branch without the candidate end soon.
    chosen = 0
    regret = -np.inf
    begin = 0
    while begin < count:
        best = -np.inf
        second = 0.0
        best_index = begin
        end = begin
        while end < count and run[end] == run[begin]:
            if hope[end] > best:
                second = max(second, best)
                best = hope[end]
                best_index = end
            else:
                second = max(second, hope[end])
            end += 1
        if best - second > regret:
            regret = best - second
            chosen = best_index
        begin = end
    return chosen


@kernel
def shares_and_hopes(
    who: IntArray, starts: IntArray, other: IntArray, at: IntArray, weight: FloatArray, n_annotators: int
) -> tuple[FloatArray, FloatArray]:
    """Return prices that no group exceeds, and half of what each unit can gain at most from others.

    cost(S) = 1 - Σ_pairs w = Σ_{u∈S} (1/|S| - ½ Σ_{v∈S} w(u, v)). In a group of k members, the share of u is at least
    1/k less half of its k - 1 best weights, of different annotators: the least of that for all k is the price.
    """
    share = floats(len(who), 1.0)
    hope = floats(len(who), 0.0)
    best = floats(n_annotators, 0.0)
    order = ints(n_annotators, 0)
    for unit in range(len(who)):
        count = 0
        for edge in range(starts[unit], starts[unit + 1]):
            # negated, to sort the greatest first
            lost = -weight[at[unit] + other[edge]]
            if edge == starts[unit] or who[other[edge]] != who[other[edge - 1]]:
                best[count] = lost
                order[count] = count
                count += 1
            else:
                best[count - 1] = min(best[count - 1], lost)
        sort_run_by(order, best, count - count, count)  # not a literal 0, see `search`
        saved = 0.0
        for size in range(2, count + 2):
            saved -= best[order[size - 2]] / 2.0
            share[unit] = min(share[unit], 1.0 / size - saved)
            hope[unit] = max(hope[unit], saved)
    return share, hope
