"""Agreement on categories given γ's alignment: γ_cat and γ_k (Mathet 2017).

Every pair of real units in a unitary alignment with v of them weighs w = max(0, 1 - d_pos)/(v - 1); the disorder is
Σ w d_cat / Σ w. γ_k keeps the pairs in which at least one unit has category k.

References
----------
.. [1] Mathet, Y. (2017). The agreement measure γ_cat: a complement to γ focused on categorization of a continuum.
       Computational Linguistics 43(3), 661–681.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from unisono.alignment.solution import aligned_pairs
from unisono.arrays import FloatArray, IntArray
from unisono.data import AnnotationSet
from unisono.data.annotation_set import Stack
from unisono.dissimilarity.combined import BoundDissimilarity

Agreement: TypeAlias = tuple[float | None, float | None, float | None, str | None]
"""Value, observed and expected disorder, and why there is no value."""


@dataclass(frozen=True, slots=True)
class CategoryTally:
    """Sums over the pairs of one alignment: entry 0 over all pairs, entry 1 + k over those with category k.

    Attributes
    ----------
    disorder : float64 array, shape (1 + n_categories,) or (n_sets, 1 + n_categories)
        Σ w d_cat.
    weight : float64 array, the same shape
        Σ w.
    """

    disorder: FloatArray
    weight: FloatArray

    def ratio(self) -> FloatArray:
        """Return Σ w d_cat / Σ w; NaN where there is no pair."""
        with np.errstate(invalid="ignore"):
            return np.asarray(self.disorder / self.weight)


def tally_sets(
    units: AnnotationSet | Stack, dissimilarity: BoundDissimilarity, table: IntArray, set_of: IntArray, n_sets: int
) -> CategoryTally | None:
    """Add up the pairs of alignments of annotation sets, one row each; None if units have no categories.

    Categories are those of the first feature; `set_of` is the set of each unitary alignment.
    """
    if not dissimilarity.features:
        return None
    row, u, v = aligned_pairs(table)
    real = (table >= 0).sum(axis=1)
    weight = np.maximum(0.0, 1.0 - dissimilarity.positional(units, u, v)) / (real[row] - 1)
    disorder = weight * dissimilarity.categorical(units, u, v)
    first, second = units.codes[0][u], units.codes[0][v]
    size = 1 + len(dissimilarity.labels[dissimilarity.features[0]])
    number = set_of[row]
    other = first != second

    def sums(values: FloatArray) -> FloatArray:
        by_first = np.bincount(number * size + first + 1, weights=values, minlength=n_sets * size)
        by_second = np.bincount((number * size + second + 1)[other], weights=values[other], minlength=n_sets * size)
        total = (by_first + by_second).astype(np.float64).reshape(n_sets, size)
        total[:, 0] = np.bincount(number, weights=values, minlength=n_sets)
        return total

    return CategoryTally(sums(disorder), sums(weight))


def summed(found: CategoryTally, expected: FloatArray) -> FloatArray:
    """Add up what `agreements` needs over documents; shape (4, 1 + n_categories).

    Parameters
    ----------
    found : CategoryTally
        The observed sums, one row per document.
    expected : float64 array, shape (n_documents, 1 + n_categories)
        Their expected categorical disorders, NaN where unknown.
    """
    known = np.isfinite(expected)
    return np.array(
        [
            np.where(known, found.disorder, 0.0).sum(axis=0),
            found.weight.sum(axis=0),
            np.where(known, found.weight, 0.0).sum(axis=0),
            (np.where(known, expected, 0.0) * found.weight).sum(axis=0),
        ]
    )


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
