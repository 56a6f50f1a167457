"""Label Studio's JSON-MIN, CSV and TSV."""

from __future__ import annotations

import csv
import json

import pytest
from format_helpers import refusal, rows
from test_labelstudio_items import table

from unisono.data import Corpus, Export
from unisono.formats import read

OPTION = "options={'controls': '…'}"


def record(task, who, data, answers, **more):
    """Make a record with its keys in the order of the converter."""
    times = {
        "annotation_id": more.pop("annotation_id", 1),
        "created_at": "2024",
        "updated_at": "2024",
        "lead_time": 2.5,
    }
    return {**data, "id": task, **answers, "annotator": who, **times, **more}


@pytest.fixture
def file(tmp_path):
    def make(records, suffix=".json"):
        path = tmp_path / f"export{suffix}"
        if suffix == ".json":
            path.write_text(json.dumps(records))
            return path
        names = sorted({name for one in records for name in one})
        with path.open("w", newline="", encoding="utf-8") as stream:
            writer = csv.DictWriter(
                stream, names, quoting=csv.QUOTE_NONNUMERIC, delimiter="\t" if suffix == ".tsv" else ","
            )
            writer.writeheader()
            for one in records:
                cells = {k: json.dumps(v) if isinstance(v, list | dict) else v for k, v in one.items()}
                writer.writerow(cells)
        return path

    return make


def tasks(*answers):
    """Make records of two annotators of several tasks."""
    return [
        record(number, who, {"text": f"Text {number}.", "source": "web"}, one)
        for number, pair in enumerate(answers, start=1)
        for who, one in zip((7, 8), pair, strict=True)
        if one is not None
    ]


@pytest.mark.parametrize("suffix", [".json", ".csv", ".tsv"])
def test_a_choice_is_a_text_that_differs_between_annotators(file, suffix):
    ratings = read(file(tasks(({"mood": "good"}, {"mood": "bad"}), ({"mood": "good"}, {"mood": "good"})), suffix))
    assert table(ratings) == {"1": {"7": "good", "8": "bad"}, "2": {"7": "good", "8": "good"}}
    assert ratings.question.name == "mood"
    assert ratings.texts == ("Text 1.", "Text 2.")
    assert ratings.source == f"Label Studio JSON-MIN or CSV ratings · export{suffix}"


@pytest.mark.parametrize("suffix", [".json", ".csv", ".tsv"])
@pytest.mark.parametrize(
    ("value", "label", "kind"),
    [
        ({"choices": ["b", "a"]}, ("a", "b"), "sets"),
        ([{"rating": 4}], 4, "numbers"),
        ([{"number": 1.5}], 1.5, "numbers"),
        ([{"taxonomy": [["a", "b"], ["c"]]}], ("a/b", "c"), "paths"),
        ([{"selected": "left"}], "left", "names"),
        ([{"datetime": "2024-05-01"}], "2024-05-01", "names"),
    ],
)
def test_values_that_only_answers_have(file, suffix, value, label, kind):
    ratings = read(file(tasks(({"q": value}, {"q": value})), suffix))
    assert table(ratings) == {"1": {"7": label, "8": label}}
    assert ratings.question.kind == kind


@pytest.mark.parametrize("suffix", [".json", ".csv"])
def test_rankings(file, suffix):
    ratings = read(file(tasks(({"q": [{"ranker": {"rank": ["x", "y"]}}]}, None)), suffix))
    assert table(ratings) == {"1: x": {"7": 1}, "1: y": {"7": 2}}


def test_where_keys_are_tells_answers_on_which_all_agree(file):
    agreed = tasks(({"mood": "good"}, {"mood": "good"}), ({"mood": "bad"}, {"mood": "bad"}))
    assert table(read(file(agreed))) == {"1": {"7": "good", "8": "good"}, "2": {"7": "bad", "8": "bad"}}
    refusal(file(agreed, ".csv"), None, "not clear which columns are answers", OPTION, "mood")
    path = file(agreed, ".csv")
    assert table(read(path, options={"controls": "mood"})) == table(read(file(agreed)))
    refusal(path, None, "there is no 'mod'", OPTION, options={"controls": "mod"})


def test_columns_that_may_be_answers_are_mentioned(file):
    both = [({"mood": m, "sure": s}, {"mood": "good", "sure": s}) for m, s in zip("abcd", "xyxy", strict=True)]
    ratings = read(file(tasks(*both), ".csv"))
    assert ratings.question.name == "mood"
    said = "columns that are the same for all annotators of a task, taken for data (the option controls names answers)"
    assert ratings.dropped == {f"{said}: sure": 1}
    export = read(file(tasks(*both), ".csv"), options={"controls": "mood;sure"})
    assert isinstance(export, Export)
    assert list(export.questions) == ["mood", "sure"]


def test_an_answer_that_only_one_gave_is_no_data(file):
    ratings = read(file(tasks(({"mood": "a"}, {}), ({"mood": "b"}, {"mood": "b"})), ".csv"))
    assert table(ratings) == {"1": {"7": "a", "8": None}, "2": {"7": "b", "8": "b"}}


@pytest.mark.parametrize("suffix", [".json", ".csv"])
def test_what_differs_may_be_about_the_work(file, suffix):
    records = [one | {"unique_id": number} for number, one in enumerate(tasks(({"mood": "a"}, {"mood": "b"})))]
    assert read(file(records, suffix)).question.name == "mood"


def test_data_may_have_an_id(file):
    """Then data and answers are both after it."""
    records = [
        {"id": n, "url": f"u{n}", "mood": mood, "annotator": who, "annotation_id": 1, "lead_time": 1}
        for n in (1, 2)
        for who, mood in ((7, "a"), (8, "b"))
    ]
    assert read(file(records)).question.name == "mood"


@pytest.mark.parametrize("suffix", [".json", ".csv"])
def test_spans_and_labels(file, suffix):
    def marked(*places):
        return [{"start": a, "end": b, "text": "Text 1."[a:b], "labels": ["X"]} for a, b in places]

    about = [{"start": 0, "end": 4, "text": "Text", "choices": ["sure"]}]
    path = file(
        tasks(({"ner": marked((0, 4)), "how": about, "mood": "a"}, {"ner": marked((0, 4), (5, 6)), "mood": "b"})),
        suffix,
    )
    export = read(path)
    assert isinstance(export, Export)
    assert table(export.questions["mood"]) == {"1": {"7": "a", "8": "b"}}
    units = read(path, units="spans")
    assert isinstance(units, Corpus)
    assert [row[:4] for row in rows(units)] == [("1", "7", 0, 4), ("1", "8", 0, 4), ("1", "8", 5, 6)]
    assert units["1"].text == "Text 1."
    assert units["1"].units[0].features["how"] == "sure"


def test_what_is_left_out_is_counted(file):
    regions = [{"x": 1, "y": 2, "rectanglelabels": ["Car"]}]
    records = [
        *tasks(({"mood": "a", "box": regions, "why": {"text": ["x", "y"]}}, {"mood": "b", "colours": ["red", "red"]})),
        record(1, 9, {"text": "Text 1."}, {"mood": "a"}, was_cancelled=True),
        record(1, 7, {"text": "Text 1."}, {"mood": "b"}, updated_at="2023"),
    ]
    ratings = read(file(records), options={"controls": "mood;box;why;colours"})
    assert table(ratings) == {"1": {"7": "a", "8": "b"}}
    assert ratings.dropped == {
        'results that are not labelled spans ("rectanglelabels")': 1,
        "free texts about whole tasks, which are not labels": 1,
        'results that are not labelled spans ("labels of regions that are not there")': 1,
        "annotations that were skipped (cancelled)": 1,
        "earlier annotations of a task by the same person": 1,
    }


def test_tasks_named_by_a_column(file):
    records = tasks(({"mood": "a"}, {"mood": "b"}))
    assert read(file(records), options={"document": "source"}).items == ("web",)


def test_damaged_records_leave_the_others(file):
    good = tasks(({"mood": "a"}, {"mood": "b"}), ({"mood": "a"}, {"mood": "a"}))
    told = []
    ratings = read(file([*good, 5, {**good[0], "id": None}]), bad=told.append)
    assert table(ratings) == table(read(file(good)))
    assert len(told) == 2
    refusal(file([*good, 5]), None, "record 5", "the task's id")
    path = file(good, ".csv")
    path.write_bytes(path.read_bytes() + b"1,2\r\n")
    refusal(path, 6, "2 fields, but 9 columns")
    assert table(read(path, bad=told.append)) == table(ratings)


EXAMPLE = json.dumps(
    tasks(
        ({"mood": "a", "q": [{"rating": 3}]}, {"mood": "b", "q": [{"rating": 4}]}),
        ({"mood": "a"}, {"mood": "a", "ner": [{"start": 0, "end": 4, "text": "Text", "labels": ["X"]}]}),
    )
)
TABLE = "\n".join(
    [
        '"annotation_id","annotator","id","lead_time","mood","stars","text","updated_at"',
        '1,"a@x",1,2.5,"good","[{""rating"":3}]","A text.","2024"',
        '2,"b@x",1,2.5,"bad","[{""rating"":4}]","A text.","2024"',
        '3,"a@x",2,2.5,"good","","Another.","2024"',
        '4,"b@x",2,2.5,"{""choices"":[""good"",""bad""]}","[{""rating"":4}]","Another.","2024"\n',
    ]
)


@pytest.mark.parametrize("wrong", ["five", True])
def test_a_rating_that_is_no_number_is_one_bad_task(file, wrong):
    """It does not make the ratings names."""
    stars = [{"stars": [{"rating": n}]} for n in (1, 2, 5)]
    path = file(tasks((stars[0], stars[1]), ({"stars": wrong}, stars[2]), (stars[1], stars[1])))
    told = []
    ratings = read(path, bad=told.append)
    assert ratings.question.kind == "numbers"
    assert list(table(ratings)) == ["1", "3"]
    assert "a rating should be a number" in str(told[0])
