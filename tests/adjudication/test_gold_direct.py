"""Support, medians and majorities computed anew, from the alignment and in the plainest way."""

from __future__ import annotations

import itertools
import random
import statistics
from collections import Counter

import pytest
from gold_helpers import crowd, made, units_of
from hypothesis import given, settings
from hypothesis import strategies as st

import unisono
from unisono.adjudication import gold
from unisono.adjudication.proposal import Thresholds, equal_opinions, propose
from unisono.alignment.aligned import UnitaryAlignment
from unisono.data import Corpus
from unisono.shuffling import generate, shuffle

UNIT = st.tuples(
    st.sampled_from("abcd"),
    st.integers(0, 40),
    st.integers(0, 12),
    st.sampled_from(["X", "Y", "Z", None]),
    st.sampled_from([1, True, "1", None]),
)
SHARE = st.sampled_from([0.0, 0.25, 0.34, 0.5, 0.75, 0.99])


def corpus_of(units, n_annotators, whole):
    scale = 1 if whole else 0.25
    return Corpus.from_columns(
        annotator=[who for who, *_ in units],
        start=[start * scale for _, start, *_ in units],
        end=[(start + length) * scale for _, start, length, *_ in units],
        features={"category": [label for *_, label, _ in units], "more": [label for *_, label in units]},
        worked=[("document", who) for who in "abcd"[:n_annotators]],
    )


def told_apart(label):
    return type(label).__name__, label


def middle_unit(units):
    """The medians; between two positions, the shortest unit that somebody marked, else the shortest possible one."""
    sides = [[getattr(unit, side) for unit in units] for side in ("start", "end")]
    lows, highs = ([find(own) for own in sides] for find in (statistics.median_low, statistics.median_high))
    possible = [span for span in itertools.product(*zip(lows, highs, strict=True)) if span[0] <= span[1]]
    whole = [span for span in possible if any((unit.start, unit.end) == span for unit in units)]
    return sorted(whole or possible, key=lambda span: (span[1] - span[0], span))[0]


def direct(corpus, support, majority, boundary, sure, ask_above):
    """Give the units of the draft, and how many there are to decide, both as the documentation says it."""
    drafted, n_asked = [], 0
    for row in unisono.align(corpus)["document"]:
        units = [unit for unit in row.units.values() if unit]
        share = len(units) / len(row.units)
        start, end = middle_unit(units)
        labels, open_questions = [], False
        for name in corpus.features:
            counts = Counter(told_apart(unit.features[name]) for unit in units)
            best = [label for label, count in counts.items() if count == max(counts.values())]
            labels.append(best[0][1] if len(best) == 1 else None)
            of_label = max(counts.values()) / len(units)
            labels.append(round(of_label, 4))
            open_questions |= len(best) > 1 or of_label <= majority
        for side in ("start", "end"):
            own = sorted(getattr(unit, side) for unit in units)
            if boundary is None:
                open_questions |= statistics.median_low(own) != statistics.median_high(own)
            else:
                open_questions |= own[-1] - own[0] > boundary
        exact = sum((unit.start, unit.end) == (start, end) for unit in units) / len(units)
        in_draft = share > support
        if in_draft:
            of_category, of_more = labels[1], labels[3]
            shares = (round(share, 4), round(exact, 4), of_category, of_more)
            drafted.append(("document", start, end, labels[0], labels[2], *shares))
            open_questions |= sure is not None and share <= sure
        n_asked += open_questions if in_draft else share > ask_above
    return drafted, n_asked


@settings(max_examples=150, deadline=None)
@given(
    st.lists(UNIT, min_size=1, max_size=12),
    st.integers(2, 4),
    st.booleans(),
    SHARE,
    SHARE,
    st.sampled_from([None, 0, 2.5]),
    st.sampled_from([None, 0.5, 0.99]),
    SHARE,
)
def test_the_draft_is_what_the_rules_say(units, n, whole, support, majority, boundary, sure, ask_above):
    units = [unit for unit in units if unit[0] in "abcd"[:n]] or [("a", 0, 5, "X", 1)]
    corpus = corpus_of(units, n, whole)
    options = {"support": support, "majority": majority, "boundary": boundary, "sure": sure, "ask_above": ask_above}
    draft = gold(corpus, **options)
    drafted, n_asked = direct(corpus, **options)
    key = [tuple(map(repr, unit)) for unit in units_of(draft.corpus)]
    assert sorted(key) == sorted(tuple(map(repr, unit)) for unit in drafted)
    assert len(draft.to_decide) == n_asked
    disorders = [proposal.row.disorder for proposal in draft.to_decide]
    assert disorders == sorted(disorders, reverse=True)


@settings(max_examples=60, deadline=None)
@given(st.lists(UNIT, min_size=1, max_size=12), st.randoms(use_true_random=False))
def test_the_order_of_annotators_plays_no_part_in_a_proposal(units, rng):
    for row in unisono.align(corpus_of(units, 4, True))["document"]:
        names = list(row.units)
        rng.shuffle(names)
        other = UnitaryAlignment({who: row.units[who] for who in names}, row.disorder, row.parts)
        one, two = (
            propose("d", each, equal_opinions([("d", each)])[0], Thresholds(support=0.3, boundary=3))
            for each in (row, other)
        )
        assert (one.start, one.end, one.labels, one.reasons) == (two.start, two.end, two.labels, two.reasons)
        assert (one.support, one.exact, one.words) == (two.support, two.exact, two.words)


@pytest.mark.parametrize("competence", [None, "dawid-skene", "mace"])
def test_the_names_of_annotators_play_no_part(competence):
    reference = generate(n_units=25, n_documents=2, overlap=0.2, rng=5)
    rows = crowd(reference, "position+category+false-negatives", (0.2, 0.3, 0.4), seed=1)
    found = []
    for names in (("a0", "a1", "a2"), ("c", "a", "b"), ("b", "c", "a")):
        renamed = dict(zip(("a0", "a1", "a2"), names, strict=True))
        corpus = Corpus.from_columns(
            document=[rows.documents[index] for index in rows.document],
            annotator=[renamed[rows.annotators[index]] for index in rows.annotator],
            start=rows.start,
            end=rows.end,
            features={"category": rows.features["category"].values()},
        )
        draft = gold(corpus, competence=competence)
        found.append((units_of(draft.plain), [(one.document, one.start, one.words) for one in draft.to_decide]))
    assert found[0][0]
    assert found[0] == found[1] == found[2]


@pytest.mark.parametrize("competence", [None, "dawid-skene", "mace"])
@pytest.mark.parametrize("overlap", [0.0, 0.5])
def test_annotators_who_make_no_errors_give_the_reference_back(overlap, competence):
    reference = generate(n_units=30, n_documents=3, overlap=overlap, rng=3)
    draft = gold(shuffle(reference, "position", 0, n_annotators=4), competence=competence)
    assert units_of(draft.plain) == units_of(reference)
    assert draft.plain.bounds == reference.bounds
    assert draft.plain.documents == reference.documents
    assert not draft.to_decide
    assert draft.n_unasked == 0
    for name in ("support", "support of position", "support of category"):
        assert set(draft.corpus.features[name].labels) == {1.0}


def test_the_order_of_rows_plays_no_part():
    rows = [("a", 0, 10, "X"), ("b", 1, 12, "Y"), ("c", 4, 13, "X"), ("a", 30, 41, "Y"), ("b", 33, 44, "X")]
    first = gold(made(rows))
    random.Random(1).shuffle(rows)
    again = gold(made(rows))
    assert units_of(first.corpus) == units_of(again.corpus)
    assert first.queue_columns() == again.queue_columns()
