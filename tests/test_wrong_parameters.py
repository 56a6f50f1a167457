"""A parameter that is wrong is an OptionError about that parameter, whatever was passed, and at once."""

import copy
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest

import unisono
from unisono import shuffling, studies
from unisono.errors import DataError, OptionError

FRAME = pd.DataFrame(
    [
        (document, annotator, start + shift, start + 5, "xyz"[(start // 10 + shift) % 3])
        for document in ("d1", "d2", "d3")
        for shift, annotator in enumerate("ABC")
        for start in range(0, 50, 10)
    ],
    columns=["document", "annotator", "start", "end", "category"],
)
CORPUS = unisono.from_frame(FRAME, continuum=(0, 60))
TEXTS = unisono.from_frame(FRAME, texts=dict.fromkeys(("d1", "d2", "d3"), "x" * 60))
RATINGS = unisono.Ratings.of({"A": list("xyxyzz"), "B": list("xyxxzz")})
LAZY = pl.DataFrame(FRAME.to_dict("list")).lazy()
HUGE = 10**30
GROUPS = {"a": ["A", "B"], "b": ["B", "C"]}


def about(parameter, function, *args, **kwargs):
    with pytest.raises(OptionError) as error:
        function(*args, **kwargs)
    assert error.value.parameter == parameter
    return str(error.value)


@pytest.mark.parametrize(
    ("parameter", "function", "args", "kwargs"),
    [
        ("atom", unisono.to_atoms, [CORPUS], {"atom": np.array([1, 2])}),
        ("atom", unisono.to_atoms, [CORPUS], {"atom": -1}),
        ("paths", unisono.read, [np.array(1)], {}),
        ("magnitudes", shuffling.benchmark, [CORPUS, "u-alpha"], {"annotator": "A", "magnitudes": np.array(1)}),
        ("n_units", shuffling.generate, [], {"n_units": HUGE}),
        ("n_documents", shuffling.generate, [], {"n_documents": HUGE}),
        ("categories", shuffling.generate, [], {"categories": HUGE}),
        ("categories", shuffling.generate, [], {"categories": [[]]}),
        ("repetitions", shuffling.ladder, [CORPUS, "u-alpha"], {"repetitions": HUGE}),
        ("repetitions", shuffling.benchmark, [CORPUS, "u-alpha"], {"annotator": "A", "repetitions": HUGE}),
        ("n_annotators", shuffling.shuffle, [CORPUS, "position", 0.5], {"annotator": "A", "n_annotators": HUGE}),
        ("errors", shuffling.shuffle, [CORPUS, "position(", 0.5], {"annotator": "A"}),
        ("annotator", shuffling.shuffle, [CORPUS, "position", 0.5], {}),
        ("chance", unisono.gamma, [CORPUS.select(documents=["d1"])], {"chance": "corpus"}),
        ("features", unisono.gamma, [CORPUS], {"features": {"category": "B"}}),
        ("feature", unisono.u_alpha, [CORPUS], {"feature": "nothing"}),
        ("feature", unisono.to_ratings, [CORPUS], {"feature": "nothing"}),
        ("categories", unisono.bennett_s, [RATINGS], {"categories": 1}),
        ("categories", unisono.gwet_ac2, [RATINGS], {"categories": 9}),
        ("original", unisono.representation, [3, "x"], {}),
        ("path", unisono.report, [RATINGS, "page.txt"], {}),
        ("results", unisono.report, [[], "page.html"], {}),
        ("corpus", unisono.gamma, [[]], {}),
        ("base", unisono.compare, [CORPUS, CORPUS, "u-alpha"], {"base": ""}),
        ("groups", unisono.compare_groups, [CORPUS, {**GROUPS, "c": ["A", "nobody"]}, "u-alpha"], {}),
        ("model", unisono.compare_model, [CORPUS, "nobody", "u-alpha"], {}),
        ("corpus", unisono.gamma, [LAZY], {}),
        ("data", unisono.cohen_kappa, [LAZY], {"rows": "items"}),
        ("reference", shuffling.shuffle, [LAZY, "position", 0.5], {}),
        ("frame", unisono.from_frame, [LAZY], {}),
    ],
)
def test_the_error_names_the_parameter(parameter, function, args, kwargs):
    about(parameter, function, *args, **kwargs)


@pytest.mark.parametrize(
    ("parameter", "value"),
    [
        ("p_segmentation", 2),
        ("distance", "nothing"),
        ("distance", {"nothing": "nominal"}),
        ("types", []),
        ("types", "nothing"),
        ("features", "nothing"),
        ("features", {"text": "much"}),
        ("features", {"text": 0, "category": 0}),
        ("gap_text", 1.23456789),
        ("gap_boundary", "x"),
        ("base", ""),
    ],
)
def test_text_gamma_names_its_parameters(parameter, value):
    about(parameter, unisono.text_gamma, TEXTS, **{parameter: value})


@pytest.mark.parametrize("name", ["nothing", "gamma(", "gamma(nothing=1)", ""])
@pytest.mark.parametrize(
    ("parameter", "function"),
    [
        ("name", lambda name: unisono.measure(name, CORPUS)),
        ("measures", lambda name: unisono.compare(CORPUS, CORPUS, name)),
        ("measures", lambda name: unisono.compare_groups(CORPUS, GROUPS, name)),
        ("measure", lambda name: unisono.compare_model(CORPUS, "C", name)),
        ("measure", lambda name: unisono.plan(CORPUS, 0.1, name)),
        ("measure", lambda name: unisono.gold(CORPUS, name)),
        ("measure", lambda name: shuffling.ladder(CORPUS, name)),
        ("measure", lambda name: studies.study("title", {"guideline": CORPUS}, name)),
        ("measures", lambda name: shuffling.benchmark(CORPUS, name, annotator="A")),
    ],
)
def test_an_unknown_measure_is_an_error_about_the_parameter_that_named_it(parameter, function, name):
    about(parameter, function, name)


@pytest.mark.parametrize("function", [lambda: 1, lambda a, b, c: 1])
@pytest.mark.parametrize(
    ("call", "called"),
    [
        (lambda one: unisono.gamma(CORPUS, f_cat=one), "f_cat(distances)"),
        (lambda one: unisono.gamma(CORPUS, dissimilarity=one), "dissimilarity(u, v)"),
        (lambda one: unisono.gamma(CORPUS, progress=one), "progress(done, total)"),
        (lambda one: unisono.compare(CORPUS, CORPUS, "u-alpha", progress=one), "progress(done, total)"),
        (lambda one: studies.study("title", {"guideline": CORPUS}, progress=one), "progress(done, total)"),
    ],
)
def test_a_function_that_cannot_be_called_is_rejected_with_how_it_is_called(call, called, function):
    assert called in about(called.partition("(")[0], call, function)


@pytest.mark.parametrize("function", [lambda x, y: 0, lambda x: x, lambda x, y: "a", lambda x, y: x < y])
@pytest.mark.parametrize(
    ("parameter", "measure"),
    [
        ("weights", lambda one: unisono.weighted_kappa(RATINGS, weights=one)),
        ("distance", lambda one: unisono.krippendorff_alpha(RATINGS, distance=one)),
        ("distance", lambda one: unisono.gamma(CORPUS, distance=one)),
    ],
)
def test_a_function_with_wrong_results_is_an_error_about_its_parameter(parameter, measure, function):
    about(parameter, measure, function)


def test_what_other_functions_return_is_checked_too():
    about("f_cat", unisono.gamma, CORPUS, f_cat=lambda distances: "a")
    about("f_cat", unisono.gamma, CORPUS, f_cat=float)
    about("dissimilarity", unisono.gamma, CORPUS, dissimilarity=lambda u, v: 0)
    about("dissimilarity", unisono.gamma, CORPUS, dissimilarity=type)
    about("dissimilarity", unisono.gamma, CORPUS, dissimilarity=lambda u, v: np.maximum(u.start - v.start, 0))


@pytest.mark.parametrize("mode", ["w", "r"])
def test_an_open_file_is_not_data_and_has_no_names(tmp_path, mode):
    (tmp_path / "file").touch()
    with (tmp_path / "file").open(mode) as file:
        about("corpus", unisono.gamma, file)
        about("data", unisono.cohen_kappa, file)
        about("paths", unisono.read, file)
        about("annotators", unisono.prepare, CORPUS, annotators=file)


@pytest.mark.parametrize("masses", [np.array(1), {"document": {"A": np.array(1)}}])
def test_masses_without_a_dimension_are_rejected(masses):
    with pytest.raises(DataError, match="whole numbers"):
        unisono.from_masses(masses)


@pytest.mark.parametrize("function", [unisono.cohen_kappa, unisono.krippendorff_alpha, unisono.percent_agreement])
def test_data_may_be_named(function):
    assert function(data=RATINGS) == function(RATINGS)
    about("data", function)


def test_ladders_are_compared_by_content():
    rungs = [shuffling.Rung(name, 0.5, np.array([0.0, 1.0]), np.array([1.0, 0.2])) for name in ("position", "splits")]
    ladder = shuffling.Ladder("γ", 0.6, tuple(rungs))
    assert ladder == copy.deepcopy(ladder) == pickle.loads(pickle.dumps(ladder))
    assert rungs[0] != rungs[1]
    assert ladder != shuffling.Ladder("γ", 0.6, (rungs[1], rungs[0]))
