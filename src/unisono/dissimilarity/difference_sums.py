"""Differences bound to labels: compared pair by pair, and summed over all pairs without a table of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from unisono.arrays import FloatArray, IntArray
from unisono.dissimilarity.category import Compare

_PAIRS_AT_ONCE = 2**19


class Differences(ABC):
    """δ(c, k) of the codes of labels."""

    @abstractmethod
    def compare(self, u: IntArray, v: IntArray) -> FloatArray:
        """Give δ element by element."""

    @abstractmethod
    def total(self, p: FloatArray, q: FloatArray) -> float:
        """Give Σ_c Σ_k p_c q_k δ(c, k); p and q have an entry for every label."""

    def given(self, frequencies: FloatArray) -> Differences:
        """Give the differences of labels that are so frequent; only ranks depend on it."""
        return self


class Unlike(Differences):
    """Nominal: 0 for the same label, 1 for another."""

    def compare(self, u: IntArray, v: IntArray) -> FloatArray:
        """See `Differences`."""
        return np.asarray((u != v).astype(np.float64))

    def total(self, p: FloatArray, q: FloatArray) -> float:
        """See `Differences`."""
        return float(p.sum() * q.sum() - p @ q)


@dataclass(frozen=True)
class Points(Differences):
    """δ(c, k) = |x_c - x_k|², where labels are points; shape (n_labels, n_dimensions)."""

    points: FloatArray

    def compare(self, u: IntArray, v: IntArray) -> FloatArray:
        """See `Differences`."""
        return np.asarray(np.square(self.points[u] - self.points[v]).sum(axis=-1))

    def total(self, p: FloatArray, q: FloatArray) -> float:
        """See `Differences`: Σp Σq|x|² + Σq Σp|x|² - 2 (Σp x)(Σq x)."""
        used = np.flatnonzero(p + q)
        if not len(used):
            return 0.0
        x, p, q = self.points[used] - self.points[used[0]], p[used], q[used]  # exact 0 where all labels are one point
        squares = np.square(x).sum(axis=1)
        return float(max(p.sum() * (q @ squares) + q.sum() * (p @ squares) - 2 * (p @ x) @ (q @ x), 0.0))


@dataclass(frozen=True)
class Compared(Differences):
    """δ as a function of two codes."""

    function: Compare

    def compare(self, u: IntArray, v: IntArray) -> FloatArray:
        """See `Differences`."""
        return self.function(u, v)

    def total(self, p: FloatArray, q: FloatArray) -> float:
        """See `Differences`."""

        def block(rows: IntArray, columns: IntArray) -> FloatArray:
            values = self.function(np.repeat(rows, len(columns)), np.tile(columns, len(rows)))
            return values.reshape(len(rows), len(columns))

        return _by_rows(p, q, block)


@dataclass(frozen=True)
class Valued(Differences):
    """δ as a function of two numbers, one for each label."""

    values: FloatArray
    function: Callable[[FloatArray, FloatArray], FloatArray]

    def compare(self, u: IntArray, v: IntArray) -> FloatArray:
        """See `Differences`."""
        return self.function(self.values[u], self.values[v])

    def total(self, p: FloatArray, q: FloatArray) -> float:
        """See `Differences`."""
        return _by_rows(p, q, lambda rows, columns: self.function(self.values[rows, None], self.values[columns]))


@dataclass(frozen=True)
class Ranked(Differences):
    """Krippendorff's ordinal difference: (Σ_{g=c}^{k} n_g - (n_c + n_k)/2)², the squared difference of mean ranks.

    Attributes
    ----------
    step : int64 array, shape (n_labels,)
        The place of each label in the order; labels that are the same number share one.
    """

    step: IntArray

    def compare(self, u: IntArray, v: IntArray) -> FloatArray:
        """See `Differences`: all labels equally frequent."""
        return self.given(np.ones(len(self.step))).compare(u, v)

    def total(self, p: FloatArray, q: FloatArray) -> float:
        """See `Differences`: all labels equally frequent."""
        return self.given(np.ones(len(self.step))).total(p, q)

    def given(self, frequencies: FloatArray) -> Differences:
        """See `Differences`."""
        n = np.bincount(self.step, weights=frequencies)
        return Points((np.cumsum(n) - n / 2)[self.step, None])


def _by_rows(p: FloatArray, q: FloatArray, block: Callable[[IntArray, IntArray], FloatArray]) -> float:
    """Add up over the labels that occur, some rows of their table at a time."""
    rows, columns = np.flatnonzero(p), np.flatnonzero(q)
    step = max(_PAIRS_AT_ONCE // max(len(columns), 1), 1)
    total = 0.0
    for first in range(0, len(rows), step):
        some = rows[first : first + step]
        total += float(p[some] @ block(some, columns) @ q[columns])
    return total
