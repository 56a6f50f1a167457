"""The units that several annotators put on one continuum, as arrays to compute with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from unisono.arrays import ComparedByContent, FloatArray, IntArray
from unisono.data.anchors import Anchors, joined_anchors, tie_breakers


@dataclass(frozen=True, slots=True, eq=False)
class AnnotationSet(ComparedByContent):
    """An annotation set (Mathet et al. 2015, §4.3): one continuum, n annotators, their units.

    Units are sorted by annotator, then start, end, labels and anchors, so that equal data is equal whatever its
    order in a file.
    """

    # shape (n_units,): positions; the end is exclusive
    start: FloatArray
    end: FloatArray
    annotator: IntArray  # shape (n_units,): who made the unit, 0 … n_annotators - 1
    codes: IntArray  # shape (n_features, n_units): the labels of each feature
    n_annotators: int  # all who worked on the continuum, including those who marked nothing
    bounds: tuple[float, float]  # where the continuum starts and ends
    inferred: bool = False  # whether that was guessed from the units
    anchors: Anchors | None = None  # of relations, events and units in pieces; None if all units are plain

    @property
    def n_units(self) -> int:
        """Number of units of all annotators."""
        return len(self.start)

    @property
    def mean_units(self) -> float:
        """x̄, the mean number of units per annotator."""
        return self.n_units / self.n_annotators


def sorted_set(
    start: FloatArray,
    end: FloatArray,
    annotator: IntArray,
    codes: IntArray,
    n_annotators: int,
    bounds: tuple[float, float],
    inferred: bool = False,
    anchors: Anchors | None = None,
) -> AnnotationSet:
    """Make an annotation set from units in any order."""
    order = np.lexsort((*tie_breakers(anchors), *codes[::-1], end, start, annotator))
    return AnnotationSet(
        start[order],
        end[order],
        annotator[order],
        np.ascontiguousarray(codes[:, order]),
        n_annotators,
        bounds,
        inferred,
        None if anchors is None else anchors.take(order),
    )


@dataclass(frozen=True, slots=True)
class Stack:
    """Annotation sets with the same number of annotators, one after another, to be aligned each on its own.

    Units are sorted by set, then as in an `AnnotationSet`.
    """

    # as in an `AnnotationSet`
    start: FloatArray
    end: FloatArray
    codes: IntArray
    n_annotators: int
    begin: IntArray  # shape (n_sets · n_annotators + 1,): where the units of each annotator of each set begin
    anchors: Anchors | None = None  # as in an `AnnotationSet`

    @property
    def n_units(self) -> int:
        """Number of units of all sets."""
        return len(self.start)

    @property
    def n_sets(self) -> int:
        """Number of sets."""
        return (len(self.begin) - 1) // self.n_annotators

    @property
    def sizes(self) -> IntArray:
        """Number of units of each set."""
        return np.diff(self.begin[:: self.n_annotators])

    @property
    def annotator(self) -> IntArray:
        """Who made each unit."""
        return np.repeat(np.tile(np.arange(self.n_annotators), self.n_sets), np.diff(self.begin))

    def one(self, number: int) -> AnnotationSet:
        """Return one of the sets; its continuum is not known."""
        begin = self.begin[number * self.n_annotators : (number + 1) * self.n_annotators + 1]
        own = slice(begin[0], begin[-1])
        annotator = np.repeat(np.arange(self.n_annotators), np.diff(begin))
        codes = np.ascontiguousarray(self.codes[:, own])
        nowhere = (np.nan, np.nan)
        anchors = None if self.anchors is None else self.anchors.take(own)
        start, end = self.start[own], self.end[own]
        return AnnotationSet(start, end, annotator, codes, self.n_annotators, nowhere, anchors=anchors)


def stacked(sets: Sequence[AnnotationSet]) -> Stack:
    """Put annotation sets with the same number of annotators one after another."""
    n = sets[0].n_annotators
    offset = np.repeat(np.arange(len(sets)) * n, [units.n_units for units in sets])
    annotator = np.concatenate([units.annotator for units in sets]) + offset
    return Stack(
        np.concatenate([units.start for units in sets]),
        np.concatenate([units.end for units in sets]),
        np.concatenate([units.codes for units in sets], axis=1),
        n,
        np.searchsorted(annotator, np.arange(len(sets) * n + 1)),
        joined_anchors([(units.anchors, units.start, units.end) for units in sets]),
    )
