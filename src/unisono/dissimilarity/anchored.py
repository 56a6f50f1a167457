r"""Positions of units with several anchors: relations, events, units in pieces (docs/relations.md).

.. math:: D_{pos}(u, v) = \frac{2}{k_u + k_v} \min_{M ≠ ∅} \Big[ \sum_{(a, b) ∈ M} d_{pos}(a, b)
          + (k_u + k_v - 2|M|) \Big]

in units of Δ∅: k is the number of anchors of a unit, and M pairs anchors of the same role, one to one. An anchor left
alone costs 1. With one anchor each, it is equation (3) of Mathet et al. (2015). Weights of roles multiply costs and
numbers alike; two anchors of different roles, as in a relation turned around, weigh the mean of both.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from unisono.arrays import FloatArray, IntArray
from unisono.checks import check_number
from unisono.data.anchors import SOURCE, TARGET, Anchors
from unisono.errors import OptionError, listed
from unisono.kernels.anchors import anchored_distances
from unisono.results import listed_name, spelled

ENDS = "ends"
"""What the source and the target of undirected relations are called together."""


@dataclass(frozen=True)
class AnchorRoles:
    """How anchors of different roles count.

    Attributes
    ----------
    weights : tuple of (str, float)
        The weights of roles; those of others are 1.
    directed : bool
        Whether the direction from source to target counts. If not, the better of the two orders is taken.
    """

    weights: tuple[tuple[str, float], ...] = ()
    directed: bool = True

    @classmethod
    def of(cls, weights: Mapping[str, float] | Sequence[str] | None, directed: bool) -> AnchorRoles:
        """Make them from a user's parameters."""
        if weights is None:
            return cls((), directed)
        if not isinstance(weights, Mapping):
            raise OptionError("expected roles with their weights, e.g. source:2", "roles")
        return cls(tuple((name, check_number(weight, "roles", above=0)) for name, weight in weights.items()), directed)

    def check(self, anchors: Anchors | None) -> None:
        """Raise OptionError if the data has no such roles."""
        known = () if anchors is None else anchors.roles
        if anchors is None and (self.weights or not self.directed):
            name = "roles" if self.weights else "directed"
            raise OptionError.about(name, "all units are plain spans, which have no roles; leave this parameter out")
        for name, _ in self.weights:
            if name not in known:
                raise OptionError.about("roles", f"unknown role {name!r}; available: {listed([*known])}")
        if not self.directed and not {SOURCE, TARGET} <= {*known}:
            message = f"there are no relations with a source and a target; available roles: {listed([*known])}"
            raise OptionError.about("directed", message)

    def weighed(self, anchors: Anchors) -> FloatArray:
        """Return the weight of each anchor."""
        weights = dict(self.weights)
        return np.array([weights.get(name, 1.0) for name in anchors.roles])[anchors.role]

    def kinds(self, anchors: Anchors) -> IntArray:
        """Return the role of each anchor, the same number for roles that are not told apart."""
        return anchors.role if self.directed else np.minimum(anchors.role, _turned(anchors.roles)[anchors.role])

    def names(self, anchors: Anchors) -> tuple[str, ...]:
        """Return what the numbers that `kinds` gives stand for."""
        return tuple(ENDS if not self.directed and name in (SOURCE, TARGET) else name for name in anchors.roles)

    def positional(self, anchors: Anchors, u: IntArray, v: IntArray) -> FloatArray:
        """Return D_pos(u, v)/Δ∅, pair by pair."""
        orders = self._orders(anchors, u, v, 0)
        distance, _ = next(orders)
        for turned, _ in orders:
            distance = np.minimum(distance, turned)
        return distance

    def shares(self, anchors: Anchors, u: IntArray, v: IntArray) -> FloatArray:
        """Return the part of each role in D_pos/Δ∅; shape (n_pairs, n_roles). See `names`."""
        n_roles = len(anchors.roles)
        orders = self._orders(anchors, u, v, n_roles)
        distance, found = next(orders)
        share = found.reshape(-1, n_roles)
        for turned, found in orders:
            share = np.where((turned < distance)[:, None], found.reshape(-1, n_roles), share)
        return share

    def _orders(
        self, anchors: Anchors, u: IntArray, v: IntArray, n_roles: int
    ) -> Iterator[tuple[FloatArray, FloatArray]]:
        """Compare units as they are, then with the second one turned around."""
        start, end = anchors.start.astype(np.float64), anchors.end.astype(np.float64)
        own = _Side(anchors.role, self.weighed(anchors), start, end)
        yield anchored_distances(anchors.first, *own, *own, u, v, n_roles)
        if not self.directed:
            role = _turned(anchors.roles)[anchors.role]
            order = np.lexsort((end, start, role, anchors.owner))  # as `turned_around`, with the weights
            turned = _Side(role[order], own.weight[order], start[order], end[order])
            yield anchored_distances(anchors.first, *own, *turned, u, v, n_roles)


class _Side(NamedTuple):
    """The anchors as one of the two units of a pair has them."""

    role: IntArray
    weight: FloatArray
    start: FloatArray
    end: FloatArray


def turned_around(anchors: Anchors) -> Anchors:
    """Return the same with sources as targets, and targets as sources."""
    role = _turned(anchors.roles)[anchors.role]
    return replace(anchors, role=role).placed(anchors.start, anchors.end)


def _turned(roles: Sequence[str]) -> IntArray:
    """Return the role that each role becomes if a relation is turned around."""
    number = {name: code for code, name in enumerate(roles)}
    if not {SOURCE, TARGET} <= {*roles}:
        return np.arange(len(roles))
    other = {SOURCE: TARGET, TARGET: SOURCE}
    return np.array([number[other.get(name, name)] for name in roles], np.int64)


def spelled_roles(roles: AnchorRoles) -> str:
    """Write the weights of roles for a signature."""
    return "+".join(f"{listed_name(name, '+*')}*{spelled(weight)}" for name, weight in roles.weights)
