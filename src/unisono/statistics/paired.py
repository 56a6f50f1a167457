"""Two conditions compared, pair by pair."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy import stats

from unisono.arrays import FloatArray


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
        Its confidence interval (Student's t); None of fewer than two pairs.
    p : float or None
        How likely a mean difference so far from 0 is by chance, and `p_adjusted` the same for all comparisons together.
    n : int
        Number of pairs.
    """

    name: str
    value: float | None
    low: float | None
    high: float | None
    p: float | None
    n: int
    p_adjusted: float | None = None

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
    half = float(stats.t.ppf((1 + level) / 2, n - 1)) * error
    p = 2 * float(stats.t.sf(abs(mean) / error, n - 1)) if error else float(mean == 0)
    return Difference(name, mean, mean - half, mean + half, p, n)


def adjusted_by_holm(found: Sequence[Difference]) -> list[Difference]:
    """Correct for several comparisons (Holm 1979)."""
    known = sorted((one.p, place) for place, one in enumerate(found) if one.p is not None)
    least = 0.0
    adjusted = list(found)
    for rank, (p, place) in enumerate(known):
        least = max(least, min(1.0, p * (len(known) - rank)))
        adjusted[place] = replace(found[place], p_adjusted=least)
    return adjusted
