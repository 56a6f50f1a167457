"""Documents in batches: a corpus may be larger than memory."""

from __future__ import annotations

from itertools import pairwise

from unisono.arrays import IntArray

_MOST_DOCUMENTS = 125
"""Few enough that each of several workers has many batches, so that none waits long at the end."""
_MOST_UNITS = 20_000


def batches_of(sizes: IntArray, most: int = _MOST_UNITS) -> list[range]:
    """Split documents into batches, by their sizes, such as numbers of units: neither many nor large ones at a time."""
    starts, documents, total = [0], 0, 0
    for index, size in enumerate(sizes.tolist()):
        if documents and (documents == _MOST_DOCUMENTS or total + size > most):
            starts.append(index)
            documents = total = 0
        documents, total = documents + 1, total + size
    return [range(first, last) for first, last in pairwise([*starts, len(sizes)])]
