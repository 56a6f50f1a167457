"""The combined dissimilarity of two units, by hand (Mathet et al. 2015, §4.4)."""

from __future__ import annotations

import pickle
from math import inf, log1p, sqrt

import numpy as np
import pytest

from unisono.data.annotation_set import sorted_set
from unisono.data.labels import feature
from unisono.dissimilarity.category import Nominal, Numeric, Ordinal
from unisono.dissimilarity.combined import (
    Dissimilarity,
    WeightedFeature,
    positional,
    reach,
    spelled_features,
    weighted_features,
)
from unisono.errors import OptionError

SIZE = feature(["1", "3", "5"])
KIND = feature(["a", "b"])
FEATURES = {"size": SIZE, "kind": KIND}


def units(*rows):
    """Units of different annotators: start, end, code of the size, code of the kind; -1 if it is missing."""
    start, end, size, kind = (np.array(column) for column in zip(*rows, strict=True))
    codes = np.array([size, kind], dtype=np.int64)
    return sorted_set(start.astype(float), end.astype(float), np.arange(len(rows)), codes, len(rows), (0.0, 100.0))


def apart(definition, one, other):
    bound = definition.bind(FEATURES)
    both = units(one, other)
    (there,), (back,) = (bound(both, np.array([i]), np.array([1 - i])) for i in (0, 1))
    assert there == back
    return there


def of(**options):
    features = (WeightedFeature("size", 1.0, Numeric()), WeightedFeature("kind", 3.0))
    return Dissimilarity(**{"features": features, **options})


@pytest.mark.parametrize(
    ("u", "v", "expected"),
    [
        ((0, 5), (0, 5), 0),
        ((0, 5), (5, 10), 1),  # (5 + 5) / (5 + 5)
        ((1, 5), (3, 9), (6 / 10) ** 2),
        ((10, 15), (0, 20), (15 / 25) ** 2),
        ((0, 1), (20, 24), (43 / 5) ** 2),
        ((4, 4), (4, 4), 0),
        ((4, 4), (5, 5), inf),
        ((4, 4), (3, 5), 1),
    ],
)
def test_positions(u, v, expected):
    arrays = [np.array([float(value)]) for value in (*u, *v)]
    assert positional(*arrays)[0] == pytest.approx(expected)
    assert positional(*arrays[2:], *arrays[:2])[0] == pytest.approx(expected)


@pytest.mark.parametrize(
    ("u", "v", "expected"),
    [
        ((0, 5, 0, 0), (0, 5, 0, 0), 0),
        ((0, 5, 0, 0), (0, 5, 2, 0), 0.25),  # a quarter of the weight, as far apart as possible
        ((0, 5, 0, 0), (0, 5, 1, 0), 0.125),
        ((0, 5, 0, 0), (0, 5, 0, 1), 0.75),
        ((0, 5, 1, 0), (0, 5, 2, 1), 0.875),
        ((0, 5, -1, 0), (0, 5, 2, 0), 0.25),
        ((0, 5, -1, 0), (0, 5, -1, 1), 0.75),
        ((1, 5, 0, 0), (3, 9, 1, 1), 0.36 + 0.875),
    ],
)
def test_labels_by_weight(u, v, expected):
    assert apart(of(), u, v) == pytest.approx(expected)


def test_weights_of_position_and_labels():
    u, v = (1, 5, 0, 0), (3, 9, 1, 1)
    assert apart(of(alpha=3.0, beta=2.0), u, v) == pytest.approx(3 * 0.36 + 2 * 0.875)
    assert apart(of(alpha=0.0), u, v) == pytest.approx(0.875)
    assert apart(of(beta=0.0), u, v) == pytest.approx(0.36)
    assert apart(of(delta_empty=4.0), u, v) == pytest.approx(0.36 + 0.875)  # in units of Δ∅


def test_f_cat():
    u = (0, 5, 1, 0)
    steep = of(f_cat="steep")
    assert apart(steep, u, (0, 5, 2, 1)) == pytest.approx(0.875 - log1p(-(0.875**30)))
    assert apart(steep, u, (0, 5, 2, 1)) == pytest.approx(0.8933749, abs=1e-6)
    assert apart(steep, (0, 5, 0, 0), (0, 5, 2, 1)) == inf
    assert apart(of(f_cat=lambda x: x**2, beta=2.0), u, (0, 5, 2, 1)) == pytest.approx(2 * 0.875**2)


def test_a_function_of_the_user_is_in_its_own_units():
    seen = []

    def function(one, other):
        seen.append(
            (one.start.tolist(), one.end.tolist(), one.features["size"].tolist(), one.features["kind"].tolist())
        )
        return np.abs(one.start - other.start)

    assert apart(of(custom=function, delta_empty=4.0, alpha=9.0), (1, 5, 0, 1), (7, 9, -1, 0)) == 1.5
    assert seen[0] == ([1.0], [5.0], ["1"], ["b"])
    assert seen[1] == ([7.0], [9.0], [None], ["a"])
    with pytest.raises(OptionError, match="symmetric"):
        apart(of(custom=lambda one, other: np.maximum(one.start - other.start, 0)), (1, 5, 0, 1), (7, 9, 0, 0))


def test_how_near_units_must_be():
    assert reach(9.0) == 3
    assert of(alpha=4.0).bind(FEATURES).reach(9.0) == pytest.approx(sqrt(9 / 4))
    assert of(alpha=0.0).bind(FEATURES).reach(9.0) is None
    assert of(alpha=1e-12).bind(FEATURES).reach(1.0) is None
    assert of(alpha=1.1e-12).bind(FEATURES).reach(1.0) == pytest.approx(953462.6, rel=1e-6)
    assert of(custom=lambda one, other: 0).bind(FEATURES).reach(9.0) is None


def test_it_is_the_same_in_another_process():
    bound = pickle.loads(pickle.dumps(of().bind(FEATURES)))
    both = units((1, 5, 0, 0), (3, 9, 1, 1))
    assert bound(both, np.array([0]), np.array([1]))[0] == pytest.approx(0.36 + 0.875)
    assert bound.features == ("size", "kind")


@pytest.mark.parametrize("options", [{"alpha": -1.0}, {"beta": -0.1}, {"delta_empty": 0.0}, {"alpha": 0, "beta": 0}])
def test_what_cannot_be(options):
    with pytest.raises(OptionError):
        of(**options)


def test_features_are_combined_and_written():
    made = weighted_features({"size": 2.0, "kind": 1.0}, {"size": Ordinal(("1", "3"))})
    assert [(one.name, one.weight, str(one.distance)) for one in made] == [
        ("size", 2.0, "ordinal(1,3)"),
        ("kind", 1.0, "nominal"),
    ]
    assert spelled_features(made) == "size*2=ordinal(1,3)+kind"
    assert weighted_features(["size"], Numeric()) == (WeightedFeature("size", 1.0, Numeric()),)
    assert weighted_features(["kind"], {}) == (WeightedFeature("kind", 1.0, Nominal()),)
    with pytest.raises(OptionError, match="'x'"):
        weighted_features(["kind"], {"x": Nominal()})
