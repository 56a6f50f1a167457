"""Documents in batches: a corpus may be larger than memory."""

from __future__ import annotations

from itertools import pairwise

from unisono.arrays import IntArray

_MOST_DOCUMENTS = 125
"""Few enough that each of several workers has many batches, so that none waits long at the end."""
_MOST_UNITS = 20_000


def batches_of(n_units: IntArray) -> list[range]:
    """Split documents into batches, by their numbers of units: neither many documents nor many units at a time."""
    starts, documents, units = [0], 0, 0
    for index, n in enumerate(n_units.tolist()):
        if documents and (documents == _MOST_DOCUMENTS or units + n > _MOST_UNITS):
            starts.append(index)
            documents = units = 0
        documents, units = documents + 1, units + n
    return [range(first, last) for first, last in pairwise([*starts, len(n_units)])]
