"""Limits of errors from parts left out, Poisson limits, and stretches of a document."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from unisono.data import Corpus
from unisono.statistics.leaving_out import LeftOut, in_one_part, limits, no_limits, poisson_limits
from unisono.statistics.stretches import in_stretches


def left(values, **options):
    """A mean and what it is without each value."""
    values = np.asarray(values, dtype=float)
    without = (values.sum() - values) / (len(values) - 1)
    return LeftOut(float(values.mean()), without, np.ones(len(values)), **options)


def test_limits_by_definition():
    it = left([0.1, 0.3, 0.2, 0.4, 0.15])
    logs = np.log(it.without)
    variance = 4 / 5 * np.square(logs - logs.mean()).sum()
    width = stats.t.ppf(0.975, 4) * np.sqrt(variance)
    assert it.variance == pytest.approx(variance)
    assert limits(it) == pytest.approx((it.error * np.exp(-width), it.error * np.exp(width)))


def test_limits_of_what_is_within_one_stay_there():
    values = [0.9, 0.99, 0.95, 1.0, 0.7]
    low, high = limits(left(values, within_one=True))
    assert low < np.mean(values) < high < 1
    assert limits(left(values))[1] > high


def test_the_variance_is_that_of_a_mean():
    """On values that hardly vary, the scale does not matter, and the jackknife of a mean is exact."""
    values = 0.3 + np.random.default_rng(1).normal(0, 1e-4, 30)
    assert left(values).variance == pytest.approx(values.var(ddof=1) / 30 / 0.3**2, rel=1e-2)


def test_parts_of_different_weight_are_as_good_as_fewer():
    without = np.array([0.2, 0.21, 0.19, 0.2])
    assert LeftOut(0.2, without, np.array([1.0, 1.0, 1.0, 2.0])).freedom == pytest.approx(25 / 7 - 1)
    assert LeftOut(0.2, without, np.array([1.0, 1.0, 1.0, 90.0])).freedom == 1.0
    assert LeftOut(0.2, without, np.zeros(4)).freedom == 1.0


@pytest.mark.parametrize("without", [[0.0, 0.2, 0.2, 0.2], [0.2, 0.2], [np.nan, 0.2, 0.2, 0.21], [1e-9, 0.2, 0.2, 0.2]])
def test_where_too_little_can_be_left_out_nothing_is_said(without):
    assert limits(LeftOut(0.2, np.array(without), np.ones(len(without)))) is None


def test_a_part_that_cannot_be_left_out_is_not_passed_over():
    """All that gives a value is in it."""
    it = LeftOut(0.2, np.array([0.2, 0.21, 0.19, 0.2, 0.22, np.nan]), np.ones(6), names=list("abcdef"))
    assert it.n_undefined == 1
    assert it.influence is None
    assert limits(it) is None
    assert no_limits(it, "documents") == "without document f there is no value, so that all of it hangs on one document"
    assert no_limits(it, "blocks of items").startswith("without 1 of 6 blocks of items there is no value")


def test_parts_that_are_all_alike_have_no_limits():
    it = left([0.25] * 6)
    assert it.alike
    assert limits(it) is None
    assert "all 6 documents are alike" in no_limits(it, "documents")


def test_limits_are_within_what_can_be():
    it = left([0.1, 0.9, 0.2, 1.9])
    assert limits(it)[1] > 2
    assert limits(replace(it, greatest=2.0))[1] == 2.0
    assert limits(replace(it, widest=np.log(2))) is None
    assert "2 times as large" in no_limits(replace(it, widest=np.log(2)), "documents")


def test_an_error_of_one_part_is_an_event_seen_once():
    it = left([0.0, 0.0, 0.0, 0.4])
    assert it.in_one_part
    assert limits(it) is None
    assert in_one_part(it.error) == pytest.approx(tuple(0.1 * mean for mean in poisson_limits(1)))
    assert not left([0.1, 0.1, 0.1, 0.4]).in_one_part


@pytest.mark.parametrize("n", [0, 1, 2, 5, 40])
@pytest.mark.parametrize("level", [0.95, 0.8])
def test_poisson_limits_by_definition(n, level):
    tail = (1 - level) / 2
    low, high = poisson_limits(n, level)
    assert high == pytest.approx(stats.chi2.ppf(1 - tail, 2 * n + 2) / 2)
    assert low == pytest.approx(stats.chi2.ppf(tail, 2 * n) / 2 if n else 0.0)


def spans(rows, bounds=(0, 100)):
    who, start, end = zip(*rows, strict=True)
    return Corpus.from_columns(
        annotator=who,
        start=start,
        end=end,
        features={"category": [str(s) for s in start]},
        bounds={"document": bounds},
        worked=[("document", "idle")],
    )


def test_stretches_are_cut_where_no_unit_is():
    rows = [(who, 10 * i + shift, 10 * i + 6 + shift) for i in range(9) for who, shift in (("a", 1), ("b", 2))]
    cut = in_stretches(spans(rows), 3)
    assert [document.n_units for document in cut] == [6, 6, 6]
    assert [document.bounds for document in cut] == [(0, 31), (31, 61), (61, 100)]
    assert all(document.annotators == ("a", "b", "idle") for document in cut)
    assert sorted((u.start, u.end) for d in cut for u in d.units) == sorted((s, e) for _, s, e in rows)


def test_a_document_that_one_unit_covers_is_not_cut():
    assert in_stretches(spans([("a", 0, 100), ("b", 5, 10), ("b", 20, 30)]), 5) is None


def test_cuts_may_go_through_units():
    cut = in_stretches(spans([("a", 0, 100), ("b", 0, 30), ("b", 30, 100)]), 4, through=True)
    assert [document.bounds for document in cut] == [(0, 25), (25, 50), (50, 75), (75, 100)]
    assert [(u.start, u.end) for u in cut["1"].units] == [(25, 50), (25, 30), (30, 50)]
    assert sum(u.end - u.start for d in cut for u in d.units) == 200
