from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unisono.data import Corpus
from unisono.data.cuts import cuts_from_units, from_masses
from unisono.errors import DataError, OptionError


def corpus_of(units, **more):
    """A corpus out of (annotator, start, end), or (document, annotator, start, end)."""
    rows = [("d", *unit) if len(unit) == 3 else unit for unit in units]
    document, annotator, start, end = zip(*rows, strict=True) if rows else ((),) * 4
    return Corpus.from_columns(document=document, annotator=annotator, start=list(start), end=list(end), **more)


def boundaries(found):
    return [found.boundaries[low:high].tolist() for low, high in zip(found.starts, found.starts[1:], strict=False)]


def refusal(corpus, *words, **options):
    with pytest.raises(DataError) as caught:
        cuts_from_units(corpus, **options)
    message = str(caught.value)
    assert "\n" not in message
    for word in words:
        assert word in message, message


def test_spans_become_boundaries():
    found = cuts_from_units(corpus_of([("a", 10, 13), ("a", 13, 20), ("b", 10, 20)]))
    assert boundaries(found) == [[3], []]
    assert found.length.tolist() == [10, 10]
    assert found.n_boundaries.tolist() == [1, 0]
    assert (found.document.tolist(), found.annotator.tolist()) == ([0, 0], [0, 1])


def test_several_documents_and_not_everybody_on_each():
    units = [("x", "a", 0, 2), ("x", "a", 2, 3), ("y", "b", 5, 9), ("x", "c", 0, 3), ("y", "c", 5, 6), ("y", "c", 6, 9)]
    found = cuts_from_units(corpus_of(units))
    assert list(zip(found.document.tolist(), found.annotator.tolist(), boundaries(found), strict=True)) == [
        (0, 0, [2]),
        (0, 2, []),
        (1, 1, []),
        (1, 2, [1]),
    ]
    assert found.length.tolist() == [3, 3, 4, 4]


def test_no_units_at_all():
    assert boundaries(cuts_from_units(corpus_of([]))) == []


@given(st.lists(st.lists(st.integers(1, 9), min_size=1, max_size=9), min_size=1, max_size=4))
def test_masses_and_back(lists):
    total = sum(map(sum, lists))
    lists = [[*masses, total - sum(masses) + 1] for masses in lists]
    found = cuts_from_units(from_masses(lists))
    assert [np.diff([0, *inner, total + 1]).tolist() for inner in boundaries(found)] == lists


# text


TEXT = "  One.  Two.\nThree.\n"


def with_text(units, **more):
    return corpus_of(units, texts={("d", who): TEXT for who, *_ in units}, **more)


def test_white_space_between_units_is_no_gap():
    found = cuts_from_units(with_text([("a", 2, 6), ("a", 8, 12), ("a", 13, 19), ("b", 2, 8), ("b", 8, 19)]))
    assert boundaries(found) == [[6, 11], [6]]
    assert found.length.tolist() == [17, 17]


def test_white_space_at_the_ends_does_not_count():
    units = [("a", 0, 7), ("a", 8, 20), ("b", 1, 8), ("b", 8, 19), ("c", 0, 1), ("c", 1, 8), ("c", 8, 19)]
    found = cuts_from_units(with_text(units))
    assert boundaries(found) == [[6], [6], [6]]
    assert found.length.tolist() == [17] * 3
    assert cuts_from_units(with_text(units, bounds={"d": (0, 20)})).length.tolist() == [17] * 3


def test_words_between_units_are_a_gap():
    refusal(with_text([("a", 2, 6), ("a", 9, 19)]), "document 'd': 'a'", "6 to 9", "fill it", "gamma")
    refusal(with_text([("a", 2, 6), ("a", 8, 12)]), "'a' cuts 2 to 12", "0 to 20")


def test_different_texts_are_refused():
    texts = {("d", "a"): "x y", ("d", "b"): "x z"}
    refusal(corpus_of([("a", 0, 3), ("b", 0, 3)], texts=texts), "'d'", "different texts")


# refusals


def test_gap():
    refusal(corpus_of([("a", 0, 9), ("b", 0, 2), ("b", 4, 9)]), "document 'd': 'b' leaves out 2 to 4", "gamma")


def test_overlap():
    refusal(corpus_of([("a", 0, 9), ("b", 0, 4), ("b", 3, 9)]), "document 'd': 'b'", "overlap at 3", "gamma")


def test_the_first_offender_is_named():
    refusal(corpus_of([("d2", "a", 0, 2), ("d2", "a", 3, 4), ("d1", "a", 0, 1), ("d1", "a", 2, 4)]), "'d2'", "2 to 3")


def test_different_continua():
    refusal(corpus_of([("a", 0, 11), ("b", 0, 9)]), "'b' cuts 0 to 9 where 'a' cuts 0 to 11", "all must cut the same")
    refusal(corpus_of([("a", 2, 11), ("b", 0, 11)]), "'a' cuts 2 to 11 where 'b' cuts 0 to 11")
    refusal(corpus_of([("a", 0, 9), ("b", 0, 9)], bounds={"d": (0, 10)}), "the whole continuum is 0 to 10")


def test_nothing_marked():
    refusal(corpus_of([("a", 0, 9)], worked=[("d", "b")]), "document 'd': 'b' marked nothing", "one unit")


def test_unit_without_length():
    refusal(corpus_of([("a", 0, 3), ("a", 3, 3), ("a", 3, 9)]), "'a' has a unit without length at 3")


# atoms


def test_fractions_need_a_step():
    corpus = corpus_of([("a", 0.0, 1.5), ("a", 1.5, 4.0), ("b", 0.0, 4.0)])
    refusal(corpus, "'d' has the position 1.5", "step=0.1")
    assert boundaries(cuts_from_units(corpus, step=0.5)) == [[3], []]
    assert cuts_from_units(corpus, step=0.5).length.tolist() == [8, 8]
    refusal(corpus_of([("a", 0.0, 3.25)]), "3.25")


def test_whole_floats_need_no_step():
    assert boundaries(cuts_from_units(corpus_of([("a", 0.0, 1.0), ("a", 1.0, 4.0)]))) == [[1]]


def test_steps_count_from_the_begin_and_round():
    corpus = corpus_of([("a", 0.35, 0.65), ("a", 0.65, 0.97), ("a", 0.97, 1.35)])
    assert boundaries(cuts_from_units(corpus, step=0.1)) == [[3, 6]]


def test_a_coarse_step_joins_boundaries():
    found = cuts_from_units(from_masses([[10, 1, 9, 1], [1, 20]]), step=5)
    assert boundaries(found) == [[2], []]
    assert found.length.tolist() == [4, 4]
    refusal(from_masses([[1, 1], [2]]), "'document' is shorter than one atom", step=10)


def test_a_step_that_makes_no_sense():
    for step in (0, -1, float("nan"), float("inf"), "1", 1e-300):
        with pytest.raises(OptionError, match="step"):
            cuts_from_units(from_masses([[1, 1], [2]]), step=step)


# masses


def test_three_ways_to_give_masses():
    assert from_masses([[2, 3], [5]]).annotators == ("1", "2")
    assert from_masses({"anna": [2, 3], "bert": (5,)}).annotators == ("anna", "bert")
    corpus = from_masses({"e": {"bert": np.array([5]), "anna": [2, 3]}, "d": {"carl": [1]}}, source="here")
    assert corpus.documents == ("e", "d")
    assert corpus.annotators == ("anna", "bert", "carl")
    assert corpus.bounds == {0: (0.0, 5.0), 1: (0.0, 1.0)}
    assert corpus.worked.tolist() == [[True, True, False], [False, False, True]]
    assert [(unit.annotator, unit.start, unit.end) for unit in corpus["e"].units] == [
        ("anna", 0, 2),
        ("anna", 2, 5),
        ("bert", 0, 5),
    ]
    assert corpus.source == "here"
    assert corpus.start.dtype == corpus.end.dtype == np.int64


def test_masses_are_the_same_corpus_as_columns():
    made = from_masses({"d": {"b": [2, 3], "a": [5]}})
    columns = corpus_of([("a", 0, 5), ("b", 0, 2), ("b", 2, 5)], bounds={"d": (0, 5)})
    assert repr(made) == repr(columns)
    for name in ("document", "annotator", "start", "end"):
        assert getattr(made, name).tolist() == getattr(columns, name).tolist()


def test_no_masses():
    assert from_masses({}).n_units == from_masses([]).n_units == 0


@pytest.mark.parametrize(
    ("masses", "words"),
    [
        ({"a": [2, 3], "b": [2, 2]}, ["'a' add up to 5", "'b' to 4"]),
        ({"d": {"a": [2], "b": [2]}, "e": {"a": [2], "b": [3]}}, ["document 'e'"]),
        ({"a": [2, 0], "b": [2]}, ["'a' has the mass 0"]),
        ({"a": [2, 1.5]}, ["'a' has the mass 1.5"]),
        ({"a": [2, -1]}, ["the mass -1"]),
        ({"a": [2, None]}, ["the mass None"]),
        ({"a": [2, "x"]}, ["the mass 'x'"]),
        ({"a": [2, float("nan")]}, ["the mass nan"]),
        ({"a": [2, [3]]}, ["the mass [3]"]),
        ({"a": [2**60, 2**60]}, ["too large"]),
        ({"a": [10**400]}, ["too large"]),
        ({"a": []}, ["'a'", "whole numbers above 0"]),
        ({"a": "235"}, ["'a'", "whole numbers above 0"]),
        ({"a": 5}, ["'a'", "whole numbers above 0"]),
        ([2, 3, 6], ["'1'", "whole numbers above 0"]),
        ("235", ["lists of whole numbers"]),
        (5, ["lists of whole numbers"]),
        ({"d": {"a": [1]}, "b": [1]}, ["some masses belong to a document"]),
        ({"1": [1], 1: [1]}, ["two annotators have the same name"]),
        ({"1": {"a": [1]}, 1: {"a": [1]}}, ["two documents have the same name"]),
    ],
)
def test_wrong_masses(masses, words):
    with pytest.raises(DataError) as caught:
        from_masses(masses)
    assert all(word in str(caught.value) for word in words), str(caught.value)
