"""Tests of marginal homogeneity: Stuart's data, statsmodels, brute force, degenerate tables."""

from __future__ import annotations

import numpy as np
import pytest

from unisono.statistics.homogeneity import bhapkar, mcnemar, stuart_maxwell

STUART_1955 = np.array([[1520, 266, 124, 66], [234, 1512, 432, 78], [117, 362, 1772, 205], [36, 82, 179, 492]])
"""Unaided distance vision of 7477 women, right and left eye."""


def cells(table):
    rows, columns = np.nonzero(table)
    return rows, columns, table[rows, columns].astype(float)


def both(table):
    found = stuart_maxwell(*cells(table))
    return found, bhapkar(found, table.sum())


def test_stuart_1955():
    found, other = both(STUART_1955)
    assert (found["statistic"], found["df"]) == (pytest.approx(11.96, abs=0.005), 3)
    assert found["p"] == pytest.approx(0.0075, abs=5e-5)
    assert (other["statistic"], other["df"]) == (pytest.approx(11.98, abs=0.005), 3)  # Bhapkar 1966


def test_statsmodels_on_random_tables():
    tables = pytest.importorskip("statsmodels.stats.contingency_tables")
    rng = np.random.default_rng(1)
    for _ in range(200):
        size = int(rng.integers(2, 7))
        table = rng.integers(1, 12, (size, size)) + np.diag(rng.integers(0, 40, size))
        square = tables.SquareTable(table, shift_zeros=False)
        for ours, method in zip(both(table), ("stuart_maxwell", "bhapkar"), strict=True):
            theirs = square.homogeneity(method=method)
            assert (ours["statistic"], ours["df"]) == (pytest.approx(theirs.statistic), theirs.df)
            assert ours["p"] == pytest.approx(theirs.pvalue, abs=1e-12)


@pytest.mark.parametrize(("b", "c"), [(3, 12), (0, 5), (7, 7), (30, 12), (1, 0), (12, 13), (12, 12)])
def test_mcnemar_of_statsmodels(b, c):
    tables = pytest.importorskip("statsmodels.stats.contingency_tables")
    found = mcnemar(b, c)
    assert found["exact"] == (b + c < 25)
    theirs = tables.mcnemar([[9, b], [c, 4]], exact=found["exact"], correction=False)
    assert found["p"] == pytest.approx(theirs.pvalue)
    assert found["statistic"] == pytest.approx((b - c) ** 2 / (b + c))


def test_two_categories_are_mcnemars():
    table = np.array([[40, 30], [12, 20]])
    assert both(table)[0]["statistic"] == pytest.approx(mcnemar(30, 12)["statistic"])


def test_categories_without_disagreement_do_not_count():
    """A category on which both always agree, or that nobody chose, changes neither statistic nor degrees of freedom."""
    wider = np.zeros((7, 7), int)
    wider[np.ix_([0, 2, 3, 6], [0, 2, 3, 6])] = STUART_1955
    found = stuart_maxwell(*cells(wider))
    assert found == pytest.approx(both(STUART_1955)[0])
    wider[4, 4] = 100
    assert stuart_maxwell(*cells(wider)) == pytest.approx(found)


def test_groups_that_are_never_confused_are_tested_apart():
    first, second = np.array([[5, 9], [2, 6]]), np.array([[1, 4, 2], [3, 5, 7], [6, 1, 8]])
    table = np.zeros((5, 5), int)
    table[:2, :2], table[2:, 2:] = first, second
    parts = [both(part)[0] for part in (first, second)]
    found = both(table)[0]
    assert found["statistic"] == pytest.approx(sum(part["statistic"] for part in parts))
    assert found["df"] == 3


def test_order_of_categories_and_of_annotators_does_not_matter():
    order = [2, 0, 3, 1]
    for turned in (STUART_1955[np.ix_(order, order)], STUART_1955.T):
        for one, other in zip(both(turned), both(STUART_1955), strict=True):
            assert one == pytest.approx(other)


def test_nothing_to_test():
    assert both(np.diag([3, 4])) == ({"statistic": None, "df": 0, "p": None},) * 2
    assert mcnemar(0, 0) == {"statistic": None, "df": 0, "p": None, "exact": True}
    found, other = both(np.array([[0, 9], [0, 0]]))  # all differ, in the same direction
    assert found["statistic"] == pytest.approx(9)
    assert other == {"statistic": None, "df": 1, "p": None}
    many = np.arange(600)
    assert stuart_maxwell(many, (many + 1) % 600, np.ones(600)) is None
    assert bhapkar(None, 600) is None
