"""Differences of errors, parts left out of both together."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from unisono.statistics.jackknife import Disputes, ErrorScale, Jackknife
from unisono.statistics.paired import (
    adjusted_by_holm,
    difference_of_errors,
    difference_of_mean_errors,
    paired_difference,
)


def left(observed, expected, **options):
    without = (observed.sum() - observed) / (expected.sum() - expected)
    return Jackknife(observed.sum() / expected.sum(), without, expected, **options)


def test_difference_by_definition():
    rng = np.random.default_rng(1)
    expected = rng.uniform(5, 9, 8)
    one, other = (
        left(expected * rng.uniform(0.2, 0.4, 8), expected),
        left(expected * rng.uniform(0.3, 0.6, 8), expected),
    )
    found = difference_of_errors("a − b", one, other)
    apart = np.log(other.error / one.error)
    without = np.log(other.without / one.without)
    error = np.sqrt(7 / 8 * np.square(without - without.mean()).sum())
    freedom = expected.sum() ** 2 / (expected**2).sum() - 1
    half = stats.t.ppf(0.975, freedom) * error
    middle = np.sqrt(one.error * other.error)
    assert found.value == pytest.approx(other.error - one.error)
    assert found.low == pytest.approx(2 * middle * np.sinh((apart - half) / 2))
    assert found.high == pytest.approx(2 * middle * np.sinh((apart + half) / 2))
    assert found.p == pytest.approx(2 * stats.t.sf(apart / error, freedom))
    assert 2 * middle * np.sinh(apart / 2) == pytest.approx(found.value)


@pytest.mark.parametrize("within_one", [False, True])
def test_turned_round_it_is_the_same_with_the_other_sign(within_one):
    rng = np.random.default_rng(2)
    parts = [
        left(
            rng.uniform(0.1, 0.6, 9),
            np.ones(9),
            scale=ErrorScale(bounded=within_one, greatest=1.0 if within_one else np.inf),
        )
        for _ in range(2)
    ]
    there, back = difference_of_errors("", *parts), difference_of_errors("", *parts[::-1])
    assert (back.value, back.low, back.high) == pytest.approx((-there.value, -there.high, -there.low))
    assert back.p == pytest.approx(there.p)
    assert (there.low <= 0 <= there.high) == (there.p >= 0.05)


def test_without_errors_the_difference_itself_is_taken():
    one = left(np.zeros(6), np.ones(6))
    other = left(np.array([0.1, 0.2, 0.0, 0.3, 0.2, 0.1]), np.ones(6))
    found = difference_of_errors("", one, other)
    usual = paired_difference("", np.array([0.1, 0.2, 0.0, 0.3, 0.2, 0.1]), np.zeros(6))
    assert (found.value, found.low, found.high, found.p) == pytest.approx((usual.value, usual.low, usual.high, usual.p))
    assert difference_of_errors("", one, one).p == 1.0


def test_too_few_parts():
    one = Jackknife(0.1, np.array([np.nan]), np.ones(1))
    found = difference_of_errors("", one, one)
    assert (found.value, found.p, found.n) == (0.0, None, 1)


def test_a_part_that_cannot_be_left_out_is_not_passed_over():
    one = left(np.array([0.1, 0.2, 0.15, 0.3, 0.2]), np.ones(5))
    other = Jackknife(0.4, np.array([0.4, 0.41, np.nan, 0.39, 0.4]), np.ones(5), names=list("abcde"))
    found = difference_of_errors("", one, other)
    assert found.value == pytest.approx(0.4 - one.error)
    assert (found.low, found.high, found.p) == (None, None, None)
    assert found.no_interval == "without document c there is no value to compare"


def test_a_difference_that_all_parts_share_is_not_sure():
    one, other = left(np.full(6, 0.25), np.ones(6)), left(np.full(6, 0.5), np.ones(6))
    found = difference_of_errors("", one, other)
    assert (found.value, found.low, found.high, found.p) == (0.25, None, None, None)
    usual = paired_difference("", np.full(6, 0.5), np.full(6, 0.25))
    assert (usual.value, usual.low, usual.high, usual.p) == (0.25, None, None, None)
    assert "all 6 documents" in found.no_interval
    assert "all 6 pairs" in usual.no_interval


def test_a_difference_is_within_what_can_be():
    rng = np.random.default_rng(5)
    one, other = (left(rng.uniform(0.1, 3, 3), np.ones(3), scale=ErrorScale(greatest=2.0)) for _ in range(2))
    found = difference_of_errors("", one, other)
    free = difference_of_errors("", *(replace(it, scale=ErrorScale()) for it in (one, other)))
    assert free.low < -2
    assert (found.low, found.high) == (-2.0, min(free.high, 2.0))


def test_holm():
    rng = np.random.default_rng(3)
    found = [paired_difference(str(i), rng.normal(i / 3, 1, 12), np.zeros(12)) for i in range(4)]
    from statsmodels.stats.multitest import multipletests

    wanted = multipletests([one.p for one in found], method="holm")[1]
    assert [one.p_adjusted for one in adjusted_by_holm(found)] == pytest.approx(list(wanted))


@pytest.mark.parametrize("n_documents", [5, 20])
def test_type_one_error_and_power(n_documents):
    """Two studies of the same documents, of which each has its own difficulty."""
    rng = np.random.default_rng(n_documents)
    sure = {1.0: 0, 1.5: 0}
    for worse in sure:
        for _ in range(1000):
            difficulty, expected = rng.gamma(6, 0.05, n_documents), rng.lognormal(2, 0.4, n_documents)
            one, other = (expected * difficulty * k * rng.gamma(12, 1 / 12, n_documents) for k in (1, worse))
            sure[worse] += difference_of_errors("", left(one, expected), left(other, expected)).p < 0.05
    assert 0.03 <= sure[1.0] / 1000 <= 0.07
    assert sure[1.5] / 1000 > (0.3 if n_documents == 5 else 0.9)


def test_parts_that_weigh_differently_in_the_two_conditions():
    weights = np.array([1.0, 2.0, 3.0, 2.0]), np.array([30.0, 10.0, 10.0, 10.0])
    one = replace(left(np.array([0.1, 0.2, 0.15, 0.3]), np.ones(4)), weights=weights[0])
    other = replace(left(np.array([0.3, 0.2, 0.35, 0.4]), np.ones(4)), weights=weights[1])
    shares = np.array([1 / 8 + 1 / 2, 2 / 8 + 1 / 6, 3 / 8 + 1 / 6, 2 / 8 + 1 / 6])
    freedom = 4 / (shares**2).sum() - 1
    without = np.log(other.without / one.without)
    error = np.sqrt(3 / 4 * np.square(without - without.mean()).sum())
    found = difference_of_errors("", one, other)
    assert found.p == pytest.approx(2 * stats.t.sf(abs(np.log(other.error / one.error)) / error, freedom))
    assert found.p == pytest.approx(0.102788, abs=1e-6)


def test_two_parts_are_enough_to_compare():
    one, other = left(np.array([0.2, 0.3]), np.ones(2)), left(np.array([0.4, 0.45]), np.ones(2))
    found = difference_of_errors("", one, other)
    # λ without each part: log(0.45/0.3) and log(0.4/0.2); half their difference is the error, with 1 degree of freedom
    error = np.log(2 / 1.5) / 2
    half = stats.t.ppf(0.975, 1) * error
    assert found.p == pytest.approx(2 * stats.t.sf(np.log(0.425 / 0.25) / error, 1))
    assert found.high == pytest.approx(2 * np.sqrt(0.25 * 0.425) * np.sinh((np.log(0.425 / 0.25) + half) / 2))
    usual = paired_difference("", np.array([0.4, 0.45]), np.array([0.2, 0.3]))
    assert usual.p == pytest.approx(stats.ttest_rel([0.4, 0.45], [0.2, 0.3]).pvalue)


def test_where_one_part_holds_all_the_error_the_difference_itself_is_taken():
    errors = np.array([0.6, 0.0, 0.0, 0.0, 0.0]), np.array([0.1, 0.2, 0.3, 0.4, 0.25])
    found = difference_of_errors("", *(left(own, np.ones(5)) for own in errors))
    usual = paired_difference("", errors[1], errors[0])
    assert (found.value, found.low, found.high, found.p) == pytest.approx((usual.value, usual.low, usual.high, usual.p))
    assert found.p == pytest.approx(stats.ttest_rel(errors[1], errors[0]).pvalue)


def items(errors, unseen=0.0):
    n = len(errors)
    return Jackknife(
        errors.mean(),
        (errors.sum() - errors) / max(n - 1, 1),
        np.ones(n),
        scale=ErrorScale(bounded=True, greatest=2.0),
        disputes=Disputes(None, unseen),
    )


def test_difference_of_mean_errors_is_that_of_the_paired_t_test_and_one_unseen_item():
    rng = np.random.default_rng(7)
    one, other = rng.random(40), rng.random(40) + 0.2
    found = difference_of_mean_errors("a − b", items(one), items(other))
    plain = paired_difference("a − b", other, one)
    assert (found.value, found.low, found.high, found.p) == pytest.approx((plain.value, plain.low, plain.high, plain.p))
    wider = difference_of_mean_errors("a − b", items(one), items(other, 1 / 40))
    error = np.sqrt(np.var(other - one, ddof=1) / 40 + 1 / 40**2)
    assert wider.high - wider.value == pytest.approx(stats.t.ppf(0.975, 39) * error)


def test_difference_of_mean_errors_stays_within_what_is_possible():
    one, other = np.zeros(3), np.full(3, 1.9)
    found = difference_of_mean_errors("a − b", items(one), items(other, 0.5))
    assert (found.value, found.high) == (pytest.approx(1.9), 2.0)
    assert found.low > -2


def test_difference_of_mean_errors_of_too_little():
    errors = np.array([0.1, 0.3, 0.2])
    none = replace(items(errors), without=np.array([0.1, np.nan, 0.2]))
    found = difference_of_mean_errors("a − b", items(errors), none)
    assert (found.low, found.p) == (None, None)
    assert found.no_interval == "without 1 of 3 items there is no value to compare"
    assert difference_of_mean_errors("a", items(errors[:1]), items(errors[:1])).no_interval == (
        "there are fewer than two items to compare"
    )
    assert difference_of_mean_errors("a", items(errors), items(errors)).p == 1.0


def test_difference_of_mean_errors_keeps_its_level_where_hardly_anybody_differs():
    """Three people and a model, equally good, and two in a hundred labels wrong: λ rejects in a fifth of cases."""
    rng = np.random.default_rng(8)
    rejected = 0
    for _ in range(600):
        labels = np.where(rng.random((4, 30)) < 0.02, rng.integers(1, 4, (4, 30)), 0)
        apart = labels[:, None] != labels[None]
        people = apart[:3, :3].sum(axis=(0, 1)) / 6 / 0.75
        mixed = apart[:3, 3].mean(axis=0) / 0.75
        found = difference_of_mean_errors("a", items(people), items(mixed, 1 / 30 / 0.75))
        rejected += found.p < 0.05
    assert rejected / 600 <= 0.05
