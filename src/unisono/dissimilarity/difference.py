"""How much labels differ: Krippendorff's difference functions, and the weights of weighted κ and AC2.

A difference is a distance between labels (see `category`) of any size, for coefficients are ratios of sums of
differences. Bound to labels, it compares two of them, and adds up over all pairs without a table of all pairs.

References
----------
.. [1] Krippendorff, K. (2004). Content analysis, 2nd edition, chapter 11. Sage.
.. [2] Passonneau, R. (2006). Measuring agreement on set-valued items (MASI). LREC 2006.
.. [3] Gwet, K. L. (2014). Handbook of inter-rater reliability, 4th edition. Advanced Analytics.
.. [4] Bollmann, M., Dipper, S. & Petran, F. (2016). Evaluating inter-annotator agreement on historical spelling
       normalization, §4. LAW X.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from unisono.arrays import FloatArray, IntArray
from unisono.data import Label
from unisono.data.labels import spelled
from unisono.dissimilarity.category import (
    Compare,
    Distance,
    Hierarchy,
    Matrix,
    Nominal,
    Ordinal,
    Sets,
    as_distance,
    jaccard,
)
from unisono.dissimilarity.difference_sums import Compared, Differences, Points, Ranked, Spelled, Unlike, Valued
from unisono.errors import DataError, OptionError

__all__ = [
    "Circular",
    "Differences",
    "Interval",
    "Linear",
    "Masi",
    "Quadratic",
    "RankPairs",
    "Ranks",
    "Ratio",
    "Spelling",
    "as_difference",
    "as_weights",
    "bound",
    "greatest",
    "known_labels",
    "masi",
]


def as_difference(value: Any) -> Distance:
    """Make a difference function for α of a name, a distance, a table ({(a, b): difference}) or a function."""
    if isinstance(value, Ordinal):
        return Ranks(value.order)
    if value == "circular":
        raise OptionError(
            "circular needs the length of the circle, e.g. circular(360) for degrees, circular(12) for months"
        )
    return _made(value, _DIFFERENCES, "is no distance", "circular(…) and matrix(…)")


def as_weights(value: Any) -> Distance:
    """Make weights of disagreement of a name, a distance, a table ({(a, b): weight}) or a function."""
    if isinstance(value, Ordinal):
        return RankPairs(value.order)
    return _made(value, _WEIGHTS, "are no weights", "ordered ones such as linear(low,mid,high), and matrix(…)")


def bound(distance: Distance, labels: Sequence[Label]) -> Differences:
    """Bind a difference to the labels of the data."""
    if isinstance(distance, Nominal):
        return Unlike()
    if isinstance(distance, _Scaled):
        return distance.differences(labels)
    return Compared(distance.bind(labels))


def known_labels(distance: Distance, labels: Sequence[Label]) -> Sequence[Label]:
    """Give all labels that a difference knows of: those of its order or matrix, else those of the data."""
    if isinstance(distance, Matrix):
        return distance.labels
    return getattr(distance, "order", ()) or labels


def greatest(distance: Distance, labels: Sequence[Label]) -> float:
    """Give the greatest difference of two labels; 1 where it is 1 by definition."""
    if isinstance(distance, Nominal | _Ordered):
        return 1.0
    compare, every = bound(distance, labels).compare, np.arange(len(labels))
    return max((float(compare(np.full(len(every), code), every).max()) for code in every.tolist()), default=0.0)


class _Scaled(Distance):
    """A difference on a scale of its own, with more to it than comparing pairs."""

    @abstractmethod
    def differences(self, labels: Sequence[Label]) -> Differences:
        """Bind to labels."""

    def bind(self, labels: Sequence[Label]) -> Compare:
        """See `Distance`."""
        return self.differences(labels).compare


@dataclass(frozen=True)
class _Ordered(_Scaled):
    """Numbers, or labels in a given order."""

    order: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "order", tuple(map(str, self.order)))
        if self.order and (len(self.order) < 2 or len(set(self.order)) < len(self.order)):
            raise OptionError(
                f"{self.name} needs the labels from lowest to highest, each once, e.g. {self.name}(low,mid,high)"
            )

    def values(self, labels: Sequence[Label]) -> FloatArray:
        """Give the labels as numbers: what they are, or their place in the order."""
        if not self.order:
            need = f"{self.name} needs numbers, or the order of the labels, e.g. {self.name}(low,mid,high)"
            return _numbers(labels, need)
        rank = {label: float(index) for index, label in enumerate(self.order)}
        for label in labels:
            if spelled(label) not in rank:
                raise DataError(f"the label {label!r} is not in the given order {' < '.join(self.order)}; add it there")
        return np.array([rank[spelled(label)] for label in labels])

    def span(self, values: FloatArray) -> float:
        """Give the greatest difference that there can be."""
        return len(self.order) - 1.0 if self.order else float(np.ptp(values)) if len(values) else 0.0

    def __str__(self) -> str:
        return f"{self.name}({','.join(self.order)})" if self.order else self.name


@dataclass(frozen=True)
class Ranks(_Ordered):
    """Krippendorff's ordinal difference, from how often each label occurs."""

    name: ClassVar[str] = "ordinal"

    def differences(self, labels: Sequence[Label]) -> Differences:
        """See `bound`."""
        return Ranked(_steps(self.values(labels)))


@dataclass(frozen=True)
class Interval(_Scaled):
    """Numbers: (x - y)²."""

    name: ClassVar[str] = "interval"

    def differences(self, labels: Sequence[Label]) -> Differences:
        """See `bound`."""
        return Points(_numbers(labels, "interval needs numbers; for ranks take ordinal(low,mid,high)")[:, None])


@dataclass(frozen=True)
class Ratio(_Scaled):
    """Numbers from 0 up: ((x - y) / (x + y))²; 0 where both are 0."""

    name: ClassVar[str] = "ratio"

    def differences(self, labels: Sequence[Label]) -> Differences:
        """See `bound`."""
        values = _numbers(labels, "ratio needs numbers from 0 up")
        if (values < 0).any():
            first = labels[int(np.flatnonzero(values < 0)[0])]
            raise DataError(f"the label {first!r} is below 0; ratio needs numbers from 0 up, take interval")
        return Valued(values, _ratio)


@dataclass(frozen=True)
class Circular(_Scaled):
    """Numbers on a circle: sin²(π (x - y) / period)."""

    period: float
    name: ClassVar[str] = "circular"

    def __post_init__(self) -> None:
        if not (np.isfinite(self.period) and self.period > 0):
            raise OptionError(f"the length of the circle must be a number above 0, not {self.period:g}")

    def differences(self, labels: Sequence[Label]) -> Differences:
        """See `bound`: half the distance of points on a circle, for sin²(a - b) = |e^2ia - e^2ib|² / 4."""
        need = f"circular needs numbers on a circle of length {self.period:g}"
        angle = 2 * np.pi / self.period * np.mod(_numbers(labels, need), self.period)
        return Points(np.stack([np.cos(angle), np.sin(angle)], axis=1) / 2)

    def __str__(self) -> str:
        return f"circular({self.period:g})"


@dataclass(frozen=True)
class Masi(Sets):
    """Sets: 1 - J · M, with Jaccard's J and M = 1 same, ⅔ one within the other, ⅓ overlapping, 0 disjoint."""

    name: ClassVar[str] = "masi"

    def bind(self, labels: Sequence[Label]) -> Compare:
        """See `Distance`."""
        return self.compared(labels, masi)

    def __str__(self) -> str:
        return "masi" if self.separator == "|" else f"masi({self.separator})"


@dataclass(frozen=True)
class Spelling(_Scaled):
    """Words: normalized Levenshtein distance, the number of edits over the length of the longer word."""

    name: ClassVar[str] = "nld"

    def differences(self, labels: Sequence[Label]) -> Differences:
        """See `bound`."""
        for label in labels:
            if isinstance(label, tuple):
                raise DataError(f"the label {label!r} is a set; nld compares words, take set or masi")
        return Spelled(tuple(map(str, labels)))


@dataclass(frozen=True)
class Linear(_Ordered):
    """Weights |x - y| / (greatest difference)."""

    name: ClassVar[str] = "linear"

    def differences(self, labels: Sequence[Label]) -> Differences:
        """See `bound`."""
        values = self.values(labels)
        return Valued((values - values[:1]) / (self.span(values) or 1.0), _linear)


@dataclass(frozen=True)
class Quadratic(_Ordered):
    """Weights ((x - y) / (greatest difference))²."""

    name: ClassVar[str] = "quadratic"

    def differences(self, labels: Sequence[Label]) -> Differences:
        """See `bound`."""
        values = self.values(labels)
        return Points((values - values[:1])[:, None] / (self.span(values) or 1.0))


@dataclass(frozen=True)
class RankPairs(_Ordered):
    """Gwet's ordinal weights: pairs of ranks from one label to the other, r (r - 1) / 2 for r ranks, over the most."""

    name: ClassVar[str] = "ordinal"

    def differences(self, labels: Sequence[Label]) -> Differences:
        """See `bound`."""
        values = self.values(labels)
        step = values if self.order else _steps(values).astype(np.float64)
        most = self.span(step)

        def apart(x: FloatArray, y: FloatArray) -> FloatArray:
            ranks = np.abs(x - y)
            return np.asarray(ranks * (ranks + 1) / ((most * (most + 1)) or 1.0))

        return Valued(step, apart)


_DIFFERENCES: Mapping[str, Callable[[], Distance]] = {
    "nominal": Nominal,
    "ordinal": Ranks,
    "interval": Interval,
    "ratio": Ratio,
    "set": Sets,
    "jaccard": Sets,
    "masi": Masi,
    "nld": Spelling,
    "hierarchy": Hierarchy,
}
_WEIGHTS: Mapping[str, Callable[[], Distance]] = {
    "linear": Linear,
    "quadratic": Quadratic,
    "ordinal": RankPairs,
    "nominal": Nominal,
}


def _made(value: Any, kinds: Mapping[str, Callable[[], Distance]], what: str, more: str) -> Distance:
    if not isinstance(value, str):
        return as_distance(value)
    if value not in kinds:
        raise OptionError(f"there {what} {value!r}; there are {', '.join(kinds)}, {more}")
    return kinds[value]()


_LARGEST = 1e100
"""Squares of numbers up to here can still be added up."""


def _numbers(labels: Sequence[Label], need: str) -> FloatArray:
    values = np.empty(len(labels))
    for index, label in enumerate(labels):
        try:
            values[index] = np.nan if isinstance(label, tuple) else float(label)
        except ValueError:
            values[index] = np.nan
        except OverflowError:
            values[index] = np.inf
        if np.isnan(values[index]):
            raise DataError(f"the label {label!r} is not a number; {need}")
        if abs(values[index]) > _LARGEST:
            raise DataError(f"the label {str(label)[:20]!r} is beyond ±{_LARGEST:g}, too large to compute with")
    return values


def _steps(values: FloatArray) -> IntArray:
    """Count values from the lowest to the highest; the same value has the same number."""
    return np.unique(values, return_inverse=True)[1].reshape(-1).astype(np.int64)


def _linear(x: FloatArray, y: FloatArray) -> FloatArray:
    return np.asarray(np.abs(x - y))


def _ratio(x: FloatArray, y: FloatArray) -> FloatArray:
    both = x + y
    both[both == 0] = 1.0
    return np.asarray(np.square((x - y) / both))


def masi(common: IntArray, size_u: IntArray, size_v: IntArray) -> FloatArray:
    """Give 1 - J · M of sets of these sizes; 0 where both are empty."""
    same = (common == size_u) & (common == size_v)
    within = (common == size_u) | (common == size_v)
    monotonic = np.where(same, 1.0, np.where(within, 2 / 3, np.where(common > 0, 1 / 3, 0.0)))
    return np.asarray(1.0 - (1.0 - jaccard(common, size_u, size_v)) * monotonic)
