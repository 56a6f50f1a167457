"""Differences of labels: the metrics of papers, and sums over all pairs."""

from __future__ import annotations

import numpy as np
import pytest

from unisono.dissimilarity.category import Custom, Hierarchy, Masi, Matrix, Nominal, Ordinal, Sets
from unisono.dissimilarity.difference import (
    Bipolar,
    Circular,
    CircularWeights,
    GwetOrdinal,
    IntervalScale,
    Linear,
    Quadratic,
    Radical,
    RankPairs,
    RatioScale,
    RatioWeights,
)
from unisono.dissimilarity.registry import DistanceRole, as_distance
from unisono.errors import DataError, OptionError


def as_alpha(value):
    return as_distance(value, DistanceRole.ALPHA)


def as_weights(value):
    return as_distance(value, DistanceRole.WEIGHTS)


def table_of(distance, labels, frequencies=None):
    """All pairs of labels."""
    differences = distance.differences(labels)
    if frequencies is not None:
        differences = differences.given(np.array(frequencies, dtype=float))
    n = len(labels)
    u, v = np.divmod(np.arange(n * n), n)
    return differences.compare(u, v).reshape(n, n)


def test_krippendorff_2004_ordinal_metric():
    """The rank differences of p. 230, squared; the fifth label does not occur."""
    expected = [
        [0.0, 11.0, 22.5, 30.0, 32.5, 34.0],
        [11.0, 0.0, 11.5, 19.0, 21.5, 23.0],
        [22.5, 11.5, 0.0, 7.5, 10.0, 11.5],
        [30.0, 19.0, 7.5, 0.0, 2.5, 4.0],
        [32.5, 21.5, 10.0, 2.5, 0.0, 1.5],
        [34.0, 23.0, 11.5, 4.0, 1.5, 0.0],
    ]
    assert table_of(Ordinal(), range(1, 7), [9, 13, 10, 5, 0, 3]) == pytest.approx(np.square(expected))


def test_krippendorff_1980_ordinal_metric():
    expected = [
        [0, 2, 5, 11, 16, 18],
        [2, 0, 3, 9, 14, 16],
        [5, 3, 0, 6, 11, 13],
        [11, 9, 6, 0, 5, 7],
        [16, 14, 11, 5, 0, 2],
        [18, 16, 13, 7, 2, 0],
    ]
    assert table_of(Ordinal(), [1, 2, 3, 4, 5, 10], [2, 2, 4, 8, 2, 2]) == pytest.approx(np.square(expected))


def test_krippendorff_1980_ratio_metric():
    values = np.arange(8.0)
    both = values[:, None] + values
    expected = np.square(np.divide(values[:, None] - values, both, out=np.zeros((8, 8)), where=both > 0))
    assert table_of(RatioScale(), range(8)) == pytest.approx(expected)
    assert expected[0, 3] == 1


@pytest.mark.parametrize(
    ("distance", "labels", "expected"),
    [
        (Nominal(), ["a", "b"], 1),
        (IntervalScale(), ["1", "4"], 9),
        (IntervalScale(), [-2, 0.5], 6.25),
        (RatioScale(), [1, 3], 0.25),
        (Circular(period=24), [23, 1], np.sin(np.pi / 12) ** 2),
        (Circular(period=360), [0, 180], 1),
        (Circular(period=360), [10, 370], 0),
        (Sets(), ["A|B", "B|C"], 1 - 1 / 3),
        (Sets(), [(), ("A",)], 1),
        (Sets(), [(), "|"], 0),
        (Masi(), [(), ("A",)], 1),
        (Masi(), [(), "|"], 0),
        (Masi(), ["A|B", "B|A"], 0),
        (Masi(), [("A", "B"), ("A", "B", "C", "D")], 1 - 1 / 2 * 2 / 3),
        (Masi(), ["A|B", "B|C"], 1 - 1 / 3 * 1 / 3),
        (Masi(), ["A", "B"], 1),
        (Masi(";"), ["A;B", "A"], 1 - 1 / 2 * 2 / 3),
        (Linear(), [1, 2, 5], 0.25),
        (Quadratic(), [1, 2, 5], 0.0625),
        (RankPairs(), [1, 2, 5], 1 / 3),
        (Linear(("b", "c", "a")), ["a", "b"], 1),
        (Quadratic(("a", "b", "c")), ["a", "b"], 0.25),
        (RankPairs(("a", "b", "c", "d")), ["a", "c"], 3 / 6),
        (GwetOrdinal(), [1, 2, 5], 1 / 3),
        (Radical(), [1, 2, 5], 0.5),
        (Radical(("a", "b", "c")), ["a", "b"], np.sqrt(0.5)),
        (Bipolar(), [1, 2, 5], 1 / 7),
        (Bipolar(), [1, 5, 2], 1),
        (Bipolar(("a", "b", "c", "d", "e")), ["a", "b"], 1 / 7),
        (Bipolar(("a", "b", "c", "d", "e")), ["b", "c"], 1 / 15),
        (RatioWeights(), [1, 3, 4], 0.25 / 0.36),
        (RatioWeights(), [0, 3], 1),
        (RatioWeights(("a", "b", "c")), ["a", "b"], (1 / 3) ** 2 / 0.25),
        (RatioScale(("a", "b", "c")), ["a", "b"], (1 / 3) ** 2),
        (CircularWeights(), [1, 2, 3, 4], 0.5),
        (CircularWeights(period=24), [0, 6, 12], 0.5),
        (CircularWeights(tuple("nesw")), ["n", "w"], 0.5),
        (CircularWeights(tuple("abc")), ["a", "b"], 1),
        (Circular(tuple("abc")), ["a", "b"], 0.75),
    ],
)
def test_difference(distance, labels, expected):
    table = table_of(distance, labels)
    assert table[0, 1] == pytest.approx(expected, abs=1e-15)
    assert table == pytest.approx(table.T)
    assert not np.diagonal(table).any()
    assert distance.bind(labels)(np.array([0]), np.array([1]))[0] == table[0, 1]


def test_sets_of_many_members():
    rng = np.random.default_rng(0)
    sets = [frozenset(rng.choice(300, 40, replace=False).tolist()) for _ in range(6)]
    found = table_of(Sets(), [tuple(map(str, members)) for members in sets])
    for u, first in enumerate(sets):
        for v, second in enumerate(sets):
            assert found[u, v] == pytest.approx(1 - len(first & second) / len(first | second))


@pytest.mark.parametrize(
    "distance",
    [
        Nominal(),
        Ordinal(),
        IntervalScale(),
        RatioScale(),
        Circular(period=11),
        Linear(),
        Quadratic(),
        RankPairs(),
        GwetOrdinal(),
        Radical(),
        Bipolar(),
        RatioWeights(),
        CircularWeights(),
        CircularWeights(period=7),
        Hierarchy(),
        Masi(),
        Custom(lambda u, v: np.abs(u.astype(float) - v.astype(float))),
    ],
    ids=str,
)
def test_sums_over_all_pairs(distance, monkeypatch):
    monkeypatch.setattr("unisono.dissimilarity.difference_sums._PAIRS_AT_ONCE", 40)
    rng = np.random.default_rng(3)
    labels = [*range(1, 20), 1000]
    p, q = rng.integers(0, 5, (2, 20)).astype(float)
    differences = distance.differences(labels).given(p)
    assert differences.total(p, q) == pytest.approx(p @ table_of(distance, labels, p) @ q)
    assert differences.sums(q) == pytest.approx(table_of(distance, labels, p) @ q, rel=1e-9, abs=1e-6)
    assert not differences.sums(np.zeros(20)).any()
    one = np.zeros(20)
    one[3] = 5
    assert differences.total(one, one) == 0
    assert differences.total(np.zeros(20), np.zeros(20)) == 0


def test_equal_numbers_share_a_rank():
    assert table_of(Ordinal(), ["1", "1.0", "2"], [1, 2, 4])[0].tolist() == [0, 0, 3.5**2]


def test_by_name():
    assert as_alpha("ordinal") == Ordinal()
    assert as_alpha("set") == as_alpha("jaccard") == Sets()
    assert as_alpha(Ordinal(("a", "b"))) == Ordinal(("a", "b"))
    assert as_weights(Ordinal(("a", "b"))) == RankPairs(("a", "b"))
    assert as_weights("linear") == Linear()
    assert [str(one) for one in (Ordinal(("a", "b")), Circular(period=24), Masi(), Masi(";"), Sets(), Quadratic())] == [
        *("ordinal(a,b)", "circular(24)", "masi", "masi(;)", "set", "quadratic")
    ]


def test_what_is_known_of_labels():
    assert Linear(("a", "b", "c")).known_labels(["b"]) == ("a", "b", "c")
    assert Linear().known_labels([1, 2]) == [1, 2]
    assert Matrix(("a", "b"), np.array([[0, 1], [1, 0]])).known_labels(["a"]) == ("a", "b")
    assert Nominal().known_labels(["a"]) == ["a"]


def test_greatest():
    assert Linear().greatest([1, 9]) == Nominal().greatest(["a"]) == 1
    assert IntervalScale().greatest([1, 4, 2]) == 9
    assert IntervalScale().greatest([]) == 0


@pytest.mark.parametrize(
    ("make", "error", "sentence"),
    [
        (
            lambda: IntervalScale().bind(["2", "high"]),
            DataError,
            "the label 'high' is not a number; interval needs numbers",
        ),
        (lambda: IntervalScale().bind([1, "nan"]), DataError, "the label 'nan' is not a number"),
        (lambda: IntervalScale().bind([("a", "b")]), DataError, "is not a number"),
        (lambda: RatioScale().bind([3, -1]), DataError, "the label -1 is below 0"),
        (lambda: Ordinal(("a", "b")).bind(["c"]), DataError, "'c' is not in the given order a < b; add it there"),
        (lambda: Ordinal(("a",)), OptionError, "from lowest to highest, each once"),
        (lambda: Linear(("a", "a")), OptionError, r"linear\(low,mid,high\)"),
        (lambda: Circular(period=0), OptionError, "above 0"),
        (lambda: Circular(period=float("nan")), OptionError, "expected a number, not nan"),
        (
            lambda: as_alpha("circular"),
            OptionError,
            r"cannot read the distance circular; write circular\(PERIOD\): Labels are numbers on a circle",
        ),
        (lambda: as_alpha("cosine"), OptionError, "unknown distance 'cosine'; available for α: nominal, ordinal"),
        (lambda: as_alpha(3), OptionError, "3 is not a distance"),
        (lambda: as_weights("cubic"), OptionError, "unknown distance 'cubic'; available for weights: nominal, "),
    ],
)
def test_senseless_differences(make, error, sentence):
    with pytest.raises(error, match=sentence):
        make()


def test_whole_numbers_are_found_however_they_are_given():
    """A column of whole numbers with a gap has floats."""
    for distance in (
        Ordinal(("1", "2", "3")),
        Linear(("1", "2", "3")),
        as_alpha({(1, 2): 0.5, (1, 3): 1, (2, 3): 1}),
    ):
        assert table_of(distance, [1.0, 2.0, 3.0]) == pytest.approx(table_of(distance, [1, 2, 3]))


@pytest.mark.parametrize("function", [lambda u, v: np.where(u == v, 0, np.inf), lambda u, v: ["much"] * len(u)])
def test_functions_give_finite_numbers(function):
    with pytest.raises(OptionError, match="the distance function returned"):
        table_of(as_alpha(function), ["a", "b"])


@pytest.mark.parametrize("function", [lambda u, v: (u < v) * 1.0, lambda u, v: np.ones(len(u))])
def test_functions_are_checked_for_many_labels_too(function):
    with pytest.raises(OptionError, match=r"depends on their order|from itself must be 0"):
        as_alpha(function).bind(list(range(2000)))


def test_numbers_beyond_computing():
    with pytest.raises(DataError, match="too large to compute with"):
        table_of(IntervalScale(), [1, 10**400])
    assert IntervalScale().differences([0.3, 0.1 + 0.2]).total(np.ones(2), np.ones(2)) == 0


@pytest.mark.parametrize("first", [10**14, 3 * 10**14, 10**15, 2**53 - 3, -(10**15), 10**14 + 0.25])
@pytest.mark.parametrize("distance", [IntervalScale(), Quadratic()], ids=str)
def test_numbers_much_larger_than_their_differences(distance, first):
    large, small = (distance.differences([start, start + 1, start + 2]) for start in (first, 0))
    p, q = np.array([3.0, 1.0, 0.0]), np.array([1.0, 0.0, 2.0])
    assert large.total(p, q) == large.total(q, p) == pytest.approx(small.total(p, q))
    assert large.compare(np.array([0, 0]), np.array([1, 2])) == pytest.approx(
        small.compare(np.array([0, 0]), np.array([1, 2]))
    )


def test_a_number_far_from_those_that_occur():
    differences = IntervalScale().differences([0.25, 0.5, 1e15])
    assert differences.total(*np.eye(3)[:2]) == 0.0625


@pytest.mark.parametrize("unit", [1e-99, 1e-150, 1e-300, 5e-324])
def test_numbers_whose_squares_vanish(unit):
    """Sums are in some unit, the same for all."""
    differences = IntervalScale().differences([unit, 2 * unit, 4 * unit])
    near, far = differences.compare(np.array([0, 0]), np.array([1, 2]))
    assert far / near == pytest.approx(9)
    assert differences.total(np.ones(3), np.ones(3)) / near == pytest.approx(28)


def test_nearly_the_same_places_on_a_circle():
    assert Circular(period=360).differences([0.1, 360.1, 720.1]).total(np.ones(3), np.ones(3)) == 0


def test_sums_of_neighbouring_places_on_a_circle():
    """They are much nearer to one another than to its centre."""
    differences = Circular(period=360).differences([10, 20, 25])
    p, q = np.array([2.0, 1.0, 3.0]), np.array([1.0, 4.0, 2.0])
    degrees = np.array([[0, 10, 15], [10, 0, 5], [15, 5, 0]])
    assert differences.total(p, q) == pytest.approx(p @ np.sin(np.pi * degrees / 360) ** 2 @ q)


def test_sums_of_numbers_that_are_not_whole_and_lie_near_to_one_another():
    differences = IntervalScale().differences([10.5, 11.25, 11.5])
    assert differences.total(np.array([1.0, 0, 2]), np.array([0, 3.0, 1])) == pytest.approx(3 * 0.5625 + 1 + 6 * 0.0625)


@pytest.mark.parametrize("make", [Linear, Quadratic, Radical, Bipolar, RankPairs, RatioWeights, CircularWeights])
def test_weights_are_from_0_to_1_and_reach_1(make):
    for labels in ([1, 2, 3, 4], [1, 2, 9], [3, 3.5], [0, 10, 11, 12]):
        table = table_of(make(), labels)
        assert table.max() == pytest.approx(1)
        assert table.min() == 0
        assert make().greatest(labels) == 1
    assert not table_of(make(), [5, 5.0]).any()
    assert not table_of(make(), [7]).any()
    assert table_of(make(), []).shape == (0, 0)


def test_numbers_1_to_n_are_an_order():
    for make in (Linear, Quadratic, Radical, Bipolar, RankPairs, RatioWeights, CircularWeights):
        assert table_of(make(tuple("abcd")), [*"abcd"]) == pytest.approx(table_of(make(), [1, 2, 3, 4]))


def test_a_circle_has_a_length_or_an_order():
    with pytest.raises(OptionError, match="expected the length of the circle"):
        Circular()
    with pytest.raises(OptionError, match="applies only to numbers"):
        Circular(("n", "e"), period=3)
    assert str(CircularWeights(("n", "e", "s"))) == "circular(n,e,s)"
    assert str(CircularWeights()) == "circular"
    with pytest.raises(DataError, match="is below 0; ratio needs numbers from 0 up, take quadratic"):
        RatioWeights().differences([-1, 2])


@pytest.mark.parametrize("make", [Linear, RankPairs])
@pytest.mark.parametrize("offset", [0, 1e9, -1e-9])
def test_sums_of_lengths_are_those_of_all_pairs(make, offset):
    """Running sums over the numbers in order; numbers may be written in two ways."""
    rng = np.random.default_rng(4)
    labels = [*(offset + np.round(rng.normal(size=60), 2)).tolist(), str(offset), offset]
    differences = make().differences(labels)
    table = table_of(make(), labels)
    p, q = rng.integers(0, 4, (2, len(labels))).astype(float)
    assert differences.sums(q) == pytest.approx(table @ q, rel=1e-6, abs=1e-9)
    assert differences.total(p, q) == pytest.approx(p @ table @ q, rel=1e-6)


@pytest.mark.parametrize("make", [Linear, RankPairs])
def test_one_number_written_in_several_ways_differs_by_exactly_nothing(make):
    differences = make().differences(["0.1", "0.10", 0.1, 0.7])
    p = np.array([1.0, 2, 3, 0])
    assert differences.total(p, p) == 0
    assert not differences.sums(p)[:3].any()
