"""JUDGE-BENCH's JSON."""

from __future__ import annotations

import json

import pytest
from format_helpers import refusal
from test_labelstudio_items import table as whole_table

from unisono.data import Export
from unisono.formats import read


def content(*instances, **categories):
    metrics = [
        {"metric": name, "category": category, "prompt": "{{ instance }}"} for name, category in categories.items()
    ]
    return {"dataset": "Invented", "dataset_url": "", "annotations": metrics, "instances": [*instances]}


def instance(number, text="Add salt.", **scores):
    given = {name: {"mean_human": 3, "individual_human_scores": own} for name, own in scores.items()}
    return {"id": number, "instance": text, "annotations": given}


EXAMPLE = json.dumps(
    content(
        instance(1, fluency=[4, 5, None], answer=["yes", "no"]),
        instance(2, {"source": "eins", "translation": "one"}, fluency=[2, 1, 1], answer=["no", "no"]),
        fluency="graded",
        answer="categorical",
    ),
    indent=2,
)


def table(ratings):
    """Return the labels that were given, by item and annotator."""
    rows = whole_table(ratings).items()
    return {item: {who: label for who, label in labels.items() if label is not None} for item, labels in rows}


@pytest.fixture
def file(tmp_path):
    def make(given):
        path = tmp_path / "data.json"
        path.write_text(given if isinstance(given, str) else json.dumps(given))
        return path

    return make


def test_each_metric_is_a_question_and_each_place_a_person(file):
    found = read(file(EXAMPLE))
    assert isinstance(found, Export)
    fluency, answer = found.questions["fluency"], found.questions["answer"]
    assert table(fluency)["1"] == {"person 1": 4, "person 2": 5}
    assert table(fluency)["2"] == {"person 1": 2, "person 2": 1, "person 3": 1}
    assert table(answer) == {"1": {"person 1": "yes", "person 2": "no"}, "2": {"person 1": "no", "person 2": "no"}}
    assert (fluency.question.kind, answer.question.kind) == ("numbers", "names")
    assert fluency.texts == ("Add salt.", "source: eins\ntranslation: one")


def test_where_only_the_majority_is_known_people_are_one(file):
    given = {"majority_human": "1", "individual_human_scores": []}
    one = {"id": "a", "instance": "…", "annotations": {"toxic": given}}
    assert table(read(file(content(one, toxic="categorical")))) == {"a": {"people": "1"}}


@pytest.mark.parametrize(
    ("instances", "words"),
    [
        ([], ("this file has no instances",)),
        ([instance(1, fluency=[1]), instance(1, fluency=[2])], ("there are two instances '1'",)),
        ([instance(1, fluency=[{"a": 1}])], ("a score of instance '1'", "cannot be a label")),
        ([3], ("an instance should be an object, not 3",)),
    ],
)
def test_what_cannot_be_read_is_one_sentence(file, instances, words):
    refusal(file(content(*instances, fluency="graded")), None, *words)
