"""Quantiles and tails of distributions: Student, F, χ², normal; Poisson limits. From SciPy's special functions.

`scipy.special` is loaded when the first of them is needed: that takes longer than reading and measuring a small file,
and `scipy.stats`, which has the same, takes several times as long.
"""

from __future__ import annotations

from typing import Any

LEVEL = 0.95
"""The confidence level of all intervals."""


def load_special_functions() -> None:
    """Load them ahead, while other threads compute."""
    import scipy.special  # noqa: F401


def student_quantile(probability: float, freedom: Any) -> Any:
    """Return x with P(T ≤ x) = probability, for one or several degrees of freedom, which need not be whole numbers."""
    from scipy.special import stdtrit

    return stdtrit(freedom, probability)


def student_cdf(x: float, freedom: float) -> float:
    """Return P(T ≤ x)."""
    from scipy.special import stdtr

    return float(stdtr(freedom, x))


def poisson_limits(n_events: int, level: float = LEVEL) -> tuple[float, float]:
    """Return the exact limits of a Poisson mean if this many events were seen (Garwood 1936).

    The lower limit is the mean at which as many or more have the probability (1 - level)/2, the upper limit that at
    which as many or fewer have it. At 95%: 0 and 3.69 for no event, 0.025 and 5.57 for one.
    """
    from scipy.special import pdtri

    tail = (1 - level) / 2
    low = 0.0 if n_events == 0 else float(pdtri(n_events - 1, 1 - tail))
    return low, float(pdtri(n_events, tail))


def f_quantile(probability: float, freedom_1: float, freedom_2: float) -> float:
    """Return x with P(F ≤ x) = probability; degrees of freedom need not be whole numbers."""
    from scipy.special import fdtri

    return float(fdtri(freedom_1, freedom_2, probability))


def f_tail(x: float, freedom_1: float, freedom_2: float) -> float:
    """Return P(F > x)."""
    from scipy.special import fdtrc

    return float(fdtrc(freedom_1, freedom_2, x))


def chi_square_tail(x: float, freedom: float) -> float:
    """Return P(χ² > x)."""
    from scipy.special import chdtrc

    return float(chdtrc(freedom, x))


def normal_quantile(probability: float) -> float:
    """Return x with P(Z ≤ x) = probability."""
    from scipy.special import ndtri

    return float(ndtri(probability))


def normal_cdf(x: float) -> float:
    """Return P(Z ≤ x)."""
    from scipy.special import ndtr

    return float(ndtr(x))
