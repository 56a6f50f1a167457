"""Agreement on categories given γ's alignment: γ_cat and γ_k (Mathet 2017).

Every pair of real units in a unitary alignment with v of them weighs w = max(0, 1 - d_pos)/(v - 1); the disorder is
Σ w d_cat / Σ w. γ_k keeps the pairs in which at least one unit has category k.

References
----------
.. [1] Mathet, Y. (2017). The agreement measure γ_cat: a complement to γ focused on categorization of a continuum.
       Computational Linguistics 43(3), 661–681.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from unisono.alignment.solution import aligned_pairs
from unisono.arrays import FloatArray, IntArray
from unisono.data import AnnotationSet
from unisono.dissimilarity.combined import BoundDissimilarity

Agreement: TypeAlias = tuple[float | None, float | None, float | None, str | None]
"""Value, observed and expected disorder, and why there is no value."""


@dataclass(frozen=True, slots=True)
class CategoryTally:
    """Sums over the pairs of one alignment: entry 0 over all pairs, entry 1 + k over those with category k.

    Attributes
    ----------
    disorder : float64 array, shape (1 + n_categories,)
        Σ w d_cat.
    weight : float64 array, shape (1 + n_categories,)
        Σ w.
    """

    disorder: FloatArray
    weight: FloatArray

    def ratio(self) -> FloatArray:
        """Return Σ w d_cat / Σ w; NaN where there is no pair."""
        with np.errstate(invalid="ignore"):
            return np.asarray(self.disorder / self.weight)


def tally_blocks(
    units: AnnotationSet, dissimilarity: BoundDissimilarity, table: IntArray, n_blocks: int
) -> list[CategoryTally] | None:
    """Add up the pairs of alignments of annotation sets that are side by side, each separately.

    None if units have no categories. Categories are those of the first feature.
    """
    if not dissimilarity.features:
        return None
    row, u, v = aligned_pairs(table)
    real = (table >= 0).sum(axis=1)
    weight = np.maximum(0.0, 1.0 - dissimilarity.positional(units, u, v)) / (real[row] - 1)
    disorder = weight * dissimilarity.categorical(units, u, v)
    codes = units.codes[0]
    size = 1 + len(dissimilarity.labels[dissimilarity.features[0]])
    offset = np.zeros(len(u), np.int64) if units.block is None else units.block[u] * size
    other = codes[u] != codes[v]

    def sums(values: FloatArray) -> FloatArray:
        by_first = np.bincount(offset + codes[u] + 1, weights=values, minlength=n_blocks * size)
        by_second = np.bincount((offset + codes[v] + 1)[other], weights=values[other], minlength=n_blocks * size)
        total = (by_first + by_second).astype(np.float64).reshape(n_blocks, size)
        total[:, 0] = np.bincount(offset // size, weights=values, minlength=n_blocks)
        return total

    return [CategoryTally(*both) for both in zip(sums(disorder), sums(weight), strict=True)]


def summed(tallies: Iterable[tuple[CategoryTally | None, FloatArray | None]], size: int) -> FloatArray:
    """Add up what `agreements` needs over documents; shape (4, size).

    Parameters
    ----------
    tallies : iterable of (CategoryTally, float64 array)
        The observed sums of each document, and its expected categorical disorder, NaN where unknown.
    size : int
        1 + number of categories.
    """
    sums = np.zeros((4, size))
    disorder, weight, counted, chance = sums
    for found, expected in tallies:
        if found is not None and expected is not None:
            known = np.isfinite(expected)
            disorder += np.where(known, found.disorder, 0.0)
            weight += found.weight
            counted += np.where(known, found.weight, 0.0)
            chance += np.where(known, expected, 0.0) * found.weight
    return sums


def agreements(sums: FloatArray) -> list[Agreement]:
    """Return γ_cat of all pairs, then γ_k category by category."""
    return [_agreement(*each) for each in sums.T]


def _agreement(disorder: float, weight: float, counted: float, chance: float) -> Agreement:
    if not weight:
        return None, None, None, "no two units of this category are aligned closely enough"
    if not counted:
        return None, None, None, "no random sample aligns units of this category closely enough"
    observed, expected = float(disorder / counted), float(chance / counted)
    if not expected:
        return None, observed, expected, "random samples never disagree on it, as with a single category"
    return 1 - observed / expected, observed, expected, None
