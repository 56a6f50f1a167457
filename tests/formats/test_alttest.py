"""JSON of annotators with their items and labels, as the alternative annotator test takes it."""

from __future__ import annotations

import json

import pytest
from format_helpers import refusal
from test_labelstudio_items import table as whole_table

import unisono
from unisono.formats import read
from unisono.formats.registry import by_content

PEOPLE = {"anna": {"i1": "A", "i2": "B", "i3": "A"}, "bert": {"i1": "A", "i3": "B", "i4": "B"}}
MODELS = {"gpt": dict.fromkeys(["i1", "i2", "i3", "i4"], "A"), "llama": dict.fromkeys(["i1", "i2", "i3", "i4"], "B")}
EXAMPLE = json.dumps(PEOPLE)


def table(ratings):
    """Return the labels that were given, by item and annotator."""
    rows = whole_table(ratings).items()
    return {item: {who: label for who, label in labels.items() if label is not None} for item, labels in rows}


@pytest.fixture
def file(tmp_path):
    def make(given, name="labels.json"):
        path = tmp_path / name
        path.write_text(json.dumps(given))
        return path

    return make


def test_annotators_who_labelled_different_items(file):
    found = read(file(PEOPLE))
    assert found.annotators == ("anna", "bert")
    assert table(found) == {
        "i1": {"anna": "A", "bert": "A"},
        "i2": {"anna": "B"},
        "i3": {"anna": "A", "bert": "B"},
        "i4": {"bert": "B"},
    }


def test_people_and_models_are_two_files_about_the_same_items(file, tmp_path):
    file(PEOPLE, "human_annotations.json")
    file(MODELS, "llm_annotations.json")
    found = read(tmp_path)
    assert found.annotators == ("anna", "bert", "gpt", "llama")
    assert table(found)["i3"] == {"anna": "A", "bert": "B", "gpt": "A", "llama": "B"}
    assert unisono.compare_models(tmp_path, ["gpt", "llama"], measure="percent-agreement").humans == ("anna", "bert")


@pytest.mark.parametrize(
    "given",
    [
        MODELS,  # as pandas writes a table, unless the file's name says otherwise
        {"row 1": {"anna": "A"}, "row 2": {"anna": "B", "bert": "A"}},  # rows with gaps
        {"r1": {"item": "1", "annotator": "anna", "label": "A"}, "r2": {"item": "1", "annotator": "bert"}},
        {"anna": {"i1": ["A"], "i2": ["B"]}, "bert": {"i1": ["A"], "i3": ["B"]}},
    ],
)
def test_tables_stay_tables(file, given):
    assert by_content(file(given)).name == "json"


def test_labels_must_be_labels(file):
    path = file({"anna": {"i1": 1.5, "i2": True, "i3": None}}, "human_annotations.json")
    assert table(read(path)) == {"i1": {"anna": 1.5}, "i2": {"anna": True}, "i3": {}}
    path = file({"anna": {"i1": 1, "i2": {"a": 1}}})
    refusal(path, None, "the label of 'i2' by 'anna' is", "cannot be a label", format="alttest")
    refusal(file({"anna": "A"}), None, "'anna' should be an object of items and labels", format="alttest")
