"""The ends of relations, compared pair by pair, and how often the labels of two annotators go together."""

from __future__ import annotations

from collections.abc import Mapping
from math import fsum
from typing import Any

import numpy as np

from unisono.arrays import FloatArray, IntArray
from unisono.data import Corpus
from unisono.data.anchors import Anchors
from unisono.data.labelled_units import LabelledUnits
from unisono.dissimilarity.anchored import turned_around
from unisono.errors import DataError, mention


def refuse_plain(data: Any, measure: str) -> None:
    """Raise DataError if a corpus has plain spans only."""
    if isinstance(data, Corpus) and data.n_units and data.anchors is None:
        raise DataError(
            f"all units are plain spans, and {measure} compares relations; read {mention('units', 'relations')} if the "
            "data has any, or use span-f1"
        )


def anchors_of(units: LabelledUnits) -> Anchors:
    """Return the anchors of the units that count, row by row."""
    corpus = units.corpus
    anchors = Anchors.plain(corpus.start, corpus.end) if corpus.anchors is None else corpus.anchors
    return anchors.take(np.flatnonzero(units.shared[corpus.document]))


def ends_in_common(units: LabelledUnits, u: IntArray, v: IntArray, *, partly: float, directed: bool) -> FloatArray:
    """Return the mean credit of the ends of each two relations; 0 if they have not the same ends, or some are apart.

    An end that is the same counts 1, one that overlaps `partly`. If a role occurs several times, as in events, its
    anchors are compared in their order.
    """
    anchors = anchors_of(units)
    orders = [anchors] if directed else [anchors, turned_around(anchors)]
    table = anchors.table()
    own = table[u].reshape(len(u), table.shape[1] // 3, 3)
    each = [_credit(own, order.table()[v].reshape(own.shape), partly) for order in orders]
    return np.asarray(np.max(each, axis=0))


def _credit(one: FloatArray, other: FloatArray, partly: float) -> FloatArray:
    """Compare anchors: role, start and end each; nan where there is none."""
    there = ~np.isnan(one[..., 0])
    fits = ((one[..., 0] == other[..., 0]) | (~there & np.isnan(other[..., 0]))).all(axis=1)
    same = (one[..., 1:] == other[..., 1:]).all(axis=2)
    meet = np.maximum(one[..., 1], other[..., 1]) < np.minimum(one[..., 2], other[..., 2])
    credit = np.where(same, 1.0, np.where(meet, partly, 0.0))
    complete = fits & ((credit > 0) | ~there).all(axis=1)
    return np.asarray(np.where(complete, np.where(there, credit, 0.0).sum(axis=1) / there.sum(axis=1), 0.0))


def label_kappa(tables: Mapping[int, FloatArray]) -> float | None:
    """Return Cohen's κ of labels, the mean over pairs of annotators; None if there is none."""
    values = [value for table in tables.values() if (value := _kappa(table)) is not None]
    return fsum(values) / len(values) if values else None


def _kappa(table: FloatArray) -> float | None:
    total = float(table.sum())
    observed = float(np.trace(table)) / total
    expected = float(table.sum(axis=1) @ table.sum(axis=0)) / total**2
    return None if expected >= 1.0 else (observed - expected) / (1.0 - expected)
