"""Which units of two annotators can be matched, and the best way to match them one to one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from unisono.arrays import FloatArray, IntArray, run
from unisono.data.labelled_units import LabelledUnits
from unisono.data.meetings import MeetingRows, Meetings, meetings, ranges
from unisono.data.sections import places
from unisono.kernels.assignment import best_matching
from unisono.kernels.switch import expect_work
from unisono.measurement.categorization.counts import sums_by, tally
from unisono.measurement.unitizing.units import UnitsPrepared, UnitStatistics, units_of

Saving: TypeAlias = Callable[[LabelledUnits, IntArray, IntArray], FloatArray]
"""units, u, v -> what matching unit u with unit v is worth, pair by pair; 0 if they cannot be matched."""


class Matched(NamedTuple):
    """Units that are matched, sorted by meeting: the meeting, a unit of each annotator, what matching them saves."""

    meeting: IntArray
    u: IntArray
    v: IntArray
    saving: FloatArray


class ByCategory(NamedTuple):
    """Pairs of annotators and categories, sorted by category: what matching saves, and how many units both have."""

    category: IntArray
    saved: FloatArray
    n_units: FloatArray


def prepare(data: Any, *, feature: str | None) -> SpansPrepared:
    """Use the units of a corpus, whether they overlap or not."""
    return SpansPrepared(units_of(data, feature), extent=False, lengths=False)


@dataclass(frozen=True)
class SpansPrepared(UnitsPrepared):
    """Units of a corpus that are matched between annotators (see `Prepared`)."""

    def statistics(self, document: int | None = None) -> Matches:
        """Return the matches of one document, or of all."""
        return Matches(self, document)

    @cached_property
    def meetings(self) -> Meetings:
        """Who meets whom; rows are units."""
        return meetings(self.units.document, self.units.annotator, self.units.worked)

    @cached_property
    def n_by_category(self) -> tuple[IntArray, FloatArray]:
        """Number of units of both annotators by meeting and category: keys (meeting, category), sorted, and numbers."""
        size = len(self.units.labels)
        found = [(np.zeros(0, np.int64), np.zeros(0))]
        for sides in self.meetings.rows():
            keys = np.concatenate([side.meeting * size + self.units.category[side.row] - 1 for side in sides])
            found.append(tally(keys, None, len(self.meetings.document) * size))
        keys, counts = (np.concatenate(parts) for parts in zip(*found, strict=True))
        return keys, counts

    @cached_property
    def touching(self) -> tuple[IntArray, IntArray, IntArray]:
        """All units of different annotators that overlap, or are the same: meeting, unit, other unit."""
        found = [*_touching(self.units, self.meetings)]
        empty = np.zeros(0, np.int64)
        meeting, unit, other = (np.concatenate([empty, *(part[i] for part in found)]) for i in range(3))
        return meeting, unit, other

    @cached_property
    def _matched(self) -> dict[str, Matched]:
        return {}

    def matched(self, name: str, saving: Saving) -> Matched:
        """Match the units of each pair of annotators for the greatest total saving; each kind is computed once."""
        if name not in self._matched:
            meeting, u, v = self.touching
            worth = saving(self.units, u, v)
            useful = worth > 0
            expect_work(int(useful.sum()), 2)
            self._matched[name] = _best(Matched(meeting[useful], u[useful], v[useful], worth[useful]), self.n_units)
        return self._matched[name]


class Matches(UnitStatistics[SpansPrepared]):
    """What is matched in one document, or in all."""

    @property
    def pairs(self) -> IntArray:
        """The pairs of annotators who worked on the same document, shape (n_pairs, 2)."""
        return np.stack(np.divmod(self._pairs[0], self.units.worked.shape[1]), axis=1)

    @cached_property
    def n_units(self) -> IntArray:
        """How many units both have in documents that both worked on; shape (n_pairs, 2)."""
        counts = self.prepared.meetings.n_rows[:, self._here]
        sums = [self._of_pairs(self._here.start + np.arange(len(one)), one) for one in counts]
        return np.stack(sums, axis=1).astype(np.int64)

    def saved(self, name: str, saving: Saving) -> FloatArray:
        """Return what the best matches save, summed for each of `pairs`."""
        matched, some = self._matched(name, saving)
        return self._of_pairs(matched.meeting[some], matched.saving[some])

    def by_category(self, name: str, saving: Saving) -> ByCategory:
        """Return the same for each category of the first annotators' units, and how many units of it there are."""
        n_pairs, n_categories = len(self._pairs[0]), len(self.units.labels)
        keys, counts = self.prepared.n_by_category
        here = run(keys, self._here.start * n_categories, self._here.stop * n_categories)
        meeting, category = np.divmod(keys[here], n_categories)
        keys, n_units = tally(category * n_pairs + self._pair(meeting), counts[here], n_categories * n_pairs)
        matched, some = self._matched(name, saving)
        category = self.units.category[matched.u[some]] - 1
        place = np.searchsorted(keys, category * n_pairs + self._pair(matched.meeting[some]))
        return ByCategory(keys // n_pairs, sums_by(place, matched.saving[some], len(keys)), n_units)

    def _matched(self, name: str, saving: Saving) -> tuple[Matched, slice]:
        """Return the matches, and which of them are here."""
        matched = self.prepared.matched(name, saving)
        return matched, run(matched.meeting, self._here.start, self._here.stop)

    def _of_pairs(self, meeting: IntArray, weights: FloatArray | IntArray) -> FloatArray:
        """Add up weights of meetings for each pair of annotators."""
        return sums_by(self._pair(meeting), weights, len(self._pairs[0]))

    def _pair(self, meeting: IntArray) -> IntArray:
        return np.asarray(self._pairs[1][meeting - self._here.start])

    @cached_property
    def _here(self) -> slice:
        """The meetings."""
        everywhere = self.prepared.meetings
        return slice(0, len(everywhere.document)) if self.document is None else everywhere.of_document(self.document)

    @cached_property
    def _pairs(self) -> tuple[IntArray, IntArray]:
        """The distinct pairs of annotators, sorted, and the pair of each meeting."""
        first, second = self.prepared.meetings.first[self._here], self.prepared.meetings.second[self._here]
        pairs, pair = np.unique(first * self.units.worked.shape[1] + second, return_inverse=True)
        return pairs, pair.reshape(-1)


class _Laid(NamedTuple):
    """Units of one side of some meetings, one meeting after another: which, and where they start and end."""

    which: IntArray
    first: IntArray
    last: IntArray

    def empty(self, yes: bool) -> _Laid:
        """Keep the units of length 0, or all others."""
        keep = (self.first == self.last) == yes
        return _Laid(self.which[keep], self.first[keep], self.last[keep])


def _touching(units: LabelledUnits, everybody: Meetings) -> Iterator[tuple[IntArray, IntArray, IntArray]]:
    """List the units of each pair of annotators that share a place, or are both empty and at the same place.

    Two units overlap if one starts within the other. Places are numbered along all documents, so that the units that
    start within another are neighbours in the order of starts.
    """
    place = places(np.tile(units.document, 2), np.concatenate([units.start, units.end]))
    first, last = place[: units.n_units], place[units.n_units :]
    room = int(place.max(initial=0)) + 1  # for each meeting, so that none reaches into the next

    def laid(side: MeetingRows) -> _Laid:
        shift = side.meeting * room
        return _Laid(np.arange(len(shift)), shift + first[side.row], shift + last[side.row])

    for sides in everybody.rows():
        mine, theirs = map(laid, sides)
        for i, j in (
            _starting_within(mine.empty(False), theirs.empty(False)),
            _starting_within(theirs.empty(False), mine.empty(False), later=1)[::-1],
            _starting_within(mine.empty(True), theirs.empty(True), longer=1),
        ):
            yield sides[0].meeting[i], sides[0].row[i], sides[1].row[j]


def _starting_within(starting: _Laid, around: _Laid, later: int = 0, longer: int = 0) -> tuple[IntArray, IntArray]:
    """Pair units of one kind with those of the other that they start within; both are sorted by start."""
    low = np.searchsorted(starting.first, around.first + later, side="left")
    high = np.maximum(np.searchsorted(starting.first, around.last + longer, side="left"), low)
    return starting.which[ranges(low, high - low)], np.repeat(around.which, high - low)


def _best(edges: Matched, n_units: int) -> Matched:
    """Choose the edges of the best matching, each meeting separately; sorted by meeting."""
    rows, row = np.unique(edges.meeting * n_units + edges.u, return_inverse=True)
    columns, column = np.unique(edges.meeting * n_units + edges.v, return_inverse=True)
    order = np.lexsort((column, row))
    row, column = row[order], column[order]
    column_of = best_matching(np.searchsorted(row, np.arange(len(rows) + 1)), column, edges.saving[order], len(columns))
    chosen = order[column == column_of[row]]
    return Matched(edges.meeting[chosen], edges.u[chosen], edges.v[chosen], edges.saving[chosen])
