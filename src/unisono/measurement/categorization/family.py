"""The family of coefficients for categorization: how data becomes counts, and what formulas share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import compress
from typing import Any

import numpy as np

from unisono.arrays import BoolArray, FloatArray, IntArray
from unisono.data import Corpus, Data, Label, Normalizations, Ratings
from unisono.data.coinciding import coinciding, coinciding_labels
from unisono.data.doubts import doubts
from unisono.data.labels import MISSING
from unisono.data.normalizations import REWRITTEN
from unisono.errors import DataError, OptionError, plural
from unisono.measurement.categorization import tables
from unisono.measurement.categorization.choice import Scale
from unisono.measurement.categorization.counts import Counts
from unisono.measurement.categorization.label_result import LabelCoefficientResult
from unisono.measurement.coefficient import Family
from unisono.measurement.declaration import Parameter
from unisono.measurement.readers import text
from unisono.measurement.sums import DocumentSums, Sums, SumsPrepared, Tables, document_sums, part_of, sums_by
from unisono.results import Estimate, Table, beyond_chance


def prepare(data: Data, *, feature: str | None = None, unmarked: str | None = None) -> PreparedRatings:
    """Make ratings from data: spans that coincide, or ratings."""
    if isinstance(data, Normalizations):
        raise DataError(REWRITTEN)
    if isinstance(data, Corpus):
        return CoincidingUnits(data, feature, unmarked)
    if feature is not None or unmarked is not None:
        name = "feature" if feature is not None else "unmarked"
        raise OptionError("applies only to spans, but these data are already labels of items; leave it out", name)
    return GivenRatings(data)


class PreparedRatings(ABC):
    """Ratings, ready for formulas (see `Prepared`)."""

    @property
    @abstractmethod
    def data(self) -> Data:
        """The original data."""

    @property
    @abstractmethod
    def ratings(self) -> Ratings:
        """The ratings made from it."""

    @abstractmethod
    def statistics(self, document: int | None = None) -> Counts:
        """Count labels, of one document or of all."""

    @property
    @abstractmethod
    def n_rows(self) -> int:
        """How many items there are, those that one row of `ratings` stands for counted once."""

    @abstractmethod
    def n_rare(self) -> FloatArray:
        """Return how many labels other than the most frequent one each document has, of items with several labels."""

    @property
    def n_units(self) -> int:
        """Number of labels given."""
        counts = self.statistics()
        return int(counts.given @ counts.repeats)

    @property
    def n_items(self) -> int:
        """Number of items."""
        return int(self.statistics().repeats.sum())

    @property
    def notes(self) -> tuple[str, ...]:
        """What was left out or converted."""
        found = []
        if isinstance(self.data, Corpus):
            found.append("every distinct span is treated as an item")
        n_items, counts = self.n_items, self.statistics()
        alone = n_items - int(counts.n_paired)
        if 0 < alone < n_items:
            found.append(
                f"{alone:,} of {plural(n_items, 'item')} {'has' if alone == 1 else 'have'} labels from fewer than two "
                "annotators and cannot show agreement"
            )
        doubtful = doubts(self.data.annotators, counts.columns.T, counts.labels)
        return (*doubtful, *found, *tables.left_out_notes(counts, self.n_rows))

    def tables(self, apply: Callable[[Counts], Estimate]) -> dict[str, list[dict[str, Any]]]:
        """Return agreement per category, annotator and item, and which labels meet."""
        found = tables.rows(self.data.annotators, self.statistics(), apply)
        return {**found, "items": self.items()} if self.n_rows <= tables.MOST_ROWS else found

    def matrices(self) -> list[Table]:
        """Return the items on which annotators disagree, and the contingency or coincidence table."""
        few = self.n_rows <= tables.MOST_ROWS
        disputed = tables.disputed(self.ratings, self.by_item) if few else []
        return disputed + tables.matrices(self.data.annotators, self.statistics())

    def items(self) -> list[dict[str, Any]]:
        """Return agreement on each item, the worst first; however many there are."""
        return tables.items(self.ratings, self.by_item)

    @cached_property
    def by_item(self) -> Counts:
        """The labels item by item, in the order of `ratings`."""
        repeats = self.ratings.times.astype(np.float64)
        return Counts(np.ascontiguousarray(self.ratings.codes.T), repeats, self.scale(self.ratings.labels))

    def scale(self, labels: tuple[Label, ...]) -> Scale:
        """Make the scale of some labels."""
        return Scale(labels)

    def _of_document(self, document: int) -> Counts:
        """Count the labels of one document, item by item."""
        order, first = self._rows
        rows, counts = order[first[document] : first[document + 1]], self.by_item
        return Counts(counts.columns[:, rows], counts.repeats[rows], counts.scale)

    def _rare_items(self) -> FloatArray:
        """See `n_rare`; item by item."""
        counts = self.by_item
        weights = counts.repeats * counts.n_rare
        return sums_by(self.ratings.document, weights, len(self.ratings.documents))

    @cached_property
    def _rows(self) -> tuple[IntArray, IntArray]:
        """Items by document, and where each document starts."""
        order = np.argsort(self.ratings.document, kind="stable")
        edges = np.arange(len(self.ratings.documents) + 1)
        return order, np.searchsorted(self.ratings.document[order], edges)


@dataclass(frozen=True)
class GivenRatings(PreparedRatings):
    """Labels of given items."""

    given: Ratings

    @property
    def data(self) -> Ratings:
        """See `PreparedRatings`."""
        return self.given

    @property
    def ratings(self) -> Ratings:
        """See `PreparedRatings`."""
        return self.given

    @property
    def n_rows(self) -> int:
        """See `PreparedRatings`."""
        return len(self.given.codes)

    def statistics(self, document: int | None = None) -> Counts:
        """See `PreparedRatings`."""
        return self.by_item if document is None else self._of_document(document)

    def n_rare(self) -> FloatArray:
        """See `PreparedRatings`."""
        return self._rare_items()


class UnitRatings(SumsPrepared, PreparedRatings):
    """Ratings made from the units of a corpus: items that are labelled alike are counted together.

    The labels of an item, whose codes are digits of one number, are the key of a sum. With very many annotators or
    labels that number would be too large, and items are counted one by one.
    """

    @abstractmethod
    def made(self, documents: range) -> Ratings:
        """Make ratings from some documents, with the codes of `all_labels`."""

    @property
    @abstractmethod
    def all_labels(self) -> tuple[Label, ...]:
        """The labels that may occur."""

    @property
    @abstractmethod
    def _used(self) -> BoolArray:
        """Whether each of them is one to choose from."""

    @cached_property
    def ratings(self) -> Ratings:
        """See `PreparedRatings`."""
        return self.made(range(len(self.data)))

    @property
    def n_rows(self) -> int:
        """See `PreparedRatings`."""
        return int(self.sums.total["rows"].value.sum()) if self._together else len(self.ratings.codes)

    def statistics(self, document: int | None = None) -> Counts:
        """See `PreparedRatings`."""
        if self._together:
            counts: Counts = super().statistics(document)
            return counts
        return self.by_item if document is None else self._of_document(document)

    def gathered(self, documents: range) -> dict[str, DocumentSums]:
        """See `SumsPrepared`."""
        if not self._together:
            return {}
        made, base = self.made(documents), len(self.all_labels) + 1
        key = np.zeros(len(made.codes), np.int64)
        for column in made.codes.T:
            key = key * base + column + 1
        repeats = made.times.astype(np.float64)
        return {
            "patterns": document_sums(made.document, key, repeats, base ** len(made.annotators)),
            "rows": document_sums(made.document, np.zeros_like(key), None, 1),
        }

    def statistics_of(self, tables: Tables, document: int | None) -> Counts:
        """See `SumsPrepared`."""
        key, repeats = tables["patterns"]
        return Counts(self._recoded[self.digits(key)], repeats, self._scale)

    def n_rare(self) -> FloatArray:
        """See `PreparedRatings`."""
        if not self._together:
            return self._rare_items()
        rare = Sums(self.sums.total["patterns"].key, self.statistics().n_rare.astype(np.float64))
        found = np.zeros(len(self.data))
        for batch, place in zip(self.sums.batches, self.sums.ranges, strict=True):
            document, key, value = batch.tables["patterns"]
            own = np.bincount(document, weights=value * rare.at(key), minlength=len(place))
            found[place.start : place.stop] = own
        return found

    @property
    def _together(self) -> bool:
        return can_count_together(len(self.all_labels), len(self.data.annotators))

    @cached_property
    def _scale(self) -> Scale:
        return self.scale(tuple(compress(self.all_labels, self._used.tolist())))

    @cached_property
    def _recoded(self) -> IntArray:
        """The code of each label among those to choose from; the last place is for none."""
        return np.append(np.cumsum(self._used) - 1, MISSING)

    def digits(self, key: IntArray) -> IntArray:
        """Return the labels that keys stand for, as codes of `all_labels`."""
        columns = np.empty((len(self.data.annotators), len(key)), np.int64)
        for index in reversed(range(len(columns))):
            key, columns[index] = np.divmod(key, len(self.all_labels) + 1)
        return columns - 1


@dataclass(frozen=True)
class CoincidingUnits(UnitRatings):
    """Labels of spans that all annotators marked."""

    corpus: Corpus
    feature: str | None
    unmarked: str | None

    @property
    def data(self) -> Corpus:
        """See `PreparedRatings`."""
        return self.corpus

    def made(self, documents: range) -> Ratings:
        """See `UnitRatings`."""
        return coinciding(part_of(self.corpus, documents), feature=self.feature, unmarked=self.unmarked)

    @cached_property
    def all_labels(self) -> tuple[Label, ...]:
        """See `UnitRatings`: those of the feature, and that of unmarked spans."""
        return coinciding_labels(self.corpus, self.feature, self.unmarked)

    @cached_property
    def ratings(self) -> Ratings:
        """See `PreparedRatings`."""
        return super().ratings.select()  # without labels that occur only elsewhere

    @cached_property
    def _used(self) -> BoolArray:
        used = self.digits(self.sums.total["patterns"].key)
        return np.bincount(used.ravel() + 1, minlength=len(self.all_labels) + 1)[1:] > 0


def can_count_together(n_labels: int, n_annotators: int) -> bool:
    """Whether the labels of an item can be one number, with room for the numbers of documents and groups."""
    return bool((n_labels + 1) ** n_annotators <= _MOST_PATTERNS)


_MOST_PATTERNS = 2**52


def _at_once(data: Data, *, feature: str | None = None, unmarked: str | None = None, **others: Any) -> str:
    """See `Family`."""
    if not isinstance(data, Corpus):
        return "tables of labels are read into memory as a whole"
    try:
        n_labels = len(coinciding_labels(data, feature, unmarked))
    except (DataError, OptionError):
        return ""  # which is said when it is measured
    return "" if can_count_together(n_labels, len(data.annotators)) else TOO_MANY


TOO_MANY = "there are too many annotators and labels to count items that are labelled alike together"


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
    result=LabelCoefficientResult,
    at_once=_at_once,
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


def index_of_prevalence(shares: FloatArray, n_categories: int) -> float | None:
    """Return the prevalence index: 0 if all categories are equally frequent, 1 if there is just one.

    (max_k p_k - 1/K) / (1 - 1/K), which for two categories is |p_1 - p_2|, the index of Byrt, Bishop & Carlin (1993).
    """
    if n_categories < 2:
        return None
    return float((shares.max() - 1 / n_categories) / (1 - 1 / n_categories))
