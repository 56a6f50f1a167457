"""JSON lines, the lossless native form: one line per annotator's version of a document."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, groupby, repeat
from operator import gt
from pathlib import Path
from types import NoneType
from typing import Any, BinaryIO, ClassVar, NamedTuple, TypeVar

import numpy as np

from unisono.arrays import IntArray
from unisono.data import Corpus, Data, Normalizations, Ratings
from unisono.data.anchors import PIECE, Anchor
from unisono.data.corpus import Bounds
from unisono.data.labels import Coded
from unisono.data.runs import run_name
from unisono.data.spans import EXACT
from unisono.data.unit_kinds import COMPOSITE, SPANS
from unisono.errors import DataError
from unisono.formats.collected import Collected
from unisono.formats.files import head_text, locating
from unisono.formats.format import BlockReading, Format, Instructions
from unisono.formats.json_reading import is_number, json_lines, shown_json
from unisono.formats.line_blocks import block_of_lines
from unisono.formats.pieces import Position
from unisono.formats.wanted import as_wanted

_LINE_KEYS = ("document", "annotator", "run", "text", "continuum", "tokens", "units")
_LINES = 2_000
_LETTERS = 2**22
"""So many lines, or letters of texts, are a piece of a file that is read in pieces."""
_UNIT_KEYS = ("start", "end", "anchors", "type", "category", "features")
_Key = TypeVar("_Key")
_Value = TypeVar("_Value")
_ANCHOR_KEYS = ("role", "start", "end")


def read(path: Path, instructions: Instructions) -> Corpus:
    """Read documents, annotators, units, and texts and continua if there are any."""
    lines = _Lines(path, replace(instructions, units=None))
    for line, entry in json_lines(path, instructions.bad, colons=_n_colons):
        with lines.record(line):
            lines.add(entry, line)
    with locating(path):
        return as_wanted(lines.corpus(), instructions)


def json_block(path: Path, instructions: Instructions, block: range) -> _Block | None:
    """Read some lines of a large file, in any process."""
    found = block_of_lines(path, block)
    if found is None:
        return None
    content, n_lines = found
    lines = _Lines(path, replace(instructions, units=None, bad=None))
    for line, entry in json_lines(path, colons=_n_colons, part=content):
        lines.add(entry, line)
    return lines.block(n_lines)


def joined_json(path: Path, instructions: Instructions, blocks: Sequence[_Block]) -> Corpus | None:
    """Put the blocks of a file together; None if it has to be read as a whole, perhaps to say what is wrong."""
    documents, annotators = _united(block.documents for block in blocks), _united(block.annotators for block in blocks)
    n_before = np.cumsum([0, *(block.n_lines for block in blocks)]).tolist()
    worked = _united(_shifted(block.worked, n) for block, n in zip(blocks, n_before, strict=False))
    if len(worked) < sum(len(block.worked) for block in blocks) or not (documents or annotators):
        return None
    runs = [run for block in blocks for run in block.runs]
    n_units = [n for _, _, n in runs]
    lines = np.repeat(np.array([line for _, line, _ in runs], np.int64), n_units)
    lines += np.repeat(n_before[:-1], [len(block.starts) for block in blocks])
    where, who = (_repeated([key[side] for key, _, _ in runs], n_units) for side in (0, 1))
    start, end = np.concatenate([one.starts for one in blocks]), np.concatenate([one.ends for one in blocks])
    bounds = _united(block.bounds for block in blocks)
    if any(bounds[name] != own for block in blocks for name, own in block.bounds.items()):
        return None
    if not _are_within(bounds, where, start, end):
        return None
    corpus = Corpus.from_columns(
        documents=documents,
        annotators=annotators,
        document=where,
        annotator=who,
        start=start,
        end=end,
        features={name: _column(blocks, name) for name in _united(block.labels for block in blocks)},
        worked=worked,
        bounds=bounds,
        texts=_united(block.texts for block in blocks),
        source=path.name,
        locate=lambda row: (path, int(lines[row])),
        origins={key: (path, line) for key, line in worked.items()},
        tokens=_united(block.tokens for block in reversed(blocks)),  # the first that are given count
    )
    return as_wanted(corpus, instructions)


def json_pieces(path: Path, instructions: Instructions) -> Iterator[Corpus]:
    """Read some lines at a time; all lines of a document that follow each other are in one piece."""
    lines, n_lines, n_letters = _Lines(path, replace(instructions, units=None)), 0, 0
    latest: Any = None
    for line, entry in json_lines(path, instructions.bad, colons=_n_colons):
        document = entry.get("document", "") if isinstance(entry, dict) else latest
        if (n_lines >= _LINES or n_letters >= _LETTERS) and document != latest:
            yield as_wanted(lines.corpus(), instructions)
            lines, n_lines, n_letters = _Lines(path, replace(instructions, units=None)), 0, 0
        latest = document
        with lines.record(line):
            lines.add(entry, line)
        n_lines += 1
        text = entry.get("text") if isinstance(entry, dict) else None
        n_letters += len(text) if isinstance(text, str) else 0
    yield as_wanted(lines.corpus(), instructions)


def write(corpus: Data, stream: BinaryIO) -> list[str]:
    """Write a corpus so that reading it gives the same corpus."""
    if isinstance(corpus, Ratings | Normalizations):
        what = "ratings" if isinstance(corpus, Ratings) else "normalizations"
        raise DataError(f"JSON lines hold units, and these are {what}; write csv or tsv")
    if not corpus.documents and not corpus.annotators:
        raise DataError("there is nothing to write: the corpus has no documents")
    for entry in _entries(corpus):
        stream.write(_dumped(entry))
    if corpus.features and not corpus.n_units:
        return [f"Features without any unit are left out: {', '.join(corpus.features)}."]
    return []


def adding_text(document: str, annotator: str) -> str:
    """Explain how to add a text to data that has none: in a file of JSON lines."""
    line = json.dumps({"document": document, "annotator": annotator, "text": "…"}, ensure_ascii=False)
    return f"add a .jsonl file with the texts to the paths, with a line such as {line} for each document"


@dataclass
class _Lines(Collected):
    """Collects lines; names may be empty, and there may be documents that nobody worked on."""

    MOST_FEATURES: ClassVar[float] = math.inf

    def add(self, entry: Any, line: int) -> None:
        """Add what one line says."""
        if not isinstance(entry, dict):
            raise DataError('a line should be an object like {"document": …, "annotator": …, "units": […]}')
        _check_keys(entry, _LINE_KEYS, "a line")
        document = _name(entry, "document", "" if "document" in entry else self.instructions.document_of(self.path))
        if document is not None:
            self.documents[document] = None
            self.add_continuum(document, entry.get("continuum"), line)
            self.add_tokens(document, entry.get("tokens"))
        if "annotator" not in entry:
            raise DataError('the annotator is missing; add "annotator"')
        annotator = _name(entry, "annotator", "")
        if annotator is not None and (run := _name(entry, "run", "")):
            annotator = run_name(annotator, run)
        if annotator is not None:
            self.annotators[annotator] = None
        if document is None or annotator is None:
            _check_empty(entry, "annotator" if document is not None else "document")
            return
        text, units = entry.get("text"), entry.get("units")
        if not isinstance(text, str | None):
            raise DataError(f"the text should be text, not {shown_json(text)}")
        if not isinstance(units, list | None):
            raise DataError(f"units should be a list, not {shown_json(units)}")
        self.version(document, annotator, text=text, line=line)
        self.add_units(units or (), (document, annotator), line)

    def add_continuum(self, document: str, given: Any, line: int) -> None:
        """Note where a document's continuum begins and ends."""
        if given is None:
            return
        numbers = isinstance(given, list) and len(given) == 2 and all(is_number(one, math.inf) for one in given)
        if not numbers or given[0] > given[1]:
            raise DataError(f"the continuum should be [begin, end], two numbers in this order, not {shown_json(given)}")
        self.bounds(float(given[0]), float(given[1]), document, line)

    def add_tokens(self, document: str, given: Any) -> None:
        """Note where the tokens of a document begin and end."""
        if given is None:
            return
        if not isinstance(given, list) or not all(map(_is_span, given)):
            raise DataError("tokens should be a list of [begin, end], whole numbers in this order")
        self.tokens([(begin, end) for begin, end in given], document)

    def add_units(self, units: Sequence[Any], key: tuple[str, str], line: int) -> None:
        """Add the units of one version: usual ones at once, as there may be millions, others check by check."""
        text = self._texts.get(key)
        usual = _usual_columns(units, EXACT if text is None else len(text))
        if usual is None:
            for unit in units:
                self.add_unit(unit, *key, line)
            return
        starts, ends, labels = usual
        n_before = len(self._starts)
        self._keys += [key] * len(units)
        self._starts += starts
        self._ends += ends
        self._lines += [line] * len(units)
        for name, own in labels.items():
            column = self._labels.setdefault(name, [])
            column += [None] * (n_before - len(column))
            column += own

    def add_unit(self, unit: Any, document: str, annotator: str, line: int) -> None:
        """Add one unit; labels that are null count, so that features keep their order."""
        if not isinstance(unit, dict):
            raise DataError(f'a unit should be an object like {{"start": 0, "end": 3}}, not {shown_json(unit)}')
        _check_keys(unit, _UNIT_KEYS, 'a unit; put other labels into "features"')
        features = unit.get("features")
        if not isinstance(features, dict | None):
            raise DataError(f"features should be an object of names and labels, not {shown_json(features)}")
        labels = {name: unit[name] for name in ("type", "category") if name in unit}
        for name, label in [*labels.items(), *(features or {}).items()]:
            if not _is_label(label):
                kinds = "text, a number, true/false or a list of texts"
                raise DataError(f"the label {shown_json(label)} of {name} should be {kinds}")
        if features and (twice := labels.keys() & features.keys()):
            raise DataError(f"a unit has {min(twice)} twice, once in its features; remove one")
        if "anchors" in unit:
            ends = [(role, [(start, end)]) for role, start, end in _anchors(unit)]
            self.composite(SPANS, ends, {}, document=document, annotator=annotator, line=line)
        else:
            start, end = _position(unit, "start"), _position(unit, "end")
            self.unit(start, end, {}, document=document, annotator=annotator, line=line)
        for name, label in (labels | (features or {})).items():
            self._label(name, label)

    def block(self, n_lines: int) -> _Block | None:
        """Return what some lines hold; None if that is more than plain units with labels that are text."""
        if any([self._anchors, self._dropped, self._schemas, self._wanted.endless, *self._items.parts()]):
            return None
        # codes would not tell 1 from 1.0 and True, and positions that are no whole numbers do not fit
        labels = [*chain.from_iterable(self._labels.values())]
        if not {*map(type, labels)} <= {str, NoneType} or not {*map(type, (*self._starts, *self._ends))} <= {int}:
            return None
        return _Block(
            n_lines,
            [(key, line, len([*units])) for (key, line), units in groupby(zip(self._keys, self._lines, strict=True))],
            np.array(self._starts, np.int64),
            np.array(self._ends, np.int64),
            {name: Coded.of(column) for name, column in self._labels.items()},
            self.documents,
            self.annotators,
            self._worked,
            self._texts,
            self._tokens,
            self._bounds,
        )

    def _key(self, document: str | None, annotator: str | None) -> tuple[str, str]:
        return document or "", annotator or ""

    def _document(self, document: str | None) -> str:
        return document or ""


class _Block(NamedTuple):
    """What some lines of a file hold, small enough to be sent from one process to another; see `Collected`."""

    n_lines: int
    runs: list[tuple[tuple[str, str], int | None, int]]
    """Document and annotator of units that follow each other, their line in the block, and how many they are."""
    starts: IntArray
    ends: IntArray
    labels: dict[str, Coded]
    """By feature; units at the end that have none are left out."""
    documents: dict[str, None]
    annotators: dict[str, None]
    worked: dict[tuple[str, str], int | None]
    texts: dict[tuple[str, str], str]
    tokens: dict[str, Any]
    bounds: dict[str, Bounds]


def _united(parts: Iterable[Mapping[_Key, _Value]]) -> dict[_Key, _Value]:
    """Put mappings together; keys are in the order of their first appearance."""
    every: dict[_Key, _Value] = {}
    for part in parts:
        every |= part
    return every


def _shifted(lines: Mapping[_Key, int | None], by: int) -> dict[_Key, int | None]:
    """Count lines from the beginning of the file, not of the block."""
    return {key: None if line is None else line + by for key, line in lines.items()}


def _are_within(bounds: Mapping[str, Bounds], document: Coded, start: IntArray, end: IntArray) -> bool:
    """Whether all units are within the continuum of their document, where it is known."""
    limits = np.array([bounds.get(name, (-math.inf, math.inf)) for name in document.values]).reshape(-1, 2)
    low, high = limits[document.codes].T
    return not ((start < low) | (end > high)).any()


def _repeated(names: Sequence[str], times: Sequence[int]) -> Coded:
    """Make a column in which each name is repeated."""
    column = Coded.of(names)
    return Coded(np.repeat(column.codes, times), column.values)


def _column(blocks: Sequence[_Block], name: str) -> Coded:
    """Put the labels of one feature together; None where a unit has none."""
    number: dict[str | None, int] = {None: 0}
    parts = []
    for block in blocks:
        own = block.labels.get(name) or Coded.of(())
        codes = own.numbers({label: number.setdefault(label, len(number)) for label in own.values})
        parts += [codes, np.zeros(len(block.starts) - len(codes), np.int64)]
    return Coded(np.concatenate(parts), tuple(number))


def _name(entry: Mapping[str, Any], key: str, default: str) -> str | None:
    """Return a document's or annotator's name; null means that there is none."""
    value = entry.get(key, default)
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str | None):
        raise DataError(f"the {key} should be text, not {shown_json(value)}")
    return value


def _n_colons(entry: Any) -> int:
    """Count the colons that a usual line must have: after each key, and in the text."""
    if type(entry) is not dict:
        return 0
    text, units = entry.get("text"), entry.get("units")
    n_colons = len(entry) + (text.count(":") if type(text) is str else 0)
    if type(units) is not list or not {*map(type, units)} <= {dict}:
        return n_colons
    features = [unit.get("features") for unit in units]
    return n_colons + sum(map(len, units)) + sum(map(len, features) if {*map(type, features)} <= {dict} else ())


def _usual_columns(units: Sequence[Any], last: int) -> tuple[list[int], list[int], dict[str, list[str | None]]] | None:
    """Return starts, ends and labels by feature, if all units are usual; else None.

    They are if they go from one whole number to another, up to the last, and all their labels are text.
    """
    if {*map(type, units)} != {dict} or {*map(len, units)} != {3}:
        return None
    try:
        starts, ends = [unit["start"] for unit in units], [unit["end"] for unit in units]
        features = [unit["features"] for unit in units]
    except KeyError:
        return None
    if {*map(type, starts), *map(type, ends)} != {int} or {*map(type, features)} != {dict}:
        return None
    if min(starts) < 0 or max(ends) > last or any(map(gt, starts, ends)):
        return None
    if not {*map(type, chain.from_iterable(map(dict.values, features)))} <= {str}:
        return None
    names = dict.fromkeys(chain.from_iterable(features))
    return starts, ends, {name: [*map(dict.get, features, repeat(name))] for name in names}


def _anchors(unit: Mapping[str, Any]) -> list[tuple[str, Position, Position]]:
    """Return the anchors of a unit; those without a role are pieces of it."""
    given = unit["anchors"]
    for key in ("start", "end"):
        if key in unit:
            raise DataError(f"a unit has anchors and a {key}, which follows from them; remove it")
    if not isinstance(given, list) or not given or not all(isinstance(one, dict) for one in given):
        example = '[{"role": "source", "start": 0, "end": 3}, {"role": "target", "start": 9, "end": 14}]'
        raise DataError(f"the anchors of a unit should be a list like {example}, not {shown_json(given)}")
    anchors = []
    for one in given:
        _check_keys(one, _ANCHOR_KEYS, "an anchor")
        role = one.get("role", PIECE)
        if not isinstance(role, str) or not role:
            raise DataError(f"the role of an anchor should be a name, not {shown_json(role)}")
        start, end = _position(one, "start", "an anchor"), _position(one, "end", "an anchor")
        if end < start:
            raise DataError(f"the {role} of a unit ends ({end}) before it begins ({start}); correct it")
        anchors.append((role, start, end))
    return anchors


def _position(unit: Mapping[str, Any], key: str, what: str = "a unit") -> Position:
    if key not in unit:
        raise DataError(f"{what} has no {key}; add it")
    value: Position = unit[key]
    if not is_number(value, math.inf):
        raise DataError(f"the {key} of {what} should be a finite number, not {shown_json(value)}")
    if abs(value) > EXACT:
        raise DataError(f"the {key} {shown_json(value)} is beyond ±2^53, where positions lose precision")
    return value


def _check_keys(entry: Mapping[str, Any], known: Sequence[str], what: str) -> None:
    """Reject unknown keys: nothing is dropped silently."""
    for key in entry:
        if key not in known:
            raise DataError(f"unknown key {key!r} in {what}; available: {', '.join(known)}")


def _check_empty(entry: Mapping[str, Any], missing: str) -> None:
    """Reject units and texts that belong to no document or no annotator."""
    for key in ("units", "text"):
        if entry.get(key):
            raise DataError(f"the line has {key} but no {missing}; add it")


def _is_span(value: Any) -> bool:
    whole = isinstance(value, list) and len(value) == 2 and all(type(place) is int for place in value)
    return whole and 0 <= value[0] <= value[1] <= EXACT


def _is_label(value: Any) -> bool:
    if isinstance(value, list):
        return all(isinstance(member, str) for member in value)
    return value is None or isinstance(value, str | bool) or is_number(value, math.inf)


def _entries(corpus: Corpus) -> Iterator[dict[str, Any]]:
    units = _units(corpus)
    for d, document in enumerate(corpus.documents):
        head = {"document": document}
        continuum: dict[str, Any] = (
            {"continuum": [_plain(bound) for bound in corpus.bounds[d]]} if d in corpus.bounds else {}
        )
        if d in corpus.tokens:
            continuum["tokens"] = corpus.tokens[d].tolist()
        annotators = np.flatnonzero(corpus.worked[d]).tolist()
        if not annotators:
            yield {**head, "annotator": None, **continuum}
        marks = corpus.annotator[corpus.rows(d)]
        for a in annotators:
            n_units = int(np.count_nonzero(marks == a))
            text = {"text": corpus.texts[d, a]} if (d, a) in corpus.texts else {}
            own = [next(units) for _ in range(n_units)]
            yield {**head, "annotator": corpus.annotators[a], **text, **continuum, "units": own}
            continuum.pop("tokens", None)
    for a in np.flatnonzero(~corpus.worked.any(axis=0)).tolist():
        yield {"document": None, "annotator": corpus.annotators[a]}


def _units(corpus: Corpus) -> Iterator[dict[str, Any]]:
    """Make the units in the corpus's order; the first has all features, so that their order is kept."""
    labels = {name: column.values() for name, column in corpus.features.items()}
    typed = next(iter(labels), None) == "type"
    anchors = [()] * corpus.n_units if corpus.anchors is None else corpus.anchors.listed()
    for row, (start, end) in enumerate(zip(corpus.start.tolist(), corpus.end.tolist(), strict=True)):
        unit: dict[str, Any] = {"anchors": [*map(_written, anchors[row])]} if anchors[row] else {}
        unit = unit or {"start": start, "end": end}
        own = {name: column[row] for name, column in labels.items() if row == 0 or column[row] is not None}
        if typed and "type" in own:
            unit["type"] = own.pop("type")
        if own:
            unit["features"] = own
        yield unit


def _written(anchor: Anchor) -> dict[str, Any]:
    role = {} if anchor.role == PIECE else {"role": anchor.role}
    return {**role, "start": anchor.start, "end": anchor.end}


def _plain(number: float) -> int | float:
    return int(number) if float(number).is_integer() else number


def _dumped(entry: Mapping[str, Any]) -> bytes:
    try:
        try:
            return json.dumps(entry, ensure_ascii=False, allow_nan=False).encode() + b"\n"
        except UnicodeEncodeError:  # half a surrogate pair: only as an escape
            return json.dumps(entry, allow_nan=False).encode() + b"\n"
    except ValueError:
        raise DataError(f"document {entry['document']!r} has an infinite number, which JSON cannot hold") from None


def _sniff(head: bytes, path: Path) -> bool:
    if path.suffix.lower() in FORMAT.suffixes:
        return True
    begin = head_text(head).lstrip()
    return begin.startswith("{") and begin[1:].lstrip()[:1] in ('"', "}", "")


FORMAT = Format(
    name="jsonl",
    title="JSON lines",
    suffixes=(".jsonl", ".ndjson", ".json"),
    reads="document, annotator, text, continuum, units with start, end, type and features; relations, events and units "
    "in pieces with anchors (role, start, end) in place of start and end",
    ignores="nothing",
    annotator_from=(),
    composite=COMPOSITE,
    writes_links=COMPOSITE,
    sniff=_sniff,
    read=read,
    pieces=json_pieces,
    in_blocks=BlockReading(json_block, joined_json),
    write=write,
)
