"""Noise of a model's runs: an identity, checked on labels."""

from __future__ import annotations

import numpy as np
import pytest

from unisono.statistics.run_noise import left_with, noise_limits, noise_share, runs_needed


def test_disagreement_is_noise_and_what_remains():
    """For labels: D(run, person) = Σ (q - h)² / 2 + noise, where q are the shares of labels over runs."""
    rng = np.random.default_rng(1)
    n_runs, n_items, k = 400, 60, 3
    q = rng.dirichlet(np.ones(k), n_items)
    runs = np.array([[rng.choice(k, p=p) for p in q] for _ in range(n_runs)])
    person = rng.integers(0, k, n_items)
    shares = np.stack([(runs == label).mean(axis=0) for label in range(k)], axis=1)
    with_person = (runs != person).mean()
    among = np.mean([(runs[i] != runs[j]).mean() for i in range(n_runs) for j in range(i)])
    remains = ((shares - np.eye(k)[person]) ** 2).sum(axis=1).mean() / 2
    # Σ (q - h)²/2 has half the spread of the person's label, which does not vary here
    noise = noise_share(among, with_person)
    assert with_person * (1 - noise) == pytest.approx(with_person - among / 2)
    assert with_person - among / 2 == pytest.approx(remains, abs=0.01)


def test_averaged_runs_of_numbers():
    """The squared difference of the mean of R runs from people falls as is predicted."""
    rng = np.random.default_rng(2)
    truth = rng.normal(size=20_000)
    person = truth + rng.normal(0, 0.3, truth.shape)
    runs = truth + rng.normal(0, 0.4, truth.shape) + rng.normal(0, 0.6, (6, *truth.shape))
    one = np.mean((runs - person) ** 2)
    among = np.mean([(runs[i] - runs[j]) ** 2 for i in range(6) for j in range(i)])
    noise = noise_share(among, one)
    assert noise == pytest.approx(0.36 / (0.36 + 0.16 + 0.09), abs=0.02)
    for n in (1, 2, 6):
        assert np.mean((runs[:n].mean(axis=0) - person) ** 2) / one == pytest.approx(left_with(n, noise), abs=0.02)


def test_runs_needed():
    assert runs_needed(0.0) == 1
    assert runs_needed(0.1) == 1
    assert runs_needed(0.5) == 9
    assert runs_needed(1.0) is None
    for noise in (0.05, 0.2, 0.4, 0.77):
        n = runs_needed(noise)
        assert noise / n / left_with(n, noise) <= 0.1 + 1e-9
        assert n == 1 or noise / (n - 1) / left_with(n - 1, noise) > 0.1


def test_perfect_agreement_has_no_noise_share():
    assert noise_share(0.0, 0.0) is None
    assert noise_share(0.0, 0.3) == 0.0
    assert noise_share(0.9, 0.3) == 1.0


def test_limits():
    rng = np.random.default_rng(3)
    among, people = np.append(0.2, rng.normal(0.2, 0.004, 30)), np.append(0.4, rng.normal(0.4, 0.004, 30))
    low, high = noise_limits(among, people, np.ones(30))
    assert 0 < low < 0.25 < high < 1
    assert noise_limits(among[:3], people[:3], np.ones(2)) is None
    assert noise_limits(among * 0, people, np.ones(30)) is None
