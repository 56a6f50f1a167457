"""Arrays that grow."""

from __future__ import annotations

import numpy as np

from unisono.arrays import FloatArray, IntArray
from unisono.kernels.switch import kernel


@kernel
def longer(items: IntArray) -> IntArray:
    """Give an array of twice the length with the same beginning."""
    grown = np.zeros(2 * len(items), np.int64)
    for index in range(len(items)):
        grown[index] = items[index]
    return grown


@kernel
def longer_floats(items: FloatArray) -> FloatArray:
    """Give an array of twice the length with the same beginning."""
    grown = np.zeros(2 * len(items))
    for index in range(len(items)):
        grown[index] = items[index]
    return grown
