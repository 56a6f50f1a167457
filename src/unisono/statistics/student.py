"""Quantiles of Student's t distribution (loading a library for them takes longer than a small measurement)."""

from __future__ import annotations

from math import exp, lgamma, log, log1p, sqrt
from statistics import NormalDist


def t_quantile(probability: float, freedom: float) -> float:
    """Give x with P(T ≤ x) = probability, for probability ≥ 1/2, by bisection of the distribution function.

    Parameters
    ----------
    probability : float
        Between 1/2 and 1.
    freedom : float
        Degrees of freedom, above 0; need not be whole.
    """
    low, high = 0.0, max(1.0, NormalDist().inv_cdf(probability))
    while _cdf(high, freedom) < probability:
        high *= 2.0
    for _ in range(200):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        low, high = (middle, high) if _cdf(middle, freedom) < probability else (low, middle)
    return (low + high) / 2


def _cdf(x: float, freedom: float) -> float:
    """P(T ≤ x) for x ≥ 0: 1 - I_y(freedom/2, 1/2)/2 with y = freedom/(freedom + x²)."""
    return 1.0 - _incomplete_beta(freedom / 2, 0.5, freedom / (freedom + x * x)) / 2


def _incomplete_beta(a: float, b: float, y: float) -> float:
    """Regularized incomplete beta function I_y(a, b), by its continued fraction (Lentz's method)."""
    if y <= 0.0 or y >= 1.0:
        return min(max(y, 0.0), 1.0)
    if y > (a + 1) / (a + b + 2):
        return 1.0 - _incomplete_beta(b, a, 1.0 - y)
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(y) + b * log1p(-y)) / a
    c, d = 1.0, 1.0 / (1.0 - (a + b) * y / (a + 1))
    fraction = d
    for m in range(1, 300 + int(10 * sqrt(a))):
        even = m * (b - m) * y / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * y / ((a + 2 * m) * (a + 2 * m + 1))
        before = fraction
        for term in (even, odd):
            d = 1.0 / (1.0 + term * d)
            c = 1.0 + term / c
            fraction *= c * d
        if abs(fraction - before) < 1e-15 * fraction:
            break
    return front * fraction
