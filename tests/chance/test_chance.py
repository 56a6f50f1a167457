"""Random annotations keep what they must keep, and nothing else agrees."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from drawing import documents_of, draw_one, splits_of
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import beta, chi2, kstest

from unisono.chance.corpus import Mixture
from unisono.chance.shift import Shift
from unisono.data.annotation_set import sorted_set


def annotations(rows, n, bounds, codes=None):
    rows = np.array(rows, dtype=float).reshape(-1, 3)
    who = rows[:, 0].astype(np.int64)
    labels = np.arange(len(rows)) if codes is None else np.array(codes)
    return sorted_set(rows[:, 1], rows[:, 2], who, labels.reshape(1, -1).astype(np.int64), n, bounds)


UNITS = annotations([(0, 2, 5), (0, 7, 8), (0, 20, 29), (1, 3, 5), (1, 10, 15), (2, 0, 4)], 3, (0.0, 40.0))


def test_shift_keeps_a_real_annotators_units_and_their_order_around_the_circle():
    for seed in range(50):
        random = draw_one(Shift(UNITS), seed)
        assert random.n_annotators == 3
        for who in range(3):
            mine = random.annotator == who
            codes = set(random.codes[0, mine])
            source = [set(UNITS.codes[0, UNITS.annotator == real]) for real in range(3)]
            assert codes in source
            for start, end, code in zip(random.start[mine], random.end[mine], random.codes[0, mine], strict=True):
                real = int(np.flatnonzero(UNITS.codes[0] == code)[0])
                assert end - start == UNITS.end[real] - UNITS.start[real]
                assert 0 <= start < 40
            shifts = {
                (start - UNITS.start[np.flatnonzero(UNITS.codes[0] == code)[0]]) % 40
                for start, code in zip(random.start[mine], random.codes[0, mine], strict=True)
            }
            assert len(shifts) == 1


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 6), st.integers(40, 400), st.booleans())
def test_splits_keep_their_distance(seed, n, length, whole):
    rng = np.random.default_rng(seed)
    start = rng.integers(0, length - 5, 4) if whole else rng.uniform(0, length - 5, 4)
    units = annotations([(i % n, s, s + 4.5 + (0.5 if whole else 0)) for i, s in enumerate(start)], n, (0.0, length))
    model = Shift(units)
    splits = np.sort(splits_of(model, seed))
    gaps = np.diff(np.append(splits, splits[0] + length))
    assert gaps.min() >= model.distance - 1e-9
    assert model.crowded == (np.ceil(5) * n > length if whole else 4.5 * n > length)
    if whole:
        assert (splits == np.floor(splits)).all()
    else:
        assert not model._whole


def test_splits_are_uniform():
    model = Shift(UNITS)
    splits = np.array([splits_of(model, seed) for seed in range(4000)])
    counts = np.bincount(splits.ravel().astype(int), minlength=40)
    expected = splits.size / 40
    assert ((counts - expected) ** 2 / expected).sum() < 80  # χ² with 39 degrees of freedom, far out


def test_all_choices_of_splits_are_equally_likely():
    # three splits around a circle of 11 places, at least 3 apart: all of them, by enumeration
    units = annotations([(0, 0, 3), (1, 4, 7), (2, 6, 9)], 3, (0.0, 11.0))
    model = Shift(units)
    assert model.distance == 3
    possible = [
        chosen
        for chosen in combinations(range(11), 3)
        if all((b - a) % 11 >= 3 for a, b in zip(chosen, (*chosen[1:], chosen[0]), strict=True))
    ]
    drawn = Counter(tuple(sorted(splits_of(model, seed))) for seed in range(6000))
    assert set(drawn) == set(possible)
    expected = 6000 / len(possible)
    assert sum((drawn[one] - expected) ** 2 / expected for one in possible) < chi2.ppf(0.9999, len(possible) - 1)


def test_splits_may_coincide_where_units_have_no_length():
    model = Shift(annotations([(0, 2, 2), (1, 3, 3)], 2, (0.0, 4.0)))
    drawn = Counter(tuple(splits_of(model, seed)) for seed in range(4000))
    assert len(drawn) == 16
    assert sum((count - 250) ** 2 / 250 for count in drawn.values()) < chi2.ppf(0.9999, 15)


def test_splits_of_positions_that_are_not_whole_are_uniform():
    # the excess of distances over the least one: each is Beta(1, n - 1) of what is free
    model = Shift(annotations([(0, 0.5, 1.5), (1, 4, 5), (2, 6, 7)], 3, (0.0, 10.0)))
    splits = np.sort([splits_of(model, seed) for seed in range(3000)], axis=1)
    gaps = np.diff(splits, axis=1, append=splits[:, :1] + 10) - model.distance
    any_gap = gaps[np.arange(3000), np.arange(3000) % 3]
    assert kstest(any_gap / 7, beta(1, 2).cdf).pvalue > 1e-4


def test_crowded_continuum_still_gives_samples():
    units = annotations([(i, 0, 30) for i in range(5)] + [(0, 31, 33)], 5, (0.0, 40.0))
    model = Shift(units)
    assert model.crowded
    assert model.impossible is None
    assert draw_one(model, 0).n_units >= 5


@pytest.mark.parametrize(
    ("rows", "bounds", "reason"),
    [
        ([], (0.0, 0.0), "no units"),
        ([(0, 5, 5), (1, 5, 5)], (5.0, 5.0), "no length"),
        ([(0, 0, 9), (1, 0, 9)], (0.0, 9.0), "covers the whole"),
    ],
)
def test_impossible_shifts(rows, bounds, reason):
    assert reason in Shift(annotations(rows, 2, bounds)).impossible


def test_mixture_takes_different_documents_and_repeats_the_shorter():
    short = annotations([(0, 1, 3), (1, 2, 4)], 2, (0.0, 10.0), codes=[0, 1])
    long = annotations([(0, 12, 15), (1, 30, 33)], 2, (5.0, 40.0), codes=[2, 3])
    model = Mixture([short, long], 2)
    seen = set()
    for seed in range(60):
        units = draw_one(model, seed)
        assert documents_of(model, seed) == (0, 1)
        codes = units.codes[0]
        for code in (0, 1):
            starts = units.start[codes == code]
            if len(starts):
                assert starts.tolist() == [1 + code, 11 + code, 21 + code, 31 + code]
        for code, where in ((2, 7), (3, 25)):
            starts = units.start[codes == code]
            assert starts.tolist() in ([], [where])
        seen.add(tuple(sorted(set(codes.tolist()))))
    assert seen == {(0, 2), (0, 3), (1, 2), (1, 3)}


def test_mixture_of_annotators_who_marked_nothing():
    some = annotations([(0, 1, 3)], 3, (0.0, 10.0))
    model = Mixture([some, some, some, some], 3)
    sizes = [draw_one(model, seed).n_units for seed in range(60)]
    assert set(sizes) == {1, 2, 3}  # those who marked nothing beside others are drawn, but not three of them


def test_documents_that_are_not_measured_are_not_mixed():
    nobody = annotations([], 3, (0.0, 20.0))
    alone = annotations([(0, 1, 3)], 1, (0.0, 500.0))
    unopened = annotations([], 0, (0.0, 20.0))
    other = annotations([(0, 3, 9), (1, 2, 9), (2, 2, 5)], 3, (0.0, 12.0))
    among = Mixture([nobody, UNITS, alone, other, unopened, UNITS], 3)
    only = Mixture([UNITS, other, UNITS], 3)
    assert "there are 2 and 3" in Mixture([nobody, UNITS, alone, other, unopened], 3).impossible
    assert not Mixture([nobody] * 9 + [UNITS, other], 2).rich
    for seed in range(20):
        one, two = (draw_one(model, seed) for model in (among, only))
        assert one == two
        assert documents_of(among, seed) == (1, 3, 5)
    assert among.n_units == only.n_units


def test_mixture_needs_as_many_documents_as_annotators():
    assert "as many documents as annotators" in Mixture([UNITS, UNITS], 3).impossible
    assert not Mixture([UNITS], 2).rich
    assert Mixture([UNITS] * 5, 3).rich


def guessed(first, *more):
    """A document with units of two annotators and a continuum guessed from them."""
    rows = [(who, start, start + 5) for who in (0, 1) for start in (first, *more)]
    return replace(annotations(rows, 2, (first, max(first, *more, first) + 5.0)), inferred=True)


def test_mixture_of_guessed_continua_does_not_let_first_units_coincide():
    sets = [guessed(10.0, 60.0), guessed(40.0, 90.0), guessed(30.0, 80.0), guessed(45.0, 97.0)]
    for seed in range(20):
        units = draw_one(Mixture(sets, 2), seed)
        assert units.start[units.annotator == 0][0] != units.start[units.annotator == 1][0]


def test_mixture_of_documents_whose_positions_run_on():
    sets = [guessed(0.0, 50.0), guessed(60.0, 100.0), guessed(110.0, 170.0)]
    for seed in range(10):
        assert draw_one(Mixture(sets, 2), seed).end.max() <= 130


def test_mosaic_does_not_explode():
    short = annotations([(0, 0, 1), (1, 0, 1)], 2, (0.0, 1.0))
    long = annotations([(0, 10 * i, 10 * i + 5) for i in range(50)] + [(1, 3, 9)], 2, (0.0, 10.0**7))
    for seed in range(10):
        assert draw_one(Mixture([short, long], 2), seed).n_units <= 2200


def test_zero_length_units_at_the_end_are_kept():
    sets = [annotations([(0, 100, 100), (1, 100, 100)], 2, (0.0, 100.0))] * 4
    assert draw_one(Mixture(sets, 2), 0).n_units == 2
