"""Places of segmentations: wherever somebody cut a document, with who else did."""

from __future__ import annotations

import numpy as np

from unisono.data import Corpus, Document
from unisono.measurement.segmentation.boundary_disputes import BoundaryDisputes
from unisono.reporting.full_report.hidden_text import Names
from unisono.reporting.full_report.places import MOST_TEXT, MOST_UNITS, ListedPlace, Places, Scene, pieces_of, unit_of

_AROUND = 300


def boundary_places(corpus: Corpus, found: BoundaryDisputes, measure: str, names: Names) -> Places | None:
    """List boundaries by how much annotators disagree there, as `measure` does; None if nobody cut anything."""
    sizes = np.sum([*found.costs.values()], axis=0) if found.costs else np.zeros(len(found.document))
    most = MOST_UNITS // max(len(corpus.annotators), 1)
    kept = np.sort(np.argsort(-sizes, kind="stable")[: max(most, 1)])
    scenes = []
    for index in np.unique(found.document[kept]).tolist():
        document, who = Document(corpus, index), found.who[index]
        first = int(np.searchsorted(found.document, index))
        rows = kept[found.document[kept] == index].tolist()
        places = tuple(
            ListedPlace(
                row - first + 1,
                float(sizes[row]),
                tuple(float(cost[row]) for cost in found.costs.values()),
                tuple(_cell(document, float(found.cut[row, one]), hide=names.hide) for one in who),
            )
            for row in rows
        )
        text = None if names.hide else document.readable
        cells = [cell for place in places for cell in place.cells]
        texts = (
            () if text is None else (pieces_of(text, cells, len(text.encode(errors="replace")) <= MOST_TEXT, _AROUND),)
        )
        bounds = document.bounds if text is None else (0.0, float(len(text)))
        scenes.append(Scene(names.document(document.name), who, bounds, texts, places))
    if not scenes:
        return None
    return Places(
        sort="boundaries",
        measure=measure,
        annotators=corpus.annotators,
        features=(),
        labels=(),
        kinds=tuple(found.costs),
        worst=1.0,
        scenes=tuple(scenes),
        n_places=len(sizes),
        unit=unit_of(corpus, names),
    )


def _cell(document: Document, position: float, *, hide: bool) -> tuple[float, float] | None:
    """Return a boundary as a stretch without length; None if there is none."""
    if np.isnan(position):
        return None
    return (position, position) if hide else document.characters(position, position)
