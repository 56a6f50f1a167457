"""Benchmarks: the numbers are those made by hand, whoever makes them; and the shapes of the paper's figures."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from itertools import pairwise
from multiprocessing import get_context

import numpy as np
import pytest
from scipy.stats import t

import unisono
from unisono import DataError, OptionError, Ordinal
from unisono.chance.sampling import sample_generator
from unisono.data import Corpus
from unisono.shuffling import Curve, Curves, benchmark, generate, shuffle
from unisono.shuffling.benchmarking import MAGNITUDES, REPETITIONS, Run
from unisono.shuffling.errors import ERROR_KINDS

SMALL = generate(n_units=12)
GAMMA = "gamma(precision=0.1)"
SMALL_SETTINGS = {"magnitudes": (0, 0.4, 1.0), "repetitions": 3, "workers": 1}


class Memory:
    """Keeps runs."""

    def __init__(self):
        self.runs = {}

    def known(self):
        return dict(self.runs)

    def keep(self, run, values):
        assert run not in self.runs
        self.runs[run] = values


# The numbers


def by_hand(reference, measure, errors, magnitude, repetition, seed=42, base=None, **options):
    rng = sample_generator(seed, f"{errors} {magnitude!r}", repetition)
    made = shuffle(reference, errors, magnitude, rng=rng, **options)
    return unisono.measure(measure, made, base=base, rng=int(rng.integers(2**31))).agreement


@pytest.mark.parametrize("errors", ["category", "position+category", "false-positives(factor=0.5)", "splits"])
@pytest.mark.parametrize("seed", [42, 7])
def test_values_are_those_of_shuffling_and_measuring(errors, seed):
    measures = [GAMMA, "slot-error-rate"]
    curves = benchmark(SMALL, measures, [errors], rng=seed, **SMALL_SETTINGS)
    for measure in measures:
        curve = curves[errors, measure]
        assert curve.magnitudes == (0.0, 0.4, 1.0)
        assert curve.values == tuple(
            tuple(by_hand(SMALL, measure, errors, m, k, seed) for k in range(3)) for m in curve.magnitudes
        )


def test_options_of_shuffling_are_passed_on():
    team = Corpus.from_columns(
        annotator=["anna"] * 4 + ["bert"],
        start=[0, 10, 20, 30, 0],
        end=[5, 15, 25, 35, 40],
        features={"category": ["low", "low", "mid", "high", "low"]},
    )
    options = {"annotator": "anna", "n_annotators": 4, "distance": Ordinal(("low", "mid", "high")), "uniform": True}
    curves = benchmark(team, ["cu-alpha"], ["category"], **options, **SMALL_SETTINGS)
    for m, values in zip((0.0, 0.4, 1.0), curves["category", "cu-alpha"].values, strict=True):
        assert values == tuple(by_hand(team, "cu-alpha", "category", m, k, **options) for k in range(3))


@pytest.fixture
def tokens():
    text = "the old man went home and slept well "
    places = _places(text)
    return Corpus.from_columns(
        annotator=["anna"] * 8,
        start=places[:-1],
        end=[end - 1 for end in places[1:]],
        features={"pos": list("DANVNCVB")},
        texts={("document", "anna"): text},
    )


def test_errors_of_texts(tokens):
    curves = benchmark(
        tokens, ["text-gamma(precision=0.2)"], ["label", "text+label"], magnitudes=[0, 1], repetitions=2, workers=1
    )
    for curve in curves.curves:
        assert curve.mean[0] == 1
        assert curve.mean[1] < 0.7


def test_annotators_of_texts_started_from_the_reference(tokens):
    measure = "text-gamma(precision=0.2)"
    (one,) = benchmark(tokens, [measure], ["text+label"], magnitudes=[0.5], repetitions=3, workers=1).curves
    based = tuple(by_hand(tokens, measure, "text+label", 0.5, k, base=tokens) for k in range(3))
    assert one.values == (based,)
    assert based != tuple(by_hand(tokens, measure, "text+label", 0.5, k) for k in range(3))


def _places(text):
    return [0, *(k + 1 for k, symbol in enumerate(text) if symbol == " ")]


def test_measures_that_refuse_the_data_have_no_value():
    curves = benchmark(SMALL, ["u-alpha", "slot-error-rate"], ["false-positives"], **SMALL_SETTINGS)
    assert curves["false-positives", "u-alpha"].values == ((1.0,) * 3, (None,) * 3, (None,) * 3)
    assert curves["false-positives", "slot-error-rate"].n == [3, 3, 3]


def test_undefined_values_are_counted():
    curves = benchmark(SMALL, ["cu-alpha"], ["false-negatives"], magnitudes=(0.3, 1), repetitions=4, workers=1)
    columns = curves.columns()
    assert columns["n"] == [4, 0]
    assert columns["n_undefined"] == [0, 4]
    assert columns["mean"][1] is None
    assert columns["standard_error"][1] is None


# Whoever does the work, and however often it is interrupted


WORK = (SMALL, [GAMMA, "cu-alpha"], ["category", "position-apart"])


@pytest.fixture(scope="module")
def wanted():
    return benchmark(*WORK, **SMALL_SETTINGS)


def test_the_same_numbers_in_threads(wanted):
    assert benchmark(*WORK, **{**SMALL_SETTINGS, "workers": 2}) == wanted
    with ThreadPoolExecutor(3) as threads:
        assert benchmark(*WORK, **{**SMALL_SETTINGS, "workers": threads}) == wanted


def test_the_same_numbers_in_processes(wanted):
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as processes:
        assert benchmark(*WORK, **{**SMALL_SETTINGS, "workers": processes}) == wanted


def test_the_same_numbers_whatever_else_is_measured(wanted):
    alone = benchmark(SMALL, [GAMMA], ["position-apart"], magnitudes=[1.0], repetitions=2, workers=1)
    assert alone.curves[0].values[0] == wanted["position-apart", GAMMA].values[2][:2]


@pytest.mark.parametrize("workers", [1, 2])
def test_the_same_numbers_after_interruptions(wanted, workers):
    store, settings = Memory(), {**SMALL_SETTINGS, "workers": workers}
    for stop in (1, 5):

        def tired(done, total, stop=stop):
            if done > stop:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            benchmark(*WORK, store=store, progress=tired, **settings)
    assert len(store.runs) == 6
    calls = []
    made = benchmark(*WORK, store=store, progress=lambda *call: calls.append(call), **settings)
    assert made == wanted
    assert calls == [(k, 12) for k in range(1, 13)]
    calls.clear()
    assert benchmark(*WORK, store=store, progress=lambda *call: calls.append(call), **settings) == wanted
    assert calls == []


def test_more_repetitions_and_magnitudes_go_on_from_what_is_known():
    store = Memory()
    benchmark(SMALL, ["cu-alpha"], ["category"], magnitudes=[0.5], repetitions=2, store=store, workers=1)
    wider = {"magnitudes": [0.5, 1], "repetitions": 4, "workers": 1}
    made = benchmark(SMALL, ["cu-alpha"], ["category"], store=store, **wider)
    assert made == benchmark(SMALL, ["cu-alpha"], ["category"], **wider)
    assert len(store.runs) == 8


def test_known_runs_are_believed():
    store = Memory()
    store.keep(Run("category", 0.4, 1), {"cu-alpha": 0.123})
    made = benchmark(SMALL, ["cu-alpha"], ["category"], store=store, **SMALL_SETTINGS)
    assert made.curves[0].values[1][1] == 0.123


# What is asked for


def test_defaults_are_the_papers():
    assert [round(20 * m, 9) for m in MAGNITUDES] == [*range(21)]
    assert REPETITIONS == 40


def test_magnitudes_come_in_order():
    made = benchmark(SMALL, ["cu-alpha"], ["category"], magnitudes=[1, 0, 0.5], repetitions=1, workers=1)
    assert made.curves[0].magnitudes == (0, 0.5, 1)
    assert made == benchmark(SMALL, ["cu-alpha"], ["category"], magnitudes=[0, 0.5, 1], repetitions=1, workers=1)


def test_names_are_written_in_one_way():
    made = benchmark(SMALL, ["CU_alpha"], ["False_Negatives"], magnitudes=[0], repetitions=1, workers=1)
    assert made.errors == ("false-negatives",)
    assert made.measures == ("cu-alpha",)
    assert made["false-negatives", "cu-alpha"].mean.tolist() == [1]
    with pytest.raises(KeyError, match="there is no curve of 'gamma' for 'splits'"):
        made["splits", "gamma"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"measures": []}, "measures: name at least one"),
        ({"measures": ["gamma", "gamma"]}, "measures: name at least one, and each only once"),
        ({"measures": ["gama"]}, "unknown measure 'gama'"),
        ({"measures": ["gamma(alpha=x)"]}, "alpha"),
        ({"errors": []}, "errors: name at least one"),
        ({"errors": ["splits", "Splits"]}, "errors: name at least one, and each only once"),
        ({"errors": ["shift"]}, "unknown error 'shift'"),
        ({"magnitudes": [0, 1.5]}, "magnitudes: expected a number from 0 to 1, not 1.5"),
        ({"magnitudes": [-0.1]}, "magnitudes: expected a number from 0 to 1, not -0.1"),
        ({"magnitudes": [float("nan")]}, "magnitudes: expected a number, not nan"),
        ({"magnitudes": []}, "name at least one magnitude"),
        ({"n_annotators": 0}, "n_annotators: expected a whole number from 2 up, not 0"),
        ({"n_annotators": 1}, "n_annotators: expected a whole number from 2 up, not 1"),
        ({"repetitions": 0}, "repetitions: expected a whole number from 1 up, not 0"),
        ({"workers": 0}, "workers: expected a whole number from 1 up, not 0"),
    ],
)
def test_what_benchmark_refuses(options, said):
    given = {"measures": ["cu-alpha"], "errors": ["category"], "magnitudes": [0], "repetitions": 1, "workers": 1}
    with pytest.raises(OptionError, match=said):
        benchmark(SMALL, **{**given, **options})


def test_a_magnitude_counts_once():
    made = benchmark(SMALL, ["cu-alpha"], ["category"], magnitudes=[0.5, 0, 0.5], repetitions=2, workers=1)
    assert made == benchmark(SMALL, ["cu-alpha"], ["category"], magnitudes=[0, 0.5], repetitions=2, workers=1)


def test_whose_units_are_the_reference_must_be_clear():
    team = shuffle(SMALL, "category", 0.5)
    with pytest.raises(OptionError, match="choose one as the reference with annotator"):
        benchmark(team, ["cu-alpha"], ["category"])
    with pytest.raises(DataError, match="unknown annotator 'anna'"):
        benchmark(team, ["cu-alpha"], ["category"], annotator="anna")


@pytest.mark.parametrize(
    ("reference", "error", "said"),
    [
        pytest.param(SMALL, "text", "the reference has no text", id="text"),
        pytest.param(generate(n_units=9, categories=0), "category", "no categories", id="category"),
        pytest.param(generate(n_units=9, overlap=1), "position-apart", "overlap", id="overlap"),
        pytest.param(SMALL, "cuts-missed", "does not cut its continuum completely", id="cuts"),
    ],
)
def test_errors_that_the_reference_does_not_allow_are_refused_before_the_work(reference, error, said):
    calls = []
    with pytest.raises(DataError, match=said):
        benchmark(reference, ["span-f1"], [error], progress=lambda *call: calls.append(call), **SMALL_SETTINGS)
    assert calls == []


# What is said of curves


def curve(*means, spread=0.0, n=4, magnitudes=None):
    """Make a curve of these means; each has n values, so far apart."""
    steps = np.linspace(-spread, spread, n)
    values = tuple(tuple((mean + steps).tolist()) if mean is not None else (None,) * n for mean in means)
    return Curve("position", "gamma", magnitudes or tuple(np.linspace(0, 1, len(means)).tolist()), values)


def test_mean_and_standard_error():
    one = Curve("position", "gamma", (0.0, 0.5, 1.0), ((1.0, 1.0), (0.2, 0.4, None), (0.5, None)))
    np.testing.assert_allclose(one.mean, [1, 0.3, 0.5])
    np.testing.assert_allclose(one.standard_error, [0, 0.1, np.nan])
    assert one.n == [2, 2, 1]


def test_a_perfect_curve():
    judged = curve(1, 0.75, 0.5, 0.25, 0).judgement
    assert (judged.full_range, judged.decreasing, judged.never_below) == (True, True, True)
    assert str(judged) == "from 1.00 to 0.00"


@pytest.mark.parametrize(
    ("first", "last", "full"),
    [(0.98, 0, False), (1, 0.11, False), (1, 0.2, False), (0.995, 0.09, True), (1, -0.09, True), (1, -0.3, False)],
)
def test_full_range(first, last, full):
    assert curve(first, 0.5, last).judgement.full_range is full


@pytest.mark.parametrize(
    ("means", "magnitudes"),
    [
        pytest.param((1, 0.5, 0), (0.0, 0.4, 0.8), id="no magnitude 1"),
        pytest.param((1, 0.5, 0), (0.2, 0.5, 1.0), id="no magnitude 0"),
        pytest.param((1, 0.5, 0, None), None, id="no value at 1"),
        pytest.param((None, 1, 0.5, 0), None, id="no value at 0"),
        pytest.param((1,), (0.0,), id="one magnitude"),
        pytest.param((None, None), None, id="no value"),
    ],
)
def test_nothing_is_said_of_the_range_without_both_ends(means, magnitudes):
    assert curve(*means, magnitudes=magnitudes).judgement.full_range is None


def test_rises():
    judged = curve(1, 0.5, 0.6, 0.2, 0.3, 0).judgement
    assert judged.decreasing is False
    assert judged.rises == ((0.2, 0.4), (pytest.approx(0.6), 0.8))
    assert "rises at 0.2–0.4, 0.6–0.8" in str(judged)


def rising(n, n_steps):
    """Give the rise, in standard errors of the difference, that is no chance among so many steps."""
    return t.ppf(1 - 0.05 / n_steps, n - 1)


@pytest.mark.parametrize("n", [2, 4, 40])
@pytest.mark.parametrize("length", [3, 21])
def test_rises_within_chance_are_none(n, length):
    """The limit is Student's, at 95% of all steps together (Bonferroni)."""
    means = np.linspace(1, 0, length)
    unit = curve(1, spread=0.01, n=n, magnitudes=(0.0,)).standard_error[0] * np.sqrt(2)
    for times, n_rises in ((0.98, 0), (1.02, 1)):
        means[1] = 1 + times * rising(n, length - 1) * unit
        assert len(curve(*means, spread=0.01, n=n).judgement.rises) == n_rises


@pytest.mark.parametrize("n", [2, 4, 40])
@pytest.mark.parametrize("length", [3, 21])
def test_values_below_0_within_chance_are_not(n, length):
    means = np.linspace(1, 0, length)
    unit = curve(1, spread=0.01, n=n, magnitudes=(0.0,)).standard_error[0]
    for times, below in ((0.98, None), (1.02, 1.0)):
        means[-1] = -times * rising(n, length) * unit
        assert curve(*means, spread=0.01, n=n).judgement.below == below


@pytest.mark.parametrize("n", [3, 40])
def test_few_curves_are_wronged(n):
    """Of curves that are nowhere below 0 and never rise, chance alone lets at most one of twenty seem to."""
    rng, tries = np.random.default_rng(3), 300
    zero = [curve_of(rng.normal(0, 0.1, (21, n))).judgement for _ in range(tries)]
    assert sum(judged.never_below is False for judged in zero) < 0.08 * tries
    assert sum(bool(judged.rises) for judged in zero) < 0.08 * tries
    line = np.linspace(1, 0, 21)[:, None]
    straight = [curve_of(line + rng.normal(0, 0.1, (21, n))).judgement for _ in range(tries)]
    assert sum(judged.decreasing is False for judged in straight) < 0.08 * tries
    assert sum(judged.never_below is False for judged in straight) < 0.08 * tries


def test_what_is_not_chance_is_seen():
    rng = np.random.default_rng(4)
    means = np.linspace(1, -0.1, 21)
    means[10] += 0.2
    judged = curve_of(means[:, None] + rng.normal(0, 0.1, (21, 40))).judgement
    assert judged.rises == ((0.45, 0.5),)
    assert judged.below == 1.0


def curve_of(values):
    return Curve("position", "gamma", MAGNITUDES, tuple(map(tuple, values.tolist())))


def test_flat_parts():
    judged = curve(1, 1, 1, 0.5, 0).judgement
    assert judged.flat == (0, 0.25)
    assert judged.decreasing is False
    assert "flat from 0 to 0.25" in str(judged)
    assert curve(*[1] * 3).judgement.flat == (0, 0.5)


def test_short_flat_parts_are_none():
    fine = [1 - 0.05 * k for k in range(21)]
    assert curve(*fine).judgement.flat is None
    fine[11] = fine[10]
    assert curve(*fine).judgement.decreasing is True
    fine[11] = fine[12] = fine[13] = fine[14] = fine[10]
    assert curve(*fine).judgement.flat == pytest.approx((0.5, 0.7))


def test_a_stretch_is_flat_if_it_hardly_falls_and_not_beyond_chance():
    assert curve(1, 0.8, 0.79, 0.3, 0, spread=0.1, n=40).judgement.flat == (0.25, 0.5)
    assert curve(1, 0.8, 0.79, 0.3, 0, spread=0.001, n=40).judgement.flat is None  # it falls, surely
    assert curve(1, 0.8, 0.7, 0.3, 0, spread=0.1, n=40).judgement.flat is None
    assert curve(1, 0.8, 0.79, 0.3, 0, spread=0.3, n=40).judgement.flat is None  # for all one knows, it may fall


def test_a_stretch_is_not_flat_for_a_rise_that_is_told():
    judged = curve(1, 0.8, 0.6, 0.4, 0.2, 1).judgement
    assert judged.rises == ((0.8, 1.0),)
    assert judged.flat is None
    assert curve(1, 1, 0.6, 0.4, 0.2, 1).judgement.flat == (0, 0.2)


def test_below_0():
    judged = curve(1, 0.2, -0.3, -0.1).judgement
    assert judged.never_below is False
    assert judged.below == pytest.approx(2 / 3)
    assert "below 0, lowest at 0.666667" in str(judged)
    assert curve(1, 0.5, -0.01, spread=0.1).judgement.never_below is True
    assert "from 1.00 to −0.10" in str(judged)


def test_the_lowest_point_need_not_be_the_surest():
    values = ((1.0, 1.0, 1.0), (0.1, -0.3, -1.0), (-0.2, -0.21, -0.2))
    assert Curve("position", "gamma", (0.0, 0.5, 1.0), values).judgement.below == 1.0


def test_magnitudes_without_value_are_left_out():
    judged = curve(1, None, 0.5, None).judgement
    assert (judged.first, judged.last) == (1, 0.5)
    assert judged.undefined is None
    nothing = curve(None, None).judgement
    assert nothing.answers() == {"full_range": None, "decreasing": None, "never_below_0": None}
    assert str(nothing) == "no annotation set has a value"
    assert np.isnan(curve(None, None).mean).all()


def test_curves_that_break_off():
    judged = curve(1, 0.5, 0.05, None, None).judgement
    assert judged.end == 0.5
    assert str(judged) == "from 1.00 to 0.05; no value above 0.5"
    assert (judged.decreasing, judged.never_below) == (True, True)
    assert str(curve(1, None, 0).judgement) == "from 1.00 to 0.00"
    single = curve(1, None, None).judgement
    assert str(single) == "only magnitude 0 has a value"
    assert set(single.answers().values()) == {None}


def test_one_magnitude():
    judged = curve(-0.2, magnitudes=(0.5,)).judgement
    assert judged.answers() == {"full_range": None, "decreasing": None, "never_below_0": False}
    assert str(judged) == "from −0.20 to −0.20; below 0, lowest at 0.5"


def test_no_negative_zero():
    assert str(curve(1, 0.5, -0.001, spread=0.1).judgement) == "from 1.00 to 0.00"


def test_a_single_repetition():
    """It is not known how sure it is, so nothing is said but where it begins and ends."""
    judged = curve(1, 0.2, 0.6, -0.5, n=1).judgement
    assert judged.answers() == {"full_range": False, "decreasing": None, "never_below_0": None}
    assert str(judged) == "from 1.00 to −0.50; only single values, so no judgement"
    assert np.isnan(curve(1, 0.5, n=1).standard_error).all()


def test_points_with_a_single_value_are_not_compared():
    values = ((1.0, 1.0), (0.4, 0.4), (0.9, None), (-0.1, None), (0.2, 0.2))
    judged = Curve("position", "gamma", (0.0, 0.25, 0.5, 0.75, 1.0), values).judgement
    assert judged.answers() == {"full_range": False, "decreasing": True, "never_below_0": True}


def test_infinite_values_are_no_values():
    one = Curve("position", "gamma", (0.0, 1.0), ((1.0, 1.0), (float("-inf"), 0.5)))
    assert one.n == [2, 1]
    assert one.mean.tolist() == [1, 0.5]


def test_columns_and_judgements():
    curves = Curves((curve(1, 0.5, 0), Curve("splits", "gamma", (0.0,), ((None, 0.25),))))
    columns = curves.columns()
    assert columns == {
        "error": ["position"] * 3 + ["splits"],
        "measure": ["gamma"] * 4,
        "agreement": ["γ"] * 4,
        "magnitude": [0, 0.5, 1, 0],
        "mean": [1, 0.5, 0, 0.25],
        "standard_error": [0, 0, 0, None],
        "n": [4, 4, 4, 1],
        "n_undefined": [0, 0, 0, 1],
    }
    assert curves.to_frame("pandas")["magnitude"].tolist() == columns["magnitude"]
    assert curves.to_frame("polars")["n"].to_list() == columns["n"]
    first, second = curves.judgements()
    assert first == {
        "error": "position",
        "measure": "gamma",
        "full_range": True,
        "decreasing": True,
        "never_below_0": True,
        "remark": "from 1.00 to 0.00",
    }
    assert [second[name] for name in ("full_range", "decreasing", "never_below_0")] == [None] * 3
    assert curves.errors == ("position", "splits")
    assert curves.measures == ("gamma",)


# The shapes of figures 24 to 30 (Mathet et al. 2015, §6.3)


STEPS = (0.0, 0.05, 0.25, 0.5, 0.75, 1.0)
KAPPA = "discretized-kappa(atom=character)"
SER = "slot-error-rate"
GENERAL = [GAMMA, "u-alpha", "cu-alpha", KAPPA, SER]
SETTINGS = {"magnitudes": STEPS, "repetitions": 4, "workers": 1}
PREVALENCE = {"A": 4, "B": 3, "C": 2, "D": 1}
SHORT = generate(n_units=30, categories=PREVALENCE, length=(10, 30), gap=(0, 20))
LONG = generate(n_units=15, categories=PREVALENCE, length=(40, 120), gap=(0, 80))
"""The references of the figures in docs/xray.md."""


@pytest.fixture(scope="module")
def general():
    """Figures 26 and 29: units with gaps, whose places and categories are wrong, or which are merged."""
    kinds = ["position-apart", "position-apart+category", "category", "merges"]
    return benchmark(SHORT, GENERAL, kinds, **SETTINGS)


@pytest.fixture(scope="module")
def negatives():
    """Figure 28b: missed units."""
    settings = {**SETTINGS, "magnitudes": (0.0, 0.3, 0.6, 0.85, 0.95, 1.0), "repetitions": 20}
    return benchmark(LONG, GENERAL, ["false-negatives"], **settings)


@pytest.fixture(scope="module")
def overlapping():
    """Figures 28a and 30: added units, which overlap."""
    settings = {**SETTINGS, "magnitudes": (0.0, 0.25, 0.6, 1.0)}
    kinds = ["position", "false-positives", "position+false-positives"]
    return benchmark(generate(n_units=10), GENERAL, kinds, **settings)


@pytest.fixture(scope="module")
def ser():
    """SER alone, which is fast, as often as in the paper: figures 26 and 30."""
    settings = {**SETTINGS, "magnitudes": (0.0, 0.4, 0.6, 0.8, 1.0), "repetitions": 40}
    apart = benchmark(SHORT, [SER], ["position-apart", "position-apart+category"], **settings)
    return joined(apart, benchmark(LONG, [SER], ["position+false-positives"], **settings))


@pytest.fixture(scope="module")
def splits():
    """Figure 27: long units, so that there is room for five splits each."""
    return benchmark(generate(n_units=8, length=(60, 300), gap=(0, 100)), GENERAL, ["splits"], **SETTINGS)


@pytest.fixture(scope="module")
def categories():
    """Figure 25: units of one size in fixed places, without gaps, with categories of given prevalences."""
    reference = generate(n_units=40, categories=PREVALENCE, length=(20, 20), gap=(0, 0))
    return benchmark(reference, [GAMMA, "cu-alpha", KAPPA, SER], ["category"], **SETTINGS)


@pytest.fixture(scope="module")
def segmentation():
    """Figure 24: cuts only. Where all are missed, annotators agree again, so this is left out."""
    reference = generate(n_units=30, categories=0, length=(5, 30), gap=(0, 0))
    measures, steps = [GAMMA, "window-diff", "generalized-hamming"], (0.0, 0.2, 0.4, 0.6, 0.8)
    return joined(
        benchmark(reference, measures, ["cuts-missed"], **{**SETTINGS, "magnitudes": steps}),
        benchmark(reference, measures, ["cuts-shifted"], **{**SETTINGS, "magnitudes": (*steps, 1.0)}),
    )


def joined(*several):
    return Curves(tuple(one for curves in several for one in curves.curves))


@pytest.fixture(scope="module")
def everything(general, negatives, overlapping, splits, categories, segmentation):
    """All of them."""
    return joined(general, negatives, overlapping, splits, categories, segmentation)


def falls(curve, slack=3.0):
    """Tell whether a curve never rises beyond some standard errors."""
    error = np.nan_to_num(curve.standard_error)
    return all(
        later - before <= slack * np.hypot(s, t) + 0.02
        for (before, s), (later, t) in pairwise(zip(curve.mean, error, strict=True))
        if not np.isnan(later)
    )


def test_gamma_starts_at_1_and_falls_and_is_never_below_0_for_every_error(everything):
    found = [one for one in everything.curves if one.measure == GAMMA]
    assert {one.errors for one in found} >= set(ERROR_KINDS)
    for one in found:
        assert one.mean[0] == 1, one.errors
        assert falls(one), one.errors
        assert np.nanmin(one.mean) < 0.5, one.errors
        assert np.nanmin(one.mean + 3 * one.standard_error) > -0.02, one.errors


def test_every_measure_starts_at_1(everything):
    assert all(one.mean[0] == 1 for one in everything.curves)


def test_gamma_reaches_0_where_everything_is_random(general, negatives):
    assert abs(general["position-apart+category", GAMMA].mean[-1]) < 0.15
    *_, most, last, nothing = negatives["false-negatives", GAMMA].mean
    assert abs(most) < 0.15
    assert abs(last) < 0.05
    assert np.isnan(nothing)  # nobody marked anything


def test_gamma_is_almost_cu_alpha_for_categories_alone(categories):
    gamma, alpha = categories["category", GAMMA].mean, categories["category", "cu-alpha"].mean
    assert np.abs(gamma - alpha).max() < 0.15
    assert abs(gamma[-1]) < 0.15
    assert abs(alpha[-1]) < 0.1
    assert np.abs(categories["category", KAPPA].mean - alpha).max() < 0.02  # without gaps, the same


def test_places_that_agree_keep_gamma_from_0_where_they_could_differ(general):
    """As in figure 29 of docs/xray.md: units of many lengths with gaps, of which only categories are wrong."""
    assert 0.25 < general["category", GAMMA].mean[-1] < 0.5
    assert abs(general["category", "cu-alpha"].mean[-1]) < 0.2


def test_chance_is_not_taken_into_account_by_ser(categories):
    assert 0.55 < categories["category", SER].mean[-1] < 0.75


def test_agreement_on_gaps_keeps_kappa_from_0(general):
    assert general["category", KAPPA].mean[-1] > 0.3


@pytest.mark.parametrize("measure", ["u-alpha", "cu-alpha", KAPPA])
def test_splits_are_not_seen_by_what_compares_stretches(splits, measure):
    assert (splits["splits", measure].mean == 1).all()


def test_splits_are_seen_by_gamma_and_bring_ser_below_0(splits):
    assert splits["splits", GAMMA].mean[-1] < 0.45
    assert (splits["splits", SER].mean[-2:] < -0.1).all()


@pytest.mark.parametrize("errors", ["position-apart", "position-apart+category"])
def test_ser_drops_to_a_half_at_the_smallest_shift_and_below_0_at_the_greatest(general, ser, errors):
    one = general[errors, SER]
    assert one.mean[1] == pytest.approx(0.5, abs=0.08)  # some shifts are rounded to none
    assert one.mean[2] > 0.35  # and hardly sees larger ones
    assert general[errors, GAMMA].mean[1] > 0.97
    assert ser[errors, SER].mean[-1] + 2 * ser[errors, SER].standard_error[-1] < 0


@pytest.mark.parametrize("measure", ["u-alpha", KAPPA])
def test_what_compares_stretches_is_too_responsive_to_the_smallest_shift(general, measure):
    assert general["position-apart", measure].mean[1] < general["position-apart", GAMMA].mean[1] - 0.05


def test_ser_goes_below_0_for_false_negatives_and_rises_at_the_end(negatives):
    one = negatives["false-negatives", SER]
    assert (one.mean[2:5] < -0.3).all()
    assert one.judgement.never_below is False
    assert one.judgement.decreasing is False
    assert one.mean[4] > one.mean[3] + 2 * np.hypot(one.standard_error[3], one.standard_error[4])


def test_cu_alpha_looks_at_categories_only(negatives):
    one = negatives["false-negatives", "cu-alpha"]
    assert (one.mean[:3] == 1).all()
    assert one.n[-1] == 0


def test_shifts_confuse_categories_of_those_who_meet(general):
    assert general["position-apart", "cu-alpha"].mean[-1] < 0.8
    assert general["position-apart", GAMMA].mean[-1] < 0.5


def test_overlapping_units_are_only_for_gamma_and_ser(overlapping, ser):
    for measure in ("u-alpha", "cu-alpha", KAPPA):
        assert overlapping["false-positives", measure].n == [4, 0, 0, 0]
    assert overlapping["false-positives", GAMMA].n == [4, 4, 4, 4]
    assert overlapping["false-positives", GAMMA].mean[-1] < 0.35
    assert abs(overlapping["position+false-positives", GAMMA].mean[-1]) < 0.15
    assert ser["position+false-positives", SER].judgement.decreasing is False


@pytest.mark.parametrize("measure", ["window-diff", "generalized-hamming"])
def test_segmentation_measures_are_stuck_above_0(segmentation, measure):
    assert segmentation["cuts-missed", measure].mean.min() > 0.2
    shifted = segmentation["cuts-shifted", measure].mean
    assert shifted.min() > 0.3
    assert np.ptp(shifted[3:]) < 0.1  # the asymptote


def test_gamma_uses_more_of_the_range_for_cuts(segmentation):
    assert segmentation["cuts-missed", GAMMA].mean.min() < 0.15
    shifted = segmentation["cuts-shifted", GAMMA].mean.min()
    assert shifted < segmentation["cuts-shifted", "window-diff"].mean.min() - 0.05


@pytest.mark.parametrize("measure", ["window-diff", "generalized-hamming"])
def test_segmentation_measures_answer_missed_cuts_almost_linearly(segmentation, measure):
    one = segmentation["cuts-missed", measure]
    slope, first = np.polyfit(one.magnitudes[:4], one.mean[:4], 1)  # until 0.6
    assert -1.1 < slope < -0.6
    assert np.abs(first + slope * np.array(one.magnitudes[:4]) - one.mean[:4]).max() < 0.05


def test_segmentation_measures_need_complete_cuts():
    reference = generate(n_units=10, categories=0, gap=(0, 0))
    curves = benchmark(
        reference, ["window-diff"], ["false-negatives", "position-apart"], magnitudes=[0, 0.5], repetitions=2, workers=1
    )
    assert [one.n for one in curves.curves] == [[2, 0], [2, 0]]
