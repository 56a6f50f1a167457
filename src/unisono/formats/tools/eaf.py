"""ELAN's annotation format (.eaf): tiers of annotations on the time of a recording.

Specification: the schema EAFv3.0.xsd and H. Sloetjes' description of the format (Max Planck Institute for
Psycholinguistics); versions 2.x have the same elements. An ALIGNABLE_ANNOTATION lies between two time slots. A slot
without a time, as in a *time subdivision*, gets one from its neighbours on the tier: what lies between two slots with
times is divided evenly. A REF_ANNOTATION has the time of the annotation that it refers to; in a *symbolic subdivision*,
those that refer to the same one divide its time evenly, in the order that PREVIOUS_ANNOTATION gives. Whose a tier is:
see `tiers`.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from unisono.data import Corpus
from unisono.errors import DataError, mention
from unisono.formats.format import Format, Options
from unisono.formats.tools import tiers as tier_roles
from unisono.formats.tools.collected import Collected
from unisono.formats.xml_reading import Node, root_name, tree

_ROOT = "ANNOTATION_DOCUMENT"
_TIME = re.compile(r"\d{1,15}", re.ASCII)
_MILLISECONDS = 1000
_SUBDIVISION = "Symbolic_Subdivision"

Span = tuple[float, float]


def read(path: Path, options: Options) -> Corpus:
    """Read annotations as units, with their values as categories; positions are seconds."""
    root = tree(path)
    if root.name != _ROOT:
        other = mention("format", "…")
        message = f"the root element is <{root.name}> where ELAN has <{_ROOT}>; name the format with {other}"
        raise DataError(message, path=path, line=root.line)
    _refuse_other_units(root, path)
    collected = Collected(path, options)
    nodes = root.of("TIER")
    seen: set[str] = set()
    annotations = [_annotations(node, seen, collected) for node in nodes]
    spans = _spans(annotations, _times(root, annotations, path), _subdivided(root, nodes), collected)
    every = [
        tier_roles.Tier(
            name=node.attributes.get("TIER_ID") or f"tier {number}",
            annotator=node.attributes.get("ANNOTATOR", ""),
            n_units=len(own),
            line=node.line,
        )
        for number, (node, own) in enumerate(zip(nodes, annotations, strict=True), start=1)
    ]
    for node, own, role in zip(nodes, annotations, tier_roles.roles(every, collected), strict=True):
        if role is not None:
            participant = node.attributes.get("PARTICIPANT") or None
            for annotation in own:
                if annotation.id in spans:
                    _take(annotation, spans[annotation.id], role, participant, collected)
    return collected.corpus()


@dataclass(frozen=True, slots=True)
class _Annotation:
    """An annotation: between two slots, or referring to another one."""

    id: str
    slots: tuple[str, str] | None
    parent: str
    previous: str | None
    value: str
    line: int


def _refuse_other_units(root: Node, path: Path) -> None:
    header = root.first("HEADER")
    unit = "milliseconds" if header is None else header.attributes.get("TIME_UNITS", "milliseconds")
    if unit != "milliseconds":
        message = f"time is counted in {unit!r}, and only milliseconds are read; save the file anew with ELAN"
        raise DataError(message, path=path, line=root.line)


def _annotations(tier: Node, seen: set[str], collected: Collected) -> list[_Annotation]:
    """Give the annotations of a tier, in the order of the file."""
    found = []
    for outer in tier.of("ANNOTATION"):
        for node in outer.nodes:
            try:
                annotation = _annotation(node, collected.path)
                if annotation.id in seen:
                    raise _wrong(f"the id {annotation.id!r} is there twice; rename one", annotation, collected)
            except DataError as error:
                collected.bad(error)
                continue
            seen.add(annotation.id)
            found.append(annotation)
    return found


def _annotation(node: Node, path: Path) -> _Annotation:
    value = node.first("ANNOTATION_VALUE")
    text = "" if value is None else value.text()
    given = node.attributes
    if node.name == "ALIGNABLE_ANNOTATION":
        needed: tuple[str, ...] = ("ANNOTATION_ID", "TIME_SLOT_REF1", "TIME_SLOT_REF2")
    elif node.name == "REF_ANNOTATION":
        needed = ("ANNOTATION_ID", "ANNOTATION_REF")
    else:
        raise DataError(f"<{node.name}> is no annotation of ELAN's; remove it", path=path, line=node.line)
    for name in needed:
        if not given.get(name):
            raise DataError(f"the {node.name} has no {name}; add it, or remove it", path=path, line=node.line)
    slots = None if len(needed) == 2 else (given["TIME_SLOT_REF1"], given["TIME_SLOT_REF2"])
    parent = given.get("ANNOTATION_REF", "") if slots is None else ""
    return _Annotation(given["ANNOTATION_ID"], slots, parent, given.get("PREVIOUS_ANNOTATION"), text, node.line)


def _times(root: Node, tiers: Sequence[Sequence[_Annotation]], path: Path) -> dict[str, float]:
    """Give the times of slots, in milliseconds; of those without one, as far as their neighbours have some."""
    order: list[str] = []
    times: dict[str, float] = {}
    for slot in (slot for node in root.of("TIME_ORDER") for slot in node.of("TIME_SLOT")):
        name, time = slot.attributes.get("TIME_SLOT_ID", ""), slot.attributes.get("TIME_VALUE")
        order.append(name)
        if time is None:
            continue
        if not _TIME.fullmatch(time):
            message = f"the time {time!r} should be a whole number of milliseconds; mend it"
            raise DataError(message, path=path, line=slot.line)
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
    """Tell of each tier whether it is a symbolic subdivision of another."""
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
) -> dict[str, Span]:
    """Give begin and end of each annotation by its id, in milliseconds, those of parents before their children's."""
    spans: dict[str, Span] = {}
    children: dict[str, list[tuple[list[_Annotation], bool]]] = {}
    waiting: dict[str, _Annotation] = {}
    for tier, is_subdivided in zip(tiers, subdivided, strict=True):
        siblings: dict[str, list[_Annotation]] = {}
        for annotation in tier:
            if annotation.slots is None:
                waiting[annotation.id] = annotation
                siblings.setdefault(annotation.parent, []).append(annotation)
                continue
            try:
                spans[annotation.id] = _between(annotation, annotation.slots, times, collected)
            except DataError as error:
                collected.bad(error)
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
        message = f"the annotation {annotation.id!r} refers to {annotation.parent!r}, which is not there or has no time"
        collected.bad(_wrong(f"{message}; mend or remove it", annotation, collected))
    return spans


def _between(annotation: _Annotation, slots: tuple[str, str], times: Mapping[str, float], collected: Collected) -> Span:
    for slot in slots:
        if slot not in times:
            raise _wrong(f"the time slot {slot!r} is not there or has no time; mend it", annotation, collected)
    begin, end = times[slots[0]], times[slots[1]]
    if end < begin:
        message = f"the annotation {annotation.id!r} ends ({end:g} ms) before it begins ({begin:g} ms); mend it"
        raise _wrong(message, annotation, collected)
    return begin, end


def _shares(siblings: list[_Annotation], span: Span, *, subdivided: bool) -> Iterator[tuple[_Annotation, Span]]:
    """Give each annotation of a tier that refers to the same parent its part of the parent's time, or all of it."""
    if not subdivided and not any(annotation.previous for annotation in siblings):
        yield from ((annotation, span) for annotation in siblings)
        return
    begin, end = span
    step = (end - begin) / len(siblings)
    for place, annotation in enumerate(_in_order(siblings)):
        last = place + 1 == len(siblings)
        yield annotation, (begin + step * place, end if last else begin + step * (place + 1))


def _in_order(siblings: list[_Annotation]) -> list[_Annotation]:
    """Put annotations in the order of PREVIOUS_ANNOTATION, and in that of the file where it says nothing."""
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


def _take(
    annotation: _Annotation, span: Span, role: tier_roles.Role, participant: str | None, collected: Collected
) -> None:
    value = annotation.value if annotation.value.strip() else None
    collected.unit(
        span[0] / _MILLISECONDS,
        span[1] / _MILLISECONDS,
        {"category": value, "participant": participant},
        document=role.document,
        annotator=role.annotator,
        layer=role.layer,
        line=annotation.line,
    )


def _wrong(message: str, annotation: _Annotation, collected: Collected) -> DataError:
    return DataError(message, path=collected.path, line=annotation.line)


def _sniff(head: bytes, path: Path) -> bool:
    return path.suffix.lower() in FORMAT.suffixes or root_name(head) == _ROOT


FORMAT = Format(
    name="eaf",
    title="ELAN",
    suffixes=(".eaf",),
    reads="annotations of tiers as units, in seconds; their values as category, the tier's PARTICIPANT as participant; "
    "annotator: the tier's ANNOTATOR if there are several, else the path's if a pattern names it, else the tier; where "
    "the tier is not the annotator, it is the layer",
    ignores="media, controlled vocabularies, languages, references to other resources, comments, lexicons",
    options={"tiers": tier_roles.CHOICE},
    annotator_from=("folder", "file", "tier", "field"),
    whole=True,
    sniff=_sniff,
    read=read,
)
