"""What labels are, from the labels alone and from what a tool says, and what the default measure makes of it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import unisono
from unisono.data import Ratings
from unisono.data.questions import Question
from unisono.measurement.registry import default_measure, parse_measure
from unisono.measurement.scales import label_scale, means_no_answer, scale_among, written_as_number

WIDE = [*range(0, 101, 5)]
MANY = [f"word{k}" for k in range(40)]


@pytest.mark.parametrize(
    ("labels", "kind", "distance"),
    [
        (["x"], "one", "nominal"),
        (["x", "y"], "names", "nominal"),
        (["noun", "verb", "other"], "names", "nominal"),
        ([True, False], "names", "nominal"),
        # two numbers: any distance gives the same
        ([0, 1], "names", "nominal"),
        (["0", "1"], "names", "nominal"),
        (["3.5", "4.5"], "names", "nominal"),
        # few whole numbers
        ([1, 2, 3, 4, 5], "steps", "ordinal"),
        (["1", "2", "3", "4", "5"], "steps", "ordinal"),
        ([-1, 0, 1], "steps", "ordinal"),
        ([1.0, 2.0, 3.0], "steps", "ordinal"),
        ([1, 5, 7], "steps", "ordinal"),
        ([*range(11)], "steps", "ordinal"),
        ([0, 25, 50, 75, 100], "steps", "ordinal"),
        # numbers that are not whole, or far apart
        ([1.5, 2.0, 3.0], "numbers", "interval"),
        (["3.25", "4.1", "4.75"], "numbers", "interval"),
        ([" 1.5 ", "2", "-3e1"], "numbers", "interval"),
        ([*range(12)], "numbers", "interval"),
        (WIDE, "numbers", "interval"),
        ([12, 15, 80], "numbers", "interval"),
        # what looks like numbers and is not
        (["3,5", "4,5", "2,5"], "names", "nominal"),
        (["1_000", "2_000", "3_000"], "names", "nominal"),
        (["nan", "inf", "1"], "names", "nominal"),
        ([True, 2, 3], "names", "nominal"),
        # words in an order are only proposed
        (["low", "mid", "high"], "ordered", "nominal"),
        (["Jamais", "souvent", "toujours"], "ordered", "nominal"),
        (["1 - never", "2", "3 - always"], "ordered", "nominal"),
        # several answers at once
        ([("a",), ("a", "b"), ()], "sets", "masi"),
        (["a", "b", "a|b"], "sets", "masi"),
        (["a|b", "b|c"], "sets", "masi"),
        (["|", "NOUN", "VERB"], "names", "nominal"),  # the part of speech of a bar
        (["a|b", "c", "d"], "names", "nominal"),
        (MANY, "open", "nominal"),
    ],
)
def test_what_labels_look_like(labels, kind, distance):
    found = scale_among(labels, len(labels))
    assert (found.kind, str(found.distance)) == (kind, distance)


@pytest.mark.parametrize(
    ("question", "labels", "kind", "distance"),
    [
        (Question(kind="names"), [1, 2, 3], "steps", "nominal"),
        (Question(kind="names"), ["low", "mid", "high"], "ordered", "nominal"),
        (Question(kind="numbers"), [1, 2, 3], "steps", "ordinal"),
        (Question(kind="numbers"), ["a", "b", "c"], "names", "nominal"),
        (Question(kind="ordered"), [1, 2.5, 3], "steps", "ordinal"),
        (Question(kind="ordered"), ["low", "mid", "high"], "ordered", "ordinal(low,mid,high)"),
        (
            Question(kind="ordered", order=("cold", "so-so", "hot")),
            ["hot", "cold"],
            "ordered",
            "ordinal(cold,so-so,hot)",
        ),
        (Question(kind="ordered", order=("1", "2", "3")), [1, 3], "steps", "ordinal"),
        (Question(kind="ordered", order=("3", "1", "2")), [1, 2, 3], "ordered", "ordinal(3,1,2)"),
        (Question(kind="ordered", order=("cold", "hot")), ["hot", "cold", "warm"], "names", "nominal"),
        (Question(kind="sets"), [("a",), ("b",)], "sets", "masi"),
        (Question(kind="paths"), [("a/b",), ("a/c",)], "paths", "hierarchy"),
        (Question(kind="ranks"), [1, 2, 3], "ranks", "ordinal"),
        # codes, of which a file says what they mean
        (Question.of(meanings={"1": "never", "2": "sometimes", "3": "always"}), [1, 2, 3], "steps", "ordinal"),
        (Question.of(meanings={"1": "noun", "2": "verb", "3": "other"}), [1, 2, 3], "names", "nominal"),
        (Question.of(meanings={"1": "low", "2": "high", "3": "mid"}), [1, 2, 3], "ordered", "ordinal(1,3,2)"),
        (Question.of(meanings={"1": "does not apply", "7": "applies"}), [1, 2, 7], "steps", "ordinal"),
    ],
)
def test_what_the_tool_says_counts_more(question, labels, kind, distance):
    found = scale_among(labels, 100, question)
    assert (found.kind, str(found.distance)) == (kind, distance)


@pytest.mark.parametrize(
    ("labels", "words"),
    [
        ([3, 1, 5, 2, 4], "ordinal: 1 < 2 < 3 < 4 < 5"),
        (["10", "9", "2"], "ordinal: 2 < 9 < 10"),
        (WIDE, "interval scale: 21 different numbers from 0 to 100"),
        (["3.5", "-1", "10"], "interval scale: 3 different numbers from -1 to 10"),
        ([("b", "a"), ("a",)], "sets: 2 names, any number at once: a, b"),
    ],
)
def test_scales_in_plain_words(labels, words):
    assert scale_among(labels, 100).words == words


@pytest.mark.parametrize(
    ("labels", "odd", "distance"),
    [
        (["1", "2", "3", "n/a", "don't know"], ("don't know", "n/a"), "ordinal"),
        (["1.5", "2", "3", "?"], ("?",), "interval"),
        (["1", "2", "3", "4", "broken"], ("broken",), "ordinal"),
        (["low", "mid", "high", "weiß nicht"], ("weiß nicht",), "ordinal(low,mid,high)"),
        (["nunca", "a veces", "siempre", "NS/NC"], ("NS/NC",), "ordinal(nunca,a veces,siempre)"),
    ],
)
def test_labels_that_are_in_the_way_of_a_scale(labels, odd, distance):
    found = scale_among(labels, 100)
    assert found.as_names
    assert found.odd == odd
    assert str(found.instead[0].distance) == distance
    assert all(repr(label) in found.details for label in odd)


@pytest.mark.parametrize(
    "labels", [["1", "2", "a", "b"], ["1", "2", "3", "a", "b", "c", "d"], ["?", ".", "noun", "verb"]]
)
def test_mixed_labels_that_are_no_scale(labels):
    assert not scale_among(labels, 100).looks_like_more


def test_words_for_no_answer():
    assert all(map(means_no_answer, ["N/A", "don’t know", "Keine Angabe", "ne sait pas", "No sabe", " - "]))
    assert not any(map(means_no_answer, ["no", "none of them", 0, ("n/a",), "neutral"]))


def test_what_is_a_number():
    assert all(map(written_as_number, [1, -2.5, "3", "3.", ".5", "1e-3", " 7 "]))
    assert not any(map(written_as_number, ["", "3,5", "1_0", "٣", "nan", "inf", True, ("1",), "1e200", 10**200]))


LABELS = st.one_of(
    st.lists(st.integers(-30, 130), min_size=1, max_size=12, unique=True),
    st.lists(
        st.sampled_from(["low", "mid", "high", "n/a", "1", "2", "3", "4", "5.5", "a|b", "a", "b"]),
        min_size=1,
        unique=True,
    ),
    st.lists(st.frozensets(st.sampled_from("abc")).map(lambda one: tuple(sorted(one))), min_size=1, unique=True),
)


@given(st.data(), LABELS)
def test_neither_the_order_of_items_nor_of_annotators_changes_the_scale(data, labels):
    cells = st.lists(st.sampled_from([*labels, None]), min_size=3, max_size=3)
    table = data.draw(st.lists(cells, min_size=1, max_size=8))
    places = data.draw(st.permutations(range(len(table))))
    people = data.draw(st.permutations(range(3)))
    shuffled = [[table[row][who] for who in people] for row in places]
    assert label_scale(Ratings.of(shuffled, rows="items")) == label_scale(Ratings.of(table, rows="items"))
    assert scale_among(labels[::-1], 50) == scale_among(labels, 50)


def test_labels_that_nobody_gave_do_not_count():
    ratings = Ratings.of([["1", "2", "x"], ["3", "1", "y"]], rows="items")
    assert label_scale(ratings.select(annotators=["1", "2"], all_labels=True)).kind == "steps"


def test_several_data_sets_together():
    one, other = (Ratings.of(rows, rows="items") for rows in ([[1, 2], [3, 3]], [[1, 2], [2.5, 3]]))
    assert str(default_measure(one)) == "krippendorff-alpha(distance=ordinal)"
    assert str(default_measure(one, other)) == "krippendorff-alpha(distance=interval)"
    (found,) = unisono.compare(one, other)
    assert found.measure == "krippendorff-alpha(distance=interval)"


DECIMALS = np.array([[3.5, 3.6], [1.2, 1.1], [2.75, 2.5], [4.1, 4.4]])


def test_the_default_measure_of_decimal_numbers_is_interval_alpha():
    """By hand: D_o is the mean squared difference in an item, D_e that of all pairs of labels."""
    found = default_measure(Ratings.of(DECIMALS, rows="items")).compute(DECIMALS, rows="items")
    values = DECIMALS.ravel()
    apart = (values[:, None] - values[None, :]) ** 2
    observed = ((DECIMALS[:, 0] - DECIMALS[:, 1]) ** 2).mean()
    assert found.value == pytest.approx(1 - observed / (apart.sum() / (8 * 7)))
    assert found.headline()[1].remark == "interval scale: 8 different numbers from 1.1 to 4.4"
    (note,) = (note for note in found.notes if "interval" in note)
    assert "use krippendorff-alpha(distance=ordinal)" in note
    assert note in found.to_dict()["notes"]


@pytest.mark.parametrize(
    ("rows", "named"),
    [
        ([[1, 2], [3, 3], [2, 2]], "krippendorff-alpha(distance=ordinal)"),
        ([["low", "mid"], ["high", "high"], ["mid", "mid"]], "krippendorff-alpha(distance=ordinal(low,mid,high))"),
        ([[("a",), ("a", "b")], [("b",), ("b",)]], "krippendorff-alpha(distance=masi)"),
    ],
)
def test_alpha_without_a_distance_stays_nominal_and_says_what_labels_look_like(rows, named):
    found = unisono.krippendorff_alpha(rows, rows="items")
    assert str(found.parameters["distance"]) == "nominal"
    (note,) = (note for note in found.notes if "look like more than names" in note)
    assert named in note
    assert parse_measure(named).compute(rows, rows="items").value is not None


@pytest.mark.parametrize("rows", [[["x", "y"], ["z", "z"]], [[0, 1], [1, 1]], [["x", "x"], ["x", "x"]]])
def test_names_need_no_remark(rows):
    found = default_measure(Ratings.of(rows, rows="items")).compute(rows, rows="items")
    assert found.notes == ()
    assert found.headline()[1].remark == ""


def test_a_distance_that_somebody_chose_needs_no_remark():
    found = unisono.krippendorff_alpha([[1, 2], [3, 3], [2, 2]], rows="items", distance="ratio")
    assert found.notes == ()
    assert found.headline()[1].remark == "ratio scale"


def test_every_way_out_can_be_measured():
    tables = [
        Ratings.of(DECIMALS, rows="items"),
        Ratings.of([[1, 2], [3, 3], [2, 2]], rows="items"),
        Ratings.of([["nie", "selten"], ["immer", "immer"]], rows="items"),
        Ratings.of([[("a",), ("a", "b")], [(), ("b",)], [(), ()]], rows="items"),
        replace(Ratings.of([[("a/b",), ("a/c",)], [("d",), ()]], rows="items"), question=Question(kind="paths")),
        replace(Ratings.of([[1, 2], [3, 3], [2, 1]], rows="items"), question=Question(kind="ranks")),
        Ratings.of([["1", "2"], ["3", "3"], ["n/a", "1"]], rows="items"),
    ]
    for data in tables:
        assert default_measure(data).compute(data).value is not None
        for way in label_scale(data).instead:
            prepared = unisono.prepare(data, missing=way.missing)
            assert parse_measure(way.measure).compute(prepared).value is not None, (data, way)


def test_explanations_of_a_large_table_are_quick():
    rng = np.random.default_rng(1)
    data = Ratings.of(rng.normal(size=(50_000, 2)).round(4), rows="items")
    assert label_scale(data).kind == "numbers"


def test_sets_of_a_table_are_those_of_python(tmp_path):
    """Several answers in a file, an empty set among them, have the same value as tuples."""
    sets = Ratings.of([[("a",), ("a", "b")], [(), ("b",)], [(), ()], [("a", "b"), ("b",)]], rows="items")
    path = tmp_path / "sets.csv"
    unisono.write(sets, path)
    found = unisono.read(path)
    assert found.labels == ("a", "a|b", "b", "|")
    assert label_scale(found).kind == "sets"
    for distance in ("masi", "set"):
        alpha = unisono.krippendorff_alpha(found, distance=distance).value
        assert alpha == pytest.approx(unisono.krippendorff_alpha(sets, distance=distance).value)
