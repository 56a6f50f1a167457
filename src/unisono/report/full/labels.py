"""In which order labels are shown."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, isfinite
from typing import Any

from unisono.data import Label


def label_order(labels: Sequence[Label], counts: Sequence[int], most: int | None = None) -> list[int]:
    """Give the places of labels that occur, the most frequent first; numbers stand in their own order.

    Parameters
    ----------
    labels : sequence
        What there is.
    counts : sequence of int
        How often each occurs.
    most : int, optional
        How many to keep, the most frequent.
    """
    found = sorted((k for k in range(len(labels)) if counts[k]), key=lambda k: -counts[k])[:most]
    numbers = {k: _number(labels[k]) for k in found}
    return sorted(found, key=numbers.__getitem__) if all(map(isfinite, numbers.values())) else found


def _number(label: Any) -> float:
    """Read a label as a number; one that is none is infinite."""
    if isinstance(label, bool | tuple):
        return inf
    try:
        return float(label)
    except (ValueError, OverflowError):
        return inf
