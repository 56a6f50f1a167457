"""JSON lines, the lossless native form: one line per annotator's version of a document."""

from __future__ import annotations

import json
import math
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

import numpy as np

from unisono.data import Corpus, Data, Label, Normalizations, Ratings
from unisono.data.corpus import EXACT
from unisono.errors import DataError
from unisono.formats.files import head_text
from unisono.formats.format import Format, Instructions
from unisono.formats.json_reading import is_number, json_lines, shown_json

_LINE_KEYS = ("document", "annotator", "text", "continuum", "tokens", "units")
_UNIT_KEYS = ("start", "end", "type", "category", "features")


def read(path: Path, instructions: Instructions) -> Corpus:
    """Read documents, annotators, units, and texts and continua if there are any."""
    rows = _Rows(path, instructions.document_of(path))
    for line, entry in json_lines(path, strict=True):
        rows.line = line
        rows.add(entry)
    if rows.line == 0:
        raise DataError("the file has only empty lines; check that it was saved", path=path)
    rows.check_continua()
    return Corpus.from_columns(
        documents=rows.documents,
        annotators=rows.annotators,
        document=rows.document,
        annotator=rows.annotator,
        start=rows.start,
        end=rows.end,
        features={name: rows.padded(labels) for name, labels in rows.features.items()},
        worked=rows.worked,
        bounds=rows.bounds,
        texts=rows.texts,
        source=path.name,
        locate=lambda row: (path, rows.lines[row]),
        origins={version: (path, line) for version, line in rows.worked.items()},
        tokens=rows.tokens,
    )


def write(corpus: Data, stream: BinaryIO) -> list[str]:
    """Write a corpus so that reading it gives the same corpus."""
    if isinstance(corpus, Ratings):
        raise DataError("JSON lines hold units, and these are ratings; write csv or tsv")
    if isinstance(corpus, Normalizations):
        raise DataError("JSON lines hold units, and these are normalizations; write csv or tsv")
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
class _Rows:
    """What has been read so far, one row per unit."""

    path: Path
    default_document: str
    line: int = 0
    documents: dict[str, None] = field(default_factory=dict)
    annotators: dict[str, None] = field(default_factory=dict)
    worked: dict[tuple[str, str], int] = field(default_factory=dict)
    texts: dict[tuple[str, str], str] = field(default_factory=dict)
    bounds: dict[str, tuple[float, float]] = field(default_factory=dict)
    continuum_lines: dict[str, int] = field(default_factory=dict)
    tokens: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    document: list[str] = field(default_factory=list)
    annotator: list[str] = field(default_factory=list)
    start: list[int | float] = field(default_factory=list)
    end: list[int | float] = field(default_factory=list)
    features: dict[str, list[Label | None]] = field(default_factory=dict)
    lines: array[int] = field(default_factory=lambda: array("q"))

    def add(self, entry: Any) -> None:
        """Take in one line."""
        if not isinstance(entry, dict):
            self.fail('a line should be an object like {"document": …, "annotator": …, "units": […]}')
        self.check_keys(entry, _LINE_KEYS, "a line")
        document = self.name(entry, "document", self.default_document)
        if document is not None:
            self.documents[document] = None
            self.add_continuum(document, entry.get("continuum"))
            self.add_tokens(document, entry.get("tokens"))
        if "annotator" not in entry:
            self.fail('the annotator is missing; add "annotator"')
        annotator = self.name(entry, "annotator", "")
        if annotator is not None:
            self.annotators[annotator] = None
        if document is None or annotator is None:
            self.check_empty(entry, "annotator" if document is not None else "document")
            return
        self.worked.setdefault((document, annotator), self.line)
        self.add_text((document, annotator), entry.get("text"))
        units = entry.get("units")
        if not isinstance(units, list | None):
            self.fail(f"units should be a list, not {shown_json(units)}")
        for unit in units or ():
            self.add_unit(document, annotator, unit)
            self.check_within(self.texts.get((document, annotator)))

    def add_continuum(self, document: str, given: Any) -> None:
        """Note where a document's continuum begins and ends."""
        if given is None:
            return
        if (
            not isinstance(given, list)
            or len(given) != 2
            or not all(is_number(place, math.inf) for place in given)
            or given[0] > given[1]
        ):
            self.fail(f"the continuum should be [begin, end], two numbers in this order, not {shown_json(given)}")
        low, high = map(float, given)
        self.continuum_lines.setdefault(document, self.line)
        if self.bounds.setdefault(document, (low, high)) != (low, high):
            earlier = self.continuum_lines[document]
            self.fail(f"document {document!r} has another continuum on line {earlier}; make them agree")

    def add_tokens(self, document: str, given: Any) -> None:
        """Note where the tokens of a document begin and end."""
        if given is None:
            return
        if not isinstance(given, list) or not all(map(_is_span, given)):
            self.fail("tokens should be a list of [begin, end], whole numbers in this order")
        self.tokens.setdefault(document, [(begin, end) for begin, end in given])

    def add_text(self, version: tuple[str, str], text: Any) -> None:
        """Note the text that an annotator saw or made."""
        if text is None:
            return
        if not isinstance(text, str):
            self.fail(f"the text should be text, not {shown_json(text)}")
        if self.texts.setdefault(version, text) != text:
            document, annotator = version
            self.fail(f"an earlier line has another text of {document!r} by {annotator!r}; make them agree")

    def add_unit(self, document: str, annotator: str, unit: Any) -> None:
        """Take in one unit."""
        if not isinstance(unit, dict):
            self.fail(f'a unit should be an object like {{"start": 0, "end": 3}}, not {shown_json(unit)}')
        self.check_keys(unit, _UNIT_KEYS, 'a unit; put other labels into "features"')
        self.start.append(self.position(unit, "start"))
        self.end.append(self.position(unit, "end"))
        self.document.append(document)
        self.annotator.append(annotator)
        self.lines.append(self.line)
        features = unit.get("features")
        if not isinstance(features, dict | None):
            self.fail(f"features should be an object of names and labels, not {shown_json(features)}")
        for name in ("type", "category"):
            if name in unit:
                self.add_label(name, unit[name])
                if features is not None and name in features:
                    self.fail(f"a unit has {name} twice, once in its features; remove one")
        for name, label in (features or {}).items():
            self.add_label(name, label)

    def check_within(self, text: str | None) -> None:
        """Check the last unit against the annotator's text."""
        if text is not None and (self.start[-1] < 0 or self.end[-1] > len(text)):
            self.fail(
                f"a unit from {self.start[-1]} to {self.end[-1]} is outside the text, "
                f"which has {len(text)} characters; correct the positions or the text"
            )

    def add_label(self, name: str, label: Any) -> None:
        """Take in one label of the last unit."""
        if not _is_label(label):
            self.fail(
                f"the label {shown_json(label)} of {name} should be text, a number, true/false or a list of texts"
            )
        column = self.features.setdefault(name, [])
        column.extend([None] * (len(self.start) - 1 - len(column)))
        column.append(label)

    def padded(self, labels: list[Label | None]) -> list[Label | None]:
        """Fill a column up to the last unit."""
        return labels + [None] * (len(self.start) - len(labels))

    def name(self, entry: Mapping[str, Any], key: str, default: str) -> str | None:
        """Return a document's or annotator's name; null means that there is none."""
        value = entry.get(key, default)
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        if not isinstance(value, str | None):
            self.fail(f"the {key} should be text, not {shown_json(value)}")
        return value

    def position(self, unit: Mapping[str, Any], key: str) -> int | float:
        """Return a unit's start or end."""
        if key not in unit:
            self.fail(f"a unit has no {key}; add it")
        value: int | float = unit[key]
        if not is_number(value, math.inf):
            self.fail(f"the {key} of a unit should be a finite number, not {shown_json(value)}")
        if abs(value) > EXACT:
            self.fail(f"the {key} {shown_json(value)} is beyond ±2^53, where positions lose precision")
        return value

    def check_keys(self, entry: Mapping[str, Any], known: Sequence[str], what: str) -> None:
        """Reject unknown keys: nothing is dropped silently."""
        for key in entry:
            if key not in known:
                self.fail(f"{key!r} is unknown in {what}; the keys are: {', '.join(known)}")

    def check_empty(self, entry: Mapping[str, Any], missing: str) -> None:
        """Reject units and texts that belong to no document or no annotator."""
        for key in ("units", "text"):
            if entry.get(key):
                self.fail(f"the line has {key} but no {missing}; add it")

    def check_continua(self) -> None:
        """Check the continua against the units, once all lines are read."""
        for row, document in enumerate(self.document if self.bounds else ()):
            low, high = self.bounds.get(document, (-math.inf, math.inf))
            if self.start[row] < low or self.end[row] > high:
                self.line = self.lines[row]
                self.fail(
                    f"a unit from {self.start[row]} to {self.end[row]} is outside its continuum, "
                    f"{low:g} to {high:g} (line {self.continuum_lines[document]}); correct one of them"
                )

    def fail(self, message: str) -> NoReturn:
        """Reject the line."""
        raise DataError(message, path=self.path, line=self.line)


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
    for row, (start, end) in enumerate(zip(corpus.start.tolist(), corpus.end.tolist(), strict=True)):
        unit: dict[str, Any] = {"start": start, "end": end}
        own = {name: column[row] for name, column in labels.items() if row == 0 or column[row] is not None}
        if typed and "type" in own:
            unit["type"] = own.pop("type")
        if own:
            unit["features"] = own
        yield unit


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
    reads="document, annotator, text, continuum, units with start, end, type and features",
    ignores="nothing",
    annotator_from=(),
    sniff=_sniff,
    read=read,
    first_record=1,
    write=write,
)
