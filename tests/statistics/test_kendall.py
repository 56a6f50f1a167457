"""Kendall's τ and its interval over systems and items."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from unisono.statistics.kendall import kendall_tau, left_out, tau_interval


def interval(first, second):
    tau = kendall_tau(first, second)
    return tau, tau_interval(tau, left_out(np.arange(len(first)), lambda kept: kendall_tau(first[kept], second[kept])))


def test_as_scipy():
    rng = np.random.default_rng(1)
    for n in (3, 7, 20):
        one, other = rng.integers(0, n, (2, n)).astype(float)
        assert kendall_tau(one, other) == pytest.approx(stats.kendalltau(one, other).statistic)


def test_a_ranking_that_ties_all_has_no_value():
    assert kendall_tau(np.ones(4), np.arange(4.0)) is None


def test_rankings_that_are_the_same_are_not_certain():
    """As if one pair of neighbours of eight systems were the other way round."""
    tau, found = interval(np.arange(8.0), np.arange(8.0))
    swapped = np.array([1.0, 0, 2, 3, 4, 5, 6, 7])
    without = left_out(np.arange(8), lambda kept: kendall_tau(swapped[kept], np.arange(8.0)[kept]))
    pseudo = 8 * kendall_tau(swapped, np.arange(8.0)) - 7 * without
    half = stats.t.ppf(0.975, 7) * np.sqrt(pseudo.var(ddof=1) / 8)
    assert tau == found.high == 1
    assert found.low == pytest.approx(1 - half)


def test_families_of_one_system_each_change_nothing():
    rng = np.random.default_rng(3)
    one, other = rng.normal(size=(2, 12))
    tau, found = interval(one, other)
    without = left_out(np.arange(12), lambda kept: kendall_tau(one[kept], other[kept]))
    again = tau_interval(tau, without, np.ones(12))
    assert (again.low, again.high) == pytest.approx((found.low, found.high))


def test_systems_of_one_family_count_once():
    """Each of twelve systems three times: as if there were twelve, but for pairs of the same, which are no pairs."""
    rng = np.random.default_rng(4)
    one, other = rng.normal(size=(2, 12))
    alone = interval(one, other)[1]
    of = np.repeat(np.arange(12), 3)
    first, second = one[of] + 1e-6 * rng.normal(size=36), other[of] + 1e-6 * rng.normal(size=36)
    without = left_out(of, lambda kept: kendall_tau(first[kept], second[kept]))
    together = kendall_tau(first, second)
    families = tau_interval(together, without, np.full(12, 3.0))
    naive = interval(first, second)[1]
    assert families.high - families.low == pytest.approx(alone.high - alone.low, rel=0.15)
    assert naive.high - naive.low < 0.8 * (families.high - families.low)
    assert "only 3 families" in tau_interval(0.5, np.zeros(3), np.full(3, 4.0))


def test_few_systems():
    assert "only 4 systems" in tau_interval(0.5, np.zeros(4))
    assert "everything depends on it" in tau_interval(0.5, np.array([0.5, 0.5, np.nan, 0.4, 0.3]))


@pytest.mark.parametrize(("n_systems", "n_items", "like"), [(10, 30, 0.7), (16, 60, 0.9)])
def test_covers_the_tau_of_other_systems_and_items(n_systems, n_items, like):
    """Items have effects that systems of one kind share; all of them are drawn anew."""
    rng = np.random.default_rng(2)

    def means():
        quality = rng.normal(size=n_systems)
        found = like * quality + np.sqrt(1 - like**2) * rng.normal(size=n_systems)
        skills = rng.multinomial(n_items, [0.25] * 4) / n_items
        kinds = rng.normal(size=(n_systems, 4)) @ skills
        shared = rng.normal(size=n_systems) * 0.6 / np.sqrt(n_items)
        errors = rng.normal(size=(2, n_systems)) * 0.8 / np.sqrt(n_items)
        return quality + kinds + shared + errors[0], found + kinds + shared + errors[1]

    true = np.mean([kendall_tau(*means()) for _ in range(2000)])
    found = [interval(*means())[1] for _ in range(400)]
    assert 0.93 <= np.mean([one.low <= true <= one.high for one in found]) <= 0.985
