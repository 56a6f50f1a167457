"""The interval of a correlation: by the delta method over items, on the scale of Fisher's z.

Each item has an influence ψ_i on a coefficient that is a function of means over items (they add up to 0), and the variance
of the coefficient is n/(n - 1) Σ ψ_i². That of z = arctanh ρ follows from dz/dρ = 1/(1 - ρ²). No distribution of the labels is
assumed.
"""

from __future__ import annotations

from math import atanh, sqrt, tanh

from unisono.arrays import FloatArray
from unisono.results import Interval
from unisono.statistics.quantiles import LEVEL, student_quantile

_FEWEST_ITEMS = 4
_ROUNDING = 1e-12
FEW = f"an interval needs {_FEWEST_ITEMS} items or more"


def variance(influence: FloatArray, repeats: FloatArray) -> float:
    """Return n/(n - 1) Σ ψ_i²."""
    n = float(repeats.sum())
    return float((influence * influence) @ repeats) * n / (n - 1) if n > 1 else 0.0


def fisher_interval(value: float, error: float, n_items: float, method: str) -> Interval | str | None:
    """Return the limits of a correlation with this standard error; None if the items do not show them."""
    if n_items < _FEWEST_ITEMS:
        return f"there are only {n_items:.0f} items, and {FEW}"
    if abs(value) >= 1 - _ROUNDING or error <= _ROUNDING:
        return None
    half = float(student_quantile((1 + LEVEL) / 2, n_items - 2)) * error / (1 - value * value)
    return Interval(tanh(atanh(value) - half), tanh(atanh(value) + half), LEVEL, method)


def delta_interval(value: float, influence: FloatArray, repeats: FloatArray) -> Interval | str | None:
    """Return the limits of a correlation from the influence of each item."""
    error = sqrt(variance(influence, repeats))
    return fisher_interval(value, error, float(repeats.sum()), "delta method over items, Fisher's z")
