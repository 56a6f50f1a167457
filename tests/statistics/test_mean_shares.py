"""Intervals of mean shares."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from unisono.statistics.mean_shares import mean_share_limits


def test_a_single_share_has_the_limits_of_wilson():
    share, n = 0.3, 50
    quantile = stats.t.ppf(0.975, n - 1)
    worth = share * (1 - share) / (n / (n - 1) * share * (1 - share) / n)  # of the variance with n - 1
    low, high = mean_share_limits(np.array([[1.0] * 15 + [0.0] * 35]))
    # the limits are where the distance from the share is the quantile times the standard error there
    for limit in (low, high):
        assert abs(limit - share) == pytest.approx(quantile * np.sqrt(limit * (1 - limit) / worth))


def test_all_alike_is_worth_the_instances():
    low, high = mean_share_limits(np.ones((3, 40)))
    square = stats.t.ppf(0.975, 39) ** 2
    assert low == pytest.approx(40 / (40 + square))
    assert high == 1.0
    assert mean_share_limits(np.zeros((3, 40)))[0] == 0.0


def test_rows_that_are_the_same_say_nothing_more():
    row = (np.random.default_rng(1).random((1, 80)) < 0.6).astype(float)
    assert mean_share_limits(np.repeat(row, 4, axis=0)) == pytest.approx(mean_share_limits(row))


def test_clusters_count_as_one():
    row = np.random.default_rng(2).random((2, 20)).round()
    alone = mean_share_limits(row)
    assert mean_share_limits(np.repeat(row, 5, axis=1), np.repeat(np.arange(20), 5)) == pytest.approx(alone, abs=0.02)
    assert mean_share_limits(row, np.arange(20) + 7) == pytest.approx(alone)


def test_too_little():
    assert mean_share_limits(np.full((2, 5), np.nan)) is None
    assert mean_share_limits(np.array([[1.0]])) is None
    assert mean_share_limits(np.ones((2, 9)), np.zeros(9, dtype=int)) is None


def test_instances_that_a_row_does_not_have_play_no_part():
    rng = np.random.default_rng(3)
    shares = rng.random((2, 60)).round()
    more = np.hstack([shares, np.full((2, 30), np.nan)])
    assert mean_share_limits(more) == pytest.approx(mean_share_limits(shares))


@pytest.mark.parametrize("share", [0.5, 0.9, 0.97])
def test_coverage(share):
    """Three rows that share half of what happens."""
    rng = np.random.default_rng(int(share * 100))
    covered = 0
    for _ in range(1000):
        common = rng.random(60) < share
        rows = np.where(rng.random((3, 60)) < 0.5, common, rng.random((3, 60)) < share)
        low, high = mean_share_limits(rows.astype(float))
        covered += low <= share <= high
    assert 0.93 <= covered / 1000 <= 0.985
