"""All groups of units that are worth more than a given value at given prices: branch and bound, a proof.

Weights, prices and values are those of `climbing`.

References
----------
.. [1] Hammer, P. L., Hansen, P. & Simeone, B. (1984). Roof duality, complementation and persistency in quadratic 0–1
       optimization. Mathematical Programming 28, 121–155.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unisono.arrays import FloatArray, IntArray
from unisono.kernels.climbing import FAR, NEAR
from unisono.kernels.sorting import sort_run_by
from unisono.kernels.switch import kernel
from unisono.kernels.workspace import floats, ints, longer, longer_floats

# Three bounds serve every search here. Let S be members so far, V their value, T what is added to them, and g_u = π_u +
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
# The third bound shares weights better than half and half, and counts negative ones. A positive weight w(u, v) x_u x_v,
# with x = 1 for units of T and 0 for others, is at most s x_u + (w - s) x_v for any share s from 0 to w. A negative one
# is at most l (1 - x_u - x_v) for any l from 0 to |w|: that counts l for certain and takes l off the hopes of both. Two
# units of an annotator are like a pair of a very negative weight. So, with h_u = g_u + Σ s - Σ l,
#
#     value(S ∪ T) ≤ V + Σ l + Σ_u max(0, h_u).
#
# The best shares make this the linear relaxation of the problem (its roof dual [1]_). A few rounds come near to it:
# shares are moved to candidates that need them, then as much is lent as two candidates both have.
#
# Only such tests on totals are valid. To drop a candidate because it has little to hope for by itself is not: others
# may gain by it (a tight group of all annotators would be lost).

_SHRINK = 0.7
"""Weights between candidates are copied together again once so many of them are left; more often takes longer."""

_ROUNDS = 2
"""Rounds of sharing weights: more gain next to nothing."""


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


class Roof(NamedTuple):
    """How the weights between the candidates of a level are shared.

    Attributes
    ----------
    share : float64 array, shape (widest * widest,)
        What the first unit of a pair has of its positive weight; the second one has the rest.
    spare : float64 array, shape (widest * widest,)
        The part of a negative weight, without its sign, that is not in use yet.
    hope : float64 array, shape (widest,)
        What each candidate can hope for with its shares, less what is in use.
    surplus, asked, part : float64 array, shape (widest,)
        What a candidate can give away, what it asks for, and which part of what is asked it gives.
    """

    share: FloatArray
    spare: FloatArray
    hope: FloatArray
    surplus: FloatArray
    asked: FloatArray
    part: FloatArray


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

    Parameters
    ----------
    who, starts, other, at, weight, n_annotators, price
        See `climbing.climb_to_groups`.
    hopes : float64 array, shape (n_units,)
        Half of what each unit can gain at most from its best partner of each annotator; see `shares_and_hopes`.
    firsts : int64 array
        The first units of the groups to look for.
    worth : float
        Look for groups of a greater value.
    effort : int
        Pairs of candidates to look at for each first unit, about.
    total_effort : int
        Start no other first unit after so many.
    most, most_each : int
        Stop at so many groups in all, or with the same first unit.

    Returns
    -------
    bounds, members, cost : array
        The groups found.
    limit : float64 array, shape (n_done,)
        No group with this first unit, besides those found, has a greater value than this.
    n_looks : int
        Pairs of candidates looked at.
    """
    widest = 1
    for unit in range(len(who)):
        widest = max(widest, starts[unit + 1] - starts[unit])
    tree = empty_tree(widest, n_annotators)
    roof = empty_roof(widest)
    bounds = ints(4 * len(firsts) + 16, 0)
    members = ints(16 * len(firsts) + n_annotators, 0)
    cost = floats(4 * len(firsts) + 16, 0.0)
    n_groups = bounds[0]  # 0, but not a literal: for those, numba compiles what is called once more
    limit = floats(len(firsts), 0.0)
    n_done = 0
    n_looks = 0
    for turn in range(len(firsts)):
        if n_looks > total_effort:
            break
        n_done += 1
        first = firsts[turn]
        enough = min(most, n_groups + most_each)
        n_looks += plant(first, who, starts, other, at, weight, price, hopes, worth, tree)
        bounds, members, cost, n_groups, looks, limit[turn] = explore(
            first, price, worth, effort, enough, tree, roof, bounds, members, cost, n_groups
        )
        n_looks += looks
    return bounds[: n_groups + 1], members[: bounds[n_groups]], cost[:n_groups], limit[:n_done], n_looks


@kernel
def empty_roof(widest: int) -> Roof:
    """Make the arrays to share weights in."""
    return Roof(
        floats(widest * widest, 0.0),
        floats(widest * widest, 0.0),
        floats(widest, 0.0),
        floats(widest, 0.0),
        floats(widest, 0.0),
        floats(widest, 0.0),
    )


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
def explore(
    first: int,
    price: FloatArray,
    worth: float,
    effort: int,
    most: int,
    tree: Tree,
    roof: Roof,
    bounds: IntArray,
    members: IntArray,
    cost: FloatArray,
    n_groups: int,
) -> tuple[IntArray, IntArray, FloatArray, int, int, float]:
    """Find groups of a value above `worth` from level 0 on, where the first unit is a member, and append them.

    Further results are the looks that it took, and what no group besides those found exceeds.
    """
    n_live, value = tree.n_live, tree.value
    hoped = np.inf
    looks = 0
    level = n_groups - n_groups  # not a literal 0, see `search`
    fresh = True
    while level >= 0:
        if fresh and level > 0 and value[level] > worth:
            if n_groups == most:
                return bounds, members, cost, n_groups, looks, hoped
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
        total, more = raise_roof(level, worth, tree, roof)
        looks += more
        hoped = min(hoped, max(total, worth)) if level == 0 else hoped
        if n_live[level] == 0:
            level -= 1
            fresh = False
            continue
        if looks > effort:
            return bounds, members, cost, n_groups, looks, hoped
        # with the chosen candidate on the next level; afterwards without it on this one
        chosen = most_decisive(level, tree)
        branch(chosen, level, tree)
        remove(chosen, level, tree)
        level += 1
        fresh = True
    return bounds, members, cost, n_groups, looks, worth


@kernel
def branch(chosen: int, level: int, tree: Tree) -> None:
    """Make a candidate a member on the next level, with those that can meet it."""
    unit, whose, gain, row, widest = tree.unit, tree.whose, tree.gain, tree.row, tree.widest
    here = level * widest
    there = here + widest
    start, side = tree.begin[level], tree.side[level]
    line = start + row[here + chosen] * side
    count = 0
    for index in range(here, here + tree.n_live[level]):
        across = tree.weight[line + row[index]]
        if across > NEAR and whose[index] != whose[here + chosen]:
            unit[there + count] = unit[index]
            whose[there + count] = whose[index]
            gain[there + count] = gain[index] + across
            row[there + count] = row[index]
            count += 1
    tree.n_live[level + 1] = count
    tree.member[level + 1] = unit[here + chosen]
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
def most_decisive(level: int, tree: Tree) -> int:
    """Find the candidate with and without which the bound falls most."""
    hope, run, row, count = tree.hope, tree.run, tree.row, tree.n_live[level]
    here = level * tree.widest
    chosen = 0
    most = -np.inf
    begin = 0
    while begin < count:
        best = -np.inf
        second = 0.0
        arg = begin
        end = begin
        while end < count and run[end] == run[begin]:
            if hope[end] > best:
                second = max(second, best)
                best = hope[end]
                arg = end
            else:
                second = max(second, hope[end])
            end += 1
        # Without an annotator's best candidate, its second best (or nobody, 0) takes its place in the sum; with it,
        # others have less to hope for.
        without = best - second
        line = tree.begin[level] + row[here + arg] * tree.side[level]
        within = 0.0
        for other in range(count):
            if hope[other] > 0.0:
                within += min(hope[other], max(0.0, -tree.weight[line + row[here + other]]))
        score = without * within
        if score > most:
            most = score
            chosen = arg
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


@kernel
def raise_roof(level: int, worth: float, tree: Tree, roof: Roof) -> tuple[float, int]:
    """Drop more candidates of a level, by the third bound; return that bound, and how many looks it took."""
    hope = roof.hope
    count = tree.n_live[level]
    if count == 0:
        return worth, 0
    start_roof(level, tree, roof)
    total = 0.0
    lent: float = tree.value[level]
    looks = count * count
    for _ in range(_ROUNDS):
        balance(count, roof)
        lent += lend(count, roof)
        lent += lend(count, roof)
        looks += 6 * count * count
        total = lent
        for index in range(count):
            total += max(0.0, hope[index])
        if total <= worth:
            tree.n_live[level] = 0
            return total, looks
    n_kept = 0
    here = level * tree.widest
    for index in range(count):
        if total + min(0.0, hope[index]) > worth:
            move_candidate(here + index, here + n_kept, tree)
            n_kept += 1
    if n_kept < count:
        tree.n_live[level] = n_kept
        if n_kept <= _SHRINK * tree.side[level]:
            compact(level, tree)
        weigh(level, tree)
    return total, looks


@kernel
def start_roof(level: int, tree: Tree, roof: Roof) -> None:
    """Share positive weights half and half; use no negative ones."""
    share, spare, hope, _, _, _ = roof
    whose, row, weight = tree.whose, tree.row, tree.weight
    count = tree.n_live[level]
    here = level * tree.widest
    for index in range(count):
        line = tree.begin[level] + row[here + index] * tree.side[level]
        own = tree.gain[here + index]
        for other in range(count):
            across = weight[line + row[here + other]]
            place = index * count + other
            share[place], spare[place] = 0.0, 0.0
            if whose[here + other] == whose[here + index]:
                spare[place] = -FAR  # two units of an annotator
            elif across > 0.0:
                share[place] = across / 2.0
                own += across / 2.0
            else:
                spare[place] = -across
        spare[index * count + index] = 0.0
        hope[index] = own


@kernel
def balance(count: int, roof: Roof) -> None:
    """Move shares of positive weights from candidates that have more than they need to partners that have less."""
    share, spare, hope, surplus, asked, part = roof
    # what is needed: as much as can be lent to all partners that still hope for something
    for index in range(count):
        surplus[index] = hope[index]
        if hope[index] > 0.0:
            for other in range(count):
                surplus[index] -= max(0.0, min(spare[index * count + other], min(hope[index], hope[other])))
    for index in range(count):
        asked[index] = 0.0
        if surplus[index] < 0.0:
            there = 0.0
            for other in range(count):
                if surplus[other] > 0.0:
                    there += share[other * count + index]
            if there > 0.0:
                asked[index] = min(1.0, -surplus[index] / there)
    for index in range(count):
        if surplus[index] <= 0.0:
            continue
        wanted = 0.0
        for other in range(count):
            wanted += share[index * count + other] * asked[other]
        if wanted <= 0.0:
            continue
        given = min(1.0, surplus[index] / wanted)
        for other in range(count):
            if asked[other] > 0.0:
                moved = given * share[index * count + other] * asked[other]
                share[index * count + other] -= moved
                share[other * count + index] += moved
                hope[index] -= moved
                hope[other] += moved


@kernel
def lend(count: int, roof: Roof) -> float:
    """Use negative weights between candidates that both hope for something; return how much in total."""
    _, spare, hope, before, _, part = roof
    for index in range(count):
        before[index] = hope[index]
        part[index] = 0.0
        if hope[index] > 0.0:
            there = 0.0
            for other in range(count):
                there += max(0.0, min(spare[index * count + other], min(hope[index], hope[other])))
            part[index] = min(1.0, hope[index] / there) if there > 0.0 else 0.0
    total = 0.0
    for index in range(count):
        if before[index] > 0.0:
            lent = 0.0
            for other in range(count):
                most = max(0.0, min(spare[index * count + other], min(before[index], before[other])))
                used = most * min(part[index], part[other])
                spare[index * count + other] -= used
                lent += used
            hope[index] -= lent
            total += lent
    return total / 2.0  # every pair was there twice
