"""Units with one category each, of the documents that several annotators worked on: the input of measures for units."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import frexp

import numpy as np

from unisono.arrays import BoolArray, ComparedByContent, FloatArray, IntArray, run
from unisono.data.corpus import Corpus
from unisono.data.labels import Label, written_label
from unisono.errors import DataError

SHORT = 1e-60
"""Lengths from here on can be cubed and multiplied; if all continua are shorter, positions are scaled."""
NO_LABEL = "(no label)"
"""How the category of units without a label is displayed."""


@dataclass(frozen=True, eq=False)
class LabelledUnits(ComparedByContent):
    """The units of the documents that two annotators or more worked on, each with one category.

    Units are sorted by document, annotator and position.
    """

    corpus: Corpus  # where they come from
    shared: BoolArray  # shape (n_documents,): which documents those are
    # shape (n_documents,): where each document's continuum starts and ends
    begin: FloatArray
    finish: FloatArray
    # shape (n_units,): index into the corpus' names
    document: IntArray
    annotator: IntArray
    # shape (n_units,): positions; the end is exclusive
    start: FloatArray
    end: FloatArray
    category: IntArray  # shape (n_units,): from 1 up; category k has the label labels[k - 1]
    labels: tuple[Label | None, ...]  # the labels that occur, sorted; last, None, if there are units without one
    # what positions were multiplied by, a power of two: formulas square and cube lengths, which must not underflow
    scale: float = 1.0

    @property
    def n_units(self) -> int:
        """Number of units."""
        return len(self.start)

    @cached_property
    def n_workers(self) -> IntArray:
        """How many annotators worked on each document."""
        return np.asarray(self.corpus.worked.sum(axis=1), dtype=np.int64)

    @cached_property
    def worked(self) -> BoolArray:
        """Who worked on which document; nobody on those that are not shared."""
        return self.corpus.worked & self.shared[:, None]

    @cached_property
    def names(self) -> tuple[Label, ...]:
        """The categories as tables show them: labels, sets of them joined, something for units without any."""
        return shown_labels(self.labels)

    @cached_property
    def whole(self) -> bool:
        """Whether all positions are whole numbers."""
        given = (self.start, self.end, self.begin[self.shared], self.finish[self.shared])
        return all(bool((column == np.floor(column)).all()) for column in given)

    def rows(self, document: int) -> slice:
        """Return the rows of one document's units."""
        return run(self.document, document, document + 1)

    def spelled(self, unit: int) -> str:
        """Spell a unit: where it is, and its category."""
        exact = self.corpus.start.dtype.kind == "i"
        start, end = (int(x) if exact else float(x) / self.scale for x in (self.start[unit], self.end[unit]))
        return f"{start}–{end} ({self.names[self.category[unit] - 1]})"


def labelled_units(
    corpus: Corpus,
    feature: str | None = None,
    *,
    bounds: FloatArray | None = None,
    codes: IntArray | None = None,
    scale: float | None = None,
) -> LabelledUnits:
    """Select the units of the documents that two annotators or more worked on, with one feature as their category.

    Of a part of a corpus, the bounds of its documents, the codes of labels and the scale may be given (`label_codes`,
    `scale_of`), so that they are those of the whole.
    """
    shared = corpus.worked.sum(axis=1) > 1
    rows = np.flatnonzero(shared[corpus.document])
    bounds = bounds_of(corpus) if bounds is None else bounds
    chosen = corpus.chosen_feature(feature)
    codes = label_codes(corpus, chosen) if codes is None else codes
    category, labels = _categories(corpus, chosen, rows, codes)
    scale = scale_of(bounds[shared]) if scale is None else scale
    return LabelledUnits(
        corpus=corpus,
        shared=shared,
        begin=bounds[:, 0] * scale,
        finish=bounds[:, 1] * scale,
        document=corpus.document[rows],
        annotator=corpus.annotator[rows],
        start=corpus.start[rows].astype(np.float64) * scale,
        end=corpus.end[rows].astype(np.float64) * scale,
        category=category,
        labels=labels,
        scale=scale,
    )


def first_overlap(units: LabelledUnits, *, within_category: bool = False) -> str | None:
    """Name the first two units of one annotator that overlap, or only those of the same category.

    Units of length 0 cover nothing and never overlap.
    """
    long = np.flatnonzero(units.end > units.start)
    if within_category:
        long = long[np.lexsort((units.start[long], units.category[long], units.annotator[long], units.document[long]))]
    before, after = long[:-1], long[1:]
    same = (units.document[before] == units.document[after]) & (units.annotator[before] == units.annotator[after])
    if within_category:
        same &= units.category[before] == units.category[after]
    overlapping = np.flatnonzero(same & (units.start[after] < units.end[before]))
    if not len(overlapping):
        return None
    u, v = int(before[overlapping[0]]), int(after[overlapping[0]])
    where, who = units.corpus.documents[units.document[u]], units.corpus.annotators[units.annotator[u]]
    return f"document {where}: {who}'s units {units.spelled(u)} and {units.spelled(v)}"


def refuse_overlap(units: LabelledUnits, measure: str, *, within_category: bool = False) -> None:
    """Reject overlapping units of one annotator, or only those of the same category, for a measure."""
    overlap = first_overlap(units, within_category=within_category)
    if overlap is not None:
        raise DataError(f"{overlap} overlap, which {measure} cannot handle; use gamma")


def shown_labels(labels: Sequence[Label | None]) -> tuple[Label, ...]:
    """Return labels as tables show them: sets of them joined, something for units without any."""
    joined = [written_label(label) if isinstance(label, tuple) else label for label in labels]
    return tuple(NO_LABEL if label is None else label for label in joined)


def bounds_of(corpus: Corpus) -> FloatArray:
    """Return where the continuum of each document starts and ends; shape (n_documents, 2)."""
    return np.array([document.bounds for document in corpus], dtype=np.float64).reshape(len(corpus), 2)


def scale_of(bounds: FloatArray) -> float:
    """Return what positions are multiplied by, from the bounds of all documents that count."""
    longest = float(np.ptp(bounds, axis=1).max(initial=0.0))
    return 2.0 ** min(-frexp(longest)[1], 1000) if 0 < longest < SHORT else 1.0


def label_codes(corpus: Corpus, feature: str | None) -> IntArray:
    """Return the codes of the labels that occur where two annotators or more worked, sorted; no label comes last."""
    rows = np.flatnonzero((corpus.worked.sum(axis=1) > 1)[corpus.document])
    return np.unique(_codes(corpus, feature, rows))


def _codes(corpus: Corpus, feature: str | None, rows: IntArray) -> IntArray:
    if feature is None:
        return np.zeros(len(rows), dtype=np.int64)
    column = corpus.features[feature]
    codes = column.codes[rows]
    return np.where(codes < 0, len(column.labels), codes)


def _categories(
    corpus: Corpus, feature: str | None, rows: IntArray, codes: IntArray
) -> tuple[IntArray, tuple[Label | None, ...]]:
    table: list[Label | None] = [None] if feature is None else [*corpus.features[feature].labels, None]
    category = np.searchsorted(codes, _codes(corpus, feature, rows))
    return category.astype(np.int64) + 1, tuple(table[code] for code in codes.tolist())
