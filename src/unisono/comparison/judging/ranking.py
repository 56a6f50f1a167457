"""How judges and people rank systems, and how alike the rankings are.

Systems that were compared are ranked by their mean share of wins (a tie is half a win) against each of the others, so
that it does not matter who was compared with whom how often; systems whose outputs were scored, by their mean score.
Judge and people are compared on the same pairs of outputs, or the same outputs.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unisono.arrays import BoolArray, FloatArray, IntArray
from unisono.comparison.judging.votes import Votes
from unisono.results import Interval
from unisono.statistics.kendall import kendall_tau, left_out, tau_interval


@dataclass(frozen=True)
class RankCorrelation:
    """How alike two rankings are.

    Attributes
    ----------
    tau : float
        Kendall's τ_b.
    interval : Interval or None
        Its interval, over systems and items.
    no_interval : str or None
        Why there is none.
    systems : int
        How many systems were ranked.
    families : int or None
        How many families they are of, if these were given.
    """

    tau: float
    interval: Interval | None
    no_interval: str | None
    systems: int
    families: int | None = None


@dataclass(frozen=True)
class SystemSums:
    """What a ranking is made of.

    Attributes
    ----------
    won, n : float64 array, shape (n_systems, n_systems)
        The shares of votes that the row's system won against the column's, and how many places these are from; or, of
        scores, on the diagonal, their sums and how many.
    """

    won: FloatArray
    n: FloatArray

    def scores(self, kept: BoolArray | None = None) -> FloatArray:
        """Return the score of each system, only against some; NaN where there is none."""
        n = self.n if kept is None else self.n * kept[None, :] * kept[:, None]
        with np.errstate(divide="ignore", invalid="ignore"):
            shares = np.where(n > 0, self.won / n, 0.0)
            return np.asarray(shares.sum(axis=1) / (n > 0).sum(axis=1))


def sums_of(votes: Votes, judges: IntArray, places: BoolArray) -> SystemSums:
    """Sum up the votes of some judges at some places; each place counts once, as the mean of its votes."""
    counts = votes.counts(judges)
    voted = places & (counts.sum(axis=1) > 0)
    share = (counts[voted] @ np.array([0.0, 0.5, 1.0])) / counts[voted].sum(axis=1)
    size = len(votes.verdicts.systems)
    one, other = votes.places.one[voted], votes.places.other[voted]
    won, n = np.zeros((size, size)), np.zeros((size, size))
    np.add.at(won, (one, other), share)
    np.add.at(won, (other, one), 1 - share)
    np.add.at(n, (one, other), 1.0)
    np.add.at(n, (other, one), 1.0)
    return SystemSums(won, n)


def sums_of_scores(votes: Votes, judges: IntArray, outputs: IntArray) -> SystemSums:
    """Sum up the scores of some judges on some outputs, each the mean of its scores; `outputs` are their keys."""
    verdicts = votes.verdicts
    rows = np.isin(verdicts.judge, judges)
    size = len(verdicts.systems)
    distinct, index = np.unique(output_keys(votes)[rows], return_inverse=True)
    means = np.bincount(index, verdicts.value[rows]) / np.bincount(index)
    kept = np.isin(distinct, outputs)
    system = distinct[kept] % size
    return SystemSums(
        np.diag(np.bincount(system, means[kept], size)), np.diag(np.bincount(system, minlength=size).astype(np.float64))
    )


def output_keys(votes: Votes) -> IntArray:
    """Return a number for each output that was scored: item and system."""
    return np.asarray(votes.verdicts.item * len(votes.verdicts.systems) + votes.verdicts.first)


def both_rankings(votes: Votes, judge: int, people: IntArray) -> tuple[SystemSums, SystemSums]:
    """Return what the rankings of people and of a judge are made of, where both voted."""
    others, alone = people[people != judge], np.array([judge])
    if votes.verdicts.paired:
        common = (votes.counts(others).sum(axis=1) > 0) & (votes.counts(alone).sum(axis=1) > 0)
        return sums_of(votes, others, common), sums_of(votes, alone, common)
    keys = output_keys(votes)
    theirs, own = (np.unique(keys[np.isin(votes.verdicts.judge, group)]) for group in (others, alone))
    outputs = np.intersect1d(theirs, own)
    return sums_of_scores(votes, others, outputs), sums_of_scores(votes, alone, outputs)


def rank_correlation(people: SystemSums, judge: SystemSums, family: IntArray | None = None) -> RankCorrelation | None:
    """Compare two rankings; None if fewer than two systems are in both, or one ties them all.

    `family`, shape (n_systems,), are numbers of families; by default, systems are independent.
    """

    def tau(kept: BoolArray | None) -> float | None:
        first, second = people.scores(kept), judge.scores(kept)
        there = np.isfinite(first) & np.isfinite(second)
        if kept is not None:
            there &= kept
        return kendall_tau(first[there], second[there]) if there.sum() > 1 else None

    whole = tau(None)
    if whole is None:
        return None
    ranked = np.flatnonzero(np.isfinite(people.scores()) & np.isfinite(judge.scores()))
    size = len(people.n)

    def without(kept: BoolArray) -> float | None:
        some = np.ones(size, dtype=np.bool_)
        some[ranked[~kept]] = False
        return tau(some)

    n = len(ranked)
    if family is None:
        sizes, found = None, tau_interval(whole, left_out(np.arange(n), without))
    else:
        _, own = np.unique(family[ranked], return_inverse=True)
        sizes = np.bincount(own).astype(np.float64)
        found = tau_interval(whole, left_out(own, without), sizes)
    interval, why = (None, found) if isinstance(found, str) else (found, None)
    return RankCorrelation(whole, interval, why, n, None if sizes is None else len(sizes))


def preferred_systems(votes: Votes, people: IntArray) -> BoolArray:
    """Tell, for each place, whether the first system of the pair is the one that people prefer overall."""
    scores = np.nan_to_num(sums_of(votes, people, np.ones(len(votes.places.one), dtype=np.bool_)).scores(), nan=0.5)
    return np.asarray(scores[votes.places.one] >= scores[votes.places.other])
