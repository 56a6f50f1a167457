"""Searching for groups by value: against all groups, and what the fast searches find."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from unisono.kernels import switch
from unisono.kernels.climbing import FAR, climb_to_groups, group_costs
from unisono.kernels.local_search import ruin_and_recreate
from unisono.kernels.pricing import search, shares_and_hopes
from unisono.kernels.proximal import proximal_prices, repaired


@pytest.fixture(params=[False, True], ids=["interpreted", "compiled"])
def way(request, monkeypatch):
    """Run kernels one way or the other."""
    monkeypatch.setattr(switch, "_on", request.param)
    return request.param


def random_problem(rng, most_units=12):
    """Units of 3 to 8 annotators, as the kernels want them: arrays, and the weights as a matrix."""
    n = int(rng.integers(3, 9))
    n_units = int(rng.integers(2, most_units + 1))
    who = rng.integers(0, n, n_units)
    n_pairs = n * (n - 1) / 2
    if rng.random() < 0.4:
        apart = rng.exponential(rng.choice([0.3, 1.0, 5.0]), (n_units, n_units))
    else:
        place = np.sort(rng.random(n_units) * rng.choice([1, 3, 10]))
        apart = (place[:, None] - place) ** 2
    apart = np.triu(apart, 1) + np.triu(apart, 1).T
    weight = (1.0 - apart) / n_pairs
    weight[apart >= n_pairs + n - 1] = FAR
    weight[who[:, None] == who] = 0.0
    order = np.lexsort((np.arange(n_units), who))
    partners = [[v for v in order if who[v] != who[u] and weight[u, v] > FAR] for u in range(n_units)]
    starts = np.concatenate([[0], np.cumsum([len(own) for own in partners])])
    other = np.array([v for own in partners for v in own], np.int64)
    at = np.arange(n_units) * n_units
    return (who, starts, other, at, np.ascontiguousarray(weight).ravel(), n), weight


def hopes_of(graph):
    who, starts, other, at, weight, n = graph
    unit = np.repeat(np.arange(len(who)), np.diff(starts))
    return shares_and_hopes(who, starts, other, weight[at[unit] + other], n)


def all_groups(who, weight):
    """Every group of two and more units that can meet, with its cost."""
    own = [[None, *np.flatnonzero(who == annotator)] for annotator in range(int(who.max()) + 1)]
    found = {}
    for choice in itertools.product(*own):
        units = tuple(sorted(int(unit) for unit in choice if unit is not None))
        pairs = list(itertools.combinations(units, 2))
        if pairs and all(weight[pair] > FAR for pair in pairs):
            found[units] = 1.0 - sum(weight[pair] for pair in pairs)
    return found


def as_dict(bounds, members, cost):
    groups = [tuple(sorted(members[bounds[g] : bounds[g + 1]].tolist())) for g in range(len(cost))]
    assert len({*groups}) == len(groups)
    return dict(zip(groups, cost.tolist(), strict=True))


@pytest.mark.parametrize("block", range(3))
def test_search_finds_every_group_above_a_value(block, way):
    for seed in range(100 * block, 100 * block + (100 if way else 20)):
        rng = np.random.default_rng(seed)
        graph, weight = random_problem(rng)
        n_units = len(graph[0])
        price = rng.random(n_units) * rng.choice([0.2, 0.5, 1.0]) - rng.choice([0.0, 0.1])
        worth = float(rng.choice([0.0, -0.1, -0.5, 0.05]))
        _, hopes = hopes_of(graph)
        found = search(*graph, hopes, price, np.arange(n_units), worth, 10**9, 10**12, 10**6, 10**6)
        got = as_dict(*found[:3])
        groups = all_groups(graph[0], weight)
        wanted = {units: cost for units, cost in groups.items() if price[list(units)].sum() - cost > worth + 1e-12}
        assert {*got} == {*wanted}, seed
        assert all(got[units] == pytest.approx(cost, abs=1e-9) for units, cost in wanted.items())
        assert (found[3] == worth).all()


@pytest.mark.parametrize("effort", [1, 500])
def test_limits_hold_where_the_search_is_given_up(effort):
    for seed in range(300):
        rng = np.random.default_rng(seed)
        graph, weight = random_problem(rng)
        n_units = len(graph[0])
        price = rng.random(n_units) * rng.choice([0.2, 0.5, 1.0])
        _, hopes = hopes_of(graph)
        found = search(*graph, hopes, price, np.arange(n_units), 0.0, effort, 10**12, 10**6, 2)
        got = as_dict(*found[:3])
        for units, cost in all_groups(graph[0], weight).items():
            if units not in got:
                assert price[list(units)].sum() - cost <= found[3][units[0]] + 1e-12, seed


def test_shares_are_prices_that_no_group_exceeds():
    for seed in range(300):
        graph, weight = random_problem(np.random.default_rng(seed))
        shares, _ = hopes_of(graph)
        for units, cost in all_groups(graph[0], weight).items():
            assert shares[list(units)].sum() <= cost + 1e-12


@pytest.mark.usefixtures("way")
def test_climbing_finds_groups_that_are_worth_something():
    for seed in range(100):
        rng = np.random.default_rng(seed)
        graph, weight = random_problem(rng)
        price = rng.random(len(graph[0])) * 0.5
        groups = all_groups(graph[0], weight)
        best = max((price[list(units)].sum() - cost for units, cost in groups.items()), default=0.0)
        for noise in (0.0, 0.2):
            bounds, members, cost = climb_to_groups(*graph, price, noise, 1, 1)
            assert cost == pytest.approx(group_costs(bounds, members, graph[3], graph[4]))
            for g in range(len(cost)):
                units = tuple(sorted(members[bounds[g] : bounds[g + 1]].tolist()))
                assert groups[units] == pytest.approx(cost[g], abs=1e-12)
                assert 0.0 < price[list(units)].sum() - cost[g] <= best + 1e-12


def test_groupings_are_groupings_and_the_same_both_ways(monkeypatch):
    for seed in range(40):
        found = []
        for compiled in (False, True):
            monkeypatch.setattr(switch, "_on", compiled)
            graph, weight = random_problem(np.random.default_rng(seed), 16)
            who, n_units = graph[0], len(graph[0])
            group_of = np.full(n_units, -1)
            answer = ruin_and_recreate(who, graph[4], graph[5], np.zeros(n_units), False, group_of, 30, 0.05, 1, 64)
            found.append((group_of.tolist(), answer[1].tolist(), answer[3]))
            groups = [np.flatnonzero(group_of == name) for name in np.unique(group_of)]
            assert all(len({*who[units]}) == len(units) for units in groups)
            costs = [1.0 - weight[np.ix_(units, units)].sum() / 2.0 for units in groups]
            assert sum(costs) == pytest.approx(answer[3], abs=1e-9)
            assert answer[3] <= n_units
        assert found[0] == found[1]


def test_repaired_prices_exceed_none_of_the_groups():
    rng = np.random.default_rng(0)
    for _ in range(200):
        graph, weight = random_problem(rng)
        groups = all_groups(graph[0], weight)
        bounds = np.concatenate([[0], np.cumsum([len(units) for units in groups])]).astype(np.int64)
        members = np.array([unit for units in groups for unit in units], np.int64)
        price = rng.random(len(graph[0])) - 0.1
        lower = repaired(bounds, members, np.array([*groups.values()]), price)
        assert (lower <= price).all()
        assert all(lower[list(units)].sum() <= cost + 1e-12 for units, cost in groups.items())


@pytest.mark.usefixtures("way")
def test_prices_far_from_any_centre_are_those_of_the_linear_relaxation():
    from scipy.optimize import linprog

    rng = np.random.default_rng(1)
    for _ in range(30):
        graph, weight = random_problem(rng, 9)
        n_units = len(graph[0])
        groups = {**all_groups(graph[0], weight), **{(unit,): 1.0 for unit in range(n_units)}}
        bounds = np.concatenate([[0], np.cumsum([len(units) for units in groups])]).astype(np.int64)
        members = np.array([unit for units in groups for unit in units], np.int64)
        cost = np.array([*groups.values()])
        matrix = np.zeros((len(groups), n_units))
        for row, units in enumerate(groups):
            matrix[row, list(units)] = 1.0
        best = -linprog(-np.ones(n_units), A_ub=matrix, b_ub=cost, bounds=(None, None)).fun
        inside = hopes_of(graph)[0] - 0.01
        prices, _ = proximal_prices(bounds, members, cost, inside, np.full(n_units, 1e-7), inside, 1e-6)
        assert (matrix @ prices <= cost).all()
        assert prices.sum() == pytest.approx(best, abs=1e-3)
