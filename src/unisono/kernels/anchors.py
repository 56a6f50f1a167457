"""Units with several anchors: how far apart they are, and which of them are near enough to be worth comparing.

The anchors of unit u are first[u] to first[u + 1], sorted by role. Where two units are compared, the second one may
have its anchors in another order, by other roles: that is how undirected relations are turned around.
"""

from __future__ import annotations

import math

import numpy as np

from unisono.arrays import FloatArray, IntArray
from unisono.kernels.assignment import best_matching
from unisono.kernels.sorting import sort_run
from unisono.kernels.switch import kernel
from unisono.kernels.workspace import floats, ints, longer


@kernel
def anchored_distances(
    first: IntArray,
    role: IntArray,
    weight: FloatArray,
    start: FloatArray,
    end: FloatArray,
    other_role: IntArray,
    other_weight: FloatArray,
    other_start: FloatArray,
    other_end: FloatArray,
    u: IntArray,
    v: IntArray,
    n_roles: int,
) -> tuple[FloatArray, FloatArray]:
    """Compare the positions of units, pair by pair: see `dissimilarity.anchored`.

    Parameters
    ----------
    first : int64 array, shape (n_units + 1,)
        Where the anchors of each unit begin.
    role, weight, start, end : array, shape (n_anchors,)
        The anchors, those of a unit sorted by role.
    other_role, other_weight, other_start, other_end : array, shape (n_anchors,)
        The same for the second unit of each pair.
    u, v : int64 array, shape (n_pairs,)
        The pairs.
    n_roles : int
        Number of roles, or 0 if it does not matter which role differs.

    Returns
    -------
    distance : float64 array, shape (n_pairs,)
        D_pos/Δ∅.
    share : float64 array, shape (n_pairs · n_roles,)
        The part of each role in it.
    """
    distance, share = floats(len(u), 0.0), floats(len(u) * n_roles, 0.0)
    for pair in range(len(u)):
        a, last_a = first[u[pair]], first[u[pair] + 1]
        b, last_b = first[v[pair]], first[v[pair] + 1]
        total, cost, n_matched = 0.0, 0.0, 0
        least, forced, forced_role = np.inf, 0.0, 0
        # both are sorted by role: those of one role after another
        while a < last_a or b < last_b:
            one = role[a] if a < last_a and (b == last_b or role[a] <= other_role[b]) else other_role[b]
            next_a, next_b = a, b
            while next_a < last_a and role[next_a] == one:
                next_a += 1
            while next_b < last_b and other_role[next_b] == one:
                next_b += 1
            own = weight[a] if next_a > a else 0.0
            its = other_weight[b] if next_b > b else 0.0
            n, apart = 0, 0.0
            if next_a > a and next_b > b:
                both = (own + its) / 2.0
                n, apart, nearest = match_anchors(a, next_a, b, next_b, start, end, other_start, other_end)
                apart *= both
                # what it costs more than leaving both alone, should no two anchors be worth matching
                if both * (nearest - 2.0) < least:
                    least, forced, forced_role = both * (nearest - 2.0), both * nearest - (own + its), one
            total += own * (next_a - a) + its * (next_b - b)
            apart += own * (next_a - a - n) + its * (next_b - b - n)
            if n_roles > 0:
                share[pair * n_roles + one] = apart
            cost += apart
            n_matched += n
            a, b = next_a, next_b
        if n_matched == 0:
            cost = np.inf if least == np.inf else cost + forced
            if n_roles > 0:
                share[pair * n_roles + forced_role] += forced if least < np.inf else np.inf
        distance[pair] = 2.0 * cost / total
        for place in range(pair * n_roles, pair * n_roles + n_roles):
            share[place] = 2.0 * share[place] / total
    return distance, share


@kernel
def match_anchors(
    a: int,
    last_a: int,
    b: int,
    last_b: int,
    start: FloatArray,
    end: FloatArray,
    other_start: FloatArray,
    other_end: FloatArray,
) -> tuple[int, float, float]:
    """Match the anchors of one role at the least cost.

    Returns
    -------
    n : int
        How many of one unit are matched.
    total, nearest : float
        The sum of their d_pos, and the least d_pos of any two anchors.
    """
    # Left alone, two anchors cost 2, so that matching them saves 2 - d_pos. To save most is to cost least. A single
    # anchor is matched with the nearest one, or not at all.
    nearest = np.inf
    n_b = last_b - b
    few = last_a - a == 1 or n_b == 1
    rows = ints(0 if few else last_a - a + 1, 0)
    columns = ints(0 if few else (last_a - a) * n_b, 0)
    saving = floats(len(columns), 0.0)
    n_edges = rows[0] if not few else 0
    for i in range(a, last_a):
        for j in range(b, last_b):
            difference = abs(start[i] - other_start[j]) + abs(end[i] - other_end[j])
            length = (end[i] - start[i]) + (other_end[j] - other_start[j])
            ratio = 0.0 if difference == 0.0 else np.inf  # of anchors without length
            if length > 0.0:
                ratio = difference / length
            apart = ratio * ratio
            nearest = min(nearest, apart)
            if not few and apart < 2.0:
                columns[n_edges], saving[n_edges] = j - b, 2.0 - apart
                n_edges += 1
        if not few:
            rows[i - a + 1] = n_edges
    if few:
        return (1, nearest, nearest) if nearest < 2.0 else (0, 0.0, nearest)
    column_of = best_matching(rows, columns[:n_edges], saving[:n_edges], n_b)
    n, total = 0, 0.0
    for i in range(a, last_a):
        j = column_of[i - a] + b
        if j >= b:
            difference = abs(start[i] - other_start[j]) + abs(end[i] - other_end[j])
            length = (end[i] - start[i]) + (other_end[j] - other_start[j])
            ratio = difference / length if length > 0.0 else 0.0
            total += ratio * ratio
            n += 1
    return n, total, nearest


@kernel
def near_anchored(
    first: IntArray,
    owner: IntArray,
    annotator: IntArray,
    size: FloatArray,
    set_of: IntArray,
    kind: IntArray,
    weight: FloatArray,
    middle: FloatArray,
    length: FloatArray,
    order: IntArray,
    classes: IntArray,
    classes_of: IntArray,
    longest: FloatArray,
    largest: FloatArray,
    limit: float,
    begin: int,
    enough: int,
) -> tuple[IntArray, IntArray]:
    """List, for each unit from `begin` on, the units of later annotators of its set that have an anchor near enough.

    Parameters
    ----------
    first : int64 array, shape (n_units + 1,)
        Where the anchors of each unit begin.
    owner : int64 array, shape (n_anchors,)
        The unit of each anchor.
    annotator, size, set_of : array, shape (n_units,)
        Whose each unit is, the weight of all its anchors, and the set that it belongs to.
    kind, weight, middle, length : array, shape (n_anchors,)
        Only anchors of the same kind are compared; their weight, midpoint and length.
    order : int64 array, shape (n_anchors,)
        Anchors sorted by class, then by midpoint. Those of a class belong to the same set, and are of the same kind and
        weight, of similar length, and of units of similar size.
    classes : int64 array, shape (n_classes + 1,)
        Where each class begins in `order`.
    classes_of : int64 array, shape (n_sets + 1,)
        Where the classes of each set begin.
    longest, largest : float64 array, shape (n_classes,)
        The greatest length of an anchor, and the greatest size of a unit, of each class.
    limit : float
        D_pos/Δ∅ must be below this: see `reach_of_anchors`.
    begin, enough : int
        The unit to begin with; stop after the unit with which so many units have been found.

    Returns
    -------
    starts, found : int64 array
        See `windows.near`.
    """
    # A little more than needed, so that no pair is lost by rounding; the caller computes d of all pairs found, and
    # drops those that are too dissimilar.
    generous = 0.5 * (1.0 + 1e-6)
    n_units = len(annotator)
    starts = ints(n_units - begin + 1, 0)
    found = ints(4 * n_units + 16, 0)
    seen = ints(n_units, -1)
    count = starts[0]  # not a literal 0, for which helpers would be compiled once more
    unit = begin
    while unit < n_units and count < enough:
        before = count
        for anchor in range(first[unit], first[unit + 1]):
            for index in range(classes_of[set_of[unit]], classes_of[set_of[unit] + 1]):
                low, high = classes[index], classes[index + 1]
                if kind[order[low]] != kind[anchor]:
                    continue
                # In a class, nobody is farther away than the longest anchor of the largest unit could be. Lengths and
                # sizes in a class differ by less than a factor of 2, so this window is at most three times too wide.
                both = (weight[anchor] + weight[order[low]]) / 2.0
                reach = generous * reach_of_anchors(limit, (size[unit] + largest[index]) / 2.0, both)
                farthest = reach * (length[anchor] + longest[index])
                while low < high:
                    half = (low + high) // 2
                    if middle[order[half]] < middle[anchor] - farthest:
                        low = half + 1
                    else:
                        high = half
                for position in range(low, classes[index + 1]):
                    other = order[position]
                    gap = middle[other] - middle[anchor]
                    if gap > farthest:
                        break
                    candidate = owner[other]
                    if seen[candidate] == unit or annotator[candidate] <= annotator[unit]:
                        continue
                    if abs(gap) <= reach * (length[anchor] + length[other]):
                        seen[candidate] = unit
                        if count == len(found):
                            found = longer(found)
                        found[count] = candidate
                        count += 1
        sort_run(found, before, count)
        unit += 1
        starts[unit - begin] = count
    return starts[: unit - begin + 1], found[:count]


@kernel
def reach_of_anchors(limit: float, size: float, weight: float) -> float:
    """Return how near some anchors of two units must be for D_pos < limit, as a multiple of their mean length.

    Let M be the best matching, w the mean weight of two matched anchors, W = Σ w over M, and K the mean of the units'
    sizes. Matched anchors have 2W of the weight 2K of all, the rest stays alone, so

        K · D_pos = Σ w d_pos + 2K - 2W,   and D_pos < L means   Σ w d_pos < (L - 2) K + 2W.

    The least d_pos in M is at most Σ w d_pos / W < 2 + (L - 2) K/W. If L ≥ 2, that is at most 2 + (L - 2) K/w, since W
    is at least the w of those two anchors; otherwise at most L, since W ≤ K. So some two anchors are as near as that;
    the distance of their midpoints follows as in `dissimilarity.combined.reach`. With one anchor each, it is L again.
    Turning a relation around changes which anchors are matched, but not this.
    """
    return math.sqrt(2.0 + (limit - 2.0) * size / weight if limit > 2.0 else limit)
