"""Published and reference values of γ's parts.

Dissimilarities and the stopping rule: Mathet et al. 2015, Figure 10 and §5.3. Least disorders: pygamma-agreement 0.5.9,
exact mode, on its own test files, given to eight digits.
"""

from __future__ import annotations

import numpy as np
import pytest

import unisono
from unisono.chance.stopping import exact_samples_needed, samples_needed
from unisono.dissimilarity.combined import positional

pytestmark = pytest.mark.usefixtures("both_paths")

# the units of Figure 10, with a category each
FIGURE_10 = """Joe,A,4,14
Joe,B,20,30
Jack,A,4,14
Jack,B,20,25
William,A,14,24
William,B,40,44
"""


def corpus_of(text):
    rows = [line.split(",") for line in text.split()]
    return unisono.Corpus.from_columns(
        annotator=[row[0] for row in rows],
        start=[int(row[2]) for row in rows],
        end=[int(row[3]) for row in rows],
        features={"category": [row[1] for row in rows]},
    )


@pytest.mark.parametrize(
    ("u", "v", "expected"),
    [
        ((4, 14), (40, 44), 22.2),
        ((4, 14), (20, 25), 3.2),
        ((4, 14), (14, 24), 1.0),
        ((20, 30), (20, 25), 0.11),
        ((20, 25), (14, 24), 0.22),
        ((4, 14), (4, 14), 0.0),
    ],
)
def test_mathet_2015_figure_10_positional_dissimilarity(u, v, expected):
    value = positional(*(np.array([float(x)]) for x in (*u, *v)))
    assert value[0] == pytest.approx(expected, abs=0.05 if expected > 1 else 0.005)


def test_mathet_2015_section_5_3_stopping_rule():
    deviation = np.sqrt(30 / 29) * 0.1379
    assert exact_samples_needed(3.49, deviation, 0.02, 0.95) == pytest.approx(15.5, abs=0.05)
    assert exact_samples_needed(3.49, deviation, 0.01, 0.95) == pytest.approx(62, abs=0.1)
    values = np.random.default_rng(0).normal(3.49, 0.1403, 30)
    assert samples_needed(values, 0.02, 0.95) == 30
    assert samples_needed(np.zeros(30), 0.02, 0.95) == 30


@pytest.mark.parametrize(
    ("text", "alpha", "observed"),
    [
        (FIGURE_10, 1, 1.18518519),
        (FIGURE_10, 3, 1.51111111),
    ],
)
def test_mathet_2015_figure_10_least_disorder(text, alpha, observed):
    corpus = corpus_of(text)
    result = unisono.gamma(corpus, alpha=alpha)
    assert result.observed == pytest.approx(observed, abs=1e-8)
    assert result.optimality_gap == 0
    assert result.alignment["document"].disorder == result.observed


@pytest.mark.parametrize(
    ("name", "alpha", "observed"),
    [
        ("AlexPaulSuzan", 1, 0.65354167),
        ("AlexPaulSuzan", 3, 0.960625),
        ("annotation_paul_suzann_alex", 1, 0.53128753),
        ("annotation_paul_suzann_alex", 3, 0.70497370),
        ("example_figure10", 1, 1.18518519),
        ("example_figure10", 3, 1.51111111),
        ("3by100", 1, 0.13827661),
        ("3by100", 3, 0.34351164),
    ],
)
def test_least_disorder_of_reference_files(shared, name, alpha, observed):
    corpus = unisono.read(shared / "pygamma_tests" / f"{name}.csv")
    alignment = unisono.align(corpus, alpha=alpha)[name]
    assert alignment.disorder == pytest.approx(observed, abs=1e-8)
    assert alignment.optimality_gap == 0


def test_zero_length_units_count(shared):
    corpus = unisono.read(shared / "pygamma_tests" / "2by5000.csv")
    whole = unisono.align(corpus)["2by5000"]
    assert whole.annotations.n_units == 9998
    keep = corpus.end > corpus.start
    assert (~keep).sum() == 2
    without = unisono.Corpus.from_columns(
        annotator=[corpus.annotators[code] for code in corpus.annotator[keep]],
        start=corpus.start[keep],
        end=corpus.end[keep],
        features={"category": corpus.features["category"].take(keep).values()},
    )
    assert unisono.align(without)["document"].disorder == pytest.approx(0.6541436, abs=5e-8)
    assert whole.disorder != pytest.approx(0.6541436, abs=1e-5)
