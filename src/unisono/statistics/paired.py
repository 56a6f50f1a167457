"""Two conditions compared, pair by pair."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import sqrt
from typing import Any

import numpy as np
from scipy import stats

from unisono.arrays import FloatArray
from unisono.statistics.leaving_out import LeftOut, freedom, without_value

_ALIKE = 1e-10
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
        Its confidence interval (Student's t); None of fewer than two pairs, or where it is too wide to say anything.
    p : float or None
        How likely a mean difference so far from 0 is by chance, and `p_adjusted` the same for all comparisons together.
    n : int
        Number of pairs.
    no_interval : str or None
        Why there is no interval, if there is a difference without one.
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
        """Give plain data."""
        return {**vars(self)}


def paired_difference(name: str, one: FloatArray, other: FloatArray, level: float = 0.95) -> Difference:
    """Compare two conditions on the same things.

    Parameters
    ----------
    name : str
        What is subtracted from what.
    one, other : float64 array, shape (n,)
        A value of each thing under each condition.
    level : float
        Coverage of the interval.
    """
    change = np.asarray(one, dtype=np.float64) - np.asarray(other, dtype=np.float64)
    n = len(change)
    if n < 2:
        return Difference(name, float(change[0]) if n else None, None, None, None, n)
    mean, error = float(change.mean()), float(change.std(ddof=1) / np.sqrt(n))
    if error <= _ALIKE:
        return _same_everywhere(name, mean, mean, n, "pairs")
    half = float(stats.t.ppf((1 + level) / 2, n - 1)) * error
    return Difference(name, mean, mean - half, mean + half, _p(mean, error, n - 1), n)


def difference_of_errors(
    name: str, one: LeftOut, other: LeftOut, level: float = 0.95, *, what: str = "documents"
) -> Difference:
    """Give how much less the error is in one condition than in another, parts left out of both together.

    The jackknife is on the difference δ of the two λ (see `LeftOut`), with t at G_eff - 1 degrees of freedom. Its
    limits are given as a difference of errors at the same mean level: for λ = log r, 2 √(r r') sinh(δ/2), which at the
    δ found is r' - r. Where an error is 0, or one part holds all of it, the jackknife is on the difference of errors
    itself. Where there is no value without some part, or all parts differ by the same, there are no limits and no p.

    Parameters
    ----------
    name : str
        What is subtracted from what.
    one, other : LeftOut
        The errors, without the same parts.
    level : float
        Coverage of the interval.
    what : str
        What the parts are.
    """
    value, n = other.error - one.error, one.n_parts
    if n < 2:
        return Difference(name, value, None, None, None, n, no_interval=f"there are fewer than two {what}")
    undefined = next((without_value(left, what) for left in (one, other) if left.n_undefined), None)
    if undefined is not None:
        return Difference(name, value, None, None, None, n, no_interval=f"{undefined} to compare")
    ends = np.array([one.error, other.error])
    on_scale = np.isfinite(one.scaled(np.concatenate([ends, one.without, other.without]))).all()
    first, second = (one.scaled, other.scaled) if on_scale else (np.asarray, np.asarray)
    apart = float(second(other.error) - first(one.error))
    without = second(other.without) - first(one.without)
    error = sqrt((n - 1) / n * float(np.square(without - without.mean()).sum()))
    if error <= _ALIKE:
        return _same_everywhere(name, value, apart, n, what)
    free = freedom(one.weights / (one.weights.sum() or 1.0) + other.weights / (other.weights.sum() or 1.0))
    half = float(stats.t.ppf((1 + level) / 2, free)) * error
    p = _p(apart, error, free)
    if on_scale and half > one.widest:
        wide = f"the {what} differ so much that nothing can be said; compare more of them"
        return Difference(name, value, None, None, None, n, no_interval=wide)
    low, high = (_as_errors(one, other, limit) if on_scale else limit for limit in (apart - half, apart + half))
    return Difference(name, value, max(low, -one.greatest), min(high, other.greatest), p, n)


def adjusted_by_holm(found: Sequence[Difference]) -> list[Difference]:
    """Correct for several comparisons (Holm 1979)."""
    known = sorted((one.p, place) for place, one in enumerate(found) if one.p is not None)
    least = 0.0
    adjusted = list(found)
    for rank, (p, place) in enumerate(known):
        least = max(least, min(1.0, p * (len(known) - rank)))
        adjusted[place] = replace(found[place], p_adjusted=least)
    return adjusted


def _same_everywhere(name: str, value: float, apart: float, n: int, what: str) -> Difference:
    """Give a difference that all parts share: there is none, or nothing tells how much other parts would differ."""
    p = 1.0 if abs(apart) <= _ALIKE else None
    alike = f"the difference is the same in all {n} {what}, and nothing tells how much others would differ"
    return Difference(name, value, None, None, p, n, no_interval=alike)


def _p(mean: float, error: float, freedom: float) -> float:
    return 2 * float(stats.t.sf(abs(mean) / error, freedom))


def _as_errors(one: LeftOut, other: LeftOut, apart: float) -> float:
    """Turn a difference of λ into a difference of errors around the mean λ of the two."""
    middle = float(one.scaled(one.error) + other.scaled(other.error)) / 2
    return other.error_at(middle + apart / 2) - one.error_at(middle - apart / 2)
