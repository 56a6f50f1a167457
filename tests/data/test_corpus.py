"""The data model keeps everything."""

from __future__ import annotations

import numpy as np
import pytest

from unisono.data import Corpus
from unisono.data.labels import feature
from unisono.errors import DataError


def test_nothing_is_dropped_or_merged():
    corpus = Corpus.from_columns(
        annotator=["a"] * 6,
        start=[0, 0, 2, 5, 5, 1],
        end=[10, 10, 4, 5, 5, 8],
        features={"category": ["X", "X", "Y", "X", "X", None]},
    )
    assert corpus.n_units == 6
    units = corpus["document"].units
    assert [(u.start, u.end, u.category) for u in units].count((0, 10, "X")) == 2
    assert [(u.start, u.end, u.category) for u in units].count((5, 5, "X")) == 2
    assert [u.category for u in units].count(None) == 1


def test_positions_are_exact():
    far = 10**12
    corpus = Corpus.from_columns(annotator=["a", "b"], start=[far + 1, far + 3], end=[far + 2, 2**53])
    assert corpus.start.dtype == np.int64
    assert corpus.start.tolist() == [far + 1, far + 3]
    assert corpus["document"].annotation_set().start.tolist() == [far + 1, far + 3]
    assert Corpus.from_columns(annotator=["a"], start=[0.1], end=[0.30000000000000004]).end[0] == 0.30000000000000004


def test_annotators_who_marked_nothing_are_kept():
    corpus = Corpus.from_columns(
        document=["d1", "d1"], annotator=["b", "a"], start=[0, 0], end=[1, 1], worked=[("d1", "c"), ("d2", "a")]
    )
    assert corpus.annotators == ("a", "b", "c")
    assert corpus["d1"].annotators == ("a", "b", "c")
    assert corpus["d2"].annotators == ("a",)
    assert corpus["d2"].n_units == 0
    units = corpus["d1"].annotation_set()
    assert units.n_annotators == 3
    assert units.annotator.tolist() == [0, 1]


def test_select():
    corpus = Corpus.from_columns(
        document=["d1", "d1", "d2", "d3"],
        annotator=["a", "b", "b", "c"],
        start=[0, 5, 0, 1],
        end=[9, 6, 4, 3],
        features={"category": ["X", "Y", "X", "Z"]},
    )
    some = corpus.select(annotators=["b", "c"])
    assert some.annotators == ("b", "c")
    assert some.documents == ("d1", "d2", "d3")
    assert some.select(annotators=["b"]).documents == ("d1", "d2")
    assert some["d1"].bounds == (0, 9)  # the continuum is still that of the document
    assert some.select(documents=["d3"]).n_units == 1
    with pytest.raises(DataError, match="no annotator 'x'"):
        corpus.select(annotators=["x"])


def test_bounds_are_given_or_of_the_text_or_of_the_units():
    columns = {"annotator": ["a"], "start": [3], "end": [9]}
    assert Corpus.from_columns(**columns)["document"].bounds == (3, 9)
    assert Corpus.from_columns(**columns, bounds={"document": (0, 20)})["document"].bounds == (0, 20)
    with_text = Corpus.from_columns(**columns, texts={("document", "a"): "x" * 30})
    assert with_text["document"].bounds == (0, 30)
    assert with_text["document"].text == "x" * 30
    with pytest.raises(DataError, match="units outside its continuum"):
        Corpus.from_columns(**columns, bounds={"document": (5, 20)})


@pytest.mark.parametrize(
    ("start", "end", "sentence"),
    [
        ([5], [4], "end 4 is before start 5"),
        ([float("nan")], [4], "not a finite number"),
        ([0], [float("inf")], "not a finite number"),
        ([0], [2**53 + 2], "beyond"),
        (["x"], ["y"], "does not contain numbers"),
        ([0, 1], [1], "numbers of starts and ends differ"),
    ],
)
def test_bad_positions(start, end, sentence):
    with pytest.raises(DataError, match=sentence):
        Corpus.from_columns(annotator=["a"] * len(start), start=start, end=end)


def test_labels_of_all_kinds():
    column = feature(["b", None, 1, True, 1.5, ["y", "x"], "b", np.int64(1), float("nan")])
    assert column.values() == ["b", None, 1, True, 1.5, ("x", "y"), "b", 1, None]
    assert len(column.labels) == 5
    with pytest.raises(DataError, match="cannot be a label"):
        feature([{"a": 1}])


def test_more_than_128_categories():
    labels = [f"c{i}" for i in range(70_000)]
    assert feature(labels).values() == labels


def test_millions_of_units():
    n = 1_000_000
    corpus = Corpus.from_columns(
        annotator=["a", "b"] * (n // 2),
        start=np.arange(n),
        end=np.arange(n) + 3,
        features={"category": ["x", "y"] * (n // 2)},
    )
    assert corpus.n_units == n
    assert corpus.annotator.nbytes + corpus.start.nbytes + corpus.end.nbytes + corpus.document.nbytes == 32 * n


def test_unit_order_does_not_matter():
    a = Corpus.from_columns(annotator=["a", "a", "b"], start=[5, 0, 1], end=[6, 2, 2], features={"c": ["x", "y", "z"]})
    b = Corpus.from_columns(annotator=["b", "a", "a"], start=[1, 0, 5], end=[2, 2, 6], features={"c": ["z", "y", "x"]})
    assert a["document"].units == b["document"].units


def test_a_text_in_which_nobody_marked_anything_is_as_long_as_it_is():
    texts = {("d", "A"): "twelve signs", ("e", "A"): "none"}
    corpus = Corpus.from_columns(annotator=["A"], start=[2], end=[5], document=["d"], texts=texts)
    assert corpus["d"].bounds == (0, 12)
    assert corpus["e"].bounds == (0, 4)


@pytest.mark.parametrize("chosen", [{}, {"documents": ["d0", "d1", "d2"]}, {"annotators": ["a", "b"]}])
def test_choosing_everything_changes_nothing(chosen):
    rows = [
        (f"d{d}", who, 7 * d + 20 * k + i, 7 * d + 20 * k + 9)
        for d in range(3)
        for k in range(4)
        for i, who in enumerate("ab")
    ]
    document, annotator, start, end = zip(*rows, strict=True)
    corpus = Corpus.from_columns(document=document, annotator=annotator, start=start, end=end)
    same = corpus.select(**chosen)
    assert not any(one.has_bounds for one in same)
    for one, other in zip(corpus, same, strict=True):
        assert one.bounds == other.bounds
        assert one.annotation_set().inferred
        assert other.annotation_set().inferred


def test_what_others_marked_still_says_how_long_a_document_is():
    corpus = Corpus.from_columns(annotator=["a", "a", "b"], start=[5, 20, 0], end=[9, 24, 40])
    (document,) = corpus.select(annotators=["a"]).select(documents=["document"])
    assert document.bounds == (0, 40)
    assert not document.has_bounds
    assert document.annotation_set().inferred
