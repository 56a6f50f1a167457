"""A document cut into stretches."""

from __future__ import annotations

from unisono.data import Corpus
from unisono.statistics.stretches import in_stretches


def spans(rows, bounds=(0, 100)):
    who, start, end = zip(*rows, strict=True)
    return Corpus.from_columns(
        annotator=who,
        start=start,
        end=end,
        features={"category": [str(s) for s in start]},
        bounds={"document": bounds},
        worked=[("document", "idle")],
    )


def test_stretches_are_cut_where_no_unit_is():
    rows = [(who, 10 * i + shift, 10 * i + 6 + shift) for i in range(9) for who, shift in (("a", 1), ("b", 2))]
    cut = in_stretches(spans(rows), 3)
    assert [document.n_units for document in cut] == [6, 6, 6]
    assert [document.bounds for document in cut] == [(0, 31), (31, 61), (61, 100)]
    assert all(document.annotators == ("a", "b", "idle") for document in cut)
    assert sorted((u.start, u.end) for d in cut for u in d.units) == sorted((s, e) for _, s, e in rows)


def test_a_document_that_one_unit_covers_is_not_cut():
    assert in_stretches(spans([("a", 0, 100), ("b", 5, 10), ("b", 20, 30)]), 5) is None


def test_cuts_may_go_through_units():
    cut = in_stretches(spans([("a", 0, 100), ("b", 0, 30), ("b", 30, 100)]), 4, through=True)
    assert [document.bounds for document in cut] == [(0, 25), (25, 50), (50, 75), (75, 100)]
    assert [(u.start, u.end) for u in cut["1"].units] == [(25, 50), (25, 30), (30, 50)]
    assert sum(u.end - u.start for d in cut for u in d.units) == 200
