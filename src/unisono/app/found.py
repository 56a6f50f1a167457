"""What the preview shows of data: who annotated, documents, layers, features, and what was left out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from unisono.alignment.alignment import quoted_unit, written_ends
from unisono.app.work import Contents
from unisono.data import Corpus, Data, Export, Normalizations, Ratings
from unisono.data.alike_names import alike_names
from unisono.data.unit_kinds import there_are
from unisono.errors import plural
from unisono.reporting.full_report.label_order import label_order
from unisono.reporting.markup import seen_label, shortened

_MOST_LABELS = 12
_MOST_TEXT = 600
_MOST_ROWS = 8


@dataclass(frozen=True)
class FoundName:
    """An annotator, a document, a layer or a question, and how much there is of it."""

    name: str
    counts: tuple[int, ...] = ()
    used: bool = True


@dataclass(frozen=True)
class FoundFeature:
    """A feature, and its most frequent labels with their counts."""

    name: str
    n_labels: int
    labels: list[tuple[str, int]]
    used: bool = True


@dataclass(frozen=True)
class Found:
    """What was found.

    Attributes
    ----------
    said : str
        All of it in a sentence.
    kind : str
        units, items, words, or several.
    annotators : list of FoundName
        With their numbers of units (or labels) and of documents.
    documents : list of FoundName
        With their numbers of units and of annotators.
    layers : list of FoundName
        Layers of units, or questions about items, with their sizes.
    features : list of FoundFeature
        What units are labelled with.
    dropped : dict
        What was left out, and how much of it.
    notes : list of str
        What one should look at.
    sample : list of dict
        The beginning of the data.
    """

    said: str
    kind: str
    annotators: list[FoundName]
    documents: list[FoundName]
    layers: list[FoundName] = field(default_factory=list)
    features: list[FoundFeature] = field(default_factory=list)
    dropped: Mapping[str, int] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    sample: dict[str, Any] | None = None


def found_in(contents: Contents) -> Found | None:
    """Describe what was read; None if nothing could be."""
    whole, data = contents.whole, contents.data
    if whole is None:
        return None
    dropped = dict(whole.dropped if data is None else data.dropped)
    if isinstance(whole, Export):
        return _of_export(whole, data, dropped)
    described = _of_corpus(whole, data) if isinstance(whole, Corpus) else _of_items(whole, data)
    return Found(**described, dropped=dropped, notes=list(_notes(whole)), sample=_sample(data or whole))


def _of_export(whole: Export, data: Data | None, dropped: Mapping[str, int]) -> Found:
    layers = [] if whole.units is None else _layers(whole.units, None)
    chosen = getattr(getattr(data, "question", None), "name", None)
    layers += [FoundName(name, (one.n_units,), name == chosen) for name, one in whole.questions.items()]
    if data is None:
        people = [FoundName(name, (_n_units(whole, name),)) for name in whole.annotators]
        return Found(f"There are {whole.summary()}.", "several", people, [], layers, dropped=dropped)
    described = _of_corpus(data, data) if isinstance(data, Corpus) else _of_items(data, data)
    return Found(**{**described, "layers": layers}, dropped=dropped, notes=list(_notes(data)), sample=_sample(data))


def _n_units(whole: Export, name: str) -> int:
    parts: list[Corpus | Ratings] = [*([] if whole.units is None else [whole.units]), *whole.questions.values()]
    return sum(int(part.n_units_of(name)) for part in parts if name in part.annotators)


def _of_corpus(whole: Corpus, data: Data | None) -> dict[str, Any]:
    counts, worked = whole.unit_counts, whole.worked
    used = (whole if data is None else data).annotators
    shown = (whole if data is None else data).documents
    people = zip(whole.annotators, counts.sum(axis=0).tolist(), worked.sum(axis=0).tolist(), strict=True)
    texts = zip(whole.documents, counts.sum(axis=1).tolist(), worked.sum(axis=1).tolist(), strict=True)
    features = [*data.features] if isinstance(data, Corpus) else [*whole.features]
    return {
        "said": f"{plural(len(whole.annotators), 'annotator')} marked {plural(whole.n_units, 'unit')} in "
        f"{plural(len(whole.documents), 'document')}.",
        "kind": "units",
        "annotators": [FoundName(name, (n, m), name in used) for name, n, m in people],
        "documents": [FoundName(name, (n, m), name in shown) for name, n, m in texts],
        "layers": _layers(whole, data),
        "features": [
            _feature(name, column.labels, column.codes, name in features) for name, column in whole.features.items()
        ],
    }


def _layers(whole: Corpus, data: Data | None) -> list[FoundName]:
    """Return the layers with their numbers of units, if there are several."""
    column = whole.features.get("type")
    if column is None or len(column.labels) < 2:
        return []
    left = data.features.get("type") if isinstance(data, Corpus) else None
    used = column.labels if left is None else left.labels
    counts = np.bincount(column.codes[column.codes >= 0], minlength=len(column.labels)).tolist()
    return [FoundName(str(label), (n,), label in used) for label, n in zip(column.labels, counts, strict=True)]


def _feature(name: str, labels: Any, codes: Any, used: bool) -> FoundFeature:
    counts = np.bincount(codes[codes >= 0], minlength=len(labels)).tolist()
    order = label_order(labels, counts, _MOST_LABELS)
    return FoundFeature(name, len(labels), [(shortened(seen_label(labels[k]), 60), counts[k]) for k in order], used)


def _of_items(whole: Data, data: Data | None) -> dict[str, Any]:
    used = (whole if data is None else data).annotators
    counts = whole.unit_counts
    people = zip(whole.annotators, counts.sum(axis=0).tolist(), (counts > 0).sum(axis=0).tolist(), strict=True)
    texts = zip(whole.documents, counts.sum(axis=1).tolist(), (counts > 0).sum(axis=1).tolist(), strict=True)
    is_ratings = isinstance(whole, Ratings)
    n_items = whole.n_items if isinstance(whole, Ratings) else getattr(whole, "n_tokens", 0)
    verb, what = ("labelled", "item") if is_ratings else ("rewrote", "word")
    features = []
    if isinstance(whole, Ratings):
        features = [_feature(whole.question.name or "label", whole.labels, whole.codes.ravel(), True)]
    return {
        "said": f"{plural(len(whole.annotators), 'annotator')} {verb} {plural(n_items, what)}.",
        "kind": "items" if is_ratings else "words",
        "annotators": [FoundName(name, (n, m), name in used) for name, n, m in people],
        "documents": [FoundName(name, (n, m)) for name, n, m in texts],
        "features": features,
    }


def _notes(data: Data) -> Iterator[str]:
    """Yield what may be a mistake."""
    yield from alike_names(data)
    if len(data.annotators) < 2:
        yield "There is only one annotator; agreement needs two or more."
    yield from (f"{note[:1].upper()}{note[1:]}." for note in getattr(data, "notes", ()))
    for kind, types in getattr(data, "others", {}).items():
        yield f"{there_are(types, kind)}, too: choose {kind} as the kind of annotations."


def _sample(data: Data) -> dict[str, Any] | None:
    """Return the beginning of the first document, to see whether it was read as it should be."""
    if isinstance(data, Corpus):
        return _of_first_document(data)
    if isinstance(data, Normalizations):
        return None
    rows = []
    for number in range(min(data.n_items, _MOST_ROWS)):
        codes = data.codes[number].tolist()
        labels = ["" if code < 0 else shortened(seen_label(data.labels[code]), 60) for code in codes[:_MOST_ROWS]]
        text = None if data.texts is None else data.texts[number]
        rows.append(
            [shortened(str(data.items[number]), 60), *labels, *([shortened(text or "", 160)] if data.texts else [])]
        )
    heads = ["item", *data.annotators[:_MOST_ROWS], *(["text"] if data.texts else [])]
    return {"title": "The first items", "heads": heads, "rows": rows}


def _of_first_document(corpus: Corpus) -> dict[str, Any] | None:
    if not corpus.n_units:
        return None
    document = next(one for one in corpus if one.n_units)
    units = sorted(document.units, key=lambda unit: (unit.start, unit.end))[:_MOST_ROWS]
    quotes = {who: document.quoting(who) for who in document.annotators}
    rows = []
    for unit in units:
        text = quoted_unit(unit, quotes[unit.annotator])
        labels = [shortened(seen_label(label), 40) for label in unit.features.values() if label is not None]
        where = written_ends(unit) or f"{unit.start:g}–{unit.end:g}"
        rows.append(
            [unit.annotator, where, " · ".join(labels), "" if text is None else shortened(" ".join(text.split()), 100)]
        )
    return {
        "title": f"The beginning of {document.name}",
        "heads": ["annotator", "from–to", "labels", "text"],
        "rows": rows,
    }
