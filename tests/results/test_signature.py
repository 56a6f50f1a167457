"""Two values that were measured differently have different signatures."""

import functools
import itertools
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import unisono
from unisono.dissimilarity.category import Numeric, Ordinal
from unisono.dissimilarity.combined import WeightedFeature, spelled_features
from unisono.dissimilarity.difference import Circular
from unisono.measurement.text_gamma.rates import Prior, Rate
from unisono.results import Signature, function_name, spelled

FRAME = pd.DataFrame({"annotator": ["A", "B"], "start": [0, 1], "end": [3, 4], "category": ["a|b", "a¦b"]})
scale = 1.0
table = np.arange(3000.0)


def prepared(**options):
    return unisono.span_f1(unisono.from_frame(FRAME, **options)).signature


@pytest.mark.parametrize(
    ("number", "written"),
    [
        (5000.0, "5000"),
        (0.1, "0.1"),
        (1e8, "1e+08"),
        (1234567.0, "1234567"),
        (0.33333331, "0.33333331"),
        (1234567.5, "1234567.5"),
    ],
)
def test_numbers_are_written_exactly(number, written):
    assert spelled(number) == spelled(np.float64(number)) == written
    assert float(written) == number


def test_the_continuum_is_written_exactly():
    assert "continuum=0:1234567|" in prepared(continuum=(0, 1234567))
    assert prepared(continuum=(0, 1234567)) != prepared(continuum=(0, 1234571))
    assert "continuum=0:5000|" in prepared(continuum=(0, 5000))


@pytest.mark.parametrize(
    "written",
    [
        lambda number: spelled_features([WeightedFeature("pos", number)]),
        lambda number: str(Numeric(number)),
        lambda number: str(Circular(period=number)),
        lambda number: str(Prior(0.1, number)),
        lambda number: str(Rate(number, "given")),
    ],
)
def test_weights_ranges_and_rates_are_written_exactly(written):
    assert written(10) != written(10.0000001)


def test_names_with_marks_are_told_from_several_names():
    assert str(Ordinal(["x", "q,r", "y"])) != str(Ordinal(["x", "q", "r", "y"]))
    one, two = [WeightedFeature("a+b")], [WeightedFeature("a"), WeightedFeature("b")]
    assert spelled_features(one) != spelled_features(two) == "a+b"


def test_a_quoted_label_of_an_order_can_be_read_back():
    ratings = unisono.Ratings.of({"A": ["x", "q,r", "y"], "B": ["x", "x", "y"]})
    order = Ordinal(["x", "q,r", "y"])
    one, other = (unisono.krippendorff_alpha(ratings, distance=distance) for distance in (order, str(order)))
    assert one.signature == other.signature


def test_bars_within_a_value_do_not_separate_and_stay_different():
    texts = ["|", "¦", "\\|", "\\¦", "\\\\¦", "||", "¦¦"]
    written = [str(Signature("gamma", {"where": text})) for text in texts]
    assert len(set(written)) == len(texts)
    assert {text.count("|") for text in written} == {2}
    data = unisono.from_frame(FRAME)
    parts = [unisono.prepare(data, where=f'category != "{label}"') for label in ("a|b", "a¦b")]
    assert len({unisono.span_f1(part).signature for part in parts}) == 2


def test_who_worked_where_is_part_of_the_signature(tmp_path: Path):
    lists = [pd.DataFrame({"document": ["document"] * len(who), "annotator": list(who)}) for who in ("D", "DE", "ED")]
    one, two, turned = (prepared(worked=who) for who in lists)
    assert one != two == turned
    FRAME.to_csv(tmp_path / "units.csv", index=False)
    signatures = set()
    for who in lists:
        who.assign(document="units").to_csv(tmp_path / "worked.csv", index=False)
        signatures.add(unisono.span_f1(unisono.read(tmp_path / "units.csv", worked=tmp_path / "worked.csv")).signature)
    assert len(signatures) == 2


# ----------------------------------------------------------------------------------------------------------------------
# functions


def by_global(value):
    global scale
    scale = value

    def distance(x, y):
        return (x != y) * scale

    return function_name(distance)


def by_function_in_global(value):
    global scale
    scale = lambda x: x * value  # noqa: E731
    return function_name(lambda x, y: [scale(x != y) for _ in y])


def by_closure(value):
    return function_name(lambda x, y: (x != y) * value)


def by_closure_over_function(value):
    inner = (lambda x: x / 10) if value == 1 else (lambda x: x / 30)
    return function_name(lambda x, y: inner(x != y))


def by_partial(value):
    return function_name(functools.partial(lambda k, x, y: (x != y) * k, value))


def by_default(value):
    return function_name(lambda x, y, k=value: (x != y) * k)


def by_array(value):
    values = table.copy()
    values[1500] = value
    return function_name(lambda x, y: values[x] - values[y])


def by_frame(value):
    values = pd.DataFrame({"k": [1.0, value]})
    return function_name(lambda x, y: (x != y) * values.k[1])


class Slotted:
    __slots__ = ("k",)

    def __init__(self, k):
        self.k = k

    def __call__(self, x, y):
        return (x != y) * self.k

    def method(self, x, y):
        return (x != y) * self.k


class Stateful:
    def __init__(self, k):
        self.inner = Slotted(k)
        self.circle = self

    def __call__(self, x, y):
        return self.inner(x, y)


@functools.cache
def cached(value):
    return by_closure(value)


@pytest.mark.parametrize(
    "named",
    [
        by_global,
        by_function_in_global,
        by_closure,
        by_closure_over_function,
        by_partial,
        by_default,
        by_array,
        by_frame,
        lambda value: function_name(Slotted(value)),
        lambda value: function_name(Slotted(value).method),
        lambda value: function_name(Stateful(value)),
    ],
)
def test_a_function_is_told_from_one_that_depends_on_other_values(named):
    assert named(1) == named(1)
    assert named(1) != named(2)


def scaled(x, y):
    return (x != y) * scale


@pytest.mark.parametrize(
    "measured",
    [
        lambda: unisono.krippendorff_alpha({"A": ["x", "y", "y"], "B": ["x", "x", "y"]}, distance=scaled),
        lambda: unisono.gamma(unisono.from_frame(FRAME, continuum=(0, 10)), distance=scaled),
    ],
)
def test_the_signature_says_what_a_global_was_when_it_was_measured(measured, monkeypatch):
    monkeypatch.setitem(globals(), "scale", 1.0)
    one = measured()
    monkeypatch.setitem(globals(), "scale", 0.5)
    assert one.signature != measured().signature


def test_functions_that_refer_to_themselves_or_to_libraries_have_a_name():
    def circle(x, y):
        return circle if x is None else np.mean(x) + len(y) + cached(1).count("#") + later

    nested = []
    for _ in range(10_000):
        nested = [nested]
    functions = [circle, np.subtract, max, np.mean, cached, Slotted, lambda x: nested, lambda x: open]
    names = [function_name(function) for function in functions]
    assert names == [function_name(function) for function in functions]
    assert not [one for one, other in itertools.combinations(names, 2) if one == other]
    later = 1
