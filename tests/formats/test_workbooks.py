"""Spreadsheets follow the rules of CSV."""

from __future__ import annotations

import datetime
import tempfile
from pathlib import Path

import openpyxl
import pandas as pd
import pytest
from format_helpers import rated, refusal, table
from hypothesis import given, settings
from hypothesis import strategies as st

from unisono.errors import OptionError
from unisono.formats import read
from unisono.formats.piecewise import Piecewise


@pytest.fixture
def book(tmp_path):
    def make(sheets, hidden=(), merged=()):
        workbook = openpyxl.Workbook()
        workbook.remove(workbook.active)
        for name, rows in sheets.items():
            sheet = workbook.create_sheet(name)
            for row in rows:
                sheet.append(row)
            if name in hidden:
                sheet.sheet_state = "hidden"
            for cells in merged:
                sheet.merge_cells(cells)
        path = tmp_path / "file.xlsx"
        workbook.save(path)
        return path

    return make


WIDE = [["item", "anna", "bert"], ["i1", 1, 2.0], ["i2", 1.5, None], ["i3", 2, 2]]


def test_cells(book):
    ratings = read(book({"S": WIDE}))
    assert table(ratings) == {
        ("file", "i1"): {"anna": "1", "bert": "2"},
        ("file", "i2"): {"anna": "1.5"},
        ("file", "i3"): {"anna": "2", "bert": "2"},
    }
    assert ratings.source == "spreadsheet ratings · file.xlsx"
    logical = read(book({"S": [["item", "anna", "bert"], ["a", True, False], ["b", True, True]]}))
    assert logical.labels == ("FALSE", "TRUE")
    day = datetime.datetime(2024, 1, 2)
    dates = read(book({"S": [["item", "anna", "bert"], ["a", day, day], ["b", day, day]]}))
    assert dates.labels == ("2024-01-02",)


def test_empty_rows_and_columns_and_a_title(book):
    rows = [["Our study"], [], ["item", None, "anna", "bert"], ["i1", None, "x", "y"], [], ["i2", None, "x", "x"]]
    assert table(read(book({"S": rows}))) == {
        ("file", "i1"): {"anna": "x", "bert": "y"},
        ("file", "i2"): {"anna": "x", "bert": "x"},
    }


def test_errors_name_the_row_of_the_sheet(book):
    rows = [[], ["item", "anna", "bert"], ["i1", "x", "y"], [], ["i1", "x", "x"]]
    refusal(book({"S": rows}), 5, "item 'i1' has a row already (on line 3)")


def test_merged_cells(book):
    rows = [["item", "annotator", "label"], ["i1", "anna", "x"], [None, "bert", "y"]]
    assert table(read(book({"S": rows}, merged=["A2:A3"]))) == {("file", "i1"): {"anna": "x", "bert": "y"}}
    rows = [["item", "anna", None, "bert", None], [None, "label", "note", "label", "note"]]
    rows += [[f"i{k}", "xy"[k % 2], f"this is the note {k}", "x", f"and that is one too {k}"] for k in range(4)]
    assert read(book({"S": rows}, merged=["A1:A2", "B1:C1", "D1:E1"])).annotators == ("anna label", "bert label")


def test_several_sheets(book):
    legend = [["code", "meaning"], ["x", "good"]]
    told = {"sheets that are not read: Legend": 1}
    assert read(book({"S": WIDE, "Legend": legend}, hidden=["Legend"])).dropped == told
    refusal(book({"A": WIDE, "B": WIDE}), None, "in several sheets there are annotations: A, B", "sheet='A'")
    path = book({"A": WIDE, "B": [*WIDE, ["i4", 7, 7]]})
    assert read(path, sheet="B").n_items == read(path, sheet=2).n_items == read(path, sheet="b").n_items == 4
    assert read(path, sheet="1").n_items == 3
    with pytest.raises(OptionError, match="unknown sheet 'C'; available: A, B"):
        read(path, sheet="C")
    with pytest.raises(OptionError, match="expected the name or the number of a sheet"):
        read(path, sheet=True)
    (piece,) = Piecewise(path, sheet="B")
    assert piece.n_items == 4


def test_sheets_that_are_alike_are_annotators(book):
    one, two = ([["item", "label"], ["i1", "x"], ["i2", label]] for label in "xy")
    assert table(read(book({"anna": one, "bert": two}))) == {
        ("file", "i1"): {"anna": "x", "bert": "x"},
        ("file", "i2"): {"anna": "x", "bert": "y"},
    }


def test_a_damaged_file(tmp_path):
    path = tmp_path / "file.xlsx"
    path.write_bytes(b"PK\x03\x04 and nothing")
    refusal(path, None, "cannot be read", "save it again")


def test_a_sheet_is_for_spreadsheets_only(tmp_path):
    path = tmp_path / "file.csv"
    path.write_text("item,anna,bert\ni,x,x\n")
    with pytest.raises(OptionError, match="sheet: only spreadsheets use it, not CSV"):
        read(path, sheet="A")


LABELS = st.none() | st.sampled_from(["x", "y", "1", "2,5", "ä ö", "true", "long label"])


@settings(max_examples=15, deadline=None)
@given(st.integers(1, 5).flatmap(lambda n: st.lists(st.tuples(LABELS, LABELS), min_size=n, max_size=n)))
def test_a_table_is_the_same_in_every_format(rows):
    frame = pd.DataFrame(
        {
            "item": [f"i{number}" for number in range(len(rows))],
            "anna": [one for one, _ in rows],
            "bert": [other for _, other in rows],
        },
        dtype=object,
    )
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder, f"file{suffix}") for suffix in (".csv", ".tsv", ".xlsx", ".ods", ".parquet")]
        frame.to_csv(paths[0], index=False)
        frame.to_csv(paths[1], index=False, sep="\t")
        frame.to_excel(paths[2], index=False)
        frame.to_excel(paths[3], index=False, engine="odf")
        frame.astype("string").to_parquet(paths[4], index=False)
        first, *others = [
            rated(read(path, decimal="." if path.suffix in (".xlsx", ".ods") else None)) for path in paths
        ]
    assert all(other["table"] == first["table"] for other in others)
