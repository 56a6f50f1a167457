"""A text and its words as one annotator has them, for formats that list words (CorA-XML, CoNLL-U)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from unisono.data import Corpus, Label
from unisono.errors import DataError


@dataclass
class Words:
    """A text that grows, and a unit for each of its words.

    Attributes
    ----------
    pieces : list of str
        The text so far, and `length`, the number of its characters.
    start, end : list of int
        Where each word begins and ends in it.
    labels : dict of list
        Labels by the feature's name, each list up to the last word that has one.
    """

    pieces: list[str] = field(default_factory=list)
    length: int = 0
    start: list[int] = field(default_factory=list)
    end: list[int] = field(default_factory=list)
    labels: dict[str, list[Label | None]] = field(default_factory=dict)

    def write(self, text: str) -> None:
        """Add to the text."""
        self.pieces.append(text)
        self.length += len(text)

    def add(self, start: int, end: int) -> None:
        """Add a word."""
        self.start.append(start)
        self.end.append(end)

    def label(self, name: str, label: Label) -> None:
        """Label the last word; different labels of one name make a set."""
        column = self.labels.setdefault(name, [])
        if len(column) < len(self.start):
            column.extend([None] * (len(self.start) - 1 - len(column)))
            column.append(label)
        elif column[-1] != label:
            column[-1] = tuple(sorted({*_members(column[-1]), *_members(label)}))

    def column(self, name: str) -> list[Label | None]:
        """Give the labels of all words."""
        labels = self.labels.get(name, [])
        return labels + [None] * (len(self.start) - len(labels))


def corpus_of(documents: Mapping[str, Words], annotator: str, source: str) -> Corpus:
    """Make a corpus of one annotator's documents; every word is a unit of type token."""
    names = dict.fromkeys(name for words in documents.values() for name in words.labels)
    if "type" in names:
        raise DataError("a layer is named type, which here says that units are tokens; give it another name")
    document = [name for name, words in documents.items() for _ in words.start]
    return Corpus.from_columns(
        documents=documents,
        document=document,
        annotator=[annotator] * len(document),
        start=[start for words in documents.values() for start in words.start],
        end=[end for words in documents.values() for end in words.end],
        features={
            "type": ["token"] * len(document),
            **{name: [label for words in documents.values() for label in words.column(name)] for name in names},
        },
        texts={(name, annotator): "".join(words.pieces) for name, words in documents.items()},
        source=source,
    )


def _members(label: Label | None) -> tuple[str, ...]:
    return label if isinstance(label, tuple) else (str(label),)
