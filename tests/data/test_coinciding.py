"""Spans that coincide as ratings."""

from __future__ import annotations

import numpy as np
import pytest

from unisono.data import Corpus
from unisono.data.coinciding import ratings_from_units
from unisono.errors import DataError, OptionError


def corpus(rows, features=("category",), **more):
    document, annotator, start, end, *labels = zip(*rows, strict=True)
    return Corpus.from_columns(
        document=document,
        annotator=annotator,
        start=start,
        end=end,
        features=dict(zip(features, labels, strict=True)),
        **more,
    )


def spelled(made):
    table = np.array([*made.labels, None], dtype=object)
    return table[made.codes].tolist()


SAME = [
    ("d2", "anna", 4, 9, "x"),
    ("d2", "anna", 0, 4, "y"),
    ("d2", "bert", 0, 4, "y"),
    ("d2", "bert", 4, 9, "z"),
    ("d1", "bert", 0, 4, "x"),
]


def test_items_are_spans_by_document_and_position():
    made = ratings_from_units(corpus(SAME))
    assert list(made.items) == ["0–4", "4–9", "0–4"]
    assert made.documents == ("d2", "d1")
    assert made.document.tolist() == [0, 0, 1]
    assert made.annotators == ("anna", "bert")
    assert spelled(made) == [["y", "y"], ["x", "z"], [None, "x"]]  # anna did not work on d1


def test_unmarked_spans():
    rows = [*SAME, ("d1", "anna", 7, 9, "z")]
    with pytest.raises(
        DataError, match="in document 'd1', 'anna' did not mark 0–4 as 'bert' did; specify what that means"
    ):
        ratings_from_units(corpus(rows))
    assert spelled(ratings_from_units(corpus(rows), unmarked="missing"))[2:] == [[None, "x"], ["z", None]]
    filled = ratings_from_units(corpus(rows), unmarked="other")
    assert filled.labels == ("other", "x", "y", "z")
    assert spelled(filled) == [["y", "y"], ["x", "z"], ["other", "x"], ["z", "other"]]
    assert spelled(ratings_from_units(corpus(rows), unmarked="z"))[2:] == [["z", "x"], ["z", "z"]]


def test_unmarked_spans_among_numbers():
    made = ratings_from_units(
        corpus([("d", "anna", 0, 1, 0), ("d", "anna", 1, 2, 3), ("d", "bert", 0, 1, 0)]), unmarked="0"
    )
    assert made.labels == (0, 3)
    assert spelled(made) == [[0, 0], [3, 0]]


def test_who_worked_and_marked_nothing_is_not_absent():
    idle = corpus(SAME, worked=[("d1", "anna")])
    with pytest.raises(DataError, match="'anna' did not mark 0–4 as 'bert' did"):
        ratings_from_units(idle)
    assert spelled(ratings_from_units(idle, unmarked="nothing"))[2] == ["nothing", "x"]


def test_a_span_without_a_label_has_none():
    made = ratings_from_units(corpus([("d", "anna", 0, 1, None), ("d", "bert", 0, 1, "x")]))
    assert spelled(made) == [[None, "x"]]
    filled = ratings_from_units(corpus([("d", "anna", 0, 1, None), ("d", "bert", 0, 1, "x")]), unmarked="o")
    assert spelled(filled) == [[None, "x"]]


def test_a_span_marked_twice():
    rows = [*SAME, ("d2", "anna", 4, 9, "y")]
    with pytest.raises(DataError, match="'anna' marks 4–9 of document 'd2' twice, but a rating is one label"):
        ratings_from_units(corpus(rows))


def test_which_feature():
    rows = [("d", "anna", 0, 1, "x", 1), ("d", "bert", 0, 1, "y", 2)]
    assert ratings_from_units(corpus(rows, ["category", "level"])).labels == ("x", "y")
    assert ratings_from_units(corpus(rows, ["category", "level"]), feature="level").labels == (1, 2)
    assert ratings_from_units(corpus([row[:5] for row in rows], ["pos"])).labels == ("x", "y")
    with pytest.raises(DataError, match="several: pos, level; name the one that counts"):
        ratings_from_units(corpus(rows, ["pos", "level"]))
    with pytest.raises(OptionError, match="unknown feature 'lemma'; available: pos, level"):
        ratings_from_units(corpus(rows, ["pos", "level"]), feature="lemma")
    with pytest.raises(DataError, match="the spans have no labels"):
        ratings_from_units(corpus([row[:4] for row in rows], []))


def test_times_and_empty_corpora():
    made = ratings_from_units(corpus([("d", "anna", 0.25, 1.5, "x"), ("d", "bert", 0.25, 1.5, "x")]))
    assert list(made.items) == ["0.25–1.5"]
    empty = Corpus.from_columns(annotator=[], start=[], end=[], features={"category": []}, worked=[("d", "anna")])
    assert ratings_from_units(empty).n_items == 0


def test_labels_are_those_that_occur():
    rows = [*SAME, ("d3", "anna", 0, 1, "q"), ("d3", "bert", 0, 1, "q")]
    assert ratings_from_units(corpus(rows)).labels == ("q", "x", "y", "z")
    made = ratings_from_units(corpus(rows).select(documents=["d2"]))
    assert made.labels == ("x", "y", "z")
    assert spelled(made) == [["y", "y"], ["x", "z"]]
