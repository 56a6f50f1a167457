"""What annotators marked, for formats in which relations join annotations: ends that are no unit become annotations."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from unisono.arrays import BoolArray
from unisono.data import Corpus, Unit
from unisono.data.anchors import SOURCE, TARGET, Anchor
from unisono.data.unit_kinds import RELATIONS, UNIT_KINDS, kinds_of
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
    n_made: int = 0
    n_whole: int = 0
    n_lost: int = 0
    n_between: int = 0

    def linked(self, version: Version, given: Mapping[str, Collection[tuple[int, int]]] | None = None) -> Linked:
        """Return the annotations and relations of a version; those of some layers are given, as are tokens."""
        made = Linked()
        places: dict[tuple[str | None, int, int], int] = {}
        for unit in version.units:
            if not is_relation(unit):
                self._mark(Mark(self.layer_of(unit), int(unit.start), int(unit.end), unit), made, places)
        for unit in version.units:
            if is_relation(unit):
                self._link(unit, made, places, given or {})
        return made

    def said(self) -> list[str]:
        """Say what is written differently, or not at all."""
        said = []
        if self.n_made:
            what = plural(self.n_made, "end") + " of relations"
            said.append(f"{self.tool} has relations between annotations; {what} got one without a label")
        if self.n_whole:
            what = plural(self.n_whole, "end") + " of relations in several pieces"
            said.append(f"{what}, written from the first to the last")
        if self.n_lost:
            what = plural(self.n_lost, "relation")
            said.append(f"relations in {self.tool} have a source and a target; {what} without one are not written")
        if self.n_between:
            what = plural(self.n_between, "relation")
            said.append(f"relations of this layer join tokens; {what} with other ends are not written")
        return said

    def _mark(self, mark: Mark, made: Linked, places: dict[tuple[str | None, int, int], int]) -> int:
        number = len(made.marks)
        made.marks.append(mark)
        for layer in (mark.layer, None):
            places.setdefault((layer, mark.start, mark.end), number)
        return number

    def _link(
        self,
        unit: Unit,
        made: Linked,
        places: dict[tuple[str | None, int, int], int],
        given: Mapping[str, Collection[tuple[int, int]]],
    ) -> None:
        layer = self.layer_of(unit)
        wanted = self.end_of(layer)
        pieces = {role: [one for one in unit.anchors if one.role == role] for role in (SOURCE, TARGET)}
        stretches = {role: _whole(own) for role, own in pieces.items() if own}
        allowed = None if wanted is None else given.get(wanted)
        fits = allowed is None or all(one in allowed for one in stretches.values())
        if SOURCE not in stretches or (TARGET not in stretches and self.needs_target(layer)):
            self.n_lost += 1
            return
        if not fits:
            self.n_between += 1
            return
        self.n_whole += sum(len(own) > 1 for own in pieces.values())
        ends: list[int | None] = []
        for role in (SOURCE, TARGET):
            if role not in stretches:
                ends.append(None)
                continue
            start, end = stretches[role]
            known = places.get((wanted, start, end))
            if known is None:
                known = self._mark(Mark(wanted or self.default, start, end, None), made, places)
                self.n_made += allowed is None
            ends.append(known)
        source, target = ends
        assert source is not None
        made.links.append(Link(layer, unit, source, target))


def is_relation(unit: Unit) -> bool:
    """Whether a unit is a relation."""
    return any(anchor.role in (SOURCE, TARGET) for anchor in unit.anchors)


def relations_of(corpus: Corpus) -> BoolArray:
    """Return which units are relations; shape (n_units,)."""
    return np.asarray(kinds_of(corpus) == UNIT_KINDS.index(RELATIONS))


def _whole(anchors: Sequence[Anchor]) -> tuple[int, int]:
    """Return the stretch from the first piece of an end to the last."""
    return int(min(one.start for one in anchors)), int(max(one.end for one in anchors))
