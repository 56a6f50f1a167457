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
from typing import NamedTuple

import numpy as np

from unisono.alignment.pairs import Pairs
from unisono.alignment.sequences import GapCosts, Links, Sequences
from unisono.alignment.solve import best_groups
from unisono.arrays import BoolArray, ComparedByContent, FloatArray, IntArray
from unisono.data.editions import Edition
from unisono.data.meetings import ranges
from unisono.data.stacked_editions import StackedEditions, stacked_editions
from unisono.dissimilarity.text import BoundText, UnitPairs
from unisono.kernels.cliques import group_units

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


def least_costs(
    editions: StackedEditions,
    samples: IntArray,
    layer: int,
    dissimilarity: BoundText,
    costs: GapCosts,
    *,
    time_limit: float | None = None,
    tolerance: float = 0.0,
) -> tuple[FloatArray, FloatArray]:
    """Return what the best alignments of a layer of random editions cost, in units of Δ∅, and bounds for that.

    Each sample consists of the editions from `samples[i]` to below `samples[i + 1]`.
    """
    pairs = _Pairs(editions, samples, layer, dissimilarity, costs, complete=True)
    cost, bound, left = pairs.sequences.least_costs(pairs.dissimilarity, samples, _TOO_MANY)
    for sample in np.flatnonzero(left).tolist():
        made = _many(pairs, sample, time_limit, tolerance)
        cost[sample], bound[sample] = made.total, made.bound
    return cost, bound


def align_layer(
    editions: Sequence[Edition],
    layer: int,
    dissimilarity: BoundText,
    costs: GapCosts,
    *,
    time_limit: float | None = None,
    tolerance: float = 0.0,
) -> LayerAlignment:
    """Align the units of one type in two or more editions of a text; see `align_layers`."""
    return align_layers([editions], layer, dissimilarity, costs, time_limit=time_limit, tolerance=tolerance)[0]


def align_layers(
    groups: Sequence[Sequence[Edition]],
    layer: int,
    dissimilarity: BoundText,
    costs: GapCosts,
    *,
    time_limit: float | None = None,
    tolerance: float = 0.0,
) -> list[LayerAlignment]:
    """Align the units of one type in editions of texts.

    Parameters
    ----------
    groups : sequence of sequences of Edition
        The editions of each text, two or more, in any order.
    layer : int
        Which type.
    dissimilarity : BoundText
        d(u, v).
    costs : GapCosts
        What gaps cost.
    time_limit : float, optional
        Seconds after which the choice of groups of three or more annotators ends.
    tolerance : float
        Relative gap that is good enough where the proof is hard.
    """
    # of several best alignments, the one that is found depends on the order of the texts: so that is made canonical
    orders = [sorted(range(len(own)), key=lambda index: own[index].key) for own in groups]
    ordered = [own[index] for own, order in zip(groups, orders, strict=True) for index in order]
    samples = np.concatenate([[0], np.cumsum([len(own) for own in groups])])
    pairs = _Pairs(stacked_editions(ordered), samples, layer, dissimilarity, costs, complete=False)
    plain = pairs.sequences.best(2.0 - pairs.dissimilarity)
    found = []
    for sample, order in enumerate(orders):
        made = _two(pairs, sample, plain) if len(order) == 2 else _many(pairs, sample, time_limit, tolerance)
        place = np.argsort(order)
        found.append(LayerAlignment(made.table[:, place], made.cost, made.bound, made.n_matched[np.ix_(place, place)]))
    return found


def aligned_units(tables: Sequence[IntArray], first: IntArray) -> tuple[IntArray, UnitPairs]:
    """List the pairs of units that are aligned with each other, over the alignments of several texts.

    Parameters
    ----------
    tables : sequence of int64 array
        The tables of their `LayerAlignment`.
    first : int64 array, shape (n_texts,)
        The number of the first edition of each text; the others follow it.

    Returns
    -------
    row : int64 array
        The unitary alignment of each pair, counted over all tables.
    pairs : UnitPairs
        The pairs.
    """
    begins = np.cumsum([0, *map(len, tables)])
    widths = np.array([table.shape[1] for table in tables], dtype=np.int64)
    parts = [np.zeros((5, 0), dtype=np.int64)]
    for width in np.unique(widths).tolist():
        own = np.flatnonzero(widths == width)
        table = np.concatenate([tables[index] for index in own.tolist()])
        sizes = np.diff(begins)[own]
        rows, edition = ranges(begins[own], sizes), np.repeat(first[own], sizes)
        for a, b in itertools.combinations(range(width), 2):
            both = np.flatnonzero((table[:, a] >= 0) & (table[:, b] >= 0))
            here = edition[both]
            parts.append(np.stack([rows[both], here + a, here + b, table[both, a], table[both, b]]))
    row, *pairs = np.concatenate(parts, axis=1)
    return row, UnitPairs(*pairs)


class _Pairs:
    """Every two editions of some samples, the units of them that can be aligned, and how dissimilar these are."""

    def __init__(
        self,
        editions: StackedEditions,
        samples: IntArray,
        layer: int,
        dissimilarity: BoundText,
        costs: GapCosts,
        *,
        complete: bool,
    ) -> None:
        self.samples = samples
        self.sizes = editions.n_units[:, layer]
        first, second, self.edges = _combinations(samples)
        n_symbols = len(dissimilarity.alphabet.symbols)
        self.sequences = Sequences(editions, layer, first, second, n_symbols, costs)
        self.dissimilarity = dissimilarity.between(editions, layer, complete=complete)(self.sequences.pairs)


def _combinations(samples: IntArray) -> tuple[IntArray, IntArray, IntArray]:
    """List every two editions of each sample, sample by sample, and where those of each sample begin."""
    sizes = np.diff(samples)
    edges = np.concatenate([[0], np.cumsum(sizes * (sizes - 1) // 2)])
    first, second = np.zeros(edges[-1], np.int64), np.zeros(edges[-1], np.int64)
    for size in np.unique(sizes).tolist():
        one, other = np.triu_indices(size, 1)
        own = np.flatnonzero(sizes == size)
        places = (edges[own, None] + np.arange(len(one))).ravel()
        first[places] = (samples[own, None] + one).ravel()
        second[places] = (samples[own, None] + other).ravel()
    return first, second, edges


def _two(pairs: _Pairs, sample: int, links: Links) -> LayerAlignment:
    pair = pairs.edges[sample]
    chosen = links.chosen[links.edges[pair] : links.edges[pair + 1]]
    u, v = pairs.sequences.pairs.u[chosen], pairs.sequences.pairs.v[chosen]
    sizes = pairs.sizes[pairs.samples[sample] : pairs.samples[sample + 1]].tolist()
    alone = [_others(n, used) for n, used in zip(sizes, (u, v), strict=True)]
    n = len(u)
    table = np.full((n + len(alone[0]) + len(alone[1]), 2), -1, dtype=np.int64)
    table[:n, 0], table[:n, 1] = u, v
    table[n : n + len(alone[0]), 0], table[n + len(alone[0]) :, 1] = alone
    cost = np.ones(len(table))
    cost[:n] = pairs.dissimilarity[chosen]
    n_matched = int(links.n_matched[pair])
    return LayerAlignment(table, cost, float(cost.sum()), np.array([[0, n_matched], [n_matched, 0]]))


def _others(n: int, used: IntArray) -> IntArray:
    free = np.ones(n, dtype=np.bool_)
    free[used] = False
    return np.flatnonzero(free)


def _many(pairs: _Pairs, sample: int, time_limit: float | None, tolerance: float) -> LayerAlignment:
    sizes = pairs.sizes[pairs.samples[sample] : pairs.samples[sample + 1]].tolist()
    n, low, high = len(sizes), int(pairs.edges[sample]), int(pairs.edges[sample + 1])
    units = _Units(sizes)
    edges = pairs.sequences.edges[low : high + 1]
    own = slice(edges[0], edges[-1])
    whose = np.repeat(np.arange(high - low), np.diff(edges))
    one, other = (side[whose] for side in np.triu_indices(n, 1))
    u = units.first[one] + pairs.sequences.pairs.u[own]
    v = units.first[other] + pairs.sequences.pairs.v[own]
    candidates = _Candidates(u, v, pairs.dissimilarity[own])
    # A grouping costs the number of its groups less Σ_pairs (1 - d)/C. The units of the busiest annotator are all in
    # different groups; and of two annotators, no more pairs are aligned than either has units, which save 1 each at
    # most.
    fewest = np.minimum(*(np.array(sizes)[side] for side in np.triu_indices(n, 1)))
    bound = max(sizes) - fewest.sum() / len(fewest)
    saving = 2.0 - pairs.dissimilarity
    links = [pairs.sequences.best(saving, low, high)]
    if len(u) <= _TOO_MANY * n * max(sum(sizes), 1):
        groups, at_least = units.grouped(candidates, time_limit, tolerance)
        bound = max(bound, at_least)
        # more than all pairs together can save (2 each), so that the number of pairs wanted comes first
        bonus = 4.0 * np.maximum(fewest, 1)[whose]
        saving[own] += bonus * (groups[u] == groups[v])
        links.append(pairs.sequences.best(saving, low, high))
    made = []
    for link in links:
        linked = candidates.of(link.chosen - edges[0])
        groups, _ = units.grouped(linked, time_limit, tolerance)
        made.append((*units.table(groups, linked), link))
    table, cost, link = min(made, key=lambda one: float(one[1].sum()))
    matched = np.zeros((n, n), dtype=np.int64)
    matched[np.triu_indices(n, 1)] = link.n_matched
    total = float(cost.sum())
    return LayerAlignment(table, cost, min(float(bound), total), matched + matched.T)


class _Candidates(NamedTuple):
    """Pairs of units that can meet, u < v, each once, and how dissimilar they are."""

    u: IntArray
    v: IntArray
    d: FloatArray

    def of(self, chosen: IntArray | BoolArray) -> _Candidates:
        """Return some of them."""
        return _Candidates(self.u[chosen], self.v[chosen], self.d[chosen])


class _Units:
    """All units of several editions, numbered consecutively."""

    def __init__(self, sizes: Sequence[int]) -> None:
        self.first = np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.int64)
        self.annotator = np.repeat(np.arange(len(sizes)), sizes)
        self.n = int(sum(sizes))
        self.n_annotators = len(sizes)

    def grouped(self, pairs: _Candidates, time_limit: float | None, tolerance: float) -> tuple[IntArray, float]:
        """Choose the groups of least cost in which every two units are one of these pairs.

        Returns the group of each unit, named by one of its units, and a bound of the cost.
        """
        group, total, n_left = group_units(self.n, self.n_annotators, *pairs)
        if not n_left:
            return group, total
        rest = group < 0
        local = np.cumsum(rest) - 1
        left = pairs.of(rest[pairs.u])
        left = left.of(np.lexsort((left.v, left.u)))
        where = np.flatnonzero(rest)
        starts = np.searchsorted(local[left.u], np.arange(len(where) + 1))
        found = best_groups(
            Pairs(starts, local[left.v], left.d),
            self.annotator[where],
            self.n_annotators,
            position=self._position[where],
            time_limit=time_limit,
            tolerance=tolerance,
        )
        bounds, members = found.groups.bounds, where[found.groups.members]
        group[members] = np.repeat(members[bounds[:-1]], np.diff(bounds))
        return group, total + (float(found.groups.cost.sum()) if found.bound is None else found.bound)

    def table(self, group: IntArray, pairs: _Candidates) -> tuple[IntArray, FloatArray]:
        """Return groups as a table, and what each costs."""
        names, row = np.unique(group, return_inverse=True)
        table = np.full((len(names), self.n_annotators), -1, dtype=np.int64)
        table[row, self.annotator] = np.arange(self.n) - self.first[self.annotator]
        together = group[pairs.u] == group[pairs.v]
        saved = np.bincount(row[pairs.u[together]], weights=1.0 - pairs.d[together], minlength=len(names))
        return table, 1.0 - saved / (self.n_annotators * (self.n_annotators - 1) / 2)

    @property
    def _position(self) -> FloatArray:
        """Where units are along the text: the share of their annotator's units before them."""
        sizes = np.bincount(self.annotator, minlength=self.n_annotators)
        within = np.arange(self.n) - self.first[self.annotator]
        return np.asarray(within / np.maximum(sizes[self.annotator], 1), dtype=np.float64)
