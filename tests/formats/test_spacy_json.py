"""Texts with categories in JSON, as spaCy keeps them."""

from __future__ import annotations

import json

import pytest
from format_helpers import refusal, rows

from unisono.data import Export
from unisono.formats import read

TEXTS = [
    {
        "id": 1,
        "text": "Anna sees Bert.",
        "cats": {"A": 1.0, "B": 0.0},
        "ents": [{"start": 0, "end": 4, "label": "PER"}],
    },
    {"id": "two", "text": "Bert", "cats": {"A": 0.0, "B": 1.0}, "spans": {"sc": [{"start": 0, "end": 4, "label": ""}]}},
    {"id": 3, "text": "No one", "cats": {}, "entities": [[0, 2, "X"]]},
]
FULL = "".join(json.dumps(text) + "\n" for text in TEXTS)


@pytest.fixture
def file(tmp_path):
    def make(*texts, name="anna.jsonl", whole=False):
        path = tmp_path / name
        path.write_text(json.dumps(texts) if whole else "".join(json.dumps(text) + "\n" for text in texts))
        return path

    return make


def labels(ratings):
    codes = ratings.codes.tolist()
    return {
        item: [ratings.labels[code] if code >= 0 else None for code in own]
        for item, own in zip(ratings.items, codes, strict=True)
    }


@pytest.mark.parametrize("whole", [False, True])
def test_categories_and_spans(file, whole):
    export = read(file(*TEXTS, whole=whole, name="a.json" if whole else "a.jsonl"))
    assert isinstance(export, Export)
    assert labels(export.questions["cats"]) == {"1": ["A"], "two": ["B"]}
    assert export.questions["cats"].texts == ("Anna sees Bert.", "Bert")
    assert rows(export.units) == [
        ("1", "annotator", 0, 4, "ents", "PER"),
        ("two", "annotator", 0, 4, "sc", None),
        ("3", "annotator", 0, 2, "ents", "X"),
    ]


def test_two_annotators_and_texts_without_ids(file, tmp_path):
    plain = [{"text": text["text"], "cats": text["cats"]} for text in TEXTS]
    file(*plain)
    file(*[one | {"cats": {"A": 1, "B": 1}} for one in reversed(plain)], name="bert.jsonl")
    ratings = read(tmp_path, pattern="{annotator}.jsonl")
    assert ratings.question.kind == "sets"
    assert dict(zip(ratings.texts, labels(ratings).values(), strict=True)) == {
        "Anna sees Bert.": [("A",), ("A", "B")],
        "Bert": [("B",), ("A", "B")],
        "No one": [None, ("A", "B")],
    }


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        ({"id": 2, "cats": {"A": 1.0}}, "there is no text"),
        ({"id": 1, "text": "x", "cats": {"A": 1.0}}, "another text with the id 1"),
        ({"id": 2, "text": "x", "cats": {"A": 2}}, "should be from 0 to 1"),
        ({"id": 2, "text": "x", "cats": ["A"]}, "names with a score each"),
        ({"id": 2, "text": "x", "cats": {}, "ents": [{"start": "0", "end": 1, "label": "X"}]}, "start, end and label"),
        ({"id": 2, "text": "x", "cats": {}, "entities": [[0, 9, "X"]]}, "outside the text"),
        ([], "there is no text"),
    ],
)
def test_a_bad_text_is_one_bad_record(file, bad, words):
    path = file(TEXTS[0], bad, TEXTS[1])
    refusal(path, 2, words)
    told = []
    export = read(path, bad=told.append)
    assert labels(export.questions["cats"]) == {"1": ["A"], "two": ["B"]}
    assert export.units.n_units == 2
    assert len(told) == 1
