"""Two studies, and groups of annotators."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from comparison_helpers import BAD, GOOD, rare, ratings, spans

import unisono
from unisono.comparison import Comparison, compare, compare_groups
from unisono.data import Corpus, Ratings
from unisono.errors import DataError, OptionError
from unisono.results import PValue
from unisono.statistics.paired import Difference


@pytest.mark.parametrize("name", ["krippendorff-alpha", "cohen-kappa", "percent-agreement"])
@pytest.mark.parametrize("n_documents", [1, 8])
def test_two_studies_of_labels(name, n_documents):
    rng = np.random.default_rng(1)
    one, other = (ratings(rng, people, 160, n_documents) for people in (GOOD, BAD))
    (found,) = compare(one, other, [name], names=("new", "old"))
    function = getattr(unisono, name.replace("-", "_"))
    assert found.values == pytest.approx((function(one).value, function(other).value))
    difference = found.difference
    assert difference.name == "new − old"
    assert difference.value == pytest.approx(found.values[0] - found.values[1])
    assert 0 < difference.low < difference.value < difference.high
    assert difference.p < 0.01
    assert found.parts == ("documents" if n_documents == 8 else "blocks of items")
    assert difference.n == (8 if n_documents == 8 else 10)
    json.dumps(found.to_dict(), allow_nan=False)


@pytest.mark.parametrize("name", ["gamma(chance=shift,precision=0.2)", "u-alpha", "span-f1", "slot-error-rate"])
def test_two_studies_of_units(name):
    rng = np.random.default_rng(2)
    one, other = (spans(rng, people) for people in (GOOD, BAD))
    (found,) = compare(one, other, [name])
    better = -1 if name == "slot-error-rate" else 1
    assert found.difference.value * better > 0
    assert found.difference.low < found.difference.value < found.difference.high
    assert found.difference.value == pytest.approx(found.values[0] - found.values[1])
    assert found.difference.p < 0.05
    (back,) = compare(other, one, [name])
    assert back.difference.p == pytest.approx(found.difference.p)
    assert back.difference.low == pytest.approx(-found.difference.high)


def test_the_same_twice_is_no_difference():
    data = spans(np.random.default_rng(3), GOOD)
    (found,) = compare(data, data, ["gamma(chance=shift,precision=0.2)"])
    assert (found.difference.value, found.difference.p) == (0.0, 1.0)


@pytest.mark.parametrize("chance", ["shift", "corpus"])
def test_gamma_without_a_document_comes_from_sums(chance):
    data = spans(np.random.default_rng(4), BAD)
    result = unisono.gamma(data, chance=chance, precision=0.2)
    found = result.parts.leave_out([["d0"], ["d1", "d2"]])
    assert found.error == pytest.approx(1 - result.value)
    if chance == "shift":
        totals = {d.document: (d.alignment.solution.total, d.chance.mean * 8) for d in result.documents}
        for error, gone in zip(found.without, (["d0"], ["d1", "d2"]), strict=True):
            rest = [totals[name] for name in totals if name not in gone]
            assert error == pytest.approx(sum(o for o, _ in rest) / sum(e for _, e in rest))
    else:
        chance, totals = result.documents[0].chance, [d.alignment.solution.total for d in result.documents]
        apart = chance.values[(chance.samples.documents != 0).all(axis=1)]
        assert 0 < len(apart) < len(chance.values)
        assert found.without[0] == pytest.approx(sum(totals[1:]) / (np.mean(apart) * 8 * 7))


def test_only_what_both_have_is_compared():
    rng = np.random.default_rng(5)
    one, other = spans(rng, GOOD, 8), spans(rng, BAD, 12)
    (found,) = compare(one, other, ["u-alpha"])
    assert found.difference.n == 8
    some = other.select(documents=[f"d{i}" for i in range(8)])
    assert found.values[1] == pytest.approx(unisono.u_alpha(some).value)


def test_what_cannot_be_compared_is_told():
    rng = np.random.default_rng(6)
    with pytest.raises(DataError, match="no document in common"):
        compare(spans(rng, GOOD).select(documents=["d0", "d1"]), spans(rng, GOOD).select(documents=["d2", "d3"]))
    with pytest.raises(DataError, match="1 document that two annotators worked on"):
        compare(spans(rng, GOOD, 1), spans(rng, GOOD, 1))
    with pytest.raises(DataError, match="only data of the same kind"):
        compare(spans(rng, GOOD), ratings(rng, GOOD))
    first, second = ({"a": [1, 2], "b": [1, 2]} for _ in range(2))
    one = Ratings.from_annotators(first, items=["p", "q"])
    with pytest.raises(DataError, match="0 items in common"):
        compare(one, Ratings.from_annotators(second, items=["r", "s"]))


def test_a_value_that_is_undefined_has_its_reason():
    same = Ratings.from_annotators({"a": ["x"] * 10, "b": ["x"] * 10})
    (found,) = compare(same, ratings(np.random.default_rng(7), GOOD, 10), ["krippendorff-alpha"], names=("A", "B"))
    assert found.difference.value is None
    assert found.undefined.startswith("A: all labels are the same")


@pytest.mark.parametrize(
    ("n_documents", "reason"), [(6, "without document d5"), (1, "without 1 of 10 blocks of items")]
)
def test_where_all_hangs_on_one_part_there_is_no_p(n_documents, reason):
    found = compare(rare("yxyyyx", n_documents), rare("xyyxyx", n_documents), ["krippendorff-alpha"])
    difference = found[0].difference
    assert difference.value is not None
    assert (difference.low, difference.high, difference.p) == (None, None, None)
    (said,) = found.tabled()[1]
    assert reason in said


def test_labels_in_three_documents_are_compared_by_documents():
    rng = np.random.default_rng(17)
    found = compare(ratings(rng, GOOD, 90, 3), ratings(rng, BAD, 90, 3), ["krippendorff-alpha"])[0]
    assert (found.parts, found.difference.n) == ("documents", 3)


def test_rare_labels_in_two_documents_are_two_documents():
    """All that α knows is in two documents of ten: groups that deviate as often seldom differ."""
    rng, sure = np.random.default_rng(18), 0
    document = np.repeat(np.arange(10), 12)
    for _ in range(120):
        truth = np.where((document < 2) & (rng.random(120) < 0.5), 1, 0)
        columns = {
            name: np.where((document < 2) & (rng.random(120) < 0.3), 1 - truth, truth).tolist() for name in "abcd"
        }
        data = Ratings.from_annotators(columns, document=document.astype(str).tolist())
        (found,) = compare_groups(data, {"A": ["a", "b"], "B": ["c", "d"]}, ["krippendorff-alpha"])
        sure += found.difference.p is not None and found.difference.p < 0.05
    assert sure / 120 <= 0.1


def test_groups():
    data = ratings(np.random.default_rng(8), {"a": 0.05, "b": 0.05, "c": 0.6, "d": 0.6, "e": 0.6}, 120)
    groups = {"experts": ["a", "b"], "students": ["c", "d"], "others": ["d", "e"]}
    found = compare_groups(data, groups, ["krippendorff-alpha"])
    assert [one.difference.name for one in found] == ["experts − students", "experts − others", "students − others"]
    assert found[0].values[0] == pytest.approx(unisono.krippendorff_alpha(data.select(annotators=["a", "b"])).value)
    assert found[0].difference.p_adjusted < 0.01 < found[2].difference.p_adjusted
    for one in found:
        assert one.difference.p_adjusted >= one.difference.p


def test_groups_that_cannot_be_compared():
    data = ratings(np.random.default_rng(9), {"a": 0.1, "b": 0.1, "c": 0.1})
    with pytest.raises(OptionError, match="fewer than two annotators"):
        compare_groups(data, {"x": ["a", "b"], "y": ["c"]})
    with pytest.raises(OptionError, match="two or more"):
        compare_groups(data, {"x": ["a", "b"]})


def test_one_measure_needs_no_list():
    rng = np.random.default_rng(30)
    one, other = ratings(rng, GOOD), ratings(rng, BAD)
    assert compare(one, other, "percent-agreement") == compare(one, other, ["percent-agreement"])


def test_a_generator_gives_both_studies_the_same_seed():
    corpus = spans(np.random.default_rng(31), BAD, n_documents=4)
    (found,) = compare(corpus, corpus, ["gamma(precision=0.2)"], rng=np.random.default_rng(1))
    assert found.values[0] == found.values[1]


def test_what_only_one_has_is_left_out_and_told():
    corpus = spans(np.random.default_rng(32), BAD, n_documents=8)
    few = corpus.select(documents=[f"d{number}" for number in range(5)])
    _, sentences = compare(corpus, few, "cu-alpha", names=("before", "after")).tabled()
    assert sentences[-1] == "Left out, because both need to have them: 3 of 8 documents of before."
    items = ratings(np.random.default_rng(33), GOOD, 40)
    rest = replace(items, items=items.items[10:], codes=items.codes[10:], document=items.document[10:])
    (found,) = compare(rest, items, "percent-agreement", names=("new", "old"))
    assert found.lost == "Left out, because both need to have them: 10 of 40 items of old."


def test_a_small_p_is_not_said_to_be_0():
    rng = np.random.default_rng(34)
    found = compare(ratings(rng, GOOD, 200, 10), ratings(rng, BAD, 200, 10), "percent-agreement")
    assert found[0].difference.p < 0.001
    assert "&lt; 0.001" in found._repr_html_()
    table = found.tabled()[0][1].table
    assert [cell for cell in table.rows[0] if isinstance(cell, PValue)] == [found[0].difference.p]


def test_a_pre_annotation_is_handed_on():
    tokens = [(0, 3), (4, 7), (8, 13), (14, 18)]

    def versions(rng, people, text, n_documents=5):
        rows = [(f"d{d}", who, *span) for d in range(n_documents) for who in people for span in tokens]
        document, annotator, start, end = zip(*rows, strict=True)
        labels = [str(rng.integers(0, 3)) for _ in rows]
        return Corpus.from_columns(
            document=document,
            annotator=annotator,
            start=start,
            end=end,
            features={"pos": labels},
            texts={(name, who): text for name, who, *_ in rows},
        )

    rng = np.random.default_rng(35)
    base, corpus = versions(rng, ["start"], "der man ging. haim"), versions(rng, "ab", "der man gieng heim")
    measure = "text-gamma(precision=0.3)"
    (found,) = compare(corpus, corpus, measure, base=base)
    assert found.values[0] == unisono.measure(measure, corpus, base=base).value
    assert found.values[0] != unisono.measure(measure, corpus).value


@pytest.mark.parametrize(("p", "said"), [(0.3, "no difference between"), (0.01, "is higher in")])
def test_a_difference_is_only_told_if_it_is_sure(p, said):
    difference = Difference("a − b", 0.1, -0.1, 0.3, p, 8, p)
    one = Comparison("gamma", "γ", "a", "b", (0.6, 0.5), (None, None), difference, "documents")
    (sentence,) = one.tabled()[1]
    assert said in sentence
