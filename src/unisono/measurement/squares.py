"""Square tables for display: how often, or over what length, each two categories meet."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from unisono.arrays import FloatArray
from unisono.results import Table

MOST = 12
"""Up to this many categories, a table of all pairs is shown."""


def square(corner: str, names: Sequence[str], cells: FloatArray, digits: int) -> Table:
    """Write a square table of numbers with so many decimals."""
    columns = [aligned(column, digits) for column in cells.T.tolist()]
    return Table((corner, *names), [*zip(names, *columns, strict=True)], holds="labels")


def aligned(numbers: Iterable[float], digits: int) -> list[str]:
    """Write numbers, all of one width."""
    written = [f"{number:,.{digits}f}" for number in numbers]
    width = max(map(len, written), default=0)
    return [number.rjust(width) for number in written]
