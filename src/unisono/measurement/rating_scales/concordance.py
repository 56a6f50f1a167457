"""The concordance correlation coefficient."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Unpack

import numpy as np

from unisono.arrays import FloatArray
from unisono.measurement.categorization.counts import Counts
from unisono.measurement.coefficient import coefficient
from unisono.measurement.options import RatingsOptions
from unisono.measurement.rating_scales.delta import delta_interval, fisher_interval
from unisono.measurement.rating_scales.family import NUMBERS
from unisono.measurement.rating_scales.scores import Scores, scores
from unisono.results import Estimate, Interval

_ROUNDING = 1e-26
_NO_VARIANCE = "all labels are the same number, so there is no variance"


@coefficient(
    NUMBERS,
    symbol="CCC",
    title="Lin's concordance correlation: how close pairs of numbers are to the line of equality",
    needs="labels that are numbers; any number of annotators; labels may be missing",
    ignores="items with a single label",
    reference="Lin 1989; many annotators: Barnhart, Haber & Song 2002, King & Chinchilli 2001",
    papers=("lin1989", "lin2000", "barnhart2002", "king2001"),
    when="if labels are measurements; shows whether disagreement is noise or a shift of location or scale",
    labels="numbers",
)
def lin_ccc(counts: Counts, **how: Unpack[RatingsOptions]) -> Estimate:
    """One minus observed over expected squared difference: 2 s_xy / (s_x² + s_y² + (mean x - mean y)²).

    Expected is the squared difference if labels were uncorrelated; variances and covariances are divided by n, as in [1]_.
    It is the product of Pearson's r, how close points are to a line (*precision*), and C_b, how close that line is to the
    line of equality (*accuracy*): C_b = 2 / (v + 1/v + u²), with the scale shift v = s_x / s_y and the location shift
    u = (mean x - mean y) / √(s_x s_y), x being the first annotator.

    Two annotators: the interval is that of Fisher's z with Lin's variance, as corrected in 2000 [2]_; it assumes a
    bivariate normal distribution.

    More annotators: numerator and denominator are added up over all pairs, which is the overall coefficient of Barnhart,
    Haber & Song [3]_, and that of King & Chinchilli with squared differences [4]_. Each pair counts with the items that both
    rated. The interval is that of the delta method over items, on the scale of Fisher's z; it assumes no distribution.
    """
    numbers = scores(counts)
    sums = _complete(numbers) if numbers.are_complete else _pair_by_pair(numbers)
    products, squares = float(sums.products @ numbers.repeats), float(sums.squares @ numbers.repeats)
    if squares <= _ROUNDING:
        return Estimate(None, undefined=_NO_VARIANCE)
    value = products / squares
    if numbers.n_annotators == 2:
        two = _Two.of(numbers)
        return Estimate(value, details=two.details, interval=two.interval(value))
    own = delta_interval(value, (sums.products - value * sums.squares) / squares, numbers.repeats)
    return Estimate(value, notes=() if numbers.are_complete else (_MISSING,), interval=own)


@dataclass(frozen=True)
class _Sums:
    """What each item adds, over all pairs of annotators."""

    products: FloatArray  # 2 (x - mean x) (y - mean y)
    squares: FloatArray  # the same plus (x - y)²


def _complete(numbers: Scores) -> _Sums:
    """Add up over pairs: Σ_{a<b} 2 d_a d_b = (Σ d)² - Σ d², and Σ_{a<b} (x_a - x_b)² = k Σ x² - (Σ x)²."""
    x = numbers.values
    apart = x - (x @ numbers.repeats / numbers.n_items)[:, None]
    products = np.square(apart.sum(axis=0)) - np.square(apart).sum(axis=0)
    squares = len(x) * np.square(x - x.mean(axis=0)).sum(axis=0)
    return _Sums(products, products + squares)


def _pair_by_pair(numbers: Scores) -> _Sums:
    products, squares = (np.zeros(len(numbers.repeats)) for _ in range(2))
    for a, b in numbers.pairs():
        x, y, repeats, both = numbers.of_pair(a, b)
        n = repeats.sum()
        product = 2 * (x - x @ repeats / n) * (y - y @ repeats / n)
        products[both] += product
        squares[both] += product + np.square(x - y)
    return _Sums(products, squares)


@dataclass(frozen=True)
class _Two:
    """Moments of two annotators' numbers, divided by n."""

    n: float
    shift: float  # mean x - mean y
    variance_x: float
    variance_y: float
    covariance: float

    @classmethod
    def of(cls, numbers: Scores) -> _Two:
        (x, y), w, n = numbers.values, numbers.repeats, numbers.n_items
        mean_x, mean_y = float(x @ w / n), float(y @ w / n)
        x, y = x - mean_x, y - mean_y
        return cls(n, mean_x - mean_y, *(float(product @ w / n) for product in (x * x, y * y, x * y)))

    @property
    def defined(self) -> bool:
        return min(self.variance_x, self.variance_y) > _ROUNDING

    @property
    def location(self) -> float:
        """The location shift u."""
        return self.shift / (self.variance_x * self.variance_y) ** 0.25

    @property
    def accuracy(self) -> float:
        """C_b."""
        spread = sqrt(self.variance_x * self.variance_y)
        return 2 * spread / (self.variance_x + self.variance_y + self.shift**2)

    @property
    def pearson(self) -> float:
        """Pearson's r."""
        return self.covariance / sqrt(self.variance_x * self.variance_y)

    @property
    def details(self) -> dict[str, float | None]:
        if not self.defined:
            return dict.fromkeys(("pearson", "bias_correction", "location_shift", "scale_shift"))
        return {
            "pearson": self.pearson,
            "bias_correction": self.accuracy,
            "location_shift": self.location,
            "scale_shift": sqrt(self.variance_x / self.variance_y),
        }

    def interval(self, value: float) -> Interval | str | None:
        """Return Lin's interval: the variance of z [2]_, with ρ_c / r = C_b, which may be 0 / 0 otherwise."""
        if not self.defined:
            return "one of the annotators gives the same number to all items"
        r, c, u = self.pearson, self.accuracy, self.location
        inner = (1 - r * r) * c**2 * (1 - value**2) + 2 * c * value**2 * (1 - value) * u**2 - c**2 * value**2 * u**4 / 2
        error = sqrt(max(inner, 0.0) / max(self.n - 2, 1.0))
        return fisher_interval(value, error, self.n, "Lin's variance, Fisher's z")


_MISSING = "labels are missing; each pair of annotators counts with the items that both rated"
