"""Jackknife intervals for agreement 1 - r, where r is a ratio of observed to expected disorder.

Both work on log r, so that the limits stay below 1, and neither solves another alignment.
"""

from __future__ import annotations

from dataclasses import replace
from math import exp, inf

import numpy as np

from unisono.arrays import BoolArray, FloatArray
from unisono.results import Interval
from unisono.statistics.leaving_out import FEWEST, HARDLY, WIDEST, LeftOut, in_one_part, limits, poisson_limits
from unisono.statistics.student import t_quantile

_N_BLOCKS = 5
SERIOUS = 0.5
"""A unitary alignment that costs this part of an empty unit is a serious disagreement."""
_ALIKE = 1e-20
"""A variance up to this is rounding."""


def over_documents(
    observed: FloatArray,
    expected: FloatArray,
    *,
    serious: bool,
    level: float = 0.95,
    expected_without: FloatArray | None = None,
    greatest: float = inf,
) -> Interval | None:
    """Give the interval for a corpus: documents are left out one by one.

    r = Σ observed / Σ expected over documents; v = (D - 1)/D Σ (log r₍₋d₎ - mean)²; the interval is
    1 - r exp(± t √v) with t at D_eff - 1 degrees of freedom, D_eff = (Σ expected)²/Σ expected². Where no unitary
    alignment is a serious disagreement, it reaches at least as low as the Poisson limit of none.

    Parameters
    ----------
    observed : float64 array, shape (n_documents,)
        Cost of each document's alignment.
    expected : float64 array, shape (n_documents,)
        Its cost expected by chance.
    serious : bool
        Whether some unitary alignment costs half an empty unit or more.
    level : float
        Coverage.
    expected_without : float64 array, shape (n_documents,), optional
        What is expected of all other documents together when document d is left out of the chance model too.
    greatest : float
        The greatest r there can be.

    Returns
    -------
    Interval or None
        None if there are fewer than three documents, or too little to go by.
    """
    n = len(observed)
    if n < FEWEST or expected.sum() <= 0:
        return None
    least = None if serious else _poisson(float(observed.sum()), float(expected.sum()), greatest, level)
    if expected_without is None:
        expected_without = expected.sum() - expected
    with np.errstate(divide="ignore", invalid="ignore"):
        without = (observed.sum() - observed) / expected_without
    found = limits(LeftOut(float(observed.sum() / expected.sum()), without, expected, greatest=greatest), level)
    if found is None:
        return least
    low, high = found
    return _reaching(Interval(1 - high, 1 - low, level, f"jackknife over {n:,} documents"), least)


def in_one_document(
    observed: FloatArray, expected: FloatArray, greatest: float, level: float = 0.95
) -> Interval | None:
    """Give the interval for a corpus one of whose documents holds nearly all disorder: that of a Poisson count of one.

    None if none does, or if there are fewer than three documents.
    """
    if len(observed) < FEWEST or observed.max() < (1 - HARDLY) * observed.sum():
        return None
    return _seen_once(float(observed.sum() / expected.sum()), greatest, level, f"{len(observed):,} documents")


def no_interval(observed: FloatArray, expected: FloatArray) -> str:
    """Say, in a clause, why `over_documents` gives none."""
    n = len(observed)
    if n < FEWEST:
        return f"there are {n} documents with a value, and an interval takes {FEWEST} or more"
    ratios = observed / np.where(expected > 0, expected, 1.0)
    if np.ptp(ratios) < _ALIKE:
        return f"all {n} documents are alike, and nothing tells how much others would differ"
    return f"the {n} documents differ so much that the disorder could be a hundred times as large; annotate more"


def over_blocks(
    cost: FloatArray,
    n_units: FloatArray,
    n_annotators: int,
    expected: float,
    relative_variance: float,
    *,
    level: float = 0.95,
) -> Interval | None:
    """Give the interval for one document: five blocks of its unitary alignments are left out one by one.

    It is an interval for documents of this kind and difficulty, not for the corpus that the document is from.

    Parameters
    ----------
    cost : float64 array, shape (n_unitary_alignments,)
        Disorder of each unitary alignment in units of Δ∅, in the order of positions.
    n_units : array, shape (n_unitary_alignments,)
        Its number of real units.
    n_annotators : int
        n.
    expected : float
        Expected disorder, in units of Δ∅.
    relative_variance : float
        Squared relative Monte-Carlo error of `expected`.
    level : float
        Coverage.

    Returns
    -------
    Interval or None
        None if there are fewer than three unitary alignments, or too little to go by.
    """
    n_blocks = min(_N_BLOCKS, len(cost))
    if n_blocks < FEWEST or expected <= 0:
        return None
    block = np.arange(len(cost)) * n_blocks // len(cost)
    keep: BoolArray = block[None, :] != np.arange(n_blocks)[:, None]
    total, by_chance = float(cost.sum()), float(n_units.sum() / n_annotators * expected)
    greatest = float(n_units.sum()) / by_chance
    least = _poisson(total, by_chance, greatest, level) if not (cost >= SERIOUS).any() else None
    rest, found = keep @ cost, None
    if rest.min() > 0:
        without = np.log(rest / (keep @ n_units / n_annotators * expected))
        spread = float(np.square(without - without.mean()).sum())
        variance = (n_blocks - 1) / n_blocks * spread + relative_variance
        method = f"jackknife over {n_blocks} blocks of the document"
        found = _interval(total / by_chance, variance, n_blocks - 1.0, greatest, level, method)
    if found is None and least is None and rest.min() <= HARDLY * total:
        return _seen_once(total / by_chance, greatest, level, f"{n_blocks} blocks of the document")
    return _reaching(found, least)


def _seen_once(ratio: float, greatest: float, level: float, where: str) -> Interval:
    low, high = in_one_part(ratio, level)
    method = f"Poisson limits, nearly all disorder in one of {where}"
    return Interval(1 - min(high, greatest), 1 - low, level, method)


def _reaching(found: Interval | None, least: Interval | None) -> Interval | None:
    """Let an interval, if there is one, reach as low as another."""
    if found is None or least is None:
        return found or least
    return replace(found, low=min(found.low, least.low))


def _poisson(observed: float, expected: float, greatest: float, level: float) -> Interval:
    """Give the interval where no serious disagreement was seen: at most so many as a Poisson count of zero allows."""
    upper = min((observed + poisson_limits(0, level)[1]) / expected, greatest)
    return Interval(1 - upper, 1.0, level, "Poisson limit, no serious disagreement seen")


def _interval(
    ratio: float, variance: float, freedom: float, greatest: float, level: float, method: str
) -> Interval | None:
    width = t_quantile((1 + level) / 2, freedom) * float(np.sqrt(variance))
    if width > WIDEST or variance <= _ALIKE:
        return None
    return Interval(1 - min(ratio * exp(width), greatest), 1 - ratio * exp(-width), level, method)
