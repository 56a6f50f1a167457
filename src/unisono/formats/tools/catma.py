"""CATMA: a collection of annotations, as the tool exports it (TEI XML) or keeps it in the git repository of a project.

Specification: what CATMA 7 itself reads and writes (github.com/forTEXT/catma), its TEI export in versions 3 and later.
An annotation is there once for each stretch of text that its neighbours leave it; these pieces are joined by its ID.
Positions are characters of the text as it is stored: CATMA leaves out a byte order mark, counts a Windows line break as
two, and every other character as one, including those that Java counts as two (it reads them as ``?``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from unisono.data import Label
from unisono.errors import DataError, mention
from unisono.formats.collected import Collected, as_label, collecting
from unisono.formats.files import stored_text
from unisono.formats.format import Format
from unisono.formats.tools.catma_project import CATMA_PROJECT, Annotation, Source, add_annotation, is_page, read_page
from unisono.formats.xml_reading import Node, root_name, tree_of

_AUTHOR = "catma_markupauthor"
_OF_CATMA = "catma_"
_TARGET = re.compile(r"([^#]*)#char=([0-9]{1,15}),([0-9]{1,15})")
_EXPORTED = "annotationcollections"


@collecting
def read(collected: Collected) -> None:
    """Read annotations as units, their tags as categories and their properties as features."""
    if collected.path.suffix.lower() == ".json":
        read_page(collected)
        return
    export = _export(tree_of(collected.path, "TEI", "CATMA's export"), collected)
    if export.source is None:
        raise DataError("there are no annotations in it, so it does not say who worked on which text; leave it out")
    if export.source.text is None:
        collected.bounds(0, export.end, export.source.document)
    for annotation in export.annotations.values():
        with collected.record(annotation.line):
            add_annotation(annotation, export.source, collected)


@dataclass
class _Export:
    """Annotations by ID; the text that they are on, and where it ends."""

    annotations: dict[str, Annotation]
    source: Source | None = None
    end: int = 0


def _export(root: Node, collected: Collected) -> _Export:
    """Collect what the export says."""
    export = _Export(_annotations(root))
    for body in (found for found in root.below("ab") if found.attributes.get("type") == "catma"):
        for child in body.nodes:
            own = [child] if child.name == "ptr" else child.of("ptr")
            for pointer in own:
                with collected.record(pointer.line):
                    _point(pointer, child.attributes.get("ana", ""), export, collected)
            if not own:
                collected.drop(f"<{child.name}> that points to no text")
    return export


def _annotations(root: Node) -> dict[str, Annotation]:
    """Find the annotations, still without their positions."""
    tags = {
        declared.attributes.get("xml:id", ""): (_name(declared), tagset.attributes.get("n", "").rpartition(" ")[0])
        for tagset in root.below("fsdDecl")
        for declared in tagset.of("fsDecl")
    }
    title = next((found.text().strip() for found in root.below("title")), "") or None
    annotations = {}
    for text in root.of("text"):
        for structure in text.of("fs"):
            own, kind = structure.attributes.get("xml:id", ""), structure.attributes.get("type", "")
            if kind == "catma_tag":
                version = "this was exported by a very old CATMA; import it into CATMA and export it again"
                raise DataError(version, line=structure.line)
            tag, tagset = tags.get(kind, (kind, ""))
            properties = dict(_properties(structure))
            author = properties.pop(_AUTHOR, None)
            annotations[own] = Annotation(
                own,
                tag=tag,
                tagset=tagset or None,
                author=author if isinstance(author, str) else None,
                collection=title,
                properties={name: label for name, label in properties.items() if not name.startswith(_OF_CATMA)},
                line=structure.line,
            )
    return annotations


def _name(declared: Node) -> str:
    described = declared.first("fsDescr")
    return (described.text().strip() if described is not None else "") or declared.attributes.get("xml:id", "")


def _properties(structure: Node) -> Iterator[tuple[str, Label | None]]:
    for found in structure.of("f"):
        values = [value.text() for value in found.below("string")]
        values += [value.attributes.get("value", "") for value in found.below("numeric")]
        yield found.attributes.get("name", ""), as_label(values)


def _point(pointer: Node, annotations: str, export: _Export, collected: Collected) -> None:
    """Note which text it is, and which annotations are here."""
    target = _TARGET.fullmatch(pointer.attributes.get("target", "").strip())
    if target is None or int(target[2]) > int(target[3]):
        raise DataError("the target of the ptr should end like #char=0,36; correct it")
    start, end = int(target[2]), int(target[3])
    if export.source is None:
        export.source = _source(target[1], collected)
    export.end = max(export.end, end)
    for own in annotations.replace("#", " ").split():
        if own not in export.annotations:
            raise DataError(f"the annotation {own!r} is not described in the file; check that it is complete")
        export.annotations[own].pieces.append((start, end))


def _source(address: str, collected: Collected) -> Source:
    """Find the text: in the folder above, as CATMA exports documents with their collections, or beside the file."""
    path, document = collected.path, collected.instructions.document
    if path.parent.name == _EXPORTED:
        texts = sorted(path.parent.parent.glob("*.txt"))
        if len(texts) == 1:
            return Source(document or texts[0].stem, stored_text(texts[0], path).removeprefix("\ufeff"))
    beside = path.with_suffix(".txt")
    text = stored_text(beside, path).removeprefix("\ufeff") if beside.is_file() else None
    return Source(document or address.rpartition("/")[2] or path.stem, text)


def _sniff(head: bytes, path: Path) -> bool:
    if path.suffix.lower() == ".json":
        return is_page(head, path)
    return root_name(head) == "TEI" and (b"CATMA_" in head or b'type="catma"' in head)


FORMAT = Format(
    name="catma",
    title="CATMA",
    suffixes=(".xml", ".json"),
    reads="annotations as units, of exported collections (TEI) and of those in the git repository of a project (JSON); "
    "the tag as category, the tagset as type, properties as features, the text if it is beside the file or in the "
    f"project. Annotator: who made the annotation; with {mention('annotator_from', 'tier')} the collection, otherwise "
    "from the path",
    ignores="colours, dates, tags above a tag, comments and properties without a value",
    names_annotators=lambda instructions: instructions.annotator_from not in ("folder", "file"),
    annotator_from=("folder", "file", "tier", "field"),
    sniff=_sniff,
    read=read,
    project=CATMA_PROJECT,
    companions=(".txt",),
)
