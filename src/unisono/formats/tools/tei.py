"""TEI XML: annotations within the text, and spans that point to it.

Specification: TEI P5 (tei-c.org/guidelines), chapters 13 (names), 17 (segmentation and alignment, with the pointer
``string-range``) and 18 (analysis). Of what TEI allows, this is read:

* the text: all characters in ``<text>`` as they are, including white space, but not those of standoff elements;
* elements in the text such as ``<seg>``, ``<rs>`` and ``<persName>``, or those that the user names;
* ``<span>``s, alone or in a ``<spanGrp>``, anywhere in the document, whose ``from`` and ``to``, or whose ``target``,
  point to elements in the text: ``#w1``, or ``#string-range(p1,0,4)``, which counts characters from 0.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from unisono.data import Label
from unisono.errors import DataError
from unisono.formats.collected import Collected, as_label, collecting
from unisono.formats.format import Format
from unisono.formats.xml_reading import Node, has_root, tree_of

_UNITS = ("seg", "rs", "name", "persName", "orgName", "placeName", "geogName", "date", "time", "term")
_STRUCTURE = (
    "text group front body back div div1 div2 div3 div4 div5 div6 div7 p ab head trailer lg l sp speaker stage list "
    "item label table row cell figure s w pc c anchor lb pb cb gb milestone hi note ref ptr choice sic corr orig reg "
    "abbr expan quote q cit bibl titlePage docTitle titlePart byline docAuthor docDate docImprint argument epigraph "
    "closer opener salute signed dateline fw space graphic"
)
_STANDOFF = "span spanGrp interp interpGrp link linkGrp join joinGrp alt altGrp fs fLib fvLib standOff"
_BOOKKEEPING = "xml:id xml:space xml:base n resp from to target rend rendition style part next prev"
_NO_ANNOTATIONS = frozenset(_STRUCTURE.split())
_NO_TEXT = frozenset(_STANDOFF.split())
_NO_FEATURES = frozenset(_BOOKKEEPING.split())
_POINTER = re.compile(r"#([^\s#()]+)")
_STRING_RANGE = re.compile(r"#string-range\('?([^\s#()',]+)'?,([0-9]{1,15}),([0-9]{1,15})\)")
_SPACE_IN_POINTER = re.compile(r"\s*,\s*")


@collecting
def read(collected: Collected) -> None:
    """Read elements within the text, and spans on it, as units."""
    root = tree_of(collected.path, "TEI", "TEI")
    if root.first("text") is None:
        raise DataError("there is no <text>; name the file that has the text", line=root.line)
    chosen = collected.instructions.options.get("elements")
    content = _Content(_UNITS if chosen is None else tuple(chosen.replace("+", " ").split()))
    for text in root.of("text"):
        content.add(text)
    reading = _Reading(collected, "".join(content.pieces), content.places, _interpretations(root))
    for node, start, end in content.units:
        reading.add(node, None, [(start, end)])
    for span, group in _spans(root, None):
        with collected.record(span.line):
            reading.add(span, group, reading.pieces(span))
    for name, count in content.others.items():
        collected.drop(f"<{name}>, which is not taken for an annotation", count)
    collected.drop("<annotation>, which is not read", sum(1 for _ in root.below("annotation")))
    if 0 < reading.n_nameless < reading.n_units:
        collected.drop(
            f"units without an annotator (resp), taken as those of {collected.instructions.annotator}",
            reading.n_nameless,
        )
    if not reading.n_units:
        collected.version(text=reading.text)


@dataclass
class _Content:
    """The text, the elements with an ID and where they are, the elements that are units, and counts of others."""

    elements: tuple[str, ...]
    pieces: list[str] = field(default_factory=list)
    length: int = 0
    places: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    units: list[tuple[Node, int, int]] = field(default_factory=list)
    others: dict[str, int] = field(default_factory=dict)

    def add(self, node: Node) -> None:
        """Add an element with everything in it."""
        start = self.length
        for child in node.children:
            if isinstance(child, str):
                self.pieces.append(child)
                self.length += len(child)
            elif child.name not in _NO_TEXT:
                self.add(child)
        if own := node.attributes.get("xml:id"):
            self.places.setdefault(own, []).append((start, self.length))
        if node.name in self.elements:
            self.units.append((node, start, self.length))
        elif node.name not in _NO_ANNOTATIONS:
            self.others[node.name] = self.others.get(node.name, 0) + 1


@dataclass
class _Reading:
    """Makes units of elements."""

    collected: Collected
    text: str
    places: dict[str, list[tuple[int, int]]]
    interpretations: dict[str, str]
    n_units: int = 0
    n_nameless: int = 0

    def add(self, node: Node, group: Node | None, pieces: list[tuple[int, int]]) -> None:
        """Add an element as a unit."""
        annotator = self._annotator(node, group)
        self.collected.version(annotator=annotator, text=self.text)
        self.n_units += 1
        self.n_nameless += annotator is None
        if any(name in node.attributes for name in ("part", "next", "prev")):
            self.collected.drop("links between parts of one annotation, which are read as units of their own")
        labels, layer = self._labels(node, group)
        self.collected.unit_in_pieces(pieces, labels, annotator=annotator, layer=layer, line=node.line)

    def _annotator(self, node: Node, group: Node | None) -> str | None:
        if self.collected.instructions.annotator_from in ("folder", "file"):
            return None
        named = node.attributes.get("resp") or (group.attributes.get("resp") if group is not None else None)
        return (named or "").strip().removeprefix("#") or None

    def _labels(self, node: Node, group: Node | None) -> tuple[dict[str, Label | None], str]:
        """Return the labels, and the layer: the kind of element, or of group."""
        features: dict[str, Label | None] = {
            f"{name} (attribute)" if name == "category" else name: self._meaning(value) if name == "ana" else value
            for name, value in node.attributes.items()
            if not _is_bookkeeping(name)
        }
        if node.name != "span":
            own = "type" if "type" in features else "ana"
            return {"category": features.pop(own, None) or node.name, **features}, node.name
        kinds = (features.pop("type", None), group.attributes.get("type") if group is not None else None)
        layer = next((kind for kind in kinds if isinstance(kind, str) and kind), "span")
        content = " ".join(node.text().split())
        return {"category": content or features.pop("ana", None), **features}, layer

    def _meaning(self, analysis: str) -> Label | None:
        """Return what is pointed to: the text of an interp, otherwise its ID."""
        ids = [pointer.removeprefix("#") for pointer in analysis.split()]
        return as_label(self.interpretations.get(own, own) for own in ids)

    def pieces(self, span: Node) -> list[tuple[int, int]]:
        """Find where a span is."""
        begin, end, target = (span.attributes.get(name) for name in ("from", "to", "target"))
        if begin is not None:
            start, own_end = self._place(begin)
            finish = own_end if end is None else self._place(end)[1]
            if finish < start:
                raise DataError(f"the span ends before it begins, from {begin} to {end}; correct it")
            return [(start, finish)]
        pointers = _SPACE_IN_POINTER.sub(",", target or "").split()
        if not pointers:
            raise DataError("the span has neither from nor target, so it is nowhere; add one")
        return [self._place(pointer) for pointer in pointers]

    def _place(self, pointer: str) -> tuple[int, int]:
        written = _SPACE_IN_POINTER.sub(",", pointer.strip())
        part = _STRING_RANGE.fullmatch(written)
        match = part or _POINTER.fullmatch(written)
        if match is None:
            form = "such as #w1 or #string-range(p1,0,4)"
            raise DataError(f"the pointer {pointer[:60]!r} is not understood; it should be {form}")
        places = self.places.get(match[1], [])
        if len(places) != 1:
            count = f"there are {len(places)} elements" if places else "there is no element"
            raise DataError(f"{count} with the ID {match[1]!r} in the text; correct the IDs")
        start, end = places[0]
        if part is None:
            return start, end
        first = start + int(part[2])
        if first + int(part[3]) > end:
            raise DataError(f"{pointer[:60]} goes beyond the end of the element; correct it")
        return first, first + int(part[3])


def _is_bookkeeping(name: str) -> bool:
    return name in _NO_FEATURES or name.startswith("xmlns")


def _interpretations(root: Node) -> dict[str, str]:
    """Find the names of analyses, if the document has them."""
    named = {found.attributes.get("xml:id", ""): " ".join(found.text().split()) for found in root.below("interp")}
    return {own: name for own, name in named.items() if own and name}


def _spans(node: Node, group: Node | None) -> Iterator[tuple[Node, Node | None]]:
    """Iterate over the spans, each with the group that it is in."""
    for child in node.nodes:
        if child.name == "span":
            yield child, group
        else:
            yield from _spans(child, child if child.name == "spanGrp" else group)


FORMAT = Format(
    name="tei",
    title="TEI XML",
    suffixes=(".xml", ".tei"),
    reads="elements in the text (seg, rs, name, persName, orgName, placeName, geogName, date, time, term) and spans "
    "that point to it as units; type, analysis or content as category, the element or the type of the spanGrp as type, "
    "other attributes as features. Annotator: resp, otherwise from the path; document: from the path",
    ignores="header, structure, other elements, annotation, links, and spans in other documents",
    options={"elements": "which elements in the text are units, such as seg+said"},
    names_annotators=lambda instructions: instructions.annotator_from == "field",
    annotator_from=("folder", "file", "field"),
    whole=True,
    sniff=has_root("TEI"),
    read=read,
)
