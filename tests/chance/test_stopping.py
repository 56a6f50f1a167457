"""How many random samples are enough, by hand, and what is computed from them."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np
import pytest

from unisono.chance.sampling import (
    MOST_SAMPLES,
    Expected,
    Samples,
    key_of,
    means_and_errors,
    sample_enough,
    sample_generator,
)
from unisono.chance.stopping import FEWEST_SAMPLES, exact_samples_needed, samples_needed, times_more
from unisono.errors import OptionError
from unisono.execution import Pool

U = 1.959963984540054  # the normal quantile of a confidence of 95%


def alternating(n, spread=0.1, mean=1.0):
    """Values whose variance is spread² n/(n - 1)."""
    return np.array([mean - spread, mean + spread] * (n // 2))


def test_the_formula_of_the_paper():
    assert exact_samples_needed(2.0, 0.5, 0.02, 0.95) == pytest.approx((0.25 * U / 0.02) ** 2)
    assert exact_samples_needed(2.0, 0.5, 0.02, 0.95) == pytest.approx(600.2279, abs=1e-4)
    assert exact_samples_needed(0.5, 0.1, 0.05, 0.9) == pytest.approx((0.2 * 1.6448536269514722 / 0.05) ** 2)
    assert exact_samples_needed(0.0, 0.1, 0.05, 0.9) == 0


def test_the_number_of_samples():
    assert FEWEST_SAMPLES == 30
    assert samples_needed(np.array([]), 0.02, 0.95) == samples_needed(np.array([3.0]), 0.02, 0.95) == 30
    # C_v² is 0.01 · 2/1 with two values, and 0.01 · 30/29 with thirty: 192.07 and 99.35 samples
    assert samples_needed(alternating(2), 0.02, 0.95) == 193
    assert samples_needed(alternating(30), 0.02, 0.95) == 100
    assert samples_needed(alternating(30, 0.2, 2.0), 0.02, 0.95) == 100
    assert samples_needed(alternating(30), 0.05, 0.95) == 30
    assert samples_needed(alternating(30), 0.02, 0.9) == 70


def test_how_much_more_is_needed_of_several_models():
    one, other = alternating(30, 0.1, 1.0), alternating(60, 0.6, 3.0)
    # the mean is 2·1 + 0.5·3, its variance 4 · 0.01/29 + 0.25 · 0.36/59
    error = sqrt(4 * 0.01 / 29 + 0.25 * 0.36 / 59)
    wanted = (error / 3.5 * U / 0.02) ** 2
    assert times_more([(2.0, one), (0.5, other)], 0.02, 0.95) == pytest.approx(wanted)
    assert wanted == pytest.approx(2.27724, abs=1e-4)
    assert times_more([(2.0, one), (0.5, other)], 0.2, 0.95) == 1
    assert 30 * times_more([(7.0, one)], 0.02, 0.95) == pytest.approx(
        exact_samples_needed(1, one.std(ddof=1), 0.02, 0.95)
    )


@dataclass
class Batch:
    model: str
    samples: Samples


def samples(disorders, gaps=None, documents=None):
    gaps = [0.0] * len(disorders) if gaps is None else gaps
    made_of = [[0]] * len(disorders) if documents is None else documents
    return Samples(np.array(disorders), np.array(gaps), np.array(made_of))


def drawn(spreads, weights=None, precision=0.02):
    """Sample models that alternate around 1, ten samples per job; return how many of each, and what was announced."""
    announced = []
    made = sample_enough(
        list(spreads),
        lambda wanted: [
            (name, numbers[first : first + 10])
            for name, numbers in wanted.items()
            for first in range(0, len(numbers), 10)
        ],
        lambda jobs: (
            [Batch(name, samples([1 + spreads[name] * (-1) ** number for number in numbers]))] for name, numbers in jobs
        ),
        Pool(),
        precision=precision,
        confidence=0.95,
        ahead=lambda name, more: announced.append((name, more)),
        weights=weights,
    )
    return {name: sum(len(batch.samples.disorder) for batch in batches) for name, batches in made.items()}, announced


def test_samples_are_drawn_until_they_are_enough():
    numbers, announced = drawn({"calm": 0.01, "wild": 0.1})
    assert numbers == {"calm": 30, "wild": 100}  # with 100 samples, 97.01 are needed
    assert announced == [("wild", 70)]


def test_samples_of_several_models_are_drawn_until_their_mean_is_precise():
    numbers, _ = drawn({"calm": 0.01, "wild": 0.1}, weights={"calm": 1.0, "wild": 1.0})
    # (0.0001 + 0.01)/29/4 · (U/0.02)² = 0.836: thirty are enough
    assert numbers == {"calm": 30, "wild": 30}
    numbers, _ = drawn({"calm": 0.01, "wild": 0.1}, weights={"calm": 1.0, "wild": 9.0})
    # (0.0001 + 0.81)/29/100 · (U/0.02)² = 2.683, then 0.98 with 81 of each
    assert numbers == {"calm": 81, "wild": 81}


def test_a_precision_that_would_take_ages_is_rejected():
    # 30 samples show C_v² = 0.01 · 30/29; a million are enough at 0.0001993
    assert MOST_SAMPLES == 1_000_000
    with pytest.raises(
        OptionError, match=r"needs about 4e\+06 random samples, more than 1,000,000; use 0.00022 or more"
    ):
        drawn({"wild": 0.1}, precision=0.0001)


def test_the_mean_without_documents():
    disorders = [(1.0, (0, 1)), (2.0, (1, 2)), (4.0, (2, 3)), (8.0, (0, 3))]
    values, documents = zip(*disorders, strict=True)
    expected = Expected(samples(values, [0.1] * 4, documents))
    assert expected.n_samples == 4
    assert expected.mean == 3.75
    assert expected.error == pytest.approx(sqrt((2.75**2 + 1.75**2 + 0.25**2 + 4.25**2) / 3 / 4))
    assert expected.gap == pytest.approx(0.1)
    each = expected.means_without(np.arange(4), 4)
    assert each.tolist() == [3.0, 6.0, 4.5, 1.5]
    # documents 0 and 1 together are in three samples, 2 and 3 as well; the fifth group is in none
    assert expected.means_without(np.array([0, 0, 1, 1]), 3).tolist() == [4.0, 1.0, 3.75]
    assert expected.means_without(np.zeros(4, dtype=int), 1).tolist() == [3.75]


def test_the_gap_is_that_of_the_mean():
    expected = Expected(samples([1.0, 3.0], [0.0, 0.2]))
    assert expected.gap == pytest.approx(0.6 / 4)


def test_random_numbers_of_a_sample():
    """They are part of every result that was published with a seed."""
    assert sample_generator(42, "a", 3).integers(1000, size=3).tolist() == [962, 28, 146]
    assert (
        sample_generator(42, "ü\ud800", 0).integers(1000, size=3).tolist()
        != sample_generator(42, "ü", 0).integers(1000, size=3).tolist()
    )


def test_keys_of_random_numbers():
    """They are part of every result that was published with a seed."""
    assert key_of(42, "a") == (2418632406, 789242347)
    keys = {key_of(seed, name) for seed in (0, 1, 2**64) for name in ("", "a", "1 a", "ü", "ü\ud800")}
    assert len(keys) == 15
    assert all(0 <= word < 2**32 for key in keys for word in key)


def test_means_and_errors_of_many_are_those_of_each():
    rng = np.random.default_rng(3)
    sizes = [30, 31, 30, 1000, 7, 30, 1, 31]
    parts = [Samples(rng.random(n), np.zeros(n), np.zeros((n, 0), np.int64)) for n in sizes]
    chances = [Expected(own) for own in parts]
    with np.errstate(invalid="ignore", divide="ignore"):  # one sample has no error
        found = means_and_errors([Expected(own) for own in parts])
        assert np.array_equal(found, [(one.mean, one.error) for one in chances], equal_nan=True)
    assert means_and_errors([]) == []
