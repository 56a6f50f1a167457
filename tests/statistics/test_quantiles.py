"""Student's t and Poisson limits by definition."""

from __future__ import annotations

import pytest
from scipy import stats

from unisono.statistics.quantiles import poisson_limits, student_cdf, student_quantile


@pytest.mark.parametrize("freedom", [1, 1.3, 2, 4, 7.7, 30, 250, 1e5])
@pytest.mark.parametrize("probability", [0.6, 0.9, 0.975, 0.995, 0.9999])
def test_student(probability, freedom):
    x = student_quantile(probability, freedom)
    assert x == pytest.approx(stats.t.ppf(probability, freedom), rel=1e-8)
    assert student_cdf(x, freedom) == pytest.approx(probability, rel=1e-9)
    assert student_cdf(-x, freedom) == pytest.approx(stats.t.sf(x, freedom), rel=1e-6)


@pytest.mark.parametrize("n", [0, 1, 2, 5, 40])
@pytest.mark.parametrize("level", [0.95, 0.8])
def test_poisson_limits(n, level):
    tail = (1 - level) / 2
    low, high = poisson_limits(n, level)
    assert stats.poisson.cdf(n, high) == pytest.approx(tail)
    assert high == pytest.approx(stats.chi2.ppf(1 - tail, 2 * n + 2) / 2)
    assert low == pytest.approx(stats.chi2.ppf(tail, 2 * n) / 2 if n else 0.0)


def test_the_limits_that_the_documentation_names():
    assert poisson_limits(0) == pytest.approx((0, 3.6889), abs=1e-4)
    assert poisson_limits(1) == pytest.approx((0.0253, 5.5716), abs=1e-4)
