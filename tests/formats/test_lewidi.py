"""The JSON of the shared tasks LeWiDi."""

from __future__ import annotations

import json

import pytest
from format_helpers import refusal
from test_labelstudio_items import table as whole_table

from unisono.data import Export
from unisono.formats import read


def item(annotations, annotators="Ann1,Ann2,Ann3", **more):
    return {
        "text": "What a day!",
        "annotation task": "irony detection",
        "annotators": annotators,
        "annotations": annotations,
        "soft_label": {"0": 0.5, "1": 0.5},
        "split": "dev",
        **more,
    }


EXAMPLE = json.dumps({"1": item("1,0,1"), "2": item("0,,1", annotators="Ann2,Ann3,Ann9")}, indent=1)


def table(ratings):
    """Return the labels that were given, by item and annotator."""
    rows = whole_table(ratings).items()
    return {item: {who: label for who, label in labels.items() if label is not None} for item, labels in rows}


@pytest.fixture
def file(tmp_path):
    def make(given, name="irony_dev.json"):
        path = tmp_path / name
        path.write_text(given if isinstance(given, str) else json.dumps(given))
        return path

    return make


def test_labels_stand_in_the_order_of_their_annotators(file):
    found = read(file(EXAMPLE))
    assert table(found) == {"dev 1": {"Ann1": "1", "Ann2": "0", "Ann3": "1"}, "dev 2": {"Ann2": "0", "Ann9": "1"}}
    assert (found.question.name, found.question.kind, found.texts[0]) == ("irony detection", None, "What a day!")


def test_items_of_several_splits_have_the_same_numbers(file, tmp_path):
    file({"1": item("1,0,1")})
    file({"1": item("0,0,0", split="test"), "2": item("", split="test")}, "irony_test.json")
    assert sorted(table(read(tmp_path))) == ["dev 1", "test 1"]


def test_objects_of_annotators_and_labels_several_of_which_are_a_set(file):
    given = {"Ann1": "neutral", "Ann2": "neutral,entailment", "Ann3": None}
    text = {"context": "It rains.", "statement": "It is wet."}
    found = read(file({"7": item(given, annotators="Ann1,Ann2,Ann2,Ann3", text=text)}))
    assert table(found) == {"dev 7": {"Ann1": ("neutral",), "Ann2": ("entailment", "neutral")}}
    assert found.texts == ("context: It rains.\nstatement: It is wet.",)


@pytest.mark.parametrize("key", ["other annotations", "other_annotations"])
def test_other_annotations_are_further_questions(file, key):
    found = read(file({"1": item("1,0,1", other_info={key: {"offensive": "0,0,1"}, "domain": "BLM"})}))
    assert isinstance(found, Export)
    assert list(found.questions) == ["irony detection", "offensive"]
    assert table(found.questions["offensive"]) == {"dev 1": {"Ann1": "0", "Ann2": "0", "Ann3": "1"}}


def test_as_many_labels_as_annotators(file):
    refusal(
        file({"4": item("1,0")}), None, "item '4' has 2 labels (irony detection) by 3 annotators; correct one of them"
    )
    refusal(file({"4": item("1,0,1"), "5": 3}), None, "the item '5' should be an object, not 3")
