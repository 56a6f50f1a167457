"""How much annotators disagree on each item: how far apart the labels of pairs of annotators are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unisono.arrays import FloatArray, IntArray
from unisono.data import Data, Ratings
from unisono.dissimilarity.category import Distance, Nominal
from unisono.dissimilarity.difference_sums import Compare, Unlike
from unisono.measurement.readers import read_alpha_distance, read_weights
from unisono.results import Result

_NOMINAL: Compare = Unlike().compare
_VISIBLE = 0.005
"""Smaller sizes would be written as 0.00."""
_MOST_COMPARED = 1000
"""With no more labels than this, all pairs are compared."""


@dataclass(frozen=True)
class LabelDistance:
    """How far apart labels are."""

    name: str  # the distance as users write it
    compare: Compare  # the distance itself
    greatest: float = 0.0  # the greatest distance between two labels in use; 0 if there are too many to compare


def label_distance(result: Result, data: Data) -> LabelDistance | None:
    """Return the distance between labels that a measure of ratings uses; None if labels are just equal or not."""
    given = result.parameters
    read = {"distance": read_alpha_distance, "weights": read_weights}
    distance = next((make(given[name]) for name, make in read.items() if name in given), None)
    if not isinstance(data, Ratings) or not isinstance(distance, Distance) or isinstance(distance, Nominal):
        return None
    frequencies = np.bincount(data.codes[data.codes >= 0], minlength=len(data.labels)).astype(np.float64)
    compare = distance.differences(data.labels).given(frequencies).compare
    return LabelDistance(str(distance), compare, _greatest(compare, np.flatnonzero(frequencies)))


def item_sizes(codes: IntArray, distance: LabelDistance | None = None) -> tuple[FloatArray, str]:
    """Return how far apart pairs of annotators are on each item, and what a size of 1 stands for.

    By default labels are 1 apart if they differ, so that a size is the share of pairs that differ. If all sizes are
    tiny compared with the greatest distance between two labels, 1 is the greatest that occurs.
    """
    if distance is None:
        return differing_pairs(codes)[0], ""
    sizes, occurring = differing_pairs(codes, distance.compare)
    if distance.greatest and (not occurring or sizes.max() >= _VISIBLE * distance.greatest):
        return sizes / distance.greatest, "the greatest distance between two labels in use"
    return sizes / (occurring or 1.0), "the greatest distance that occurs here"


def differing_pairs(codes: IntArray, compare: Compare = _NOMINAL) -> tuple[FloatArray, float]:
    """Return the mean distance of pairs of annotators on each item, and the greatest distance of any pair.

    An item with fewer than two labels has 0.
    """
    n_items, n_annotators = codes.shape
    total, pairs, greatest = np.zeros(n_items), np.zeros(n_items), 0.0
    for a in range(n_annotators):
        for b in range(a + 1, n_annotators):
            both = np.flatnonzero((codes[:, a] >= 0) & (codes[:, b] >= 0))
            distances = compare(codes[both, a], codes[both, b])
            pairs[both] += 1
            total[both] += distances
            greatest = max(greatest, float(distances.max(initial=0.0)))
    return np.asarray(total / np.maximum(pairs, 1)), greatest


def _greatest(compare: Compare, used: IntArray) -> float:
    if len(used) > _MOST_COMPARED:
        return 0.0
    return max((float(compare(np.full_like(used, code), used).max()) for code in used.tolist()), default=0.0)
