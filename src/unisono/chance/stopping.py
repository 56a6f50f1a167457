"""How many random samples are enough (Mathet et al. 2015, §5.3)."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, sqrt
from statistics import NormalDist

from unisono.arrays import FloatArray

FEWEST_SAMPLES = 30


def exact_samples_needed(mean: float, deviation: float, precision: float, confidence: float) -> float:
    """Give n₀ = (C_v · U / e)²: C_v = deviation/mean, U the normal quantile of the confidence, e the precision."""
    if mean == 0:
        return 0.0
    return (deviation / mean * NormalDist().inv_cdf((1 + confidence) / 2) / precision) ** 2


def samples_needed(values: FloatArray, precision: float, confidence: float) -> int:
    """Give how many samples the mean needs to be within `precision` (relative) with `confidence`; at least 30."""
    if len(values) < 2:
        return FEWEST_SAMPLES
    needed = exact_samples_needed(float(values.mean()), float(values.std(ddof=1)), precision, confidence)
    return max(FEWEST_SAMPLES, ceil(needed))


def times_more(models: Sequence[tuple[float, FloatArray]], precision: float, confidence: float) -> float:
    """Give how many times as many samples of all models their weighted mean needs to be within `precision`; at least 1.

    Parameters
    ----------
    models : sequence of (float, array)
        Weights and values.
    precision, confidence : float
        See `samples_needed`; for a single model the answer is the same.
    """
    mean = sum(weight * float(values.mean()) for weight, values in models)
    error = sqrt(sum(weight**2 * float(values.var(ddof=1)) / len(values) for weight, values in models))
    return max(1.0, exact_samples_needed(mean, error, precision, confidence))
