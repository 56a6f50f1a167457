"""The draft, the queue, and data that gives little to draft from."""

from __future__ import annotations

import pytest
from gold_helpers import made, units_of

import unisono
from unisono.adjudication import gold
from unisono.alignment.consensus import between, middle, vote
from unisono.data import Corpus

ROWS = [
    ("anna", 0, 10, "X"),
    ("bert", 1, 12, "Y"),
    ("chris", 4, 13, "X"),
    ("anna", 30, 40, "X"),
    ("bert", 30, 40, "Y"),
    ("chris", 60, 70, "Z"),
]
TEXT = "".join(chr(ord("a") + place % 26) for place in range(80))


def whys(draft):
    return {
        (place, why) for place, why in zip(draft.queue_columns()["start"], draft.queue_columns()["why"], strict=True)
    }


def test_unisono_has_it_whatever_is_imported_first():
    assert unisono.gold is gold
    assert callable(unisono.measures)
    assert units_of(unisono.gold(made(ROWS)).plain)[0] == ("document", 1, 12, "X")


def test_the_draft_and_what_supports_it():
    draft = gold(made(ROWS))
    assert units_of(draft.corpus) == [
        ("document", 1, 12, "X", 1.0, 0.3333, 0.6667),
        ("document", 30, 40, None, 0.6667, 1.0, 0.5),
    ]
    assert list(draft.corpus.features) == ["category", "support", "support of position", "support of category"]
    assert draft.corpus.annotators == ("gold",)
    assert list(draft.plain.features) == ["category"]
    assert draft.to_frame("pandas").columns.tolist()[:3] == ["document", "start", "end"]
    assert repr(draft) == "Gold(2 units in 1 documents, 2 to decide, gamma)"


def test_a_tie_is_not_decided_but_asked():
    draft = gold(made(ROWS))
    assert whys(draft) == {(60, "marked by 1 of 3"), (30, "tie of category: X or Y")}
    assert draft.reasons() == {"tie of labels": 1, "too few": 1}
    assert draft.queue_columns()["draft"] == ["30..40 X or Y", "no unit"]  # as bad, so by position


def test_the_queue_shows_what_everybody_marked():
    corpus = made(ROWS, texts={("document", who): TEXT for who in ("anna", "bert", "chris")})
    columns = gold(corpus).queue_columns()
    assert {name: column[1] for name, column in columns.items()} == {
        "document": "document",
        "start": 60,
        "end": 70,
        "text": TEXT[60:70],
        "why": "marked by 1 of 3",
        "draft": "no unit",
        "support": 0.3333,
        "disorder": 1.0,
        "anna": "no unit",
        "bert": "no unit",
        "chris": "60..70 Z",
    }
    assert "text" not in gold(corpus).queue_columns(hide_text=True)
    assert gold(corpus).queue["chris"].tolist() == columns["chris"]


def test_long_texts_are_cut_in_the_middle():
    long = "begin " + "x" * 1000 + " end"
    corpus = made([("a", 0, len(long), "X"), ("b", 0, len(long), "Y")], texts={("document", "a"): long})
    (covered,) = gold(corpus).queue_columns()["text"]
    assert len(covered) < 320
    assert covered.startswith("begin x")
    assert covered.endswith("x end")


TIE = (30, "tie of category: X or Y")


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"support": 0.7}, {(30, "marked by 2 of 3; tie of category: X or Y"), (60, "marked by 1 of 3")}),
        ({"ask_above": 0.4}, {TIE}),
        ({"ask_above": 0.4, "majority": 0.7}, {(0, "no majority of category: X has 67%"), TIE}),
        ({"ask_above": 0.4, "boundary": 2}, {(0, "starts differ by 4; ends differ by 3"), TIE}),
        ({"ask_above": 0.4, "boundary": 3}, {(0, "starts differ by 4"), TIE}),
        ({"ask_above": 0.4, "sure": 0.99}, {(30, "marked by 2 of 3; tie of category: X or Y")}),
    ],
)
def test_thresholds(options, expected):
    assert whys(gold(made(ROWS), **options)) == expected


def test_units_that_nobody_is_asked_about_are_counted():
    assert gold(made(ROWS)).n_unasked == 0
    assert gold(made(ROWS), ask_above=0.4).n_unasked == 1


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"support": 1}, "support: .*; for all, use 0.99"),
        ({"support": -0.1}, "support: expected a number from 0 to 1"),
        ({"majority": 1.5}, "majority: expected a number from 0 to 1"),
        ({"sure": float("nan")}, "sure: expected a number"),
        ({"ask_above": 2}, "ask_above: expected a number from 0 to 1"),
        ({"boundary": -1}, "boundary: expected a number from 0 up"),
        ({"competence": "magic"}, "competence: expected dawid-skene, mace or severity, not 'magic'"),
        ({"measure": "span-f1"}, "span-f1 does not align units"),
    ],
)
def test_options_that_make_no_sense(options, said):
    with pytest.raises(unisono.OptionError, match=said):
        gold(made(ROWS), **options)


def test_two_annotators_must_both_have_marked_it():
    draft = gold(made([("a", 0, 10, "X"), ("b", 3, 11, "X"), ("a", 40, 50, "X")]))
    assert units_of(draft.plain) == [("document", 3, 11, "X")]
    assert whys(draft) == {(40, "marked by 1 of 2"), (0, "starts between 0 and 3; ends between 10 and 11")}


def test_one_annotator_is_not_enough():
    with pytest.raises(unisono.DataError, match="no document was worked on by two annotators"):
        gold(made([("a", 0, 10, "X"), ("a", 20, 30, "Y")]))


def test_other_data_is_refused():
    with pytest.raises(unisono.DataError, match="rew"):
        gold({"original": ["vnd"], "a": ["und"], "b": ["und"]})
    with pytest.raises(unisono.OptionError, match="corpus: expected a path, a data frame"):
        gold(3)


def test_documents_with_different_annotators():
    corpus = Corpus.from_columns(
        document=["one", "one", "two", "two", "three"],
        annotator=["a", "b", "b", "c", "c"],
        start=[0, 0, 5, 5, 1],
        end=[9, 9, 9, 8, 2],
        features={"category": ["X", "X", "Y", "Z", "X"]},
        worked=[("two", "a")],
    )
    draft = gold(corpus)
    assert units_of(draft.plain) == [("one", 0, 9, "X"), ("two", 5, 8, None)]
    assert draft.plain.documents == ("one", "two")
    assert draft.notes == ("1 document left out, because fewer than two annotators worked on it: three",)
    columns = draft.queue_columns()
    assert (columns["a"], columns["b"], columns["c"]) == (["no unit"], ["5..9 Y"], ["5..8 Z"])


def test_who_was_not_asked_is_not_one_who_marked_nothing():
    corpus = Corpus.from_columns(
        document=["one", "one", "two"], annotator=["a", "b", "c"], start=[0, 0, 0], end=[9, 9, 9], worked=[("two", "a")]
    )
    assert gold(corpus).queue_columns()["b"] == [None]
    assert gold(corpus).queue_columns()["a"] == ["no unit"]


@pytest.mark.parametrize("competence", [None, "dawid-skene", "mace"])
def test_nobody_marked_anything(competence):
    corpus = Corpus.from_columns(
        annotator=[], start=[], end=[], worked=[("one", who) for who in "abc"], bounds={"one": (0, 50)}
    )
    draft = gold(corpus, competence=competence)
    assert draft.plain.n_units == draft.corpus.n_units == 0
    assert draft.plain.worked.tolist() == [[True]]
    assert draft.plain.bounds == {0: (0.0, 50.0)}
    assert not draft.to_decide
    assert draft.queue_columns()["document"] == []
    assert (draft.competence is None) == (competence is None)


def test_several_features_and_missing_labels():
    corpus = Corpus.from_columns(
        annotator=["a", "b", "c"],
        start=[0, 0, 0],
        end=[5, 5, 5],
        features={"category": ["X", "X", "Y"], "pos": ["N", None, None], "support": [1, True, 1]},
    )
    draft = gold(corpus)
    assert units_of(draft.plain) == [("document", 0, 5, "X", None, 1)]
    assert list(draft.corpus.features)[3:] == [
        "support 2", "support of position", "support of category", "support of pos", "support of support",
    ]  # fmt: skip
    assert units_of(draft.corpus)[0][6:] == (1.0, 1.0, 0.6667, 0.6667, 0.6667)
    assert not draft.to_decide
    asked = gold(corpus, majority=0.9).queue_columns()
    assert asked["draft"] == ["0..5 category=X, pos=none, support=1"]
    assert asked["a"] == ["0..5 category=X, pos=N, support=1"]
    assert asked["b"] == ["0..5 category=X, support=True"]


def test_features_without_a_category_must_be_named():
    corpus = Corpus.from_columns(
        annotator=["a", "b"], start=[0, 0], end=[5, 5], features={"pos": ["N", "N"], "lemma": ["x", "x"]}
    )
    with pytest.raises(unisono.DataError, match="features="):
        gold(corpus)
    assert units_of(gold(corpus, "gamma(features=pos)").plain) == [("document", 0, 5, "N", "x")]


def test_units_without_features():
    corpus = Corpus.from_columns(annotator=["a", "b", "c"], start=[0, 0, 2], end=[5, 5, 5])
    assert units_of(gold(corpus).corpus) == [("document", 0, 5, 1.0, 0.6667)]
    assert gold(corpus, boundary=1).queue_columns()["c"] == ["2..5"]


def test_positions_that_are_not_whole_and_units_without_length():
    corpus = made([("a", 0.0, 1.5, "X"), ("b", 0.25, 2.0, "X"), ("a", 7.0, 7.0, "Y"), ("b", 7.0, 7.0, "Y")])
    draft = gold(corpus)
    assert units_of(draft.plain) == [("document", 0.0, 1.5, "X"), ("document", 7.0, 7.0, "Y")]
    assert draft.queue_columns()["why"] == ["starts between 0 and 0.25; ends between 1.5 and 2"]
    assert draft.queue_columns()["draft"] == ["0..1.5 X"]


def test_gamma_does_not_align_texts_that_differ():
    corpus = made([("a", 0, 2, "X"), ("b", 0, 2, "X")], texts={("document", "a"): "ab", ("document", "b"): "abc"})
    with pytest.raises(unisono.DataError, match="different texts, which gamma does not align; use text-gamma"):
        gold(corpus, "gamma")
    with pytest.raises(unisono.DataError, match="has no text by 'a'; text-γ compares texts"):
        gold(made([("a", 0, 2, "X"), ("b", 0, 2, "X")]), "text-gamma")


def test_the_text_and_tokens_are_kept():
    corpus = made([("a", 0, 2, "X"), ("b", 0, 2, "X")], texts={("document", "a"): "abc"}, tokens={"document": [(0, 3)]})
    draft = gold(corpus).plain
    assert draft["document"].text == "abc"
    assert draft.tokens[0].tolist() == [[0, 3]]


def test_annotators_called_like_our_columns():
    columns = gold(made([("text", 0, 2, "X"), ("why", 5, 7, "X")])).queue_columns()
    assert columns["why 2"] == ["no unit", "5..7 X"]
    assert columns["text"] == ["0..2 X", "no unit"]


def test_whole_positions_stay_whole_below_zero():
    assert between(*middle([-3, -2])) == -3
    assert middle([5, 1, 3]) == (3, 3)
    assert middle([1, 2, 3], [1, 1, 2]) == (2, 3)
    assert middle([1, 2, 3], [1, 1, 3]) == (3, 3)


@pytest.mark.parametrize(
    ("labels", "label", "share", "tied"),
    [
        ([("A", "B"), ("A",), ("A", "C")], ("A",), 2 / 3, ()),
        ([("A", "B"), ("A", "B"), ("A",)], ("A", "B"), 2 / 3, ()),
        ([("A", "B"), ("A",)], ("A",), 0.5, (("A",), ("A", "B"))),
        ([("A",), ("B",)], ("A",), 0.5, (("A",), ("B",))),
        ([("A",), ("B",), ("C",)], ("A",), 1 / 3, (("A",), ("B",), ("C",))),
        ([("A",), None, None], None, 2 / 3, ()),
        ([(), (), ("A",)], (), 2 / 3, ()),
        ([("A", "B"), "A", "A"], "A", 2 / 3, ()),
        ([("A", "B"), ("B", "C"), ("C", "A")], ("A", "B", "C"), 2 / 3, ()),
        ([True, 1, 1], 1, 2 / 3, ()),
        ([None, "X"], "X", 0.5, ("X", None)),
        ([2.5, 2.5, 3.5], 2.5, 2 / 3, ()),
    ],
)
def test_votes(labels, label, share, tied):
    for order in (labels, labels[::-1]):
        found = vote(order)
        assert (repr(found.label), found.share, found.tied) == (repr(label), pytest.approx(share), tied)


def test_sets_are_written_into_the_draft():
    draft = gold(made([("a", 0, 5, ["p", "q"]), ("b", 0, 5, ["p"]), ("c", 0, 5, ["p", "r"])]), "gamma(distance=set)")
    assert units_of(draft.plain) == [("document", 0, 5, ("p",))]
    assert gold(draft.annotated, "gamma(distance=set)", majority=0.9).queue_columns()["a"] == ["0..5 p|q"]


def test_no_boundary_is_put_where_nobody_put_one():
    draft = gold(made([("a", 0, 9760, "X"), ("b", 0, 4796, "X")]))
    assert units_of(draft.plain) == [("document", 0, 4796, "X")]
    assert len(draft.queue_columns()["why"]) == 1
    # nobody marked 2 to 8 alone, but each of them is the boundary of two of four
    four = [("a", 0, 8, "X"), ("b", 0, 8, "X"), ("c", 2, 9, "X"), ("d", 2, 9, "X")]
    assert units_of(gold(made(four)).plain) == [("document", 2, 9, "X")]
    apart = [("a", 1, 8, "X"), ("b", 0, 9, "X"), ("c", 3, 7, "X"), ("d", 2, 10, "X")]
    assert units_of(gold(made(apart)).plain) == [("document", 1, 8, "X")]


def test_half_is_not_a_majority():
    draft = gold(made([("a", 0, 9, "X"), ("b", 0, 9, "X"), ("c", 0, 9, "Y"), ("d", 0, 9, "Z")]))
    assert whys(draft) == {(0, "no majority of category: X has 50%")}
    assert not whys(gold(made([("a", 0, 9, "X"), ("b", 0, 9, "X"), ("c", 0, 9, "X"), ("d", 0, 9, "Z")])))
