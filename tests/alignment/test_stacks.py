"""Many sets aligned together, each on its own: against brute force, and against the solver of single sets."""

from __future__ import annotations

import numpy as np
import pytest
from oracle import least_disorder

from unisono.alignment import stacks
from unisono.alignment.pairs import most_dissimilar
from unisono.alignment.solve import best_alignment
from unisono.alignment.stacks import best_alignments, least_sums
from unisono.data.annotation_set import sorted_set, stacked
from unisono.data.labels import feature
from unisono.dissimilarity.category import Ordinal
from unisono.dissimilarity.combined import Dissimilarity, WeightedFeature
from unisono.kernels import switch
from unisono.measurement.gamma.categories import tally_sets

BOUND = Dissimilarity(features=(WeightedFeature("category"),)).bind({"category": feature(["A", "B", "C"])})


def random_set(rng, n, most, extent, lengths=(0, 1, 2, 3, 5, 10)):
    """Nested, overlapping, identical, zero-length units; ties are common, and some annotators have none."""
    counts = rng.integers(0, most + 1, n)
    counts[rng.integers(n)] += 1
    total = int(counts.sum())
    start = rng.integers(0, extent, total).astype(float)
    end = start + rng.choice(lengths, total)
    if rng.random() < 0.3:
        scale, offset = rng.uniform(0.01, 100), rng.uniform(-1000, 1000)
        start, end = start * scale + offset, end * scale + offset
    codes = rng.integers(0, 3, (1, total))
    return sorted_set(start, end, np.repeat(np.arange(n), counts), codes, n, (0.0, 1.0))


def check(found, together, sets):
    """Every unit is in one unitary alignment, of its own set, and costs are those of the sets."""
    assert (np.sort(found.table[found.table >= 0]) == np.arange(together.n_units)).all()
    begins = together.begin[:: together.n_annotators]
    number = np.searchsorted(begins, np.arange(together.n_units), side="right") - 1
    apart = np.where(found.table >= 0, number[found.table], found.set_of[:, None])
    assert (apart == found.set_of[:, None]).all()
    assert (found.table >= 0).any(axis=1).all()
    assert len(found.total) == len(sets)
    assert found.total == pytest.approx(np.bincount(found.set_of, weights=found.cost), abs=1e-12)


@pytest.fixture(params=[False, True], ids=["interpreted", "compiled"])
def way(request, monkeypatch):
    """Run kernels one way or the other."""
    monkeypatch.setattr(switch, "_on", request.param)
    return request.param


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_equal_to_brute_force(n, way):
    rng = np.random.default_rng(n)
    most = {2: 5, 3: 3, 4: 2, 5: 1}[n]
    sets = [random_set(rng, n, most, int(rng.choice([6, 15, 40]))) for _ in range(600 if way else 150)]
    together = stacked(sets)
    found = best_alignments(together, BOUND)
    check(found, together, sets)
    assert (found.gap == 0).all()
    for units, total in zip(sets, found.total, strict=True):
        labels = np.array(["A", "B", "C"])[units.codes[0]]
        plain = [*zip(units.annotator.tolist(), units.start, units.end, labels, strict=True)]
        expected = least_disorder(plain, n, 1.0, 1.0, 1.0)
        assert total / units.mean_units == pytest.approx(expected, abs=1e-9, rel=1e-9)


@pytest.mark.parametrize(("n", "most", "extent"), [(2, 60, 150), (3, 30, 200), (3, 40, 60), (4, 15, 60), (6, 6, 60)])
def test_equal_to_single_sets_where_units_are_dense(n, most, extent, monkeypatch):
    monkeypatch.setattr(switch, "_on", True)
    rng = np.random.default_rng(n)
    sets = [random_set(rng, n, most, extent, lengths=(3, 5, 10, 20)) for _ in range(30)]
    together = stacked(sets)
    found = best_alignments(together, BOUND)
    check(found, together, sets)
    alone = [best_alignment(units, BOUND).total for units in sets]
    assert found.total == pytest.approx(alone, abs=1e-9)
    assert (found.gap == 0).all()


@pytest.mark.parametrize("n", [2, 3, 5])
def test_a_set_alone_is_aligned_as_among_others(n, monkeypatch):
    monkeypatch.setattr(switch, "_on", True)
    rng = np.random.default_rng(7)
    sets = [random_set(rng, n, 8, 60) for _ in range(50)]
    together = best_alignments(stacked(sets), BOUND)
    for number, units in enumerate(sets):
        alone = best_alignments(stacked([units]), BOUND)
        own = together.set_of == number
        first = sum(one.n_units for one in sets[:number])
        assert alone.cost.tolist() == together.cost[own].tolist()
        assert alone.table.tolist() == np.where(together.table >= 0, together.table - first, -1)[own].tolist()
        assert alone.total[0] == together.total[number]


def test_sets_that_are_too_hard_are_aligned_one_by_one(monkeypatch):
    rng = np.random.default_rng(3)
    sets = [random_set(rng, 3, 6, 20) for _ in range(20)]
    expected = best_alignments(stacked(sets), BOUND)
    monkeypatch.setattr(stacks, "GROUPS_PER_UNIT", 0)
    monkeypatch.setattr(stacks, "MOST_GROUPS", 3)  # no longer enough for most of them
    again = best_alignments(stacked(sets), BOUND)
    assert again.total == pytest.approx(expected.total, abs=1e-12)
    assert (again.gap == 0).all()
    monkeypatch.setattr(stacks, "best_alignment", lambda *_, **__: pytest.fail("it was not hard"))
    with pytest.raises(pytest.fail.Exception):
        best_alignments(stacked(sets), BOUND)


def test_a_dissimilarity_without_reach_is_aligned_one_by_one():
    rng = np.random.default_rng(4)
    sets = [random_set(rng, 3, 3, 20) for _ in range(20)]
    labels = {"category": feature(["A", "B", "C"])}
    categories = Dissimilarity(alpha=0.0, features=(WeightedFeature("category"),)).bind(labels)
    assert not stacks.aligned_together(9, 3, categories)
    found = best_alignments(stacked(sets), categories)
    check(found, stacked(sets), sets)
    assert found.total == pytest.approx([best_alignment(units, categories).total for units in sets], abs=1e-12)


LABELS = {"category": feature(["A", "B", "C"]), "other": feature(["x", "y"])}
DEFINITIONS = {
    "categories": Dissimilarity(features=(WeightedFeature("category"),)),
    "weights": Dissimilarity(0.5, 3.0, features=(WeightedFeature("category", 2.0), WeightedFeature("other"))),
    "an order": Dissimilarity(features=(WeightedFeature("category", 1.0, Ordinal(("B", "A", "C"))),)),
    "steep": Dissimilarity(f_cat="steep", features=(WeightedFeature("category"), WeightedFeature("other"))),
    "positions": Dissimilarity(),
    "positions only": Dissimilarity(beta=0.0, features=(WeightedFeature("category"),)),
}


@pytest.mark.parametrize("which", DEFINITIONS)
@pytest.mark.parametrize("n", [2, 3, 5])
def test_sums_are_those_of_the_alignments(which, n, way):
    bound = DEFINITIONS[which].bind(LABELS)
    rng = np.random.default_rng(n)
    sets = []
    for _ in range(60 if way else 10):
        units = random_set(rng, n, 6, 30)
        codes = [rng.integers(-1, len(LABELS[name].labels), units.n_units) for name in bound.features]
        codes = np.array(codes, dtype=np.int64).reshape(len(codes), units.n_units)
        sets.append(sorted_set(units.start, units.end, units.annotator, codes, n, (0.0, 1.0)))
    together = stacked(sets)
    found, sums = best_alignments(together, bound), least_sums(together, bound)
    assert sums.total == pytest.approx(found.total, abs=1e-12)
    assert (sums.gap == 0).all()
    tally = tally_sets(together, bound, found.table, found.set_of, together.n_sets)
    assert (tally is None) == (which == "positions")
    if tally is not None:
        np.testing.assert_allclose(sums.disorder, tally.disorder, atol=1e-12)
        np.testing.assert_allclose(sums.weight, tally.weight, atol=1e-12)


def test_pairs_are_compared_as_by_the_dissimilarity():
    rng = np.random.default_rng(5)
    for definition in DEFINITIONS.values():
        bound = definition.bind(LABELS)
        sets = []
        for _ in range(30):
            units = random_set(rng, 3, 6, 30)
            codes = np.array([rng.integers(-1, 2, units.n_units) for _ in bound.features], dtype=np.int64)
            codes = codes.reshape(len(bound.features), units.n_units)
            sets.append(sorted_set(units.start, units.end, units.annotator, codes, 3, (0.0, 1.0)))
        together = stacked(sets)
        reach = bound.reach(most_dissimilar(3))
        by_kernel = stacks._candidate_pairs(together, bound, reach)
        bound.__dict__["kinds"] = None  # then NumPy compares
        by_arrays = stacks._candidate_pairs(together, bound, reach)
        assert by_kernel.starts.tolist() == by_arrays.starts.tolist()
        assert by_kernel.other.tolist() == by_arrays.other.tolist()
        assert by_kernel.dissimilarity.tolist() == by_arrays.dissimilarity.tolist()


def test_too_many_labels_for_a_table():
    many = {"category": feature([f"label {number}" for number in range(250)])}
    bound = Dissimilarity(features=(WeightedFeature("category"),)).bind(many)
    assert bound.kinds is None
    sets = [random_set(np.random.default_rng(seed), 3, 4, 20) for seed in range(20)]
    assert least_sums(stacked(sets), bound) is None
    assert best_alignments(stacked(sets), bound).total == pytest.approx(best_alignments(stacked(sets), BOUND).total)
