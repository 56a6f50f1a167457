"""Annotators with one unit each: the cost that is found, and the bound, against all groupings."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import pytest

from unisono.alignment.few_groups import bound_apart, bounds_by_number, few_groups
from unisono.alignment.pairs import Pairs, most_dissimilar
from unisono.arrays import FloatArray
from unisono.kernels.few_groups import is_definite, random_directions, turned_apart


def groupings(n: int) -> Iterator[list[list[int]]]:
    """List all ways to put units into groups."""
    if not n:
        yield []
        return
    for before in groupings(n - 1):
        for place in range(len(before)):
            yield [*before[:place], [*before[place], n - 1], *before[place + 1 :]]
        yield [*before, [n - 1]]


def costs(distance: FloatArray, n_annotators: int) -> Iterator[float]:
    """What each grouping costs, by the definition."""
    n_pairs = n_annotators * (n_annotators - 1) / 2
    for groups in groupings(len(distance)):
        inside = sum(distance[u, v] - 1 for group in groups for u in group for v in group if u < v)
        yield len(groups) + inside / n_pairs


def random_case(seed: int) -> tuple[FloatArray, Pairs, int]:
    """Distances of two to eight units: near and far ones, ties, pairs that cannot meet, annotators without a unit."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 9))
    n_annotators = max(3, n + int(rng.choice([0, 0, 1, 5])))
    limit = most_dissimilar(n_annotators)
    place = rng.integers(0, rng.choice([4, 20]), (n, rng.choice([1, 2]))) * rng.choice([0.05, 0.3, 1.0, limit / 10])
    distance = np.abs(place[:, None] - place[None]).sum(axis=2) ** rng.choice([1, 2])
    first, second = np.triu_indices(n, 1)
    kept = distance[first, second] < limit
    distance[distance >= limit] = np.inf
    starts = np.concatenate([[0], np.cumsum(np.bincount(first[kept], minlength=n))])
    return distance, Pairs(starts, second[kept], distance[first, second][kept]), n_annotators


@pytest.mark.parametrize("first", range(0, 300, 50))
def test_all_groupings(first: int) -> None:
    n_proven = 0
    for seed in range(first, first + 50):
        distance, pairs, n_annotators = random_case(seed)
        found = few_groups(pairs, np.arange(len(distance)), n_annotators)
        assert found is not None
        bounds, members = found.groups.bounds.tolist(), found.groups.members.tolist()
        groups = [members[a:b] for a, b in pairwise(bounds)]
        assert sorted(members) == [*range(len(distance))]
        n_pairs = n_annotators * (n_annotators - 1) / 2
        for group, cost in zip(groups, found.groups.cost.tolist(), strict=True):
            inside = sum(distance[u, v] - 1 for u in group for v in group if u < v)
            assert cost == pytest.approx(1 + inside / n_pairs)
        best, cost = min(costs(distance, n_annotators)), float(found.groups.cost.sum())
        assert cost >= best - 1e-9
        assert cost == pytest.approx(best)  # not promised, but so it is with so few
        if found.bound is not None:
            assert found.bound <= best + 1e-12
        n_proven += found.bound is None
    assert n_proven > 10


@pytest.mark.parametrize("seed", range(60))
def test_bounds_of_each_number_of_groups(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 9))
    place = rng.normal(size=(n, int(rng.integers(1, 4)))) * rng.choice([1.0, 3.0])
    distance = ((place[:, None] - place[None]) ** 2).sum(axis=2) * rng.choice([0.1, 1.0])
    matrix = (distance - 1.0) / (n * (n - 1) / 2) * rng.choice([1.0, 4.0])
    np.fill_diagonal(matrix, 0.0)
    least = np.full(n, np.inf)
    for groups in groupings(n):
        cost = len(groups) + sum(matrix[u, v] for group in groups for u in group for v in group if u < v)
        least[len(groups) - 1] = min(least[len(groups) - 1], cost)
    bounds = bounds_by_number(matrix)
    assert (bounds <= least + 1e-9).all()
    assert bounds[0] == pytest.approx(least[0])
    near = min(least[0] + 1.0, least[1])  # one group may be as good, but for the cost of another
    assert bounds[1] == pytest.approx(near, abs=0.1 * abs(matrix).sum() / 2)
    for n_groups in range(3, n + 1):
        apart = bound_apart(matrix, n_groups, np.inf)
        few = min(cost + n_groups - number for number, cost in enumerate(least[:n_groups], 1))
        assert apart <= few + 1e-9
    assert bounds[-1] >= n + np.minimum(matrix, 0.0).sum() / 2 - 1e-9


def test_three_groups_are_nearly_proven() -> None:
    """Without what keeps X from being negative, the bound says next to nothing."""
    rng = np.random.default_rng(1)
    place = np.concatenate([rng.normal(10.0 * k, 1.5, 15) for k in range(3)])
    distance = np.minimum((place[:, None] - place[None]) ** 2 / 2, most_dissimilar(45) - 1)
    starts = np.concatenate([[0], np.cumsum(np.arange(44, -1, -1))])
    first, second = np.triu_indices(45, 1)
    pairs = Pairs(starts, second, distance[first, second])
    matrix = (distance - 1.0) / (45 * 44 / 2)
    np.fill_diagonal(matrix, 0.0)
    found = few_groups(pairs, np.arange(45), 45, tolerance=0.02)
    assert found is not None
    cost = float(found.groups.cost.sum())
    assert sorted(map(sorted, np.split(found.groups.members, found.groups.bounds[1:-1]))) == [
        [*range(15 * k, 15 * k + 15)] for k in range(3)
    ]
    assert found.bound is not None
    assert 0.98 * cost <= found.bound < cost
    assert bounds_by_number(matrix)[2] < 0.9 * cost


def test_annotators_with_several_units() -> None:
    _, pairs, n_annotators = random_case(0)
    n = len(pairs.starts) - 1
    assert few_groups(pairs, np.zeros(n, np.int64), n_annotators) is None


@pytest.mark.parametrize("seed", range(20))
def test_definite(seed: int) -> None:
    """Cholesky's decomposition says the same as eigenvalues; what `turned_apart` returns is nearly what makes it so."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 20))
    matrix = rng.normal(size=(n, n))
    matrix = matrix + matrix.T
    np.fill_diagonal(matrix, 0.0)
    pull = turned_apart(matrix.ravel(), random_directions(n, n), n, 2000)
    for diagonal in (rng.uniform(0, 20, n), pull + 1e-3 * pull.max(), pull - 0.1 * pull.max()):
        least = np.linalg.eigvalsh(matrix + np.diag(diagonal))[0]
        assert is_definite(matrix.ravel(), diagonal, n) == (least > 0)
    assert is_definite(matrix.ravel(), pull + 1e-3 * pull.max(), n)
