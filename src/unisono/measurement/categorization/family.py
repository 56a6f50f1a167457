"""The family of coefficients for categorization: how data becomes counts, and what formulas share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from unisono.arrays import FloatArray, IntArray
from unisono.data import Corpus, Data, Normalizations, Ratings
from unisono.data.coinciding import ratings_from_units
from unisono.data.normalizations import REWRITTEN
from unisono.errors import DataError, OptionError, plural
from unisono.measurement.categorization import tables
from unisono.measurement.categorization.counts import Counts, Scale
from unisono.measurement.coefficient import Family
from unisono.measurement.coefficient_result import CoefficientResult
from unisono.measurement.declaration import Parameter
from unisono.measurement.readers import text
from unisono.results import Estimate, Table, beyond_chance


def prepare(data: Data, *, feature: str | None = None, unmarked: str | None = None) -> PreparedRatings:
    """Make ratings from data: spans that coincide, or ratings."""
    if isinstance(data, Normalizations):
        raise DataError(REWRITTEN)
    if isinstance(data, Corpus):
        return PreparedRatings(data, ratings_from_units(data, feature=feature, unmarked=unmarked))
    if feature is not None or unmarked is not None:
        name = "feature" if feature is not None else "unmarked"
        raise OptionError("applies only to spans, but these data are already labels of items; leave it out", name)
    return PreparedRatings(data, data)


@dataclass(frozen=True)
class PreparedRatings:
    """Ratings, ready for formulas."""

    data: Data  # the original data
    ratings: Ratings  # the ratings made from it

    @property
    def n_units(self) -> int:
        """Number of labels given."""
        return self.ratings.n_units

    @property
    def notes(self) -> tuple[str, ...]:
        """What was left out or converted."""
        found = []
        if isinstance(self.data, Corpus):
            found.append("every distinct span is treated as an item")
        n_items, counts = self.ratings.n_items, self.statistics()
        alone = n_items - int(counts.n_paired)
        if 0 < alone < n_items:
            found.append(
                f"{alone:,} of {plural(n_items, 'item')} {'has' if alone == 1 else 'have'} labels from fewer than two "
                "annotators and cannot show agreement"
            )
        return (*self.ratings.notes, *found, *tables.left_out_notes(counts))

    def statistics(self, document: int | None = None) -> Counts:
        """Count labels, of one document or of all."""
        if document is None:
            return self._counts
        order, first = self._rows
        rows = order[first[document] : first[document + 1]]
        return Counts(self._counts.columns[:, rows], self._counts.repeats[rows], self._counts.scale)

    def tables(self, apply: Callable[[Counts], Estimate]) -> dict[str, list[dict[str, Any]]]:
        """Return agreement per category, annotator and item, and which labels meet."""
        return tables.rows(self.ratings, self.statistics(), apply)

    def matrices(self) -> list[Table]:
        """Return the items on which annotators disagree, and the contingency or coincidence table."""
        return tables.disputed(self.ratings, self.statistics()) + tables.matrices(self.ratings, self.statistics())

    def items(self) -> list[dict[str, Any]]:
        """Return agreement on each item, the worst first; however many there are."""
        return tables.items(self.ratings, self.statistics())

    @cached_property
    def _counts(self) -> Counts:
        repeats = self.ratings.times.astype(np.float64)
        return Counts(np.ascontiguousarray(self.ratings.codes.T), repeats, Scale(self.ratings.labels))

    @cached_property
    def _rows(self) -> tuple[IntArray, IntArray]:
        """Items by document, and where each document starts."""
        order = np.argsort(self.ratings.document, kind="stable")
        edges = np.arange(len(self.ratings.documents) + 1)
        return order, np.searchsorted(self.ratings.document[order], edges)


FAMILY = Family(
    name="ratings",
    unit="label",
    parameters=(
        Parameter(
            "feature", None, text, "for spans: the feature to use as the label; by default category, or the only one"
        ),
        Parameter(
            "unmarked",
            None,
            text,
            "for spans: how to treat a span that others marked and an annotator did not: missing (no label) or a label",
        ),
    ),
    prepare=prepare,
    result=CoefficientResult,
)


def corrected_for_chance(counts: Counts, observed: float, expected: float, shares: FloatArray, **more: Any) -> Estimate:
    """Correct agreement for chance, unless there is nothing to choose."""
    if np.count_nonzero(shares) < 2:
        return Estimate(None, observed, expected, one_label(counts, shares), **more)
    return beyond_chance(observed, expected, **more)


def one_label(counts: Counts, shares: FloatArray) -> str:
    """State that there is only one category."""
    label = counts.labels[int(np.argmax(shares))]
    which = "labels" if np.count_nonzero(counts.frequencies) == 1 else "labels that can be compared"
    return f"all {which} are the same ({label!r}), so agreement cannot be distinguished from chance"


def prevalence(shares: FloatArray, n_categories: int) -> float | None:
    """Return the prevalence index: 0 if all categories are equally frequent, 1 if there is just one.

    (max_k p_k - 1/K) / (1 - 1/K), which for two categories is |p_1 - p_2|, the index of Byrt, Bishop & Carlin (1993).
    """
    if n_categories < 2:
        return None
    return float((shares.max() - 1 / n_categories) / (1 - 1 / n_categories))
