"""Units that may all meet, in a few groups: a local search, and what shows how little better any grouping can be.

Matrices are symmetric, with 0 on the diagonal, row by row: the entry for units u and v is `matrix[n * u + v]`.
"""

from __future__ import annotations

import math

from unisono.arrays import FloatArray, IntArray
from unisono.kernels.randomness import below, uniform
from unisono.kernels.switch import kernel
from unisono.kernels.workspace import floats, ints

_ROUNDING = 1e-12
"""A change below this may be rounding, and accepting those could go on forever."""
_SETTLED = 1e-6
"""Directions that change less than this have settled."""


@kernel
def few_large_groups(matrix: FloatArray, n: int, n_groups: int, n_tries: int) -> IntArray:
    """Put units into so many groups at most, so that the sum of entries within groups is small.

    Each try begins with random groups, and moves single units as long as that helps.

    Parameters
    ----------
    matrix : float64 array, shape (n · n,)
        See the module.
    n, n_groups, n_tries : int
        Numbers of units, groups and tries.

    Returns
    -------
    int64 array, shape (n,)
        The group of each unit.
    """
    best, group, table = ints(n, 0), ints(n, 0), floats(n * n_groups, 0.0)
    least = math.inf
    for turn in range(n_tries):
        for place in range(n * n_groups):
            table[place] = 0.0  # what each unit would add to each group
        for unit in range(n):
            group[unit] = below(n_groups, n_groups, 0, turn, unit)
        for unit in range(n):
            for other in range(n):
                table[n_groups * unit + group[other]] += matrix[n * unit + other]
        moving = True
        while moving:
            moving = False
            for unit in range(n):
                before, after = group[unit], group[unit]
                for one in range(n_groups):
                    if table[n_groups * unit + one] < table[n_groups * unit + after] - _ROUNDING:
                        after = one
                if after != before:
                    moving = True
                    group[unit] = after
                    for other in range(n):
                        table[n_groups * other + before] -= matrix[n * unit + other]
                        table[n_groups * other + after] += matrix[n * unit + other]
        total = 0.0
        for unit in range(n):
            total += table[n_groups * unit + group[unit]]
        if total < least - _ROUNDING:
            least = total
            for unit in range(n):
                best[unit] = group[unit]
    return best


@kernel
def random_directions(n: int, n_dimensions: int) -> FloatArray:
    """Return a direction for each unit, shape (n · n_dimensions,): a vector of length 1."""
    direction = floats(n * n_dimensions, 0.0)
    for unit in range(n):
        total = 0.0
        for axis in range(n_dimensions):
            one = uniform(1, 0, unit, axis) - 0.5
            direction[n_dimensions * unit + axis] = one
            total += one * one
        for axis in range(n_dimensions):
            direction[n_dimensions * unit + axis] /= math.sqrt(total)
    return direction


@kernel
def turned_apart(matrix: FloatArray, direction: FloatArray, n: int, n_sweeps: int) -> FloatArray:
    """Turn directions, such that Σ matrix(u, v) <u, v> is small; return how much each one is pulled.

    Each direction in turn becomes what makes the sum least (Burer & Monteiro 2003), until they have settled.

    Parameters
    ----------
    matrix : float64 array, shape (n · n,)
        See the module.
    direction : float64 array, shape (n · n_dimensions,)
        The direction of each unit, which is changed.
    n, n_sweeps : int
        Numbers of units, and of sweeps at most.

    Returns
    -------
    float64 array, shape (n,)
        The length of Σ_v matrix(u, v) v for each unit u.
    """
    n_dimensions = len(direction) // n
    pull, length = floats(n_dimensions, 0.0), floats(n, 0.0)
    for _ in range(n_sweeps):
        change = 0.0
        for unit in range(n):
            for axis in range(n_dimensions):
                pull[axis] = 0.0
            for other in range(n):
                weight = matrix[n * unit + other]
                for axis in range(n_dimensions):
                    pull[axis] += weight * direction[n_dimensions * other + axis]
            total = 0.0
            for axis in range(n_dimensions):
                total += pull[axis] * pull[axis]
            length[unit] = math.sqrt(total)
            if total > 0.0:
                for axis in range(n_dimensions):
                    new = -pull[axis] / length[unit]
                    change = max(change, abs(new - direction[n_dimensions * unit + axis]))
                    direction[n_dimensions * unit + axis] = new
        if change < _SETTLED:
            break
    return length


@kernel
def is_definite(matrix: FloatArray, diagonal: FloatArray, n: int) -> bool:
    """Whether a matrix with another diagonal is positive definite, by Cholesky's decomposition."""
    root = floats(n * n, 0.0)
    for row in range(n):
        for column in range(row + 1):
            total = matrix[n * row + column]
            if row == column:
                total = diagonal[row]
            for before in range(column):
                total -= root[n * row + before] * root[n * column + before]
            if row > column:
                root[n * row + column] = total / root[n * column + column]
            elif total > 0.0:
                root[n * row + row] = math.sqrt(total)
            else:
                return False
    return True
