"""Three and more annotators: the best choice among listed groups, a set-partitioning problem.

Prices (the dual) come from a fast ascent; a local search then chooses groups and proves the choice best. Where that
takes too long, HiGHS gives better prices for that place, and as a last resort solves it as an integer programme.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from unisono.arrays import BoolArray, FloatArray, IntArray
from unisono.kernels.partition import (
    ascend,
    even_prices,
    groups_by_unit,
    make_feasible,
    reduced_costs,
    settle,
    sort_groups,
    tight_components,
)

_SWEEPS = 60
_FEW_SWEEPS = 15
_FEW_UNITS = 50
_EFFORT = 300_000
_TIGHT = 1e-9
_SCALE = 1e5
"""HiGHS stops at an absolute gap of 1e-6; scaled so, that is 1e-11."""


@dataclass(frozen=True, slots=True)
class Groups:
    """Groups of units with their costs: group g is members[bounds[g] : bounds[g + 1]]."""

    bounds: IntArray
    members: IntArray
    cost: FloatArray

    def take(self, chosen: BoolArray | IntArray) -> Groups:
        """Give some of the groups."""
        index = np.flatnonzero(chosen) if chosen.dtype == np.bool_ else chosen
        sizes = np.diff(self.bounds)[index]
        bounds = np.concatenate([[0], np.cumsum(sizes)])
        within = np.arange(bounds[-1]) - np.repeat(bounds[:-1], sizes)
        return Groups(bounds, self.members[np.repeat(self.bounds[index], sizes) + within], self.cost[index])

    def with_singles(self, n_units: int) -> Groups:
        """Add every unit alone, at cost 1."""
        return Groups(
            np.concatenate([self.bounds, self.bounds[-1] + np.arange(1, n_units + 1)]),
            np.concatenate([self.members, np.arange(n_units)]),
            np.concatenate([self.cost, np.ones(n_units)]),
        )


@dataclass(frozen=True, slots=True)
class Partition:
    """Chosen groups, each unit in exactly one; no choice costs less than `bound` (None: proven best)."""

    groups: Groups
    bound: float | None


def best_partition(groups: Groups, n_units: int, deadline: float = np.inf) -> Partition:
    """Choose groups that cover every unit exactly once at the least cost.

    Parameters
    ----------
    groups : Groups
        The groups to choose from; units alone are added.
    n_units : int
        Units are 0 … n_units - 1.
    deadline : float
        When to stop, in the time of `time.monotonic`.
    """
    groups = groups.with_singles(n_units)
    problem = _Problem(groups, *groups_by_unit(groups.bounds, groups.members, n_units))
    price = even_prices(groups.bounds, groups.members, groups.cost, n_units)
    problem.ascend(price)
    improved = np.zeros(n_units, np.bool_)
    while True:
        state = problem.settle(price)
        hard = state.given_up()
        fresh = [units for units in hard if not improved[units].all()]
        if not fresh or time.monotonic() > deadline:
            break
        for units in fresh:
            problem.improve_prices(price, units, deadline)
            improved[units] = True
        make_feasible(*problem.arrays, price)
    proven = True
    while hard:
        for units in hard:
            proven = problem.cover_by_programme(state, units, deadline) and proven
        if not proven:
            break
        state.resume()
        hard = state.given_up()
    return Partition(groups.take(state.chosen), None if proven else float(price.sum()))


class _Problem:
    """Groups by unit, and what can be done with them."""

    def __init__(self, groups: Groups, where: IntArray, groups_of: IntArray) -> None:
        self.groups = groups
        self.where = where
        self.groups_of = groups_of
        self.arrays = groups.bounds, groups.members, groups.cost, where, groups_of

    def ascend(self, price: FloatArray) -> None:
        """Raise prices by coordinate ascent."""
        ascend(*self.arrays, price, _SWEEPS if len(price) > _FEW_UNITS else _FEW_SWEEPS)

    def settle(self, price: FloatArray) -> _State:
        """Choose groups with these prices, as far as local search comes."""
        groups = self.groups
        reduced = np.maximum(reduced_costs(groups.bounds, groups.members, groups.cost, price), 0.0)
        component = tight_components(groups.bounds, groups.members, reduced, _TIGHT, len(price))
        state = _State(self, reduced, component)
        state.resume()
        return state

    def touching(self, units: IntArray) -> IntArray:
        """List the groups that have one of these units."""
        return np.unique(np.concatenate([self.groups_of[self.where[u] : self.where[u + 1]] for u in units]))

    def improve_prices(self, price: FloatArray, units: IntArray, deadline: float) -> None:
        """Find the best prices of some units, all others fixed, by linear programming over growing sets of groups."""
        from scipy.optimize import linprog

        inside = np.zeros(len(price), np.bool_)
        inside[units] = True
        local = np.full(len(price), -1, np.int64)
        local[units] = np.arange(len(units))
        pool = self.groups.take(self.touching(units))
        size = np.diff(pool.bounds)
        owner = np.repeat(np.arange(len(size)), size)
        kept = inside[pool.members]
        rows, columns = local[pool.members[kept]], owner[kept]
        outside = np.bincount(owner[~kept], weights=price[pool.members[~kept]], minlength=len(size))
        cost = pool.cost - outside
        matrix = _matrix(rows, columns, len(units), len(size))
        current = price[units]
        alone = np.bincount(columns, minlength=len(size)) == 1
        active = alone | (cost - matrix.T @ current < 0.1)
        while time.monotonic() < deadline:
            result = linprog(
                cost[active] * _SCALE,
                A_eq=matrix[:, active],
                b_eq=np.ones(len(units)),
                method="highs",
                options=_remaining(deadline),
            )
            if result.status != 0:
                return
            current = result.eqlin.marginals / _SCALE
            lacking = cost - matrix.T @ current < -1e-10
            if not (lacking & ~active).any():
                break
            active |= lacking
        else:
            return
        price[units] = current

    def cover_by_programme(self, state: _State, units: IntArray, deadline: float) -> bool:
        """Cover one component by integer programming; tell whether that is proven best."""
        from scipy.optimize import LinearConstraint, milp

        name = state.component[units[0]]
        touching = self.touching(units)
        pool = self.groups.take(touching)
        owner = np.repeat(np.arange(len(touching)), np.diff(pool.bounds))
        foreign = np.bincount(owner, weights=state.component[pool.members] != name, minlength=len(touching)) > 0
        usable = touching[~foreign]
        pool = self.groups.take(usable)
        local = np.full(len(state.component), -1, np.int64)
        local[units] = np.arange(len(units))
        owner = np.repeat(np.arange(len(usable)), np.diff(pool.bounds))
        matrix = _matrix(local[pool.members], owner, len(units), len(usable))
        result = milp(
            state.reduced[usable] * _SCALE,
            constraints=LinearConstraint(matrix, 1, 1),
            integrality=np.ones(len(usable)),
            bounds=(0, 1),
            options={"mip_rel_gap": 0.0, **_remaining(deadline)},
        )
        picked = result.x > 0.5 if result.x is not None else _greedy(pool, state.reduced[usable], local, len(units))
        state.chosen[touching] = False
        state.chosen[usable[picked]] = True
        state.extra[name] = float(state.reduced[usable[picked]].sum())
        return bool(result.status == 0)


class _State:
    """Components of units, the groups chosen in each, and what they cost beyond the prices."""

    def __init__(self, problem: _Problem, reduced: FloatArray, component: IntArray) -> None:
        self.problem = problem
        self.reduced = reduced
        self.component = component
        self.extra = np.full(len(component), -1.0)
        self.chosen = np.zeros(len(reduced), np.bool_)
        self._sorted = sort_groups(problem.where, problem.groups_of, reduced)

    def resume(self) -> None:
        """Go on until the choice is proven or a component is too hard."""
        groups = self.problem.groups
        settle(
            groups.bounds,
            groups.members,
            self.problem.where,
            self._sorted,
            self.reduced,
            self.component,
            self.extra,
            self.chosen,
            _EFFORT,
        )

    def given_up(self) -> list[IntArray]:
        """Give the units of each component that is not solved."""
        open_units = np.flatnonzero(self.extra[self.component] < 0)
        names = self.component[open_units]
        return [open_units[names == name] for name in np.unique(names)]


def _matrix(rows: IntArray, columns: IntArray, n_rows: int, n_columns: int):  # type: ignore[no-untyped-def]
    from scipy.sparse import csc_array

    return csc_array((np.ones(len(rows)), (rows, columns)), shape=(n_rows, n_columns))


def _greedy(pool: Groups, reduced: FloatArray, local: IntArray, n_units: int) -> BoolArray:
    """Cover units by the cheapest groups that still fit; units alone always do."""
    free = np.ones(n_units, np.bool_)
    picked = np.zeros(len(reduced), np.bool_)
    for group in np.argsort(reduced, kind="stable"):
        units = local[pool.members[pool.bounds[group] : pool.bounds[group + 1]]]
        if free[units].all():
            free[units] = False
            picked[group] = True
    return picked


def _remaining(deadline: float) -> dict[str, float]:
    return {} if deadline == np.inf else {"time_limit": max(0.01, deadline - time.monotonic())}
