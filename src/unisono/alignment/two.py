"""Two annotators: the best alignment is an assignment."""

from __future__ import annotations

import numpy as np

from unisono.alignment.pairs import Pairs
from unisono.arrays import IntArray
from unisono.data import AnnotationSet
from unisono.kernels.assignment import best_matching


def best_pairs(units: AnnotationSet, pairs: Pairs) -> tuple[IntArray, IntArray]:
    """Align the units of two annotators at the least cost; `best_matching` proves it.

    A pair costs d and two units alone cost 2, so aligning saves 2 - d. To save most is to cost least.

    Returns
    -------
    bounds, members : int64 array
        The groups: members[bounds[g] : bounds[g + 1]].
    """
    # units are sorted by annotator: those of the first are rows, those of the second columns
    n_first = int(np.searchsorted(units.annotator, 1))
    column_of = best_matching(
        pairs.starts[: n_first + 1], pairs.other - n_first, 2.0 - pairs.dissimilarity, units.n_units - n_first
    )
    matched = np.flatnonzero(column_of >= 0)
    partner = column_of[matched] + n_first
    alone = np.ones(units.n_units, np.bool_)
    alone[matched] = alone[partner] = False
    singles = np.flatnonzero(alone)
    members = np.concatenate([np.stack([matched, partner], axis=1).ravel(), singles])
    sizes = np.concatenate([np.full(len(matched), 2), np.ones(len(singles), np.int64)])
    return np.concatenate([[0], np.cumsum(sizes)]), members
