"""What the measures for units share: whose units count, which feature is their category, and what was left out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, TypeVar

import numpy as np

from unisono.arrays import IntArray
from unisono.data import Corpus, Data, Label, Normalizations, Ratings
from unisono.data.corpus import Document
from unisono.data.labelled_units import SHORT, LabelledUnits, labelled_units
from unisono.data.normalizations import REWRITTEN
from unisono.data.ratings import NO_UNITS
from unisono.errors import DataError, listed, plural
from unisono.measurement.coefficient import Family
from unisono.measurement.coefficient_result import CoefficientResult, Prepared
from unisono.measurement.declaration import Parameter
from unisono.measurement.disorder.fit import INSTEAD
from unisono.measurement.readers import text
from unisono.results import Estimate, Table

FEATURE = Parameter(
    "feature", None, text, "the feature to use as the category; by default the one named category, or the only one"
)

_P = TypeVar("_P", bound="UnitsPrepared")


@dataclass(frozen=True)
class UnitsPrepared:
    """Units ready to be measured: what all measures share (see `Prepared`)."""

    units: LabelledUnits  # the units of the documents that two annotators or more worked on
    # whether it matters where continua start and end, and how long units are
    extent: bool = True
    lengths: bool = True

    @property
    def data(self) -> Corpus:
        """The corpus."""
        return self.units.corpus

    @property
    def n_units(self) -> int:
        """How many units count."""
        return self.units.n_units

    @property
    def notes(self) -> tuple[str, ...]:
        """What was left out or guessed."""
        return notes_on(self.units, extent=self.extent, lengths=self.lengths)

    def tables(self, apply: Callable[[Any], Estimate]) -> Mapping[str, list[dict[str, Any]]]:
        """Return none: each formula has its own."""
        return {}

    def matrices(self) -> list[Table]:
        """Return none."""
        return []


@dataclass(frozen=True)
class UnitStatistics(Generic[_P]):
    """The units of one document, or of all, in the form that a formula uses."""

    prepared: _P
    document: int | None

    @property
    def units(self) -> LabelledUnits:
        """The units of all documents."""
        return self.prepared.units

    @property
    def names(self) -> tuple[Label, ...]:
        """The categories' names for display."""
        return self.units.names

    @property
    def undefined(self) -> str | None:
        """Why there can be no value: no document has two annotators, or nobody marked anything."""
        if not self.units.shared.any():
            return "no document was worked on by two annotators; agreement needs two or more on the same document"
        if self.document is not None and not self.units.shared[self.document]:
            return "fewer than two annotators worked on it"
        if not len(self.units.start[self._of_document]):
            return "no annotator marked anything"
        if self.document is not None and 0 < self.units.finish[self.document] - self.units.begin[self.document] < SHORT:
            return "it is too short to compute with, compared with other documents"
        return None

    @cached_property
    def n_by_category(self) -> IntArray:
        """The number of units of each category, from 1 up; 0 is no category."""
        return np.bincount(self.units.category[self._of_document], minlength=len(self.names) + 1)

    @property
    def _of_document(self) -> slice:
        return slice(None) if self.document is None else self.units.rows(self.document)


def family_of_units(prepare: Callable[..., Prepared]) -> Family[CoefficientResult]:
    """Make a family of measures for units whose only parameter is the feature."""
    return Family("units", "unit", (FEATURE,), prepare, CoefficientResult)


def units_of(data: Data, feature: str | None) -> LabelledUnits:
    """Return the units of a corpus; DataError for other data."""
    if isinstance(data, Ratings):
        raise DataError(f"{NO_UNITS}; {INSTEAD}")
    if isinstance(data, Normalizations):
        raise DataError(REWRITTEN)
    return labelled_units(data, feature)


def notes_on(units: LabelledUnits, *, extent: bool = True, lengths: bool = True) -> tuple[str, ...]:
    """State what was left out or guessed, as far as the extent of continua and the lengths of units matter."""
    shared = [Document(units.corpus, index) for index in np.flatnonzero(units.shared).tolist()]
    notes = [_left_out(units), _without_label(units), _different_texts(shared)]
    if extent:
        notes.append(_guessed(shared))
    if lengths:
        notes.append(_empty(units))
    return tuple(note for note in notes if note)


def _left_out(units: LabelledUnits) -> str:
    alone = int((~units.shared).sum())
    if not alone or not units.shared.any():
        return ""
    be, them = ("is", "it") if alone == 1 else ("are", "them")
    of_all = plural(len(units.corpus), "document")
    return f"{alone} of {of_all} {be} left out: fewer than two annotators worked on {them}"


def _without_label(units: LabelledUnits) -> str:
    unlabelled = int((units.category == len(units.labels)).sum()) if None in units.labels else 0
    if not unlabelled:
        return ""
    if unlabelled == units.n_units:
        return "units have no labels, so all belong to one category"
    have, their = ("has", "its") if unlabelled == 1 else ("have", "their")
    return f"{plural(unlabelled, 'unit')} {have} no label, which is treated as a category of {their} own"


def _different_texts(shared: Sequence[Document]) -> str:
    names = [document.name for document in shared if document.texts_differ]
    return (
        f"annotators have different texts in {listed(names, 5)}; positions are compared without alignment"
        if names
        else ""
    )


def _guessed(shared: Sequence[Document]) -> str:
    """Name the documents where neither text nor bounds define where the continuum starts and ends."""
    names = [document.name for document in shared if not document.has_bounds]
    if not names:
        return ""
    which = f"document {names[0]}" if len(names) == 1 else listed(names, 5)
    more = ", including those that were filtered out" if any(one.guessed_from_more for one in shared) else ""
    return (
        f"the start and end of the continuum of {which} were guessed from the units{more}, so gaps at its ends are "
        "not seen; provide the text or the bounds"
    )


def _empty(units: LabelledUnits) -> str:
    empty = int((units.end == units.start).sum())
    if not empty:
        return ""
    cover = "covers nothing and does" if empty == 1 else "cover nothing and do"
    return f"{plural(empty, 'unit')} of length 0 {cover} not count"
