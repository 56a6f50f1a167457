"""Answers to whole tasks of Prodigy."""

from __future__ import annotations

import json

import pytest
from format_helpers import refusal, rows
from test_labelstudio_items import table
from test_prodigy import span, task

import unisono
from unisono.data import Export
from unisono.formats import read


def choice(number, who, *accept, answer="accept", style=None, options=("a", "b", "c"), **more):
    return {
        "text": f"Text {number}.",
        "_input_hash": number,
        "_task_hash": 10 * number,
        "options": [{"id": one, "text": str(one)} for one in options],
        "accept": list(accept),
        "answer": answer,
        "_view_id": "choice",
        "_annotator_id": f"news-{who}",
        **({} if style is None else {"config": {"choice_style": style}}),
        **more,
    }


def binary(number, who, answer, label="SPORT", **more):
    return {
        "text": f"Text {number}.",
        "label": label,
        "_input_hash": number,
        "_session_id": f"news-{who}",
        "answer": answer,
        **more,
    }


@pytest.fixture
def file(tmp_path):
    def make(*lines, name="news.jsonl"):
        path = tmp_path / name
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
        return path

    return make


@pytest.mark.parametrize("style", [None, "single"])
def test_one_of_several_options(file, style):
    lines = [(1, "anna", "a"), (1, "bert", "b"), (2, "anna", "c"), (2, "bert")]
    ratings = read(file(*(choice(*line, style=style) for line in lines)))
    assert table(ratings) == {"1": {"anna": "a", "bert": "b"}, "2": {"anna": "c", "bert": "nothing chosen"}}
    assert (ratings.question.name, ratings.question.kind) == ("choice", "names")
    assert ratings.texts == ("Text 1.", "Text 2.")


def test_the_order_of_clicks_does_not_count(file):
    ratings = read(
        file(choice(1, "anna", "b", "a"), choice(1, "bert", "a", "b"), choice(2, "anna"), choice(2, "bert", "c"))
    )
    assert table(ratings) == {"1": dict.fromkeys(("anna", "bert"), ("a", "b")), "2": {"anna": (), "bert": ("c",)}}
    assert ratings.question.kind == "sets"


def test_a_style_that_allows_several_makes_sets(file):
    ratings = read(file(choice(1, "anna", "a", style="multiple"), choice(1, "bert", style="multiple")))
    assert table(ratings) == {"1": {"anna": ("a",), "bert": ()}}


def test_options_may_be_numbers(file):
    ratings = read(file(choice(1, "anna", 2, options=(1, 2)), choice(1, "bert", 1, options=(1, 2)), choice(2, "anna")))
    assert table(ratings) == {"1": {"anna": 2, "bert": 1}, "2": {"anna": None, "bert": None}}
    assert ratings.question.kind is None


def test_what_codes_mean(file):
    options = [{"id": "a", "text": "Agree"}, {"id": "b", "text": "b"}, {"id": "c", "image": "c.png"}, 5]
    ratings = read(file(choice(1, "anna", "a") | {"options": options}))
    assert ratings.question.meanings == (("a", "Agree"),)


def test_rejected_choices_are_left_out_unless_they_are_wanted(file):
    path = file(
        choice(1, "anna", "a"),
        choice(1, "bert", "b", answer="reject"),
        choice(2, "anna", answer="reject"),
        choice(2, "bert", "b"),
        choice(3, "anna", "b", answer="ignore"),
    )
    ratings = read(path)
    assert table(ratings) == {"1": {"anna": "a", "bert": None}, "2": {"anna": None, "bert": "b"}}
    assert ratings.dropped == {
        'tasks that were not accepted ("reject")': 2,
        'tasks that were not accepted ("ignore")': 1,
    }
    ratings = read(path, options={"rejected": "label"})
    assert table(ratings) == {"1": {"anna": "a", "bert": "rejected"}, "2": {"anna": "rejected", "bert": "b"}}
    with pytest.raises(unisono.OptionError, match="unknown rejected 'x'; available: leave-out, label"):
        read(path, options={"rejected": "x"})


def test_reject_is_the_answer_no_to_one_label(file):
    ratings = read(
        file(
            binary(1, "anna", "accept"),
            binary(1, "bert", "reject"),
            binary(2, "anna", "reject"),
            binary(2, "bert", "ignore"),
        )
    )
    assert table(ratings) == {"1": {"anna": "yes", "bert": "no"}, "2": {"anna": "no", "bert": None}}
    assert ratings.question.name == "SPORT"
    assert ratings.dropped == {'tasks that were not accepted ("ignore")': 1}


def test_each_of_several_labels_is_a_question(file):
    lines = [
        binary(1, who, answer, label)
        for label in ("SPORT", "NEWS")
        for who, answer in (("a", "accept"), ("b", "reject"))
    ]
    export = read(file(*lines))
    assert isinstance(export, Export)
    assert list(export.questions) == ["SPORT", "NEWS"]
    assert table(unisono.prepare(export, layers=["NEWS"])) == {"1": {"a": "yes", "b": "no"}}


@pytest.mark.parametrize("view", [{"spans": [{"start": 0, "end": 4, "pattern": 3}]}, {"_view_id": "classification"}])
def test_what_a_pattern_found_is_no_annotation(file, view):
    assert table(read(file(binary(1, "anna", "reject", **view)))) == {"1": {"anna": "no"}}


def test_labelled_spans_of_a_task_with_a_label_are_spans(file):
    corpus = read(file(task(1, span(2, 6), label="PER")))
    assert rows(corpus) == [("1", "anna", 2, 6, "PER")]


def test_tasks_without_hashes(file):
    plain = [{"text": "a", "label": "X", "answer": answer} for answer in ("accept",)]
    assert table(read(file(*plain), annotator_from="file")).popitem()[1] == {"news": "yes"}


def test_spans_and_choices_of_one_task(file):
    record = task(1, span(2, 6), options=[{"id": "a", "text": "a"}], accept=["a"])
    export = read(file(record, record | {"_annotator_id": "news-bert", "accept": []}))
    assert isinstance(export, Export)
    assert table(export.questions["choice"]) == {"1": {"anna": "a", "bert": "nothing chosen"}}
    assert [row[1] for row in rows(export.of_kind("spans"))] == ["anna", "bert"]


@pytest.mark.parametrize("key", ["image", "audio", "html"])
def test_tasks_need_no_text(file, key):
    record = {name: value for name, value in choice(1, "anna", "a").items() if name != "text"} | {key: "x.png"}
    ratings = read(file(record))
    assert table(ratings) == {"1": {"anna": "a"}}
    assert ratings.texts == ("x.png",)


def test_the_latest_answer_counts(file):
    lines = [choice(1, "anna", "a", _timestamp=3), choice(1, "anna", "b", _timestamp=2), choice(1, "bert", "a")]
    ratings = read(file(*lines, choice(1, "bert", "b", user_input="Because.")))
    assert table(ratings) == {"1": {"anna": "a", "bert": "b"}}
    assert ratings.dropped == {
        "earlier answers of one annotator to the same task": 2,
        "free texts, which are not labels": 1,
    }


def test_a_file_for_each_annotator(file, tmp_path):
    (tmp_path / "all").mkdir()
    file(choice(1, "x", "a"), choice(2, "x", "a", "b"), name="all/anna.jsonl")
    file(choice(1, "x", "a"), choice(2, "x", "b"), name="all/bert.jsonl")
    ratings = read(tmp_path / "all", annotator_from="file")
    assert table(ratings) == {"1": {"anna": ("a",), "bert": ("a",)}, "2": {"anna": ("a", "b"), "bert": ("b",)}}


def test_damaged_lines_leave_the_others(file):
    good = [choice(1, "anna", "a"), choice(1, "bert", "b")]
    bad = [
        choice(2, "anna") | {"accept": "a"},
        choice(2, "anna", ["a"]),
        choice(2, "anna", {}),
        choice(2, "anna", None),
    ]
    told = []
    assert table(read(file(*good, *bad), bad=told.append)) == table(read(file(*good)))
    assert [error.line for error in told] == [3, 4, 5, 6]
    refusal(file(*good, bad[0]), 3, "accept should be a list")


def test_values_of_a_real_project(shared):
    """Computed independently from accepted tasks (see the README of the data)."""
    ratings = read(shared / "items" / "prodigy" / "presto_distortion.jsonl")
    assert unisono.krippendorff_alpha(ratings).value == pytest.approx(0.680800, abs=5e-7)
    expected = {("mireia", "miriam"): 0.648681, ("mireia", "xavi"): 0.721681, ("miriam", "xavi"): 0.675161}
    for pair, value in expected.items():
        assert unisono.cohen_kappa(ratings.select(annotators=pair)).value == pytest.approx(value, abs=5e-7)
    answers = read(shared / "items" / "prodigy" / "textcat_docs_issues_60.jsonl")
    assert sorted(answers.labels) == ["no", "yes"]
    assert answers.n_units == 60


EXAMPLE = "".join(
    json.dumps(line) + "\n"
    for line in [
        choice(1, "anna", "a", style="single", _timestamp=5),
        choice(1, "bert", "b", "c"),
        choice(2, "bert", "b", answer="reject"),
        binary(3, "anna", "reject"),
        binary(3, "bert", "accept", spans=[{"start": 0, "end": 4}]),
        task(4, span(2, 6), options=[{"id": "a"}], accept=["a"]),
    ]
)
