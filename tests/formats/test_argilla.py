"""Argilla's records, of all versions."""

from __future__ import annotations

import json

import pytest
from format_helpers import refusal, rows
from test_labelstudio_items import table

from unisono.data import Corpus, Export
from unisono.formats import read

TEXT = "Anna sees Bert."


def second(number, **questions):
    """Make a record of 2.x: question to value by user; a value may have its status."""
    responses = {
        name: [
            {"user_id": who, **(value if isinstance(value, dict) and "status" in value else {"value": value})}
            for who, value in given.items()
        ]
        for name, given in questions.items()
    }
    return {
        "id": number,
        "fields": {"text": TEXT},
        "metadata": {},
        "suggestions": {},
        "responses": responses,
        "vectors": {},
        "_server_id": "f00",
    }


def first(number, **questions):
    """Make the same record as FeedbackDataset has it."""
    people = dict.fromkeys(who for given in questions.values() for who in given)
    return {
        "external_id": number,
        "fields": {"text": TEXT},
        "metadata": {},
        "suggestions": [],
        "responses": [
            {
                "user_id": who,
                "status": "submitted",
                "values": {name: {"value": given[who]} for name, given in questions.items() if who in given},
            }
            for who in people
        ],
    }


def hub(number, **questions):
    """Make the same record as it is on the Hub."""
    columns = {
        name: [{"user_id": who, "value": value, "status": "submitted"} for who, value in given.items()]
        for name, given in questions.items()
    }
    further = {f"{name}-suggestion": None for name in questions}
    agents = {f"{name}-suggestion-metadata": {"type": None, "score": None, "agent": None} for name in questions}
    return {"text": TEXT, **columns, **further, **agents, "external_id": number, "metadata": "{}"}


def flat(number, **questions):
    """Make the same record as 2.x writes it to a dataset."""
    record = {"id": number, "status": "completed", "text": TEXT}
    for name, given in questions.items():
        record[f"{name}.responses"] = list(given.values())
        record[f"{name}.responses.users"] = list(given)
        record[f"{name}.responses.status"] = ["submitted"] * len(given)
    return record


def rubrix(number, annotation, who="anna", **more):
    return {
        "id": number,
        "text": TEXT,
        "inputs": {"text": TEXT},
        "prediction": [{"label": "a", "score": 0.7}, {"label": "b", "score": 0.3}],
        "prediction_agent": "model",
        "annotation": annotation,
        "annotation_agent": who,
        "multi_label": False,
        "status": "Validated",
        **more,
    }


VERSIONS = pytest.mark.parametrize("make", [second, first, hub, flat])


@pytest.fixture
def file(tmp_path):
    def write(*records, name="records.json"):
        path = tmp_path / name
        lines = name.endswith("l")
        path.write_text("".join(json.dumps(one) + "\n" for one in records) if lines else json.dumps(records))
        return path

    return write


@VERSIONS
@pytest.mark.parametrize("name", ["records.json", "records.jsonl"])
def test_labels(file, make, name):
    ratings = read(file(make("x", mood={"anna": "good", "bert": "bad"}), make("y", mood={"anna": "good"}), name=name))
    assert table(ratings) == {"x": {"anna": "good", "bert": "bad"}, "y": {"anna": "good", "bert": None}}
    assert (ratings.question.name, ratings.question.kind) == ("mood", "names")
    assert ratings.texts == (TEXT, TEXT)
    assert ratings.source == f"Argilla ratings · {name}"
    assert ratings.dropped == {}


@VERSIONS
def test_several_labels_are_sets(file, make):
    ratings = read(
        file(make("x", topics={"anna": ["b", "a"], "bert": ["a"]}), make("y", topics={"anna": [], "bert": ["c"]}))
    )
    assert table(ratings) == {"x": {"anna": ("a", "b"), "bert": ("a",)}, "y": {"anna": (), "bert": ("c",)}}
    assert ratings.question.kind == "sets"


@VERSIONS
def test_ratings_are_numbers(file, make):
    ratings = read(file(make("x", stars={"anna": 3, "bert": 5})))
    assert table(ratings) == {"x": {"anna": 3, "bert": 5}}
    assert ratings.question.kind == "numbers"


@VERSIONS
def test_rankings(file, make):
    anna = [{"value": "a", "rank": 1}, {"value": "b", "rank": 2}, {"value": "c", "rank": None}]
    bert = {"value": ["a", "b"], "rank": [1, 1]}
    bert = [{"value": "a", "rank": 1}, {"value": "b", "rank": 1}] if make is not hub else bert
    ratings = read(file(make("x", order={"anna": anna, "bert": bert})))
    assert table(ratings) == {"x: a": {"anna": 1, "bert": 1}, "x: b": {"anna": 2, "bert": 1}}
    assert ratings.question.kind == "ranks"


@VERSIONS
def test_rankings_as_lists(file, make):
    """Argilla 2 writes the things from the first to the last."""
    records = [
        make("x", order={"anna": ["a", "b", "c"], "bert": ["b", "a", "c"]}),
        make("y", order={"anna": ["c", "a", "b"]}),
    ]
    ratings = read(file(*records))
    assert ratings.question.kind == "ranks"
    assert table(ratings)["x: b"] == {"anna": 2, "bert": 1}
    assert table(ratings)["y: b"] == {"anna": 3, "bert": None}


@pytest.mark.parametrize("lists", [[["a", "b"], ["a", "b"]], [["a", "b"], ["b"]], [["a", "a"], ["a"]]])
def test_lists_that_are_no_rankings(file, lists):
    """The same things always in one order may be all that can be chosen."""
    ratings = read(file(*(second(name, topics={"anna": one}) for name, one in zip("xy", lists, strict=True))))
    assert ratings.question.kind == "sets"


@VERSIONS
def test_spans_are_units(file, make):
    anna = [{"start": 0, "end": 4, "label": "PER"}]
    corpus = read(file(make("x", names={"anna": anna, "bert": []})))
    assert isinstance(corpus, Corpus)
    assert rows(corpus) == [("x", "anna", 0, 4, "PER")]
    assert corpus["x"].text == TEXT
    assert corpus["x"].annotators == ("anna", "bert")


def test_spans_of_several_questions_and_fields(file):
    record = second(
        "x",
        who={"anna": [{"start": 0, "end": 4, "label": "A", "text": "Bert"}]},
        what={"anna": [{"start": 1, "end": 2, "label": None}]},
    )
    record["fields"]["answer"] = "Bert sleeps."
    corpus = read(file(record))
    assert [(document.name, [unit.features["type"] for unit in document.units]) for document in corpus] == [
        ("x: answer", ["who"]),
        ("x: text", ["what"]),
    ]


@VERSIONS
def test_several_questions(file, make):
    export = read(
        file(
            make("x", mood={"anna": "good"}, topics={"anna": ["a"], "bert": ["b"]}, why={"anna": "w" * 300}),
            make("y", mood={"anna": "good", "bert": "good"}, topics={"anna": ["a"]}, why={"anna": "Because."}),
        )
    )
    assert isinstance(export, Export)
    assert list(export.questions) == ["mood", "topics"]
    assert table(export.questions["topics"]) == {
        "x": {"anna": ("a",), "bert": ("b",)},
        "y": {"anna": ("a",), "bert": ()},  # who answered something else about it
    }
    assert export.dropped == {"free texts, which are not labels": 2}


def test_what_is_left_out_is_counted(file):
    draft, gone = {"value": "bad", "status": "draft"}, {"value": "bad", "status": "discarded"}
    record = second("x", mood={"anna": "good", "bert": draft, "carl": gone})
    record["suggestions"] = {"mood": {"value": "good", "score": 0.9, "agent": "gpt"}, "other": {"value": "x"}}
    ratings = read(file(record))
    assert table(ratings) == {"x": {"anna": "good"}}
    assert ratings.dropped == {"drafts": 1, "discarded responses": 1, "suggestions of models": 2}
    export = read(file(record), options={"predictions": "true"})
    assert table(export.questions["mood"]) == {"x": {"anna": "good", "gpt": "good"}}
    assert table(export.questions["other"]) == {"x": {"suggestion": "x"}}


def test_suggestions_of_1(file):
    record = first("x", mood={"anna": "good"})
    record["suggestions"] = [{"question_name": "mood", "value": "bad", "agent": "m"}]
    record["responses"].append({"user_id": "bert", "values": {}, "status": "discarded"})
    record["responses"].append(
        {"user_id": "carl", "values": [{"mood": {"value": "bad"}}], "status": "ResponseStatus.submitted"}
    )
    ratings = read(file(record), options={"predictions": "true"})
    assert table(ratings) == {"x": {"anna": "good", "carl": "bad", "m": "bad"}}
    assert ratings.dropped == {"discarded responses": 1}


def test_suggestions_on_the_hub(file):
    record = hub("x", mood={"anna": "good"}) | {"mood-suggestion": "bad", "mood-suggestion-metadata": {"agent": "m"}}
    ratings = read(file(record), options={"predictions": "true"})
    assert table(ratings) == {"x": {"anna": "good", "m": "bad"}}
    record = flat("x", mood={"anna": "good"}) | {
        "mood.suggestion": "bad",
        "mood.suggestion.agent": "m",
        "mood.suggestion.score": 1,
    }
    assert table(read(file(record), options={"predictions": "true"})) == {"x": {"anna": "good", "m": "bad"}}


def test_records_of_rubrix(file):
    ratings = read(file(rubrix(1, "a"), rubrix(2, "b", "bert"), rubrix(3, "a", status="Discarded"), rubrix(4, None)))
    assert table(ratings) == {"1": {"anna": "a", "bert": None}, "2": {"anna": None, "bert": "b"}}
    assert ratings.question.name == "label"
    assert ratings.dropped == {"discarded responses": 1, "suggestions of models": 4}
    ratings = read(file(rubrix(1, "a"), rubrix(2, "b")), options={"predictions": "true"})
    assert table(ratings) == {"1": {"anna": "a", "model": "a"}, "2": {"anna": "b", "model": "a"}}
    scores = [{"label": "a", "score": 0.7}, {"label": "b", "score": 0.6}, {"label": "c", "score": 0.1}]
    several = rubrix(1, ["a"], multi_label=True, prediction=scores)
    assert table(read(file(several), options={"predictions": "true"})) == {"1": {"anna": ("a",), "model": ("a", "b")}}


@pytest.mark.parametrize(
    "one", [["PER", 0, 4], ["PER", 0, 4, 1.0], {"label": "PER", "start": 0, "end": 4, "score": None}]
)
def test_token_classification_of_rubrix(file, one):
    record = rubrix(1, [one], tokens=["Anna", "sees", "Bert", "."], prediction=[["ORG", 10, 14]])
    assert rows(read(file(record))) == [("1", "anna", 0, 4, "PER")]
    corpus = read(file(record), options={"predictions": "true"})
    assert rows(corpus) == [("1", "anna", 0, 4, "PER"), ("1", "model", 10, 14, "ORG")]


def test_records_of_several_people_in_several_files(file, tmp_path):
    (tmp_path / "all").mkdir()
    file(rubrix(1, "a", None), name="all/anna.json")
    file(rubrix(1, "b", None), name="all/bert.json")
    assert table(read(tmp_path / "all", annotator_from="file")) == {"1": {"anna": "a", "bert": "b"}}


def test_records_without_a_name_are_named_by_what_they_say(file):
    one, other = second(None, mood={"anna": "a"}), second(None, mood={"anna": "b"})
    one["_server_id"] = other["_server_id"] = None
    other["fields"] = {"text": "x"}
    assert all(name.startswith("record ") for name in read(file(one, other)).items)


def test_damaged_records_leave_the_others(file):
    good = [second(name, mood={"anna": "a", "bert": "b"}) for name in "xyz"]
    bad = [
        5,
        second("p", mood={"anna": 3}),
        second("q") | {"responses": {"mood": [3]}},
        second("r") | {"fields": 3},
        second("s") | {"responses": [3]},
        second("t") | {"responses": [{"values": 3}]},
        flat("u", mood={"anna": "a"}) | {"mood.responses.users": []},
        second("x", mood={"anna": "a"}),
    ]
    told = []
    assert table(read(file(*good, *bad), bad=told.append)) == table(read(file(*good)))
    assert len(told) == len(bad)
    for one in bad:
        refusal(file(*good, one), None)
    told.clear()
    wrong = [
        second("p", n={"anna": [{"start": "0", "end": 4, "label": "a"}]}),
        second("q", n={"anna": [{"start": 0, "end": 99, "label": "a"}]}),
    ]
    spans = [second(name, n={"anna": [{"start": 0, "end": 4, "label": "a"}]}) for name in "xy"]
    assert len(rows(read(file(*spans, *wrong), bad=told.append))) == 2
    ranks = [second(name, n={"anna": [{"value": "a", "rank": 1}]}) for name in "xy"]
    wrong = [
        second("p", n={"anna": [{"value": "a", "rank": "1"}]}),
        second("q", n={"anna": [{"value": "a", "rank": 1}] * 2}),
    ]
    assert len(table(read(file(*ranks, *wrong), bad=told.append))) == 2
    assert len(told) == 4


def test_repeated_responses_are_counted(file):
    record = second("x", mood={"anna": "a"})
    record["responses"]["mood"].append({"user_id": "anna", "value": "b"})
    ratings = read(file(record))
    assert table(ratings) == {"x": {"anna": "b"}}
    assert ratings.dropped == {"earlier responses of one person to the same question": 1}


EXAMPLE = json.dumps(
    [
        second(
            "x",
            mood={"anna": "good", "bert": "bad"},
            topics={"anna": ["a", "b"], "bert": ["a"]},
            stars={"anna": 3},
            order={"anna": [{"value": "a", "rank": 1}, {"value": "b", "rank": 2}]},
            names={"bert": [{"start": 0, "end": 4, "label": "PER"}]},
        )
        | {"suggestions": {"mood": {"value": "good", "agent": "m"}}},
        first("y", mood={"anna": "good", "bert": "good"}, stars={"bert": 2}),
        hub("z", mood={"anna": "bad"}),
        flat("w", topics={"bert": ["a"]}),
        rubrix("v", "a"),
    ]
)


@pytest.mark.parametrize("wrong", [{"responses": 5}, {"responses": {"n": [{"value": "a", "user_id": {"x": 1}}]}}])
def test_responses_and_users_of_another_form_are_bad_records(file, wrong):
    good = [second(name, n={"anna": "a", "bert": "b"}) for name in "xy"]
    told = []
    assert list(table(read(file(good[0], second("z", n={"anna": "a"}) | wrong, good[1]), bad=told.append))) == [
        "x",
        "y",
    ]
    assert len(told) == 1
