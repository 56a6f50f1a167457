"""Where things stand in the picture of an alignment: the stretch shown, the lanes, the ticks of the axis."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from unisono.alignment.alignment import Alignment
from unisono.arrays import BoolArray, FloatArray
from unisono.checks import check_whole
from unisono.data import AnnotationSet
from unisono.errors import OptionError, mention


@dataclass(frozen=True)
class View:
    """The part of a continuum that is drawn."""

    first: float
    last: float
    """Where it begins and ends."""
    drawn: BoolArray
    """Bool array, shape (n_units,): the units that are drawn."""
    hidden: BoolArray
    """Bool array, shape (n_units,): the units inside that are not, because there are too many."""

    @property
    def n_left_out(self) -> int:
        """Number of units that are not drawn."""
        return int((~self.drawn).sum())


def choose_view(alignment: Alignment, first: float | None, last: float | None, most_units: int) -> View:
    """Take the requested stretch; if it has more than `most_units` units, the part of it with most disorder."""
    low, high = alignment.document.bounds
    begin, end = low if first is None else float(first), high if last is None else float(last)
    if not (math.isfinite(begin) and math.isfinite(end) and begin <= end):
        raise OptionError(f"expected a position before {mention('last')}, not {begin:g} and {end:g}", "first")
    check_whole(most_units, "most_units", low=1)
    units = alignment.annotations
    inside = touching(units, begin, end)
    if inside.sum() > most_units:
        begin, end = worst_stretch(alignment, begin, end, most_units)
        inside = touching(units, begin, end)
    drawn = _worst_units(alignment, inside, most_units) if inside.sum() > most_units else inside
    if begin == end:
        begin, end = begin - 0.5, end + 0.5
    return View(begin, end, drawn, inside & ~drawn)


def touching(units: AnnotationSet, first: float, last: float) -> BoolArray:
    """Find the units that overlap a stretch; those of zero length count at its ends too."""
    partly = (units.start < last) & (units.end > first)
    points = (units.start == units.end) & (units.start >= first) & (units.start <= last)
    found: BoolArray = partly | points
    return found


def worst_stretch(alignment: Alignment, first: float, last: float, most_units: int) -> tuple[float, float]:
    """Find the stretch with most disorder that begins with a unit and has at most so many units."""
    units = alignment.annotations
    inside = touching(units, first, last)
    starts = np.sort(units.start[inside])
    ends = units.end[inside]
    gone = np.sort(np.where(units.start[inside] == ends, np.nextafter(ends, np.inf), ends))
    begin = np.unique(np.maximum(starts, first))
    following = np.searchsorted(gone, begin, side="right") + most_units
    finish = np.append(starts, last)[np.minimum(following, len(starts))]
    where = _starts_of_rows(alignment)
    order = np.argsort(where, kind="stable")
    costs = np.append(0.0, np.cumsum(alignment.solution.cost[order]))
    held = np.searchsorted(where[order], finish) - np.searchsorted(where[order], begin)
    disorder = costs[np.searchsorted(where[order], finish)] - costs[np.searchsorted(where[order], begin)]
    possible = (finish > begin) & (held > 0)
    if not possible.any():
        return first, last
    best = int(np.argmax(np.where(possible, disorder, -1.0)))
    return float(begin[best]), float(finish[best])


def pack(spans: Sequence[tuple[float, float]], occupied: Iterable[tuple[int, float, float]] = ()) -> list[int]:
    """Give each span the first lane in which it overlaps nothing; of two nested spans the outer comes first."""
    lanes: list[list[tuple[float, float]]] = []
    for lane, x0, x1 in occupied:
        _put(lanes, lane, (x0, x1))
    places = [0] * len(spans)
    for index in sorted(range(len(spans)), key=lambda i: (spans[i][0], -spans[i][1])):
        lane = next((k for k, there in enumerate(lanes) if _fits(spans[index], there)), len(lanes))
        _put(lanes, lane, spans[index])
        places[index] = lane
    return places


def ticks(first: float, last: float, most: int) -> list[float]:
    """Return round positions between two ends, about `most` of them, 1, 2 or 5 times a power of ten apart."""
    rough = (last - first) / max(most, 1)
    if not rough > 0:
        return [first]
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough * (1 - 1e-9))
    begin, end = math.ceil(first / step - 1e-9), math.floor(last / step + 1e-9)
    digits = max(0, 1 - math.floor(math.log10(step)))
    return [round(k * step, digits) for k in range(begin, end + 1)]


def _starts_of_rows(alignment: Alignment) -> FloatArray:
    table = alignment.solution.table
    starts = np.where(table >= 0, alignment.annotations.start[table], np.inf)
    least: FloatArray = starts.min(axis=1)
    return least


def _worst_units(alignment: Alignment, inside: BoolArray, most_units: int) -> BoolArray:
    """Keep units of the worst unitary alignments, where even the shortest stretch is too crowded."""
    rows = alignment.solution.table[alignment.worst_first()].ravel()
    rows = rows[rows >= 0]
    kept = np.zeros(len(inside), dtype=np.bool_)
    kept[rows[inside[rows]][:most_units]] = True
    return kept


def _fits(span: tuple[float, float], there: Sequence[tuple[float, float]]) -> bool:
    return all(span[1] <= x0 + 0.01 or span[0] >= x1 - 0.01 for x0, x1 in there)


def _put(lanes: list[list[tuple[float, float]]], lane: int, span: tuple[float, float]) -> None:
    while len(lanes) <= lane:
        lanes.append([])
    lanes[lane].append(span)
