"""What a file holds, unit by unit, before it becomes a corpus; for formats of annotation tools."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

from unisono.data import Corpus, Label
from unisono.errors import DataError, mention
from unisono.formats.format import Options

LAYER = "type"
"""The feature that says which layer, tier or annotation set a unit belongs to."""
BY_FIELD = mention("annotator_from", "field")
"""How a user says that a field of the file names the annotators."""

_MOST_FEATURES = 500

Position = int | float


@dataclass
class Collected:
    """Takes what a reader finds.

    Where no document or annotator is named, they are those that the path says.

    Attributes
    ----------
    path : Path
        The file.
    options : Options
        What the user said.
    """

    path: Path
    options: Options
    _documents: list[str] = field(default_factory=list)
    _annotators: list[str] = field(default_factory=list)
    _starts: list[Position] = field(default_factory=list)
    _ends: list[Position] = field(default_factory=list)
    _lines: list[int | None] = field(default_factory=list)
    _labels: dict[str, dict[int, Label]] = field(default_factory=dict)
    _texts: dict[tuple[str, str], str] = field(default_factory=dict)
    _bounds: dict[str, tuple[float, float]] = field(default_factory=dict)
    _worked: dict[tuple[str, str], int | None] = field(default_factory=dict)
    _tokens: dict[str, Sequence[tuple[int, int]]] = field(default_factory=dict)
    _dropped: Counter[str] = field(default_factory=Counter)

    def version(
        self,
        document: str | None = None,
        annotator: str | None = None,
        *,
        text: str | None = None,
        line: int | None = None,
    ) -> None:
        """Note that somebody worked on a document, with or without units, and the text that they had."""
        key = self._key(document, annotator)
        self._worked.setdefault(key, line)
        if text is not None and self._texts.setdefault(key, text) != text:
            self.fail(f"there are two different texts of document {key[0]!r} by {key[1]!r}; make them the same", line)

    def unit(
        self,
        start: Position,
        end: Position,
        labels: Mapping[str, Label | None],
        *,
        document: str | None = None,
        annotator: str | None = None,
        layer: str | None = None,
        line: int | None = None,
    ) -> None:
        """Take a unit.

        Parameters
        ----------
        start, end : int or float
            Characters (code points) of the text from 0, or seconds; the end is exclusive.
        labels : mapping
            Feature to label; None where there is none.
        document, annotator : str, optional
            Where and whose.
        layer : str, optional
            Which layer, tier or set of annotations it belongs to, if the format knows several.
        line : int, optional
            Where it stands in the file.
        """
        key = self._key(document, annotator)
        self._worked.setdefault(key, line)
        text = self._texts.get(key)
        if text is not None and not 0 <= start <= end <= len(text):
            size = f"the text, which has {len(text):,} characters"
            self.fail(f"a unit from {start} to {end} is not within {size}; mend the positions or the text", line)
        if not start <= end:
            self.fail(f"a unit ends ({end}) before it begins ({start}); mend it", line)
        row = len(self._starts)
        self._documents.append(key[0])
        self._annotators.append(key[1])
        self._starts.append(start)
        self._ends.append(end)
        self._lines.append(line)
        if layer is not None:
            self._labels.setdefault(LAYER, {})[row] = layer
        for name, value in labels.items():
            if value is not None:
                own = f"{name} (feature)" if name == LAYER and layer is not None else name
                self._labels.setdefault(own, {})[row] = value

    def unit_in_pieces(
        self,
        pieces: Sequence[tuple[Position, Position]],
        labels: Mapping[str, Label | None],
        *,
        document: str | None = None,
        annotator: str | None = None,
        layer: str | None = None,
        line: int | None = None,
    ) -> None:
        """Take a unit that may be discontinuous, as the user wants it; parameters as for `unit`."""
        for start, end in pieces:
            if not start <= end:
                self.fail(f"a piece of a unit ends ({end}) before it begins ({start}); mend it", line)
        spans = _joined(pieces)
        how = self.options.discontinuous
        if len(spans) > 1:
            said = {"whole": "read as one unit from the first to the last piece", "pieces": "read as several units"}
            self.drop(f"units in several pieces, {said.get(how, 'left out')}")
            if how == "drop":
                return
            if how == "whole":
                spans = [(spans[0][0], max(end for _, end in spans))]
        for start, end in spans:
            self.unit(start, end, labels, document=document, annotator=annotator, layer=layer, line=line)

    def tokens(self, spans: Sequence[tuple[int, int]], document: str | None = None) -> None:
        """Note the tokens that the file itself has."""
        self._tokens.setdefault(self._key(document, None)[0], spans)

    def bounds(self, begin: float, end: float, document: str | None = None) -> None:
        """Note where a continuum begins and ends, if it is not a text."""
        self._bounds[self._key(document, None)[0]] = (begin, end)

    def drop(self, what: str, n: int = 1) -> None:
        """Count what is left out, in words that say why: "relations, which are not compared"."""
        if n:
            self._dropped[what] += n

    def bad(self, error: DataError) -> None:
        """Pass over a bad record if the user wants that; else it is an error."""
        if self.options.bad is None:
            raise error
        self.options.bad(error)

    def fail(self, message: str, line: int | None = None) -> NoReturn:
        """Refuse the file."""
        raise DataError(message, path=self.path, line=line)

    def corpus(self) -> Corpus:
        """Make the corpus."""
        if not self._worked:
            self.fail("there is no annotated document in it; check that the file is complete")
        if len(self._labels) > _MOST_FEATURES:
            self.fail(
                f"units have more than {_MOST_FEATURES} different features; check that the file is what it should be"
            )
        n_units = len(self._starts)
        return Corpus.from_columns(
            documents=dict.fromkeys(document for document, _ in self._worked),
            document=self._documents,
            annotator=self._annotators,
            start=self._starts,
            end=self._ends,
            features={name: [own.get(row) for row in range(n_units)] for name, own in self._labels.items()},
            worked=self._worked,
            bounds=self._bounds,
            texts=self._texts,
            source=self.path.name,
            locate=lambda row: (self.path, self._lines[row]),
            origins={key: (self.path, line) for key, line in self._worked.items()},
            tokens=self._tokens,
            dropped=self._dropped,
        )

    def _key(self, document: str | None, annotator: str | None) -> tuple[str, str]:
        return document or self.options.document_of(self.path), annotator or self.options.annotator


def _joined(pieces: Sequence[tuple[Position, Position]]) -> list[tuple[Position, Position]]:
    """Put pieces in order, and join those that touch."""
    joined: list[tuple[Position, Position]] = []
    for start, end in sorted(pieces):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined
