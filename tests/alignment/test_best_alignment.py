"""The best alignment against brute force over all alignments, and its invariants."""

from __future__ import annotations

import numpy as np
import pytest
from oracle import least_disorder

from unisono.alignment.solve import best_alignment
from unisono.data import Corpus
from unisono.dissimilarity.category import Hierarchy, Matrix, Ordinal
from unisono.dissimilarity.combined import Dissimilarity, WeightedFeature
from unisono.kernels import switch

N_CASES = 6000


def random_units(rng):
    """Nested, overlapping, identical, zero-length units of two to five annotators; ties are common."""
    n = int(rng.integers(2, 6))
    most = {2: 5, 3: 3, 4: 2, 5: 2}[n]
    extent = int(rng.choice([6, 15, 40]))
    units = []
    for annotator in range(n):
        for _ in range(int(rng.integers(0, most + 1))):
            start = int(rng.integers(0, extent))
            length = int(rng.choice([0, 1, 2, 3, 5, 10], p=[0.1, 0.15, 0.2, 0.2, 0.2, 0.15]))
            units.append((annotator, start, start + length, "ABC"[rng.integers(3)]))
    if rng.random() < 0.3:
        scale, offset = rng.uniform(0.01, 100), rng.uniform(-1000, 1000)
        units = [(a, s * scale + offset, e * scale + offset, c) for a, s, e, c in units]
    return units, n


def corpus_of(units, n):
    return Corpus.from_columns(
        annotator=[f"a{unit[0]}" for unit in units],
        document=["d"] * len(units),
        start=np.array([unit[1] for unit in units], dtype=float),
        end=np.array([unit[2] for unit in units], dtype=float),
        features={"category": [unit[3] for unit in units]},
        worked=[("d", f"a{i}") for i in range(n)],
    )


def solve(units, n, alpha=1.0, beta=1.0, delta_empty=1.0):
    corpus = corpus_of(units, n)
    definition = Dissimilarity(alpha, beta, delta_empty, (WeightedFeature("category"),))
    annotations = corpus["d"].annotation_set(["category"])
    solution = best_alignment(annotations, definition.bind(corpus.features))
    return annotations, solution, solution.total * delta_empty / annotations.mean_units


@pytest.fixture(params=[False, True], ids=["interpreted", "compiled"])
def way(request, monkeypatch):
    """Run kernels one way or the other."""
    monkeypatch.setattr(switch, "_on", request.param)


@pytest.mark.parametrize("block", [0, *(pytest.param(block, marks=pytest.mark.slow) for block in range(1, 60))])
@pytest.mark.usefixtures("way")
def test_equal_to_brute_force(block):
    done = 0
    for seed in range(block * N_CASES // 6, (block + 1) * N_CASES // 6):
        rng = np.random.default_rng(seed)
        units, n = random_units(rng)
        if not units:
            continue
        alpha, beta = rng.choice([0.0, 0.5, 1.0, 3.0, rng.uniform(0, 5)], 2)
        if alpha == beta == 0:
            alpha = 1.0
        delta_empty = rng.choice([0.5, 1.0, 2.0, rng.uniform(0.1, 3)])
        annotations, solution, disorder = solve(units, n, alpha, beta, delta_empty)
        expected = least_disorder(units, n, alpha, beta, delta_empty)
        assert disorder == pytest.approx(expected, abs=1e-9, rel=1e-9), seed
        assert solution.gap == 0.0
        used = np.sort(solution.table[solution.table >= 0])
        assert (used == np.arange(annotations.n_units)).all(), seed
        done += 1
    assert done > 0.9 * N_CASES / 6


def disorder_with(units, n, definition):
    corpus = corpus_of(units, n)
    annotations = corpus["d"].annotation_set(definition.bind(corpus.features).features)
    solution = best_alignment(annotations, definition.bind(corpus.features))
    return solution.total * definition.delta_empty / annotations.mean_units


@pytest.mark.parametrize(
    ("distance", "apart"),
    [
        (Ordinal(("B", "A", "C")), lambda a, b: abs("BAC".index(a) - "BAC".index(b)) / 2),
        (
            Matrix(("A", "B", "C"), np.array([[0, 0.3, 1], [0.3, 0, 0.5], [1, 0.5, 0]])),
            lambda a, b: {"AB": 0.3, "AC": 1, "BC": 0.5}.get("".join(sorted(a + b)), 0),
        ),
        (Hierarchy(), lambda a, b: float(a != b)),
    ],
)
def test_other_distances_equal_brute_force(distance, apart):
    definition = Dissimilarity(features=(WeightedFeature("category", 1.0, distance),))
    for seed in range(300):
        units, n = random_units(np.random.default_rng(seed))
        if units:
            expected = least_disorder(units, n, d_cat=lambda u, v: apart(u[3], v[3]))
            assert disorder_with(units, n, definition) == pytest.approx(expected, abs=1e-9), seed


@pytest.mark.parametrize("f_cat", ["linear", "steep"])
@pytest.mark.parametrize("beta", [0.0, 1.0])
def test_breaking_ties_changes_no_optimum(f_cat, beta):
    def d_cat(u, v):
        return 0.0 if u[3] == v[3] else (1.0 if f_cat == "linear" else np.inf)

    definition = Dissimilarity(beta=beta, features=(WeightedFeature("category"),), f_cat=f_cat)
    for seed in range(300):
        units, n = random_units(np.random.default_rng(seed))
        if units:
            expected = least_disorder(units, n, beta=beta, d_cat=d_cat)
            assert disorder_with(units, n, definition) == pytest.approx(expected, abs=1e-9), seed


@pytest.mark.parametrize("delta_empty", [0.5, 1.0, 3.0])
def test_own_dissimilarity_equals_brute_force(delta_empty):
    def apart(u, v):
        return abs(u[1] - v[1]) / 4 + abs(u[2] - v[2]) / 8

    def own(u, v):
        return np.abs(u.start - v.start) / 4 + np.abs(u.end - v.end) / 8

    definition = Dissimilarity(delta_empty=delta_empty, features=(WeightedFeature("category"),), custom=own)
    for seed in range(300):
        units, n = random_units(np.random.default_rng(seed))
        if units:
            # the oracle multiplies d by Δ∅, which a dissimilarity of one's own is not
            d_cat = lambda u, v: apart(u, v) / delta_empty  # noqa: E731
            expected = least_disorder(units, n, alpha=0.0, delta_empty=delta_empty, d_cat=d_cat)
            assert disorder_with(units, n, definition) == pytest.approx(expected, abs=1e-9), seed


@pytest.mark.parametrize("n", [6, 7])
def test_six_and_seven_annotators_equal_brute_force(n):
    for seed in range(25):
        rng = np.random.default_rng(seed)
        units = []
        for annotator in range(n):
            for _ in range(int(rng.integers(0, 3))):
                start = int(rng.integers(0, 12))
                units.append((annotator, start, start + int(rng.integers(0, 6)), "AB"[rng.integers(2)]))
        if units:
            _, solution, disorder = solve(units, n)
            assert disorder == pytest.approx(least_disorder(units, n), abs=1e-9), seed
            assert solution.gap == 0


def test_a_time_limit_gives_a_proven_gap():
    rng = np.random.default_rng(0)
    units = []
    for annotator in range(14):
        for _ in range(25):
            start = int(rng.integers(0, 150))
            units.append((annotator, start, start + int(rng.integers(2, 20)), "ABC"[rng.integers(3)]))
    corpus = corpus_of(units, 14)
    bound = Dissimilarity(features=(WeightedFeature("category"),)).bind(corpus.features)
    annotations = corpus["d"].annotation_set(["category"])
    hasty = best_alignment(annotations, bound, time_limit=0.05)
    patient = best_alignment(annotations, bound, time_limit=1.0)
    assert 0 < hasty.gap < 1
    assert hasty.bound <= patient.total
    assert patient.bound <= patient.total <= hasty.total + 1e-9
    assert (np.sort(hasty.table[hasty.table >= 0]) == np.arange(len(units))).all()
