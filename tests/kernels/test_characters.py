"""Words aligned character by character: best scores, ties, and the same as Python and as machine code."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from normalization_oracle import GONE, KEEP, labels

from unisono.kernels import switch
from unisono.kernels.characters import DELETED, KEPT, distinct_rows, distinct_runs, rewrite

words = st.text("abc", min_size=1, max_size=6)
WAYS = {"python": lambda kernel: kernel, "machine": lambda kernel: kernel.machine()}


def encoded(texts):
    starts = np.cumsum([0, *map(len, texts)])
    return np.array([ord(sign) for text in texts for sign in text], dtype=np.int64), starts


def rewritten(originals, normalizations, way=WAYS["python"]):
    """What each character becomes, pair by pair."""
    symbols, starts = encoded([*originals, *normalizations])
    n = len(originals)
    cells = max((len(a) + 1) * (len(b) + 1) for a, b in zip(originals, normalizations, strict=True))
    size = sum(map(len, originals))
    found, edges = way(rewrite)(symbols, starts, np.arange(n), np.arange(n, 2 * n), cells, size)
    runs = [tuple(found[low:high].tolist()) for low, high in pairwise(edges)]
    ends = np.cumsum([0, *map(len, originals)])
    return [runs[low:high] for low, high in pairwise(ends)]


def score(characters):
    """The score of an alignment, from what the characters become."""
    return sum(1 if symbol == KEPT else -1 for label in characters for symbol in label)


def best_score(a, b):
    """The greatest score of all alignments."""

    @lru_cache(None)
    def best(i, j):
        if i == len(a) or j == len(b):
            return i - len(a) + j - len(b)
        pair = best(i + 1, j + 1) + (1 if a[i] == b[j] else -1)
        return max(pair, best(i + 1, j) - 1, best(i, j + 1) - 1)

    return best(0, 0)


@settings(deadline=None)
@given(st.lists(st.tuples(words, words), min_size=1, max_size=5))
def test_no_alignment_scores_better(pairs):
    originals, normalizations = zip(*pairs, strict=True)
    for a, b, found in zip(originals, normalizations, rewritten(originals, normalizations), strict=True):
        assert len(found) == len(a)
        assert score(found) == best_score(a, b)


@settings(deadline=None)
@given(words, words)
def test_ties_and_merging_are_as_by_definition(a, b):
    plain = {KEPT: KEEP, DELETED: GONE}
    found = [tuple(plain.get(symbol) or chr(symbol) for symbol in label) for label in rewritten([a], [b])[0]]
    assert found == labels(a, b)


@settings(deadline=None)
@given(words, words)
def test_nothing_is_lost(a, b):
    found = rewritten([a], [b])[0]
    full = [
        a[k] if symbol == KEPT else chr(symbol)
        for k, label in enumerate(found)
        for symbol in label
        if symbol != DELETED
    ]
    assert "".join(full) == b


@pytest.mark.parametrize("seed", range(3))
def test_machine_code_gives_the_same(seed):
    rng = np.random.default_rng(seed)
    originals = ["".join(rng.choice(list("abcd"), rng.integers(1, 9))) for _ in range(60)]
    normalizations = ["".join(rng.choice(list("abcd"), rng.integers(1, 9))) for _ in range(60)]
    assert rewritten(originals, normalizations) == rewritten(originals, normalizations, WAYS["machine"])


@pytest.fixture(params=WAYS)
def way(request, monkeypatch):
    monkeypatch.setattr(switch, "_on", request.param == "machine")


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.lists(st.integers(-2, 2**40), max_size=3), max_size=40))
def test_distinct_runs(way, runs):
    values = np.array([value for run in runs for value in run], dtype=np.int64)
    edges = np.cumsum([0, *map(len, runs)]).astype(np.int64)
    which, first = distinct_runs(values, edges)
    known = list(dict.fromkeys(map(tuple, runs)))
    assert [known[number] for number in which.tolist()] == list(map(tuple, runs))
    assert [tuple(runs[run]) for run in first.tolist()] == known


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.integers(-1, 3), st.integers(-1, 3)), max_size=40))
def test_distinct_rows(way, rows):
    table = np.array(rows, dtype=np.int64).reshape(-1, 2)
    which, first = distinct_rows(table)
    assert (table[first][which] == table).all()
    assert len(first) == len(set(rows))
    assert first.tolist() == [rows.index(row) for row in dict.fromkeys(rows)]


def test_distinct_rows_with_many_collisions(way):
    values = (np.arange(5000, dtype=np.int64) % 701 * 2**32).reshape(-1, 1)
    which, first = distinct_rows(values)
    assert len(first) == 701
    assert (values[first][which] == values).all()
