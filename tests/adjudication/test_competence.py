"""Models of annotators: against direct computation and another implementation, and by finding out known competences."""

from __future__ import annotations

import math

import numpy as np
import pytest
from gold_helpers import crowd, disorder, made, units_of

import unisono
from unisono.adjudication import gold
from unisono.adjudication.boundaries import imprecision, precision_weights
from unisono.adjudication.dawid_skene import dawid_skene
from unisono.adjudication.mace import mace
from unisono.data import Corpus
from unisono.shuffling import generate

LABELS = np.array(
    [
        [0, 1, 2, 0, 2, 1, 0, -1, 2, 0, 2, 1],
        [0, 1, 0, 0, 2, 1, 2, 1, 2, 1, 2, 0],
        [1, 1, 2, 0, 1, -1, 0, 1, 2, 0, -1, 1],
    ]
).T
# crowd-kit 1.4.2, DawidSkene(n_iter=10, tol=0), probabilities of the labels 0, 1 and 2
CROWD_KIT = {0: (0.982595, 0.017405, 0.0), 7: (0.088924, 0.911076, 0.0), 2: (0.0, 0.0, 1.0), 6: (1.0, 0.0, 0.0)}


def direct_dawid_skene(labels, n_labels, n_steps, smoothing, diagonal):
    """Take the formulas of Dawid & Skene (1979), (2.3) to (2.5), one number at a time."""
    items, people, classes = range(len(labels)), range(len(labels[0])), range(n_labels)
    truth = []
    for row in labels:
        given = [label for label in row if label >= 0]
        truth.append([given.count(j) / len(given) for j in classes])
    for _ in range(n_steps):
        shares = [sum(truth[i][j] for i in items) / len(labels) for j in classes]
        errors = {}
        for k in people:
            for j in classes:
                counts = [
                    sum(truth[i][j] for i in items if labels[i][k] == label) + smoothing + diagonal * (label == j)
                    for label in classes
                ]
                counts = [max(count, 1e-10) for count in counts]
                errors |= {(k, j, label): count / sum(counts) for label, count in zip(classes, counts, strict=True)}
        for i in items:
            likely = [
                shares[j] * math.prod(errors[k, j, labels[i][k]] for k in people if labels[i][k] >= 0) for j in classes
            ]
            truth[i] = [one / sum(likely) for one in likely]
    return np.array(truth)


def direct_mace(labels, n_labels, n_steps):
    """Go through the model of Hovy et al. (2013), one number at a time."""
    items, people, classes = range(len(labels)), range(len(labels[0])), range(n_labels)
    truth = []
    for row in labels:
        given = [label for label in row if label >= 0]
        truth.append([given.count(j) / len(given) for j in classes])
    asked = {k: [i for i in items if labels[i][k] >= 0] for k in people}
    knows = {k: sum(truth[i][labels[i][k]] for i in asked[k]) / len(asked[k]) for k in people}
    guesses = {k: [1 / n_labels] * n_labels for k in people}
    for _ in range(n_steps):
        for k in people:
            knew = {}
            for i in asked[k]:
                label = labels[i][k]
                by_guess = (1 - knows[k]) * guesses[k][label]
                knew[i] = truth[i][label] * knows[k] / (knows[k] + by_guess)
            knows[k] = (sum(knew.values()) + 0.5) / (len(asked[k]) + 1)
            counts = [0.1 + sum(1 - knew[i] for i in asked[k] if labels[i][k] == label) for label in classes]
            guesses[k] = [count / sum(counts) for count in counts]
        shares = [sum(truth[i][j] for i in items) / len(labels) for j in classes]
        for i in items:
            likely = []
            for j in classes:
                value = shares[j]
                for k in people:
                    if labels[i][k] >= 0:
                        value *= knows[k] * (labels[i][k] == j) + (1 - knows[k]) * guesses[k][labels[i][k]]
                likely.append(value)
            truth[i] = [one / sum(likely) for one in likely]
    return np.array(truth), np.array([knows[k] for k in people])


@pytest.mark.parametrize(("smoothing", "diagonal"), [(0.0, 0.0), (0.1, 1.0)])
@pytest.mark.parametrize("n_steps", [1, 10])
def test_dawid_skene_step_by_step(n_steps, smoothing, diagonal):
    found = dawid_skene(LABELS, 3, smoothing=smoothing, diagonal=diagonal, most_steps=n_steps)
    expected = direct_dawid_skene(LABELS.tolist(), 3, n_steps, smoothing, diagonal)
    np.testing.assert_allclose(found.probability, expected, atol=1e-10)
    right = [np.mean([expected[i, own[i]] for i in np.flatnonzero(own >= 0)]) for own in LABELS.T]
    np.testing.assert_allclose(found.competence, right, atol=1e-10)


def test_dawid_skene_as_in_crowd_kit():
    found = dawid_skene(LABELS, 3, smoothing=0, diagonal=0, most_steps=10).probability
    for item, expected in CROWD_KIT.items():
        np.testing.assert_allclose(found[item], expected, atol=1e-6)


@pytest.mark.parametrize("n_steps", [1, 7])
def test_mace_step_by_step(n_steps):
    found = mace(LABELS, 3, most_steps=n_steps)
    probability, knows = direct_mace(LABELS.tolist(), 3, n_steps)
    np.testing.assert_allclose(found.probability, probability, atol=1e-10)
    np.testing.assert_allclose(found.competence, knows, atol=1e-10)


@pytest.mark.parametrize("model", [dawid_skene, mace])
def test_known_competences_are_found_out(model):
    rng = np.random.default_rng(11)
    truth, right = rng.integers(4, size=600), np.array([0.95, 0.8, 0.65, 0.5])
    knows = rng.random((600, 4)) < (right - 0.25) / 0.75  # who guesses is right one time in four
    labels = np.where(knows, truth[:, np.newaxis], rng.integers(4, size=(600, 4)))
    found = model(labels, 4)
    assert found.settled
    expected = right if model is dawid_skene else (right - 0.25) / 0.75
    np.testing.assert_allclose(found.competence, expected, atol=0.06)
    alone = (labels == truth[:, np.newaxis]).mean(axis=0)
    assert (found.probability.argmax(axis=1) == truth).mean() >= alone.max() - 0.01


@pytest.mark.parametrize("model", [dawid_skene, mace])
def test_the_order_of_annotators_and_items_plays_no_part(model):
    one = model(LABELS, 3)
    two = model(LABELS[::-1, ::-1], 3)
    np.testing.assert_allclose(one.probability, two.probability[::-1], atol=1e-6)
    np.testing.assert_allclose(one.competence, two.competence[::-1], atol=1e-6)


@pytest.mark.parametrize("model", [dawid_skene, mace])
def test_who_was_never_asked_has_no_competence(model):
    labels = np.hstack([LABELS, np.full((len(LABELS), 1), -1)])
    found = model(labels, 3)
    assert np.isnan(found.competence[3])
    np.testing.assert_allclose(found.probability, model(LABELS, 3).probability, atol=1e-6)


def test_boundaries_are_as_far_off_as_they_were_put():
    rng = np.random.default_rng(2)
    off = np.array([0.02, 0.1, 0.2])
    rows = []
    for unit in range(400):
        errors = rng.normal(size=(2, 3)) * off * 100
        rows += [
            (who, 1000 * unit + s, 1000 * unit + 100 + e, "X") for who, (s, e) in zip("abc", errors.T, strict=True)
        ]
    found = imprecision(unisono.align(made(rows)))
    # d_pos is the square of the mean of two absolute differences: a little less than the mean of squares
    np.testing.assert_allclose(list(found.values()), off * math.sqrt((1 + 2 / math.pi) / 2), rtol=0.15, atol=0.01)
    weights = list(precision_weights(found).values())
    assert weights[0] > weights[1] > weights[2]
    assert weights[0] > weights[1] + weights[2]


def test_boundaries_where_all_agree_or_none_are_aligned():
    same = unisono.align(made([(who, 0, 10, "X") for who in "abc"]))
    assert imprecision(same) == {"a": 0.0, "b": 0.0, "c": 0.0}
    assert precision_weights(imprecision(same)) == {"a": 1.0, "b": 1.0, "c": 1.0}
    apart = unisono.align(made([("a", 0, 10, "X"), ("b", 1000, 1010, "X")]))
    assert precision_weights(imprecision(apart)) == {"a": 1.0, "b": 1.0}


def test_boundaries_of_two_annotators_cannot_be_told_apart():
    found = imprecision(unisono.align(made([("a", 0, 10, "X"), ("b", 2, 10, "X")])))
    assert found["a"] == pytest.approx(found["b"])
    assert found["a"] > 0


@pytest.mark.parametrize("model", ["dawid-skene", "mace"])
@pytest.mark.parametrize(
    ("errors", "magnitudes"),
    [
        ("position", (0.05, 0.4, 0.4)),
        ("category", (0.2, 0.7, 0.7)),
        ("position+category+false-negatives", (0.1, 0.4, 0.4)),
        ("position+category+false-negatives", (0.1, 0.1, 0.5, 0.5, 0.5)),
    ],
)
def test_the_careful_count_for_more_and_the_draft_is_nearer_the_reference(errors, magnitudes, model):
    plain, weighed, lead = [], [], []
    for seed in range(3):
        reference = generate(n_units=30, n_documents=4, categories={"A": 4, "B": 3, "C": 2, "D": 1}, rng=seed)
        corpus = crowd(reference, errors, magnitudes, seed)
        draft = gold(corpus, competence=model)
        careful = [who for who, magnitude in zip(corpus.annotators, magnitudes, strict=True) if magnitude < 0.3]
        others = [who for who in corpus.annotators if who not in careful]
        if "position" in errors:
            assert max(draft.competence.off[who] for who in careful) < min(draft.competence.off[who] for who in others)
        trust = {who: own["category"] for who, own in draft.competence.trust.items()}
        lead.append(np.mean([trust[who] for who in careful]) - np.mean([trust[who] for who in others]))
        plain.append(disorder(reference, gold(corpus).plain))
        weighed.append(disorder(reference, draft.plain))
    assert np.mean(weighed) < np.mean(plain)
    assert "category" not in errors or np.mean(lead) > 0.1


def test_competence_needs_three_annotators():
    with pytest.raises(unisono.DataError, match="competence needs three or more"):
        gold(made([("a", 0, 10, "X"), ("b", 0, 10, "Y")]), competence="mace")


def test_competence_of_several_features_and_of_who_worked_alone():
    rows = [(d, who, who == "c" and d > 5, d % 2 and who == "b") for d in range(12) for who in "abc"]
    corpus = Corpus.from_columns(
        document=[f"d{d}" for d, *_ in rows] + ["alone"],
        annotator=[who for _, who, *_ in rows] + ["z"],
        start=[0] * 37,
        end=[10] * 37,
        features={
            "category": ["X" if odd else "Y" for *_, odd, _ in rows] + ["X"],
            "more": [None if odd else "M" for *_, odd in rows] + ["M"],
        },
    )
    draft = gold(corpus, competence="dawid-skene")
    trust = draft.competence.trust
    assert trust["a"]["category"] > trust["c"]["category"]
    assert trust["a"]["more"] > trust["b"]["more"]
    assert trust["z"] == {"category": None, "more": None}
    assert draft.competence.off["z"] is None
    assert draft.competence.columns["annotator"] == ["a", "b", "c", "z"]
    assert draft.competence.to_frame("pandas").shape == (4, 4)
    assert {unit[3:] for unit in units_of(draft.plain)} == {("Y", "M")}


def test_competence_of_units_without_features():
    starts = [20 * unit for unit in range(4) for _ in "abc"] + [90]
    corpus = Corpus.from_columns(annotator=[*"abc" * 4, "c"], start=starts, end=[start + 9 for start in starts])
    draft = gold(corpus, competence="mace")
    assert list(draft.competence.trust["a"]) == ["unit"]
    assert draft.plain.n_units >= 4
    assert draft.corpus.features["support"].labels


def test_a_label_that_nobody_gave_is_not_proposed():
    reference = generate(n_units=40, n_documents=2, rng=8)
    corpus = crowd(reference, "category+false-negatives", (0.8, 0.8, 0.8), seed=8)
    for model in ("dawid-skene", "mace"):
        for proposal in gold(corpus, competence=model).proposals:
            given = [unit.category for unit in proposal.row.units.values() if unit]
            assert proposal.votes["category"].label in given


def test_the_probability_is_told():
    rows = [(who, 20 * k, 20 * k + 9, "X") for k in range(10) for who in "abc"] + [("a", 500, 509, "X")]
    draft = gold(made(rows), competence="dawid-skene")
    assert any("marked by 1 of 3 (probability 0." in why for why in draft.queue_columns()["why"])
