"""Doccano's JSON lines: one object per text, with spans; one file per annotator, or one for all.

Specification: doccano's exporters (``data_export/pipeline``) and its example files. Spans are ``[start, end, label]``
in ``label``, ``labels`` or ``entities``, or objects with start_offset and end_offset. Since version 1.5, positions are
those of the browser, which count UTF-16 code units, or grapheme clusters if the project was set up so; earlier, and in
files that were only imported and exported, they count characters. Most texts have none of the characters that make a
difference.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import regex

from unisono.errors import DataError
from unisono.formats.collected import Collected, collecting
from unisono.formats.format import Format
from unisono.formats.json_reading import as_list, first_record, is_number, json_records, shown_json
from unisono.formats.tools.utf16 import Utf16

_SPANS = ("label", "labels", "entities", "annotations")
_TEXTS = ("text", "data")
_OFFSETS = ("utf-16", "characters", "graphemes")
_WIDEST = "\uffff"
_GRAPHEME = regex.compile(r"\X")

_Translate = Callable[[int], int | None]


@collecting
def read(collected: Collected) -> None:
    """Read spans as units."""
    offsets = collected.instructions.choice("offsets", _OFFSETS, None)
    seen: set[str] = set()
    for line, record in json_records(collected.path, collected.bad):
        with collected.record(line):
            _add(record, collected, seen, offsets, line)


class _Span(NamedTuple):
    start: int
    end: int
    label: str | None
    user: str | None


def _add(record: Any, collected: Collected, seen: set[str], offsets: str | None, line: int | None) -> None:
    if not isinstance(record, dict):
        raise DataError(f"a text with its spans should be an object, not {shown_json(record)}")
    text = next((record[key] for key in _TEXTS if isinstance(record.get(key), str)), None)
    if text is None:
        raise DataError("there is no text; export the project as JSONL")
    name = _name(record, text)
    if name in seen:
        raise DataError(f"there is another text with the id {name}; rename one")
    spans = list(_spans(record))
    how, places = _placed(spans, text, offsets)
    seen.add(name)
    for user in dict.fromkeys(span.user for span in spans) or [None]:
        collected.version(name, user, text=text, line=line)
    for span, (start, end) in zip(spans, places, strict=True):
        collected.unit(start, end, {"category": span.label}, document=name, annotator=span.user, line=line)
    _count(record, collected)
    if offsets is None and spans and max(text, default="") > _WIDEST:
        collected.drop(f"texts with characters beyond 16 bits, read with positions in {how}")


def _name(record: Mapping[str, Any], text: str) -> str:
    given = record.get("id")
    if isinstance(given, str | int) and not isinstance(given, bool):
        return str(given)
    return f"text {hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:12]}"


def _spans(record: Mapping[str, Any]) -> Iterator[_Span]:
    for key in _SPANS:
        for one in as_list(record.get(key)):
            if isinstance(one, list) and len(one) == 3:
                start, end, label, user = *one, None
            elif isinstance(one, dict) and "start_offset" in one:
                start, end, label, user = (one.get(k) for k in ("start_offset", "end_offset", "label", "user"))
            else:
                continue
            if not _is_place(start) or not _is_place(end) or start > end:
                raise DataError(f'a span should be like [0, 5, "PER"], not {shown_json(one)}')
            yield _Span(start, end, None if label is None else str(label), None if user is None else str(user))


def _is_place(value: Any) -> bool:
    return is_number(value) and isinstance(value, int) and value >= 0


def _count(record: Mapping[str, Any], collected: Collected) -> None:
    """Count what is not read."""
    for key in ("cats", *_SPANS):
        found = record.get(key)
        labels = [one for one in as_list(found) if isinstance(one, str | int)]
        labels += [found] if isinstance(found, str) and found else []
        collected.drop("labels of whole texts", len(labels))
    collected.drop("relations, which are not compared", len(as_list(record.get("relations"))))
    collected.drop("comments", len(as_list(record.get("Comments", record.get("comments")))))


def _placed(spans: list[_Span], text: str, offsets: str | None) -> tuple[str, list[tuple[int, int]]]:
    """Find out what positions count, unless the user says it, and return them in characters."""
    for how in _OFFSETS[:2] if offsets is None else (offsets,):
        translate = _translation(text, how)
        places = [(translate(span.start), translate(span.end)) for span in spans]
        good = [(start, end) for start, end in places if start is not None and end is not None]
        if len(good) == len(places):
            return how, good
    wrong = next(span for span in spans if translate(span.start) is None or translate(span.end) is None)
    size = f"the text, which has {len(text):,} characters"
    raise DataError(f"a span from {wrong.start} to {wrong.end} is not within {size}; correct it")


def _translation(text: str, how: str) -> _Translate:
    if how == "utf-16":
        return Utf16(text)
    if how == "characters":
        return lambda position: position if position <= len(text) else None
    bounds = [0, *(match.end() for match in _GRAPHEME.finditer(text))]
    return lambda position: bounds[position] if position < len(bounds) else None


def _sniff(head: bytes, path: Path) -> bool:
    first = first_record(head, path)
    known = any(isinstance(first.get(key), str) for key in _TEXTS) and any(
        isinstance(first.get(key), list) for key in _SPANS
    )
    return known and not {"units", "annotator", "spans", "_input_hash", "result"} & first.keys()


FORMAT = Format(
    name="doccano",
    title="doccano JSONL",
    suffixes=(".jsonl",),
    reads="spans as units with a category; a document is a text, named by its id. Annotator: from the path "
    "(anna.jsonl), or from user where spans have it",
    ignores="relations, labels of whole texts, comments, metadata",
    options={
        "offsets": "what positions count: utf-16, characters or graphemes; by default utf-16, if that is possible"
    },
    names_annotators=False,
    sniff=_sniff,
    read=read,
)
