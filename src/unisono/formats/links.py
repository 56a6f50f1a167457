"""Relations and events of a document, until it is known where their ends are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from unisono.data import Label
from unisono.errors import DataError
from unisono.formats.collected import Collected
from unisono.formats.pieces import Piece


class RoleLink(NamedTuple):
    """A relation or an event as a file has it."""

    id: str
    """Its own, or what it is called if it has none."""
    kind: str
    """See `unit_kinds`."""
    ends: Sequence[tuple[str, str]]
    """The role of each end, and the ID of what is there: an annotation, or another link."""
    labels: Mapping[str, Label | None]
    layer: str | None = None
    line: int | None = None


@dataclass
class LinksOfText:
    """The links of an annotator's version of a document, and the places of what may be at their ends."""

    collected: Collected
    document: str | None = None
    annotator: str | None = None
    places: Mapping[str, Sequence[Piece]] = field(default_factory=dict)
    """The stretch of each annotation, by its ID, or its pieces. The place of an event is that of its trigger."""
    _links: list[RoleLink] = field(default_factory=list)
    _by_id: dict[str, RoleLink] = field(default_factory=dict)

    def add(self, link: RoleLink) -> None:
        """Add a link."""
        self._links.append(link)
        self._by_id[link.id] = link

    def collect(self) -> None:
        """Hand over the links as units, when all places are known; those without one of their ends are counted."""
        for link in self._links:
            with self.collected.record(link.line):
                if self.collected.wants(link.kind, link.labels, link.layer):
                    self._collect(link)

    def _collect(self, link: RoleLink) -> None:
        ends = []
        for role, there in link.ends:
            pieces = self._place(there, [link.id])
            if pieces is None:
                self.collected.endless(link.kind, link.id, f"its {role} {there}", link.line)
                return
            ends.append((role, pieces))
        place = {"document": self.document, "annotator": self.annotator}
        self.collected.composite(link.kind, ends, link.labels, **place, layer=link.layer, line=link.line)

    def _place(self, there: str, way: list[str]) -> Sequence[Piece] | None:
        """Return where an annotation is; a link without a place of its own goes from its first end to its last."""
        if there in self.places:
            return self.places[there]
        if there not in self._by_id:
            return None
        if there in way:
            raise circular(way[way.index(there) :])
        ends = [self._place(one, [*way, there]) for _, one in self._by_id[there].ends]
        spans = [piece for pieces in ends for piece in pieces or ()]
        if None in ends or not spans:
            return None
        return [(min(start for start, _ in spans), max(end for _, end in spans))]


def circular(names: Iterable[str]) -> DataError:
    """Return the error that links refer to each other in a circle."""
    first, *others = dict.fromkeys(names)
    if not others:
        return DataError(f"{first} points at itself, so it has no place in the text; correct it")
    every = " and ".join([first, *others])
    return DataError(f"{every} point at each other, so they have no place in the text; correct one of them")
