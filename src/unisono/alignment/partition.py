"""Three and more annotators: the best choice among listed groups, a set-partitioning problem.

Prices (the dual) come from a fast ascent; a local search then chooses groups and proves the choice best, component by
component. Where a component is too hard for that, the prices around it are made better, and no others. A component that
stays too hard is covered by an integer program (HiGHS).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from unisono.alignment.solution import relative_gap
from unisono.arrays import BoolArray, FloatArray, IntArray
from unisono.deadlines import NO_LIMIT, Until
from unisono.kernels.partition import (
    FIRST_EFFORT,
    GIVEN_UP,
    NEW,
    PROVEN,
    TIGHT,
    cover_components,
    join,
    sort_groups,
    tight_components,
)
from unisono.kernels.prices import SWEEPS, ascend, even_prices, groups_by_unit, reduced_costs, scale

# Chosen by trial, as the efforts of the kernels. They decide how soon a proof is found, not whether it is one: better
# prices make a smaller search, and a component that the search gives up again and again goes to the integer program.
_EFFORT = 50_000
"""Groups that the search looks at before it gives a component up, with better prices."""
_TEMPERATURES = 0.02, 0.01, 0.005, 0.002
_AGAIN = 0.005, 0.002, 0.001
_SCALING_SWEEPS = 40
"""Temperatures of scaling, and of scaling with triples, and sweeps at each. The error of the prices goes with the
temperature, so the last one is what counts; the others are a fast way there."""
_NEAR = 0.3
"""Prices are also made better in components that a group of less reduced cost joins to a hard one."""
_MOST_TURNS = 6
"""How often prices around a unit are made better."""
_SCALE = 1e5
"""HiGHS stops at an absolute gap of 1e-6, which SciPy offers no option to change. Costs are multiplied by this, so that
it stops at 1e-11 instead; `relative_gap` takes that for rounding."""
_MOST_MEMBERS = 9
"""Triples are looked for in groups of so many units: larger ones have too many."""
_FRACTION = 0.05
"""By how much a triple has to be chosen too often, and by how much a group has to be chosen to count."""
_MOST_TRIPLES = 50
"""Triples that are added at a time."""


@dataclass(frozen=True, slots=True)
class UnitGroups:
    """Groups of units with their costs: group g is members[bounds[g] : bounds[g + 1]]."""

    bounds: IntArray
    members: IntArray
    cost: FloatArray

    def take(self, chosen: BoolArray | IntArray) -> UnitGroups:
        """Return some of the groups."""
        index = np.flatnonzero(chosen) if chosen.dtype == np.bool_ else chosen
        sizes = np.diff(self.bounds)[index]
        bounds = np.concatenate([[0], np.cumsum(sizes)])
        within = np.arange(bounds[-1]) - np.repeat(bounds[:-1], sizes)
        return UnitGroups(bounds, self.members[np.repeat(self.bounds[index], sizes) + within], self.cost[index])

    def with_singles(self, n_units: int) -> UnitGroups:
        """Add every unit alone, at cost 1."""
        return UnitGroups(
            np.concatenate([self.bounds, self.bounds[-1] + np.arange(1, n_units + 1)]),
            np.concatenate([self.members, np.arange(n_units)]),
            np.concatenate([self.cost, np.ones(n_units)]),
        )


def joined(parts: Sequence[UnitGroups]) -> UnitGroups:
    """Return all groups of several lists of groups."""
    before = np.cumsum([0, *(len(part.members) for part in parts)])
    bounds = [part.bounds[1:] + offset for part, offset in zip(parts, before, strict=False)]
    return UnitGroups(
        np.concatenate([np.zeros(1, np.int64), *bounds]),
        np.concatenate([part.members for part in parts]),
        np.concatenate([part.cost for part in parts]),
    )


@dataclass(frozen=True, slots=True)
class Partition:
    """Chosen groups, each unit in exactly one; no choice costs less than `bound` (None: proven best)."""

    groups: UnitGroups
    bound: float | None


def best_partition(groups: UnitGroups, n_units: int, deadline: Until = NO_LIMIT, tolerance: float = 0.0) -> Partition:
    """Choose groups that cover every unit exactly once at the least cost.

    Parameters
    ----------
    groups : UnitGroups
        The groups to choose from; units alone are added.
    n_units : int
        Units are 0 … n_units - 1.
    deadline : Until
        When to stop.
    tolerance : float
        A relative gap that is good enough where the proof is hard.
    """
    groups = groups.with_singles(n_units)
    choice = _Choice(groups, n_units)
    going = True
    while going and not (choice.proven or choice.gap <= tolerance or deadline.over):
        going = choice.improve(deadline)
    return Partition(groups.take(choice.best[: len(groups.cost)]), choice.bound if choice.gap else None)


class _Problem:
    """Groups, and the groups of each unit."""

    def __init__(self, groups: UnitGroups, n_units: int) -> None:
        self.groups = groups
        self.listed = groups.bounds, groups.members, groups.cost
        self.where, self.groups_of = groups_by_unit(groups.bounds, groups.members, n_units)
        self.arrays = *self.listed, self.where, self.groups_of

    def touching(self, units: IntArray) -> IntArray:
        """List the groups that have one of these units."""
        touched = np.zeros(len(self.groups.cost), np.bool_)
        touched[self.groups_of[_runs(self.where, units)]] = True
        return np.flatnonzero(touched)

    def part(self, units: IntArray, price: FloatArray) -> _Part:
        """Return the problem of some units, sorted; all others keep their prices."""
        touched = self.touching(units)
        own = self.groups.take(touched)
        place = np.full(len(price), -1)
        place[units] = np.arange(len(units))
        group = np.repeat(np.arange(len(touched)), np.diff(own.bounds))
        inside = place[own.members] >= 0
        others = np.bincount(group[~inside], weights=price[own.members[~inside]], minlength=len(touched))
        bounds = np.concatenate([[0], np.cumsum(np.bincount(group[inside], minlength=len(touched)))])
        groups = UnitGroups(bounds, place[own.members[inside]], own.cost - others)
        return _Part(_Problem(groups, len(units)), units, touched, price[units])

    def with_triples(self, triples: IntArray, n_units: int) -> _Problem:
        """Add triples as units, which are also alone at no cost: see `_Part.triples`."""
        groups, n = self.groups, len(triples)
        listed = [self.groups_of[_runs(self.where, triple)] for triple in triples]
        found, n_shared = zip(*(np.unique(one, return_counts=True) for one in listed), strict=True)
        has = [one[count >= 2] for one, count in zip(found, n_shared, strict=True)]
        group, triple = np.concatenate(has), np.repeat(np.arange(n_units, n_units + n), [*map(len, has)])
        order = np.lexsort((triple, group))
        members = np.insert(groups.members, groups.bounds[group[order] + 1], triple[order])
        more = np.cumsum(np.bincount(group, minlength=len(groups.cost)))
        bounds = groups.bounds + np.concatenate([[0], more])
        alone = UnitGroups(np.arange(n + 1), np.arange(n_units, n_units + n), np.zeros(n))
        return _Problem(joined([UnitGroups(bounds, members, groups.cost), alone]), n_units + n)


def _runs(where: IntArray, units: IntArray) -> IntArray:
    """List where[u] … where[u + 1] - 1 of each unit u."""
    sizes = where[units + 1] - where[units]
    before = np.cumsum(sizes) - sizes
    return np.asarray(np.arange(sizes.sum()) + np.repeat(where[units] - before, sizes))


@dataclass(frozen=True, slots=True)
class _Part:
    """Some units, the groups that touch them at what they cost beyond the prices of other units, and own prices.

    As long as no group costs less than the prices of these units, none does in the whole problem.
    """

    problem: _Problem
    units: IntArray
    touched: IntArray
    price: FloatArray

    def scale(self, temperatures: Sequence[float]) -> None:
        """Bring prices near the optimum of the linear relaxation."""
        for temperature in temperatures:
            scale(*self.problem.arrays, self.price, temperature, _SCALING_SWEEPS)

    def triples(self, temperature: float) -> IntArray:
        """Find three units of which two are chosen together more than once, in parts; shape (n_triples, 3).

        Two groups that have two of the same three units share one. So of all groups with two of the three, one can be
        chosen, but the linear relaxation chooses {u, v}, {v, w} and {u, w} by half each: it costs less than any choice,
        and no prices prove more than it costs. Made a unit, which these groups have too, and which costs nothing alone,
        the triple changes no choice, and its price, 0 or less, takes the difference off (a subset-row inequality,
        Jepsen et al. 2008, Operations Research 56, 497-511).
        """
        bounds, members, _ = self.problem.listed
        share = np.exp(-np.maximum(reduced_costs(*self.problem.listed, self.price), 0.0) / temperature)
        sizes = np.diff(bounds)
        partly = (share > _FRACTION) & (share < 1.0 - _FRACTION) & (sizes > 1) & (sizes <= _MOST_MEMBERS)
        pairs: dict[tuple[int, int], float] = defaultdict(float)
        whole: dict[tuple[int, int, int], float] = defaultdict(float)
        for group in np.flatnonzero(partly).tolist():
            own = sorted(members[bounds[group] : bounds[group + 1]].tolist())
            for u, v in combinations(own, 2):
                pairs[u, v] += share[group]
            for u, v, w in combinations(own, 3):
                whole[u, v, w] += share[group]
        later: dict[int, set[int]] = defaultdict(set)
        for u, v in pairs:
            later[u].add(v)
        found = []
        for (u, v), both in pairs.items():
            for w in later[u] & later[v]:
                chosen = both + pairs[u, w] + pairs[v, w] - 2.0 * whole.get((u, v, w), 0.0)
                if chosen > 1.0 + _FRACTION:
                    found.append((-chosen, u, v, w))
        return np.array([triple for _, *triple in sorted(found)[:_MOST_TRIPLES]], np.int64).reshape(-1, 3)


class _Choice:
    """A choice of groups that covers every unit once, component by component, and how far it is proven.

    `best` is the best choice found so far, and no choice costs less than `bound`, nor than `best` if that is `proven`.
    """

    def __init__(self, groups: UnitGroups, n_units: int) -> None:
        self.problem = _Problem(groups, n_units)
        self.price = even_prices(*self.problem.listed, n_units)
        ascend(*self.problem.arrays, self.price, SWEEPS)
        self.bound = -np.inf
        # prices are feasible but for rounding, which is what `maximum` takes away
        self.reduced = np.maximum(reduced_costs(*self.problem.listed, self.price), 0.0)
        self.component = tight_components(*self.problem.listed[:2], self.reduced, TIGHT, n_units)
        self.extra = np.zeros(n_units)
        self.state = np.full(n_units, NEW, np.int64)
        self.turns = np.zeros(n_units, np.int64)
        self.chosen = np.zeros(len(self.reduced), np.bool_)
        self.best, self.cost = self.chosen, np.inf
        self._settle(FIRST_EFFORT)

    @property
    def gap(self) -> float:
        """The part by which the cost can be above the least."""
        return 0.0 if self.proven else relative_gap(self.cost, self.bound)

    def improve(self, deadline: Until) -> bool:
        """Go on with the components that were given up; return whether that succeeded.

        Better prices come first, an integer program if they are not enough.
        """
        open_units = np.flatnonzero(self.state[self.component] == GIVEN_UP)
        hard = open_units[self.turns[open_units] >= _MOST_TURNS]
        if not len(hard):
            self._refine(open_units)
        else:
            self._join()
            for name in np.unique(self.component[hard]):
                if not self._cover_by_program(np.flatnonzero(self.component == name), deadline):
                    self._keep()
                    return False
        self._settle(_EFFORT << int(self.turns[open_units].max() - 1))
        return True

    def _settle(self, effort: int) -> None:
        """Cover all components that are new, and join components until the choice is proven or one is given up."""
        known = cover_components(
            *self.problem.listed[:2],
            self.problem.where,
            sort_groups(self.problem.where, self.problem.groups_of, self.reduced),
            self.reduced,
            self.component,
            self.extra,
            self.state,
            self.chosen,
            effort,
        )
        self.bound = max(self.bound, float(self.price.sum()) + known)
        self._keep()

    def _keep(self) -> None:
        """Keep the choice if it is the best so far, or is proven best."""
        self.proven = bool((self.state[self.component] == PROVEN).all())
        cost = float(self.problem.groups.cost[self.chosen].sum())
        if cost < self.cost or self.proven:
            self.best, self.cost = self.chosen.copy(), cost

    def _refine(self, open_units: IntArray) -> None:
        """Make better prices for units of components that were given up, and of those near them."""
        # Ascent gets stuck at corners of the dual, and then the search has too much to prove. Scaling comes nearer to
        # its optimum, and takes several times as long; other components keep their prices, and stay as they are.
        self.turns[open_units] += 1
        touched = self.problem.touching(open_units)
        pool = self.problem.groups.take(touched[self.reduced[touched] < _NEAR])
        near = np.zeros(len(self.price), np.bool_)
        near[self.component[open_units]] = near[self.component[pool.members]] = True
        part = self.problem.part(np.flatnonzero(near[self.component]), self.price)
        part.scale(_TEMPERATURES)
        triples = part.triples(_TEMPERATURES[-1])
        if len(triples):
            self.price[part.units] = part.price
            n_units = len(self.price)
            self._add(part.units[triples])
            part = self.problem.part(np.append(part.units, np.arange(n_units, len(self.price))), self.price)
            part.scale(_AGAIN)
        ascend(*part.problem.arrays, part.price, SWEEPS)
        self._take(part)

    def _add(self, triples: IntArray) -> None:
        """Turn triples of units into further units."""
        n_units, n = len(self.price), len(triples)
        self.problem = self.problem.with_triples(triples, n_units)
        self.price = np.append(self.price, np.zeros(n))
        self.component = np.append(self.component, np.arange(n_units, n_units + n))
        self.extra = np.append(self.extra, np.zeros(n))
        self.state = np.append(self.state, np.full(n, NEW))
        self.turns = np.append(self.turns, np.zeros(n, np.int64))
        self.reduced = np.append(self.reduced, np.zeros(n))
        self.chosen = np.append(self.chosen, np.zeros(n, np.bool_))

    def _take(self, part: _Part) -> None:
        """Take the prices of some units, which are whole components, and form these anew."""
        self.price[part.units] = part.price
        bounds, members, cost = part.problem.listed
        reduced = np.maximum(reduced_costs(bounds, members, cost, part.price), 0.0)
        self.reduced[part.touched] = reduced
        self.component[part.units] = part.units[tight_components(bounds, members, reduced, TIGHT, len(part.units))]
        self.state[part.units] = NEW

    def _join(self) -> None:
        """Join the components that might have to be joined, so that integer programs need not be solved again."""
        # what a component that was given up costs at least is not known; what it costs now is more
        while join(*self.problem.listed[:2], self.reduced, self.component, self.extra, self.extra, self.state):
            pass

    def _cover_by_program(self, units: IntArray, deadline: Until) -> bool:
        """Cover one component by groups better than those found; return whether that is proven best."""
        from scipy.optimize import LinearConstraint, milp
        from scipy.sparse import csc_array

        name = self.component[units[0]]
        # Reduced costs are at least 0: a group that costs as much as the cover found so far is in no better one.
        touching = self.problem.touching(units)
        touching = touching[self.reduced[touching] < self.extra[name]]
        pool = self.problem.groups.take(touching)
        owner = np.repeat(np.arange(len(touching)), np.diff(pool.bounds))
        inside = np.bincount(owner, weights=self.component[pool.members] != name, minlength=len(touching)) == 0
        usable = touching[inside]
        if not len(usable):  # nothing is better than what was found
            self.state[name] = PROVEN
            return True
        pool = self.problem.groups.take(usable)
        columns = np.searchsorted(units, pool.members), pool.bounds
        matrix = csc_array(
            (np.ones(len(pool.members)), *(column.astype(np.int32) for column in columns)),  # older HiGHS wants 32 bits
            shape=(len(units), len(usable)),
        )
        limit = {} if deadline.at == np.inf else {"time_limit": max(0.01, deadline.left)}
        result = milp(
            self.reduced[usable] * _SCALE,
            constraints=LinearConstraint(matrix, 1, 1),
            integrality=np.ones(len(usable)),
            bounds=(0, 1),
            options={"mip_rel_gap": 0.0, **limit},
        )
        if result.x is not None:
            picked = usable[result.x > 0.5]
            found = float(self.reduced[picked].sum())
            if found < self.extra[name]:
                self.chosen[self.problem.touching(units)] = False
                self.chosen[picked] = True
                self.extra[name] = found
        proven = result.status in (0, 2)  # solved, or nothing is better than what was found
        if proven:
            self.state[name] = PROVEN
        return proven
