"""Items in the report: what is embedded, colours of labels, use of labels, differences, and what is hidden."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import numpy as np
import pytest
from html_checks import assert_well_formed
from report_pages import SECRET, measured, ratings, said_page, scales, texts_of_items

import unisono
from unisono.data import Ratings
from unisono.data.questions import Question
from unisono.reporting.full_report import item_places as items
from unisono.reporting.full_report.confusion import rating_confusion
from unisono.reporting.full_report.difference_plots import MOST_PLOTS, compared_pairs, difference_plots
from unisono.reporting.full_report.full_page import report_page
from unisono.reporting.full_report.hidden_text import SHOWN, names_of
from unisono.reporting.full_report.label_paints import fill_classes, label_numbers, painted_labels
from unisono.reporting.full_report.label_use import label_use, legend_of
from unisono.reporting.shown_tables import LONGEST_TEXT, TEXT_IN_TERMINAL, shown_table, without_long_texts


def embedded_in(page):
    return json.loads(re.search(r'id="places-data">(.*?)</script>', page)[1])


def paints_of(data, orders=()):
    painted = painted_labels(data, data.codes, orders)
    return dict(zip([data.labels[code] for code in painted.order], painted.paints, strict=True))


def use_of(data):
    return label_use(data, painted_labels(data, data.codes), SHOWN)


def plots_of(data):
    return difference_plots(data, label_numbers(data))


def test_all_labels_of_all_items_are_in_the_page():
    data = texts_of_items()
    found = embedded_in(said_page())
    labels = found["labels"][0]
    order = np.argsort(data.document, kind="stable").tolist()
    rows = [row for scene in found["documents"] for row in scene["rows"]]
    for row, index in zip(rows, order, strict=True):
        _, _, codes, name, *more = row
        assert name == data.items[index]
        assert [None if code < 0 else labels[code] for code in codes] == [
            None if code < 0 else data.labels[code] for code in data.codes[index].tolist()
        ]
        text = data.texts[index].strip()
        assert more == (
            [text if len(text) <= items.LONGEST_TEXT else f"{text[: items.LONGEST_TEXT - 1].rstrip()}…"] if text else []
        )


def test_hidden_texts_of_items_are_nowhere():
    page = said_page(hide_text=True)
    assert "Xanthippe" in said_page()
    for secret in ("Xanthippe", "umbrella", "ferry", "שלום", "short 😀"):
        assert secret not in page
    assert_well_formed(page)
    rows = [row for scene in embedded_in(page)["documents"] for row in scene["rows"]]
    assert all(row[3] == "" and len(row) == 4 for row in rows)
    assert "joy" in page


def test_hidden_members_of_sets_are_nowhere():
    secret = ("umbrella of Xanthippe",)
    several = [("joy",), ("joy", "fear"), ("fear",)] * 5
    data = Ratings.from_annotators({"a": [*several, secret], "b": [*several, ("joy",)]})
    page = report_page([measured("krippendorff-alpha", data)], data, title="T", hide_text=True)
    assert "Xanthippe" not in page
    assert "Xanthippe" in report_page([measured("krippendorff-alpha", data)], data, title="T")


def test_too_much_text_is_left_out_and_counted(monkeypatch):
    monkeypatch.setattr(items, "MOST_TEXT", 100)
    data = replace(ratings(), texts=tuple(letter * 40 for letter in "abcdef"))
    found = items.item_places(data, SHOWN)
    placed = [place for scene in found.scenes for place in scene.places]
    worst = sorted(placed, key=lambda place: -place.size)
    assert found.n_untold == 4
    assert {place.name for place in placed if place.text} == {place.name for place in worst[:2]}
    page = report_page([measured("krippendorff-alpha", data)], data, title="T")
    assert "The texts of 4 items are not in this page" in page


def test_too_many_items_are_left_out_and_counted(monkeypatch):
    monkeypatch.setattr(items, "MOST_EMBEDDED", 9)
    found = items.item_places(ratings(), SHOWN)
    assert (found.n_shown, found.n_places) == (3, 6)
    assert min(place.size for scene in found.scenes for place in scene.places) > 0


def test_items_that_occur_several_times_count_so_often():
    data = replace(Ratings.of([["x", "x"], ["x", "y"]], rows="items"), repeats=np.array([5, 2]))
    (scene,) = items.item_places(data, SHOWN).to_dict()["documents"]
    assert [row[4:] for row in scene["rows"]] == [["", 5], ["", 2]]
    (x, y), columns = use_of(data).rows, use_of(data).columns
    assert columns == ["label", "1", "2", "all"]
    assert [(cell.text, cell.small) for cell in x.cells] == [("100%", "7"), ("71%", "5"), ("86%", "12")]
    assert [(cell.text, cell.small) for cell in y.cells] == [("0%", "0"), ("29%", "2"), ("14%", "2")]


def test_names_have_colours_numbers_shades_and_sets_stripes():
    assert paints_of(Ratings.of([["x", "y"], ["x", "z"]], rows="items")) == {"x": 0, "y": 1, "z": 2}
    assert paints_of(Ratings.of([["0", "5"], ["10", "2.5"]], rows="items")) == {
        "0": "q0",
        "2.5": "q2",
        "5": "q4",
        "10": "q8",
    }
    assert paints_of(ratings()) == {"low": "q0", "mid": "q4", "high": "q8"}
    data = Ratings.of([[("b", "a"), ()], [("b",), ("c",)]], rows="items")
    found = paints_of(data)
    assert found[()] == ()
    assert len(found["a", "b"]) == 2
    assert found["b",][0] in found["a", "b"]
    assert fill_classes(9) == ("c1", "c2")  # there are eight colours


def test_orders_that_are_given_decide():
    data = Ratings.of([["good", "poor"], ["so-so", "poor"]], rows="items")
    assert set(paints_of(data).values()) == {0, 1, 2}
    expected = {"poor": "q0", "so-so": "q4", "good": "q8"}
    assert paints_of(data, [("poor", "so-so", "good")]) == expected
    asked = replace(data, question=Question.of(kind="ordered", order=("poor", "so-so", "good")))
    assert paints_of(asked) == expected


@pytest.mark.parametrize(
    "question", [Question.of(kind="names"), Question.of(meanings={"1": "cat", "2": "dog", "3": "bird"})]
)
def test_codes_are_no_numbers(question):
    data = Ratings.of([[1, 2], [2, 3], [3, 3]], rows="items")
    assert label_numbers(data).tolist() == [1, 2, 3]
    data = replace(data, question=question)
    assert label_numbers(data) is None
    page = report_page([measured("krippendorff-alpha", data)], data, title="T")
    assert "Differences between two annotators" not in page


def test_the_legend_has_all_colours():
    data = ratings()
    assert [name for _, name in legend_of(data, painted_labels(data, data.codes), SHOWN).names] == [
        "low",
        "mid",
        "high",
    ]
    numbers = scales()
    assert legend_of(numbers, painted_labels(numbers, numbers.codes), SHOWN).ends == ("-2", "10")
    many = Ratings.of([[f"l{k:02}"] * 2 for k in range(20)], rows="items")
    found = legend_of(many, painted_labels(many, many.codes), SHOWN)
    assert (len(found.names), found.n_more) == (16, 4)


def test_rare_labels_are_folded():
    data = Ratings.from_annotators({who: [f"l{k:02}" for k in range(25)] + ["l03"] * 5 for who in "ab"})
    found = use_of(data)
    assert len(found.rows) == 20
    assert found.rows[-1].name == "6 others"
    assert found.rows[-1].cells[0].small == "6"
    assert sum(int(row.cells[-1].small) for row in found.rows) == data.n_units


def test_members_of_sets_are_counted_one_by_one():
    data = Ratings.from_annotators({"a": [("x", "y"), ("x",), ()], "b": [("y",), None, ("x",)]})
    found = {row.name: [cell.text for cell in row.cells] for row in use_of(data).rows}
    assert found == {"x": ["67%", "50%", "60%"], "y": ["33%", "50%", "40%"], "(empty)": ["33%", "0%", "20%"]}


def test_use_of_numbers_says_means_and_who_rates_higher():
    data = Ratings.from_annotators({"a": [1, 2, 3, 5], "b": [2, 3, 4, 7], "c": [None, None, None, None]})
    axis, a, b, c = use_of(data).rows
    assert axis.name == "scale"
    values = np.array([[1, 2, 3, 5], [2, 3, 4, 7]])
    assert [cell.text for cell in a.cells[1:]] == ["2.75", f"{values[0].std(ddof=1):.2f}", "−1.25"]
    assert [cell.text for cell in b.cells[1:]] == ["4.00", f"{values[1].std(ddof=1):.2f}", "+1.25"]
    assert c.cells[0].text == "no label"
    heights = [float(height) for height in re.findall(r'class="column[^>]* height="([\d.]+)"', a.cells[0].svg)]
    assert heights == [36] * 4  # each number once


def test_plots_have_the_numbers_of_the_method():
    rng = np.random.default_rng(1)
    x = rng.normal(5, 2, 40)
    y = x + rng.normal(0.5, 1, 40)
    (plot,) = plots_of(Ratings.from_annotators({"a": x.tolist(), "b": y.tolist()})).plots
    mean, sd = (x - y).mean(), (x - y).std(ddof=1)
    keys = [row[1].key for row in plot.table.rows]
    assert keys == pytest.approx([mean, mean - 1.959964 * sd, mean + 1.959964 * sd], abs=1e-6)
    assert plot.svg.count('class="point"') == 40
    assert plot.svg.count('class="band"') == 3
    heights = [float(cy) for cy in re.findall(r'class="point"[^>]* cy="([\d.]+)"', plot.svg)]
    slope = np.polyfit(np.repeat(np.unique(x - y), 1), sorted(heights, reverse=True), 1)[0]
    assert slope < 0  # greater differences are higher up
    (zero,) = re.findall(r'class="zero"[^>]* y1="([\d.]+)"', plot.svg)
    assert sum(height < float(zero) for height in heights) == (x > y).sum()


def test_of_thousands_of_items_near_ones_share_a_dot():
    rng = np.random.default_rng(2)
    x = rng.normal(0, 1, 5000)
    data = Ratings.from_annotators({"a": x.tolist(), "b": (x + rng.normal(0, 1, 5000)).tolist()})
    (plot,) = plots_of(data).plots
    assert 100 < plot.svg.count('class="point"') < 1700
    assert "share a dot" in plot.said
    assert "5,000 items" in plot.said


def test_items_that_are_alike_share_a_dot():
    data = Ratings.from_annotators({"a": [1, 1, 1, 4], "b": [2, 2, 2, 4]})
    (plot,) = plots_of(data).plots
    assert plot.svg.count('class="point"') == 2
    assert "the more items it stands for" in plot.said


def test_perfect_agreement_can_be_drawn():
    data = Ratings.from_annotators({"a": [1, 2, 3], "b": [1, 2, 3]})
    (plot,) = plots_of(data).plots
    assert "nan" not in plot.svg
    assert [row[1].key for row in plot.table.rows] == [0, 0, 0]


def test_of_many_pairs_those_with_most_items_are_drawn():
    rng = np.random.default_rng(4)
    columns = {
        f"a{k:02}": [int(n) if i < 10 + k else None for i, n in enumerate(rng.integers(0, 9, 30))] for k in range(12)
    }
    data = Ratings.from_annotators(columns)
    found = plots_of(data)
    assert len(found.plots) == MOST_PLOTS
    assert found.n_left_out == 66 - MOST_PLOTS
    pairs, _ = compared_pairs(data, label_numbers(data), MOST_PLOTS)
    shared = [min(10 + i, 10 + j) for i in range(12) for j in range(i + 1, 12)]
    assert sorted(int(pair.n_items) for pair in pairs) == sorted(shared)[-MOST_PLOTS:]


def test_nobody_to_compare_has_no_plot():
    data = Ratings.from_annotators({"a": [1, 2, None], "b": [None, 3, 3]})
    assert plots_of(data) is None


def test_stretches_of_a_scale_count_each_pair_once():
    values = list(range(30))
    data = Ratings.from_annotators({"a": values, "b": [*values[1:], 0], "c": values})
    grid = rating_confusion(data, names_of(data, hide=False))
    assert [row[0].text for row in grid.rows][:2] == ["0 – 1", "2 – 5"]
    numbers = np.array([[0 if cell.text == "·" else int(cell.text) for cell in row[1:]] for row in grid.rows])
    assert np.tril(numbers).sum() == 3 * 30


def test_disputed_items_have_their_texts():
    data = texts_of_items()
    for result in (unisono.krippendorff_alpha(data), unisono.fleiss_kappa(data)):
        (table,) = [table for table in result.tables() if table.columns[0] == "item"]
        assert table.columns[-1] == "text"
        known = {
            f"{data.documents[d]}: {item}": text
            for d, item, text in zip(data.document, data.items, data.texts, strict=True)
        }
        assert all(row[-1] == " ".join(known[row[0]].split()) for row in table.rows)
        assert max(len(row[-1].text) for row in shown_table(table).rows) <= LONGEST_TEXT
        assert without_long_texts(table).columns[-1] == "labels"
        short = table._replace(rows=[(*row[:-1], "x" * TEXT_IN_TERMINAL) for row in table.rows])
        assert without_long_texts(short) == short
    assert "The ferry was late" in unisono.krippendorff_alpha(data)._repr_html_()


def test_numbers_far_apart_have_their_texts():
    data = replace(scales(), texts=tuple(f"text of {SECRET} {k}" for k in range(10)))
    (table,) = [table for table in unisono.icc(data).tables() if table.columns[0] == "item"]
    assert table.columns == ("item", "mean", "sd", "labels", "text")
    assert {(row[0], row[-1]) for row in table.rows} <= {(f"i{k + 1}", text) for k, text in enumerate(data.texts)}


def test_items_named_by_their_texts_are_not_repeated():
    data = Ratings.from_annotators({"a": "xy", "b": "yy"}, items=["one", "two"])
    (table,) = [
        t for t in unisono.krippendorff_alpha(replace(data, texts=("one", "two"))).tables() if t.columns[0] == "item"
    ]
    assert table.columns[-1] == "labels"
    (scene,) = items.item_places(replace(data, texts=("one", "two")), SHOWN).scenes
    assert [place.text for place in scene.places] == ["", ""]
