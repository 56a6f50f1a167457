"""UIMA CAS XMI, as INCEpTION, WebAnno, DKPro Core and CorefAnnotator write it: one annotator's version of one text.

Specification: UIMA References, "XMI CAS Serialization". The file does not say which of its attributes are labels; that
is in a type system, a second file. INCEpTION and WebAnno put both into one ZIP archive. Files of CorefAnnotator have
none; its types are known here. Positions count UTF-16 code units. dkpro-cassis reads the type system.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from unisono.data.unit_kinds import COMPOSITE
from unisono.errors import DataError, mention
from unisono.formats.collected import Collected, collecting
from unisono.formats.files import head_text, locating, read_head
from unisono.formats.format import Format, Instructions
from unisono.formats.tools.cas import COREF_ANNOTATOR, UIMA, collect_cas
from unisono.formats.tools.cas_safety import check_types, explaining
from unisono.formats.tools.cas_writing import XMI_FOLDER
from unisono.formats.tools.coref_annotator import type_system
from unisono.formats.tools.inception import CURATION, INCEPTION_PROJECT
from unisono.formats.tools.xmi_content import Schema, build, read_content
from unisono.formats.xml_reading import root_name, tree

_NAMES = ("TypeSystem.xml", "typesystem.xml", "full-typesystem.xml", "layers-typesystem.xml")
_CAS = "http:///uima/cas.ecore"


@collecting
def read(collected: Collected) -> None:
    """Read annotations as units, their types as layers."""
    content = read_content(collected.path)
    found = _type_system(collected.path, collected.instructions)
    with explaining():
        if found is not None:
            schema = _loaded(found)
        elif any(name.startswith(COREF_ANNOTATOR) for name in content.attributes):
            schema = Schema(*type_system(content.attributes, content.annotations, content.children))
        else:
            raise DataError(
                "there is no type system, which says what the annotations are; put TypeSystem.xml into the same folder "
                "(INCEpTION exports it with the XMI, in one ZIP archive), or name it with "
                + mention("options", {"typesystem": "…"})
            )
        if schema.written is not None:
            collected.schema(UIMA, schema.written)
        cas, lines = build(content, schema)
        collect_cas(cas, schema.layers, collected, lines=lines)


def _type_system(path: Path, instructions: Instructions) -> Path | None:
    """Find the type system: the one named, otherwise one in the same folder or the folder above."""
    named = instructions.options.get("typesystem")
    if named is not None:
        return Path(named)
    names = (*_NAMES, f"{path.stem}.xml", f"{path.stem}-typesystem.xml")
    places = [folder / name for folder in (path.parent, path.parent.parent) for name in names]
    return next((place for place in places if place != path and place.is_file() and _is_type_system(place)), None)


def _is_type_system(path: Path) -> bool:
    return root_name(read_head(path)) == "typeSystemDescription"


@dataclass(frozen=True)
class _TypeSystem:
    """A type system's file, identified by its content, since those of a project are all the same."""

    digest: bytes
    path: Path = field(compare=False)


def _loaded(path: Path) -> Schema:
    read_head(path)
    with locating(path):
        return _loaded_once(_TypeSystem(hashlib.sha256(path.read_bytes()).digest(), path))


@lru_cache(maxsize=8)
def _loaded_once(file: _TypeSystem) -> Schema:
    import cassis

    root = tree(file.path)
    if root.name != "typeSystemDescription":
        raise DataError(f"this is not a type system: the root is <{root.name}>; name another", line=root.line)
    kinds = [kind for types in root.of("types") for kind in types.of("typeDescription")]
    names = {_text(kind, "name"): kind for kind in kinds}
    features = {
        name: [_text(one, "name") for all_ in kind.of("features") for one in all_.of("featureDescription")]
        for name, kind in names.items()
    }
    check_types({name: _text(kind, "supertypeName") for name, kind in names.items()}, features)
    with explaining():
        types = cassis.load_typesystem(file.path)
        return Schema(types, written=types.to_xml())


def _text(node: Any, name: str) -> str:
    child = node.first(name)
    return "" if child is None else child.text().strip()


FORMAT = Format(
    name="xmi",
    title="UIMA CAS XMI",
    suffixes=(".xmi", ".ca2"),
    reads="every annotation of the view _InitialView as a unit on its text, the type as the layer, features that are "
    "text, numbers, true/false or lists of texts as labels; DKPro's tokens as tokens; features of layers for "
    "document metadata as labels of documents (Genre.value); mentions of CorefAnnotator with "
    "their entity. With "
    + mention("units", "relations")
    + ": relations, and links of chains; with "
    + mention("units", "events")
    + ": annotations with their slots. Needs TypeSystem.xml, but not for CorefAnnotator. Annotator and document: from "
    "the path",
    ignores="other structures, other views, sentences, metadata, layout",
    composite=COMPOSITE,
    writes_links=COMPOSITE,
    options={
        "typesystem": "the file with the type system; by default TypeSystem.xml in the same folder or the one above",
        **CURATION,
    },
    names_annotators=False,
    project=INCEPTION_PROJECT,
    folder=XMI_FOLDER,
    companions=(*_NAMES, ".xml", "-typesystem.xml"),
    sniff=lambda head, path: root_name(head) == "XMI" and _CAS in head_text(head),
    read=read,
)
