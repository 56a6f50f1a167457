"""Segmentations that are compared pair by pair: the input of the measures of the family."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from unisono.arrays import BoolArray, FloatArray, IntArray
from unisono.data import Corpus, Data, Normalizations, Ratings
from unisono.data.cuts import Cuts, cuts_from_units, from_masses, without_empty_versions
from unisono.data.meetings import every_two
from unisono.data.normalizations import REWRITTEN
from unisono.data.ratings import Rows
from unisono.errors import DataError, listed, plural
from unisono.formats.entry import as_data
from unisono.results import Estimate, Table


@dataclass(frozen=True)
class SegmentationPairs:
    """Pairs of segmentations of the same document."""

    cuts: Cuts
    annotators: tuple[str, ...]
    # shape (n_pairs,): which segmentations are compared, each pair of a document once; sorted
    first: IntArray
    second: IntArray

    @property
    def undefined(self) -> str | None:
        """Why there can be no value, if nothing is compared."""
        return None if len(self.first) else "no document was segmented by two of the annotators"

    def directed(self, reference: str | None) -> tuple[IntArray, IntArray, IntArray]:
        """Return (pair, reference, hypothesis): in both directions, or with one annotator as the only reference."""
        pair = np.arange(len(self.first))
        both = np.tile(pair, 2), np.append(self.first, self.second), np.append(self.second, self.first)
        if reference is None:
            return both
        keep = self._is(reference)[both[1]]
        return both[0][keep], both[1][keep], both[2][keep]

    def of_document(self, document: int) -> SegmentationPairs:
        """Keep the segmentations and the pairs of one document."""
        low, high = np.searchsorted(self.cuts.document, (document, document + 1))
        some = slice(*np.searchsorted(self.first, (low, high)))
        cuts = self.cuts.some(slice(int(low), int(high)))
        return replace(self, cuts=cuts, first=self.first[some] - low, second=self.second[some] - low)

    def with_annotator(self, name: str) -> SegmentationPairs:
        """Keep the pairs that one annotator is part of."""
        named = self._is(name)
        keep = named[self.first] | named[self.second]
        return replace(self, first=self.first[keep], second=self.second[keep])

    def average(self, values: FloatArray, defined: BoolArray, why: str, **more: Any) -> Estimate:
        """Return the mean of the comparisons that have a value; `why` explains why the others have none."""
        if not defined.any():
            return Estimate(None, undefined=why, **more)
        left = int((~defined).sum())
        notes = (f"{plural(left, 'comparison')} of {len(values):,} left out: {why}",) if left else ()
        return Estimate(float(values[defined].mean()), notes=notes, **more)

    def _is(self, name: str) -> BoolArray:
        """Return which segmentations are an annotator's."""
        code = self.annotators.index(name) if name in self.annotators else -1
        return np.asarray(self.cuts.annotator == code)


@dataclass(frozen=True)
class Segmentations:
    """A corpus of segmentations, ready for the measures."""

    data: Corpus
    comparisons: SegmentationPairs
    notes: tuple[str, ...]

    @property
    def n_units(self) -> int:
        """Number of segments."""
        return self.data.n_units

    def statistics(self, document: int | None = None) -> SegmentationPairs:
        """Return the pairs of all documents, or of one."""
        return self.comparisons if document is None else self.comparisons.of_document(document)

    def tables(self, apply: Callable[[Any], Estimate]) -> Mapping[str, list[dict[str, Any]]]:
        """Return for each annotator the value with the others, the number of segments, and their mean length."""
        return {"annotators": [self._annotator(name, apply) for name in self.data.annotators]}

    def matrices(self) -> list[Table]:
        """Return nothing: pairs are a table of the result."""
        return []

    def _annotator(self, name: str, apply: Callable[[Any], Estimate]) -> dict[str, Any]:
        own = self.data.annotator == self.data.annotators.index(name)
        n_units = int(own.sum())
        total = float((self.data.end[own] - self.data.start[own]).sum())
        return {
            "annotator": name,
            "value": apply(self.comparisons.with_annotator(name)).value,
            "n_units": n_units,
            "mean_length": total / n_units if n_units else None,
        }


def prepare(data: Data, *, step: float | None) -> Segmentations:
    """Make segmentations from spans; `step` is the size of an atom."""
    if isinstance(data, Ratings):
        raise DataError("these are labels of items, but segmentation needs a continuum; pass spans or segment masses")
    if isinstance(data, Normalizations):
        raise DataError(REWRITTEN)
    corpus = data
    marked, empty = without_empty_versions(corpus)
    found = cuts_from_units(marked, step=step)
    first, second = every_two(found.document)
    notes = ["labels are ignored"] if any(len(feature.labels) for feature in corpus.features.values()) else []
    if empty:
        named = listed([f"{who} in {where}" for who, where in empty], 5)
        notes.append(f"{plural(len(empty), 'version')} left out, in which nothing is marked: {named}")
    alone = int((np.bincount(found.document, minlength=1) == 1).sum())
    if alone and len(corpus.annotators) > 1:
        notes.append(f"{plural(alone, 'document')} left out, segmented by one annotator only")
    return Segmentations(corpus, SegmentationPairs(found, corpus.annotators, first, second), tuple(notes))


def as_segmentations(given: Any, *, rows: Rows = None) -> Data:
    """Convert user input into data; bare segment masses are still accepted, with a warning."""
    paths = isinstance(given, list | tuple) and all(isinstance(one, str | os.PathLike) for one in given)
    masses = isinstance(given, Mapping) or (isinstance(given, list | tuple) and not paths)
    if rows is not None or not masses:
        return as_data(given, rows=rows)
    warnings.warn(
        "segment masses should be passed as unisono.from_masses(...); bare lists will not be accepted in the next "
        "release",
        FutureWarning,
        stacklevel=4,
    )
    return from_masses(given)
