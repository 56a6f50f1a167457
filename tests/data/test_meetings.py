"""Who meets whom: by definition, and in portions."""

from __future__ import annotations

import itertools

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from unisono.data import meetings as module
from unisono.data.meetings import every_two, meetings, ranges


@st.composite
def tables(draw):
    """Rows of documents and annotators, sorted; some worked and have no rows."""
    shape = draw(st.integers(0, 4)), draw(st.integers(0, 4))
    n_rows = np.array(draw(st.lists(st.integers(-1, 3), min_size=shape[0] * shape[1], max_size=shape[0] * shape[1])))
    n_rows = n_rows.astype(np.int64).reshape(shape)
    document, annotator = (np.repeat(index.ravel(), n_rows.clip(0).ravel()) for index in np.indices(shape))
    return document, annotator, n_rows >= 0


def by_definition(document, annotator, worked):
    for where in range(len(worked)):
        for pair in itertools.combinations(np.flatnonzero(worked[where]).tolist(), 2):
            rows = [np.flatnonzero((document == where) & (annotator == who)).tolist() for who in pair]
            yield (where, *pair), rows


@given(tables(), st.integers(1, 6))
def test_by_definition(table, at_once):
    found = meetings(*table)
    expected = list(by_definition(*table))
    who = zip(found.document.tolist(), found.first.tolist(), found.second.tolist(), strict=True)
    assert list(who) == [meeting for meeting, _ in expected]
    usual, module._AT_ONCE = module._AT_ONCE, at_once
    try:
        portions = list(found.rows())
    finally:
        module._AT_ONCE = usual
    listed = [[[] for _ in range(2)] for _ in expected]
    for sides in portions:
        for side, rows in enumerate(sides):
            for meeting, row in zip(rows.meeting.tolist(), rows.row.tolist(), strict=True):
                listed[meeting][side].append(row)
    assert listed == [rows for _, rows in expected]
    for where in range(len(table[2])):
        here = found.of_document(where)
        assert set(found.document[here].tolist()) <= {where}
        assert here.stop - here.start == sum(meeting[0] == where for meeting, _ in expected)


def test_every_two_of_a_group():
    first, second = every_two(np.array([0, 0, 0, 1, 2, 2]))
    assert first.tolist() == [0, 0, 1, 4]
    assert second.tolist() == [1, 2, 2, 5]
    assert [len(side) for side in every_two(np.zeros(0, np.int64))] == [0, 0]


def test_ranges():
    assert ranges(np.array([5, 0, 9]), np.array([2, 0, 3])).tolist() == [5, 6, 9, 10, 11]
