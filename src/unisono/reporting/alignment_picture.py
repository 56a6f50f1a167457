"""What a picture of an alignment shows, and where each part of it stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from unisono.alignment.aligned import UnitaryAlignment
from unisono.alignment.alignment import Alignment
from unisono.data import Label, Unit
from unisono.reporting.alignment_layout import View, pack
from unisono.reporting.markup import text_width
from unisono.reporting.palette import CATEGORY_COLOURS, NO_CATEGORY, disorder_level

LANE = 20.0
LANE_GAP = 3.0
TRACK_PAD = 4.0
BAND = 30.0
ARC = 20.0
MARGIN = 14.0
GUTTER = 150.0
POINT = 4.0
SMALLEST = 2.5
NAME_SIZE = 13.0 * 1.12  # bold is wider


@dataclass(frozen=True)
class Bar:
    """A unit as it is drawn."""

    x0: float
    x1: float
    y: float

    @property
    def bottom(self) -> float:
        """Its lower edge."""
        return self.y + LANE


@dataclass(frozen=True)
class Picture:
    """An alignment, the part of it to draw, and where everything goes."""

    alignment: Alignment
    view: View
    width: float = 960.0

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The annotators, from top to bottom."""
        return self.alignment.document.annotators

    @cached_property
    def left(self) -> float:
        """Where the tracks begin; the names stand left of it."""
        widest = max((text_width(name, NAME_SIZE) for name in self.names), default=0.0)
        return MARGIN + min(widest, GUTTER) + 10

    @property
    def right(self) -> float:
        """Where the tracks end."""
        return self.width - MARGIN

    @property
    def step(self) -> float:
        """Pixels per position."""
        return (self.right - self.left) / (self.view.last - self.view.first)

    def x(self, position: float) -> float:
        """Return where a position is drawn; what is far outside stays near the edge."""
        place = self.left + (position - self.view.first) * self.step
        return min(max(place, self.left - 60), self.right + 60)

    @cached_property
    def rows(self) -> dict[int, UnitaryAlignment]:
        """The unitary alignments that have a unit drawn, by number."""
        table = self.alignment.solution.table
        shown = ((table >= 0) & self.view.drawn[table]).any(axis=1)
        return {row: self.alignment[row] for row in np.flatnonzero(shown).tolist()}

    @cached_property
    def units(self) -> dict[int, tuple[Unit, int]]:
        """Number of each unit concerned to the unit and the number of its unitary alignment."""
        table = self.alignment.solution.table
        return {
            int(table[row, track]): (unit, row)
            for row, group in self.rows.items()
            for track, unit in enumerate(group.units.values())
            if unit is not None
        }

    @cached_property
    def lane(self) -> dict[int, int]:
        """The lane of each unit that is drawn."""
        places: dict[int, int] = {}
        for track in range(len(self.names)):
            mine = [unit for unit in self._in_track(track) if self.view.drawn[unit]]
            places.update(zip(mine, pack([self._span(unit) for unit in mine]), strict=True))
        return places

    @cached_property
    def ghosts(self) -> list[tuple[int, int, float, float, int]]:
        """What most annotators marked but one did not: row, track, from, to, lane."""
        found = []
        for track, name in enumerate(self.names):
            missing = [
                (row, *_mean_span(group))
                for row, group in self.rows.items()
                if group.units[name] is None and n_real(group) > len(self.names) / 2
            ]
            spans = [(self.x(start), max(self.x(end), self.x(start) + SMALLEST)) for _, start, end in missing]
            occupied = [(self.lane[u], *self._span(u)) for u in self._in_track(track) if self.view.drawn[u]]
            lanes = pack(spans, occupied)
            found += [(row, track, *span, lane) for (row, _, _), span, lane in zip(missing, spans, lanes, strict=True)]
        return found

    @cached_property
    def tops(self) -> list[float]:
        """The upper edge of each track, and where the last one ends."""
        used = [1] * len(self.names)
        for unit, lane in self.lane.items():
            track = int(self.alignment.annotations.annotator[unit])
            used[track] = max(used[track], lane + 1)
        for _, track, _, _, lane in self.ghosts:
            used[track] = max(used[track], lane + 1)
        tops = [MARGIN]
        for n_lanes in used:
            tops.append(tops[-1] + self._track_height(n_lanes) + BAND)
        return tops

    @cached_property
    def headroom(self) -> float:
        """How much room there is above the bars of each lane for the arcs of units of several anchors."""
        return ARC if any(unit.anchors for unit, _ in self.units.values()) else 0.0

    def anchor_bars(self, number: int) -> list[Bar]:
        """Return the places of the anchors of a unit; none if the unit is a plain one."""
        y = self.bar(number).y
        return [Bar(*self.stretch(one.start, one.end), y) for one in self.units[number][0].anchors]

    def bar(self, unit: int) -> Bar:
        """Return the place of a unit."""
        track = int(self.alignment.annotations.annotator[unit])
        return Bar(*self._span(unit), self._lane_top(track, self.lane.get(unit, 0)))

    def ghost_bar(self, track: int, x0: float, x1: float, lane: int) -> Bar:
        """Return the place of a unit that is missing."""
        return Bar(x0, x1, self._lane_top(track, lane))

    def is_point(self, unit: int) -> bool:
        """Whether a unit has zero length."""
        it = self.alignment.annotations
        return bool(it.start[unit] == it.end[unit])

    @cached_property
    def feature(self) -> str | None:
        """The first feature compared; its labels colour the units."""
        return next(iter(self.alignment.dissimilarity.features), None)

    @cached_property
    def categories(self) -> Mapping[Label, int]:
        """Each category's number, the same for all documents of a corpus."""
        labels = () if self.feature is None else self.alignment.dissimilarity.labels[self.feature]
        return {label: number for number, label in enumerate(labels)}

    def category(self, unit: Unit) -> Label | None:
        """Return the label that colours a unit."""
        return None if self.feature is None else unit.features[self.feature]

    def colours(self, label: Label | None) -> tuple[str, str | None]:
        """Return a category's colour, and that of its stripe once all colours are in use."""
        if label is None:
            return (CATEGORY_COLOURS[0], None) if self.feature is None else (NO_CATEGORY, None)
        number = self.categories[label]
        turn = number // len(CATEGORY_COLOURS)
        stripe = None if turn == 0 else CATEGORY_COLOURS[(number + turn) % len(CATEGORY_COLOURS)]
        return CATEGORY_COLOURS[number % len(CATEGORY_COLOURS)], stripe

    def level(self, row: int) -> int:
        """Return the level of a unitary alignment's disorder."""
        return disorder_level(float(self.alignment.solution.cost[row]))

    def _in_track(self, track: int) -> list[int]:
        return [unit for unit in self.units if self.alignment.annotations.annotator[unit] == track]

    def _span(self, unit: int) -> tuple[float, float]:
        it = self.alignment.annotations
        return self.stretch(float(it.start[unit]), float(it.end[unit]))

    def stretch(self, start: float, end: float) -> tuple[float, float]:
        """Return where a stretch begins and ends in the picture; the shortest can still be seen."""
        x0, x1 = self.x(start), self.x(end)
        if start == end:
            return x0 - POINT, x0 + POINT
        return x0, max(x1, x0 + SMALLEST)

    def _lane_top(self, track: int, lane: int) -> float:
        return self.tops[track] + TRACK_PAD + lane * (self.headroom + LANE + LANE_GAP) + self.headroom

    def _track_height(self, n_lanes: int) -> float:
        return 2 * TRACK_PAD + n_lanes * (self.headroom + LANE) + (n_lanes - 1) * LANE_GAP


def _mean_span(group: UnitaryAlignment) -> tuple[float, float]:
    real = [unit for unit in group.units.values() if unit is not None]
    return sum(unit.start for unit in real) / len(real), sum(unit.end for unit in real) / len(real)


def n_real(group: UnitaryAlignment) -> int:
    """Count the units of a unitary alignment that are not empty."""
    return sum(unit is not None for unit in group.units.values())
