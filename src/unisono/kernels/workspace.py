"""Arrays to work in: NumPy arrays in machine code, lists in Python.

In Python, an element of a list is read and written several times faster than one of an array.
"""

from __future__ import annotations

from typing import cast

import numpy as np

from unisono.arrays import BoolArray, ByteArray, FloatArray, IntArray
from unisono.kernels.switch import Kernel, kernel


def _floats_list(size: int, value: float) -> FloatArray:
    return cast(FloatArray, [value] * size)


def _floats_array(size: int, value: float) -> FloatArray:
    return np.full(size, value, np.float64)


def _ints_list(size: int, value: int) -> IntArray:
    return cast(IntArray, [value] * size)


def _ints_array(size: int, value: int) -> IntArray:
    return np.full(size, value, np.int64)


def _bools_list(size: int) -> BoolArray:
    return cast(BoolArray, [False] * size)


def _bools_array(size: int) -> BoolArray:
    return np.zeros(size, np.bool_)


def _octets_list(size: int) -> ByteArray:
    return cast(ByteArray, bytearray(size))


def _octets_array(size: int) -> ByteArray:
    return np.zeros(size, np.int8)


# apart from `characters`, the only kernels whose two ways differ; all others use these to make arrays
floats = Kernel(_floats_list, _floats_array)
"""Make an array of so many floats, all of one value."""
ints = Kernel(_ints_list, _ints_array)
"""Make an array of so many integers, all of one value."""
bools = Kernel(_bools_list, _bools_array)
"""Make an array of so many truth values, all false."""
octets = Kernel(_octets_list, _octets_array)
"""Make an array of so many small numbers, 0 to 127, all 0."""


@kernel
def copied(items: IntArray) -> IntArray:
    """Copy integers."""
    copy = ints(len(items), 0)
    for index in range(len(items)):
        copy[index] = items[index]
    return copy


@kernel
def longer(items: IntArray) -> IntArray:
    """Copy to an array twice as long."""
    grown = ints(2 * len(items), 0)
    for index in range(len(items)):
        grown[index] = items[index]
    return grown


@kernel
def longer_floats(items: FloatArray) -> FloatArray:
    """Copy to an array twice as long."""
    grown = floats(2 * len(items), 0.0)
    for index in range(len(items)):
        grown[index] = items[index]
    return grown


@kernel
def longer_octets(items: ByteArray) -> ByteArray:
    """Copy to an array twice as long."""
    grown = octets(2 * len(items))
    for index in range(len(items)):
        grown[index] = items[index]
    return grown
