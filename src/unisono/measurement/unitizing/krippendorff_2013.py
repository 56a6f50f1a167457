"""uα as it was in 2013, the one that the γ paper compares γ with (Krippendorff 2013; Mathet et al. 2015, §6.1.1)."""

from __future__ import annotations

import numpy as np

from unisono.arrays import FloatArray, IntArray
from unisono.measurement.unitizing.coincidences import Continua
from unisono.results import Estimate, from_disagreement


def u_alpha_2013(continua: Continua) -> Estimate:
    """uα = 1 - D_o / D_e, by the squared length of intersections.

    D_o = Σ_{i≠j} Σ_{g, h unlike} |g ∩ h|² / (m (m - 1) L): the mean, over all places where two annotators meet, of the
    length of the mismatch there. D_e is the same mean over all pairs of places in different sections, each pair
    brought together by sliding one section along the other: 2 Σ_{g<h unlike} S(g, h) / ((m L)² - Σ length²), where
    S adds up the squared intersections of all slides. The paper defines S but does not state what the sum is
    divided by; this divisor makes D_e a mean like D_o.
    """
    category, length = continua.lengths
    total = float(length.sum())
    pairs = total**2 - float(np.square(length).sum())
    slid = 2 * _slides(category, length, whole=continua.frame.whole)
    return from_disagreement(continua.mismatch / total, slid / pairs)


def _slides(category: IntArray, length: FloatArray, *, whole: bool) -> float:
    """Add up S over all pairs of sections of different categories.

    With lengths a ≤ b, sliding one along the other step by step yields S = a² b - (a³ - a) / 3, without steps
    a² b - a³ / 3: of the longer sections only the sum of b and the number is needed.
    """
    order = np.argsort(length, kind="stable")
    a, kind = length[order], category[order]
    sum_all, n_all = _after(np.zeros(len(a), np.int64), a)
    sum_same, n_same = _after(kind, a)
    steps = a if whole else 0.0
    return float((a**2 * (sum_all - sum_same) - (n_all - n_same) * (a**3 - steps) / 3).sum())


def _after(group: IntArray, a: FloatArray) -> tuple[FloatArray, IntArray]:
    """Return, for each element, the sum and the number of those after it in the same group."""
    order = np.argsort(group, kind="stable")
    last = np.searchsorted(group[order], group[order], side="right")
    up_to = np.concatenate([[0.0], np.cumsum(a[order])])
    sums, counts = np.empty(len(a)), np.empty(len(a), np.int64)
    sums[order] = up_to[last] - up_to[1:]
    counts[order] = last - 1 - np.arange(len(a))
    return sums, counts
