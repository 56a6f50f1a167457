"""The units that several annotators put on one continuum, as arrays to compute with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from unisono.arrays import ComparedByContent, FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class AnnotationSet(ComparedByContent):
    """An annotation set (Mathet et al. 2015, §4.3): one continuum, n annotators, their units.

    Units are sorted by annotator, then start, end and labels, so that equal data is equal whatever its
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
    # shape (n_units,): where several sets are kept side by side, the number of each unit's set; units of different sets
    # never meet
    block: IntArray | None = None

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
) -> AnnotationSet:
    """Make an annotation set from units in any order."""
    order = np.lexsort((*codes[::-1], end, start, annotator))
    return AnnotationSet(
        start[order],
        end[order],
        annotator[order],
        np.ascontiguousarray(codes[:, order]),
        n_annotators,
        bounds,
        inferred,
    )


def stacked(sets: Sequence[AnnotationSet]) -> AnnotationSet:
    """Combine annotation sets with the same number of annotators, to be aligned together, each separately."""
    annotator = np.concatenate([units.annotator for units in sets])
    block = np.repeat(np.arange(len(sets)), [units.n_units for units in sets])
    order = np.lexsort((block, annotator))
    return AnnotationSet(
        np.concatenate([units.start for units in sets])[order],
        np.concatenate([units.end for units in sets])[order],
        annotator[order],
        np.concatenate([units.codes for units in sets], axis=1)[:, order],
        sets[0].n_annotators,
        sets[0].bounds,
        block=block[order],
    )
