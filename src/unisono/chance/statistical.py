"""Chance from normal distributions fitted to one continuum, as pygamma-agreement draws it by default.

This is not in Mathet et al. (2015). It is here because many published values were computed with it.

References
----------
.. [1] Titeux, H. & Riad, R. (2021). pygamma-agreement: Gamma γ measure for inter/intra-annotator agreement in Python.
       Journal of Open Source Software 6(62), 2989. The class StatisticalContinuumSampler of version 0.5.9.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from unisono.arrays import FloatArray, IntArray, deviation
from unisono.chance.draw import Draws, OfDocument, drawn_from_documents, keys_of, limits
from unisono.data import AnnotationSet
from unisono.data.anchors import Anchors
from unisono.data.annotation_set import Stack, stacked
from unisono.kernels.draws import normal_sets

_SHORTEST = 1e-6
"""Shorter units are drawn again, as they are in that package."""


@dataclass(frozen=True)
class Statistical(OfDocument):
    """Each random annotator puts units after one another: a gap, a length, and the labels of a unit drawn at random.

    The number of units, gaps and lengths are normal, with the mean and the standard deviation (of a population) that
    they have in the document. A gap is what lies between two consecutive units of an annotator, negative if they
    overlap, or before the first one, counted from position 0; one gap of 0 is always among them. Nothing keeps units
    within the continuum, and their order and nesting are lost.

    Of units with several anchors, the first in the continuum is drawn like this. The others follow at the distances,
    and with the lengths, that they have in the unit whose labels are drawn.
    """

    @staticmethod
    def draw(models: Sequence[Statistical], numbers: Sequence[range], seed: int) -> Draws:
        """Make random annotation sets; see `ChanceModel`."""
        units = stacked([model._first for model in models])
        sets = normal_sets(
            units.begin[:: units.n_annotators],
            np.array([model._counts for model in models]).ravel(),
            np.array([model._gaps for model in models]).ravel(),
            np.array([model._lengths for model in models]).ravel(),
            _SHORTEST,
            keys_of(seed, models),
            limits(numbers),
            units.n_annotators,
        )
        if all(model.units.anchors is None for model in models):
            return drawn_from_documents(models, numbers, units.codes, sets)
        anchors = _following(stacked([model.units for model in models]), sets)
        begin, start, _, source = sets
        every = begin, start, np.asarray(anchors.hull[1], np.float64), source
        return drawn_from_documents(models, numbers, units.codes, every, anchors)

    @cached_property
    def _first(self) -> AnnotationSet:
        """The units, of those with several anchors the first in the continuum only."""
        units = self.units
        if units.anchors is None:
            return units
        first = _first_of_each(units.anchors)
        start, end = (np.asarray(side[first], np.float64) for side in (units.anchors.start, units.anchors.end))
        return replace(units, start=start, end=end, anchors=None)

    @cached_property
    def _counts(self) -> tuple[float, float]:
        return _normal(np.bincount(self.units.annotator, minlength=self.n_annotators).astype(np.float64))

    @cached_property
    def _lengths(self) -> tuple[float, float]:
        return _normal(self._first.end - self._first.start)

    @cached_property
    def _gaps(self) -> tuple[float, float]:
        units = self._first
        first = np.concatenate([[True], units.annotator[1:] != units.annotator[:-1]])
        between = units.start[1:] - units.end[:-1]
        before = units.start[first]
        return _normal(np.concatenate([[0.0], between[~first[1:]], before[before > 0]]))


def _following(units: Stack, sets: tuple[IntArray, FloatArray, FloatArray, IntArray]) -> Anchors:
    """Put the other anchors of each unit of origin after the first one, which was drawn."""
    _, start, end, source = sets
    assert units.anchors is not None  # the only case in which this is called
    anchors = units.anchors.take(source)
    first, owner = _first_of_each(anchors), anchors.owner
    offset = (start - anchors.start[first])[owner]
    begins, ends = anchors.start + offset, anchors.end + offset
    begins[first], ends[first] = start, end
    return anchors.placed(begins, ends)


def _first_of_each(anchors: Anchors) -> IntArray:
    """Return the anchor of each unit that comes first in the continuum."""
    order = np.lexsort((anchors.end, anchors.start, anchors.owner))
    return np.asarray(order[anchors.first[:-1]], dtype=np.int64)


def _normal(values: FloatArray) -> tuple[float, float]:
    """Return the mean and the standard deviation."""
    return float(values.sum()) / len(values), deviation(values)
