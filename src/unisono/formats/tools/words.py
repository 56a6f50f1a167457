"""A text and its words as one annotator has them, for formats that list words or lines of a page."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from unisono.data import Label
from unisono.data.export import LAYER_FEATURE
from unisono.errors import DataError
from unisono.formats.collected import Collected

NO_WORDS = "words of a page without text"
"""What is counted if a word is there and says nothing."""

_WORD = re.compile(r"\S+")


@dataclass
class Words:
    """A text that grows, and a unit of type token for each of its words."""

    length: int = 0
    """The number of its characters so far."""
    spans: list[tuple[int, int]] = field(default_factory=list)
    """Where each word begins and ends in it."""
    n_empty: int = 0
    """How many lines were left out because nothing is on them."""
    dropped: Counter[str] = field(default_factory=Counter)
    """What else was left out, in words."""
    _pieces: list[str] = field(default_factory=list)
    _labels: list[dict[str, Label]] = field(default_factory=list)
    _lines: list[int | None] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The text so far."""
        return "".join(self._pieces)

    def write(self, text: str) -> None:
        """Add to the text."""
        self._pieces.append(text)
        self.length += len(text)

    def add(self, start: int, end: int, line: int | None = None) -> None:
        """Add a word."""
        self.spans.append((start, end))
        self._labels.append({})
        self._lines.append(line)

    def label(self, name: str, label: Label) -> None:
        """Label the last word; different labels of one name make a set."""
        own = self._labels[-1]
        own[name] = united(own.setdefault(name, label), label)

    def write_line(self, text: str, line: int, words: Sequence[tuple[int, int]] | None = None) -> None:
        """Add a line, and its words, which are what is between white space if not given; an empty line is left out."""
        if not text.strip():
            self.n_empty += 1
            return
        if self._pieces:
            self.write("\n")
        for start, end in [match.span() for match in _WORD.finditer(text)] if words is None else words:
            self.add(self.length + start, self.length + end, line)
        self.write(text)

    def collect(self, collected: Collected, document: str | None = None) -> None:
        """Hand over the text and its words."""
        collected.version(document, text=self.text)
        for what, n in {"lines of a page without text": self.n_empty, **self.dropped}.items():
            collected.drop(what, n)
        for (start, end), labels, line in zip(self.spans, self._labels, self._lines, strict=True):
            if LAYER_FEATURE in labels:
                raise DataError(
                    f"a layer is named {LAYER_FEATURE}, which here means that units are tokens; rename it", line=line
                )
            collected.unit(start, end, labels, document=document, layer="token", line=line)


def united(label: Label, other: Label) -> Label:
    """Return the set of two labels, or the label if they are the same."""
    return label if label == other else tuple(sorted({*_members(label), *_members(other)}))


def _members(label: Label) -> tuple[str, ...]:
    return label if isinstance(label, tuple) else (str(label),)
