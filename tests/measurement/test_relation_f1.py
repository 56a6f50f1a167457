"""F1 of relations and attachment agreement: by hand, and against a naive count over all matchings."""

from __future__ import annotations

import itertools
import shutil
from pathlib import Path

import numpy as np
import pytest

import unisono
from unisono.data import Corpus
from unisono.errors import DataError


def corpus_of(people, names=("t",)):
    """Make a corpus from the units of each annotator in each document: anchors and a label."""
    rows = [(name, who, *unit) for name in names for who, units in people.items() for unit in units.get(name, [])]
    return Corpus.from_columns(
        document=[row[0] for row in rows],
        annotator=[row[1] for row in rows],
        anchors=[row[2] for row in rows],
        features={"category": [row[3] for row in rows]},
        worked=[(name, who) for name in names for who in people],
    )


def relation(source, target, label="X"):
    return [("source", *source), ("target", *target)], label


A = [relation((0, 5), (10, 15), "P"), relation((20, 25), (30, 35), "Q"), relation((40, 45), (50, 55), "P")]
B = [relation((0, 5), (10, 15), "P"), relation((20, 25), (31, 36), "Q"), relation((50, 55), (40, 45), "P")]
BOTH = corpus_of({"anna": {"t": A}, "bert": {"t": B}})


@pytest.mark.parametrize(
    ("options", "value"),
    [
        ({}, 1 / 3),  # only the first relation is the same
        ({"endpoints": "partial"}, (1 + 0.75) / 3),
        ({"endpoints": "overlap"}, 2 / 3),
        ({"directed": False}, 2 / 3),
        ({"endpoints": "partial", "directed": False}, 2.75 / 3),
        ({"labelled": False}, 1 / 3),
    ],
)
def test_by_hand(options, value):
    result = unisono.relation_f1(BOTH, **options)
    assert result.value == pytest.approx(value)
    assert result.details["exact"] <= result.details["partial"] <= result.details["overlap"]


def test_labels_and_categories():
    other = [relation((0, 5), (10, 15), "Q"), *A[1:]]
    result = unisono.relation_f1(corpus_of({"anna": {"t": A}, "bert": {"t": other}}))
    assert result.value == pytest.approx(2 / 3)
    assert result.details["unlabelled"] == 1.0
    assert result.categories() == [
        {"category": "P", "value": pytest.approx(2 / 3), "n_units": 3},
        {"category": "Q", "value": pytest.approx(2 / 3), "n_units": 3},
    ]
    assert result.details["label_kappa"] == pytest.approx((2 / 3 - 4 / 9) / (1 - 4 / 9))


def dependencies(labels, heads):
    """One word per label, three characters each; a head of -1 is the root."""
    place = [(4 * k, 4 * k + 3) for k in range(len(labels))]
    rows = zip(place, heads, labels, strict=True)
    return [([("source", *own), *([] if head < 0 else [("target", *place[head])])], label) for own, head, label in rows]


def test_kappa_of_labels_as_inception_computes_it():
    """Nine words, of whose labels one differs: the value of INCEpTION's own test, .861538."""
    labels, heads = [*"abbcdeabf"], [3, 3, 3, 4, 4, 4, 8, 8, 5]
    other = [*labels[:-1], "g"]
    corpus = corpus_of({"anna": {"t": dependencies(labels, heads)}, "bert": {"t": dependencies(other, heads)}})
    assert unisono.relation_f1(corpus).details["label_kappa"] == pytest.approx(56 / 65)
    result = unisono.attachment(corpus)
    assert result.value == 1.0
    assert result.details["label_kappa"] == pytest.approx(0.861538, abs=5e-7)
    assert result.details["labelled"] == pytest.approx(8 / 9)
    assert unisono.attachment(corpus, labelled=True).value == pytest.approx(8 / 9)


KAPPA = Path(__file__).parents[2].parent / "shared" / "data" / "relations" / "webanno" / "kappa"


@pytest.mark.skipif(not KAPPA.exists(), reason="the data of relations is not here")
def test_kappa_of_inceptions_own_files(tmp_path):
    for who, name in (("anna", "kappatest"), ("bert", "kappaarcdiff")):
        (tmp_path / who).mkdir()
        shutil.copy(KAPPA / f"{name}.tsv", tmp_path / who / "text.tsv")
    corpus = unisono.read(tmp_path, units="relations")
    for measured in (unisono.attachment(corpus), unisono.relation_f1(corpus)):
        assert measured.details["label_kappa"] == pytest.approx(0.861538, abs=5e-7)


def test_attachment_by_hand():
    anna = dependencies("abcd", [1, -1, 1, 2])
    bert = dependencies("abcc", [1, -1, 3, 1])
    corpus = corpus_of({"anna": {"t": anna}, "bert": {"t": bert}})
    result = unisono.attachment(corpus)
    assert result.value == 0.5  # the first word and the root
    assert result.details == {
        "unlabelled": 0.5,
        "labelled": 0.5,
        "label_agreement": 0.75,
        "label_kappa": pytest.approx((0.75 - 0.25) / (1 - 0.25)),
    }


def test_the_dependent_is_the_end_that_is_not_shared():
    heads = [1, -1, 1, 2, 2]
    anna, bert = dependencies("abcde", heads), dependencies("abcde", [1, -1, 3, 1, 2])
    usual = unisono.attachment(corpus_of({"anna": {"t": anna}, "bert": {"t": bert}}))
    turn = {"source": "target", "target": "source"}
    turned = {
        who: {"t": [([(turn[role], *span) for role, *span in anchors], label) for anchors, label in units]}
        for who, units in {"anna": anna, "bert": bert}.items()
    }
    assert unisono.attachment(corpus_of(turned)).value == usual.value == pytest.approx(3 / 5)
    assert unisono.attachment(corpus_of(turned), dependent="target").value == usual.value
    assert unisono.attachment(corpus_of(turned), dependent="source").value < 1


def naive(first, second, partly, labelled, directed):
    """The greatest credit of any matching, all tried."""

    def end(one, other):
        if one == other:
            return 1.0
        return partly if max(one[0], other[0]) < min(one[1], other[1]) else 0.0

    def credit(u, v):
        (one, label), (other, its) = u, v
        if labelled and label != its:
            return 0.0
        a, b = ({role: span for role, *span in anchors} for anchors in (one, other))
        orders = [b] if directed else [b, {"source": b["target"], "target": b["source"]}]
        found = [[end(a[role], order[role]) for role in a] for order in orders]
        return max(sum(both) / 2 if all(both) else 0.0 for both in found)

    if len(first) > len(second):
        first, second = second, first
    return max(
        sum(credit(u, v) for u, v in zip(first, order, strict=False))
        for order in itertools.permutations(second, len(first))
    )


@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("labelled", [True, False])
@pytest.mark.parametrize(("endpoints", "partly"), [("exact", 0.0), ("partial", 0.5), ("overlap", 1.0)])
def test_equal_to_all_matchings(endpoints, partly, labelled, directed):
    for seed in range(25):
        rng = np.random.default_rng(seed)

        def span(rng=rng):
            start = int(rng.integers(0, 8))
            return start, start + int(rng.integers(1, 4))

        people = {
            who: {"t": [relation(span(), span(), "PQ"[rng.integers(2)]) for _ in range(int(rng.integers(1, 5)))]}
            for who in ("anna", "bert", "carl")
        }
        expected = np.mean(
            [
                2
                * naive(people[a]["t"], people[b]["t"], partly, labelled, directed)
                / (len(people[a]["t"]) + len(people[b]["t"]))
                for a, b in itertools.combinations(people, 2)
            ]
        )
        options = {"endpoints": endpoints, "labelled": labelled, "directed": directed}
        assert unisono.relation_f1(corpus_of(people), **options).value == pytest.approx(expected), seed


@pytest.mark.parametrize("name", ["relation-f1", "attachment"])
def test_intervals_over_documents_and_stretches(name):
    rng = np.random.default_rng(0)
    names = [f"t{k}" for k in range(8)]
    people = {
        who: {text: dependencies("abcab" * 4, rng.integers(0, 20, 20).tolist()) for text in names}
        for who in ("anna", "bert")
    }
    several = unisono.measure(name, corpus_of(people, names))
    assert several.interval.low < several.value < several.interval.high
    assert several.interval.method == "jackknife over 8 documents"
    parts = [
        [relation((30 * k, 30 * k + 5), (30 * k + 8, 30 * k + 12), "PQ"[(k * j) % 2]) for k in range(20)]
        for j in (1, 3)
    ]
    parts[1][3:6] = parts[1][4:7]
    one = unisono.relation_f1(corpus_of({"anna": {"t": parts[0]}, "bert": {"t": parts[1]}}))
    assert "stretches of the document" in one.interval.method


def test_what_it_is_not_for():
    plain = Corpus.from_columns(annotator=["a", "b"], start=[0, 0], end=[3, 4])
    for name in ("relation-f1", "attachment"):
        with pytest.raises(DataError, match=r"all units are plain spans.*units='relations'.*span-f1"):
            unisono.measure(name, plain)
    event = [("trigger", 0, 3), ("agent", 5, 9), ("patient", 10, 12)], "X"
    events = corpus_of({"anna": {"t": [event]}, "bert": {"t": [event]}})
    assert unisono.relation_f1(events).value == 1.0
    with pytest.raises(DataError, match="document 't' has a unit at 0 with other anchors; use relation-f1 or gamma"):
        unisono.attachment(events)
