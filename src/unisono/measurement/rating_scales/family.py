"""The families of coefficients for rating scales: numbers, and labels in an order."""

from __future__ import annotations

from abc import ABC
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from unisono.arrays import BoolArray, FloatArray
from unisono.data import Corpus, Data, Label, Ratings
from unisono.data.doubts import doubts
from unisono.data.labels import MISSING
from unisono.dissimilarity.category import Ordinal, as_numbers
from unisono.errors import DataError, plural
from unisono.measurement.categorization.counts import Counts
from unisono.measurement.categorization.family import (
    FAMILY,
    CoincidingUnits,
    GivenRatings,
    PreparedRatings,
)
from unisono.measurement.categorization.family import prepare as prepare_labels
from unisono.measurement.categorization.tables import MOST_ROWS
from unisono.measurement.declaration import Parameter
from unisono.measurement.known_orders import known_order
from unisono.measurement.rating_scales import tables
from unisono.measurement.rating_scales.scores import NumberScale, number_scale
from unisono.measurement.readers import read_order
from unisono.results import Estimate, Table

_NUMBERS = (
    "numbers are needed; correct it, leave the cell empty if a label is missing, or use krippendorff-alpha for labels "
    "that are names"
)
_RANKS = (
    "numbers are needed, or words whose order is known: order=[low,mid,high]; use krippendorff-alpha for labels that "
    "are names"
)


@dataclass(frozen=True)
class Reading:
    """How labels become numbers."""

    words: bool = False  # whether words with an order are ranks; otherwise they are an error
    order: tuple[str, ...] = ()  # the labels from the lowest to the highest, if that is given

    def numbers(self, labels: Sequence[Label], used: BoolArray) -> FloatArray:
        """Return the number of each label that is used; NaN for others."""
        found = np.full(len(labels), np.nan)
        some = [label for label, there in zip(labels, used.tolist(), strict=True) if there]
        found[used] = self._values(some, known_order(labels) if self.words else ())
        return found

    def said(self, labels: Sequence[Label]) -> list[str]:
        """Return a note on the order of words, if it was not given."""
        if not self.words or self.order or _are_numbers(labels):
            return []
        return [f"labels are ranked {' < '.join(map(str, known_order(labels)))}; if that is wrong, give their order"]

    def _values(self, labels: Sequence[Label], known: tuple[object, ...]) -> FloatArray:
        if self.order:
            return Ordinal(self.order).values(labels)
        if known and not _are_numbers(labels):
            return Ordinal(tuple(map(str, known))).values(labels)
        return as_numbers(labels, _RANKS if self.words else _NUMBERS)


def _are_numbers(labels: Sequence[Label]) -> bool:
    try:
        as_numbers(labels, "")
    except DataError:
        return False
    return True


class OnScale(PreparedRatings, ABC):
    """Ratings on a scale: what they show besides the value."""

    reading: Reading

    def scale(self, labels: tuple[Label, ...]) -> NumberScale:
        """See `PreparedRatings`; DataError naming the first item and annotator with a label that is no number."""
        used = self._in_use(labels)
        try:
            return NumberScale(labels, numbers=self.reading.numbers(labels, used))
        except DataError as error:
            raise self._located(error) from None

    @property
    def notes(self) -> tuple[str, ...]:
        """See `PreparedRatings`."""
        counts = self.statistics()
        scale, alone, n_items = number_scale(counts), self.n_items - int(counts.n_paired), self.n_items
        places = np.append(scale.places, MISSING)[counts.columns]
        found = [*doubts(self.data.annotators, places.T, np.unique(scale.numbers).tolist())]
        if isinstance(self.data, Corpus):
            found.append("every distinct span is treated as an item")
        if 0 < alone < n_items:
            found.append(
                f"{alone:,} of {plural(n_items, 'item')} {'has' if alone == 1 else 'have'} labels from fewer than two "
                "annotators and cannot show agreement"
            )
        return (*found, *self.reading.said(counts.labels), *self._left_out())

    def tables(self, apply: Callable[[Counts], Estimate]) -> dict[str, list[dict[str, Any]]]:
        """Return who rates higher than others, limits of agreement, and items."""
        found = tables.scale_tables(self.data.annotators, self.statistics(), ranks=self.reading.words)
        return {**found, "items": self.items()} if self.n_rows <= MOST_ROWS else found

    def matrices(self) -> list[Table]:
        """Return the items on which annotators differ most."""
        return tables.spread_labels(self.ratings, self.by_item) if self.n_rows <= MOST_ROWS else []

    def items(self) -> list[dict[str, Any]]:
        """Return how far apart the labels of each item are, the worst first; however many there are."""
        return tables.spreads(self.ratings, self.by_item)

    def _left_out(self) -> Iterator[str]:
        return tables.unlisted(self.data.annotators, self.n_rows, ranks=self.reading.words)

    def _in_use(self, labels: tuple[Label, ...]) -> BoolArray:
        """Tell which labels somebody gave."""
        if not isinstance(self.data, Ratings):
            return np.ones(len(labels), dtype=np.bool_)  # others were left out before
        codes = self.data.codes
        return np.asarray(np.bincount(codes.ravel() + 1, minlength=len(labels) + 1)[1:] > 0)

    def _located(self, error: DataError) -> DataError:
        """Find the first item and annotator with a label that cannot be read."""
        ratings = self.ratings
        for item, who in np.argwhere(ratings.codes >= 0).tolist():
            try:
                self.reading.numbers([ratings.labels[ratings.codes[item, who]]], np.ones(1, np.bool_))
            except DataError as wrong:
                name, by = str(ratings.items[item]), ratings.annotators[who]
                within = ratings.documents[ratings.document[item]]
                document = f"document {within!r}, " if len(ratings.documents) > 1 and within != name else ""
                return DataError(f"{document}item {name!r}, annotator {by!r}: {wrong.message}")
        return error


@dataclass(frozen=True)
class ScaledItems(OnScale, GivenRatings):
    """Labels of given items, on a scale."""

    reading: Reading


@dataclass(frozen=True)
class ScaledUnits(OnScale, CoincidingUnits):
    """Labels of spans that all annotators marked, on a scale."""

    reading: Reading


def _prepare(data: Data, reading: Reading, how: Mapping[str, Any]) -> OnScale:
    made = prepare_labels(data, **how)
    if isinstance(made, CoincidingUnits):
        return ScaledUnits(made.corpus, made.feature, made.unmarked, reading)
    assert isinstance(made, GivenRatings)
    return ScaledItems(made.given, reading)


def prepare_numbers(data: Data, **how: Any) -> OnScale:
    """Make ratings from data, whose labels are numbers."""
    return _prepare(data, Reading(), how)


def prepare_ranks(data: Data, *, order: tuple[str, ...] | None = None, **how: Any) -> OnScale:
    """Make ratings from data, whose labels are numbers or have an order."""
    return _prepare(data, Reading(words=True, order=order or ()), how)


NUMBERS = replace(FAMILY, prepare=prepare_numbers)
RANKS = replace(
    FAMILY,
    prepare=prepare_ranks,
    parameters=(
        Parameter(
            "order",
            None,
            read_order,
            "for words: the labels from the lowest to the highest, e.g. [low,mid,high]; by default numbers, or words "
            "with a well-known order",
        ),
        *FAMILY.parameters,
    ),
)
