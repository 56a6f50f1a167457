"""Glozz: annotations in an ``.aa`` and the text beside it in an ``.ac``.

Specification: the Glozz user's manual (Mathet 2011, www.glozz.org) and files that Glozz wrote. Positions are characters
of the text as Java counts them (UTF-16); the text is taken as it is stored. On import,
Glozz removes line breaks from the text and keeps them as units of the type paragraph; these are left out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from unisono.data import Label
from unisono.data.anchors import SOURCE, TARGET
from unisono.data.unit_kinds import COMPOSITE, EVENTS, RELATIONS
from unisono.errors import DataError, mention
from unisono.formats.collected import BY_FIELD, Collected, collecting
from unisono.formats.files import stored_text
from unisono.formats.format import Format
from unisono.formats.links import LinksOfText, RoleLink
from unisono.formats.pieces import Piece
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
    places: dict[str, Sequence[Piece]] = {}
    for unit in root.of("unit"):
        with collected.record(unit.line):
            _add(unit, text, position, collected, places)
    _add_links(root, text, places, collected)


def _add_links(root: Node, text: str, places: Mapping[str, Sequence[Piece]], collected: Collected) -> None:
    """Add relations, from their first term to the second, and schemas, as events with members."""
    by_author: dict[str | None, LinksOfText] = {}
    nodes = [*((one, RELATIONS) for one in root.of("relation")), *((one, EVENTS) for one in root.of("schema"))]
    if collected.instructions.units not in COMPOSITE:
        for node, kind in nodes:
            collected.wants(kind, {"category": _text(_within(node, "characterisation", "type"))})
        return
    for node, kind in nodes:
        with collected.record(node.line):
            author = None
            if collected.instructions.annotator_from == "field":
                author = _text(_within(node, "metadata", "author"))
                if author is None:
                    raise DataError(f"the {node.name} names no author; add one, or leave out {BY_FIELD}")
                collected.version(annotator=author, text=text)
            by_author.setdefault(author, LinksOfText(collected, None, author, places)).add(
                _link(node, kind, is_wanted=kind == collected.instructions.units)
            )
    for links in by_author.values():
        links.collect()


def _link(node: Node, kind: str, *, is_wanted: bool) -> RoleLink:
    """Return a relation with its two terms, or a schema with all that it embeds; one that is wanted must have some."""
    positioning = node.first("positioning")
    inside = [] if positioning is None else positioning.nodes
    ids = [one.attributes.get("id", "") for one in inside if one.name == "term" or one.name.startswith("embedded-")]
    if is_wanted and kind == RELATIONS and len(ids) != 2:
        raise DataError(f"a relation has two terms, not {len(ids)}; correct it")
    if is_wanted and not ids:
        raise DataError("a schema embeds nothing; correct it, or remove it")
    roles = (SOURCE, TARGET) if kind == RELATIONS and len(ids) == 2 else ("member",) * len(ids)
    labels = {"category": _text(_within(node, "characterisation", "type")), **_features(node)}
    own = node.attributes.get("id") or f"a {node.name}"
    return RoleLink(own, kind, list(zip(roles, ids, strict=True)), labels, line=node.line)


def _add(unit: Node, text: str, position: Utf16, collected: Collected, places: dict[str, Sequence[Piece]]) -> None:
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
    if own := unit.attributes.get("id"):
        places[own] = [(start, end)]
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
    f"of each unit with {BY_FIELD}, otherwise from the path; document: from the path. With "
    + mention("units", "relations")
    + ": relations; with "
    + mention("units", "events")
    + ": schemas, with their members",
    ignores="paragraphs, which Glozz marks automatically, dates and who modified what",
    composite=COMPOSITE,
    names_annotators=lambda instructions: instructions.annotator_from == "field",
    annotator_from=("folder", "file", "field"),
    whole=True,
    sniff=lambda head, path: path.suffix.lower() == ".aa" and root_name(head) == _ROOT,
    read=read,
    companions=(".ac",),
)
