"""What links annotations of a CAS: relations, slots, and chains."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from unisono.data import Label
from unisono.data.anchors import SOURCE, TARGET, TRIGGER
from unisono.data.unit_kinds import EVENTS, RELATIONS
from unisono.formats.collected import Collected
from unisono.formats.links import circular
from unisono.formats.pieces import Piece
from unisono.formats.tools.inception_links import ends_of

_GOVERNORS = (("Governor", "Dependent"), ("source", "target"))
"""Features with the ends of relations."""


def relation_features(references: Collection[str]) -> tuple[str, str] | None:
    """Return the features that are the ends of a relation, of those that refer to something; None if it is none."""
    return next((pair for pair in _GOVERNORS if set(pair).issubset(references)), None)


def add_relation(
    found: Any, layer: tuple[str, str], labels: Mapping[str, Label | None], collected: Collected, line: int | None
) -> None:
    """Add a relation that is wanted; `layer` is the name of its type, and the one that is shown."""
    names = next(pair for pair in _GOVERNORS if all(hasattr(found, name) for name in pair))
    one, other = (getattr(found, name) for name in names)
    missing = next((name for name, end in zip(names, (one, other), strict=True) if not _is_here(end, found)), None)
    if missing is not None:
        collected.endless(RELATIONS, _named(layer[1], found), f"its {missing} in this text", line)
        return
    by_number = {id(one): one, id(other): other}
    ends = [(role, [place_of(by_number[end])]) for role, end in ends_of(layer[0], id(one), id(other))]
    collected.composite(RELATIONS, ends, labels, layer=layer[1], line=line)


def add_event(
    found: Any,
    layer: str,
    slots: Collection[str],
    labels: Mapping[str, Label | None],
    collected: Collected,
    line: int | None,
) -> None:
    """Add an annotation with its slots, features that refer to links with a role and a target."""
    if not collected.wants(EVENTS, labels, layer):
        return
    ends = [(TRIGGER, [place_of(found)])]
    for name in slots:
        for role, target in _links(getattr(found, name), name.removesuffix("_")):
            if not _is_here(target, found):
                collected.endless(EVENTS, _named(layer, found), f"its {role} in this text", line)
                return
            ends.append((role, [place_of(target)]))
    collected.composite(EVENTS, ends, labels, layer=layer, line=line)


def add_chain_link(found: Any, layer: str, collected: Collected, line: int | None) -> None:
    """Add the link from a member of a chain to the next, if there is one."""
    after = getattr(found, "next", None)
    if after is None or not collected.wants(RELATIONS, {}, layer):
        return
    if not _is_here(after, found):
        collected.endless(RELATIONS, _named(layer, found), "the next member in this text", line)
        return
    ends = [(SOURCE, [place_of(found)]), (TARGET, [place_of(after)])]
    labels = {"referenceRelation": getattr(found, "referenceRelation", None) or None}
    collected.composite(RELATIONS, ends, labels, layer=layer, line=line)


def place_of(found: Any, way: Sequence[Any] = ()) -> Piece:
    """Return where an annotation begins and ends; a relation is from its first end to its last."""
    ends = [
        getattr(found, name, None) for pair in _GOVERNORS if all(hasattr(found, name) for name in pair) for name in pair
    ]
    if not ends or not all(_is_here(end, found) for end in ends):
        return found.begin or 0, found.end or 0
    if any(one is found for one in way):
        raise circular(sorted({_named(one.type.name.rpartition(".")[2], one) for one in way}))
    starts, stops = zip(*(place_of(end, [*way, found]) for end in ends), strict=True)
    return min(starts), max(stops)


def _links(value: Any, name: str) -> Iterator[tuple[str, Any]]:
    """Iterate over the roles and targets of links; what is no link is an annotation itself."""
    for link in getattr(value, "elements", None) or ():
        features = {feature.name for feature in link.type.all_features} if hasattr(link, "type") else set()
        if "target" in features and "begin" not in features:
            yield getattr(link, "role", None) or name, link.target
        else:
            yield name, link


def _is_here(end: Any, found: Any) -> bool:
    """Whether what a link refers to is an annotation of the same text."""
    if getattr(end, "begin", None) is None or getattr(end, "end", None) is None:
        return False
    return getattr(end, "sofa", None) is None or end.sofa is found.sofa or end.sofa.sofaID == found.sofa.sofaID


def _named(layer: str, found: Any) -> str:
    return f"{layer} {found.xmiID}"
