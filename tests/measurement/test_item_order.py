"""When the order of items carries meaning, and intervals where it does not."""

from __future__ import annotations

import numpy as np
import pytest
from categorization_helpers import from_cells, random_table

import unisono
from unisono.data import Ratings
from unisono.measurement.item_order import is_sorted, mixed

COHEN = {(1, 1): 88, (1, 2): 14, (1, 3): 18, (2, 1): 10, (2, 2): 40, (2, 3): 10, (3, 1): 2, (3, 2): 6, (3, 3): 12}
SORTED = "items; rows are sorted, so their order is ignored"


def rows_of(data):
    return [[data.labels[code] for code in row] for row in data.codes.tolist()]


def looks_sorted(rows, document=None):
    counts = unisono.percent_agreement(rows, rows="items").prepared.by_item
    return is_sorted(counts, np.zeros(len(rows), np.int64) if document is None else np.array(document))


def shuffled(rows, seed=1):
    return [rows[index] for index in np.random.default_rng(seed).permutation(len(rows))]


def limits(result):
    return result.interval.low, result.interval.high


def test_a_table_that_was_written_out():
    """In Cohen's (1960) table the interval is that of the formula of Fleiss, Cohen & Everitt (1969)."""
    written_out = unisono.cohen_kappa(from_cells(COHEN))
    assert written_out.interval.method == f"jackknife over 200 {SORTED}"
    analytic = written_out.details["interval_analytic"]
    assert limits(written_out) == pytest.approx((analytic["low"], analytic["high"]), abs=0.01)


def test_118_items_of_a_contingency_table():
    """Which had an interval from −0.02 to 0.75 when blocks of neighbours were left out, whatever their order was."""
    cells = {("a", "a"): 22, ("a", "b"): 2, ("a", "c"): 2, ("b", "a"): 5, ("b", "b"): 7, ("b", "c"): 14}
    cells |= {("c", "b"): 2, ("c", "c"): 36, ("c", "d"): 14, ("d", "c"): 4, ("d", "d"): 10}
    found = unisono.cohen_kappa(from_cells(cells))
    assert found.n_units == 2 * 118
    analytic = found.details["interval_analytic"]
    assert limits(found) == pytest.approx((analytic["low"], analytic["high"]), abs=0.015)


def test_sorted_rows_are_recognized():
    rows = rows_of(from_cells(COHEN))
    assert looks_sorted(rows)
    assert looks_sorted(rows[::-1])
    mixed_rows = shuffled(rows)
    assert not looks_sorted(mixed_rows)
    for annotator in (0, 1):
        by_one = sorted(mixed_rows, key=lambda row: row[annotator])
        assert looks_sorted(by_one)
        assert looks_sorted(sorted(by_one, key=lambda row: {1: 2, 2: 0, 3: 1}[row[annotator]]))


def test_numbers_that_rise_are_sorted():
    rng = np.random.default_rng(2)
    values = np.sort(rng.normal(size=40))
    rows = np.stack([values, values + rng.normal(size=40)], axis=1)
    assert looks_sorted(rows)
    assert looks_sorted(rows[::-1])
    assert not looks_sorted(rows[rng.permutation(40)])


def test_sections_of_a_text_are_not_sorted_rows():
    """Both annotators mark sections, with borders a few sentences apart: neighbours are alike since the text is so."""
    first = np.repeat([1, 2, 3], [70, 70, 60])
    second = np.concatenate([np.repeat(1, 6), first[:-6]])
    again = np.repeat([1, 2, 3, 1, 3], [50, 40, 30, 40, 40])
    for one, other in ((first, second), (again, np.roll(again, 4))):
        assert not looks_sorted(np.stack([one, other], axis=1))
        found = unisono.cohen_kappa({"a": one.tolist(), "b": other.tolist()})
        assert found.interval.method == "jackknife over 10 blocks of items"


def test_few_rows_may_be_in_order_by_chance():
    assert not looks_sorted([[1, 1], [1, 2], [2, 1], [2, 2]])
    assert not looks_sorted([[1, 1]])


def test_a_random_order_is_rarely_taken_for_sorted():
    found = [looks_sorted(random_table(seed, n_items=12, n_annotators=2, n_labels=2, missing=0)) for seed in range(400)]
    assert sum(found) <= 2


def test_documents_are_looked_at_one_by_one():
    rows = rows_of(from_cells(COHEN))
    assert looks_sorted(rows + rows, [0] * 200 + [1] * 200)
    assert not looks_sorted(rows + shuffled(rows), [0] * 200 + [1] * 200)


def test_a_row_for_several_items_has_no_place_in_an_order():
    codes, repeats = np.unique(from_cells(COHEN).codes, axis=0, return_counts=True)
    short = Ratings(range(1, 10), ("a", "b"), ("document",), np.zeros(9, int), codes, (1, 2, 3), repeats)
    found = unisono.cohen_kappa(short)
    assert found.interval.method == f"jackknife over 200 {SORTED}"
    assert limits(found) == pytest.approx(limits(unisono.cohen_kappa(from_cells(COHEN))))


def test_neighbours_that_are_alike_make_blocks():
    rng = np.random.default_rng(3)
    hard = np.repeat(rng.random(20) < 0.3, 10)
    truth = rng.integers(1, 4, 200)
    table = np.where(hard[:, None] & (rng.random((200, 2)) < 0.9), rng.integers(1, 4, (200, 2)), truth[:, None])
    in_order = unisono.krippendorff_alpha(table, rows="items")
    assert in_order.interval.method == "jackknife over 10 blocks of items"
    mixed_up = unisono.krippendorff_alpha(shuffled(table.tolist(), 5), rows="items")
    assert np.diff(limits(mixed_up)) < np.diff(limits(in_order))


@pytest.mark.parametrize("name", ["krippendorff-alpha", "fleiss-kappa", "multi-kappa", "gwet-ac1", "percent-agreement"])
def test_leaving_out_single_items_is_measuring_without_each(name):
    table = random_table(11, n_items=14, n_annotators=3, missing=0.2)
    result = unisono.measure(name, Ratings.of(table, rows="items"))
    parts = result.parts._over_single_items(result.prepared.by_item)
    assert parts.what == "items"
    labels = result.data.labels
    direct = []
    for index in range(14):
        rest = Ratings.of(np.delete(table, index, axis=0), rows="items")
        if rest.labels == labels:  # the categories to choose from stay the same
            direct.append(1 - unisono.measure(name, rest).value)
    possible = {round(error, 9) for error in (*parts.without, 1 - result.value)}  # which items without a pair leave
    assert {round(error, 9) for error in direct} <= possible


@pytest.mark.parametrize("seed", range(3))
def test_groups_of_very_many_items_do_not_depend_on_order_or_names(seed):
    rng = np.random.default_rng(seed)
    table = random_table(seed, n_items=12_000, n_annotators=3, n_labels=4, missing=0.1)
    found = unisono.fleiss_kappa(table, rows="items")
    single = found.parts._over_single_items(found.prepared.by_item)
    assert (single.what, single.n_parts) == ("groups of items", 50)
    renamed = np.array([np.nan, 40, 10, 30, 20])[np.where(np.isnan(table), 0, table).astype(int)]
    for turned in (table[rng.permutation(len(table))], table[:, [2, 0, 1]], renamed):
        other = unisono.fleiss_kappa(turned, rows="items")
        again = other.parts._over_single_items(other.prepared.by_item)
        assert np.sort(again.without) == pytest.approx(np.sort(single.without))


def test_groups_are_of_about_the_same_size():
    counts = unisono.fleiss_kappa(random_table(1, n_items=1003), rows="items").prepared.by_item
    sizes = np.bincount(mixed(counts, 50), minlength=50)
    assert set(sizes.tolist()) <= {20, 21}


def test_groups_vary_as_items_do():
    table = random_table(4, n_items=15_000, n_annotators=3, n_labels=3)
    found = unisono.krippendorff_alpha(table, rows="items")
    half = np.diff(limits(found))[0] / 2
    assert half == pytest.approx(2 * found.details["standard_error_analytic"], rel=0.35)
