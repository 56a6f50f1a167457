"""Positions of units with several anchors by trying every matching, sharing nothing with the package."""

from __future__ import annotations

import itertools

import oracle

TURNED = {"source": "target", "target": "source"}


def matchings(one, other):
    """List all matchings of anchors of the same role, one to one, as lists of pairs of indices."""
    for size in range(1, min(len(one), len(other)) + 1):
        for mine in itertools.combinations(range(len(one)), size):
            for theirs in itertools.permutations(range(len(other)), size):
                pairs = [*zip(mine, theirs, strict=True)]
                if all(one[i][0] == other[j][0] for i, j in pairs):
                    yield pairs


def d_anchors(one, other, weights=None, directed=True):
    """Give D_pos of two lists of anchors (role, start, end), in units of Δ∅."""
    weights = weights or {}
    own, its = ([weights.get(role, 1.0) for role, _, _ in anchors] for anchors in (one, other))
    orders = [other] if directed else [other, [(TURNED.get(role, role), *span) for role, *span in other]]
    best = float("inf")
    for order in orders:
        for pairs in matchings(one, order):
            apart = sum((own[i] + its[j]) / 2 * oracle.d_pos(one[i], order[j]) for i, j in pairs)
            alone = sum(own) + sum(its) - sum(own[i] + its[j] for i, j in pairs)
            best = min(best, apart + alone)
    return 2 * best / (sum(own) + sum(its))


def least_disorder(units, n_annotators, alpha=1.0, beta=1.0, delta_empty=1.0, weights=None, directed=True):
    """Give the least disorder of units (annotator, anchors, category) over all alignments and matchings."""
    plain = [(annotator, anchors, None, category) for annotator, anchors, category in units]

    def d(u, v):
        position = alpha * d_anchors(u[1], v[1], weights, directed) if alpha else 0.0
        return position + (beta * oracle.d_nominal(u, v) if beta else 0.0)

    return oracle.least_disorder(plain, n_annotators, 0.0, 1.0, delta_empty, d)
