"""Ratings: labels of items."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from unisono.data import Ratings
from unisono.errors import DataError


def spelled(ratings):
    table = np.empty(len(ratings.labels) + 1, dtype=object)
    table[:-1] = ratings.labels
    return table[ratings.codes].tolist()


def test_rows_are_items_and_columns_annotators():
    ratings = Ratings.of([["x", "y", None], ["x", "x", "x"]], rows="items")
    assert spelled(ratings) == [["x", "y", None], ["x", "x", "x"]]
    assert ratings.annotators == ("1", "2", "3")
    assert list(ratings.items) == [1, 2]
    assert (ratings.n_items, ratings.n_units, ratings.n_units_of("3")) == (2, 5, 1)
    assert Ratings.of(ratings) is ratings
    assert repr(ratings) == "Ratings(2 items, 3 annotators, 2 labels)"


@pytest.mark.parametrize(
    "table",
    [
        np.array([[1, 2], [3, 3]]),
        np.array([[1.0, 2.0], [3.0, 3.0]]),
        np.array([[1, 2], [3, 3]], dtype=np.uint8),
        [[1, 2], [3, 3]],
        ((1, 2), (3, 3)),
        np.array([[1, 2], [3, 3]], dtype=object),
    ],
)
def test_numbers(table):
    ratings = Ratings.of(table, rows="items")
    assert ratings.labels == (1, 2, 3)
    assert ratings.codes.tolist() == [[0, 1], [2, 2]]
    assert ratings.codes.dtype == np.int64


@pytest.mark.parametrize("labels", [(-3, 0, 5), (0.25, 1.5, 1e9), (1, 10**12, 7)])
def test_any_numbers(labels):
    a, b, c = labels
    assert spelled(Ratings.of(np.array([[a, b], [c, a]]), rows="items")) == [[a, b], [c, a]]


def test_what_is_missing():
    nan = float("nan")
    assert spelled(Ratings.of(np.array([[1, nan], [nan, 2.5]]), rows="items")) == [[1, None], [None, 2.5]]
    assert spelled(Ratings.of([["x", None], [nan, "y"]], rows="items")) == [["x", None], [None, "y"]]
    masked = np.ma.masked_array([[1, 2], [3, 4]], mask=[[0, 1], [0, 0]])
    assert spelled(Ratings.of(masked, rows="items")) == [[1, None], [3, 4]]
    assert Ratings.of(np.full((2, 2), nan), rows="items").labels == ()


def test_sets_truth_values_and_words():
    ratings = Ratings.of([[["b", "a"], {"a", "b"}], [("c",), None]], rows="items")
    assert ratings.labels == (("a", "b"), ("c",))
    assert len(Ratings.of([[True, 1], [False, 0]], rows="items").labels) == 4


def test_one_column_an_annotator():
    ratings = Ratings.of({"anna": ["x", None], "bert": ["y", "x"]})
    assert ratings.annotators == ("anna", "bert")
    assert spelled(ratings) == [["x", "y"], [None, "x"]]
    named = Ratings.from_annotators({"anna": "xyx"}, items=["i", "j", "k"], document=["d", "e", "d"])
    assert list(named.items) == ["i", "j", "k"]
    assert named.documents == ("d", "e")
    assert named.document.tolist() == [0, 1, 0]


def test_one_row_a_label():
    ratings = Ratings.from_columns(
        item=["i", "i", "j", "i"],
        annotator=["anna", "bert", "bert", "anna"],
        label=["x", "y", "x", "z"],
        document=["d", "d", "d", "e"],
    )
    assert list(ratings.items) == ["i", "j", "i"]
    assert ratings.documents == ("d", "e")
    assert spelled(ratings) == [["x", "y"], [None, "x"], ["z", None]]


def test_select():
    ratings = Ratings.from_annotators(
        {"anna": ["x", None, "z"], "bert": ["x", "y", None], "chris": ["x", "x", "z"]}, document=["d", "d", "e"]
    )
    two = ratings.select(annotators=["anna", "bert"])
    assert spelled(two) == [["x", "x"], [None, "y"], ["z", None]]
    alone = ratings.select(annotators=["bert"])
    assert alone.documents == ("d",)
    assert spelled(alone) == [["x"], ["y"]]
    assert ratings.select(documents=["e"]).annotators == ("anna", "bert", "chris")
    assert list(ratings.select(documents=["e"]).codes.shape) == [1, 3]
    with pytest.raises(DataError, match="unknown annotator 'dora'; available: anna, bert, chris"):
        ratings.select(annotators=["dora"])


def test_select_keeps_what_is_known_of_items():
    places = [("d", "i"), ("d", "j"), ("e", "i")]
    ratings = Ratings.from_columns(
        item=["i", "j", "i"],
        annotator=["anna", "anna", "bert"],
        label=["x", "y", "x"],
        document=["d", "d", "e"],
        texts={place: f"text of {place}" for place in places},
        lines={place: number for number, place in enumerate(places, start=2)},
    )
    other = ratings.select(documents=["e"])
    assert (list(other.items), other.texts, other.lines) == (["i"], ("text of ('e', 'i')",), (4,))
    assert ratings.select(annotators=["anna"]).lines == (2, 3)


def test_repeated_items():
    ratings = replace(Ratings.of([["x", "y"], ["x", None]], rows="items"), repeats=np.array([3, 2]))
    assert (ratings.n_items, ratings.n_units, ratings.n_units_of("1"), ratings.n_units_of("2")) == (5, 8, 5, 3)
    assert ratings.select(annotators=["2"]).repeats.tolist() == [3]


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (
            lambda: Ratings.of([[1, 2], [1]], rows="items"),
            "row 1 has 1 labels, another row has 2; use None for a missing one",
        ),
        (lambda: Ratings.of([1, 2], rows="items"), "ratings are a table"),
        (lambda: Ratings.of(7, rows="items"), "ratings are a table"),
        (lambda: Ratings.of(np.array([[1, np.inf]]), rows="items"), "a label is infinite"),
        (lambda: Ratings.of([[object(), 1]], rows="items"), "cannot be a label"),
        (lambda: Ratings.of({"anna": ["x"], "bert": []}), "annotators have different numbers of labels"),
        (lambda: Ratings.from_columns(item=["i"], annotator=["a", "b"], label=["x"]), "differ in length"),
        (
            lambda: Ratings.from_columns(item=["i", "i"], annotator=["a", "a"], label=["x", "y"]),
            "the annotator 'a' labels the item 'i' a second time",
        ),
    ],
)
def test_what_is_no_table(make, sentence):
    with pytest.raises(DataError, match=sentence):
        make()
