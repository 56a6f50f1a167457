"""GATE XML: a document with its annotation sets, as GATE saves it.

Specification: the GATE user guide (gate.ac.uk/userguide), chapter 5, and what GATE itself reads and writes. Annotations
begin and end at ``<Node>``s, whose positions in the text are counted here; their ids do not matter. An annotation set
is a layer, or, if the user says so, an annotator, as in GATE's own comparisons. The set "Original markups" is the
markup of the source, which nobody annotated.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from math import isfinite

from unisono.data import Label
from unisono.data.anchors import SOURCE, TARGET
from unisono.data.export import LAYER_FEATURE
from unisono.data.unit_kinds import COMPOSITE, EVENTS, RELATIONS
from unisono.errors import DataError, mention
from unisono.formats.collected import BY_FIELD, Collected, collecting
from unisono.formats.format import Format
from unisono.formats.links import LinksOfText, RoleLink
from unisono.formats.pieces import Piece
from unisono.formats.xml_reading import Node, has_root, tree_of

_ROOT = "GateDocument"
_SOURCE = "Original markups"
_TAKEN = ("category", LAYER_FEATURE)
_WHOLE = ("java.lang.Integer", "java.lang.Long", "java.lang.Short", "java.lang.Byte")
_DECIMAL = ("java.lang.Double", "java.lang.Float")
_SEVERAL = re.compile(r"java\.util\.\w*(?:List|Set|Vector|Collection|Deque|Queue)")
_WRAPPED = "gate.corpora.ObjectWrapper"
_WHOLE_NUMBER = re.compile(r"[+-]?[0-9]{1,18}")


@collecting
def read(collected: Collected) -> None:
    """Read annotations as units on the text, their types as categories and their features as features."""
    root = tree_of(collected.path, _ROOT, "GATE XML")
    content = root.first("TextWithNodes")
    if content is None:
        raise DataError("there is no <TextWithNodes>; check that GATE saved the document as XML", line=root.line)
    text, places = _text(content)
    sets = [found for found in root.of("AnnotationSet") if found.attributes.get("Name") != _SOURCE]
    for own in root.of("AnnotationSet"):
        if own.attributes.get("Name") == _SOURCE:
            collected.drop(f'annotations of the set "{_SOURCE}", which are not annotators\'', len(own.of("Annotation")))
    spans: dict[str, Sequence[Piece]] = {}
    for annotator, layer, own in _whose(sets, collected):
        collected.version(annotator=annotator, text=text, line=own.line)
        for annotation in own.of("Annotation"):
            with collected.record(annotation.line):
                start, end = (_place(annotation, end, places) for end in ("StartNode", "EndNode"))
                labels = _labels(annotation, collected)
                spans.setdefault(annotation.attributes.get("Id", ""), [(start, end)])
                collected.unit(start, end, labels, annotator=annotator, layer=layer, line=annotation.line)
    if collected.instructions.annotator_from != "field":
        collected.version(text=text)
    _add_relations(root, text, spans, collected)


def _add_relations(root: Node, text: str, spans: Mapping[str, Sequence[Piece]], collected: Collected) -> None:
    """Add relations, from the first member to the second; those with other numbers of members are events."""
    sets = [own for own in root.of("RelationSet") if own.attributes.get("Name") != _SOURCE]
    links: dict[str | None, LinksOfText] = {}
    for annotator, layer, relations in _whose(sets, collected, "Relation"):
        for node in relations.of("Relation"):
            members = [one for one in node.attributes.get("Members", "").split(";") if one.strip()]
            kind = RELATIONS if len(members) == 2 else EVENTS
            labels = {"category": node.attributes.get("Type")}
            if collected.instructions.units not in COMPOSITE:
                collected.wants(kind, labels, layer)
                continue
            collected.version(annotator=annotator, text=text, line=relations.line)
            roles = (SOURCE, TARGET) if kind == RELATIONS else ("member",) * len(members)
            own = node.attributes.get("Id", "")
            ends = list(zip(roles, members, strict=True))
            with collected.record(node.line):
                if not members:
                    raise DataError("the Relation has no Members; add them")
                links.setdefault(annotator, LinksOfText(collected, None, annotator, spans)).add(
                    RoleLink(own, kind, ends, labels, layer, node.line)
                )
    for every in links.values():
        every.collect()


def _text(content: Node) -> tuple[str, dict[str, int]]:
    """Return the text, and where the nodes are in it."""
    pieces: list[str] = []
    places: dict[str, int] = {}
    length = 0
    for child in content.children:
        if isinstance(child, str):
            pieces.append(child)
            length += len(child)
            continue
        own = child.attributes.get("id")
        if child.name != "Node" or child.children or own is None:
            raise DataError(
                f"in TextWithNodes there are only empty Nodes with an id, not this {child.name}", line=child.line
            )
        if places.setdefault(own, length) != length:
            raise DataError(f"the Node {own!r} is in two places; give each a different id", line=child.line)
    return "".join(pieces), places


def _whose(
    sets: Sequence[Node], collected: Collected, what: str = "Annotation"
) -> Iterator[tuple[str | None, str | None, Node]]:
    """Iterate over the sets, each with its annotator and its layer."""
    if collected.instructions.annotator_from != "field":
        yield from ((None, own.attributes.get("Name") or None, own) for own in sets)
        return
    if what == "Annotation" and not any(own.attributes.get("Name") for own in sets):
        raise DataError(f"no annotation set has a name, so none names an annotator; leave out {BY_FIELD}")
    for own in sets:
        if name := own.attributes.get("Name"):
            yield name, None, own
        else:
            nameless = f"{what.lower()}s of the set without a name, which names no annotator"
            collected.drop(nameless, len(own.of(what)))


def _place(annotation: Node, end: str, places: dict[str, int]) -> int:
    own = annotation.attributes.get(end)
    if own is None:
        raise DataError(f"the Annotation has no {end}; add it")
    if own not in places:
        raise DataError(f"the {end} {own[:40]!r} of the Annotation is not in the text; correct it")
    return places[own]


def _labels(annotation: Node, collected: Collected) -> dict[str, Label | None]:
    """Return type and features."""
    labels: dict[str, Label | None] = {"category": annotation.attributes.get("Type")}
    for feature in annotation.of("Feature"):
        name, value = feature.first("Name"), feature.first("Value")
        if name is None:
            raise DataError("the Feature has no Name; add it", line=feature.line)
        said = name.text()
        if value is not None and value.attributes.get("className") == _WRAPPED:
            collected.drop("features that are Java objects, which are not read")
        elif value is not None:
            labels[f"{said} (feature)" if said in _TAKEN else said] = _value(value)
    return labels


def _value(value: Node) -> Label:
    """Return a value as what its class says, otherwise as text."""
    kind, said = value.attributes.get("className", ""), value.text()
    if kind in _WHOLE and _WHOLE_NUMBER.fullmatch(said):
        return int(said)
    if kind in _DECIMAL:
        return _decimal(said)
    if kind == "java.lang.Boolean" and said in ("true", "false"):
        return said == "true"
    if _SEVERAL.fullmatch(kind):
        return tuple(sorted({item for item in said.split(";") if item}))
    return said


def _decimal(said: str) -> Label:
    try:
        number = float(said)
    except ValueError:
        return said
    return number if isfinite(number) else said


FORMAT = Format(
    name="gate",
    title="GATE XML",
    suffixes=(".xml",),
    reads="annotations as units on the text; their Type as category, their features as features, and the annotation "
    f"set as type, or, with {BY_FIELD}, as annotator. Otherwise annotator, and document: from the path. With "
    + mention("units", "relations")
    + ": relations of two members; with "
    + mention("units", "events")
    + ": relations of more",
    composite=COMPOSITE,
    ignores='features of the document, Java objects, and the set "Original markups"',
    names_annotators=lambda instructions: instructions.annotator_from == "field",
    annotator_from=("folder", "file", "field"),
    whole=True,
    sniff=has_root(_ROOT),
    read=read,
)
