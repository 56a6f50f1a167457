"""Errors in labels of items: what each changes, and by how much."""

from __future__ import annotations

import numpy as np
import pytest
from commands import run

import unisono
from unisono.data import Question, Ratings
from unisono.shuffling import benchmark, generate, ladder, shuffle
from unisono.shuffling.items import agreed_labels


def numbers(ratings, place=0):
    return np.array([np.nan if code < 0 else float(ratings.labels[code]) for code in ratings.codes[:, place].tolist()])


def scores(n=4000, whole=False):
    values = np.random.default_rng(1).normal(50, 10, n)
    return Ratings.from_annotators({"reference": np.rint(values) if whole else values.round(2)})


@pytest.mark.parametrize("error", ["category", "noise", "severity", "missing", "category+noise+missing"])
def test_without_magnitude_nothing_changes(error):
    reference = scores(50)
    made = shuffle(reference, error, 0, n_annotators=2)
    assert made.annotators == ("annotator 1", "annotator 2")
    for place in range(2):
        assert numbers(made, place).tolist() == numbers(reference).tolist()


@pytest.mark.parametrize("magnitude", [0.1, 0.4, 0.8, 1.0])
def test_noise_keeps_mean_and_spread_and_lowers_the_correlation(magnitude):
    reference = scores()
    made = numbers(shuffle(reference, "noise", magnitude, n_annotators=1))
    before = numbers(reference)
    assert np.corrcoef(made, before)[0, 1] == pytest.approx(1 - magnitude, abs=0.05)
    assert made.mean() == pytest.approx(before.mean(), abs=0.8)
    assert made.std() == pytest.approx(before.std(), rel=0.05)
    assert before.min() <= made.min() <= made.max() <= before.max()


def test_whole_numbers_stay_whole():
    made = numbers(shuffle(scores(whole=True), "noise+severity", 0.5, n_annotators=1))
    assert not (made % 1).any()


def test_severity_is_one_constant_for_each_annotator():
    reference = scores(300)
    made = shuffle(reference, "severity", 0.2, n_annotators=20, rng=3)
    low, high = numbers(reference).min(), numbers(reference).max()
    inside = (numbers(reference) > low + 0.2 * (high - low)) & (numbers(reference) < high - 0.2 * (high - low))
    moved = [numbers(made, place)[inside] - numbers(reference)[inside] for place in range(20)]
    assert all(np.ptp(one) < 1e-6 for one in moved)
    assert max(abs(one[0]) for one in moved) <= 0.1 * (high - low)
    assert len({round(float(one[0]), 6) for one in moved}) == 20


@pytest.mark.parametrize("magnitude", [0.2, 0.7])
def test_labels_are_missing(magnitude):
    made = shuffle(generate(n_items=5000), "missing", magnitude)
    assert (made.codes < 0).mean() == pytest.approx(magnitude, abs=0.02)


@pytest.mark.parametrize("magnitude", [0.3, 0.8])
def test_categories_are_confused_as_those_of_units_are(magnitude):
    reference = generate(n_items=20_000, categories={"A": 5, "B": 3, "C": 2})
    made = shuffle(reference, "category", magnitude, n_annotators=1, rng=43)
    before, after = reference.codes[:, 0], made.codes[:, 0]
    shares = np.bincount(before) / len(before)
    for code in range(3):
        found = np.bincount(after[before == code], minlength=3) / (before == code).sum()
        wanted = magnitude**2 * shares + (1 - magnitude**2) * (np.arange(3) == code)
        assert found == pytest.approx(wanted, abs=0.02)


def test_steps_of_a_scale_stay_steps():
    order = ("never", "rarely", "often", "always")
    reference = Ratings.from_columns(
        item=range(400),
        annotator=["r"] * 400,
        label=np.random.default_rng(0).choice(order, 400).tolist(),
        question=Question("how often", "ordered", order),
    )
    made = shuffle(reference, "noise", 0.3, n_annotators=2)
    assert set(made.labels) == set(order)
    ordinal = unisono.krippendorff_alpha(made, distance=unisono.Ordinal(order)).value
    assert ordinal > unisono.krippendorff_alpha(made).value > 0.1


def test_what_cannot_be_shuffled():
    with pytest.raises(unisono.OptionError, match="'position' is not an error in labels of items") as error:
        shuffle(generate(n_items=5), "position", 0.5)
    assert error.value.parameter == "errors"
    with pytest.raises(unisono.OptionError, match="'severity' is not an error in units"):
        shuffle(generate(n_units=5), "severity", 0.5)
    with pytest.raises(unisono.OptionError, match="need labels on a scale"):
        shuffle(generate(n_items=5), "noise", 0.5)
    with pytest.raises(unisono.OptionError, match="labels of items need categories"):
        generate(n_items=5, categories=0)


def test_the_same_seed_gives_the_same_labels():
    reference = generate(n_items=30, n_documents=2)
    assert reference.documents == ("document 1", "document 2")
    one, other = (shuffle(reference, "category", 0.6, rng=5) for _ in range(2))
    assert one == other
    assert one != shuffle(reference, "category", 0.6, rng=6)


@pytest.mark.parametrize(("error", "measure"), [("category", ""), ("noise", "(distance=interval)")])
def test_agreement_falls_from_one_to_nothing(error, measure):
    reference = generate(n_items=300, categories={"1": 1, "2": 2, "3": 2, "4": 1})
    found = benchmark(
        reference, f"krippendorff-alpha{measure}", error, magnitudes=[0, 0.5, 1], repetitions=10, workers=1
    )
    curve = found.curves[0]
    assert curve.mean[0] == 1
    assert 0.1 < curve.mean[1] < 0.9
    assert abs(curve.mean[2]) < 0.05


@pytest.mark.parametrize("magnitude", [0.2, 0.5])
def test_the_ladder_finds_the_magnitude_again(magnitude):
    made = shuffle(generate(n_items=1500), "category", magnitude, n_annotators=9)
    found = ladder(made, "krippendorff-alpha", workers=1)
    (rung,) = found.rungs
    assert rung.errors == "category"
    assert rung.magnitude == pytest.approx(magnitude, abs=0.05)


def test_the_ladder_of_a_scale_and_the_order_of_items():
    made = shuffle(scores(300), "noise", 0.3, n_annotators=4)
    turned = Ratings.of(np.array([numbers(made, place)[::-1] for place in (2, 0, 3, 1)]), rows="annotators")
    found = [ladder(one, "krippendorff-alpha(distance=interval)", workers=1) for one in (made, turned)]
    assert [rung.errors for rung in found[0].rungs] == ["noise", "severity"]
    for one, other in zip(found[0].rungs, found[1].rungs, strict=True):
        assert one.magnitude == other.magnitude


def test_what_most_annotators_gave():
    table = {"a": ["x", "y", None], "b": ["x", "z", None], "c": ["y", "z", None]}
    agreed = agreed_labels(Ratings.of(table), 42)
    assert sorted(agreed.labels[code] for code in agreed.codes[:, 0].tolist()) == ["x", "z"]
    on_scale = agreed_labels(Ratings.of({"a": [1.0, 2.5], "b": [9.0, 2.5], "c": [4.0, 7.0]}), 42)
    assert sorted(on_scale.labels[code] for code in on_scale.codes[:, 0].tolist()) == [2.5, 4.0]


def test_commands(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = run("shuffle", "generate(n_items=50)", "--error", "category", "--magnitude", 0.3, "-o", "l.csv")
    assert done.stderr == "l.csv: 150 labels of 3 annotators\n"
    done = run("measure", "l.csv", "-m", "krippendorff-alpha", "--ladder")
    assert "who each confuse categories at magnitude" in " ".join(done.stdout.split())
    again = ("benchmark", "generate(n_items=30)", "-m", "krippendorff-alpha", "--error", "category")
    done = run(*again, "--magnitudes", "0,1", "--repetitions", 3, "-o", "c.csv")
    assert done.returncode == 0
    assert len((tmp_path / "c.csv").read_text().splitlines()) == 3
