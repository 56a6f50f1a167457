"""Statistics that are sums over documents, gathered in batches of documents.

A family says once what it adds up for the documents of a batch: tables of numbers by key. The value of all documents,
of one, and of all but some follows from these. Numbers are added in the order of documents, one after the other, so
that sums do not depend on batches; where these are, in memory or in a folder, does not matter either.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from unisono.arrays import FloatArray, IntArray, run
from unisono.data import Corpus
from unisono.execution import Pool
from unisono.measurement.batching import batches_of
from unisono.measurement.ledger import Ledger


class Sums(NamedTuple):
    """Sums by key: sorted, and those that are 0 are left out."""

    key: IntArray
    value: FloatArray

    def spread(self, size: int) -> FloatArray:
        """Return the sum of each key from 0 to size - 1."""
        found = np.zeros(size)
        found[self.key] = self.value
        return found

    def at(self, keys: IntArray) -> FloatArray:
        """Return the sums of some keys."""
        if not len(self.key):
            return np.zeros(len(keys))
        place = np.minimum(np.searchsorted(self.key, keys), len(self.key) - 1)
        return np.where(self.key[place] == keys, self.value[place], 0.0)


Tables: TypeAlias = Mapping[str, Sums]
"""Sums by the name of what is added up."""

_NOTHING = Sums(np.zeros(0, np.int64), np.zeros(0))
_GROUPS = 50
"""So many groups of documents are left out in one pass over the batches."""


class DocumentSums(NamedTuple):
    """The same for each document of a batch, sorted by document, which is counted from the first of the batch."""

    document: IntArray
    key: IntArray
    value: FloatArray


@dataclass(frozen=True, eq=False)
class SummedBatch:
    """What is kept of some documents."""

    n_documents: int
    tables: Mapping[str, DocumentSums]

    def of(self, document: int) -> Tables:
        """Return the sums of one document, counted from the first of the batch."""
        found = {}
        for name, sums in self.tables.items():
            own = run(sums.document, document, document + 1)
            found[name] = Sums(sums.key[own], sums.value[own])
        return found


def document_sums(document: IntArray, key: IntArray, weights: FloatArray | None, size: int) -> DocumentSums:
    """Add up weights by document and key; keys are below `size`, and without weights each counts 1."""
    keys, sums = tally(document * size + key, weights, (int(document.max(initial=0)) + 1) * size)
    return DocumentSums(*np.divmod(keys, size), sums)


def tally(keys: IntArray, weights: Any, size: int) -> tuple[IntArray, FloatArray]:
    """Add up weights by key: the distinct keys, sorted, and the sums; keys are below `size`, sums of 0 are left out."""
    if can_be_tallied(size, len(keys)):
        distinct, place = np.arange(size), keys
    else:
        distinct, place = np.unique(keys, return_inverse=True)
    sums = np.bincount(place.reshape(-1), weights=weights, minlength=len(distinct)).astype(np.float64)
    return distinct[sums != 0], sums[sums != 0]


def can_be_tallied(size: int, n_keys: int) -> bool:
    """Whether keys are so small that they need not be sorted."""
    return size <= 4 * n_keys + 4096


def tally_parts(parts: Sequence[tuple[IntArray, FloatArray]], size: int) -> tuple[IntArray, FloatArray]:
    """Add up sums by key that were tallied part by part."""
    keys = np.concatenate([np.zeros(0, np.int64), *(keys for keys, _ in parts)])
    return tally(keys, np.concatenate([np.zeros(0), *(sums for _, sums in parts)]), size)


def sums_by(keys: IntArray, weights: FloatArray | IntArray, size: int) -> FloatArray:
    """Add up weights by key: a sum for each key from 0 to size - 1."""
    return np.asarray(np.bincount(keys, weights=weights, minlength=size), dtype=np.float64)


class BatchSums:
    """The batches of a corpus; each is made when it is first needed, or was kept in a ledger.

    Parameters
    ----------
    ranges : sequence of range
        The documents of each batch.
    make : callable
        Makes the batch of a range.
    """

    def __init__(self, ranges: Sequence[range], make: Callable[[range], SummedBatch]) -> None:
        self.ranges = ranges
        self._make = make
        self._kept: Sequence[SummedBatch] | None = None
        self._latest: tuple[int, SummedBatch] | None = None

    def keep(self, ledger: Ledger[SummedBatch], crew: Pool) -> None:
        """Make all batches that the ledger does not have yet, and keep them there instead of in memory."""
        self._kept = ledger.all(self.ranges, lambda batch: batch, self._make, crew)

    @property
    def batches(self) -> Sequence[SummedBatch]:
        """All batches."""
        if self._kept is None:
            self._kept = [self._make(batch) for batch in self.ranges]
        return self._kept

    @cached_property
    def total(self) -> Tables:
        """The sums over all documents."""
        found: dict[str, Sums] = {}
        for batch in self.batches:
            for name, sums in batch.tables.items():
                found[name] = _added(found.get(name, _NOTHING), sums.key, sums.value)
        return found

    def of(self, document: int) -> Tables:
        """Return the sums of one document."""
        number = int(np.searchsorted(self._firsts, document, side="right")) - 1
        if self._latest is None or self._latest[0] != number:
            self._latest = number, self.batches[number]
        return self._latest[1].of(document - self.ranges[number].start)

    def without(self, group: IntArray, n_groups: int) -> Iterator[Tables]:
        """Yield the sums over all documents but those of each group; those of group -1 always stay.

        What is left is added up, rather than taken from the total: what should be 0 would not be, otherwise.
        """
        for first in range(0, n_groups, _GROUPS):
            last = min(first + _GROUPS, n_groups)
            # from 1 up; 0 is for what stays
            yield from self._without(np.where((group >= first) & (group < last), group - first + 1, 0), last - first)

    def _without(self, group: IntArray, n_groups: int) -> Iterator[Tables]:
        found: dict[str, Sums] = {}
        for batch, place in zip(self.batches, self.ranges, strict=True):
            own = group[place.start : place.stop]
            for name, sums in batch.tables.items():
                keys = sums.key * (n_groups + 1) + own[sums.document]
                found[name] = _added(found.get(name, _NOTHING), keys, sums.value)
        parted = {name: (*np.divmod(sums.key, n_groups + 1), sums.value) for name, sums in found.items()}
        for number in range(1, n_groups + 1):
            yield {
                name: _added(_NOTHING, key[of != number], value[of != number])
                for name, (key, of, value) in parted.items()
            }

    @cached_property
    def _firsts(self) -> IntArray:
        return np.array([batch.start for batch in self.ranges], np.int64)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_latest": None}


class SumsPrepared(ABC):
    """A corpus whose statistics are sums over documents (see `Prepared`)."""

    @property
    @abstractmethod
    def data(self) -> Corpus:
        """The corpus."""

    @abstractmethod
    def gathered(self, documents: range) -> Mapping[str, DocumentSums]:
        """Add up what formulas need, for some documents (`part_of`)."""

    @abstractmethod
    def statistics_of(self, tables: Tables, document: int | None) -> Any:
        """Return the input of formulas: the sums of one document, or of several."""

    @cached_property
    def sums(self) -> BatchSums:
        """The sums of all documents."""
        return BatchSums(batches_of(self.data.sizes), self._batch)

    def statistics(self, document: int | None = None) -> Any:
        """Return the input of formulas, for one document or for all."""
        return self.statistics_of(self.sums.total if document is None else self.sums.of(document), document)

    def statistics_without(self, group: IntArray, n_groups: int) -> Iterator[Any]:
        """Yield the same for all documents but those of each group; those of group -1 always stay."""
        return (self.statistics_of(tables, None) for tables in self.sums.without(group, n_groups))

    def _batch(self, documents: range) -> SummedBatch:
        return SummedBatch(len(documents), self.gathered(documents))


def part_of(corpus: Corpus, documents: range) -> Corpus:
    """Return some documents, with the annotators and labels of all; the corpus itself if these are all."""
    return corpus if len(documents) == len(corpus) else corpus.part(documents.start, documents.stop)


def _added(before: Sums, key: IntArray, value: FloatArray) -> Sums:
    keys = np.concatenate([before.key, key])
    return Sums(*tally(keys, np.concatenate([before.value, value]), int(keys.max(initial=-1)) + 1))
