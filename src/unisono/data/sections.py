"""Sections: the units and gaps that annotators cut continua into (Krippendorff 1995)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from unisono.arrays import BoolArray, ComparedByContent, FloatArray, IntArray, run
from unisono.data.labelled_units import LabelledUnits
from unisono.data.meetings import meetings

GAP = 0
"""The category of what an annotator did not mark."""


@dataclass(frozen=True, slots=True, eq=False)
class Sections(ComparedByContent):
    """Units and the gaps between them, which together cover each continuum once for each annotator.

    Sections are sorted by continuum, annotator and position; none is empty.
    """

    # shape (n_sections,): its continuum and its annotator
    continuum: IntArray
    annotator: IntArray
    category: IntArray  # shape (n_sections,): from 1 up; 0 is a gap
    # shape (n_sections,): positions
    start: FloatArray
    end: FloatArray
    length: FloatArray
    # shape (n_sections,): rank of the start along all continua; sections of different annotators that start together
    # have the same rank
    place: IntArray
    worked: BoolArray  # shape (n_continua, n_annotators): who worked on which continuum

    def rows(self, continuum: int) -> slice:
        """Return the rows of one continuum's sections."""
        return run(self.continuum, continuum, continuum + 1)


class Intersections(NamedTuple):
    """Where sections of two annotators intersect, in the order of meetings and, there, of positions."""

    # shape (n_intersections,): number of the meeting of two annotators on the continuum; see `meetings`
    meeting: IntArray
    # shape (n_intersections,): sections of the first and of the second annotator
    g: IntArray
    h: IntArray
    length: FloatArray  # shape (n_intersections,): |g ∩ h|, above 0


def document_sections(units: LabelledUnits) -> Sections:
    """Cut documents into units of any category and gaps; units of one annotator must not overlap."""
    return _sections(
        units.document, units.annotator, units.category, units.start, units.end, units.begin, units.finish, units.worked
    )


def category_sections(units: LabelledUnits) -> tuple[Sections, IntArray, IntArray]:
    """Cut documents anew for each category that occurs there: its units, and gaps between them.

    Returns the sections, one continuum per document and category, and the document and category of each continuum.
    """
    size = len(units.labels) + 1
    keys, continuum = np.unique(units.document * size + units.category, return_inverse=True)
    document, category = np.divmod(keys, size)
    order = np.lexsort((units.start, units.annotator, continuum))
    cut = _sections(
        continuum[order],
        units.annotator[order],
        units.category[order],
        units.start[order],
        units.end[order],
        units.begin[document],
        units.finish[document],
        units.worked[document],
    )
    return cut, document, category


def intersections(sections: Sections) -> Iterator[Intersections]:
    """Find, for each pair of annotators, which of their sections intersect and over what length; in portions.

    Both cut the same continua completely, so between two neighbouring cuts of either, one section of each
    meets: as many intersections as there are sections, not pairs of sections.
    """
    room = int(sections.place.max(initial=0)) + 1  # for each meeting, so that places of all are in one order
    for first, second in meetings(sections.continuum, sections.annotator, sections.worked).rows():
        of_first, of_second = (side.meeting * room + sections.place[side.row] for side in (first, second))
        cuts = np.sort(np.concatenate([of_first, of_second]), kind="stable")
        cuts = cuts[np.concatenate([[True], cuts[1:] != cuts[:-1]])[: len(cuts)]]
        at_first, at_second = (np.searchsorted(side, cuts, side="right") - 1 for side in (of_first, of_second))
        g, h = first.row[at_first], second.row[at_second]
        length = np.minimum(sections.end[g], sections.end[h]) - np.maximum(sections.start[g], sections.start[h])
        yield Intersections(first.meeting[at_first], g, h, length)


def places(continuum: IntArray, position: FloatArray) -> IntArray:
    """Rank positions along all continua, one after the other; the same place has the same rank."""
    order = np.lexsort((position, continuum))
    new = (continuum[order][1:] != continuum[order][:-1]) | (position[order][1:] != position[order][:-1])
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.concatenate([[0], np.cumsum(new)])[: len(order)]
    return place


def _sections(
    continuum: IntArray,
    annotator: IntArray,
    category: IntArray,
    start: FloatArray,
    end: FloatArray,
    begin: FloatArray,
    finish: FloatArray,
    worked: BoolArray,
) -> Sections:
    """Put gaps before, between and after units that are sorted by continuum, annotator and position."""
    long = end > start
    continuum, annotator, category = continuum[long], annotator[long], category[long]
    start, end = start[long], end[long]
    group = continuum * worked.shape[1] + annotator
    first = np.concatenate([[True], group[1:] != group[:-1]])[: len(group)]
    last = np.roll(first, -1)
    since = np.where(first, begin[continuum], np.roll(end, 1))
    tail_continuum, tail_annotator = np.nonzero(worked)
    tail_start = begin[tail_continuum]
    tail_start[np.searchsorted(tail_continuum * worked.shape[1] + tail_annotator, group[last])] = end[last]
    where = np.concatenate([continuum, continuum, tail_continuum])
    who = np.concatenate([annotator, annotator, tail_annotator])
    what = np.concatenate([category, np.full(len(group) + len(tail_start), GAP, dtype=np.int64)])
    low = np.concatenate([start, since, tail_start])
    high = np.concatenate([end, start, finish[tail_continuum]])
    order = np.lexsort((low, who, where))
    order = order[high[order] > low[order]]
    where, who, what, low, high = where[order], who[order], what[order], low[order], high[order]
    return Sections(where, who, what, low, high, high - low, places(where, low), worked)
