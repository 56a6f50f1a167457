"""Means of values in clusters."""

from __future__ import annotations

import numpy as np
import pytest

from unisono.statistics.clusters import clustered_mean, clustered_ratio, difference_of_means


def test_clusters_of_one_are_a_simple_sample():
    values = np.array([1.0] * 30 + [0.0] * 70)
    mean = clustered_mean(values, np.arange(100), 100)
    assert mean.value == pytest.approx(0.3)
    assert mean.n == 100
    share = mean.share()
    assert share.low < 0.3 < share.high
    assert share.high - share.low == pytest.approx(2 * 1.96 * np.sqrt(0.3 * 0.7 / 100), rel=0.03)


def test_alike_values_in_a_cluster_count_once():
    values = np.array([1.0] * 30 + [0.0] * 70)
    single = clustered_mean(values, np.arange(100), 100).share()
    many = clustered_mean(np.repeat(values, 5), np.repeat(np.arange(100), 5), 100).share()
    assert (many.low, many.high) == pytest.approx((single.low, single.high))


def test_a_ratio_is_a_mean_of_sums():
    rng = np.random.default_rng(1)
    cluster = rng.integers(0, 20, 200)
    values = rng.random(200).round()
    one = clustered_mean(values, cluster, 20)
    other = clustered_ratio(np.bincount(cluster, values, 20), np.bincount(cluster, minlength=20).astype(float))
    assert one.value == pytest.approx(other.value)
    assert one.influence == pytest.approx(other.influence)
    assert clustered_ratio(np.zeros(3), np.zeros(3)) is None
    assert clustered_mean(np.zeros(0), np.zeros(0, dtype=int), 4) is None


def test_few_clusters_say_nothing():
    two = clustered_mean(np.array([1.0, 1, 0, 1]), np.array([0, 0, 1, 1]), 5)
    assert (two.share().low, two.share().high) == (0, 1)
    assert difference_of_means(two, two) is None


def test_clusters_that_are_all_alike_are_not_certain():
    always = clustered_mean(np.ones(60), np.repeat(np.arange(20), 3), 20)
    assert always.share().high == 1
    assert 0.8 < always.share().low < 0.99
    value, low, high = difference_of_means(always, always)
    assert low < value == 0 < high


@pytest.mark.parametrize("share", [0.1, 0.5, 0.95])
def test_covers(share):
    rng = np.random.default_rng(2)
    hits, differ = [], []
    for _ in range(500):
        own = rng.beta(share * 4, (1 - share) * 4, 60)
        cluster = np.repeat(np.arange(60), rng.integers(1, 8, 60))
        one, other = (
            clustered_mean((rng.random(len(cluster)) < own[cluster]).astype(float), cluster, 60) for _ in range(2)
        )
        limits = one.share()
        hits.append(limits.low <= share <= limits.high)
        _, low, high = difference_of_means(one, other)
        differ.append(low <= 0 <= high)
    assert 0.92 <= np.mean(hits) <= 0.98
    assert 0.93 <= np.mean(differ) <= 0.98
