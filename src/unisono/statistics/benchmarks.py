"""Benchmark scales as probabilities (Gwet 2014, chapter 6).

A value of 0.62 whose standard error is 0.1 is no more "substantial" than "moderate". What can be said is how likely the
true value is at least as high as each band of a scale: the band for which that is 95% or more is the one to report.

References
----------
.. [1] Gwet, K. L. (2014). Handbook of inter-rater reliability, 4th edition, chapter 6. Advanced Analytics.
.. [2] Landis, J. R. & Koch, G. G. (1977). The measurement of observer agreement for categorical data. Biometrics 33(1),
       159–174.
.. [3] Altman, D. G. (1991). Practical statistics for medical research, p. 404. Chapman & Hall.
.. [4] Fleiss, J. L. (1981). Statistical methods for rates and proportions, 2nd edition, p. 218. Wiley.
.. [5] Cicchetti, D. V. & Sparrow, S. A. (1981). Developing criteria for establishing interrater reliability of specific
       items. American Journal of Mental Deficiency 86(2), 127–137.
"""

from __future__ import annotations

from typing import Any

from unisono.statistics.quantiles import normal_cdf

SCALES = {
    "landis_koch": (
        ("almost perfect", 0.8),
        ("substantial", 0.6),
        ("moderate", 0.4),
        ("fair", 0.2),
        ("slight", 0.0),
        ("poor", -1.0),
    ),
    "altman": (("very good", 0.8), ("good", 0.6), ("moderate", 0.4), ("fair", 0.2), ("poor", -1.0)),
    "fleiss": (("excellent", 0.75), ("fair to good", 0.4), ("poor", -1.0)),
    "cicchetti_sparrow": (("excellent", 0.75), ("good", 0.6), ("fair", 0.4), ("poor", -1.0)),
}
"""The bands of each scale, from the highest down: its name, and the value from which it begins."""


def benchmarks(value: float, standard_error: float) -> dict[str, list[dict[str, Any]]]:
    """Return, for each scale, how likely the true value is at least in each of its bands, the highest band first.

    P(κ ≥ b) = (Φ((κ̂ - b)/s) - Φ((κ̂ - 1)/s)) / (Φ((κ̂ + 1)/s) - Φ((κ̂ - 1)/s)): a normal distribution around the value,
    cut off where coefficients end.
    """

    def above(bound: float) -> float:
        return normal_cdf((value - bound) / standard_error)

    low, high = above(-1.0), above(1.0)

    def at_least(bound: float) -> float:
        return min(max((above(bound) - high) / (low - high), 0.0), 1.0)

    return {
        scale: [{"band": name, "at_least": bound, "probability": at_least(bound)} for name, bound in bands]
        for scale, bands in SCALES.items()
    }
