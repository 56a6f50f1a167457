"""Annotations in the git repository of a CATMA project: ``collections/C_…/annotations/anna_0.json``.

A page of annotations refers to its tags, properties and text by ID. Their names, and the text itself, are elsewhere in
the project: ``tagsets/T_…/CATMA_…/propertydefs.json`` (one folder deeper where a tag has one above it) and
``documents/D_…/D_….txt``, each with a ``header.json``. Without the project around the page, IDs stand for names.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from unisono.data import Label
from unisono.data.export import LAYER_FEATURE
from unisono.errors import DataError
from unisono.formats.collected import Collected, as_label
from unisono.formats.files import head_text, stored_text
from unisono.formats.format import ProjectLayout
from unisono.formats.json_reading import as_object, load_json

_ID = re.compile(r"[A-Za-z0-9_-]{1,100}")
_TAKEN = ("category", LAYER_FEATURE)
_PAGE_OF = re.compile(r"(.+)_[0-9]+")
_AUTHOR = "catma_markupauthor"
_AUTHOR_ID = "CATMA_AB27F1D4-303A-3622-BB2C-72C310D0C1BF"
"""The property with the author's name, in every project."""


class Source(NamedTuple):
    """A document's name, and its text, if there is one."""

    document: str
    text: str | None


@dataclass
class Annotation:
    """An annotation."""

    id: str
    """Its ID in CATMA."""
    tag: str
    tagset: str | None
    """The names of its tag and of the tagset."""
    author: str | None
    collection: str | None
    """Who made it, and the name of the collection that it is in."""
    properties: Mapping[str, Label | None]
    """Names to labels."""
    pieces: list[tuple[int, int]] = field(default_factory=list)
    """Where it is."""
    line: int | None = None


def add_annotation(annotation: Annotation, source: Source, collected: Collected) -> None:
    """Add an annotation as a unit on a document."""
    annotator = annotator_of(annotation.author, annotation.collection, collected)
    if not annotation.pieces:
        collected.drop("annotations that are nowhere in the text")
        return
    collected.version(source.document, annotator, text=source.text, line=annotation.line)
    own = {f"{name} (feature)" if name in _TAKEN else name: label for name, label in annotation.properties.items()}
    labels = {"category": annotation.tag, **own}
    place = {"document": source.document, "annotator": annotator, "layer": annotation.tagset}
    collected.unit_in_pieces(annotation.pieces, labels, **place, line=annotation.line)


def annotator_of(author: str | None, collection: str | None, collected: Collected) -> str | None:
    """Return who annotates: the author, or the collection, or None for whoever the path names."""
    where = collected.instructions.annotator_from
    if where in ("folder", "file"):
        return None
    return collection if where == "tier" else author


def read_page(collected: Collected) -> None:
    """Read a page of annotations."""
    content = load_json(collected.path)
    project = _Project(collected)
    collection = project.collection()
    for record in content if isinstance(content, list) else [content]:
        with collected.record():
            for source, annotation in _annotations(record, collection.get("name"), project):
                add_annotation(annotation, project.source(source), collected)
    if content == []:
        _nothing(collection, project, collected)


def is_page(head: bytes, path: Path) -> bool:
    """Whether a JSON file is a page of annotations."""
    text = head_text(head).lstrip("\ufeff \t\r\n")
    if text.strip() == "[]":
        return _root(path) is not None
    return text[:1] in ("[", "{") and "ns/anno.jsonld" in text and '"tagset"' in text


def _root(path: Path) -> Path | None:
    """Return the folder of the project, if the page is in one."""
    annotations = path.absolute().parent
    collections = annotations.parent.parent
    return collections.parent if (collections.name, annotations.name) == ("collections", "annotations") else None


def _is_project(folder: Path) -> bool:
    return all((folder / name).is_dir() for name in ("collections", "documents", "tagsets"))


CATMA_PROJECT = ProjectLayout(_is_project, patterns=("collections/*/annotations/*.json",))
"""Where the pages of a project are; they name their authors."""


@dataclass
class _Tag:
    """Names of a tag, its tagset and its properties."""

    name: str
    tagset: str | None = None
    properties: Mapping[str, str] = field(default_factory=dict)


class _Project:
    """What is in the project around a page; tags and texts are looked up once, when they are needed."""

    def __init__(self, collected: Collected) -> None:
        self.root = _root(collected.path)
        self._page = collected
        self.tag: Callable[[str, str], _Tag] = cache(self._tag)
        self.source: Callable[[str], Source] = cache(self._source)

    def collection(self) -> dict[str, Any]:
        """Return the header of the collection that the page is in."""
        return {} if self.root is None else _header(self._page.path.absolute().parent.parent / "header.json")

    def _tag(self, tagset: str, tag: str) -> _Tag:
        if self.root is None or not (_ID.fullmatch(tagset) and _ID.fullmatch(tag)):
            return _Tag(tag, tagset or None)
        folder = self.root / "tagsets" / tagset
        found = next(
            (place for where in (tag, f"*/{tag}") for place in folder.glob(f"{where}/propertydefs.json")), None
        )
        definition = {} if found is None else _header(found)
        properties = {
            own: _text(one.get("name")) or own
            for kind in ("systemPropertyDefinitions", "userDefinedPropertyDefinitions")
            for own, one in as_object(definition.get(kind)).items()
            if isinstance(one, dict)
        }
        called = _text(_header(folder / "header.json").get("name")) or tagset or None
        return _Tag(_text(definition.get("name")) or tag, called, properties)

    def _source(self, own: str) -> Source:
        """Return a document's name and text."""
        named = self._page.instructions.document
        if self.root is None or not _ID.fullmatch(own):
            return Source(named or own, None)
        folder = self.root / "documents" / own
        path = folder / f"{own}.txt"
        text = stored_text(path, self._page.path).removeprefix("\ufeff") if path.is_file() else None
        changed = folder.parent.stat().st_mtime_ns if folder.parent.is_dir() else 0
        return Source(named or _titles(folder.parent, changed).get(own, own), text)


@lru_cache(maxsize=4)
def _titles(documents: Path, changed: int) -> dict[str, str]:
    """Return the documents' titles, with the ID if several share one; `changed` is when the folder last changed."""
    titles = {}
    for header in sorted(documents.glob("*/header.json")):
        content = as_object(_header(header).get("gitContentInfoSet"))
        titles[header.parent.name] = _text(content.get("title")) or header.parent.name
    often = Counter(titles.values())
    return {own: title if often[title] == 1 else f"{title} ({own})" for own, title in titles.items()}


def _annotations(record: Any, collection: Any, project: _Project) -> Iterator[tuple[str, Annotation]]:
    """Iterate over the documents that an annotation is on (in practice one), each with its part of the annotation."""
    body, target = (as_object(as_object(record).get(name)) for name in ("body", "target"))
    own = _last(as_object(record).get("id"))
    items = target.get("items")
    if not _text(body.get("tag")) or not isinstance(items, list):
        raise DataError(
            f"the annotation {own!r} has no tag or no list of target items; check that the file is complete"
        )
    tag = project.tag(_last(body.get("tagset")), _last(body.get("tag")))
    properties = as_object(body.get("properties"))
    system = {tag.properties.get(key, key): value for key, value in as_object(properties.get("system")).items()}
    user = {tag.properties.get(key, key): value for key, value in as_object(properties.get("user")).items()}
    author = _label(system.get(_AUTHOR, system.get(_AUTHOR_ID)))
    found: dict[str, Annotation] = {}
    for item in items:
        source, start, end = _place(item, own)
        annotation = found.setdefault(
            source,
            Annotation(
                own,
                tag=tag.name,
                tagset=tag.tagset,
                author=author if isinstance(author, str) else None,
                collection=_text(collection),
                properties={name: _label(value) for name, value in user.items()},
            ),
        )
        annotation.pieces.append((start, end))
    yield from found.items()


def _place(item: Any, own: str) -> tuple[str, int, int]:
    selector = as_object(as_object(item).get("selector"))
    start, end = selector.get("start"), selector.get("end")
    source = _last(as_object(item).get("source"))
    if type(start) is not int or type(end) is not int or not source:
        what = "a source, and a selector with start and end as whole numbers"
        raise DataError(f"a target of the annotation {own!r} should have {what}; correct it")
    if not 0 <= start <= end < 10**15:
        raise DataError(f"the annotation {own!r} is from {start} to {end}; correct it")
    return source, start, end


def _nothing(collection: Mapping[str, Any], project: _Project, collected: Collected) -> None:
    """Note annotators who marked nothing: a page is named after its author."""
    page = _PAGE_OF.fullmatch(collected.path.stem)
    document = _text(collection.get("sourceDocumentId"))
    if page is not None and document is not None:
        source = project.source(document)
        annotator = annotator_of(page[1], _text(collection.get("name")), collected)
        collected.version(source.document, annotator, text=source.text)


def _header(path: Path) -> dict[str, Any]:
    """Read a file of the project with the name of something; an empty one if it is not there."""
    return as_object(load_json(path)) if path.is_file() and path.stat().st_size else {}


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None


def _last(address: Any) -> str:
    """Return the last part of an address: the ID."""
    return (_text(address) or "").removesuffix(".json").rstrip("/").rpartition("/")[2]


def _label(value: Any) -> Label | None:
    return as_label(text for text in (value if isinstance(value, list) else [value]) if isinstance(text, str))
