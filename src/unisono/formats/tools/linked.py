"""What annotators marked, for formats in which relations and events join annotations.

Ends that are not units become annotations. An event is an annotation at its trigger, with further ones in its slots.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from unisono.data import Corpus, Unit
from unisono.data.anchors import PIECE, SOURCE, TARGET, TRIGGER, Anchor
from unisono.data.unit_kinds import EVENTS, RELATIONS, SPANS, UNIT_KINDS, kinds_of
from unisono.errors import plural
from unisono.formats.tools.versions import Version


class Mark(NamedTuple):
    """An annotation."""

    layer: str
    start: int
    end: int
    unit: Unit | None
    """None: there is no unit here, only the end of a relation."""


class Link(NamedTuple):
    """A relation; its ends are numbers of marks, and there may be no target."""

    layer: str
    unit: Unit
    source: int
    target: int | None


@dataclass
class Linked:
    """The annotations of a version, and the relations between them."""

    marks: list[Mark] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    slots: dict[int, list[tuple[str, int]]] = field(default_factory=dict)
    """Of annotations that are events, by their numbers: roles, and the numbers of what is there."""
    places: dict[tuple[str | None, int, int], int] = field(default_factory=dict)
    """Layer (None for any), start and end to the first annotation there."""

    def mark(self, mark: Mark) -> int:
        """Add an annotation; return its number."""
        number = len(self.marks)
        self.marks.append(mark)
        for layer in (mark.layer, None):
            self.places.setdefault((layer, mark.start, mark.end), number)
        return number


@dataclass
class Linking:
    """Finds the annotations that relations join, and counts what is written differently."""

    tool: str
    layer_of: Callable[[Unit], str]
    end_of: Callable[[str], str | None]
    """The layer of the annotations that relations of a layer join; None if any annotation will do."""
    needs_target: Callable[[str], bool]
    """Whether relations of a layer have two ends."""
    default: str
    """The layer of ends, if any annotation will do."""
    slot_end: Callable[[str, str], str] = lambda layer, role: layer
    """The layer of what is in the slots of a layer, by the role."""
    n_made: int = 0
    n_whole: int = 0
    n_lost: int = 0
    n_idle: int = 0
    n_between: int = 0

    def linked(self, version: Version, given: Mapping[str, Collection[tuple[int, int]]] | None = None) -> Linked:
        """Return the annotations and relations of a version; those of some layers are given, as are tokens."""
        made, tokens = Linked(), given or {}
        events = self._events([unit for unit in version.units if kind_of(unit) == EVENTS], made)
        triggers = Counter((mark.layer, mark.start, mark.end) for mark in made.marks)
        for unit in version.units:
            if kind_of(unit) == SPANS:
                own = Mark(self.layer_of(unit), int(unit.start), int(unit.end), unit)
                if triggers[own[:3]]:
                    triggers[own[:3]] -= 1  # the trigger of an event, which is a span, too
                else:
                    made.mark(own)
        for number, unit in events:
            self._fill(number, unit, made, tokens)
        for unit in version.units:
            if kind_of(unit) == RELATIONS:
                self._link(unit, made, tokens)
        return made

    def said(self) -> list[str]:
        """Say what is written differently, or not at all."""
        said = []
        if self.n_made:
            added = f"an annotation without a label was added at {plural(self.n_made, 'end')}"
            said.append(f"relations and events join annotations in {self.tool}; {added}")
        if self.n_whole:
            said.append(f"{plural(self.n_whole, 'end')} in several pieces, written from the first to the last")
        if self.n_lost:
            what = plural(self.n_lost, "relation")
            said.append(
                f"relations in {self.tool} have a source and a target; not written, because one is missing: {what}"
            )
        if self.n_idle:
            what = plural(self.n_idle, "event")
            said.append(f"events in {self.tool} have a trigger; not written, because it is missing: {what}")
        if self.n_between:
            what = plural(self.n_between, "end")
            said.append(f"some layers join tokens; not written, because an end is not a token: relations at {what}")
        return said

    def _events(self, units: Sequence[Unit], made: Linked) -> list[tuple[int, Unit]]:
        """Mark events at their triggers; return the numbers of these."""
        found = []
        for unit in units:
            trigger = [one for one in unit.anchors if one.role == TRIGGER]
            if trigger:
                self.n_whole += len(trigger) > 1
                found.append((made.mark(Mark(self.layer_of(unit), *_whole(trigger), unit)), unit))
            else:
                self.n_idle += 1
        return found

    def _fill(self, number: int, unit: Unit, made: Linked, given: Mapping[str, Collection[tuple[int, int]]]) -> None:
        """Fill the slots of an event."""
        made.slots[number] = []
        layer = made.marks[number].layer
        for role, start, end in unit.anchors:
            if role == TRIGGER:
                continue
            there = self._end(self.slot_end(layer, role), (int(start), int(end)), made, given)
            if there is not None:
                made.slots[number].append((role, there))

    def _link(self, unit: Unit, made: Linked, given: Mapping[str, Collection[tuple[int, int]]]) -> None:
        layer = self.layer_of(unit)
        pieces = {role: [one for one in unit.anchors if one.role == role] for role in (SOURCE, TARGET)}
        if not pieces[SOURCE] or (not pieces[TARGET] and self.needs_target(layer)):
            self.n_lost += 1
            return
        self.n_whole += sum(len(own) > 1 for own in pieces.values())
        ends = [self._end(self.end_of(layer), _whole(own), made, given) for own in pieces.values() if own]
        if ends[0] is not None and None not in ends:
            made.links.append(Link(layer, unit, ends[0], ends[1] if len(ends) > 1 else None))

    def _end(
        self,
        layer: str | None,
        place: tuple[int, int],
        made: Linked,
        given: Mapping[str, Collection[tuple[int, int]]],
    ) -> int | None:
        """Return the annotation at an end, a new one if there is none; None if there cannot be one."""
        known = made.places.get((layer, *place))
        if known is not None:
            return known
        allowed = None if layer is None else given.get(layer)
        if allowed is not None and place not in allowed:
            self.n_between += 1
            return None
        self.n_made += allowed is None
        return made.mark(Mark(layer or self.default, *place, None))


def kind_of(unit: Unit) -> str:
    """Return the kind of a unit; see `unit_kinds`."""
    roles = {anchor.role for anchor in unit.anchors} - {PIECE}
    return SPANS if not roles else RELATIONS if roles <= {SOURCE, TARGET} else EVENTS


def has_relations(corpus: Corpus) -> bool:
    """Whether some units are relations."""
    return bool((kinds_of(corpus) == UNIT_KINDS.index(RELATIONS)).any())


def _whole(anchors: Sequence[Anchor]) -> tuple[int, int]:
    """Return the stretch from the first piece of an end to the last."""
    return int(min(one.start for one in anchors)), int(max(one.end for one in anchors))
