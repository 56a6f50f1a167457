"""What a measure declares that it can handle is what it handles; and a new one needs nothing but its declaration."""

from __future__ import annotations

import pickle
from typing import Unpack

import jsonschema
import pytest

import unisono
from unisono.measurement import categorization
from unisono.measurement.advice import advise
from unisono.measurement.categorization.counts import Counts
from unisono.measurement.categorization.family import FAMILY
from unisono.measurement.coefficient import coefficient
from unisono.measurement.options import RatingsOptions
from unisono.measurement.registry import measures
from unisono.results import Estimate

RATINGS = [name for name, declared in measures().items() if declared.family == "ratings"]
UNITS = [name for name, declared in measures().items() if declared.family == "units"]
NUMBERS = {"anna": [1, 2, 3, 1, 2, 3, 1], "bert": [1, 2, 3, 1, 2, 3, 2]}


@pytest.mark.parametrize("name", RATINGS)
def test_measures_of_two_annotators_name_one_for_more(name):
    declared = measures()[name]
    three = unisono.measure(name, {**NUMBERS, "chris": [1, 2, 2, 1, 2, 3, 1]})
    assert (three.value is None) == declared.two_only
    if declared.two_only:
        assert str(declared.for_many) in str(three.undefined)
        assert unisono.measure(str(declared.for_many), NUMBERS).value is not None


@pytest.mark.parametrize("name", RATINGS)
def test_missing_labels_count_where_the_measure_takes_them(name):
    """A label more on an item that others left out changes something only where missing labels are taken."""
    base = {"anna": [1, 2, 3, 1, 2, None], "bert": [1, 2, 3, 2, 2, None]}
    some = {"anna": [*base["anna"][:5], 3], "bert": base["bert"]}
    if measures()[name].two_only:
        assert not measures()[name].takes_missing
        assert unisono.measure(name, some).value == pytest.approx(unisono.measure(name, base).value)
        return
    partly = {**some, "chris": [1, 2, 3, 1, 2, 1]}
    fully = {**partly, "chris": [1, 2, 3, 1, 2, 3]}
    changes = unisono.measure(name, partly).value != unisono.measure(name, fully).value
    assert changes == measures()[name].takes_missing


@pytest.mark.parametrize("name", RATINGS)
def test_weights_and_distances_are_declared(name):
    spec = {"distance": "interval", "weights": "quadratic"}
    given = [f"{name}({key}={value})" for key, value in spec.items() if key in parameters(name)]
    assert bool(given) == measures()[name].weighs
    for text in given:
        near, far = (
            unisono.measure(text, {"anna": [1, 5, 3, 1, 5, 3], "bert": [1, 5, 3, 1, 5, label]}).value
            for label in (4, 1)
        )
        assert near is not None
        assert far is not None
        assert near > far


@pytest.mark.parametrize("name", UNITS)
def test_overlap_is_taken_where_it_is_declared(name):
    rows = [("anna", 0, 10), ("anna", 5, 20), ("bert", 0, 10), ("bert", 5, 21)]
    corpus = unisono.Corpus.from_columns(
        annotator=[who for who, _, _ in rows],
        start=[start for _, start, _ in rows],
        end=[end for _, _, end in rows],
        features={"category": ["X", "X", "X", "X"]},
        bounds={"document": (0, 40)},
    )
    assert (measures()[name].unfit(corpus) is None) == measures()[name].takes_overlap


def parameters(name: str) -> list[str]:
    return [parameter.name for parameter in measures()[name].parameters]


@coefficient(
    FAMILY,
    symbol="A_l",
    title="Lucky agreement: percent agreement, squared",
    needs="labels for given items; any number of annotators; labels may be missing",
    ignores="chance",
    reference="nobody",
    papers=("gwet2014",),
    when="never",
    corrected=False,
)
def lucky_agreement(counts: Counts, **how: Unpack[RatingsOptions]) -> Estimate:
    """Square of the share of pairs of annotators who agree."""
    return Estimate(counts.observed**2, counts.observed)


def test_a_new_coefficient_is_one_function_and_its_name_in_two_lists(monkeypatch):
    monkeypatch.setattr(categorization, "lucky_agreement", lucky_agreement, raising=False)
    monkeypatch.setattr(categorization, "__all__", [*categorization.__all__, "lucky_agreement"])
    monkeypatch.setattr(categorization, "DECLARATIONS", (*categorization.DECLARATIONS, lucky_agreement.declaration))
    data = unisono.Ratings.of({"anna": ["x", "y", "x", "y"], "bert": ["x", "y", "y", "y"]})

    assert unisono.lucky_agreement is lucky_agreement
    assert "lucky_agreement" in dir(unisono)
    result = unisono.measure("lucky-agreement", data)
    assert result.value == pytest.approx(0.75**2)
    assert result == unisono.lucky_agreement(data)
    assert result.signature.startswith("lucky-agreement|unisono:")
    assert result.interval is not None or result.no_interval
    jsonschema.validate(result.to_dict(), unisono.Result.json_schema())
    assert pickle.loads(pickle.dumps(result)) == result
    assert "lucky-agreement" in {declared.name for declared in advise(data).fitting}
    monkeypatch.delattr(unisono, "lucky_agreement", raising=False)
