"""Many annotators: the best grouping by column generation, with a proven bound at any time.

With more than about eight annotators the groups that could be useful are too many to list. They are generated as
needed: prices π of the units come from an interior-point method over the groups known so far, and groups that would
be worth more than they cost at these prices are searched for.

The bound. At prices π a group S has the value Σ_{u∈S} π_u - cost(S), so a grouping costs Σπ less the values of its
groups. Every group has exactly one first unit, in any order of the units, and every unit is first in one group at most.
So no grouping costs less than Σπ - Σ_u max(0, best value of a group with first unit u). Where the search for the best
is stopped early, an upper bound of it serves as well. In the end all groups that the gap leaves possible are listed,
and the best choice among them is the best of all.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from unisono.alignment.pairs import Pairs
from unisono.alignment.partition import Partition, UnitGroups, best_partition, joined
from unisono.alignment.relaxation import central_prices
from unisono.arrays import FloatArray, IntArray
from unisono.kernels.local_search import improve, tabulate
from unisono.kernels.pricing import search, share_prices
from unisono.kernels.switch import compiled

_PROVEN = 1e-11
"""Relative gap below which nothing is left but rounding; the same as in `relative_gap`."""

# These numbers, and the factors in `_Generation.run`, were chosen by trial. They decide how soon a gap is closed, not
# whether a bound is valid.
_LEAST_EFFORT = 20_000
_MOST_EFFORT = 100_000_000
"""Pairs of candidates to look at for one first unit."""

_MOST_KNOWN = 20_000
_MOST_FOUND = 1_000_000
_FIRST_LISTED = 3_000
_MOST_LISTED = 40_000
"""Groups kept from round to round, found in one, and listed in the end, at first and later. The integer program that
chooses among them gets slow beyond some ten thousand."""

_MOST_PATIENCE = 1000.0
"""The last choice may take so many times as long as everything before."""

_NO_GROUPS = UnitGroups(np.zeros(1, np.int64), np.zeros(0, np.int64), np.zeros(0))


def best_grouping(
    pairs: Pairs,
    annotator: IntArray,
    n_annotators: int,
    *,
    deadline: float,
    tolerance: float = 0.0,
    position: FloatArray | None = None,
) -> Partition:
    """Group units at the least cost without listing all groups.

    Parameters
    ----------
    pairs : Pairs
        The pairs that can meet in a group.
    annotator : int64 array, shape (n_units,)
        Who made each unit; units are sorted by it.
    n_annotators : int
        n, those without units included.
    deadline : float
        When to stop, in the time of `time.monotonic`.
    tolerance : float
        Stop at this relative gap between cost and bound.
    position : float64 array, shape (n_units,), optional
        Where units are, such that similar units are near each other. Any order of the units gives valid bounds; a
        good one gives them sooner.

    Returns
    -------
    Partition
        Its bound is None when the grouping is proven best.
    """
    graph = _graph(pairs, annotator, n_annotators, position)
    generation = _Generation(graph, deadline, tolerance)
    generation.run()
    return Partition(generation.best, None if generation.gap <= _PROVEN else generation.bound)


@dataclass(frozen=True, slots=True)
class _Graph:
    """Pairs in both directions with their weights (1 - d)/C, and an order of the units."""

    starts: IntArray
    other: IntArray
    weight: FloatArray
    annotator: IntArray
    n_annotators: int
    rank: IntArray

    @property
    def n_units(self) -> int:
        """Number of units."""
        return len(self.annotator)

    @property
    def arrays(self) -> tuple[IntArray, IntArray, FloatArray, IntArray, int]:
        """What every kernel needs."""
        return self.starts, self.other, self.weight, self.annotator, self.n_annotators

    @property
    def unit(self) -> IntArray:
        """The first unit of each pair."""
        return np.repeat(np.arange(self.n_units), np.diff(self.starts))

    def groups(self, group_of: IntArray) -> UnitGroups:
        """Return groups with their costs, given the name of each unit's group."""
        order = np.argsort(group_of, kind="stable")
        _, name, sizes = np.unique(group_of, return_inverse=True, return_counts=True)
        unit = self.unit
        inside = name[unit] == name[self.other]
        # every pair is there twice
        saved = np.bincount(name[unit[inside]], weights=self.weight[inside], minlength=len(sizes)) / 2.0
        return UnitGroups(np.concatenate([[0], np.cumsum(sizes)]), order, 1.0 - saved)


def _graph(pairs: Pairs, annotator: IntArray, n_annotators: int, position: FloatArray | None) -> _Graph:
    n_units = len(annotator)
    weight = (1.0 - pairs.dissimilarity) / (n_annotators * (n_annotators - 1) / 2)
    unit = np.concatenate([pairs.unit, pairs.other])
    other = np.concatenate([pairs.other, pairs.unit])
    order = np.lexsort((other, unit))
    starts = np.concatenate([[0], np.cumsum(np.bincount(unit, minlength=n_units))])
    rank = np.arange(n_units)
    if position is not None:
        rank[np.argsort(position, kind="stable")] = np.arange(n_units)
    return _Graph(starts, other[order], np.tile(weight, 2)[order], annotator, n_annotators, rank)


class _Pool:
    """Groups of two and more units known so far, each once."""

    def __init__(self) -> None:
        self.groups = _NO_GROUPS
        self._known: set[bytes] = set()

    def add(self, groups: UnitGroups) -> int:
        """Add groups that are new; return how many."""
        new = []
        for index in range(len(groups.cost)):
            units = np.sort(groups.members[groups.bounds[index] : groups.bounds[index + 1]])
            key = units.tobytes()
            if len(units) > 1 and key not in self._known:
                self._known.add(key)
                new.append(index)
        if new:
            self.groups = joined([self.groups, groups.take(np.array(new, np.int64))])
        return len(new)

    def forget(self, prices: FloatArray, most: int) -> None:
        """Where there are more than so many, keep half as many, those of the least reduced cost."""
        if len(self.groups.cost) > most:
            kept = self.groups.take(np.argsort(_reduced(self.groups, prices), kind="stable")[: most // 2])
            self.groups = _NO_GROUPS
            self._known.clear()
            self.add(kept)


def _reduced(groups: UnitGroups, prices: FloatArray) -> FloatArray:
    if not len(groups.cost):
        return np.zeros(0)
    return groups.cost - np.add.reduceat(prices[groups.members], groups.bounds[:-1])


class _Generation:
    """The best grouping and the best bound so far, and the groups that led there.

    `price_bound` is what `prices` prove; `bound` can be higher, by listing. `safe` are prices that no group exceeds.
    """

    def __init__(self, graph: _Graph, deadline: float, tolerance: float) -> None:
        self.graph = graph
        self.deadline = deadline
        self.tolerance = max(tolerance, _PROVEN)
        self.pool = _Pool()
        self.firsts = np.argsort(graph.rank, kind="stable")
        self.safe = self.prices = share_prices(*graph.arrays)
        self.bound = self.price_bound = float(self.prices.sum())
        self.cost = np.inf
        self.best = _NO_GROUPS
        self.began = time.monotonic()
        self.patience = 1.0
        self.offer(np.arange(graph.n_units))

    @property
    def gap(self) -> float:
        """The share by which the cost may be above the least one."""
        return max(0.0, self.cost - self.bound) / max(self.cost, 1.0)

    @property
    def finished(self) -> bool:
        """Whether the gap is small enough or time is up."""
        return self.gap <= self.tolerance or self.late

    @property
    def late(self) -> bool:
        """Whether time is up."""
        return time.monotonic() > self.deadline

    def run(self) -> None:
        """Search until the gap is closed, time is up, or nothing more can be done."""
        self.round_off(_NO_GROUPS, np.zeros(0))
        effort = _LEAST_EFFORT
        aim = 0.1 * (self.cost - self.price_bound)
        again = False
        while not self.finished:
            known = self.pool.groups.with_singles(self.graph.n_units)
            prices, shares = central_prices(known, self.graph.rank, self.prices, self.safe, aim, self.deadline)
            relaxed = float((known.cost * shares).sum())
            n_new, complete = self.generate(prices, _LEAST_EFFORT)
            # Many new groups: solve again with them. Few: look harder, at prices whose bound is better.
            if n_new < 0.5 * self.graph.n_units:
                more, complete = self.generate(self.steadied(prices, relaxed), effort)
                n_new += more
                if more < 0.25 * self.graph.n_units:
                    effort = min(4 * effort, _MOST_EFFORT)
            if not self.late:
                self.round_off(known, shares)
                self.round_off(self.pool.groups, -_reduced(self.pool.groups, prices))
            # The relaxation over the known groups is no better than that over all groups, which no prices can exceed.
            # When the prices are near to it compared to the gap, better ones are of little use: list the rest.
            missing = relaxed - self.price_bound
            exhausted = complete and n_new == 0
            if missing < 0.03 * (self.cost - self.price_bound) or (exhausted and missing < 1e-3 * relaxed):
                again = self.list_rest()
            if exhausted and aim < 1e-9 and not again:
                break
            aim = min(0.1 * max(missing, 0.0), 0.1 * aim if exhausted else aim)
            self.pool.forget(self.prices, max(_MOST_KNOWN, 20 * self.graph.n_units))

    def steadied(self, prices: FloatArray, relaxed: float) -> FloatArray:
        """Draw prices towards the best ones so far, the more, the less these prove.

        Prices jump from round to round, and their bounds with them; in between it is steadier (smoothing).
        """
        pull = min(0.8, max(0.2, 4.0 * (relaxed - self.price_bound) / max(relaxed, 1.0)))
        return pull * self.prices + (1.0 - pull) * prices

    def offer(self, group_of: IntArray) -> None:
        """Take a grouping if it is the best so far."""
        groups = self.graph.groups(group_of)
        self.pool.add(groups)
        cost = float(groups.cost.sum())
        if cost < self.cost:
            self.cost = cost
            self.best = groups

    def round_off(self, groups: UnitGroups, score: FloatArray) -> None:
        """Make a grouping out of the groups of the highest scores, then search locally."""
        free = np.ones(self.graph.n_units, np.bool_)
        group_of = np.arange(self.graph.n_units)
        for group in np.argsort(-score, kind="stable")[: 5 * self.graph.n_units]:
            units = groups.members[groups.bounds[group] : groups.bounds[group + 1]]
            if free[units].all():
                free[units] = False
                group_of[units] = units[0]
        table = tabulate(group_of, self.graph.annotator, self.graph.n_annotators)
        improve(*self.graph.arrays, table, group_of, np.ones(self.graph.n_units, np.bool_))
        self.offer(group_of)

    def generate(self, prices: FloatArray, effort: int) -> tuple[int, bool]:
        """Find groups that are worth more than they cost, and a bound; return how many are new and if that is all."""
        found, limit, complete = self.search(prices, 0.0, effort, every=False, most=_MOST_FOUND)
        n_new = self.pool.add(found)
        if len(limit) < self.graph.n_units:
            return n_new, False
        # the bound of the module's docstring; the search knows groups of two and more, a unit alone is worth π_u - 1
        alone = prices[self.firsts] - 1.0
        bound = float(prices.sum() - np.maximum(limit, alone).sum())
        if bound > self.price_bound:
            self.prices = prices
            self.price_bound = bound
            self.bound = max(self.bound, bound)
        return n_new, complete

    def list_rest(self) -> bool:
        """List all groups that a grouping below some cost can have, and choose the best among them.

        A group of reduced cost r > 0 cannot be in a grouping that costs less than the bound of the prices plus r: the
        bound allows its first unit a value of at least 0, and here it has -r. So if all groups below r are listed,
        either the best choice among them is the best of all, or no grouping costs less than that bound plus r. Returns
        whether more patience with the choice could help.
        """
        most = _FIRST_LISTED
        cut = whole = self.cost - self.price_bound
        growing = False
        # Half the cut as long as there are too many groups to list, then double it again; 1e-9 more for rounding.
        while not self.finished and cut > 0.001 * whole:
            listed, limit, complete = self.search(self.prices, -cut - 1e-9, _MOST_EFFORT, every=True, most=most)
            if complete and len(limit) == self.graph.n_units:
                least, proven = self.choose(listed)
                self.bound = max(self.bound, min(least, self.price_bound + cut))
                if not proven:
                    return self.patience < _MOST_PATIENCE
                growing, most = True, _MOST_LISTED
                cut = min(2.0 * cut, self.cost - self.price_bound)
            elif growing:
                return False
            else:
                cut /= 2.0
        return False

    def choose(self, groups: UnitGroups) -> tuple[float, bool]:
        """Choose the best among listed groups; return a bound for all choices among them, and whether it is proven.

        Prices are subtracted from the costs, which changes all choices by the same amount: so the solver starts from
        these prices. They are not negative, so that the units alone that the solver adds, at cost 1, are no better than
        those listed; and they add up to the bound at most, so that no choice costs less than 0, since the solver
        compares relative gaps.
        """
        prices = np.maximum(self.prices, 0.0)
        prices *= max(self.price_bound, 0.0) / max(float(prices.sum()), 1e-300)
        groups = groups.with_singles(self.graph.n_units)
        reduced = UnitGroups(groups.bounds, groups.members, _reduced(groups, prices))
        now = time.monotonic()
        deadline = min(self.deadline, now + 1.0 + self.patience * (now - self.began))
        partition = best_partition(reduced, self.graph.n_units, deadline)
        group_of = np.empty(self.graph.n_units, np.int64)
        sizes = np.diff(partition.groups.bounds)
        group_of[partition.groups.members] = np.repeat(np.arange(len(sizes)), sizes)
        self.offer(group_of)
        if partition.bound is None:
            return self.cost, True
        self.patience *= 2.0
        return partition.bound + float(prices.sum()), False

    def search(
        self, prices: FloatArray, worth: float, effort: int, *, every: bool, most: int
    ) -> tuple[UnitGroups, FloatArray, bool]:
        """Find groups of a greater value than `worth`, first unit by first unit, as long as there is time.

        Returns the groups, the limits of the first units that were looked at, and whether none was given up.
        """
        parts = [_NO_GROUPS]
        limits = [np.zeros(0)]
        n_stopped = n_done = 0
        while n_done < len(self.firsts) and not (every and n_stopped) and not self.late:
            looks = int(_pace() * min(0.5, self.deadline - time.monotonic())) + 1
            bounds, members, cost, limit, stopped = search(
                *self.graph.arrays,
                self.graph.rank,
                prices,
                self.firsts[n_done:],
                worth,
                every,
                min(effort, 2 * looks),
                looks,
                most,
            )
            parts.append(UnitGroups(bounds, members, cost))
            limits.append(limit)
            most -= len(cost)
            n_stopped += stopped
            n_done += len(limit)
        return joined(parts), np.concatenate(limits), n_stopped == 0


def _pace() -> float:
    """Return about how many pairs the search looks at in a second (measured on one core)."""
    return 2e8 if compiled() else 5e5
