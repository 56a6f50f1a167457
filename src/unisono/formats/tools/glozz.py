"""Glozz: annotations in an ``.aa`` and the text beside it in an ``.ac``.

Specification: the Glozz user's manual (Mathet 2011, www.glozz.org) and files that Glozz wrote. Positions are characters
of the text as Java counts them (UTF-16); the text is taken as it is stored. Glozz takes ends of line out of the text
when it imports it and keeps them as units of the type paragraph; nobody annotated these, so they are left out.
"""

from __future__ import annotations

import re
from pathlib import Path

from unisono.data import Corpus, Label
from unisono.errors import DataError
from unisono.formats.format import Format, Options
from unisono.formats.tools.collected import BY_FIELD, Collected
from unisono.formats.tools.companion_text import stored_text
from unisono.formats.tools.utf16 import Utf16
from unisono.formats.xml_reading import Node, root_name, tree

_ROOT = "annotations"
_PARAGRAPH = "paragraph"
_NUMBER = re.compile(r"\s*[0-9]{1,15}\s*")


def read(path: Path, options: Options) -> Corpus:
    """Read units with their types as categories and their features."""
    root = tree(path)
    collected = Collected(path, options)
    if root.name != _ROOT:
        collected.fail(f"the root element is <{root.name}> where Glozz has <{_ROOT}>; check the file", root.line)
    text = stored_text(path.with_suffix(".ac"), path)
    position = Utf16(text)
    if options.annotator_from != "field":
        collected.version(text=text)
    for unit in root.of("unit"):
        try:
            _take(unit, text, position, collected)
        except DataError as error:
            collected.bad(error)
    collected.drop("relations, which are not compared", len(root.of("relation")))
    collected.drop("schemas, which are not compared", len(root.of("schema")))
    return collected.corpus()


def _take(unit: Node, text: str, position: Utf16, collected: Collected) -> None:
    """Take a unit."""
    category = _said(unit, "characterisation", "type")
    if category == _PARAGRAPH:
        collected.drop("paragraphs, which Glozz itself marks")
        return
    annotator = None
    if collected.options.annotator_from == "field":
        annotator = _said(unit, "metadata", "author")
        if annotator is None:
            collected.fail(f"the unit names no author; add one, or leave out {BY_FIELD}", unit.line)
        collected.version(annotator=annotator, text=text)
    start, end = (_position(unit, edge, position, collected) for edge in ("start", "end"))
    collected.unit(start, end, {"category": category, **_features(unit)}, annotator=annotator, line=unit.line)


def _said(unit: Node, *names: str) -> str | None:
    """Give the text of an element within elements; None if it is not there or empty."""
    place: Node | None = unit
    for name in names:
        place = None if place is None else place.first(name)
    return None if place is None else place.text().strip() or None


def _features(unit: Node) -> dict[str, Label | None]:
    features: dict[str, Label | None] = {}
    for characterisation in unit.of("characterisation"):
        for found in characterisation.of("featureSet"):
            for feature in found.of("feature"):
                name = feature.attributes.get("name", "")
                features["category (feature)" if name == "category" else name] = feature.text().strip() or None
    return features


def _position(unit: Node, edge: str, position: Utf16, collected: Collected) -> int:
    place: Node | None = unit
    for name in ("positioning", edge, "singlePosition"):
        place = None if place is None else place.first(name)
    if place is None:
        collected.fail(f"the unit has no {edge} with a singlePosition; add it", unit.line)
    index = place.attributes.get("index", "")
    if not _NUMBER.fullmatch(index):
        collected.fail(f"the index of the {edge}, {index[:40]!r}, should be a whole number; mend it", place.line)
    found = position(int(index))
    if found is None:
        collected.fail(f"the {edge} of the unit, {index}, is not in the text; check that the .ac fits", place.line)
    return found


def _sniff(head: bytes, path: Path) -> bool:
    return path.suffix.lower() in FORMAT.suffixes and root_name(head) == _ROOT


FORMAT = Format(
    name="glozz",
    title="Glozz",
    suffixes=(".aa",),
    reads="units on the text in the .ac beside it; the type as category, features as features. Annotator: the author "
    f"of each unit with {BY_FIELD}, else from the path; document: from the path",
    ignores="paragraphs, which Glozz marks by itself, relations, schemas, dates and who modified what",
    names_annotators=lambda options: options.annotator_from == "field",
    annotator_from=("folder", "file", "field"),
    whole=True,
    sniff=_sniff,
    read=read,
    companions=(".ac",),
)
