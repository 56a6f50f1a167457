"""Places of ratings and normalizations: items with their labels, words with what they were rewritten to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from unisono.arrays import FloatArray, IntArray
from unisono.data import Label, Normalizations, Ratings
from unisono.measurement.item_distances import LabelDistance, item_sizes
from unisono.reporting.full_report.hidden_text import Names
from unisono.reporting.full_report.label_order import Orders, label_order
from unisono.reporting.full_report.label_paints import painted_labels
from unisono.reporting.full_report.places import MOST_TEXT, MOST_UNITS, ListedPlace, Places, Scene
from unisono.reporting.markup import seen_label, shortened

MOST_EMBEDDED = 400_000
"""If there are more labels, only the worst items are embedded."""
LONGEST_TEXT = 2_000
"""Of longer texts of items, only the beginning is embedded."""


def item_places(
    data: Ratings | Normalizations, names: Names, distance: LabelDistance | None = None, orders: Orders = ()
) -> Places | None:
    """List items by how far apart pairs of annotators are on average; None if there are none, or only hidden words.

    By default, labels are 1 apart if they differ; `orders` are orders of labels that measures were given.
    """
    if isinstance(data, Ratings):
        return _of_items(data, names, distance, orders)
    if names.hide:
        return None
    sizes, _ = item_sizes(data.norm)
    kept = _worst(sizes, MOST_UNITS // max(len(data.annotators), 1))
    counts = np.bincount(data.norm[kept].ravel() + 1, minlength=len(data.forms) + 1)[1:]
    order = label_order(data.forms, counts.tolist())
    called = {row: str(data.forms[data.original[row]]) for row in kept}
    places = _places(data, kept, _renumbered(order, data.norm, len(data.forms)), sizes, called, {})
    return _listed(data, names, places, ("word", "not rewritten"), "rewritten as", [data.forms[k] for k in order])


def _of_items(data: Ratings, names: Names, distance: LabelDistance | None, orders: Orders) -> Places | None:
    sizes, one = item_sizes(data.codes, distance)
    kept = _worst(sizes, MOST_EMBEDDED // max(len(data.annotators), 1))
    painted = painted_labels(data, data.codes[kept], orders)
    called = {} if names.hide else {row: seen_label(data.items[row]) for row in kept}
    texts, n_untold = ({}, 0) if names.hide else _texts(data, kept, called)
    labels = _renumbered(painted.order, data.codes, len(data.labels))
    places = _places(data, kept, labels, sizes, called, texts)
    measure = "" if distance is None else f"{names.value('distance', distance.name)}; 1 is {one}"
    shown = [data.labels[code] for code in painted.order]
    found = _listed(data, names, places, ("label", "missing label"), "label", shown)
    return found and replace(found, measure=measure, paints=painted.paints, n_untold=n_untold)


def _worst(sizes: FloatArray, most: int) -> list[int]:
    """Return the items to embed, the worst first."""
    worst: list[int] = np.argsort(-sizes, kind="stable")[: max(most, 1)].tolist()
    return worst


def _renumbered(order: Sequence[int], codes: IntArray, n_labels: int) -> IntArray:
    """Replace codes by numbers of labels in the order in which they are shown; -1 for a missing one."""
    number = np.full(n_labels + 1, -1)  # the last stands for a missing label
    number[order] = np.arange(len(order))
    return number[codes]


def _texts(data: Ratings, kept: Sequence[int], called: dict[int, str]) -> tuple[dict[int, str], int]:
    """Return what items say, and how many texts are left out because there is too much text; the worst come first."""
    found, left, n_untold = {}, MOST_TEXT, 0
    for row in kept if data.texts is not None else ():
        text = (data.texts[row] or "").strip() if data.texts is not None else ""
        if not text or text == called[row]:
            continue
        cut = shortened(text, LONGEST_TEXT)
        left -= len(cut.encode(errors="replace"))
        if left >= 0:
            found[row] = cut
        else:
            n_untold += 1
    return found, n_untold


def _places(
    data: Ratings | Normalizations,
    kept: Sequence[int],
    labels: IntArray,
    sizes: FloatArray,
    called: dict[int, str],
    texts: dict[int, str],
) -> Iterator[tuple[int, ListedPlace]]:
    """Make the places, each with its document; `labels` has the numbers of labels as they are shown."""
    order = np.argsort(data.document, kind="stable")
    counts = np.bincount(data.document, minlength=len(data.documents))
    number = np.empty(len(order), dtype=np.int64)
    number[order] = np.arange(len(order)) - np.repeat(np.cumsum(counts) - counts, counts) + 1
    rows = np.sort(np.asarray(kept, dtype=np.int64))
    missing, cell = (labels < 0).mean(axis=1), [(0, 0, k) for k in range(int(labels.max(initial=-1)) + 1)]
    times = data.times.tolist() if isinstance(data, Ratings) else [1] * len(labels)
    for row, codes in zip(rows.tolist(), labels[rows].tolist(), strict=True):
        yield (
            int(data.document[row]),
            ListedPlace(
                int(number[row]),
                float(sizes[row]),
                (float(sizes[row]), float(missing[row])),
                tuple(None if code < 0 else cell[code] for code in codes),
                called.get(row, ""),
                texts.get(row, ""),
                int(times[row]),
            ),
        )


def _listed(
    data: Ratings | Normalizations,
    names: Names,
    places: Iterator[tuple[int, ListedPlace]],
    kinds: tuple[str, ...],
    feature: str,
    labels: Sequence[Label],
) -> Places | None:
    by_document: dict[int, list[ListedPlace]] = {}
    for document, place in places:
        by_document.setdefault(document, []).append(place)
    if not by_document:
        return None
    everybody = tuple(range(len(data.annotators)))
    scenes = [
        Scene(names.document(data.documents[index]), everybody, (0.0, 0.0), (), tuple(by_document[index]))
        for index in sorted(by_document)
    ]
    return Places(
        sort="items" if isinstance(data, Ratings) else "words",
        measure="",
        annotators=data.annotators,
        features=(feature,),
        labels=(tuple(names.of("label", label) for label in labels),),
        kinds=kinds,
        worst=1.0,
        scenes=tuple(scenes),
        n_places=len(data.document),
    )
