"""Meetings: each pair of annotators of the same document, and the rows that each of the two has there.

Of many annotators, most never work on the same document; time grows with those that do.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from unisono.arrays import BoolArray, IntArray, run

_AT_ONCE = 2**18
"""This many rows are compared at a time."""


class MeetingRows(NamedTuple):
    """Rows of one side of some meetings, sorted by meeting."""

    meeting: IntArray  # shape (n_rows,): the meeting
    row: IntArray  # shape (n_rows,): the row


@dataclass(frozen=True, slots=True)
class Meetings:
    """Each pair of annotators on each document that both worked on, sorted by document."""

    # shape (n_meetings,): where, and who; the first annotator comes before the second
    document: IntArray
    first: IntArray
    second: IntArray
    # shape (2, n_meetings): where the rows of the first and of the second annotator start there, and how many there are
    begin: IntArray
    n_rows: IntArray

    def of_document(self, document: int) -> slice:
        """Return the meetings on one document."""
        return run(self.document, document, document + 1)

    def rows(self) -> Iterator[tuple[MeetingRows, MeetingRows]]:
        """Return the rows of the first and of the second annotators, some meetings at a time."""
        portion = np.cumsum(self.n_rows.sum(axis=0)) // _AT_ONCE
        edges = [0, *(np.flatnonzero(np.diff(portion)) + 1).tolist(), len(portion)]
        for low, high in pairwise(edges):
            yield self._side(0, low, high), self._side(1, low, high)

    def _side(self, side: int, low: int, high: int) -> MeetingRows:
        begin, n_rows = self.begin[side, low:high], self.n_rows[side, low:high]
        return MeetingRows(np.repeat(np.arange(low, high), n_rows), ranges(begin, n_rows))


def meetings(document: IntArray, annotator: IntArray, worked: BoolArray) -> Meetings:
    """Find all meetings; rows are sorted by document, then annotator, and who worked somewhere may have none there."""
    where, who = np.nonzero(worked)
    ends = where * worked.shape[1] + who
    begin, end = (
        np.searchsorted(document * worked.shape[1] + annotator, ends, side=side) for side in ("left", "right")
    )
    both = np.stack(every_two(where))
    return Meetings(where[both[0]], who[both[0]], who[both[1]], begin[both], (end - begin)[both])


def every_two(group: IntArray) -> tuple[IntArray, IntArray]:
    """List each pair of members of the same group, sorted by the first; members of a group are adjacent."""
    begin = np.flatnonzero(np.diff(group, prepend=-1))
    sizes = np.diff(np.append(begin, len(group)))
    first, second = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
    for size in np.unique(sizes).tolist():
        one, other = np.triu_indices(size, 1)
        of_this_size = begin[sizes == size, None]
        first.append((of_this_size + one).ravel())
        second.append((of_this_size + other).ravel())
    order = np.argsort(np.concatenate(first), kind="stable")
    return np.concatenate(first)[order], np.concatenate(second)[order]


def ranges(begin: IntArray, counts: IntArray) -> IntArray:
    """Return begin, begin + 1, … of each range, one range after another."""
    skipped = begin - (np.cumsum(counts) - counts)
    return np.asarray(np.arange(int(counts.sum())) + np.repeat(skipped, counts))
