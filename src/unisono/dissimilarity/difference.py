"""Distances that only α and weighted coefficients know: scales of numbers, words, and weights of disagreement.

They are of any size or squared, as their papers define them; `unisono.dissimilarity.category` explains how they differ
from those of γ.

References
----------
.. [1] Krippendorff, K. (2004). Content analysis, 2nd edition, chapter 11. Sage.
.. [2] Gwet, K. L. (2014). Handbook of inter-rater reliability, 4th edition. Advanced Analytics.
.. [3] Bollmann, M., Dipper, S. & Petran, F. (2016). Evaluating inter-annotator agreement on historical spelling
       normalization, §4. LAW X.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from unisono.arrays import FloatArray
from unisono.checks import check_number
from unisono.data import Label
from unisono.dissimilarity.category import Distance, LoadMatrix, Ordered, as_numbers, steps
from unisono.dissimilarity.difference_sums import Compare, Differences, Points, Spelled, Valued
from unisono.errors import DataError
from unisono.results import spelled


class _Scale(Distance):
    """A distance that is defined by its differences."""

    def bind(self, labels: Sequence[Label]) -> Compare:
        """See `Distance`."""
        return self.differences(labels).compare


@dataclass(frozen=True)
class IntervalScale(_Scale):
    """Labels are numbers: (x - y)²."""

    name: ClassVar[str] = "interval"

    def differences(self, labels: Sequence[Label]) -> Differences:
        """See `Distance`."""
        return Points(as_numbers(labels, "interval needs numbers; for ranks take ordinal(low,mid,high)")[:, None])


@dataclass(frozen=True)
class RatioScale(_Scale):
    """Labels are numbers from 0 up: ((x - y) / (x + y))²; 0 where both are 0."""

    name: ClassVar[str] = "ratio"

    def differences(self, labels: Sequence[Label]) -> Differences:
        """See `Distance`."""
        values = as_numbers(labels, "ratio needs numbers from 0 up")
        if (values < 0).any():
            first = labels[int(np.flatnonzero(values < 0)[0])]
            raise DataError(f"the label {first!r} is below 0; ratio needs numbers from 0 up, take interval")
        return Valued(values, _ratio)


@dataclass(frozen=True)
class Circular(_Scale):
    """Labels are numbers on a circle of that length, such as 360 degrees: sin²(π (x - y) / period)."""

    period: float
    name: ClassVar[str] = "circular"

    def __post_init__(self) -> None:
        check_number(self.period, "period", above=0)

    @classmethod
    def read(cls, words: Sequence[str], load: LoadMatrix) -> Self:
        """See `Distance`."""
        return cls(*map(float, words))

    def differences(self, labels: Sequence[Label]) -> Differences:
        """See `Distance`: a quarter of the squared chord, for sin²(a - b) = |e^2ia - e^2ib|² / 4."""
        need = f"circular needs numbers on a circle of length {self.period:g}"
        angle = 2 * np.pi / self.period * np.mod(as_numbers(labels, need), self.period)
        return Points(np.stack([np.cos(angle), np.sin(angle)], axis=1) / 2)

    def __str__(self) -> str:
        return f"circular({spelled(self.period)})"


@dataclass(frozen=True)
class NormalizedLevenshtein(_Scale):
    """Labels are words: edits from one to the other (Levenshtein distance) / length of the longer one."""

    name: ClassVar[str] = "nld"

    def differences(self, labels: Sequence[Label]) -> Differences:
        """See `Distance`."""
        for label in labels:
            if isinstance(label, tuple):
                raise DataError(f"the label {label!r} is a set; nld compares words, take set or masi")
        return Spelled(tuple(map(str, labels)))


class _Weights(Ordered, _Scale):
    """Weights of disagreement, from 0 to 1."""

    def greatest(self, labels: Sequence[Label]) -> float:
        """See `Distance`: 1 by definition."""
        return 1.0


@dataclass(frozen=True)
class Linear(_Weights):
    """Labels are numbers or ordered: |x - y| / (greatest difference)."""

    name: ClassVar[str] = "linear"

    def differences(self, labels: Sequence[Label]) -> Differences:
        """See `Distance`."""
        values = self.values(labels)
        return Valued((values - values[:1]) / self.span(values), lambda x, y: np.asarray(np.abs(x - y)))


@dataclass(frozen=True)
class Quadratic(_Weights):
    """Labels are numbers or ordered: ((x - y) / (greatest difference))²."""

    name: ClassVar[str] = "quadratic"

    def differences(self, labels: Sequence[Label]) -> Differences:
        """See `Distance`."""
        values = self.values(labels)
        return Points((values - values[:1])[:, None] / self.span(values))


@dataclass(frozen=True)
class RankPairs(_Weights):
    """Labels are numbers or ordered: r (r - 1) / 2 for r ranks from one to the other, over the most (Gwet)."""

    name: ClassVar[str] = "ordinal"

    def differences(self, labels: Sequence[Label]) -> Differences:
        """See `Distance`."""
        values = self.values(labels)
        ranks = values if self.order else steps(values).astype(np.float64)
        most = self.span(ranks)

        def apart(x: FloatArray, y: FloatArray) -> FloatArray:
            between = np.abs(x - y)
            return np.asarray(between * (between + 1) / (most * (most + 1)))

        return Valued(ranks, apart)


def _ratio(x: FloatArray, y: FloatArray) -> FloatArray:
    both = x + y
    both[both == 0] = 1.0
    return np.asarray(np.square((x - y) / both))
