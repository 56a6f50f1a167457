"""What tables show, whatever the output: numbers, missing values, cuts, bars and order are decided in one place."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

import unisono
from unisono.data import Ratings
from unisono.demo import demo_path
from unisono.reporting.exported import csv_tables, latex_table
from unisono.reporting.pieces import tabled_html
from unisono.reporting.shown_tables import ROWS_IN_TERMINAL, shown_table, subset_tables, table_title
from unisono.reporting.terminal import show, show_table
from unisono.results import NOTHING, Captioned, Table, p_value

CELLS = {
    0.12345: "0.12",
    -0.12345: "−0.12",
    -0.001: "0.00",
    None: "–",
    float("nan"): "–",
    12345: "12,345",
    p_value(0.0001): "< 0.01",
    NOTHING: NOTHING,
    "": "",
    ("a", "b"): "a + b",
    True: "True",
}


def printed(draw):
    stream = io.StringIO()
    draw(Console(file=stream, width=100))
    return stream.getvalue()


@pytest.mark.parametrize(("value", "text"), CELLS.items())
def test_cells(value, text):
    assert shown_table(Table(("name", "x"), [("row", value)])).rows[0][1].text == text


@pytest.mark.parametrize("value", [-0.12345, 12345, 0.0001])
def test_all_outputs_show_the_same(value):
    table = Table(("name", "x"), [("row", p_value(value) if value == 0.0001 else value)])
    text = shown_table(table).rows[0][1].text
    assert text in printed(lambda console: show_table(console, "Caption", table))
    assert f">{text.replace('<', '&lt;')}</td>" in tabled_html([Captioned("Caption", table)], [])
    latex = text.replace("−", "$-$").replace("<", "$<$")
    assert f"row & {latex} \\\\" in latex_table("Caption", table)


def test_csv_has_all_digits_and_empty_cells():
    rows = [("one", -0.123456789012, NOTHING), ("–", None, 5)]
    assert csv_tables([Captioned("", Table(("name", "x", "n"), rows))]) == "name,x,n\none,-0.123456789012,\n–,,5\n"


@pytest.mark.parametrize(
    ("cells", "numeric"),
    [([1, 2.5, None], True), ([1, "", NOTHING], True), ([1, "a"], False), ([True], False), ([("a",)], False)],
)
def test_columns_of_numbers(cells, numeric):
    assert shown_table(Table(("name", "x"), [("row", cell) for cell in cells])).numeric == [False, numeric]


def test_cut_tables_say_what_is_missing_and_where_it_is():
    table = Table(("name", "x", "y"), [(f"r{k}", k, k) for k in range(9)])
    shown = shown_table(table, most_rows=5, most_columns=2, rest="the file has all", note="A note.")
    assert len(shown.rows) == 5
    assert len(shown.rows[0]) == len(shown.columns) == len(shown.numeric) == 2
    assert shown.note == "A note. … and 4 more rows; the file has all. … and 1 more column; the file has all."
    assert shown_table(table, most_rows=9).note == ""


@pytest.mark.parametrize(
    ("values", "bars"),
    [([0.25, 1.0, -2.0], [0.25, 1.0, 0.0]), ([0.25, None], [0.25, None]), ([0.25, 1.5], [None, None]), ([1], [None])],
)
def test_bars_are_for_values_of_at_most_1(values, bars):
    table = Table(("name", "x"), [("row", value) for value in values])
    assert [row[1].bar for row in shown_table(table, bars=True).rows] == bars
    assert not any(row[1].bar for row in shown_table(table).rows)


@pytest.mark.parametrize(
    ("values", "order"),
    [([0.1, 0.2, None], 2), ([3, 2, 1], -2), ([0.1, None, 0.2], None), ([0.1, 0.1], None), (["a", "b"], None)],
)
def test_order(values, order):
    assert shown_table(Table(("name", "x"), [("row", value) for value in values])).sorted == order


@pytest.mark.parametrize(
    ("first", "title"),
    [("category", "Categories"), ("document", "Documents"), ("coincidences", "Coincidences"), ("words as units",) * 2],
)
def test_titles(first, title):
    assert table_title(Table((first, "x"), [])).lower() == title.lower()


def test_subsets_without_rows_have_no_table():
    result = unisono.krippendorff_alpha(Ratings.from_annotators({"a": "xyx", "b": "xyy", "c": "xxx"}))
    assert subset_tables(result) == []
    (without, pairs) = subset_tables(result, without=result.leave_one_out(), pairs=result.pairwise())
    assert without.columns == ("annotator", "α without", "labels")
    assert [row[0] for row in pairs.rows] == ["a – b", "a – c", "b – c"]


def test_the_terminal_names_no_option():
    data = Ratings.from_annotators({who: [f"l{k}" for k in range(30)] for who in "ab"})
    text = printed(lambda console: show(console, unisono.krippendorff_alpha(data)))
    assert f"… and {30 - ROWS_IN_TERMINAL} more rows; the JSON output has all." in text
    assert "--" not in text


def test_bars_are_not_drawn_where_0_is_perfect():
    corpus = unisono.read(demo_path())
    assert "▆" in printed(lambda console: show(console, unisono.span_f1(corpus)))
    assert not set("▁▂▃▄▅▆▇█") & set(printed(lambda console: show(console, unisono.slot_error_rate(corpus))))
