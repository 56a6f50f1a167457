"""One annotator's units of one document, as errors change them, and the corpus that they become."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from unisono.arrays import BoolArray, FloatArray, IntArray
from unisono.data import Corpus
from unisono.data.anchors import Anchors, joined_anchors, tie_breakers
from unisono.data.labels import Feature
from unisono.data.spans import Positions

LEAST_SHARE = 0.01
"""A unit keeps at least this part of its length; where positions are whole numbers, it keeps at least 1."""


@dataclass(frozen=True, slots=True)
class UnitMarks:
    """Units in the order of their starts."""

    # shape (n_units,): positions; the end is exclusive
    start: FloatArray
    end: FloatArray
    codes: IntArray  # shape (n_features, n_units): labels of each feature; -1 where there is none
    bounds: tuple[float, float]  # where the continuum begins and ends
    whole: bool  # whether positions are whole numbers
    anchors: Anchors | None = None  # of relations, events and units in pieces; None if all units are plain

    @property
    def n_units(self) -> int:
        """Number of units."""
        return len(self.start)

    @property
    def limits(self) -> tuple[float, float]:
        """Where the continuum begins and ends, at whole positions if those of units are."""
        low, high = self.bounds
        return (float(np.ceil(low)), float(np.floor(high))) if self.whole else (low, high)

    @property
    def least(self) -> FloatArray:
        """The length that each unit keeps at least."""
        length = self.end - self.start
        return np.minimum(1.0 if self.whole else LEAST_SHARE * length, length)

    def take(self, index: IntArray | BoolArray) -> UnitMarks:
        """Return some of the units."""
        anchors = None if self.anchors is None else self.anchors.take(index)
        start, end = self.start[index], self.end[index]
        return replace(self, start=start, end=end, codes=self.codes[:, index], anchors=anchors)

    def with_anchors(self, anchors: Anchors) -> UnitMarks:
        """Return the units with other anchors, in order."""
        start, end = (np.asarray(side, np.float64) for side in anchors.hull)
        return replace(self, start=start, end=end, anchors=anchors).take(np.lexsort((end, start)))

    def placed(self, start: FloatArray, end: FloatArray) -> UnitMarks:
        """Return the units at other places: within the continuum, at whole positions if they were, and in order."""
        return self.remade(*self.fitted(start, end), np.arange(self.n_units))

    def fitted(self, start: FloatArray, end: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return other places for the units, within the continuum, at whole positions if those of units are."""
        low, high = self.limits
        start, end = np.minimum(start, end), np.maximum(start, end)
        start, end = np.clip(start, low, high), np.clip(end, low, high)
        if self.whole:
            start, end = np.rint(start), np.rint(end)
        least = self.least
        short = end - start < least  # a unit does not vanish
        fits = start + least <= high
        end = np.where(short & fits, start + least, end)
        start = np.where(short & ~fits, high - least, start)
        end = np.where(short & ~fits, high, end)
        return start, end

    def anywhere(self, length: FloatArray, rng: np.random.Generator) -> tuple[FloatArray, FloatArray]:
        """Draw places of these lengths in the continuum, all equally likely; return starts and ends."""
        low, high = self.limits
        length = np.minimum(length, high - low)
        free = high - low - length
        start = low + (np.floor(rng.random(len(length)) * (free + 1)) if self.whole else rng.random(len(length)) * free)
        start = np.minimum(start, high - length)
        return start, start + length

    def remade(
        self, start: Sequence[float] | FloatArray, end: Sequence[float] | FloatArray, origin: Sequence[int] | IntArray
    ) -> UnitMarks:
        """Return other units in order, each with the labels of the one of these from which it originates."""
        start, end, origin = np.array(start, np.float64), np.array(end, np.float64), np.array(origin, np.int64)
        order = np.lexsort((end, start))
        return replace(self, start=start[order], end=end[order], codes=self.codes[:, origin[order]])


def together(parts: Sequence[UnitMarks]) -> UnitMarks:
    """Put units of one continuum together."""
    start = np.concatenate([part.start for part in parts])
    end = np.concatenate([part.end for part in parts])
    order = np.lexsort((end, start))
    codes = np.concatenate([part.codes for part in parts], axis=1)[:, order]
    anchors = joined_anchors([(part.anchors, part.start, part.end) for part in parts])
    anchors = None if anchors is None else anchors.take(order)
    return replace(parts[0], start=start[order], end=end[order], codes=codes, anchors=anchors)


def rounded(number: float, rng: np.random.Generator) -> int:
    """Round up or down at random, so that the mean is right for few units too."""
    return int(number) + int(rng.random() < number - int(number))


def simulated_corpus(
    reference: Corpus,
    n_annotators: int,
    place: tuple[IntArray, IntArray],
    span: tuple[Positions, Positions],
    codes: IntArray,
    anchors: Anchors | None = None,
    **more: Any,
) -> Corpus:
    """Return what simulated annotators marked as a corpus.

    `place` is document and annotator of each unit, `span` its start and end, and `codes` the labels of the reference's
    features, shape (n_features, n_units); `anchors` are those of the units, if some have several, and `more` further
    fields of the corpus.
    """
    digits = len(str(n_annotators))  # so that the order of annotators is that of their names
    order = np.lexsort((*tie_breakers(anchors), *codes[::-1], span[1], span[0], place[1], place[0]))
    return Corpus(
        documents=reference.documents,
        annotators=tuple(f"annotator {number:0{digits}d}" for number in range(1, n_annotators + 1)),
        document=place[0][order],
        annotator=place[1][order],
        start=span[0][order],
        end=span[1][order],
        features={
            name: Feature(row[order], feature.labels)
            for row, (name, feature) in zip(codes, reference.features.items(), strict=True)
        },
        worked=np.ones((len(reference.documents), n_annotators), dtype=np.bool_),
        source=f"shuffled · {reference.source}",
        anchors=None if anchors is None else anchors.take(order).simplest(),
        **more,
    )
