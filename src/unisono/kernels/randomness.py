"""Random numbers by counting: the k-th number of a sample is a function of its key, its number and k, nothing else.

A generator with a state would have to be made for each sample, which takes longer than drawing a small sample; and
samples could not be drawn in any order, by any worker, many in one call. Threefry needs additions, rotations and
exclusive ors of 32-bit words only, so that Python and machine code compute the same with 64-bit integers.

References
----------
.. [1] Salmon, J. K., Moraes, M. A., Dror, R. O. & Shaw, D. E. (2011). Parallel random numbers: as easy as 1, 2, 3.
       Proceedings of SC '11.
"""

from __future__ import annotations

import math

from unisono.kernels.switch import kernel

_WORD = 0xFFFFFFFF
_PARITY = 0x1BD11BDA
_TO_UNIT = 2.0**-53


@kernel
def _mixed(x: int, y: int, rotation: int) -> tuple[int, int]:
    """Do one round."""
    x = (x + y) & _WORD
    y = ((y << rotation) & _WORD) | (y >> (32 - rotation))
    return x, y ^ x


@kernel
def threefry(key: int, other_key: int, count: int, other_count: int) -> tuple[int, int]:
    """Encrypt a counter with a key, in 20 rounds: two words of 32 bits that look random (Threefry-2x32-20)."""
    third_key = _PARITY ^ key ^ other_key
    x, y = (count + key) & _WORD, (other_count + other_key) & _WORD
    before, after = other_key, third_key
    for turn in range(1, 6):
        if turn & 1:
            x, y = _mixed(x, y, 13)
            x, y = _mixed(x, y, 15)
            x, y = _mixed(x, y, 26)
            x, y = _mixed(x, y, 6)
        else:
            x, y = _mixed(x, y, 17)
            x, y = _mixed(x, y, 29)
            x, y = _mixed(x, y, 16)
            x, y = _mixed(x, y, 24)
        x, y = (x + before) & _WORD, (y + after + turn) & _WORD
        before, after = after, key + other_key + third_key - before - after
    return x, y


@kernel
def uniform(key: int, other_key: int, sample: int, number: int) -> float:
    """Return a random number from 0 to 1, 1 excluded; all multiples of 2⁻⁵³ are equally likely."""
    x, y = threefry(key, other_key, sample, number)
    return ((x >> 5) * 67108864.0 + (y >> 6)) * _TO_UNIT


@kernel
def below(limit: int, key: int, other_key: int, sample: int, number: int) -> int:
    """Return a random whole number from 0 to below a limit, which is at most 2³²: some differ in likelihood by 2⁻²¹."""
    return int(uniform(key, other_key, sample, number) * limit)


@kernel
def normal(key: int, other_key: int, sample: int, number: int) -> tuple[float, float]:
    """Return two standard normal numbers, made of this uniform number and the next (Box & Muller 1958)."""
    first = 1.0 - uniform(key, other_key, sample, number)  # not 0
    distance = math.sqrt(-2.0 * math.log(first))
    angle = 2.0 * math.pi * uniform(key, other_key, sample, number + 1)
    return distance * math.cos(angle), distance * math.sin(angle)
