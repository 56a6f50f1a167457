"""The concordance correlation coefficient."""

from __future__ import annotations

from dataclasses import dataclass
from math import atanh, sqrt, tanh
from typing import Unpack

import numpy as np

from unisono.arrays import FloatArray
from unisono.measurement.categorization.counts import Counts
from unisono.measurement.coefficient import coefficient
from unisono.measurement.options import RatingsOptions
from unisono.measurement.rating_scales.family import NUMBERS
from unisono.measurement.rating_scales.fisher import jackknife_interval
from unisono.measurement.rating_scales.scores import Scores, scores
from unisono.results import Estimate, Interval
from unisono.statistics.quantiles import LEVEL, normal_quantile

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

    Expected is the squared difference if labels were uncorrelated; variances and covariances are divided by n, as in
    [1]_. It is the product of Pearson's r, how close points are to a line (*precision*), and C_b, how close that line
    is to the line of equality (*accuracy*): C_b = 2 / (v + 1/v + u²), with the scale shift v = s_x / s_y and the
    location shift u = (mean x - mean y) / √(s_x s_y), x being the first annotator.

    More annotators: numerator and denominator are added up over all pairs, which is the overall coefficient of
    Barnhart, Haber & Song [3]_, and that of King & Chinchilli with squared differences [4]_. Each pair counts with the
    items that both rated.

    The interval is that of the jackknife over items, on the scale of Fisher's z; it assumes no distribution. For two
    annotators, lin_low and lin_high are limits with Lin's variance of z, as corrected in 2000 [2]_, which other
    programs give. They assume a bivariate normal distribution, and are much too narrow if labels are skewed.

    See Also
    --------
    icc, mean_pearson

    Examples
    --------
    >>> import unisono
    >>> grades = {"anna": [1, 2, 3, 4, 5], "bert": [1, 3, 3, 4, 4]}
    >>> round(unisono.lin_ccc(grades).value, 3)
    0.875
    """
    numbers = scores(counts)
    sums = _complete(numbers) if numbers.are_complete else _pair_by_pair(numbers)
    products, squares = float(sums.products @ numbers.repeats), float(sums.squares @ numbers.repeats)
    if squares <= _ROUNDING:
        return Estimate(None, undefined=_NO_VARIANCE)
    value = products / squares
    own = jackknife_interval(value, sums.without(numbers.repeats), numbers)
    details = _Two.of(numbers).details(value) if numbers.n_annotators == 2 else {}
    return Estimate(value, details=details, notes=() if numbers.are_complete else (_MISSING,), interval=own)


@dataclass(frozen=True)
class _Sums:
    """What each item adds, over all pairs of annotators."""

    products: FloatArray  # 2 (x - mean x) (y - mean y)
    squares: FloatArray  # the same plus (x - y)²
    # what each item takes with it if it is left out: means move, so that products lose n/(n - 1) times their part
    lost_products: FloatArray
    lost_squares: FloatArray

    def without(self, repeats: FloatArray) -> FloatArray:
        """Return the coefficient without each item; NaN if there is no variance then."""
        products, squares = float(self.products @ repeats), float(self.squares @ repeats)
        rest = squares - self.lost_squares
        there = rest > _ROUNDING
        found = np.full(len(rest), np.nan)
        np.divide(products - self.lost_products, rest, out=found, where=there)
        return found


def _complete(numbers: Scores) -> _Sums:
    """Add up over pairs: Σ_{a<b} 2 d_a d_b = (Σ d)² - Σ d², and Σ_{a<b} (x_a - x_b)² = k Σ x² - (Σ x)²."""
    x = numbers.values
    apart = x - (x @ numbers.repeats / numbers.n_items)[:, None]
    products = np.square(apart.sum(axis=0)) - np.square(apart).sum(axis=0)
    squares = len(x) * np.square(x - x.mean(axis=0)).sum(axis=0)
    lost = products * numbers.n_items / max(numbers.n_items - 1, 1.0)
    return _Sums(products, products + squares, lost, lost + squares)


def _pair_by_pair(numbers: Scores) -> _Sums:
    sums = _Sums(*(np.zeros(len(numbers.repeats)) for _ in range(4)))
    for a, b in numbers.pairs():
        x, y, repeats, both = numbers.of_pair(a, b)
        n = repeats.sum()
        product = 2 * (x - x @ repeats / n) * (y - y @ repeats / n)
        apart, lost = np.square(x - y), product * n / (n - 1)
        sums.products[both] += product
        sums.squares[both] += product + apart
        sums.lost_products[both] += lost
        sums.lost_squares[both] += lost + apart
    return sums


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
        return self.shift / sqrt(sqrt(self.variance_x * self.variance_y))

    @property
    def accuracy(self) -> float:
        """C_b."""
        spread = sqrt(self.variance_x * self.variance_y)
        return 2 * spread / (self.variance_x + self.variance_y + self.shift**2)

    @property
    def pearson(self) -> float:
        """Pearson's r."""
        return self.covariance / sqrt(self.variance_x * self.variance_y)

    def details(self, value: float) -> dict[str, float | None]:
        """Return the parts of the coefficient, and Lin's limits."""
        names = ("pearson", "bias_correction", "location_shift", "scale_shift", "lin_low", "lin_high")
        if not self.defined:
            return dict.fromkeys(names)
        limits = self.lin(value)
        low, high = (limits.low, limits.high) if isinstance(limits, Interval) else (None, None)
        shift = sqrt(self.variance_x / self.variance_y)
        return dict(zip(names, (self.pearson, self.accuracy, self.location, shift, low, high), strict=True))

    def lin(self, value: float) -> Interval | str | None:
        """Return Lin's interval: the variance of z [2]_, with ρ_c / r = C_b, which may be 0 / 0 otherwise."""
        r, c, u = self.pearson, self.accuracy, self.location
        inner = (1 - r * r) * c**2 * (1 - value**2) + 2 * c * value**2 * (1 - value) * u**2 - c**2 * value**2 * u**4 / 2
        if self.n <= 2 or abs(value) >= 1:
            return None
        error = sqrt(max(inner, 0.0) / (self.n - 2)) / (1 - value**2)
        half = normal_quantile((1 + LEVEL) / 2) * error
        return Interval(tanh(atanh(value) - half), tanh(atanh(value) + half), LEVEL, "Lin's variance, Fisher's z")


_MISSING = "labels are missing; each pair of annotators counts with the items that both rated"
