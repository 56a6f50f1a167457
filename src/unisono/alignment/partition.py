"""Three and more annotators: the best choice among listed groups, a set-partitioning problem.

Prices (the dual) come from fast ascents; a local search then chooses groups and proves the choice best. A component
that is too hard for it is covered by an integer program (HiGHS).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from unisono.alignment.solution import relative_gap
from unisono.arrays import BoolArray, FloatArray, IntArray
from unisono.deadlines import NO_LIMIT, Until
from unisono.kernels.partition import (
    EFFORT,
    FIRST_EFFORT,
    GIVEN_UP,
    NEW,
    PROVEN,
    TIGHT,
    cover_components,
    sort_groups,
    tight_components,
)
from unisono.kernels.prices import SWEEPS, ascend, even_prices, groups_by_unit, reduced_costs, scale

# Chosen by trial, as the efforts of the kernels. They decide how soon a proof is found, not whether it is one: better
# prices make a smaller search, and a component that the search gives up goes to the integer program.
SCALINGS = (((0.1, 0.05, 0.02, 0.01, 0.005), 60), ((0.02, 0.01, 0.005, 0.002, 0.001), 250))
"""Temperatures and sweeps of scaling, tried in turn where the search is not enough. The error of the prices goes with
the temperature, so the last one is what counts; the others are a fast way there."""
_SCALE = 1e5
"""HiGHS stops at an absolute gap of 1e-6, which SciPy offers no option to change. Costs are multiplied by this, so that
it stops at 1e-11 instead; `relative_gap` takes that for rounding."""


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
    problem = _Problem(groups.with_singles(n_units), n_units)
    price = even_prices(*problem.listed, n_units)
    ascend(*problem.arrays, price, SWEEPS)
    choice = _Choice(problem, price, FIRST_EFFORT)
    # Ascent gets stuck at corners of the dual, and then the search has too much to prove. Scaling comes nearer to its
    # optimum, and takes several times as long.
    for temperatures, sweeps in SCALINGS:
        if choice.proven or choice.gap <= tolerance or deadline.over:
            break
        for temperature in temperatures:
            scale(*problem.arrays, price, temperature, sweeps)
        ascend(*problem.arrays, price, SWEEPS)
        choice = min(_Choice(problem, price, EFFORT), choice, key=lambda one: (one.gap, one.cost))
    going = True
    while going and not (choice.proven or choice.gap <= tolerance or deadline.over):
        going = choice.cover_by_programs(deadline)  # components may be joined afterwards, and one of them be too hard
    return Partition(problem.groups.take(choice.chosen), choice.bound if choice.gap else None)


class _Problem:
    """Groups, and the groups of each unit."""

    def __init__(self, groups: UnitGroups, n_units: int) -> None:
        self.groups = groups
        self.listed = groups.bounds, groups.members, groups.cost
        self.where, self.groups_of = groups_by_unit(groups.bounds, groups.members, n_units)
        self.arrays = *self.listed, self.where, self.groups_of

    def touching(self, units: IntArray) -> IntArray:
        """List the groups that have one of these units."""
        return np.unique(np.concatenate([self.groups_of[self.where[u] : self.where[u + 1]] for u in units]))


class _Choice:
    """A choice of groups that covers every unit once, component by component, and how far it is proven."""

    def __init__(self, problem: _Problem, price: FloatArray, effort: int) -> None:
        self.problem = problem
        self._effort = effort
        # prices are feasible but for rounding, which is what `maximum` takes away
        self.bound = float(price.sum())
        self.reduced = np.maximum(reduced_costs(*problem.listed, price), 0.0)
        self.component = tight_components(*problem.listed[:2], self.reduced, TIGHT, len(price))
        self.extra = np.zeros(len(price))
        self.state = np.full(len(price), NEW, np.int64)
        self.chosen = np.zeros(len(self.reduced), np.bool_)
        self._sorted = sort_groups(problem.where, problem.groups_of, self.reduced)
        self._settle()

    @property
    def cost(self) -> float:
        """What the chosen groups cost."""
        return float(self.problem.groups.cost[self.chosen].sum())

    @property
    def proven(self) -> bool:
        """Whether no choice costs less."""
        return bool((self.state[self.component] == PROVEN).all())

    @property
    def gap(self) -> float:
        """The part by which the cost can be above the least."""
        return 0.0 if self.proven else relative_gap(self.cost, self.bound)

    def cover_by_programs(self, deadline: Until) -> bool:
        """Cover the components that were given up by integer programs, then go on; return whether that succeeded."""
        open_units = np.flatnonzero(self.state[self.component] == GIVEN_UP)
        names = self.component[open_units]
        for name in np.unique(names):
            if not self._cover_by_program(open_units[names == name], deadline):
                return False
        self._effort = EFFORT
        self._settle()
        return True

    def _settle(self) -> None:
        cover_components(
            *self.problem.listed[:2],
            self.problem.where,
            self._sorted,
            self.reduced,
            self.component,
            self.extra,
            self.state,
            self.chosen,
            self._effort,
        )

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
