"""The ladder: the magnitude that is found is the one that was made."""

from __future__ import annotations

import json
import sys
from itertools import pairwise

import numpy as np
import pytest

import unisono
from unisono import DataError, OptionError
from unisono.data import Corpus
from unisono.shuffling import generate, ladder, shuffle
from unisono.shuffling.rungs import RUNGS, Ladder, Rung

ladder_module = sys.modules["unisono.shuffling.rungs"]

GAMMA = "gamma(precision=0.1)"
LARGE = generate(n_units=150)


def rung(made, errors):
    return next(one for one in made.rungs if one.errors == errors)


@pytest.mark.parametrize("magnitude", [0.2, 0.4])
@pytest.mark.parametrize(
    ("measure", "error"),
    [
        ("cu-alpha", "category"),
        ("u-alpha", "category"),
        ("cu-alpha", "position-apart"),
        ("u-alpha", "position-apart"),
        ("slot-error-rate", "false-negatives"),
        ("discretized-kappa(atom=character)", "category"),
        ("span-f1", "false-positives"),
    ],
)
def test_the_magnitude_that_was_made_is_found(measure, error, magnitude):
    made = shuffle(LARGE, error, magnitude, rng=5)
    (found,) = ladder(made, measure, errors=[error], workers=1).rungs
    assert found.errors == error
    assert found.magnitude == pytest.approx(magnitude, abs=0.1)


@pytest.mark.parametrize("error", ["category", "position"])
def test_the_magnitude_that_was_made_is_found_by_gamma(error):
    made = shuffle(generate(n_units=25), error, 0.4, rng=7)
    (found,) = ladder(made, GAMMA, errors=[error], repetitions=3, workers=1).rungs
    assert found.magnitude == pytest.approx(0.4, abs=0.1)
    assert found.curve[0] == 1


def test_higher_agreement_is_a_smaller_magnitude():
    made = shuffle(generate(n_units=40), "category", 0.5, rng=3)
    found = [ladder(made, "cu-alpha", value=v, errors=["category"], workers=1).rungs[0] for v in np.linspace(1, 0, 11)]
    magnitudes = [one.magnitude for one in found if one.magnitude is not None]
    assert magnitudes[0] == 0
    assert len(magnitudes) >= 9
    assert all(before < after for before, after in pairwise(magnitudes))


def test_curves_are_of_rungs():
    made = ladder(shuffle(generate(n_units=15), "category", 0.3), "u-alpha", repetitions=1, workers=1)
    for one in made.rungs:
        assert one.curve[0] == 1
        assert set(one.magnitudes) <= set(RUNGS)
        assert len(one.curve) == len(one.magnitudes)


def test_the_value_is_measured_if_not_given():
    made = shuffle(generate(n_units=30), "category", 0.4)
    value = unisono.cu_alpha(made).value
    measured = ladder(made, "cu-alpha", errors=["category"], workers=1)
    given = ladder(made, "cu-alpha", value=value, errors=["category"], workers=1)
    assert measured.value == given.value == value
    assert measured.symbol == "cuα"
    assert measured.rungs[0].magnitude == given.rungs[0].magnitude


def test_seeds_and_workers():
    made = shuffle(generate(n_units=20), "category", 0.4)

    def found(**options):
        return ladder(made, "cu-alpha", **{"workers": 1, **options}).to_dict()

    assert found() == found() == found(workers=2)
    assert found() != found(rng=1)


def test_progress_is_told():
    calls = []
    made = shuffle(generate(n_units=10), "category", 0.4)
    ladder(
        made, "cu-alpha", value=0.5, errors=["category"], repetitions=2, workers=1, progress=lambda *c: calls.append(c)
    )
    assert [done for done, _ in calls] == list(range(1, len(calls) + 1))
    assert calls[-1][0] == calls[-1][1] < 2 * len(RUNGS)


def test_errors_grow_no_further_than_needed():
    made = shuffle(generate(n_units=40), "category", 0.3, rng=3)
    (found,) = ladder(made, "cu-alpha", errors=["category"], workers=1).rungs
    assert (found.curve[-2:] < ladder(made, "cu-alpha", errors=["category"], workers=1).value).all()
    assert found.magnitudes[-1] <= 0.6


# Which errors


def kinds(corpus, measure):
    return [one.errors for one in ladder(corpus, measure, value=0.5, repetitions=2, workers=1).rungs]


def test_errors_that_data_and_measure_allow():
    made = shuffle(generate(n_units=8), "category", 0.4)
    assert kinds(made, "slot-error-rate") == ["position", "category", "false-negatives", "false-positives", "splits"]
    assert kinds(made, "cu-alpha") == ["position-apart", "category", "false-negatives", "splits"]
    bare = shuffle(generate(n_units=8, categories=0), "position", 0.1)
    assert kinds(bare, "span-f1") == ["position", "false-negatives", "false-positives", "splits"]
    uniform = shuffle(generate(n_units=8, categories=1), "position", 0.1)
    assert "category" not in kinds(uniform, "span-f1")


def test_overlapping_units_are_not_kept_apart():
    made = shuffle(generate(n_units=8, categories=2, overlap=0.5), "category", 0.2)
    assert kinds(made, "span-f1")[0] == "position"
    nested = Corpus.from_columns(
        annotator=["anna", "anna", "bert", "bert"],
        start=[0, 5, 0, 5],
        end=[20, 10, 19, 11],
        features={"category": ["A", "B"] * 2},
    )
    assert "position-apart" not in kinds(nested, "alpha-u")


def test_overlapping_units_of_anybody_are_not_kept_apart():
    mixed = Corpus.from_columns(
        annotator=["anna", "anna", "bert", "bert"],
        start=[0, 10, 0, 8],
        end=[10, 20, 10, 20],
        features={"category": ["A", "B"] * 2},
    )
    assert "position-apart" not in kinds(mixed, "alpha-u")


def test_errors_of_ones_own_choice():
    made = shuffle(generate(n_units=10), "category", 0.4)
    found = ladder(made, "cu-alpha", errors=["position-apart+category", "splits(factor=1)"], repetitions=1, workers=1)
    assert [one.errors for one in found.rungs] == ["position-apart+category", "splits(factor=1)"]
    with pytest.raises(OptionError, match="unknown error 'shift'"):
        ladder(made, "cu-alpha", errors=["shift"], workers=1)
    with pytest.raises(OptionError, match="no kind of error"):
        ladder(made, "cu-alpha", errors=[], workers=1)
    with pytest.raises(OptionError, match="unknown measure"):
        ladder(made, "gama")


def test_at_least_one_repetition():
    made = shuffle(generate(n_units=10), "category", 0.4)
    with pytest.raises(OptionError):
        ladder(made, "cu-alpha", repetitions=0, workers=1)


# What is said


def test_what_is_said():
    made = shuffle(generate(n_units=40), "category", 0.4, rng=3)
    found = ladder(made, "u-alpha", workers=1)
    shifts, confusion, misses = (one.magnitude for one in found.rungs[:3])
    assert str(found) == (
        f"uα = {found.value:.2f} corresponds to annotators who each shift boundaries at magnitude {shifts:.2f}, "
        f"or confuse categories at magnitude {confusion:.2f}, or miss units at magnitude {misses:.2f}. "
        "No magnitude is enough if they only split units (it stays at 1.00 or above)."
    )


def test_errors_that_do_not_matter_say_so():
    made = shuffle(generate(n_units=20), "category", 0.5)
    one = rung(ladder(made, "u-alpha", workers=1), "splits")
    assert one.magnitude is None
    assert (one.curve == 1).all()
    assert str(one) == "split units (it stays at 1.00 or above)"


def test_agreement_that_no_error_brings_about():
    made = shuffle(generate(n_units=20), "category", 0.5)
    found = ladder(made, "u-alpha", value=-0.4, repetitions=2, workers=1)
    assert all(one.magnitude is None for one in found.rungs)
    assert str(found) == "No single kind of error brings agreement down to uα = −0.40."


def test_perfect_agreement_is_magnitude_0():
    made = shuffle(generate(n_units=10), "category", 0.0)
    found = ladder(made, "cu-alpha", repetitions=1, workers=1)
    assert found.value == 1
    assert {one.magnitude for one in found.rungs} == {0.0}
    assert str(found) == "cuα = 1.00 corresponds to annotators who make no errors."


def test_plain_data():
    made = ladder(shuffle(generate(n_units=10), "category", 0.4), "cu-alpha", repetitions=1, workers=1)
    plain = json.loads(json.dumps(made.to_dict(), allow_nan=False))
    assert plain["value"] == made.value
    assert [one["error"] for one in plain["rungs"]] == [one.errors for one in made.rungs]
    assert plain["rungs"][1]["curve"][0] == {"magnitude": 0.0, "agreement": 1.0}


def test_magnitudes_without_value_are_left_out():
    made = shuffle(generate(n_units=20), "category", 0.4)
    missed = rung(ladder(made, "cu-alpha", repetitions=2, workers=1), "false-negatives")
    assert 1.0 not in missed.magnitudes
    assert (missed.curve == 1).all()


def test_nothing_is_said_of_magnitudes_without_value():
    made = shuffle(generate(n_units=20), "category", 0.4)
    found = ladder(made, "cu-alpha", workers=1)
    greatest = rung(found, "false-negatives").magnitudes[-1]
    assert greatest < 1
    assert "miss units (it stays at 1.00 or above)" in str(found)


def test_complete_segmentations_are_kept_complete():
    cuts = shuffle(generate(n_units=20, categories=0, gap=(0, 0)), "cuts-missed", 0.4)
    found = ladder(cuts, "window-diff", workers=1)
    assert any(one.magnitude for one in found.rungs if one.errors != "splits")


def test_a_distance_is_not_called_by_the_value_of_its_agreement():
    made = shuffle(generate(n_units=20), "category", 0.7)
    result = unisono.slot_error_rate(made)
    assert result.value != pytest.approx(result.agreement, abs=0.1)
    said = str(ladder(made, "slot-error-rate", workers=1))
    assert said.startswith(f"1 − SER = {result.agreement:.2f} corresponds to")


@pytest.mark.parametrize("errors", ["merges", "position-apart+category", "false-positives(factor=1)"])
def test_every_error_reads_well(errors):
    one = Rung(errors, 0.3, np.array([0.0, 1.0]), np.array([1.0, 0.0]))
    assert errors not in str(one)
    assert str(one).endswith(" at magnitude 0.30")
    never = Ladder("γ", 0.1, (one, Rung(errors, None, np.array([0.0, 1.0]), np.array([1.0, 0.5]))))
    assert str(never).endswith("(it stays at 0.50 or above).")


def test_an_error_that_never_has_a_value_can_be_shown():
    nothing = Rung("splits", None, np.zeros(0), np.zeros(0))
    said = str(Ladder("γ", 0.5, (nothing, Rung("category", 0.5, np.array([0.0, 1.0]), np.array([1.0, 0.0])))))
    assert said.endswith("No magnitude is enough if they only split units (there is no value at any magnitude).")


# What is shuffled


@pytest.mark.parametrize("error", ["position", pytest.param("false-positives", marks=pytest.mark.slow)])
def test_what_most_marked_is_shuffled_so_that_strong_errors_are_found_too(error):
    made = shuffle(generate(n_units=30, gap=(0, 20)), error, 0.3, rng=1)
    (found,) = ladder(made, GAMMA, errors=[error], repetitions=3, workers=1).rungs
    assert found.magnitude == pytest.approx(0.3, abs=0.1)


def test_every_annotator_is_the_reference_in_turn(monkeypatch):
    seen = []
    monkeypatch.setattr(ladder_module, "run_job", lambda job: seen.append(job) or {job.measures[0]: 0.9})
    cuts = shuffle(generate(n_units=20, categories=0, gap=(0, 0)), "cuts-missed", 0.2, n_annotators=6)
    ladder(cuts, "window-diff", errors=["cuts-missed"], value=0.1, workers=1)
    used = {tuple(job.reference.start.tolist()) for job in seen}
    assert len(used) == 6
    assert {job.n_annotators for job in seen} == {6}


def test_names_of_errors_are_read_alike():
    made = shuffle(generate(n_units=20), "category", 0.4)
    one, other = (ladder(made, "cu-alpha", errors=[name], workers=1).rungs[0] for name in ("category", " Category"))
    assert one.magnitude == other.magnitude


def test_seeds_may_be_generators():
    made = shuffle(generate(n_units=10), "category", 0.4)
    one, other = (ladder(made, "cu-alpha", rng=np.random.default_rng(1), workers=1).to_dict() for _ in range(2))
    assert one == other


# Other data


def test_texts():
    text = "the old man went home and slept well until the sun came up over the hill and woke him"
    words = text.split()
    start = [sum(len(word) + 1 for word in words[:k]) for k in range(len(words))]
    tokens = Corpus.from_columns(
        annotator=["base"] * len(words),
        start=start,
        end=[s + len(word) for s, word in zip(start, words, strict=True)],
        features={"pos": [word[-1] for word in words]},
        texts={("document", "base"): text},
    )
    made = shuffle(tokens, "label", 0.5, n_annotators=2, rng=4)
    found = ladder(made, "text-gamma(precision=0.1)", repetitions=2, workers=1)
    assert [one.errors for one in found.rungs] == ["text", "segmentation", "label"]
    assert rung(found, "label").magnitude == pytest.approx(0.5, abs=0.2)
    assert "draw labels at random at magnitude" in str(found)
    bare = shuffle(
        Corpus.from_columns(annotator=["a"] * 2, start=[0, 3], end=[2, 5], texts={("document", "a"): "ab cd"}),
        "text",
        1.0,
    )
    assert kinds(bare, "text-gamma(precision=0.2)") == ["text", "segmentation"]


def test_rewritten_words_are_refused():
    with pytest.raises(DataError, match="rew"):
        ladder({"original": ["vnd"], "a": ["und"], "b": ["und"]}, "normalization")


def test_what_has_no_value_is_refused():
    nothing = shuffle(generate(n_units=10), "false-negatives", 1.0)
    with pytest.raises(DataError, match="cu-alpha has no value here"):
        ladder(nothing, "cu-alpha")
    with pytest.raises(DataError, match="nobody marked anything"):
        ladder(nothing, "cu-alpha", value=0.5)


def test_annotators_who_marked_nothing_are_no_reference():
    some = Corpus.from_columns(
        annotator=["bert"] * 3 + ["chris"] * 3,
        start=[0, 10, 20] * 2,
        end=[5, 15, 25, 6, 14, 25],
        features={"category": ["A", "B", "A", "A", "B", "B"]},
        worked=[("document", "anna")],
    )
    assert len(ladder(some, "u-alpha", repetitions=2, workers=1).rungs) == 4


def test_documents_of_different_annotators():
    many = Corpus.from_columns(
        document=[name for name in "abcdef" for _ in range(4)],
        annotator=["anna", "anna", "bert", "bert"] * 3 + ["bert", "bert", "chris", "chris"] * 3,
        start=[0, 10] * 12,
        end=[8, 20, 7, 21] * 6,
        features={"category": ["A", "B", "A", "B", "A", "B", "A", "A"] * 3},
    )
    found = ladder(many, "u-alpha", workers=1)
    assert 0 < rung(found, "category").magnitude < 1
