"""What a report on private data must not show."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from unisono.data import Corpus, Data, Label, Ratings
from unisono.data.labels import Feature
from unisono.reporting.markup import label_text, seen_label
from unisono.results import Table

MOST_NAMED = 50
"""A feature with more different labels than this is taken for text: lemmas, corrections, remarks."""
MOST_DIFFERENT = 0.4
"""So is a feature with more different labels than this share of the units that an annotator labelled;"""
MOST_QUOTING = 0.1
"""a feature with more than this share of labels that occur in their unit's own stretch of text, or hold it"""
SHORTEST = 3
"""(shorter labels may occur there by chance);"""
MANY_LABELS, MOST_WORDS = 10, 0.5
"""and a feature with so many labels, more than this share of which are words of the texts."""
LEFT_OUT = "The reason is left out because it could quote what is hidden."
"""What replaces a sentence that could quote something."""
_WORD = re.compile(r"\w+")
_QUOTED = re.compile("[\"\u201c\u201e\u00ab\u2018]|(?<!\\w)'")
"""An opening quotation mark; an apostrophe within a word does not count."""


@dataclass(frozen=True)
class Names:
    """How labels are written: as they are, or as numbers where they could hold text that must not be shown."""

    hide: bool
    numbers: Mapping[str, Mapping[Label, int]] = field(default_factory=dict)
    """Feature to its labels' numbers, for features that are taken for text."""

    def of(self, feature: str, label: Label) -> str:
        """Write a label of a feature."""
        numbers = self.numbers.get(feature)
        return seen_label(label) if numbers is None else f"label {numbers.get(label, 0)}"

    def sentence(self, text: str) -> str:
        """Return a sentence, or its replacement if it quotes something and text is hidden."""
        return LEFT_OUT if self.hide and _QUOTED.search(text) else text

    def error(self, text: str) -> str:
        """Return an error message, or its replacement if text is hidden: it may hold any of the data."""
        return LEFT_OUT if self.hide else text


def names_of(data: Data, *, hide: bool) -> Names:
    """Decide how the labels of some data are written."""
    if not hide:
        return Names(False)
    if isinstance(data, Ratings):
        features: dict[str, Sequence[Label]] = {"label": data.labels}
    else:
        columns = data.features if isinstance(data, Corpus) else {}
        features = {name: column.labels for name, column in columns.items()}
    many = {name: labels for name, labels in features.items() if _is_text(data, name, labels)}
    return Names(True, {name: {label: k for k, label in enumerate(labels, start=1)} for name, labels in many.items()})


def _is_text(data: Data, feature: str, labels: Sequence[Label]) -> bool:
    """Whether labels may be text rather than names of categories."""
    if len(labels) > MOST_NAMED:
        return True
    if not isinstance(data, Corpus):
        return len(labels) > MOST_DIFFERENT * data.n_units / max(len(data.annotators), 1)
    column = data.features[feature]
    given = column.codes >= 0
    n_each = given.sum() / max(len(np.unique(data.annotator[given])), 1)
    if len(labels) > MOST_DIFFERENT * n_each or sum(_quoting(data, column)) > MOST_QUOTING * given.sum():
        return True
    known = {word for text in data.texts.values() for word in _words(text)} if len(labels) >= MANY_LABELS else set()
    return sum(known.issuperset(_words(label_text(label))) for label in labels) > MOST_WORDS * len(labels)


def _quoting(corpus: Corpus, column: Feature) -> Iterator[bool]:
    """Whether each unit's label occurs in its own stretch of text, or holds it."""
    for unit in np.flatnonzero(column.codes >= 0).tolist():
        text = corpus.texts.get((int(corpus.document[unit]), int(corpus.annotator[unit])), "")
        stretch = text[int(corpus.start[unit]) : int(corpus.end[unit])].casefold().strip()
        label = label_text(column.labels[column.codes[unit]]).casefold().strip()
        yield min(len(stretch), len(label)) >= SHORTEST and (stretch in label or label in stretch)


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


def without_text(tables: Sequence[Table], names: Names) -> list[Table]:
    """Leave out empty tables and, if text is hidden, those that could hold some."""
    return [table for table in tables if table.rows and (not names.hide or _is_safe(table, names))]


def _is_safe(table: Table, names: Names) -> bool:
    labels_are_safe = not names.numbers and len(table.rows) <= MOST_NAMED
    return table.holds == "names" or (table.holds == "labels" and labels_are_safe)
