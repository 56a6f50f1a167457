"""Errors in relations, events and units in pieces: rates, and nothing else touched; γ falls, and the ladder works."""

from __future__ import annotations

import numpy as np
import pytest

import unisono
from unisono import DataError, OptionError
from unisono.data import Corpus
from unisono.shuffling import generate, ladder, reference_of, shuffle
from unisono.shuffling.relations import RELATION_ERROR_KINDS

RELATIONS = generate(n_units=80, n_relations=30, gap=(10, 60))
MANY = generate(n_units=3000, n_relations=3000)
EVENTS = Corpus.from_columns(
    annotator=["anna"] * 3,
    anchors=[
        [
            ("trigger", 100 * k + 10, 100 * k + 15),
            ("agent", 100 * k, 100 * k + 4),
            ("agent", 100 * k + 20, 100 * k + 30),
        ]
        for k in range(3)
    ],
    features={"category": ["X", "Y", "X"]},
    bounds={"document": (0, 400)},
)


def units_of(corpus):
    """The units as they are sorted in the reference: anchors by role, and the category."""
    return [({role: span for role, *span in unit.anchors}, unit.category) for unit in corpus["document"].units]


@pytest.fixture(scope="module")
def numbered():
    """A reference whose units can be told apart by a feature."""
    columns = {
        "annotator": ["anna"] * MANY.n_units,
        "anchors": MANY.anchors,
        "features": {
            "category": MANY.features["category"].values(),
            "number": [f"{k:05}" for k in range(MANY.n_units)],
        },
        "bounds": {"document": MANY.bounds[0]},
    }
    return Corpus.from_columns(**columns)


def by_number(corpus):
    units = corpus["document"].units
    return {unit.features["number"]: ({role: span for role, *span in unit.anchors}, unit.category) for unit in units}


@pytest.mark.parametrize("magnitude", [0.0, 0.25, 1.0])
@pytest.mark.parametrize("kind", ["source", "target", "category", "direction", "anchors"])
def test_rates_and_nothing_else(kind, magnitude, numbered):
    before = by_number(numbered)
    after = by_number(shuffle(numbered, kind, magnitude, n_annotators=1))
    assert before.keys() == after.keys()
    n = len(before)
    pairs = [(before[name], after[name]) for name in before]
    changed = {
        "source": sum(a["source"] != b["source"] for (a, _), (b, _) in pairs),
        "target": sum(a["target"] != b["target"] for (a, _), (b, _) in pairs),
        "category": sum(a != b for (_, a), (_, b) in pairs),
    }
    expected = {
        "source": {"source": magnitude},
        "target": {"target": magnitude},
        "anchors": {"source": magnitude, "target": magnitude},
        "category": {"category": magnitude**2 * 0.75},  # a quarter keep their category by chance
        "direction": {"source": magnitude / 2, "target": magnitude / 2},
    }[kind]
    for name, count in changed.items():
        share = expected.get(name, 0.0)
        assert abs(count - n * share) <= 5 * np.sqrt(n * share * (1 - share)) + 0.01 * n * (share > 0), name
    if kind == "direction":
        assert all(a == b or (a["source"], a["target"]) == (b["target"], b["source"]) for (a, _), (b, _) in pairs)


def test_wrong_ends_keep_their_length_and_are_anywhere(numbered):
    before, after = by_number(numbered), by_number(shuffle(numbered, "target", 1.0, n_annotators=1))
    starts = []
    for name, (anchors, _) in before.items():
        (begin, finish), (start, end) = anchors["target"], after[name][0]["target"]
        assert end - start == finish - begin
        starts.append(start)
    low, high = numbered.bounds[0]
    shares = np.histogram(starts, bins=8, range=(low, high))[0] / len(starts)
    assert np.abs(shares - 1 / 8).max() < 5 * np.sqrt(1 / 8 * 7 / 8 / len(starts))


def test_boundaries_are_shifted_by_the_length_of_each_end(numbered):
    before = by_number(numbered)
    after = by_number(shuffle(numbered, "position(factor=1)", 0.5, n_annotators=1))
    low, high = numbered.bounds[0]
    for name, (anchors, label) in before.items():
        own, its = after[name]
        assert its == label
        for role, (start, end) in anchors.items():
            moved = own[role][0] - start, own[role][1] - end
            assert max(map(abs, moved)) <= 0.5 * (end - start) + 1.5
            assert low <= own[role][0] < own[role][1] <= high


def test_units_are_missed_and_added():
    missed = shuffle(MANY, "false-negatives", 0.4, n_annotators=1)
    assert abs(missed.n_units - 0.6 * MANY.n_units) < 5 * np.sqrt(MANY.n_units * 0.24)
    added = shuffle(MANY, "false-positives(factor=1)", 0.5, n_annotators=1)
    assert added.n_units == 1.5 * MANY.n_units
    inner = {tuple(np.subtract(a["target"], a["source"][0])) for a, _ in units_of(MANY)}
    assert {tuple(np.subtract(a["target"], a["source"][0])) for a, _ in units_of(added)} == inner


@pytest.mark.parametrize("kind", RELATION_ERROR_KINDS)
def test_positions_stay_whole_and_within(kind):
    reference = RELATIONS
    made = shuffle(reference, kind, 0.7, n_annotators=3)
    assert made.anchors.start.dtype.kind == "i"
    assert made.anchors.hull[0].tolist() == made.start.tolist()
    assert made.anchors.hull[1].tolist() == made.end.tolist()
    low, high = reference.bounds[0]
    assert low <= made.start.min()
    assert made.end.max() <= high
    again = shuffle(reference, kind, 0.7, n_annotators=3)
    assert again == made


@pytest.mark.parametrize("kind", ["position", "anchors", "category", "false-negatives", "false-positives"])
def test_events(kind):
    made = shuffle(reference_of(EVENTS), kind, 0.6, n_annotators=2)
    assert made.annotators == ("annotator 1", "annotator 2")
    roles = {tuple(anchor.role for anchor in unit.anchors) for unit in made["document"].units}
    assert roles <= {("agent", "agent", "trigger")}


@pytest.mark.parametrize(
    ("reference", "kind", "error", "message"),
    [
        (
            RELATIONS,
            "splits",
            OptionError,
            "'splits' is not an error in relations, events or units in pieces; available",
        ),
        (RELATIONS, "text", OptionError, "'text' is not an error in relations"),
        (EVENTS, "source", DataError, r"no source \(roles: agent, trigger\); use the error anchors"),
        (EVENTS, "direction", DataError, "no source"),
        (generate(), "target", OptionError, "'target' is not an error in units; available: position, "),
    ],
)
def test_impossible_errors(reference, kind, error, message):
    with pytest.raises(error, match=message):
        shuffle(reference, kind, 0.5)


def test_gamma_falls_with_each_error():
    for kind in RELATION_ERROR_KINDS:
        values = [unisono.gamma(shuffle(RELATIONS, kind, m), precision=0.1).value or 0.0 for m in (0.0, 0.3, 0.7)]
        assert values[0] == 1.0
        assert values[1] > values[2] + 0.02, kind
        assert values[1] < 0.99, kind
    everything = shuffle(RELATIONS, "anchors+category", 1.0)
    assert abs(unisono.gamma(everything, precision=0.1).value) < 0.15


def test_the_ladder():
    corpus = shuffle(RELATIONS, "target", 0.3)
    found = ladder(corpus, "gamma(precision=0.1)", repetitions=1)
    assert [rung.errors for rung in found.rungs] == [
        "position",
        "source",
        "target",
        "category",
        "false-negatives",
        "false-positives",
    ]
    (target,) = (rung for rung in found.rungs if rung.errors == "target")
    assert target.magnitude == pytest.approx(0.3, abs=0.15)
    assert "choose wrong targets at magnitude 0." in str(found)


def test_generated_relations():
    corpus = generate(n_units=50, n_relations=30, categories={"P": 3, "Q": 1}, n_documents=2)
    assert corpus.n_units == 60
    assert set(corpus.features["category"].labels) == {"P", "Q"}
    for document in corpus:
        assert all({one.role for one in unit.anchors} == {"source", "target"} for unit in document.units)
        assert all(unit.anchors[0][1:] != unit.anchors[1][1:] for unit in document.units)
    assert generate(n_units=2, n_relations=5).n_units == 5
    with pytest.raises(OptionError, match="two units"):
        generate(n_units=1, n_relations=5)


def test_what_most_annotators_marked():
    anchors = [("source", 0, 4), ("target", 10, 14)]
    moved = [("source", 1, 5), ("target", 10, 15)]
    corpus = Corpus.from_columns(
        annotator=["a", "b", "c"], anchors=[anchors, moved, anchors], features={"category": ["X", "X", "Y"]}
    )
    from unisono.alignment.consensus import consensus

    (unit,) = consensus(unisono.align(corpus))["document"].units
    assert unit.anchors == tuple(anchors)
    assert unit.category == "X"
