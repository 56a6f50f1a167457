"""Potato's annotated instances."""

from __future__ import annotations

import json

import pytest
from format_helpers import refusal
from test_labelstudio_items import table

from unisono.data import Export
from unisono.formats import read


def item(number, spans=(), **labels):
    return {
        "id": number,
        "displayed_text": f"Text {number}.",
        "label_annotations": labels,
        "span_annotations": dict(spans),
        "behavioral_data": {"time_string": "Time spent: 0d 0h 0m 5s "},
    }


@pytest.fixture
def file(tmp_path):
    def make(*lines, name="anna/annotated_instances.jsonl"):
        path = tmp_path / "output" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
        return path

    return make


def test_each_annotator_has_a_folder(file, tmp_path):
    for who, mood in (("anna", "good"), ("bert", "bad")):
        lines = [item("1", mood={mood: "true"}), item("2", mood={"good": "true"})]
        file(*lines, name=f"{who}/annotated_instances.jsonl")
    for how in ({}, {"pattern": "{annotator}/annotated_instances.jsonl"}, {"annotator_from": "folder"}):
        ratings = read(tmp_path / "output", **how)
        assert table(ratings) == {"1": {"anna": "good", "bert": "bad"}, "2": {"anna": "good", "bert": "good"}}
        assert (ratings.question.name, ratings.question.kind) == ("mood", "names")
        assert ratings.texts == ("Text 1.", "Text 2.")


@pytest.mark.parametrize(
    ("given", "label", "kind"),
    [
        ({"a": "true", "b": False, "c": ""}, "a", "names"),
        ({"a": "true", "b": True}, ("a", "b"), "sets"),
        ({"scale_4": "4"}, 4, "numbers"),
        ({"slider": "2.5"}, 2.5, "numbers"),
        ({"slider": 3}, 3, "numbers"),
    ],
)
def test_schemes(file, given, label, kind):
    ratings = read(file(item(1, q=given)))
    assert table(ratings) == {"1": {"annotator": label}}
    assert ratings.question.kind == kind


def test_nothing_chosen_is_missing_or_the_empty_set(file):
    export = read(file(item(1, one={"a": "true"}, many={"a": "1", "b": "1"}), item(2)))
    assert isinstance(export, Export)
    assert table(export.questions["one"]) == {"1": {"annotator": "a"}, "2": {"annotator": None}}
    assert table(export.questions["many"]) == {"1": {"annotator": ("a", "b")}, "2": {"annotator": ()}}


def test_what_is_left_out_is_counted(file):
    spans = {"names": [{"start": 0, "end": 4}, {"start": 5, "end": 6}]}
    ratings = read(file(item(1, spans, mood={"good": "true"}, why={"text_box": "Because."})))
    assert table(ratings) == {"1": {"annotator": "good"}}
    assert ratings.dropped == {"free texts, which are not labels": 1, "span annotations": 2}


def test_newer_files_name_their_users(file):
    lines = [
        {"instance_id": 1, "user_id": who, "label_annotations": {"mood": {mood: True}}, "span_annotations": []}
        for who, mood in (("anna", "good"), ("bert", "bad"))
    ]
    path = file(*lines)
    assert table(read(path)) == {"1": {"anna": "good", "bert": "bad"}}
    refusal(path, 2, "a second time", annotator_from="folder")


def test_damaged_lines_leave_the_others(file):
    good = [item(1, mood={"a": "true"}), item(2, mood={"b": "true"})]
    bad = [item(None), item(3) | {"label_annotations": 3}, item(4, mood="a"), item(5, n={"slider": "x"}), item(1)]
    told = []
    assert table(read(file(*good, *bad), bad=told.append)) == table(read(file(*good)))
    assert [error.line for error in told] == [3, 4, 5, 6, 7]


EXAMPLE = "".join(
    json.dumps(line) + "\n"
    for line in [
        item(1, {"n": [{"start": 0, "end": 4}]}, mood={"a": "true", "b": "true"}, stars={"scale_3": "3"}),
        item(2, mood={"a": "true"}, why={"text_box": "x"}, age={"slider": "30"}),
    ]
)
