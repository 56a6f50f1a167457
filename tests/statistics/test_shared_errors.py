"""Errors that models share: recovered exactly where the theory holds, and in simulated labels."""

from __future__ import annotations

import numpy as np
import pytest

from unisono.statistics.shared_errors import (
    correlation_limits,
    error_correlations,
    error_products,
    mean_correlation,
    worth,
)


def agreements(people, models, shared):
    """The agreements that follow from correlations with the truth, and from covariances of errors."""
    among = np.outer(people, people)
    np.fill_diagonal(among, np.nan)
    return np.outer(models, models) + shared, np.outer(models, people), among


def test_people_of_any_quality_and_errors_of_any_size():
    people, models = np.array([0.95, 0.5, 0.7]), np.array([0.9, 0.6, 0.4])
    shared = np.array([[0, 0.1, 0], [0.1, 0, 0.3], [0, 0.3, 0]])
    found = error_products(*agreements(people, models, shared), np.ones((3, 3)))
    assert found == pytest.approx(shared + np.diag(1 - models**2))
    correlations = error_correlations(found)
    assert correlations[0, 1] == pytest.approx(0.1 / np.sqrt(0.19 * 0.64))
    assert np.diag(correlations) == pytest.approx(1)
    assert mean_correlation(found) == pytest.approx((0.4 / 3) / np.mean(1 - models**2))


def test_pairs_of_people_count_by_what_they_share():
    people, models = np.array([0.9, 0.6, 0.8, 0.7]), np.array([0.7, 0.5])
    shared = np.array([[0, 0.2], [0.2, 0]])
    ours, mixed, among = agreements(people, models, shared)
    among[0, 3] = among[3, 0] = np.nan  # they have nothing in common
    weights = np.random.default_rng(1).random((4, 4))
    weights += weights.T
    assert error_products(ours, mixed, among, weights)[0, 1] == pytest.approx(0.2)


def test_a_person_whom_a_model_never_met_plays_no_part():
    people, models = np.array([0.9, 0.6, 0.8]), np.array([0.7, 0.5])
    ours, mixed, among = agreements(people, models, np.zeros((2, 2)))
    mixed[1, 2] = np.nan
    assert error_products(ours, mixed, among, np.ones((3, 3)))[0, 1] == pytest.approx(0)


def test_the_only_person_is_the_truth():
    models = np.array([0.8, 0.6])
    ours = np.outer(models, models) + 0.1
    found = error_products(ours, models[:, None], np.full((1, 1), np.nan), np.ones((1, 1)))
    assert found[0, 1] == pytest.approx(0.1)


def test_people_who_do_not_agree_show_nothing():
    ours, mixed, among = agreements(np.array([0.5, 0.0]), np.array([0.7, 0.5]), np.zeros((2, 2)))
    assert np.isnan(error_products(ours, mixed, among, np.ones((2, 2)))).all()


def test_worth():
    assert worth(4, 0.0) == 4
    assert worth(4, 1.0) == 1
    assert worth(4, -0.1) == 4
    assert worth(9, 0.4375) == pytest.approx(2)


def test_limits_need_errors_and_parts():
    found = np.append(0.3, np.random.default_rng(2).normal(0.3, 0.01, 40))
    low, high = correlation_limits(found, np.ones(40), 60)
    assert -1 <= low < 0.3 < high <= 1
    assert correlation_limits(found, np.ones(40), 9) is None
    assert correlation_limits(found[:3], np.ones(2), 60) is None
    assert correlation_limits(np.append(found, np.nan), np.ones(41), 60) is None
    wide = correlation_limits(found, np.ones(40), 15)
    assert wide[0] < low
    assert wide[1] > high


def test_limits_where_a_part_is_beyond_one():
    found = np.append(0.95, np.linspace(0.9, 1.01, 30))
    low, high = correlation_limits(found, np.ones(30), 40)
    assert low < 0.95
    assert high == 1.0
