"""Prices of units that are best for the groups known so far, and not far from those that were good before.

Groups are stored as `bounds` and `members` (group g has members[bounds[g] : bounds[g + 1]]) with a `cost` each; units
are numbered by position.

References
----------
.. [1] Mehrotra, S. (1992). On the implementation of a primal–dual interior point method. SIAM Journal on
       Optimization 2, 575–601.
.. [2] Gondzio, J., González-Brevis, P. & Munari, P. (2013). New developments in the primal–dual column generation
       technique. European Journal of Operational Research 224, 41–51.
.. [3] Frangioni, A. (2002). Generalized bundle methods. SIAM Journal on Optimization 13, 117–156.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from unisono.arrays import FloatArray, IntArray
from unisono.kernels.switch import kernel
from unisono.kernels.workspace import floats

_MOST_STEPS = 40
"""Steps of the interior-point method; 6 to 12 are usual."""
_UNCOVERED = 1e-2
"""How far from once a unit may be covered in the end; prices are only as good as needed."""


class Program(NamedTuple):
    """Groups with slacks and shares, and the normal equations.

    Attributes
    ----------
    bounds, members : int64 array
        The groups.
    slack, share : float64 array, shape (n_groups,)
        What the prices of the units leave of a group's cost, and how far it is chosen: both positive.
    pull : float64 array, shape (n_units,)
        How strongly each price is drawn to the centre.
    band : float64 array
        Row i + k of column i of the matrix is band[i * (width + 1) + k].
    width : int
        How far the members of a group are from each other at most.
    """

    bounds: IntArray
    members: IntArray
    slack: FloatArray
    share: FloatArray
    pull: FloatArray
    band: FloatArray
    width: int


@kernel
def proximal_prices(
    bounds: IntArray,
    members: IntArray,
    cost: FloatArray,
    centre: FloatArray,
    pull: FloatArray,
    inside: FloatArray,
    aim: float,
) -> tuple[FloatArray, FloatArray]:
    """Return the prices π with the greatest Σπ - ½ Σ pull (π - centre)² that no group exceeds, about.

    The dual of choosing groups in parts, with a term that keeps prices near the centre [3]_: without it, prices jump
    from round to round, and many more rounds are needed. A primal–dual interior-point method [1]_, stopped at a gap of
    `aim`: prices at a vertex, as a simplex method gives them, would be extreme [2]_.

    Parameters
    ----------
    bounds, members, cost : array
        The groups; every unit alone is among them.
    centre, pull : float64 array, shape (n_units,)
        The centre, and how strongly prices are drawn to it; 0 is not at all.
    inside : float64 array, shape (n_units,)
        Prices that are below the cost of every group, to begin with.
    aim : float
        The gap to stop at.

    Returns
    -------
    price : float64 array, shape (n_units,)
        Strictly below the cost of every group.
    share : float64 array, shape (n_groups,)
        How far each group is chosen.
    """
    n_units, n_groups = len(centre), len(cost)
    width = 0
    for group in range(n_groups):
        low = high = members[bounds[group]]
        for index in range(bounds[group], bounds[group + 1]):
            low, high = min(low, members[index]), max(high, members[index])
        width = max(width, high - low)
    program = Program(
        bounds,
        members,
        floats(n_groups, 0.0),
        floats(n_groups, 0.0),
        pull,
        floats(n_units * (width + 1), 0.0),
        width,
    )
    slack, share = program.slack, program.share
    price = floats(n_units, 0.0)
    lacking = floats(n_units, 0.0)
    step, share_step, slack_step = floats(n_units, 0.0), floats(n_groups, 0.0), floats(n_groups, 0.0)
    target = floats(n_groups, 0.0)
    for unit in range(n_units):
        price[unit] = inside[unit]
    even = 0.0
    for group in range(n_groups):
        slack[group] = cost[group]
        for index in range(bounds[group], bounds[group + 1]):
            slack[group] -= price[members[index]]
        even += (bounds[group + 1] - bounds[group]) / slack[group]
    for group in range(n_groups):
        share[group] = n_units / even / slack[group]  # covers each unit once on average
    for _ in range(_MOST_STEPS):
        gap = 0.0
        for unit in range(n_units):
            lacking[unit] = 1.0 - pull[unit] * (price[unit] - centre[unit])
        for group in range(n_groups):
            gap += share[group] * slack[group]
            for index in range(bounds[group], bounds[group + 1]):
                lacking[members[index]] -= share[group]
        furthest = 0.0
        for unit in range(n_units):
            furthest = max(furthest, abs(lacking[unit]))
        if (gap < aim and furthest < _UNCOVERED) or not factorize(program):
            break
        # the predictor aims at a gap of 0; how far it gets decides how much the corrector centres (Mehrotra's cube)
        for group in range(n_groups):
            target[group] = -share[group] * slack[group]
        newton(program, lacking, target, step, share_step, slack_step)
        along, across = longest(share, share_step), longest(slack, slack_step)
        after = 0.0
        for group in range(n_groups):
            after += (share[group] + along * share_step[group]) * (slack[group] + across * slack_step[group])
        centring = (after / gap) ** 3 * gap / n_groups
        for group in range(n_groups):
            target[group] = centring - share[group] * slack[group] - share_step[group] * slack_step[group]
        newton(program, lacking, target, step, share_step, slack_step)
        # Not all the way to where a share or slack would be 0: from there the next step would be short. Both steps have
        # the same length, since prices are in what is lacking too.
        along = 0.95 * min(longest(share, share_step), longest(slack, slack_step))
        for group in range(n_groups):
            share[group] += along * share_step[group]
            slack[group] += along * slack_step[group]
        for unit in range(n_units):
            price[unit] += along * step[unit]
    return price, share


@kernel
def newton(
    program: Program,
    lacking: FloatArray,
    target: FloatArray,
    step: FloatArray,
    share_step: FloatArray,
    slack_step: FloatArray,
) -> None:
    """Write the Newton step of prices, shares and slacks towards share · slack + target."""
    # shares are eliminated: (A D Aᵀ + pull) Δπ = what is lacking - A (target / slack), with D = share / slack
    bounds, members, slack, share = program.bounds, program.members, program.slack, program.share
    for unit in range(len(step)):
        step[unit] = lacking[unit]
    for group in range(len(slack)):
        part = target[group] / slack[group]
        for index in range(bounds[group], bounds[group + 1]):
            step[members[index]] -= part
    solve_factorized(program, step)
    for group in range(len(slack)):
        total = 0.0
        for index in range(bounds[group], bounds[group + 1]):
            total += step[members[index]]
        slack_step[group] = -total
        share_step[group] = (target[group] + share[group] * total) / slack[group]


@kernel
def longest(value: FloatArray, step: FloatArray) -> float:
    """Return how much of a step, 1 at most, keeps values from falling below 0."""
    most = 1.0
    for index in range(len(value)):
        if value[index] + most * step[index] < 0.0:
            most = -value[index] / step[index]
    return most


# Units that meet in a group are near each other along the continuum. In that order the normal equations are a band, and
# solving them takes n · width² steps instead of n³.


@kernel
def factorize(program: Program) -> bool:
    """Make the normal equations and factorize them (Cholesky); return whether the matrix is positive definite."""
    bounds, members, slack, share, pull, band, width = program
    n, row = len(pull), width + 1
    for index in range(n * row):
        band[index] = 0.0
    for unit in range(n):
        band[unit * row] = pull[unit]
    for group in range(len(slack)):
        scale = share[group] / slack[group]
        for index in range(bounds[group], bounds[group + 1]):
            unit = members[index]
            for again in range(bounds[group], bounds[group + 1]):
                if members[again] >= unit:  # the matrix is symmetric: half of it is enough
                    band[unit * row + members[again] - unit] += scale
    for column in range(n):
        here = column * row
        # some rounding errors more on the diagonal keep the matrix positive definite when shares get near to 0; written
        # so that NaN fails too: then the caller stops with the prices that it has
        if not band[here] > 0.0:
            return False
        pivot = math.sqrt(band[here] * (1.0 + 1e-13))
        reach = min(row, n - column)
        band[here] = pivot
        for offset in range(1, reach):
            band[here + offset] /= pivot
        for first in range(1, reach):
            factor = band[here + first]
            if factor != 0.0:  # many entries inside the band are 0: groups join few of the units in between
                there = (column + first) * row - first
                for offset in range(first, reach):
                    band[there + offset] -= factor * band[here + offset]
    return True


@kernel
def solve_factorized(program: Program, right: FloatArray) -> None:
    """Solve L Lᵀ z = right with the factor that `factorize` leaves; z takes the place of the right side."""
    band, row, n = program.band, program.width + 1, len(right)
    # forward with L, then backward with Lᵀ
    for column in range(n):
        here = column * row
        right[column] /= band[here]
        for offset in range(1, min(row, n - column)):
            right[column + offset] -= band[here + offset] * right[column]
    for column in range(n - 1, -1, -1):
        here = column * row
        total = right[column]
        for offset in range(1, min(row, n - column)):
            total -= band[here + offset] * right[column + offset]
        right[column] = total / band[here]


@kernel
def repaired(bounds: IntArray, members: IntArray, cost: FloatArray, price: FloatArray) -> FloatArray:
    """Lower prices where groups cost less than their units' prices, in proportion to these; others stay.

    Each unit's price falls by the greatest part that a group of it exceeds its cost by. Afterwards no group costs less
    than its units' prices, neither these groups nor any that did not before: prices only fall.
    """
    fall = floats(len(price), 0.0)
    for group in range(len(cost)):
        total = 0.0
        positive = 0.0
        for index in range(bounds[group], bounds[group + 1]):
            total += price[members[index]]
            positive += max(0.0, price[members[index]])
        if total > cost[group]:
            if positive > 0.0:
                part = (total - cost[group]) / positive
                for index in range(bounds[group], bounds[group + 1]):
                    fall[members[index]] = max(fall[members[index]], part)
    lower = floats(len(price), 0.0)
    for unit in range(len(price)):
        lower[unit] = price[unit] - fall[unit] * max(0.0, price[unit])
    return lower
