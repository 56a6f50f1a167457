"""spaCy's DocBin (.spacy): one annotator's versions of several documents.

Specification: spaCy's documentation, "DocBin", "SpanGroup" and "Doc.to_array". A file is a msgpack message, packed
with zlib: a table of numbers, one row per token and one column per attribute; texts, whose hashes the numbers are; and
groups of spans. Entities are coded by ENT_IOB (1 inside, 2 outside, 3 begin, 0 unknown) and ENT_TYPE. Only spaCy's hash
function is used, and the reader of msgpack: Doc trusts numbers such as those of heads and spans, which may be wrong in
a damaged file. User data, which may hold anything, is not unpacked.
"""

from __future__ import annotations

import gc
import struct
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import accumulate, chain
from pathlib import Path
from typing import Any

import numpy as np

from unisono.arrays import BoolArray
from unisono.data import Label
from unisono.errors import DataError, mention
from unisono.formats.collected import Collected, collecting
from unisono.formats.files import read_head
from unisono.formats.format import Format
from unisono.formats.tokens import LabelledTokens
from unisono.formats.tools.categories import Categories, TextNames
from unisono.formats.tools.docbin_tokens import NO_MORPHOLOGY, add_tokens
from unisono.formats.tools.docbin_writing import check_spacy, write_docbin

_ZLIB = b"\x78"
_SWOLLEN = 200
"""A file holds at most so many times its own size, once it is not small."""
_SMALL = 2**26
_SPAN = struct.Struct(">QQQllll")
_INSIDE, _BEGIN = 1, 3

_Unit = tuple[int, int, str, dict[str, Label | None]]


@collecting
def read(collected: Collected) -> None:
    """Read entities and groups of spans as units, each a layer, and categories of texts; or tokens as items."""
    try:
        import srsly
        from spacy.attrs import IDS
        from spacy.strings import StringStore
    except ImportError:
        message = "reading DocBin needs spaCy, which is not installed; install it with pip install 'unisono[spacy]'"
        raise DataError(message) from None

    data = _unpacked(collected.path)
    collects = gc.isenabled()
    try:
        message = srsly.msgpack_loads(data)
        numbers = StringStore()  # gives the number of a text, known or not
        names = {numbers[text]: text for text in [*message["strings"], NO_MORPHOLOGY]}
        bin_ = _Bin(message, names, {number: name for name, number in IDS.items()})
        tables = list(bin_.tables())
        groups = [_groups(srsly.msgpack_loads, packed) for packed in bin_.groups]
    except (DataError, MemoryError):
        raise
    except Exception as error:
        reason = " ".join(str(error).split())[:120]
        raise DataError(f"this is not a DocBin ({type(error).__name__}: {reason}); save it again") from None
    finally:
        if collects:
            gc.enable()  # which srsly leaves off when it fails
    default = collected.instructions.document_of(collected.path)
    categories, items, labelled = Categories(), TextNames(), LabelledTokens()
    marked = not any(table.categories for table in tables) or any(map(_may_be_marked, tables, groups))
    for number, (table, own) in enumerate(zip(tables, groups, strict=True), start=1):
        name = f"{default} {number}" if len(tables) > 1 else default
        with _record(collected, number):
            doc = _doc(table, names)
            if collected.instructions.units == "tokens":
                words = [doc.text[start:end] for start, end in doc.tokens]
                add_tokens(name, words, doc.columns, partial(_named, names=names), labelled)
                continue
            if marked:
                _add(doc, own, names, collected, name=name, number=number)
            categories.add(items.name(doc.text), doc.categories, doc.text)
    labelled.collect(collected)
    categories.collect(collected)


@contextmanager
def _record(collected: Collected, number: int) -> Iterator[None]:
    """Name the document in errors, and skip what is bad if the user wants that."""
    try:
        yield
    except DataError as error:
        collected.bad(DataError(f"document {number}: {error.message}", path=collected.path))


@dataclass
class _Table:
    """What a file says about the tokens of a document: by attribute, and which are followed by a space."""

    columns: Mapping[str, Any]
    spaces: BoolArray
    categories: Any


@dataclass
class _Doc:
    """A document: its text, where its tokens are, and what the columns say about them."""

    text: str
    tokens: list[tuple[int, int]]
    columns: Mapping[str, Any]
    categories: Any


@dataclass
class _Bin:
    """A message, checked as far as it is used."""

    message: Mapping[str, Any]
    names: Mapping[int, str]
    attributes: Mapping[int, str]

    @property
    def groups(self) -> list[bytes]:
        """The groups of spans, packed, one entry per document."""
        return list(self.message.get("span_groups") or [b""] * len(self.lengths))

    @property
    def lengths(self) -> list[int]:
        """How many tokens each document has."""
        return [int(length) for length in np.frombuffer(self.message["lengths"], dtype="int32")]

    def tables(self) -> Iterator[_Table]:
        """Iterate over the tables of documents."""
        lengths = self.lengths
        columns = [self.attributes.get(number, str(number)) for number in self.message["attrs"]]
        table = np.frombuffer(self.message["tokens"], dtype="uint64")
        spaces = np.frombuffer(self.message["spaces"], dtype=bool)
        n_tokens = sum(lengths)
        if min(lengths, default=0) < 0 or len(spaces) != n_tokens or len(table) != n_tokens * len(columns):
            raise DataError("the table of tokens is not as large as the documents say; save the file again")
        if "ORTH" not in columns or len(self.groups) != len(lengths):
            raise DataError("the file has no tokens, or groups of spans of other documents; save it again")
        rows = table.reshape(n_tokens, len(columns))
        flags, cats = self.message.get("flags") or [], self.message.get("cats") or []
        ends = list(accumulate(lengths))
        for number, (end, length) in enumerate(zip(ends, lengths, strict=True)):
            own = slice(end - length, end)
            unknown = number < len(flags) and flags[number].get("has_unknown_spaces")
            known = np.ones(length, dtype=bool) if unknown else spaces[own]
            by_name = {name: rows[own, column] for column, name in enumerate(columns)}
            yield _Table(by_name, known, cats[number] if number < len(cats) else None)


def _may_be_marked(table: _Table, groups: Mapping[str, Any]) -> bool:
    """Whether somebody looked for entities or spans: tokens outside of entities are coded, too."""
    return bool(groups) or any(table.columns[name].any() for name in ("ENT_IOB", "ENT_TYPE") if name in table.columns)


def _doc(table: _Table, names: Mapping[int, str]) -> _Doc:
    words = [_named(number, names) or "" for number in table.columns["ORTH"].tolist()]
    pieces = [(word, " " if space else "") for word, space in zip(words, table.spaces.tolist(), strict=True)]
    ends = list(accumulate((len(word) + len(space) for word, space in pieces), initial=0))
    tokens = [(start, start + len(word)) for start, word in zip(ends, words, strict=False)]
    return _Doc("".join(chain.from_iterable(pieces)), tokens, table.columns, table.categories)


def _named(number: int, names: Mapping[int, str]) -> str | None:
    """Return the text that a number stands for; 0 stands for none."""
    if number and number not in names:
        raise DataError(f"the number {number} stands for no text; save the file again")
    return names[number] if number else None


def _unpacked(path: Path) -> bytes:
    """Unpack a file, unless it becomes suspiciously large."""
    if not read_head(path).startswith(_ZLIB):
        raise DataError("this is not a DocBin, which is packed with zlib; save it with DocBin.to_disk")
    packed = path.read_bytes()
    most = max(_SMALL, _SWOLLEN * len(packed))
    unpacking = zlib.decompressobj()
    try:
        data = unpacking.decompress(packed, most)
    except zlib.error:
        raise DataError("the file is damaged; save it again") from None
    if unpacking.unconsumed_tail:
        raise DataError(f"the file unpacks to more than {most // 2**20:,} MB, which is suspicious; save it again")
    if not unpacking.eof:
        raise DataError("the file breaks off; check that it is complete")
    return data


def _groups(unpack: Any, packed: bytes) -> dict[str, list[tuple[int, ...]]]:
    """Return groups of spans: names to spans (id, kb_id, label, start, end, …), counted in tokens."""
    content = unpack(packed) if packed else []
    entries = content.items() if isinstance(content, dict) else [(own, None) for own in content]
    groups: dict[str, list[tuple[int, ...]]] = {}
    for own, keys in entries:
        group = unpack(own)
        spans = [_SPAN.unpack(span) for span in group["spans"]]
        groups.update({str(key): spans for key in (keys or [group["name"]])})
    return groups


def _add(
    doc: _Doc,
    groups: Mapping[str, Sequence[tuple[int, ...]]],
    names: Mapping[int, str],
    collected: Collected,
    *,
    name: str,
    number: int,
) -> None:
    """Add a document; a bad entity or span is one bad record."""
    collected.version(name, text=doc.text)
    collected.tokens(doc.tokens, name)
    spans = ((layer, span) for layer, own in groups.items() for span in own)
    for unit in chain(
        (partial(_entity, doc, first, last, names) for first, last in _entities(doc)),
        (partial(_span, doc, layer, span, names) for layer, span in spans),
    ):
        with _record(collected, number):
            first, last, layer, labels = unit()
            start, end = doc.tokens[first][0], doc.tokens[last - 1][1]
            collected.unit(start, max(start, end), labels, document=name, layer=layer)


def _entity(doc: _Doc, first: int, last: int, names: Mapping[int, str]) -> _Unit:
    return first, last, "ents", _labels(doc, first, names)


def _entities(doc: _Doc) -> Iterator[tuple[int, int]]:
    """Iterate over the entities, from the first token to the one after the last."""
    n_tokens = len(doc.tokens)
    kinds = doc.columns["ENT_TYPE"].tolist() if "ENT_TYPE" in doc.columns else [0] * n_tokens
    codes = doc.columns["ENT_IOB"].tolist() if "ENT_IOB" in doc.columns else _codes(kinds)
    begin: int | None = None
    for place in range(n_tokens + 1):
        code = codes[place] if place < n_tokens else 0
        if begin is not None and code != _INSIDE:
            yield begin, place
            begin = None
        if code in (_BEGIN, _INSIDE) and begin is None and (code == _INSIDE or kinds[place]):
            begin = place


def _codes(kinds: Sequence[int]) -> list[int]:
    """Code where entities begin; neighbours of one type are one entity."""
    before = [0, *kinds[:-1]]
    return [0 if not kind else _INSIDE if kind == last else _BEGIN for kind, last in zip(kinds, before, strict=True)]


def _labels(doc: _Doc, place: int, names: Mapping[int, str]) -> dict[str, Label | None]:
    known = {"category": "ENT_TYPE", "kb_id": "ENT_KB_ID", "id": "ENT_ID"}
    return {
        feature: _named(int(doc.columns[column][place]), names)
        for feature, column in known.items()
        if column in doc.columns
    }


def _span(doc: _Doc, layer: str, span: Sequence[int], names: Mapping[int, str]) -> _Unit:
    number, kb_id, kind, first, last, *_ = span
    if not 0 <= first <= last <= len(doc.tokens):
        raise DataError(f"a span of {layer!r} from token {first} to {last} is not within the document")
    if first == last:
        raise DataError(f"a span of {layer!r} from token {first} to {last} is empty; remove it")
    further = {"kb_id": kb_id, "id": number}
    labels = {name: names.get(label) if label else None for name, label in further.items()}
    return first, last, layer, {"category": _named(kind, names), **labels}


FORMAT = Format(
    name="docbin",
    title="spaCy DocBin",
    suffixes=(".spacy",),
    reads="entities (layer ents) and groups of spans (a layer each) as units with a category, kb_id and id; tokens; "
    "categories of texts (cats) as labels of items, which are named by their text. With "
    + mention("units", "tokens")
    + ": tokens as items, and tag, pos, lemma, dep, head, morph and ent as questions. Documents are numbered. "
    "Annotator: from the path. Needs spaCy (pip install 'unisono[spacy]')",
    ignores="all other attributes of tokens, user data",
    names_annotators=False,
    labels_tokens=True,
    sniff=lambda head, path: path.suffix.lower() == ".spacy" and head.startswith(_ZLIB),
    read=read,
    check_writing=check_spacy,
    write=write_docbin,
)
