"""A corpus as WebAnno TSV 3.3, for WebAnno and INCEpTION: ``{annotator}/{document}.tsv``.

Every line of the text becomes a sentence. A unit that begins or ends within a token has rows of its own for the parts
of tokens. A unit on several rows, or one of several of a layer on a row, has a number.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from unisono.data import Corpus, Label, Unit
from unisono.errors import plural
from unisono.formats.format import FolderWriting
from unisono.formats.tools.cas_documents import plain_name
from unisono.formats.tools.cas_types import CasTypes
from unisono.formats.tools.tokenizing import lines_of, tokens_of
from unisono.formats.tools.utf16 import Utf16
from unisono.formats.tools.versions import Version, holds_only, staying, write_versions
from unisono.formats.tools.webanno_escapes import escaped_label, escaped_text

_TOOL = "WebAnno TSV 3"
_NOTHING, _NO_LABEL = "_", "*"


def _write_folder(corpus: Corpus, draft: Path, there: Collection[str] = ()) -> list[str]:
    """Write a corpus as TSV into an empty folder; return sentences about what is written differently, or not at all."""
    known, notes = CasTypes(corpus), _Notes()
    header = ["#FORMAT=WebAnno TSV 3.3\n"]
    for layer, features in known.used.items():
        header.append(f"#T_SP={'|'.join([known.kind(layer).name, *map(plain_name, features.values())])}\n")

    def write(version: Version, path: Path) -> None:
        with path.open("x", encoding="utf-8", newline="") as stream:
            stream.writelines(header)
            stream.writelines(_lines(version, known, notes))

    said = write_versions(corpus, draft, _TOOL, ".tsv", write)
    return [*said, *known.said(), *notes.said(), *staying(draft, there)]


@dataclass
class _Notes:
    """Counts what is written differently."""

    n_trimmed: int = 0

    def said(self) -> list[str]:
        """Say it."""
        what = f"{plural(self.n_trimmed, 'unit')} that begin or end with white space written without it"
        return [what] if self.n_trimmed else []


class _Place(NamedTuple):
    """Where a row is: a token, or, if `part`, a part of it."""

    begin: int
    end: int
    part: bool


@dataclass
class _Rows:
    """The rows that units need: tokens, and parts of them."""

    tokens: Sequence[tuple[int, int]]
    parts: dict[int, set[_Place]] = field(default_factory=lambda: defaultdict(set))

    def of(self, unit: Unit) -> list[_Place]:
        """Return the rows that a unit is on."""
        start, end = int(unit.start), int(unit.end)
        first = max(0, bisect_right(self.tokens, (start, len(self.tokens) and self.tokens[-1][1])) - 1)
        places = []
        for index in range(first, len(self.tokens)):
            begin, finish = self.tokens[index]
            if begin >= end:
                break
            low, high = max(begin, start), min(finish, end)
            if low < high:
                places.append(self._place(index, low, high))
        # a unit without length, or on white space, has a part of the token before it
        return places or [self._place(first, start, end)]

    def _place(self, index: int, low: int, high: int) -> _Place:
        place = _Place(low, high, (low, high) != self.tokens[index])
        if place.part:
            self.parts[index].add(place)
        return place


def _lines(version: Version, known: CasTypes, notes: _Notes) -> Iterator[str]:
    """Iterate over the lines after the header."""
    text, position = version.text, Utf16(version.text)
    sentences = list(lines_of(text, tokens_of(version)))
    if not sentences:
        sentences = [[(0, len(text))]] if text else []
    rows = _Rows([token for sentence in sentences for token in sentence])
    cells = _cells(version, rows, known, notes) if rows.tokens else {}
    nothing = [_NOTHING for features in known.used.values() for _ in range(max(1, len(features)))]
    index = 0
    for number, sentence in enumerate(sentences, start=1):
        end = sentences[number][0][0] if number < len(sentences) else len(text)
        yield f"\n\n#Text={escaped_text(text[sentence[0][0] : end].removesuffix(chr(10)))}\n"
        for name, token in enumerate(sentence, start=1):
            own = f"{number}-{name}"
            parts = sorted(rows.parts.get(index, ()))
            numbered = [(own, _Place(*token, False)), *((f"{own}.{n}", part) for n, part in enumerate(parts, start=1))]
            for shown, place in numbered:
                span = f"{position.back(place.begin)}-{position.back(place.end)}"
                form = escaped_text(text[place.begin : place.end])
                yield "\t".join([shown, span, form, *cells.get(place, nothing), "\n"])
            index += 1


def _cells(version: Version, rows: _Rows, known: CasTypes, notes: _Notes) -> dict[_Place, list[str]]:
    """Return what is in the columns of each row that has annotations."""
    marked: dict[str, dict[_Place, list[tuple[Unit, str]]]] = {layer: defaultdict(list) for layer in known.used}
    placed = [(unit, known.layer_of(unit), rows.of(unit)) for unit in version.units]
    stacked = Counter((layer, place) for _, layer, places in placed for place in places)
    number = 0
    for unit, layer, places in placed:
        notes.n_trimmed += (places[0].begin, places[-1].end) != (unit.start, unit.end)
        mark = ""
        if len(places) > 1 or any(stacked[layer, place] > 1 for place in places):
            number += 1
            mark = f"[{number}]"
        for place in places:
            marked[layer][place].append((unit, mark))
    every = {place for own in marked.values() for place in own}
    return {place: [*_row(place, marked, known.used)] for place in every}


def _row(
    place: _Place,
    marked: Mapping[str, Mapping[_Place, Sequence[tuple[Unit, str]]]],
    used: Mapping[str, Mapping[str, str]],
) -> Iterator[str]:
    """Iterate over the columns of a row: for each feature, the labels of all units there."""
    for layer, features in used.items():
        units = marked[layer].get(place, ())
        for name in features or (None,):
            labels = [(None if name is None else unit.features.get(name), mark) for unit, mark in units]
            yield "|".join(f"{_shown(label)}{mark}" for label, mark in labels) or _NOTHING


def _shown(label: Label | None) -> str:
    if label is None or label == "" or label == ():
        return _NO_LABEL
    return escaped_label("|".join(map(str, label)) if isinstance(label, tuple) else str(label))


TSV_FOLDER = FolderWriting(
    _write_folder, holds_only((".tsv",)), ".tsv", "{annotator}/{document}.tsv", lambda folder: False
)
