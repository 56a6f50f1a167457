"""The score test of a margin, against its definition (Tango 1998) and its own level."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.stats import norm

from unisono.statistics.noninferiority import score_p


def likeliest(first, second, n, margin):
    """P(second) at which these numbers are likeliest if P(first) - P(second) is the margin, by search."""

    def unlikely(p):
        parts = ((first, p + margin), (second, p), (n - first - second, 1 - 2 * p - margin))
        return -sum(k * np.log(max(q, 1e-300)) for k, q in parts if k)

    return minimize_scalar(unlikely, bounds=(0, (1 - margin) / 2), method="bounded", options={"xatol": 1e-12}).x


@pytest.mark.parametrize(
    ("first", "second", "n", "margin"), [(10, 4, 60, 0.1), (3, 0, 30, 0.2), (20, 20, 45, 0.05), (7, 11, 100, 0.15)]
)
def test_the_definition(first, second, n, margin):
    p = likeliest(first, second, n, margin)
    variance = n * (2 * p + margin - margin**2)
    assert score_p(first, second, n, margin) == pytest.approx(
        norm.cdf((first - second - n * margin) / np.sqrt(variance)), abs=1e-5
    )


def test_published_example():
    """Tango (1998), Table 2: of 44 pairs, 1 and 0 are discordant; the margin of 0.1 is rejected at 5% (z = 1.709)."""
    assert score_p(1, 0, 44, 0.1) == pytest.approx(norm.cdf(-1.709), abs=2e-4)


def test_without_a_margin_it_is_that_of_mc_nemar():
    assert score_p(5, 15, 100, 0.0) == pytest.approx(norm.cdf((5 - 15) / np.sqrt(20)))
    assert score_p(0, 0, 40, 0.0) == 0.5


def test_the_more_the_first_wins_the_less_is_rejected():
    found = [score_p(first, 3, 50, 0.15) for first in range(48)]
    assert all(one < other for one, other in pairwise(found))


@pytest.mark.parametrize("second", [0.0, 0.02, 0.1])
@pytest.mark.parametrize("n", [30, 100, 300])
def test_its_level(n, second):
    """At the margin, the paper's t-test rejects in up to 18% of cases here."""
    rng = np.random.default_rng(n)
    for margin in (0.1, 0.2):
        drawn = rng.multinomial(n, [second + margin, second, 1 - 2 * second - margin], size=3000)
        rejected = np.mean([score_p(first, other, n, margin) <= 0.05 for first, other, _ in drawn.tolist()])
        assert rejected < 0.07
