"""Places of ratings and normalizations: items with their labels, words with what they were rewritten to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from unisono.arrays import FloatArray, IntArray
from unisono.data import Data, Normalizations, Ratings
from unisono.dissimilarity.category import Distance, Nominal
from unisono.reporting.full.hiding import Names
from unisono.reporting.full.labels import Orders, label_order
from unisono.reporting.full.places import MOST_UNITS, Place, Places, Scene
from unisono.reporting.notebook import seen_label
from unisono.results import Result

_SEEN = 0.005
"""Sizes below are written as 0.00."""
_MOST_COMPARED = 1000
"""Up to so many labels, each is compared with each."""


@dataclass(frozen=True)
class Apart:
    """How far labels are apart.

    Attributes
    ----------
    said : str
        The distance as it was written.
    compare : callable
        Codes of labels, twice -> how far each two are apart.
    greatest : float
        How far any two labels in use are apart at most; 0 where they are too many to tell.
    """

    said: str
    compare: Callable[[IntArray, IntArray], FloatArray]
    greatest: float = 0.0


def distance_of(result: Result, data: Data) -> Apart | None:
    """Give the distance that a measure of ratings has between labels; None if labels are the same or not."""
    given = result.parameters
    distance = next((given[name] for name in ("distance", "weights") if name in given), None)
    if not isinstance(data, Ratings) or not isinstance(distance, Distance) or isinstance(distance, Nominal):
        return None
    frequencies = np.bincount(data.codes[data.codes >= 0], minlength=len(data.labels)).astype(np.float64)
    compare = distance.differences(data.labels).given(frequencies).compare
    return Apart(str(distance), compare, _greatest(compare, np.flatnonzero(frequencies)))


def item_places(
    data: Ratings | Normalizations, names: Names, apart: Apart | None = None, orders: Orders = ()
) -> Places | None:
    """List items, the size of whose disagreement is how far pairs of annotators are apart on average.

    Parameters
    ----------
    data : Ratings or Normalizations
        What was annotated.
    names : Names
        How labels are written, and whether text is hidden.
    apart : Apart, optional
        How far labels are apart; without it, 1 if they differ: the size is the share of pairs that do.
    orders : sequence of sequences of str
        Orders of labels that measures were given.
    """
    rated = isinstance(data, Ratings)
    codes = data.codes if isinstance(data, Ratings) else data.norm
    if not rated and names.hide:
        return None
    sizes, greatest = item_sizes(codes, apart)
    missing = (codes < 0).mean(axis=1)
    order = np.argsort(-sizes, kind="stable")[: max(MOST_UNITS // max(len(data.annotators), 1), 1)]
    kept = np.zeros(len(codes), dtype=np.bool_)
    kept[order] = True
    forms = data.labels if isinstance(data, Ratings) else data.forms
    counts = np.bincount(codes[kept].ravel() + 1, minlength=len(forms) + 1)[1:]
    ranked = label_order(forms, counts.tolist(), orders=orders)
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
        measure="" if apart is None else f"{apart.said}; 1 is {greatest}",
        annotators=data.annotators,
        features=("label" if rated else "rewritten as",),
        labels=(tuple(names.of("label", forms[code]) for code in ranked),),
        kinds=("label", "missing label") if rated else ("word", "not rewritten"),
        worst=1.0,
        scenes=tuple(scenes),
        n_places=len(codes),
    )


def item_sizes(codes: IntArray, apart: Apart | None = None) -> tuple[FloatArray, str]:
    """Give how far pairs of annotators are apart on each item, and what a distance of 1 is.

    Where sizes could not be told from 0 beside the greatest distance of any two labels, 1 is the greatest that occurs.
    """
    if apart is None:
        return differing_pairs(codes)[0], ""
    sizes, occurring = differing_pairs(codes, apart.compare)
    if apart.greatest and (not occurring or sizes.max() >= _SEEN * apart.greatest):
        return sizes / apart.greatest, "the greatest distance of two labels in use"
    return sizes / (occurring or 1.0), "the greatest distance that occurs here"


def _greatest(compare: Callable[[IntArray, IntArray], FloatArray], used: IntArray) -> float:
    if len(used) > _MOST_COMPARED:
        return 0.0
    return max((float(compare(np.full_like(used, code), used).max()) for code in used.tolist()), default=0.0)


def _unlike(u: IntArray, v: IntArray) -> FloatArray:
    return np.asarray(u != v, dtype=np.float64)


def differing_pairs(
    codes: IntArray, compare: Callable[[IntArray, IntArray], FloatArray] = _unlike
) -> tuple[FloatArray, float]:
    """Give how far pairs of annotators are apart on average, item by item, and how far any of them are at most.

    An item with fewer than two labels has 0.
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
    return np.asarray(total / np.maximum(pairs, 1)), greatest


def _name(data: Ratings | Normalizations, row: int, names: Names) -> str:
    if isinstance(data, Normalizations):
        return str(data.forms[data.original[row]])
    return "" if names.hide else seen_label(data.items[row])
