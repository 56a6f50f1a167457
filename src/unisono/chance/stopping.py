"""How many random samples are enough (Mathet et al. 2015, §5.3)."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, fsum, sqrt
from statistics import NormalDist

import numpy as np

from unisono.arrays import FloatArray, deviation

FEWEST_SAMPLES = 30
"""The size of the first sample in the paper, from which mean and deviation are estimated."""


def exact_samples_needed(mean: float, spread: float, precision: float, confidence: float) -> float:
    """Return n₀ = (C_v · U / e)²: C_v = spread/mean, U the normal quantile of the confidence, e the precision."""
    if mean == 0:
        return 0.0
    return (spread / mean * NormalDist().inv_cdf((1 + confidence) / 2) / precision) ** 2


def samples_needed(values: FloatArray, precision: float, confidence: float) -> int:
    """Return how many samples the mean needs to be within `precision` (relative) with `confidence`; at least 30."""
    if len(values) < 2:
        return FEWEST_SAMPLES
    needed = exact_samples_needed(float(values.sum()) / len(values), deviation(values, ddof=1), precision, confidence)
    return max(FEWEST_SAMPLES, ceil(needed))


def times_more(models: Sequence[tuple[float, FloatArray]], precision: float, confidence: float) -> float:
    """Return by which factor samples of all models must grow for their weighted mean to be precise; at least 1.

    Parameters
    ----------
    models : sequence of (float, array)
        Weights and values.
    precision, confidence : float
        See `samples_needed`; for a single model the result is the same.
    """
    # The variance of the weighted mean is Σ w² s²/n; with k times as many samples of each model it is 1/k of that. So
    # k is n₀ of a "sample" whose deviation is the standard error now.
    weight, n = np.array([weight for weight, _ in models]), np.array([len(values) for _, values in models])
    every = np.concatenate([values for _, values in models])
    first = np.cumsum(n) - n
    means = np.add.reduceat(every, first) / n
    variance = np.add.reduceat((every - np.repeat(means, n)) ** 2, first) / (n - 1)
    mean, error = fsum(weight * means), sqrt(fsum(weight**2 * variance / n))  # whatever the order of models
    return max(1.0, exact_samples_needed(mean, error, precision, confidence))
