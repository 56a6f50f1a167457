"""Chance from normal distributions fitted to one continuum, as pygamma-agreement draws it by default.

This is not in Mathet et al. (2015). It is here because many published values were computed with it.

References
----------
.. [1] Titeux, H. & Riad, R. (2021). pygamma-agreement: Gamma γ measure for inter/intra-annotator agreement in Python.
       Journal of Open Source Software 6(62), 2989. The class StatisticalContinuumSampler of version 0.5.9.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from unisono.arrays import FloatArray
from unisono.chance.draw import Draw, OfDocument
from unisono.data.annotation_set import sorted_set

_SHORTEST = 1e-6
"""Shorter units are drawn again, as they are in that package."""
_MOST_REDRAWS = 100


@dataclass(frozen=True)
class Statistical(OfDocument):
    """Each random annotator puts units after one another: a gap, a length, and the labels of a unit drawn at random.

    The number of units, gaps and lengths are normal, with the mean and the standard deviation (of a population) that
    they have in the document. A gap is what lies between two consecutive units of an annotator, negative if they
    overlap, or before the first one, counted from position 0; one gap of 0 is always among them. Nothing keeps units
    within the continuum, and their order and nesting are lost.
    """

    def draw(self, rng: np.random.Generator) -> Draw:
        """Make one random annotation set."""
        units, n = self.units, self.n_annotators
        counts = np.abs(np.trunc(rng.normal(*self._counts, size=n))).astype(np.int64)
        counts[0] = max(counts[0], 1)  # the first annotator has units, so that the set is not empty
        total = int(counts.sum())
        gap, length = rng.normal(*self._gaps, size=total), np.abs(rng.normal(*self._lengths, size=total))
        for _ in range(_MOST_REDRAWS):
            short = length < _SHORTEST
            if not short.any() or self._lengths[0] < _SHORTEST:
                break
            length[short] = np.abs(rng.normal(*self._lengths, size=int(short.sum())))
        labels = units.codes[:, rng.integers(units.n_units, size=total)]
        who = np.repeat(np.arange(n), counts)
        ends = np.cumsum(gap + length)
        before = np.concatenate([[0.0], ends])[np.cumsum(counts) - counts]  # where all earlier annotators ended
        end = ends - before[who]
        random = sorted_set(end - length, end, who, labels, n, units.bounds)
        return Draw(random, (self.document,))

    @cached_property
    def _counts(self) -> tuple[float, float]:
        return _normal(np.bincount(self.units.annotator, minlength=self.n_annotators).astype(np.float64))

    @cached_property
    def _lengths(self) -> tuple[float, float]:
        return _normal(self.units.end - self.units.start)

    @cached_property
    def _gaps(self) -> tuple[float, float]:
        units = self.units
        first = np.concatenate([[True], units.annotator[1:] != units.annotator[:-1]])
        between = units.start[1:] - units.end[:-1]
        before = units.start[first]
        return _normal(np.concatenate([[0.0], between[~first[1:]], before[before > 0]]))


def _normal(values: FloatArray) -> tuple[float, float]:
    """Return the mean and the standard deviation."""
    return float(values.mean()), float(values.std())
