"""Units with several anchors: relations, events, units in pieces; columns beside those of the units."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from unisono.arrays import BoolArray, ComparedByContent, FloatArray, IntArray
from unisono.data.labels import encode, given_labels
from unisono.data.spans import Locate, Positions, checked_spans
from unisono.errors import DataError

PIECE = "piece"
"""The role of the only anchor of a plain unit, and of each piece of a unit in several pieces."""
SOURCE, TARGET = "source", "target"
"""The roles of the ends of a relation."""
TRIGGER = "trigger"
"""The role of what names an event."""


class Anchor(NamedTuple):
    """A stretch of the continuum that belongs to a unit, and its role there, such as the target of a relation."""

    role: str
    start: int | float
    end: int | float


@dataclass(frozen=True, slots=True, eq=False)
class Anchors(ComparedByContent):
    """The anchors of units, one unit after another; those of a unit are sorted by role, start and end.

    Every unit has one at least. A corpus all of whose units are plain, with themselves as their only anchor, has None
    instead.
    """

    first: IntArray  # shape (n_units + 1,): where the anchors of each unit begin
    # shape (n_anchors,)
    role: IntArray  # index into `roles`
    start: Positions
    end: Positions  # exclusive
    roles: tuple[str, ...]  # the distinct roles, sorted

    @classmethod
    def of(cls, units: Iterable[Iterable[tuple[str, float, float]]], locate: Locate | None = None) -> Anchors:
        """Make them from the anchors of each unit, in any order; `locate` says where each unit comes from."""
        rows = [[*unit] for unit in units]
        sizes = np.array([len(row) for row in rows], np.int64)
        if not sizes.all():
            path, line = locate(int(np.argmin(sizes))) if locate else (None, None)
            raise DataError("a unit has no anchor; give its positions", path=path, line=line)
        owner = np.repeat(np.arange(len(rows)), sizes)
        try:
            every = [(name, start, end) for row in rows for name, start, end in row]
        except (TypeError, ValueError):
            raise DataError("an anchor should be a role, a start and an end, such as ('source', 0, 4)") from None
        if wrong := [name for name, _, _ in every if not isinstance(name, str) or not name]:
            raise DataError(f"the role of an anchor should be a name, not {wrong[0]!r}")
        role, roles = encode([name for name, _, _ in every])
        start, end = checked_spans(
            [start for _, start, _ in every],
            [end for _, _, end in every],
            None if locate is None else lambda anchor: locate(int(owner[anchor])),
        )
        return _sorted(owner, len(rows), role, start, end, roles)

    @classmethod
    def plain(cls, start: Positions, end: Positions) -> Anchors:
        """Return the anchors of plain units."""
        n = len(start)
        return cls(np.arange(n + 1), np.zeros(n, np.int64), start, end, (PIECE,))

    @property
    def n_units(self) -> int:
        """Number of units."""
        return len(self.first) - 1

    @property
    def n_anchors(self) -> int:
        """Number of anchors of all units."""
        return len(self.start)

    @property
    def sizes(self) -> IntArray:
        """How many anchors each unit has; shape (n_units,)."""
        return np.diff(self.first)

    @property
    def owner(self) -> IntArray:
        """Which unit each anchor belongs to; shape (n_anchors,)."""
        return np.repeat(np.arange(self.n_units), self.sizes)

    @property
    def composite(self) -> BoolArray:
        """Which units are no plain ones; shape (n_units,)."""
        alone = self.role[self.first[:-1]] if self.n_units else np.zeros(0, np.int64)
        plain = self.roles.index(PIECE) if PIECE in self.roles else -1
        return np.asarray((self.sizes > 1) | (alone != plain))

    @property
    def hull(self) -> tuple[Positions, Positions]:
        """Where each unit begins and ends, from its first anchor to its last; shape (n_units,) each."""
        if not self.n_units:
            return self.start, self.end
        begin = self.first[:-1]
        return np.minimum.reduceat(self.start, begin), np.maximum.reduceat(self.end, begin)

    @property
    def ranks(self) -> IntArray:
        """A number for each unit, the same for units of the same anchors, that orders units by them."""
        sizes = self.sizes
        rank = sizes.copy()
        for place in range(int(sizes.max(initial=0))):
            rows = np.flatnonzero(sizes > place)
            anchor = self.first[rows] + place
            own = np.zeros(len(sizes), np.int64)
            own[rows] = 1 + _dense(self.role[anchor], self.start[anchor], self.end[anchor])
            rank = _dense(rank, own)
        return rank

    def take(self, rows: Any) -> Anchors:
        """Return the anchors of some units: a slice, indices or a mask; all roles stay possible."""
        chosen = _numbers(rows, self.n_units)  # there may be many more, in a file
        sizes = self.first[chosen + 1] - self.first[chosen]
        first = np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)])
        own = np.repeat(self.first[chosen] - first[:-1], sizes) + np.arange(first[-1])
        return Anchors(first, self.role[own], self.start[own], self.end[own], self.roles)

    def placed(self, start: Positions, end: Positions) -> Anchors:
        """Return the same anchors at other places."""
        return _sorted(self.owner, self.n_units, self.role, start, end, self.roles)

    def with_plain(self, start: Positions, end: Positions) -> Anchors:
        """Return the same with plain units at other places, shape (n_units,)."""
        plain = np.flatnonzero(~self.composite)
        moved = self.start.copy(), self.end.copy()
        for column, new in zip(moved, (start, end), strict=True):
            column[self.first[plain]] = new[plain]
        return Anchors(self.first, self.role, *moved, self.roles)

    def as_floats(self) -> Anchors:
        """Return them with fractional positions, to compute with."""
        return Anchors(self.first, self.role, self.start.astype(np.float64), self.end.astype(np.float64), self.roles)

    def simplest(self) -> Anchors | None:
        """Return None if all units are plain, else the anchors without roles that none of them has."""
        if not self.composite.any():
            return None
        return Anchors(self.first, *_with_given(self.role, self.start, self.end, self.roles))

    def listed(self) -> list[tuple[Anchor, ...]]:
        """Spell the anchors of each unit out; those of a plain unit are ()."""
        names = [self.roles[code] for code in self.role.tolist()]
        every = [*map(Anchor, names, self.start.tolist(), self.end.tolist())]
        ends = zip(self.first[:-1].tolist(), self.first[1:].tolist(), self.composite.tolist(), strict=True)
        return [tuple(every[low:high]) if composite else () for low, high, composite in ends]

    def columns(self) -> dict[str, list[list[int | float]]]:
        """Return the columns of a table: for each role, where its anchors begin and end in each unit.

        The columns start and end are those of the source of relations, or of plain units.
        """
        owner = self.owner.tolist()
        itself = PIECE if self.roles == (PIECE,) else None
        if not {PIECE, TARGET, TRIGGER}.isdisjoint(self.roles) and self.roles != (PIECE,):
            itself = SOURCE
        order = sorted(self.roles, key=lambda role: (role != itself, role not in (PIECE, TRIGGER, TARGET), role))
        made: dict[str, list[list[int | float]]] = {}
        for role in order:
            for side, positions in (("start", self.start), ("end", self.end)):
                column = made[side if role == itself else f"{role}_{side}"] = [[] for _ in range(self.n_units)]
                for anchor in np.flatnonzero(self.role == self.roles.index(role)).tolist():
                    column[owner[anchor]].append(positions[anchor].item())
        return made

    def table(self, low: float = 0.0) -> FloatArray:
        """Return one row per unit with role, start and end of each anchor, from `low`; nan behind the last."""
        sizes, owner = self.sizes, self.owner
        made = np.full((self.n_units, 3 * int(sizes.max(initial=0))), np.nan)
        place = 3 * (np.arange(self.n_anchors) - self.first[owner])
        for offset, column in enumerate((self.role, self.start - low, self.end - low)):
            made[owner, place + offset] = column
        return made


def joined_anchors(parts: Sequence[tuple[Anchors | None, Positions, Positions]]) -> Anchors | None:
    """Put the anchors of several parts together, each with the starts and ends of its units; None if all are plain."""
    if all(anchors is None for anchors, _, _ in parts):
        return None
    every = [Anchors.plain(start, end) if anchors is None else anchors for anchors, start, end in parts]
    roles = tuple(sorted({name for part in every for name in part.roles}))
    offsets = np.cumsum([0, *(part.n_anchors for part in every)]).tolist()
    recoded = [np.array([roles.index(name) for name in part.roles], np.int64)[part.role] for part in every]
    firsts = [part.first[:-1] + offset for part, offset in zip(every, offsets, strict=False)]
    return Anchors(
        np.concatenate([*firsts, np.array(offsets[-1:])]),
        np.concatenate(recoded),
        _concatenated([part.start for part in every]),
        _concatenated([part.end for part in every]),
        roles,
    )


def tie_breakers(anchors: Anchors | None) -> Iterator[IntArray]:
    """Return the last keys by which units are sorted: their anchors, if they have several."""
    if anchors is not None:
        yield anchors.ranks


def _numbers(rows: Any, n_rows: int) -> IntArray:
    """Return the numbers of some rows: of a slice, indices or a mask."""
    if isinstance(rows, slice):
        return np.arange(*rows.indices(n_rows))
    chosen = np.asarray(rows)
    return np.flatnonzero(chosen) if chosen.dtype == np.bool_ else chosen.astype(np.int64)


def _sorted(
    owner: IntArray, n_units: int, role: IntArray, start: Positions, end: Positions, roles: tuple[str, ...]
) -> Anchors:
    order = np.lexsort((end, start, role, owner))
    first = np.searchsorted(owner[order], np.arange(n_units + 1))
    return Anchors(first, role[order], start[order], end[order], roles)


def _with_given(
    role: IntArray, start: Positions, end: Positions, roles: tuple[str, ...]
) -> tuple[IntArray, Positions, Positions, tuple[str, ...]]:
    codes, names = given_labels(role, roles)
    return codes, start, end, tuple(map(str, names))


def _concatenated(parts: Sequence[Positions]) -> Positions:
    """Concatenate; parts without units do not matter for whether positions are whole."""
    return np.concatenate([part for part in parts if len(part)] or [np.zeros(0, np.int64)])


def _dense(*columns: Positions) -> IntArray:
    """Return numbers of the distinct rows of some columns, in order of the first column, then the next."""
    order = np.lexsort(columns[::-1])
    new = np.zeros(len(order), np.bool_)
    for column in columns:
        new[1:] |= np.diff(column[order]) != 0
    rank = np.empty(len(order), np.int64)
    rank[order] = np.cumsum(new)
    return rank
