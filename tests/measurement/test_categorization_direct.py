"""Every coefficient a second time, straight from its definition: loops over items and pairs of annotators."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import combinations, permutations
from math import pi, sin

import numpy as np
import pytest
from categorization_helpers import random_table
from hypothesis import given, settings
from hypothesis import strategies as st

from unisono.data import Ratings
from unisono.measurement.categorization import (
    bennett_s,
    cohen_kappa,
    fleiss_kappa,
    gwet_ac1,
    gwet_ac2,
    krippendorff_alpha,
    multi_kappa,
    percent_agreement,
    randolph_kappa,
    scott_pi,
    weighted_kappa,
)

SEEDS = range(6)


def labels_of(item):
    return [label for label in item if not np.isnan(label)]


def categories_of(table):
    return sorted({label for item in table for label in labels_of(item)})


def observed(table, weight=lambda a, b: float(a == b)):
    shares = []
    for item in table:
        pairs = list(permutations(labels_of(item), 2))
        if pairs:
            shares.append(sum(weight(a, b) for a, b in pairs) / len(pairs))
    return sum(shares) / len(shares)


def share_per_item(table, category):
    shares = [labels_of(item).count(category) / len(labels_of(item)) for item in table if labels_of(item)]
    return sum(shares) / len(shares)


def beyond(observed, expected):
    return (observed - expected) / (1 - expected)


def direct_fleiss(table):
    return beyond(observed(table), sum(share_per_item(table, k) ** 2 for k in categories_of(table)))


def direct_multi_kappa(table):
    columns = [labels_of(column) for column in table.T]
    expected = [
        sum(a.count(k) / len(a) * b.count(k) / len(b) for k in categories_of(table))
        for a, b in combinations(columns, 2)
    ]
    return beyond(observed(table), sum(expected) / len(expected))


def direct_equal(table):
    return beyond(observed(table), 1 / len(categories_of(table)))


def direct_ac(table, distance=lambda a, b: float(a != b)):
    categories = categories_of(table)
    k = len(categories)
    total = sum(1 - distance(a, b) for a in categories for b in categories)
    shares = [share_per_item(table, category) for category in categories]
    expected = total / (k * (k - 1)) * sum(share * (1 - share) for share in shares)
    return beyond(observed(table, lambda a, b: 1 - distance(a, b)), expected)


def direct_alpha(table, distance):
    values = [labels_of(item) for item in table if len(labels_of(item)) >= 2]
    pooled = [label for item in values for label in item]
    n = len(pooled)
    within = sum(sum(distance(a, b) for a, b in permutations(item, 2)) / (len(item) - 1) for item in values) / n
    between = sum(distance(a, b) for a, b in permutations(pooled, 2)) / (n * (n - 1))
    return 1 - within / between


def direct_ordinal(table):
    """Krippendorff's ordinal difference, from the labels that can be paired."""
    pooled = [label for item in table if len(labels_of(item)) >= 2 for label in labels_of(item)]

    def distance(a, b):
        low, high = min(a, b), max(a, b)
        between = sum(pooled.count(g) for g in set(pooled) if low <= g <= high)
        return (between - (pooled.count(a) + pooled.count(b)) / 2) ** 2

    return direct_alpha(table, distance)


def both_labelled(table):
    return [(a, b) for a, b in table if not (np.isnan(a) or np.isnan(b))]


def direct_scott(table):
    pairs = both_labelled(table)
    pooled = [label for pair in pairs for label in pair]
    expected = sum((pooled.count(k) / len(pooled)) ** 2 for k in set(pooled))
    return beyond(sum(a == b for a, b in pairs) / len(pairs), expected)


def direct_weighted(table, distance):
    pairs = both_labelled(table)
    met = sum(distance(a, b) for a, b in pairs) / len(pairs)
    expected = sum(distance(a, b) for a, _ in pairs for _, b in pairs) / len(pairs) ** 2
    return 1 - met / expected


def ratio(a, b):
    return ((a - b) / (a + b)) ** 2


def gwet_ordinal(categories):
    def distance(a, b):
        apart = abs(categories.index(a) - categories.index(b)) + 1
        return apart * (apart - 1) / (len(categories) * (len(categories) - 1))

    return distance


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    ("measure", "direct"),
    [
        (percent_agreement, observed),
        (bennett_s, direct_equal),
        (randolph_kappa, direct_equal),
        (fleiss_kappa, direct_fleiss),
        (multi_kappa, direct_multi_kappa),
        (gwet_ac1, direct_ac),
    ],
    ids=lambda function: function.__name__,
)
def test_many_annotators(measure, direct, seed):
    table = random_table(seed, n_annotators=3 + seed)
    assert measure(table, rows="items").value == pytest.approx(direct(table))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    ("distance", "direct"),
    [
        ("nominal", lambda table: direct_alpha(table, lambda a, b: a != b)),
        ("ordinal", direct_ordinal),
        ("interval", lambda table: direct_alpha(table, lambda a, b: (a - b) ** 2)),
        ("ratio", lambda table: direct_alpha(table, ratio)),
        ("circular(7)", lambda table: direct_alpha(table, lambda a, b: sin(pi * (a - b) / 7) ** 2)),
        (lambda a, b: np.abs(a - b), lambda table: direct_alpha(table, lambda a, b: abs(a - b))),
    ],
)
def test_alpha(distance, direct, seed):
    table = random_table(seed, n_annotators=2 + seed)
    assert krippendorff_alpha(table, distance=distance, rows="items").value == pytest.approx(direct(table))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("missing", [0, 0.2])
def test_two_annotators(seed, missing):
    table = random_table(seed, n_items=40, n_annotators=2, missing=missing)
    categories = categories_of(table)
    assert cohen_kappa(table, rows="items").value == pytest.approx(direct_weighted(table, lambda a, b: a != b))
    assert scott_pi(table, rows="items").value == pytest.approx(direct_scott(table))
    for weights, distance in {
        "linear": lambda a, b: abs(a - b),
        "quadratic": lambda a, b: (a - b) ** 2,
        "ordinal": gwet_ordinal(categories),
    }.items():
        assert weighted_kappa(table, weights=weights, rows="items").value == pytest.approx(
            direct_weighted(table, distance)
        )


@pytest.mark.parametrize("seed", SEEDS)
def test_ac2(seed):
    table = random_table(seed, n_annotators=2 + seed, n_labels=5)
    categories = categories_of(table)
    span = categories[-1] - categories[0]
    for weights, distance in {
        "linear": lambda a, b: abs(a - b) / span,
        "quadratic": lambda a, b: ((a - b) / span) ** 2,
        "ordinal": gwet_ordinal(categories),
    }.items():
        assert gwet_ac2(table, weights=weights, rows="items").value == pytest.approx(direct_ac(table, distance))


@pytest.mark.parametrize("seed", SEEDS)
def test_tables(seed):
    """Agreement per category, annotator and item."""
    table = random_table(seed, n_annotators=4)
    result = fleiss_kappa(table, rows="items")
    for row in result.rows["categories"]:
        k = row["category"]
        pairs = [pair for item in table for pair in permutations(labels_of(item), 2) if pair[0] == k]
        assert row["agreement"] == pytest.approx(sum(b == k for _, b in pairs) / len(pairs))
        assert row["n_units"] == (table == k).sum()
        collapsed = np.where(np.isnan(table), np.nan, table == k)
        assert row["value"] == pytest.approx(direct_fleiss(collapsed))
    for who, row in enumerate(result.rows["annotators"]):
        shares = []
        for item in table:
            others = labels_of(np.delete(item, who))
            if not np.isnan(item[who]) and others:
                shares.append(others.count(item[who]) / len(others))
        assert row["agreement"] == pytest.approx(sum(shares) / len(shares))
    assert [row["agreement"] for row in result.rows["items"] if row["agreement"] is not None] == sorted(
        observed(item[None]) for item in table if len(labels_of(item)) >= 2
    )


@settings(max_examples=30, deadline=None)
@given(st.data())
def test_categories_of_every_measure(data):
    """One category against all others is what the measure gives for two categories."""
    table = random_table(data.draw(st.integers(0, 10_000)), n_items=12, n_annotators=3, n_labels=3, missing=0.3)
    measure = data.draw(st.sampled_from([krippendorff_alpha, multi_kappa, gwet_ac1, randolph_kappa, gwet_ac2]))
    for row in measure(table, rows="items").rows["categories"]:
        paired = (~np.isnan(table)).sum(axis=1) > 1
        if row["category"] not in table[paired]:
            assert row["value"] is None
            continue
        collapsed = measure(np.where(np.isnan(table), np.nan, table == row["category"]), rows="items")
        if len(categories_of(table)) > 1:
            assert row["value"] == (None if collapsed.value is None else pytest.approx(collapsed.value))


@pytest.mark.parametrize("n_annotators", [3, 40])
def test_a_crowd(n_annotators):
    """Each item is labelled by a few of many."""
    rng = np.random.default_rng(1)
    table = random_table(1, n_items=60, n_annotators=n_annotators, missing=0)
    for item in table:
        item[rng.permutation(n_annotators)[3:]] = np.nan
    for measure, direct in ((fleiss_kappa, direct_fleiss), (gwet_ac1, direct_ac), (percent_agreement, observed)):
        assert measure(table, rows="items").value == pytest.approx(direct(table))
    assert krippendorff_alpha(table, distance="interval", rows="items").value == pytest.approx(
        direct_alpha(table, lambda a, b: (a - b) ** 2)
    )


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    "measure", [krippendorff_alpha, multi_kappa, fleiss_kappa, gwet_ac1, gwet_ac2, percent_agreement]
)
def test_categories_of_a_crowd(measure, seed):
    """Where each item is labelled by a few of many, too, one category against all others is as with two categories."""
    rng = np.random.default_rng(seed)
    table = random_table(seed, n_items=40, n_annotators=12, missing=0)
    for item in table:
        item[rng.permutation(12)[rng.integers(0, 5) :]] = np.nan
    repeats = rng.integers(0, 4, len(table))
    found = measure(replace(Ratings.of(table, rows="items"), repeats=repeats)).rows["categories"]
    assert len(found) == 4
    for row in found:
        collapsed = np.where(np.isnan(table), np.nan, table == row["category"])
        assert row["value"] == pytest.approx(measure(np.repeat(collapsed, repeats, axis=0), rows="items").value)


@pytest.mark.parametrize("seed", SEEDS)
def test_coincidences(seed):
    """o_ck = Σ_u (ordered pairs c, k in u) / (m_u - 1); for people, both ways round at once."""
    table = random_table(seed, n_annotators=4, n_labels=3 if seed % 2 else 20)
    met = Counter()
    for item in table:
        for pair in permutations(labels_of(item), 2):
            met[pair] += 1 / (len(labels_of(item)) - 1)
    result = krippendorff_alpha(table, rows="items")
    found = [(row["category_1"], row["category_2"]) for row in result.rows["coincidences"]]
    assert found == sorted(met)
    assert [row["n"] for row in result.rows["coincidences"]] == pytest.approx([met[pair] for pair in found])
    shown = result.tables()[-1]
    if seed % 2:
        cells = [[f"{met[c, k]:.1f}" for k in categories_of(table)] for c in categories_of(table)]
        assert [[cell.strip() for cell in row[1:]] for row in shown.rows] == cells
    else:
        unlike = sorted((-met[c, k], c, k) for c, k in met if c < k)
        assert shown.columns == ("confused most: labels", "n")
        assert [row[0] for row in shown.rows[:2]] == [f"{c:g} – {k:g}" for _, c, k in unlike[:2]]
        assert [row[1].strip() for row in shown.rows] == [f"{-2 * n:.1f}" for n, _, _ in unlike]


@pytest.mark.parametrize("weights", ["linear", "quadratic", "gwet-ordinal"])
@pytest.mark.parametrize("measure", [fleiss_kappa, gwet_ac2, multi_kappa, weighted_kappa])
def test_measurements_of_which_hardly_two_are_the_same(measure, weights, monkeypatch):
    """Differences of many different numbers are added up item by item, those of few labels pair by pair."""
    rng = np.random.default_rng(2)
    table = rng.normal(size=(150, 1)) + rng.normal(size=(150, 2 if measure is weighted_kappa else 4))
    table[rng.random(table.shape) < 0.1] = np.nan
    data = Ratings.of(np.round(table, 3), rows="items")
    by_item = measure(data, weights=weights)
    monkeypatch.setattr("unisono.measurement.categorization.counts.can_be_tallied", lambda size, n: True)
    by_pair = measure(data, weights=weights)
    assert by_item.value == pytest.approx(by_pair.value, abs=1e-12)
    assert by_item.interval.low == pytest.approx(by_pair.interval.low, abs=1e-9)
    assert by_item.details["standard_error_analytic"] == pytest.approx(by_pair.details["standard_error_analytic"])
