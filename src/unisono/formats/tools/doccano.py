"""Doccano's JSON lines: one object per text, with spans or labels; one file per annotator, or one for all.

Specification: doccano's exporters (``data_export/pipeline``) and its example files. Spans are ``[start, end, label]``
in ``label``, ``labels`` or ``entities``, or objects with start_offset and end_offset. Since version 1.5, positions are
those of the browser, which count UTF-16 code units, or grapheme clusters if the project was set up so; earlier, and in
files that were only imported and exported, they count characters. Most texts have none of the characters that make a
difference; if some have, all texts of a file show what positions count.

Labels of whole texts are names in ``label``, ``labels`` or ``cats``, or in early versions objects with label and user,
in ``annotations``. In CSV, several are joined by ``#``, or have a row each.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import regex

from unisono.data.anchors import SOURCE, TARGET
from unisono.data.unit_kinds import RELATIONS
from unisono.errors import DataError, mention
from unisono.formats.collected import Collected, collecting
from unisono.formats.columns import resembled
from unisono.formats.delimited import find_delimiter, numbered_records
from unisono.formats.files import Bad, head_text, read_head
from unisono.formats.format import Format
from unisono.formats.json_reading import first_record, is_number, json_records, shown_json
from unisono.formats.links import LinksOfText, RoleLink
from unisono.formats.tools.categories import text_name
from unisono.formats.tools.utf16 import Utf16

_SPANS = ("label", "labels", "entities", "annotations")
_TEXTS = ("text", "data", "filename")
_OF_TABLE = {"id", "text", "data", "label", "user", "annotator", "comments", "metadata"}
_PLACES = {"start_offset", "end_offset", "start", "end", "x", "y", "points"}
_QUESTION = "label"
_OFFSETS = ("utf-16", "characters", "graphemes")
_WIDEST = "\uffff"
_GRAPHEME = regex.compile(r"\X")

_Translate = Callable[[int], int | None]


@collecting
def read(collected: Collected) -> None:
    """Read spans as units, and labels of whole texts as answers."""
    given = collected.instructions.choice("offsets", _OFFSETS, None)
    found: list[tuple[int | None, _Text]] = []
    seen: set[str] = set()
    for line, record in _records(collected.path, collected.instructions.bad):
        with collected.record(line):
            text = _text(record)
            if text.name in seen:
                raise DataError(f"there is another text with the id {text.name}; rename one")
            seen.add(text.name)
            found.append((line, text))
    usual = given or _usual(text for _, text in found)
    users = {one.user for _, text in found for one in text.spans} | {
        one.user for _, text in found for one in text.labels
    }
    named = bool(users - {None})
    several = any(n > 1 for _, text in found for n in Counter(one.user for one in text.labels).values())
    has_labels = any(text.labels for _, text in found)
    has_spans = any(text.spans or text.relations for _, text in found)
    if has_labels:
        collected.question(_QUESTION, "sets" if several else "names")
    for line, text in found:
        with collected.record(line):
            if has_spans or not has_labels:
                _add_spans(text, collected, line, usual=usual, given=given is not None, named=named)
            if has_labels:
                _add_labels(text, collected, line, named=named, several=several)
            for what, n in text.others.items():
                collected.drop(what, n)


class _Span(NamedTuple):
    start: int
    end: int
    label: str | None
    user: str | None

    id: str | None = None


class _Relation(NamedTuple):
    """A relation, and the ids of the spans at its ends."""

    ends: tuple[str, str]
    label: str | None
    user: str | None


class _Given(NamedTuple):
    """A label of a whole text."""

    label: str
    user: str | None


class _Text(NamedTuple):
    """A text, its name, its spans and labels, and what else is there, in words."""

    name: str
    text: str
    spans: list[_Span]
    labels: list[_Given]
    relations: list[Any]
    others: Counter[str]


def _records(path: Path, bad: Bad | None) -> Iterator[tuple[int | None, Any]]:
    """Iterate over objects; rows of a table about one text are one object."""
    if not _is_table(read_head(path)):
        yield from json_records(path, bad)
        return
    texts: dict[tuple[str | None, str | None], tuple[int, dict[str, Any]]] = {}
    header: list[str] | None = None
    for line, row in numbered_records(path, find_delimiter(path, None, _is_header)):
        if header is None:
            header = row
            continue
        cells = dict(zip(header, row, strict=False))
        key = (cells.get("id"), None if cells.get("id") else cells.get("text", cells.get("data")))
        _, text = texts.setdefault(key, (line, {**cells, "id": cells.get("id") or None, "annotations": []}))
        text.pop("label", None)
        user = cells.get("annotator") or cells.get("user")
        names = dict.fromkeys(name for name in cells.get("label", "").split("#") if name)
        text["annotations"] += [{"label": name, "user": user} for name in names]
    yield from texts.values()


def _is_table(head: bytes) -> bool:
    """Whether a file begins with the names of columns."""
    begin = head_text(head).removeprefix("\ufeff").lstrip()
    return begin[:1] not in ("{", "[") and any(
        _is_header(begin.partition("\n")[0].strip().split(mark)) for mark in ",;\t"
    )


def _is_header(row: Sequence[str]) -> bool:
    """Whether columns are those of doccano; after id and text, those of an exported text include its metadata."""
    names = [name.strip('"').lower() for name in row]
    if "label" not in names or not {"text", "data"} & set(names):
        return False
    exported = names[0] == "id" and names[1] in ("text", "data") and "annotator" not in resembled(names, {})
    return exported or _OF_TABLE.issuperset(names)


def _text(record: Any) -> _Text:
    if not isinstance(record, dict):
        raise DataError(f"a text with its spans should be an object, not {shown_json(record)}")
    text = next((record[key] for key in _TEXTS if isinstance(record.get(key), str)), None)
    if text is None:
        raise DataError("there is no text; export the project as JSONL")
    others: Counter[str] = Counter()
    nested = record.get("label")
    if isinstance(nested, dict) and isinstance(nested.get("entities"), list):  # as versions before 1.6 wrote relations
        record = {**record, **nested, "label": None}
    found = list(_annotations(record, others))
    relations = record.get("relations") or []
    others["comments"] = _n_entries(record.get("Comments", record.get("comments")))
    spans = [one for one in found if isinstance(one, _Span)]
    labels = dict.fromkeys(one for one in found if isinstance(one, _Given))
    related = relations if isinstance(relations, list) else [relations]
    return _Text(_name(record, text), text, spans, list(labels), related, others)


def _add_spans(text: _Text, collected: Collected, line: int | None, *, usual: str, given: bool, named: bool) -> None:
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
    _add_relations(text, places, collected, line)
    if not given and text.spans and max(text.text, default="") > _WIDEST:
        collected.drop(f"texts with characters beyond 16 bits, read with positions in {how}")


def _add_relations(text: _Text, places: Sequence[tuple[int, int]], collected: Collected, line: int | None) -> None:
    """Add the relations of a text; one that names no user is that of the user of its source."""
    there = {span.id: [place] for span, place in zip(text.spans, places, strict=True) if span.id is not None}
    users = {span.id: span.user for span in text.spans}
    links: dict[str | None, LinksOfText] = {}
    for record in text.relations:
        kind = record.get("type", record.get("label")) if isinstance(record, dict) else None
        if collected.instructions.units != RELATIONS:
            collected.wants(RELATIONS, {"category": None if kind is None else str(kind)})
            continue
        with collected.record(line):
            found = _relation(record)
            user = users.get(found.ends[0]) if found.user is None else found.user
            own = links.setdefault(user, LinksOfText(collected, text.name, user, there))
            ends = [(SOURCE, found.ends[0]), (TARGET, found.ends[1])]
            shown = f"{found.label or 'a relation'} of text {text.name}"
            own.add(RoleLink(shown, RELATIONS, ends, {"category": found.label}, line=line))
    for own in links.values():
        own.collect()


def _relation(record: Any) -> _Relation:
    ends = [record.get(key) for key in ("from_id", "to_id")] if isinstance(record, dict) else [None]
    if not all(isinstance(end, str | int) for end in ends):
        example = '{"from_id": 1, "to_id": 2, "type": "likes"}'
        raise DataError(f"a relation should be like {example}, not {shown_json(record)}")
    label = record.get("type", record.get("label"))
    source, target = map(str, ends)
    return _Relation((source, target), None if label is None else str(label), _user(record.get("user")))


def _add_labels(text: _Text, collected: Collected, line: int | None, *, named: bool, several: bool) -> None:
    """Add the labels of a text; who gave none saw it, unless the file names users: then nobody knows who saw it."""
    if named and not text.labels:
        collected.drop("texts without labels; the file does not say who worked on them")
        return
    for user in dict.fromkeys(label.user for label in text.labels) or [None]:
        label = tuple(sorted(one.label for one in text.labels if one.user == user))
        answer = label if several else label[0] if label else None
        collected.answer(_QUESTION, text.name, answer, annotator=user, text=text.text, line=line)


def _name(record: Mapping[str, Any], text: str) -> str:
    given = record.get("id")
    if isinstance(given, str | int) and not isinstance(given, bool):
        return str(given)
    return text_name(text)


def _annotations(record: Mapping[str, Any], others: Counter[str]) -> Iterator[_Span | _Given]:
    """Iterate over spans and labels of the whole text, and count what else is in their place."""
    for key in ("cats", *_SPANS):
        found = record.get(key)
        for one in found if isinstance(found, list) else [] if found in (None, "", {}) else [found]:
            if isinstance(one, str) or (is_number(one) and isinstance(one, int)):
                yield _Given(str(one), None)
            elif isinstance(one, dict) and "label" in one and not one.keys() & _PLACES:
                yield _Given(_label(one["label"]), _user(one.get("user")))
            elif key == "cats" or not _is_span(one):
                texts = isinstance(one, dict) and isinstance(one.get("text"), str)
                others["free texts, which are not labels" if texts else _OTHER_FORM.format(key)] += 1
            else:
                yield _span(one)


_OTHER_FORM = "labels of another form than spans, in {!r}"


def _is_span(one: Any) -> bool:
    return (isinstance(one, list) and len(one) == 3) or (isinstance(one, dict) and "start_offset" in one)


def _span(one: Any) -> _Span:
    keys = ("start_offset", "end_offset", "label", "user")
    start, end, label, user = (*one, None) if isinstance(one, list) else [one.get(key) for key in keys]
    if not _is_place(start) or not _is_place(end) or start > end:
        raise DataError(f'a span should be like [0, 5, "PER"], not {shown_json(one)}')
    own = one.get("id") if isinstance(one, dict) else None
    return _Span(start, end, None if label is None else str(label), _user(user), None if own is None else str(own))


def _label(label: Any) -> str:
    if not isinstance(label, str) and not is_number(label):
        raise DataError(f"a label should be a text or a number, not {shown_json(label)}")
    return str(label)


def _user(user: Any) -> str | None:
    return None if user is None else str(user)


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
    if _is_table(head):
        return path.suffix.lower() == ".csv"
    first = first_record(head, path)
    texts = any(isinstance(first.get(key), str) for key in _TEXTS)
    whole = isinstance(first.get("cats"), list) or isinstance(first.get("label"), str)
    nested = isinstance(first.get("label"), dict) and isinstance(first["label"].get("entities"), list)
    known = texts and (whole or nested or any(isinstance(first.get(key), list) for key in _SPANS))
    if known and isinstance(first.get("Comments"), list):
        return True  # other keys are metadata of the text, whatever their names
    return known and not {"units", "annotator", "spans", "_input_hash", "result", "answer"} & first.keys()


FORMAT = Format(
    name="doccano",
    title="doccano JSONL",
    suffixes=(".jsonl", ".csv"),
    reads="spans as units with a category; labels of whole texts as answers to one question, called label: one name "
    "each, or sets if any text has several. A document, or an item, is a text, named by its id. Annotator: from the "
    "path (anna.jsonl), or from user where annotations have it. JSON lines, or the CSV of text classification. With "
    + mention("units", "relations")
    + ": relations",
    ignores="free texts, comments, metadata",
    options={
        "offsets": "what positions count: utf-16, characters or graphemes; by default utf-16, if that is possible"
    },
    names_annotators=False,
    composite=(RELATIONS,),
    sniff=_sniff,
    read=read,
)
