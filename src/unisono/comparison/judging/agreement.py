"""How often judges agree with people, beside what a judge would reach who does not look at the items.

As in MT-Bench [1]_, agreement is the share of pairs of votes, one by the judge and one by a person, on the same pair of
systems and the same item, that are the same. People among themselves are the ceiling. The base rate is that of the
majority class: a judge who always named the system that people prefer overall, or always a tie, whatever the outputs.

References
----------
.. [1] Zheng, L. et al. (2023). Judging LLM-as-a-judge with MT-Bench and Chatbot Arena. NeurIPS 36, 46595–46623.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unisono.arrays import BoolArray, FloatArray, IntArray
from unisono.comparison.judging.votes import LOSS, TIE, WIN, Votes
from unisono.statistics.clusters import ClusteredMean, clustered_ratio, difference_of_means
from unisono.statistics.shares import EstimatedShare


@dataclass(frozen=True)
class JudgeAgreement:
    """How often a judge agrees with people.

    Attributes
    ----------
    agreement : EstimatedShare
        The share of votes of people that are like the judge's.
    base_rate : float
        The share of the most frequent class of people's votes: the better system overall, the worse one, a tie.
    kappa : float or None
        Agreement beyond chance, from how often judge and people vote for each of these classes; None if that is 1.
    decisive, decisive_base_rate : EstimatedShare and float, or None
        The same without ties; None if all are ties.
    n : int
        How many pairs of votes there are.
    n_places : int
        On how many pairs of outputs.
    beyond_people : tuple of float or None
        By how much the judge agrees with people more than people with each other, with limits; None without two people.
    """

    agreement: EstimatedShare
    base_rate: float
    kappa: float | None
    decisive: EstimatedShare | None
    decisive_base_rate: float | None
    n: int
    n_places: int
    beyond_people: tuple[float, float, float] | None


def agreement_with(votes: Votes, judge: int, people: IntArray, better: BoolArray) -> JudgeAgreement | None:
    """Compare a judge with people; None if they never voted on the same pair of outputs.

    `better` tells, for each place, whether the pair's first system is the one that people prefer overall.
    """
    counts = votes.counts(people[people != judge])
    rows = votes.judge == judge
    places, vote = votes.place[rows], votes.vote[rows]
    theirs = counts[places]
    shared = theirs.sum(axis=1) > 0
    places, vote, theirs = places[shared], vote[shared], theirs[shared]
    if not len(places):
        return None
    same = theirs[np.arange(len(places)), vote]
    mean = _ratio(votes, places, same, theirs.sum(axis=1))
    as_better = _as_classes(theirs, better[places])
    own = np.eye(3)[np.where(better[places], vote, 2 - vote)] * theirs.sum(axis=1, keepdims=True)
    total = as_better.sum()
    expected = float(as_better.sum(axis=0) @ own.sum(axis=0)) / total**2
    both = np.where(vote != TIE, theirs[:, LOSS] + theirs[:, WIN], 0.0)
    decisive = _ratio(votes, places, np.where(vote != TIE, same, 0.0), both) if both.any() else None
    base = as_better[vote != TIE][:, [LOSS, WIN]].sum(axis=0)
    among = people_among(votes, people[people != judge])
    return JudgeAgreement(
        mean.share(),
        float(as_better.sum(axis=0).max() / total),
        (mean.value - expected) / (1 - expected) if expected < 1 else None,
        None if decisive is None else decisive.share(),
        None if decisive is None else float(base.max() / base.sum()),
        int(total),
        len(places),
        None if among is None else difference_of_means(mean, among),
    )


def people_among(votes: Votes, people: IntArray) -> ClusteredMean | None:
    """Return how often people agree with each other; None if no two voted on the same pair of outputs."""
    counts = votes.counts(people)
    n = counts.sum(axis=1)
    places = np.arange(len(n))
    return clustered_ratio(
        votes.places.by_question(places, (counts * (counts - 1)).sum(axis=1)),
        votes.places.by_question(places, n * (n - 1)),
    )


def _ratio(votes: Votes, places: IntArray, top: FloatArray, bottom: FloatArray) -> ClusteredMean:
    found = clustered_ratio(votes.places.by_question(places, top), votes.places.by_question(places, bottom))
    if found is None:
        raise ValueError("no votes")
    return found


def _as_classes(counts: FloatArray, better: BoolArray) -> FloatArray:
    """Count votes for the worse system, ties, and votes for the better one."""
    return np.where(better[:, None], counts, counts[:, ::-1])
