"""The interval of a correlation, on the scale of Fisher's z; no distribution of the labels is assumed.

The mean correlation ρ of k annotators is between -1/(k - 1) and 1, and z = 1/2 log((1 + (k - 1) ρ) / (1 - ρ)) [1]_
between -∞ and ∞; for two annotators that is arctanh ρ. Two ways lead to the variance of z. The jackknife leaves out
items one by one: (n - 1)/n Σ (z₍₋i₎ - mean)². Where that would take n times the work, the delta method takes its place:
each item has an influence ψ_i on ρ (they add up to 0), and the variance of ρ is n/(n - 1) Σ ψ_i², that of z (dz/dρ)²
times as large.

References
----------
.. [1] Fisher, R. A. (1925). Statistical Methods for Research Workers. Oliver & Boyd. Section 39.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np

from unisono.arrays import FloatArray
from unisono.measurement.rating_scales.scores import Scores
from unisono.results import Interval
from unisono.statistics.quantiles import LEVEL, student_quantile

_FEWEST_ITEMS = 4
_ROUNDING = 1e-12


@dataclass(frozen=True)
class FisherScale:
    """Fisher's z of the mean correlation of k annotators."""

    k: float

    @classmethod
    def of(cls, scores: Scores, value: float) -> FisherScale:
        """Take the mean number of labels per item for k, unless the value shows that this is no bound."""
        k = float(scores.sizes @ scores.repeats) / scores.n_items
        return cls(k if 1 + (k - 1) * value > _ROUNDING else 2.0)

    def z(self, correlation: FloatArray | float) -> FloatArray:
        """Return z; not finite at the bounds, and beyond."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(np.log((1 + (self.k - 1) * np.asarray(correlation)) / (1 - np.asarray(correlation))) / 2)

    def correlation(self, z: float) -> float:
        """Return the correlation with this z."""
        if z > 0:
            e = float(np.exp(-2 * z))
            return (1 - e) / (1 + (self.k - 1) * e)
        e = float(np.exp(2 * z))
        return (e - 1) / (e + self.k - 1)

    def slope(self, correlation: float) -> float:
        """Return dz/dρ."""
        return self.k / (2 * (1 + (self.k - 1) * correlation) * (1 - correlation))


def jackknife_interval(value: float, without: FloatArray, scores: Scores) -> Interval | str:
    """Return the limits of a correlation from what it is without each item."""
    n, scale = scores.n_items, FisherScale.of(scores, min(value, float(np.nanmin(without, initial=1.0))))
    if _is_certain(value):
        return CERTAIN
    z = scale.z(without)
    if not np.isfinite(z).all():
        return _ONE_ITEM
    error = sqrt(float(np.square(z - z @ scores.repeats / n) @ scores.repeats) * (n - 1) / n)
    return fisher_interval(value, error, n, scale, "jackknife over items, Fisher's z")


def delta_interval(value: float, influence: FloatArray, scores: Scores) -> Interval | str:
    """Return the limits of a correlation from the influence of each item."""
    n, scale = scores.n_items, FisherScale.of(scores, value)
    if _is_certain(value) or n < 2:
        return CERTAIN
    error = sqrt(float(np.square(influence) @ scores.repeats) * n / (n - 1)) * scale.slope(value)
    return fisher_interval(value, error, n, scale, "delta method over items, Fisher's z")


def fisher_interval(value: float, error: float, n_items: float, scale: FisherScale, method: str) -> Interval | str:
    """Return the limits of a correlation of which z has this standard error, or why the items do not show them."""
    if n_items < _FEWEST_ITEMS:
        return f"there are only {n_items:.0f} items, and an interval needs {_FEWEST_ITEMS} or more"
    if _is_certain(value) or error <= _ROUNDING:
        return CERTAIN
    half, z = float(student_quantile((1 + LEVEL) / 2, n_items - 2)) * error, float(scale.z(value))
    return Interval(scale.correlation(z - half), scale.correlation(z + half), LEVEL, method)


def _is_certain(value: float) -> bool:
    return abs(value) >= 1 - _ROUNDING


CERTAIN = "all items fit the value perfectly, so the data does not show how much others would differ"
_ONE_ITEM = "without one of the items there is no value, or a perfect one, so everything depends on that item"
