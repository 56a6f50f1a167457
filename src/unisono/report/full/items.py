"""Places of ratings and normalizations: items with their labels, words with what they were rewritten to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from unisono.arrays import FloatArray, IntArray
from unisono.data import Data, Normalizations, Ratings
from unisono.dissimilarity.category import Distance, Nominal
from unisono.dissimilarity.difference import bound
from unisono.report.full.hiding import Names
from unisono.report.full.labels import label_order
from unisono.report.full.places import MOST_UNITS, Place, Places, Scene
from unisono.report.notebook import seen_label
from unisono.results import Result


@dataclass(frozen=True)
class Apart:
    """How far labels are apart.

    Attributes
    ----------
    said : str
        The distance as it was written.
    compare : callable
        Codes of labels, twice -> how far each two are apart.
    """

    said: str
    compare: Callable[[IntArray, IntArray], FloatArray]


def distance_of(result: Result, data: Data) -> Apart | None:
    """Give the distance that a measure of ratings has between labels; None if labels are the same or not."""
    given = result.parameters
    distance = next((given[name] for name in ("distance", "weights") if name in given), None)
    if not isinstance(data, Ratings) or not isinstance(distance, Distance) or isinstance(distance, Nominal):
        return None
    frequencies = np.bincount(data.codes[data.codes >= 0], minlength=len(data.labels)).astype(np.float64)
    return Apart(str(distance), bound(distance, data.labels).given(frequencies).compare)


def item_places(data: Ratings | Normalizations, names: Names, apart: Apart | None = None) -> Places | None:
    """List items, the size of whose disagreement is how far pairs of annotators are apart on average.

    Parameters
    ----------
    data : Ratings or Normalizations
        What was annotated.
    names : Names
        How labels are written, and whether text is hidden.
    apart : Apart, optional
        How far labels are apart; without it, 1 if they differ: the size is the share of pairs that do.
    """
    rated = isinstance(data, Ratings)
    codes = data.codes if isinstance(data, Ratings) else data.norm
    if not rated and names.hide:
        return None
    sizes = differing_pairs(codes) if apart is None else differing_pairs(codes, apart.compare)
    missing = (codes < 0).mean(axis=1)
    order = np.argsort(-sizes, kind="stable")[: max(MOST_UNITS // max(len(data.annotators), 1), 1)]
    kept = np.zeros(len(codes), dtype=np.bool_)
    kept[order] = True
    forms = data.labels if isinstance(data, Ratings) else data.forms
    counts = np.bincount(codes[kept].ravel() + 1, minlength=len(forms) + 1)[1:]
    ranked = label_order(forms, counts.tolist())
    number = {-1: -1, **{code: place for place, code in enumerate(ranked)}}
    scenes = []
    for index, document in enumerate(data.documents):
        rows = np.flatnonzero(data.document == index)
        places = tuple(
            Place(
                int(place) + 1,
                float(sizes[row]),
                (float(sizes[row]), float(missing[row])),
                tuple(None if code < 0 else (0, 0, number[code]) for code in codes[row].tolist()),
                _name(data, int(row), names),
            )
            for place, row in enumerate(rows.tolist())
            if kept[row]
        )
        if places:
            scenes.append(Scene(document, tuple(range(len(data.annotators))), (0.0, 0.0), (), places))
    if not scenes:
        return None
    return Places(
        sort="items" if rated else "words",
        measure="" if apart is None else apart.said,
        annotators=data.annotators,
        features=("label" if rated else "rewritten as",),
        labels=(tuple(names.of("label", forms[code]) for code in ranked),),
        kinds=("label", "missing label") if rated else ("word", "not rewritten"),
        worst=1.0,
        scenes=tuple(scenes),
        n_places=len(codes),
    )


def _unlike(u: IntArray, v: IntArray) -> FloatArray:
    return np.asarray(u != v, dtype=np.float64)


def differing_pairs(codes: IntArray, compare: Callable[[IntArray, IntArray], FloatArray] = _unlike) -> FloatArray:
    """Give, for each item, how far pairs of annotators are apart on average; 0 with fewer than two labels.

    The greatest distance of any two labels of one item is 1.
    """
    n_items, n_annotators = codes.shape
    total, pairs, greatest = np.zeros(n_items), np.zeros(n_items), 0.0
    for a in range(n_annotators):
        for b in range(a + 1, n_annotators):
            both = np.flatnonzero((codes[:, a] >= 0) & (codes[:, b] >= 0))
            apart = compare(codes[both, a], codes[both, b])
            pairs[both] += 1
            total[both] += apart
            greatest = max(greatest, float(apart.max(initial=0.0)))
    return np.asarray(total / np.maximum(pairs, 1) / (greatest or 1.0))


def _name(data: Ratings | Normalizations, row: int, names: Names) -> str:
    if isinstance(data, Normalizations):
        return str(data.forms[data.original[row]])
    return "" if names.hide else seen_label(data.items[row])
