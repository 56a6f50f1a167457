"""Prevalence of categories, from labels of a model and of people."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

import unisono
from unisono.comparison import plan, prevalence
from unisono.data import Ratings
from unisono.errors import DataError, OptionError

SHARE = {"neg": 0.2, "neu": 0.3, "pos": 0.5}
CONFUSION = np.array([[0.8, 0.1, 0.25], [0.15, 0.7, 0.05], [0.05, 0.2, 0.7]])


def labels(rng, n_items=1200, n_people=200, *, error=0.0, n_documents=1, chosen=None):
    """Make labels of all items by a model, and of some by two people, the second of whom labels every other item."""
    names = list(SHARE)
    truth = rng.choice(3, p=list(SHARE.values()), size=n_items)
    says = (CONFUSION.T[truth].cumsum(axis=1) < rng.random((n_items, 1))).sum(axis=1)
    labelled = np.arange(n_items) < n_people if chosen is None else chosen(truth)
    columns = {"anna": [], "bert": [], "gpt": [names[one] for one in says]}
    for item, one in enumerate(truth.tolist()):
        for who in ("anna", "bert"):
            given = one if rng.random() > error else int(rng.integers(3))
            there = labelled[item] and (who == "anna" or item % 2 == 0)
            columns[who].append(names[given] if there else None)
    return Ratings.from_annotators(columns, document=[f"d{i * n_documents // n_items}" for i in range(n_items)])


def test_estimates_beside_the_naive_one():
    found = prevalence(labels(np.random.default_rng(1)), "gpt")
    assert (found.humans, found.n_people, found.n_both, found.n_items) == (("anna", "bert"), 200, 200, 1200)
    assert [one.category for one in found.categories] == list(SHARE)
    negative = found.categories[0]
    assert negative.model.low > SHARE["neg"] + 0.05  # off by eleven points, and sure of it
    for one in found.categories:
        for share in (one.people, one.powered, one.corrected):
            assert share.low <= SHARE[one.category] <= share.high
        assert one.powered.high - one.powered.low < one.people.high - one.people.low
    assert sum(one.powered.value for one in found.categories) == pytest.approx(1)
    assert found.gain > 1.1
    (table,), sentences = found.tabled()
    assert table.table.columns[1] == "gpt alone"
    assert "outside the interval" in sentences[0]
    assert f"λ = {found.tuning:.2f}" in sentences[1]
    assert json.dumps(found.to_dict(), allow_nan=False)


def test_named_people_are_the_only_ones():
    rng = np.random.default_rng(2)
    data = labels(rng)
    both, anna = prevalence(data, "gpt"), prevalence(data, "gpt", humans="anna")
    assert anna.humans == ("anna",)
    assert both.to_dict()["categories"] == anna.to_dict()["categories"]  # they never differ
    assert prevalence(data, "gpt", humans=["bert"]).n_both == 100
    assert "gpt looks like a model but counts as a person" in prevalence(data, "anna").notes[0]


def test_people_who_differ_count_by_halves():
    data = Ratings.from_annotators(
        {"anna": ["x", "x", "y", None], "bert": ["y", "x", "y", None], "gpt": ["x", "x", "y", "y"]}
    )
    x = prevalence(data, "gpt").categories[0]
    assert x.people.value == pytest.approx(0.5)
    assert x.model.value == pytest.approx(0.5)


def test_the_order_of_everything_plays_no_part():
    data = labels(np.random.default_rng(3), error=0.1, n_documents=30)
    order = np.random.default_rng(4).permutation(len(data.codes))
    names = [data.labels[code] if code >= 0 else None for code in data.codes[order].ravel().tolist()]
    columns = {who: names[place::3] for place, who in enumerate(data.annotators)}
    shuffled = Ratings.from_annotators(
        {who: columns[who] for who in ("gpt", "bert", "anna")},
        document=[data.documents[index] for index in data.document[order].tolist()],
    )
    one, other = (json.dumps(_rounded(prevalence(each, "gpt").categories)) for each in (data, shuffled))
    assert one == other


def _rounded(categories):
    return [[round(getattr(one.powered, name), 9) for name in ("value", "low", "high")] for one in categories]


def test_rows_that_stand_for_several_items_are_several():
    data = labels(np.random.default_rng(5), n_items=300, n_people=100)
    twice = replace(data, repeats=np.full(300, 2))
    single, double = prevalence(data, "gpt"), prevalence(twice, "gpt")
    assert (double.n_both, double.n_items) == (200, 600)
    one, two = single.categories[2].powered, double.categories[2].powered
    assert two.value == pytest.approx(one.value, abs=0.002)
    assert (two.high - two.low) / (one.high - one.low) == pytest.approx(np.sqrt(0.5), rel=0.03)


def test_documents_are_the_sample_if_there_are_several():
    found = prevalence(labels(np.random.default_rng(6), n_documents=60), "gpt")
    assert found.parts == "documents"
    assert prevalence(labels(np.random.default_rng(6), n_documents=2), "gpt").parts == "items"


def test_sets_of_labels():
    rng = np.random.default_rng(7)
    truth = rng.random((800, 2)) < (0.3, 0.6)
    says = np.where(rng.random((800, 2)) < 0.15, ~truth, truth)
    sets = [[tuple(np.array(["joy", "fear"])[row]) for row in one] for one in (truth, says)]
    data = Ratings.from_annotators({"anna": [*sets[0][:200], *[None] * 600], "gpt": sets[1]})
    found = prevalence(data, "gpt")
    assert [one.category for one in found.categories] == ["fear", "joy"]
    for one, true in zip(found.categories, (0.6, 0.3), strict=True):
        assert one.powered.low <= true <= one.powered.high
        assert one.corrected.low <= true <= one.corrected.high


def test_a_sample_that_is_not_random_is_noted():
    data = labels(np.random.default_rng(8), chosen=lambda truth: (truth == 0) & (np.arange(len(truth)) < 900))
    (note, *_) = prevalence(data, "gpt").notes
    assert "hardly a random sample" in note
    assert not prevalence(labels(np.random.default_rng(8)), "gpt").notes


def test_what_is_hardly_known_is_noted():
    few = Ratings.from_annotators({"anna": ["x"] * 30 + ["y"] * 2 + [None] * 50, "gpt": (["x"] * 40 + ["y"]) * 2})
    assert any("people gave y to fewer than 5 items" in note for note in prevalence(few, "gpt").notes)
    same = Ratings.from_annotators({"anna": ["x", "y"] * 20 + [None] * 40, "gpt": ["x"] * 80})
    found = prevalence(same, "gpt")
    assert any("does not distinguish" in note for note in found.notes)
    assert found.categories[0].corrected is None
    assert found.tabled()[0][0].table.rows[0][-3:] == (None, None, None)


@pytest.mark.parametrize(
    ("columns", "given", "error", "message"),
    [
        ({"anna": ["x"], "gpt": ["x"]}, {"model": "gtp"}, OptionError, "unknown annotator 'gtp'; available: anna, gpt"),
        ({"anna": ["x"], "gpt": ["x"]}, {"humans": "bert"}, OptionError, "humans: unknown annotator 'bert'"),
        ({"anna": ["x"], "gpt": ["x"]}, {"humans": ["gpt"]}, OptionError, "both the model and one of the people"),
        ({"anna": ["x"], "gpt": ["x"]}, {"humans": []}, OptionError, "name at least one annotator"),
        ({"gpt": ["x"]}, {}, DataError, "there are no annotators besides gpt"),
        ({"anna": ["x", "y"], "gpt": [None, None]}, {}, DataError, "gpt labelled nothing"),
        ({"anna": [None, None], "gpt": ["x", "x"]}, {}, DataError, "anna labelled nothing"),
        ({"anna": ["x", None], "gpt": [None, "x"]}, {}, DataError, "anna and gpt have no item in common"),
        ({"anna": ["x", None], "gpt": ["x", "x"]}, {}, DataError, "only 1 item in common"),
        ({"anna": [*range(200)], "gpt": [*range(200)]}, {}, DataError, "200 different labels"),
    ],
)
def test_what_is_lacking_is_said(columns, given, error, message):
    with pytest.raises(error, match=message):
        prevalence(Ratings.from_annotators(columns), **{"model": "gpt", **given})


def test_units_have_no_prevalence():
    units = unisono.data.Corpus.from_columns(annotator=["a", "gpt"], start=[0, 0], end=[3, 3])
    with pytest.raises(DataError, match="labels of given items"):
        prevalence(units, "gpt")


def test_a_plan_tells_how_many_labels_by_people_are_needed():
    pilot = labels(np.random.default_rng(9), n_items=6000, n_people=3000)
    found = plan(pilot, 0.1, model="gpt")
    assert found.needed < found.needed_alone
    (table,), (said,) = found.tabled()
    assert f"labels of {found.needed:,} random items by people" in said
    assert f"without gpt, it takes {found.needed_alone:,}" in said
    assert "items by people" in table.caption
    # as many labels give intervals as wide as that
    widths = []
    for seed in range(40):
        got = prevalence(labels(np.random.default_rng(100 + seed), n_items=6000, n_people=found.needed), "gpt")
        widths.append(max(one.powered.high - one.powered.low for one in got.categories))
    assert np.median(widths) == pytest.approx(0.1, rel=0.08)


def test_a_plan_knows_how_alike_items_of_documents_are():
    rng = np.random.default_rng(10)
    single = labels(rng, n_items=400, n_people=100)
    codes = np.repeat(single.codes, 5, axis=0)
    names = [*single.labels, None]
    columns = {who: [names[code] for code in codes[:, place]] for place, who in enumerate(single.annotators)}
    parts = Ratings.from_annotators(columns, document=[f"d{row // 5}" for row in range(2000)])
    one, five = plan(single, 0.2, model="gpt"), plan(parts, 0.2, model="gpt")
    assert five.needed / one.needed == pytest.approx(5, rel=0.2)


def test_what_cannot_be_planned_with_a_model():
    data = labels(np.random.default_rng(11))
    assert plan(data, 0.001, model="gpt").needed is None
    assert "more items are needed" in plan(data, 0.001, model="gpt").tabled()[1][0]
    with pytest.raises(DataError, match="the pilot is too small: 10 items"):
        plan(labels(np.random.default_rng(12), n_people=10), 0.1, model="gpt")
    with pytest.raises(OptionError, match="measure: does not apply"):
        plan(data, 0.1, "krippendorff-alpha", model="gpt")
    with pytest.raises(OptionError, match="humans: applies only with model="):
        plan(data, 0.1, humans=["anna"])
