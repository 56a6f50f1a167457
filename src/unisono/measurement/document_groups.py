"""How many parts of the data can be left out, and which documents are left out together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from math import inf

import numpy as np
import numpy.typing as npt

from unisono.arrays import IntArray
from unisono.data import Corpus, Data

MOST_PARTS = 50
_MOST_WORK = ((30_000, MOST_PARTS), (300_000, 20), (inf, 10))
"""Up to this number of units, this many parts are left out; each time, all others are measured again."""


def affordable_parts(n_units: int) -> int:
    """Return how many parts can be left out one by one, if all others are measured again each time."""
    return next(parts for most, parts in _MOST_WORK if n_units <= most)


def n_units_by_document(data: Data) -> IntArray:
    """Return how many units or labels each document has."""
    return data.sizes if isinstance(data, Corpus) else np.asarray(data.unit_counts.sum(axis=1))


def grouped_documents(names: Sequence[str], n_units: int, *data: Data) -> list[list[str]]:
    """Put documents into as many groups as can be left out one by one; see `groups_of_documents`."""
    groups = groups_of_documents(len(names), n_units, [partial(_contents_of, one, names) for one in data])
    return [[names[index] for index in group.tolist()] for group in groups]


def groups_of_documents(
    n_documents: int, n_units: int, contents: Sequence[Callable[[], npt.NDArray[np.bytes_]]]
) -> list[IntArray]:
    """Put documents, by their numbers, into as many groups as can be left out one by one.

    Which ones are together depends on their content in all of the data, and neither on their order nor on names. They
    are mixed: documents with the same content must not be in one group more often than others.
    """
    n_groups = min(n_documents, affordable_parts(n_units))
    if n_groups == n_documents:
        return [*np.arange(n_documents)[:, None]]
    digests = np.sort(np.stack([np.full(n_documents, b"", "S16"), *(one() for one in contents)], axis=1), axis=1)
    mixed = np.lexsort(digests.T[::-1])[np.random.default_rng(0).permutation(n_documents)]
    which = np.arange(n_documents) * n_groups // max(n_documents, 1)
    return np.split(mixed, np.searchsorted(which, np.arange(1, n_groups)))


def _contents_of(data: Data, names: Sequence[str]) -> npt.NDArray[np.bytes_]:
    """Return digests of the content of some documents."""
    place = {name: index for index, name in enumerate(data.documents)}
    return np.asarray(data.contents()[[place[name] for name in names]])
