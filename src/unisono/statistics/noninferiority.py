"""Whether one of two is worse by less than a margin, where each instance is won by one of them or by neither [1]_.

Of n instances, the first won b and the second c. The null hypothesis is P(first) - P(second) ≥ margin. Its standard
error is computed as if the difference were the margin itself, with the likeliest P(second) then: unlike that of a
t-test, it does not collapse where the second hardly ever wins. docs/simulations.md shows by simulation which test keeps
its level.

References
----------
.. [1] Tango, T. (1998). Equivalence test and confidence interval for the difference in proportions for the
       paired-sample design. Statistics in Medicine 17(8), 891-908.
"""

from __future__ import annotations

from math import sqrt

from unisono.statistics.quantiles import normal_cdf


def score_p(first: float, second: float, n: int, margin: float) -> float:
    """Return how likely it is that the first wins so few more if it wins more by the margin.

    `first` and `second` are how many instances each won; they need not be whole if each instance was decided several
    times.
    """
    linear = 2 * second * margin + 2 * (n - first - second) * margin - (first + second) * (1 - margin)
    likeliest = (sqrt(linear * linear + 8 * n * second * margin * (1 - margin)) - linear) / (4 * n)
    variance = n * (2 * likeliest + margin * (1 - margin))
    if variance <= 0:
        return 0.5 if first <= second else 1.0
    return normal_cdf((first - second - n * margin) / sqrt(variance))
