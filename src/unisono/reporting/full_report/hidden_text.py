"""What a report on private data must not show."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from unisono.data import Corpus, Data, Document, Label, Ratings
from unisono.data.labels import Feature
from unisono.reporting.markup import label_text, seen_label
from unisono.results import NOTHING, Table

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
LONGEST = 40
"""A label is shown if its feature is not taken for text, and it is no longer than this"""
FEWEST = 2
"""and was given at least so often; others have numbers."""
LEFT_OUT = "The reason is left out because it could quote what is hidden."
"""What replaces a sentence that could quote something."""
NOT_SHOWN = "not shown"
_WORD = re.compile(r"\w+")
_NUMBER = re.compile(r"[+−-]?\d[\d.,]*%?")
_STEPS = re.compile(r"0( < 0)+")
_SAFE = """
    0 is perfect
    agreement on categories, given the alignment
    alignment proven optimal
    alignment proven to be within 0 of the optimum
    all annotators agree exactly, and the expected disorder is 0 too
    all annotators agree exactly
    annotators have different texts, but γ does not align them
    circular scale
    fewer than two annotators worked on it
    interval scale
    interval scale: 0 different numbers from 0 to 0
    labels are ignored
    labels are treated as an interval scale (0 different numbers from 0 to 0); if only the order of the numbers \
counts, use krippendorff-alpha(distance=ordinal); if labels are only names or codes, use krippendorff-alpha
    labels are treated as ordinal (0 < 0); if a step means the same everywhere on the scale, \
use krippendorff-alpha(distance=interval); if labels are only names or codes, use krippendorff-alpha
    mean over documents
    no annotator marked anything
    no boundary was placed, so none can match
    no disagreement is expected by chance, so agreement beyond chance cannot be determined
    no document was segmented by two of the annotators
    no document was worked on by two annotators; agreement needs two or more on the same document
    no interval
    no interval: all 0 documents are alike, so they do not show how much others would differ
    no interval: only 0 document counts, and an interval needs 0 or more
    no interval: only 0 documents count, and an interval needs 0 or more
    no interval: there are fewer than 0 items
    no interval: there are fewer than 0 tokens
    no interval: there are fewer than 0 units
    nobody marked anything
    of units with another text, estimated
    ordinal scale
    ordinal: 0 < 0
    places in a taxonomy
    ranks: from 0 to 0
    ratio scale
    sets, compared by Jaccard
    sets, compared by MASI
    splits and merges per unit, estimated
    the expected disorder is 0
    the expected disorder may be up to 0 too high
    the expected disorder of 0 of 0 documents may be too high, in the worst case by up to 0
    the expected disorder of 0 of 0 documents may be up to 0 too high
    the observed disorder is proven to be within 0 of the minimum
    the observed disorder of all documents is proven to be within 0 of the minimum; 0 of 0 alignments are not proven \
optimal; the worst is within 0
    the observed disorder of all documents is proven to be within 0 of the minimum; 0 of 0 alignments is not proven \
optimal: it is within 0 of its minimum
    the reference has no units to divide by
    the time limit ended the sampling of 0 of 0 documents: the relative error of the expected disorder is up to 0 in \
the worst of them, instead of 0
    the time limit ended the sampling of 0 of 0 documents: the relative error of its expected disorder is up to 0, \
instead of 0
    the time limit ended the sampling: the relative error of the expected disorder is up to 0, instead of 0
    units are too long to split the continuum at the distance that the paper requires
    ± 0 standard error, 0 samples of chance (corpus)
    ± 0 standard error, 0 samples of chance (edits of each annotator's text in turn)
    ± 0 standard error, 0 samples of chance (shift)
    ± 0 standard error, 0 samples of chance (statistical)
    0 document left out, segmented by one annotator only
    0 documents left out, segmented by one annotator only
    annotations of types that no type system explains
    documents in which annotators have different white space, counted in the tokens of each text
    files or records that could not be read and were passed over
    equivalences, which are not compared
    events of 0 type
    events of 0 types
    events with an end in several pieces, left out
    notes, which are not compared
    relations of 0 type
    relations of 0 types
    relations with an end in several pieces, left out
    segments that cover the whole text, which CorefAnnotator adds itself
    spans of 0 type
    spans of 0 types
    structured features, which are not labels
    units in several pieces, left out
    units in several pieces, of which only the main piece is read
    units in several pieces, read as one unit from the first to the last piece
    units in several pieces, read as several units
    units of other layers
    units that began or ended within a token, extended to whole tokens
    units that cover no token and have length 0 now
"""
"""Sentences that hold nothing of the data but numbers, which are written as 0 here; no other sentence is shown."""
_SAFE_SENTENCES = frozenset(line.strip() for line in _SAFE.strip().splitlines())
_SAFE_PARAMETERS = (
    *("annotators", "layer", "layers", "feature", "features", "roles", "join", "adjacent", "discontinuous", "worked"),
    *(
        "chance",
        "directed",
        "f_cat",
        "match",
        "level",
        "subset",
        "punctuation",
        "form",
        "characters",
        "unisono",
        "continuum",
    ),
)
"""Parameters and steps whose values are names of annotators, layers and features, or words of this program; of others,
only numbers are shown."""
_SAFE_VALUES = frozenset(
    {
        *("", "none", "true", "false", "merged", "character", "token", "sentence"),
        *("tokens", "tokens(own)", "tokens(unicode)"),
        *("nominal", "ordinal", "interval", "ratio", "numeric", "nld", "set", "masi", "jaccard", "identity"),
        *("linear", "quadratic"),
    }
)
"""Words of this program."""
_SAFE_ROWS = frozenset({"ALL", "MEDIUM", "STRICT"})
"""Parts of the data that measures name themselves."""


@dataclass(frozen=True)
class Names:
    """How names, labels and sentences are written: as they are or, if text is hidden, only what is known to be safe."""

    hide: bool
    numbers: Mapping[str, Mapping[Label, int]] = field(default_factory=dict)
    """Feature to its labels' numbers, for features that are taken for text."""
    unknown: Mapping[str, Mapping[Label, int]] = field(default_factory=dict)
    """The same for single labels of other features."""
    documents: Mapping[str, str] = field(default_factory=dict)
    """Document to what it is called."""
    annotators: tuple[str, ...] = ()
    known: Mapping[str, frozenset[Label]] = field(default_factory=dict)
    """Feature to the labels that are shown."""

    @property
    def shows_all(self) -> bool:
        """Whether all labels are shown."""
        return not self.hide or not (
            self.numbers or any(labels.keys() - self.known[name] for name, labels in self.unknown.items())
        )

    def of(self, feature: str, label: Label) -> str:
        """Write a label of a feature."""
        if not self.hide or label in self.known.get(feature, ()):
            return seen_label(label)
        number = self.numbers.get(feature, {}).get(label) or self.unknown.get(feature, {}).get(label, 0)
        return f"label {number}"

    def document(self, name: str) -> str:
        """Write the name of a document."""
        return self.documents.get(name, "a document") if self.hide else name

    def sentence(self, text: str) -> str:
        """Return a sentence, or its replacement if text is hidden and it is not known to be free of it."""
        if not self.hide or not text:
            return text
        bare = text.removeprefix("Note: ").removesuffix(".")
        return text if _STEPS.sub("0 < 0", _NUMBER.sub("0", bare)) in _SAFE_SENTENCES else LEFT_OUT

    def error(self, text: str) -> str:
        """Return an error message, or its replacement if text is hidden: it may hold any of the data."""
        return LEFT_OUT if self.hide else text

    def value(self, parameter: str, value: str) -> str:
        """Return the value of a parameter or a step of the preparation, if it may be shown."""
        plain = value in _SAFE_VALUES or _NUMBER.fullmatch(value)
        return value if not self.hide or plain or parameter in _SAFE_PARAMETERS else NOT_SHOWN

    def signature(self, signature: str) -> str:
        """Return a signature without the values that must not be shown."""
        if not self.hide:
            return signature
        name, *parts = signature.split("|")
        pairs = [part.partition(":") for part in parts]
        return "|".join([name, *(f"{key}:{self.value(key, value)}" for key, _, value in pairs)])

    def measure(self, name: str) -> str:
        """Return a measure as the user wrote it, or only its name: parameters may name labels."""
        return name.partition("(")[0] if self.hide else name


SHOWN = Names(False)
"""Everything as it is."""


def names_of(data: Data, *, hide: bool) -> Names:
    """Decide how the labels of some data are written."""
    if not hide:
        return Names(False)
    if isinstance(data, Ratings):
        features: dict[str, Sequence[Label]] = {"label": data.labels}
    else:
        columns = data.features if isinstance(data, Corpus) else {}
        features = {name: column.labels for name, column in columns.items()}
    every = {name: {label: k for k, label in enumerate(labels, start=1)} for name, labels in features.items()}
    many = {name for name, labels in features.items() if _is_text(data, name, labels)}
    known = {name: frozenset() if name in many else _known(data, name) for name in features}
    return Names(
        True,
        numbers={name: every[name] for name in many},
        unknown={name: every[name] for name in features if name not in many},
        documents={name: f"document {k}" for k, name in enumerate(data.documents, start=1)},
        annotators=tuple(data.annotators),
        known=known,
    )


def _known(data: Data, feature: str) -> frozenset[Label]:
    """Return the labels of a feature that are names of categories for all one can know: short, and not given once."""
    if isinstance(data, Ratings):
        labels, codes = data.labels, data.codes[data.codes >= 0]
    elif isinstance(data, Corpus):
        column = data.features[feature]
        labels, codes = column.labels, column.codes[column.codes >= 0]
    else:
        return frozenset()
    counts = np.bincount(codes, minlength=len(labels)).tolist()
    return frozenset(
        label for label, n in zip(labels, counts, strict=True) if n >= FEWEST and len(label_text(label)) <= LONGEST
    )


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
    texts = [*data.texts.values(), *(counted.text for counted in data.counted.values())]
    known = {word for text in texts for word in _words(text)} if len(labels) >= MANY_LABELS else set()
    return sum(known.issuperset(_words(label_text(label))) for label in labels) > MOST_WORDS * len(labels)


def _quoting(corpus: Corpus, column: Feature) -> Iterator[bool]:
    """Whether each unit's label occurs in its own stretch of text, or holds it."""
    for unit in np.flatnonzero(column.codes >= 0).tolist():
        where, start, end = int(corpus.document[unit]), corpus.start[unit].item(), corpus.end[unit].item()
        text = (
            corpus.counted[where].text
            if where in corpus.counted
            else corpus.texts.get((where, int(corpus.annotator[unit])), "")
        )
        low, high = Document(corpus, where).characters(start, end)
        stretch = text[int(low) : int(high)].casefold().strip()
        label = label_text(column.labels[column.codes[unit]]).casefold().strip()
        yield min(len(stretch), len(label)) >= SHORTEST and (stretch in label or label in stretch)


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


def without_text(tables: Sequence[Table], names: Names) -> list[Table]:
    """Leave out empty tables and, if text is hidden, those that could hold some; documents get other names."""
    filled = [table for table in tables if table.rows]
    if not names.hide:
        return filled
    return [safe for table in filled if (safe := _safe(table, names)) is not None]


def _safe(table: Table, names: Names) -> Table | None:
    """Return a table in which every cell is a number or known to be safe; None if there is another."""
    if table.holds == "labels":
        return table if names.shows_all and len(table.rows) <= MOST_NAMED else None
    if table.holds != "names":
        return None
    of_documents = table.columns[0] == "document"
    people = {*names.annotators, *(f"{one} – {other}" for one in names.annotators for other in names.annotators)}
    rows = []
    for first, *others in table.rows:
        name = names.document(str(first)) if of_documents else str(first)
        if not of_documents and name not in people and name not in _SAFE_ROWS:
            return None
        if any(isinstance(cell, str) and cell != NOTHING for cell in others):
            return None
        rows.append((name, *others))
    return table._replace(rows=rows)
