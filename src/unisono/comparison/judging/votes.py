"""Verdicts as votes: which of two systems each judge prefers on an item."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from unisono.arrays import FloatArray, IntArray
from unisono.data.verdicts import Verdicts
from unisono.errors import DataError

LOSS, TIE, WIN = 0, 1, 2
"""What happens to the first system of a pair."""
_MOST_PAIRS = 20_000_000


@dataclass(frozen=True)
class Showings:
    """Comparisons, as judges saw them; pairs have an order of their own.

    Attributes
    ----------
    judge, place : int64 array, shape (n_showings,)
        Who compared what: a pair of systems on an item.
    value : float64 array, shape (n_showings,)
        1 if the first system of the pair is better, 0 if the second is, 0.5 for a tie.
    shown : int64 array, shape (n_showings,)
        0 if the first system of the pair was shown first, 1 if the second was; -1 if they were not shown together.
    """

    judge: IntArray
    place: IntArray
    value: FloatArray
    shown: IntArray


@dataclass(frozen=True)
class JudgedPairs:
    """Pairs of systems on items.

    Attributes
    ----------
    one, other : int64 array, shape (n_places,)
        The systems of the pair, as indices.
    question : int64 array, shape (n_places,)
        The question that it is about.
    longer : float64 array, shape (n_places,)
        By how much the first system's output is longer; NaN if that is unknown.
    n_questions : int
        How many questions there are.
    """

    one: IntArray
    other: IntArray
    question: IntArray
    longer: FloatArray
    n_questions: int

    def by_question(self, places: IntArray, values: FloatArray) -> FloatArray:
        """Sum values at some places by question."""
        return np.asarray(np.bincount(self.question[places], values, self.n_questions), dtype=np.float64)


@dataclass(frozen=True)
class Votes:
    """What judges prefer; one vote per judge and place.

    If a judge saw a pair in both orders, or several times, the vote is the verdict if all are the same, else a tie.

    Attributes
    ----------
    verdicts : Verdicts
        What they are made of.
    showings : Showings
        All comparisons.
    places : JudgedPairs
        What was compared.
    judge, place, vote : int64 array, shape (n_votes,)
        Who, what, and LOSS, TIE or WIN of the first system of the pair.
    """

    verdicts: Verdicts
    showings: Showings
    places: JudgedPairs
    judge: IntArray
    place: IntArray
    vote: IntArray

    @cached_property
    def table(self) -> IntArray:
        """The votes, shape (n_judges, n_places), -1 where there is none; for few judges."""
        found = np.full((len(self.verdicts.judges), len(self.places.one)), -1, dtype=np.int64)
        found[self.judge, self.place] = self.vote
        return found

    def counts(self, judges: IntArray) -> FloatArray:
        """Return how many of some judges vote LOSS, TIE and WIN at each place; shape (n_places, 3)."""
        rows = np.isin(self.judge, judges)
        n_places = len(self.places.one)
        flat = np.bincount(self.place[rows] * 3 + self.vote[rows], minlength=3 * n_places)
        return np.asarray(flat.reshape(n_places, 3), dtype=np.float64)


def votes_of(verdicts: Verdicts) -> Votes:
    """Count verdicts; scores of two outputs on an item by the same judge are a verdict on the pair."""
    showings, places = _pairs(verdicts) if verdicts.paired else _pairs_of_scores(verdicts)
    key = showings.judge * len(places.one) + showings.place
    distinct, index = np.unique(key, return_inverse=True)
    low, high = np.full(len(distinct), 2.0), np.full(len(distinct), -1.0)
    np.minimum.at(low, index, showings.value)
    np.maximum.at(high, index, showings.value)
    vote = np.where(low == high, (2 * low).astype(np.int64), TIE)
    judge, place = np.divmod(distinct, len(places.one))
    return Votes(verdicts, showings, places, judge, place, vote)


def _pairs(verdicts: Verdicts) -> tuple[Showings, JudgedPairs]:
    turned = verdicts.first > verdicts.second
    one, other = (
        np.where(turned, a, b) for a, b in ((verdicts.second, verdicts.first), (verdicts.first, verdicts.second))
    )
    value = np.where(turned, 1 - verdicts.value, verdicts.value)
    longer = np.where(turned, -verdicts.length, verdicts.length)
    places, place = _places(verdicts, verdicts.item, one, other, verdicts.question, longer)
    return Showings(verdicts.judge, place, value, turned.astype(np.int64)), places


def _pairs_of_scores(verdicts: Verdicts) -> tuple[Showings, JudgedPairs]:
    order = np.lexsort((verdicts.first, verdicts.item, verdicts.judge))
    _, start, count = np.unique(
        np.column_stack([verdicts.judge, verdicts.item])[order], axis=0, return_index=True, return_counts=True
    )
    if int((count * (count - 1) // 2).sum()) > _MOST_PAIRS:
        raise DataError("there are too many pairs of outputs to compare; take a sample of the items")
    upper = {n: np.triu_indices(n, 1) for n in np.unique(count).tolist()}
    left = [order[begin + upper[n][0]] for begin, n in zip(start.tolist(), count.tolist(), strict=True)]
    right = [order[begin + upper[n][1]] for begin, n in zip(start.tolist(), count.tolist(), strict=True)]
    a, b = (np.concatenate(rows) if rows else np.zeros(0, dtype=np.int64) for rows in (left, right))
    value = (np.sign(verdicts.value[a] - verdicts.value[b]) + 1) / 2
    longer = verdicts.length[a] - verdicts.length[b]
    places, place = _places(
        verdicts, verdicts.item[a], verdicts.first[a], verdicts.first[b], verdicts.question[a], longer
    )
    return Showings(verdicts.judge[a], place, value, np.full(len(a), -1, dtype=np.int64)), places


def _places(
    verdicts: Verdicts, item: IntArray, one: IntArray, other: IntArray, question: IntArray, longer: FloatArray
) -> tuple[JudgedPairs, IntArray]:
    """Return the places, and the number of the place of each row."""
    n = len(verdicts.systems)
    _, first, place = np.unique((item * n + one) * n + other, return_index=True, return_inverse=True)
    known = np.isfinite(longer)
    n_known = np.bincount(place, known, len(first))
    total = np.bincount(place, np.where(known, longer, 0.0), len(first))
    mean = np.where(n_known > 0, total / np.maximum(n_known, 1), np.nan)
    found = JudgedPairs(one[first], other[first], question[first], mean, len(verdicts.questions))
    return found, np.asarray(place, dtype=np.int64)
