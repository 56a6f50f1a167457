"""Texts with categories as JSON, as spaCy and its projects keep them: ``{"text": "…", "cats": {"A": 1.0, "B": 0.0}}``.

One file is one annotator's. Spans are those of spaCy's ``Doc.to_json`` (``ents``; ``spans`` by group), or lists of
start, end and label (``entities``), in characters. A text is named by its ``id``; without one, the same text is the
same document.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from unisono.errors import DataError
from unisono.formats.collected import Collected, collecting
from unisono.formats.format import Format
from unisono.formats.json_reading import as_list, as_object, first_record, json_records, shown_json
from unisono.formats.tools.categories import Categories, text_name

_ENTITIES = ("ents", "entities")
_OF_DOCCANO = ("label", "labels", "annotations")


@collecting
def read(collected: Collected) -> None:
    """Read categories as labels of items, and spans as units."""
    categories = Categories()
    seen: set[str] = set()
    for line, record in json_records(collected.path, collected.instructions.bad):
        with collected.record(line):
            content = as_object(record)
            text = content.get("text")
            if not isinstance(text, str):
                raise DataError(f"there is no text in {shown_json(record)}; correct it")
            name = _name(content, text)
            if name in seen:
                raise DataError(f"there is another text with the id {name}; rename or remove one")
            spans = list(_spans(content))
            if spans or any(key in content for key in (*_ENTITIES, "spans")):
                collected.version(name, text=text, line=line)
            for span in spans:
                collected.unit(
                    span.start, span.end, {"category": span.label}, document=name, layer=span.layer, line=line
                )
            categories.add(name, content.get("cats"), text, line=line)
            seen.add(name)
    categories.collect(collected)


class _Span(NamedTuple):
    layer: str
    start: int
    end: int
    label: str | None


def _name(record: Mapping[str, Any], text: str) -> str:
    given = record.get("id")
    if isinstance(given, str | int) and not isinstance(given, bool) and given != "":
        return str(given)
    return text_name(text)


def _spans(record: Mapping[str, Any]) -> Iterator[_Span]:
    groups = {"ents": [one for key in _ENTITIES for one in as_list(record.get(key))]}
    groups |= {str(name): as_list(own) for name, own in as_object(record.get("spans")).items()}
    for layer, spans in groups.items():
        for span in spans:
            known = as_object(span)
            values = [known.get(key) for key in ("start", "end", "label")] if known else as_list(span)
            match values:
                case [int(start), int(end), str() | None as label]:
                    yield _Span(layer, start, end, label or None)
                case _:
                    raise DataError(f"a span should have start, end and label, not {shown_json(span)}; correct it")


def _sniff(head: bytes, path: Path) -> bool:
    first = first_record(head, path)
    known = isinstance(first.get("text"), str) and isinstance(first.get("cats"), dict)
    return known and first.keys().isdisjoint(_OF_DOCCANO)


FORMAT = Format(
    name="spacyjson",
    title="spaCy JSON",
    suffixes=(".jsonl", ".json"),
    reads="categories of texts (cats, with their scores) as labels of items; ents, entities and groups of spans as "
    "units. A text is named by its id. Annotator: from the path",
    ignores="tokens, sentences and all else",
    names_annotators=False,
    sniff=_sniff,
    read=read,
)
