"""What the measures for units share: whose units count, and which feature is their category."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from unisono.data import Corpus, Data, Normalizations, Ratings
from unisono.data.labelled_units import LabelledUnits, labelled_units
from unisono.data.normalizations import REWRITTEN
from unisono.data.ratings import NO_UNITS
from unisono.errors import DataError
from unisono.measurement.coefficient import Family
from unisono.measurement.coefficient_result import CoefficientResult, Prepared
from unisono.measurement.declaration import Parameter
from unisono.measurement.disorder.fit import INSTEAD
from unisono.measurement.readers import text
from unisono.measurement.unitizing.notes import notes_on
from unisono.results import Estimate, Table

FEATURE = Parameter(
    "feature", None, text, "the feature to use as the category; by default the one named category, or the only one"
)


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


def no_value(units: LabelledUnits, document: int | None) -> str | None:
    """Explain why no measure can have a value: no document has two annotators, or nobody marked anything."""
    if not units.shared.any():
        return "no document was worked on by two annotators; agreement needs two or more on the same document"
    if document is not None and not units.shared[document]:
        return "fewer than two annotators worked on it"
    rows = slice(None) if document is None else units.rows(document)
    return None if len(units.start[rows]) else "no annotator marked anything"
