"""Relations, slots and chains of WebAnno TSV 3.

The row of a relation is that of its dependent. Its last column says where the governor begins, and which of several
annotations at both ends are meant: ``1-1[2_3]`` from number 2 at token 1-1 to number 3 here, 0 if there is only one.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TypeAlias

from unisono.data import Label
from unisono.data.anchors import SOURCE, TARGET, TRIGGER
from unisono.data.unit_kinds import EVENTS, RELATIONS
from unisono.errors import DataError
from unisono.formats.collected import Collected
from unisono.formats.links import LinksOfText, RoleLink
from unisono.formats.pieces import Piece
from unisono.formats.tools.inception_links import chain_links, ends_of
from unisono.formats.tools.webanno_escapes import in_label, split_unescaped, without_number
from unisono.formats.tools.webanno_rows import TokenRow, TsvColumn, TsvLayer

_GOVERNOR = re.compile(r"(\d{1,9}-\d{1,9}(?:\.\d{1,9})?)(?:\[(\d{1,9})_(\d{1,9})\])?")
_TARGET = re.compile(r"(\d{1,9}-\d{1,9}(?:\.\d{1,9})?)(?:\[(\d{1,9})\])?")
_NOTHING = "_"
_NO_LABEL = "*"
Key: TypeAlias = tuple[object, ...]


@dataclass
class TsvLinks:
    """What links annotations, until it is known where all of them are."""

    collected: Collected
    names: Mapping[TsvLayer, str]
    """How layers are shown."""
    _begun: dict[tuple[str, str], dict[int, Key]] = field(default_factory=lambda: defaultdict(dict))
    """(layer, token) to the annotations that begin there, by their numbers, 0 without one."""
    _numbered: dict[tuple[str, int], Key] = field(default_factory=dict)
    _tokens: dict[str, Piece] = field(default_factory=dict)
    _links: list[RoleLink] = field(default_factory=list)
    _slots: dict[Key, tuple[TsvLayer, int, list[tuple[str, str]]]] = field(default_factory=dict)
    _chains: dict[tuple[TsvLayer, str], dict[int, tuple[Key, str | None, int]]] = field(
        default_factory=lambda: defaultdict(dict)
    )
    _wanted: dict[str, tuple[str, str, int]] = field(default_factory=dict)
    """Addresses of annotations, as shown, to the layer, token and number."""

    def token(self, row: TokenRow, place: Piece) -> None:
        """Note a token, which may be the end of a relation itself."""
        self._tokens[row.number] = place

    def begun(self, layer: TsvLayer, row: TokenRow, key: Key, number: int) -> None:
        """Note an annotation that begins in a row."""
        self._begun[layer.name, row.number].setdefault(number, key)
        if number:
            self._numbered.setdefault((layer.name, number), key)

    def relations(self, layer: TsvLayer, stacks: Sequence[tuple[TsvColumn, Sequence[str]]], row: TokenRow) -> None:
        """Take the relations whose dependents begin in a row."""
        name = self.names[layer]
        if self.collected.instructions.units != RELATIONS:
            for _ in range(max(len(stack) for _, stack in stacks)):
                self.collected.wants(RELATIONS, {}, name)
            return
        sizes = sorted({len(stack) for _, stack in stacks})
        if len(sizes) > 1:
            message = f"the columns of {layer.name} have {sizes[0]} and {sizes[-1]} values on one token; correct them"
            raise DataError(message, line=row.line)
        for place in range(sizes[0]):
            self._relation(layer, [(column, stack[place]) for column, stack in stacks], row)

    def _relation(self, layer: TsvLayer, cells: Sequence[tuple[TsvColumn, str]], row: TokenRow) -> None:
        labels: dict[str, Label | None] = {}
        governor, base = None, ""
        for column, cell in cells:
            if column.kind == "relation":
                governor, base = _GOVERNOR.fullmatch(cell), column.name.removeprefix("BT_")
            else:
                value, _ = without_number(cell)
                labels[column.name] = None if value in (_NO_LABEL, _NOTHING) else in_label(value)
        if governor is None:
            message = f"a relation of {layer.name} has no governor like 1-2 or 1-2[1_0]; correct it"
            raise DataError(message, line=row.line)
        one = self._address(base, governor[1], int(governor[2] or 0))
        other = self._address(base, row.number, int(governor[3] or 0))
        ends = ends_of(layer.name, one, other)
        name = self.names[layer]
        self._links.append(RoleLink(name, RELATIONS, ends, labels, name, row.line))

    def slots(self, layer: TsvLayer, key: Key, cells: Sequence[tuple[TsvColumn, str]], row: TokenRow) -> None:
        """Take the slots of an annotation: pairs of a column of roles and one of targets."""
        ends: list[tuple[str, str]] = []
        for (column, cell), (target, there) in pairwise(cells):
            value, _ = without_number(cell)
            if column.kind != "role" or value == _NOTHING:
                continue
            roles, targets = split_unescaped(value, ";"), split_unescaped(there, ";")
            places = [_TARGET.fullmatch(one) for one in targets]
            if self.collected.instructions.units == EVENTS and (len(roles) != len(places) or None in places):
                message = f"the slots of {layer.name} should have a role and a target like 1-2 each; correct them"
                raise DataError(message, line=row.line)
            usual = column.name.partition(":")[2].partition("_")[0] or "slot"
            for role, place in zip(roles, places, strict=False):
                if place is not None:
                    own = usual if role in (_NO_LABEL, _NOTHING) else in_label(role)
                    ends.append((own, self._address(target.name, place[1], int(place[2] or 0))))
        self._slots[key] = layer, row.line, ends

    def member(self, layer: TsvLayer, place: tuple[str, int], key: Key, label: str, line: int) -> None:
        """Note a member of a chain, its place there, and what relates it to the next."""
        chain, position = place
        own = None if label in (_NO_LABEL, _NOTHING, "") else in_label(label)
        self._chains[layer, chain].setdefault(position, (key, own, line))

    def collect(self, place: Callable[[Key], Piece], labels: Callable[[Key], Mapping[str, Label | None]]) -> None:
        """Hand over relations, links of chains, and events: `place` and `labels` are those of annotations."""
        places: dict[str, Sequence[Piece]] = {}
        for shown, address in self._wanted.items():
            key = self._found(*address)
            if key is not None:
                places[shown] = [place(key)]
            elif address[0] not in {layer.name for layer in self.names} and address[1] in self._tokens:
                places[shown] = [self._tokens[address[1]]]
        links = LinksOfText(self.collected, places=places)
        for link in self._links:
            links.add(link)
        for key, (layer, line, ends) in self._slots.items():
            places[f"{key}"] = [place(key)]
            name = self.names[layer]
            links.add(RoleLink(name, EVENTS, [(TRIGGER, f"{key}"), *ends], labels(key), name, line))
        for (layer, chain), members in self._chains.items():
            for number, (key, label, line), after in chain_links(members):
                name = self.names[layer]
                places[f"{key}"] = [place(key)]
                target = f"{chain}-{number + 1}" if after is None else f"{after[0]}"
                if after is not None:
                    places[target] = [place(after[0])]
                ends = [(SOURCE, f"{key}"), (TARGET, target)]
                links.add(RoleLink(name, RELATIONS, ends, {"referenceRelation": label}, name, line))
        links.collect()

    def _address(self, layer: str, token: str, number: int) -> str:
        """Return how an annotation is shown, and look for it later."""
        shown = f"{token}[{number}]" if number else token
        shown += f" ({layer.rpartition('.')[2]})" if layer else ""
        self._wanted[shown] = layer, token, number
        return shown

    def _found(self, layer: str, token: str, number: int) -> Key | None:
        there = self._begun.get((layer, token), {})
        if number:
            return there.get(number) or self._numbered.get((layer, number))
        return there.get(0) or (next(iter(there.values())) if len(there) == 1 else None)
