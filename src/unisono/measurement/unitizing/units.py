"""What the measures for units share: whose units count, which feature is their category, and what was left out."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from unisono.arrays import BoolArray, FloatArray, IntArray
from unisono.data import Corpus, Data, Label, Normalizations, Ratings
from unisono.data.corpus import Document
from unisono.data.labelled_units import (
    SHORT,
    LabelledUnits,
    bounds_of,
    label_codes,
    labelled_units,
    scale_of,
    shown_labels,
)
from unisono.data.normalizations import REWRITTEN
from unisono.data.ratings import NO_UNITS
from unisono.errors import DataError, listed, plural
from unisono.measurement.batching import batches_of
from unisono.measurement.coefficient import Family
from unisono.measurement.coefficient_result import CoefficientResult, Prepared
from unisono.measurement.declaration import Parameter
from unisono.measurement.disorder.fit import INSTEAD
from unisono.measurement.readers import text
from unisono.measurement.sums import DocumentSums, SumsPrepared, Tables, document_sums, part_of
from unisono.results import Estimate, Table

FEATURE = Parameter(
    "feature", None, text, "the feature to use as the category; by default the one named category, or the only one"
)


@dataclass(frozen=True)
class UnitFacts:
    """What is known about the units of some documents; only documents with several annotators count."""

    n_documents: int
    n_shared: int  # how many documents two annotators or more worked on
    n_units: int
    n_unlabelled: int
    n_empty: int  # how many units have length 0
    differing: tuple[str, ...]  # documents of which annotators have different texts
    guessed: tuple[str, ...]  # documents where neither text nor bounds define where the continuum starts and ends
    guessed_from_more: bool  # whether units that have been left out since show where one of these starts or ends


@dataclass(frozen=True, eq=False)
class UnitFrame:
    """What all documents have in common, and what a batch of documents must know about the others."""

    corpus: Corpus
    feature: str | None
    bounds: FloatArray  # shape (n_documents, 2): where each continuum starts and ends
    shared: BoolArray  # shape (n_documents,): which documents two annotators or more worked on
    codes: IntArray  # the codes of the labels that occur there, sorted
    labels: tuple[Label | None, ...]  # these labels; last, None, if there are units without one
    scale: float  # what positions are multiplied by
    whole: bool = True  # whether all positions are whole numbers

    @property
    def n_units(self) -> int:
        """How many units count."""
        return int(self.corpus.sizes[self.shared].sum())

    @cached_property
    def facts(self) -> UnitFacts:
        """What notes say."""
        return _together([facts_of(self.units(batch)) for batch in batches_of(self.corpus.sizes)])

    @cached_property
    def names(self) -> tuple[Label, ...]:
        """The categories' names for display."""
        return shown_labels(self.labels)

    @property
    def size(self) -> int:
        """The number of categories, no category included."""
        return len(self.labels) + 1

    def units(self, documents: range) -> LabelledUnits:
        """Return the units of some documents."""
        return self._all_units if len(documents) == len(self.corpus) else self._units(documents)

    @cached_property
    def _all_units(self) -> LabelledUnits:
        return self._units(range(len(self.corpus)))

    def _units(self, documents: range) -> LabelledUnits:
        bounds, part = self.bounds[documents.start : documents.stop], part_of(self.corpus, documents)
        return labelled_units(part, self.feature, bounds=bounds, codes=self.codes, scale=self.scale)


def unit_frame(data: Data, feature: str | None, check: Callable[[LabelledUnits], None] | None = None) -> UnitFrame:
    """Look at all units, batch by batch; DataError for other data, or if `check` rejects the units of a batch."""
    if isinstance(data, Ratings):
        raise DataError(f"{NO_UNITS}; {INSTEAD}")
    if isinstance(data, Normalizations):
        raise DataError(REWRITTEN)
    chosen, ranges = data.chosen_feature(feature), batches_of(data.sizes)
    parts = (part_of(data, batch) for batch in ranges)
    found = [(bounds_of(part), label_codes(part, chosen)) for part in parts]
    bounds, codes = (np.concatenate(column) for column in zip(*found, strict=True))
    codes = np.unique(codes)
    table: list[Label | None] = [None] if chosen is None else [*data.features[chosen].labels, None]
    shared = np.asarray(data.worked.sum(axis=1) > 1)
    frame = UnitFrame(
        corpus=data,
        feature=chosen,
        bounds=bounds,
        shared=shared,
        codes=codes,
        labels=tuple(table[code] for code in codes.tolist()),
        scale=scale_of(bounds[shared]),
    )
    for batch in ranges:
        units = frame.units(batch)
        if check is not None:
            check(units)
        if not units.whole:
            frame = replace(frame, whole=False)
    return frame


@dataclass(frozen=True)
class UnitSums(SumsPrepared):
    """Units whose statistics are sums over documents: what all measures share (see `Prepared`)."""

    frame: UnitFrame
    # whether it matters where continua start and end, and how long units are
    extent: bool = True
    lengths: bool = True

    @property
    def data(self) -> Corpus:
        """The corpus."""
        return self.frame.corpus

    @property
    def n_units(self) -> int:
        """How many units count."""
        return self.frame.n_units

    @property
    def notes(self) -> tuple[str, ...]:
        """What was left out or guessed."""
        return notes_on(self.frame.facts, extent=self.extent, lengths=self.lengths)

    @cached_property
    def units(self) -> LabelledUnits:
        """The units of all documents, for formulas that need more than sums."""
        return self.frame.units(range(len(self.data)))

    def tables(self, apply: Callable[[Any], Estimate]) -> Mapping[str, list[dict[str, Any]]]:
        """Return none: each formula has its own."""
        return {}

    def matrices(self) -> list[Table]:
        """Return none."""
        return []

    def gathered(self, documents: range) -> dict[str, DocumentSums]:
        """See `SumsPrepared`: how many units of each category there are, and what the family needs besides."""
        units = self.frame.units(documents)
        n_units = document_sums(units.document, units.category, None, self.frame.size)
        return {"units": n_units, **self.added_up(units)}

    @abstractmethod
    def added_up(self, units: LabelledUnits) -> Mapping[str, DocumentSums]:
        """Add up what the family needs of the units of some documents."""


@dataclass(frozen=True)
class UnitStatistics:
    """The units of one document, or of several, in the form that a formula uses."""

    frame: UnitFrame
    sums: Tables
    document: int | None

    @property
    def names(self) -> tuple[Label, ...]:
        """The categories' names for display."""
        return self.frame.names

    @property
    def undefined(self) -> str | None:
        """Why there can be no value: no document has two annotators, or nobody marked anything."""
        frame, document = self.frame, self.document
        if not frame.shared.any():
            return "no document was worked on by two annotators; agreement needs two or more on the same document"
        if document is not None and not frame.shared[document]:
            return "fewer than two annotators worked on it"
        if not len(self.sums["units"].key):
            return "no annotator marked anything"
        if document is not None and 0 < float(np.ptp(frame.bounds[document] * frame.scale)) < SHORT:
            return "it is too short to compute with, compared with other documents"
        return None

    @cached_property
    def n_by_category(self) -> IntArray:
        """The number of units of each category, from 1 up; 0 is no category."""
        return self.sums["units"].spread(self.frame.size).astype(np.int64)


def sums_of_units(data: Data, **parameters: Any) -> str:
    """Say that sums over documents are enough (`Family.at_once`)."""
    return "" if isinstance(data, Corpus) else NO_UNITS


def compared_lengths(data: Data, **parameters: Any) -> str:
    """Say why the chance of some measures is no sum over documents (`Family.at_once`)."""
    return "the lengths of all units are compared with each other"


def family_of_units(
    prepare: Callable[..., Prepared],
    *,
    own: bool = False,
    at_once: Callable[..., str] = sums_of_units,
    name: str = "units",
) -> Family[CoefficientResult]:
    """Make a family of measures for units whose only parameter is the feature; for the others see `Family`."""
    return Family(name, "unit", (FEATURE,), prepare, CoefficientResult, own=own, at_once=at_once)


def facts_of(units: LabelledUnits) -> UnitFacts:
    """Return what is known about the units of some documents."""
    shared = [Document(units.corpus, index) for index in np.flatnonzero(units.shared).tolist()]
    guessed = [document for document in shared if not document.has_bounds]
    return UnitFacts(
        n_documents=len(units.corpus),
        n_shared=len(shared),
        n_units=units.n_units,
        n_unlabelled=int((units.category == len(units.labels)).sum()) if None in units.labels else 0,
        n_empty=int((units.end == units.start).sum()),
        differing=tuple(document.name for document in shared if document.texts_differ),
        guessed=tuple(document.name for document in guessed),
        guessed_from_more=any(document.guessed_from_more for document in guessed),
    )


def _together(facts: Sequence[UnitFacts]) -> UnitFacts:
    return UnitFacts(
        n_documents=sum(one.n_documents for one in facts),
        n_shared=sum(one.n_shared for one in facts),
        n_units=sum(one.n_units for one in facts),
        n_unlabelled=sum(one.n_unlabelled for one in facts),
        n_empty=sum(one.n_empty for one in facts),
        differing=tuple(name for one in facts for name in one.differing),
        guessed=tuple(name for one in facts for name in one.guessed),
        guessed_from_more=any(one.guessed_from_more for one in facts),
    )


def notes_on(facts: UnitFacts, *, extent: bool = True, lengths: bool = True) -> tuple[str, ...]:
    """State what was left out or guessed, as far as the extent of continua and the lengths of units matter."""
    notes = [_left_out(facts), _without_label(facts), _different_texts(facts)]
    if extent:
        notes.append(_guessed(facts))
    if lengths:
        notes.append(_empty(facts))
    return tuple(note for note in notes if note)


def _left_out(facts: UnitFacts) -> str:
    alone = facts.n_documents - facts.n_shared
    if not alone or not facts.n_shared:
        return ""
    be, them = ("is", "it") if alone == 1 else ("are", "them")
    of_all = plural(facts.n_documents, "document")
    return f"{alone} of {of_all} {be} left out: fewer than two annotators worked on {them}"


def _without_label(facts: UnitFacts) -> str:
    if not facts.n_unlabelled:
        return ""
    if facts.n_unlabelled == facts.n_units:
        return "units have no labels, so all belong to one category"
    have, their = ("has", "its") if facts.n_unlabelled == 1 else ("have", "their")
    return f"{plural(facts.n_unlabelled, 'unit')} {have} no label, which is treated as a category of {their} own"


def _different_texts(facts: UnitFacts) -> str:
    if not facts.differing:
        return ""
    return f"annotators have different texts in {listed(facts.differing, 5)}; positions are compared without alignment"


def _guessed(facts: UnitFacts) -> str:
    """Name the documents where neither text nor bounds define where the continuum starts and ends."""
    if not facts.guessed:
        return ""
    which = f"document {facts.guessed[0]}" if len(facts.guessed) == 1 else listed(facts.guessed, 5)
    more = ", including those that were filtered out" if facts.guessed_from_more else ""
    return (
        f"the start and end of the continuum of {which} were guessed from the units{more}, so gaps at its ends are "
        "not seen; provide the text or the bounds"
    )


def _empty(facts: UnitFacts) -> str:
    if not facts.n_empty:
        return ""
    cover = "covers nothing and does" if facts.n_empty == 1 else "cover nothing and do"
    return f"{plural(facts.n_empty, 'unit')} of length 0 {cover} not count"
