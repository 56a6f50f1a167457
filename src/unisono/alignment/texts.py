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
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise

import numpy as np

from unisono.alignment.pairs import Pairs
from unisono.alignment.sequences import GapCosts, Links, Sequences, TooManyCellsError
from unisono.alignment.solve import best_groups
from unisono.arrays import BoolArray, ComparedByContent, FloatArray, IntArray
from unisono.data.meetings import ranges
from unisono.data.stacked_editions import StackedEditions
from unisono.dissimilarity.text import BoundText, UnitPairs
from unisono.kernels.cliques import group_units

_TOO_MANY = 20
"""With more candidate pairs than this per unit and annotator they are not grouped: a limit of effort, chosen by trial.
Only texts that repeat themselves have so many, and the groups of them would be too many to choose from."""


_MOST_TOGETHER = 1 << 26
"""A limit of memory, about 100 MB: samples with more cells than this on optimal alignments are divided."""


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
    try:
        pairs = _Pairs(editions, samples, layer, dissimilarity, costs, complete=True)
    except TooManyCellsError:
        half = len(samples) // 2
        both = [
            least_costs(editions, part, layer, dissimilarity, costs, time_limit=time_limit, tolerance=tolerance)
            for part in (samples[: half + 1], samples[half:])
        ]
        return np.concatenate([both[0][0], both[1][0]]), np.concatenate([both[0][1], both[1][1]])
    n_samples = len(samples) - 1
    cost, bound = np.zeros(n_samples), np.zeros(n_samples)
    two, several = np.flatnonzero(pairs.n_annotators == 2), np.flatnonzero(pairs.n_annotators > 2)
    if len(two):
        links = pairs.sequences.best(2.0 - pairs.dissimilarity, pairs.edges[two], trace=False)
        cost[two] = bound[two] = pairs.n_units[two] - links.saved
    if len(several):
        found = _Several(pairs, several, time_limit, tolerance)
        cost[several], bound[several] = found.cost, found.bound
    return cost, bound


def align_layers(
    editions: StackedEditions,
    sizes: IntArray,
    dissimilarity: BoundText,
    costs: GapCosts,
    *,
    time_limit: float | None = None,
    tolerance: float = 0.0,
) -> list[tuple[LayerAlignment, ...]]:
    """Align the units in editions of texts, each type by itself.

    Parameters
    ----------
    editions : StackedEditions
        The editions, text by text, and those of a text in any order.
    sizes : int64 array, shape (n_texts,)
        How many editions each text has, two or more.
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
    samples, keys = np.concatenate([[0], np.cumsum(sizes)]), editions.keys()
    orders = [sorted(range(first, last), key=keys.__getitem__) for first, last in pairwise(samples.tolist())]
    ordered = editions.take(np.fromiter(chain.from_iterable(orders), np.int64, count=len(editions)))
    found = [
        _aligned(ordered, samples, layer, dissimilarity, costs, time_limit, tolerance)
        for layer in range(len(dissimilarity.kinds))
    ]
    return [
        tuple(_reordered(alignment, order) for alignment in own)
        for own, order in zip(zip(*found, strict=True), orders, strict=True)
    ]


def _aligned(
    editions: StackedEditions,
    samples: IntArray,
    layer: int,
    dissimilarity: BoundText,
    costs: GapCosts,
    time_limit: float | None,
    tolerance: float,
) -> list[LayerAlignment]:
    try:
        pairs = _Pairs(editions, samples, layer, dissimilarity, costs, complete=False)
    except TooManyCellsError:
        half = len(samples) // 2
        return [
            alignment
            for part in (samples[: half + 1], samples[half:])
            for alignment in _aligned(editions, part, layer, dissimilarity, costs, time_limit, tolerance)
        ]
    two, several = np.flatnonzero(pairs.n_annotators == 2), np.flatnonzero(pairs.n_annotators > 2)
    found = dict(zip(two.tolist(), _twos(pairs, two), strict=True)) if len(two) else {}
    if len(several):
        groupings = _Several(pairs, several, time_limit, tolerance)
        found |= {sample: groupings.alignment(place) for place, sample in enumerate(several.tolist())}
    return [found[sample] for sample in range(len(samples) - 1)]


def _reordered(made: LayerAlignment, order: Sequence[int]) -> LayerAlignment:
    """Return an alignment of editions that were put in this order with the annotators as they were before."""
    if list(order) == sorted(order):
        return made
    place = np.argsort(order)
    return LayerAlignment(made.table[:, place], made.cost, made.bound, made.n_matched[np.ix_(place, place)])


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
    parts = [np.zeros((5, 0), dtype=np.int64)]
    for table, row, edition in _by_width(tables, first):
        for a, b in itertools.combinations(range(table.shape[1]), 2):
            both = np.flatnonzero((table[:, a] >= 0) & (table[:, b] >= 0))
            here = edition[both]
            parts.append(np.stack([row[both], here + a, here + b, table[both, a], table[both, b]]))
    found, *pairs = np.concatenate(parts, axis=1)
    return found, UnitPairs(*pairs)


def lone_units(tables: Sequence[IntArray], first: IntArray) -> tuple[IntArray, IntArray, IntArray]:
    """List units in unitary alignments that miss somebody: the row, see `aligned_units`, the edition and the unit."""
    parts = [np.zeros((3, 0), dtype=np.int64)]
    for table, row, edition in _by_width(tables, first):
        missing = np.flatnonzero((table < 0).any(axis=1))
        place, who = np.nonzero(table[missing] >= 0)
        place = missing[place]
        parts.append(np.stack([row[place], edition[place] + who, table[place, who]]))
    rows, editions, units = np.concatenate(parts, axis=1)
    return rows, editions, units


def _by_width(tables: Sequence[IntArray], first: IntArray) -> Iterator[tuple[IntArray, IntArray, IntArray]]:
    """Put tables with as many annotators together; also yield each row's number, and the first edition of its text."""
    begins = np.cumsum([0, *map(len, tables)])
    widths = np.array([table.shape[1] for table in tables], dtype=np.int64)
    for width in np.unique(widths).tolist():
        own = np.flatnonzero(widths == width)
        sizes = np.diff(begins)[own]
        table = np.concatenate([tables[index] for index in own.tolist()])
        yield table, ranges(begins[own], sizes), np.repeat(first[own], sizes)


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
        self.samples, self.n_annotators = samples, np.diff(samples)
        self.sizes = editions.n_units[:, layer]
        # units are numbered over all editions: those of edition i from before[i] on
        self.before = np.concatenate([[0], np.cumsum(self.sizes)])
        self.n_units = np.diff(self.before[samples])
        first, second, self.edges = _combinations(samples)
        n_symbols = len(dissimilarity.alphabet.symbols)
        together = (_MOST_TOGETHER,) if len(samples) > 2 else ()
        self.sequences = Sequences(editions, layer, first, second, n_symbols, costs, *together)
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


def _twos(pairs: _Pairs, samples: IntArray) -> list[LayerAlignment]:
    """Return the best alignments of samples of two annotators: units that are aligned, then those that are alone."""
    links = pairs.sequences.best(2.0 - pairs.dissimilarity, pairs.edges[samples])
    units, n = pairs.sequences.pairs, len(samples)
    u, v, first = units.u[links.chosen], units.v[links.chosen], units.first[links.chosen]
    alone = np.zeros(len(pairs.sizes), dtype=np.bool_)
    alone[pairs.samples[samples]] = alone[pairs.samples[samples] + 1] = True
    alone = np.repeat(alone, pairs.sizes)
    alone[pairs.before[first] + u] = alone[pairs.before[first + 1] + v] = False
    left = np.flatnonzero(alone)
    edition = np.searchsorted(pairs.before, left, side="right") - 1
    place = np.searchsorted(pairs.samples[samples], edition, side="right") - 1
    side = edition - pairs.samples[samples][place]
    table = np.full((len(u) + len(left), 2), -1, dtype=np.int64)
    table[: len(u), 0], table[: len(u), 1] = u, v
    table[len(u) + np.arange(len(left)), side] = left - pairs.before[edition]
    cost = np.concatenate([pairs.dissimilarity[links.chosen], np.ones(len(left))])
    whose = np.concatenate([np.repeat(np.arange(n), np.diff(links.edges)), place])
    order = np.lexsort((np.concatenate([np.zeros(len(u), dtype=np.int64), 1 + side]), whose))
    table, cost = table[order], cost[order]
    edges = np.concatenate([[0], np.cumsum(np.bincount(whose, minlength=n))]).tolist()
    matched = np.zeros((n, 2, 2), dtype=np.int64)
    matched[:, 0, 1] = matched[:, 1, 0] = links.n_matched
    rows = map(slice, edges[:-1], edges[1:])
    return [
        LayerAlignment(table[own], cost[own], float(cost[own].sum()), n_matched)
        for own, n_matched in zip(rows, matched, strict=True)
    ]


class _Grouped:
    """Units of samples of three annotators or more in groups of least cost, in which every two are linked.

    Parameters
    ----------
    pairs : _Pairs
        The samples.
    samples : int64 array, shape (n_samples,)
        Which of them.
    chosen, edges : int64 array
        The candidates that count as linked, sample by sample, and where those of each sample begin.
    time_limit, tolerance
        See `align_layers`.

    Attributes
    ----------
    together : bool array, shape (n_chosen,)
        Which of the candidates are in one group.
    cost, bound : float64 array, shape (n_samples,)
        What the groups of each sample cost, and a bound for that.
    """

    def __init__(
        self,
        pairs: _Pairs,
        samples: IntArray,
        chosen: IntArray,
        edges: IntArray,
        time_limit: float | None,
        tolerance: float,
    ) -> None:
        self._pairs, self._samples, self._edges = pairs, samples, edges
        self._n = pairs.n_annotators[samples]
        self._units = np.concatenate([[0], np.cumsum(pairs.n_units[samples])])
        sample = np.repeat(np.arange(len(samples)), np.diff(edges))
        shift = (self._units[:-1] - pairs.before[pairs.samples[samples]])[sample]
        units = pairs.sequences.pairs
        self._u = pairs.before[units.first[chosen]] + units.u[chosen] + shift
        self._v = pairs.before[units.second[chosen]] + units.v[chosen] + shift
        self._d = pairs.dissimilarity[chosen]
        self._group = group_units(self._units, self._n, edges, self._u, self._v, self._d)
        whose = np.repeat(np.arange(len(samples)), pairs.n_units[samples])
        unproven = np.zeros(len(samples))
        for index in np.unique(whose[self._group < 0]).tolist():
            unproven[index] = self._solve(index, time_limit, tolerance)
        self.together = self._group[self._u] == self._group[self._v]
        saved = np.bincount(sample[self.together], 1.0 - self._d[self.together], minlength=len(samples))
        n_groups = np.bincount(whose[self._group == np.arange(len(whose))], minlength=len(samples))
        self.cost = n_groups - saved / (self._n * (self._n - 1) / 2)
        self.bound = self.cost - unproven

    def _solve(self, index: int, time_limit: float | None, tolerance: float) -> float:
        """Group the units of a sample that are left; return by how much that may be above the least cost."""
        own = slice(self._units[index], self._units[index + 1])
        group, annotator, within = self._group[own], self._annotators(index), self._within(index)
        where = np.flatnonzero(group < 0)
        u, v = (side[self._edges[index] : self._edges[index + 1]] - own.start for side in (self._u, self._v))
        linked = np.flatnonzero(group[u] < 0)
        linked = linked[np.lexsort((v[linked], u[linked]))]
        local = np.cumsum(group < 0) - 1
        # where units are along the text: the share of their annotator's units before them
        position = within / np.maximum(np.bincount(annotator, minlength=self._n[index])[annotator], 1)
        found = best_groups(
            Pairs(
                np.searchsorted(local[u[linked]], np.arange(len(where) + 1)),
                local[v[linked]],
                self._d[self._edges[index] + linked],
            ),
            annotator[where],
            int(self._n[index]),
            position=position[where],
            time_limit=time_limit,
            tolerance=tolerance,
        )
        bounds, members = found.groups.bounds, own.start + where[found.groups.members]
        self._group[members] = np.repeat(members[bounds[:-1]], np.diff(bounds))
        return 0.0 if found.bound is None else max(float(found.groups.cost.sum()) - found.bound, 0.0)

    def _annotators(self, index: int) -> IntArray:
        """Return the annotator of each unit of a sample."""
        return np.repeat(np.arange(self._n[index]), self._sizes(index))

    def _within(self, index: int) -> IntArray:
        """Return the number of each unit of a sample among those of its annotator."""
        sizes = self._sizes(index)
        return np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)

    def _sizes(self, index: int) -> IntArray:
        first = self._pairs.samples[self._samples[index]]
        return self._pairs.sizes[first : first + self._n[index]]

    def alignment(self, index: int, bound: float, n_matched: IntArray) -> LayerAlignment:
        """Return the groups of a sample as a table; `n_matched` is that of every two annotators, in order."""
        n, own = int(self._n[index]), slice(self._units[index], self._units[index + 1])
        names, row = np.unique(self._group[own], return_inverse=True)
        table = np.full((len(names), n), -1, dtype=np.int64)
        table[row, self._annotators(index)] = self._within(index)
        linked = slice(self._edges[index], self._edges[index + 1])
        together = self.together[linked]
        saved = np.bincount(
            row[self._u[linked][together] - own.start], 1.0 - self._d[linked][together], minlength=len(names)
        )
        matched = np.zeros((n, n), dtype=np.int64)
        matched[np.triu_indices(n, 1)] = n_matched
        cost = 1.0 - saved / (n * (n - 1) / 2)
        return LayerAlignment(table, cost, min(bound, float(cost.sum())), matched + matched.T)


class _Several:
    """The best alignments of samples of three annotators or more; see the module.

    Attributes
    ----------
    cost, bound : float64 array, shape (n_samples,)
        What the best alignment of each sample costs, and a bound for that.
    """

    def __init__(self, pairs: _Pairs, samples: IntArray, time_limit: float | None, tolerance: float) -> None:
        self._pairs, self._samples, self._limits = pairs, samples, (time_limit, tolerance)
        self._n_pairs = np.diff(pairs.edges)[samples]
        self._ways: list[tuple[IntArray, _Grouped, Links]] = []  # places in `samples`, their groups, their links
        self._way = np.zeros(len(samples), dtype=np.int64)  # the best one of each sample
        self.cost, self.bound = np.full(len(samples), np.inf), self._plain_bound()
        saving = 2.0 - pairs.dissimilarity
        edges = pairs.sequences.edges[pairs.edges]
        begin, n_candidates = edges[samples], np.diff(edges)[samples]
        most = _TOO_MANY * pairs.n_annotators[samples] * np.maximum(pairs.n_units[samples], 1)
        few = np.flatnonzero(n_candidates <= most)
        # groups of all candidates, as if one alignment of every two editions could make them; where the one that saves
        # most does, nothing costs less
        links, candidates = self._links(saving, few), ranges(begin[few], n_candidates[few])
        ideal = self._grouped(few, candidates, n_candidates[few])
        self.bound[few] = np.maximum(self.bound[few], ideal.bound)
        wanted = np.zeros(len(saving), dtype=np.bool_)
        wanted[candidates] = ideal.together
        n_wanted = _summed(ideal.together, n_candidates[few])
        realized = n_wanted == _summed(wanted[links.chosen], self._n_linked(links, few))
        self._offer(few, ideal, links, realized)
        # where it does not: groups of those that are linked by it, or by the one that makes most of the pairs wanted
        rest = np.setdiff1d(np.arange(len(samples)), few[realized])
        self._offer_linked(saving, rest)
        sizes = pairs.sizes[pairs.sequences.first], pairs.sizes[pairs.sequences.second]
        # more than all pairs together can save (2 each), so that the number of pairs wanted comes first
        bonus = np.repeat(4.0 * np.maximum(np.minimum(*sizes), 1), np.diff(pairs.sequences.edges))
        self._offer_linked(saving + bonus * wanted, few[~realized])
        self.bound = np.minimum(self.bound, self.cost)

    def _plain_bound(self) -> FloatArray:
        # A grouping costs the number of its groups less Σ_pairs (1 - d)/C. The units of the busiest annotator are all
        # in different groups; and of two annotators, no more pairs are aligned than either has units, which save 1 each
        # at most.
        pairs = self._pairs
        which = self._of(np.arange(len(self._samples)))
        sizes = pairs.sizes[pairs.sequences.first[which]], pairs.sizes[pairs.sequences.second[which]]
        first = np.cumsum(self._n_pairs) - self._n_pairs
        return np.asarray(
            np.maximum.reduceat(np.maximum(*sizes), first) - np.add.reduceat(np.minimum(*sizes), first) / self._n_pairs
        )

    def _of(self, places: IntArray) -> IntArray:
        """Return the pairs of editions of some samples."""
        return ranges(self._pairs.edges[self._samples[places]], self._n_pairs[places])

    def _links(self, saving: FloatArray, places: IntArray) -> Links:
        return self._pairs.sequences.best(saving, self._of(places))

    def _n_linked(self, links: Links, places: IntArray) -> IntArray:
        """Return how many pairs of units of each sample are linked."""
        return np.asarray(np.diff(links.edges[np.concatenate([[0], np.cumsum(self._n_pairs[places])])]))

    def _grouped(self, places: IntArray, chosen: IntArray, counts: IntArray) -> _Grouped:
        edges = np.concatenate([[0], np.cumsum(counts)])
        return _Grouped(self._pairs, self._samples[places], chosen, edges, *self._limits)

    def _offer_linked(self, saving: FloatArray, places: IntArray) -> None:
        """Offer groups of units that are linked by the alignments that save most."""
        if len(places):
            links = self._links(saving, places)
            grouped = self._grouped(places, links.chosen, self._n_linked(links, places))
            self._offer(places, grouped, links, np.ones(len(places), dtype=np.bool_))

    def _offer(self, places: IntArray, grouped: _Grouped, links: Links, valid: BoolArray) -> None:
        better = valid & (grouped.cost < self.cost[places])
        self.cost[places[better]] = grouped.cost[better]
        self._way[places[better]] = len(self._ways)
        self._ways.append((places, grouped, links))

    def alignment(self, place: int) -> LayerAlignment:
        """Return the best alignment of a sample."""
        places, grouped, links = self._ways[int(self._way[place])]
        index = int(np.searchsorted(places, place))
        first = int(self._n_pairs[places[:index]].sum())
        matched = links.n_matched[first : first + self._n_pairs[place]]
        return grouped.alignment(index, float(self.bound[place]), matched)


def _summed(flags: BoolArray, counts: IntArray) -> IntArray:
    """Count what is true in each part, given the sizes of the parts."""
    total = np.concatenate([[0], np.cumsum(flags)])
    return np.asarray(np.diff(total[np.concatenate([[0], np.cumsum(counts)])]))
