"""The interval of γ: documents or blocks left out of sums, by definition, and its coverage by simulation."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from scipy.stats import t

from unisono.chance.sampling import Expected, Samples
from unisono.measurement.disorder.document import NONE, DocumentColumns, Documents
from unisono.measurement.disorder.interval import DisorderParts


def row(observed, expected, *, serious=True, n_units=10_000, error=0.0, model=0):
    """A document of one unit per annotator, of such disorder."""
    numbers = {"n_units": n_units, "n_annotators": 2, "size": 1.0, "total": observed, "bound": observed}
    chance = {"model": model, "mean": expected, "error": error, "gap": 0.0, "n_samples": 30}
    return {**numbers, "n_aligned": n_units, "serious": serious, **chance, "undefined": NONE, "notes": 0}


def documents(rows, names=None, alignments=None, chances=None):
    names = [f"d{i}" for i in range(len(rows))] if names is None else names
    columns = {name: np.array([one[name] for one in rows]) for name in row(0.0, 1.0)}
    made = DocumentColumns(**columns, parts=np.zeros((len(rows), 0)))
    return Documents(names, made, 1.0, alignments or {}, chances or {})


def parts(observed, expected, **options):
    return DisorderParts(documents([row(o, e, **options) for o, e in zip(observed, expected, strict=True)]))


def over_blocks(cost, n_units, n_annotators, expected, relative_variance=0.0):
    """The interval of a document whose unitary alignments have such costs and numbers of units."""
    table = np.where(np.arange(n_annotators) < np.asarray(n_units)[:, None], 0, -1)
    solution = SimpleNamespace(total=cost.sum(), cost=cost, table=table)
    annotations = SimpleNamespace(mean_units=np.sum(n_units) / n_annotators, n_annotators=n_annotators)
    alignment = SimpleNamespace(solution=solution, annotations=annotations)
    only = row(cost.sum(), expected, error=expected * np.sqrt(relative_variance))
    return DisorderParts(documents([only], "d", {"d": alignment})).interval()


def test_over_documents_by_definition():
    observed = np.array([3.0, 5.0, 2.0, 8.0])
    expected = np.array([6.0, 9.0, 7.0, 11.0])
    ratio = observed.sum() / expected.sum()
    without = [np.log((observed.sum() - o) / (expected.sum() - e)) for o, e in zip(observed, expected, strict=True)]
    variance = 3 / 4 * sum((value - np.mean(without)) ** 2 for value in without)
    effective = expected.sum() ** 2 / (expected**2).sum()
    width = t.ppf(0.975, effective - 1) * np.sqrt(variance)
    interval = parts(observed, expected).interval()
    assert interval.low == pytest.approx(1 - ratio * np.exp(width))
    assert interval.high == pytest.approx(1 - ratio * np.exp(-width))
    assert interval.level == 0.95


def test_samples_that_a_document_has_a_part_in_are_left_out_with_it():
    drawn = np.array([[0, 1], [1, 2], [2, 3], [0, 3]])
    shared = Expected(Samples(np.array([1.0, 1.5, 2.5, 2.0]), np.zeros(4), drawn))
    rows = [row(observed, shared.mean, model=-2) for observed in (1.0, 2.0, 0.5)]
    every = documents([*rows, row(np.nan, np.nan)], "abcd", chances={-2: shared})
    mixed = DisorderParts(every, {-2: shared})
    assert mixed.leave_out([["a"], ["b"], ["c"]]).without == pytest.approx(
        [2.5 / (2 * np.mean([1.5, 2.5])), 1.5 / (2 * np.mean([2.5, 2.0])), 3.0 / (2 * np.mean([1.0, 2.0]))]
    )
    both = mixed.leave_out([["a", "c"], ["elsewhere"]])  # no sample is free of both: all of them count
    assert both.without == pytest.approx([2.0 / shared.mean, 3.5 / (3 * shared.mean)])
    assert both.error == pytest.approx(3.5 / (3 * shared.mean))
    assert mixed.interval() != DisorderParts(every).interval()


@pytest.mark.parametrize("seed", range(10))
def test_leaving_groups_out_is_summing_the_rest(seed):
    rng = np.random.default_rng(seed)
    observed, expected = rng.gamma(2, 1, 7) * (rng.random(7) < 0.6), rng.gamma(5, 1, 7)
    groups = [["d0", "d3"], ["d1"], ["d2", "d4", "d5"], ["elsewhere"]]
    found = parts(observed, expected).leave_out(groups)
    for group, error, weight in zip(groups, found.without, found.weights, strict=True):
        rest = [i for i in range(7) if f"d{i}" not in group]
        assert error == pytest.approx(observed[rest].sum() / expected[rest].sum())
        assert weight == pytest.approx(expected.sum() - expected[rest].sum())
    assert parts(observed, expected).leave_out([[f"d{i}" for i in range(7)], []]).n_undefined == 1


def test_hundred_thousand_documents():
    rng = np.random.default_rng(0)
    expected = rng.uniform(1, 3, 100_000)
    interval = parts(expected * rng.gamma(8, 0.05, 100_000), expected, n_units=1000).interval()
    assert interval.high - interval.low < 0.005


def test_too_few_documents():
    assert parts([1.0, 1.2], [2.0, 2.0]).interval() == "only 2 documents count, and an interval needs 3 or more"
    assert isinstance(parts([0.0, 0.0], [1.0, 1.0], serious=False).interval(), str)
    assert isinstance(parts([], []).interval(), str)


@pytest.mark.parametrize("observed", [[0.0, 0.0, 0.0], [0.0, 0.0, 0.4]])
def test_documents_without_serious_disagreement_have_a_poisson_limit(observed):
    interval = parts(observed, [10.0, 12.0, 9.0], serious=False).interval()
    assert interval.high == 1
    assert interval.low == pytest.approx(1 - (sum(observed) + 3.6889) / 31, abs=1e-4)


@pytest.mark.parametrize("rest", [0.0, 1e-9, 2.0])
def test_disorder_of_one_document_is_an_event_seen_once(rest):
    observed, expected = np.array([0.0, rest, 0.0, 40.0]), np.full(4, 50.0)
    assert parts(observed, expected).jackknife().limits() is None
    found = parts(observed, expected, n_units=150).interval()
    assert found.low == pytest.approx(1 - 5.5716 * observed.sum() / 200, abs=1e-4)
    assert found.high == pytest.approx(1 - 0.0253 * observed.sum() / 200, abs=1e-4)
    assert "one of 4 documents" in found.method
    assert parts(observed, expected, n_units=55).interval().low == pytest.approx(-0.1)
    spread = parts([0.0, 15.0, 0.0, 40.0], expected).jackknife()
    assert not spread.in_one_part
    assert isinstance(parts(observed[2:], expected[2:]).interval(), str)


def test_disorder_of_one_block_is_an_event_seen_once():
    cost = np.zeros(20)
    cost[:4] = 1.0
    found = over_blocks(cost, np.full(20, 3), 3, 1.3)
    assert found.low == pytest.approx(1 - 5.5716 * 4 / 26, abs=1e-4)
    assert "one of 5 blocks" in found.method


def test_documents_that_are_all_alike_have_no_interval():
    alike = parts(np.full(6, 0.25), np.ones(6)).interval()
    assert alike == "all 6 documents are alike, so they do not show how much others would differ"
    noisy = parts(np.full(6, 0.25), 1 + 0.001 * np.arange(6), error=0.001).interval()
    assert noisy == alike


def test_documents_have_a_floor_where_nothing_is_seriously_wrong():
    observed, expected = np.array([0.2, 0.21, 0.19]), np.full(3, 10.0)
    floor = pytest.approx(1 - (0.6 + 3.6889) / 30, abs=1e-4)
    assert parts(observed, expected, serious=False).interval().low == floor
    assert parts(observed, expected).interval().low > 0.97


def test_no_limit_is_below_what_is_possible():
    observed, expected = np.array([9.0, 1.0, 4.0, 12.0]), np.full(4, 10.0)
    assert parts(observed, expected).interval().low < -0.5
    found = parts(observed, expected, n_units=15).interval()
    assert found.low == -0.5
    assert found.method == "jackknife over 4 documents"


def test_over_blocks_by_definition():
    rng = np.random.default_rng(1)
    cost = rng.uniform(0.2, 1.0, 23)
    n_units = rng.integers(1, 4, 23)
    interval = over_blocks(cost, n_units, 3, 1.3, 0.0004)
    block = np.arange(23) * 5 // 23
    without = [np.log(cost[block != b].sum() / (n_units[block != b].sum() / 3 * 1.3)) for b in range(5)]
    variance = 4 / 5 * sum((value - np.mean(without)) ** 2 for value in without) + 0.0004
    ratio = cost.sum() / (n_units.sum() / 3 * 1.3)
    assert interval.low == pytest.approx(1 - ratio * np.exp(t.ppf(0.975, 4) * np.sqrt(variance)))
    assert interval.high == pytest.approx(1 - ratio * np.exp(-t.ppf(0.975, 4) * np.sqrt(variance)))


def test_over_blocks_has_a_floor_where_nothing_is_seriously_wrong():
    cost = np.full(20, 0.01)
    interval = over_blocks(cost, np.full(20, 3), 3, 1.3)
    assert interval.low == pytest.approx(1 - (0.2 + 3.6889) / (20 * 1.3), abs=1e-4)
    assert over_blocks(np.zeros(20), np.full(20, 3), 3, 1.3).high == 1
    single = over_blocks(np.array([1.0]), np.array([1]), 2, 1.0)
    assert single == "only 1 block of the document counts, and an interval needs 3 or more"


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
        interval = parts(observed, expected).interval()
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
        interval = over_blocks(cost, np.full(n_alignments, 3), 3, 1.3)
        covered += interval.low <= 1 - truth / 1.3 <= interval.high
    assert 0.93 <= covered / 1500 <= most
