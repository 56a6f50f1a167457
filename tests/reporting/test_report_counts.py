"""What the report says of the data: how much was read, how much was measured, and how far labels are apart."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from report_pages import measured, normalizations, scales

import unisono
from unisono.data import Corpus, Ratings
from unisono.measurement.completing import Measured
from unisono.measurement.coverage import Coverage, cannot_agree, coverage_of
from unisono.measurement.item_distances import item_sizes, label_distance
from unisono.reporting.cards import card_of
from unisono.reporting.full_report import citing
from unisono.reporting.full_report.data_sheet import data_sheet
from unisono.reporting.full_report.full_page import report_page
from unisono.reporting.full_report.hidden_text import Names
from unisono.reporting.full_report.item_places import item_places
from unisono.reporting.full_report.label_order import label_order
from unisono.reporting.full_report.pair_matrix import pair_counts
from unisono.reporting.measure_names import with_distinct_names
from unisono.reporting.shown_tables import shown_table
from unisono.results import Table

SHOWN = Names(False)


def partly():
    """Make three documents: of two annotators, of one, and of two who marked nothing."""
    return Corpus.from_columns(
        document=["d1", "d1", "d1", "d1", "d2"],
        annotator=["anna", "anna", "bert", "bert", "anna"],
        start=[0, 13, 0, 13, 0],
        end=[4, 17, 9, 17, 4],
        features={"category": ["P", "L", "P", "O", "P"]},
        worked=[("d3", "anna"), ("d3", "bert")],
    )


@pytest.mark.parametrize(
    ("measure", "data", "counts"),
    [
        ("gamma(precision=0.3)", partly(), Coverage(1, 4, 3, 5)),
        ("span-f1", partly(), Coverage(2, 4, 3, 5)),
        ("krippendorff-alpha", scales(), Coverage(1, 23, 1, 24, 8, 10)),
        ("normalization", normalizations(), Coverage(1, 6, 1, 6)),
    ],
)
def test_only_what_can_agree_is_counted(measure, data, counts):
    result = unisono.measure(measure, data)
    assert coverage_of(result) == counts
    facts = {name: (value, remark) for name, value, remark in card_of(result, measure).counts}
    what = "documents" if counts.items is None else "items"
    some, read = getattr(counts, what), getattr(counts, f"{what}_read")
    assert facts[what] == (str(some), f"of {read} read" if some != read else "")
    assert ("documents" in facts) == (counts.items is None)


def test_counts_in_words():
    assert Coverage(2, 5, 2, 5).in_words("unit") == "2 documents (5 units)"
    assert Coverage(1, 4, 3, 5).in_words("unit") == "1 of 3 documents (4 of 5 units)"
    assert Coverage(1, 158, 1, 159, 59, 60).in_words("label") == "59 of 60 items (158 of 159 labels)"
    assert Coverage(2, 8, 3, 9, 4, 4).in_words("label") == "4 items in 2 of 3 documents (8 of 9 labels)"


def test_what_has_no_value_is_told():
    found = cannot_agree(partly())
    assert [n for _, n in found] == [1, 1]
    assert found[0][0] == "document with fewer than two annotators: no value"
    assert cannot_agree(scales()) == [("items with fewer than two labels: no value", 2)]
    assert cannot_agree(normalizations()) == []
    page = report_page([measured("span-f1", partly())], partly(), title="T")
    assert "Nothing was left out" not in page


def test_repeated_items_count_each_time():
    ratings = Ratings.of([["x", None], ["x", "y"]], rows="items")
    (row,) = cannot_agree(replace(ratings, repeats=np.array([5, 2])))
    assert row[1] == 5


@pytest.mark.parametrize("data", [scales(), normalizations()])
def test_what_was_left_out_of_ratings_and_words_is_told(data):
    read = replace(data, dropped={"files that could not be read": 2})
    assert ("files that could not be read", 2) in data_sheet(read, SHOWN, ()).dropped
    assert read.select(annotators=read.annotators[:2]).dropped == read.dropped


def test_items_and_missing_labels_are_counted():
    facts = dict(data_sheet(scales(), SHOWN, ()).facts)
    assert facts["items"] == "10"
    assert facts["missing"] == "6 of 30 labels"


def test_items_are_as_far_apart_as_the_measure_says():
    data = scales()
    near = label_distance(unisono.krippendorff_alpha(data, distance="interval"), data)
    found, one = item_sizes(data.codes, near)
    sizes = dict(zip(data.items, found.tolist(), strict=True))
    assert sizes["i10"] == max(sizes.values()) == pytest.approx(2 / 3 * 16 / 12**2)
    assert sizes["i1"] == pytest.approx(2 / 3 / 12**2)
    assert one == "the greatest distance between two labels in use"
    assert sizes["i4"] == sizes["i6"] == sizes["i9"] == 0
    assert label_distance(unisono.krippendorff_alpha(data), data) is None
    assert label_distance(unisono.fleiss_kappa(data), data) is None
    assert item_places(data, SHOWN, near).measure == f"interval; 1 is {one}"


def test_neighbours_on_a_scale_are_not_as_far_apart_as_its_ends():
    data = Ratings.of(
        [["low", "mid"], ["low", "low"], ["mid", "mid"], ["high", "high"], ["high", "high"]], rows="items"
    )
    page = report_page([measured("krippendorff-alpha(distance=ordinal(low,mid,high))", data)], data, title="T")
    near = label_distance(unisono.krippendorff_alpha(data, distance=unisono.Ordinal(("low", "mid", "high"))), data)
    assert item_sizes(data.codes, near)[0].tolist() == pytest.approx([(3 / 6.5) ** 2, 0, 0, 0, 0])
    assert "1 is the greatest distance between two labels in use" in page


def test_sizes_that_would_all_be_zero_are_shares_of_the_greatest_that_occurs():
    data = Ratings.of([[1, 2], [1, 3], [10**12, 10**12]], rows="items")
    found, one = item_sizes(data.codes, label_distance(unisono.krippendorff_alpha(data, distance="interval"), data))
    assert found.tolist() == pytest.approx([1 / 4, 1, 0])
    assert one == "the greatest distance that occurs here"
    many = Ratings.of([[k, k + 1] for k in range(1100)], rows="items")
    assert item_sizes(many.codes, label_distance(unisono.krippendorff_alpha(many, distance="interval"), many))[1] == one


def test_numbers_stand_in_their_order():
    assert label_order([10, 9, -1, 0.5], [5, 1, 2, 0]) == [2, 1, 0]
    assert label_order(["10", "9", "-1"], [5, 1, 2]) == [2, 1, 0]
    assert label_order(["10", "9", "b"], [1, 5, 2]) == [1, 2, 0]
    assert label_order([3, 2, 1], [1, 5, 4], most=2) == [2, 1]


def test_labels_of_a_scale_stand_in_its_order():
    order = ("low", "mid", "high")
    assert label_order(["high", "low", "mid"], [1, 2, 3], orders=[("a", "b"), order]) == [1, 2, 0]
    assert label_order(["high", "low", "other"], [1, 2, 3], orders=[order]) == [2, 1, 0]
    assert label_order([3, 1, 2], [1, 1, 1], orders=[("3", "2", "1")]) == [0, 2, 1]


@pytest.mark.parametrize("measure", ["krippendorff-alpha(distance={})", "weighted-kappa(weights={})"])
def test_confusion_and_filter_follow_the_scale(measure):
    data = Ratings.of([["mid", "low"], ["mid", "mid"], ["mid", "mid"], ["high", "high"], ["low", "high"]], rows="items")
    kind = "ordinal" if "distance" in measure else "linear"
    page = report_page([measured(measure.format(f"{kind}(low,mid,high)"), data)], data, title="T")
    assert '"labels":[["low","mid","high"]]' in page
    heads = re.search(r"(?s)Confusion: labels.*?</thead>", page)[0]
    assert re.findall(r"\b(low|mid|high)\b", re.sub("<[^>]*>", " ", heads)) == ["low", "mid", "high"]


def test_units_follow_the_scale_too():
    corpus = partly()
    page = report_page([measured("gamma(precision=0.5,distance=ordinal(P,O,L))", corpus)], corpus, title="T")
    assert '"labels":[["P","O","L"]]' in page
    heads = re.search(r"(?s)Confusion: category.*?</thead>", page)[0]
    assert re.findall(r"\b[LOP]\b", re.sub("<[^>]*>", " ", heads)) == ["P", "O", "L"]


def test_files_are_named_in_order_below_the_folder_that_they_share():
    corpus = Corpus.from_columns(
        document=["d2", "d1", "d2", "d1"],
        annotator=["bert", "bert", "anna", "anna"],
        start=[0] * 4,
        end=[3] * 4,
        origins={(d, a): (f"/data/round/{a}/{d}.ann", None) for d in ("d2", "d1") for a in ("bert", "anna")},
    )
    said = dict(data_sheet(corpus, SHOWN, ()).facts)["files"]
    assert said == "4: anna/d1.ann, anna/d2.ann, bert/d1.ann and bert/d2.ann"
    one = dict(data_sheet(corpus.select(documents=["d1"], annotators=["anna"]), SHOWN, ()).facts)["files"]
    assert one == "1: d1.ann"


def test_pairs_are_counted_by_what_both_have():
    data = scales()
    write, _ = pair_counts(data, "label")
    assert write({"annotator_1": "anna", "annotator_2": "bert", "n_units": 17}) == "8 items\n1 document"
    corpus = partly()
    said = pair_counts(corpus, "unit")[0]({"annotator_1": "anna", "annotator_2": "bert", "n_units": 4})
    assert said == "4 units\n2 documents"


def test_distances_say_that_zero_is_perfect():
    data = Ratings.of([["x", "x"]] * 4, rows="items")
    assert not any("0 is perfect" in remark for remark in card_of(unisono.krippendorff_alpha(data)).remarks)
    corpus = partly()
    page = report_page([measured("slot-error-rate", corpus)], corpus, title="T")
    assert "0 is perfect" in page
    assert '<svg class="bar"' not in page
    assert '<svg class="bar"' in report_page([measured("span-f1", corpus)], corpus, title="T")


def test_empty_labels_can_be_seen():
    data = Ratings.of([["", "x"], ["x", ""], ["x", "x"]], rows="items")
    page = report_page([measured("krippendorff-alpha", data)], data, title="T")
    assert "<bdi>(empty)</bdi>" in page
    assert not re.search(r"<th[^>]*>\s*(<bdi>)?\s*(</bdi>)?\s*</th>", page)


def test_texts_lead_to_their_places():
    grid = shown_table(Table(("text", "α"), [("t1", 0.5), ("t2", 0.7)]), "Texts", addresses={"text": {"t1": "#in/t1"}})
    assert [row[0].address for row in grid.rows] == ["#in/t1", ""]


def test_cells_that_are_empty_stay_so():
    grid = shown_table(Table(("word", "n"), [("", "")]), "Words")
    assert [cell.text for cell in grid.rows[0]] == ["(empty)", ""]


def test_lengths_are_said_to_be_coincidences():
    corpus = partly()
    page = report_page([measured("u-alpha", corpus)], corpus, title="T")
    assert "Lengths on which categories coincide" in page
    assert "A coincidence matrix" in page


def test_measures_that_share_a_letter_are_told_apart():
    corpus = partly()
    names = ["gamma(precision=0.5)", "gamma(precision=0.5,alpha=2)"]
    page = report_page([measured(name, corpus) for name in names], corpus, title="T")
    for name in names:
        assert f"Observed agreement and chance: {name}" in page


def test_the_sentence_names_every_parameter_and_what_was_measured():
    data = scales()
    sentence = citing.methods([measured("krippendorff-alpha(distance=interval)", data)], SHOWN)
    assert "; distance = interval; unisono" in sentence
    assert "3 annotators on 8 of 10 items (23 of 24 labels) was" in sentence
    corpus = partly()
    sentence = citing.methods([measured("gamma(precision=0.3,alpha=2)", corpus)], SHOWN)
    assert "on 1 of 3 documents (4 of 5 units)" in sentence
    assert "alpha = 2; beta = 1;" in sentence
    assert "precision" not in sentence


def test_distances_are_no_agreement_in_the_paper():
    corpus = partly()
    one = measured("slot-error-rate", corpus)
    assert citing.methods([one], SHOWN).startswith("The disagreement of 2 annotators")
    assert "where 0 is perfect" in citing.methods([one], SHOWN)
    assert "0 is perfect agreement" in citing.measures_table([one])
    assert "0 is perfect" not in citing.measures_table([measured("span-f1", corpus)])


def test_rows_of_the_table_are_told_apart():
    data = scales()
    results = [unisono.krippendorff_alpha(data, distance=name) for name in ("nominal", "interval")]
    page = report_page([Measured(one.measure, one) for one in results], data, title="T")
    for name in ("nominal", "interval"):
        assert f"\nkrippendorff-alpha(distance={name}) &amp; " in page
    assert " &amp; 3 &amp; 8 &amp; 23 " in page
    same = with_distinct_names([Measured(one.measure, one) for one in results[:1] * 2])
    assert [one.measure for one in same] == ["krippendorff-alpha"] * 2


def test_columns_of_the_table_have_the_names_of_what_they_hold():
    data, corpus = scales(), partly()
    table = citing.measures_table([measured("krippendorff-alpha", data)])
    assert r"value & 95\% from & to & observed & expected & annotators & items & labels \\" in table
    several = Ratings.from_columns(
        item=["1", "1", "1", "1"], annotator=["a", "b"] * 2, label=["x", "y", "y", "y"], document=["d", "d", "e", "e"]
    )
    assert "& annotators & documents & items & labels" in citing.measures_table(
        [measured("krippendorff-alpha", several)]
    )
    table = citing.measures_table([measured("span-f1", corpus)])
    assert "& from & to &" in table
    assert "& documents & units" in table
