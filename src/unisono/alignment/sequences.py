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

from unisono.arrays import FloatArray, IntArray
from unisono.checks import check_number
from unisono.data.stacked_editions import StackedEditions
from unisono.dissimilarity.text import UnitPairs
from unisono.errors import DataError, OptionError
from unisono.kernels import compile_kernels, compiled
from unisono.kernels.marked_texts import Hulls, best_chains, find_hulls

_STRIP = 128
"""Half of the width of the first strip that is tried for an upper bound; four times as wide as long as that helps. From
32 to 512 the time differs by a quarter (measured)."""
_HEAVIEST = 32
"""Symbols are repeated as often as they weigh, so time and memory grow with the weights."""
_FEW_CELLS = 1 << 18
"""With more cells on optimal alignments than this, machine code is worth loading."""
_NO_LIMIT = 1 << 60
MOST_CELLS = 1 << 28
"""A limit of memory, about 1 GB, which only long texts reach that consist of ever the same words."""


class TooManyCellsError(Exception):
    """Pairs of texts have too many cells on optimal alignments to keep those of all at a time."""


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


class Links(NamedTuple):
    """The best alignments of some pairs of texts.

    Attributes
    ----------
    saved : float64 array, shape (n_pairs,)
        What their units save.
    chosen, edges : int64 array
        The candidates that are aligned, and where those of each pair of texts begin.
    n_matched : int64 array, shape (n_pairs,)
        How many markers match another, of both texts together.
    """

    saved: FloatArray
    chosen: IntArray
    edges: IntArray
    n_matched: IntArray


class Sequences:
    """All optimal sequence alignments of pairs of texts with markers.

    Parameters
    ----------
    editions : StackedEditions
        The texts, and units in them.
    layer : int
        The type of the units.
    first, second : int64 array, shape (n_pairs,)
        The pairs, by the numbers of their editions.
    n_symbols : int
        Symbols are 0 … n_symbols - 1.
    costs : GapCosts
        What gaps cost.
    most : int
        The most cells to keep of all pairs together.

    Raises
    ------
    TooManyCellsError
        If there are more.

    Attributes
    ----------
    first, second : int64 array
        See above.
    pairs : UnitPairs
        The candidates: pairs of units that some optimal alignment aligns.
    edges : int64 array, shape (n_pairs + 1,)
        Where the candidates of each pair of texts begin.
    """

    def __init__(
        self,
        editions: StackedEditions,
        layer: int,
        first: IntArray,
        second: IntArray,
        n_symbols: int,
        costs: GapCosts,
        most: int = _NO_LIMIT,
    ) -> None:
        it, self.first, self.second = editions, first, second
        self._texts = it.text, it.text_edges, it.start, it.end, it.edges, it.n_layers, layer, first, second, n_symbols
        work = *self._texts, *costs.weights, _STRIP
        found = find_hulls(*work, MOST_CELLS if compiled() else _FEW_CELLS, most)
        if found[-1] >= 0 and not compiled():
            compile_kernels()
            found = find_hulls(*work, MOST_CELLS, most)
        if found[-1] == len(first):
            raise TooManyCellsError
        if found[-1] >= 0:
            sizes = np.diff(it.text_edges) + 2 * it.n_units[:, layer]
            one, other = (int(sizes[side[found[-1]]]) for side in (first, second))
            raise DataError(
                f"the texts, of {one:,} and {other:,} characters and boundaries, repeat themselves so "
                f"much that more than {MOST_CELLS:,} cells lie on optimal alignments; split the document"
            )
        self._hulls = Hulls(*found[:-1])
        self.edges = self._hulls.edges
        n_candidates = np.diff(self.edges)
        self.pairs = UnitPairs(
            np.repeat(first, n_candidates), np.repeat(second, n_candidates), self._hulls.u, self._hulls.v
        )

    def best(self, saving: FloatArray, which: IntArray, *, trace: bool = True) -> Links:
        """Return the alignments of some pairs of texts that save most, `saving` being what each candidate saves.

        Without `trace`, only what they save is found.
        """
        return Links(*best_chains(*self._texts, *self._hulls, saving, which, trace))
