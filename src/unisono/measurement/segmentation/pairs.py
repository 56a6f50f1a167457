"""Segmentations that are compared pair by pair: the input of the measures of the family."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, NamedTuple

import numpy as np

from unisono.arrays import BoolArray, FloatArray, IntArray
from unisono.data import Corpus, Data, Normalizations, Ratings
from unisono.data.cuts import Cuts, cuts_from_units, from_masses
from unisono.data.meetings import every_two
from unisono.data.normalizations import REWRITTEN
from unisono.data.ratings import Rows
from unisono.errors import DataError, listed, plural
from unisono.formats.entry import as_data
from unisono.measurement.batching import batches_of
from unisono.measurement.sums import DocumentSums, SumsPrepared, Tables, document_sums, part_of
from unisono.results import Estimate, Table


@dataclass(frozen=True)
class SegmentationPairs:
    """Pairs of segmentations of the same document."""

    cuts: Cuts
    annotators: tuple[str, ...]
    # shape (n_pairs,): which segmentations are compared, each pair of a document once; sorted
    first: IntArray
    second: IntArray

    def directed(self) -> tuple[IntArray, IntArray, IntArray]:
        """Return (pair, reference, hypothesis), in both directions."""
        pair = np.arange(len(self.first))
        return np.tile(pair, 2), np.append(self.first, self.second), np.append(self.second, self.first)


class ComparedCuts(NamedTuple):
    """What a measure makes of comparisons: numbers by name, which are added up."""

    # shape (n_comparisons,): which two segmentations are compared; the first is the reference, if there is one
    to: IntArray
    of: IntArray
    numbers: Mapping[str, Any]  # arrays, of each comparison
    # arrays, of each segmentation: added up over those that are compared, and over those that are with another's
    of_each: Mapping[str, Any] = {}


@dataclass(frozen=True)
class ComparisonSums:
    """Sums over the comparisons of one document, or of several."""

    annotators: tuple[str, ...]
    sums: Tables
    only: int | None = None  # the annotator who takes part in all comparisons that count, if it is not all of them

    @property
    def undefined(self) -> str | None:
        """Why there can be no value, if nothing is compared."""
        return None if self.total(COMPARISONS) else "no document was segmented by two of the annotators"

    def with_annotator(self, name: str) -> ComparisonSums:
        """Keep the comparisons that one annotator is part of."""
        return replace(self, only=self.annotators.index(name))

    def total(self, name: str, reference: str | None = None) -> float:
        """Add up a number over all comparisons, or over those with a reference."""
        keys, values = self.sums[name]
        to, of = np.divmod(keys, len(self.annotators))
        keep = np.ones(len(keys), np.bool_) if self.only is None else (to == self.only) | (of == self.only)
        if reference is not None:
            keep &= to == (self.annotators.index(reference) if reference in self.annotators else -1)
        return float(values[keep].sum())

    def average(self, why: str, reference: str | None = None, **more: Any) -> Estimate:
        """Return the mean of the comparisons that have a value; `why` explains why the others have none."""
        n, n_defined = int(self.total(COMPARISONS, reference)), int(self.total("defined", reference))
        if not n_defined:
            return Estimate(None, undefined=why, **more)
        notes = (f"{plural(n - n_defined, 'comparison')} of {n:,} left out: {why}",) if n > n_defined else ()
        return Estimate(self.total("value", reference) / n_defined, notes=notes, **more)

    def by_annotator(self, name: str) -> FloatArray:
        """Add up a number over the segmentations of each annotator that are in a document with those that count."""
        n = len(self.annotators)
        which = n if self.only is None else self.only
        return self.sums[name].at(which * n + np.arange(n))

    @property
    def pairs(self) -> tuple[IntArray, IntArray]:
        """The pairs of annotators that are compared."""
        to, of = np.divmod(self.sums[COMPARISONS].key, len(self.annotators))
        keep = np.ones(len(to), np.bool_) if self.only is None else (to == self.only) | (of == self.only)
        return to[keep], of[keep]


COMPARISONS = "comparisons"


@dataclass(frozen=True)
class Segmentations(SumsPrepared):
    """A corpus of segmentations, ready for the measures (see `Prepared`)."""

    corpus: Corpus
    step: float | None
    compare: Callable[[SegmentationPairs], ComparedCuts]  # what is added up for the formula
    marked: BoolArray  # shape (n_documents, n_annotators): whose versions are segmentations

    @property
    def data(self) -> Corpus:
        """The corpus."""
        return self.corpus

    @property
    def n_units(self) -> int:
        """Number of segments."""
        return self.corpus.n_units

    @property
    def notes(self) -> tuple[str, ...]:
        """What was left out."""
        corpus = self.corpus
        notes = ["labels are ignored"] if any(len(feature.labels) for feature in corpus.features.values()) else []
        empty = np.argwhere(corpus.worked & ~self.marked).tolist()
        if empty:
            named = listed([f"{corpus.annotators[who]} in {corpus.documents[where]}" for where, who in empty], 5)
            notes.append(f"{plural(len(empty), 'version')} left out, in which nothing is marked: {named}")
        alone = int((self.marked.sum(axis=1) == 1).sum())
        if alone and len(corpus.annotators) > 1:
            notes.append(f"{plural(alone, 'document')} left out, segmented by one annotator only")
        return tuple(notes)

    @cached_property
    def comparisons(self) -> SegmentationPairs:
        """The pairs of segmentations of all documents."""
        return self._compared(range(len(self.corpus)))

    def gathered(self, documents: range) -> dict[str, DocumentSums]:
        """See `SumsPrepared`: keys are two annotators, or one."""
        part, found = part_of(self.corpus, documents), self._compared(documents)
        cuts, n = found.cuts, len(self.corpus.annotators)
        to, of, numbers, of_each = self.compare(found)
        length = (part.end - part.start).astype(np.float64)

        def by_pair(values: Any) -> DocumentSums:
            return document_sums(cuts.document[to], cuts.annotator[to] * n + cuts.annotator[of], values, n * n)

        tables = {
            COMPARISONS: by_pair(None),
            **{name: by_pair(values) for name, values in numbers.items()},
            "segments": document_sums(part.document, part.annotator, None, n),
            "length": document_sums(part.document, part.annotator, length, n),
        }
        if of_each:
            # who is in a document with whom; once more for all together
            with_whom = np.concatenate([cuts.annotator[found.first], cuts.annotator[found.second]])
            which = np.concatenate([found.second, found.first])
            compared = np.union1d(found.first, found.second)
            with_whom = np.concatenate([with_whom, cuts.annotator[compared], np.full(len(compared), n)])
            which = np.concatenate([which, compared, compared])
            key = with_whom * n + cuts.annotator[which]
            for name, values in of_each.items():
                tables[name] = document_sums(cuts.document[which], key, values[which], n * (n + 1))
        return tables

    def statistics_of(self, tables: Tables, document: int | None) -> ComparisonSums:
        """See `SumsPrepared`."""
        return ComparisonSums(self.corpus.annotators, tables)

    def tables(self, apply: Callable[[Any], Estimate]) -> Mapping[str, list[dict[str, Any]]]:
        """Return for each annotator the value with the others, the number of segments, and their mean length."""
        everything, n = self.statistics(), len(self.corpus.annotators)
        n_units, length = (self.sums.total[name].spread(n) for name in ("segments", "length"))
        rows = [
            {
                "annotator": name,
                "value": apply(everything.with_annotator(name)).value,
                "n_units": int(n_units[who]),
                "mean_length": float(length[who] / n_units[who]) if n_units[who] else None,
            }
            for who, name in enumerate(self.corpus.annotators)
        ]
        return {"annotators": rows}

    def matrices(self) -> list[Table]:
        """Return nothing: pairs are a table of the result."""
        return []

    def _compared(self, documents: range) -> SegmentationPairs:
        own = self.marked[documents.start : documents.stop]
        found = cuts_from_units(replace(part_of(self.corpus, documents), worked=own), step=self.step)
        return SegmentationPairs(found, self.corpus.annotators, *every_two(found.document))


def prepare(data: Data, *, step: float | None, compare: Callable[..., ComparedCuts], **own: Any) -> Segmentations:
    """Make segmentations from spans; `step` is the size of an atom, `compare` gives what is added up for a formula.

    A version in which nothing is marked is no segmentation: an annotator who sees no boundary marks the whole as one
    unit. If nothing is marked anywhere, all versions stay.
    """
    if isinstance(data, Ratings):
        raise DataError("these are labels of items, but segmentation needs a continuum; pass spans or segment masses")
    if isinstance(data, Normalizations):
        raise DataError(REWRITTEN)
    marked = data.worked
    if data.n_units:
        counts = [part_of(data, batch).unit_counts > 0 for batch in batches_of(data.sizes)]
        marked = data.worked & np.concatenate(counts)
    return Segmentations(data, step, partial(compare, **own), marked)


def at_once(data: Data, **parameters: Any) -> str:
    """See `Family`."""
    return "" if isinstance(data, Corpus) else "segmentation needs a continuum"


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
