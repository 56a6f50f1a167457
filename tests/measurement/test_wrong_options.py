"""Wrong values of parameters, for every parameter of every measure: an `OptionError` that names the parameter."""

from __future__ import annotations

import inspect
import math

import numpy as np
import pytest

import unisono
from unisono.data import Corpus, Normalizations, Ratings
from unisono.errors import OptionError
from unisono.measurement.registry import measures

FAMILIES = {name: declared.family for name, declared in measures().items()}
QUICK = {"gamma": {"precision": 0.5}, "text-gamma": {"precision": 0.9, "p_text": 0.1, "p_segmentation": 0.1}}
NUMBERS = {
    *("alpha", "beta", "delta_empty", "precision", "confidence", "p_further", "gap_text"),
    *("gap_boundary", "categories", "n", "window", "insertion", "deletion", "shift", "step", "workers"),
}
"""Parameters that are numbers, which Python has as numbers and never as text."""

RATINGS = Ratings.of({"anna": [1, 2, 3, 1, 2], "bert": [1, 2, 3, 2, 2]})
WORDS = Normalizations.of({"original": ["jn", "vnd"], "anna": ["in", "und"], "bert": ["ihn", "und"]})
UNITS = Corpus.from_columns(
    annotator=["anna", "anna", "bert", "bert"],
    start=[0, 3, 0, 4],
    end=[3, 9, 4, 9],
    features={"category": ["x", "y", "x", "x"]},
    texts={("document", who): "abcdefghi" for who in ("anna", "bert")},
)


def parameters_of(name):
    """All keyword parameters of a measure's function."""
    signature = inspect.signature(getattr(unisono, name.replace("-", "_")))
    return [key for key, one in signature.parameters.items() if one.kind is one.KEYWORD_ONLY]


def rejected(name, parameter, value):
    """Measure with a wrong value; return the error."""
    data = {"ratings": RATINGS, "normalization": WORDS}.get(FAMILIES[name], UNITS)
    with pytest.raises(OptionError) as caught:
        getattr(unisono, name.replace("-", "_"))(data, **{**QUICK.get(name, {}), parameter: value})
    return caught.value


EVERY = [(name, parameter) for name in FAMILIES for parameter in parameters_of(name)]


def test_all_declared_parameters_are_parameters_of_the_function():
    for name, declared in measures().items():
        assert {parameter.name for parameter in declared.parameters} <= set(parameters_of(name))
        assert "rows" in parameters_of(name)


@pytest.mark.parametrize(("name", "parameter"), EVERY)
def test_what_is_no_value_of_any_parameter(name, parameter):
    for wrong in (object(), 1j, b"x", [1j], np.array([1.5, 2.5])):
        error = rejected(name, parameter, wrong)
        assert parameter in str(error)


@pytest.mark.parametrize(("name", "parameter"), [(name, key) for name, key in EVERY if key in NUMBERS])
def test_numbers(name, parameter):
    """Neither text nor True, and finite."""
    for wrong in ("3", "many", "", True, -1, [3], math.nan, math.inf, *(() if parameter == "workers" else (10**400,))):
        assert parameter in str(rejected(name, parameter, wrong))


@pytest.mark.parametrize("name", FAMILIES)
def test_parameters_that_there_are_not(name):
    function = getattr(unisono, name.replace("-", "_"))
    with pytest.raises((OptionError, TypeError), match="windows"):
        function(RATINGS, windows=3)
    with pytest.raises(OptionError, match="'windows'"):
        unisono.measure(f"{name}(windows=3)", RATINGS)


@pytest.mark.parametrize("wrong", [3, None, object(), b"gamma", ["gamma"], "", "gamma("])
def test_names_that_are_none(wrong):
    with pytest.raises(OptionError):
        unisono.measure(wrong, RATINGS)
