"""The alignment that text-γ makes: units of texts that differ, with what differs in each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from unisono.alignment.aligned import Aligned
from unisono.alignment.moves import moved_rows
from unisono.alignment.solution import Solution
from unisono.alignment.texts import LayerAlignment, aligned_units
from unisono.arrays import FloatArray, IntArray
from unisono.data import AnnotationSet, Document, Unit
from unisono.data.editions import GAP_TYPE, Editions
from unisono.data.stacked_editions import stacked_editions
from unisono.dissimilarity.text import BoundText

TEXT, SEGMENTATION, MOVED = "text", "segmentation", "moved"


@dataclass(frozen=True, repr=False, eq=False)
class TextAlignment(Aligned):
    """The best alignment of the units of one document, of which each annotator has their own text.

    Attributes
    ----------
    document, annotations, solution
        See `Aligned`; positions are those in each annotator's own text.
    shares : mapping
        What differs, and what it adds to the disorder of each unitary alignment: text, each feature, segmentation
        (units without a counterpart), moved (units whose counterpart is elsewhere).
    rows : int64 array, shape (n_units,)
        The row of each unit in the corpus; -1 for text outside units.
    types : sequence of str
        The type of each unit.
    layers : tuple of LayerAlignment
        The alignments type by type.

    See Also
    --------
    text_gamma, Alignment

    Examples
    --------
    >>> import unisono
    >>> corpus = unisono.Corpus.from_columns(
    ...     annotator=["anna", "anna", "anna", "bert", "bert", "bert"],
    ...     start=[0, 5, 9, 0, 5, 9],
    ...     end=[4, 8, 13, 4, 8, 13],
    ...     features={"pos": ["NOUN", "VERB", "NOUN", "NOUN", "VERB", "ADJ"]},
    ...     texts={("document", "anna"): "Cats eat fish", ("document", "bert"): "Cats eat fish"},
    ... )
    >>> result = unisono.text_gamma(corpus, p_text=0, p_segmentation=0)
    >>> alignment = result.alignment["document"]
    >>> len(alignment), alignment[2].differs
    (3, ('pos',))
    """

    shares: Mapping[str, FloatArray]
    rows: IntArray
    types: Sequence[str]
    layers: tuple[LayerAlignment, ...]

    @property
    def parts(self) -> Mapping[str, FloatArray]:
        """The disorder of each unitary alignment, by what differs."""
        return self.shares

    @cached_property
    def units(self) -> list[Unit]:
        """Units in the order of the annotation set."""
        it, corpus = self.annotations, self.document.corpus
        begin = corpus.rows(self.document.index).start
        marked = self.document.units
        found = []
        for unit, row in enumerate(self.rows.tolist()):
            if row >= 0:
                found.append(marked[row - begin])
                continue
            features = dict.fromkeys(corpus.features) | {"type": GAP_TYPE}
            who = self.names[it.annotator[unit]]
            found.append(Unit(who, int(it.start[unit]), int(it.end[unit]), features))
        return found

    @cached_property
    def texts(self) -> list[str]:
        """The text of each unit."""
        corpus, index = self.document.corpus, self.document.index
        whose = np.flatnonzero(corpus.worked[index]).tolist()
        text = [corpus.texts[index, who] for who in whose]
        it = self.annotations
        spans = zip(it.annotator.tolist(), it.start.astype(int).tolist(), it.end.astype(int).tolist(), strict=True)
        return [text[who][start:end] for who, start, end in spans]

    def more_columns(self, annotator: int, rows: list[int]) -> dict[str, list[Any]]:
        """Return the text of an annotator's units."""
        units = self.solution.table[rows, annotator].tolist()
        return {f"{self.names[annotator]}.text": [self.texts[unit] if unit >= 0 else None for unit in units]}


def text_alignment(
    document: Document, editions: Editions, layers: Sequence[LayerAlignment], dissimilarity: BoundText
) -> TextAlignment:
    """Put the alignments of all types of one document together.

    Parameters
    ----------
    document : Document
        What was aligned.
    editions : Editions
        All editions, those of this document among them.
    layers : sequence of LayerAlignment
        The best alignment of each type.
    dissimilarity : BoundText
        d(u, v).
    """
    book = _Book(document, editions)
    tables = [book.numbered(layer, made.table) for layer, made in enumerate(layers)]
    table = np.concatenate(tables)
    cost = np.concatenate([made.cost for made in layers])
    shares = _shares(editions, document.index, layers, dissimilarity)
    order = _order(table, book.annotations)
    table, cost = table[order], cost[order]
    shares = {kind: share[order] for kind, share in shares.items()}
    table, cost, shares = _with_moves(table, cost, shares, book)
    solution = Solution(table, cost, sum(made.bound for made in layers))
    return TextAlignment(document, book.annotations, solution, shares, book.rows, book.types, tuple(layers))


class _Book:
    """All units of one document in one numbering: by annotator, position and type."""

    def __init__(self, document: Document, editions: Editions) -> None:
        corpus, index = document.corpus, document.index
        self._editions = editions.of_document[index]
        sizes = [[layer.n_units for layer in edition.layers] for edition in self._editions]
        rows = np.concatenate([own for lines in editions.rows[index] for own in lines])
        annotator = np.repeat(np.arange(len(sizes)), [sum(own) for own in sizes])
        layer = np.concatenate([np.repeat(np.arange(len(own)), own) for own in sizes])
        start = np.concatenate([own.start for edition in self._editions for own in edition.layers])
        end = np.concatenate([own.end for edition in self._editions for own in edition.layers])
        # Editions count in symbols, people in characters: units have their positions from the corpus, and gaps, which
        # are not in it, are converted.
        start, end = start.astype(np.float64), end.astype(np.float64)
        marked = rows >= 0
        start[marked], end[marked] = corpus.start[rows[marked]], corpus.end[rows[marked]]
        for k, edition in enumerate(self._editions):
            gaps = ~marked & (annotator == k)
            if gaps.any():
                lengths = [len(editions.alphabet.symbols[code]) for code in edition.text.tolist()]
                place = np.concatenate([[0], np.cumsum(lengths)])
                start[gaps], end[gaps] = place[start[gaps].astype(int)], place[end[gaps].astype(int)]
        # outer units before those inside them; units without length before those that start there
        order = np.lexsort((layer, -end, end > start, start, annotator))
        self._number = np.argsort(order)
        self._first = np.concatenate([[0], np.cumsum([size for own in sizes for size in own])[:-1]])
        self._n_layers = len(sizes[0])
        self.rows, self.layer = rows[order], layer[order]
        self.types = [editions.kinds[k].name for k in self.layer.tolist()]
        nothing = np.zeros((0, len(rows)), np.int64)
        self.annotations = AnnotationSet(
            start[order], end[order], annotator[order], nothing, len(sizes), document.bounds
        )

    def numbered(self, layer: int, table: IntArray) -> IntArray:
        """Return a layer's table with the numbers of this book."""
        numbers = np.full(table.shape, -1, dtype=np.int64)
        for who in range(table.shape[1]):
            own = table[:, who] >= 0
            numbers[own, who] = self._number[self._first[who * self._n_layers + layer] + table[own, who]]
        return numbers

    def content(self) -> list[tuple[str, bytes]]:
        """Return what units that were moved must have in common: type and text."""
        found: list[tuple[str, bytes]] = [("", b"")] * len(self.types)
        place = 0
        for edition in self._editions:
            for layer in edition.layers:
                for start, end in zip(layer.start.tolist(), layer.end.tolist(), strict=True):
                    unit = int(self._number[place])
                    found[unit] = self.types[unit], edition.text[start:end].tobytes()
                    place += 1
        return found

    def following(self) -> IntArray:
        """Return the next unit of the same annotator and type."""
        found = np.full(len(self.types), -1, dtype=np.int64)
        order = np.lexsort((np.arange(len(found)), self.layer, self.annotations.annotator))
        same = np.diff(self.layer[order]) == 0
        same &= np.diff(self.annotations.annotator[order]) == 0
        found[order[:-1][same]] = order[1:][same]
        return found


def _shares(
    editions: Editions, document: int, layers: Sequence[LayerAlignment], dissimilarity: BoundText
) -> dict[str, FloatArray]:
    """Return what text, features and segmentation add to the disorder of each unitary alignment."""
    own = editions.of_document[document]
    n = len(own)
    n_pairs = n * (n - 1) / 2
    spelled = part_names(editions)
    total = sum(len(made.table) for made in layers)
    shares = {kind: np.zeros(total) for kind in (TEXT, *spelled.values(), SEGMENTATION, MOVED)}
    stack, first = stacked_editions(own), 0
    for k, (kind, made) in enumerate(zip(editions.kinds, layers, strict=True)):
        # a unitary alignment costs 1 + Σ_pairs (d - 1)/C: all of it segmentation, less 1/C for each pair of real units
        row, pairs = aligned_units([made.table], np.zeros(1, np.int64))
        here = slice(first, first + len(made.table))
        shares[SEGMENTATION][here] = 1.0 - np.bincount(row, minlength=len(made.table)) / n_pairs
        parts = dissimilarity.between(stack, k).parts(pairs)
        for name, part in zip((TEXT, *(spelled[name] for name in kind.features)), parts, strict=True):
            shares[name][here] += np.bincount(row, weights=part, minlength=len(made.table)) / n_pairs
        first += len(made.table)
    shares[SEGMENTATION][shares[SEGMENTATION] < 1e-12] = 0.0  # rounding
    return shares


def part_names(editions: Editions) -> dict[str, str]:
    """Return what the share of each feature is called; a feature may have the name of another share."""
    names = dict.fromkeys(name for kind in editions.kinds for name in kind.features)
    return {name: f"feature {name}" if name in (TEXT, SEGMENTATION, MOVED) else name for name in names}


def _order(table: IntArray, annotations: AnnotationSet) -> IntArray:
    """Order unitary alignments along the texts, as if they were all one.

    Rows of the first annotator are placed where their units are. Rows that only later annotators have are placed
    between them, in proportion to the nearest rows before and after that are already placed.
    """
    begin, end = np.full(len(table), np.nan), np.full(len(table), np.nan)
    for column in table.T:
        present = np.flatnonzero(column >= 0)
        present = present[np.argsort(column[present])]
        here = annotations.start[column[present]], annotations.end[column[present]]
        known = ~np.isnan(begin[present])
        places = np.stack([here[0][known], here[1][known]], axis=1).ravel()
        where = np.stack([begin[present[known]], end[present[known]]], axis=1).ravel()
        new = present[~known]
        begin[new], end[new] = (_between(side[~known], places, where) for side in here)
    return np.lexsort((np.arange(len(table)), -end, end > begin, begin))


def _between(positions: FloatArray, places: FloatArray, where: FloatArray) -> FloatArray:
    """Transfer positions from one text to another; beyond the known places they keep their distance."""
    if not len(places):
        return positions
    order = np.argsort(places, kind="stable")
    places, where = places[order], where[order]
    inside = np.interp(positions, places, where)
    beyond = np.minimum(positions - places[0], 0.0) + np.maximum(positions - places[-1], 0.0)
    return np.asarray(inside + beyond)


def _with_moves(
    table: IntArray, cost: FloatArray, shares: dict[str, FloatArray], book: _Book
) -> tuple[IntArray, FloatArray, dict[str, FloatArray]]:
    """Join units that are the same passage in different places: the cost stays, but is reported as moved."""
    pairs = moved_rows(table, book.content(), book.following()) if (table < 0).any() else []
    if not pairs:
        return table, cost, shares
    table, cost = table.copy(), cost.copy()
    kept = np.ones(len(table), dtype=np.bool_)
    # both rows had a segmentation share because the other was missing: that is what "moved" means
    for one, other in pairs:
        first, second = min(one, other), max(one, other)
        table[first] = np.maximum(table[first], table[second])
        cost[first] += cost[second]
        for kind, share in shares.items():
            share[first] += share[second] if kind != SEGMENTATION else 0.0
        shares[MOVED][first] += shares[SEGMENTATION][first] + shares[SEGMENTATION][second]
        shares[SEGMENTATION][first] = 0.0
        kept[second] = False
    return table[kept], cost[kept], {kind: share[kept] for kind, share in shares.items()}
