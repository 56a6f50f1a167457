"""The colours of labels: one for each name, shades for steps of a scale and for numbers, stripes for sets.

Everything on a page that shows a label of an item takes its colour from here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from unisono.arrays import FloatArray, IntArray
from unisono.data import Label, Ratings
from unisono.data.labels import written_label
from unisono.measurement.scales import FEWEST_LABELS, all_numbers, known_order
from unisono.reporting.full_report.label_order import Orders, label_order
from unisono.reporting.palette import CATEGORY_COLOURS, SHADES_OF_SCALE

Paint: TypeAlias = int | str | tuple[int, ...]
"""The number of a colour, q0 to q8 for the shades of a scale, or the numbers of the colours of a set's members."""
_NOT_NUMBERS = ("names", "sets", "paths")
_SHADES = len(SHADES_OF_SCALE)


@dataclass(frozen=True)
class PaintedLabels:
    """The labels that occur in some items, in the order in which they are shown."""

    order: list[int]
    """Their codes."""
    paints: tuple[Paint, ...]
    """The colour of each."""
    numbers: FloatArray | None
    """shape (n_labels,): what each label is as a number, by its code; None unless all are numbers."""

    @property
    def shaded(self) -> bool:
        """Whether labels have shades because they have an order."""
        return any(isinstance(paint, str) for paint in self.paints)


def painted_labels(ratings: Ratings, codes: IntArray, orders: Orders = ()) -> PaintedLabels:
    """Order and colour the labels among some codes; `orders` are orders of labels that measures were given."""
    labels = ratings.labels
    counts = np.bincount(codes[codes >= 0], minlength=len(labels)).tolist()
    used = [label for label, n in zip(labels, counts, strict=True) if n]
    known = [*orders, ratings.question.order, tuple(map(str, known_order(used)))]
    order = label_order(labels, counts, orders=[one for one in known if len(one) >= FEWEST_LABELS])
    ranked = [labels[code] for code in order]
    numbers = label_numbers(ratings, used)
    if numbers is not None:
        low, high = np.nanmin(numbers[order]), np.nanmax(numbers[order])
        shares = ((numbers[order] - low) / (high - low)).tolist() if high > low else [0.0] * len(order)
        return PaintedLabels(order, tuple(map(_shade, shares)), numbers)
    if any(set(map(written_label, ranked)) <= set(one) for one in known if len(ranked) >= FEWEST_LABELS):
        return PaintedLabels(order, tuple(_shade(k / (len(order) - 1)) for k in range(len(order))), None)
    if any(isinstance(label, tuple) for label in ranked):
        place = {name: k for k, name in enumerate(members(ranked))}
        stripes = [[place[name] for name in label] if isinstance(label, tuple) else [] for label in ranked]
        return PaintedLabels(order, tuple(tuple(one) for one in stripes), None)
    return PaintedLabels(order, tuple(range(len(order))), None)


def members(labels: Sequence[Label]) -> list[str]:
    """List the members of labels that are sets, in the order of their first appearance."""
    return list(dict.fromkeys(name for label in labels if isinstance(label, tuple) for name in label))


def fill_classes(paint: Paint) -> tuple[str, str]:
    """Name the classes of a colour, and of the stripe that it has if there are more labels than colours.

    A set has the colour of its first member.
    """
    if isinstance(paint, str):
        return paint, ""
    if isinstance(paint, tuple):
        return fill_classes(paint[0]) if paint else ("none", "")
    n = len(CATEGORY_COLOURS)
    return f"c{paint % n}", f"c{(paint + paint // n) % n}" if paint >= n else ""


def _shade(share: float) -> str:
    return f"q{round(share * (_SHADES - 1))}"


def label_numbers(ratings: Ratings, used: Sequence[Label]) -> FloatArray | None:
    """Return labels as numbers if those in use are numbers, and the tool does not say that they stand for names."""
    question = ratings.question
    if question.kind in _NOT_NUMBERS or question.meanings or not all_numbers(used):
        return None
    kept = set(used)
    return np.array([float(str(label)) if label in kept else np.nan for label in ratings.labels])
