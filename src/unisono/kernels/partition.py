"""Choosing groups so that every unit is in exactly one of them, given prices: a search that stays local.

Groups, prices and reduced costs are those of `prices`.
"""

from __future__ import annotations

import numpy as np

from unisono.arrays import BoolArray, FloatArray, IntArray
from unisono.kernels.sorting import sort_run_by
from unisono.kernels.switch import kernel
from unisono.kernels.workspace import bools, copied, floats, ints

NEW = 0
PROVEN = 1
GIVEN_UP = 2
"""What is known of a component: nothing yet, its best cover, or some cover."""
SLACK = 1e-11
"""Costs that differ by less are the same: otherwise rounding would make every tie worth exploring."""


@kernel
def sort_groups(where: IntArray, groups_of: IntArray, reduced: FloatArray) -> IntArray:
    """Sort the groups of each unit by reduced cost."""
    ordered = copied(groups_of)
    for unit in range(len(where) - 1):
        sort_run_by(ordered, reduced, where[unit], where[unit + 1])
    return ordered


@kernel
def cover_components(
    bounds: IntArray,
    members: IntArray,
    where: IntArray,
    groups_of: IntArray,
    reduced: FloatArray,
    component: IntArray,
    extra: FloatArray,
    state: IntArray,
    chosen: BoolArray,
    effort: int,
) -> None:
    """Choose groups component by component, and join components until the choice is proven.

    Let extra[c] be the least reduced cost at which component c can be covered by groups inside it. A group across
    components can only be of use if its reduced cost is below the sum of their extras: a choice with groups B
    across costs at least Σ_{S∈B} reduced(S) plus the extras of the components that B leaves untouched. Where it
    is below, the components are joined and solved again. When none is, the choice is a best one.

    Parameters
    ----------
    groups_of : int64 array
        As always, but sorted by reduced cost for each unit.
    component : int64 array, shape (n_units,)
        The component of each unit, named by one of its units. Changed in place.
    extra : float64 array, shape (n_units,)
        By component: extra[c], or the best found so far. Changed in place.
    state : int64 array, shape (n_units,)
        By component: NEW where still to be solved, PROVEN, or GIVEN_UP. Changed in place.
    chosen : bool array, shape (n_groups,)
        The groups chosen, which cover every unit once. Changed in place.
    effort : int
        Groups to look at before a component is given up.
    """
    n_units = len(component)
    covered = bools(n_units)
    while True:
        begins, units = by_component(component)
        solved = True
        for name in range(n_units):
            if begins[name] < begins[name + 1] and state[name] == NEW:
                extra[name], proven = cover(
                    units[begins[name] : begins[name + 1]],
                    bounds,
                    members,
                    where,
                    groups_of,
                    reduced,
                    component,
                    covered,
                    chosen,
                    effort,
                )
                state[name] = PROVEN if proven else GIVEN_UP
                solved = solved and proven
        if not solved or not join(bounds, members, reduced, component, extra, state):
            return


@kernel
def by_component(component: IntArray) -> tuple[IntArray, IntArray]:
    """List units by component: those of component c are units[begins[c] : begins[c + 1]]."""
    n_units = len(component)
    begins = ints(n_units + 1, 0)
    for unit in range(n_units):
        begins[component[unit] + 1] += 1
    for name in range(n_units):
        begins[name + 1] += begins[name]
    filled = copied(begins)
    units = ints(n_units, 0)
    for unit in range(n_units):
        units[filled[component[unit]]] = unit
        filled[component[unit]] += 1
    return begins, units


@kernel
def join(
    bounds: IntArray,
    members: IntArray,
    reduced: FloatArray,
    component: IntArray,
    extra: FloatArray,
    state: IntArray,
) -> bool:
    """Join the components across which a group could still be of use; tell whether there were any."""
    n_units = len(component)
    root = all_separate(n_units)
    joined = False
    for group in range(len(reduced)):
        units = members[bounds[group] : bounds[group + 1]]
        first = component[units[0]]
        across = False
        worth = extra[first]
        for index in range(1, len(units)):
            name = component[units[index]]
            known = False
            for before in range(index):
                known = known or component[units[before]] == name
            if not known:
                across = True
                worth += extra[name]
        if across and reduced[group] < worth - SLACK:
            joined = True
            for unit in units:
                here, there = find(root, first), find(root, component[unit])
                root[max(here, there)] = min(here, there)
    if joined:
        for unit in range(n_units):
            name = find(root, component[unit])
            if name != component[unit]:
                state[name] = NEW
            component[unit] = name
    return joined


@kernel
def tight_components(
    bounds: IntArray, members: IntArray, reduced: FloatArray, tolerance: float, n_units: int
) -> IntArray:
    """Give the components of units that groups with (nearly) no reduced cost hold together."""
    root = all_separate(n_units)
    for group in range(len(reduced)):
        if reduced[group] <= tolerance:
            for unit in members[bounds[group] + 1 : bounds[group + 1]]:
                here, there = find(root, members[bounds[group]]), find(root, unit)
                root[max(here, there)] = min(here, there)
    for unit in range(n_units):
        root[unit] = find(root, unit)
    return root


@kernel
def all_separate(n_units: int) -> IntArray:
    """Let every unit be a component of its own."""
    root = ints(n_units, 0)
    for unit in range(n_units):
        root[unit] = unit
    return root


@kernel
def find(root: IntArray, unit: int) -> int:
    """Find the name of a unit's component (union–find with path halving)."""
    while root[unit] != unit:
        root[unit] = root[root[unit]]
        unit = root[unit]
    return unit


@kernel
def cover(
    units: IntArray,
    bounds: IntArray,
    members: IntArray,
    where: IntArray,
    groups_of: IntArray,
    reduced: FloatArray,
    component: IntArray,
    covered: BoolArray,
    chosen: BoolArray,
    effort: int,
) -> tuple[float, bool]:
    """Cover the units of one component at the least reduced cost: depth first, the most constrained unit next.

    Returns
    -------
    best : float
        The least reduced cost found; its groups are marked in `chosen`.
    proven : bool
        Whether there is no less; False if given up.
    """
    n_units = len(units)
    picked = ints(n_units + 1, 0)
    best_picked = ints(n_units + 1, 0)
    pivot = ints(n_units + 1, 0)
    turn = ints(n_units + 1, 0)
    spent = floats(n_units + 2, 0.0)
    best = np.inf
    n_best = 0
    n_covered = 0
    depth = 0
    forward = True
    while depth >= 0:
        if forward:
            if n_covered == n_units:
                best = spent[depth]
                for earlier in range(depth):
                    best_picked[earlier] = picked[earlier]
                n_best = depth
                if best <= SLACK:
                    break
                forward = False
                depth -= 1
                continue
            unit, looked = most_constrained(
                units, bounds, members, where, groups_of, reduced, component, covered, best - spent[depth]
            )
            effort -= looked
            if effort < 0:
                break
            if unit < 0:
                forward = False
                depth -= 1
                continue
            pivot[depth] = unit
            turn[depth] = where[unit]
        else:
            undone = picked[depth]
            for index in range(bounds[undone], bounds[undone + 1]):
                covered[members[index]] = False
            n_covered -= bounds[undone + 1] - bounds[undone]
        unit = pivot[depth]
        forward = False
        while turn[depth] < where[unit + 1]:
            group = groups_of[turn[depth]]
            turn[depth] += 1
            effort -= 1
            if spent[depth] + reduced[group] >= best - SLACK:
                break
            if fits(group, bounds, members, component, covered, component[unit]):
                for index in range(bounds[group], bounds[group + 1]):
                    covered[members[index]] = True
                n_covered += bounds[group + 1] - bounds[group]
                picked[depth] = group
                spent[depth + 1] = spent[depth] + reduced[group]
                depth += 1
                forward = True
                break
        if not forward:
            depth -= 1
    for unit in units:
        covered[unit] = False
        for index in range(where[unit], where[unit + 1]):
            chosen[groups_of[index]] = False
    if best == np.inf:
        # given up before anything was found: every unit alone, those are the last groups
        best = 0.0
        for unit in units:
            alone = len(reduced) - len(component) + unit
            chosen[alone] = True
            best += reduced[alone]
    for index in range(n_best):
        chosen[best_picked[index]] = True
    return best, effort >= 0


@kernel
def most_constrained(
    units: IntArray,
    bounds: IntArray,
    members: IntArray,
    where: IntArray,
    groups_of: IntArray,
    reduced: FloatArray,
    component: IntArray,
    covered: BoolArray,
    allowed: float,
) -> tuple[int, int]:
    """Find the uncovered unit with the fewest groups below `allowed`; -1 if one has none. Count the looks."""
    fewest = len(groups_of) + 1
    found = -1
    looked = 0
    for unit in units:
        if covered[unit]:
            continue
        count = 0
        for index in range(where[unit], where[unit + 1]):
            group = groups_of[index]
            looked += 1
            if reduced[group] >= allowed - SLACK or count >= fewest:
                break
            if fits(group, bounds, members, component, covered, component[unit]):
                count += 1
        if count < fewest:
            fewest = count
            found = unit
            if count == 0:
                return -1, looked
    return found, looked


@kernel
def fits(group: int, bounds: IntArray, members: IntArray, component: IntArray, covered: BoolArray, name: int) -> bool:
    """Tell whether a group lies inside a component and touches no covered unit."""
    for unit in members[bounds[group] : bounds[group + 1]]:
        if covered[unit] or component[unit] != name:
            return False
    return True
