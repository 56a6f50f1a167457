"""What all coefficients share: parameters, subsets of annotators, the order of tables, and data frames."""

from __future__ import annotations

import pandas as pd
import pytest

import unisono
from unisono.data import Corpus, Ratings
from unisono.errors import OptionError
from unisono.measurement.advice import advise
from unisono.measurement.registry import default_measure, parse_measure

RATINGS = {"a": [2, 3, 4, 2, 3, 4], "b": [2, 3, 4, 3, 3, 4], "c": [1, 3, 5, 2, 1, 5]}


def test_pairs_choose_from_the_categories_of_all():
    of_all = {(row["annotator_1"], row["annotator_2"]): row for row in unisono.bennett_s(RATINGS).pairwise()}
    assert of_all["a", "b"]["expected"] == 1 / 5
    alone = Ratings.from_annotators(RATINGS).select(annotators=["a", "b"])
    assert unisono.bennett_s(alone).expected == 1 / 3


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("span_f1", {"labels": "perhaps"}),
        ("span_f1", {"labels": "true"}),
        ("bennett_s", {"categories": 2.5}),
        ("bennett_s", {"categories": "many"}),
        ("bennett_s", {"categories": "7"}),
    ],
)
def test_wrong_values_are_rejected_with_what_they_should_be(name, options):
    data = RATINGS if name == "bennett_s" else Corpus.from_columns(annotator=["a", "b"], start=[0, 0], end=[1, 1])
    ((parameter, value),) = options.items()
    with pytest.raises(OptionError, match=rf"{parameter}='?{value}'? is invalid; {parameter}: "):
        getattr(unisono, name)(data, **options)


def test_numbers_are_numbers_in_python_and_text_where_they_are_written():
    assert unisono.bennett_s(RATINGS, categories=7).expected == 1 / 7
    assert unisono.measure("bennett-s(categories=7)", RATINGS).expected == 1 / 7


def test_two_lists_are_one_table():
    with pytest.raises(OptionError, match="cohen_kappa expects one table"):
        unisono.cohen_kappa(["x", "y"], ["x", "x"])


def test_every_measure_takes_a_data_frame():
    spans = pd.DataFrame({"annotator": ["a", "b"], "start": [0, 1], "end": [5, 6], "category": ["x", "x"]})
    assert unisono.span_f1(spans, match="overlap").value == 1
    assert unisono.u_alpha(spans).n_units == 2
    assert unisono.gamma(spans).n_units == 2
    assert unisono.krippendorff_alpha(pd.DataFrame(RATINGS)).n_annotators == 3


def test_the_worst_document_comes_first_also_where_0_is_perfect():
    documents = {"good": {"a": [5, 5, 5], "b": [5, 5, 5]}, "bad": {"a": [5, 5, 5], "b": [1, 1, 13]}}
    table = unisono.window_diff(unisono.from_masses(documents)).tables()[0]
    assert [row[0] for row in table.rows] == ["bad", "good"]
    assert list(table.columns) == ["document", "WD", "segments"]


def test_parameters_stand_in_the_help():
    assert "window : default none" in unisono.pk.__doc__
    assert "unmarked" in unisono.cohen_kappa.__doc__


def test_the_paper_stands_in_the_help():
    paper = (
        "Cohen, Jacob (1960). A Coefficient of Agreement for Nominal Scales. Educational and Psychological Measurement"
    )
    assert unisono.cohen_kappa.__doc__.endswith(f"References\n----------\n.. [1] {paper} 20(1), 37–46.\n")
    assert "Widlöcher, Antoine (2016). On the Reliability" in unisono.u_alpha.__doc__
    assert "Quality & Quantity 50(6), 2347–2364." in unisono.u_alpha.__doc__


def test_a_reference_that_is_missing_from_a_pair_leaves_the_pair_undefined():
    documents = {"a": [5, 5, 5], "b": [5, 5, 5], "gold": [5, 10]}
    rows = unisono.pk(unisono.from_masses(documents), reference="gold").pairwise()
    assert [row["undefined"] is None for row in rows] == [False, True, True]


def alone(**features):
    return Corpus.from_columns(
        document=["d1", "d2"], annotator=["anna", "bert"], start=[0, 0], end=[5, 5], features=features
    )


def test_advice_for_annotators_who_share_nothing():
    advice = advise(alone(category=["x", "x"]))
    assert advice.fitting == ()
    assert not any("same spans" in one.answer for one in advice.decisions)
    assert default_measure(alone()).declaration.name == "gamma"
    one = Ratings.from_annotators({"anna": ["x", "y"]})
    assert default_measure(one).declaration.name == "krippendorff-alpha"


def test_advice_for_several_features():
    advice = advise(alone(pos=["x", "x"], lemma=["y", "y"]))
    assert not any("overlap" in sentence for sentence in advice.observations)
    assert "Is there one label per unit?" in [one.question for one in advice.decisions]


def test_whole_continua_without_labels_are_units():
    corpus = Corpus.from_columns(annotator=["anna", "bert"], start=[0, 0], end=[9, 9])
    assert default_measure(corpus).declaration.name == "gamma"


def test_names_of_measures_are_guessed():
    assert parse_measure("Cohen_Kappa").declaration.name == "cohen-kappa"
    with pytest.raises(OptionError, match="did you mean krippendorff-alpha"):
        parse_measure("alpha")
