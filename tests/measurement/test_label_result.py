"""What a coefficient for labels of items shows besides its value, depending on how labels are compared."""

from __future__ import annotations

import numpy as np
import pytest

import unisono

SCORES = {
    "anna": [2.5, 10.0, 31.5, 44.0, 12.5, 3.0, 61.0, 80.5, 20.0, 7.5, 33.0, 90.0, 15.0],
    "bert": [2.0, 19.5, 30.5, 41.5, 17.0, 9.5, 60.5, 79.0, 25.0, 8.5, 36.0, 71.0, None],
    "cleo": [5.5, 11.0, 35.5, 49.0, 12.0, 5.0, 66.0, 82.5, 21.5, None, 39.0, 95.0, 18.5],
}
STARS = {"anna": [1, 5, 3, 2, 4, 1], "bert": [5, 4, 3, 2, 4, 1], "cleo": [1, 5, 2, 2, 4, None]}


@pytest.mark.parametrize(
    ("measure", "data", "named"),
    [
        ("krippendorff-alpha", STARS, "α (nominal) of 3"),
        ("krippendorff-alpha(distance=ordinal)", STARS, "α (ordinal) of 3"),
        ("krippendorff-alpha(distance=ordinal(1,2,3,4,5))", STARS, "α (ordinal) of 3"),
        ("krippendorff-alpha(distance=circular(7))", STARS, "α (circular) of 3"),
        ("krippendorff-alpha(distance=bipolar)", STARS, "α (bipolar weights) of 3"),
        ("krippendorff-alpha(distance=masi)", {"a": ["x|y", "x"], "b": ["x", "x"]}, "α (sets, MASI) of 2"),
        ("krippendorff-alpha(distance=hierarchy)", {"a": ["x/y", "x"], "b": ["x", "x"]}, "α (taxonomy) of 2"),
        ("fleiss-kappa", STARS, "κ of 3"),
        ("fleiss-kappa(weights=linear)", STARS, "κ (linear weights) of 3"),
        ("gwet-ac2", STARS, "AC2 (quadratic weights) of 3"),
        ("icc", STARS, "ICC of 3"),
    ],
)
def test_the_title_names_the_scale(measure, data, named):
    assert unisono.measure(measure, data).title().startswith(named)


def test_a_function_of_ones_own_is_named_so():
    result = unisono.krippendorff_alpha(STARS, distance=lambda u, v: np.abs(u.astype(float) - v.astype(float)))
    assert result.compared_as == "own distance"


@pytest.mark.parametrize("measure", ["krippendorff-alpha(distance=interval)", "fleiss-kappa(weights=quadratic)"])
def test_items_are_ranked_by_how_far_labels_are_apart(measure):
    """By definition: 1 - the mean squared difference of pairs over the greatest one."""
    result = unisono.measure(measure, STARS)
    expected = {}
    for item, labels in enumerate(zip(*STARS.values(), strict=True), start=1):
        given = [label for label in labels if label is not None]
        pairs = [(a - b) ** 2 / 16 for index, a in enumerate(given) for b in given[index + 1 :]]
        expected[item] = 1 - np.mean(pairs)
    assert {row["item"]: row["agreement"] for row in result.rows["items"]} == pytest.approx(expected)
    assert [row["item"] for row in result.rows["items"]] == sorted(expected, key=lambda item: expected[item])


def test_names_are_the_same_or_not():
    rows = unisono.krippendorff_alpha(STARS).rows
    assert [row["agreement"] for row in rows["items"]][:2] == pytest.approx([1 / 3, 1 / 3])
    assert set(rows["annotators"][0]) == {"annotator", "agreement", "n_units"}


@pytest.mark.parametrize("data", [STARS, SCORES])
def test_numbers_have_the_severity_of_annotators(data):
    own = unisono.krippendorff_alpha(data, distance="interval").rows["annotators"]
    other = unisono.icc(data).rows["annotators"]
    names = ("annotator", "severity", "low", "high", "n_units")
    assert [[row[name] for name in names] for row in own] == [[row[name] for name in names] for row in other]


def test_measurements_are_not_counted_number_by_number():
    """Hardly any two numbers are the same, so what is shown is how far they are apart."""
    result = unisono.krippendorff_alpha(SCORES, distance="interval")
    shown = [table.columns for table in result.tables()]
    assert shown == [["annotator", "severity", "low", "high", "labels"], ("item", "mean", "sd", "labels")]
    assert result.tables()[1].rows[0][0] == "12"
    assert result.rows["categories"]
    assert unisono.krippendorff_alpha(SCORES).tables()[0].columns[0] == "category"


def test_measurements_of_many_documents_keep_the_table_of_documents():
    many = unisono.Ratings.from_columns(
        item=[index for _ in SCORES for index in range(13)],
        annotator=[who for who in SCORES for _ in range(13)],
        label=[label for labels in SCORES.values() for label in labels],
        document=[f"d{index % 3}" for _ in SCORES for index in range(13)],
    )
    tables = unisono.krippendorff_alpha(many, distance="interval").tables()
    assert [table.columns[0] for table in tables] == ["document", "annotator", "item"]


def test_a_standard_error_without_an_interval_is_labelled_like_one_with():
    result = unisono.measure("percent-agreement", {"anna": ["yes"] * 3, "bert": ["yes"] * 3})
    assert result.details["standard_error_analytic"] == 0
    assert "standard error (analytic)" in [line.name for line in result.headline()]
