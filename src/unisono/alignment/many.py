"""Many annotators: the best grouping by column generation, with a proven bound at any time.

With more than a few annotators the groups that could be useful are too many to list. They are generated as needed.

1. *A grouping*, by taking groups apart and putting them together again (`kernels.local_search`).
2. *Prices* π of the units. At prices π a group S has the value Σ_{u∈S} π_u - cost(S); prices at which no group has a
   positive value prove that no grouping costs less than Σπ. In each round, the best prices for the groups known so far
   are computed, not far from those that were good before (`kernels.proximal`); groups that are worth something at them
   are climbed to (`kernels.climbing`), and what these exceed their cost by is taken off the prices.
3. *The proof.* All groups that are worth something at the prices are listed by branch and bound (`kernels.pricing`);
   there are few. With these taken off too, the prices are proven. Every group has exactly one first unit, in any order
   of the units, and every unit is first in one group at most. So where the search for groups with first unit u is
   given up, it is enough to take off what no group with that first unit can be worth more than.
4. *The rest.* The bound is usually within 0.1% of the best grouping. To close the gap, all groups that it leaves
   possible are listed, and the best choice among them is the best of all.

Nothing here depends on time unless the deadline is reached, and random choices come from fixed keys: the same data
gives the same groups on any machine.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unisono.alignment.pairs import Pairs
from unisono.alignment.partition import Partition, UnitGroups, best_partition, joined
from unisono.arrays import FloatArray, IntArray
from unisono.deadlines import Until
from unisono.kernels.climbing import FAR, climb_to_groups, group_costs
from unisono.kernels.local_search import ruin_and_recreate, weights_between
from unisono.kernels.pricing import search, shares_and_hopes
from unisono.kernels.proximal import proximal_prices, repaired

_PROVEN = 1e-11
"""Relative gap below which nothing is left but rounding; the same as in `relative_gap`."""
_NO_GROUPS = UnitGroups(np.zeros(1, np.int64), np.zeros(0, np.int64), np.zeros(0))

# These numbers, and the factors below, were chosen by trial. They decide how soon a gap is closed, not whether a bound
# is valid.
_MOST_WEIGHTS = 100_000_000
"""So many weights are kept, 0.8 GB: those of 10,000 units if all can meet, of far more where only neighbours can. What
is longer is split in halves."""
_REGION = 400
"""So many units are regrouped at a time."""
_EVEN_PRICES = tuple(0.05 * 1.35**step for step in range(6))
"""Prices of every unit at which groupings to begin with are made."""
_MOST_ITERATIONS = 1000
"""How often groups of a region are taken apart, at most."""
_SMALL = 8
"""Groups of so many units on average are climbed to from every unit."""
_MOST_ROUNDS = 100
_COARSE = (0.02, 0.05, 0.1, 0.2)
"""By which parts prices are lowered to be proven where that is too hard otherwise."""
_FINE = 1e-4
"""The relative precision of prices."""
_SLICE = 50_000_000
"""Pairs of candidates that the search looks at before the time is looked at: some tenths of a second."""
_MOST_EFFORT = 200_000_000
"""Pairs of candidates to look at for one first unit."""
_MOST_LOOKS = 3_000_000_000
"""Pairs of candidates to look at in one search, some seconds; ten times as many where no gap is allowed."""
_MOST_EACH = 20
"""Groups with the same first unit to find in one round."""
_FIRST_LISTED = 3_000
_MOST_LISTED = 40_000
"""Groups listed in the end, at first and later. The integer program that chooses among them gets slow beyond some ten
thousand."""


def best_grouping(
    pairs: Pairs,
    annotator: IntArray,
    n_annotators: int,
    *,
    deadline: Until,
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
    deadline : Until
        When to stop.
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
    if position is None:
        position = np.arange(len(annotator), dtype=np.float64)
    order = np.argsort(position, kind="stable")
    partners = _partners(pairs, annotator, n_annotators, order)
    if partners.n_weights > _MOST_WEIGHTS:
        return _in_halves(partners, pairs, annotator, n_annotators, order, position, deadline, tolerance)
    generation = _Generation(_graph(partners), deadline, tolerance)
    generation.run()
    best = generation.best
    groups = UnitGroups(best.bounds, order[best.members], best.cost)
    return Partition(groups, None if generation.gap <= _PROVEN else generation.bound)


def _in_halves(
    partners: _Partners,
    pairs: Pairs,
    annotator: IntArray,
    n_annotators: int,
    order: IntArray,
    position: FloatArray,
    deadline: Until,
    tolerance: float,
) -> Partition:
    """Group the two halves of a continuum each by itself, where all weights at once would take too much memory.

    What is proven is little: no pair across the halves is looked at but for a bound that takes no search.
    """
    found = []
    for turn, half in enumerate(np.array_split(order, 2)):
        units = np.sort(half)
        place = np.full(len(annotator), -1)
        place[units] = np.arange(len(units))
        one, two = place[pairs.unit], place[pairs.other]
        inside = (one >= 0) & (two >= 0)
        starts = np.concatenate([[0], np.cumsum(np.bincount(one[inside], minlength=len(units)))])
        own = Pairs(starts, two[inside], pairs.dissimilarity[inside])
        until = deadline if turn else deadline.half()
        part = best_grouping(
            own, annotator[units], n_annotators, deadline=until, tolerance=tolerance, position=position[units]
        ).groups
        found.append(UnitGroups(part.bounds, units[part.members], part.cost))
    return Partition(joined(found), float(partners.shares_and_hopes()[0].sum()))


@dataclass(frozen=True, slots=True)
class _Partners:
    """Units by position, and who can meet whom; see `kernels.climbing`. `across` are the weights of the pairs.

    Row u of all weights goes from unit begin[u] to before end[u].
    """

    who: IntArray
    starts: IntArray
    other: IntArray
    across: FloatArray
    begin: IntArray
    end: IntArray
    n_annotators: int

    @property
    def n_weights(self) -> int:
        """How many weights all rows have."""
        return int((self.end - self.begin).sum())

    def shares_and_hopes(self) -> tuple[FloatArray, FloatArray]:
        """Return prices that no group exceeds, and what each unit can gain at most; see `kernels.pricing`."""
        return shares_and_hopes(self.who, self.starts, self.other, self.across, self.n_annotators)


def _partners(pairs: Pairs, annotator: IntArray, n_annotators: int, order: IntArray) -> _Partners:
    n_units = len(annotator)
    rank = np.empty(n_units, np.int64)
    rank[order] = np.arange(n_units)
    who = annotator[order]
    one, two = rank[pairs.unit], rank[pairs.other]
    unit, other = np.concatenate([one, two]), np.concatenate([two, one])
    weight = (1.0 - pairs.dissimilarity) / (n_annotators * (n_annotators - 1) / 2)
    sort = np.lexsort((other, who[other], unit))
    starts = np.concatenate([[0], np.cumsum(np.bincount(unit, minlength=n_units))])
    # Units of the same hull of partners meet in a search, so each row must reach to the end of every such hull. `low`
    # is where those of this and all later units begin: if s is in the hull of u, then low[low[s]] is not after its
    # begin. (If s is before u, low[s] is not. Otherwise the last partner of u is at s or after it, so low[s] ≤ u.)
    low, high = np.arange(n_units), np.arange(1, n_units + 1)
    np.minimum.at(low, unit, other)
    np.maximum.at(high, unit, other + 1)
    low = np.minimum.accumulate(low[::-1])[::-1]
    high = np.maximum.accumulate(high)
    begin, end = low[low], high[high - 1]
    return _Partners(who, starts, other[sort], np.tile(weight, 2)[sort], begin, end, n_annotators)


@dataclass(frozen=True, slots=True)
class _Graph:
    """Partners, and all weights (1 - d)/C as rows; see `kernels.climbing`."""

    partners: _Partners
    at: IntArray
    weight: FloatArray

    @property
    def n_units(self) -> int:
        """Number of units."""
        return len(self.at)

    @property
    def arrays(self) -> tuple[IntArray, IntArray, IntArray, IntArray, FloatArray, int]:
        """What every kernel needs."""
        it = self.partners
        return it.who, it.starts, it.other, self.at, self.weight, it.n_annotators

    def between(self, units: IntArray) -> FloatArray:
        """Return the weights between some units, as complete rows."""
        it = self.partners
        return weights_between(units, it.who, self.at, self.weight, it.begin, it.end)


def _graph(partners: _Partners) -> _Graph:
    who, begin, end = partners.who, partners.begin, partners.end
    sizes = end - begin
    at = np.cumsum(sizes) - sizes - begin
    weight = np.full(partners.n_weights, FAR)
    for unit in range(len(who)):
        own = who[begin[unit] : end[unit]] == who[unit]
        weight[at[unit] + begin[unit] : at[unit] + end[unit]][own] = 0.0
    first = np.repeat(np.arange(len(who)), np.diff(partners.starts))
    weight[at[first] + partners.other] = partners.across
    return _Graph(partners, at, weight)


class _Pool:
    """Groups of two and more units known so far, each once."""

    def __init__(self, n_units: int) -> None:
        self.groups = _NO_GROUPS
        # A group's key is the exclusive or of its units' random ones. Two groups may have the same; then one of them is
        # not known, which proves nothing wrong.
        self._unit_keys = np.random.default_rng(0).integers(1, 1 << 62, n_units)
        self._keys = np.zeros(0, np.int64)

    def add(self, groups: UnitGroups) -> int:
        """Add groups that are new; return how many."""
        if not len(groups.cost):
            return 0
        keys = np.bitwise_xor.reduceat(self._unit_keys[groups.members], groups.bounds[:-1])
        keys, index = np.unique(keys, return_index=True)
        new = ~np.isin(keys, self._keys)
        self.groups = joined([self.groups, groups.take(np.sort(index[new]))])
        self._keys = np.concatenate([self._keys, keys[new]])
        return int(new.sum())

    def forget(self, prices: FloatArray) -> None:
        """Where there are more than twelve per unit, keep seven, those of the least reduced cost."""
        if len(self.groups.cost) > 12 * len(prices):
            order = np.argsort(_reduced(self.groups, prices), kind="stable")[: 7 * len(prices)]
            kept = self.groups.take(np.sort(order))
            self.groups, self._keys = _NO_GROUPS, np.zeros(0, np.int64)
            self.add(kept)


def _reduced(groups: UnitGroups, prices: FloatArray) -> FloatArray:
    if not len(groups.cost):
        return np.zeros(0)
    return groups.cost - np.add.reduceat(prices[groups.members], groups.bounds[:-1])


class _Generation:
    """The best grouping and the best bound so far, and the groups that led there.

    `prices` are those that groups are generated around, and no group found so far exceeds them. What is proven are the
    prices `proven`, which show that no grouping costs less than `price_bound`; `bound` can be higher, by listing.
    """

    def __init__(self, graph: _Graph, deadline: Until, tolerance: float) -> None:
        self.graph = graph
        self.deadline = deadline
        self.tolerance = max(tolerance, _PROVEN)
        self.pool = _Pool(graph.n_units)
        self.proven, self.hopes = graph.partners.shares_and_hopes()
        self.prices = self.proven
        self.bound = self.price_bound = float(self.proven.sum())
        self.group_of = np.arange(graph.n_units)
        self.best = _NO_GROUPS.with_singles(graph.n_units)
        self.cost = float(graph.n_units)
        self.freedom = 1.0

    @property
    def gap(self) -> float:
        """The share by which the cost may be above the least one."""
        return max(0.0, self.cost - self.bound) / self.scale

    @property
    def scale(self) -> float:
        """What gaps are compared to."""
        return max(self.cost, 1.0)

    @property
    def missing(self) -> float:
        """The share by which the prices are below the cost."""
        return (self.cost - float(self.prices.sum())) / self.scale

    @property
    def finished(self) -> bool:
        """Whether the gap is small enough or time is up."""
        return self.gap <= self.tolerance or self.late

    @property
    def late(self) -> bool:
        """Whether time is up."""
        return self.deadline.over

    def run(self) -> None:
        """Search until the gap is closed, time is up, or nothing more can be done."""
        if not self.graph.n_units:
            return
        self.construct()
        fine = max(self.tolerance, _FINE)
        regrouped = proven = False
        for turn in range(_MOST_ROUNDS):
            if self.finished:
                break
            converged = self.improve_prices(turn) < 0.1 * fine * self.scale
            if converged and self.missing > 0.6 * self.tolerance and not regrouped:
                regrouped = True
                self.regroup(self.prices, 20, 0.0, afresh=True)
                self.regroup(self.prices, 20, 0.03)
            if converged or self.missing < 0.6 * self.tolerance:
                n_found, proven = self.prove(0.15 * fine)
                if n_found == 0 and (converged or not proven):
                    break
        if proven:
            self.list_rest()
        # where it takes too long to prove these prices, lower ones are easier to prove
        for slack in _COARSE:
            if proven or self.finished:
                break
            _, proven = self.prove(slack)

    # groupings

    def construct(self) -> None:
        """Make a grouping to begin with, and prices from it."""
        n_units = self.graph.n_units
        for price in _EVEN_PRICES:
            self.regroup(np.full(n_units, price), 0, 0.0, afresh=True)
        self.regroup(None, 30, 0.05)
        # what each unit costs in the best grouping, less what other groups show to be too much
        sizes = np.diff(self.best.bounds)
        self.prices = np.empty(n_units)
        self.prices[self.best.members] = np.repeat(self.best.cost / sizes, sizes)
        self.lower_prices(0)

    def regroup(self, prices: FloatArray | None, each: int, heat: float, *, afresh: bool = False) -> None:
        """Take groups apart and put them together again, about so many times each; see `kernels.local_search`."""
        graph = self.graph
        group_of = self.group_of.copy()
        for units in self.regions(afresh):
            if self.late and self.cost < graph.n_units:  # even without time there is a grouping, not all units alone
                break
            names, own = np.unique(group_of[units], return_inverse=True)
            iterations = min(each * len(names) + 20, _MOST_ITERATIONS) if each else 0
            if afresh:
                own = np.full(len(units), -1)
            bounds, members, cost, _ = ruin_and_recreate(
                graph.partners.who[units],
                graph.between(units),
                graph.partners.n_annotators,
                np.zeros(len(units)) if prices is None else prices[units],
                prices is not None,
                own,
                iterations,
                heat,
                1,
                1 << int(8 * len(units)).bit_length(),
            )
            self.pool.add(UnitGroups(bounds, units[members], cost))
            # a group is named by its first unit
            first = np.full(len(units), -1)
            first[own[::-1]] = units[::-1]
            group_of[units] = first[own]
        self.offer(group_of)

    def regions(self, afresh: bool) -> list[IntArray]:
        """Split the units into regions along the continuum; groups stay whole unless they are to be made afresh."""
        n_units = self.graph.n_units
        count = -(-n_units // _REGION)
        if count < 2:
            return [np.arange(n_units)][:count]
        place = np.arange(n_units)
        if not afresh:
            names, own, sizes = np.unique(self.group_of, return_inverse=True, return_counts=True)
            place = (np.bincount(own, weights=place, minlength=len(names)) / sizes)[own].astype(np.int64)
            # other borders than those where groups were made afresh
            place = np.minimum(place + _REGION // 2, n_units - 1 + _REGION // 2)
        region = place // _REGION
        return [np.flatnonzero(region == name) for name in np.unique(region)]

    def offer(self, group_of: IntArray) -> None:
        """Take a grouping if it is the best so far."""
        order = np.argsort(group_of, kind="stable")
        sizes = np.unique(group_of, return_counts=True)[1]
        bounds = np.concatenate([[0], np.cumsum(sizes)])
        groups = UnitGroups(bounds, order, group_costs(bounds, order, self.graph.at, self.graph.weight))
        self.pool.add(groups.take(sizes > 1))
        cost = float(groups.cost.sum())
        if cost < self.cost:
            self.cost = cost
            self.best = groups
            self.group_of = group_of

    # prices

    def improve_prices(self, turn: int) -> float:
        """Do one round of column generation; return by how much the known groups alone would let the sum rise."""
        centre = self.prices
        total = float(centre.sum())
        known = self.pool.groups.with_singles(self.graph.n_units)
        size = np.abs(centre)
        mean = float(size.mean())
        pull = 1.0 / (self.freedom * np.maximum(size, 0.3 * mean + 1e-9))
        inside = repaired(known.bounds, known.members, known.cost, centre)
        inside = inside - 0.02 * np.maximum(np.abs(inside), mean) - 1e-9
        aim = min(2e-3 * self.scale, max(0.1 * abs(self.cost - total), 1e-6 * self.scale))
        prices, _ = proximal_prices(known.bounds, known.members, known.cost, centre, pull, inside, aim)
        predicted = float(prices.sum()) - total
        self.pool.add(self.climb(prices, 0.1, turn))
        self.prices = prices
        self.lower_prices(turn)
        rise = float(self.prices.sum()) - total
        if rise <= 0.0:
            self.prices = centre
            self.freedom *= 0.7
        elif rise > 0.5 * predicted:
            self.freedom *= 1.5
        if predicted < 2e-4 * self.scale:
            self.freedom *= 3.0
        self.pool.forget(self.prices)
        return predicted

    def lower_prices(self, turn: int) -> None:
        """Take off what groups that can be climbed to exceed their cost by."""
        for again in range(3):
            found = self.climb(self.prices, 0.0, turn + again)
            if not len(found.cost):
                break
            self.pool.add(found)
            self.prices = repaired(found.bounds, found.members, found.cost, self.prices)

    def climb(self, prices: FloatArray, noise: float, seed: int) -> UnitGroups:
        """Climb to groups that are worth more than they cost."""
        # large groups have many units to start from, which lead to the same groups
        stride = 1 + self.graph.n_units // (_SMALL * max(1, len(self.best.cost)))
        return UnitGroups(*climb_to_groups(*self.graph.arrays, prices, noise, seed, stride))

    # proofs

    def prove(self, slack: float) -> tuple[int, bool]:
        """List what exceeds the prices, less a little, and prove what is left.

        Returns how many groups did, and whether there is a proof.
        """
        prices = np.minimum(self.prices, 1.0) / (1.0 + slack)  # 1 is what a unit alone costs
        n_units = self.graph.n_units
        found, limit = self.search(prices, 0.0, _MOST_EACH * n_units, _MOST_EACH, self.tolerance * self.scale)
        self.pool.add(found)
        lower = repaired(found.bounds, found.members, found.cost, prices)
        if len(limit) == n_units:
            self.know(lower, float(lower.sum() - limit.sum()))
        if len(found.cost):
            self.prices = lower
        return len(found.cost), len(limit) == n_units

    def know(self, prices: FloatArray, bound: float) -> None:
        """Take a bound that prices prove if it is the best so far."""
        if bound > self.price_bound:
            self.proven = prices
            self.price_bound = bound
            self.bound = max(self.bound, bound)

    def list_rest(self) -> None:
        """List all groups that a grouping below some cost can have, and choose the best among them.

        A group of reduced cost r > 0 cannot be in a grouping that costs less than the bound of the prices plus r: the
        bound allows its first unit a value of at least 0, and here it has -r. So if all groups below r are listed,
        either the best choice among them is the best of all, or no grouping costs less than that bound plus r.
        """
        most = _FIRST_LISTED
        cut = whole = self.cost - self.price_bound
        growing = False
        # Half the cut as long as there are too many groups to list, then double it again; 1e-9 more for rounding.
        while not self.finished and cut > 0.001 * whole:
            listed, limit = self.search(self.proven, -cut - 1e-9, most, most, 0.0)
            if len(limit) == self.graph.n_units:
                least = self.choose(listed)
                self.bound = max(self.bound, min(least, self.price_bound + cut))
                growing, most = True, _MOST_LISTED
                cut = min(2.0 * cut, self.cost - self.price_bound)
            elif growing:
                return
            else:
                cut /= 2.0

    def choose(self, groups: UnitGroups) -> float:
        """Choose the best among listed groups; return a bound for all choices among them.

        Prices are subtracted from the costs, which changes all choices by the same amount: so the solver starts from
        these prices. They are not negative, so that the units alone that the solver adds, at cost 1, are no better than
        those listed; and they add up to the bound at most, so that no choice costs less than 0, since the solver
        compares relative gaps.
        """
        prices = np.maximum(self.proven, 0.0)
        prices *= max(self.price_bound, 0.0) / max(float(prices.sum()), 1e-300)
        groups = groups.with_singles(self.graph.n_units)
        reduced = UnitGroups(groups.bounds, groups.members, _reduced(groups, prices))
        partition = best_partition(reduced, self.graph.n_units, self.deadline)
        group_of = np.empty(self.graph.n_units, np.int64)
        sizes = np.diff(partition.groups.bounds)
        group_of[partition.groups.members] = np.repeat(np.arange(len(sizes)), sizes)
        self.offer(group_of)
        return self.cost if partition.bound is None else partition.bound + float(prices.sum())

    def search(
        self, prices: FloatArray, worth: float, most: int, most_each: int, loss: float
    ) -> tuple[UnitGroups, FloatArray]:
        """Find groups of a greater value than `worth`, first unit by first unit.

        Returns the groups, and what no others with the same first unit exceed. It ends when there is no time left, when
        there are too many groups, or when what first units that take too long may exceed `worth` by adds up to `loss`.
        """
        parts = [_NO_GROUPS]
        limits = [np.zeros(0)]
        n_done = 0
        lost = 0.0
        looks = _MOST_LOOKS * (10 if self.tolerance < _FINE else 1)
        firsts = np.arange(self.graph.n_units)
        while n_done < len(firsts) and looks > 0 and not self.late:
            bounds, members, cost, limit, n_looks = search(
                *self.graph.arrays,
                self.hopes,
                prices,
                firsts[n_done:],
                worth,
                _MOST_EFFORT,
                _SLICE,
                most,
                most_each,
            )
            parts.append(UnitGroups(bounds, members, cost))
            most -= len(cost)
            looks -= n_looks
            counts = np.bincount(members[bounds[:-1]], minlength=len(firsts))[n_done : n_done + len(limit)]
            lost += float((limit - worth)[counts < most_each].sum())
            if lost > loss or most <= 0:
                break
            limits.append(limit)
            n_done += len(limit)
        return joined(parts), np.concatenate(limits)
