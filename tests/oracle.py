"""The least disorder by trying every alignment, written from the paper and sharing nothing with the package."""

from __future__ import annotations

import functools
import itertools
import math


def d_pos(u, v):
    """Equation (3) of Mathet et al. 2015, in units of Δ∅."""
    difference = abs(u[1] - v[1]) + abs(u[2] - v[2])
    length = (u[2] - u[1]) + (v[2] - v[1])
    if length == 0:
        return 0.0 if difference == 0 else math.inf
    return (difference / length) ** 2


def d_nominal(u, v):
    return 0.0 if u[3] == v[3] else 1.0


def least_disorder(units, n_annotators, alpha=1.0, beta=1.0, delta_empty=1.0, d_cat=d_nominal):
    """Give the least disorder of units (annotator, start, end, category) over all alignments."""
    pairs = n_annotators * (n_annotators - 1) / 2

    def d(u, v):
        total = alpha * d_pos(u, v) if alpha else 0.0
        return (total + (beta * d_cat(u, v) if beta else 0.0)) * delta_empty

    def cost(group):
        real = [units[i] for i in group]
        compared = list(itertools.combinations(real, 2))
        return (sum(d(u, v) for u, v in compared) + (pairs - len(compared)) * delta_empty) / pairs

    costs = {}
    by_annotator = [[i for i, unit in enumerate(units) if unit[0] == a] for a in range(n_annotators)]
    for choice in itertools.product(*[[None, *own] for own in by_annotator]):
        group = tuple(i for i in choice if i is not None)
        if group:
            mask = sum(1 << i for i in group)
            costs.setdefault((mask & -mask).bit_length() - 1, []).append((mask, cost(group)))

    @functools.cache
    def best(covered):
        if covered == (1 << len(units)) - 1:
            return 0.0
        first = 0
        while covered >> first & 1:
            first += 1
        return min(value + best(covered | mask) for mask, value in costs[first] if not covered & mask)

    return best(0) / (len(units) / n_annotators)
