"""Choosing groups so that every unit is in exactly one of them, given prices: a search that stays local.

Groups, prices and reduced costs are those of `prices`. Any choice that covers every unit once costs Σπ plus the reduced
costs of its groups, and reduced costs are at least 0: what is left to minimize is their sum.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unisono.arrays import BoolArray, FloatArray, IntArray
from unisono.kernels.sorting import sort_run_by
from unisono.kernels.switch import kernel
from unisono.kernels.workspace import bools, copied, floats, ints

NEW = 0
PROVEN = 1
GIVEN_UP = 2
"""What is known about a component: nothing yet, its best cover, or some cover."""
# Without slack, rounding (about 1e-15 for a sum of some costs near 1) would make every tie worth exploring. What is
# lost by it is within what `relative_gap` takes for rounding.
SLACK = 1e-11
"""Costs that differ by less count as the same."""
TIGHT = 1e-9
"""Reduced costs up to this are taken as 0 when components are formed; any number gives valid components."""
# Chosen by trial: with good prices, a search is short; if it gets long, better prices take less time than going on.
FIRST_EFFORT = 20_000
EFFORT = 300_000
"""Groups that the search looks at before it gives a component up, with the first prices and with better ones: at most a
few milliseconds as machine code."""


class Choice(NamedTuple):
    """The groups to choose from, the components, the units covered in a search, and the groups chosen.

    Attributes
    ----------
    bounds, members, where, groups_of : int64 array
        See `prices`; the groups of each unit are sorted by reduced cost.
    reduced : float64 array, shape (n_groups,)
        Reduced costs, at least 0.
    component : int64 array, shape (n_units,)
        The component of each unit, named by one of its units.
    covered : bool array, shape (n_units,)
        Units covered so far.
    chosen : bool array, shape (n_groups,)
        The groups chosen, which cover every unit once.
    """

    bounds: IntArray
    members: IntArray
    where: IntArray
    groups_of: IntArray
    reduced: FloatArray
    component: IntArray
    covered: BoolArray
    chosen: BoolArray


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
) -> float:
    """Choose groups component by component, and join components until the choice is proven.

    Let extra[c] be the least reduced cost at which component c can be covered by groups inside it. A group across
    components can only be of use if its reduced cost is below the sum of their extras. Where it is, the components
    are joined and solved again. When there is no such group, the choice is a best one. Components that are given up
    stay as they are, and count nothing, nor do others count more than the groups that join them to these allow.

    Parameters
    ----------
    groups_of : int64 array
        See `prices`; here sorted by reduced cost for each unit.
    component : int64 array, shape (n_units,)
        The component of each unit, named by one of its units. Changed in place.
    extra : float64 array, shape (n_units,)
        By component: extra[c], or the best found so far where it is given up. Changed in place.
    state : int64 array, shape (n_units,)
        By component: NEW where still to be solved, PROVEN, or GIVEN_UP. Changed in place.
    chosen : bool array, shape (n_groups,)
        The groups chosen, which cover every unit once. Changed in place.
    effort : int
        Groups to look at before a component is given up.

    Returns
    -------
    least : float
        No choice costs less than the prices and this; with no component given up, it is what this choice costs.
    """
    # The proof. Take any choice, and let B be its groups that lie across components. Components that B does not touch
    # are covered from inside, at no less than their extras. If every S ∈ B has reduced(S) ≥ Σ extra of the components
    # that it touches, then Σ_B reduced(S) is at least the extras of all that B touches, since each of these is touched
    # by some S and extras are ≥ 0. So the choice costs at least Σ extra, which is what the components cost now. The
    # same holds for any numbers `least` between 0 and the extras in place of these, but for the last clause.
    n_units = len(component)
    choice = Choice(bounds, members, where, groups_of, reduced, component, bools(n_units), chosen)
    least = extra
    given_up = False
    for name in range(n_units):
        given_up = given_up or state[name] == GIVEN_UP
    while True:
        begins, units = by_component(component)
        for name in range(n_units):
            if begins[name] < begins[name + 1] and state[name] == NEW:
                extra[name], proven = cover(units[begins[name] : begins[name + 1]], choice, effort)
                state[name] = PROVEN if proven else GIVEN_UP
                given_up = given_up or not proven
                if extra[name] == np.inf:  # given up before anything was found
                    extra[name] = cover_greedily(units[begins[name] : begins[name + 1]], choice)
        if given_up:
            least = least_beside_open(bounds, members, reduced, component, extra, state)
        if not join(bounds, members, reduced, component, least, extra, state):
            break
    total = 0.0
    for name in range(n_units):
        if component[name] == name:
            total += least[name]
    return total


@kernel
def least_beside_open(
    bounds: IntArray, members: IntArray, reduced: FloatArray, component: IntArray, extra: FloatArray, state: IntArray
) -> FloatArray:
    """Return extras, but 0 where a component was given up, and beside it no more than the groups across allow."""
    least = floats(len(extra), 0.0)
    for name in range(len(extra)):
        if state[name] == PROVEN:
            least[name] = extra[name]
    for group in range(len(reduced)):
        units = members[bounds[group] : bounds[group + 1]]
        n_others, given_up = 0, False
        for unit in units:
            given_up = given_up or state[component[unit]] == GIVEN_UP
            n_others += state[component[unit]] != GIVEN_UP
        if given_up and n_others > 0:
            for unit in units:
                least[component[unit]] = min(least[component[unit]], reduced[group] / n_others)
    return least


# Components are named by their least unit, and lists of them are made anew in each round: counting and filling takes
# linear time, which is little compared to the search.


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
    least: FloatArray,
    extra: FloatArray,
    state: IntArray,
) -> bool:
    """Join the components across which a group could still be of use; return whether there were any.

    That is where its reduced cost is below the sum of `least` of the components. What is joined has to be covered
    again, unless a part of it was given up: then it is, too, and costs what its parts did.
    """
    n_units = len(component)
    root = all_separate(n_units)
    joined = False
    for group in range(len(reduced)):
        units = members[bounds[group] : bounds[group + 1]]
        first = component[units[0]]
        across = False
        worth = least[first]
        for index in range(1, len(units)):
            name = component[units[index]]
            known = False
            for before in range(index):  # each component counts once
                known = known or component[units[before]] == name
            if not known:
                across = True
                worth += least[name]
        if across and reduced[group] < worth - SLACK:  # see the proof in `cover_components`
            joined = True
            for unit in units:
                here, there = find(root, first), find(root, component[unit])
                root[max(here, there)] = min(here, there)
    if joined:
        for unit in range(n_units):
            if component[unit] == unit and find(root, unit) != unit:  # names a component that is joined to another
                name = find(root, unit)
                state[name] = GIVEN_UP if state[name] == GIVEN_UP or state[unit] == GIVEN_UP else NEW
                extra[name] += extra[unit]
        for unit in range(n_units):
            component[unit] = find(root, component[unit])
    return joined


@kernel
def tight_components(
    bounds: IntArray, members: IntArray, reduced: FloatArray, tolerance: float, n_units: int
) -> IntArray:
    """Return the components of units that are held together by groups of (nearly) no reduced cost."""
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
    """Make every unit a component."""
    root = ints(n_units, 0)
    for unit in range(n_units):
        root[unit] = unit
    return root


@kernel
def find(root: IntArray, unit: int) -> int:
    """Find the name of a unit's component (union–find with path halving)."""
    # the root of a joined component is its least unit (`join` makes it so), so names do not depend on the order
    while root[unit] != unit:
        root[unit] = root[root[unit]]
        unit = root[unit]
    return unit


@kernel
def cover(units: IntArray, choice: Choice, effort: int) -> tuple[float, bool]:
    """Cover the units of one component at the least reduced cost: depth first, the most constrained unit next.

    Returns
    -------
    best : float
        The least reduced cost found, infinite if none; its groups are marked in `chosen`.
    proven : bool
        Whether there is no less; False if given up.
    """
    bounds, members, where, groups_of, reduced, component, covered, _ = choice
    n_units = len(units)
    picked = ints(n_units + 1, 0)
    best_picked = ints(n_units + 1, 0)
    pivot = ints(n_units + 1, 0)
    turn = ints(n_units + 1, 0)
    spent = floats(n_units + 2, 0.0)
    # Depth first without recursion. On the way forward, a unit is chosen and its groups are tried in turn; on the way
    # back, the group picked at this depth is taken away, and the unit's next group is tried.
    best = np.inf
    n_best = 0
    n_covered = 0
    depth = 0
    forward = True
    while depth >= 0:
        if forward and n_covered == n_units:
            best = spent[depth]
            for earlier in range(depth):
                best_picked[earlier] = picked[earlier]
            n_best = depth
            if best <= SLACK:  # nothing is below 0
                break
            forward = False
            depth -= 1
            continue
        if forward:
            # every unit has to be covered some time: to begin with the one that has fewest ways makes the tree narrow
            unit, looked = most_constrained(units, choice, best - spent[depth])
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
            n_covered -= mark_members(picked[depth], choice, False)
        unit = pivot[depth]
        forward = False
        while turn[depth] < where[unit + 1]:
            group = groups_of[turn[depth]]
            turn[depth] += 1
            effort -= 1
            # what follows costs at least 0, and later groups of the unit cost no less than this one
            if spent[depth] + reduced[group] >= best - SLACK:
                break
            if fits(group, bounds, members, component, covered, component[unit]):
                n_covered += mark_members(group, choice, True)
                picked[depth] = group
                spent[depth + 1] = spent[depth] + reduced[group]
                depth += 1
                forward = True
                break
        if not forward:
            depth -= 1
    return choose_groups(units, choice, best, best_picked, n_best), effort >= 0


@kernel
def mark_members(group: int, choice: Choice, covered: bool) -> int:
    """Mark the units of a group as covered or not; return how many there are."""
    begin, end = choice.bounds[group], choice.bounds[group + 1]
    for index in range(begin, end):
        choice.covered[choice.members[index]] = covered
    return int(end - begin)


@kernel
def choose_groups(units: IntArray, choice: Choice, best: float, best_picked: IntArray, n_best: int) -> float:
    """Mark the groups that cover a component best, instead of those marked before; return their reduced cost."""
    where, chosen = choice.where, choice.chosen
    for unit in units:
        choice.covered[unit] = False
        for index in range(where[unit], where[unit + 1]):
            chosen[choice.groups_of[index]] = False
    for index in range(n_best):
        chosen[best_picked[index]] = True
    return best


@kernel
def cover_greedily(units: IntArray, choice: Choice) -> float:
    """Choose, unit by unit, the cheapest group that fits; return what they cost in all. Alone, every unit fits."""
    bounds, members, where, groups_of, reduced, component, covered, chosen = choice
    total = 0.0
    for unit in units:
        for index in range(where[unit], where[unit + 1]):
            group = groups_of[index]
            if not covered[unit] and fits(group, bounds, members, component, covered, component[unit]):
                mark_members(group, choice, True)
                chosen[group] = True
                total += reduced[group]
    for unit in units:
        covered[unit] = False
    return total


@kernel
def most_constrained(units: IntArray, choice: Choice, allowed: float) -> tuple[int, int]:
    """Find the uncovered unit with the fewest groups below `allowed`; -1 if one has none. Also count the looks."""
    bounds, members, where, groups_of, reduced, component, covered, _ = choice
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
            # groups are sorted: no later one is allowed either; and a unit with as many is not the most constrained
            if reduced[group] >= allowed - SLACK or count >= fewest:
                break
            if fits(group, bounds, members, component, covered, component[unit]):
                count += 1
        if count < fewest:
            fewest = count
            found = unit
            if count == 0:  # it cannot be covered any more: a dead end
                return -1, looked
    return found, looked


@kernel
def fits(group: int, bounds: IntArray, members: IntArray, component: IntArray, covered: BoolArray, name: int) -> bool:
    """Whether a group lies inside a component and touches no covered unit."""
    for unit in members[bounds[group] : bounds[group + 1]]:
        if covered[unit] or component[unit] != name:
            return False
    return True
