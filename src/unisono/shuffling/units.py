"""One annotator's units of one document, as errors change them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from unisono.arrays import BoolArray, FloatArray, IntArray

LEAST = 0.01
"""A unit keeps at least this part of its length where positions are not whole; else it keeps 1."""


@dataclass(frozen=True, slots=True)
class Marks:
    """Units in the order of their begins.

    Attributes
    ----------
    start, end : float64 array, shape (n_units,)
        Positions; the end is exclusive.
    codes : int64 array, shape (n_features, n_units)
        Labels of each feature; -1 where there is none.
    bounds : (float, float)
        Where the continuum begins and ends.
    whole : bool
        Whether positions are whole numbers.
    """

    start: FloatArray
    end: FloatArray
    codes: IntArray
    bounds: tuple[float, float]
    whole: bool

    @property
    def n_units(self) -> int:
        """Number of units."""
        return len(self.start)

    @property
    def limits(self) -> tuple[float, float]:
        """Where the continuum begins and ends, at whole positions if those of units are."""
        low, high = self.bounds
        return (float(np.ceil(low)), float(np.floor(high))) if self.whole else (low, high)

    def take(self, index: IntArray | BoolArray) -> Marks:
        """Give some of the units."""
        return replace(self, start=self.start[index], end=self.end[index], codes=self.codes[:, index])

    def placed(self, start: FloatArray, end: FloatArray) -> Marks:
        """Give the units at other places: within the continuum, at whole positions if they were, and in order."""
        low, high = self.limits
        start, end = np.minimum(start, end), np.maximum(start, end)
        start, end = np.clip(start, low, high), np.clip(end, low, high)
        if self.whole:
            start, end = np.rint(start), np.rint(end)
        length = self.end - self.start
        least = np.minimum(1.0 if self.whole else LEAST * length, length)
        short = end - start < least  # a unit does not vanish
        room = start + least <= high
        end = np.where(short & room, start + least, end)
        start = np.where(short & ~room, high - least, start)
        end = np.where(short & ~room, high, end)
        return self.remade(start, end, np.arange(self.n_units))

    def remade(
        self, start: Sequence[float] | FloatArray, end: Sequence[float] | FloatArray, origin: Sequence[int] | IntArray
    ) -> Marks:
        """Give other units, put in order, each with the labels of the one of these that it comes from."""
        start, end, origin = np.array(start, np.float64), np.array(end, np.float64), np.array(origin, np.int64)
        order = np.lexsort((end, start))
        return replace(self, start=start[order], end=end[order], codes=self.codes[:, origin[order]])

    def with_codes(self, codes: IntArray) -> Marks:
        """Give the units with other labels."""
        return replace(self, codes=codes)


def together(parts: Sequence[Marks]) -> Marks:
    """Put units of one continuum together."""
    start = np.concatenate([part.start for part in parts])
    end = np.concatenate([part.end for part in parts])
    order = np.lexsort((end, start))
    codes = np.concatenate([part.codes for part in parts], axis=1)[:, order]
    return replace(parts[0], start=start[order], end=end[order], codes=codes)


def rounded(number: float, rng: np.random.Generator) -> int:
    """Round up or down at random, so that the mean is right for few units too."""
    return int(number) + int(rng.random() < number - int(number))


def annotator_names(n_annotators: int) -> tuple[str, ...]:
    """Name annotators so that their order is that of their names."""
    digits = len(str(n_annotators))
    return tuple(f"annotator {number:0{digits}d}" for number in range(1, n_annotators + 1))
