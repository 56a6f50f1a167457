"""Units in several pieces: what becomes of them, as the user wants it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TypeAlias

from unisono.data import Corpus
from unisono.data.unit_kinds import EVENTS, SPANS, UNIT_KINDS, kinds_of, of_origin
from unisono.errors import DataError

Position = int | float
Piece: TypeAlias = tuple[Position, Position]

READ_AS: Mapping[str, str] = {
    "together": "",
    "whole": "read as one unit from the first to the last piece",
    "pieces": "read as several units",
    "main": "of which only the main piece is read",
    "drop": "left out",
}
"""Ways to read units in several pieces, and what that changes about them."""


def joined_pieces(pieces: Sequence[Piece], line: int | None) -> list[Piece]:
    """Return pieces in their order; those that touch or overlap are one."""
    joined: list[Piece] = []
    for start, end in sorted(pieces):
        if not start <= end:
            raise DataError(f"a piece of a unit ends ({end}) before it begins ({start}); correct it", line=line)
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


def taken_pieces(joined: list[Piece], pieces: Sequence[Piece], how: str) -> list[Piece]:
    """Return what is read of a unit in pieces; the main piece is the first of those given."""
    if len(joined) < 2:
        return joined
    match how:
        case "whole":
            return [(joined[0][0], joined[-1][1])]
        case "main":
            return [piece for piece in joined if piece[0] <= pieces[0][0] <= piece[1]]
        case "drop":
            return []
    return joined


def as_pieces(corpus: Corpus, how: str) -> Corpus:
    """Read units in pieces, and ends of relations, in another way than together, as far as a corpus has any.

    Several arguments of an event with the same role are no pieces.
    """
    if how == "together" or corpus.anchors is None:
        return corpus
    anchors, kinds, n_changed = corpus.anchors, kinds_of(corpus), 0
    every = [*zip(anchors.role.tolist(), anchors.start.tolist(), anchors.end.tolist(), strict=True)]
    units: list[list[tuple[str, Position, Position]]] = []
    origin: list[int] = []
    for row, (first, last) in enumerate(pairwise(anchors.first.tolist())):
        own = [(anchors.roles[code], start, end) for code, start, end in every[first:last]]
        taken = own if UNIT_KINDS[kinds[row]] == EVENTS else _by_role(own, how)
        n_changed += len(taken) != len(own) or (how == "pieces" and len(own) > 1 and UNIT_KINDS[kinds[row]] == SPANS)
        several = how == "pieces" and UNIT_KINDS[kinds[row]] == SPANS
        made = [[one] for one in taken] if several else [taken] if taken else []
        units += made
        origin += [row] * len(made)
    if not n_changed:
        return corpus
    changed = Counter({f"units in several pieces, {READ_AS[how]}": n_changed})
    return replace(of_origin(corpus, origin, units), dropped=changed + Counter(dict(corpus.dropped)))


def _by_role(anchors: Sequence[tuple[str, Position, Position]], how: str) -> list[tuple[str, Position, Position]]:
    """Return what is read of the anchors of a unit; nothing if it has pieces and these are left out."""
    found: list[tuple[str, Position, Position]] = []
    for role in dict.fromkeys(role for role, _, _ in anchors):
        pieces = [(start, end) for own, start, end in anchors if own == role]
        taken = taken_pieces(joined_pieces(pieces, None), pieces, how)
        if not taken:
            return []
        found += [(role, start, end) for start, end in taken]
    return found
