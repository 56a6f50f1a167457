"""Random numbers by counting: known answers, and uniform, whole and normal numbers as they should be distributed."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import chi2, kstest

from unisono.kernels import switch
from unisono.kernels.randomness import below, normal, threefry, uniform


@pytest.fixture(params=[False, True], ids=["interpreted", "compiled"])
def way(request, monkeypatch):
    """Run kernels one way or the other."""
    monkeypatch.setattr(switch, "_on", request.param)


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize(
    ("key", "count", "answer"),
    [  # the answers that the authors of Threefry publish with Random123, for 20 rounds of two words of 32 bits
        ((0, 0), (0, 0), (0x6B200159, 0x99BA4EFE)),
        ((0xFFFFFFFF, 0xFFFFFFFF), (0xFFFFFFFF, 0xFFFFFFFF), (0x1CB996FC, 0xBB002BE7)),
        ((0x13198A2E, 0x03707344), (0x243F6A88, 0x85A308D3), (0xC4923A9C, 0x483DF7A0)),
    ],
)
def test_known_answers(key, count, answer):
    assert threefry(*key, *count) == answer


def test_the_same_numbers_in_python_and_machine_code(monkeypatch):
    def numbers():
        return [
            (uniform(7, 9, sample, k), below(10, 7, 9, sample, k), *normal(7, 9, sample, k))
            for sample in range(5)
            for k in range(20)
        ]

    monkeypatch.setattr(switch, "_on", False)
    interpreted = numbers()
    monkeypatch.setattr(switch, "_on", True)
    compiled = numbers()
    assert [row[:2] for row in interpreted] == [row[:2] for row in compiled]
    # the logarithm and the cosine may differ in the last bit
    np.testing.assert_allclose([row[2:] for row in interpreted], [row[2:] for row in compiled], rtol=1e-12)


def test_distributions(monkeypatch):
    monkeypatch.setattr(switch, "_on", True)
    values = np.array([uniform(1, 2, sample, k) for sample in range(100) for k in range(100)])
    assert ((values >= 0) & (values < 1)).all()
    assert kstest(values, "uniform").pvalue > 1e-4
    counts = np.bincount([below(7, 1, 3, sample, 0) for sample in range(7000)], minlength=7)
    assert len(counts) == 7
    assert ((counts - 1000) ** 2 / 1000).sum() < chi2.ppf(0.9999, 6)
    drawn = np.array([normal(1, 4, sample, 2 * k) for sample in range(100) for k in range(50)])
    assert kstest(drawn[:, 0], "norm").pvalue > 1e-4
    assert kstest(drawn[:, 1], "norm").pvalue > 1e-4
    assert abs(np.corrcoef(drawn.T)[0, 1]) < 4.5 / np.sqrt(len(drawn))


def test_samples_numbers_and_keys_are_independent(monkeypatch):
    monkeypatch.setattr(switch, "_on", True)
    values = np.array([[uniform(5, 6, sample, k) for k in range(3)] for sample in range(4000)])
    other = np.array([uniform(5, 7, sample, 0) for sample in range(4000)])
    together = np.column_stack([values[1:], values[:-1, 0], other[1:]])
    correlation = np.corrcoef(together.T)
    assert np.abs(correlation - np.eye(5)).max() < 4.5 / np.sqrt(4000)
