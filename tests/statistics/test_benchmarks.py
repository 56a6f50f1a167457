"""Benchmark scales as probabilities."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from unisono.statistics.benchmarks import SCALES, benchmarks


def probabilities(value, error, scale):
    return [row["probability"] for row in benchmarks(value, error)[scale]]


def test_values_that_irrcac_documents():
    """Altman's scale for 0.67 with a standard error of 0.15: moderate is the highest band above 95%."""
    found = probabilities(0.67, 0.15, "altman")
    assert found == pytest.approx([0.18168, 0.67511, 0.96356, 0.99912, 1.0], abs=5e-6)


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize(("value", "error"), [(0.62, 0.1), (-0.3, 0.4), (0.99, 0.02), (0.999, 1e-6), (0.0, 3.0)])
def test_probabilities_rise_from_the_highest_band_to_one(scale, value, error):
    found = probabilities(value, error, scale)
    assert all(0 <= low <= high <= 1 for low, high in pairwise(found))
    assert found[-1] == 1
    assert [row["band"] for row in benchmarks(value, error)[scale]] == [name for name, _ in SCALES[scale]]


def test_by_simulation():
    """A normal distribution, cut off at −1 and 1."""
    drawn = np.random.default_rng(1).normal(0.7, 0.25, 400_000)
    drawn = drawn[np.abs(drawn) <= 1]
    found = benchmarks(0.7, 0.25)["landis_koch"]
    for row in found:
        assert row["probability"] == pytest.approx(np.mean(drawn >= row["at_least"]), abs=0.004)
