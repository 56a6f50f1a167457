"""Documents with the same content, which have random numbers of their own nevertheless."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from unisono.arrays import FloatArray, IntArray
from unisono.chance.canonical import canonical_documents, written_codes
from unisono.data import Corpus, Document
from unisono.data.corpus import UnitColumns
from unisono.measurement.batching import batches_of

_AT_ONCE = 500


def repeated_contents(corpus: Corpus, features: Sequence[str]) -> dict[int, int]:
    """Return how many documents with the same content come before each document, of those with any.

    They are numbered in the order of their labels, and else as they come: see `content_keys`, whose keys are the digest
    of a document's content and this number. Few documents can be alike at all, and only those are looked at closely.
    """
    sizes, people = corpus.sizes, corpus.worked.sum(axis=1)
    # a corpus may be larger than memory
    pieces = [
        _outlines(corpus.columns_between(b.start, b.stop), sizes[b.start : b.stop], people[b.start : b.stop])
        for b in batches_of(sizes)
    ]
    outlines = np.concatenate(pieces) if pieces else np.zeros((0, 5))
    _, which, counts = np.unique(outlines, axis=0, return_inverse=True, return_counts=True)
    alike = np.flatnonzero(counts[which.reshape(-1)] > 1).tolist()
    found: dict[str, list[tuple[bytes, int]]] = {}
    for first in range(0, len(alike), _AT_ONCE):
        some = alike[first : first + _AT_ONCE]
        documents = canonical_documents([Document(corpus, index).annotation_set(features) for index in some])
        for index, document in zip(some, documents, strict=True):
            found.setdefault(document.digest, []).append((written_codes(document.units), index))
    return {index: n for same in found.values() for n, (_, index) in enumerate(sorted(same)) if n}


def _outlines(columns: UnitColumns, sizes: IntArray, n_annotators: IntArray) -> FloatArray:
    """Return numbers that are the same for documents with the same content, and rarely for others; one row each."""
    made = np.zeros((len(sizes), 5))
    made[:, 0], made[:, 1] = sizes, n_annotators
    if columns.start.dtype.kind == "f" or not len(columns.start):
        return made  # sums of fractions depend on rounding
    marked = np.flatnonzero(sizes)
    first = (np.cumsum(sizes) - sizes)[marked]
    low = np.minimum.reduceat(columns.start, first)
    begin, finish = (side - np.repeat(low, sizes[marked]) for side in (columns.start, columns.end))
    for place, column in enumerate((begin, finish, begin * (finish % 64)), start=2):
        made[marked, place] = np.add.reduceat(column, first)
    return made
