"""Which measures take relations, events and units in pieces, and what the others say."""

from __future__ import annotations

import pytest

import unisono
from unisono.data import Corpus
from unisono.errors import DataError
from unisono.measurement.registry import measures

RELATIONS = Corpus.from_columns(
    document=["a text"] * 3,
    annotator=["anna", "anna", "bert"],
    anchors=[
        [("source", 3, 5), ("target", 9, 14)],
        [("piece", 20, 22)],
        [("source", 3, 5), ("target", 9, 14)],
    ],
    features={"category": ["X", "Y", "X"]},
)
PIECES = Corpus.from_columns(
    annotator=["anna", "bert"], anchors=[[("piece", 3, 5), ("piece", 9, 14)], [("piece", 3, 5)]]
)
OTHERS = [name for name, one in measures().items() if not one.takes_composite and one.family != "normalization"]


@pytest.mark.parametrize("name", OTHERS)
def test_others_say_so_first(name):
    message = r"2 units of 3 are relations or events \(the first in 'a text', at 3\).*use gamma, or read units='spans'"
    with pytest.raises(DataError, match=message):
        unisono.measure(name, RELATIONS)
    assert "relations or events" in measures()[name].unfit(RELATIONS)
    with pytest.raises(DataError, match=r"1 unit of 2 has several pieces.*discontinuous='whole'"):
        unisono.measure(name, PIECES)


@pytest.mark.parametrize("name", [name for name, one in measures().items() if one.takes_composite])
def test_some_take_them(name):
    assert unisono.measure(name, RELATIONS).undefined is None


def tree(heads):
    """Words of three characters, each with its head."""
    place = [(4 * k, 4 * k + 3) for k in range(len(heads))]
    return [[("source", *place[k]), ("target", *place[head])] for k, head in enumerate(heads)]


def corpus_of(**people):
    rows = [(who, anchors) for who, units in people.items() for anchors in units]
    return Corpus.from_columns(
        annotator=[who for who, _ in rows],
        anchors=[anchors for _, anchors in rows],
        features={"category": ["XYZ"[k % 3] for k in range(len(rows))]},
    )


@pytest.mark.parametrize(
    ("corpus", "what", "ways"),
    [
        (PIECES, "units in pieces", ["gamma"]),
        (RELATIONS, "relations", ["gamma", "relation-f1"]),
        (
            corpus_of(a=[[("trigger", 0, 3), ("agent", 5, 9)]] * 2, b=[[("trigger", 0, 3)]]),
            "events",
            ["gamma", "relation-f1"],
        ),
        (corpus_of(a=tree([1, 1, 1, 2]), b=tree([1, 1, 3, 1])), "dependencies", ["gamma", "attachment"]),
        (
            corpus_of(
                a=[[("piece", 0, 3), ("piece", 5, 9)], [("source", 0, 3), ("target", 5, 9)]],
                b=[[("trigger", 0, 3), ("agent", 5, 9)], [("piece", 0, 3)]],
            ),
            "units in pieces, relations and events",
            ["gamma", "relation-f1"],
        ),
    ],
)
def test_advise_says_what_units_are(corpus, what, ways):
    found = unisono.advise(corpus)
    assert f"units are {what}, which γ compares as a whole." in found.observations[1]
    several = (
        "There are 2 spans, 1 relation and 1 event, measured together: to measure one kind, choose units='events'."
    )
    assert (several in found.observations) == ("and" in what.split())
    taken = [name for way in found.take for name in way.measures]
    assert [name for name in taken if name in ways] == ways
    assert found.unfit["u-alpha"] == f"units are {what}, and it compares plain spans"
    assert any(one.answer == f"yes, they are {what}" for one in found.decisions)


def test_advise_is_silent_about_relations_where_there_are_none():
    found = unisono.advise(Corpus.from_columns(annotator=["a", "b"], start=[0, 1], end=[3, 4]))
    assert found.unfit["relation-f1"] == "there are no relations or events"
    assert not any("anchors" in one.question for one in found.decisions)
