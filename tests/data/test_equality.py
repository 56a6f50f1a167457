"""Data is equal if it holds the same, in whatever order and wherever it comes from."""

from __future__ import annotations

import copy
import pickle
from dataclasses import replace

import numpy as np
import pytest

from unisono.data import Corpus, Normalizations, Ratings

UNITS = [
    ("d1", "anna", 0, 4, "x"),
    ("d1", "anna", 5, 9, "y"),
    ("d1", "bert", 0, 4, "x"),
    ("d2", "bert", 1, 3, None),
    ("d2", "anna", 1, 3, "x"),
]


def corpus(rows=UNITS, **more):
    document, annotator, start, end, label = zip(*rows, strict=True)
    more = {"features": {"category": label}, **more}
    return Corpus.from_columns(document=document, annotator=annotator, start=start, end=end, **more)


def ratings(order=(0, 1, 2, 3), people=("anna", "bert"), **changed):
    columns = {"anna": ["x", "y", "x", None], "bert": ["x", "x", "y", "y"], **changed}
    return Ratings.from_annotators(
        {who: [columns[who][k] for k in order] for who in people},
        items=[f"i{k}" for k in order],
        document=[("d1", "d1", "d2", "d2")[k] for k in order],
    )


def words(people=("anna", "bert"), documents=("d1", "d2"), **changed):
    columns = {"original": ["jn", "vnd"], "anna": ["in", None], "bert": ["ihn", "und"], **changed}
    order = [("d1", "d2").index(name) for name in documents]
    return Normalizations.from_annotators(
        [columns["original"][k] for k in order],
        {who: [columns[who][k] for k in order] for who in people},
        document=list(documents),
    )


SAME = {
    "units in another order": (corpus(), corpus(UNITS[::-1])),
    "whole numbers and others": (corpus(), corpus([(d, who, float(a), float(b), x) for d, who, a, b, x in UNITS])),
    "units from elsewhere": (corpus(), corpus(source="somewhere.csv")),
    "items in another order": (ratings(), ratings((3, 1, 0, 2))),
    "annotators in another order": (ratings(), ratings(people=("bert", "anna"))),
    "items from elsewhere": (ratings(), replace(ratings(), source="somewhere.csv", dropped={"rows": 3})),
    "repeated once each": (ratings(), replace(ratings(), repeats=np.ones(4, dtype=np.int64))),
    "a label that nobody gave": (ratings(), replace(ratings(), labels=("x", "y", "z"))),
    "rewriting annotators in another order": (words(), words(("bert", "anna"))),
    "rewritten documents in another order": (words(), words(documents=("d2", "d1"))),
}
OTHER = {
    "another label": (corpus(), corpus([*UNITS[:-1], ("d2", "anna", 1, 3, "y")])),
    "another position": (corpus(), corpus([*UNITS[:-1], ("d2", "anna", 1, 4, "x")])),
    "another annotator": (corpus(), corpus([*UNITS[:-1], ("d2", "chris", 1, 3, "x")])),
    "another document": (corpus(), corpus([*UNITS[:-1], ("d3", "anna", 1, 3, "x")])),
    "a unit more": (corpus(), corpus([*UNITS, ("d2", "anna", 5, 6, "x")])),
    "a unit twice": (corpus([*UNITS, UNITS[0]]), corpus([*UNITS, UNITS[1]])),
    "another feature": (corpus(), corpus(features={"type": [row[-1] for row in UNITS]})),
    "another continuum": (corpus(), corpus(bounds={"d1": (0, 100)})),
    "with texts": (corpus(), corpus(texts={("d1", "anna"): "x" * 9, ("d1", "bert"): "x" * 9})),
    "somebody who marked nothing": (
        corpus(UNITS[:-1]),
        corpus(UNITS[:-1], worked=[("d2", "anna")]),
    ),
    "another label of an item": (ratings(), ratings(anna=["x", "y", "y", None])),
    "a label less": (ratings(), ratings(bert=["x", "x", None, "y"])),
    "an item less": (ratings(), ratings((0, 1, 2))),
    "repeated items": (ratings(), replace(ratings(), repeats=np.array([1, 1, 2, 1]))),
    "labels of other kinds": (Ratings.of({"a": [1], "b": [1]}), Ratings.of({"a": ["1"], "b": ["1"]})),
    "an annotator less": (words(), words(("anna",))),
    "another word": (words(), words(anna=["in", "und"])),
    "another original": (words(), words(original=["in", "vnd"])),
    "another kind of data": (ratings(), words()),
}


@pytest.mark.parametrize("case", SAME)
def test_equal(case):
    one, other = SAME[case]
    assert one == other
    assert other == one
    assert hash(one) == hash(other)


@pytest.mark.parametrize("case", OTHER)
def test_unequal(case):
    one, other = OTHER[case]
    assert one != other
    assert other != one


@pytest.mark.parametrize("data", [corpus(), ratings(), words()], ids=lambda data: type(data).__name__)
def test_copies(data):
    for other in (pickle.loads(pickle.dumps(data)), copy.deepcopy(data), copy.copy(data), data):
        assert other == data
        assert hash(other) == hash(data)
    assert data != 3
    assert data != None  # noqa: E711
