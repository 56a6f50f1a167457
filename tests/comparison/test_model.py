"""A model among humans."""

from __future__ import annotations

import json

import numpy as np
import pytest
from comparison_helpers import ratings, spans

from unisono.comparison import compare_model, compare_models
from unisono.data import Corpus, Ratings
from unisono.errors import DataError, OptionError


def test_a_model_like_the_others_and_one_that_guesses():
    people = {"a": 0.2, "b": 0.2, "c": 0.2}
    good = ratings(np.random.default_rng(10), {**people, "gpt": 0.1}, 200)
    found = compare_model(good, "gpt")
    assert found.comparison.difference.value < 0.1
    assert found.test.passes
    assert found.test.instances == "items"
    assert not found.remarks
    bad = ratings(np.random.default_rng(10), {**people, "gpt": 1.0}, 200)
    found = compare_model(bad, "gpt")
    assert found.comparison.difference.low > 0
    assert found.comparison.difference.p < 0.001
    assert not found.test.passes
    json.dumps(found.to_dict(), allow_nan=False)


def test_the_test_is_that_of_its_definition():
    """Accuracy with the others, item by item, missing labels left out."""
    rng = np.random.default_rng(11)
    data = ratings(rng, {"a": 0.3, "b": 0.3, "c": 0.3, "gpt": 0.3}, 60)
    codes = data.codes.copy()
    codes[rng.random(codes.shape) < 0.1] = -1
    data = Ratings(data.items, data.annotators, data.documents, data.document, codes, data.labels)
    found = {one.annotator: one for one in compare_model(data, "gpt", "krippendorff-alpha").test.humans}
    for j, name in enumerate("abc"):
        wins, n = 0, 0
        for row in codes:
            others = [row[k] for k in range(3) if k != j and row[k] >= 0]
            if row[j] < 0 or row[3] < 0 or not others:
                continue
            n += 1
            wins += np.mean([row[3] == k for k in others]) >= np.mean([row[j] == k for k in others])
        assert found[name].n == n
        assert found[name].model == pytest.approx(wins / n)


def test_the_order_of_annotators_plays_no_part():
    rng = np.random.default_rng(19)
    data = ratings(rng, {"a": 0.3, "b": 0.3, "c": 0.3, "gpt": 0.3}, 80, 8)
    codes = data.codes.copy()
    codes[rng.random(codes.shape) < 0.3] = -1
    order = [2, 0, 3, 1]
    one = Ratings(data.items, data.annotators, data.documents, data.document, codes, data.labels)
    other = Ratings(
        data.items,
        tuple(data.annotators[i] for i in order),
        data.documents,
        data.document,
        codes[:, order],
        data.labels,
    )
    first, second = (compare_model(it, "gpt").comparison.difference for it in (one, other))
    assert (first.low, first.high, first.p) == pytest.approx((second.low, second.high, second.p))


def test_few_items_have_no_verdict():
    found = compare_model(ratings(np.random.default_rng(20), {"a": 0.1, "b": 0.1, "c": 0.1, "gpt": 0.1}, 25), "gpt")
    assert found.test.passes is None
    tables, said = found.tabled()
    assert [row[4] for row in tables[-1].table.rows] == ["", "", ""]
    assert any("too few items for a verdict" in one for one in said)
    assert any("no verdict, for a (25), b (25), c (25)" in one for one in said)


def test_near_misses_count_with_a_distance():
    columns = {"a": [1, 5] * 20, "b": [1, 5] * 20, "c": [2, 5] * 20, "gpt": [5, 5] * 20}
    found = compare_model(Ratings.from_annotators(columns), "gpt", "krippendorff-alpha(distance=interval)")
    assert {one.annotator: one.model for one in found.test.humans} == {"a": 0.5, "b": 0.5, "c": 0.5}
    nominal = compare_model(Ratings.from_annotators(columns), "gpt", "krippendorff-alpha")
    assert {one.annotator: one.model for one in nominal.test.humans} == {"a": 0.5, "b": 0.5, "c": 1.0}


def test_a_model_of_units_is_compared_by_documents():
    data = spans(np.random.default_rng(12), {"a": 0.2, "b": 0.2, "gpt": 0.2}, 12)
    found = compare_model(data, "gpt", "u-alpha")
    assert found.test.instances == "documents"
    assert [one.n for one in found.test.humans] == [12, 12]
    assert len(found.remarks) == 2
    assert len(found.pairs) == 3


def test_a_model_that_cannot_be_compared():
    data = ratings(np.random.default_rng(13), {"a": 0.1, "gpt": 0.1})
    with pytest.raises(DataError, match="there are no annotators besides a, gpt"):
        compare_models(data, ["a", "gpt"])
    with pytest.raises(OptionError, match="unknown annotator 'claude'"):
        compare_model(data, "claude")
    with pytest.raises(OptionError, match="epsilon"):
        compare_model(data, "gpt", epsilon=2.0)


def test_a_copy_is_as_good_as_its_original_by_any_distance():
    """A copy with one label changed ties on all other items, however often which label was given."""
    order = ["low", "mid", "high"]
    anna = [order[i % 2] for i in range(40)]
    columns = {
        "anna": anna,
        "bert": [order[i % 3] for i in range(40)],
        "chris": [order[(i + 1) % 3] for i in range(40)],
        "gpt": ["high", *anna[1:]],
    }
    for measure in ("krippendorff-alpha", "krippendorff-alpha(distance=ordinal(low,mid,high))"):
        instead_of_anna = compare_model(Ratings.from_annotators(columns), "gpt", measure).test.humans[0]
        assert min(instead_of_anna.model, instead_of_anna.human) >= 39 / 40


def test_a_copy_is_as_good_as_its_original_whatever_was_drawn_by_chance():
    corpus = spans(np.random.default_rng(8), {"anna": 0.3, "bert": 0.3, "chris": 0.3}, n_documents=6)
    anna = [(document.name, unit) for document in corpus for unit in document.units if unit.annotator == "anna"]
    rows = [(document.name, unit.annotator, unit) for document in corpus for unit in document.units]
    rows += [(name, "gpt", unit) for name, unit in anna]
    both = Corpus.from_columns(
        document=[name for name, _, _ in rows],
        annotator=[who for _, who, _ in rows],
        start=[unit.start for _, _, unit in rows],
        end=[unit.end for _, _, unit in rows],
        features={"category": [unit.features["category"] for _, _, unit in rows]},
        bounds={document.name: document.bounds for document in corpus},
    )
    instead_of_anna = compare_model(both, "gpt", "gamma(precision=0.2)").test.humans[0]
    assert (instead_of_anna.model, instead_of_anna.human) == (1.0, 1.0)


def test_pairs_are_counted_in_the_measures_own_word():
    people = {"a": 0.2, "b": 0.2, "gpt": 0.1}
    found = compare_model(ratings(np.random.default_rng(10), people, 60), "gpt")
    assert found.tabled()[0][0].table.columns == ("pair", "α", "labels")
    units = compare_model(spans(np.random.default_rng(10), people, 4), "gpt", "span-f1")
    assert units.tabled()[0][0].table.columns[-1] == "units"


def test_a_pair_without_a_value_does_not_count():
    """Whose labels are all the same cannot be told from chance, with whom they are the same."""
    rng = np.random.default_rng(9)
    columns = {name: rng.choice(["x", "y"], 60).tolist() for name in ("anna", "bert", "gpt")}
    columns |= {"cleo": ["x"] * 60, "dora": ["x"] * 60}
    found = compare_model(Ratings.from_annotators(columns), "gpt", "krippendorff-alpha")
    values = [row["value"] for row in found.pairs if "gpt" not in (row["annotator_1"], row["annotator_2"])]
    assert values.count(None) == 1
    assert found.comparison.values[0] == pytest.approx(np.mean([value for value in values if value is not None]))
    assert "1 of 10 pairs has no value" in found.remarks[0]
    assert found.tabled()
    json.dumps(found.to_dict(), allow_nan=False)
    alike = {name: ["x"] * 60 for name in ("anna", "bert", "gpt")}
    with pytest.raises(DataError, match="no two annotators have a value: all labels are the same"):
        compare_model(Ratings.from_annotators(alike), "gpt", "krippendorff-alpha")
