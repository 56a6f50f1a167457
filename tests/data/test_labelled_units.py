"""Units with one feature as their category, on the scale on which they can be measured; and sets one after another."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from unisono.data import Corpus
from unisono.data.annotation_set import sorted_set, stacked
from unisono.data.labelled_units import first_overlap, labelled_units
from unisono.data.sections import GAP


def corpus(rows, bounds, **more):
    who, start, end, label = zip(*rows, strict=True)
    return Corpus.from_columns(
        annotator=who, start=start, end=end, features={"category": label}, bounds={"document": bounds}, **more
    )


@pytest.mark.parametrize("unit", [1e-170, 3e-200, 1e-300])
def test_tiny_positions_are_enlarged_exactly(unit):
    found = labelled_units(corpus([("A", 2 * unit, 5 * unit, "x"), ("B", unit, 8 * unit, "y")], (0, 10 * unit)))
    assert np.log2(found.scale) == np.round(np.log2(found.scale))
    assert 0.5 <= found.finish[0] < 1 or found.scale == 2.0**1000
    assert found.finish[0] == 10 * unit * found.scale
    assert (found.start / found.finish[0]).tolist() == pytest.approx([0.2, 0.1], rel=1e-12)
    assert (found.end / found.finish[0]).tolist() == pytest.approx([0.5, 0.8], rel=1e-12)


def test_other_positions_stay_what_they_are():
    found = labelled_units(corpus([("A", 2, 5, "x"), ("B", 1, 8, "y")], (1, 10)))
    assert found.scale == 1.0
    assert (found.begin.tolist(), found.finish.tolist()) == ([1.0], [10.0])
    assert (found.start.tolist(), found.end.tolist()) == ([2.0, 1.0], [5.0, 8.0])
    assert found.whole
    assert not labelled_units(corpus([("A", 2, 5, "x"), ("B", 1, 8.5, "y")], (1, 10))).whole


def test_categories_count_from_one_and_a_missing_label_is_the_last():
    found = labelled_units(corpus([("A", 0, 2, "y"), ("A", 2, 4, None), ("B", 0, 2, "x")], (0, 9)))
    assert found.category.tolist() == [2, 3, 1]
    assert found.labels == ("x", "y", None)
    assert GAP == 0


def test_which_units_overlap():
    rows = [("A", 0, 4, "x"), ("A", 3, 6, "y"), ("A", 5, 9, "x"), ("B", 0, 4, "x"), ("B", 4, 6, "x"), ("B", 4, 4, "x")]
    units = labelled_units(corpus(rows, (0, 9)))
    assert first_overlap(units) == "document document: A's units 0–4 (x) and 3–6 (y)"
    assert first_overlap(units, within_category=True) is None


def test_sets_one_after_another():
    def a_set(*rows):
        who, start, end = (np.array(column) for column in zip(*rows, strict=True))
        return sorted_set(start.astype(float), end.astype(float), who, np.array([start]), 2, (0.0, 9.0))

    sets = a_set((0, 1, 2), (1, 3, 5)), a_set((0, 0, 4), (0, 6, 7)), a_set((1, 8, 9))
    both = stacked(sets)
    assert both.annotator.tolist() == [0, 1, 0, 0, 1]
    assert both.begin.tolist() == [0, 1, 2, 4, 4, 4, 5]
    assert both.start.tolist() == [1, 3, 0, 6, 8]
    assert both.end.tolist() == [2, 5, 4, 7, 9]
    assert both.codes.tolist() == [[1, 3, 0, 6, 8]]
    assert (both.n_annotators, both.n_sets, both.n_units, both.sizes.tolist()) == (2, 3, 5, [2, 2, 1])
    for number, units in enumerate(sets):
        assert both.one(number) == replace(units, bounds=both.one(number).bounds)


@pytest.mark.parametrize(
    ("features", "chosen"),
    [
        ({"pos": ["N", "V"], "lemma": [None, None]}, ("pos",)),  # nobody gave a lemma
        ({"pos": [None, None], "lemma": [None, None]}, ("pos", "lemma")),
        ({"pos": ["N", "V"], "lemma": ["a", None]}, ("pos", "lemma")),
        ({"pos": ["N", "V"], "type": ["NE", "NE"]}, ("pos",)),
        ({"pos": ["N", "V"], "type": ["NE", "X"]}, ("pos", "type")),
        ({"type": ["NE", "NE"]}, ("type",)),
        ({"type": ["NE", "X"], "category": ["a", "b"]}, ("category",)),
    ],
)
def test_which_features_may_be_the_category(features, chosen):
    data = Corpus.from_columns(annotator=["A", "B"], start=[0, 0], end=[1, 1], features=features)
    assert data.label_features == chosen
