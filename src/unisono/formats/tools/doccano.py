"""Doccano's JSON lines: one object per text, with spans; one file per annotator, or one for all.

Specification: doccano's exporters (``data_export/pipeline``) and its example files. Spans are ``[start, end, label]``
in ``label``, ``labels`` or ``entities``, or objects with start_offset and end_offset. Since version 1.5, positions are
those of the browser, which count UTF-16 code units, or grapheme clusters if the project was set up so; earlier, and in
files that were only imported and exported, they count characters. Most texts have none of the characters that make a
difference; if some have, all texts of a file show what positions count.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import regex

from unisono.errors import DataError
from unisono.formats.collected import Collected, collecting
from unisono.formats.format import Format
from unisono.formats.json_reading import first_record, is_number, json_records, shown_json
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
    given = collected.instructions.choice("offsets", _OFFSETS, None)
    found: list[tuple[int | None, _Text]] = []
    seen: set[str] = set()
    for line, record in json_records(collected.path, collected.instructions.bad):
        with collected.record(line):
            text = _text(record)
            if text.name in seen:
                raise DataError(f"there is another text with the id {text.name}; rename one")
            seen.add(text.name)
            found.append((line, text))
    usual = given or _usual(text for _, text in found)
    named = any(span.user is not None for _, text in found for span in text.spans)
    for line, text in found:
        with collected.record(line):
            _add(text, collected, line, usual=usual, given=given is not None, named=named)


class _Span(NamedTuple):
    start: int
    end: int
    label: str | None
    user: str | None


class _Text(NamedTuple):
    """A text, its name and its spans, and what else is there, in words."""

    name: str
    text: str
    spans: list[_Span]
    others: Counter[str]


def _text(record: Any) -> _Text:
    if not isinstance(record, dict):
        raise DataError(f"a text with its spans should be an object, not {shown_json(record)}")
    text = next((record[key] for key in _TEXTS if isinstance(record.get(key), str)), None)
    if text is None:
        raise DataError("there is no text; export the project as JSONL")
    others: Counter[str] = Counter()
    spans = list(_spans(record, others))
    others["relations, which are not compared"] = _n_entries(record.get("relations"))
    others["comments"] = _n_entries(record.get("Comments", record.get("comments")))
    return _Text(_name(record, text), text, spans, others)


def _add(text: _Text, collected: Collected, line: int | None, *, usual: str, given: bool, named: bool) -> None:
    """Add a text; `usual` is what positions count in the file, and `named` whether its spans name their users."""
    how, places = _placed(text, usual, given=given)
    if named and not text.spans:
        collected.documents[text.name] = None
        collected.drop("texts without spans; the file does not say who worked on them")
    else:
        for user in dict.fromkeys(span.user for span in text.spans) or [None]:
            collected.version(text.name, user, text=text.text, line=line)
    for span, (start, end) in zip(text.spans, places, strict=True):
        collected.unit(start, end, {"category": span.label}, document=text.name, annotator=span.user, line=line)
    for what, n in text.others.items():
        collected.drop(what, n)
    if not given and text.spans and max(text.text, default="") > _WIDEST:
        collected.drop(f"texts with characters beyond 16 bits, read with positions in {how}")


def _name(record: Mapping[str, Any], text: str) -> str:
    given = record.get("id")
    if isinstance(given, str | int) and not isinstance(given, bool):
        return str(given)
    return f"text {hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:12]}"


def _spans(record: Mapping[str, Any], others: Counter[str]) -> Iterator[_Span]:
    """Iterate over the spans, and count what else is in their place."""
    for key in ("cats", *_SPANS):
        found = record.get(key)
        for one in found if isinstance(found, list) else [] if found in (None, "", {}) else [found]:
            if isinstance(one, list) and len(one) == 3 and key != "cats":
                start, end, label, user = *one, None
            elif isinstance(one, dict) and "start_offset" in one and key != "cats":
                start, end, label, user = (one.get(k) for k in ("start_offset", "end_offset", "label", "user"))
            else:
                whole = key == "cats" or isinstance(one, str | int)
                others["labels of whole texts" if whole else f"labels of another form than spans, in {key!r}"] += 1
                continue
            if not _is_place(start) or not _is_place(end) or start > end:
                raise DataError(f'a span should be like [0, 5, "PER"], not {shown_json(one)}')
            yield _Span(start, end, None if label is None else str(label), None if user is None else str(user))


def _n_entries(found: Any) -> int:
    """Return how many things there are in a list, or in place of one."""
    return len(found) if isinstance(found, list) else int(bool(found))


def _is_place(value: Any) -> bool:
    return is_number(value) and isinstance(value, int) and value >= 0


def _usual(texts: Iterable[_Text]) -> str:
    """Find out what positions count in a file: UTF-16 code units, unless more texts allow only characters."""
    only: Counter[str] = Counter()
    for text in texts:
        if max(text.text, default="") > _WIDEST:
            possible = [how for how in _OFFSETS[:2] if None not in _translated(text, how)]
            only.update(possible if len(possible) == 1 else ())
    return max(_OFFSETS[:2], key=lambda how: only[how])


def _placed(text: _Text, usual: str, *, given: bool) -> tuple[str, list[tuple[int, int]]]:
    """Return positions in characters; if the usual way is impossible for a text, and was not given, try the other."""
    for how in (usual,) if given else (usual, *(other for other in _OFFSETS[:2] if other != usual)):
        places = _translated(text, how)
        good = [place for place in places if place is not None]
        if len(good) == len(places):
            return how, good
    wrong = text.spans[places.index(None)]
    size = f"the text, which has {len(text.text):,} characters"
    raise DataError(f"a span from {wrong.start} to {wrong.end} is not within {size}; correct it")


def _translated(text: _Text, how: str) -> list[tuple[int, int] | None]:
    """Return where the spans are in characters; None for those that cannot be there."""
    translate = _translation(text.text, how)
    places = [(translate(span.start), translate(span.end)) for span in text.spans]
    return [None if start is None or end is None else (start, end) for start, end in places]


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
