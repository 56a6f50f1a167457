"""Cutting a single document into stretches that can be left out one by one."""

from __future__ import annotations

import numpy as np

from unisono.arrays import FloatArray, IntArray
from unisono.data import Corpus
from unisono.data.meetings import ranges


def in_stretches(corpus: Corpus, n_stretches: int, *, through: bool = False) -> Corpus | None:
    """Make a document of each stretch of the only document; return None if it cannot be cut.

    Cuts go `through` units, into stretches of equal length, as in segmentations of the whole document; or else only
    where no unit is, so that stretches have about the same number of units.
    """
    start, end = corpus.start.astype(np.float64), corpus.end.astype(np.float64)
    low, high = next(iter(corpus)).bounds
    even = np.floor(low + (high - low) * np.arange(1, n_stretches) / n_stretches)
    cuts = even if through else _between(start, end, n_stretches)
    cuts = np.unique(cuts[(cuts > low) & (cuts < high)])
    if not len(cuts):
        return None
    edges = np.concatenate([[low], cuts, [high]])
    unit, stretch = _pieces(start, end, edges)
    names = [str(number) for number in range(len(edges) - 1)]
    people = np.array(corpus.annotators, dtype=object)[corpus.annotator[unit]]
    return Corpus.from_columns(
        annotator=people.tolist(),
        start=np.maximum(start[unit], edges[stretch]),
        end=np.minimum(end[unit], edges[stretch + 1]),
        document=[names[index] for index in stretch.tolist()],
        documents=names,
        annotators=corpus.annotators,
        features={name: column.take(unit).values() for name, column in corpus.features.items()},
        worked=[(name, who) for name in names for who in next(iter(corpus)).annotators],
        bounds={name: (float(edges[i]), float(edges[i + 1])) for i, name in enumerate(names)},
        source=corpus.source,
        anchors=None if corpus.anchors is None else corpus.anchors.take(unit),  # whole, since no cut is through them
    )


def _between(start: FloatArray, end: FloatArray, n: int) -> FloatArray:
    """Find places where no unit is, with about the same number of units between neighbouring ones."""
    order = np.lexsort((end, start))
    reached = np.maximum.accumulate(end[order])
    free = np.flatnonzero(start[order][1:] >= reached[:-1]) + 1
    if not len(free):
        return np.zeros(0)
    wanted = np.arange(1, n) * len(order) / n
    nearest = free[np.abs(free[:, None] - wanted[None, :]).argmin(axis=0)]
    return np.asarray(start[order][np.unique(nearest)])


def _pieces(start: FloatArray, end: FloatArray, edges: FloatArray) -> tuple[IntArray, IntArray]:
    """Return (unit, stretch) of every piece of a unit; a unit of length 0 is in the stretch that begins there."""
    first = np.clip(np.searchsorted(edges, start, side="right") - 1, 0, len(edges) - 2)
    last = np.maximum(np.clip(np.searchsorted(edges, end, side="left") - 1, 0, len(edges) - 2), first)
    counts = last - first + 1
    return np.repeat(np.arange(len(start)), counts), ranges(first, counts)
