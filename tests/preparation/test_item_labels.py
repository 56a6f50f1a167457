"""Labels of items that are cleaned, filtered, or mean that there is none."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from unisono.data import Corpus, Ratings
from unisono.data.questions import Question
from unisono.errors import OptionError
from unisono.preparation import prepare

PEOPLE = {
    "anna": ["3", "n/a", "Low ", "don't know", "3"],
    "bert": ["3", "4", "low", "n/a", None],
    "chris": ["n/a", "4", '"low"', "3", "3"],
}


def made(columns=None, **more):
    return replace(Ratings.from_annotators(columns or PEOPLE), **more)


def cells(ratings):
    table = [*ratings.labels, None]
    return [[table[code] for code in row] for row in ratings.codes.tolist()]


def test_labels_that_mean_missing():
    found = prepare(made(), missing=["n/a", "don't know"])
    assert cells(found)[0] == ["3", "3", None]
    assert cells(found)[3] == [None, None, "3"]
    assert found.labels == tuple(sorted(['"low"', "3", "4", "Low ", "low"]))
    assert found.dropped == {"labels 'n/a', treated as missing": 3, 'labels "don\'t know", treated as missing': 1}
    assert found.preparation == (("missing", "don't know,n/a"),)
    assert found.n_units == made().n_units - 4


def test_a_label_that_nobody_gave_is_counted_too():
    """A typing error shows as 0, and the same command works for files without that label."""
    found = prepare(made(), missing=["NA"])
    assert found == made()
    assert found.dropped == {"labels 'NA', treated as missing": 0}


def test_items_that_stand_for_many_count_as_often():
    found = prepare(made({"a": ["x", "y"], "b": ["?", "y"]}, repeats=np.array([10, 1])), missing=["?"])
    assert found.dropped == {"labels '?', treated as missing": 10}


def test_numbers_and_sets_that_mean_missing():
    numbers = prepare(made({"a": [1, 99, 2.0], "b": [99, 2, 3]}), missing=["99"])
    assert numbers.labels == (1, 2, 3)
    sets = prepare(made({"a": [("x", "y"), ("none",)], "b": [("none",), ()]}), missing=["none"])
    assert cells(sets) == [[("x", "y"), None], [None, ()]]


def test_cleaning():
    found = prepare(made(), clean=["case", "quotes", "spaces"])
    assert cells(found)[2] == ["low", "low", "low"]
    assert found.labels == ("3", "4", "don't know", "low", "n/a")
    assert found.dropped == {}
    assert found.preparation == (("clean", "case,quotes,spaces"),)
    emptied = prepare(made(), clean=["s/^n.a$//"])
    assert cells(emptied)[0] == ["3", "3", None]
    assert emptied.dropped == {"labels of which cleaning leaves nothing": 3}


def test_cleaning_of_sets_keeps_those_without_members():
    found = prepare(made({"a": [("B", "a"), ()], "b": [("A", "b"), ("C",)]}), clean=["case"])
    assert cells(found) == [[("a", "b"), ("a", "b")], [(), ("c",)]]


def test_decimal_commas_become_points():
    found = prepare(made({"a": ["3,5", "2,25"], "b": ["3,5", "1"]}), clean=["s/,/./"])
    assert found.labels == ("1", "2.25", "3.5")


def test_what_the_tool_said_is_cleaned_as_well():
    question = Question("mood", "ordered", ("Low", "Mid", "High"), (("Low", "sad"),))
    found = prepare(made({"a": ["Low", "High"], "b": ["low", "MID"]}, question=question), clean=["case"])
    assert found.question == Question("mood", "ordered", ("low", "mid", "high"), (("low", "sad"),))
    without = prepare(found, missing=["mid"])
    assert without.question.order == ("low", "high")


def test_missing_labels_are_named_as_they_are_after_cleaning():
    found = prepare(made({"a": ["N/A", "x"], "b": ["n/a ", "x"]}), clean=["case", "spaces"], missing=["n/a"])
    assert found.labels == ("x",)
    assert [step for step, _ in found.preparation] == ["clean", "missing"]


@pytest.mark.parametrize(
    ("expression", "kept"),
    [
        ('label != "n/a"', [["3", "3", None], [None, "4", "4"], ["Low ", "low", '"low"'], ["don't know", None, "3"]]),
        ("label == 3", [["3", "3", None], [None, None, "3"], ["3", None, "3"]]),
        ('label in ["3", 4]', [["3", "3", None], [None, "4", "4"], [None, None, "3"], ["3", None, "3"]]),
        ("item <= 1", [["3", "3", "n/a"]]),
        ('item == 2 and annotator == "bert"', [["4"]]),
        ('matches(label, "(?i)low")', [["Low ", "low", '"low"']]),
        ('text == "second"', [["n/a", "4", "4"]]),
    ],
)
def test_conditions(expression, kept):
    texts = ("first", "second", "third", "fourth", None)
    found = prepare(made(texts=texts), where=expression)
    assert cells(found)[: len(kept)] == kept
    n_left = sum(label is not None for row in cells(found) for label in row)
    assert sum(found.dropped.values()) == made().n_units - n_left


def test_annotators_and_documents_for_which_a_condition_cannot_hold_are_left_out():
    data = Ratings.from_annotators(PEOPLE, document=["d", "d", "d", "e", "e"])
    found = prepare(data, where='annotator != "bert" and document == "e"')
    assert (found.annotators, found.documents) == (("anna", "chris"), ("e",))
    # of a condition on labels, nobody is left out: somebody may just not have given such a label
    assert prepare(data, where="label == 4").annotators == ("anna", "bert", "chris")


def test_items_that_nobody_labelled_stay():
    data = made({"a": ["x", None, "y"], "b": ["x", None, "y"]})
    assert prepare(data, where='label == "x"').items == [1, 2]


def test_names_that_labels_of_items_do_not_have():
    with pytest.raises(
        OptionError, match=r"unknown name 'category' \(available: label, item, annotator, document, text\)"
    ):
        prepare(made(), where='category == "x"')
    with pytest.raises(OptionError, match="unknown name 'length'"):
        prepare(made(), where="length > 3")
    with pytest.raises(OptionError, match="unknown name 'pos'"):
        prepare(made(), where='feature["pos"] == "x"')


def test_units_have_no_missing_labels():
    units = Corpus.from_columns(annotator=["a"], start=[0], end=[5], features={"category": ["x"]})
    with pytest.raises(OptionError, match="missing: only for labels of items, and this data has units") as caught:
        prepare(units, missing=["x"])
    assert "where='category != \"x\"'" in str(caught.value)
