"""Quantiles of Student's t against SciPy."""

from __future__ import annotations

import pytest
from scipy.stats import t

from unisono.statistics.student import t_quantile


@pytest.mark.parametrize("freedom", [1, 1.3, 2, 4, 7.7, 30, 250, 1e5])
@pytest.mark.parametrize("probability", [0.6, 0.9, 0.975, 0.995, 0.9999])
def test_equals_scipy(probability, freedom):
    assert t_quantile(probability, freedom) == pytest.approx(t.ppf(probability, freedom), rel=1e-8)
