"""Glozz: annotations in an ``.aa`` and the text beside it in an ``.ac``.

Specification: the Glozz user's manual (Mathet 2011, www.glozz.org) and files that Glozz wrote. Positions are characters
of the text as Java counts them (UTF-16); the text is taken as it is stored. On import,
Glozz removes line breaks from the text and keeps them as units of the type paragraph; these are left out.
"""

from __future__ import annotations

import re

from unisono.data import Label
from unisono.errors import DataError
from unisono.formats.collected import BY_FIELD, Collected, collecting
from unisono.formats.files import stored_text
from unisono.formats.format import Format
from unisono.formats.tools.utf16 import Utf16
from unisono.formats.xml_reading import Node, root_name, tree_of

_ROOT = "annotations"
_PARAGRAPH = "paragraph"
_NUMBER = re.compile(r"\s*[0-9]{1,15}\s*")


@collecting
def read(collected: Collected) -> None:
    """Read units with their types as categories and their features."""
    root = tree_of(collected.path, _ROOT, "Glozz")
    text = stored_text(collected.path.with_suffix(".ac"), collected.path)
    position = Utf16(text)
    if collected.instructions.annotator_from != "field":
        collected.version(text=text)
    for unit in root.of("unit"):
        with collected.record(unit.line):
            _add(unit, text, position, collected)
    collected.drop("relations, which are not compared", len(root.of("relation")))
    collected.drop("schemas, which are not compared", len(root.of("schema")))


def _add(unit: Node, text: str, position: Utf16, collected: Collected) -> None:
    """Add a unit."""
    category = _text(_within(unit, "characterisation", "type"))
    if category == _PARAGRAPH:
        collected.drop("paragraphs, which Glozz itself marks")
        return
    annotator = None
    if collected.instructions.annotator_from == "field":
        annotator = _text(_within(unit, "metadata", "author"))
        if annotator is None:
            raise DataError(f"the unit names no author; add one, or leave out {BY_FIELD}")
        collected.version(annotator=annotator, text=text)
    start, end = (_position(unit, edge, position) for edge in ("start", "end"))
    collected.unit(start, end, {"category": category, **_features(unit)}, annotator=annotator, line=unit.line)


def _within(unit: Node, *names: str) -> Node | None:
    """Return an element within elements."""
    place: Node | None = unit
    for name in names:
        place = None if place is None else place.first(name)
    return place


def _text(node: Node | None) -> str | None:
    return None if node is None else node.text().strip() or None


def _features(unit: Node) -> dict[str, Label | None]:
    features: dict[str, Label | None] = {}
    for characterisation in unit.of("characterisation"):
        for found in characterisation.of("featureSet"):
            for feature in found.of("feature"):
                name = feature.attributes.get("name", "")
                features["category (feature)" if name == "category" else name] = _text(feature)
    return features


def _position(unit: Node, edge: str, position: Utf16) -> int:
    place = _within(unit, "positioning", edge, "singlePosition")
    if place is None:
        raise DataError(f"the unit has no {edge} with a singlePosition; add it")
    index = place.attributes.get("index", "")
    if not _NUMBER.fullmatch(index):
        raise DataError(
            f"the index of the {edge}, {index[:40]!r}, should be a whole number; correct it", line=place.line
        )
    found = position(int(index))
    if found is None:
        raise DataError(
            f"the {edge} of the unit, {index}, is not in the text; check that the .ac fits", line=place.line
        )
    return found


FORMAT = Format(
    name="glozz",
    title="Glozz",
    suffixes=(".aa",),
    reads="units on the text in the .ac beside it; the type as category, features as features. Annotator: the author "
    f"of each unit with {BY_FIELD}, otherwise from the path; document: from the path",
    ignores="paragraphs, which Glozz marks automatically, relations, schemas, dates and who modified what",
    names_annotators=lambda instructions: instructions.annotator_from == "field",
    annotator_from=("folder", "file", "field"),
    whole=True,
    sniff=lambda head, path: path.suffix.lower() == ".aa" and root_name(head) == _ROOT,
    read=read,
    companions=(".ac",),
)
