"""How much of the data a value is based on: documents and units that count, compared with all that were read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from unisono.arrays import IntArray
from unisono.data import Corpus, Data, Label, Normalizations, Ratings
from unisono.errors import plural


@dataclass(frozen=True)
class Coverage:
    """What a value is based on, and what was read."""

    # what the value is based on
    documents: int
    units: int
    # what was read
    documents_read: int
    units_read: int
    # the same for the items of ratings
    items: int | None = None
    items_read: int | None = None

    def in_words(self, unit: str) -> str:
        """Write the numbers out, with what was read if that is more; of one document with items, only the items."""
        documents, units = _of(self.documents, self.documents_read, "document"), _of(self.units, self.units_read, unit)
        if self.items is None or self.items_read is None:
            return f"{documents} ({units})"
        items = _of(self.items, self.items_read, "item")
        return f"{items} in {documents} ({units})" if self.documents_read > 1 else f"{items} ({units})"


def coverage_of(result: Any) -> Coverage:
    """Count the documents and units that a value is based on: those on which two annotators or more can agree."""
    read = len(result.data.documents), int(result.n_units)
    items = result.data.n_items if isinstance(result.data, Ratings) else None
    if result.value is None:
        return Coverage(*read, *read, items, items)
    if result.alignment:
        found = [one for one in result.documents if one.usable]
        found = found or [one for one in result.documents if one.value is not None]
        return Coverage(len(found), sum(one.n_units for one in found), *read)
    data = _as_measured(result)
    if isinstance(data, Corpus):
        shared = data.worked.sum(axis=1) >= 2
        n_shared = int(shared[data.document].sum())
        if result.n_units not in (n_shared, data.n_units):  # something other than units is counted
            return Coverage(int(shared.sum()), result.n_units, read[0], result.n_units)
        return Coverage(int(shared.sum()), n_shared, read[0], data.n_units)
    shared = data.n_given >= 2
    n_documents, n_units = len(np.unique(data.document[shared])), int((data.n_given * data.times)[shared].sum())
    return Coverage(n_documents, n_units, *read, None if items is None else int(data.times[shared].sum()), items)


def cannot_agree(data: Data) -> list[tuple[str, int]]:
    """Count what was read but allows no value: too few annotators worked on it, or nobody marked anything."""
    if isinstance(data, Corpus):
        few = data.worked.sum(axis=1) < 2
        empty = ~few & (np.bincount(data.document, minlength=len(data.documents)) == 0)
        found = [
            ("document", "with fewer than two annotators: no value", few),
            ("document", "in which nobody marked anything: no value, except from measures of length", empty),
        ]
        counts = [(what, why, int(which.sum())) for what, why, which in found]
    elif isinstance(data, Ratings):
        shared = int(data.times[data.n_given >= 2].sum())
        counts = [("item", "with fewer than two labels: no value", data.n_items - shared)]
    else:
        counts = [("word", "rewritten by fewer than two annotators: no value", int((data.n_given < 2).sum()))]
    return [(f"{what if n == 1 else what + 's'} {why}", n) for what, why, n in counts if n]


def label_counts(data: Data) -> dict[str, tuple[tuple[Label, ...], IntArray]]:
    """Return, for each feature, its labels and how often each annotator used them, shape (n_labels, n_annotators)."""
    people = len(data.annotators)
    found: dict[str, tuple[tuple[Label, ...], IntArray]] = {}
    if isinstance(data, Corpus):
        for name, column in data.features.items():
            counts = np.zeros((len(column.labels), people), np.int64)
            given = column.codes >= 0
            np.add.at(counts, (column.codes[given], data.annotator[given]), 1)
            found[name] = column.labels, counts
    elif isinstance(data, Ratings):
        counts = np.zeros((len(data.labels), people), np.int64)
        row, who = np.nonzero(data.codes >= 0)
        np.add.at(counts, (data.codes[row, who], who), data.times[row])
        found["label"] = data.labels, counts
    return found


def shared_items(data: Ratings | Normalizations) -> IntArray:
    """Count the items or words that both annotators of each pair labelled; shape (n_annotators, n_annotators)."""
    given = (data.cells >= 0).astype(np.int64)
    return np.asarray(given.T @ (given * data.times[:, None]))


def _of(some: int, read: int, what: str) -> str:
    return plural(read, what) if some == read else f"{some:,} of {plural(read, what)}"


def _as_measured(result: Any) -> Data:
    """Return the data as the formula counts it: spans may have become items, columns of words normalizations."""
    made = getattr(result.prepared, "ratings", getattr(result.prepared, "given", None))
    data: Data = result.data
    return made if isinstance(made, Ratings | Normalizations) and made.n_units == result.n_units else data
