"""Columns that say where units begin and end, and what they must be."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from unisono.arrays import BoolArray, FloatArray, IntArray
from unisono.errors import DataError

Positions: TypeAlias = IntArray | FloatArray
Locate: TypeAlias = Callable[[int], tuple[str | Path | None, int | None]]
EXACT = 2**53
"""Up to here every whole number can be stored as a float64."""


def checked_spans(start: Any, end: Any, locate: Locate | None) -> tuple[Positions, Positions]:
    """Return starts and ends as arrays, of whole numbers if all are whole; `locate` says where each comes from."""
    first, last = np.asarray(start), np.asarray(end)
    for column, name in ((first, "start"), (last, "end")):
        if len(column) and column.dtype.kind not in "iuf":
            raise DataError(f"the column {name!r} does not contain numbers")
    if len(first) != len(last):
        raise DataError("the numbers of starts and ends differ")
    for column, name in ((first, "start"), (last, "end")):
        _refuse(~np.isfinite(column), f"{name} is not a finite number", locate)
        too_far = (column > EXACT) | (column < -EXACT)
        _refuse(too_far, name + " {} is beyond ±2^53, where positions lose precision", locate, column)
    _refuse(last < first, "end {} is before start {}", locate, last, first)
    if all(column.dtype.kind in "iu" or not len(column) for column in (first, last)):
        return first.astype(np.int64), last.astype(np.int64)
    return first.astype(np.float64), last.astype(np.float64)


def _refuse(bad: BoolArray, why: str, locate: Locate | None, *shown: Any) -> None:
    if bad.any():
        row = int(np.flatnonzero(bad)[0])
        path, line = (None, None) if locate is None else locate(row)
        said = why.format(*(column[row] for column in shown))
        raise DataError(said if locate else f"unit {row}: {said}", path=path, line=line)
