"""Differences bound to labels: compared pair by pair, and summed over all pairs without a table of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import frexp, sqrt
from typing import Any, ClassVar, TypeAlias

import numpy as np

from unisono.arrays import FloatArray, IntArray

Compare: TypeAlias = Callable[[IntArray, IntArray], FloatArray]
"""Compares two arrays of codes of labels, element by element."""

_PAIRS_AT_ONCE = 2**19
"""Pairs of labels are compared in blocks of about this many, whose 4 MB fit into a cache."""
_ROUNDING = 1e-14
"""Points on a circle, which are computed, are the same if they are nearer than this."""
_SMALLEST = 1e-100
"""Squares of numbers from this size up do not vanish when they are added up."""
_TABLE_LIMIT = 1024
"""Up to this many texts, the differences of all pairs are kept (8 MB)."""
_WORTH_THREADS = 2**17
"""From this many pairs on, comparing texts takes longer than starting threads."""


class Differences(ABC):
    """δ(c, k) of the codes of labels."""

    quick: ClassVar[bool] = False
    """Whether comparing two labels takes no longer than looking for the same pair."""

    @abstractmethod
    def compare(self, u: IntArray, v: IntArray) -> FloatArray:
        """Return δ element by element."""

    @abstractmethod
    def total(self, p: FloatArray, q: FloatArray) -> float:
        """Return Σ_c Σ_k p_c q_k δ(c, k); p and q have an entry for every label."""

    def sums(self, q: FloatArray) -> FloatArray:
        """Return Σ_k δ(c, k) q_k for every label c; q has an entry for every label."""
        used, every = np.flatnonzero(q), np.arange(len(q))
        step = max(_PAIRS_AT_ONCE // max(len(used), 1), 1)
        found = np.zeros(len(q))
        for first in range(0, len(q) if len(used) else 0, step):
            some = every[first : first + step]
            values = self.compare(np.repeat(some, len(used)), np.tile(used, len(some)))
            found[some] = values.reshape(len(some), len(used)) @ q[used]
        return found

    def given(self, frequencies: FloatArray) -> Differences:
        """Return the differences of labels that occur so often; only ranks depend on it."""
        return self


class Unlike(Differences):
    """Nominal: 0 for the same label, 1 for another."""

    def compare(self, u: IntArray, v: IntArray) -> FloatArray:
        """See `Differences`."""
        return np.asarray((u != v).astype(np.float64))

    def total(self, p: FloatArray, q: FloatArray) -> float:
        """See `Differences`."""
        return float(p.sum() * q.sum() - (p * q).sum())

    def sums(self, q: FloatArray) -> FloatArray:
        """See `Differences`."""
        return np.asarray(q.sum() - q)


@dataclass(frozen=True)
class Points(Differences):
    """δ(c, k) = |x_c - x_k|², where labels are points; shape (n_labels, n_dimensions).

    If points are so small that their squares would vanish, δ is a multiple of that.
    """

    points: FloatArray
    quick: ClassVar[bool] = True

    def compare(self, u: IntArray, v: IntArray) -> FloatArray:
        """See `Differences`."""
        return np.asarray(np.square(self._scaled[u] - self._scaled[v]).sum(axis=-1))

    def total(self, p: FloatArray, q: FloatArray) -> float:
        """See `Differences`: Σp Σq|x|² + Σq Σp|x|² - 2 (Σp x)(Σq x)."""
        used = np.flatnonzero(p + q)
        if not len(used):
            return 0.0
        points, p, q = self._scaled[used], p[used], q[used]
        x = points - points[0]  # exact 0 where all labels are one point
        apart, size = float(np.abs(x).max()), float(np.abs(points).max())
        if apart <= _ROUNDING * size and apart <= self._rounding * size:
            return 0.0
        squares = np.square(x).sum(axis=1)
        return float(max(p.sum() * (q @ squares) + q.sum() * (p @ squares) - 2 * (p @ x) @ (q @ x), 0.0))

    def sums(self, q: FloatArray) -> FloatArray:
        """See `Differences`: |x|² Σq + Σq|x|² - 2 x Σq x, around the mean of the points, where that loses least."""
        if not q.any():
            return np.zeros(len(q))
        x = self._scaled - (q @ self._scaled) / q.sum()
        squares = np.square(x).sum(axis=1)
        return np.asarray(np.maximum(squares * q.sum() + q @ squares - 2 * x @ (q @ x), 0.0))

    @cached_property
    def _scaled(self) -> FloatArray:
        """The points, times a power of two if their squares would vanish, which is exact."""
        largest = float(np.abs(self.points).max(initial=0.0))
        if not 0 < largest < _SMALLEST:
            return self.points
        return np.asarray(np.ldexp(self.points, -frexp(largest)[1]))

    @cached_property
    def _rounding(self) -> float:
        """Points nearer than this, relative to their size, are the same; whole numbers are exact."""
        if self.points.shape[1] > 1:
            return _ROUNDING
        whole = bool((self.points == np.floor(self.points)).all())
        return 0.0 if whole else float(np.finfo(np.float64).eps)


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
    quick: ClassVar[bool] = True

    def compare(self, u: IntArray, v: IntArray) -> FloatArray:
        """See `Differences`."""
        return self.function(self.values[u], self.values[v])

    def total(self, p: FloatArray, q: FloatArray) -> float:
        """See `Differences`."""
        return _by_rows(p, q, lambda rows, columns: self.function(self.values[rows, None], self.values[columns]))


@dataclass(frozen=True)
class Lengths(Differences):
    """δ(c, k) = a |x_c - x_k| + b |x_c - x_k|², where labels are numbers; a and b are not negative."""

    values: FloatArray
    single: float
    squared: float = 0.0
    quick: ClassVar[bool] = True

    def compare(self, u: IntArray, v: IntArray) -> FloatArray:
        """See `Differences`."""
        apart = np.abs(self.values[u] - self.values[v])
        return np.asarray(self.single * apart + (self.squared * np.square(apart) if self.squared else 0.0))

    def total(self, p: FloatArray, q: FloatArray) -> float:
        """See `Differences`."""
        return float(p @ self.sums(q))

    def sums(self, q: FloatArray) -> FloatArray:
        """See `Differences`: with numbers in order, Σ_k |x - x_k| q_k is a difference of two running sums.

        x (Q_below - Q_above) - (Q x)_below + (Q x)_above, around the middle of the numbers, where that loses least. It
        is exactly 0 where all labels are the same number.
        """
        if not q.any():
            return np.zeros(len(q))
        x, place = self._numbers
        n = np.bincount(place, weights=q, minlength=len(x))
        below, weighed = np.cumsum(n), np.cumsum(n * x)
        found = self.single * np.maximum(x * (2 * below - below[-1]) - 2 * weighed + weighed[-1], 0.0)[place]
        return np.asarray(found + (self.squared * Points(self.values[:, None]).sums(q) if self.squared else 0.0))

    @cached_property
    def _numbers(self) -> tuple[FloatArray, IntArray]:
        """The different numbers, sorted, from their middle; and which of them each label is."""
        x, place = np.unique(self.values, return_inverse=True)
        return np.asarray(x - (x[0] + x[-1]) / 2), place.reshape(-1)


@dataclass(frozen=True)
class Ranked(Differences):
    """Krippendorff's ordinal difference: (Σ_{g=c}^{k} n_g - (n_c + n_k)/2)², the squared difference of mean ranks."""

    step: IntArray  # shape (n_labels,): the place of each label in the order; labels that are the same number share one

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


@dataclass(frozen=True)
class Spelled(Differences):
    """δ(c, k) = Levenshtein distance / length of the longer one, where labels are texts."""

    texts: Sequence[str]

    def compare(self, u: IntArray, v: IntArray) -> FloatArray:
        """See `Differences`."""
        if len(self.texts) <= _TABLE_LIMIT:
            return np.asarray(self._table[u, v])
        from rapidfuzz.distance import Levenshtein
        from rapidfuzz.process import cpdist

        pairs, which = np.unique(np.minimum(u, v) * len(self.texts) + np.maximum(u, v), return_inverse=True)
        one, other = np.divmod(pairs, len(self.texts))
        texts = [[self._written[code] for code in codes.tolist()] for codes in (one, other)]
        edits = cpdist(*texts, scorer=Levenshtein.distance, dtype=np.int32, workers=_threads(len(pairs)))
        longer = np.maximum(self._length[one], self._length[other])
        return np.asarray((edits / np.maximum(longer, 1))[which.reshape(-1)])

    def total(self, p: FloatArray, q: FloatArray) -> float:
        """See `Differences`."""
        return float(p @ self.against(np.stack([p, q], axis=1))[:, 1])

    def sums(self, q: FloatArray) -> FloatArray:
        """See `Differences`."""
        return np.asarray(self.against(np.stack([np.ones(len(q)), q], axis=1))[:, 1])

    def against(self, weights: FloatArray) -> FloatArray:
        """Return Σ_k δ(c, k) w_k for every label c that has a weight, and for several weightings at once.

        Texts are sorted by length, and each is compared with those before it, so that the longer one is known and no
        pair is compared twice. Weights have shape (n_labels, n_weightings); rows of 0 stay 0.
        """
        used = np.flatnonzero(weights.any(axis=1))
        found = np.zeros(weights.shape)
        if len(self.texts) <= _TABLE_LIMIT:
            table = self._table if len(used) == len(weights) else self._table[np.ix_(used, used)]
            found[used] = table @ weights[used]
            return found
        order = used[np.argsort(self._length[used], kind="stable")]
        w, sums = weights[order], np.zeros((len(order), weights.shape[1]))
        for first, last, block in self._blocks(order):
            sums[first:last] += block @ w[:last]
            sums[:last] += block.T @ w[first:last]
        found[order] = sums
        return found

    def _blocks(self, order: IntArray) -> Iterator[tuple[int, int, FloatArray]]:
        """Go through δ of texts and those before them, 0 for those after: first and last row, and differences."""
        from rapidfuzz.distance import Levenshtein
        from rapidfuzz.process import cdist

        texts = [self._written[code] for code in order.tolist()]
        length = np.maximum(self._length[order], 1)
        small: Any = np.uint8 if int(length.max(initial=1)) < 256 else np.int32
        first = 0
        while first < len(texts):
            rows = (sqrt(first * first + 16 * _PAIRS_AT_ONCE) - first) / 2  # rows · (first + rows) is the limit then
            last = min(len(texts), first + max(min(int(rows), len(texts) // 8 + 1), 1))
            threads = _threads((last - first) * last)
            edits = cdist(texts[first:last], texts[:last], scorer=Levenshtein.distance, dtype=small, workers=threads)
            yield first, last, np.tril(edits, first) / length[first:last, None]
            first = last

    @cached_property
    def _written(self) -> Sequence[str]:
        """The texts in an alphabet of small numbers, in which they are compared much faster."""
        letters = set().union(*self.texts)
        if max(map(ord, letters), default=0) < 256:
            return self.texts
        small = {ord(letter): number for number, letter in enumerate(sorted(letters))}
        return [text.translate(small) for text in self.texts]

    @cached_property
    def _length(self) -> IntArray:
        return np.fromiter(map(len, self.texts), np.int64, count=len(self.texts))

    @cached_property
    def _table(self) -> FloatArray:
        """The differences of all pairs."""
        order = np.argsort(self._length, kind="stable")
        table = np.zeros((len(order), len(order)))
        for first, last, block in self._blocks(order):
            table[np.ix_(order[first:last], order[:last])] = block
        return np.maximum(table, table.T)  # of each pair, one half was compared and the other is 0


def _threads(n_pairs: int) -> int:
    return -1 if n_pairs > _WORTH_THREADS else 1


def _by_rows(p: FloatArray, q: FloatArray, block: Callable[[IntArray, IntArray], FloatArray]) -> float:
    """Add up over the labels that occur, some rows of their table at a time."""
    rows, columns = np.flatnonzero(p), np.flatnonzero(q)
    step = max(_PAIRS_AT_ONCE // max(len(columns), 1), 1)
    total = 0.0
    for first in range(0, len(rows), step):
        some = rows[first : first + step]
        total += float(p[some] @ block(some, columns) @ q[columns])
    return total
