"""True values on a scale, how severe annotators are, and how far they scatter, by expectation maximization.

A label is the item's true value, plus the annotator's severity, plus noise whose variance is the annotator's own; true
values scatter normally around a mean. So annotators who use the scale differently are compared on one scale, and those
who scatter less count more.

References
----------
.. [1] Dempster, A. P., Laird, N. M. & Rubin, D. B. (1977). Maximum likelihood from incomplete data via the EM
       algorithm. Journal of the Royal Statistical Society B 39(1), 1–38. (§4.7, factor analysis)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unisono.arrays import FloatArray

_PRIOR = 2.0
"""Each annotator's variance is estimated as if so many labels with the common variance had been seen besides. Without
them, one annotator could be taken for the truth, with a variance of 0."""
_MOST_STEPS = 2000
_TOLERANCE = 1e-9


@dataclass(frozen=True)
class RaterModel:
    """What is estimated; severities have the mean 0."""

    value: FloatArray  # shape (n_items,): the mean of the labels without severities, weighted by 1 / variance
    severity: FloatArray  # shape (n_annotators,): how much higher than others an annotator labels; NaN without labels
    deviation: FloatArray  # shape (n_annotators,): the standard deviation of their noise
    settled: bool  # whether the estimates stopped changing before the maximum number of steps

    @property
    def weight(self) -> FloatArray:
        """How much the labels of each annotator count in a mean, 1 on average."""
        precision = 1 / self.deviation**2
        return np.asarray(precision / np.nanmean(precision))


def severity_model(values: FloatArray) -> RaterModel:
    """Estimate from labels, shape (n_items, n_annotators), with NaN where an annotator gave none."""
    given = ~np.isnan(values)
    safe, n = np.where(given, values, 0.0), np.maximum(given.sum(axis=0), 1)
    center, spread = float(safe.sum() / max(given.sum(), 1)), _spread(values)
    if not spread:
        severity = np.where(given.any(axis=0), 0.0, np.nan)
        return RaterModel(_weighted(safe, given, severity, n * 0 + 1.0), severity, severity.copy(), True)
    between = common = spread**2 / 2
    severity = np.zeros(values.shape[1])
    variance = np.full(values.shape[1], common)
    settled = False
    for _ in range(_MOST_STEPS):
        precision = 1 / between + given @ (1 / variance)
        truth = (center / between + ((safe - severity) * given) @ (1 / variance)) / precision
        left = np.where(given, safe - truth[:, np.newaxis], 0.0)
        before = np.concatenate([severity, np.sqrt(variance)])
        severity = left.sum(axis=0) / n
        noise = np.where(given, (left - severity) ** 2 + 1 / precision[:, np.newaxis], 0.0).sum(axis=0)
        common = float(noise.sum() / max(given.sum(), 1))
        variance = (noise + _PRIOR * common) / (n + _PRIOR)
        center = float(truth.mean())
        between = max(float(((truth - center) ** 2 + 1 / precision).mean()), 1e-12 * spread**2)
        if np.abs(np.concatenate([severity, np.sqrt(variance)]) - before).max() < _TOLERANCE * spread:
            settled = True
            break
    asked = given.any(axis=0)
    severity = severity - severity[asked].mean()
    value = _weighted(safe, given, severity, 1 / variance)
    return RaterModel(value, np.where(asked, severity, np.nan), np.where(asked, np.sqrt(variance), np.nan), settled)


def _spread(values: FloatArray) -> float:
    return float(np.nanmax(values) - np.nanmin(values)) if values.size and not np.isnan(values).all() else 0.0


def _weighted(values: FloatArray, given: np.ndarray, severity: FloatArray, weight: FloatArray) -> FloatArray:
    """Return the weighted mean of each item's labels without severities."""
    total = given @ weight
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(((np.where(given, values - np.nan_to_num(severity), 0.0)) @ weight) / total)
