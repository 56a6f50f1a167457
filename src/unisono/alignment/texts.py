"""The best alignment of units in texts that differ (Barteld et al. 2016, §4 and §5), of two annotators or more.

Two annotators: the least disorder over all optimal sequence alignments, exactly, type by type.

Three and more: a group may hold units of which every two are aligned by an optimal sequence alignment of their two
texts, and all pairs of two annotators must come from one and the same of these alignments. First the groups are chosen
as if that last condition did not exist, which gives a bound; then, for every two annotators, the optimal sequence
alignment that realizes most of the pairs chosen; then the groups again, of pairs that are aligned in it. If all pairs
could be realized, that is the optimum; otherwise the difference to the bound is the gap that the solution carries.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from unisono.alignment.pairs import Pairs
from unisono.alignment.partition import UnitGroups, joined
from unisono.alignment.sequences import GapCosts, Linked, Sequences
from unisono.alignment.solve import best_groups
from unisono.arrays import BoolArray, ComparedByContent, FloatArray, IntArray
from unisono.data.editions import Edition
from unisono.dissimilarity.text import BoundText, TextCompare

_TOO_MANY = 20
"""With more candidate pairs than this per unit and annotator they are not grouped: a limit of effort, chosen by trial.
Only texts that repeat themselves have so many, and the groups of them would be too many to choose from."""


@dataclass(frozen=True, eq=False)
class LayerAlignment(ComparedByContent):
    """The best alignment of the units of one type.

    Attributes
    ----------
    table : int64 array, shape (n_groups, n_annotators)
        The unit of each annotator in each unitary alignment, -1 for the empty unit.
    cost : float64 array, shape (n_groups,)
        What each costs, in units of Δ∅.
    bound : float
        No alignment costs less in total.
    n_matched : int64 array, shape (n_annotators, n_annotators)
        How many markers match another, of each two annotators together.
    """

    table: IntArray
    cost: FloatArray
    bound: float
    n_matched: IntArray

    @property
    def total(self) -> float:
        """The cost of all unitary alignments together."""
        return float(self.cost.sum())


def least_cost(
    editions: Sequence[Edition],
    layer: int,
    dissimilarity: BoundText,
    costs: GapCosts,
    *,
    time_limit: float | None = None,
    tolerance: float = 0.0,
) -> tuple[float, float]:
    """Return what the best alignment of a layer of random editions costs, in units of Δ∅, and a bound for that."""
    if len(editions) == 2:
        pair = _Pair(editions, 0, 1, layer, dissimilarity, costs, complete=True)
        cost = pair.sequences.least_cost(2.0 - pair.dissimilarity)
        return cost, cost
    made = align_layer(editions, layer, dissimilarity, costs, complete=True, time_limit=time_limit, tolerance=tolerance)
    return made.total, made.bound


def align_layer(
    editions: Sequence[Edition],
    layer: int,
    dissimilarity: BoundText,
    costs: GapCosts,
    *,
    complete: bool = False,
    time_limit: float | None = None,
    tolerance: float = 0.0,
) -> LayerAlignment:
    """Align the units of one type in two or more editions of a text.

    Parameters
    ----------
    editions : sequence of Edition
        Two or more, in any order.
    layer : int
        Which type.
    dissimilarity : BoundText
        d(u, v).
    costs : GapCosts
        What gaps cost.
    complete : bool
        Whether every unit has a label of every feature, as random ones do.
    time_limit : float, optional
        Seconds after which the choice of groups of three or more annotators ends.
    tolerance : float
        Relative gap that is good enough where the proof is hard.
    """
    # of several best alignments, the one that is found depends on the order of the texts: so that is made canonical
    order = sorted(range(len(editions)), key=lambda index: editions[index].key)
    ordered = [editions[index] for index in order]
    pairs = {
        (a, b): _Pair(ordered, a, b, layer, dissimilarity, costs, complete=complete)
        for a, b in itertools.combinations(range(len(ordered)), 2)
    }
    if len(ordered) == 2:
        made = _two(pairs[0, 1], [edition.layers[layer].n_units for edition in ordered])
    else:
        made = _many(pairs, ordered, layer, time_limit, tolerance)
    place = np.argsort(order)
    return LayerAlignment(made.table[:, place], made.cost, made.bound, made.n_matched[np.ix_(place, place)])


class _Pair:
    """Two editions, the units of them that can be aligned, and how dissimilar these are."""

    def __init__(
        self,
        editions: Sequence[Edition],
        a: int,
        b: int,
        layer: int,
        dissimilarity: BoundText,
        costs: GapCosts,
        *,
        complete: bool,
    ) -> None:
        first, second = editions[a], editions[b]
        n_symbols = len(dissimilarity.alphabet.symbols)
        self.compare: TextCompare = dissimilarity.between(first, second, layer, complete=complete)
        self.sequences = Sequences(
            (first.text, first.layers[layer]), (second.text, second.layers[layer]), n_symbols, costs
        )
        self.dissimilarity = self.compare(self.sequences.u, self.sequences.v)


def _two(pair: _Pair, sizes: Sequence[int]) -> LayerAlignment:
    linked = pair.sequences.best(2.0 - pair.dissimilarity)
    alone = [_others(n, used) for n, used in zip(sizes, (linked.u, linked.v), strict=True)]
    table = np.full((len(linked.u) + len(alone[0]) + len(alone[1]), 2), -1, dtype=np.int64)
    n = len(linked.u)
    table[:n, 0], table[:n, 1] = linked.u, linked.v
    table[n : n + len(alone[0]), 0], table[n + len(alone[0]) :, 1] = alone
    cost = np.ones(len(table))
    cost[:n] = pair.compare(linked.u, linked.v)
    matched = np.array([[0, linked.n_matched], [linked.n_matched, 0]])
    return LayerAlignment(table, cost, float(cost.sum()), matched)


def _others(n: int, used: IntArray) -> IntArray:
    free = np.ones(n, dtype=np.bool_)
    free[used] = False
    return np.flatnonzero(free)


def _many(
    pairs: dict[tuple[int, int], _Pair],
    editions: Sequence[Edition],
    layer: int,
    time_limit: float | None,
    tolerance: float,
) -> LayerAlignment:
    n = len(editions)
    sizes = [edition.layers[layer].n_units for edition in editions]
    units = _Units(sizes)
    candidates = {key: (pair.sequences.u, pair.sequences.v, pair.dissimilarity) for key, pair in pairs.items()}
    n_pairs = n * (n - 1) // 2
    # A grouping costs the number of its groups less Σ_pairs (1 - d)/C. The units of the busiest annotator are all in
    # different groups; and of two annotators, no more pairs are aligned than either has units, which save 1 each at
    # most.
    bound = max(sizes) - sum(min(sizes[a], sizes[b]) for a, b in pairs) / n_pairs
    plain = {key: pair.sequences.best(2.0 - pair.dissimilarity) for key, pair in pairs.items()}
    choices = [plain]
    if sum(len(u) for u, _, _ in candidates.values()) <= _TOO_MANY * n * max(sum(sizes), 1):
        groups, at_least = units.grouped(candidates, time_limit, tolerance)
        bound = max(bound, at_least)
        choices.append(_realized(pairs, units, sizes, units.chosen(groups)))
    made = [_grouped(pairs, links, units, n, time_limit, tolerance) for links in choices]
    table, cost, links = min(made, key=lambda one: float(one[1].sum()))
    matched = np.zeros((n, n), dtype=np.int64)
    for (a, b), link in links.items():
        matched[a, b] = matched[b, a] = link.n_matched
    total = float(cost.sum())
    return LayerAlignment(table, cost, min(bound, total), matched)


def _realized(
    pairs: dict[tuple[int, int], _Pair], units: _Units, sizes: Sequence[int], wanted: IntArray
) -> dict[tuple[int, int], Linked]:
    """Return, for every two annotators, the optimal alignment that makes most of the pairs wanted."""
    links = {}
    for (a, b), pair in pairs.items():
        u, v = units.first[a] + pair.sequences.u, units.first[b] + pair.sequences.v
        # more than all pairs together can save (2 each), so that the number of pairs wanted comes first
        bonus = 4.0 * max(min(sizes[a], sizes[b]), 1)
        links[a, b] = pair.sequences.best(2.0 - pair.dissimilarity + bonus * np.isin(u * units.n + v, wanted))
    return links


def _grouped(
    pairs: dict[tuple[int, int], _Pair],
    links: dict[tuple[int, int], Linked],
    units: _Units,
    n: int,
    time_limit: float | None,
    tolerance: float,
) -> tuple[IntArray, FloatArray, dict[tuple[int, int], Linked]]:
    """Choose groups of units that are linked; return them as a table, with what they cost."""
    aligned = {key: (link.u, link.v, pairs[key].compare(link.u, link.v)) for key, link in links.items()}
    groups, _ = units.grouped(aligned, time_limit, tolerance)
    table = np.full((len(groups.bounds) - 1, n), -1, dtype=np.int64)
    row = np.repeat(np.arange(len(table)), np.diff(groups.bounds))
    who = units.annotator[groups.members]
    table[row, who] = groups.members - units.first[who]
    n_pairs = n * (n - 1) // 2
    present = (table >= 0).sum(axis=1)
    cost = n_pairs - present * (present - 1) / 2.0
    for (a, b), pair in pairs.items():
        both = np.flatnonzero((table[:, a] >= 0) & (table[:, b] >= 0))
        cost[both] += pair.compare(table[both, a], table[both, b])
    return table, cost / n_pairs, links


class _Units:
    """All units of several editions, numbered consecutively."""

    def __init__(self, sizes: Sequence[int]) -> None:
        self.first = np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.int64)
        self.annotator = np.repeat(np.arange(len(sizes)), sizes)
        self.n = int(sum(sizes))
        self.n_annotators = len(sizes)

    def grouped(
        self,
        pairs: dict[tuple[int, int], tuple[IntArray, IntArray, FloatArray]],
        time_limit: float | None,
        tolerance: float,
    ) -> tuple[UnitGroups, float]:
        """Choose the groups of least cost in which every two units are one of these pairs; also return a bound."""
        u = np.concatenate([self.first[a] + u for (a, _), (u, _, _) in pairs.items()])
        v = np.concatenate([self.first[b] + v for (_, b), (_, v, _) in pairs.items()])
        d = np.concatenate([d for _, _, d in pairs.values()])
        _, index = np.unique(u * self.n + v, return_index=True)
        u, v, d = u[index], v[index], d[index]
        agreed, rest = self._complete(u, v, d)
        local = np.cumsum(rest) - 1
        left = rest[u]
        where = np.flatnonzero(rest)
        starts = np.searchsorted(local[u[left]], np.arange(len(where) + 1))
        found = best_groups(
            Pairs(starts, local[v[left]], d[left]),
            self.annotator[where],
            self.n_annotators,
            position=self._position[where],
            time_limit=time_limit,
            tolerance=tolerance,
        )
        total = float(agreed.cost.sum())
        bound = total + (float(found.groups.cost.sum()) if found.bound is None else found.bound)
        rest_groups = UnitGroups(found.groups.bounds, where[found.groups.members], found.groups.cost)
        return joined([agreed, rest_groups]), bound

    def _complete(self, u: IntArray, v: IntArray, d: FloatArray) -> tuple[UnitGroups, BoolArray]:
        """Make groups of units that can all meet each other and no other; also return which units are left.

        To split a group changes its cost by 1 - Σ_across (d - 1)/C. With d ≤ 1, as here (inequality 1 of the paper),
        that is 1 at least: such units belong together, and need no solver.
        """
        from scipy.sparse import coo_array
        from scipy.sparse.csgraph import connected_components

        graph = coo_array((np.ones(len(u), dtype=np.int8), (u, v)), shape=(self.n, self.n))
        n_components, component = connected_components(graph, directed=False)
        size = np.bincount(component, minlength=n_components)
        met = np.bincount(component[u], minlength=n_components)
        complete = met == size * (size - 1) // 2  # every two meet, so that they are of different annotators
        excess = np.bincount(component[u], weights=d - 1.0, minlength=n_components)
        cost = 1.0 + excess / (self.n_annotators * (self.n_annotators - 1) / 2)
        inside = complete[component]
        members = np.flatnonzero(inside)[np.argsort(component[inside], kind="stable")]
        bounds = np.concatenate([[0], np.cumsum(size[complete])])
        return UnitGroups(bounds, members, cost[complete]), ~inside

    def chosen(self, groups: UnitGroups) -> IntArray:
        """Return the pairs in groups as single numbers."""
        sizes = np.diff(groups.bounds)
        found = []
        for size in np.unique(sizes[sizes > 1]).tolist():
            members = np.sort(
                np.stack([groups.members[groups.bounds[:-1][sizes == size] + k] for k in range(size)]), axis=0
            )
            for one, other in itertools.combinations(range(size), 2):
                found.append(members[one] * self.n + members[other])
        return np.concatenate(found) if found else np.zeros(0, np.int64)

    @property
    def _position(self) -> FloatArray:
        """Where units are along the text: the share of their annotator's units before them."""
        sizes = np.bincount(self.annotator, minlength=self.n_annotators)
        within = np.arange(self.n) - self.first[self.annotator]
        return np.asarray(within / np.maximum(sizes[self.annotator], 1), dtype=np.float64)
