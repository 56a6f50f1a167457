"""Places of ratings and normalizations: items with their labels, words with what they were rewritten to."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from unisono.arrays import BoolArray, FloatArray, IntArray
from unisono.data import Normalizations, Ratings
from unisono.measurement.item_distances import LabelDistance, item_sizes
from unisono.reporting.full_report.hidden_text import Names
from unisono.reporting.full_report.label_order import Orders, label_order
from unisono.reporting.full_report.places import MOST_UNITS, ListedPlace, Places, Scene
from unisono.reporting.markup import seen_label


def item_places(
    data: Ratings | Normalizations, names: Names, distance: LabelDistance | None = None, orders: Orders = ()
) -> Places | None:
    """List items by how far apart pairs of annotators are on average; None if there are none, or only hidden words.

    By default, labels are 1 apart if they differ; `orders` are orders of labels that measures were given.
    """
    rated = isinstance(data, Ratings)
    if not rated and names.hide:
        return None
    codes, forms = (data.codes, data.labels) if isinstance(data, Ratings) else (data.norm, data.forms)
    sizes, one = item_sizes(codes, distance)
    order = np.argsort(-sizes, kind="stable")[: max(MOST_UNITS // max(len(data.annotators), 1), 1)]
    kept = np.zeros(len(codes), dtype=np.bool_)
    kept[order] = True
    counts = np.bincount(codes[kept].ravel() + 1, minlength=len(forms) + 1)[1:]
    ranked = label_order(forms, counts.tolist(), orders=orders)
    number = np.full(len(forms) + 1, -1)  # the last stands for a missing label
    number[ranked] = np.arange(len(ranked))
    labels, everybody = number[codes], tuple(range(len(data.annotators)))
    scenes = []
    for index, document in enumerate(data.documents):
        places = tuple(_places(data, data.document == index, kept, labels, sizes, names))
        if places:
            scenes.append(Scene(names.document(document), everybody, (0.0, 0.0), (), places))
    if not scenes:
        return None
    return Places(
        sort="items" if rated else "words",
        measure="" if distance is None else f"{names.value('distance', distance.name)}; 1 is {one}",
        annotators=data.annotators,
        features=("label" if rated else "rewritten as",),
        labels=(tuple(names.of("label", forms[code]) for code in ranked),),
        kinds=("label", "missing label") if rated else ("word", "not rewritten"),
        worst=1.0,
        scenes=tuple(scenes),
        n_places=len(codes),
    )


def _places(
    data: Ratings | Normalizations, here: BoolArray, kept: BoolArray, labels: IntArray, sizes: FloatArray, names: Names
) -> Iterator[ListedPlace]:
    """Make the places of one document; `labels` has the labels' numbers in the order in which they are shown."""
    for place, row in enumerate(np.flatnonzero(here).tolist(), start=1):
        if kept[row]:
            size, missing = float(sizes[row]), float(np.mean(labels[row] < 0))
            cells = tuple(None if label < 0 else (0, 0, label) for label in labels[row].tolist())
            yield ListedPlace(place, size, (size, missing), cells, _name(data, row, names))


def _name(data: Ratings | Normalizations, row: int, names: Names) -> str:
    if isinstance(data, Normalizations):
        return str(data.forms[data.original[row]])
    return "" if names.hide else seen_label(data.items[row])
