"""Places of ratings and normalizations: items with their labels, words with what they were rewritten to."""

from __future__ import annotations

import numpy as np

from unisono.arrays import FloatArray, IntArray
from unisono.data import Normalizations, Ratings
from unisono.report.full.hiding import Names
from unisono.report.full.places import MOST_UNITS, Place, Places, Scene
from unisono.report.notebook import label_text


def item_places(data: Ratings | Normalizations, names: Names) -> Places | None:
    """List items, the size of whose disagreement is the share of pairs of annotators that differ.

    Parameters
    ----------
    data : Ratings or Normalizations
        What was annotated.
    names : Names
        How labels are written, and whether text is hidden.
    """
    rated = isinstance(data, Ratings)
    codes = data.codes if isinstance(data, Ratings) else data.norm
    if not rated and names.hide:
        return None
    sizes = differing_pairs(codes)
    order = np.argsort(-sizes, kind="stable")[: max(MOST_UNITS // max(len(data.annotators), 1), 1)]
    kept = np.zeros(len(codes), dtype=np.bool_)
    kept[order] = True
    used = np.unique(codes[kept])
    counts = np.bincount(codes[kept].ravel() + 1, minlength=int(used.max(initial=-1)) + 2)[1:]
    ranked = np.argsort(-counts, kind="stable")[: int((counts > 0).sum())]
    number = np.full(len(counts) + 1, -1)
    number[ranked] = np.arange(len(ranked))
    label = "label" if rated else "rewritten as"
    forms = data.labels if isinstance(data, Ratings) else data.forms
    scenes = []
    for index, document in enumerate(data.documents):
        rows = np.flatnonzero(data.document == index)
        places = tuple(
            Place(
                int(place) + 1,
                float(sizes[row]),
                (float(sizes[row]),),
                tuple(None if code < 0 else (0, 0, int(number[code])) for code in codes[row].tolist()),
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
        measure="",
        annotators=data.annotators,
        features=(label,),
        labels=(tuple(names.of("label", forms[code]) for code in ranked.tolist()),),
        kinds=("label" if rated else "word",),
        worst=1.0,
        scenes=tuple(scenes),
        n_places=len(codes),
    )


def differing_pairs(codes: IntArray) -> FloatArray:
    """Give, for each item, the share of pairs of annotators who gave different labels; 0 with fewer than two."""
    n_items, n_annotators = codes.shape
    differ, pairs = np.zeros(n_items), np.zeros(n_items)
    for a in range(n_annotators):
        for b in range(a + 1, n_annotators):
            both = (codes[:, a] >= 0) & (codes[:, b] >= 0)
            pairs += both
            differ += both & (codes[:, a] != codes[:, b])
    return np.asarray(differ / np.maximum(pairs, 1))


def _name(data: Ratings | Normalizations, row: int, names: Names) -> str:
    if isinstance(data, Normalizations):
        return str(data.forms[data.original[row]])
    return "" if names.hide else label_text(data.items[row])
