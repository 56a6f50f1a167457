"""How many random samples are enough (Mathet et al. 2015, §5.3)."""

from __future__ import annotations

from math import ceil
from statistics import NormalDist

from unisono.arrays import FloatArray

FEWEST = 30


def exact_samples_needed(mean: float, deviation: float, precision: float, confidence: float) -> float:
    """Give n₀ = (C_v · U / e)²: C_v = deviation/mean, U the normal quantile of the confidence, e the precision."""
    if mean == 0:
        return 0.0
    return (deviation / mean * NormalDist().inv_cdf((1 + confidence) / 2) / precision) ** 2


def samples_needed(values: FloatArray, precision: float, confidence: float) -> int:
    """Give how many samples the mean needs to be within `precision` (relative) with `confidence`; at least 30."""
    if len(values) < 2:
        return FEWEST
    needed = exact_samples_needed(float(values.mean()), float(values.std(ddof=1)), precision, confidence)
    return max(FEWEST, ceil(needed))
