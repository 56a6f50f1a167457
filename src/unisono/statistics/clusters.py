"""Means of values that belong together in clusters, such as all verdicts on one question."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unisono.arrays import FloatArray, IntArray
from unisono.statistics.jackknife import effective_freedom
from unisono.statistics.quantiles import LEVEL, student_quantile
from unisono.statistics.shares import EstimatedShare, shares_of

_FEWEST = 3
_ROUNDING = 1e-12


@dataclass(frozen=True)
class ClusteredMean:
    """A mean, and how much each cluster adds to it.

    Attributes
    ----------
    value : float
        The mean.
    influence : float64 array, shape (n_clusters,)
        By how much each cluster moves it; 0 for clusters without values.
    weights : float64 array, shape (n_clusters,)
        How many values each cluster has.
    """

    value: float
    influence: FloatArray
    weights: FloatArray

    @property
    def n(self) -> int:
        """How many values there are."""
        return int(self.weights.sum())

    def share(self) -> EstimatedShare:
        """Return the mean of values within 0 and 1 with its limits; all of 0 to 1 with fewer than three clusters."""
        n_clusters = int((self.weights > 0).sum())
        if n_clusters < _FEWEST:
            return EstimatedShare(self.value, 0.0, 1.0)
        variance = _variance(self.influence, n_clusters)
        if variance < _ROUNDING:
            # all are alike, so nothing says how they differ: as if one cluster more had been half of each kind
            variance = (self.value**2 + (1 - self.value) ** 2) / 2 / n_clusters**2
        freedom = effective_freedom(self.weights)
        return shares_of(np.array([self.value]), np.array([variance]), n_clusters, freedom)[0]


def clustered_mean(values: FloatArray, cluster: IntArray, n_clusters: int) -> ClusteredMean | None:
    """Return the mean of values; None if there are none."""
    counts = np.bincount(cluster, minlength=n_clusters).astype(np.float64)
    return clustered_ratio(np.bincount(cluster, values, n_clusters).astype(np.float64), counts)


def clustered_ratio(top: FloatArray, bottom: FloatArray) -> ClusteredMean | None:
    """Return a ratio of two sums from what each cluster adds to them; None if there is nothing to divide by."""
    whole = float(bottom.sum())
    if not whole:
        return None
    value = float(top.sum()) / whole
    return ClusteredMean(value, (top - value * bottom) / whole, bottom)


def difference_of_means(one: ClusteredMean, other: ClusteredMean) -> tuple[float, float, float] | None:
    """Return the difference of two means over the same clusters with its limits; None with too few clusters."""
    together = one.weights + other.weights
    n_clusters = int((together > 0).sum())
    if n_clusters < _FEWEST:
        return None
    value = one.value - other.value
    spread = _variance(one.influence - other.influence, n_clusters)
    if spread < _ROUNDING:
        spread = 1 / (2 * n_clusters**2)
    half = float(student_quantile((1 + LEVEL) / 2, effective_freedom(together))) * float(np.sqrt(spread))
    return value, max(value - half, -1.0), min(value + half, 1.0)


def _variance(influence: FloatArray, n_clusters: int) -> float:
    return float(np.square(influence).sum()) * n_clusters / (n_clusters - 1)
