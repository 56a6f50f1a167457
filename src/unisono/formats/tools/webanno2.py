"""WebAnno TSV 2, which WebAnno wrote until version 3: one annotator's version of one text.

Specification: WebAnno's user guide ("TSV 2") and WebannoTsv2Writer in its source. The first line names layers and
their features, such as `` # layer | feature # layer | feature | AttachTo=layer``. Each sentence has ``#id=`` and
``#text=``, and a row per token: number, token, a column per feature, and for relations one with the other end. Values
of several annotations on a token are separated by bars. In layers whose annotations may be on several tokens, ``B-``
begins one, ``I-`` continues the one in the same place, ``O-_`` keeps a place free, and ``O`` is none. Elsewhere, each
value is an annotation of one token, and ``_`` is none. A value that begins with the layer's name stands for none. There
are no positions: tokens are searched for in ``#text=``, which has lost its line breaks; if one is not there, the
sentence consists of its tokens.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from unisono.data import Label
from unisono.data.unit_kinds import RELATIONS
from unisono.errors import DataError, mention, plural
from unisono.formats.collected import Collected, as_label, collecting
from unisono.formats.files import head_text, numbered_lines
from unisono.formats.format import Format
from unisono.formats.tokens import LabelledTokens
from unisono.formats.tools.cas import ANNOTATION, UIMA
from unisono.formats.tools.cas_types import type_system_of
from unisono.formats.tools.inception import CURATION, INCEPTION_PROJECT
from unisono.formats.tools.inception_links import ends_of

_HEADER = re.compile(r"\s*#\s*[\w$]+(?:\.[\w$]+)+\s*\|")
_SNIFFED = re.compile(r"\ufeff?\s*#\s*[\w$]+(?:\.[\w$]+)+\s*\|[^\n]*\r?\n\s*#id=")
_ID = re.compile(r"\d{1,9}-\d{1,9}")
_ATTACHED = "AttachTo="
_PART = re.compile(r"([BI])-(.*)", re.DOTALL)
_NOTHING = ("_", "O", "O-_", "B-_", "I-_")
_UNFOUND = "sentences whose #text= is not made of their tokens, put together from these"


@collecting
def read(collected: Collected) -> None:
    """Read annotations as units, with layers and labels."""
    layers, sentences = _parsed(collected)
    if collected.instructions.units == "tokens":
        _collect_tokens(layers, sentences, collected)
        return
    text, tokens = _placed(sentences, collected)
    collected.version(text=text)
    rows = [row for sentence in sentences for row in sentence.rows]
    for layer, name in _named(layers).items():
        if layer.attached:
            with_ends = _Ends(rows, tokens, {one.name: list(_units(one, rows)) for one in layers if not one.attached})
            _collect_relations(layer, name, with_ends, collected)
            continue
        for unit in sorted(_units(layer, rows), key=lambda unit: (unit.first, unit.last)):
            start, end = tokens[unit.first][0], tokens[unit.last][1]
            collected.unit(start, end, unit.labels, layer=name, line=rows[unit.first].line)
    collected.tokens(tokens)
    spans = tuple((layer.name, layer.features) for layer in layers if not layer.attached)
    relations = tuple((layer.name, layer.features, layer.base or ANNOTATION) for layer in layers if layer.attached)
    types = type_system_of(spans, relations) or type_system_of(spans)
    if types is not None:
        collected.schema(UIMA, types)


class _Layer(NamedTuple):
    """A layer, its features, where its columns begin, and whether it consists of relations."""

    name: str
    features: tuple[str, ...]
    first: int
    attached: bool
    base: str = ""
    """The layer of what relations are attached to."""


class _Row(NamedTuple):
    line: int
    number: str
    form: str
    values: list[str]


@dataclass
class _Sentence:
    text: str = ""
    rows: list[_Row] = field(default_factory=list)


@dataclass
class _Unit:
    """An annotation: its first and last token and its labels."""

    first: int
    last: int
    labels: dict[str, Label | None]


def _parsed(collected: Collected) -> tuple[list[_Layer], list[_Sentence]]:
    """Return layers and sentences; lines that begin otherwise belong to a text with a line break in it."""
    layers: list[_Layer] = []
    sentences = [_Sentence()]
    for line, content in numbered_lines(collected.path):
        if content.startswith("#text="):
            sentences.append(_Sentence(content.removeprefix("#text=")))
        elif not layers and _HEADER.match(content):
            layers = list(_layers(content))
        elif _ID.fullmatch(content.partition("\t")[0]):
            if not layers:
                raise DataError(
                    "there is no line with layers (# layer | feature) before it; export it again", line=line
                )
            sentences[-1].rows.append(_row(content, layers, line))
    if not layers:
        raise DataError("the file should begin with a line of layers, # layer | feature; export it again", line=1)
    return layers, sentences


def _layers(content: str) -> Iterator[_Layer]:
    first = 0
    for declared in content.split("#")[1:]:
        name, *features = [part.strip() for part in declared.split("|")]
        bases = [feature.removeprefix(_ATTACHED) for feature in features if feature.startswith(_ATTACHED)]
        own = tuple(feature for feature in features if not feature.startswith(_ATTACHED))
        yield _Layer(name, own, first, bool(bases), next(iter(bases), ""))
        first += len(features)


def _row(content: str, layers: Sequence[_Layer], line: int) -> _Row:
    fields = content.split("\t")
    n_columns = sum(len(layer.features) + layer.attached for layer in layers)
    if len(fields) < 2 + n_columns:
        has = plural(len(fields), "column")
        raise DataError(f"the line has {has}, not the {2 + n_columns} that the header declares; correct it", line=line)
    if not fields[1]:
        raise DataError("the line has no token; correct it", line=line)
    return _Row(line, fields[0], fields[1], fields[2 : 2 + n_columns])


def _named(layers: Sequence[_Layer]) -> dict[_Layer, str]:
    """Return the names of layers: the short ones, if they are different."""
    short = Counter(layer.name.rpartition(".")[2] for layer in layers)
    own = {layer: layer.name.rpartition(".")[2] for layer in layers}
    return {layer: name if short[name] == 1 else layer.name for layer, name in own.items()}


def _collect_tokens(layers: Sequence[_Layer], sentences: Sequence[_Sentence], collected: Collected) -> None:
    """Make items of tokens, and questions of the features of span layers."""
    table = LabelledTokens()
    document = collected.instructions.document_of(collected.path)
    named = {layer: name for layer, name in _named(layers).items() if not layer.attached}
    for row in (row for sentence in sentences for row in sentence.rows):
        labels = {}
        for layer, name in named.items():
            for feature, value in zip(layer.features, row.values[layer.first :], strict=False):
                cells = (_PART.sub(r"\2", cell) for cell in value.split("|") if cell not in _NOTHING)
                label = as_label(cell for cell in cells if not cell.startswith(layer.name))
                if label is not None:
                    labels[f"{name}.{feature}"] = label
        sentence_number, token = map(int, row.number.split("-"))
        table.add((document, sentence_number, token), row.form, labels, line=row.line)
    table.collect(collected)


def _placed(sentences: Sequence[_Sentence], collected: Collected) -> tuple[str, list[tuple[int, int]]]:
    """Return the text, one line per sentence, and where its tokens are."""
    pieces: list[str] = []
    spans: list[tuple[int, int]] = []
    length = 0
    for sentence in sentences:
        forms = [row.form for row in sentence.rows]
        if not forms:
            continue
        text, found = sentence.text, _found(forms, sentence.text)
        if found is None:
            collected.drop(_UNFOUND)
            text = " ".join(forms)
            found = _found(forms, text) or []
        spans += [(length + start, length + end) for start, end in found]
        pieces.append(text)
        length += len(text) + 1
    return "\n".join(pieces), spans


def _found(forms: Sequence[str], text: str) -> list[tuple[int, int]] | None:
    """Return where tokens follow each other in a text, with nothing but white space between them."""
    at = 0
    spans = []
    for form in forms:
        start = text.find(form, at)
        if start < 0 or text[at:start].strip():
            return None
        at = start + len(form)
        spans.append((start, at))
    return None if text[at:].strip() else spans


class _Ends(NamedTuple):
    """What relations may be attached to: tokens, and the annotations of span layers."""

    rows: Sequence[_Row]
    tokens: Sequence[tuple[int, int]]
    units: Mapping[str, Sequence[_Unit]]

    def at(self, token: int, layer: str) -> tuple[int, int]:
        """Return where the only annotation of a layer on a token is; otherwise, where the token is."""
        there = [unit for unit in self.units.get(layer, ()) if unit.first <= token <= unit.last]
        first, last = (there[0].first, there[0].last) if len(there) == 1 else (token, token)
        return self.tokens[first][0], self.tokens[last][1]


def _collect_relations(layer: _Layer, name: str, ends: _Ends, collected: Collected) -> None:
    """Hand over the relations of a layer; the row is that of the dependent, and its last column has the governor."""
    number = {row.number: token for token, row in enumerate(ends.rows)}
    for token, row in enumerate(ends.rows):
        columns = row.values[layer.first : layer.first + len(layer.features) + 1]
        stacks = [[] if value in _NOTHING else value.split("|") for value in columns]
        for place in range(max(map(len, stacks), default=0)):
            with collected.record(row.line):
                if not collected.wants(RELATIONS, {}, name):
                    continue
                *cells, governor = [stack[place] if place < len(stack) else "_" for stack in stacks]
                there = number.get(governor)
                if there is None:
                    missing = f"the token {governor} of its governor" if governor != "_" else "its governor"
                    collected.endless(RELATIONS, name, missing, row.line)
                    continue
                own = zip(layer.features, (_label(cell, layer) for cell in cells), strict=True)
                dependent = ends.at(token, layer.base)
                made = ends_of(layer.name, ends.at(there, layer.base), dependent)
                anchors = [(role, [span]) for role, span in made]
                collected.composite(RELATIONS, anchors, dict(own), layer=name, line=row.line)


def _label(cell: str, layer: _Layer) -> str | None:
    value = _PART.sub(r"\2", cell)
    return None if cell in _NOTHING or value.startswith(layer.name) else value


def _units(layer: _Layer, rows: Sequence[_Row]) -> Iterator[_Unit]:
    """Iterate over the annotations of a layer."""
    going_on: dict[int, _Unit] = {}
    for token, row in enumerate(rows):
        begun: dict[int, _Unit] = {}
        columns = row.values[layer.first : layer.first + len(layer.features)]
        for feature, value in zip(layer.features, columns, strict=True):
            for place, cell in enumerate(value.split("|")):
                if cell in _NOTHING:
                    continue
                part = _PART.fullmatch(cell)
                begins = part is None or part[1] == "B"
                if place not in begun:
                    begun[place] = _Unit(token, token, {}) if begins else _continued(going_on, place, layer, row)
                unit = begun[place]
                label = cell if part is None else part[2]
                if unit.first == token:
                    unit.labels[feature] = None if label.startswith(layer.name) else label
                elif begins:
                    raise _mixed(layer, row)
                unit.last = token
        yield from (unit for place, unit in going_on.items() if begun.get(place) is not unit)
        going_on = begun
    yield from going_on.values()


def _continued(going_on: dict[int, _Unit], place: int, layer: _Layer, row: _Row) -> _Unit:
    if place not in going_on:
        what = f"an annotation of {layer.name} continues (I-) where none has begun"
        raise DataError(f"{what}; correct the line, or the one before it", line=row.line)
    return going_on[place]


def _mixed(layer: _Layer, row: _Row) -> DataError:
    what = f"an annotation of {layer.name} begins in one column and continues in another"
    return DataError(f"{what}; correct the line", line=row.line)


def _sniff(head: bytes, path: Path) -> bool:
    return bool(_SNIFFED.match(head_text(head)))


FORMAT = Format(
    name="webanno2",
    title="WebAnno TSV 2",
    suffixes=(".tsv",),
    reads="annotations of span layers as units on the text (#text=), with the layer and its features as labels; "
    "tokens. With "
    + mention("units", "tokens")
    + ": tokens as items, and features (POS.PosValue) as questions. With "
    + mention("units", "relations")
    + ": relations. Annotator and document: from the path",
    ignores="identifiers of sentences; the format has no chains and slots",
    options=CURATION,
    names_annotators=False,
    project=INCEPTION_PROJECT,
    labels_tokens=True,
    composite=(RELATIONS,),
    sniff=_sniff,
    read=read,
)
