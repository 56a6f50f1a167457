"""Limits of agreement: how far apart two annotators' numbers are.

References
----------
.. [1] Bland, J. M.; Altman, D. G. (1986). Statistical methods for assessing agreement between two methods of clinical
   measurement. The Lancet 327(8476), 307–310.
.. [2] Bland, J. M.; Altman, D. G. (1999). Measuring agreement in method comparison studies. Statistical Methods in
   Medical Research 8(2), 135–160.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import sqrt
from typing import Any

import numpy as np

from unisono.arrays import BoolArray, FloatArray
from unisono.measurement.rating_scales.scores import Scores
from unisono.results import Interval
from unisono.statistics.quantiles import LEVEL, normal_quantile, student_quantile

_T_METHOD = "t distribution"


@dataclass(frozen=True)
class BlandAltman:
    """Two annotators' numbers: everything that the plot of differences against means shows."""

    annotator_1: str
    annotator_2: str
    means: FloatArray  # shape (n_points,): the mean of both numbers, item by item
    differences: FloatArray  # shape (n_points,): the first minus the second
    repeats: FloatArray  # shape (n_points,): how many items each point stands for
    items: BoolArray  # shape (n_items,): which of the items with two labels or more both rated, the points in order

    @cached_property
    def n_items(self) -> float:
        """Number of items that both rated."""
        return float(self.repeats.sum())

    @cached_property
    def mean(self) -> float:
        """The mean difference."""
        return float(self.differences @ self.repeats / self.n_items)

    @cached_property
    def sd(self) -> float | None:
        """The standard deviation of the differences; None of a single item."""
        if self.n_items < 2:
            return None
        return sqrt(float(np.square(self.differences - self.mean) @ self.repeats) / (self.n_items - 1))

    @property
    def limits(self) -> tuple[float, float] | None:
        """Mean ± 1.96 sd: between these are 95% of the differences, if they are normally distributed."""
        return None if self.sd is None else (self.mean - _normal() * self.sd, self.mean + _normal() * self.sd)

    @property
    def mean_interval(self) -> Interval | None:
        """95% interval of the mean difference: ± t sd / √n."""
        return self._interval(self.mean, 1.0)

    @property
    def limit_intervals(self) -> tuple[Interval, Interval] | None:
        """95% intervals of the limits: ± t sd √(1/n + 1.96²/(2 (n - 1))) [2]_."""
        if self.limits is None:
            return None
        factor = sqrt(1 + _normal() ** 2 * self.n_items / (2 * (self.n_items - 1)))
        low, high = (self._interval(limit, factor) for limit in self.limits)
        return None if low is None or high is None else (low, high)

    def rows(self) -> list[dict[str, Any]]:
        """Return the table: the mean difference and both limits, with intervals."""
        lower, upper = self.limits or (None, None)
        of_lower, of_upper = self.limit_intervals or (None, None)
        lines = (
            ("mean difference", self.mean, self.mean_interval),
            ("lower limit", lower, of_lower),
            ("upper limit", upper, of_upper),
        )
        return [
            {
                "annotator_1": self.annotator_1,
                "annotator_2": self.annotator_2,
                "what": what,
                "difference": value,
                "low": None if interval is None else interval.low,
                "high": None if interval is None else interval.high,
                "sd": self.sd,
                "n_items": int(self.n_items),
            }
            for what, value, interval in lines
        ]

    def _interval(self, middle: float, factor: float) -> Interval | None:
        if self.sd is None:
            return None
        half = float(student_quantile((1 + LEVEL) / 2, self.n_items - 1)) * factor * self.sd / sqrt(self.n_items)
        return Interval(middle - half, middle + half, LEVEL, _T_METHOD)


def bland_altman(scores: Scores, annotators: Sequence[str]) -> Iterator[BlandAltman]:
    """Compare each two annotators on the items that both rated; those without such items are left out."""
    for a, name in enumerate(annotators):
        for b in range(a + 1, len(annotators)):
            x, y, repeats, both = scores.of_pair(a, b)
            if repeats.any():
                yield BlandAltman(name, annotators[b], (x + y) / 2, x - y, repeats, both)


def _normal() -> float:
    return normal_quantile((1 + LEVEL) / 2)
