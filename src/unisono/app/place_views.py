"""What views of places have in common, whatever is decided: plain data for the scripts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from unisono.adjudication.decisions import PlaceDecision
from unisono.adjudication.proposal import Reason
from unisono.adjudication.settling import CONFLICT
from unisono.app.desk import DISPUTED, Desk
from unisono.arrays import IntArray
from unisono.data import Label
from unisono.data.anchors import Anchor
from unisono.reporting.full_report.label_order import label_order
from unisono.reporting.full_report.label_paints import Paint, fill_classes
from unisono.reporting.markup import enumerated, seen_label, shortened

EXCERPT = 80
"""Characters of a place in the list."""
_MOST_CHOICES = 300
_MOST_OPINIONS = 160


def reasons_to_ask(desk: Desk) -> list[str]:
    """Return the reasons why somebody should decide."""
    some = any(desk.status(number) == DISPUTED for number in desk.queue)
    return [*([CONFLICT] if some else []), *desk.draft.reasons()]


def dispute_on(desk: Desk, number: int) -> list[str]:
    """Say that people decided differently, if they did."""
    found = desk.differing(number)
    return [f"decided differently by {enumerated([one.by or 'somebody' for one in found])}"] if found else []


def kinds_at(desk: Desk, number: int, reasons: Iterable[Reason]) -> list[str]:
    """Return the kinds of reasons why somebody should decide on a place."""
    return [*([CONFLICT] if desk.differing(number) else []), *(reason.kind for reason in reasons)]


def names_seen(annotators: Sequence[str], *, hidden: bool) -> dict[str, str]:
    """Return how annotators are called: by their names, or by the letters that scripts show instead."""
    letters = (f"{chr(ord('A') + k % 26)}{k // 26 or ''}" for k in range(len(annotators)))
    return dict(zip(annotators, letters if hidden else annotators, strict=True))


def opinions(parts: Sequence[tuple[str, Sequence[str]]]) -> str:
    """Say who is of which opinion; the last ones are the others."""
    *first, (words, others) = parts
    named = [f"{', '.join(who) if len(who) < 4 else f'{len(who)} annotators'}: {said}" for said, who in first]
    return shortened("; ".join([*named, f"{'others' if len(others) > 1 else others[0]}: {words}"]), _MOST_OPINIONS)


def decision_view(decision: PlaceDecision | None) -> dict[str, Any] | None:
    """Return a decision as scripts see it."""
    if decision is None:
        return None
    return {
        "id": decision.id,
        "kind": decision.kind,
        "units": [
            {
                "start": one.start,
                "end": one.end,
                "features": {k: sent_label(v) for k, v in one.features.items()},
                **seen_ends(one.anchors),
            }
            for one in decision.units
        ],
        "label": sent_label(decision.label),
        "text": decision.text,
        "took": decision.took,
        "by": decision.by,
        "note": decision.note,
        "time": decision.time,
        "words": decision.words if decision.kind != "skip" else "skipped",
    }


def seen_ends(anchors: Iterable[Anchor]) -> dict[str, Any]:
    """Return the ends of a relation, or the pieces of a unit, as scripts see them; nothing of plain units."""
    found = [[*anchor] for anchor in anchors]
    return {"ends": found} if found else {}


def label_choices(
    name: str, labels: Sequence[Label], codes: IntArray, paints: Mapping[int, Paint] | None = None
) -> dict[str, Any]:
    """Return the labels of a feature or a question, the most frequent first; negative codes are missing labels.

    `paints` are colours by code, if they do not follow from the place among the sorted labels.
    """
    counts = np.bincount(codes[codes >= 0], minlength=len(labels)).tolist()
    order = label_order(labels, counts)
    return {
        "name": name,
        "labels": [
            [sent_label(labels[k]), seen_label(labels[k]), counts[k], _classes(k if paints is None else paints[k])]
            for k in order[:_MOST_CHOICES]
        ],
        "left_out": max(len(order) - _MOST_CHOICES, 0),
        "numbers": _are_numbers(labels),
        "sets": any(isinstance(label, tuple) for label in labels),
    }


def _classes(paint: Paint) -> str:
    """Name the classes of a label's colour and stripe, which are those of the report."""
    colour, stripe = fill_classes(paint)
    return f"{colour} {stripe.replace('c', 't')}".rstrip()


def _are_numbers(labels: Iterable[Label]) -> bool:
    return all(isinstance(label, int | float) and not isinstance(label, bool) for label in labels)


def sent_label(label: Label | None) -> Any:
    """Return a label as scripts see it."""
    return list(label) if isinstance(label, tuple) else label
