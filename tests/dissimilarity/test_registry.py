"""Every distance is declared once: names, roles, messages, help, and objects that pickle and compare."""

from __future__ import annotations

import copy
import pickle
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

import unisono
from unisono.dissimilarity import registry
from unisono.dissimilarity.category import Custom, Distance, Hierarchy, Masi, Matrix, Nominal, Numeric, Ordinal, Sets
from unisono.dissimilarity.difference import (
    Bipolar,
    Circular,
    CircularWeights,
    GwetOrdinal,
    IntervalScale,
    Linear,
    NormalizedLevenshtein,
    Quadratic,
    Radical,
    RankPairs,
    RatioScale,
    RatioWeights,
)
from unisono.dissimilarity.registry import (
    DistanceKind,
    DistanceRole,
    as_distance,
    available_distances,
    distance_kinds,
    named_distance,
    register_distance,
)
from unisono.errors import OptionError
from unisono.measurement.readers import read_distance
from unisono.measurement.registry import measures

GAMMA, TEXT_GAMMA, TEXTS, ALPHA, WEIGHTS = DistanceRole
EVERY = sorted({kind for role in DistanceRole for kind in distance_kinds(role)}, key=lambda kind: kind.make.__name__)
EXAMPLES = [
    Nominal(),
    Ordinal(),
    Ordinal(("low", "mid", "high")),
    Numeric(),
    Numeric(10.0),
    Hierarchy(),
    Hierarchy("."),
    Sets(),
    Sets(";"),
    Masi(),
    Matrix(("a", "b"), np.array([[0, 0.5], [0.5, 0]])),
    Matrix(("a", "b"), np.array([[0, 0.25], [0.25, 0]])),
    IntervalScale(),
    RatioScale(),
    Circular(period=360.0),
    NormalizedLevenshtein(),
    Linear(),
    Quadratic(("low", "high")),
    RankPairs(),
    GwetOrdinal(),
    Radical(),
    Radical(("low", "mid", "high")),
    Bipolar(("low", "mid", "high")),
    RatioWeights(("low", "mid", "high")),
    RatioScale(("low", "mid", "high")),
    CircularWeights(),
    CircularWeights(period=12.0),
    CircularWeights(("north", "east", "south")),
    Circular(("north", "east", "south")),
    Custom(np.not_equal),
]


@dataclass(frozen=True)
class Lengths(Distance):
    """Labels are words: how far their lengths are apart, over the longer one."""

    at_least: int = 1
    name: ClassVar[str] = "lengths"

    @classmethod
    def read(cls, words, load):
        return cls(*map(int, words))

    def bind(self, labels):
        sizes = np.array([max(len(label), self.at_least) for label in labels], dtype=float)
        return lambda u, v: np.abs(sizes[u] - sizes[v]) / np.maximum(sizes[u], sizes[v])


@pytest.fixture
def lengths(monkeypatch):
    monkeypatch.setattr(registry, "_KINDS", [*registry._KINDS])
    register_distance(DistanceKind(Lengths, (GAMMA, ALPHA), aliases=("sizes",)))


@pytest.mark.usefixtures("lengths")
def test_a_new_distance_is_one_class_and_one_registration():
    corpus = unisono.Corpus.from_columns(
        annotator=["a", "b"],
        start=[0, 0],
        end=[5, 5],
        features={"category": ["xx", "xxxx"]},
        bounds={"document": (0, 9)},
    )
    assert unisono.measure("gamma(distance=lengths)", corpus).observed == 0.5
    assert unisono.measure("gamma(distance=lengths(3))", corpus).observed == 0.25
    assert unisono.gamma(corpus, distance="sizes(3)").observed == 0.25
    items = {"anna": ["xx", "x", "xxxx"], "bert": ["xxxx", "x", "xxxx"]}
    found = unisono.krippendorff_alpha(items, distance="lengths")
    assert found.observed == pytest.approx(2 * 0.5 / 6)
    assert "distance:lengths" in found.signature
    with pytest.raises(OptionError, match=r"unknown distance 'length'; available for γ: nominal, .*, lengths"):
        unisono.gamma(corpus, distance="length")
    with pytest.raises(OptionError, match="the distance lengths is for γ and α; available for weights: nominal"):
        unisono.weighted_kappa(items, weights="lengths")
    with pytest.raises(OptionError, match=r"cannot read the distance lengths\(x\); write lengths: Labels are words"):
        unisono.gamma(corpus, distance="lengths(x)")
    with pytest.raises(OptionError, match="already a distance 'lengths' for γ"):
        register_distance(DistanceKind(Lengths, (GAMMA,)))


@pytest.mark.parametrize("role", DistanceRole)
def test_names_are_found_in_their_role(role):
    for kind in distance_kinds(role):
        for name in (kind.name, *kind.aliases):
            arguments = {"PERIOD": ["12"], "FILE": ["f"]}.get(kind.arguments, [])
            made = named_distance(name, arguments, role, lambda path: (("a", "b"), 1 - np.eye(2)))
            assert type(made) is kind.make
            assert as_distance(made, role) is made
    assert len({kind.name for kind in distance_kinds(role)}) == len(distance_kinds(role))


@pytest.mark.parametrize("kind", EVERY, ids=lambda kind: kind.make.__name__)
def test_every_distance_says_what_it_is(kind):
    assert kind.about.endswith(".")
    assert kind.about[0].isupper()
    assert kind.make.__doc__.startswith(kind.about)


@pytest.mark.parametrize(
    ("measure", "parameter", "role"),
    [
        ("gamma", "distance", GAMMA),
        ("text-gamma", "distance", TEXT_GAMMA),
        ("krippendorff-alpha", "distance", ALPHA),
        ("cu-alpha", "distance", ALPHA),
        ("weighted-kappa", "weights", WEIGHTS),
        ("gwet-ac2", "weights", WEIGHTS),
        ("fleiss-kappa", "weights", WEIGHTS),
        ("light-kappa", "weights", WEIGHTS),
    ],
)
def test_help_lists_what_there_is(measure, parameter, role):
    declared = next(one for one in measures()[measure].parameters if one.name == parameter)
    assert available_distances(role) in declared.description
    for kind in distance_kinds(role):
        assert kind.name in declared.description


def test_documentation_names_every_distance():
    pages = "".join(path.read_text(encoding="utf-8") for path in (Path(__file__).parents[2] / "docs").glob("*.md"))
    for kind in EVERY:
        assert f"`{kind.name}" in pages or f"={kind.name}" in pages


@pytest.mark.parametrize("distance", EXAMPLES, ids=repr)
def test_distances_pickle_copy_and_compare(distance):
    for other in (pickle.loads(pickle.dumps(distance)), copy.copy(distance), copy.deepcopy(distance)):
        assert other == distance
        assert hash(other) == hash(distance)
        assert (str(other), repr(other), other.signature) == (str(distance), repr(distance), distance.signature)
    assert [other for other in EXAMPLES if other == distance] == [distance]
    assert type(distance).__name__ in repr(distance)
    assert " at 0x" not in repr(distance)


@pytest.mark.parametrize("distance", [one for one in EXAMPLES if not isinstance(one, Custom | Matrix)], ids=str)
def test_what_is_written_reads_back(distance):
    roles = [role for role in DistanceRole if any(type(distance) is kind.make for kind in distance_kinds(role))]
    assert roles
    for role in roles:
        assert read_distance(str(distance), role) == distance


def test_a_table_does_not_change_under_its_distance():
    values = np.array([[0, 0.5], [0.5, 0]])
    matrix = Matrix(("a", "b"), values)
    before = hash(matrix)
    values[0, 1] = values[1, 0] = 0.75
    assert hash(matrix) == before
    assert matrix == Matrix(("a", "b"), np.array([[0, 0.5], [0.5, 0]]), source="elsewhere")
    with pytest.raises(ValueError, match="read-only"):
        matrix.values[0, 1] = 0.75


def test_the_same_scale_for_another_role():
    assert as_distance(Ordinal(("a", "b")), WEIGHTS) == RankPairs(("a", "b"))
    assert as_distance(RankPairs(("a", "b")), GAMMA) == Ordinal(("a", "b"))
    assert as_distance(Ordinal(("a", "b")), ALPHA) == Ordinal(("a", "b"))
    assert as_distance(Masi(), GAMMA) == Masi()  # given in Python, a distance is taken as it is


@pytest.mark.parametrize(
    ("written", "role", "sentence"),
    [
        ("matrix", GAMMA, r"cannot read the distance matrix; write matrix\(FILE\): Distances from a table"),
        ("numeric(x)", GAMMA, r"cannot read the distance numeric\(x\); write numeric: Labels are numbers"),
        ("nominal(x)", GAMMA, r"cannot read the distance nominal\(x\); write nominal: Two labels"),
        ("set(a,b)", ALPHA, r"cannot read the distance set\(a,b\)"),
        ("interval", GAMMA, "the distance interval is for α; available for γ: nominal"),
        ("ordinal(a", GAMMA, r"cannot read the distance 'ordinal\(a'"),
        ("ordinal(a)b", GAMMA, "unexpected 'b'"),
        (3, ALPHA, "3 is not a distance between labels; available for α: nominal"),
        ({"x": 1}, ALPHA, "'x' is not two labels"),
        ({("x", "y"): 1, ("y", "x"): 0.5}, GAMMA, "two different distances are given for 'x' and 'y'"),
    ],
)
def test_invalid_distances(written, role, sentence):
    with pytest.raises(OptionError, match=sentence):
        read_distance(written, role)
