"""The lines of a transcribed page, for PAGE XML and ALTO: a text, and its words as units."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from unisono.data import Corpus
from unisono.formats.tools.collected import Collected

_WORD = re.compile(r"\S+")

Span = tuple[int, int]


@dataclass
class Transcribed:
    """A text that grows line by line.

    Attributes
    ----------
    collected : Collected
        Takes the text and its words.
    """

    collected: Collected
    _lines: list[str] = field(default_factory=list)
    _words: list[tuple[int, int, int]] = field(default_factory=list)
    _length: int = 0

    def add(self, text: str, line: int, words: Sequence[Span] | None = None) -> None:
        """Add a line of the page; a line without text is left out.

        Parameters
        ----------
        text : str
            Its text.
        line : int
            Where it stands in the file.
        words : sequence of (int, int), optional
            Begin and end of each word in it; if not given, what stands between white space.
        """
        if not text.strip():
            self.collected.drop("lines of a page without text")
            return
        start = self._length + (1 if self._lines else 0)
        spans = [match.span() for match in _WORD.finditer(text)] if words is None else words
        self._words.extend((start + first, start + last, line) for first, last in spans)
        self._lines.append(text)
        self._length = start + len(text)

    def corpus(self) -> Corpus:
        """Make the corpus: one version of one document, with its words as units of type token."""
        self.collected.version(text="\n".join(self._lines))
        for start, end, line in self._words:
            self.collected.unit(start, end, {}, layer="token", line=line)
        return self.collected.corpus()
