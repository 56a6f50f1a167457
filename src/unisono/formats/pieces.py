"""Units in several pieces: what becomes of them, as the user wants it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

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
