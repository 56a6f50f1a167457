"""Labels of items as numbers, or as places in an order: what coefficients for rating scales are computed from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from typing import Any, cast

import numpy as np

from unisono.arrays import BoolArray, FloatArray, IntArray
from unisono.data import Label
from unisono.measurement.categorization.choice import Scale
from unisono.measurement.categorization.counts import Counts


@dataclass(frozen=True, eq=False)
class NumberScale(Scale):
    """Labels that are numbers, or ranks of words whose order is known."""

    numbers: FloatArray = field(
        default_factory=lambda: np.zeros(0)
    )  # shape (n_labels,): NaN where nobody gave the label

    def __reduce__(self) -> tuple[Any, ...]:
        return _number_scale, (self.labels, self.numbers)

    @cached_property
    def unit(self) -> float:
        """Half the range of the numbers, what 1 stands for in `standard`; 1 if all are the same."""
        return float(np.ptp(self._used) / 2) or 1.0 if len(self._used) else 1.0

    @cached_property
    def standard(self) -> FloatArray:
        """The numbers shifted and scaled to [-1, 1], so that their fourth powers can be added up."""
        middle = (self._used.min() + self._used.max()) / 2 if len(self._used) else 0.0
        return np.asarray((self.numbers - middle) / self.unit)

    @cached_property
    def places(self) -> IntArray:
        """The place of each label among all numbers; labels that are the same number share one."""
        return np.unique(self.numbers, return_inverse=True)[1].reshape(-1).astype(np.int64)

    @property
    def _used(self) -> FloatArray:
        return self.numbers[~np.isnan(self.numbers)]


def _number_scale(labels: Sequence[Label], numbers: FloatArray) -> NumberScale:
    return NumberScale(labels, numbers=numbers)


@dataclass(frozen=True)
class Scores:
    """What annotators gave to items."""

    values: FloatArray  # shape (n_annotators, n_items): NaN where an annotator gave none
    repeats: FloatArray  # shape (n_items,): how often each item occurs

    @cached_property
    def given(self) -> BoolArray:
        """Whether there is a number."""
        return ~np.isnan(self.values)

    @cached_property
    def sizes(self) -> IntArray:
        """How many numbers each item has."""
        return np.asarray(self.given.sum(axis=0))

    @property
    def n_annotators(self) -> int:
        """Number of annotators."""
        return len(self.values)

    @property
    def n_items(self) -> float:
        """Number of items."""
        return float(self.repeats.sum())

    @property
    def are_complete(self) -> bool:
        """Whether all annotators rated all items."""
        return bool(self.given.all())

    def pairs(self) -> Iterator[tuple[int, int]]:
        """Yield each two annotators who both rated two items or more."""
        given = self.given.astype(np.float64)
        shared = (given * self.repeats) @ given.T
        for a, b in combinations(range(self.n_annotators), 2):
            if shared[a, b] >= 2:
                yield a, b

    def of_pair(self, a: int, b: int) -> tuple[FloatArray, FloatArray, FloatArray, BoolArray]:
        """Return two annotators' numbers and the repeats of items that both rated, and which items these are."""
        both = self.given[a] & self.given[b]
        if both.all():
            return self.values[a], self.values[b], self.repeats, both
        return self.values[a, both], self.values[b, both], self.repeats[both], both


def number_scale(counts: Counts) -> NumberScale:
    """Return the scale of ratings that were made for these coefficients."""
    return cast("NumberScale", counts.scale)


def scores(counts: Counts) -> Scores:
    """Return the numbers, shifted and scaled to [-1, 1], of items with two labels or more."""
    return _scores(counts, counts.paired, number_scale(counts).standard)


def raw_scores(counts: Counts) -> Scores:
    """Return the numbers themselves, of items with two labels or more."""
    return _scores(counts, counts.paired, number_scale(counts).numbers)


def places_of(counts: Counts) -> Scores:
    """Return the places of labels in their order, of items with two labels or more."""
    return _scores(counts, counts.paired, number_scale(counts).places.astype(np.float64))


def without_gaps(scores: Scores) -> Scores:
    """Keep the items that all annotators rated."""
    complete = scores.sizes == scores.n_annotators
    return scores if complete.all() else Scores(scores.values[:, complete], scores.repeats[complete])


def _scores(counts: Counts, items: BoolArray, numbers: FloatArray) -> Scores:
    columns, repeats = counts.columns, counts.repeats
    if not items.all():
        columns, repeats = columns[:, items], repeats[items]
    values = np.append(numbers, np.nan)[columns]  # -1, no label, is the last place
    return Scores(values, repeats)
