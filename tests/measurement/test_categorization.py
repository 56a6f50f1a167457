"""Categorization: what is undefined, what is refused, tables, documents, repeated items, spans as items."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from categorization_helpers import flat, from_cells, from_text, random_table

from unisono.data import Corpus, Ratings
from unisono.dissimilarity.category import Matrix
from unisono.errors import DataError, OptionError
from unisono.measurement.categorization import (
    DECLARATIONS,
    bennett_s,
    cohen_kappa,
    fleiss_kappa,
    gwet_ac1,
    gwet_ac2,
    krippendorff_alpha,
    multi_kappa,
    percent_agreement,
    randolph_kappa,
    scott_pi,
    weighted_kappa,
)
from unisono.measurement.registry import measure, measures

MANY = (krippendorff_alpha, fleiss_kappa, multi_kappa, gwet_ac1, gwet_ac2, bennett_s, randolph_kappa, percent_agreement)
TWO = (cohen_kappa, scott_pi, weighted_kappa)
CORRECTED = [one for one in (*MANY, *TWO) if one is not percent_agreement]
FREE = (bennett_s, randolph_kappa, gwet_ac1)

every = pytest.mark.parametrize("coefficient", [*MANY, *TWO], ids=lambda one: one.declaration.name)


def test_names_are_a_contract():
    assert {one.name for one in DECLARATIONS} == {
        *("percent-agreement", "bennett-s", "scott-pi", "cohen-kappa", "weighted-kappa", "fleiss-kappa", "multi-kappa"),
        *("randolph-kappa", "gwet-ac1", "gwet-ac2", "krippendorff-alpha", "light-kappa"),
    }
    assert all(measures()[one.name] is one for one in DECLARATIONS)


def test_by_name():
    table = from_text("12 11 22 33 31 22")
    found = measure("krippendorff-alpha(distance=interval)", table)
    assert found.value == krippendorff_alpha(table, distance="interval").value
    assert found.signature.startswith("krippendorff-alpha|distance:interval|")
    order = measure("weighted-kappa(weights=linear(1,2,3))", table)
    assert order.value == weighted_kappa(table).value


def test_a_function_is_named_in_the_signature():
    def far(u, v):
        return np.abs(u - v)

    assert "|distance:custom(far#" in krippendorff_alpha([[1, 2], [2, 2]], distance=far, rows="items").signature


@every
def test_no_item_with_two_labels(coefficient):
    result = coefficient([[1, None], [None, 2]], rows="items")
    assert result.value is None
    assert result.undefined == "no item has labels from two annotators"
    assert coefficient([[None, None]], rows="items").undefined == "no item is labelled"


@every
@pytest.mark.parametrize(("table", "found"), [([], "nobody"), ([[1], [1]], "only 1")])
def test_no_second_annotator(coefficient, table, found):
    assert (
        coefficient(Ratings.of(table, rows="items")).undefined
        == f"agreement needs two annotators or more, but there is {found}; add the work of another annotator"
    )


@pytest.mark.parametrize("coefficient", CORRECTED, ids=lambda one: one.declaration.name)
@pytest.mark.parametrize("n_annotators", [2, 3])
def test_single_category(coefficient, n_annotators):
    result = coefficient([[7] * n_annotators, [7, None, 7][:n_annotators], [7] * n_annotators], rows="items")
    if n_annotators == 3 and coefficient in TWO:
        assert "is for two annotators, but there are 3" in result.undefined
        return
    assert result.value is None
    assert result.undefined == "all labels are the same (7), so agreement cannot be distinguished from chance"


def test_single_category_of_several():
    """Where categories are known to be more, agreement on one of them is agreement."""
    table = [["x", "x"], ["x", "x"]]
    assert [one(table, categories=3, rows="items").value for one in FREE] == [1, 1, 1]
    assert percent_agreement(table, rows="items").value == 1
    result = krippendorff_alpha([["x", "x"], ["y", None]], rows="items")
    assert result.undefined.startswith("all labels that can be compared are the same ('x')")


def test_labels_that_do_not_differ():
    table = [["A|B", "B|A"], ["B|A", "A|B"]]
    assert krippendorff_alpha(table, rows="items").value < 0
    assert krippendorff_alpha(table, distance="set", rows="items").undefined.startswith(
        "no two of the labels differ by the distance set"
    )
    assert krippendorff_alpha([["1", "1.0"], ["1.0", "1"]], distance="interval", rows="items").value is None


def test_tiny_and_huge_numbers():
    table = random_table(3)
    value = krippendorff_alpha(table, distance="interval", rows="items").value
    assert krippendorff_alpha(table * 1e-9, distance="interval", rows="items").value == pytest.approx(value)
    assert krippendorff_alpha(table * 1e9 + 3e12, distance="interval", rows="items").value == pytest.approx(value)


@pytest.mark.parametrize("coefficient", TWO)
def test_two_annotators_only(coefficient):
    result = coefficient(from_text("123 111 222"))
    assert "is for two annotators, but there are 3; use" in result.undefined
    assert [row["value"] is not None for row in result.pairwise()] == [True] * 3
    assert not coefficient.declaration.can_handle(from_text("123 111 222"))


@every
def test_plain_data(coefficient):
    """All that is given can be written as JSON, nothing is NaN."""
    result = coefficient(random_table(1, n_annotators=2), rows="items")
    given = json.loads(json.dumps(result.to_dict(), allow_nan=False, default=list))
    assert {"categories", "annotators", "items", "contingency", "coincidences"} <= set(given)
    assert given["value"] == result.value
    assert "CoefficientResult" in repr(result)
    assert result.tables()


@every
@pytest.mark.parametrize("n_annotators", [2, 4])
def test_repeated_items(coefficient, n_annotators):
    """A row that stands for several items counts as often."""
    table = random_table(5, n_annotators=n_annotators)
    repeats = np.random.default_rng(5).integers(0, 4, len(table))
    once = replace(Ratings.of(table, rows="items"), repeats=repeats)
    spread = Ratings.of(np.repeat(table, repeats, axis=0), rows="items")
    short, long = coefficient(once), coefficient(spread)
    for name in ("value", "observed", "expected"):
        assert getattr(short, name) == pytest.approx(getattr(long, name))
    assert short.n_units == long.n_units
    assert short.rows["annotators"] == [pytest.approx(row) for row in long.rows["annotators"]]
    assert flat(short.details) == pytest.approx(flat(long.details))
    for one, other in zip(short.rows["categories"], long.rows["categories"], strict=True):
        assert one == pytest.approx(other)
    assert short.rows["coincidences"] == [pytest.approx(row) for row in long.rows["coincidences"]]
    assert {row["repeats"] for row in short.rows["items"]} == set(repeats.tolist())


@every
def test_documents(coefficient):
    """Each document has the value that it has alone, with the categories of all."""
    table = random_table(2, n_items=60, n_annotators=2)
    names = [("a", "b", "c")[i % 3] for i in range(60)]
    columns = {who: [None if label != label else label for label in table[:, who]] for who in (0, 1)}
    ratings = Ratings.from_annotators(columns, document=names)
    result = coefficient(ratings)
    assert [one.document for one in result.documents] == ["a", "b", "c"]
    for index, one in enumerate(result.documents):
        alone = coefficient(Ratings.of(table[index::3], rows="items"))
        assert one.value == pytest.approx(alone.value)
        assert one.n_units == alone.n_units
    assert sum(one.n_units for one in result.documents) == result.n_units


def test_number_of_categories():
    table = [["a", "a"], ["a", "b"], ["b", "b"]]
    assert bennett_s(table, rows="items").expected == 1 / 2
    assert bennett_s(table, categories=4, rows="items").expected == 1 / 4
    assert bennett_s(table, categories=4, rows="items").details["prevalence_index"] == pytest.approx(
        (0.5 - 0.25) / 0.75
    )
    for one in (*FREE, gwet_ac2):
        with pytest.raises(OptionError, match="categories=1 is less than the 2 that occur: 1, 2"):
            _ = one([[1, 1], [2, 1]], categories=1, rows="items").value


def test_categories_are_those_of_the_data():
    """A document or a pair of annotators that does not use all categories still had them to choose from."""
    ratings = Ratings.from_annotators({"anna": "aabc", "bert": "abbb"}, document=["d1", "d1", "d1", "d2"])
    assert [one.estimate.expected for one in bennett_s(ratings).documents] == [1 / 3, 1 / 3]
    three = Ratings.from_annotators({"anna": "aab", "bert": "abb", "chris": "abc"})
    assert [row["expected"] for row in bennett_s(three).pairwise()] == [1 / 3, 1 / 3, 1 / 3]


def test_categories_of_weights():
    """What an order or a matrix names is there to choose, whether it occurs or not."""
    table = [["low", "low"], ["low", "mid"], ["mid", "mid"]]
    named = gwet_ac2(table, weights="linear(low,mid,high)", rows="items")
    matrix = Matrix(("low", "mid", "high"), np.array([[0, 0.5, 1], [0.5, 0, 0.5], [1, 0.5, 0]]))
    assert named.expected == pytest.approx((9 - 4) / 6 * 0.5)
    assert gwet_ac2(table, weights=matrix, rows="items").value == pytest.approx(named.value)
    assert gwet_ac2(table, weights=matrix, categories=3, rows="items").value == pytest.approx(named.value)
    with pytest.raises(OptionError, match="the weights of only 3 are known; name all of them in order"):
        _ = gwet_ac2(table, weights=matrix, categories=4, rows="items").value
    with pytest.raises(OptionError, match=r"name all of them in order, e\.g\. weights=quadratic"):
        _ = gwet_ac2([[1, 2], [3, 3]], categories=5, rows="items").value


def test_weights_are_scaled():
    """Weighted κ is a ratio; the unit does not matter, but AC2 needs weights up to 1."""
    table = from_text("12 11 22 33 31 22")
    pairs = {(1, 2): 2, (2, 3): 2, (1, 3): 4}
    assert weighted_kappa(table, weights=pairs).value == pytest.approx(weighted_kappa(table).value)
    assert krippendorff_alpha(table, distance=pairs).value == pytest.approx(
        krippendorff_alpha(table, distance=lambda u, v: np.abs(u - v)).value
    )
    with pytest.raises(DataError, match="2 for '1' and '2' is not within 0 to 1"):
        _ = gwet_ac2(table, weights=pairs).value
    with pytest.raises(OptionError, match="reaches 2, but must be between 0 and 1"):
        _ = gwet_ac2(table, weights=lambda u, v: np.abs(u - v)).value


BAD = {
    "words for interval": ("krippendorff-alpha(distance=interval)", "the label 'high' is not a number; interval needs"),
    "words for ratio": ("krippendorff-alpha(distance=ratio)", "the label 'high' is not a number"),
    "words for ordinal": ("krippendorff-alpha(distance=ordinal)", r"'high' is not a number.*ordinal\(low,mid,high\)"),
    "words on a circle": ("krippendorff-alpha(distance=circular(12))", "the label 'high' is not a number"),
    "words for linear": ("weighted-kappa", r"the label 'high' is not a number.*linear\(low,mid,high\)"),
    "words for quadratic": ("gwet-ac2", "the label 'high' is not a number"),
    "not in the order": ("krippendorff-alpha(distance=ordinal(low,mid))", "'high' is not in the given order low < mid"),
    "weight not in the order": ("weighted-kappa(weights=linear(mid,high))", "'low' is not in the given order"),
}


@pytest.mark.parametrize("case", BAD)
def test_labels_that_do_not_fit(case):
    name, sentence = BAD[case]
    data = Ratings.of([["low", "mid"], ["high", "high"], ["low", "low"]], rows="items")
    with pytest.raises(DataError, match=sentence):
        _ = measure(name, data).value
    declared = measures()[name.partition("(")[0]]
    if "(" not in name:
        assert not declared.can_handle(data)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("krippendorff-alpha(distance=cosine)", "unknown distance 'cosine'; available for α: nominal, ordinal"),
        (
            "krippendorff-alpha(distance=circular)",
            r"circular; write circular\(PERIOD\): Labels are numbers on a circle",
        ),
        ("krippendorff-alpha(distance=circular(0))", "expected a number above 0"),
        (
            "krippendorff-alpha(distance=circular(x))",
            r"cannot read the distance circular\(x\); write circular\(PERIOD\)",
        ),
        ("krippendorff-alpha(distance=numeric)", "the distance numeric is for γ and text-γ; available for α: nominal"),
        ("krippendorff-alpha(distance=ordinal(a,a))", "from lowest to highest, each once"),
        ("weighted-kappa(weights=cubic)", "unknown distance 'cubic'; available for weights: nominal, ordinal"),
        ("gwet-ac1(categories=many)", "categories=many is invalid; categories: the number"),
    ],
)
def test_senseless_options(name, sentence):
    with pytest.raises(OptionError, match=sentence):
        _ = measure(name, Ratings.of([[1, 2], [1, 1]], rows="items")).value


def test_matrix_from_a_file(tmp_path):
    file = tmp_path / "near.csv"
    file.write_text(",low,mid,high\nlow,0,0.5,1\nmid,0.5,0,0.5\nhigh,1,0.5,0\n")
    data = Ratings.of([["low", "mid"], ["high", "high"], ["low", "low"]], rows="items")
    assert measure(f'weighted-kappa(weights=matrix("{file}"))', data).value == pytest.approx(
        weighted_kappa(data, weights="linear(low,mid,high)").value
    )
    found = measure(f'krippendorff-alpha(distance=matrix("{file}"))', data)
    assert found.observed == pytest.approx(0.5 * 2 / 6)
    with pytest.raises(DataError, match=r"the label 'top' is not in the matrix .*near\.csv; add a row and a column"):
        _ = measure(f'krippendorff-alpha(distance=matrix("{file}"))', Ratings.of([["top", "mid"]], rows="items")).value


def test_negative_numbers_have_no_ratio():
    with pytest.raises(DataError, match="the label -1 is below 0; ratio needs numbers from 0 up, take interval"):
        _ = krippendorff_alpha([[-1, 2], [3, 3]], distance="ratio", rows="items").value


def test_text_is_a_path(tmp_path):
    with pytest.raises(DataError, match=r"ratings\.csv: there is no such file; check the path"):
        fleiss_kappa("ratings.csv")
    file = tmp_path / "ratings.csv"
    file.write_text("item,anna,bert\ni,x,x\nj,y,y\nk,x,y\n")
    expected = fleiss_kappa({"anna": ["x", "y", "x"], "bert": ["x", "y", "y"]}).value
    assert fleiss_kappa(str(file)).value == fleiss_kappa(file).value == expected


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_data_frames(library):
    frame = pytest.importorskip(library).DataFrame({"anna": ["x", "y", None], "bert": ["x", "y", "x"]})
    result = krippendorff_alpha(frame)
    assert result.value == 1
    assert result.data.annotators == ("anna", "bert")


def test_masked_arrays():
    table = random_table(4)
    masked = np.ma.masked_array(np.nan_to_num(table), mask=np.isnan(table))
    assert krippendorff_alpha(masked, rows="items").value == krippendorff_alpha(table, rows="items").value


def test_tables_for_people():
    result = cohen_kappa(from_cells({("x", "x"): 3, ("x", "y"): 1, ("y", "y"): 2}))
    square = result.tables()[-1]
    assert list(square.columns) == ["1 ↓ 2 →", "x", "y"]
    assert [tuple(map(str.strip, row)) for row in square.rows] == [("x", "3", "1"), ("y", "0", "2")]
    coincidences = krippendorff_alpha(from_text("111 112 222")).tables()[-1]
    assert [tuple(map(str.strip, row)) for row in coincidences.rows] == [("1", "4.0", "1.0"), ("2", "1.0", "3.0")]


def test_many_labels_show_what_is_confused():
    table = [[code, code + (code == 7)] for code in range(30)] + [[3, 4], [3, 4]]
    shown = cohen_kappa(table, rows="items").tables()[-1]
    assert shown.columns[1] == "n"
    assert [tuple(map(str.strip, row)) for row in shown.rows] == [("3 – 4", "2"), ("7 – 8", "1")]


def test_worst_items_first():
    rows = krippendorff_alpha(from_text("111 112 123 1.. .22")).rows["items"]
    assert [row["item"] for row in rows] == [3, 2, 1, 5, 4]
    assert rows[0]["labels"] == {"1": 1, "2": 2, "3": 3}
    assert rows[-1] == {"item": 4, "document": "document", "agreement": None, "n_units": 1, "labels": {"1": 1}}


def test_long_tables_are_left_out():
    rng = np.random.default_rng(0)
    table = rng.integers(0, 20_000, (12_000, 2))
    result = krippendorff_alpha(table, rows="items")
    assert "items" not in result.rows
    assert "coincidences" not in result.rows
    assert len(result.rows["categories"]) == 1_000
    notes = " ".join(result.notes)
    assert "items are not listed (there are over 10,000)" in notes
    assert "1,000 most frequent of" in notes
    assert "pairs of labels that meet are not listed" in notes
    assert len(result.prepared.items()) == 12_000


def test_items_with_one_label_are_noted():
    result = fleiss_kappa(from_text("11 12 2."))
    assert result.notes == ("1 of 3 items has labels from fewer than two annotators and cannot show agreement",)


def test_nothing_is_computed_before_it_is_asked_for():
    result = krippendorff_alpha(random_table(1), rows="items")
    assert result.value is not None
    assert "rows" not in vars(result)
    assert "contingency" not in vars(result.prepared.statistics())


def test_prevalence_and_bias():
    """The paradox is visible: the same agreement, another κ."""
    even = cohen_kappa(from_cells({"++": 40, "+-": 9, "-+": 6, "--": 45}))
    uneven = cohen_kappa(from_cells({"++": 80, "+-": 10, "-+": 5, "--": 5}))
    assert even.observed == uneven.observed
    assert even.value > 2 * uneven.value
    assert even.details["pabak"] == uneven.details["pabak"]
    assert (even.details["prevalence_index"], uneven.details["prevalence_index"]) == pytest.approx((0.05, 0.75))
    for one in (scott_pi, weighted_kappa):
        assert one([[1, 1], [1, 2], [1, 1]], rows="items").details["bias_index"] == pytest.approx(1 / 3)
    for one in MANY[:-1]:
        assert one([[1, 1], [1, 2], [1, 1]], rows="items").details["prevalence_index"] == pytest.approx(2 / 3)


@pytest.fixture
def spans():
    return Corpus.from_columns(
        annotator=["anna", "anna", "bert", "bert", "chris"],
        start=[0, 5, 0, 5, 0],
        end=[4, 9, 4, 9, 4],
        document=["d1"] * 5,
        features={"category": ["x", "y", "x", "x", "x"]},
    )


def test_spans_as_items(spans):
    with pytest.raises(DataError, match=r"'chris' did not mark 5–9 as 'anna' did"):
        krippendorff_alpha(spans)
    assert not krippendorff_alpha.declaration.can_handle(spans)
    result = krippendorff_alpha(spans, unmarked="missing")
    assert result.value == pytest.approx(krippendorff_alpha([["x", "x", "x"], ["y", "x", None]], rows="items").value)
    assert result.n_units == 5
    assert "every distinct span is treated as an item" in result.notes
    assert [row["item"] for row in result.rows["items"]] == ["5–9", "0–4"]
    nothing = krippendorff_alpha(spans, unmarked="none")
    assert nothing.value == pytest.approx(krippendorff_alpha([["x", "x", "x"], ["y", "x", "none"]], rows="items").value)
    assert nothing.n_units == 6


def test_pairs_of_annotators_of_spans(spans):
    rows = {
        (row["annotator_1"], row["annotator_2"]): row["value"]
        for row in percent_agreement(spans, unmarked="missing").pairwise()
    }
    assert rows == {("anna", "bert"): 0.5, ("anna", "chris"): 1, ("bert", "chris"): 1}


def test_options_for_spans_are_for_spans():
    with pytest.raises(
        OptionError, match="unmarked: applies only to spans, but these data are already labels of items; leave it out"
    ):
        fleiss_kappa([[1, 1], [1, 2]], unmarked="missing", rows="items")
    with pytest.raises(OptionError, match="feature: applies only to spans"):
        fleiss_kappa([[1, 1], [1, 2]], feature="category", rows="items")


def test_the_only_category_has_no_value_of_its_own():
    for coefficient in (bennett_s, gwet_ac1, krippendorff_alpha, percent_agreement):
        row = coefficient({"a": ["x", "x"], "b": ["x", "x"]}).rows["categories"][0]
        assert (row["value"], row["undefined"]) == (None, "there is no other category")
        assert row["agreement"] == 1


@pytest.mark.parametrize("name", ["fleiss-kappa", "multi-kappa", "gwet-ac1", "krippendorff-alpha"])
def test_a_category_that_is_never_compared_has_no_value(name):
    ratings = Ratings.from_annotators(
        {"a": ["x", "y", "x", "z"], "b": ["x", None, "z", "z"], "c": ["x", None, "z", None]}
    )
    rows = {row["category"]: row for row in measure(name, ratings).categories()}
    assert rows["y"]["value"] is None
    assert rows["y"]["undefined"] == "no item with this category has labels from two annotators"
    assert rows["x"]["value"] is not None
