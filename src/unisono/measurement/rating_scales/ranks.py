"""Ranks with ties, and how items influence what is computed from them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unisono.arrays import FloatArray, IntArray


@dataclass(frozen=True)
class Ranks:
    """Average ranks of one annotator's items, as shares: (rank - (n + 1)/2) / n; their mean is 0."""

    level: IntArray  # shape (n_items,): the place of each item's label in the order of all labels
    repeats: FloatArray  # shape (n_items,): how often each item occurs
    values: FloatArray  # shape (n_items,)

    @classmethod
    def of(cls, places: FloatArray, repeats: FloatArray) -> Ranks:
        """Rank items by the places of their labels, whole numbers from 0."""
        level = places.astype(np.int64)
        if len(level) and level.max() > 4 * len(level):  # few items of very many labels
            level = np.unique(level, return_inverse=True)[1].reshape(-1).astype(np.int64)
        n = np.bincount(level, weights=repeats)
        total = repeats.sum()
        middle = (np.cumsum(n) - n / 2) / total - 0.5
        return cls(level, repeats, np.asarray(middle[level]))

    def drag(self, others: FloatArray) -> FloatArray:
        """Return how each item, by raising the ranks of those above it, changes the mean product with other values.

        That is mean_j h(i, j) g_j, with h = 1 where j is above i, and 1/2 where both have the same label.
        """
        n = float(self.repeats.sum())
        sums = np.bincount(self.level, weights=others * self.repeats)
        above = sums.sum() - np.cumsum(sums)
        return np.asarray(((above + sums / 2) / n)[self.level])


def mean_product(x: Ranks, y: Ranks) -> tuple[float, FloatArray]:
    """Return the mean product of two annotators' ranks, and the influence of each item on it."""
    n = x.repeats.sum()
    product = x.values * y.values
    mean = float(product @ x.repeats / n)
    drag = x.drag(y.values)
    return mean, (product + drag + (drag if y is x else y.drag(x.values)) - 3 * mean) / n
