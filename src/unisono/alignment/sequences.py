"""Two texts with markers around units: all optimal sequence alignments, and the best one (Barteld et al. 2016, §4).

Markers are put into both texts where units begin and end. Of sequence alignments with matches and gaps only, those of
least cost are optimal; there can be astronomically many. Two units are aligned where both their opening and their
closing markers match and no marker between them stands alone. Among all optimal sequence alignments, the one whose
aligned units save most is found exactly, by a dynamic program over the cells that optimal alignments pass through.

Nothing is cut off beforehand, not even a common beginning or end: with `{a|1}{a|2}` against `{a|2}` (units in braces,
labels behind the bar) the best alignment pairs the second unit.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import gcd
from typing import NamedTuple

import numpy as np

from unisono.arrays import ByteArray, FloatArray, IntArray
from unisono.checks import check_number
from unisono.data.editions import Layer
from unisono.errors import DataError, OptionError
from unisono.kernels import compile_kernels, compiled
from unisono.kernels.subsequence import WORD, best_chain, hull, masks, sweep

_STRIP = 128
"""Half of the width of the first strip that is tried for an upper bound; four times as wide as long as that helps. From
32 to 512 the time differs by a quarter (measured)."""
_NO_LIMIT = 1 << 60
_FREQUENT = 0.25
"""A symbol that occurs more often than this per word of 62 columns has its marks kept. So at most 62/0.25 = 248 symbols
do, which takes about 33 bytes per column; to make marks anew costs time (with 2.0, seven times as much, measured)."""
_HEAVIEST = 32
"""Symbols are repeated as often as they weigh, so time and memory grow with the weights."""
_FEW_CELLS = 1 << 18
"""With more cells on optimal alignments than this, machine code is worth loading."""
MOST_CELLS = 1 << 28
"""A limit of memory, about 1 GB, which only long texts reach that consist of ever the same words."""


@dataclass(frozen=True)
class GapCosts:
    """What a gap costs, at a symbol of the text and at a boundary; only their ratio matters."""

    text: float = 1.0
    boundary: float = 1.0

    def __post_init__(self) -> None:
        check_number(self.text, "gap_text", above=0)
        check_number(self.boundary, "gap_boundary", above=0)
        if max(self.weights) > _HEAVIEST:
            raise OptionError.about(
                "gap_text",
                f"gap_text={self.text:g} and gap_boundary={self.boundary:g} have no simple ratio; use small whole "
                f"numbers, such as 2 and 3, up to {_HEAVIEST}",
            )

    @cached_property
    def weights(self) -> tuple[int, int]:
        """Both as small whole numbers."""
        text, boundary = (Fraction(str(float(value))) for value in (self.text, self.boundary))
        common = text.denominator * boundary.denominator
        whole = int(text * common), int(boundary * common)
        divisor = gcd(*whole)
        return whole[0] // divisor, whole[1] // divisor


class Linked(NamedTuple):
    """The best alignment of two layers.

    Attributes
    ----------
    u, v : int64 array
        The units of the first and of the second that are aligned.
    n_matched : int
        How many markers match another, of both together.
    """

    u: IntArray
    v: IntArray
    n_matched: int


class Sequences:
    """All optimal sequence alignments of two texts with markers.

    Parameters
    ----------
    first, second : (int64 array, Layer)
        Two texts and the units of one type in them.
    n_symbols : int
        Symbols are 0 … n_symbols - 1.
    costs : GapCosts
        What gaps cost.

    Attributes
    ----------
    u, v : int64 array
        Pairs of units that some optimal alignment aligns; a pair may occur several times.
    """

    def __init__(
        self, first: tuple[IntArray, Layer], second: tuple[IntArray, Layer], n_symbols: int, costs: GapCosts
    ) -> None:
        self._opening, self._closing = n_symbols, n_symbols + 1
        (self._a, unit_of_row), (self._b, unit_of_column) = self._marked(*first), self._marked(*second)
        self._n_units = first[1].n_units, second[1].n_units
        self._same = np.array_equal(self._a, self._b)  # then the only optimal alignment has no gaps
        if self._same:
            self.u = self.v = np.arange(first[1].n_units)
            return
        self._cells, self._offsets, self._last, pairs = self._hull(costs)
        rows, columns = np.divmod(pairs, len(self._b) + 1)
        self._unit_of = unit_of_row, unit_of_column
        self.u, self.v = unit_of_row[rows], unit_of_column[columns]

    def least_cost(self, saving: FloatArray) -> float:
        """Return what all units cost at least: 1 each, less what aligned pairs save."""
        saved = float(saving.sum()) if self._same else self._best(saving, trace=False)[0]
        return sum(self._n_units) - saved

    def best(self, saving: FloatArray) -> Linked:
        """Return the alignment that saves most, `saving` being what each pair saves."""
        if self._same:
            return Linked(self.u, self.v, 4 * len(self.u))
        _, chosen, n_matched = self._best(saving, trace=True)
        rows, columns = np.divmod(chosen, len(self._b) + 1)
        return Linked(self._unit_of[0][rows], self._unit_of[1][columns], n_matched)

    def _best(self, saving: FloatArray, *, trace: bool) -> tuple[float, IntArray, int]:
        """Find the best alignment with savings as whole numbers, so that sums do not depend on their order."""
        # A unit is in one pair at most, so all pairs together save `most` at most; scaled, that stays below 2⁶⁰, and
        # savings keep as many bits as int64 allows.
        most = float(saving.max(initial=1.0)) * max(min(self._n_units), 1)
        scale = 2.0 ** (60 - int(np.ceil(np.log2(most + 1))))
        whole = np.rint(saving * scale).astype(np.int64)
        markers = self._opening, self._closing
        saved, chosen, n_matched = best_chain(
            self._a, self._b, *markers, self._cells, self._offsets, self._last, whole, trace
        )
        return saved / scale, chosen, n_matched

    def _marked(self, text: IntArray, layer: Layer) -> tuple[IntArray, IntArray]:
        """Put markers into a text; also return the unit that is opened at each place."""
        # before the opening marker of unit k stand two markers of each earlier unit; before the closing one, one more
        n = layer.n_units
        sequence = np.full(len(text) + 2 * n, -1, dtype=np.int64)
        unit_of = np.full(len(sequence), -1, dtype=np.int64)
        opened, closed = layer.start + 2 * np.arange(n), layer.end + 2 * np.arange(n) + 1
        sequence[opened], sequence[closed], unit_of[opened] = self._opening, self._closing, np.arange(n)
        sequence[sequence < 0] = text
        return sequence, unit_of

    def _hull(self, costs: GapCosts) -> tuple[ByteArray, IntArray, IntArray, IntArray]:
        """Find the cells that optimal alignments pass through."""
        a, b = self._a, self._b
        weights = np.full(self._closing + 1, costs.weights[0], dtype=np.int64)
        weights[self._opening :] = costs.weights[1]
        ends, column_ends = (np.concatenate([[0], np.cumsum(weights[sequence])]) for sequence in (a, b))
        rows, columns = np.repeat(a, weights[a]), np.repeat(b, weights[b])
        n_columns, marks = len(columns), _marks(columns, len(weights))
        # An alignment within a strip is a real one, so its cost is an upper bound, and often the least cost at once.
        budget, half = _NO_LIMIT, _STRIP
        while half < max(len(rows), n_columns):
            cost, _, _ = sweep(rows, ends, n_columns, *marks, half, _NO_LIMIT, False)
            if cost == budget:
                break
            budget, half = cost, 4 * half
        cost, bits, kept = sweep(rows, ends, n_columns, *marks, _NO_LIMIT, budget, True)
        work = a, b, ends, column_ends, self._opening, self._closing, rows, *marks, bits, kept, cost
        cells, offsets, last, pairs, complete = hull(*work, MOST_CELLS if compiled() else _FEW_CELLS)
        if not complete and not compiled():
            compile_kernels()
            cells, offsets, last, pairs, complete = hull(*work, MOST_CELLS)
        if not complete:
            raise DataError(
                f"the texts, of {len(a):,} and {len(b):,} characters and boundaries, repeat themselves so "
                f"much that more than {MOST_CELLS:,} cells lie on optimal alignments; split the document"
            )
        return cells, offsets, last, pairs


def _marks(columns: IntArray, n_symbols: int) -> tuple[IntArray, IntArray, IntArray, IntArray]:
    """Find the columns of each symbol; see `subsequence.Marks`."""
    counts = np.bincount(columns, minlength=n_symbols)
    starts = np.concatenate([[0], np.cumsum(counts)])
    small = (
        columns.astype(np.uint16) if n_symbols < 1 << 16 else columns
    )  # NumPy sorts 16 bits by radix, in linear time
    places = np.argsort(small, kind="stable").astype(np.int64)
    frequent = np.flatnonzero(counts > _FREQUENT * len(columns) / WORD)
    rank = np.full(n_symbols, len(frequent), dtype=np.int64)
    rank[frequent] = np.arange(len(frequent))
    return masks(len(columns), starts, places, rank, len(frequent)), starts, places, rank
