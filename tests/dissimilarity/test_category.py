"""Distances between labels."""

from __future__ import annotations

import numpy as np
import pytest

import unisono
from unisono.dissimilarity.category import (
    Custom,
    Hierarchy,
    Matrix,
    Nominal,
    Numeric,
    Ordinal,
    Sets,
    with_missing,
)
from unisono.dissimilarity.combined import Dissimilarity, WeightedFeature
from unisono.dissimilarity.registry import DistanceRole, as_distance
from unisono.errors import DataError, OptionError


def _difference_of_lengths(u, v):
    return np.array([abs(len(a) - len(b)) for a, b in zip(u, v, strict=True)])


def _of_gamma(distance):
    return Dissimilarity(features=(WeightedFeature("category", 1, distance),))


def apart(distance, labels, a, b):
    """The distance of two labels, bound to all that occur."""
    compare = with_missing(distance.bind(labels))
    code = {label: index for index, label in enumerate(labels)} | {None: -1}
    value = compare(np.array([code[a]]), np.array([code[b]]))[0]
    assert compare(np.array([code[b]]), np.array([code[a]]))[0] == value
    return value


@pytest.mark.parametrize(
    ("distance", "labels", "a", "b", "expected"),
    [
        (Nominal(), ["A", "B"], "A", "B", 1),
        (Nominal(), ["A", "B"], "A", "A", 0),
        (Ordinal(("low", "mid", "high")), ["high", "low", "mid"], "low", "mid", 0.5),
        (Ordinal(("low", "mid", "high")), ["high", "low", "mid"], "low", "high", 1),
        (Numeric(), ["1", "2", "5"], "1", "2", 0.25),
        (Numeric(), [1, 2.5, 5], 1, 5, 1),
        (Numeric(10.0), ["1", "2", "5"], "1", "2", 0.1),
        (Hierarchy(), ["A", "A/B", "A/B/C", "A/D", "E"], "A/B/C", "A/B", 1 - 4 / 5),
        (Hierarchy(), ["A", "A/B", "A/B/C", "A/D", "E"], "A/B", "A/D", 0.5),
        (Hierarchy(), ["A", "A/B", "A/B/C", "A/D", "E"], "A", "E", 1),
        (Hierarchy("."), ["A.B", "A.C"], "A.B", "A.C", 0.5),
        (Sets(), ["A|B", "B|C", "B"], "A|B", "B|C", 1 - 1 / 3),
        (Sets(), [("A", "B"), ("B",)], ("A", "B"), ("B",), 0.5),
        (Sets(), ["B|A", "A|B"], "A|B", "B|A", 0),
        (Matrix(("a", "b"), np.array([[0, 0.3], [0.3, 0]])), ["a", "b"], "a", "b", 0.3),
        (Custom(_difference_of_lengths), ["x", "yyy"], "x", "yyy", 2),
    ],
)
def test_distance(distance, labels, a, b, expected):
    assert apart(distance, labels, a, b) == pytest.approx(expected)


@pytest.mark.parametrize("distance", [Nominal(), Ordinal(("A", "B")), Sets()])
def test_missing_labels_are_the_same_among_themselves_only(distance):
    assert apart(distance, ["A", "B"], None, None) == 0
    assert apart(distance, ["A", "B"], None, "A") == 1


def test_more_labels_than_a_table_holds():
    labels = [f"{i}/{j}" for i in range(60) for j in range(30)]
    assert apart(Hierarchy(), labels, "7/3", "7/9") == 0.5
    assert apart(Sets("/"), labels, "7/3", "3/7") == 0


def test_ten_thousand_nominal_labels():
    labels = [str(i) for i in range(10_000)]
    assert apart(Nominal(), labels, "200", "300") == 1
    assert apart(Nominal(), labels, "300", "300") == 0


@pytest.mark.parametrize(
    ("make", "error", "sentence"),
    [
        (lambda: Ordinal(("a", "a")), OptionError, "each once"),
        (lambda: Ordinal(("a", "b")).bind(["c"]), DataError, "'c' is not in the given order a < b"),
        (lambda: Numeric(-5.0), OptionError, "above 0"),
        (lambda: Numeric(0.0), OptionError, "above 0"),
        (lambda: Numeric().bind(["x"]), DataError, "'x' is not a number"),
        (lambda: Numeric().bind(["nan"]), DataError, "is not a number"),
        (lambda: Matrix(("a", "b"), np.array([[0, 1], [0.5, 0]])), DataError, "must be symmetric"),
        (
            lambda: Matrix(("a", "b"), np.array([[0, -1], [-1, 0]])),
            DataError,
            "-1 for 'a' and 'b' is not a number from 0",
        ),
        (lambda: _of_gamma(Matrix(("a", "b"), np.array([[0, 2], [2, 0]]))), DataError, "2 .* not within 0 to 1"),
        (lambda: Matrix(("a", "b"), np.array([[0.1, 1], [1, 0]])), DataError, "should be 0"),
        (lambda: Matrix(("a", "a"), np.array([[0, 1], [1, 0]])), DataError, "twice"),
        (lambda: Matrix(("a",), np.array([[0, 1], [1, 0]])), DataError, "categories"),
        (lambda: Matrix(("a",), np.array([[0.0]])).bind(["b"]), DataError, "'b' is not in the matrix"),
        (lambda: Custom(lambda u, v: np.array([1.0])).bind(["a", "b"]), OptionError, "one value per pair"),
        (lambda: Custom(lambda u, v: np.full(len(u), np.nan)).bind(["a"]), OptionError, "NaN"),
        (lambda: Custom(lambda u, v: np.ones(len(u))).bind(["a"]), OptionError, "from itself must be 0"),
        (lambda: Custom(lambda u, v: (u < v).astype(float)).bind(["a", "b"]), OptionError, "depends on their order"),
        (lambda: as_distance(3, DistanceRole.GAMMA), OptionError, "is not a distance"),
    ],
)
def test_senseless_distances(make, error, sentence):
    with pytest.raises(error, match=sentence):
        make()


def test_table_of_pairs():
    corpus = unisono.Corpus.from_columns(
        annotator=["a", "b"], start=[0, 0], end=[5, 5], features={"category": ["x", "y"]}, bounds={"document": (0, 99)}
    )
    assert unisono.gamma(corpus, distance={("x", "y"): 0.25}).observed == 0.25
    assert unisono.gamma(corpus, distance={"category": unisono.Ordinal(("x", "z", "y"))}).observed == 1
    assert unisono.gamma(corpus, distance=unisono.Ordinal(("x", "y", "z"))).observed == 0.5


def test_f_cat():
    corpus = unisono.Corpus.from_columns(
        annotator=["a", "b"], start=[0, 0], end=[5, 5], features={"category": ["x", "y"]}, bounds={"document": (0, 99)}
    )
    assert unisono.gamma(corpus, f_cat="steep").observed == 2  # never aligned: two units alone over x̄ = 1
    assert unisono.gamma(corpus, f_cat=lambda x: x / 4).observed == 0.25
    half = Dissimilarity(features=(WeightedFeature("category", 1, Numeric(2.0)),), f_cat="steep")
    features = {"category": unisono.data.labels.feature(["0", "1"])}
    units = unisono.Corpus.from_columns(
        annotator=["a", "b"], start=[0, 0], end=[1, 1], features={"category": ["0", "1"]}
    )
    value = half.bind(features)(next(iter(units)).annotation_set(["category"]), np.array([0]), np.array([1]))
    assert value[0] == pytest.approx(0.5, abs=1e-8)


TAXONOMY = [
    (),
    ("animal",),
    ("animal/dog",),
    ("animal/cat",),
    ("animal/cat", "animal/dog"),
    ("animal/dog", "plant"),
    ("plant",),
]


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ((), (), 0),
        ((), ("animal",), 1),
        (("animal/dog",), ("animal/cat",), 0.5),
        (("animal/cat", "animal/dog"), ("animal/dog",), 1 - 2 * 2 / (3 + 2)),
        (("animal/dog", "plant"), ("animal/cat", "animal/dog"), 1 - 2 * 2 / (3 + 3)),
        (("animal/dog", "plant"), ("plant",), 1 - 2 * 1 / (3 + 1)),
        (("animal/cat", "animal/dog"), ("plant",), 1),
    ],
)
def test_sets_of_places_in_a_taxonomy(a, b, expected):
    """By hand: all places above a path belong to the set, so {animal/dog} has two members."""
    assert apart(Hierarchy(), TAXONOMY, a, b) == pytest.approx(expected)
    written = ["|".join(label) or "|" for label in TAXONOMY]
    assert apart(Hierarchy(), written, "|".join(a) or "|", "|".join(b) or "|") == pytest.approx(expected)


def test_sets_of_places_with_and_without_what_is_above_them_are_the_same():
    assert apart(Hierarchy(), [("a", "a/b"), ("a/b",)], ("a", "a/b"), ("a/b",)) == 0


def test_single_places_are_as_far_apart_among_sets_as_among_themselves():
    paths = ["a", "a/b", "a/b/c", "a/d", "e", "e/f", "g/b"]
    alone, among = Hierarchy().bind(paths), Hierarchy().bind([*[(path,) for path in paths], (), ("a", "e")])
    first, second = np.divmod(np.arange(len(paths) ** 2), len(paths))
    assert alone(first, second) == pytest.approx(among(first, second))


def test_alpha_of_a_taxonomy_by_hand():
    """D_o is the mean distance in an item, D_e that of all pairs of labels."""
    rows = [[("a/b",), ("a/c",)], [("a/b",), ("a/b", "d")], [("d",), ("d",)]]
    found = unisono.krippendorff_alpha(rows, rows="items", distance="hierarchy")
    labels = [label for row in rows for label in row]
    compare = Hierarchy().bind(labels)
    everything = sum(float(compare(np.array([i]), np.array([j]))[0]) for i in range(6) for j in range(6))
    observed = (0.5 + (1 - 2 * 2 / (2 + 3)) + 0) / 3
    assert found.observed == pytest.approx(observed)
    assert found.value == pytest.approx(1 - observed / (everything / (6 * 5)))
