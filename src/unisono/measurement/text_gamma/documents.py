"""Documents that were aligned by text-γ: sums over all of them at once, and each alignment when it is asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np

from unisono.alignment.text_alignment import MOVED, SEGMENTATION, TEXT, TextAlignment, part_names, text_alignment
from unisono.alignment.texts import LayerAlignment, aligned_units, lone_units
from unisono.arrays import BoolArray, IntArray
from unisono.data import Corpus, Document
from unisono.data.editions import Editions
from unisono.data.meetings import ranges
from unisono.dissimilarity.text import BoundText
from unisono.kernels.characters import distinct_runs
from unisono.measurement.disorder.document import NONE, SERIOUS, DocumentColumns, LazyAlignments, expectations
from unisono.measurement.text_gamma.expected import ExactExpected, TextExpected

_REASONS = (
    "fewer than two annotators worked on it",
    "no annotator marked anything",
    "the pre-annotation has no units, so no disorder can be expected",
    "the expected disorder is 0",
)
"""Why a document has no value; the first that holds."""


class TextAlignments(LazyAlignments[TextAlignment]):
    """The best alignment of each document, by its name, put together when it is asked for.

    Parameters
    ----------
    corpus : Corpus
        The documents.
    editions : Editions
        Their texts and units.
    layers : mapping
        Index of a document to its alignments, type by type.
    dissimilarity : BoundText
        d(u, v).
    """

    def __init__(
        self,
        corpus: Corpus,
        editions: Editions,
        layers: Mapping[int, Sequence[LayerAlignment]],
        dissimilarity: BoundText,
    ) -> None:
        super().__init__(corpus, layers)
        self._editions, self._dissimilarity = editions, dissimilarity
        self.layers = layers

    def _make(self, document: Document) -> TextAlignment:
        return text_alignment(document, self._editions, self.layers[document.index], self._dissimilarity)

    def columns(self, expected: Mapping[str, TextExpected | ExactExpected]) -> DocumentColumns:
        """State what the value of each document of the corpus is, or why it has none."""
        sums, n = self.sums, len(self._corpus.documents)
        aligned = np.fromiter(self.layers, np.int64, count=len(self.layers))
        total, bound, n_units, serious = np.full(n, np.nan), np.full(n, np.nan), np.zeros(n, int), np.zeros(n, bool)
        total[aligned], bound[aligned], n_units[aligned] = sums.total, sums.bound, sums.n_units
        serious[aligned] = sums.serious
        parts = np.zeros((n, len(sums.parts) if len(aligned) else 0))
        parts[aligned] = np.stack([*sums.parts.values()], axis=1)[:, : parts.shape[1]]
        n_annotators = self._corpus.worked.sum(axis=1)
        chances = [expected.get(name) for name in self._corpus.documents]
        numbers = expectations(chances)
        nothing_expected = numbers["mean"] == 0
        known = np.array([one is not None for one in chances], bool)
        why = (np.isnan(total), n_units == 0, ~known, nothing_expected & (total > 0))
        undefined = np.select(why, np.arange(len(why)), NONE)
        return DocumentColumns(
            n_units=n_units,
            n_annotators=n_annotators,
            size=np.where(n_units > 0, n_units / np.maximum(n_annotators, 1), 0.0),
            total=total,
            bound=bound,
            n_aligned=n_units,
            serious=serious,
            parts=parts,
            model=np.arange(n),
            **numbers,
            undefined=undefined,
            notes=(nothing_expected & (undefined == NONE)).astype(np.int64),
            kinds=tuple(sums.parts) if len(aligned) else (),
            reasons=_REASONS,
            remarks=((), ("all annotators agree exactly, and the expected disorder is 0 too",)),
        )

    @cached_property
    def sums(self) -> _Sums:
        """Sums over the unitary alignments of each document."""
        made = _Sums(self._editions, self.layers, self._dissimilarity)
        # units that were moved are found document by document, but few documents can have any
        for place in np.flatnonzero(made.movable).tolist():
            alignment = self[self._corpus.documents[list(self.layers)[place]]]
            made.serious[place] = (alignment.solution.cost >= SERIOUS).any()
            for kind, share in alignment.shares.items():
                made.parts[kind][place] = share.sum()
        return made


class _Sums:
    """Sums over the unitary alignments of each document, as if no unit had moved.

    Attributes
    ----------
    n_units : int64 array, shape (n_documents,)
        Number of units.
    total, bound : float64 array, shape (n_documents,)
        What the alignment costs, and what none costs less than.
    serious : bool array, shape (n_documents,)
        Whether it has a serious disagreement.
    parts : mapping of float64 arrays, shape (n_documents,)
        The cost by what differs.
    movable : bool array, shape (n_documents,)
        Whether units may have been moved.
    """

    def __init__(
        self, editions: Editions, layers: Mapping[int, Sequence[LayerAlignment]], dissimilarity: BoundText
    ) -> None:
        n, sizes, stack, first = len(layers), editions.sizes, editions.stacked, editions.first
        n_pairs = sizes * (sizes - 1) / 2
        whose = np.repeat(np.arange(n), sizes)
        self.n_units = np.bincount(whose, stack.n_units.sum(axis=1), minlength=n).astype(np.int64)
        self.total, self.bound = np.zeros(n), np.zeros(n)
        self.serious, self.movable = np.zeros(n, dtype=np.bool_), np.zeros(n, dtype=np.bool_)
        names = part_names(editions)
        self.parts = {kind: np.zeros(n) for kind in (TEXT, *names.values(), SEGMENTATION, MOVED)}
        for k, kind in enumerate(editions.kinds if n else ()):
            own = [alignments[k] for alignments in layers.values()]
            document = np.repeat(np.arange(n), [len(made.cost) for made in own])
            cost = np.concatenate([made.cost for made in own])
            self.total += np.bincount(document, cost, minlength=n)
            self.bound += np.array([made.bound for made in own])
            self.serious |= np.bincount(document, cost >= SERIOUS, minlength=n) > 0
            compare = dissimilarity.between(stack, k)
            row, pairs = aligned_units([made.table for made in own], first)
            for name, part in zip((TEXT, *(names[name] for name in kind.features)), compare.parts(pairs), strict=True):
                self.parts[name] += np.bincount(document[row], part, minlength=n) / n_pairs
            alone = 1.0 - np.bincount(row, minlength=len(cost)) / n_pairs[document]
            alone[alone < 1e-12] = 0.0  # rounding
            self.parts[SEGMENTATION] += np.bincount(document, alone, minlength=n)
            # a unit can only have moved where another one that misses somebody has the same text
            row, edition, unit = lone_units([made.table for made in own], first)
            begin, end = compare.runs(edition, unit)
            lengths = end - begin
            which, _ = distinct_runs(stack.text[ranges(begin, lengths)], np.concatenate([[0], np.cumsum(lengths)]))
            self.movable |= _shared(document[row], which, row, n)


def _shared(document: IntArray, content: IntArray, row: IntArray, n: int) -> BoolArray:
    """Return which documents have the same content in several rows."""
    order = np.lexsort((row, content, document))
    document, content, row = document[order], content[order], row[order]
    again = (np.diff(document) == 0) & (np.diff(content) == 0) & (np.diff(row) > 0)
    return np.bincount(document[:-1][again], minlength=n) > 0
