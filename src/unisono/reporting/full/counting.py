"""How much of the data a value is of: documents and units that count, apart from all that were read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from unisono.arrays import BoolArray, IntArray
from unisono.data import Corpus, Data, Normalizations, Ratings
from unisono.errors import plural
from unisono.measurement.disorder.result import DisorderResult


@dataclass(frozen=True)
class Counts:
    """What was measured, and what was read.

    Attributes
    ----------
    documents, units : int
        What the value is of.
    documents_read, units_read : int
        What was read.
    items, items_read : int or None
        Of ratings, the items that the value is of, and all.
    """

    documents: int
    units: int
    documents_read: int
    units_read: int
    items: int | None = None
    items_read: int | None = None

    @property
    def differ(self) -> bool:
        """Whether more was read than measured."""
        return (self.documents, self.units) != (self.documents_read, self.units_read)

    def said(self, unit: str) -> str:
        """Write them in words, what was read too where that is more; of one document with items, the items only."""
        if self.items is not None and self.items_read is not None:
            where = f" in {_of(self.documents, self.documents_read, 'document')}" if self.documents_read > 1 else ""
            return f"{_of(self.items, self.items_read, 'item')}{where} ({plural(self.units, unit)})"
        some = f"{plural(self.documents, 'document')} ({plural(self.units, unit)}"
        read = f"of {plural(self.documents_read, 'document')}, {plural(self.units_read, unit)} read"
        return f"{some}; {read})" if self.differ else f"{some})"


def counts_of(result: Any) -> Counts:
    """Count documents and units that a value is of: those on which two annotators or more can agree."""
    read = len(result.data.documents), int(result.n_units)
    items = result.data.n_items if isinstance(result.data, Ratings) else None
    if result.value is None:
        return Counts(*read, *read, items, items)
    if isinstance(result, DisorderResult):
        found = [one for one in result.documents if one.usable]
        found = found or [one for one in result.documents if one.value is not None]
        return Counts(len(found), sum(one.n_units for one in found), *read)
    data = _as_measured(result)
    if isinstance(data, Corpus):
        shared = data.worked.sum(axis=1) >= 2
        n_shared = int(shared[data.document].sum())
        if result.n_units not in (n_shared, data.n_units):  # something else is counted
            return Counts(int(shared.sum()), result.n_units, read[0], result.n_units)
        return Counts(int(shared.sum()), n_shared, read[0], data.n_units)
    shared = _shared(data)
    n_documents, n_units = len(np.unique(data.document[shared])), int(_given(data)[shared].sum())
    return Counts(n_documents, n_units, *read, None if items is None else int(_times(data)[shared].sum()), items)


def cannot_agree(data: Data) -> list[tuple[str, int]]:
    """Count what was read but cannot show agreement: too few annotators worked on it, or nobody marked anything."""
    if isinstance(data, Corpus):
        few = data.worked.sum(axis=1) < 2
        empty = ~few & (np.bincount(data.document, minlength=len(data.documents)) == 0)
        found = [
            ("document", "with fewer than two annotators: no value", few),
            ("document", "in which nobody marked anything: no value, but by measures of length", empty),
        ]
        counts = [(what, why, int(which.sum())) for what, why, which in found]
    elif isinstance(data, Ratings):
        shared = int(_times(data)[_shared(data)].sum())
        counts = [("item", "with fewer than two labels: no value", data.n_items - shared)]
    else:
        counts = [("word", "with fewer than two who rewrote it: no value", int((~_shared(data)).sum()))]
    return [(f"{what if n == 1 else what + 's'} {why}", n) for what, why, n in counts if n]


def _of(some: int, read: int, what: str) -> str:
    return plural(read, what) if some == read else f"{some:,} of {plural(read, what)}"


def _as_measured(result: Any) -> Data:
    """Give the data as the formula counts it: spans may have become items, columns of words normalizations."""
    made = getattr(result.prepared, "ratings", getattr(result.prepared, "given", None))
    data: Data = result.data
    return made if isinstance(made, Ratings | Normalizations) and made.n_units == result.n_units else data


def _given(data: Ratings | Normalizations) -> IntArray:
    """Count the labels of each row."""
    return np.asarray((_cells(data) >= 0).sum(axis=1) * _times(data))


def _shared(data: Ratings | Normalizations) -> BoolArray:
    """Tell which rows two annotators or more labelled."""
    return np.asarray((_cells(data) >= 0).sum(axis=1) >= 2)


def _times(data: Ratings | Normalizations) -> IntArray:
    """Say how many items each row stands for."""
    repeats = data.repeats if isinstance(data, Ratings) else None
    return np.ones(len(_cells(data)), np.int64) if repeats is None else repeats


def _cells(data: Ratings | Normalizations) -> IntArray:
    return data.codes if isinstance(data, Ratings) else data.norm
