from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from format_helpers import contents, rows, worked

from unisono.errors import DataError, UnisonoError
from unisono.formats import from_frame

KINDS = {
    "pandas": pd.DataFrame,
    "pandas nullable": lambda data: pd.DataFrame(data).convert_dtypes(),
    "polars": lambda data: pl.DataFrame(data, strict=False),
    "pyarrow": pa.table,
}
COLUMNS = {
    "document": ["d1", "d1", "d2", "d2"],
    "annotator": ["A", "B", "A", "B"],
    "start": [0, 1, 5, 6],
    "end": [3, 4, 9, 9],
    "category": ["X", None, "Y", "X"],
    "score": [1, 2, 2, 1],
    "sure": [True, False, True, True],
}


@pytest.fixture(params=KINDS)
def make(request):
    return KINDS[request.param]


def test_all_kinds_give_the_same_corpus():
    first, *others = (contents(from_frame(make(COLUMNS))) for make in KINDS.values())
    assert all(other == first for other in others)
    assert first["start"] == ("int64", [0, 1, 5, 6])
    assert first["features"]["category"] == [("str", "X"), ("NoneType", None), ("str", "Y"), ("str", "X")]
    assert first["features"]["score"][0] == ("int", 1)
    assert first["features"]["sure"][0] == ("bool", True)


def test_document_may_be_missing(make):
    corpus = from_frame(make({"annotator": ["A"], "start": [0], "end": [3]}))
    assert rows(corpus) == [("document", "A", 0, 3)]
    assert corpus.source == "data frame"


def test_whole_numbers_in_a_float_column_stay_float(make):
    corpus = from_frame(make({"annotator": ["A", "B"], "start": [0.0, 1.0], "end": [3.5, 4.0], "w": [1.0, 2.5]}))
    assert corpus.start.dtype == np.float64
    assert corpus.features["w"].labels == (1.0, 2.5)


def test_missing_numbers_are_missing_labels(make):
    corpus = from_frame(make({"annotator": ["A", "B"], "start": [0, 1], "end": [3, 4], "w": [1.5, None]}))
    assert corpus.features["w"].values() == [1.5, None]


def test_nan_in_polars_and_pyarrow_is_missing():
    for frame in (pl.DataFrame, pa.table):
        corpus = from_frame(frame({"annotator": ["A"], "start": [0], "end": [3], "w": [float("nan")]}))
        assert corpus.features["w"].values() == [None]


def test_row_without_positions_says_who_marked_nothing(make):
    frame = make({"annotator": ["A", "B"], "start": [0, None], "end": [3, None], "category": ["X", None]})
    corpus = from_frame(frame)
    assert len(rows(corpus)) == 1
    assert worked(corpus) == {("document", "A"), ("document", "B")}


def test_annotators_may_be_whole_numbers(make):
    assert from_frame(make({"annotator": [2, 10], "start": [0, 1], "end": [3, 4]})).annotators == ("10", "2")


def test_categoricals():
    frame = pd.DataFrame(COLUMNS)
    for name in ("document", "annotator", "category"):
        frame[name] = frame[name].astype("category")
    assert contents(from_frame(frame)) == contents(from_frame(pd.DataFrame(COLUMNS)))
    polars = pl.DataFrame(COLUMNS).with_columns(pl.col("category").cast(pl.Categorical))
    assert contents(from_frame(polars)) == contents(from_frame(pd.DataFrame(COLUMNS)))
    table = pa.table({**COLUMNS, "category": pa.array(COLUMNS["category"]).dictionary_encode()})
    assert contents(from_frame(table)) == contents(from_frame(pd.DataFrame(COLUMNS)))


def test_lists_are_sets(make):
    frame = make({"annotator": ["A", "B"], "start": [0, 1], "end": [3, 4], "category": [["b", "a"], ["c"]]})
    assert from_frame(frame).features["category"].values() == [("a", "b"), ("c",)]


def test_columns_worked_and_continuum(make):
    frame = make({"doc": ["d"], "who": ["A"], "start": [0], "end": [3], "label": ["X"]})
    names = {"document": "doc", "annotator": "who", "category": "label"}
    corpus = from_frame(frame, columns=names, worked=make({"doc": ["d", "e"], "who": ["B", "A"]}), continuum=(0, 9))
    assert worked(corpus) == {("d", "A"), ("d", "B"), ("e", "A")}
    assert corpus.bounds == {0: (0.0, 9.0), 1: (0.0, 9.0)}


BAD = {
    "end before start": ({"start": [0, 9], "end": [3, 4]}, "row 1: end 4"),
    "start is missing": ({"start": [0, None], "end": [3, 4]}, "row 1: the start is missing"),
    "text for a number": ({"start": ["0", "1"], "end": [3, 4]}, "row 0: the start is '0', not a number"),
    "true for a number": ({"start": [True, False], "end": [3, 4]}, "row 0: the start is True, not a number"),
    "too large": ({"start": [0, 1], "end": [3, 2**53 + 1]}, r"row 1: end .*2\^53"),
    "infinite": ({"start": [0, 1], "end": [3, float("inf")]}, "row 1: end is not a finite number"),
    "no annotator": (
        {"annotator": ["A", None], "start": [0, 1], "end": [3, 4]},
        "row 1: the annotator is missing",
    ),
    "annotator is not a name": (
        {"annotator": [1.5, 2.5], "start": [0, 1], "end": [3, 4]},
        "row 0: the annotator is 1.5",
    ),
    "a missing column": ({"begin": [0, 1], "end": [3, 4]}, "no column 'start'.*columns={'start': 'begin'}"),
    "a label and no place": (
        {"start": [0, None], "end": [3, None], "category": ["X", "Y"]},
        "row 1: there is a label",
    ),
    "labels of no known kind": (
        {"start": [0, 1], "end": [3, 4], "category": [[[1]], [[2]]]},
        "row 0: category: .*neither text nor a number",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_frame_is_refused_with_its_row(make, case):
    columns, message = BAD[case]
    with pytest.raises(DataError, match="^" + message if message.startswith("row") else message):
        from_frame(make({"annotator": ["A", "B"], **columns}))


def test_dates_are_no_labels():
    frame = pd.DataFrame({"annotator": ["A"], "start": [0], "end": [3], "when": [pd.Timestamp("2020-01-01")]})
    with pytest.raises(DataError, match="'when' holds Datetime"):
        from_frame(frame)


def test_objects_are_no_labels():
    frame = pd.DataFrame({"annotator": ["A"], "start": [0], "end": [3], "x": [object()]})
    with pytest.raises(DataError, match="row 0: x: "):
        from_frame(frame)


def test_large_unsigned_numbers_do_not_wrap():
    frame = pl.DataFrame({"annotator": ["A"], "start": [0], "end": pl.Series([2**64 - 1], dtype=pl.UInt64)})
    with pytest.raises(DataError, match=r"row 0: .*2\^53"):
        from_frame(frame)
    huge = pd.DataFrame({"annotator": ["A"], "start": [0], "end": pd.Series([10**30], dtype=object)})
    with pytest.raises(DataError, match=r"row 0: .*2\^53"):
        from_frame(huge)


def test_two_columns_of_a_name():
    frame = pd.DataFrame([["A", 0, 3, 3]], columns=["annotator", "start", "end", "end"])
    table = pa.Table.from_arrays([["A"], [0], [3], [3]], names=list(frame.columns))
    for twice in (frame, table):
        with pytest.raises(DataError, match="two columns"):
            from_frame(twice)


@pytest.mark.parametrize("frame", [[{"start": 0}], {"start": [0]}, None, np.zeros(3), pl.LazyFrame({"start": [0]})])
def test_what_is_not_a_frame(frame):
    with pytest.raises(UnisonoError, match=r"pandas\.DataFrame, a polars\.DataFrame"):
        from_frame(frame)
