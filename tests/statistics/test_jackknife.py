"""The jackknife: limits by definition, what stands in where it says nothing, and why there are none."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from unisono.results import Interval
from unisono.statistics.jackknife import Disputes, Divisible, ErrorScale, Jackknife
from unisono.statistics.quantiles import poisson_limits


def left(values, **options):
    """A mean and what it is without each value."""
    values = np.asarray(values, dtype=float)
    without = (values.sum() - values) / (len(values) - 1)
    return Jackknife(float(values.mean()), without, np.ones(len(values)), **options)


def scaled(it, **options):
    return replace(it, scale=replace(it.scale, **options))


def test_limits_by_definition():
    it = left([0.1, 0.3, 0.2, 0.4, 0.15])
    logs = np.log(it.without)
    variance = 4 / 5 * np.square(logs - logs.mean()).sum()
    width = stats.t.ppf(0.975, 4) * np.sqrt(variance)
    assert it.variance == pytest.approx(variance)
    assert it.limits() == pytest.approx((it.error * np.exp(-width), it.error * np.exp(width)))
    found = it.interval()
    assert (found.low, found.high) == pytest.approx((1 - it.limits()[1], 1 - it.limits()[0]))
    assert (found.level, found.method) == (0.95, "jackknife over 5 documents")
    errors = scaled(it, agreement=False).interval()
    assert (errors.low, errors.high) == pytest.approx(it.limits())


def test_noise_that_all_parts_share_is_added():
    it = left([0.1, 0.3, 0.2, 0.4, 0.15])
    assert replace(it, noise=0.01).variance == pytest.approx(it.variance + 0.01)
    assert not replace(left([0.25] * 6), noise=0.01).alike


def test_limits_of_what_is_within_one_stay_there():
    values = [0.9, 0.99, 0.95, 1.0, 0.7]
    low, high = left(values, scale=ErrorScale(bounded=True, greatest=1.0)).limits()
    assert low < np.mean(values) < high < 1
    assert left(values).limits()[1] > high


def test_the_variance_is_that_of_a_mean():
    """On values that hardly vary, the scale does not matter, and the jackknife of a mean is exact."""
    values = 0.3 + np.random.default_rng(1).normal(0, 1e-4, 30)
    assert left(values).variance == pytest.approx(values.var(ddof=1) / 30 / 0.3**2, rel=1e-2)


def test_parts_of_different_weight_are_worth_as_much_as_fewer():
    without = np.array([0.2, 0.21, 0.19, 0.2])
    assert Jackknife(0.2, without, np.array([1.0, 1.0, 1.0, 2.0])).freedom == pytest.approx(25 / 7 - 1)
    assert Jackknife(0.2, without, np.array([1.0, 1.0, 1.0, 90.0])).freedom == 1.0
    assert Jackknife(0.2, without, np.zeros(4)).freedom == 1.0


@pytest.mark.parametrize("without", [[0.0, 0.2, 0.2, 0.2], [0.2, 0.2], [np.nan, 0.2, 0.2, 0.21], [1e-9, 0.2, 0.2, 0.2]])
def test_where_too_little_can_be_left_out_there_are_no_limits(without):
    assert Jackknife(0.2, np.array(without), np.ones(len(without))).limits() is None


def test_a_part_that_cannot_be_left_out_is_not_skipped():
    """Everything that gives a value is in it."""
    it = Jackknife(0.2, np.array([0.2, 0.21, 0.19, 0.2, 0.22, np.nan]), np.ones(6), names=list("abcdef"))
    assert it.n_undefined == 1
    assert it.influence is None
    assert it.interval() == "without document f there is no value, so everything depends on one document"
    blocks = replace(it, what="blocks of items")
    assert blocks.interval() == "without 1 of 6 blocks of items there is no value, so everything depends on one block"
    two = replace(it, without=np.array([np.nan, 0.21, 0.19, 0.2, 0.22, np.nan]))
    assert two.no_value == "without any of a, f there is no value"


def test_parts_that_are_all_alike_have_no_limits():
    it = left([0.25] * 6)
    assert it.alike
    assert it.interval() == "all 6 documents are alike, so they do not show how much others would differ"


def test_limits_are_within_what_is_possible():
    it = left([0.1, 0.9, 0.2, 1.9])
    assert it.limits()[1] > 2
    assert scaled(it, greatest=2.0).limits()[1] == 2.0
    assert scaled(it, widest=np.log(2)).limits() is None
    assert "2 times as large" in scaled(it, widest=np.log(2)).interval()
    assert "almost anything" in scaled(it, widest=np.log(2), greatest=2.0).interval()


@pytest.mark.parametrize(
    ("it", "reason"),
    [
        (left([0.1, 0.2]), "only 2 documents count, and an interval needs 3 or more"),
        (Jackknife(0.2, np.ones(1), np.ones(1), "blocks of items"), "only 1 block of items counts, and an interval"),
        (left([0.0] * 4), "annotators never differ"),
        (left([1.0] * 4, scale=ErrorScale(bounded=True, greatest=1.0)), "annotators agree on nothing"),
        (
            left([1.0, 1.0, 1.0, 0.9], scale=ErrorScale(bounded=True, greatest=1.0)),
            "everything that annotators agree on is in",
        ),
        (
            Jackknife(0.2, np.array([0.1, 0.3, 0.25]), np.array([1, 1, 90])),
            "could be 100 times as large; annotate more",
        ),
    ],
)
def test_reasons(it, reason):
    assert reason in it.interval()


@pytest.mark.parametrize("rest", [0.0, 1e-9, 0.02])
def test_an_error_of_one_part_is_an_event_seen_once(rest):
    it = left([0.0, rest, 0.0, 0.4])
    assert it.in_one_part
    found = it.interval()
    if it.limits() is None:
        assert found.method == "Poisson limits, nearly all disagreement in one of 4 documents"
        assert (1 - found.high, 1 - found.low) == pytest.approx(tuple(it.error * mean for mean in poisson_limits(1)))
    far = replace(it, disputes=Disputes(None, 0.5, near_misses=True)).interval()
    assert isinstance(far, Interval)
    if it.limits() is None:
        assert 1 - far.low == pytest.approx(it.error + (poisson_limits(1)[1] - 1) * 0.5)
    assert not left([0.1, 0.1, 0.1, 0.4]).in_one_part


def test_the_share_that_is_left_may_be_another_than_that_of_the_error():
    it = left([0.0, 0.1, 0.0, 0.4])
    assert not replace(it, remaining=np.full(4, 0.5)).in_one_part
    assert replace(it, remaining=np.array([1, 1, 1, 0.1])).in_one_part


def test_without_disagreement_the_limit_is_that_of_none():
    found = Jackknife(0.0, disputes=Disputes(0, 0.02)).interval()
    assert (found.low, found.high) == (pytest.approx(1 - 0.02 * 3.6889, abs=1e-5), 1.0)
    assert found.method == "Poisson limit, no disagreement seen"


def test_without_serious_disagreement_the_interval_has_a_floor():
    it = left([0.01, 0.012, 0.011, 0.01], disputes=Disputes(0, 0.02))
    found, free = it.interval(), replace(it, disputes=Disputes()).interval()
    assert found.method == "jackknife over 4 documents"
    assert found.high == free.high
    assert found.low == pytest.approx(1 - it.error - 0.02 * 3.6889, abs=1e-5)
    assert found.low < free.low
    alike = left([0.01] * 4, disputes=Disputes(0, 0.02)).interval()
    assert alike.method == "Poisson limit, no serious disagreement seen"


def test_disputed_items_are_counted_where_parts_say_nothing():
    it = left([0.25] * 6, disputes=Disputes(6))
    found = it.interval()
    assert found.method == "Poisson limits, 6 items disputed"
    low, high = poisson_limits(6)
    assert (1 - found.high, 1 - found.low) == pytest.approx((0.25 * low / 6, 0.25 * high / 6))


errors = st.lists(st.floats(0, 1), min_size=1, max_size=12)
scales = st.builds(
    ErrorScale,
    bounded=st.just(False),
    greatest=st.sampled_from([1.0, 2.0, np.inf]),
    widest=st.sampled_from([np.log(10), np.log(100)]),
    agreement=st.booleans(),
) | st.builds(ErrorScale, bounded=st.just(True), greatest=st.sampled_from([1.0, 2.0]), agreement=st.booleans())
disputes = st.builds(Disputes, st.none() | st.integers(0, 9), st.floats(0, 1), st.booleans())


@given(errors, scales, disputes, st.sampled_from([0.0, 1e-4]))
def test_an_interval_is_around_the_value_or_there_is_a_reason(values, scale, disputes, noise):
    values = np.array(values) + (0 if scale.bounded else 0.3)
    assume(len(values) > 1 or values[0] > 0)
    n = len(values)
    error = float(values.mean())
    without = (values.sum() - values) / (n - 1) if n > 1 else np.array([np.nan])
    without = np.clip(without, 0.0, scale.greatest if scale.bounded else np.inf)
    if error > scale.greatest:
        scale = replace(scale, greatest=np.inf)
    found = Jackknife(error, without, np.ones(n), scale=scale, disputes=disputes, noise=noise).interval()
    if isinstance(found, str):
        assert found
        return
    value = 1 - error if scale.agreement else error
    assert found.low - 1e-12 <= value <= found.high + 1e-12
    assert (found.high <= 1) if scale.agreement else (found.low >= 0)
    if scale.greatest < np.inf:
        assert (found.low >= 1 - scale.greatest) if scale.agreement else (found.high <= scale.greatest)


@given(st.lists(st.floats(0.01, 0.9), min_size=3, max_size=12), st.randoms())
def test_the_order_of_parts_does_not_matter(values, random):
    shuffled = list(values)
    random.shuffle(shuffled)
    one, other = left(values).interval(), left(shuffled).interval()
    if isinstance(one, str) or isinstance(other, str):
        assert one == other
        return
    assert (one.low, one.high, one.method) == (pytest.approx(other.low), pytest.approx(other.high), other.method)


@pytest.mark.parametrize("level", [0.5, 0.8, 0.95, 0.99])
def test_a_higher_level_is_wider(level):
    it = left([0.1, 0.3, 0.2, 0.4, 0.15])
    narrow, wide = it.interval(level), it.interval(0.995)
    assert wide.low < narrow.low < narrow.high < wide.high
    assert narrow.level == level


class Given(Divisible):
    """A value whose parts are given, or why there are none."""

    def __init__(self, found):
        self.found = found

    def documents(self):
        return {}

    def leave_out(self, groups):
        return self.found

    def jackknife(self):
        return self.found


def test_the_interval_of_what_can_be_divided():
    it = left([0.1, 0.3, 0.2, 0.4, 0.15])
    assert Given(it).interval() == it.interval()
    assert Given("there is no value").interval() == "there is no value"


@pytest.mark.parametrize("smallest", [1e-300, 3e-308, 5e-310])
@pytest.mark.parametrize("within_one", [False, True])
def test_errors_as_small_as_numbers_can_be(smallest, within_one):
    it = left(
        [smallest, 1.5 * smallest, 1.2 * smallest, smallest],
        scale=ErrorScale(bounded=within_one, greatest=1.0 if within_one else np.inf),
    )
    low, high = it.limits()
    assert 0 < low < it.error < high < 10 * smallest


def test_one_unseen_disagreement_widens_limits_most_where_there_are_few():
    errors = np.append(np.full(38, 0.0), [0.5, 1.0])
    made = Jackknife(
        errors.mean(),
        (errors.sum() - errors) / 39,
        np.ones(40),
        scale=ErrorScale(bounded=True, greatest=2.0),
        disputes=Disputes(None, 1 / 40),
    )
    unseen = made.with_one_unseen()
    slope = 1 / made.error + 1 / (2 - made.error)
    assert unseen.variance == pytest.approx(made.variance + (slope / 40) ** 2 / 2)
    low, high = made.limits()
    assert unseen.limits()[0] < low < high < unseen.limits()[1]
    none = Jackknife(0.0, np.zeros(5), np.ones(5), disputes=Disputes(None, 0.1))
    assert none.with_one_unseen() is none
