"""Jackknife intervals for agreement 1 - r, where r is a ratio of observed to expected disorder.

Both work on log r, so that the limits stay below 1, and neither solves another alignment.
"""

from __future__ import annotations

from dataclasses import replace
from math import exp, log

import numpy as np

from unisono.arrays import BoolArray, FloatArray
from unisono.results import Interval
from unisono.statistics.student import t_quantile

_N_BLOCKS = 5
SERIOUS = 0.5
"""A unitary alignment that costs this part of an empty unit is a serious disagreement."""
_WIDEST = 4.6
"""Where δ_o/δ_e could be a hundred times as much, there is too little data to say anything."""


def over_documents(
    observed: FloatArray,
    expected: FloatArray,
    *,
    serious: bool,
    level: float = 0.95,
    expected_without: FloatArray | None = None,
) -> Interval | None:
    """Give the interval for a corpus: documents are left out one by one.

    r = Σ observed / Σ expected over documents; v = (D - 1)/D Σ (log r₍₋d₎ - mean)²; the interval is
    1 - r exp(± t √v) with t at D_eff - 1 degrees of freedom, D_eff = (Σ expected)²/Σ expected².

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

    Returns
    -------
    Interval or None
        None if there are fewer than two documents, or too little to go by.
    """
    n = len(observed)
    if n < 2 or expected.sum() <= 0:
        return None
    if expected_without is None:
        expected_without = expected.sum() - expected
    with np.errstate(divide="ignore", invalid="ignore"):
        without = np.log((observed.sum() - observed) / expected_without)
        ratio = observed.sum() / expected.sum()
    if not np.isfinite(without).all():
        return None if serious else _poisson(float(observed.sum()), float(expected.sum()), level)
    variance = (n - 1) / n * float(np.square(without - without.mean()).sum())
    effective = expected.sum() ** 2 / np.square(expected).sum()
    return _interval(ratio, variance, max(effective - 1, 1.0), level, "jackknife over documents")


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
        None if there are fewer than two unitary alignments.
    """
    n_blocks = min(_N_BLOCKS, len(cost))
    if n_blocks < 2 or expected <= 0:
        return None
    block = np.arange(len(cost)) * n_blocks // len(cost)
    keep: BoolArray = block[None, :] != np.arange(n_blocks)[:, None]
    total, by_chance = float(cost.sum()), float(n_units.sum() / n_annotators * expected)
    least = _poisson(total, by_chance, level) if not (cost >= SERIOUS).any() else None
    with np.errstate(divide="ignore"):
        without = np.log((keep @ cost) / (keep @ n_units / n_annotators * expected))
    if not np.isfinite(without).all():
        return least
    spread = float(np.square(without - without.mean()).sum())
    variance = (n_blocks - 1) / n_blocks * spread + relative_variance
    method = f"jackknife over {n_blocks} blocks of the document"
    interval = _interval(total / by_chance, variance, n_blocks - 1.0, level, method)
    if interval is None or least is None or least.low > interval.low:
        return interval
    return replace(interval, low=least.low)


def _poisson(observed: float, expected: float, level: float) -> Interval:
    """Give the interval where no serious disagreement was seen: at most so many as a Poisson count of zero allows."""
    upper = (observed + _no_event(level)) / expected
    return Interval(1 - upper, 1.0, level, "Poisson limit, no serious disagreement seen")


def _no_event(level: float) -> float:
    """Give the upper limit of a Poisson mean when no event was seen; 3.69 at 95 %."""
    return -log((1 - level) / 2)


def _interval(ratio: float, variance: float, freedom: float, level: float, method: str) -> Interval | None:
    width = t_quantile((1 + level) / 2, freedom) * float(np.sqrt(variance))
    if width > _WIDEST:
        return None
    return Interval(1 - ratio * exp(width), 1 - ratio * exp(-width), level, method)
