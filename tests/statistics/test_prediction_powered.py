"""Prediction-powered inference (Angelopoulos et al. 2023), against its formula, another package, and simulation."""

from __future__ import annotations

import numpy as np
import pytest
from double_samples import ALONE, TABLE, drawn, sample_of
from scipy import stats

from unisono.statistics.prediction_powered import best_tuning, powered_shares
from unisono.statistics.shares import DoubleSample, plain_shares


def test_as_ppi_python():
    """Package ppi-python, PPI++ with one λ for all categories, which is not cross-fitted, and with normal limits."""
    found = powered_shares(sample_of(TABLE, ALONE)).shares
    assert [one.value for one in found] == pytest.approx([0.21296922, 0.27054618, 0.51648461], abs=2e-4)
    assert [one.low for one in found] == pytest.approx([0.19498752, 0.24857654, 0.49451371], abs=1.5e-3)
    assert [one.high for one in found] == pytest.approx([0.23095091, 0.29251581, 0.53845551], abs=1.5e-3)
    assert sum(one.value for one in found) == pytest.approx(1)


def test_from_its_definition():
    """Every item by people takes the λ of all others."""
    sample = sample_of([[8, 2], [3, 12]], (40, 35))
    people, model, rest = sample.people[:25], sample.model[:25], sample.model[25:]
    terms = []
    for item in range(25):
        others = np.arange(25) != item
        tuning = best_tuning(people[others], model[others], np.vstack([model[others], rest]), 24 / 75)
        terms.append(people[item] - tuning * (model[item] - rest.mean(axis=0)))
    assert [one.value for one in powered_shares(sample).shares] == pytest.approx(np.mean(terms, axis=0))


def test_the_tuning_is_the_best_one():
    sample = sample_of(TABLE, ALONE)
    people, model = sample.people[:1000], sample.model[:1000]

    def variance(tuning):
        rest = tuning**2 * sample.model.var(axis=0, ddof=1) / 10_000
        return float((((people - tuning * model).var(axis=0, ddof=1)) / 1000 + rest).sum())

    tuning = powered_shares(sample).tuning
    assert min(np.linspace(0, 1, 101), key=variance) == pytest.approx(tuning, abs=0.02)


def test_a_perfect_model_is_worth_its_labels_and_a_useless_one_nothing():
    perfect = powered_shares(sample_of(np.diag([30, 70]), (300, 700)))
    assert perfect.tuning == pytest.approx(1 / 1.1, abs=0.02)
    assert perfect.gain == pytest.approx(11, rel=0.03)
    useless = powered_shares(sample_of([[15, 15], [35, 35]], (500, 500)))
    assert useless.tuning == pytest.approx(0, abs=1e-9)
    assert useless.gain == pytest.approx(1)
    assert useless.shares[0].value == pytest.approx(0.3, abs=1e-3)


def test_labels_by_people_alone_are_those_of_people():
    sample = sample_of([[8, 2], [3, 12]], (0, 0))
    found = powered_shares(sample)
    assert (found.tuning, found.gain) == (0, 1)
    assert [one.value for one in found.shares] == pytest.approx([0.4, 0.6])


def test_all_items_twice_have_narrower_limits():
    once, twice = (powered_shares(sample_of(k * TABLE // 10, np.multiply(k, ALONE) // 10)).shares[0] for k in (1, 2))
    assert twice.value == pytest.approx(once.value, abs=2e-3)
    assert (twice.high - twice.low) / (once.high - once.low) == pytest.approx(np.sqrt(0.5), rel=0.03)


def test_documents_that_are_alike_widen_the_limits():
    """Twenty documents, in each of which all items are the same, are twenty items."""
    single = sample_of([[6, 1], [2, 11]], (40, 60))
    parts = DoubleSample(*(np.repeat(one, 10, axis=0) for one in (single.people, single.model, single.part)))
    one, ten = powered_shares(single).shares[0], powered_shares(parts).shares[0]
    assert ten.value == pytest.approx(one.value, abs=1e-3)
    assert ten.high - ten.low == pytest.approx(one.high - one.low, rel=0.1)


def test_plain_shares_are_wilsons():
    given = np.eye(2)[[0] * 30 + [1] * 70]
    (share, _) = plain_shares(given, np.arange(100))
    reference = stats.binomtest(30, 100).proportion_ci(method="wilson")
    assert (share.low, share.high) == pytest.approx((reference.low, reference.high), abs=0.005)


def test_a_category_that_nobody_gave_has_limits():
    share = plain_shares(np.eye(3)[[0] * 30 + [1] * 70], np.arange(100))[2]
    assert (share.value, share.low) == (0, 0)
    assert 0.02 < share.high < 0.06


@pytest.mark.parametrize(("n_people", "n_model"), [(60, 1000), (200, 2000)])
def test_unbiased_and_covering(n_people, n_model):
    """The model alone is off by eleven points; a plain λ of sixty items would be off by half a point on average."""
    share, confusion = [0.3, 0.7], [[0.85, 0.22], [0.15, 0.78]]
    rng = np.random.default_rng(3)
    found = [powered_shares(drawn(rng, share, confusion, n_people, n_model)).shares[0] for _ in range(600)]
    values = np.array([one.value for one in found])
    assert values.mean() == pytest.approx(0.3, abs=3 * values.std() / np.sqrt(600))
    assert 0.93 <= np.mean([one.low <= 0.3 <= one.high for one in found]) <= 0.975


def test_few_documents_with_a_rare_category_show_little_about_others():
    """Half the variance of one more document like the only one that has it; nothing is added for single items."""
    given = np.repeat([[1.0, 0.0], [0.0, 1.0]], [4, 96], axis=0)
    documents = DoubleSample(given, given, np.repeat(np.arange(10), 10))
    influence = np.where(documents.part == 0, 0.01, 0.0)
    assert documents.unseen_variance(influence) == pytest.approx(0.5 * documents.variance(influence))
    assert documents.unseen_variance(np.full(100, 0.01)) == pytest.approx(0.05 * documents.variance(np.full(100, 0.01)))
    items = DoubleSample(given, given, np.arange(100))
    assert items.unseen_variance(influence) == 0
