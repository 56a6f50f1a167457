"""What data of all kinds have in common: annotators who worked on documents, and what counts as the same data."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from hashlib import blake2b
from typing import Any

import numpy as np
import numpy.typing as npt

from unisono.arrays import BoolArray, IntArray


class Annotations(ABC):
    """What annotators did; equal to other data with the same content, regardless of order and source."""

    documents: tuple[str, ...]
    annotators: tuple[str, ...]
    document: IntArray  # index into `documents`, of each unit or item

    @property
    @abstractmethod
    def unit_counts(self) -> IntArray:
        """How many units or labels each annotator has in each document; shape (n_documents, n_annotators)."""

    @property
    @abstractmethod
    def _sizes(self) -> tuple[Any, ...]:
        """What equal data has in common and is quickly compared."""

    @property
    @abstractmethod
    def _content(self) -> Any:
        """Everything that is compared."""

    @abstractmethod
    def _tables(self) -> Iterator[npt.NDArray[Any]]:
        """Return what is in each document, one row per unit or item, regardless of names."""

    def contents(self) -> npt.NDArray[np.bytes_]:
        """Return a digest of what is in each document, whatever it and its annotators are called, in whatever order."""
        ordered = (table[np.lexsort(table.T[::-1])] if table.size else table for table in self._tables())
        digests = (blake2b(np.ascontiguousarray(table).tobytes(), digest_size=16).digest() for table in ordered)
        return np.fromiter(digests, "S16", count=len(self.documents))

    def __eq__(self, other: object) -> bool:
        """Whether both contain the same data, regardless of order and source."""
        if not isinstance(other, type(self)):
            return False  # and not NotImplemented, for arrays and frames would compare each of their cells
        return self is other or (self._sizes == other._sizes and bool(self._content == other._content))

    def __hash__(self) -> int:
        return hash(self._sizes)


class Itemized(Annotations):
    """What annotators gave to items that all of them were shown: rows are items, columns annotators."""

    repeats: IntArray | None = None  # shape (n_items,): how often each item occurs; None: once each

    @property
    @abstractmethod
    def cells(self) -> IntArray:
        """What annotators gave, as codes; -1 where they gave nothing. Shape (n_items, n_annotators)."""

    @property
    def times(self) -> IntArray:
        """How many items each row stands for."""
        return np.ones(len(self.cells), np.int64) if self.repeats is None else self.repeats

    @property
    def n_given(self) -> IntArray:
        """How many annotators gave something to each item."""
        return np.asarray((self.cells >= 0).sum(axis=1))

    @property
    def n_units(self) -> int:
        """Number of labels, or of normalizations, given."""
        return int(self.n_given @ self.times)

    def n_units_of(self, annotator: str) -> int:
        """Return how many of them an annotator gave."""
        return int((self.cells[:, self.annotators.index(annotator)] >= 0) @ self.times)

    def _tables(self) -> Iterator[IntArray]:
        order = np.argsort(self.document, kind="stable")
        ends = np.cumsum(np.bincount(self.document, minlength=len(self.documents)))
        return (np.sort(self.cells[rows], axis=1) for rows in np.split(order, ends[:-1]))

    @property
    def unit_counts(self) -> IntArray:
        """See `Annotations`."""
        counts = np.zeros((len(self.documents), len(self.annotators)), np.int64)
        np.add.at(counts, self.document, (self.cells >= 0) * self.times[:, None])
        return counts

    @property
    def worked(self) -> BoolArray:
        """Who gave something in which document; shape (n_documents, n_annotators)."""
        return np.asarray(self.unit_counts > 0)
