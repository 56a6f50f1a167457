"""Units in groups of which every two can meet: the least cost against every choice of groups."""

from __future__ import annotations

from functools import cache
from itertools import combinations

import numpy as np
import pytest

from unisono.kernels import cliques, switch
from unisono.kernels.cliques import group_units


@pytest.fixture(params=[False, True], ids=["interpreted", "compiled"])
def way(request, monkeypatch):
    """Run kernels one way or the other."""
    monkeypatch.setattr(switch, "_on", request.param)
    return request.param


def random_pairs(rng, n_annotators, most_units, share):
    """Units of some annotators, and pairs of them that can meet, in any order."""
    sizes = rng.integers(0, most_units + 1, n_annotators)
    whose = np.repeat(np.arange(n_annotators), sizes)
    pairs = [(u, v) for u, v in combinations(range(len(whose)), 2) if whose[u] != whose[v] and rng.random() < share]
    pairs = [pairs[k] for k in rng.permutation(len(pairs)).tolist()]
    u, v = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    return len(whose), u.copy(), v.copy(), rng.integers(0, 13, len(pairs)) / 12


def least(n_units, n_annotators, u, v, d):
    """What the best groups cost: each unit is alone, or in a group with others that can all meet."""
    pairs = zip(u.tolist(), v.tolist(), d.tolist(), strict=True)
    cost = {(one, two): dissimilarity - 1 for one, two, dissimilarity in pairs}
    n_pairs = n_annotators * (n_annotators - 1) / 2

    @cache
    def rest(free):
        if not free:
            return 0.0
        first, others = free[0], free[1:]
        found = []
        for size in range(min(n_annotators, len(free))):
            for more in combinations(others, size):
                pairs = list(combinations((first, *more), 2))
                if all(pair in cost for pair in pairs):
                    left = tuple(unit for unit in others if unit not in more)
                    found.append(1 + sum(cost[pair] for pair in pairs) / n_pairs + rest(left))
        return min(found)

    return rest(tuple(range(n_units)))


def cost_of(group, n_annotators, u, v, d):
    """What groups cost; every two of a group can meet."""
    together = group[u] == group[v]
    sizes = np.bincount(group)
    assert together.sum() == (sizes * (sizes - 1) // 2).sum()
    return len(np.unique(group)) + (d[together] - 1).sum() / (n_annotators * (n_annotators - 1) / 2)


def grouped(n_units, n_annotators, u, v, d):
    """The groups of one sample."""
    return group_units(np.array([0, n_units]), np.array([n_annotators]), np.array([0, len(u)]), u, v, d)


def check(seed, n_annotators, most_units):
    rng = np.random.default_rng(seed)
    n_units, u, v, d = random_pairs(rng, n_annotators, most_units, rng.choice([0.1, 0.3, 0.6, 1.0]))
    group = grouped(n_units, n_annotators, u, v, d)
    assert (group >= 0).all()
    assert (group <= np.arange(n_units)).all()  # named by the lowest unit
    assert (group[group] == group).all()
    cost = cost_of(group, n_annotators, u, v, d)
    assert cost == pytest.approx(least(n_units, n_annotators, u, v, d), abs=1e-9), seed


@pytest.mark.parametrize(("n_annotators", "most_units"), [(2, 4), (3, 3), (4, 2), (5, 2), (9, 1)])
def test_against_every_choice(monkeypatch, n_annotators, most_units):
    monkeypatch.setattr(switch, "_on", True)
    for seed in range(500):
        check(seed, n_annotators, most_units)


def test_without_machine_code(monkeypatch):
    monkeypatch.setattr(switch, "_on", False)
    for seed in range(100):
        check(seed, 3, 3)


@pytest.mark.usefixtures("way")
def test_components_that_are_too_hard_are_left():
    # two annotators with forty units each, all of which can meet: more than there are bits
    u, v = np.divmod(np.arange(1600), 40)
    group = grouped(82, 3, u, v + 40, np.zeros(1600))
    assert group[:80].tolist() == [-1] * 80
    assert group[80:].tolist() == [80, 81]


@pytest.mark.usefixtures("way")
def test_many_groups_are_left():
    # five annotators with five units each, all of which can meet: 6⁵ - 1 groups
    whose = np.repeat(np.arange(5), 5)
    u, v = np.triu_indices(25, 1)
    apart = whose[u] != whose[v]
    assert (grouped(25, 5, u[apart], v[apart], np.full(apart.sum(), 0.5)) == -1).all()
    assert cliques.MOST_CLIQUES < 6**5


def test_nothing_to_group():
    nothing = np.zeros(0, np.int64)
    assert grouped(0, 3, nothing, nothing, np.zeros(0)).tolist() == []
    assert grouped(3, 3, nothing, nothing, np.zeros(0)).tolist() == [0, 1, 2]


@pytest.mark.usefixtures("way")
def test_samples_are_grouped_alone_and_together_in_the_same_way():
    rng = np.random.default_rng(1)
    n_annotators = rng.integers(2, 6, 60)
    samples = [random_pairs(rng, n, 2, 0.5) for n in n_annotators.tolist()]
    units = np.cumsum([0, *(n_units for n_units, *_ in samples)])
    edges = np.cumsum([0, *(len(u) for _, u, _, _ in samples)])
    u, v = (np.concatenate([own[side] + low for own, low in zip(samples, units[:-1], strict=True)]) for side in (1, 2))
    group = group_units(units, n_annotators, edges, u, v, np.concatenate([own[3] for own in samples]))
    for own, n, low, high in zip(samples, n_annotators.tolist(), units[:-1], units[1:], strict=True):
        assert (group[low:high] - low).tolist() == grouped(own[0], n, *own[1:]).tolist()
