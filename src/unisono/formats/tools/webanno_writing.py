"""A corpus as WebAnno TSV 3.3, for WebAnno and INCEpTION: ``{annotator}/{document}.tsv``.

Every line of the text becomes a sentence. A unit that begins or ends within a token has rows of its own for the parts
of tokens. A unit on several rows, or one of several of a layer on a row, has a number. A relation is in the first row
of its dependent, with the first row of its governor.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

from unisono.data import Corpus, Label, Unit
from unisono.errors import plural
from unisono.formats.format import FolderWriting
from unisono.formats.tools.cas import TOKEN
from unisono.formats.tools.cas_documents import plain_name
from unisono.formats.tools.cas_types import CasTypes, Slot
from unisono.formats.tools.inception_links import POS, is_dependency
from unisono.formats.tools.linked import Linked, Mark
from unisono.formats.tools.tokenizing import lines_of, tokens_of
from unisono.formats.tools.utf16 import Utf16
from unisono.formats.tools.versions import Version, holds_only, staying, write_versions
from unisono.formats.tools.webanno_escapes import escaped_label, escaped_text

_TOOL = "WebAnno TSV 3"
_NOTHING, _NO_LABEL = "_", "*"


def _write_folder(corpus: Corpus, draft: Path, there: Collection[str] = ()) -> list[str]:
    """Write a corpus as TSV into an empty folder; return sentences about what is written differently, or not at all."""
    known, notes = _Types(CasTypes(corpus)), _Notes()
    linking = replace(known.types.linking(_TOOL), end_of=known.end_of)
    header = ["#FORMAT=WebAnno TSV 3.3\n", *map(known.declared, known.layers)]

    def write(version: Version, path: Path) -> None:
        linked = linking.linked(version, {TOKEN: set(tokens_of(version))})
        with path.open("x", encoding="utf-8", newline="") as stream:
            stream.writelines(header)
            stream.writelines(_lines(version, linked, known, notes))

    said = write_versions(corpus, draft, _TOOL, ".tsv", write)
    return [*said, *linking.said(), *known.types.said(), *notes.said(), *staying(draft, there)]


class _Types:
    """The layers that are columns: first those of spans, then those of relations."""

    def __init__(self, types: CasTypes) -> None:
        self.types = types
        linked = [layer for layer in types.used if types.is_relation(layer)]
        ends = [layer for layer in map(self.end_of, linked) if layer != TOKEN]
        ends += [one.target for layer in types.used for one in self.slots_of(layer) if one.target != TOKEN]
        spans = dict.fromkeys([*(layer for layer in types.used if layer not in linked), *ends])
        self.layers = {layer: [*types.used.get(layer, {}).values()] for layer in [*spans, *linked]}
        """Layers to what cassis calls their features."""

    def end_of(self, layer: str) -> str:
        """Return the layer that relations join; WebAnno has dependencies between parts of speech."""
        own = self.types.end_of(layer)
        return self.types.layer_named(POS) if own == TOKEN and is_dependency(self.types.kind(layer).name) else own

    def declared(self, layer: str) -> str:
        """Return the line of the header for a layer."""
        kind = self.types.kind(layer).name
        names = [kind, *map(plain_name, self.layers[layer])]
        for slot in self.slots_of(layer):
            target = self.types.kind(slot.target).name
            names += [f"ROLE_{kind}:{plain_name(slot.name)}_{target if slot.link is None else slot.link.name}", target]
        if not self.types.is_relation(layer):
            return f"#T_SP={'|'.join(names)}\n"
        return f"#T_RL={'|'.join([*names, f'BT_{self.types.kind(self.end_of(layer)).name}'])}\n"

    def n_columns(self, layer: str) -> int:
        """Return how many columns a layer has: its features, and the other end of a relation."""
        n_features = len(self.layers[layer]) + 2 * len(self.slots_of(layer))
        return n_features + 1 if self.types.is_relation(layer) else max(1, n_features)

    def slots_of(self, layer: str) -> Sequence[Slot]:
        """Return the slots of a layer that are written: if there are events."""
        return self.types.slots_of(layer) if self.types.has_events(layer) else ()

    def target_columns(self, layer: str) -> range:
        """Return which columns of a layer have the targets of slots."""
        first = len(self.layers[layer])
        return range(first + 1, first + 2 * len(self.slots_of(layer)), 2)

    def features_of(self, layer: str) -> Mapping[str, str]:
        """Return the features of a layer: what they are called in the corpus, and in cassis."""
        return self.types.used.get(layer, {})


@dataclass
class _Notes:
    """Counts what is written differently."""

    n_trimmed: int = 0

    def said(self) -> list[str]:
        """Say it."""
        what = f"{plural(self.n_trimmed, 'unit')} written without the white space at the beginning or end"
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

    def of(self, mark: Mark) -> list[_Place]:
        """Return the rows that an annotation is on."""
        start, end = mark.start, mark.end
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


def _lines(version: Version, linked: Linked, known: _Types, notes: _Notes) -> Iterator[str]:
    """Iterate over the lines after the header."""
    text, position = version.text, Utf16(version.text)
    sentences = list(lines_of(text, tokens_of(version)))
    if not sentences:
        sentences = [[(0, len(text))]] if text else []
    rows = _Rows([token for sentence in sentences for token in sentence])
    placed = [rows.of(mark) for mark in linked.marks] if rows.tokens else []
    notes.n_trimmed += sum(
        (places[0].begin, places[-1].end) != (mark.start, mark.end)
        for mark, places in zip(linked.marks, placed, strict=bool(placed))
    )
    numbered = [_numbered(rows, number, sentence) for number, sentence in enumerate(_indices(sentences), start=1)]
    names = {place: name for sentence in numbered for name, place in sentence}
    cells = _cells(linked, placed, names, known)
    nothing = [_NOTHING for layer in known.layers for _ in range(known.n_columns(layer))]
    for number, (sentence, shown) in enumerate(zip(sentences, numbered, strict=True), start=1):
        end = sentences[number][0][0] if number < len(sentences) else len(text)
        yield f"\n\n#Text={escaped_text(text[sentence[0][0] : end].removesuffix(chr(10)))}\n"
        for name, place in shown:
            span = f"{position.back(place.begin)}-{position.back(place.end)}"
            form = escaped_text(text[place.begin : place.end])
            yield "\t".join([name, span, form, *cells.get(place, nothing), "\n"])


def _indices(sentences: Sequence[Sequence[object]]) -> Iterator[range]:
    """Iterate over the indices of the tokens of each sentence."""
    first = 0
    for sentence in sentences:
        yield range(first, first + len(sentence))
        first += len(sentence)


def _numbered(rows: _Rows, number: int, tokens: range) -> list[tuple[str, _Place]]:
    """Return the rows of a sentence, and how they are numbered."""
    found: list[tuple[str, _Place]] = []
    for name, index in enumerate(tokens, start=1):
        own = f"{number}-{name}"
        parts = sorted(rows.parts.get(index, ()))
        found += [(own, _Place(*rows.tokens[index], False))]
        found += [(f"{own}.{n}", part) for n, part in enumerate(parts, start=1)]
    return found


def _cells(
    linked: Linked, placed: Sequence[Sequence[_Place]], names: Mapping[_Place, str], known: _Types
) -> dict[_Place, list[str]]:
    """Return what is in the columns of each row that has annotations."""
    numbers = _disambiguated(linked, placed)
    where = [names[places[0]] for places in placed]
    filled: dict[_Place, dict[str, list[list[str]]]] = defaultdict(lambda: defaultdict(list))
    for index, (mark, places) in enumerate(zip(linked.marks, placed, strict=True)):
        if mark.layer == TOKEN:
            continue
        slots = linked.slots.get(index, ())
        members = [(role, f"{where[end]}{_bracketed(numbers[end])}") for role, end in slots]
        values = [*_values(mark.layer, mark.unit, known), *_slots(mark.layer, members, known)] or [_NO_LABEL]
        behind = _bracketed(numbers[index])
        targets = known.target_columns(mark.layer)
        row = [value if column in targets else f"{value}{behind}" for column, value in enumerate(values)]
        for place in places:
            filled[place][mark.layer].append(row)
    for link in linked.links:
        target = link.source if link.target is None else link.target
        governor, dependent = (
            (target, link.source) if is_dependency(known.types.kind(link.layer).name) else (link.source, target)
        )
        which = f"[{numbers[governor]}_{numbers[dependent]}]" if numbers[governor] or numbers[dependent] else ""
        row = [*_values(link.layer, link.unit, known), f"{where[governor]}{which}"]
        filled[placed[dependent][0]][link.layer].append(row)
    return {place: [*_row(own, known)] for place, own in filled.items()}


def _disambiguated(linked: Linked, placed: Sequence[Sequence[_Place]]) -> list[int]:
    """Return numbers of annotations on several rows, or of which a layer has several on a row; 0 for others."""
    marks = [*zip(linked.marks, placed, strict=True)]
    stacked = Counter((mark.layer, place) for mark, places in marks for place in places)
    numbers, last = [], 0
    for mark, places in marks:
        is_one = len(places) == 1 and stacked[mark.layer, places[0]] == 1
        last += not is_one and mark.layer != TOKEN
        numbers.append(0 if is_one or mark.layer == TOKEN else last)
    return numbers


def _bracketed(number: int) -> str:
    return f"[{number}]" if number else ""


def _slots(layer: str, members: Sequence[tuple[str, str]], known: _Types) -> Iterator[str]:
    """Iterate over the columns of slots: for each, the roles, and where what is there begins."""
    for slot in known.slots_of(layer):
        own = [(role, place) for role, place in members if known.types.slot_of(layer, role) == slot]
        roles = [_NO_LABEL if role == plain_name(slot.name) else _shown(role) for role, _ in own]
        yield ";".join(roles) or _NOTHING
        yield ";".join(place for _, place in own) or _NO_LABEL


def _row(own: Mapping[str, Sequence[Sequence[str]]], known: _Types) -> Iterator[str]:
    """Iterate over the columns of a row: for each feature, the labels of all annotations there."""
    for layer in known.layers:
        for column in range(known.n_columns(layer)):
            yield "|".join(values[column] for values in own.get(layer, ())) or _NOTHING


def _values(layer: str, unit: Unit | None, known: _Types) -> list[str]:
    return [_shown(None if unit is None else unit.features.get(name)) for name in known.features_of(layer)]


def _shown(label: Label | None) -> str:
    if label is None or label == "" or label == ():
        return _NO_LABEL
    return escaped_label("|".join(map(str, label)) if isinstance(label, tuple) else str(label))


TSV_FOLDER = FolderWriting(
    _write_folder, holds_only((".tsv",)), ".tsv", "{annotator}/{document}.tsv", lambda folder: False
)
