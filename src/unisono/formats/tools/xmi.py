"""UIMA CAS XMI, as INCEpTION, WebAnno, DKPro Core and CorefAnnotator write it: one annotator's version of one text.

Specification: UIMA References, "XMI CAS Serialization". The file does not say which of its attributes are labels; that
is in a type system, a second file. INCEpTION and WebAnno put both into one ZIP archive. Files of CorefAnnotator have
none; its types are known here. Positions count UTF-16 code units; dkpro-cassis turns them into characters.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from unisono.errors import DataError, mention
from unisono.formats.collected import Collected, collecting
from unisono.formats.files import head_text, locating, read_head
from unisono.formats.format import Format, Instructions
from unisono.formats.tools.cas import COREF_ANNOTATOR, collect_cas
from unisono.formats.tools.cas_safety import check_types, explaining
from unisono.formats.tools.coref_annotator import type_system
from unisono.formats.tools.inception import CURATION, INCEPTION_PROJECT
from unisono.formats.xml_reading import elements, root_name, tree

_NAMES = ("TypeSystem.xml", "typesystem.xml", "full-typesystem.xml", "layers-typesystem.xml")
_CAS = "http:///uima/cas.ecore"
_MOST_VIEWS = 100
_LONGEST_TAG = 2**28
"""The text is an attribute of one tag."""


@collecting
def read(collected: Collected) -> None:
    """Read annotations as units, their types as layers."""
    import cassis

    file = _scan(collected.path)
    found = _type_system(collected.path, collected.instructions)
    unexplained: list[str] = []
    with explaining():
        if found is not None:
            types = _loaded(found)
        elif any(name.startswith(COREF_ANNOTATOR) for name in file.attributes):
            types, unexplained = type_system(file.attributes, file.annotations, file.children)
        else:
            raise DataError(
                "there is no type system, which says what the annotations are; put TypeSystem.xml into the same folder "
                "(INCEpTION exports it with the XMI, in one ZIP archive), or name it with "
                + mention("options", {"typesystem": "…"})
            )
        cas = cassis.load_cas_from_xmi(collected.path, typesystem=types, trusted=True)  # no declarations: see _scan
        collect_cas(cas, collected, lines=file.lines, unexplained=unexplained)


@dataclass
class _File:
    """What a file holds, as far as that is known without a type system."""

    lines: dict[int, int] = field(default_factory=dict)
    """Numbers of feature structures to lines."""
    attributes: dict[str, dict[str, None]] = field(default_factory=dict)
    children: dict[str, dict[str, None]] = field(default_factory=dict)
    """Types to the names of their attributes, and of the elements within."""
    annotations: set[str] = field(default_factory=set)
    """Types that have a span."""


def _scan(path: Path) -> _File:
    """Check that a file is well-formed, without declarations, and has no annotation twice."""
    file = _File()
    spaces: dict[str, str] = {}
    members: Counter[str] = Counter()
    n_views = 0
    kind = ""
    for element in elements(path, _LONGEST_TAG):
        attributes = element.attributes
        spaces.update({name[6:]: uri for name, uri in attributes.items() if name.startswith("xmlns:")})
        prefix, _, local = element.names[-1].rpartition(":")
        if len(element.names) == 2 and spaces.get(prefix) == _CAS and local in ("Sofa", "View", "NULL"):
            n_views += local == "Sofa"
            members.update(attributes.get("members", "").split() if local == "View" else ())
        elif len(element.names) == 2:
            kind = _type_name(spaces.get(prefix, ""), local)
            file.attributes.setdefault(kind, {}).update(dict.fromkeys(attributes))
            if attributes.keys() >= {"begin", "end"}:
                file.annotations.add(kind)
            number = attributes.get("xmi:id", "")
            if number.isdecimal() and len(number) < 20:
                file.lines[int(number)] = element.line
        elif len(element.names) == 3:
            file.children.setdefault(kind, {})[element.names[-1]] = None
    if n_views > _MOST_VIEWS:
        raise DataError(f"there are {n_views:,} views; check that this is the right file")
    _check_doubled({number for number, count in members.items() if count > 1}, path)
    return file


def _check_doubled(numbers: set[str], path: Path) -> None:
    """Reject annotations that are in the index twice: their positions would be translated twice."""
    for element in elements(path, _LONGEST_TAG) if numbers else ():
        number = element.attributes.get("xmi:id")
        if number in numbers and "begin" in element.attributes:
            raise DataError(f"the annotation {number} is in the index twice; export the file again", line=element.line)


def _type_name(uri: str, local: str) -> str:
    package = uri.removeprefix("http:///").removesuffix(".ecore").replace("/", ".")
    return local if package in ("", "uima.noNamespace") else f"{package}.{local}"


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


def _loaded(path: Path) -> Any:
    read_head(path)
    with locating(path):
        return _loaded_once(_TypeSystem(hashlib.sha256(path.read_bytes()).digest(), path))


@lru_cache(maxsize=8)
def _loaded_once(file: _TypeSystem) -> Any:
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
        return cassis.load_typesystem(file.path)


def _text(node: Any, name: str) -> str:
    child = node.first(name)
    return "" if child is None else child.text().strip()


FORMAT = Format(
    name="xmi",
    title="UIMA CAS XMI",
    suffixes=(".xmi", ".ca2"),
    reads="every annotation of the view _InitialView as a unit on its text, the type as the layer, features that are "
    "text, numbers, true/false or lists of texts as labels; DKPro's tokens as tokens; mentions of CorefAnnotator with "
    "their entity. Needs TypeSystem.xml, but not for CorefAnnotator. Annotator and document: from the path",
    ignores="relations, links of chains, link features and other structures, other views, sentences, metadata, layout",
    options={
        "typesystem": "the file with the type system; by default TypeSystem.xml in the same folder or the one above",
        **CURATION,
    },
    names_annotators=False,
    project=INCEPTION_PROJECT,
    companions=(*_NAMES, ".xml", "-typesystem.xml"),
    sniff=lambda head, path: root_name(head) == "XMI" and _CAS in head_text(head),
    read=read,
)
