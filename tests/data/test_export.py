"""An export of several kinds of annotations: what is chosen, what is counted, what is asked."""

from __future__ import annotations

import pytest

import unisono
from unisono.data import Corpus, Export, Question, Ratings
from unisono.formats.collected_labels import CollectedLabels


def units(layers=("PER", "LOC")):
    return Corpus.from_columns(
        document=["d1"] * 4,
        annotator=["A", "A", "B", "B"],
        start=[0, 5, 0, 5],
        end=[3, 9, 3, 8],
        features={"type": [layers[0], layers[-1]] * 2, "category": ["x", "y", "x", "y"]},
    )


def answers(question, labels, who=("A", "B")):
    """One list of labels per annotator."""
    return Ratings.from_columns(
        item=[f"i{n}" for own in labels for n in range(len(own))],
        annotator=[name for name, own in zip(who, labels, strict=True) for _ in own],
        label=[label for own in labels for label in own],
        question=Question(question),
    )


def export(**more):
    questions = {
        "mood": answers("mood", [["good", "bad"], ["good", None]]),
        "topic": answers("topic", [["a", "b"], ["a", "a"]]),
    }
    return Export(units(), {**questions, **more}, source="here", dropped={"drafts": 2})


def test_nothing_is_measured_before_a_choice():
    with pytest.raises(unisono.DataError, match=r"4 spans of 2 layers .*mood .3., topic .4.*layers='mood' or units="):
        unisono.krippendorff_alpha(export())
    with pytest.raises(unisono.DataError, match="choose what to measure"):
        unisono.prepare(export(), annotators=["A"])


def test_a_layer_is_a_question_or_holds_units():
    ratings = unisono.prepare(export(), layers=["mood"])
    assert isinstance(ratings, Ratings)
    assert ratings.question.name == "mood"
    assert ratings.preparation == (("layers", "mood"),)
    assert ratings.source == "here"
    assert dict(ratings.dropped) == {
        "drafts": 2,
        "spans (labels of items were chosen)": 4,
        "labels of items in answer to other questions: topic": 4,
    }
    spans = unisono.prepare(export(), layers=["PER"])
    assert isinstance(spans, Corpus)
    assert spans.n_units == 2
    assert spans.preparation == (("layers", "PER"),)
    assert spans.dropped["labels of items in answer to other questions: mood, topic"] == 7


def test_what_was_chosen_can_be_named_again():
    ratings = unisono.prepare(export(), layers=["mood"])
    assert unisono.prepare(ratings, layers=["mood"]) == ratings
    with pytest.raises(unisono.OptionError, match="unknown layer 'topic'; available: mood"):
        unisono.prepare(ratings, layers=["topic"])


@pytest.mark.parametrize(
    ("layers", "message"),
    [
        (["nothing"], "unknown layer 'nothing'; available: LOC, PER, mood, topic"),
        (["mood", "topic"], "one by one; choose one of mood, topic"),
        (["mood", "PER"], "'mood' are labels of items and 'PER' are spans"),
    ],
)
def test_layers_that_cannot_be_chosen(layers, message):
    with pytest.raises(unisono.OptionError, match=message):
        unisono.prepare(export(), layers=layers)


def test_a_name_of_both_needs_the_kind():
    both = export(PER=answers("PER", [["a"], ["b"]]))
    with pytest.raises(unisono.OptionError, match="units='items' or units='spans'"):
        both.layer(["PER"])
    assert both.of_kind("spans") == units()
    assert set(both.of_kind("items").questions) == {"mood", "topic", "PER"}


def test_kinds():
    assert export().of_kind("spans").preparation == (("units", "spans"),)
    several = export().of_kind("items")
    assert isinstance(several, Export)
    assert several.layer(["topic"]).preparation == (("units", "items"), ("layers", "topic"))
    one = Export(units(), {"mood": answers("mood", [["good"], ["bad"]])})
    assert isinstance(one.of_kind("items"), Ratings)
    with pytest.raises(unisono.DataError, match="no labels of items"):
        Export(units(), {}).of_kind("items")
    with pytest.raises(unisono.DataError, match="no spans"):
        Export(None, dict(export().questions)).of_kind("spans")


def test_the_only_kind_needs_no_choice():
    assert Export(units(), {}).simplest() == units()
    assert isinstance(Export(None, {"mood": answers("mood", [["good"], ["bad"]])}).simplest(), Ratings)
    assert export().annotators == ("A", "B")


def test_single_names_are_sets_where_answers_are_sets(tmp_path):
    labels = CollectedLabels(tmp_path)
    labels.question("topics", "names")
    labels.question("topics", "sets")
    for who, label in {"A": "x", "B": ("y", "x"), "C": (), "D": None}.items():
        labels.add("topics", "i1", who, label, text="What a day")
    found = labels.ratings()["topics"]
    assert found.question == Question("topics", "sets")
    assert found.texts == ("What a day",)
    assert [found.labels[code] if code >= 0 else None for code in found.codes[0]] == [("x",), ("x", "y"), (), None]


def test_questions_that_nobody_answered_are_none(tmp_path):
    labels = CollectedLabels(tmp_path)
    labels.add("mood", "i1", "A", None)
    assert labels.ratings() == {}


def test_a_second_answer_is_an_error(tmp_path):
    labels = CollectedLabels(tmp_path / "f.json")
    labels.add("mood", "i1", "A", "x", line=1)
    labels.add("mood", "i1", "A", "y", line=2)
    with pytest.raises(unisono.DataError, match="'A' labels the item 'i1' a second time") as error:
        labels.ratings()
    assert (error.value.path, error.value.line) == (tmp_path / "f.json", 2)


def test_texts_follow_their_items():
    ratings = Ratings.from_columns(
        item=["i1", "i2", "i1", "i2"],
        annotator=["A", "A", "B", "B"],
        label=["x", "y", None, "y"],
        texts={("document", "i2"): "two"},
    )
    assert ratings.texts == (None, "two")
    assert ratings.select(annotators=["B"]).texts == ("two",)


def test_exports_are_equal_if_what_they_hold_is():
    assert export() == export()
    assert hash(export()) == hash(export())
    assert export() != export().of_kind("spans")
    assert export() != export().of_kind("items")
    assert export() != 3
