"""Two conditions compared part by part: the same things, documents or items under both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import sqrt
from typing import Any

import numpy as np

from unisono.arrays import FloatArray
from unisono.statistics.jackknife import Jackknife, effective_freedom
from unisono.statistics.quantiles import LEVEL, student_cdf, student_quantile

_ROUNDING = 1e-10
"""A standard error up to this is rounding."""


@dataclass(frozen=True)
class Difference:
    """A mean difference over pairs.

    Attributes
    ----------
    name : str
        What is subtracted from what.
    value : float or None
        The mean difference; None without pairs.
    low, high : float or None
        Its confidence interval (Student's t); None with fewer than two pairs, or if it is too wide to say anything.
    p, p_adjusted : float or None
        How likely a mean difference so far from 0 is by chance, and the same corrected for the number of comparisons.
    n : int
        Number of pairs.
    no_interval : str or None
        Why a difference has no interval.
    """

    name: str
    value: float | None
    low: float | None
    high: float | None
    p: float | None
    n: int
    p_adjusted: float | None = None
    no_interval: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return {**vars(self)}


def paired_difference(name: str, one: FloatArray, other: FloatArray) -> Difference:
    """Compare two conditions by Student's paired t-test; `name` is what is subtracted from what."""
    change = np.asarray(one, dtype=np.float64) - np.asarray(other, dtype=np.float64)
    n = len(change)
    if n < 2:
        return Difference(name, float(change[0]) if n else None, None, None, None, n)
    mean, error = float(change.mean()), float(change.std(ddof=1) / np.sqrt(n))
    if error <= _ROUNDING:
        return _same_everywhere(name, mean, mean, n, "pairs")
    half = float(student_quantile((1 + LEVEL) / 2, n - 1)) * error
    return Difference(name, mean, mean - half, mean + half, _p(mean, error, n - 1), n)


def difference_of_errors(name: str, one: Jackknife, other: Jackknife, *, what: str = "documents") -> Difference:
    """Return how much smaller the error is in one condition than in another, leaving parts out of both together.

    The jackknife is on the difference δ of the two λ (see `unisono.statistics.jackknife`), with t at G_eff - 1 degrees
    of freedom. Its limits are given as a difference of errors at the same mean level: for λ = log r, this is
    2 √(r r') sinh(δ/2), which at the δ found is r' - r. If an error is 0, or one part holds all of it, λ is infinite,
    and the jackknife is on the difference of errors itself. If there is no value without some part, or the difference
    is the same in all parts, there are neither limits nor p.
    """
    value, n = other.error - one.error, one.n_parts
    nothing = Difference(name, value, None, None, None, n)
    if n < 2:
        return replace(nothing, no_interval=f"there are fewer than two {what}")
    undefined = next((replace(left, what=what).no_value for left in (one, other) if left.n_undefined), None)
    if undefined is not None:
        return replace(nothing, no_interval=f"{undefined} to compare")
    first, second = (np.append(left.without, left.error) for left in (one, other))
    scaled = one.scale.scaled(first), other.scale.scaled(second)
    on_scale = bool(np.isfinite(scaled).all())
    differences = scaled[1] - scaled[0] if on_scale else second - first
    without, apart = differences[:-1], float(differences[-1])
    error = sqrt((n - 1) / n * float(np.square(without - without.mean()).sum()))
    if error <= _ROUNDING:
        return _same_everywhere(name, value, apart, n, what)
    free = effective_freedom(_shares(one, other))
    half = float(student_quantile((1 + LEVEL) / 2, free)) * error
    if on_scale and half > one.scale.widest:
        return replace(nothing, no_interval=f"the {what} differ so much that nothing can be said; compare more of them")
    low, high = (_as_errors(one, other, limit) if on_scale else limit for limit in (apart - half, apart + half))
    limits = max(low, -one.scale.greatest), min(high, other.scale.greatest)
    return Difference(name, value, *limits, _p(apart, error, free), n)


def difference_of_mean_errors(name: str, one: Jackknife, other: Jackknife, *, what: str = "items") -> Difference:
    """Return the same as `difference_of_errors` of means over pairs of annotators who share an annotator or more.

    Where they hardly ever differ, few items make both errors, and λ is far from normal: the jackknife is on the
    difference of errors itself. It may not have seen an item on which they differ in only one of the two, so the
    variance of one such item is added. docs/simulations.md shows by simulation that this keeps its level.
    """
    value, n = other.error - one.error, one.n_parts
    nothing = Difference(name, value, None, None, None, n)
    undefined = next((replace(left, what=what).no_value for left in (one, other) if left.n_undefined), None)
    if n < 2 or undefined is not None:
        return replace(nothing, no_interval=f"{undefined or f'there are fewer than two {what}'} to compare")
    without = other.without - one.without
    unseen = other.disputes.one_more
    error = sqrt((n - 1) / n * float(np.square(without - without.mean()).sum()) + unseen * unseen)
    if error <= _ROUNDING:
        return _same_everywhere(name, value, value, n, what)
    free = effective_freedom(_shares(one, other))
    half = float(student_quantile((1 + LEVEL) / 2, free)) * error
    limits = max(value - half, -one.scale.greatest), min(value + half, other.scale.greatest)
    return Difference(name, value, *limits, _p(value, error, free), n)


def adjusted_by_holm(found: Sequence[Difference]) -> list[Difference]:
    """Correct for several comparisons (Holm 1979)."""
    known = sorted((one.p, place) for place, one in enumerate(found) if one.p is not None)
    least = 0.0
    adjusted = list(found)
    for rank, (p, place) in enumerate(known):
        least = max(least, min(1.0, p * (len(known) - rank)))
        adjusted[place] = replace(found[place], p_adjusted=least)
    return adjusted


def _shares(*jackknives: Jackknife) -> FloatArray:
    """Return how much parts count in several errors together."""
    return np.asarray(sum(one.weights / (one.weights.sum() or 1.0) for one in jackknives))


def _same_everywhere(name: str, value: float, apart: float, n: int, what: str) -> Difference:
    """Return a difference that all parts share: there is none, or nothing shows how much others would differ."""
    p = 1.0 if abs(apart) <= _ROUNDING else None
    alike = f"the difference is the same in all {n} {what}, so they do not show how much others would differ"
    return Difference(name, value, None, None, p, n, no_interval=alike)


def _p(mean: float, error: float, freedom: float) -> float:
    return 2 * student_cdf(-abs(mean) / error, freedom)


def _as_errors(one: Jackknife, other: Jackknife, apart: float) -> float:
    """Turn a difference of λ into a difference of errors around the mean λ of the two."""
    middle = float(one.scale.scaled(one.error) + other.scale.scaled(other.error)) / 2
    return other.scale.error_at(middle + apart / 2) - one.scale.error_at(middle - apart / 2)
