"""The colours of labels: one for each name, shades for steps of a scale and for numbers, stripes for sets.

Everything on a page that shows a label of an item takes its colour from here. A name's colour follows from its place
among the sorted labels of the data, so that it is the same on every page, in notebooks and in pictures.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from unisono.arrays import FloatArray, IntArray
from unisono.data import Label, Ratings
from unisono.data.labels import SET_SEPARATOR, written_label
from unisono.measurement.known_orders import FEWEST_LABELS
from unisono.measurement.scales import label_scale
from unisono.reporting.full_report.label_order import Orders, label_order
from unisono.reporting.palette import CATEGORY_COLOURS, SHADES_OF_SCALE

Paint: TypeAlias = int | str | tuple[int, ...]
"""The number of a colour, q0 to q8 for the shades of a scale, or the numbers of the colours of a set's members."""
_SHADES = len(SHADES_OF_SCALE)


@dataclass(frozen=True)
class PaintedLabels:
    """The labels that occur in some items, in the order in which they are shown."""

    order: list[int]
    """Their codes."""
    paints: tuple[Paint, ...]
    """The colour of each."""
    numbers: FloatArray | None = None
    """shape (n_labels,): what each label is as a number, by its code; None unless all are numbers."""
    members: Sequence[tuple[str, ...]] | None = None
    """The members of each, if labels are sets."""
    member_colours: Mapping[str, int] = field(default_factory=dict)
    """The number of the colour of each member."""

    @property
    def shaded(self) -> bool:
        """Whether labels have shades because they have an order."""
        return any(isinstance(paint, str) for paint in self.paints)


def painted_labels(ratings: Ratings, codes: IntArray, orders: Orders = ()) -> PaintedLabels:
    """Order and colour the labels among some codes; `orders` are orders of labels that measures were given."""
    labels, scale = ratings.labels, label_scale(ratings)
    counts = np.bincount(codes[codes >= 0], minlength=len(labels)).tolist()
    known = [order for order in (*orders, scale.order, ratings.question.order) if len(order) >= FEWEST_LABELS]
    order = label_order(labels, counts, orders=known)
    ranked = [labels[code] for code in order]
    numbers = label_numbers(ratings)
    if numbers is not None:
        low, high = np.nanmin(numbers[order]), np.nanmax(numbers[order])
        shares = ((numbers[order] - low) / (high - low)).tolist() if high > low else [0.0] * len(order)
        return PaintedLabels(order, tuple(map(_shade, shares)), numbers)
    if len(ranked) >= FEWEST_LABELS and any(set(map(written_label, ranked)) <= set(one) for one in known):
        return PaintedLabels(order, tuple(_shade(k / (len(order) - 1)) for k in range(len(order))))
    if scale.kind in ("sets", "paths") or any(isinstance(label, tuple) for label in ranked):
        members = [_members(label) for label in ranked]
        place = {name: k for k, name in enumerate(sorted({name for label in labels for name in _members(label)}))}
        paints = tuple(tuple(map(place.__getitem__, some)) for some in members)
        return PaintedLabels(order, paints, None, members, place)
    return PaintedLabels(order, tuple(order))


def label_numbers(ratings: Ratings) -> FloatArray | None:
    """Return what each label is as a number, by its code; None unless labels are numbers on a scale.

    Labels that nobody gave are NaN.
    """
    scale = label_scale(ratings)
    if scale.kind not in ("steps", "numbers", "ranks") or scale.as_names:
        return None
    used = np.bincount(ratings.codes[ratings.codes >= 0], minlength=len(ratings.labels)).tolist()
    return np.array([float(str(label)) if n else np.nan for label, n in zip(ratings.labels, used, strict=True)])


def _members(label: Label) -> tuple[str, ...]:
    parts = label if isinstance(label, tuple) else written_label(label).split(SET_SEPARATOR)
    return tuple(part for part in parts if part.strip())


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
