"""What chance models draw with a fixed seed: it must not change, or results could not be repeated.

The continuum does not begin at 0, and its units have different lengths, so that every term counts.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from drawing import draw_one
from test_chance import annotations, guessed
from test_edits import coded, layer_of, model, spelled, texts_of, words

from unisono.chance.canonical import canonical_documents, content_keys
from unisono.chance.corpus import Mixture
from unisono.chance.edits import draw as draw_editions
from unisono.chance.shift import Shift
from unisono.chance.statistical import Statistical
from unisono.data.edition import Edition
from unisono.kernels.edits import _found

WHOLE = annotations(
    [(0, 102, 105), (0, 107, 108), (0, 120, 129), (1, 103, 105), (1, 110, 115), (2, 100, 104)], 3, (100.0, 140.0)
)
FLOAT = annotations([(0, 102.5, 105), (1, 103, 105.25), (2, 100, 104)], 3, (100.0, 140.0))
TWICE = replace(WHOLE, start=WHOLE.start * 2, end=WHOLE.end * 2, bounds=(190.0, 300.0))


def drawn(chance, seed=1):
    """Return annotator, start, end and label of each unit."""
    units = draw_one(chance, seed)
    return np.array([units.annotator, units.start, units.end, units.codes[0]]).T.tolist()


GOLDEN = {
    "shift": (
        Shift(WHOLE),
        [
            [0, 111, 113, 3],
            [0, 118, 123, 4],
            [1, 118, 121, 0],
            [1, 123, 124, 1],
            [1, 136, 145, 2],
            [2, 131, 135, 5],
        ],
    ),
    "shift of positions that are not whole": (
        Shift(FLOAT),
        [
            [0, 110.49698338329175, 112.74698338329175, 1],
            [1, 117.7728307661127, 120.2728307661127, 0],
            [2, 129.74309040303322, 133.74309040303322, 2],
        ],
    ),
    "statistical": (
        Statistical(WHOLE),
        [
            [0, 14.44643418709742, 16.273002869945106, 5],
            [0, 59.770731418947264, 60.690875818339215, 3],
            [2, 65.64421538856055, 69.6854823071586, 1],
            [2, 120.52731826003465, 125.6888219506609, 4],
        ],
    ),
    "corpus": (
        Mixture([WHOLE, FLOAT, TWICE], 3),
        [
            [0, 0, 4, 2],
            [0, 40, 44, 2],
            [0, 80, 84, 2],
            [1, 2, 5, 0],
            [1, 7, 8, 1],
            [1, 20, 29, 2],
            [1, 42, 45, 0],
            [1, 47, 48, 1],
            [1, 60, 69, 2],
            [1, 82, 85, 0],
            [1, 87, 88, 1],
            [1, 100, 109, 2],
            [2, 10, 18, 5],
        ],
    ),
}


@pytest.mark.parametrize("which", GOLDEN)
def test_draws(which):
    chance, wanted = GOLDEN[which]
    np.testing.assert_allclose(drawn(chance), sorted(wanted), rtol=1e-12)


def test_keys():
    found = content_keys(canonical_documents([WHOLE, FLOAT, WHOLE]))
    assert found == [
        "852826faa2ceaeda0e3e53cccc4dec28",
        "2db3357594b51c131d4faf6053d0929d",
        "852826faa2ceaeda0e3e53cccc4dec28 1",
    ]


def test_annotators_are_numbered_from_the_start_of_the_continuum():
    units = canonical_documents([WHOLE])[0].units
    assert units.start.tolist() == [100, 102, 107, 120, 103, 110]
    assert units.annotator.tolist() == [0, 1, 1, 1, 2, 2]


@pytest.mark.parametrize("low", [0.0, 13.0, -7.0])
def test_a_shift_does_not_depend_on_where_the_continuum_begins(low):
    moved = replace(WHOLE, start=WHOLE.start + low, end=WHOLE.end + low, bounds=(100 + low, 140 + low))
    for seed in range(10):
        shifted = np.array(drawn(Shift(moved), seed))
        shifted[:, 1:3] -= low
        np.testing.assert_array_equal(shifted, drawn(Shift(WHOLE), seed))


@pytest.mark.parametrize(
    ("rows", "bounds", "distance", "crowded"),
    [
        ([(0, 0, 3), (1, 4, 8)], (0.0, 8.0), 4, False),  # the mean of 3.5 in whole positions; just enough space
        ([(0, 0, 3), (1, 4, 8)], (0.0, 7.0), 1, True),
        ([(0, 0.5, 3), (1, 4, 8)], (0.0, 8.0), 3.25, False),
        ([(0, 0.5, 3), (1, 4, 8)], (2.0, 8.0), 1.5, True),
    ],
)
def test_the_least_distance_between_splits(rows, bounds, distance, crowded):
    chance = Shift(annotations(rows, 2, bounds))
    assert (chance.distance, chance.crowded) == (distance, crowded)


def test_the_normal_distributions_of_the_statistical_model():
    chance = Statistical(WHOLE)
    assert chance._counts == pytest.approx((2, np.sqrt(2 / 3)))
    assert chance._lengths == pytest.approx((4, np.sqrt((1 + 9 + 25 + 4 + 1) / 6)))
    gaps = [0, 2, 12, 5, 102, 103, 100]  # one of 0, those between units, and those before the first ones
    assert chance._gaps == pytest.approx((np.mean(gaps), np.std(gaps)))


def test_somebody_always_marks_something_in_the_statistical_model():
    rows = [(0, 5, 9)]
    chance = Statistical(annotations(rows, 3, (0.0, 30.0)))  # a third of a unit on average
    for seed in range(30):
        assert drawn(chance, seed)[0][0] == 0


def test_inferred_continua_begin_where_the_first_one_does():
    sets = [guessed(100.0, 150.0), guessed(120.0, 170.0), guessed(600.0, 620.0)]
    assert Mixture(sets, 2)._bounds == [(100.0, 155.0), (100.0, 175.0), (600.0, 625.0)]
    edge = [guessed(100.0, 150.0), guessed(155.0, 205.0)]  # as far as it extends
    assert Mixture(edge, 2)._bounds[1] == (100.0, 210.0)
    given = replace(sets[0], inferred=False)
    assert Mixture([given, *sets[1:]], 2)._bounds == [(100.0, 155.0), (120.0, 175.0), (600.0, 625.0)]


def test_how_many_units_a_mixture_has():
    assert Mixture([WHOLE, FLOAT], 2).n_units == 3  # means of 2 and 1, for two annotators
    busy = annotations([(0, i, i + 1) for i in range(700)] + [(1, 3, 4)], 2, (0.0, 700.0))
    assert Mixture([WHOLE, FLOAT], 2)._most == 1000
    assert Mixture([WHOLE, busy], 2)._most == 1400


def test_how_often_a_short_document_is_repeated():
    short = annotations([(0, 0, 1), (0, 3, 4), (1, 0, 1), (1, 3, 4)], 2, (0.0, 5.0))
    long = annotations([(0, 0, 1), (1, 0, 1)], 2, (0.0, 10.0**6))
    units = draw_one(Mixture([short, long], 2), 0)
    assert units.n_units == 1 + 2 * 501  # 1 + 1000 // 2 times


@pytest.mark.parametrize(("n_documents", "rich"), [(2, False), (3, False), (4, True)])
def test_when_there_are_enough_mixtures(n_documents, rich):
    # six pairs of four documents with two annotators each: 24; with three annotators in one document: 6 · 2.25² = 30.4
    two = annotations([(0, 0, 1), (1, 3, 4)], 2, (0.0, 5.0))
    three = annotations([(0, 0, 1), (1, 3, 4)], 3, (0.0, 5.0))
    assert Mixture([three, *[two] * (n_documents - 1)], 2).rich == rich
    assert not Mixture([two] * n_documents, 2).rich


@pytest.mark.parametrize(
    ("seed", "number", "text", "units", "labels"),
    [
        (1, 3, "abc d fgh idj abcd bf", ["abc", "d", "fgh", "idj", "ab", "cd bf"], [0, 1, 1, 1, 0, -1]),
        (1, 4, "abc de fagh jh bcga eb", ["abc", "de", "fagh", "jh", "bcga", "eb"], [1, 1, -1, 1, -1, 0]),
        (2, 3, "iabc e ghghe ij abbcd ejffe", ["iab", "c", "e ghghe", "ij abbcd", "ejffe"], [-1, 0, 0, -1, 1]),
    ],
)
def test_editions(seed, number, text, units, labels):
    frequency = ((np.array([1.0, 2.0, 3.0]),),)
    chance = model(words("abc de fgh ij abcd ef"), p_text=0.5, p_segmentation=0.5, p_further=0.4, labels=frequency)
    edition = draw_editions(chance, [range(number, number + 1)], seed).edition(1)
    assert (spelled(edition.text), texts_of(edition)) == (text, units)
    assert edition.layers[0].codes.tolist() == [labels]


def test_a_given_number_of_edits():
    base, rng = words("abc de fgh ij abcd ef"), np.random.default_rng(1)
    edits = model(base).edits
    assert spelled(edits.edit_text(base, 3, rng).text) == "abc d fghc ij jbcd ef"
    assert texts_of(edits.segment(base, [2], rng)) == ["abc", "d", "e", "fgh", "ij", "abcd ef"]


def test_a_split_before_white_space_at_the_end_of_the_text():
    base = Edition(coded("ab  "), (layer_of([(0, 4)]),))
    edits = model(base).edits
    found = {tuple(texts_of(edits.segment(base, [1], np.random.default_rng(seed)))) for seed in range(20)}
    assert found == {("a", "b  "), ("ab", "  "), ("ab ", " ")}


def test_where_a_random_number_falls():
    totals = np.array([0.0, 1.0, 4.0, 8.0])
    assert [_found.plain(totals, 0, 3, 0.0, at) for at in (0.0, 0.99, 1.0, 3.99, 4.0, 7.99)] == [0, 0, 1, 1, 2, 2]
    assert [_found.plain(totals, 2, 3, 3.0, at) for at in (1.0, 4.99)] == [2, 2]  # the one before is skipped


def test_a_continuum_without_length_is_not_repeated():
    point = annotations([(0, 5, 5), (1, 5, 5)], 2, (5.0, 5.0))
    for seed in range(5):
        units = draw_one(Mixture([point, FLOAT], 2), seed)
        assert sorted(units.start.tolist())[0] in (0.0, 2.5, 3.0)
        assert ((units.start == units.end) & (units.start == 0)).sum() == 1
