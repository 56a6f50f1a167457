"""Units of three or more annotators in groups at the least cost, where only some pairs can meet.

With C pairs of annotators, a group of units costs 1 + Σ_pairs (d - 1)/C, with d ≤ 1 (see `alignment.texts`): every two
of its units must be able to meet. Units that cannot meet, not even through others, are grouped independently. Such
components are small as long as texts do not repeat themselves, so that all groups of one can be listed and the best of
them found by trying.
"""

from __future__ import annotations

from typing import NamedTuple

from unisono.arrays import FloatArray, IntArray
from unisono.kernels.switch import kernel
from unisono.kernels.workspace import floats, ints

# Limits of effort, chosen by trial: up to these, a component takes less time than to hand it to a solver. Bits are
# those of an int64.
MOST_BITS = 62
MOST_CLIQUES = 2000
MOST_STEPS = 20_000


class Neighbours(NamedTuple):
    """Pairs of units that can meet: of unit u those from starts[u] to starts[u] + counts[u].

    Attributes
    ----------
    starts, counts : int64 array, shape (n_units,)
        Where the pairs of each unit begin, and how many there are.
    other, cost : int64 array, float64 array
        The other unit, with a higher number, and (d - 1)/C.
    """

    starts: IntArray
    counts: IntArray
    other: IntArray
    cost: FloatArray


@kernel
def group_units(
    unit_edges: IntArray, n_annotators: IntArray, pair_edges: IntArray, u: IntArray, v: IntArray, d: FloatArray
) -> IntArray:
    """Group the units of samples at the least cost.

    Parameters
    ----------
    unit_edges : int64 array, shape (n_samples + 1,)
        Where the units of each sample begin; in a sample, they are numbered annotator by annotator.
    n_annotators : int64 array, shape (n_samples,)
        How many there are.
    pair_edges : int64 array, shape (n_samples + 1,)
        Where the pairs of each sample begin.
    u, v, d : int64 array, int64 array, float64 array
        Pairs of units that can meet, u < v, each pair once, and their dissimilarities.

    Returns
    -------
    group : int64 array, shape (n_units,)
        The group of each unit, named by the lowest of its units; -1 where it is too hard to find.
    """
    n_samples = len(n_annotators)
    group = ints(unit_edges[n_samples], -1)
    for sample in range(n_samples):
        low, high = pair_edges[sample], pair_edges[sample + 1]
        n_pairs = n_annotators[sample] * (n_annotators[sample] - 1) / 2.0
        begin, n_units = unit_edges[sample], unit_edges[sample + 1] - unit_edges[sample]
        _group_sample(
            begin, n_units, _neighbours(begin, n_units, n_pairs, u[low:high], v[low:high], d[low:high]), group
        )
    return group


@kernel
def _group_sample(begin: int, n_units: int, neighbours: Neighbours, group: IntArray) -> None:
    """Group the units of one sample, which are numbered from `begin` on."""
    order, edges, n_components = _components(n_units, neighbours)
    local = ints(n_units, 0)
    for index in range(n_components):
        low, high = edges[index], edges[index + 1]
        size, n_pairs = high - low, 0
        for place in range(low, high):
            local[order[place]] = place - low
            n_pairs += neighbours.counts[order[place]]
        if n_pairs == size * (size - 1) // 2:
            # Every two can meet. To split a group changes its cost by 1 - Σ_across (d - 1)/C, which is 1 at least:
            # such units belong together.
            for place in range(low, high):
                group[begin + order[place]] = begin + order[low]
        elif size <= MOST_BITS:
            _search(order, low, size, local, neighbours, begin, group)


@kernel
def _neighbours(begin: int, n_units: int, n_pairs: float, u: IntArray, v: IntArray, d: FloatArray) -> Neighbours:
    """List the pairs of each unit; units are numbered from `begin` on, and here from 0."""
    starts, counts = ints(n_units, 0), ints(n_units, 0)
    for index in range(len(u)):
        counts[u[index] - begin] += 1
    total = 0
    for unit in range(n_units):
        starts[unit] = total
        total += counts[unit]
        counts[unit] = 0
    other, cost = ints(len(u), 0), floats(len(u), 0.0)
    for index in range(len(u)):
        unit = u[index] - begin
        place = starts[unit] + counts[unit]
        other[place], cost[place] = v[index] - begin, (d[index] - 1.0) / n_pairs
        counts[unit] += 1
    return Neighbours(starts, counts, other, cost)


@kernel
def _components(n_units: int, neighbours: Neighbours) -> tuple[IntArray, IntArray, int]:
    """Find units that can meet, if only through others: by component, and where each component begins."""
    parent = ints(n_units, 0)
    for unit in range(n_units):
        parent[unit] = unit
    for unit in range(n_units):
        for pair in range(neighbours.starts[unit], neighbours.starts[unit] + neighbours.counts[unit]):
            one, two = _root(parent, unit), _root(parent, neighbours.other[pair])
            parent[max(one, two)] = min(one, two)
    component, edges = ints(n_units, 0), ints(n_units + 1, 0)
    n = 0
    for unit in range(n_units):  # roots are the lowest units, so they come first
        root = _root(parent, unit)
        if root == unit:
            component[unit] = n
            n += 1
        else:
            component[unit] = component[root]
        edges[component[unit] + 1] += 1
    for index in range(n):
        edges[index + 1] += edges[index]
    order, filled = ints(n_units, 0), ints(n, 0)
    for unit in range(n_units):
        own = component[unit]
        order[edges[own] + filled[own]] = unit
        filled[own] += 1
    return order, edges, n


@kernel
def _root(parent: IntArray, unit: int) -> int:
    """Find the lowest unit of a component."""
    while parent[unit] != unit:
        parent[unit] = parent[parent[unit]]
        unit = parent[unit]
    return unit


@kernel
def _search(
    order: IntArray, low: int, size: int, local: IntArray, neighbours: Neighbours, begin: int, group: IntArray
) -> None:
    """Find the best groups of a component, unless it takes too long."""
    near, cost = ints(size, 0), floats(size * size, 0.0)
    for one in range(size):
        unit = order[low + one]
        for pair in range(neighbours.starts[unit], neighbours.starts[unit] + neighbours.counts[unit]):
            two = local[neighbours.other[pair]]
            near[one] |= 1 << two
            cost[one * size + two] = neighbours.cost[pair]
    members, costs, first, n = _cliques(size, near, cost)
    if n < 0:
        return
    share = _shares(size, members, costs, n)
    # Prices are what a unit costs at least as a member of any group. A choice of groups costs the sum of all prices and
    # what each group costs beyond the prices of its units, which is never negative.
    for clique in range(n):
        for one in range(size):
            if (members[clique] >> one) & 1:
                costs[clique] -= share[one]
    _sort(members, costs, first, size)
    # the groups that begin with the lowest unit that is free are tried one after the other, and then the rest
    chosen, best_chosen = ints(size, 0), ints(size, 0)
    taken, spent = ints(size + 1, 0), floats(size + 1, 0.0)
    depth, n_best, best, steps = 0, 0, float(size + 1), 0
    chosen[0] = first[0]
    lowest = ints(size + 1, 0)
    while depth >= 0:
        steps += 1
        if steps > MOST_STEPS:
            return
        clique = chosen[depth]
        if clique == first[lowest[depth] + 1] or spent[depth] + costs[clique] >= best:
            depth -= 1
            if depth >= 0:
                chosen[depth] += 1
            continue
        if members[clique] & taken[depth]:
            chosen[depth] += 1
            continue
        now, at = taken[depth] | members[clique], spent[depth] + costs[clique]
        free = lowest[depth]
        while free < size and (now >> free) & 1:
            free += 1
        if free == size:
            best, n_best = at, depth + 1
            for index in range(n_best):
                best_chosen[index] = chosen[index]
            chosen[depth] += 1
            continue
        depth += 1
        taken[depth], spent[depth], lowest[depth], chosen[depth] = now, at, free, first[free]
    for index in range(n_best):
        name = -1
        for one in range(size):
            if (members[best_chosen[index]] >> one) & 1:
                if name < 0:
                    name = begin + order[low + one]
                group[begin + order[low + one]] = name


@kernel
def _cliques(size: int, near: IntArray, cost: FloatArray) -> tuple[IntArray, FloatArray, IntArray, int]:
    """List all groups of units of which every two can meet: by their lowest unit; -1 of them if they are too many."""
    members, costs, first = ints(MOST_CLIQUES, 0), floats(MOST_CLIQUES, 0.0), ints(size + 1, 0)
    common = ints(MOST_CLIQUES, 0)  # higher units that all members can meet
    n = 0
    for lowest in range(size):
        first[lowest] = n
        if n == MOST_CLIQUES:
            return members, costs, first, -1
        members[n], costs[n], common[n] = 1 << lowest, 1.0, near[lowest]
        clique = n
        n += 1
        while clique < n:
            for one in range(lowest + 1, size):
                if (common[clique] >> one) & 1:
                    if n == MOST_CLIQUES:
                        return members, costs, first, -1
                    members[n], costs[n] = members[clique] | (1 << one), costs[clique]
                    for other in range(lowest, one):
                        if (members[clique] >> other) & 1:
                            costs[n] += cost[other * size + one]
                    common[n] = common[clique] & near[one]
                    n += 1
            clique += 1
    first[size] = n
    return members, costs, first, n


@kernel
def _sort(members: IntArray, costs: FloatArray, first: IntArray, size: int) -> None:
    """Sort the groups that have the same lowest unit by cost, so that none after one that is too expensive is tried."""
    for lowest in range(size):
        for index in range(first[lowest] + 1, first[lowest + 1]):
            own, cost = members[index], costs[index]
            place = index
            while place > first[lowest] and costs[place - 1] > cost:
                members[place], costs[place] = members[place - 1], costs[place - 1]
                place -= 1
            members[place], costs[place] = own, cost


@kernel
def _shares(size: int, members: IntArray, costs: FloatArray, n: int) -> FloatArray:
    """Return what each unit costs at least as a member of any group, if members share costs equally."""
    share = floats(size, 1.0)
    for clique in range(n):
        count = 0
        for one in range(size):
            count += (members[clique] >> one) & 1
        for one in range(size):
            if (members[clique] >> one) & 1:
                share[one] = min(share[one], costs[clique] / count)
    return share
