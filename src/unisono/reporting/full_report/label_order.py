"""In which order labels are shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf, isfinite
from typing import Any, TypeAlias

from unisono.alignment.aligned import Aligned
from unisono.alignment.alignment import Alignment
from unisono.data import Label
from unisono.data.labels import written_label
from unisono.results import Result

Orders: TypeAlias = Sequence[Sequence[str]]
"""Orders of labels, each from the lowest to the highest."""


def orders_of(result: Result, aligned: Mapping[str, Aligned]) -> Orders:
    """Return the orders of labels in a measure's distance, and in the distances by which units were aligned."""
    distances = [result.parameters.get(name) for name in ("distance", "weights")]
    first = next(iter(aligned.values()), None)
    if isinstance(first, Alignment):
        distances += [feature.distance for feature in first.dissimilarity.definition.features]
    return [order for distance in distances if (order := getattr(distance, "order", ()))]


def label_order(
    labels: Sequence[Label], counts: Sequence[int], most: int | None = None, orders: Orders = ()
) -> list[int]:
    """Return the indices of labels that occur, in the first order that has them all, or else the most frequent first.

    Numbers without such an order are sorted as numbers. Of more than `most` labels, the most frequent are kept.
    """
    found = sorted((k for k in range(len(labels)) if counts[k]), key=lambda k: -counts[k])[:most]
    for order in orders:
        rank = {label: place for place, label in enumerate(order)}
        if all(written_label(labels[k]) in rank for k in found):
            return sorted(found, key=lambda k: rank[written_label(labels[k])])
    numbers = {k: _number(labels[k]) for k in found}
    return sorted(found, key=numbers.__getitem__) if all(map(isfinite, numbers.values())) else found


def _number(label: Any) -> float:
    """Read a label as a number; any other label is infinite."""
    if isinstance(label, bool | tuple):
        return inf
    try:
        return float(label)
    except (ValueError, OverflowError):
        return inf
