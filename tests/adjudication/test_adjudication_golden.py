"""Competence, precision of boundaries and the draft of fixed data: all numbers that are reported."""

from __future__ import annotations

import numpy as np
import pytest
from gold_helpers import made, units_of

import unisono
from unisono.adjudication.boundaries import imprecision, precision_weights
from unisono.adjudication.competence import _Judged
from unisono.adjudication.dawid_skene import dawid_skene
from unisono.adjudication.mace import mace
from unisono.adjudication.truth import shares, until_settled
from unisono.alignment.consensus import label_key

LABELS = np.array(
    [
        *([0, 0, 1, 0], [1, 1, 1, 0], [2, 2, -1, 1], [0, 1, 1, 1]),
        *([2, 2, 2, 2], [0, 0, 0, 2], [1, -1, 1, 1], [0, 0, 2, 1]),
    ]
)
ROWS = [
    *(("a", 0, 10, "X"), ("b", 1, 10, "Y"), ("c", 0, 13, "X")),
    *(("a", 30, 40, "Y"), ("b", 33, 41, "X"), ("c", 30, 40, "Y")),
    *(("a", 60, 70, "X"), ("b", 60, 72, "X")),
]


@pytest.fixture(scope="module")
def corpus():
    return made(ROWS, bounds={"document": (0, 100)})


@pytest.mark.parametrize(
    ("model", "competence", "first", "fourth"),
    [
        (dawid_skene, [0.87180007, 0.99413059, 0.71573876, 0.49642672], (0.978905, 0.021087), (0.009618, 0.990327)),
        (mace, [0.73960004, 0.88524020, 0.51835091, 0.29273470], (0.982391, 0.014150), (0.029507, 0.965774)),
    ],
)
def test_models_of_competence(model, competence, first, fourth):
    found = model(LABELS, 3)
    assert found.settled
    assert found.competence == pytest.approx(competence, abs=2e-6)
    assert found.probability[0, :2] == pytest.approx(first, abs=2e-6)
    assert found.probability[3, :2] == pytest.approx(fourth, abs=2e-6)
    assert found.probability.sum(axis=1) == pytest.approx(np.ones(8))


def test_shares_of_labels():
    assert shares(LABELS, 3)[[0, 2, 6]].tolist() == [[0.75, 0.25, 0], [0, 1 / 3, 2 / 3], [0, 1, 0]]


def test_steps_until_nothing_changes():
    """Every step halves the distance of the odds from even ones."""
    found, settled = until_settled(lambda probability: np.log(probability) / 2, np.array([[0.9, 0.1]]))
    assert settled
    assert found[0] == pytest.approx([0.5, 0.5], abs=1e-7)
    found, settled = until_settled(lambda probability: np.log(probability) / 2, np.array([[0.9, 0.1]]), 2)
    assert not settled
    assert found[0, 0] / found[0, 1] == pytest.approx(9**0.25)


def test_how_far_boundaries_are_off(corpus):
    off = imprecision(unisono.align(corpus))
    assert off == pytest.approx({"a": 0.0, "b": 0.1453959622, "c": 0.1171265894})
    # by definition: least squares, one equation per pair of annotators, weighted by pairs of units, and a weak prior
    apart = {"ab": [1 / 19, 4 / 18, 2 / 22], "ac": [3 / 23, 0], "bc": [4 / 22, 4 / 18]}
    squares = {pair: np.square(ratios) for pair, ratios in apart.items()}
    mean = np.concatenate(list(squares.values())).mean()

    def loss(a, b, c):
        of = {"ab": a + b, "ac": a + c, "bc": b + c}
        pairs = sum(len(it) * (of[pair] - it.mean()) ** 2 for pair, it in squares.items())
        return pairs + sum((own - mean / 2) ** 2 for own in (a, b, c))

    best = [value**2 for value in off.values()]
    for step in ([1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1], [0, 1, -1], [0, -1, 1]):
        assert loss(*best) < loss(*(value + 1e-5 * by for value, by in zip(best, step, strict=True)))


def test_weights_of_boundaries():
    # no squared error is below 5% of the mean one, here (0.01 + 0.04 + 0)/3
    found = precision_weights({"a": 0.1, "b": 0.2, "c": 0.0})
    assert found == pytest.approx({"a": 10.0, "b": 5.0, "c": 1 / np.sqrt(0.05 * 0.05 / 3)})
    assert precision_weights({"a": 0.0, "b": 0.0}) == {"a": 1.0, "b": 1.0}


@pytest.mark.parametrize(
    ("competence", "support", "of_labels"),
    [
        (None, [1.0, 1.0, 0.6667], [0.6667, 0.6667, 1.0]),
        ("dawid-skene", [1.0, 1.0, 1.0], [0.9976, 0.9969, 0.9976]),
        ("mace", [1.0, 1.0, 1.0], [0.9849, 0.9828, 0.9338]),
    ],
)
def test_the_draft(corpus, competence, support, of_labels):
    found = unisono.gold(corpus, competence=competence)
    units = units_of(found.corpus)
    assert [unit[1:4] for unit in units] == [(0, 10, "X"), (30, 40, "Y"), (60, 70, "X")]
    assert [unit[4] for unit in units] == pytest.approx(support, abs=1e-4)
    assert [unit[5] for unit in units] == [0.3333, 0.6667, 0.5]
    assert [unit[6] for unit in units] == pytest.approx(of_labels, abs=1e-4)


def test_trust_in_annotators(corpus):
    trust = {
        model: [own["category"] for own in unisono.gold(corpus, competence=model).competence.trust.values()]
        for model in ("dawid-skene", "mace")
    }
    assert trust["dawid-skene"] == pytest.approx([0.9973317, 0.3343782, 0.6648101], abs=2e-6)
    assert trust["mace"] == pytest.approx([0.7458728, 0.1942543, 0.5709009], abs=2e-6)


def test_the_queue(corpus):
    # a and b are 2/22 of their lengths apart, and both are without c
    disorder = ((2 / 22) ** 2 + 2) / 3
    queue = unisono.gold(corpus).queue_columns()
    assert queue["disorder"] == [round(disorder, 4)]
    assert queue["support"] == [0.6667]
    assert queue["why"] == ["ends between 70 and 72"]


def test_the_most_trusted_annotator_comes_first(corpus):
    table = unisono.gold(corpus, competence="mace").competence.table().table
    assert [row[0] for row in table.rows] == ["a", "c", "b"]


def test_boundaries_are_at_most_a_whole_length_off():
    # the outer two are aligned through the one between them; they are (3 + 3)/4 of their lengths apart, which counts 1
    corpus = made([("a", 0, 2, "X"), ("b", 1, 4, "X"), ("c", 3, 5, "X")], bounds={"document": (0, 9)})
    alignments = unisono.align(corpus)
    assert len(alignments["document"]) == 1
    # least squares of x_a + x_b = x_b + x_c = 0.36, x_a + x_c = 1, and each x = half of the mean, 1.72/6
    outer, inner = np.sqrt([0.59 / 1.5, 0.11 / 1.5])
    assert imprecision(alignments) == pytest.approx({"a": outer, "b": inner, "c": outer})


@pytest.mark.parametrize("model", ["dawid-skene", "mace"])
def test_the_share_of_a_label_is_its_probability_if_there_is_a_unit(model):
    rows = [*ROWS, ("c", 80, 90, "Y"), ("b", 80, 90, "X"), ("b", 95, 99, "Y")]
    alignment = unisono.align(made(rows, bounds={"document": (0, 100)}))["document"]
    judged = _Judged([("document", row) for row in alignment], ("a", "b", "c"), "category", model)
    supports = [judged.support(item) for item in range(len(alignment))]
    assert min(supports) < 0.3 < 0.9 < max(supports)
    for item, row in enumerate(alignment):
        probability = judged.truth.probability[item]
        given = {unit.category for unit in row.units.values() if unit is not None}
        if len(given) == 1 or judged.support(item) > 0.01:
            best = max(probability[judged._codes[label_key(label)]] for label in given)
            assert judged.vote(item).share == pytest.approx(best / (1 - probability[-1]))


@pytest.mark.parametrize("model", [dawid_skene, mace])
def test_who_was_asked_once_has_a_competence_and_who_was_not_has_none(model):
    labels = np.column_stack([LABELS, np.full(8, -1), [-1] * 7 + [0]])
    found = model(labels, 3).competence
    assert np.isnan(found).tolist() == [False] * 4 + [True, False]
