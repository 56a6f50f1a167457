"""What data of all kinds have in common: annotators who worked on documents, and what counts as the same data."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np

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
