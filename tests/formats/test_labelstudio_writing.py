"""Data written as Label Studio's JSON goes back into the project that it came from."""

from __future__ import annotations

import json

import pytest
from commands import run

import unisono

TEXT = "😀 Anna met Bert in Rome."


def span(control, start, end, labels, ident, **more):
    value = {"start": start, "end": end, "text": TEXT[start:end], "labels": labels}
    return {"id": ident, "from_name": control, "to_name": "chat", "type": "labels", "value": value, **more}


def choice(ident, start, end, name, label):
    value = {"start": start, "end": end, "choices": [label]}
    return {"id": ident, "from_name": name, "to_name": "chat", "type": "choices", "value": value}


def export(*controls):
    return [
        {
            "id": 7,
            "data": {"message": TEXT, "source": "x"},
            "annotations": [
                {
                    "completed_by": who,
                    "result": [
                        span(controls[0], 2, 6, ["PER"], "a"),
                        choice("a", 2, 6, "sure", "yes"),
                        span(controls[-1], 11, 15, ["PER", label], "b"),
                    ],
                }
                for who, label in ((1, "ORG"), ({"id": 2, "email": "bert@example.org"}, "PET"))
            ],
        }
    ]


def units(corpus):
    return [(one.annotator, one.start, one.end, dict(one.features)) for document in corpus for one in document.units]


@pytest.mark.parametrize("controls", [("ner",), ("ner", "other")])
def test_an_export_is_written_as_it_was(controls, tmp_path):
    path = tmp_path / "in.json"
    path.write_text(json.dumps(export(*controls)), encoding="utf-8")
    corpus = unisono.read(path)
    assert unisono.write(corpus, tmp_path / "out.json", format="labelstudio") == []
    (task,) = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    assert (task["id"], task["data"]) == (7, {"message": TEXT})
    assert [one["completed_by"] for one in task["annotations"]] == [1, {"email": "bert@example.org"}]
    first, *_ = task["annotations"][0]["result"]
    assert (first["from_name"], first["to_name"], first["type"]) == ("ner", "chat", "labels")
    assert first["value"] == {"start": 2, "end": 6, "text": "Anna", "labels": ["PER"]}
    back = unisono.read(tmp_path / "out.json")
    assert units(back) == units(corpus)
    assert [document.text for document in back] == [TEXT]


def test_a_gold_standard_is_ground_truth_of_one_user(tmp_path):
    path = tmp_path / "in.json"
    path.write_text(json.dumps(export("ner")), encoding="utf-8")
    done = run(
        "gold", path, "-m", "gamma(features=category)", "--plain", "--to", "labelstudio", "-o", tmp_path / "g.json"
    )
    assert done.returncode == 0, done.stderr
    (task,) = json.loads((tmp_path / "g.json").read_text(encoding="utf-8"))
    (annotation,) = task["annotations"]
    assert annotation["ground_truth"] is True
    assert annotation["completed_by"] == {"email": "gold"}
    assert annotation["result"][0]["from_name"] == "ner"


def test_labels_of_items_become_choices(tmp_path):
    path = tmp_path / "in.csv"
    path.write_text("item,anna,bert\n1,good,bad\n2,good,\n", encoding="utf-8")
    unisono.write(unisono.read(path), tmp_path / "out.json", format="labelstudio")
    back = unisono.read(tmp_path / "out.json")
    assert back.annotators == ("anna", "bert")
    assert [[None if code < 0 else back.labels[code] for code in row] for row in back.codes.tolist()] == [
        ["good", "bad"],
        ["good", None],
    ]


def test_gold_labels_of_items_are_choices_of_the_control(tmp_path):
    tasks = [
        {
            "id": number,
            "data": {"text": f"text {number}"},
            "annotations": [
                {
                    "completed_by": who,
                    "result": [
                        {"from_name": "mood", "to_name": "text", "type": "choices", "value": {"choices": [label]}}
                    ],
                }
                for who, label in enumerate(("good", "good", "bad"), start=1)
            ],
        }
        for number in (11, 12)
    ]
    (tmp_path / "in.json").write_text(json.dumps(tasks), encoding="utf-8")
    done = run("gold", tmp_path / "in.json", "--to", "labelstudio", "-o", tmp_path / "gold.json")
    assert done.returncode == 0, done.stderr
    written = json.loads((tmp_path / "gold.json").read_text(encoding="utf-8"))
    assert [(task["id"], task["data"]["text"]) for task in written] == [(11, "text 11"), (12, "text 12")]
    (result,) = written[0]["annotations"][0]["result"]
    assert result == {"from_name": "mood", "to_name": "text", "type": "choices", "value": {"choices": ["good"]}}


def test_the_format_has_to_be_named(tmp_path):
    (tmp_path / "in.csv").write_text("item,anna,bert\n1,good,bad\n", encoding="utf-8")
    done = run("convert", tmp_path / "in.csv", "-o", tmp_path / "out.json")
    assert done.returncode == 1
    assert not (tmp_path / "out.json").exists()
