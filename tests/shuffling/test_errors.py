"""Errors of every kind against their definition: rates, distributions, and nothing else touched.

Seeds are fixed; bounds are so wide (five standard errors) that right code passes with any seed.
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from unisono import DataError, OptionError, Ordinal
from unisono.data import Corpus
from unisono.shuffling import generate, reference_of, shuffle
from unisono.shuffling.errors import (
    ERROR_KINDS,
    TEXT_ERROR_KINDS,
    ReferenceProfile,
    _spread,
    confusion_probabilities,
)
from unisono.shuffling.kinds import error_kind
from unisono.shuffling.shuffler import Errors, check_category_options, parse_errors, shuffler_of
from unisono.shuffling.units import UnitMarks

UNIT_ERRORS = [name for name in ERROR_KINDS if not name.startswith("cuts-")]
CUT_ERRORS = [name for name in ERROR_KINDS if name.startswith("cuts-")]
TOGETHER = [
    "position+category",
    "position-apart+category",
    "false-negatives+false-positives",
    "splits+merges",
    "position+category+false-negatives+false-positives+splits+merges",
    "position(factor=3)+false-positives(factor=0.5)",
]
MANY = 3000


def corpus(units, bounds=(0, 1000), features=None, **more):
    """Make a reference out of spans."""
    start, end = zip(*units, strict=True)
    return Corpus.from_columns(
        annotator=["anna"] * len(units),
        start=np.array(start),
        end=np.array(end),
        features=features or {},
        bounds={"document": bounds},
        **more,
    )


def rows(made, document=0):
    """Give each annotator's units of a document as (start, end, *labels)."""
    here = made.document == document
    columns = [made.start, made.end, *(np.array(f.values(), dtype=object) for f in made.features.values())]
    return [
        list(zip(*(column[here & (made.annotator == who)].tolist() for column in columns), strict=True))
        for who in range(len(made.annotators))
    ]


def spans(units):
    return [unit[:2] for unit in units]


def is_uniform(values, low=0.0, high=1.0):
    """Tell whether values are spread evenly from low to high (Kolmogorov-Smirnov, p about 10⁻⁶)."""
    share = (np.sort(np.asarray(values, dtype=float)) - low) / (high - low)
    n = len(share)
    return max((np.arange(1, n + 1) / n - share).max(), (share - np.arange(n) / n).max()) < 2.7 / np.sqrt(n)


def fits(counts, shares):
    """Tell whether counts are what shares give (χ² below its mean and five standard deviations)."""
    counts, shares = np.asarray(counts, dtype=float), np.asarray(shares, dtype=float)
    expected = counts.sum() * shares / shares.sum()
    assert not counts[expected == 0].any()
    counts, expected = counts[expected > 0], expected[expected > 0]
    free = max(len(counts) - 1, 1)
    return ((counts - expected) ** 2 / expected).sum() < free + 5 * np.sqrt(2 * free)


def is_rate(count, n, share):
    return abs(count - n * share) <= 5 * np.sqrt(n * share * (1 - share)) + 1e-9


def are_unrelated(x, y):
    return abs(np.corrcoef(x, y)[0, 1]) < 5 / np.sqrt(len(x))


# Position


LENGTHS = np.array([8.0, 40.0, 120.0])
APART = corpus(
    [(1000.0, 1008.0), (3000.0, 3040.0), (5000.0, 5120.0)],
    bounds=(0, 10000),
    features={"category": ["A", "B", None], "sure": ["yes", None, "no"]},
)


@pytest.mark.parametrize("error", ["position", "position-apart"])
@pytest.mark.parametrize(("magnitude", "factor"), [(0.2, 2.0), (0.05, 2.0), (0.4, 1.0)])
def test_boundaries_shift_evenly_up_to_a_part_of_their_units_length(error, magnitude, factor):
    written = error if factor == 2.0 else f"{error}(factor={factor})"
    made = shuffle(APART, written, magnitude, n_annotators=MANY)
    start = (made.start.reshape(MANY, 3) - APART.start) / (magnitude * factor * LENGTHS)
    end = (made.end.reshape(MANY, 3) - APART.end) / (magnitude * factor * LENGTHS)
    shifts = np.concatenate([start, end], axis=1)
    assert np.abs(shifts).max() <= 1 + 1e-9
    for column in shifts.T:
        assert is_uniform(column, -1, 1)
    for one in range(6):
        assert all(are_unrelated(shifts[:, one], shifts[:, other]) for other in range(one))
    assert are_unrelated(shifts[:-1].ravel(), shifts[1:].ravel())  # annotators are independent of each other


@pytest.mark.parametrize("magnitude", [0.2, 0.6, 1.0])
def test_shifted_units_keep_number_labels_and_distance(magnitude):
    made = shuffle(APART, "position", magnitude, n_annotators=MANY)
    assert made.features["category"].values() == ["A", "B", None] * MANY
    assert made.features["sure"].values() == ["yes", None, "no"] * MANY
    reach = 2 * magnitude * LENGTHS
    for boundary in (made.start, made.end):
        assert (boundary.reshape(MANY, 3) >= APART.start - reach).all()
        assert (boundary.reshape(MANY, 3) <= APART.end + reach).all()
    assert (made.end > made.start).all()


def test_boundaries_that_pass_each_other_change_roles():
    made = shuffle(corpus([(500.0, 510.0)]), "position", 1.0, n_annotators=MANY)
    middle = (made.start + made.end - 1010) / 2
    # the mean of two even shifts from -20 to 20, whichever comes first
    assert abs(middle.mean()) < 5 * np.sqrt(20**2 / 3 / 2 / MANY)
    assert abs(middle.var() - 20**2 / 3 / 2) < 0.1 * 20**2 / 3 / 2


def test_whole_positions_stay_whole():
    made = shuffle(corpus([(500, 510)]), "position", 0.2, n_annotators=MANY)
    assert made.start.dtype == made.end.dtype == np.int64
    # from -4 to 4, rounded: both outermost values are half as likely
    for shift in (made.start - 500, made.end - 510):
        assert fits(np.bincount(shift + 4, minlength=9), [0.5, 1, 1, 1, 1, 1, 1, 1, 0.5])


@pytest.mark.parametrize("error", ["position", "position-apart"])
@pytest.mark.parametrize("magnitude", [0.1, 0.5, 1.0])
@pytest.mark.parametrize(
    "reference",
    [
        corpus([(0, 1), (1, 2), (5, 6), (49, 50)], bounds=(0, 50)),
        corpus([(-20, -19), (-15, 30), (30, 31)], bounds=(-20, 31)),
        corpus([(0, 10)], bounds=(0, 10)),
    ],
)
def test_units_neither_vanish_nor_leave_the_continuum(error, magnitude, reference):
    made = shuffle(reference, error, magnitude, n_annotators=300)
    low, high = reference.bounds[0]
    assert made.n_units == 300 * reference.n_units
    assert (made.end - made.start >= 1).all()
    assert made.start.min() >= low
    assert made.end.max() <= high
    assert made.bounds == reference.bounds


@pytest.mark.parametrize("error", ["position", "position-apart"])
def test_units_at_positions_between_whole_numbers_do_not_vanish(error):
    reference = corpus([(0.0, 10.5), (10.5, 20.0), (20.0, 30.0)], bounds=(0, 30))
    made = shuffle(reference, error, 1.0, n_annotators=300)
    assert (made.end > made.start).all()


def test_rounded_positions_stay_in_a_continuum_that_ends_between_whole_numbers():
    made = shuffle(corpus([(0, 10), (10, 30)], bounds=(0, 30.6)), "position", 1.0, n_annotators=300)
    assert made.end.max() <= 30.6


def test_units_without_length_stay_as_they_are():
    reference = corpus([(5, 5), (20, 20)], bounds=(0, 50))
    for units in rows(shuffle(reference, "position", 1.0, n_annotators=20)):
        assert spans(units) == [(5, 5), (20, 20)]


def test_units_without_length_are_not_made_longer_by_keeping_them_apart():
    reference = corpus([(0, 0), (0, 1), (1, 1), (1, 1)], bounds=(0, 1))
    for units in rows(shuffle(reference, "position-apart", 0.5, n_annotators=20)):
        assert spans(units) == [(0, 0), (0, 1), (1, 1), (1, 1)]


@pytest.mark.parametrize("magnitude", [0.01, 0.05, 0.3, 0.7, 1.0])
@pytest.mark.parametrize(
    "reference",
    [
        generate(n_units=40),
        generate(n_units=40, gap=(0, 0)),
        generate(n_units=40, length=(1, 3), gap=(0, 1)),
        generate(n_units=40, length=(1, 1), gap=(0, 0)),
        generate(n_units=1),
    ],
    ids=["sporadic", "covering", "crowded", "atoms", "single"],
)
def test_units_kept_apart_never_overlap(magnitude, reference):
    made = shuffle(reference, "position-apart", magnitude, n_annotators=40)
    (own,) = rows(reference)
    low, high = reference.bounds[0]
    for units in rows(made):
        assert len(units) == len(own)
        assert [label for _, _, label in units] == [label for _, _, label in own]
        assert all(before[1] <= after[0] for before, after in pairwise(units))
        assert all(low <= start < end <= high for start, end, _ in units)
    assert made.start.dtype == np.int64


def test_crowded_units_are_moved_as_little_as_needed():
    reference = corpus([(k, k + 1) for k in range(10)], bounds=(0, 10))
    for units in rows(shuffle(reference, "position-apart", 1.0)):
        assert spans(units) == spans(*rows(reference))


EVEN = {
    "covering": [(10 * k, 10 * k + 10) for k in range(40)],
    "crowded": [(10 * k + 1, 10 * k + 10) for k in range(40)],
    "short": [(2 * k, 2 * k + 2) for k in range(40)],
    "float": [(10.0 * k, 10.0 * k + 10) for k in range(40)],
}


@pytest.mark.parametrize("magnitude", [0.3, 1.0])
@pytest.mark.parametrize(
    ("error", "units"),
    [("position-apart", units) for units in EVEN.values()]
    + [("cuts-shifted(factor=2)", EVEN[name]) for name in ("covering", "short", "float")],
    ids=[f"apart-{name}" for name in EVEN] + ["cuts-covering", "cuts-short", "cuts-float"],
)
def test_crowded_units_drift_to_neither_side(error, units, magnitude):
    reference = corpus(units, bounds=(0, units[-1][1]))
    made = shuffle(reference, error, magnitude, n_annotators=1000)
    drift = (made.start + made.end - np.tile(reference.start + reference.end, 1000)).reshape(1000, 40) / 2
    inner = drift[:, 10:30].mean(axis=1)
    assert abs(inner.mean()) < 5 * inner.std() / np.sqrt(1000)
    assert inner.std() > 0


def test_crowded_units_are_moved_to_both_sides():
    marks = UnitMarks(np.array([0.0, 4.0]), np.array([4.0, 8.0]), np.zeros((0, 2), dtype=np.int64), (0, 8), True)
    least = np.array([0.0, 1, 0, 1])
    assert _spread(np.array([4.0, 4, 4, 4]), least, marks).tolist() == [3, 4, 4, 5]
    assert _spread(np.array([-9.0, 4, -1, 0]), least, marks).tolist() == [0, 1, 1, 4]
    assert _spread(np.array([8.0, 8, 30, 3]), least, marks).tolist() == [3, 7, 7, 8]
    assert _spread(np.array([1.2, 2.6, 5.4, 7.0]), least, marks).tolist() == [1, 3, 5, 7]


def test_positions_between_whole_numbers_are_kept_apart_too():
    units = np.sort(np.random.default_rng(1).uniform(0, 1000, 60)).reshape(30, 2)
    made = shuffle(corpus(units.tolist()), "position-apart", 1.0, n_annotators=40)
    assert made.start.dtype == np.float64
    for own in rows(made):
        assert all(before[1] <= after[0] for before, after in pairwise(own))


@pytest.mark.parametrize("units", [[(0, 10), (9, 20)], [(0, 100), (10, 20)], [(0, 10), (0, 10)]])
def test_overlapping_units_cannot_be_kept_apart(units):
    with pytest.raises(DataError, match="units of the reference overlap"):
        shuffle(corpus(units), "position-apart", 0.1)
    assert shuffle(corpus(units), "position", 0.1).n_units == 6


# Category


def frame(prevalence, similarity=None):
    prevalence = np.array(prevalence, dtype=float)
    return ReferenceProfile(0, prevalence, np.ones(1), np.zeros((1, 1), dtype=np.int64), similarity)


@pytest.mark.parametrize("m", [0.0, 0.1, 0.5, 0.9, 1.0])
def test_confusion_towards_the_prevalences(m):
    table = confusion_probabilities(m, frame([0.5, 0.3, 0.2]))
    wanted = [
        [1 - m * m + m * m * 0.5, m * m * 0.3, m * m * 0.2],
        [m * m * 0.5, 1 - m * m + m * m * 0.3, m * m * 0.2],
        [m * m * 0.5, m * m * 0.3, 1 - m * m + m * m * 0.2],
    ]
    np.testing.assert_allclose(table, wanted, atol=1e-12)
    np.testing.assert_allclose(table.sum(axis=1), 1)


@pytest.mark.parametrize("m", [0.0, 0.1, 0.5, 0.9, 1.0])
def test_confusion_of_overlapping_categories(m):
    similarity = np.array([[1.0, 0.6, 0.2], [0.6, 1.0, 0.2], [0.2, 0.2, 1.0]])
    table = confusion_probabilities(m, frame([0.5, 0.3, 0.2], similarity))
    alike = np.array([[0, 0.75, 0.25], [0.75, 0, 0.25], [0.5, 0.5, 0]])
    wanted = (1 - m) * np.eye(3) + m**3 * np.array([[0.5, 0.3, 0.2]] * 3) + (m - m**3) * alike
    np.testing.assert_allclose(table, wanted, atol=1e-12)
    np.testing.assert_allclose(table.sum(axis=1), 1)


def test_a_category_that_is_like_no_other_is_confused_towards_the_prevalences():
    similarity = np.array([[1.0, 0.5, 0.0], [0.5, 1.0, 0.0], [0.0, 0.0, 1.0]])
    table = confusion_probabilities(0.5, frame([0.5, 0.3, 0.2], similarity))
    np.testing.assert_allclose(table[2], [0.25, 0.15, 0.6])
    np.testing.assert_allclose(table.sum(axis=1), 1)


PREVALENCE = {"A": 5, "B": 3, "C": 2}
LABELS = ["A"] * 5 + ["B"] * 3 + ["C"] * 2
TEN = corpus([(100 * k, 100 * k + 50) for k in range(10)], features={"category": LABELS, "sure": ["yes", None] * 5})


def confusions(made):
    """Count what became of the categories of TEN."""
    now = np.array(made.features["category"].values()).reshape(-1, 10)
    return np.array([[(now[:, np.array(LABELS) == old] == new).sum() for new in "ABC"] for old in "ABC"])


@pytest.mark.parametrize("m", [0.3, 0.6, 1.0])
@pytest.mark.parametrize("uniform", [False, True])
def test_categories_are_confused_as_often_as_said(m, uniform):
    made = shuffle(TEN, "category", m, n_annotators=1000, uniform=uniform)
    chance = np.ones(3) / 3 if uniform else np.array([0.5, 0.3, 0.2])
    for row, wanted in zip(confusions(made), (1 - m**2) * np.eye(3) + m**2 * chance, strict=True):
        assert fits(row, wanted)


@pytest.mark.parametrize("m", [0.3, 0.6, 1.0])
@pytest.mark.parametrize(
    ("distance", "alike"),
    [
        (Ordinal(("A", "B", "C")), [[0, 1, 0], [0.5, 0, 0.5], [0, 1, 0]]),
        ({("A", "B"): 0.4, ("A", "C"): 0.8, ("B", "C"): 0.8}, [[0, 0.75, 0.25], [0.75, 0, 0.25], [0.5, 0.5, 0]]),
        (lambda u, v: np.where(u == v, 0.0, 0.5), [[0, 0.5, 0.5], [0.5, 0, 0.5], [0.5, 0.5, 0]]),
        ("nominal", [[0.5, 0.3, 0.2]] * 3),
    ],
)
def test_near_categories_are_confused_first(m, distance, alike):
    made = shuffle(TEN, "category", m, n_annotators=1000, distance=distance)
    wanted = (1 - m) * np.eye(3) + m**3 * np.array([0.5, 0.3, 0.2]) + (m - m**3) * np.array(alike)
    for row, shares in zip(confusions(made), wanted, strict=True):
        assert fits(row, shares)


def test_confusing_categories_touches_nothing_else():
    made = shuffle(TEN, "category", 1.0, n_annotators=50)
    assert made.start.tolist() == TEN.start.tolist() * 50
    assert made.end.tolist() == TEN.end.tolist() * 50
    assert made.features["sure"].values() == ["yes", None] * 250


def test_confusions_are_independent():
    made = shuffle(TEN, "category", 0.6, n_annotators=2000)
    changed = (np.array(made.features["category"].values()).reshape(-1, 10) != LABELS).astype(float)
    assert are_unrelated(changed[:, 0], changed[:, 1])
    assert are_unrelated(changed[:-1, 5], changed[1:, 5])


def test_units_without_a_label_stay_without():
    reference = corpus([(0, 5), (10, 15), (20, 25)], features={"category": ["A", None, "B"]})
    made = shuffle(reference, "category", 1.0, n_annotators=500)
    labels = np.array(made.features["category"].values(), dtype=object).reshape(-1, 3)
    assert (labels[:, 1] == None).all()  # noqa: E711
    assert is_rate((labels[:, 0] == "A").sum(), 500, 0.5)


def test_the_only_feature_is_the_category():
    reference = corpus([(0, 5), (10, 15)], features={"pos": ["N", "V"]})
    assert set(shuffle(reference, "category", 1.0, n_annotators=30).features["pos"].values()) == {"N", "V"}


def test_a_single_category_cannot_become_another():
    reference = corpus([(0, 5), (10, 15)], features={"category": ["A", "A"]})
    for distance in (None, "nominal"):
        made = shuffle(reference, "category", 1.0, distance=distance)
        assert made.features["category"].values() == ["A"] * 6


def test_no_category_to_confuse():
    with pytest.raises(DataError, match="have no categories that could be confused"):
        shuffle(generate(categories=0), "category", 0.5)
    several = corpus([(0, 5)], features={"pos": ["N"], "lemma": ["sea"]})
    with pytest.raises(DataError, match="have the features pos, lemma, and none is called category; keep only one"):
        shuffle(several, "category", 0.5)


@pytest.mark.parametrize("errors", ["position", "splits+merges", "cuts-missed", "text+label"])
@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"distance": "nominal"}, "distance: only the error category uses it, and that is not among the errors"),
        ({"uniform": True}, "uniform: only the error category uses it"),
        ({"distance": "nominal", "uniform": True}, "distance: only the error category uses it"),
    ],
)
def test_options_of_the_category_need_it(errors, options, said):
    with pytest.raises(OptionError, match=said):
        shuffle(TEN, errors, 0.5, **options)
    with pytest.raises(OptionError, match=said):
        check_category_options([parse_errors("position"), parse_errors(errors)], **options)
    check_category_options([parse_errors(errors), parse_errors("position+category")], **options)
    check_category_options([parse_errors(errors)])


def test_labels_that_only_others_use_are_not_met_by_prevalence():
    reference = Corpus.from_columns(
        annotator=["anna", "anna", "bert"], start=[0, 10, 0], end=[5, 15, 5], features={"category": ["A", "B", "C"]}
    )
    made = shuffle(reference, "category", 1.0, annotator="anna", n_annotators=200)
    assert set(made.features["category"].values()) == {"A", "B"}


# False negatives


@pytest.mark.parametrize("m", [0.1, 0.5, 0.9])
def test_each_unit_is_missed_with_the_magnitudes_probability(m):
    made = shuffle(TEN, "false-negatives", m, n_annotators=MANY)
    (own,) = rows(TEN)
    there = np.array([[unit in units for unit in own] for units in map(set, rows(made))])
    assert there.sum() == made.n_units  # nothing but units of the reference, as they were
    assert all(is_rate(count, MANY, 1 - m) for count in there.sum(axis=0))
    assert are_unrelated(there[:, 0], there[:, 1])
    assert are_unrelated(there[:-1, 0], there[1:, 0])
    assert fits(np.bincount(there.sum(axis=1), minlength=11), _binomial(10, 1 - m))


def _binomial(n, p):
    from math import comb

    return [max(comb(n, k) * p**k * (1 - p) ** (n - k), 1e-3) for k in range(n + 1)]


def test_all_units_are_missed_at_magnitude_1():
    made = shuffle(TEN, "false-negatives", 1.0)
    assert made.n_units == 0
    assert made.worked.all()
    assert made.bounds == TEN.bounds
    assert len(made["document"].annotators) == 3


# False positives


@pytest.mark.parametrize(("m", "factor", "count"), [(0.3, 2, 6), (1.0, 2, 20), (0.5, 3, 15), (1.0, 0, 0)])
def test_units_are_added_in_proportion_to_those_of_the_reference(m, factor, count):
    written = "false-positives" if factor == 2 else f"false-positives(factor={factor})"
    (own,) = rows(TEN)
    for n_annotators in (2, 5):
        for units in rows(shuffle(TEN, written, m, n_annotators=n_annotators)):
            assert len(units) == 10 + count
            assert Counter(units) & Counter(own) == Counter(own)


def test_the_mean_number_of_added_units_is_right_between_whole_numbers():
    counts = [len(units) - 10 for units in rows(shuffle(TEN, "false-positives", 0.115, n_annotators=MANY))]
    assert set(counts) == {2, 3}
    assert is_rate(counts.count(3), MANY, 0.3)


VARIED = corpus(
    [(0, 10), (100, 110), (300, 500), (800, 801)],
    features={"category": ["A", "B", "A", "C"], "sure": ["yes", "no", None, "no"]},
)


@pytest.mark.parametrize("whole", [True, False])
def test_added_units_are_like_those_of_the_reference_but_anywhere(whole):
    reference = VARIED if whole else corpus([(float(s), e + 0.25) for s, e, *_ in rows(VARIED)[0]])
    (own,) = rows(reference)
    added = []
    for units in rows(shuffle(reference, "false-positives", 1.0, n_annotators=1500)):
        added += (Counter(units) - Counter(own)).elements()
    assert len(added) >= 0.99 * 8 * 1500  # one on top of a unit of the reference is not seen
    kinds = [(end - start, *labels) for start, end, *labels in own]
    found = [(round(end - start, 6), *labels) for start, end, *labels in added]
    assert fits([found.count(kind) for kind in dict.fromkeys(kinds)], [kinds.count(k) for k in dict.fromkeys(kinds)])
    for kind in dict.fromkeys(kinds):
        start = np.array([unit[0] for unit, own_kind in zip(added, found, strict=True) if own_kind == kind])
        room = 1000 - kind[0]
        assert start.min() >= 0
        assert start.max() <= room
        assert is_uniform(start + 0.5 * whole, 0, room + whole)
    order = [unit[0] for unit in added]
    assert len({type(position) for position in order}) == 1


def test_added_units_fit_into_short_documents():
    reference = Corpus.from_columns(
        document=["long", "short", "short"],
        annotator=["anna"] * 3,
        start=[0, 0, 3],
        end=[500, 2, 5],
        bounds={"long": (0, 500), "short": (0, 6)},
    )
    made = shuffle(reference, "false-positives", 1.0, n_annotators=100)
    for document in made:
        low, high = document.bounds
        assert all(low <= unit.start < unit.end <= high for unit in document.units)
    assert made["short"].n_units == 100 * 6


def test_added_units_are_independent_between_annotators():
    first, second = (np.array([unit[0] for unit in units]) for units in _only_added(MANY))
    assert are_unrelated(first, second)


def _only_added(n):
    made = shuffle(corpus([(0, 1)]), "false-negatives+false-positives", 0.5, n_annotators=2 * n)
    starts = [[unit for unit in units if unit != (0, 1)] or [(-1, 0)] for units in rows(made)]
    found = [units[0] for units in starts]
    return found[::2], found[1::2]


# Splits


@pytest.mark.parametrize("m", [0.1, 0.5, 1.0])
@pytest.mark.parametrize("whole", [True, False])
def test_splits_keep_spans_and_labels(m, whole):
    reference = generate(n_units=30, length=(50, 100))
    if not whole:
        reference = corpus([(s + 0.5, float(e)) for s, e in spans(*rows(reference))], bounds=(0, 10000))
    (own,) = rows(reference)
    most_parts = 0
    for units in rows(shuffle(reference, "splits", m, n_annotators=30)):
        assert len(units) == 30 + 5 * m * 30
        for start, end, *labels in own:
            parts = [unit for unit in units if start <= unit[0] and unit[1] <= end]
            assert (parts[0][0], parts[-1][1]) == (start, end)
            assert all(before[1] == after[0] for before, after in pairwise(parts))
            assert all(part[1] > part[0] and list(part[2:]) == labels for part in parts)
            most_parts = max(most_parts, len(parts))
    assert most_parts > 2  # parts are split again


def test_the_mean_number_of_splits_is_right_between_whole_numbers():
    counts = [len(units) for units in rows(shuffle(corpus([(0, 100)]), "splits", 0.25, n_annotators=MANY))]
    assert set(counts) == {2, 3}
    assert is_rate(counts.count(3), MANY, 0.25)


def test_units_are_split_anywhere_inside():
    made = shuffle(corpus([(100, 111)]), "splits(factor=1)", 1.0, n_annotators=MANY)
    cuts = made.end[::2] - 100
    assert (made.end[::2] == made.start[1::2]).all()
    assert fits(np.bincount(cuts, minlength=11)[1:], np.ones(10))
    between = shuffle(corpus([(100.0, 111.0)]), "splits(factor=1)", 1.0, n_annotators=MANY)
    assert is_uniform(between.end[::2], 100, 111)


def test_every_unit_is_split_as_often():
    reference = corpus([(0, 10), (100, 300), (500, 504), (900, 1000)])
    made = rows(shuffle(reference, "splits(factor=0.25)", 1.0, n_annotators=MANY))
    (own,) = rows(reference)
    assert fits([sum(unit not in units for units in made) for unit in own], np.ones(4))


@pytest.mark.parametrize("low", [0.0, -1e6, 1e9])
@pytest.mark.parametrize("drawn", [0.0, 0.5, 1 - 2**-53])
def test_both_parts_of_a_unit_between_whole_numbers_have_a_length(low, drawn):
    class Constant(np.random.Generator):
        def random(self, size=None):
            return drawn

    reference = corpus([(low, low + 1e-3), (low + 0.5, low + 1)], bounds=(low, low + 1))
    made = shuffle(reference, "splits(factor=200)", 1.0, n_annotators=1, rng=Constant(np.random.PCG64(1)))
    assert (made.end > made.start).all()
    assert made.n_units > (100 if drawn == 0.5 else 3)
    for start, end in spans(*rows(reference)):
        parts = [unit for unit in spans(*rows(made)) if start <= unit[0] and unit[1] <= end]
        assert (parts[0][0], parts[-1][1]) == (start, end)
        assert all(before[1] == after[0] for before, after in pairwise(parts))


def test_units_of_length_1_are_not_split():
    reference = corpus([(0, 1), (5, 6), (10, 12)])
    for units in rows(shuffle(reference, "splits", 1.0)):
        assert spans(units) == [(0, 1), (5, 6), (10, 11), (11, 12)]
    nothing_to_split = corpus([(0, 1), (5, 5)])
    for units in rows(shuffle(nothing_to_split, "splits", 1.0)):
        assert spans(units) == [(0, 1), (5, 5)]


def test_overlapping_units_are_split_each_on_its_own():
    reference = corpus([(0, 100), (50, 60)], features={"category": ["A", "B"]})
    for units in rows(shuffle(reference, "splits", 1.0, n_annotators=30)):
        for label, (start, end) in {"A": (0, 100), "B": (50, 60)}.items():
            parts = [unit for unit in units if unit[2] == label]
            assert (parts[0][0], parts[-1][1]) == (start, end)
            assert all(before[1] == after[0] for before, after in pairwise(parts))


# Merges


@pytest.mark.parametrize(
    ("written", "m", "left"), [("merges", 0.4, 24), ("merges", 1.0, 15), ("merges(factor=0.9)", 1.0, 3)]
)
def test_merges_join_neighbours_with_what_is_between(written, m, left):
    reference = generate(n_units=30)
    (own,) = rows(reference)
    for units in rows(shuffle(reference, written, m, n_annotators=30)):
        assert len(units) == left
        place = 0
        for start, end, label in units:
            taken = [unit for unit in own[place:] if unit[0] >= start and unit[1] <= end]
            assert taken == own[place : place + len(taken)]
            assert (taken[0][0], taken[-1][1]) == (start, end)
            assert label in {unit[2] for unit in taken}
            place += len(taken)
        assert place == 30


@pytest.mark.parametrize(("magnitude", "fewer", "share"), [(0.05, 0, 0.25), (0.3, 1, 0.5), (0.75, 3, 0.75)])
def test_the_mean_number_of_merges_is_right_between_whole_numbers(magnitude, fewer, share):
    counts = [10 - len(units) for units in rows(shuffle(TEN, "merges", magnitude, n_annotators=MANY))]
    assert set(counts) == {fewer, fewer + 1}
    assert is_rate(counts.count(fewer + 1), MANY, share)


def test_either_label_is_kept_as_often():
    reference = corpus([(0, 5), (10, 15)], features={"category": ["A", "B"], "sure": ["yes", "no"]})
    made = rows(shuffle(reference, "merges", 1.0, n_annotators=MANY))
    assert {unit[:2] for (unit,) in made} == {(0, 15)}
    labels = Counter(unit[2:] for (unit,) in made)
    assert set(labels) == {("A", "yes"), ("B", "no")}  # all labels of the one unit
    assert is_rate(labels["A", "yes"], MANY, 0.5)


def test_all_neighbours_are_merged_as_often():
    reference = corpus([(10 * k, 10 * k + 5) for k in range(6)])
    made = rows(shuffle(reference, f"merges(factor={1 / 6!r})", 1.0, n_annotators=MANY))
    where = Counter(next(k for k in range(6) if (10 * k, 10 * k + 5) not in units) for units in made if len(units) < 6)
    assert fits([where[k] for k in range(5)], np.ones(5))


def test_merging_goes_on_until_one_unit_is_left():
    for units in rows(shuffle(corpus([(0, 5), (10, 15), (20, 22)]), "merges(factor=9)", 1.0)):
        assert spans(units) == [(0, 22)]
    for units in rows(shuffle(corpus([(0, 5)]), "merges", 1.0)):
        assert spans(units) == [(0, 5)]


def test_merging_into_an_embedding_unit():
    for units in rows(shuffle(corpus([(0, 100), (10, 20)]), "merges", 1.0)):
        assert spans(units) == [(0, 100)]


# Cuts of complete segmentations


WHOLE = generate(n_units=30, categories=0, gap=(0, 0))


@pytest.mark.parametrize("error", CUT_ERRORS)
@pytest.mark.parametrize("magnitude", [0.05, 0.4, 1.0])
@pytest.mark.parametrize(
    "reference",
    [
        WHOLE,
        generate(n_units=30, gap=(0, 0), n_documents=3),
        generate(n_units=30, length=(1, 1), gap=(0, 0)),
        generate(n_units=30, length=(1, 2), gap=(0, 0)),
        generate(n_units=1, gap=(0, 0)),
    ],
    ids=["plain", "documents", "atoms", "crowded", "single"],
)
def test_segmentations_stay_complete(error, magnitude, reference):
    made = shuffle(reference, error, magnitude, n_annotators=20)
    for index, document in enumerate(reference):
        low, high = document.bounds
        for units in rows(made, index):
            assert (units[0][0], units[-1][1]) == (low, high)
            assert all(before[1] == after[0] for before, after in pairwise(units))
            assert all(unit[0] < unit[1] for unit in units)
            if error == "cuts-shifted":
                assert [unit[2:] for unit in units] == [unit[2:] for unit in rows(reference, index)[0]]


def test_each_cut_is_missed_with_the_magnitudes_probability():
    made = shuffle(WHOLE, "cuts-missed", 0.3, n_annotators=MANY)
    there = np.array([np.isin(WHOLE.start[1:], [unit[0] for unit in units]) for units in rows(made)])
    assert there.sum() == made.n_units - MANY
    assert all(is_rate(count, MANY, 0.7) for count in there.sum(axis=0))
    assert are_unrelated(there[:, 0], there[:, 1])
    assert are_unrelated(there[:-1, 0], there[1:, 0])
    for units in rows(shuffle(WHOLE, "cuts-missed", 1.0)):
        assert spans(units) == [WHOLE.bounds[0]]


def test_a_part_that_lost_its_cut_has_the_label_of_the_first():
    reference = corpus([(0, 10), (10, 20)], bounds=(0, 20), features={"category": ["A", "B"]})
    assert set(shuffle(reference, "cuts-missed", 1.0).features["category"].values()) == {"A"}


def test_cuts_shift_evenly_up_to_a_part_of_the_mean_length_beside_them():
    reference = corpus([(0.0, 300.0), (300.0, 400.0), (400.0, 1000.0)], bounds=(0, 1000))
    factor = ERROR_KINDS["cuts-shifted"].factor
    made = shuffle(reference, "cuts-shifted", 0.1 / factor, n_annotators=MANY)
    first, second = made.start.reshape(MANY, 3)[:, 1:].T
    assert is_uniform(first, 300 - 20, 300 + 20)
    assert is_uniform(second, 400 - 35, 400 + 35)
    assert are_unrelated(first, second)


def test_segments_between_whole_numbers_do_not_vanish():
    reference = corpus([(0.0, 10.0), (10.0, 20.5), (20.5, 30.0)], bounds=(0, 30))
    made = shuffle(reference, "cuts-shifted(factor=2)", 1.0, n_annotators=300)
    assert (made.end > made.start).all()


@pytest.mark.parametrize("error", CUT_ERRORS)
@pytest.mark.parametrize(
    "reference",
    [corpus([(0, 5), (6, 10)], bounds=(0, 10)), corpus([(0, 6), (5, 10)], bounds=(0, 10)), corpus([(0, 5)])],
    ids=["gap", "overlap", "end"],
)
def test_incomplete_segmentations_have_no_cuts(error, reference):
    with pytest.raises(DataError, match="does not cut its continuum completely"):
        shuffle(reference, error, 0.5)


# Several errors together


def test_errors_together_are_all_made():
    made = shuffle(TEN, "position+category+false-negatives", 0.5, n_annotators=200)
    share = made.n_units / 2000
    assert is_rate(made.n_units, 2000, 0.5), share
    moved = ~np.isin(made.start, TEN.start)
    assert moved.mean() > 0.9
    kept = shuffle(TEN, "position+category", 0.5, n_annotators=200)
    assert kept.n_units == 2000
    assert not np.isin(kept.start, TEN.start).all()
    counts = np.unique(kept.features["category"].values(), return_counts=True)[1]
    assert fits(counts, [5, 3, 2])


def test_errors_are_made_in_the_order_given():
    reference = corpus([(0, 100), (200, 300), (400, 500), (600, 700)])
    (own,) = rows(reference)

    def covered(made):
        return {sum(e - s for s, e in units if start <= s < end) for units in rows(made) for start, end in own}

    assert covered(shuffle(reference, "false-negatives+splits", 0.5, n_annotators=30)) == {0, 100}
    assert len(covered(shuffle(reference, "splits+false-negatives", 0.5, n_annotators=30))) > 10


def test_added_units_are_counted_by_the_reference_whatever_was_missed_before():
    for units in rows(shuffle(TEN, "false-negatives+false-positives", 1.0)):
        assert len(units) == 20


@pytest.mark.parametrize("magnitude", [0.2, 0.5])
@pytest.mark.parametrize(("error", "step"), [("merges", -0.5), ("splits", 5), ("false-positives", 2)])
def test_errors_are_counted_by_the_reference_whatever_was_missed_before(error, step, magnitude):
    twenty = corpus([(50 * k, 50 * k + 40) for k in range(20)])

    def sizes(errors):
        made = shuffle(twenty, errors, magnitude, n_annotators=200)
        return np.bincount(made.annotator, minlength=200)

    missed = 20 * (1 - magnitude)
    counts = sizes(f"false-negatives+{error}")
    wanted = missed + step * magnitude * 20
    assert abs(counts.mean() - wanted) < 5 * np.sqrt(20 * magnitude * (1 - magnitude) / 200)
    assert set(sizes(f"{error}").tolist()) == {20 + step * magnitude * 20}


def test_merges_after_splits_are_counted_by_the_reference():
    for units in rows(shuffle(TEN, "splits+merges", 1.0)):
        assert len(units) == 10 + 50 - 5


def test_a_sequence_of_errors_is_the_same_as_one_text():
    one = shuffle(TEN, "position+category", 0.5)
    for errors in (["position", "category"], ("Position", "CATEGORY"), parse_errors(" position + category ")):
        assert rows(shuffle(TEN, errors, 0.5)) == rows(one)
    assert rows(shuffle(TEN, "false_negatives", 0.5)) == rows(shuffle(TEN, "false-negatives", 0.5))


@pytest.mark.parametrize(
    "written", ["position", "position+category", "false-positives(factor=3)+splits(factor=0.5)", "text+label"]
)
def test_errors_read_back_as_the_same(written):
    assert str(parse_errors(written)) == written
    assert parse_errors(str(parse_errors(written))) == parse_errors(written)


def test_every_error_is_said_in_words():
    assert all(error_kind(name).does for name in (*ERROR_KINDS, *TEXT_ERROR_KINDS))
    assert error_kind("false-negatives").does == "miss units"
    assert error_kind("Segmentation").does == "split and merge units"
    assert tuple(TEXT_ERROR_KINDS) == ("text", "segmentation", "label")


def test_one_shuffler_for_all_errors():
    tokens = Corpus.from_columns(
        annotator=["anna"] * 2,
        start=[0, 3],
        end=[2, 5],
        features={"pos": ["N", "V"]},
        texts={("document", "anna"): "ab cd"},
    )
    for written, options in (("label", {}), ("splits", {}), ("category", {"distance": "nominal", "uniform": True})):
        shuffler = shuffler_of(tokens, parse_errors(written), **options)
        made = shuffler.shuffled(0.5, 4, np.random.default_rng(3))
        assert rows(made) == rows(shuffle(tokens, written, 0.5, n_annotators=4, rng=3, **options))


@pytest.mark.parametrize("factor", ["0.123456789", "1234567", "1e+1"])
def test_factors_read_back_as_the_same(factor):
    errors = parse_errors(f"position(factor={factor})")
    assert errors == Errors((("position", float(factor)),))
    assert parse_errors(str(errors)) == errors


@pytest.mark.parametrize(
    ("errors", "said"),
    [
        ("shift", "unknown error 'shift'; available: position, position-apart, category"),
        ("position+shift", "unknown error 'shift'"),
        ("position(size=2)", "position has no 'size'; it has: factor"),
        ("category(factor=2)", "category has no 'factor'; it has: nothing to set"),
        ("text(factor=2)", "text has no 'factor'; it has: nothing to set"),
        ("position(factor=-1)", "errors: position: expected a number from 0 up, not factor=-1"),
        ("position(factor=inf)", "not factor=inf"),
        ("position(factor=nan)", "not factor=nan"),
        ("position(factor=far)", "not factor=far"),
        ("position(factor=1,factor=2)", "factor is given twice"),
        ("position+category+position", "an error is named twice"),
        ("position+label", r"errors of texts \(text, segmentation, label\) and of positions cannot be combined"),
        ("position(factor=2", r"'\)' is missing"),
        ("", "name is missing"),
        ("position+", "name is missing"),
        ([], "name is missing"),
    ],
)
def test_errors_that_make_no_sense(errors, said):
    with pytest.raises(OptionError, match=said):
        shuffle(TEN, errors, 0.5)


@pytest.mark.parametrize("errors", ["", "position+", "position(factor=2"])
def test_errors_that_cannot_be_read_are_called_errors(errors):
    with pytest.raises(OptionError) as caught:
        shuffle(TEN, errors, 0.5)
    assert "measure" not in str(caught.value)


@pytest.mark.parametrize("magnitude", [-0.1, 1.01, float("nan")])
def test_magnitudes_are_from_0_to_1(magnitude):
    with pytest.raises(OptionError, match="magnitude: expected a number"):
        shuffle(TEN, "position", magnitude)


@pytest.mark.parametrize("n_annotators", [0, -1])
def test_at_least_one_annotator(n_annotators):
    with pytest.raises(OptionError, match="n_annotators: expected a whole number from 1 up"):
        shuffle(TEN, "position", 0.5, n_annotators=n_annotators)


# What holds for all errors


RICH = Corpus.from_columns(
    document=["one"] * 4 + ["two"] * 3,
    annotator=["anna"] * 7,
    start=[0, 10, 20, 30, 1, 10, 20],
    end=[5, 20, 28, 31, 5, 18, 30],
    features={"category": ["A", "B", None, "A", "B", "C", "A"], "sure": ["yes", None, "no", "no", "no", "yes", None]},
    bounds={"one": (0, 40), "two": (-5, 30)},
    texts={("one", "anna"): "x" * 40},
    worked=[("empty", "anna")],
)
REFERENCES = {
    "rich": RICH,
    "generated": generate(n_units=10),
    "no category": generate(n_units=10, categories=0),
    "documents": generate(n_units=6, n_documents=3),
    "covering": generate(n_units=10, gap=(0, 0)),
    "float": corpus([(0.5, 7.25), (8.0, 9.5), (20.0, 31.0)], features={"category": ["A", "B", "A"]}),
    "single": corpus([(0, 1)], bounds=(0, 1), features={"category": ["A"]}),
}


EVERY_REFERENCE = pytest.mark.parametrize("name", REFERENCES)


@EVERY_REFERENCE
def test_magnitude_0_is_the_identity(name):
    reference = REFERENCES[name]
    for error in (*UNIT_ERRORS, *CUT_ERRORS, *TOGETHER):
        made = shuffle(reference, error, 0.0, n_annotators=4)
        assert made.documents == reference.documents, error
        for index, document in enumerate(reference):
            assert rows(made, index) == rows(reference, index) * 4, error
            assert made[document.name].bounds == document.bounds, error
            assert made[document.name].text == document.text, error
        assert made.start.dtype == reference.start.dtype, error
        assert [*made.features] == [*reference.features], error


def allowed(name):
    """Give the errors that a reference of REFERENCES allows."""
    kinds = [*UNIT_ERRORS, *TOGETHER] if REFERENCES[name].features else [n for n in UNIT_ERRORS if n != "category"]
    return kinds + (CUT_ERRORS if name in ("covering", "single") else [])


@EVERY_REFERENCE
def test_what_errors_never_touch(name):
    for error in allowed(name):
        check_what_is_never_touched(REFERENCES[name], error)


def check_what_is_never_touched(reference, error):
    made = shuffle(reference, error, 0.7, n_annotators=5)
    assert made.documents == reference.documents
    assert made.annotators == tuple(f"annotator {k}" for k in range(1, 6))
    assert made.worked.all()
    assert made.start.dtype == made.end.dtype == reference.start.dtype
    assert {name: column.labels for name, column in made.features.items()} == {
        name: column.labels for name, column in reference.features.items()
    }
    for index, document in enumerate(reference):
        low, high = document.bounds
        assert made[document.name].bounds == (low, high)
        assert made[document.name].text == document.text
        for units in rows(made, index):
            assert all(low <= start <= end <= high for start, end, *_ in units)
            assert bool(units) <= bool(document.n_units)  # nothing is marked where the reference has nothing
            assert units == sorted(units, key=lambda unit: unit[:2])


@EVERY_REFERENCE
def test_seeds(name):
    reference = REFERENCES[name]
    for error in allowed(name):
        made = shuffle(reference, error, 0.5, rng=7)
        again = shuffle(reference, error, 0.5, rng=np.random.default_rng(7))
        for index in range(len(reference.documents)):
            assert rows(made, index) == rows(again, index), error


@pytest.mark.parametrize("error", [*UNIT_ERRORS, *CUT_ERRORS, *TOGETHER])
def test_annotators_differ_from_each_other_from_the_reference_and_by_seed(error):
    reference = generate(n_units=40, length=(10, 30), gap=(0, 0), rng=3)
    one, other = shuffle(reference, error, 0.5, n_annotators=5), shuffle(reference, error, 0.5, n_annotators=5, rng=1)
    versions = [tuple(units) for units in [*rows(reference), *rows(one), *rows(other)]]
    assert len(set(versions)) == 11


@pytest.mark.parametrize("seed", [1, 2, 42])
def test_a_reference_generated_with_the_same_seed_is_independent_of_the_errors(seed):
    reference = generate(n_units=200, categories=4, rng=seed)
    (own,) = rows(reference)
    for units in rows(shuffle(reference, "category", 1.0, rng=seed)):
        assert is_rate(sum(unit == other for unit, other in zip(units, own, strict=True)), 200, 0.25)


def test_documents_are_shuffled_independently():
    two = Corpus.from_columns(
        document=["one"] * 10 + ["two"] * 10,
        annotator=["anna"] * 20,
        start=TEN.start.tolist() * 2,
        end=TEN.end.tolist() * 2,
        bounds={"one": (0, 1000), "two": (0, 1000)},
    )
    made = shuffle(two, "false-negatives", 0.5, n_annotators=500)
    there = [[np.isin(TEN.start, [unit[0] for unit in units]) for units in rows(made, k)] for k in (0, 1)]
    assert are_unrelated(np.ravel(there[0]), np.ravel(there[1]))


def test_annotators_are_named_in_order():
    made = shuffle(TEN, "position", 0.1, n_annotators=12)
    assert made.annotators == tuple(sorted(made.annotators))
    assert made.annotators[0] == "annotator 01"
    assert "reference" not in made.annotators


def test_the_reference_is_one_annotators_work():
    both = Corpus.from_columns(
        document=["one", "one", "two", "three"],
        annotator=["anna", "bert", "bert", "anna"],
        start=[0, 10, 3, 5],
        end=[5, 20, 8, 9],
        worked=[("two", "anna")],
    )
    made = shuffle(both, "splits", 0.0, annotator="anna")
    assert made.documents == ("one", "two", "three")
    assert [document.n_units for document in made] == [3, 0, 3]
    assert made["one"].bounds == (0, 20)
    assert len(made["two"].annotators) == 3
    with pytest.raises(OptionError, match="choose one as the reference with annotator"):
        shuffle(both, "splits", 0.0)
    with pytest.raises(DataError, match="unknown annotator 'chris'"):
        shuffle(both, "splits", 0.0, annotator="chris")


def test_a_document_in_which_the_reference_marked_nothing_stays_empty():
    for error in UNIT_ERRORS:
        made = shuffle(RICH, error, 1.0)
        assert made["empty"].n_units == 0
        assert len(made["empty"].annotators) == 3


def test_shuffling_what_was_shuffled():
    made = shuffle(TEN, "position", 0.3)
    again = shuffle(made, "position", 0.3, annotator="annotator 2")
    assert reference_of(made, "annotator 2").n_units == 10
    assert again.n_units == 30
