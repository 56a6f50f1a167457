"""Krippendorff's α of counts whose differences are known, and agreement as a mean over pairs of annotators."""

from __future__ import annotations

import itertools

import numpy as np

from unisono.arrays import FloatArray
from unisono.dissimilarity.difference_sums import Differences, Unlike
from unisono.measurement.categorization.counts import Counts
from unisono.measurement.categorization.weighted import alpha_of
from unisono.results import Estimate


def alpha_of_words(counts: Counts, differences: Differences, total: float | None = None) -> Estimate:
    """Return Krippendorff's α, or why there is none; see `categorization.weighted.alpha_of`."""
    if counts.undefined is not None:
        return Estimate(None, undefined=counts.undefined, what="disagreement")
    return alpha_of(counts, differences, total=total)


def nominal(counts: Counts) -> Estimate:
    """Return α where labels are the same or not."""
    return alpha_of_words(counts, Unlike())


def disagreement_sums(counts: Counts, differences: Differences) -> FloatArray:
    """Return Σ δ / (m_u - 1) over ordered pairs of annotators, unit by unit; 0 where there is just one."""
    total = np.zeros(counts.columns.shape[1])
    for one, other in itertools.combinations(counts.columns, 2):
        unlike = np.flatnonzero((one != other) & (one >= 0) & (other >= 0))
        total[unlike] += 2 * differences.compare(one[unlike], other[unlike])
    return np.asarray(total / np.maximum(counts.given - 1, 1))


def mean_agreement(counts: Counts) -> float | None:
    """Return the share of units with the same label, the mean over pairs of annotators who have units in common."""
    shares = []
    for one, other in itertools.combinations(counts.columns, 2):
        both = (one >= 0) & (other >= 0)
        n = counts.repeats[both].sum()
        if n:
            shares.append(counts.repeats[both & (one == other)].sum() / n)
    return float(np.mean(shares)) if shares else None
