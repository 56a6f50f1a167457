"""Chance draws in an order that depends on the content only."""

from __future__ import annotations

import numpy as np

from unisono.chance.canonical import canonical_documents, content_keys, numbered
from unisono.data.annotation_set import sorted_set


def canonical(units):
    return canonical_documents([units])[0].units


def random_set(rng, n_annotators=3, low=0.0):
    n = int(rng.integers(1, 9))
    start = rng.integers(0, 20, n).astype(float)
    return sorted_set(
        low + start,
        low + start + rng.integers(0, 5, n),
        rng.integers(n_annotators, size=n),
        rng.integers(-1, 3, (2, n)),
        n_annotators,
        (low, low + 30.0),
    )


def keys_of(sets):
    return content_keys(canonical_documents(sets))


def renumbered(units, rng):
    number = rng.permutation(units.n_annotators)
    return sorted_set(
        units.start, units.end, number[units.annotator], units.codes, units.n_annotators, units.bounds, units.inferred
    )


def marked_by(units):
    """What each annotator marked."""
    rows = list(zip(units.start, units.end, *units.codes, strict=True))
    return [[row for row, own in zip(rows, units.annotator, strict=True) if own == who] for who in range(3)]


def test_annotators_are_numbered_by_what_they_marked():
    rng = np.random.default_rng(1)
    for _ in range(300):
        units = random_set(rng)
        one, other = canonical(units), canonical(renumbered(units, rng))
        assert one == other
        assert one == sorted_set(one.start, one.end, one.annotator, one.codes, one.n_annotators, one.bounds)
        assert sorted(marked_by(units)) == sorted(marked_by(one))


def test_keys_depend_on_the_content_only():
    rng = np.random.default_rng(2)
    for _ in range(100):
        sets = [canonical(random_set(rng)) for _ in range(5)]
        keys = keys_of(sets)
        order = rng.permutation(5)
        assert keys_of([sets[index] for index in order]) == [keys[index] for index in order]
        assert keys_of(sets[:1])[0] == keys[0].split()[0]
        moved = [
            sorted_set(one.start + 7, one.end + 7, one.annotator, one.codes, 3, (one.bounds[0] + 7, one.bounds[1] + 7))
            for one in sets
        ]
        assert keys_of(moved) == keys


def test_documents_that_differ_have_different_keys():
    units = sorted_set(np.array([1.0, 2.0]), np.array([3.0, 4.0]), np.array([0, 1]), np.array([[0, 1]]), 2, (0.0, 9.0))
    others = [
        sorted_set(units.start, units.end, units.annotator, units.codes, 3, units.bounds),
        sorted_set(units.start, units.end, units.annotator, units.codes, 2, (0.0, 10.0)),
        sorted_set(units.start, units.end, units.annotator, np.array([[0, 0]]), 2, units.bounds),
        sorted_set(units.start, units.end, np.array([0, 0]), units.codes, 2, units.bounds),
        sorted_set(units.start, units.end + 1, units.annotator, units.codes, 2, units.bounds),
    ]
    assert len({key for one in (units, *others) for key in keys_of([canonical(one)])}) == 6


def test_documents_that_differ_in_their_labels_only_are_numbered_in_the_order_of_labels():
    def labelled(*codes):
        return sorted_set(
            np.array([1.0, 2.0]), np.array([3.0, 4.0]), np.array([0, 1]), np.array([codes]), 2, (0.0, 9.0)
        )

    first, second = labelled(0, 300), labelled(2, 400)
    assert keys_of([first, second]) == keys_of([second, first])[::-1]
    assert keys_of([first, second])[1] == keys_of([first, second])[0] + " 1"


def test_numbers_of_keys():
    assert numbered(["a", "b", "a", "a"]) == ["a", "b", "a 1", "a 2"]
