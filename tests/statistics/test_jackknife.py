"""The intervals: definitions, limits, and their coverage by simulation."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import t

from unisono.statistics.jackknife import in_one_document, no_interval, over_blocks, over_documents


def test_over_documents_by_definition():
    observed = np.array([3.0, 5.0, 2.0, 8.0])
    expected = np.array([6.0, 9.0, 7.0, 11.0])
    ratio = observed.sum() / expected.sum()
    without = [np.log((observed.sum() - o) / (expected.sum() - e)) for o, e in zip(observed, expected, strict=True)]
    variance = 3 / 4 * sum((value - np.mean(without)) ** 2 for value in without)
    effective = expected.sum() ** 2 / (expected**2).sum()
    width = t.ppf(0.975, effective - 1) * np.sqrt(variance)
    interval = over_documents(observed, expected, serious=True)
    assert interval.low == pytest.approx(1 - ratio * np.exp(width))
    assert interval.high == pytest.approx(1 - ratio * np.exp(-width))
    assert interval.level == 0.95


def test_expected_without_a_document():
    observed = np.array([3.0, 5.0, 2.0])
    expected = np.array([6.0, 9.0, 7.0])
    same = expected.sum() - expected
    assert over_documents(observed, expected, serious=True, expected_without=same) == over_documents(
        observed, expected, serious=True
    )
    other = over_documents(observed, expected, serious=True, expected_without=same * [1, 1.2, 0.9])
    assert other != over_documents(observed, expected, serious=True)


def test_hundred_thousand_documents():
    rng = np.random.default_rng(0)
    expected = rng.uniform(1, 3, 100_000)
    interval = over_documents(expected * rng.gamma(8, 0.05, 100_000), expected, serious=True)
    assert interval.high - interval.low < 0.005


def test_too_few_documents():
    assert over_documents(np.array([1.0]), np.array([2.0]), serious=True) is None
    assert over_documents(np.array([1.0, 1.2]), np.array([2.0, 2.0]), serious=True) is None
    assert "2 documents" in no_interval(np.array([1.0, 1.2]), np.array([2.0, 2.0]))
    assert over_documents(np.array([0.0, 0.0]), np.array([0.0, 0.0]), serious=False) is None


@pytest.mark.parametrize("observed", [[0.0, 0.0, 0.0], [0.0, 0.0, 0.4]])
def test_documents_without_serious_disagreement_have_a_poisson_limit(observed):
    interval = over_documents(np.array(observed), np.array([10.0, 12.0, 9.0]), serious=False)
    assert interval.high == 1
    assert interval.low == pytest.approx(1 - (sum(observed) + 3.6889) / 31, abs=1e-4)


def test_where_one_document_has_all_the_disorder_nothing_can_be_said():
    assert over_documents(np.array([0.0, 0.0, 0.0, 40.0]), np.full(4, 50.0), serious=True) is None
    assert over_documents(np.array([0.0, 1e-9, 0.0, 40.0]), np.full(4, 50.0), serious=True) is None


@pytest.mark.parametrize("rest", [0.0, 1e-9, 2.0])
def test_disorder_of_one_document_is_an_event_seen_once(rest):
    observed, expected = np.array([0.0, rest, 0.0, 40.0]), np.full(4, 50.0)
    found = in_one_document(observed, expected, 3.0)
    assert found.low == pytest.approx(1 - 5.5716 * observed.sum() / 200, abs=1e-4)
    assert found.high == pytest.approx(1 - 0.0253 * observed.sum() / 200, abs=1e-4)
    assert "one of 4 documents" in found.method
    assert in_one_document(observed, expected, 1.1).low == pytest.approx(-0.1)
    assert in_one_document(np.array([0.0, 15.0, 0.0, 40.0]), expected, 3.0) is None
    assert in_one_document(observed[2:], expected[2:], 3.0) is None


def test_disorder_of_one_block_is_an_event_seen_once():
    cost = np.zeros(20)
    cost[:4] = 1.0
    found = over_blocks(cost, np.full(20, 3.0), 3, 1.3, 0.0)
    assert found.low == pytest.approx(1 - 5.5716 * 4 / 26, abs=1e-4)
    assert "one of 5 blocks" in found.method


def test_documents_that_are_all_alike_have_no_interval():
    alike = np.full(6, 0.25), np.ones(6)
    assert over_documents(*alike, serious=True) is None
    assert "alike" in no_interval(*alike)


def test_documents_have_a_floor_where_nothing_is_seriously_wrong():
    observed, expected = np.array([0.2, 0.21, 0.19]), np.full(3, 10.0)
    assert over_documents(observed, expected, serious=False).low == pytest.approx(1 - (0.6 + 3.6889) / 30, abs=1e-4)
    assert over_documents(observed, expected, serious=True).low > 0.97
    alike = over_documents(np.full(3, 0.2), expected, serious=False)
    assert alike.low == pytest.approx(1 - (0.6 + 3.6889) / 30, abs=1e-4)


def test_no_limit_is_below_what_can_be():
    observed, expected = np.array([9.0, 1.0, 4.0, 12.0]), np.full(4, 10.0)
    assert over_documents(observed, expected, serious=True).low < -0.5
    found = over_documents(observed, expected, serious=True, greatest=1.5)
    assert found.low == -0.5
    assert found.method == "jackknife over 4 documents"


def test_over_blocks_by_definition():
    rng = np.random.default_rng(1)
    cost = rng.uniform(0.2, 1.0, 23)
    n_units = rng.integers(1, 4, 23).astype(float)
    interval = over_blocks(cost, n_units, 3, 1.3, 0.0004)
    block = np.arange(23) * 5 // 23
    without = [np.log(cost[block != b].sum() / (n_units[block != b].sum() / 3 * 1.3)) for b in range(5)]
    variance = 4 / 5 * sum((value - np.mean(without)) ** 2 for value in without) + 0.0004
    ratio = cost.sum() / (n_units.sum() / 3 * 1.3)
    assert interval.low == pytest.approx(1 - ratio * np.exp(t.ppf(0.975, 4) * np.sqrt(variance)))
    assert interval.high == pytest.approx(1 - ratio * np.exp(-t.ppf(0.975, 4) * np.sqrt(variance)))


def test_over_blocks_has_a_floor_where_nothing_is_seriously_wrong():
    cost = np.full(20, 0.01)
    interval = over_blocks(cost, np.full(20, 3.0), 3, 1.3, 0.0)
    assert interval.low == pytest.approx(1 - (0.2 + 3.6889) / (20 * 1.3), abs=1e-4)
    assert over_blocks(np.zeros(20), np.full(20, 3.0), 3, 1.3, 0.0).high == 1
    assert over_blocks(np.array([1.0]), np.array([1.0]), 2, 1.0, 0.0) is None


@pytest.mark.parametrize("n_documents", [5, 20])
def test_coverage_over_documents(n_documents):
    """Documents whose observed and expected disorder go together, of very different sizes."""
    rng = np.random.default_rng(n_documents)
    covered = 0
    for _ in range(2000):
        size = rng.lognormal(3, 0.5, n_documents)
        difficulty = rng.lognormal(0, 0.2, n_documents)
        expected = size * difficulty * 1.2
        observed = size * difficulty * rng.gamma(8, 0.5 / 8, n_documents)
        interval = over_documents(observed, expected, serious=True)
        covered += interval.low <= 1 - 0.5 / 1.2 <= interval.high
    assert 0.925 <= covered / 2000 <= 0.975


@pytest.mark.parametrize(("n_alignments", "drift", "most"), [(40, 0.0, 0.97), (200, 0.0, 0.97), (200, 0.3, 0.995)])
def test_coverage_over_blocks(n_alignments, drift, most):
    """One document of unitary alignments; where difficulty drifts through it, the interval errs on the safe side."""
    rng = np.random.default_rng(n_alignments)
    covered = 0
    truth = 0.4
    for _ in range(1500):
        phase, turns = rng.uniform(0, 2 * np.pi), rng.uniform(5, 15)
        difficulty = truth * (1 + drift * np.sin(np.linspace(phase, phase + turns, n_alignments)))
        cost = rng.gamma(0.8, difficulty / 0.8)
        interval = over_blocks(cost, np.full(n_alignments, 3.0), 3, 1.3, 0.0)
        covered += interval.low <= 1 - truth / 1.3 <= interval.high
    assert 0.93 <= covered / 1500 <= most
