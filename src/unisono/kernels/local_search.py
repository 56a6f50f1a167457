"""A grouping of units improved step by step; weights are those of `pricing`.

In these weights, a grouping costs the number of its groups less all weights inside them. So a step changes the cost by
the weights that it takes out of groups, less those that it brings in, plus 1 for a group that it opens, less 1 for one
that it closes. Two units without a weight cannot be in one group.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unisono.arrays import BoolArray, FloatArray, IntArray
from unisono.kernels.pricing import Graph
from unisono.kernels.switch import kernel
from unisono.kernels.workspace import floats, ints

ROUNDING = 1e-12
"""Costs are about 1 per group; a change below this may be rounding, and accepting those could go on forever."""
NOWHERE, NEW_GROUP = -1, -2
"""Where a unit goes that goes to no group that is there."""


class Grouping(NamedTuple):
    """Units in groups, and what a step looks at.

    Attributes
    ----------
    table : int64 array, shape (n_groups * n_annotators,)
        The unit of each group and annotator, -1 for none.
    group_of, size : int64 array, shape (n_units,)
        The group of each unit, and how many units each group has.
    to, n_weights : array, shape (n_groups,)
        The sum of the weights that a unit, or group, has to each group, and how many these are.
    touched : int64 array
        The groups where that is not 0.
    """

    table: IntArray
    group_of: IntArray
    size: IntArray
    to: FloatArray
    n_weights: IntArray
    touched: IntArray


@kernel
def improve(
    starts: IntArray,
    other: IntArray,
    weight: FloatArray,
    annotator: IntArray,
    n_annotators: int,
    table: IntArray,
    group_of: IntArray,
    active: BoolArray,
) -> float:
    """Move units, exchange them and merge groups around active units while that lowers the cost; return by how much."""
    n_units = len(annotator)
    graph = Graph(starts, other, weight, annotator, n_annotators)
    to, n_weights, touched = floats(n_units, 0.0), ints(n_units, 0), ints(n_units, 0)
    size = ints(n_units, 0)
    for unit in range(n_units):
        size[group_of[unit]] += 1
    groups = Grouping(table, group_of, size, to, n_weights, touched)
    empty = n_units - 1
    change = 0.0
    going = True
    while going:
        going = False
        for unit in range(n_units):
            if not active[unit]:
                continue
            # it is looked at again when its own group changes; this search proves nothing, so it may miss something
            active[unit] = False
            home = group_of[unit]
            n_touched = weigh(unit, graph, groups)
            best, target = best_step(unit, n_touched, graph, groups)
            for index in range(n_touched):
                to[touched[index]] = 0.0
                n_weights[touched[index]] = 0
            if target == NOWHERE or best > -ROUNDING:
                continue
            if target == NEW_GROUP:
                while size[empty] > 0:
                    empty = empty - 1 if empty > 0 else n_units - 1
                target = empty
            move_unit(unit, target, annotator[unit], n_annotators, table, group_of, size)
            change += best
            wake(home, table, active, n_annotators)
            wake(target, table, active, n_annotators)
            going = True
        if not going:
            # merging looks at all groups, so it waits until single units have nothing to gain
            merged = merge_any(graph, groups, active)
            change += merged
            going = merged < 0.0
    return change


@kernel
def weigh(unit: int, graph: Graph, groups: Grouping) -> int:
    """Add a unit's weights to each group to `to`, and how many there are to `n_weights`; list and count the groups."""
    _, group_of, _, to, n_weights, touched = groups
    n_touched = 0
    for edge in range(graph.starts[unit], graph.starts[unit + 1]):
        there = group_of[graph.other[edge]]
        if n_weights[there] == 0:
            touched[n_touched] = there
            n_touched += 1
        to[there] += graph.weight[edge]
        n_weights[there] += 1
    return n_touched


@kernel
def best_step(unit: int, n_touched: int, graph: Graph, groups: Grouping) -> tuple[float, int]:
    """Find where a unit goes best, alone or in exchange for its rival, the unit of its annotator there."""
    table, group_of, size, to, n_weights, touched = groups
    home = group_of[unit]
    own = to[home]
    best = 1.0 + own if size[home] > 1 else 0.0
    target = NEW_GROUP if best < 0.0 else NOWHERE
    for index in range(n_touched):
        there = touched[index]
        if there == home:
            continue
        rival = table[there * graph.n_annotators + graph.annotator[unit]]
        # a weight with all members is what lets the unit in; its rival, of the same annotator, has none with it
        if n_weights[there] == size[there]:
            delta = own - to[there] - (1.0 if size[home] == 1 else 0.0)
        elif rival >= 0 and n_weights[there] == size[there] - 1:
            delta = own - to[there] + exchange(rival, unit, home, there, size[home] - 1, graph, group_of)
        else:
            continue
        if delta < best - ROUNDING:
            best = delta
            target = there
    return best, target


@kernel
def exchange(rival: int, unit: int, home: int, there: int, n_home: int, graph: Graph, group_of: IntArray) -> float:
    """Return what it costs the rival to go from `there` to `home`, which the unit leaves with n_home others."""
    other, weight = graph.other, graph.weight
    cost = 0.0
    for edge in range(graph.starts[rival], graph.starts[rival + 1]):
        if group_of[other[edge]] == there:
            cost += weight[edge]
        elif group_of[other[edge]] == home and other[edge] != unit:
            cost -= weight[edge]
            n_home -= 1
    return cost if n_home == 0 else np.inf  # it must have a weight with all of them


@kernel
def move_unit(
    unit: int, target: int, who: int, n_annotators: int, table: IntArray, group_of: IntArray, size: IntArray
) -> None:
    """Move a unit to a group; its rival there, if any, takes its place."""
    home = group_of[unit]
    rival = table[target * n_annotators + who]
    table[home * n_annotators + who] = rival
    table[target * n_annotators + who] = unit
    group_of[unit] = target
    if rival >= 0:
        group_of[rival] = home
    else:
        size[home] -= 1
        size[target] += 1


@kernel
def merge_any(graph: Graph, groups: Grouping, active: BoolArray) -> float:
    """Merge each group with the best other one if that lowers the cost; return by how much in total."""
    table, group_of, size, to, n_weights, touched = groups
    n_annotators = graph.n_annotators
    change = 0.0
    for here in range(len(size)):
        if size[here] == 0:
            continue
        n_touched = 0
        for who in range(n_annotators):
            unit = table[here * n_annotators + who]
            if unit >= 0:
                for edge in range(graph.starts[unit], graph.starts[unit + 1]):
                    there = group_of[graph.other[edge]]
                    if n_weights[there] == 0:
                        touched[n_touched] = there
                        n_touched += 1
                    to[there] += graph.weight[edge]
                    n_weights[there] += 1
        # merging saves a group and brings in the weights across: -1 - Σw, which is below 0 if Σw > -1
        best = -1.0 + ROUNDING
        target = -1
        for index in range(n_touched):
            there = touched[index]
            if there != here and n_weights[there] == size[here] * size[there] and to[there] > best:  # every two meet
                best = to[there]
                target = there
            to[there] = 0.0
            n_weights[there] = 0
        if target >= 0:
            move_group(here, target, table, group_of, n_annotators)
            size[target] += size[here]
            size[here] = 0
            wake(target, table, active, n_annotators)
            change -= 1.0 + best
    return change


@kernel
def move_group(source: int, target: int, table: IntArray, group_of: IntArray, n_annotators: int) -> None:
    """Move all units of one group to another."""
    for who in range(n_annotators):
        unit = table[source * n_annotators + who]
        if unit >= 0:
            table[target * n_annotators + who] = unit
            group_of[unit] = target
            table[source * n_annotators + who] = -1


@kernel
def wake(group: int, table: IntArray, active: BoolArray, n_annotators: int) -> None:
    """Make the units of a group active."""
    for who in range(n_annotators):
        if table[group * n_annotators + who] >= 0:
            active[table[group * n_annotators + who]] = True


@kernel
def tabulate(group_of: IntArray, annotator: IntArray, n_annotators: int) -> IntArray:
    """Return the unit of each group and annotator, -1 for none."""
    table = ints(len(group_of) * n_annotators, -1)
    for unit in range(len(group_of)):
        table[group_of[unit] * n_annotators + annotator[unit]] = unit
    return table
