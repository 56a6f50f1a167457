"""Isotonic regression: the values in order that are nearest by least squares."""

from __future__ import annotations

import numpy as np

from unisono.arrays import FloatArray


def non_decreasing(values: FloatArray) -> FloatArray:
    """Return the non-decreasing values that are nearest by least squares: neighbours that fall are pooled.

    Blocks grow forwards, then backwards, as in SciPy, so that the sums are the same to the last bit; but loading
    `scipy.optimize` takes longer than a small job.
    """
    given = values.tolist()
    means: list[float] = []
    sizes: list[int] = []
    at = 0
    while at < len(given):
        mean, size = given[at], 1
        at += 1
        if means and means[-1] >= mean:
            size = sizes.pop() + 1
            total = (size - 1) * means.pop() + mean
            mean = total / size
            while at < len(given) and mean >= given[at]:
                total += given[at]
                size += 1
                mean = total / size
                at += 1
            while means and means[-1] >= mean:
                total += sizes[-1] * means.pop()
                size += sizes.pop()
                mean = total / size
        means.append(mean)
        sizes.append(size)
    return np.repeat(np.array(means, np.float64), sizes)


def non_increasing(values: FloatArray) -> FloatArray:
    """Return the non-increasing values that are nearest by least squares."""
    return non_decreasing(values[::-1])[::-1]
