"""Prices of units: what proves that no choice of groups costs less.

Groups are stored as `bounds` and `members` (group g has members[bounds[g] : bounds[g + 1]]) with a `cost` each; the
groups of unit u are `groups_of[where[u] : where[u + 1]]`. Prices π with Σ_{u∈S} π_u ≤ cost(S) for every group S are
feasible: they prove that no alignment costs less than Σπ, since its groups cover every unit once. The reduced cost of S
is cost(S) - Σ_{u∈S} π_u.

References
----------
.. [1] Wedelin, D. (1995). An algorithm for large scale 0–1 integer programming with application to airline crew
       scheduling. Annals of Operations Research 57, 283–301.
.. [2] Sinkhorn, R. (1967). Diagonal equivalence to matrices with prescribed row and column sums. The American
       Mathematical Monthly 74, 402–405.
"""

from __future__ import annotations

import math

import numpy as np

from unisono.arrays import FloatArray, IntArray
from unisono.kernels.switch import kernel
from unisono.kernels.workspace import copied, floats, ints

SWEEPS = 20
"""Sweeps of ascent, chosen by trial."""


@kernel
def groups_by_unit(bounds: IntArray, members: IntArray, n_units: int) -> tuple[IntArray, IntArray]:
    """Return the groups of each unit: `where` they begin in `groups_of`."""
    where = ints(n_units + 1, 0)
    # counting, adding up, filling: compressed rows
    for unit in members:
        where[unit + 1] += 1
    for unit in range(n_units):
        where[unit + 1] += where[unit]
    filled = copied(where)
    groups_of = ints(len(members), 0)
    for group in range(len(bounds) - 1):
        for unit in members[bounds[group] : bounds[group + 1]]:
            groups_of[filled[unit]] = group
            filled[unit] += 1
    return where, groups_of


@kernel
def even_prices(bounds: IntArray, members: IntArray, cost: FloatArray, n_units: int) -> FloatArray:
    """Return feasible prices to begin with: the least even share of a group's cost."""
    # feasible, since each of the |S| members of S pays cost(S)/|S| at most
    price = floats(n_units, np.inf)
    for group in range(len(cost)):
        share = cost[group] / (bounds[group + 1] - bounds[group])
        for unit in members[bounds[group] : bounds[group + 1]]:
            price[unit] = min(price[unit], share)
    return price


@kernel
def ascend(
    bounds: IntArray,
    members: IntArray,
    cost: FloatArray,
    where: IntArray,
    groups_of: IntArray,
    price: FloatArray,
    sweeps: int,
) -> None:
    """Raise prices, unit by unit, to between the best and the second-best group of the unit.

    Dual coordinate ascent for set partitioning [1]_: at the midpoint, exactly one group of the unit has a negative
    reduced cost, unless two are equally good. Afterwards the prices are made feasible.

    Parameters
    ----------
    price : float64 array, shape (n_units,)
        Changed in place.
    sweeps : int
        How often to go over all units, at most.
    """
    n_units = len(price)
    reduced = reduced_costs(bounds, members, cost, price)
    for sweep in range(sweeps):
        change = 0.0
        for position in range(n_units):
            # back and forth, so that a change travels along the whole text in one sweep, either way
            unit = position if sweep % 2 == 0 else n_units - 1 - position
            best, second = np.inf, np.inf
            for index in range(where[unit], where[unit + 1]):
                value = reduced[groups_of[index]]
                if value < best:
                    best, second = value, best
                elif value < second:
                    second = value
            # with a single group (the unit alone), all of its cost can be the price
            step = best if second == np.inf else (best + second) / 2.0
            change += abs(step)
            price[unit] += step
            for index in range(where[unit], where[unit + 1]):
                reduced[groups_of[index]] -= step
        if change < 1e-12 * n_units:  # nothing but rounding
            break
    make_feasible(bounds, members, cost, where, groups_of, price)


@kernel
def scale(
    bounds: IntArray,
    members: IntArray,
    cost: FloatArray,
    where: IntArray,
    groups_of: IntArray,
    price: FloatArray,
    temperature: float,
    sweeps: int,
) -> None:
    """Move prices towards the optimum of the linear relaxation, smoothed by an entropy (iterative scaling).

    With x_S = exp(-reduced(S)/T), the price of a unit is set so that the x of its groups add up to 1: all of them are
    multiplied by the same factor. Repeated, that converges to the least Σ cost x + T Σ x (log x - 1) among all x that
    cover every unit once (Sinkhorn's method [2]_). Unlike `ascend` it does not get stuck at a corner, because this
    function is smooth; as T falls, it tends to the linear relaxation.

    Parameters
    ----------
    price : float64 array, shape (n_units,)
        Changed in place; reduced costs stay at least 0 where they were.
    temperature : float
        T.
    sweeps : int
        How often to go over all units.
    """
    n_units = len(price)
    share = floats(len(cost), 0.0)
    for group in range(len(cost)):
        # reduced costs below 0 would make shares above 1; prices come from `ascend`, so there are none but for rounding
        share[group] = math.exp(-max(0.0, reduced_cost(group, bounds, members, cost, price)) / temperature)
    for sweep in range(sweeps):
        for position in range(n_units):
            unit = position if sweep % 2 == 0 else n_units - 1 - position
            total = 0.0
            for index in range(where[unit], where[unit + 1]):
                total += share[groups_of[index]]
            if total > 0.0:
                # x_S = exp(-(cost - Σπ)/T) is divided by `total` if π_u falls by T log(total); afterwards no x of the
                # unit's groups is above 1, so none of their reduced costs is below 0
                for index in range(where[unit], where[unit + 1]):
                    share[groups_of[index]] /= total
                price[unit] -= temperature * math.log(total)


@kernel
def make_feasible(
    bounds: IntArray,
    members: IntArray,
    cost: FloatArray,
    where: IntArray,
    groups_of: IntArray,
    price: FloatArray,
) -> None:
    """Change prices so that no group has a negative reduced cost and every unit has one with none."""
    # What a group lacks is taken from its members in equal parts. Prices only fall here, so a group that lacks nothing
    # any more never does again.
    for group in range(len(cost)):
        lacking = reduced_cost(group, bounds, members, cost, price)
        if lacking < 0.0:
            for unit in members[bounds[group] : bounds[group + 1]]:
                price[unit] += lacking / (bounds[group + 1] - bounds[group])
    # Then each unit gets what its groups leave over: the least of their reduced costs, which stay at least 0.
    for unit in range(len(price)):
        left = np.inf
        for index in range(where[unit], where[unit + 1]):
            left = min(left, reduced_cost(groups_of[index], bounds, members, cost, price))
        price[unit] += left


@kernel
def reduced_cost(group: int, bounds: IntArray, members: IntArray, cost: FloatArray, price: FloatArray) -> float:
    """Return cost(S) - Σ_{u∈S} π_u of one group."""
    left: float = cost[group]
    for unit in members[bounds[group] : bounds[group + 1]]:
        left -= price[unit]
    return left


@kernel
def reduced_costs(bounds: IntArray, members: IntArray, cost: FloatArray, price: FloatArray) -> FloatArray:
    """Return the reduced cost of every group."""
    reduced = floats(len(cost), 0.0)
    for group in range(len(cost)):
        reduced[group] = reduced_cost(group, bounds, members, cost, price)
    return reduced
