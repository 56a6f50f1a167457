"""Gates: what is good enough, and by how much something is not."""

from __future__ import annotations

import numpy as np
import pytest

import unisono
from unisono.comparison import compare
from unisono.errors import OptionError
from unisono.gates.gate import Gate, distance, gate_of, non_inferior, outcome_of


def labels(often, seed=1, n=120):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, n)
    return {
        name: [int(label) if rng.random() > often else int(rng.integers(0, 3)) for label in truth] for name in "abc"
    }


RESULT = unisono.krippendorff_alpha(labels(0.2))


def test_gamma_is_judged_like_a_coefficient():
    corpus = unisono.shuffling.shuffle(unisono.shuffling.generate(n_units=10, rng=1), "position", 0.3, rng=1)
    result = unisono.gamma(corpus, precision=0.2)
    assert not outcome_of(Gate(0.999), result).passed
    with pytest.raises(OptionError, match="gamma is an agreement"):
        outcome_of(Gate(0.2, errors=True), result)


def test_the_number_itself_is_good_enough():
    assert RESULT.value is not None
    assert outcome_of(Gate(RESULT.value), RESULT).passed
    missed = outcome_of(Gate(RESULT.value + 1e-6), RESULT)
    assert not missed.passed
    assert "is 1e-06 below" in missed.said


def test_the_limit_of_the_interval():
    low = RESULT.interval.low
    assert outcome_of(Gate(low - 0.01, on="low"), RESULT).passed
    missed = outcome_of(Gate(low + 0.1, on="low"), RESULT)
    assert missed.said == f"the lower limit of α, {low:.3f}, is 0.100 below {low + 0.1:g}"
    assert missed.condition == f"low ≥ {low + 0.1:g}"


def test_a_category():
    row = RESULT.categories()[0]
    found = outcome_of(Gate(row["value"] + 0.25), RESULT, str(row["category"]))
    assert (found.passed, found.name) == (False, f"α of {row['category']}")
    assert "is 0.250 below" in found.said
    with pytest.raises(OptionError, match="unknown category 'x'; available: "):
        outcome_of(Gate(0.1), RESULT, "x")
    with pytest.raises(OptionError, match="no interval"):
        outcome_of(Gate(0.1, on="low"), RESULT, str(row["category"]))


def test_without_a_value_or_an_interval_it_is_not_good_enough():
    nothing = unisono.krippendorff_alpha({"a": ["x"] * 9, "b": ["x"] * 9})
    assert outcome_of(Gate(0.1), nothing).said.startswith("α has no value: ")
    two = unisono.shuffling.generate(n_units=8, n_documents=2, rng=1)
    tiny = unisono.span_f1(unisono.shuffling.shuffle(two, "category", 0.3, n_annotators=2, rng=1))
    assert tiny.interval is None
    found = outcome_of(Gate(0.1, on="low"), tiny)
    assert not found.passed
    assert "has no interval to compare with 0.1: " in found.said


def test_errors_must_not_be_over():
    corpus = unisono.from_masses({"d": {"a": [5, 5, 5, 5], "b": [5, 6, 4, 5]}})
    result = unisono.window_diff(corpus)
    assert outcome_of(Gate(result.value, errors=True), result).passed
    assert f"is 0.100 above {result.value - 0.1:g}" in outcome_of(Gate(result.value - 0.1, errors=True), result).said
    with pytest.raises(OptionError, match="over"):
        outcome_of(Gate(0.1), result)
    with pytest.raises(OptionError, match="under"):
        outcome_of(Gate(0.1, errors=True), RESULT)


@pytest.mark.parametrize(
    ("given", "expected"),
    [((0.7, None, None), Gate(0.7)), ((None, 0.2, "high"), Gate(0.2, True, "high")), ((None, None, None), None)],
)
def test_what_a_user_asks_for(given, expected):
    assert gate_of(*given) == expected


@pytest.mark.parametrize("given", [(0.7, 0.2, None), (None, None, "low"), (0.7, None, "high"), (0.7, None, "nothing")])
def test_what_nobody_can_ask_for(given):
    with pytest.raises(OptionError):
        gate_of(*given)


@pytest.mark.parametrize("measure", ["krippendorff-alpha", "percent-agreement"])
def test_worse_is_judged_by_the_limit_or_by_the_value(measure):
    (found,) = compare(labels(0.1), labels(0.3), measure)
    apart = found.difference
    assert 0 < apart.low < apart.value < apart.high
    assert not non_inferior(found, apart.high - 0.01).passed
    assert non_inferior(found, apart.high + 0.01).passed
    assert non_inferior(found, apart.value + 0.01, "value").passed
    assert not non_inferior(found, apart.value - 0.01, "value").passed
    said = non_inferior(found, apart.high - 0.02).said
    assert f"may be {apart.high:.3f} worse, 0.020 more than the margin of " in said
    (other,) = compare(labels(0.3), labels(0.1), measure)
    assert non_inferior(other, 0).passed


def test_more_errors_are_worse():
    good = unisono.shuffling.generate(n_units=20, n_documents=6, rng=1)
    one, other = (
        unisono.shuffling.shuffle(good, "false-negatives", size, n_annotators=3, rng=1) for size in (0.1, 0.5)
    )
    (found,) = compare(one, other, "slot-error-rate")
    assert not non_inferior(found, 0.05).passed
    assert non_inferior(found, 0.05).value < 0
    (found,) = compare(other, one, "slot-error-rate")
    assert non_inferior(found, 0.05).passed


def test_data_that_did_not_change_is_no_worse():
    (found,) = compare(labels(0.2), labels(0.2))
    assert non_inferior(found, 0).passed


def test_a_distance_is_never_written_as_nothing():
    assert [distance(number) for number in (0.25, 0.0004, 3e-9)] == ["0.250", "0.0004", "3e-09"]
