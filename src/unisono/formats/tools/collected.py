"""Collects what a file holds, unit by unit, until it becomes a corpus; for formats of annotation tools."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

from unisono.data import Corpus, Label
from unisono.errors import DataError, mention
from unisono.formats.format import Instructions

LAYER_FEATURE = "type"
"""The feature that says which layer, tier or annotation set a unit belongs to."""
BY_FIELD = mention("annotator_from", "field")
"""How a user says that a field of the file names the annotators."""

_MOST_FEATURES = 500
_PIECES = {
    "whole": "read as one unit from the first to the last piece",
    "pieces": "read as several units",
    "drop": "left out",
}

Position = int | float


@dataclass
class Collected:
    """Collects what a reader finds.

    If no document or annotator is named, they are those that the path says.

    Attributes
    ----------
    path : Path
        The file.
    instructions : Instructions
        What the user says.
    """

    path: Path
    instructions: Instructions
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
        """Note that an annotator worked on a document, with or without units, and the text."""
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
        """Add a unit.

        Parameters
        ----------
        start, end : int or float
            Characters (code points) of the text, from 0, or seconds; the end is exclusive.
        labels : mapping
            Feature to label; None if there is none.
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
            self.fail(f"a unit from {start} to {end} is not within {size}; correct the positions or the text", line)
        if not start <= end:
            self.fail(f"a unit ends ({end}) before it begins ({start}); correct it", line)
        row = len(self._starts)
        self._documents.append(key[0])
        self._annotators.append(key[1])
        self._starts.append(start)
        self._ends.append(end)
        self._lines.append(line)
        if layer is not None:
            self._labels.setdefault(LAYER_FEATURE, {})[row] = layer
        for name, value in labels.items():
            if value is not None:
                own = f"{name} (feature)" if name == LAYER_FEATURE and layer is not None else name
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
        """Add a unit that may be discontinuous, as the user wants it; parameters as for `unit`."""
        for start, end in pieces:
            if not start <= end:
                self.fail(f"a piece of a unit ends ({end}) before it begins ({start}); correct it", line)
        spans = _joined(pieces)
        how = self.instructions.discontinuous
        if len(spans) > 1:
            self.drop(f"units in several pieces, {_PIECES[how]}")
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
        """Count what is left out, in words that explain why: "relations, which are not compared"."""
        if n:
            self._dropped[what] += n

    def bad(self, error: DataError) -> None:
        """Skip a bad record if the user wants that; otherwise raise its error."""
        if self.instructions.bad is None:
            raise error
        self.instructions.bad(error)

    @contextmanager
    def record(self, line: int | None = None) -> Iterator[None]:
        """Locate errors in a record, and skip it if the user wants that."""
        try:
            yield
        except DataError as error:
            place = self.path if error.path is None else error.path
            self.bad(DataError(error.message, path=place, line=line if error.line is None else error.line))

    def fail(self, message: str, line: int | None = None) -> NoReturn:
        """Reject the file, or the record."""
        raise DataError(message, path=self.path, line=line)

    def corpus(self) -> Corpus:
        """Make the corpus."""
        if not self._worked:
            self.fail("there is no annotated document in it; check that the file is complete")
        if len(self._labels) > _MOST_FEATURES:
            self.fail(f"units have more than {_MOST_FEATURES} features; check that this is the right file")
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
        return document or self.instructions.document_of(self.path), annotator or self.instructions.annotator


def _joined(pieces: Sequence[tuple[Position, Position]]) -> list[tuple[Position, Position]]:
    """Put pieces in order, and join those that touch."""
    joined: list[tuple[Position, Position]] = []
    for start, end in sorted(pieces):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined
