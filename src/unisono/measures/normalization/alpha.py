"""Krippendorff's α of counts whose differences are known, and agreement as a mean over pairs of annotators."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np

from unisono.arrays import FloatArray
from unisono.dissimilarity.difference_sums import Differences, Unlike
from unisono.measures.categorization.counts import Counts
from unisono.measures.categorization.family import one_label
from unisono.results import Estimate


def alpha(counts: Counts, differences: Differences, total: float | None = None) -> Estimate:
    """One minus observed over expected disagreement: α = 1 - D_o / D_e.

    D_o = 1/n Σ_u Σ δ / (m_u - 1) over ordered pairs of annotators in unit u, which m_u annotators labelled, and D_e =
    1/(n (n - 1)) Σ_ck n_c n_k δ_ck.

    Parameters
    ----------
    counts : Counts
        Labels of units.
    differences : Differences
        δ of the labels.
    total : float, optional
        Σ_ck n_c n_k δ_ck, where it is known already.
    """
    if counts.undefined is not None:
        return Estimate(None, undefined=counts.undefined, what="disagreement")
    n, marginals = counts.n_pairable, counts.marginals
    observed = float(counts.repeats @ disagreements(counts, differences)) / n
    expected = (differences.total(marginals, marginals) if total is None else total) / (n * (n - 1))
    found = Estimate(None, observed, expected, what="disagreement")
    if expected > 0:
        return replace(found, value=1 - observed / expected)
    if np.count_nonzero(marginals) < 2:
        return replace(found, undefined=one_label(counts, marginals))
    return replace(found, undefined="no two of the labels differ, so agreement cannot be told from chance")


def nominal(counts: Counts) -> Estimate:
    """Give α where labels are the same or not."""
    return alpha(counts, Unlike())


def disagreements(counts: Counts, differences: Differences) -> FloatArray:
    """Give Σ δ / (m_u - 1) over ordered pairs of annotators, unit by unit; 0 where there is just one."""
    total = np.zeros(counts.columns.shape[1])
    for one, other in itertools.combinations(counts.columns, 2):
        unlike = np.flatnonzero((one != other) & (one >= 0) & (other >= 0))
        total[unlike] += 2 * differences.compare(one[unlike], other[unlike])
    return np.asarray(total / np.maximum(counts.given - 1, 1))


def mean_agreement(counts: Counts) -> float | None:
    """Give the share of units with the same label, the mean over pairs of annotators who have units in common."""
    shares = []
    for one, other in itertools.combinations(counts.columns, 2):
        both = (one >= 0) & (other >= 0)
        n = counts.repeats[both].sum()
        if n:
            shares.append(counts.repeats[both & (one == other)].sum() / n)
    return float(np.mean(shares)) if shares else None
