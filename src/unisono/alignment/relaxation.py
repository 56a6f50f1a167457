"""The linear relaxation of choosing groups, solved about as far as its prices are of use."""

from __future__ import annotations

import time

import numpy as np

from unisono.alignment.partition import UnitGroups
from unisono.arrays import FloatArray, IntArray
from unisono.kernels.band import factorize, normal_matrix, solve_factorized


def central_prices(
    groups: UnitGroups, rank: IntArray, near: FloatArray, safe: FloatArray, aim: float, deadline: float
) -> tuple[FloatArray, FloatArray]:
    """Give prices between those that are best for these groups, and how far each group is chosen.

    A primal–dual interior-point method (Mehrotra 1992), stopped at a gap of `aim`: prices at a vertex would be
    extreme and need many more rounds (Gondzio et al. 2013).

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
    price = problem.inside(near, safe - 0.01)
    slack = groups.cost - problem.sums(price)
    share = problem.first_shares(slack)
    for _ in range(60):
        lacking = 1.0 - problem.covered(share)
        gap = float((share * slack).sum())
        if (gap < aim and np.abs(lacking).max() < 1e-2) or time.monotonic() > deadline:
            break
        if not problem.factorize(share / slack):
            break
        even = gap / len(share)
        step = problem.step(share, slack, lacking, -share * slack)
        along, across = _longest(share, step[0]), _longest(slack, step[2])
        after = float(((share + along * step[0]) * (slack + across * step[2])).sum()) / len(share)
        target = (after / even) ** 3 * even - share * slack - step[0] * step[2]
        step = problem.step(share, slack, lacking, target)
        along, across = 0.95 * _longest(share, step[0]), 0.95 * _longest(slack, step[2])
        share = share + along * step[0]
        price = price + across * step[1]
        slack = slack + across * step[2]
    return price, share


class _Relaxation:
    """Groups chosen in parts: the linear programme min Σ cost·share with Σ_{S∋u} share = 1 for each unit u."""

    def __init__(self, groups: UnitGroups, rank: IntArray) -> None:
        self.groups = groups
        self.rank = rank
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
        """Give prices on the way from safe to near ones that are below every group's cost."""
        room = self.groups.cost - self.sums(safe)
        needed = self.sums(near - safe)
        tight = needed > 0
        most = float((room[tight] / needed[tight]).min()) if tight.any() else 1.0
        return safe + 0.9 * min(1.0, most) * (near - safe)

    def first_shares(self, slack: FloatArray) -> FloatArray:
        """Give positive shares that cover each unit about once."""
        self.factorize(np.ones(len(slack)))
        share = self.sums(self.solve(np.ones(len(self.rank))))
        share = share + max(-1.5 * float(share.min()), 0.0) + 1e-3
        return share + 0.5 * float((share * slack).sum()) / float(slack.sum())

    def factorize(self, scale: FloatArray) -> bool:
        """Prepare the normal equations; tell whether they can be solved."""
        self.band = normal_matrix(self.groups.bounds, self.groups.members, scale, self.rank, self.width)
        self.band[:, 0] *= 1.0 + 1e-13
        return factorize(self.band)

    def solve(self, right: FloatArray) -> FloatArray:
        """Solve the normal equations."""
        return solve_factorized(self.band, right[self.order])[self.rank]

    def step(
        self, share: FloatArray, slack: FloatArray, lacking: FloatArray, target: FloatArray
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Give the Newton step of shares, prices and slacks."""
        price = self.solve(lacking - self.covered(target / slack))
        slack_step = -self.sums(price)
        return (target - share * slack_step) / slack, price, slack_step


def _longest(value: FloatArray, step: FloatArray) -> float:
    """Tell how much of a step, 1 at most, keeps values positive."""
    falling = step < 0
    return min(1.0, float((-value[falling] / step[falling]).min())) if falling.any() else 1.0
