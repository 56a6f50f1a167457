"""Which units of two annotators can be matched, and the best way to match them one to one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from unisono.arrays import FloatArray, IntArray
from unisono.data.labelled_units import LabelledUnits
from unisono.data.meetings import MeetingRows, Meetings, meetings, ranges
from unisono.data.sections import places
from unisono.kernels.assignment import best_matching
from unisono.kernels.switch import expect_work
from unisono.measurement.sums import DocumentSums, Tables, document_sums
from unisono.measurement.unitizing.units import UnitStatistics, UnitSums, unit_frame

Saving: TypeAlias = Callable[[LabelledUnits, IntArray, IntArray], FloatArray]
"""units, u, v -> what matching unit u with unit v is worth, pair by pair; 0 if they cannot be matched."""
Ways: TypeAlias = Mapping[str, Saving]
"""Ways of matching by name."""


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


def prepare(data: Any, *, feature: str | None, ways: Callable[..., Ways], **own: Any) -> SpansPrepared:
    """Use the units of a corpus, whether they overlap or not; `ways` gives the ways of matching for a formula."""
    return SpansPrepared(unit_frame(data, feature), extent=False, lengths=False, ways=ways(**own))


@dataclass(frozen=True)
class SpansPrepared(UnitSums):
    """Units of a corpus that are matched between annotators (see `Prepared`)."""

    ways: Ways = field(default_factory=dict)
    crossed: tuple[str, ...] = ()  # ways of which the categories of matched units are counted against each other

    def statistics_of(self, tables: Tables, document: int | None) -> Matches:
        """See `SumsPrepared`."""
        return Matches(self.frame, tables, document)

    def added_up(self, units: LabelledUnits) -> dict[str, DocumentSums]:
        """Match the units of each pair of annotators, in each way, for the greatest total saving.

        Keys are pairs of annotators; in tables by category, categories and pairs.
        """
        everybody = meetings(units.document, units.annotator, units.worked)
        n_pairs, size = units.worked.shape[1] ** 2, len(units.labels) + 1
        pair = everybody.first * units.worked.shape[1] + everybody.second

        def by_pair(meeting: IntArray, weights: Any, category: Any = 0) -> DocumentSums:
            key = category * n_pairs + pair[meeting]
            return document_sums(everybody.document[meeting], key, weights, n_pairs * size)

        every = np.arange(len(pair))
        rows = [(side.meeting, units.category[side.row]) for sides in everybody.rows() for side in sides]
        meeting, category = (np.concatenate([np.zeros(0, np.int64), *column]) for column in _columns(rows, 2))
        found = {
            "pairs": by_pair(every, None),
            "first": by_pair(every, everybody.n_rows[0]),
            "second": by_pair(every, everybody.n_rows[1]),
            "categories": by_pair(meeting, None, category),
        }
        touching = _columns([*touching_units(units, everybody)], 3)
        where, u, v = (np.concatenate([np.zeros(0, np.int64), *column]) for column in touching)
        for name, saving in self.ways.items():
            worth = saving(units, u, v)
            useful = worth > 0
            expect_work(int(useful.sum()), 2)
            best = best_edges(Matched(where[useful], u[useful], v[useful], worth[useful]), units.n_units)
            found[f"saved {name}"] = by_pair(best.meeting, best.saving)
            found[f"saved {name}, categories"] = by_pair(best.meeting, best.saving, units.category[best.u])
            if name in self.crossed:
                key = (units.category[best.u] * size + units.category[best.v]) * n_pairs + pair[best.meeting]
                found[f"crossed {name}"] = document_sums(everybody.document[best.meeting], key, None, n_pairs * size**2)
        return found


def _columns(rows: list[Any], n: int) -> list[tuple[IntArray, ...]]:
    return [tuple(row[index] for row in rows) for index in range(n)]


class Matches(UnitStatistics):
    """What is matched in one document, or in several."""

    @property
    def annotators(self) -> tuple[str, ...]:
        """The annotators' names."""
        return self.frame.corpus.annotators

    @property
    def pairs(self) -> IntArray:
        """The pairs of annotators who worked on the same document, shape (n_pairs, 2)."""
        return np.stack(np.divmod(self._pairs, len(self.annotators)), axis=1)

    @cached_property
    def n_units(self) -> IntArray:
        """How many units both have in documents that both worked on; shape (n_pairs, 2)."""
        return np.stack([self.sums[side].at(self._pairs) for side in ("first", "second")], axis=1).astype(np.int64)

    def saved(self, name: str) -> FloatArray:
        """Return what the best matches save, summed for each of `pairs`."""
        return self.sums[f"saved {name}"].at(self._pairs)

    def by_category(self, name: str) -> ByCategory:
        """Return the same for each category of the first annotators' units, and how many units of it there are."""
        keys, n_units = self.sums["categories"]
        saved = self.sums[f"saved {name}, categories"].at(keys)
        return ByCategory(keys // len(self.annotators) ** 2 - 1, saved, n_units)

    def crossed(self, name: str) -> dict[int, FloatArray]:
        """Return how often matched units have each two categories, for each pair of annotators that has any."""
        sums, size = self.sums[f"crossed {name}"], self.frame.size
        categories, pair = np.divmod(sums.key, len(self.annotators) ** 2)
        found: dict[int, FloatArray] = {}
        for one in np.unique(pair).tolist():
            table = np.zeros(size**2)
            table[categories[pair == one]] = sums.value[pair == one]
            found[one] = table.reshape(size, size)
        return found

    @property
    def _pairs(self) -> IntArray:
        return self.sums["pairs"].key


class _Laid(NamedTuple):
    """Units of one side of some meetings, one meeting after another: which, and where they start and end."""

    which: IntArray
    first: IntArray
    last: IntArray

    def empty(self, yes: bool) -> _Laid:
        """Keep the units of length 0, or all others."""
        keep = (self.first == self.last) == yes
        return _Laid(self.which[keep], self.first[keep], self.last[keep])


def touching_units(units: LabelledUnits, everybody: Meetings) -> Iterator[tuple[IntArray, IntArray, IntArray]]:
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


def best_edges(edges: Matched, n_units: int) -> Matched:
    """Choose the edges of the best matching, each meeting separately; sorted by meeting."""
    rows, row = np.unique(edges.meeting * n_units + edges.u, return_inverse=True)
    columns, column = np.unique(edges.meeting * n_units + edges.v, return_inverse=True)
    order = np.lexsort((column, row))
    row, column = row[order], column[order]
    column_of = best_matching(np.searchsorted(row, np.arange(len(rows) + 1)), column, edges.saving[order], len(columns))
    chosen = order[column == column_of[row]]
    return Matched(edges.meeting[chosen], edges.u[chosen], edges.v[chosen], edges.saving[chosen])
