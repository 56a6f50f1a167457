"""ELAN's annotation format (.eaf): tiers of annotations on the time of a recording.

Specification: the schema EAFv3.0.xsd and H. Sloetjes' description of the format (Max Planck Institute for
Psycholinguistics); versions 2.x have the same elements. An ALIGNABLE_ANNOTATION lies between two time slots. A slot
without a time, as in a *time subdivision*, gets one from its neighbours on the tier: what lies between two slots with
times is divided evenly. A REF_ANNOTATION has the time of the annotation that it refers to; in a *symbolic subdivision*,
those that refer to the same one divide its time evenly, in the order of PREVIOUS_ANNOTATION. Whose a tier is: see
`tiers`.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from unisono.errors import DataError
from unisono.formats.collected import Collected, collecting
from unisono.formats.format import Format
from unisono.formats.tools.tiers import TIERS_OPTION, Tier, TimedUnit, add_tiers
from unisono.formats.xml_reading import Node, root_name, tree_of

_ROOT = "ANNOTATION_DOCUMENT"
_TIME = re.compile(r"\d{1,15}", re.ASCII)
_MILLISECONDS = 1000
_SUBDIVISION = "Symbolic_Subdivision"

_Span = tuple[float, float]


@collecting
def read(collected: Collected) -> None:
    """Read annotations as units, with their values as categories; positions are seconds."""
    root = tree_of(collected.path, _ROOT, "ELAN")
    _check_time_unit(root)
    nodes = root.of("TIER")
    seen: set[str] = set()
    annotations = [_annotations(node, seen, collected) for node in nodes]
    spans = _spans(annotations, _times(root, annotations), _subdivided(root, nodes), collected)
    tiers = [
        Tier(
            name=node.attributes.get("TIER_ID") or f"tier {number}",
            line=node.line,
            units=list(_units(own, spans, node.attributes.get("PARTICIPANT") or None)),
            n_units=len(own),
            annotator=node.attributes.get("ANNOTATOR", ""),
        )
        for number, (node, own) in enumerate(zip(nodes, annotations, strict=True), start=1)
    ]
    add_tiers(tiers, collected)


@dataclass(frozen=True, slots=True)
class _Annotation:
    """An annotation: between two slots, or referring to another one."""

    id: str
    slots: tuple[str, str] | None
    parent: str
    previous: str | None
    value: str
    line: int


def _check_time_unit(root: Node) -> None:
    header = root.first("HEADER")
    unit = "milliseconds" if header is None else header.attributes.get("TIME_UNITS", "milliseconds")
    if unit != "milliseconds":
        raise DataError(
            f"time is in {unit!r}, and only milliseconds are read; save the file again with ELAN", line=root.line
        )


def _annotations(tier: Node, seen: set[str], collected: Collected) -> list[_Annotation]:
    """Return the annotations of a tier, in the order of the file."""
    found = []
    for node in (node for outer in tier.of("ANNOTATION") for node in outer.nodes):
        with collected.record(node.line):
            annotation = _annotation(node)
            if annotation.id in seen:
                raise DataError(f"the id {annotation.id!r} occurs twice; rename one")
            seen.add(annotation.id)
            found.append(annotation)
    return found


def _annotation(node: Node) -> _Annotation:
    value = node.first("ANNOTATION_VALUE")
    text = "" if value is None else value.text()
    given = node.attributes
    if node.name == "ALIGNABLE_ANNOTATION":
        needed: tuple[str, ...] = ("ANNOTATION_ID", "TIME_SLOT_REF1", "TIME_SLOT_REF2")
    elif node.name == "REF_ANNOTATION":
        needed = ("ANNOTATION_ID", "ANNOTATION_REF")
    else:
        raise DataError(f"<{node.name}> is not an annotation in ELAN; remove it")
    for name in needed:
        if not given.get(name):
            raise DataError(f"the {node.name} has no {name}; add it, or remove the annotation")
    slots = None if len(needed) == 2 else (given["TIME_SLOT_REF1"], given["TIME_SLOT_REF2"])
    parent = given.get("ANNOTATION_REF", "") if slots is None else ""
    return _Annotation(given["ANNOTATION_ID"], slots, parent, given.get("PREVIOUS_ANNOTATION"), text, node.line)


def _times(root: Node, tiers: Sequence[Sequence[_Annotation]]) -> dict[str, float]:
    """Return the times of slots, in milliseconds; of those without one, as far as their neighbours have some."""
    order: list[str] = []
    times: dict[str, float] = {}
    for slot in (slot for node in root.of("TIME_ORDER") for slot in node.of("TIME_SLOT")):
        name, time = slot.attributes.get("TIME_SLOT_ID", ""), slot.attributes.get("TIME_VALUE")
        order.append(name)
        if time is None:
            continue
        if not _TIME.fullmatch(time):
            raise DataError(f"the time {time!r} should be a whole number of milliseconds; correct it", line=slot.line)
        times[name] = int(time)
    if len(times) < len(order):
        known = set(order)
        for tier in tiers:
            _interpolate([slot for a in tier if a.slots for slot in a.slots if slot in known], times)
        _interpolate(order, times)
    return times


def _interpolate(slots: Sequence[str], times: dict[str, float]) -> None:
    """Divide the time between slots that have one evenly among those between them that have none."""
    chain = [slot for before, slot in pairwise(["", *slots]) if slot != before]
    known = [place for place, slot in enumerate(chain) if slot in times]
    for first, last in pairwise(known):
        low, high = times[chain[first]], times[chain[last]]
        if low > high:
            continue
        step = (high - low) / (last - first)
        for place in range(first + 1, last):
            times.setdefault(chain[place], low + step * (place - first))


def _subdivided(root: Node, tiers: Sequence[Node]) -> list[bool]:
    """Return for each tier whether it is a symbolic subdivision of another."""
    types = {
        node.attributes.get("LINGUISTIC_TYPE_ID"): node.attributes.get("CONSTRAINTS")
        for node in root.of("LINGUISTIC_TYPE")
    }
    return [types.get(tier.attributes.get("LINGUISTIC_TYPE_REF")) == _SUBDIVISION for tier in tiers]


def _spans(
    tiers: Sequence[Sequence[_Annotation]],
    times: Mapping[str, float],
    subdivided: Sequence[bool],
    collected: Collected,
) -> dict[str, _Span]:
    """Return start and end of each annotation by its id, in milliseconds; parents before their children."""
    spans: dict[str, _Span] = {}
    children: dict[str, list[tuple[list[_Annotation], bool]]] = {}
    waiting: dict[str, _Annotation] = {}
    for tier, is_subdivided in zip(tiers, subdivided, strict=True):
        siblings: dict[str, list[_Annotation]] = {}
        for annotation in tier:
            if annotation.slots is None:
                waiting[annotation.id] = annotation
                siblings.setdefault(annotation.parent, []).append(annotation)
                continue
            with collected.record(annotation.line):
                spans[annotation.id] = _between(annotation, annotation.slots, times)
        for parent, own in siblings.items():
            children.setdefault(parent, []).append((own, is_subdivided))
    ready = deque(spans)
    while ready:
        parent = ready.popleft()
        for own, is_subdivided in children.get(parent, ()):
            for annotation, span in _shares(own, spans[parent], subdivided=is_subdivided):
                spans[annotation.id] = span
                waiting.pop(annotation.id, None)
                ready.append(annotation.id)
    for annotation in waiting.values():
        with collected.record(annotation.line):
            missing = f"{annotation.parent!r}, which is not there or has no time"
            raise DataError(f"the annotation {annotation.id!r} refers to {missing}; correct or remove it")
    return spans


def _between(annotation: _Annotation, slots: tuple[str, str], times: Mapping[str, float]) -> _Span:
    for slot in slots:
        if slot not in times:
            raise DataError(f"the time slot {slot!r} is not there or has no time; correct it")
    begin, end = times[slots[0]], times[slots[1]]
    if end < begin:
        raise DataError(
            f"the annotation {annotation.id!r} ends ({end:g} ms) before it begins ({begin:g} ms); correct it"
        )
    return begin, end


def _shares(siblings: list[_Annotation], span: _Span, *, subdivided: bool) -> Iterator[tuple[_Annotation, _Span]]:
    """Divide a parent's time among the annotations of a tier that refer to it, or give each of them all of it."""
    if not subdivided and not any(annotation.previous for annotation in siblings):
        yield from ((annotation, span) for annotation in siblings)
        return
    begin, end = span
    step = (end - begin) / len(siblings)
    for place, annotation in enumerate(_in_order(siblings)):
        last = place + 1 == len(siblings)
        yield annotation, (begin + step * place, end if last else begin + step * (place + 1))


def _in_order(siblings: list[_Annotation]) -> list[_Annotation]:
    """Sort annotations by PREVIOUS_ANNOTATION, and as in the file if they have none."""
    names = {annotation.id for annotation in siblings}
    following: dict[str, list[_Annotation]] = {}
    for annotation in reversed(siblings):
        if annotation.previous in names:
            following.setdefault(annotation.previous or "", []).append(annotation)
    stack = [annotation for annotation in reversed(siblings) if annotation.previous not in names]
    ordered: dict[str, _Annotation] = {}
    while stack:
        annotation = stack.pop()
        ordered[annotation.id] = annotation
        stack.extend(following.get(annotation.id, ()))
    for annotation in siblings:  # those that go in a circle
        ordered.setdefault(annotation.id, annotation)
    return list(ordered.values())


def _units(
    annotations: Sequence[_Annotation], spans: Mapping[str, _Span], participant: str | None
) -> Iterator[TimedUnit]:
    for annotation in annotations:
        if annotation.id in spans:
            begin, end = spans[annotation.id]
            labels = {"category": annotation.value if annotation.value.strip() else None, "participant": participant}
            yield TimedUnit(begin / _MILLISECONDS, end / _MILLISECONDS, labels, annotation.line)


FORMAT = Format(
    name="eaf",
    title="ELAN",
    suffixes=(".eaf",),
    reads="annotations of tiers as units, in seconds; their values as category, the tier's PARTICIPANT as participant; "
    "annotator: the tier's ANNOTATOR if there are several, else the path's if a pattern names it, else the tier; if "
    "the tier is not the annotator, it is the layer",
    ignores="media, controlled vocabularies, languages, references to other resources, comments, lexicons",
    options=TIERS_OPTION,
    annotator_from=("folder", "file", "tier", "field"),
    whole=True,
    sniff=lambda head, path: path.suffix.lower() == ".eaf" or root_name(head) == _ROOT,
    read=read,
)
