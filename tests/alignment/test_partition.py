"""The partition solver where local search gives up, and kernels in both ways of running."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from oracle import least_disorder
from test_best_alignment import corpus_of, random_units, solve

from unisono.alignment import partition
from unisono.alignment.pairs import candidate_pairs
from unisono.alignment.partition import UnitGroups, best_partition
from unisono.data import Corpus
from unisono.data.annotation_set import sorted_set
from unisono.data.labels import feature
from unisono.deadlines import Until
from unisono.dissimilarity.combined import Dissimilarity, WeightedFeature
from unisono.kernels import switch
from unisono.kernels.assignment import best_matching
from unisono.kernels.groups import undominated


@pytest.mark.parametrize("effort", [0, 5, 40])
def test_equal_to_brute_force_when_local_search_gives_up(monkeypatch, effort):
    monkeypatch.setattr(partition, "FIRST_EFFORT", effort)
    monkeypatch.setattr(partition, "_EFFORT", effort)
    monkeypatch.setattr(partition, "SWEEPS", 1)
    for seed in range(150):
        rng = np.random.default_rng(seed)
        units, n = random_units(rng)
        if n < 3 or not units:
            continue
        _, solution, disorder = solve(units, n)
        assert disorder == pytest.approx(least_disorder(units, n), abs=1e-9), seed
        assert solution.gap == 0


def useful_groups(pairs, annotations):
    """List every group, with its cost, of which all pairs are candidates and which no split makes cheaper."""
    n = annotations.n_annotators
    most = n * (n - 1) / 2
    apart = dict(zip(zip(pairs.unit, pairs.other, strict=True), pairs.dissimilarity - 1.0, strict=True))
    own = [[None, *np.flatnonzero(annotations.annotator == annotator)] for annotator in range(n)]
    for choice in itertools.product(*own):
        group = [unit for unit in choice if unit is not None]
        if len(group) < 2 or any(pair not in apart for pair in itertools.combinations(group, 2)):
            continue
        sides = itertools.product([0, 1], repeat=len(group) - 1)
        across = [
            sum(
                apart[u, v]
                for (u, a), (v, b) in itertools.combinations(zip(group, (0, *side), strict=True), 2)
                if a != b
            )
            for side in sides
        ]
        if max(across[1:]) < most - 1e-9:
            yield tuple(group), 1 + sum(apart[pair] for pair in itertools.combinations(group, 2)) / most


@pytest.mark.parametrize("n", [2, 3, 4])
def test_all_useful_groups_are_listed_at_their_cost(n):
    bound = Dissimilarity(features=(WeightedFeature("category"),)).bind({"category": feature(["A", "B"])})
    rng = np.random.default_rng(n)
    for _ in range(40):
        size = int(rng.integers(2, 14))
        start = rng.integers(0, 25, size).astype(float)
        annotations = sorted_set(
            start,
            start + rng.integers(1, 9, size),
            rng.integers(0, n, size),
            rng.integers(0, 2, (1, size)),
            n,
            (0.0, 40.0),
        )
        pairs = candidate_pairs(annotations, bound)
        bounds, members, cost, complete = undominated(
            pairs.starts, pairs.other, pairs.dissimilarity, annotations.annotator, n, 10**6, 10**9
        )
        assert complete
        found = {
            tuple(members[a:b].tolist()): own for (a, b), own in zip(itertools.pairwise(bounds), cost, strict=True)
        }
        assert len(found) == len(cost)
        for group, own in useful_groups(pairs, annotations):
            assert found[tuple(map(int, group))] == pytest.approx(own, abs=1e-12)
        if len(cost):
            *_, complete = undominated(
                pairs.starts, pairs.other, pairs.dissimilarity, annotations.annotator, n, len(cost) - 1, 10**9
            )
            assert not complete


def crowded(seed, n=4, per_annotator=12):
    """Long units on a short continuum: many near ties, fractional relaxations."""
    rng = np.random.default_rng(seed)
    units = []
    for annotator in range(n):
        for _ in range(per_annotator):
            start = int(rng.integers(0, 30))
            units.append((annotator, start, start + int(rng.integers(1, 12)), "AB"[rng.integers(2)]))
    return units, n


@pytest.mark.parametrize("seed", range(4))
def test_crowded_sets_equal_an_integer_program(seed):
    from scipy.optimize import LinearConstraint, milp
    from scipy.sparse import csc_array

    units, n = crowded(seed)
    annotations, solution, _ = solve(units, n)
    corpus = corpus_of(units, n)
    bound = Dissimilarity(features=(WeightedFeature("category"),)).bind(corpus.features)
    pairs = candidate_pairs(annotations, bound)
    bounds, members, cost, complete = undominated(
        pairs.starts, pairs.other, pairs.dissimilarity, annotations.annotator, n, 10**6, 10**9
    )
    assert complete
    groups = UnitGroups(bounds, members, cost).with_singles(annotations.n_units)
    columns = (column.astype(np.int32) for column in (groups.members, groups.bounds))  # older HiGHS wants 32 bits
    matrix = csc_array((np.ones(len(groups.members)), *columns))
    result = milp(
        groups.cost * 1e4,
        constraints=LinearConstraint(matrix, 1, 1),
        integrality=np.ones(len(groups.cost)),
        bounds=(0, 1),
        options={"mip_rel_gap": 0},
    )
    assert solution.total == pytest.approx(result.fun / 1e4, abs=1e-8)
    assert solution.gap == 0


def random_groups(rng):
    """Groups of two and three among few units, at costs with many near ties."""
    n_units = int(rng.integers(6, 13))
    found = {tuple(sorted(rng.choice(n_units, int(rng.integers(2, 4)), replace=False).tolist())) for _ in range(30)}
    sizes = [len(group) for group in found]
    cost = np.array([0.4 * len(group) + 0.1 * rng.integers(0, 4) for group in found])
    return UnitGroups(np.cumsum([0, *sizes]), np.array([unit for group in found for unit in group]), cost), n_units


def least_cost(groups, n_units):
    """Give the least cost of any choice, by dynamic programming over the sets of units covered."""
    groups = groups.with_singles(n_units)
    masks = [sum(1 << int(u) for u in groups.members[a:b]) for a, b in itertools.pairwise(groups.bounds)]
    least = [0.0] + [np.inf] * ((1 << n_units) - 1)
    for covered in range(1, 1 << n_units):
        first = covered & -covered
        for mask, cost in zip(masks, groups.cost, strict=True):
            if mask & first and mask & covered == mask:
                least[covered] = min(least[covered], cost + least[covered ^ mask])
    return least[-1]


@pytest.mark.parametrize(("effort", "tolerance"), [(0, 0.0), (2, 0.0), (2, 0.05), (15, 0.01), (15, 1.0)])
def test_choices_and_bounds_are_right_whatever_is_given_up(monkeypatch, effort, tolerance):
    monkeypatch.setattr(switch, "_on", True)
    monkeypatch.setattr(partition, "FIRST_EFFORT", effort)
    monkeypatch.setattr(partition, "_EFFORT", effort)
    n_open = 0
    for seed in range(40):
        groups, n_units = random_groups(np.random.default_rng(seed))
        least = least_cost(groups, n_units)
        found = best_partition(groups, n_units, tolerance=tolerance)
        assert (np.sort(found.groups.members) == np.arange(n_units)).all(), seed
        cost = found.groups.cost.sum()
        assert least - 1e-9 <= cost <= least / (1 - min(tolerance, 0.5)) + 1e-9 or tolerance == 1.0, seed
        assert (cost if found.bound is None else found.bound) <= least + 1e-9, seed
        n_open += found.bound is not None
    assert (n_open > 0) == (tolerance > 0)


def test_a_triple_of_units_closes_the_gap_of_the_relaxation():
    # any two of three units cost 1 together: the relaxation takes half of each pair, 1.5, and every choice costs 2
    pairs = UnitGroups(np.arange(0, 7, 2), np.array([0, 1, 1, 2, 0, 2]), np.ones(3)).with_singles(3)
    part = partition._Problem(pairs, 3).part(np.arange(3), np.full(3, 0.4))
    part.scale((0.05, 0.01))
    assert part.price.sum() == pytest.approx(1.5, abs=0.02)
    triples = part.triples(0.01)
    assert triples.tolist() == [[0, 1, 2]]
    again = part.problem.with_triples(triples, 3).part(np.arange(4), np.append(part.price, 0.0))
    again.scale((0.05, 0.05, 0.05, 0.02, 0.01))
    assert again.price.sum() == pytest.approx(2.0, abs=0.05)
    assert again.price[3] < 0


def test_a_passed_deadline_still_gives_a_partition_and_a_valid_bound(monkeypatch):
    monkeypatch.setattr(partition, "FIRST_EFFORT", 0)
    monkeypatch.setattr(partition, "_EFFORT", 0)
    units, n = crowded(1)
    annotations, best, _ = solve(units, n)
    corpus = corpus_of(units, n)
    bound = Dissimilarity(features=(WeightedFeature("category"),)).bind(corpus.features)
    pairs = candidate_pairs(annotations, bound)
    bounds, members, cost, _ = undominated(
        pairs.starts, pairs.other, pairs.dissimilarity, annotations.annotator, n, 10**6, 10**9
    )
    found = best_partition(UnitGroups(bounds, members, cost), annotations.n_units, Until.after(-1))
    assert (np.sort(found.groups.members) == np.arange(annotations.n_units)).all()
    assert found.groups.cost.sum() >= best.total - 1e-9
    assert found.bound is None or found.bound <= best.total + 1e-9


def test_assignment_equals_scipy():
    from scipy.optimize import linear_sum_assignment

    rng = np.random.default_rng(0)
    for _ in range(300):
        n_rows, n_columns = rng.integers(1, 9, 2)
        saving = rng.uniform(0, 2, (n_rows, n_columns)) * (rng.random((n_rows, n_columns)) < 0.6)
        if rng.random() < 0.3:
            saving = np.round(saving)
        row, column = np.nonzero(saving)
        starts = np.concatenate([[0], np.cumsum(np.bincount(row, minlength=n_rows))])
        column_of = best_matching(starts, column, saving[row, column], int(n_columns))
        matched = np.flatnonzero(column_of >= 0)
        assert len(set(column_of[matched])) == len(matched)
        total = saving[matched, column_of[matched]].sum()
        best = saving[linear_sum_assignment(saving, maximize=True)].sum()
        assert total == pytest.approx(best, abs=1e-9)


def test_kernels_give_the_same_as_python_and_as_machine_code(monkeypatch):
    results = []
    for on in (False, True):
        monkeypatch.setattr(switch, "_on", on)
        for seed in range(40):
            units, n = random_units(np.random.default_rng(seed))
            if units:
                _, solution, disorder = solve(units, n)
                results.append((on, seed, disorder, solution.table.tolist()))
        units, n = crowded(2, n=3, per_annotator=8)
        results.append((on, "crowded", *[solve(units, n)[index] for index in (2,)]))
    plain = [result[1:] for result in results if not result[0]]
    machine = [result[1:] for result in results if result[0]]
    assert plain == machine


def test_memory_goes_with_the_candidates():
    n = 20_000
    start = np.arange(n) * 10
    corpus = Corpus.from_columns(
        annotator=["a"] * n + ["b"] * n,
        start=np.concatenate([start, start + 1]),
        end=np.concatenate([start + 8, start + 9]),
    )
    bound = Dissimilarity().bind({})
    pairs = candidate_pairs(next(iter(corpus)).annotation_set(), bound)
    assert len(pairs.other) < 6 * n


def test_one_long_unit_does_not_widen_every_window():
    rng = np.random.default_rng(0)
    n = 3000
    start = np.arange(n) * 10
    rows = np.concatenate([start, start + rng.integers(0, 3, n), [0], [5]])
    ends = np.concatenate([start + 5, start + 7, [10 * n], [10 * n - 3]])
    corpus = Corpus.from_columns(annotator=["a"] * n + ["b"] * n + ["a", "b"], start=rows, end=ends)
    units = next(iter(corpus)).annotation_set()
    pairs = candidate_pairs(units, Dissimilarity().bind({}))
    u, v = pairs.unit, pairs.other
    length = units.end - units.start
    among_short = (length[u] < 1000) & (length[v] < 1000)
    assert among_short.sum() < 6 * n
    assert len(u) - among_short.sum() <= 2 * n + 1
