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
from unisono.dissimilarity.difference_sums import Compare, Differences, Lengths, Points, Spelled, Valued
from unisono.errors import DataError, OptionError
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
class RatioScale(Ordered, _Scale):
    """Labels are numbers from 0 up, or ordered: ((x - y) / (x + y))²; 0 where both are 0."""

    name: ClassVar[str] = "ratio"

    def differences(self, labels: Sequence[Label]) -> Differences:
        """See `Distance`: places in an order count from 1."""
        values = self.values(labels) + 1 if self.order else as_numbers(labels, "ratio needs numbers from 0 up")
        if (values < 0).any():
            first = labels[int(np.flatnonzero(values < 0)[0])]
            raise DataError(f"the label {first!r} is below 0; ratio needs numbers from 0 up, take {self._instead}")
        return Valued(values, _ratio)

    @property
    def _instead(self) -> str:
        return "interval"


@dataclass(frozen=True)
class Circular(Ordered, _Scale):
    """Labels are numbers on a circle of that length, or all steps around it, in order: sin²(π (x - y) / period)."""

    period: float | None = None
    name: ClassVar[str] = "circular"
    needs_period: ClassVar[bool] = True  # or an order

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.period is not None:
            check_number(self.period, "period", above=0)
            if self.order:
                raise OptionError("applies only to numbers; labels in order are all steps around the circle", "period")
        elif self.needs_period and not self.order:
            raise OptionError("expected the length of the circle, e.g. 360, or all labels in order", "period")

    @classmethod
    def read(cls, words: Sequence[str], load: LoadMatrix) -> Self:
        """See `Distance`: a single argument is the period."""
        if cls.needs_period and not words:
            raise ValueError(words)
        return cls(period=float(words[0])) if len(words) == 1 else cls(tuple(words))

    def differences(self, labels: Sequence[Label]) -> Differences:
        """See `Distance`: a quarter of the squared chord, for sin²(a - b) = |e^2ia - e^2ib|² / 4."""
        period = self.length(labels)
        if self.order:
            values = self.values(labels)
        else:
            values = as_numbers(labels, f"circular needs numbers on a circle of length {period:g}")
        angle = 2 * np.pi / period * np.mod(values, period)
        return Points(np.stack([np.cos(angle), np.sin(angle)], axis=1) / 2)

    def length(self, labels: Sequence[Label]) -> float:
        """Return the length of the circle."""
        return float(len(self.order)) if self.period is None else self.period

    def __str__(self) -> str:
        return super().__str__() if self.period is None else f"{self.name}({spelled(self.period)})"


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
        return Lengths((values - values[:1]) / self.span(values), 1.0)


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
        unit = most * (most + 1)
        return Lengths(ranks, 1 / unit, 1 / unit)


@dataclass(frozen=True)
class GwetOrdinal(RankPairs):
    """The weights that Gwet calls ordinal, under a name that they have in α, too."""

    name: ClassVar[str] = "gwet-ordinal"


@dataclass(frozen=True)
class Radical(_Weights):
    """Labels are numbers or ordered: √(|x - y| / (greatest difference))."""

    name: ClassVar[str] = "radical"

    def differences(self, labels: Sequence[Label]) -> Differences:
        """See `Distance`."""
        values = self.values(labels)
        return Valued((values - values[:1]) / self.span(values), lambda x, y: np.asarray(np.sqrt(np.abs(x - y))))


@dataclass(frozen=True)
class Bipolar(_Weights):
    """Labels are numbers or ordered: (x - y)² / ((x + y - 2 least) (2 greatest - x - y)); the ends weigh most."""

    name: ClassVar[str] = "bipolar"

    def differences(self, labels: Sequence[Label]) -> Differences:
        """See `Distance`; never above 1, for |x - y| exceeds neither factor."""
        values = self.values(labels)
        low = 0.0 if self.order or not len(values) else float(values.min())

        def apart(x: FloatArray, y: FloatArray) -> FloatArray:
            both = x + y
            rest = both * (2 - both)
            return np.asarray(np.square(x - y) / np.where(rest > 0, rest, 1.0))

        return Valued((values - low) / self.span(values), apart)


@dataclass(frozen=True)
class RatioWeights(RatioScale):
    """Labels are numbers from 0 up, or ordered: ((x - y) / (x + y))², over the same of the least and the greatest."""

    def differences(self, labels: Sequence[Label]) -> Differences:
        """See `Distance`."""
        found = super().differences(labels)
        values = found.values if isinstance(found, Valued) else np.zeros(0)
        known = np.array([1.0, len(self.order)]) if self.order else values
        low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 0.0)
        most = ((high - low) / (high + low)) ** 2 if high > low else 1.0
        return Valued(values, lambda x, y: _ratio(x, y) / most)

    def greatest(self, labels: Sequence[Label]) -> float:
        """See `Distance`: 1 by definition."""
        return 1.0

    @property
    def _instead(self) -> str:
        return "quadratic"


@dataclass(frozen=True)
class CircularWeights(Circular):
    """Labels are numbers or ordered, on a circle: sin²(π (x - y) / period), over the greatest of all pairs.

    Without a period, the circle has a step for each whole number from the least label to the greatest, as in irrCAC.
    """

    needs_period: ClassVar[bool] = False

    def differences(self, labels: Sequence[Label]) -> Differences:
        """See `Distance`."""
        found = super().differences(labels)
        points = found.points if isinstance(found, Points) else np.zeros((0, 2))
        return Points(points / np.sqrt(self._most(labels)))

    def length(self, labels: Sequence[Label]) -> float:
        """See `Circular`."""
        if self.period is not None or self.order:
            return super().length(labels)
        values = as_numbers(
            labels, "circular needs numbers, or all labels in order, e.g. circular(north,east,south,west)"
        )
        return float(np.ptp(values)) + 1 if len(values) else 1.0

    def greatest(self, labels: Sequence[Label]) -> float:
        """See `Distance`: 1 by definition."""
        return 1.0

    def _most(self, labels: Sequence[Label]) -> float:
        """Return the greatest sin² of two labels: that of those which are most nearly half a circle apart."""
        known, period = self.known_labels(labels), self.length(labels)
        values = self.values(known) if self.order else as_numbers(known, "circular needs numbers")
        places = np.sort(np.mod(values, period))
        if not len(places):
            return 1.0
        opposite = np.mod(places + period / 2, period)
        after = np.searchsorted(places, opposite)
        near = np.stack([places[after % len(places)], places[after - 1]])
        most = float(np.square(np.sin(np.pi * (near - places) / period)).max())
        return most if most > _SAME else 1.0


_SAME = 1e-28
"""A greatest sin² up to this is rounding: all labels are the same place of the circle."""


def _ratio(x: FloatArray, y: FloatArray) -> FloatArray:
    both = x + y
    both[both == 0] = 1.0
    return np.asarray(np.square((x - y) / both))
