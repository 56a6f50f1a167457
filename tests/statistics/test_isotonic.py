"""Isotonic regression."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.optimize import isotonic_regression

from unisono.statistics.isotonic import non_decreasing, non_increasing


@given(arrays(np.float64, st.integers(1, 12), elements=st.floats(-2, 2)))
def test_equals_the_max_of_the_least_means(values):
    n = len(values)
    wanted = [
        max(min(values[begin : end + 1].mean() for begin in range(k + 1)) for end in range(k, n)) for k in range(n)
    ]
    np.testing.assert_allclose(non_increasing(values), wanted, atol=1e-12)


def test_what_falls_is_left_alone():
    assert non_increasing(np.array([1.0, 0.5, 0.5, -0.2])).tolist() == [1.0, 0.5, 0.5, -0.2]
    assert non_increasing(np.zeros(0)).tolist() == []


def test_what_rises_is_pooled():
    np.testing.assert_allclose(non_increasing(np.array([1.0, 0.2, 0.6, 0.4, 0.0])), [1.0, 0.4, 0.4, 0.4, 0.0])


@pytest.mark.parametrize("seed", range(20))
def test_the_same_as_scipy(seed):
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 5, 40) if seed % 2 else rng.normal(size=200)
    wanted = isotonic_regression(values).x
    assert non_decreasing(values.astype(float)).tolist() == pytest.approx(wanted.tolist(), rel=1e-15)
