"""Which units with several anchors have some that lie near enough to each other to be worth comparing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from unisono.arrays import FloatArray, IntArray
from unisono.data import AnnotationSet
from unisono.data.anchors import Anchors
from unisono.data.annotation_set import Stack
from unisono.dissimilarity.anchored import AnchorRoles
from unisono.kernels.anchors import near_anchored

_NO_LENGTH = -5000
_NEVER = 2**62


@dataclass(frozen=True)
class Windows:
    """Anchors in the order in which they are searched; see `kernels.anchors.near_anchored`."""

    n_units: int
    near: Callable[[float, int, int], tuple[IntArray, IntArray]]  # the kernel, given these anchors

    @classmethod
    def of(cls, units: AnnotationSet | Stack, anchors: Anchors, roles: AnchorRoles) -> Windows:
        """Sort the anchors of one annotation set, or of several."""
        weight, kind, owner = roles.weighed(anchors), roles.kinds(anchors), anchors.owner
        size = np.bincount(owner, weights=weight, minlength=units.n_units).astype(np.float64)
        set_of = (
            np.repeat(np.arange(units.n_sets), units.sizes)
            if isinstance(units, Stack)
            else np.zeros_like(size, np.int64)
        )
        start, end = anchors.start.astype(np.float64), anchors.end.astype(np.float64)
        length, middle = end - start, (start + end) / 2.0
        # Neither a long anchor nor a unit of many anchors widens the windows of others.
        keys = (set_of[owner], kind, anchors.role, octave(length), octave(size)[owner])
        order = np.lexsort((middle, *keys[::-1]))
        new = np.zeros(len(order), np.bool_)
        for key in keys:
            new |= np.diff(key[order], prepend=-9999) != 0
        begins = np.flatnonzero(new)
        n_sets = units.n_sets if isinstance(units, Stack) else 1
        classes_of = np.searchsorted(set_of[owner[order[begins]]], np.arange(n_sets + 1))
        return cls(
            units.n_units,
            partial(
                near_anchored,
                anchors.first,
                owner,
                units.annotator,
                size,
                set_of,
                kind,
                weight,
                middle,
                length,
                order,
                np.append(begins, len(order)),
                classes_of,
                _greatest(length[order], begins),
                _greatest(size[owner[order]], begins),
            ),
        )

    def pairs(self, farthest: float, first: int = 0, enough: int = _NEVER) -> tuple[IntArray, IntArray, IntArray]:
        """List the pairs of units, from the `first` on, that may have D_pos/Δ∅ below a limit.

        Pairs are in compressed rows: where those of each unit begin, and both units; no further unit is looked at once
        there are `enough`.
        """
        starts, found = self.near(farthest, first, enough)
        done = len(starts) - 1
        return starts, np.repeat(np.arange(first, first + done), np.diff(starts)), found

    def in_blocks(self, farthest: float, enough: int) -> Iterator[tuple[IntArray, IntArray, IntArray]]:
        """Iterate over the same, about so many pairs at a time."""
        first = 0
        while first < self.n_units:
            starts, unit, other = self.pairs(farthest, first, enough)
            yield starts, unit, other
            first += len(starts) - 1


def octave(values: FloatArray) -> IntArray:
    """Return the class of each length or size: from one power of 2 to the next; 0 is a class below all others."""
    scale = np.full(len(values), _NO_LENGTH, np.int64)  # float64 has no number below 2⁻¹⁰⁷⁴
    scale[values > 0] = np.floor(np.log2(values[values > 0]))
    return scale


def _greatest(values: FloatArray, begins: IntArray) -> FloatArray:
    return np.maximum.reduceat(values, begins) if len(begins) else np.zeros(0)
