"""Non-increasing (isotonic) regression."""

from __future__ import annotations

import numpy as np

from unisono.arrays import FloatArray


def non_increasing(values: FloatArray) -> FloatArray:
    """Return the non-increasing values that are nearest by least squares: neighbours that rise are pooled."""
    from scipy.optimize import isotonic_regression  # loading it takes longer than a small job

    return np.asarray(isotonic_regression(values, increasing=False).x) if len(values) else values
