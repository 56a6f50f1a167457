"""Where annotators disagree: the places that the page lists, worst first, and draws with their surroundings.

A place is a unitary alignment of units, an item with its labels, or a word with what it was rewritten to. Places are
embedded in the page as plain data; `assets/places.js` describes their layout.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from unisono.alignment.aligned import Aligned
from unisono.alignment.alignment import Alignment
from unisono.alignment.text_alignment import TextAlignment
from unisono.arrays import BoolArray, FloatArray
from unisono.data import Corpus, Document, Label, Unit
from unisono.data.anchors import PIECE
from unisono.reporting.cards import KIND_NAMES
from unisono.reporting.full_report.hidden_text import Names
from unisono.reporting.full_report.label_order import Orders, label_order
from unisono.reporting.full_report.label_paints import Paint

MOST_UNITS = 12_000
"""If there are more units, only the worst places and their neighbours are embedded."""
MOST_TEXT = 400_000
"""If texts have more bytes, only what is around the places is embedded."""
_NEIGHBOURS = 3
_AROUND, _BESIDE = 300, 2
"""How much text is embedded before and after a unit where it is drawn as a line, and where it is only quoted."""

Ends: TypeAlias = tuple[tuple[str, float, float], ...]
"""The anchors of a unit, each with its role, begin and end."""


@dataclass(frozen=True)
class ListedPlace:
    """One place."""

    number: int
    """Its number in the document, in the order of the text, from 1."""
    size: float
    """How much annotators disagree."""
    parts: tuple[float, ...]
    """The size by what differs."""
    cells: tuple[tuple[Any, ...] | None, ...]
    """For each annotator of the document None, or begin, end and the labels' numbers."""
    name: str = ""
    """What it is called, if not by its number."""
    text: str = ""
    """What an item says, if that is known."""
    times: int = 1
    """How many items it stands for."""
    ends: tuple[Ends, ...] = ()
    """The anchors of each cell, as far as it has several; nothing where all units are plain."""

    def ends_of(self, track: int) -> Ends:
        """Return the anchors of an annotator's unit; () if it is plain."""
        return self.ends[track] if self.ends else ()

    def to_list(self, compact: bool = False) -> list[Any]:
        """Return what the page's script reads; of items, the labels' numbers only."""
        if compact:
            codes = [-1 if cell is None else cell[2] for cell in self.cells]
            more = [self.text, self.times] if self.times > 1 else [self.text] if self.text else []
            name = 0 if self.name == str(self.number) else self.name
            return [self.number, _short(self.size), codes, name, *more]
        cells = [0 if cell is None else list(cell) for cell in self.cells]
        row = [self.number, _short(self.size), [_short(part) for part in self.parts], cells]
        if any(self.ends):
            return [*row, self.name, [[list(end) for end in own] for own in self.ends]]
        return [*row, self.name] if self.name else row


@dataclass(frozen=True)
class Scene:
    """A document with its places."""

    name: str
    who: tuple[int, ...]
    """Those who worked on it, by their numbers."""
    bounds: tuple[float, float]
    texts: tuple[tuple[tuple[int, str], ...], ...]
    """One text for all, one for each, or none; each in pieces of (offset, text)."""
    places: tuple[ListedPlace, ...]
    """In the order of the text."""

    def excerpt(self, place: ListedPlace) -> str:
        """Return the text of a place, if there is any; if texts differ, of the first annotator who has a unit there."""
        if place.text or not self.texts:
            return place.text
        track = next(k for k, cell in enumerate(place.cells) if cell is not None)
        if ends := place.ends_of(track):
            between = " … " if all(role == PIECE for role, _, _ in ends) else " → "
            return between.join(self._covered(track, begin, end) for _, begin, end in ends)
        cells = [cell for cell in place.cells if cell is not None][: 1 if len(self.texts) > 1 else None]
        return self._covered(track, min(cell[0] for cell in cells), max(cell[1] for cell in cells))

    def _covered(self, track: int, begin: float, end: float) -> str:
        """Return the text from one position to another."""
        pieces = self.texts[track if len(self.texts) > 1 else 0]
        return next((text[int(begin) - at : int(end) - at] for at, text in pieces if at <= begin < at + len(text)), "")

    def to_dict(self, compact: bool = False) -> dict[str, Any]:
        """Return what the page's script reads."""
        return {
            "name": self.name,
            "who": list(self.who),
            "bounds": list(self.bounds),
            "texts": [[list(piece) for piece in text] for text in self.texts],
            "rows": [place.to_list(compact) for place in self.places],
        }


@dataclass(frozen=True)
class Places:
    """All places of a report."""

    sort: str
    """What kind of places they are: units, texts, boundaries, items or words."""
    measure: str
    """What aligned them; of items, the distance between labels, if there is one, and what a size of 1 stands for."""
    annotators: tuple[str, ...]
    features: tuple[str, ...]
    """What labels belong to."""
    labels: tuple[tuple[str, ...], ...]
    """The labels of each feature, in the order of `label_order`."""
    kinds: tuple[str, ...]
    """What can differ."""
    worst: float
    """What an empty unit costs: the size of a place that only one annotator marked."""
    scenes: tuple[Scene, ...]
    n_places: int
    """How many there are in all, including those not embedded."""
    paints: tuple[Paint, ...] = ()
    """The colours of the labels, of units those of the first feature: see `label_paints`."""
    n_untold: int = 0
    """How many items have a text that is not embedded."""
    unit: str = ""
    """What positions count: "s" (seconds), "characters", or nothing that is known."""

    @property
    def n_shown(self) -> int:
        """How many are embedded."""
        return sum(len(scene.places) for scene in self.scenes)

    @property
    def documents(self) -> list[str]:
        """The documents that have places."""
        return [scene.name for scene in self.scenes]

    def worst_first(self, most: int) -> list[tuple[Scene, ListedPlace]]:
        """Return the worst places of all documents."""
        every = [(scene, place) for scene in self.scenes for place in scene.places if place.size > 0]
        return sorted(every, key=lambda one: -one[1].size)[:most]

    def to_dict(self) -> dict[str, Any]:
        """Return what the page's script reads."""
        return {
            "sort": self.sort,
            "annotators": self.annotators,
            "features": self.features,
            "labels": self.labels,
            "kinds": [KIND_NAMES.get(kind, kind) for kind in self.kinds],
            "worst": self.worst,
            "paints": self.paints,
            "unit": self.unit,
            "documents": [scene.to_dict(compact=self.sort == "items") for scene in self.scenes],
        }


def aligned_places(
    alignments: Mapping[str, Aligned],
    measure: str,
    names: Names,
    orders: Orders = (),
) -> Places | None:
    """Make places of alignments; None if there is nothing aligned.

    `measure` aligned them; `orders` are orders of labels that measures were given.
    """
    first = next(iter(alignments.values()), None)
    if first is None or not any(len(alignment) for alignment in alignments.values()):
        return None
    corpus = first.document.corpus
    features = compared_features(first)
    numbers = [_numbered(corpus, name, orders) for name in features]
    sizes = [alignment.solution.cost * alignment.delta_empty for alignment in alignments.values()]
    chosen = _chosen(list(alignments.values()), sizes)
    kinds = tuple(first.parts)
    every = [*corpus.texts.values(), *(counted.text for counted in corpus.counted.values())]
    whole = sum(len(text.encode(errors="replace")) for text in every) <= MOST_TEXT
    people = {name: index for index, name in enumerate(corpus.annotators)}
    scenes = []
    for alignment, kept, size in zip(alignments.values(), chosen, sizes, strict=True):
        document = alignment.document
        rows = np.flatnonzero(kept).tolist()
        if rows:
            own = alignment.parts
            compared = list(zip(features, numbers, strict=True))
            drawn = None if names.hide else document
            places = tuple(
                ListedPlace(
                    row + 1,
                    float(size[row]),
                    tuple(float(own[kind][row]) for kind in kinds),
                    _cells(alignment, row, compared, drawn),
                    ends=_ends(alignment, row, drawn),
                )
                for row in rows
            )
            texts = () if names.hide else _texts(alignment, places, whole)
            who = tuple(people[name] for name in alignment.names)
            scenes.append(Scene(names.document(document.name), who, _bounds(document, hide=names.hide), texts, places))
    return Places(
        sort="texts" if isinstance(first, TextAlignment) else "units",
        measure=measure,
        annotators=corpus.annotators,
        features=features,
        labels=tuple(
            tuple(names.of(name, label) for label in order) for name, order in zip(features, numbers, strict=True)
        ),
        kinds=kinds,
        worst=first.delta_empty,
        scenes=tuple(scenes),
        n_places=sum(map(len, alignments.values())),
        paints=tuple(corpus.features[features[0]].labels.index(label) for label in numbers[0]) if features else (),
        unit=unit_of(corpus, names),
    )


def unit_of(corpus: Corpus, names: Names) -> str:
    """Say what positions count as far as that is known: fractions are seconds of a recording."""
    if corpus.start.dtype.kind == "f":
        return "s"
    return "characters" if (corpus.texts or corpus.counted) and not names.hide else ""


def compared_features(alignment: Aligned) -> tuple[str, ...]:
    """Return the features by which units were compared."""
    if isinstance(alignment, Alignment):
        return tuple(alignment.dissimilarity.features)
    return tuple(name for name in alignment.document.corpus.features if name != "type")


def _numbered(corpus: Corpus, feature: str, orders: Orders) -> dict[Label, int]:
    """Give numbers to the labels of a feature that occur; see `label_order`."""
    column = corpus.features[feature]
    counts = np.bincount(column.codes + 1, minlength=len(column.labels) + 1)[1:].tolist()
    order = label_order(column.labels, counts, orders=orders)
    return {column.labels[code]: number for number, code in enumerate(order)}


def _chosen(alignments: Sequence[Aligned], sizes: Sequence[FloatArray]) -> list[BoolArray]:
    """Choose the places to embed: all, or the worst and those next to them."""
    kept = [np.zeros(len(alignment), dtype=np.bool_) for alignment in alignments]
    units = [(alignment.solution.table >= 0).sum(axis=1) for alignment in alignments]
    if sum(int(n.sum()) for n in units) <= MOST_UNITS:
        return [np.ones(len(alignment), dtype=np.bool_) for alignment in alignments]
    which = np.repeat(np.arange(len(alignments)), [len(alignment) for alignment in alignments])
    rows = np.concatenate([np.arange(len(alignment)) for alignment in alignments])
    order = np.argsort(-np.concatenate(sizes), kind="stable")
    left = MOST_UNITS
    for document, row in zip(which[order].tolist(), rows[order].tolist(), strict=True):
        near = np.arange(max(row - _NEIGHBOURS, 0), min(row + _NEIGHBOURS + 1, len(kept[document])))
        new = near[~kept[document][near]]
        left -= int(units[document][new].sum())
        if left < 0:
            break
        kept[document][new] = True
    return kept


def _bounds(document: Document, *, hide: bool) -> tuple[float, float]:
    """Return where a document begins and ends, as it is drawn: by the characters of a text that is shown."""
    text = document.corpus.counted.get(document.index)
    return document.bounds if hide or text is None else (0.0, float(len(text.text)))


def _cells(
    alignment: Aligned,
    row: int,
    features: Sequence[tuple[str, Mapping[Label, int]]],
    document: Document | None,
) -> tuple[tuple[Any, ...] | None, ...]:
    units = alignment[row].units.values()
    return tuple(None if unit is None else _cell(unit, features, document) for unit in units)


def _cell(
    unit: Unit, features: Sequence[tuple[str, Mapping[Label, int]]], document: Document | None
) -> tuple[Any, ...]:
    labels = [-1 if (label := unit.features.get(name)) is None else numbers[label] for name, numbers in features]
    return (*_span(unit.start, unit.end, document), *labels)


def _ends(alignment: Aligned, row: int, document: Document | None) -> tuple[Ends, ...]:
    """Return the anchors of the units of a place; nothing if all are plain."""
    if alignment.document.corpus.anchors is None:
        return ()
    units = alignment[row].units.values()
    return tuple(
        tuple((one.role, *_span(one.start, one.end, document)) for one in (() if unit is None else unit.anchors))
        for unit in units
    )


def _span(start: float, end: float, document: Document | None) -> tuple[float, float]:
    return (start, end) if document is None else document.characters(start, end)


def _texts(alignment: Aligned, places: Sequence[ListedPlace], whole: bool) -> tuple[tuple[tuple[int, str], ...], ...]:
    """Return the document's text, or each annotator's own, whole or around the places."""
    document = alignment.document
    if isinstance(alignment, TextAlignment):
        who = np.flatnonzero(document.corpus.worked[document.index]).tolist()
        return tuple(
            pieces_of(document.corpus.texts[document.index, one], [place.cells[k] for place in places], whole, _BESIDE)
            for k, one in enumerate(who)
        )
    if document.readable is None:
        return ()
    return (pieces_of(document.readable, [cell for place in places for cell in place.cells], whole, _AROUND),)


def pieces_of(
    text: str, cells: Iterable[tuple[Any, ...] | None], whole: bool, around: int
) -> tuple[tuple[int, str], ...]:
    """Return a text whole, or only so much of it around cells; in pieces of (offset, text)."""
    if whole:
        return ((0, text),)
    spans = sorted((max(int(cell[0]) - around, 0), int(cell[1]) + around) for cell in cells if cell is not None)
    joined: list[list[int]] = []
    for begin, end in spans:
        if joined and begin <= joined[-1][1]:
            joined[-1][1] = max(joined[-1][1], end)
        else:
            joined.append([begin, end])
    return tuple((begin, text[begin:end]) for begin, end in joined)


def _short(value: float) -> float | int:
    """Round a number to the digits that a page needs; a small one does not become 0, which means that all agree."""
    rounded = round(float(value), 4) or (0.0001 if value > 0 else 0.0)
    return int(rounded) if rounded.is_integer() else rounded
