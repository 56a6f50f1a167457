"""Random annotations as pygamma-agreement draws them by default."""

from __future__ import annotations

import numpy as np
import pytest
from drawing import draw_one
from scipy.stats import norm

import unisono
from unisono.chance.statistical import Statistical

TALK = [
    ("anna", 2, 9, "A"),
    ("anna", 11, 17, "B"),
    ("anna", 20, 36, "A"),
    ("anna", 45, 52, "C"),
    ("anna", 60, 71, "A"),
    ("bert", 1, 9, "A"),
    ("bert", 12, 17, "B"),
    ("bert", 22, 36, "B"),
    ("bert", 45, 50, "C"),
    ("bert", 61, 70, "A"),
    ("bert", 75, 79, "B"),
    ("carl", 2, 8, "A"),
    ("carl", 20, 30, "A"),
    ("carl", 46, 52, "C"),
    ("carl", 58, 71, "A"),
]
NESTED = [
    ("anna", 0, 40, "S"),
    ("anna", 3, 9, "N"),
    ("anna", 12, 20, "N"),
    ("anna", 41, 80, "S"),
    ("anna", 44, 50, "V"),
    ("bert", 0, 38, "S"),
    ("bert", 3, 10, "N"),
    ("bert", 41, 80, "S"),
    ("bert", 45, 50, "V"),
    ("bert", 60, 64, "N"),
    ("bert", 66, 70, "V"),
]
# pygamma-agreement 0.5.9, 4,000 samples of StatisticalContinuumSampler, alpha = beta = delta_empty = 1: the observed
# disorder; mean and deviation of the samples' disorder, number of units and last end; quantiles of the disorder
PACKAGE = {
    "talk": (
        0.49106,
        (1.31238, 0.22451),
        (13.5245, 1.5041),
        (79.5856, 13.5974),
        {0.1: 1.0262, 0.25: 1.1611, 0.5: 1.3114, 0.75: 1.4578, 0.9: 1.5994},
    ),
    "nested": (
        0.54815,
        (1.45596, 0.33918),
        (10.0023, 0.8014),
        (105.8900, 48.7477),
        {0.1: 1.0077, 0.25: 1.2157, 0.5: 1.4594, 0.75: 1.7010, 0.9: 1.9604},
    ),
}
N_SAMPLES = 4000


def corpus(rows, shift=0):
    who, start, end, label = zip(*rows, strict=True)
    start, end = np.array(start) + shift, np.array(end) + shift
    return unisono.Corpus.from_columns(
        document=["d"] * len(rows), annotator=who, start=start, end=end, features={"category": label}
    )


def agree(values, mean, deviation):
    """Whether the mean and the deviation could be those of the package, both being estimated."""
    error = np.hypot(values.std() / np.sqrt(len(values)), deviation / np.sqrt(N_SAMPLES))
    spread = deviation * np.sqrt(1 / len(values) + 1 / N_SAMPLES)  # generous: kurtosis below 3 + 2
    return abs(values.mean() - mean) < 3.5 * error and abs(values.std() - deviation) < 3.5 * spread


@pytest.mark.parametrize(("name", "rows"), [("talk", TALK), ("nested", NESTED)])
def test_disorder_is_distributed_as_in_the_package(name, rows):
    observed, disorder, _, _, quantiles = PACKAGE[name]
    result = unisono.gamma(corpus(rows), chance="statistical", precision=0.007)
    assert result.observed == pytest.approx(observed, abs=1e-5)
    values = result.documents[0].chance.values
    assert agree(values, *disorder)
    for share, value in quantiles.items():
        # the standard error of a quantile, with the density of the normal distribution
        density = norm.pdf(norm.ppf(share)) / disorder[1]
        error = np.sqrt(share * (1 - share) * (1 / len(values) + 1 / N_SAMPLES)) / density
        assert abs(np.quantile(values, share) - value) < 4 * error
    assert result.parameters["chance"] == "statistical"
    assert "|chance:statistical|" in result.signature


@pytest.mark.parametrize(("name", "rows"), [("talk", TALK), ("nested", NESTED)])
def test_units_are_distributed_as_in_the_package(name, rows):
    _, _, n_units, last, _ = PACKAGE[name]
    model = Statistical(corpus(rows)["d"].annotation_set(["category"]))
    sets = model.draw([model], [range(N_SAMPLES)], 42).units
    drawn = [sets.one(number) for number in range(N_SAMPLES)]
    assert agree(np.array([float(units.n_units) for units in drawn]), *n_units)
    assert agree(np.array([units.end.max() for units in drawn]), *last)
    labels = np.concatenate([units.codes[0] for units in drawn])
    shares = np.bincount(labels) / len(labels)
    given = np.unique([row[3] for row in rows], return_counts=True)[1] / len(rows)
    assert shares == pytest.approx(given, abs=0.01)
    assert all((units.end > units.start).all() for units in drawn)


def test_parameters_are_those_of_the_document():
    rows = [("a", 4, 6, "x"), ("a", 5, 9, "x"), ("a", 12, 13, "x"), ("b", 0, 2, "x"), ("c", 3, 3, "x")]
    model = Statistical(corpus(rows)["d"].annotation_set(["category"]))
    gaps = [0, -1, 3, 4, 3]  # one of 0, between units of a, before the first ones of a and c, but not of b
    assert model._gaps == pytest.approx((np.mean(gaps), np.std(gaps)))
    assert model._lengths == pytest.approx((np.mean([2, 4, 1, 2, 0]), np.std([2, 4, 1, 2, 0])))
    assert model._counts == pytest.approx((5 / 3, np.std([3, 1, 1])))


def test_units_without_length_are_drawn_without_length():
    units = corpus([("a", 4, 4, "x"), ("a", 5, 5, "y"), ("b", 4, 4, "x")])["d"].annotation_set(["category"])
    drawn = draw_one(Statistical(units), 0)
    assert (drawn.end == drawn.start).all()
    assert drawn.n_units >= 1


def test_no_units():
    empty = corpus(TALK)["d"].annotation_set(["category"])
    empty = type(empty)(empty.start[:0], empty.end[:0], empty.annotator[:0], empty.codes[:, :0], 3, empty.bounds)
    assert Statistical(empty).impossible == "there are no units"
