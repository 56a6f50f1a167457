"""Curves that never rise."""

from __future__ import annotations

import numpy as np

from unisono.arrays import FloatArray


def falling(values: FloatArray) -> FloatArray:
    """Give the nearest values, by squares, that never rise; neighbours that do are pooled."""
    from scipy.optimize import isotonic_regression  # takes longer to load than small jobs to run

    return np.asarray(isotonic_regression(values, increasing=False).x) if len(values) else values
