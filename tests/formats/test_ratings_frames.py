from __future__ import annotations

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from format_helpers import rated, refusal, table

from unisono.data import Ratings
from unisono.errors import DataError, OptionError
from unisono.formats import from_frame, read

KINDS = {
    "pandas": pd.DataFrame,
    "pandas nullable": lambda data: pd.DataFrame(data).convert_dtypes(),
    "polars": lambda data: pl.DataFrame(data, strict=False),
    "pyarrow": pa.table,
}
WIDE = {"item": ["i1", "i2", "i3"], "anna": [1, 2, 3], "bert": [1, None, 2], "chris": [None, None, None]}
LONG = {
    "document": ["d1", "d1", "d2"],
    "item": [1, 1, 1],
    "annotator": ["anna", "bert", "anna"],
    "label": ["x", None, "y"],
    "seconds": [3.5, 2.5, None],
}


@pytest.fixture(params=KINDS)
def make(request):
    return KINDS[request.param]


def test_wide(make):
    ratings = from_frame(make(WIDE))
    assert isinstance(ratings, Ratings)
    assert table(ratings) == {
        ("document", "i1"): {"anna": 1, "bert": 1},
        ("document", "i2"): {"anna": 2},
        ("document", "i3"): {"anna": 3, "bert": 2},
    }
    assert ratings.labels == (1, 2, 3)
    assert ratings.annotators == ("anna", "bert", "chris")
    assert ratings.source == "data frame"


def test_long(make):
    assert table(from_frame(make(LONG))) == {("d1", 1): {"anna": "x"}, ("d2", 1): {"anna": "y"}}


def test_columns(make):
    frame = make({"id": ["a", "b"], "A": ["x", "y"], "B": ["x", "x"]})
    assert list(from_frame(frame).items) == ["a", "b"]
    assert list(from_frame(frame, columns={"item": "id"}).items) == ["a", "b"]


@pytest.mark.parametrize(
    "columns", [{"A": [True, False], "B": [True, None]}, {"A": [0.5, 1.5], "B": [float("nan"), 0.5]}]
)
def test_labels_keep_their_kind(make, columns):
    ratings = from_frame(make(columns))
    assert ratings.codes.tolist()[0 if columns["B"][1] else 1][1] == -1
    assert {type(label) for label in ratings.labels} == {type(columns["A"][0])}


def test_lists_are_sets(make):
    ratings = from_frame(make({"A": [["b", "a"], ["c"]], "B": [["a", "b", "a"], None]}))
    assert table(ratings) == {("document", 1): {"A": ("a", "b"), "B": ("a", "b")}, ("document", 2): {"A": ("c",)}}


def test_names_of_a_frame_are_names_even_if_they_are_labels_too(make):
    assert from_frame(make({"0": [0, 1], "1": [1, 1], "2": [0, 1], "3": [1, 1]})).annotators == ("0", "1", "2", "3")


@pytest.mark.parametrize("rows", [[[0, 1, 1], [1, 1, 1]], [["d", "anna", 0, 5, "X"]]])
def test_columns_without_names_are_not_annotators(rows):
    with pytest.raises(DataError, match=r"the columns have no names \(0, 1, 2.* annotator, start, end .* rows='items'"):
        from_frame(pd.DataFrame(rows))


def test_some_columns_without_names():
    with pytest.raises(DataError, match=r"the columns have no names \(1, 2\)"):
        from_frame(pd.DataFrame({"item": ["i1"], 1: ["x"], 2: ["y"]}))


def test_categoricals():
    plain = pd.DataFrame({"A": ["x", "y", None], "B": ["x", "x", "y"]})
    assert rated(from_frame(plain.astype("category"))) == rated(from_frame(plain))


BAD = {
    "labelled twice": (
        {"item": ["i", "i"], "annotator": ["A", "A"], "label": ["x", "y"]},
        r"^row 1: the annotator 'A' labels the item 'i' a second time.*in row 0",
    ),
    "item twice": ({"item": ["i", "i"], "A": ["x", "y"], "B": ["x", "y"]}, "^row 1: the item 'i'.*in row 0"),
    "no item": ({"item": ["i", None], "A": ["x", "y"], "B": ["x", "y"]}, "^row 1: the item is missing"),
    "one annotator": ({"document": ["i", "j"], "A": ["x", "y"]}, "only one annotator, 'A'"),
    "lists in a set": ({"A": [[[1]], [[2]]], "B": [[[1]], [[2]]]}, "^row 0: A: .*neither text nor a number"),
    "units with other names": ({"A": ["x"], "begin": [0], "to": [3]}, "'start': 'begin', 'end': 'to'"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_frame_is_refused_with_its_row(make, case):
    columns, message = BAD[case]
    with pytest.raises(DataError, match=message):
        from_frame(make(columns))


def test_dates_are_no_labels():
    with pytest.raises(DataError, match="'A' holds Datetime"):
        from_frame(pd.DataFrame({"A": [pd.Timestamp("2020-01-01")], "B": [pd.Timestamp("2020-01-01")]}))


def test_options_for_units_only(make):
    with pytest.raises(OptionError, match="continuum: only units on a continuum use it"):
        from_frame(make(WIDE), continuum=(0, 5))
    with pytest.raises(OptionError, match="worked: only units on a continuum use it"):
        from_frame(make(WIDE), worked=make({"document": ["d"], "annotator": ["A"]}))


def test_parquet(tmp_path):
    path = tmp_path / "file.parquet"
    for columns in (WIDE, LONG):
        pq.write_table(pa.table(columns), path)
        ratings = read(path)
        expected = rated(from_frame(pa.table(columns)))
        assert ratings.source == "Parquet ratings · file.parquet"
        assert [labels for _, labels in rated(ratings)["table"]] == [labels for _, labels in expected["table"]]
    pq.write_table(pa.table({"item": ["i", "i"], "A": ["x", "y"], "B": ["x", "y"]}), path)
    refusal(path, None, "row 1: the item 'i'")


def test_parquet_by_name(tmp_path):
    path = tmp_path / "file.parquet"
    pq.write_table(pa.table({"start": [1, 2], "end": [1, 1]}), path)
    refusal(path, None, "no column 'annotator'")
    assert table(read(path, format="ratings"))["file", 1] == {"start": 1, "end": 1}


def test_numbers_in_a_set(make):
    ratings = from_frame(make({"A": [[1, 2], [2], []], "B": [[2, 1], [2, 3], [3]]}))
    assert set(ratings.labels) == {("1", "2"), ("2",), (), ("2", "3"), ("3",)}
    assert ratings.codes[0, 0] == ratings.codes[0, 1]
