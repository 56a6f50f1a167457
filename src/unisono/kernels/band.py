"""Systems of equations whose matrix is a band around the diagonal."""

from __future__ import annotations

import numpy as np

from unisono.arrays import FloatArray, IntArray
from unisono.kernels.switch import kernel
from unisono.kernels.workspace import floats

# Units that meet in a group are near each other along the continuum. In that order the normal equations of the
# interior- point method are a band, and solving them takes n · width² steps instead of n³.


@kernel
def normal_matrix(bounds: IntArray, members: IntArray, scale: FloatArray, rank: IntArray, width: int) -> FloatArray:
    """Return A D Aᵀ as a band: A has a column for each group, D is `scale`; band[i, k] is row i + k of column i."""
    band = np.zeros((len(rank), width + 1))
    for group in range(len(scale)):
        for index in range(bounds[group], bounds[group + 1]):
            row = rank[members[index]]
            for again in range(bounds[group], bounds[group + 1]):
                column = rank[members[again]]
                if row >= column:  # the matrix is symmetric: the lower half is enough
                    band[column, row - column] += scale[group]
    return band


@kernel
def factorize(band: FloatArray) -> bool:
    """Factorize a positive definite band matrix in place (Cholesky); return whether it is positive definite."""
    n, width = band.shape
    for column in range(n):
        # written so that NaN fails too: then the caller stops with the prices that it has
        if not band[column, 0] > 0.0:
            return False
        pivot = np.sqrt(band[column, 0])
        reach = min(width, n - column)
        for offset in range(reach):
            band[column, offset] /= pivot
        for first in range(1, reach):
            factor = band[column, first]
            if factor != 0.0:  # many entries inside the band are 0: groups join few of the units in between
                for offset in range(first, reach):
                    band[column + first, offset - first] -= factor * band[column, offset]
    return True


@kernel
def solve_factorized(band: FloatArray, right: FloatArray) -> FloatArray:
    """Solve L Lᵀ z = right with the factor that `factorize` leaves."""
    n, width = band.shape
    z = floats(n, 0.0)
    for row in range(n):
        z[row] = right[row]
    # forward with L, then backward with Lᵀ
    for column in range(n):
        z[column] /= band[column, 0]
        for offset in range(1, min(width, n - column)):
            z[column + offset] -= band[column, offset] * z[column]
    for column in range(n - 1, -1, -1):
        for offset in range(1, min(width, n - column)):
            z[column] -= band[column, offset] * z[column + offset]
        z[column] /= band[column, 0]
    return z
