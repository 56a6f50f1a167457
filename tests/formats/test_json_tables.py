"""Tables in JSON."""

from __future__ import annotations

import json

import pandas as pd
import pytest
from format_helpers import refusal, rows, table

import unisono
import unisono.errors
from unisono.errors import OptionError
from unisono.formats import read

FRAME = pd.DataFrame({"item": ["a", "b", "c"], "anna": ["x", "y", "x"], "bert": ["x", "x", "x"]})
TABLE = {("file", name): {"anna": one, "bert": "x"} for name, one in zip("abc", "xyx", strict=True)}


@pytest.fixture
def file(tmp_path):
    def make(content, name="file.json"):
        path = tmp_path / name
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        return path

    return make


@pytest.mark.parametrize("orient", ["records", "columns", "index", "split", "table"])
@pytest.mark.parametrize("indent", [None, 1])
def test_what_pandas_writes(file, orient, indent):
    assert table(read(file(FRAME.to_json(orient=orient, indent=indent)))) == TABLE


NUMBERS = pd.DataFrame({"anna": [1, 2, 3, 4, 5, 3], "bert": [1, 2, 3, 4, 4, 3]})


@pytest.mark.parametrize("orient", ["columns", "split", "table", "records"])
@pytest.mark.parametrize(
    ("names", "index"),
    [
        (["t1", "t2", "t3", "t4", "t5", "t6"], None),
        (["t1", "t2", "t3", "t4", "t5", "t6"], "essay"),
        ([204, 117, 331, 498, 205, 163], "essay"),
    ],
)
def test_the_index_of_a_frame_is_no_annotator(file, orient, names, index):
    frame = NUMBERS.set_index(pd.Index(names, name=index))
    ratings = read(file(frame.to_json(orient=orient)))
    assert ratings.annotators == ("anna", "bert")
    assert len(ratings.items) == 6
    if orient == "table" or (orient == "columns" and isinstance(names[0], str)):
        assert list(ratings.items) == [str(name) for name in names]


def test_an_index_that_counts_rows_is_no_annotator_beside_items(file):
    frame = pd.DataFrame({"item": list("abcdef"), **NUMBERS})
    ratings = read(file(frame.to_json(orient="table")))
    assert ratings.annotators == ("anna", "bert")
    assert list(ratings.items) == list("abcdef")


def test_rows_without_names(file):
    ratings = read(file(FRAME.to_json(orient="values")))
    assert list(ratings.items) == ["a", "b", "c"]
    assert ratings.annotators == ("1", "2")


def test_lines_of_flat_objects(file):
    lines = '{"item": "a", "annotator": "x", "label": 3}\n{"item": "a", "annotator": "y", "label": 4.5}\n'
    ratings = read(file(lines, "file.jsonl"))
    assert table(ratings) == {("file", "a"): {"x": 3, "y": 4.5}}
    told = []
    assert read(file(lines + '{"item": \n' + lines.replace('"a"', '"b"'), "file.jsonl"), bad=told.append).n_units == 4
    assert [error.line for error in told] == [3]


def test_pretty_printed(file):
    rows = [{"task": "a", "worker": "x", "score": 3}, {"task": "a", "worker": "y", "score": ["p", "q"]}]
    assert table(read(file(json.dumps(rows, indent=2)))) == {("file", "a"): {"x": 3, "y": ("p", "q")}}


def test_units(file):
    assert rows(read(file([{"annotator": "A", "start": 0, "end": 3, "category": "X"}]))) == [("file", "A", 0, 3, "X")]


NESTED = {
    "id": "t1",
    "groups": {
        "g": {"reviews": [{"who": "a", "rank": 1}, {"who": "b", "rank": 2}]},
        "h": {"reviews": [{"who": "a", "rank": 3}]},
    },
}
PATHS = {"item": "id", "annotator": "groups.*.reviews[].who", "label": "groups.*.reviews[].rank"}


def test_paths(file):
    expected = {("file", "t1 g"): {"a": 1, "b": 2}, ("file", "t1 h"): {"a": 3}}
    assert table(read(file([NESTED]), columns=PATHS)) == expected
    assert table(read(file(NESTED), columns=PATHS)) == expected
    assert table(read(file(json.dumps(NESTED) + "\n", "file.jsonl"), columns=PATHS)) == expected
    flat = {"id": "t", "reviews": [{"who": "a", "rank": 1}, {"who": "b", "rank": 2}]}
    paths = {"item": "id", "annotator": "reviews[].who", "label": "reviews[].rank"}
    assert table(read(file([flat]), columns=paths)) == {("file", "t"): {"a": 1, "b": 2}}


def test_paths_that_are_wrong(file):
    refusal(
        file([NESTED]),
        None,
        "there is nothing at 'groups.*.reviews[].rating'",
        columns={**PATHS, "label": "groups.*.reviews[].rating"},
    )
    refusal(
        file([NESTED]),
        None,
        "at 'id' there should be a list",
        columns={**PATHS, "annotator": "id[].x", "label": "id[].y"},
    )
    with pytest.raises(OptionError, match="does not go through the same lists"):
        read(file([NESTED]), columns={**PATHS, "annotator": "others[].who"})


def test_a_bad_record_is_skipped(file):
    told = []
    lines = [NESTED, {**NESTED, "id": "t2", "groups": 5}, {**NESTED, "id": "t3"}]
    path = file("".join(json.dumps(line) + "\n" for line in lines), "file.jsonl")
    assert read(path, columns=PATHS, bad=told.append).n_units == 6
    assert [error.line for error in told] == [2]


def test_no_table(file):
    refusal(file({"a": {"b": 1}, "c": 3}), None, "this JSON is not a table", "columns={'item'")


def test_shared_nested_file(shared):
    """α of ranks, computed independently (SQuALITY)."""
    where = "questions.*.*.reviews[]"
    paths = {"item": "passage-id", "annotator": f"{where}.worker_id", "label": f"{where}.overall-rank"}
    ratings = read(shared / "items" / "squality" / "squality_all-responses.jsonl", columns=paths)
    assert (ratings.n_items, len(ratings.annotators)) == (300, 4)
    assert unisono.krippendorff_alpha(ratings, distance="interval").value == pytest.approx(0.797, abs=5e-4)


def test_few_texts_with_a_label_each_are_no_annotators(file):
    rows = [("What a day it was.", ["good"]), ("Oh no", ["bad"]), ("Nice to see you.", ["good"])]
    path = file("".join(json.dumps({"column_data": text, "column_label": label}) + "\n" for text, label in rows))
    refusal(path, None, "column_data, column_label", "hardly annotators", "columns=")


def test_lists_of_numbers_are_sets(file):
    rows = [{"item": 1, "annotator": who, "label": label} for who, label in (("a", [2, 1]), ("b", [1, 2.0]), ("c", []))]
    ratings = read(file(json.dumps(rows)))
    assert ratings.labels == ((), ("1", "2"))
    assert ratings.codes.tolist() == [[1, 1, 0]]


@pytest.mark.parametrize(
    ("content", "suggested"),
    [
        (
            [{"id": 1, "reviews": [{"who": "a", "what": "x"}]}],
            {"item": "id", "annotator": "reviews[].who", "label": "reviews[].what"},
        ),
        (
            {"all": {"texts": [{"id": 1, "by": [{"who": "a", "what": "x"}]}]}},
            {"item": "all.texts[].id", "annotator": "all.texts[].by[].who", "label": "all.texts[].by[].what"},
        ),
        (
            [{"id": 1, "by": {"s1": {"people": [{"n": 1, "y": 2}]}, "s2": {"people": []}}}],
            {"item": "id", "annotator": "by.*.people[].n", "label": "by.*.people[].y"},
        ),
        ([{"id": 1, "score": 3, "labels": {"a": "x", "b": "y"}}], {"item": "id", "label": "labels.*"}),
        ([{"id": 1, "x": {"y": [1]}}], {"item": "id", "annotator": "reviews[].worker", "label": "reviews[].rating"}),
    ],
)
def test_nested_objects_are_not_labels_but_say_how_to_name_them(file, content, suggested):
    with pytest.raises(
        unisono.errors.DataError, match="nested; name item, annotator and label by their paths"
    ) as error:
        read(file(json.dumps(content)))
    assert str(suggested) in str(error.value)


def test_annotators_that_are_keys(file):
    rows = [{"id": 1, "labels": {"anna": "x", "bert": "y"}}, {"id": 2, "labels": {"bert": "y", "7": "x"}}]
    ratings = read(file(json.dumps(rows)), columns={"item": "id", "label": "labels.*"})
    assert table(ratings) == {
        ("file", 1): {"anna": "x", "bert": "y"},
        ("file", 2): {"bert": "y", "7": "x"},
    }


@pytest.mark.parametrize("wrong", [None, 3, [1]])
def test_a_row_that_is_no_object_is_one_bad_record(file, wrong):
    rows = [{"item": n, "annotator": who, "label": "x"} for n in (1, 2) for who in "ab"]
    path = file(json.dumps([*rows[:2], wrong, *rows[2:]]))
    refusal(path, None, "each row should be an object")
    told = []
    assert read(path, bad=told.append).n_units == 4
    assert len(told) == 1


def test_a_zero_byte_in_one_line_is_one_bad_record(file):
    """It does not make a long text binary."""
    lines = [json.dumps({"item": n, "annotator": who, "label": "x"}) for n in range(20) for who in "ab"]
    lines[17] = lines[17].replace('"x"', '"\0"')
    told = []
    assert read(file("\n".join(lines), "file.jsonl"), bad=told.append).n_units == 39
    assert [error.line for error in told] == [18]
