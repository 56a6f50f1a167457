"""Units with several anchors: relations, events, units in pieces."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import unisono
from unisono.data import Corpus
from unisono.data.anchors import Anchor, Anchors, joined_anchors
from unisono.data.annotation_set import stacked
from unisono.data.sets import annotation_sets
from unisono.errors import DataError
from unisono.formats.merging import merge

anchor = st.tuples(st.sampled_from(["piece", "source", "target", "Theme"]), st.integers(0, 9), st.integers(0, 3)).map(
    lambda drawn: (drawn[0], drawn[1], drawn[1] + drawn[2])
)
unit = st.tuples(
    st.sampled_from("de"), st.sampled_from("abc"), st.sampled_from("XYZ"), st.lists(anchor, min_size=1, max_size=3)
)
units = st.lists(unit, min_size=1, max_size=8)


def corpus_of(drawn, *, as_floats=False):
    shift = 0.5 if as_floats else 0
    return Corpus.from_columns(
        document=[d for d, _, _, _ in drawn],
        documents=["d", "e"],
        annotator=[a for _, a, _, _ in drawn],
        anchors=[[(role, start + shift, end + shift) for role, start, end in own] for _, _, _, own in drawn],
        features={"category": [label for _, _, label, _ in drawn]},
        texts={(d, a): "one two, three" for d in "de" for a in "abc"},
    )


def rows_of(corpus):
    return [
        (
            document.name,
            unit.annotator,
            unit.category,
            sorted(unit.anchors or [Anchor("piece", unit.start, unit.end)]),
        )
        for document in corpus
        for unit in document.units
    ]


def test_a_relation_is_stored_with_its_ends():
    corpus = corpus_of([("d", "a", "X", [("target", 9, 12), ("source", 0, 3)]), ("d", "b", "Y", [("piece", 4, 5)])])
    relation, plain = corpus["d"].units
    assert relation.anchors == (Anchor("source", 0, 3), Anchor("target", 9, 12))
    assert (relation.start, relation.end) == (0, 12)
    assert plain.anchors == ()
    assert corpus.start.dtype == corpus.anchors.start.dtype == np.int64
    assert corpus["d"].annotation_set().anchors.start.dtype == np.float64


def test_plain_units_cost_nothing():
    plain = corpus_of([("d", "a", "X", [("piece", 0, 3)]), ("d", "b", "Y", [("piece", 4, 5)])])
    assert plain.anchors is None
    assert plain["d"].annotation_set().anchors is None
    mixed = corpus_of([("d", "a", "X", [("piece", 0, 3)]), ("d", "b", "Y", [("source", 4, 5)])])
    assert mixed.anchors is not None
    assert mixed.select(annotators=["a"]).anchors is None
    assert unisono.prepare(mixed, where='category == "X"').anchors is None
    assert mixed.select(annotators=["b"]).anchors.roles == ("source",)


@given(units, st.randoms(use_true_random=False), st.booleans())
@settings(max_examples=35, deadline=None)
def test_order_plays_no_part_and_nothing_is_lost(drawn, random, as_floats):
    corpus = corpus_of(drawn, as_floats=as_floats)
    shuffled = [(d, a, label, random.sample(own, len(own))) for d, a, label, own in random.sample(drawn, len(drawn))]
    other = corpus_of(shuffled, as_floats=as_floats)
    shift = 0.5 if as_floats else 0
    given_rows = [(d, a, label, sorted((r, s + shift, e + shift) for r, s, e in own)) for d, a, label, own in drawn]
    assert sorted(rows_of(corpus)) == sorted(given_rows)
    assert corpus == other
    assert rows_of(corpus) == rows_of(other)
    assert corpus.contents().tolist() == other.contents().tolist()
    assert pickle.loads(pickle.dumps(corpus)) == corpus
    for one, another in zip(annotation_sets(corpus, ("category",)), annotation_sets(other, ("category",)), strict=True):
        assert one == another
    assert [document.annotation_set(("category",)) for document in corpus] == annotation_sets(corpus, ("category",))


@given(units)
@settings(max_examples=35, deadline=None)
def test_parts_selections_and_merging_keep_the_anchors(drawn):
    corpus = corpus_of(drawn)
    for index, name in enumerate(corpus.documents):
        own = [row for row in rows_of(corpus) if row[0] == name]
        assert rows_of(corpus.part(index, index + 1)) == own
        assert rows_of(corpus.select(documents=[name])) == own
    for name in corpus.annotators:
        chosen = corpus.select(annotators=[name])
        assert rows_of(chosen) == [row for row in rows_of(corpus) if row[1] == name]
        filtered = unisono.prepare(corpus, where=f'annotator == "{name}"')
        assert rows_of(filtered) == rows_of(chosen)
    assert merge([corpus.select(annotators=[name]) for name in corpus.annotators]) == corpus
    sets = annotation_sets(corpus)
    stack = stacked(sets)
    for number, one in enumerate(sets):
        assert stack.one(number).start.tolist() == one.start.tolist()
        if stack.anchors is not None:
            assert stack.one(number).anchors.listed() == one.anchors.listed()


@given(units)
@settings(max_examples=35, deadline=None)
def test_positions_in_tokens_are_those_of_each_anchor(drawn):
    tokens = [(0, 3), (4, 7), (7, 8), (9, 14)]

    def covered(start, end):
        first = sum(high <= start for _, high in tokens)
        return first, max(sum(low < end for low, _ in tokens), first)

    counted = unisono.prepare(corpus_of(drawn), positions="tokens(unicode)")
    expected = [(d, a, label, sorted((r, *covered(s, e)) for r, s, e in own)) for d, a, label, own in drawn]
    assert sorted(rows_of(counted)) == sorted(expected)
    assert all(
        (unit.start, unit.end) == (min(s for _, s, _ in unit.anchors), max(e for _, _, e in unit.anchors))
        for unit in counted["d"].units
        if unit.anchors
    )


def test_only_plain_units_are_merged_with_those_beside_them():
    drawn = [
        ("d", "a", "X", [("piece", 0, 3)]),
        ("d", "a", "X", [("piece", 3, 5)]),
        ("d", "a", "X", [("source", 0, 2), ("target", 5, 7)]),
        ("d", "a", "X", [("source", 7, 9), ("target", 5, 7)]),
    ]
    merged = unisono.prepare(corpus_of(drawn), adjacent=True)
    assert sorted(rows_of(merged)) == sorted(
        [("d", "a", "X", [("piece", 0, 5)]), *[(d, a, label, sorted(own)) for d, a, label, own in drawn[2:]]]
    )


def test_units_that_differ_in_an_anchor_only_are_different():
    one = corpus_of([("d", "a", "X", [("source", 0, 2), ("source", 8, 9)])])
    other = corpus_of([("d", "a", "X", [("source", 0, 3), ("source", 8, 9)])])
    role = corpus_of([("d", "a", "X", [("source", 0, 2), ("target", 8, 9)])])
    assert one != other
    assert one != role
    assert one.contents().tolist() != other.contents().tolist()


def test_anchors_must_be_there_and_be_stretches():
    with pytest.raises(DataError, match="a unit has no anchor"):
        Corpus.from_columns(annotator=["a"], anchors=[[]])
    with pytest.raises(DataError, match="end 1 is before start 3") as caught:
        Corpus.from_columns(
            annotator=["a", "a"],
            anchors=[[("source", 0, 1)], [("source", 0, 1), ("target", 3, 1)]],
            locate=lambda row: ("some.csv", row + 2),
        )
    assert caught.value.line == 3


def test_joined_anchors_number_the_roles_anew():
    one = Anchors.of([[("target", 0, 1), ("source", 5, 6)]])
    two = Anchors.of([[("Theme", 0, 1)], [("target", 2, 3)]])
    plain = np.array([4]), np.array([7])
    joined = joined_anchors([(one, *one.hull), (None, *plain), (two, *two.hull)])
    assert joined.listed() == [
        (Anchor("source", 5, 6), Anchor("target", 0, 1)),
        (),
        (Anchor("Theme", 0, 1),),
        (Anchor("target", 2, 3),),
    ]
    assert joined_anchors([(None, *plain)]) is None


@pytest.mark.parametrize(
    ("anchors", "said"),
    [
        ([[("source", 0, 4), ("target", 9)]], r"a role, a start and an end, such as \('source', 0, 4\)"),
        ([["x"]], "a role, a start and an end"),
        ([[5]], "a role, a start and an end"),
        ([[(None, 0, 4)]], "the role of an anchor should be a name, not None"),
        ([[("", 0, 4)]], "the role of an anchor should be a name, not ''"),
    ],
)
def test_wrong_anchors_are_rejected(anchors, said):
    with pytest.raises(DataError, match=said):
        Corpus.from_columns(annotator=["a"], anchors=anchors)
