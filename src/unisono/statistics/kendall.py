"""Kendall's τ of two rankings of systems, with an interval over systems and items.

τ_b = Σ sgn(x_s - x_t) sgn(y_s - y_t) / √(n_x n_y), summed over pairs of systems, where n_x and n_y are the pairs that
are not tied in x and in y. Other systems and other items would have given another τ. Given the items, systems are a
sample, so leaving out systems one by one shows how much τ varies; and what other items would have changed in a system's
mean is a part of how systems differ. So the jackknife over systems is one over systems and items; resampling items as
well would count them twice. Systems of one family are alike: then families are left out instead, with the degrees of
freedom of as many families of the same size. docs/simulations.md shows by simulation that this covers the τ of as many
systems and items.

The variance is at least that of a ranking in which one pair of neighbours is the other way round: where all pairs
agree, nothing else says how seldom they do not.
"""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt

import numpy as np

from unisono.arrays import BoolArray, FloatArray, IntArray
from unisono.results import Interval
from unisono.statistics.jackknife import effective_freedom
from unisono.statistics.quantiles import LEVEL, student_quantile

FEWEST_SYSTEMS = 5
_SAME = 1e-12


def kendall_tau(first: FloatArray, second: FloatArray) -> float | None:
    """Return τ_b of two scores of the same systems; None if either ties all of them."""
    upper = np.triu_indices(len(first), 1)
    one, other = (_signs(scores)[upper] for scores in (first, second))
    untied = sqrt(float(np.abs(one).sum()) * float(np.abs(other).sum()))
    return float((one * other).sum()) / untied if untied else None


def tau_interval(tau: float, without: FloatArray, sizes: FloatArray | None = None) -> Interval | str:
    """Return the interval from τ without each of the systems, or a clause that explains why there is none.

    `sizes`, shape (n_families,), are numbers of systems, if `without` is τ without each family of them.
    """
    n, what = len(without), "systems" if sizes is None else "families of systems"
    if n < FEWEST_SYSTEMS:
        there = f"{n} {what} were" if n > 1 else f"one {'system' if sizes is None else 'family of systems'} was"
        return f"only {there} ranked, and an interval needs {FEWEST_SYSTEMS} or more"
    if np.isnan(without).any():
        one = "systems" if sizes is None else "families"
        return f"without one of the {one} there is no ranking, so everything depends on it"
    sizes = np.ones(n) if sizes is None else sizes
    variance = max((n - 1) / n * float(np.square(without - tau).sum()), _one_swapped(int(sizes.sum())))
    half = float(student_quantile((1 + LEVEL) / 2, effective_freedom(sizes))) * sqrt(variance)
    return Interval(max(tau - half, -1.0), min(tau + half, 1.0), LEVEL, f"jackknife over {n} {what} and their items")


def left_out(part: IntArray, statistic: Callable[[BoolArray], float | None]) -> FloatArray:
    """Return a statistic without each part, NaN where it has no value; it is given which systems are kept.

    `part`, shape (n_systems,), numbers the systems, or their families, from 0.
    """
    found = (statistic(part != number) for number in range(int(part.max(initial=-1)) + 1))
    return np.array([np.nan if value is None else value for value in found])


def _signs(scores: FloatArray) -> FloatArray:
    apart = scores[:, None] - scores[None, :]
    return np.where(np.abs(apart) <= _SAME, 0.0, np.sign(apart))


def _one_swapped(n: int) -> float:
    """Return the jackknife variance of τ if one pair of systems is in the other order."""
    own = np.ones(n)
    own[:2] -= 2 / (n - 1)
    return float(np.square(2 * (n - 1) / (n - 2) * (own - own.mean())).sum()) / (n * (n - 1))
