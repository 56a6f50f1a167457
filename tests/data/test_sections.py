"""Sections: units, the gaps between them, and where those of two annotators intersect."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unisono.data import Corpus
from unisono.data.labelled_units import labelled_units, refuse_overlap
from unisono.data.sections import GAP, category_sections, document_sections, intersections
from unisono.errors import DataError


def corpus(marked, bounds=None, **more):
    rows = [row if len(row) == 5 else (*row, "document") for row in marked]
    who, start, end, category, document = zip(*rows, strict=True)
    return Corpus.from_columns(
        annotator=who,
        start=start,
        end=end,
        document=document,
        features={"category": category},
        bounds={"document": bounds} if isinstance(bounds, tuple) else bounds,
        **more,
    )


def listed(sections):
    columns = (sections.continuum, sections.annotator, sections.start, sections.end, sections.category)
    return list(zip(*(column.tolist() for column in columns), strict=True))


def test_gaps_before_between_and_after():
    data = corpus(
        [("A", 2, 5, "x"), ("A", 5, 7, "y"), ("A", 9, 10, "x"), ("B", 0, 10, "y")], (0, 10), worked=[("document", "C")]
    )
    assert listed(document_sections(labelled_units(data))) == [
        (0, 0, 0, 2, GAP),
        (0, 0, 2, 5, 1),
        (0, 0, 5, 7, 2),
        (0, 0, 7, 9, GAP),
        (0, 0, 9, 10, 1),
        (0, 1, 0, 10, 2),
        (0, 2, 0, 10, GAP),
    ]


def test_lengths_and_places():
    data = corpus([("A", 2, 5, "x"), ("A", 9, 10, "x"), ("B", 2, 8, "y")], (1, 12))
    found = document_sections(labelled_units(data))
    assert found.start.tolist() == [1, 2, 5, 9, 10, 1, 2, 8]
    assert found.length.tolist() == [1, 3, 4, 1, 2, 1, 6, 4]
    assert found.place.tolist() == [0, 1, 2, 4, 5, 0, 1, 3]
    (meet,) = intersections(found)
    assert meet.length.tolist() == [1, 3, 3, 1, 1, 2]


def test_documents_of_one_annotator_have_no_sections():
    data = corpus(
        [("A", 2, 5, "x", "d1"), ("B", 2, 5, "x", "d2"), ("A", 0, 1, "z", "d2")], {"d1": (0, 9), "d2": (0, 9)}
    )
    units = labelled_units(data)
    assert units.labels == ("x", "z")
    assert set(document_sections(units).continuum.tolist()) == {1}


def test_each_category_is_a_continuum_of_its_own():
    data = corpus([("A", 2, 5, "x"), ("A", 4, 7, "y"), ("B", 2, 5, "x")], (0, 10))
    sections, document, category = category_sections(labelled_units(data))
    assert document.tolist() == [0, 0]
    assert category.tolist() == [1, 2]
    assert listed(sections) == [
        (0, 0, 0, 2, GAP),
        (0, 0, 2, 5, 1),
        (0, 0, 5, 10, GAP),
        (0, 1, 0, 2, GAP),
        (0, 1, 2, 5, 1),
        (0, 1, 5, 10, GAP),
        (1, 0, 0, 4, GAP),
        (1, 0, 4, 7, 2),
        (1, 0, 7, 10, GAP),
        (1, 1, 0, 10, GAP),
    ]


@st.composite
def corpora(draw):
    """Two documents; annotators with units that do not overlap, of length 0 too."""
    marked, bounds = [], {}
    for document in ("d1", "d2"):
        length = draw(st.integers(1, 12))
        bounds[document] = (0, length)
        for who in draw(st.sampled_from(["AB", "ABC", "BC"])):
            cuts = sorted(draw(st.lists(st.integers(0, length), max_size=6)))
            for low, high in itertools.pairwise(cuts):
                if draw(st.booleans()):
                    marked.append((who, low, high, draw(st.sampled_from("xy")), document))
    return marked, bounds


@given(corpora())
def test_intersections_by_definition(made):
    marked, bounds = made
    if not marked:
        return
    sections = document_sections(labelled_units(corpus(marked, bounds)))
    expected = {}
    for g, h in itertools.product(range(len(sections.start)), repeat=2):
        here = sections.continuum[g] == sections.continuum[h] and sections.annotator[g] < sections.annotator[h]
        length = min(sections.end[g], sections.end[h]) - max(sections.start[g], sections.start[h])
        if here and length > 0:
            expected[g, h] = length
    found = [
        pair
        for _, g, h, length in intersections(sections)
        for pair in zip(zip(g.tolist(), h.tolist(), strict=True), length.tolist(), strict=True)
    ]
    assert len(found) == len(expected)
    assert dict(found) == expected


@given(corpora())
def test_sections_cover_each_continuum_once(made):
    marked, bounds = made
    if not marked:
        return
    data = corpus(marked, bounds)
    units = labelled_units(data)
    sections = document_sections(units)
    assert (sections.length > 0).all()
    for document, who in zip(*np.nonzero(units.worked), strict=True):
        rows = (sections.continuum == document) & (sections.annotator == who)
        assert sections.start[rows][0] == data[data.documents[document]].bounds[0]
        assert sections.end[rows][-1] == data[data.documents[document]].bounds[1]
        assert (sections.end[rows][:-1] == sections.start[rows][1:]).all()


def test_overlap():
    units = labelled_units(corpus([("A", 2, 5, "x"), ("A", 5, 7, "x"), ("A", 6, 6, "y"), ("B", 4, 6, "x")], (0, 9)))
    refuse_overlap(units, "uα")
    units = labelled_units(corpus([("A", 2, 9, "x"), ("A", 3, 4, "y"), ("A", 5, 6, "x"), ("B", 0, 9, "x")], (0, 9)))
    with pytest.raises(DataError, match=r"document document: A's units 2–9 \(x\) and 3–4 \(y\) overlap, which uα"):
        refuse_overlap(units, "uα")
    with pytest.raises(DataError, match=r"A's units 2–9 \(x\) and 5–6 \(x\) overlap, which α_U"):
        refuse_overlap(units, "α_U", within_category=True)


def test_large_and_fractional_positions_are_spelled_out():
    units = labelled_units(corpus([("A", 1234567, 1234569, "x"), ("B", 0, 1, "x")]))
    assert units.spelled(0) == "1234567–1234569 (x)"
    units = labelled_units(corpus([("A", 0.25, 1.5, "x"), ("B", 0, 1, "x")]))
    assert units.spelled(0) == "0.25–1.5 (x)"
    assert not units.whole


def test_labels_that_are_sets_or_missing():
    units = labelled_units(corpus([("A", 0, 1, ["b", "a"]), ("B", 0, 1, None)]))
    assert units.labels == (("a", "b"), None)
    assert units.names == ("a|b", "(no label)")


def test_the_category_is_the_named_feature_or_the_only_one():
    columns = {"annotator": ["A"], "start": [0], "end": [1]}
    assert Corpus.from_columns(**columns).chosen_feature() is None
    assert Corpus.from_columns(**columns, features={"pos": ["N"]}).chosen_feature() == "pos"
    assert Corpus.from_columns(**columns, features={"pos": ["N"], "category": ["x"]}).chosen_feature() == "category"
