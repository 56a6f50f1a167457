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
    with pytest.raises(DataError, match=r"1 unit of 2 are units in several pieces.*discontinuous='whole'"):
        unisono.measure(name, PIECES)


@pytest.mark.parametrize("name", [name for name, one in measures().items() if one.takes_composite])
def test_some_take_them(name):
    assert unisono.measure(name, RELATIONS).undefined is None
