"""What judges prefer besides quality: ties, the output that is shown first, the longer one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unisono.arrays import IntArray
from unisono.comparison.judging.votes import LOSS, TIE, WIN, Votes
from unisono.statistics.clusters import clustered_mean, clustered_ratio, difference_of_means
from unisono.statistics.shares import EstimatedShare


@dataclass(frozen=True)
class PositionBias:
    """Whether the order in which two outputs are shown decides.

    Attributes
    ----------
    n : int
        How many pairs of outputs were judged in both orders.
    consistent : EstimatedShare or None
        The share of these on which the verdict is the same in both.
    first_twice, second_twice : int
        On how many the output that was shown first wins in both orders, or the other.
    first : EstimatedShare or None
        The share of wins of the output that is shown first, over both orders of these pairs, a tie being half a win:
        0.5 without a bias.
    n_single : int
        How many comparisons in one order only have a winner.
    first_single : EstimatedShare or None
        The share of these that the first output wins: a bias only if the order was drawn by chance.
    """

    n: int
    consistent: EstimatedShare | None
    first_twice: int
    second_twice: int
    first: EstimatedShare | None
    n_single: int
    first_single: EstimatedShare | None


@dataclass(frozen=True)
class LengthBias:
    """Whether a judge prefers the longer output more often than people do.

    Attributes
    ----------
    n : int
        How many verdicts have a winner, and outputs of known, different lengths.
    longer : EstimatedShare
        The share of these that the longer output wins.
    people : EstimatedShare or None
        The share for which people vote, on the same pairs of outputs.
    judge_there : float or None
        The judge's share where people voted, too.
    difference : tuple of float or None
        The judge's share minus that of people, there, with limits.
    """

    n: int
    longer: EstimatedShare
    people: EstimatedShare | None
    judge_there: float | None
    difference: tuple[float, float, float] | None


def ties_of(votes: Votes, judges: IntArray) -> EstimatedShare | None:
    """Return the share of ties."""
    rows = np.isin(votes.judge, judges)
    question = votes.places.question[votes.place[rows]]
    mean = clustered_mean((votes.vote[rows] == TIE).astype(np.float64), question, votes.places.n_questions)
    return None if mean is None else mean.share()


def position_bias(votes: Votes, judges: IntArray) -> PositionBias | None:
    """Compare what judges say about the same pair in both orders; None if outputs were not shown in pairs."""
    showings = votes.showings
    if not votes.verdicts.paired:
        return None
    rows = np.isin(showings.judge, judges)
    n_places = len(votes.places.one)
    key = showings.judge[rows] * n_places + showings.place[rows]
    distinct, index = np.unique(key, return_inverse=True)
    first_wins = np.where(showings.shown[rows] == 0, showings.value[rows], 1 - showings.value[rows])
    n = np.zeros((len(distinct), 2))
    won = np.zeros((len(distinct), 2))
    np.add.at(n, (index, showings.shown[rows]), 1.0)
    np.add.at(won, (index, showings.shown[rows]), first_wins)
    twice = np.asarray((n > 0).all(axis=1))
    question = votes.places.question[distinct % n_places]
    each = won[twice] / n[twice]
    # of one pair in both orders, the same system wins if the first output wins in one order and loses in the other
    consistent = np.isclose(each.sum(axis=1), 1.0) & (np.isin(each, (0.0, 0.5, 1.0)).all(axis=1))
    same, first = (
        clustered_mean(values, question[twice], votes.places.n_questions)
        for values in (consistent.astype(np.float64), each.mean(axis=1))
    )
    single = ~twice[index] & (first_wins != 0.5)
    alone = clustered_mean(first_wins[single], question[index][single], votes.places.n_questions)
    return PositionBias(
        int(twice.sum()),
        None if same is None else same.share(),
        int((each == 1.0).all(axis=1).sum()),
        int((each == 0.0).all(axis=1).sum()),
        None if first is None else first.share(),
        int(single.sum()),
        None if alone is None else alone.share(),
    )


def length_bias(votes: Votes, judge: int, people: IntArray) -> LengthBias | None:
    """Compare how often the longer output wins; None if lengths are unknown."""
    places, longer = votes.places, votes.places.longer
    known = np.isfinite(longer) & (longer != 0)
    rows = (votes.judge == judge) & (votes.vote != TIE) & known[votes.place]
    at = votes.place[rows]
    wins = ((votes.vote[rows] == WIN) == (longer[at] > 0)).astype(np.float64)
    own = clustered_mean(wins, places.question[at], places.n_questions)
    if own is None:
        return None
    counts = votes.counts(people[people != judge])[at]
    theirs = np.where(longer[at] > 0, counts[:, WIN], counts[:, LOSS])
    n = counts[:, WIN] + counts[:, LOSS]
    shared = n > 0
    share = np.where(shared, theirs / np.maximum(n, 1), 0.0)
    of_people = clustered_ratio(
        places.by_question(at[shared], share[shared]), places.by_question(at[shared], np.ones(int(shared.sum())))
    )
    of_judge = clustered_mean(wins[shared], places.question[at[shared]], places.n_questions)
    return LengthBias(
        own.n,
        own.share(),
        of_people.share() if of_people is not None else None,
        of_judge.value if of_judge is not None else None,
        difference_of_means(of_judge, of_people) if of_judge is not None and of_people is not None else None,
    )
