"""How much data it takes."""

from __future__ import annotations

import json

import numpy as np
import pytest
from comparison_helpers import BAD, GOOD, rare, ratings, spans

import unisono
from unisono.comparison import plan, planning
from unisono.errors import DataError, OptionError


@pytest.mark.parametrize("name", ["krippendorff-alpha", "percent-agreement"])
def test_a_plan_tells_the_width_of_larger_studies(name):
    rng = np.random.default_rng(14)
    people = {"a": 0.3, "b": 0.3}
    found = plan(ratings(rng, people, 1000, 50), 0.02, name)
    (hundred,) = [one for one in found.widths if one.n == 100]
    real = [unisono.measure(name, ratings(rng, people, 2000, 100)).interval for _ in range(20)]
    assert hundred.width == pytest.approx(np.median([it.high - it.low for it in real]), rel=0.25)
    assert found.what == "documents"
    assert found.n_pilot == 50


def test_a_plan_for_gamma_and_for_items():
    rng = np.random.default_rng(15)
    found = plan(spans(rng, BAD, 10), 0.2, "gamma(chance=shift,precision=0.2)")
    shares = [one.share for one in found.widths]
    assert found.needed is not None
    assert shares[-1] >= 0.8 > shares[0]
    assert json.dumps(found.to_dict(), allow_nan=False)
    items = plan(ratings(rng, BAD, 200), 0.1, "krippendorff-alpha")
    assert items.what == "items"
    assert items.needed > 200
    assert plan(ratings(rng, BAD, 200), 1e-4, "krippendorff-alpha").needed is None


@pytest.mark.parametrize(("n_items", "n_documents"), [(1000, 1), (1500, 100)])
def test_a_plan_tells_the_width_of_smaller_studies(n_items, n_documents):
    """The pilot is larger than what is needed, and its parts are larger than those that will be left out."""
    rng = np.random.default_rng(21)
    people = {"a": 0.3, "b": 0.3}
    found = plan(ratings(rng, people, n_items, n_documents), 0.3, "krippendorff-alpha")
    size = {1: (100, 1), 100: (150, 10)}[n_documents]
    (width,) = [one.width for one in found.widths if one.n == (100 if n_documents == 1 else 10)]
    real = [unisono.krippendorff_alpha(ratings(rng, people, *size)).interval for _ in range(30)]
    assert width == pytest.approx(np.median([it.high - it.low for it in real]), rel=0.3)


def test_what_cannot_be_planned():
    rng = np.random.default_rng(16)
    with pytest.raises(DataError, match="without document d5 there is no value"):
        plan(rare("yxyyyx"), 0.1, "krippendorff-alpha")
    with pytest.raises(DataError, match="five documents or more"):
        plan(spans(rng, GOOD, 3), 0.1, "u-alpha")
    with pytest.raises(DataError, match="cannot be used for a plan"):
        plan(ratings(rng, {"a": 0.0, "b": 0.0}), 0.1, "krippendorff-alpha")
    with pytest.raises(OptionError, match="width"):
        plan(ratings(rng, GOOD), -1.0)


def test_more_is_needed_to_be_surer_and_for_narrower_intervals():
    pilot = ratings(np.random.default_rng(40), GOOD, 120, 12)
    likely, sure = (plan(pilot, 0.15, "krippendorff-alpha", probability=p) for p in (0.5, 0.95))
    narrow = plan(pilot, 0.08, "krippendorff-alpha", probability=0.5)
    assert likely.needed < sure.needed
    assert likely.needed < narrow.needed
    below = [one.share for one in sure.widths if one.n < likely.needed]
    above = [one.share for one in sure.widths if one.n >= sure.needed]
    assert max(below) < 0.5
    assert min(above) >= 0.95


def test_a_pilot_of_one_annotator_is_told_what_is_lacking():
    alone = spans(np.random.default_rng(50), {"a": 0.1}, 6)
    with pytest.raises(DataError, match="no document was worked on by two annotators"):
        plan(alone, 0.1, "gamma")


def test_draws_looked_at_one_by_one_give_the_same_plan(monkeypatch):
    pilot = ratings(np.random.default_rng(51), BAD, 900, 60)
    found = plan(pilot, 0.1, "krippendorff-alpha")
    monkeypatch.setattr(planning, "_AT_ONCE", 1)
    assert plan(pilot, 0.1, "krippendorff-alpha") == found
