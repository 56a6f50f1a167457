"""What most annotators marked."""

from __future__ import annotations

import pytest

import unisono
from unisono.alignment.consensus import consensus
from unisono.data import Corpus


def made(rows, **more):
    who, start, end, label = zip(*rows, strict=True)
    return Corpus.from_columns(annotator=who, start=start, end=end, features={"category": label}, **more)


def agreed(corpus):
    return [(unit.start, unit.end, unit.category) for unit in next(iter(consensus(unisono.align(corpus)))).units]


def test_medians_and_the_most_frequent_label():
    corpus = made([("a", 0, 10, "X"), ("b", 1, 12, "Y"), ("c", 4, 13, "X"), ("c", 50, 60, "Z")])
    assert agreed(corpus) == [(1, 12, "X")]


def test_of_two_both_must_have_marked_it():
    corpus = made([("a", 0, 10, "X"), ("b", 3, 11, "Y"), ("a", 40, 50, "X")])
    assert agreed(corpus) == [(1, 10, "X")]  # at whole positions, and the first of labels that are as frequent


def test_half_is_not_most():
    corpus = made(
        [("a", 0, 10, "X"), ("b", 0, 10, "X"), ("a", 30, 40, "X"), ("b", 30, 40, "X"), ("c", 30, 40, None)],
        worked=[("document", "d")],
    )
    assert agreed(corpus) == [(30, 40, "X")]


def test_positions_that_are_not_whole():
    corpus = made([("a", 0.0, 1.5, "X"), ("b", 0.25, 2.0, "X")])
    assert agreed(corpus) == [(0.125, 1.75, "X")]


def test_the_continuum_and_documents_without_agreement_are_kept():
    corpus = Corpus.from_columns(
        document=["one", "one", "two", "two"],
        annotator=["a", "b", "a", "b"],
        start=[0, 0, 0, 50],
        end=[10, 10, 5, 60],
        bounds={"one": (0, 100)},
    )
    found = consensus(unisono.align(corpus))
    assert found.documents == ("one", "two")
    assert [document.n_units for document in found] == [1, 0]
    assert next(iter(found)).bounds == (0, 100)


@pytest.mark.parametrize("order", [("a", "b", "c"), ("c", "a", "b")])
def test_the_order_of_annotators_plays_no_part(order):
    spans = [(0, 10, "X"), (2, 11, "Y"), (3, 12, "Z")]
    corpus = made([(who, *span) for who, span in zip(order, spans, strict=True)])
    assert agreed(corpus) == [(2, 11, "X")]
