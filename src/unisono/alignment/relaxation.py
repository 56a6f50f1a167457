"""The linear relaxation of choosing groups, solved about as far as its prices are of use.

References
----------
.. [1] Mehrotra, S. (1992). On the implementation of a primal–dual interior point method. SIAM Journal on
       Optimization 2, 575–601.
.. [2] Gondzio, J., González-Brevis, P. & Munari, P. (2013). New developments in the primal–dual column generation
       technique. European Journal of Operational Research 224, 41–51.
"""

from __future__ import annotations

import time

import numpy as np

from unisono.alignment.partition import UnitGroups
from unisono.arrays import FloatArray, IntArray
from unisono.kernels.band import factorize, normal_matrix, solve_factorized


def central_prices(
    groups: UnitGroups, rank: IntArray, near: FloatArray, safe: FloatArray, aim: float, deadline: float
) -> tuple[FloatArray, FloatArray]:
    """Return prices in the middle of those that are best for these groups, and how far each group is chosen.

    A primal–dual interior-point method [1]_, stopped at a gap of `aim`: prices at a vertex, as a simplex method gives
    them, would be extreme and need many more rounds of column generation [2]_.

    Parameters
    ----------
    groups : UnitGroups
        The groups; units alone among them.
    rank : int64 array, shape (n_units,)
        Order of the units, such that groups have units of near ranks.
    near : float64 array, shape (n_units,)
        Prices to begin near.
    safe : float64 array, shape (n_units,)
        Prices that no group exceeds.
    aim : float
        The gap to stop at.
    deadline : float
        When to stop, in the time of `time.monotonic`.
    """
    problem = _Relaxation(groups, rank)
    # Any prices are fine for what follows (`many` computes the bound that they prove): steps, tolerances and the number
    # of steps decide on speed only. Prices begin strictly below what is safe, so that every group has slack.
    price = problem.inside(near, safe - 0.01)
    slack = groups.cost - problem.sums(price)
    share = problem.first_shares(slack)
    for _ in range(60):  # 5 to 10 are usual
        lacking = 1.0 - problem.covered(share)
        gap = float((share * slack).sum())
        if (gap < aim and np.abs(lacking).max() < 1e-2) or time.monotonic() > deadline:
            break
        if not problem.factorize(share / slack):
            break
        # the predictor aims at a gap of 0; how far it gets decides how much the corrector centres (Mehrotra's cube)
        even = gap / len(share)
        step = problem.step(share, slack, lacking, -share * slack)
        along, across = _longest(share, step[0]), _longest(slack, step[2])
        after = float(((share + along * step[0]) * (slack + across * step[2])).sum()) / len(share)
        target = (after / even) ** 3 * even - share * slack - step[0] * step[2]
        step = problem.step(share, slack, lacking, target)
        # not all the way to where a share or slack would be 0: from there the next step would be short
        along, across = 0.95 * _longest(share, step[0]), 0.95 * _longest(slack, step[2])
        share = share + along * step[0]
        price = price + across * step[1]
        slack = slack + across * step[2]
    return price, share


class _Relaxation:
    """Groups chosen in parts: the linear program min Σ cost·share with Σ_{S∋u} share = 1 for each unit u."""

    def __init__(self, groups: UnitGroups, rank: IntArray) -> None:
        self.groups = groups
        self.rank = rank
        # units in the order of their ranks make the normal matrix a band, as wide as groups extend
        self.order = np.argsort(rank)
        self.sizes = np.diff(groups.bounds)
        place = rank[groups.members]
        begins = groups.bounds[:-1]
        self.width = int((np.maximum.reduceat(place, begins) - np.minimum.reduceat(place, begins)).max())

    def sums(self, of_units: FloatArray) -> FloatArray:
        """Add up over the members of each group."""
        return np.add.reduceat(of_units[self.groups.members], self.groups.bounds[:-1])

    def covered(self, of_groups: FloatArray) -> FloatArray:
        """Add up over the groups of each unit."""
        weights = np.repeat(of_groups, self.sizes)
        return np.bincount(self.groups.members, weights=weights, minlength=len(self.rank)).astype(np.float64)

    def inside(self, near: FloatArray, safe: FloatArray) -> FloatArray:
        """Return prices on the way from safe to near ones that are below every group's cost."""
        slack = self.groups.cost - self.sums(safe)
        needed = self.sums(near - safe)
        tight = needed > 0
        most = float((slack[tight] / needed[tight]).min()) if tight.any() else 1.0
        return safe + 0.9 * min(1.0, most) * (near - safe)

    def first_shares(self, slack: FloatArray) -> FloatArray:
        """Return positive shares that cover each unit about once: the least-squares solution, raised [1]_."""
        self.factorize(np.ones(len(slack)))
        share = self.sums(self.solve(np.ones(len(self.rank))))
        share = share + max(-1.5 * float(share.min()), 0.0) + 1e-3
        return share + 0.5 * float((share * slack).sum()) / float(slack.sum())

    def factorize(self, scale: FloatArray) -> bool:
        """Prepare the normal equations; return whether they can be solved."""
        self.band = normal_matrix(self.groups.bounds, self.groups.members, scale, self.rank, self.width)
        # some rounding errors more on the diagonal keep the matrix positive definite when shares get near to 0
        self.band[:, 0] *= 1.0 + 1e-13
        return factorize(self.band)

    def solve(self, right: FloatArray) -> FloatArray:
        """Solve the normal equations."""
        return solve_factorized(self.band, right[self.order])[self.rank]

    def step(
        self, share: FloatArray, slack: FloatArray, lacking: FloatArray, target: FloatArray
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return the Newton step of shares, prices and slacks."""
        # shares are eliminated: A D Aᵀ Δπ = what is lacking - A (target / slack), with D = share / slack
        price = self.solve(lacking - self.covered(target / slack))
        slack_step = -self.sums(price)
        return (target - share * slack_step) / slack, price, slack_step


def _longest(value: FloatArray, step: FloatArray) -> float:
    """Return how much of a step, 1 at most, keeps values positive."""
    falling = step < 0
    return min(1.0, float((-value[falling] / step[falling]).min())) if falling.any() else 1.0
