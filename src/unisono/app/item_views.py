"""What the desk shows of an item: its text, everybody's labels, the draft, and why somebody should decide."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import Any

from unisono.adjudication import ItemGold
from unisono.app.desk import Desk
from unisono.app.place_views import (
    EXCERPT,
    decision_view,
    dispute_on,
    kinds_at,
    label_choices,
    names_seen,
    opinions,
    reasons_to_ask,
    sent_label,
)
from unisono.data import Ratings
from unisono.reporting.full_report.label_paints import painted_labels
from unisono.reporting.markup import seen_label, shortened

_MOST_TEXT = 20_000


class ItemViews:
    """Views of items and their labels."""

    def __init__(self, desk: Desk, draft: ItemGold) -> None:
        self.desk = desk
        self.draft = draft
        self.ratings: Ratings = draft.annotated

    def overview(self, *, hidden: bool = False) -> dict[str, Any]:
        """Return what all items have in common, and a row for each of them; names may be hidden."""
        ratings = self.ratings
        painted = painted_labels(ratings, ratings.codes)
        paints = dict(zip(painted.order, painted.paints, strict=True))
        names = names_seen(ratings.annotators, hidden=hidden)
        return {
            "sort": "items",
            "annotators": list(ratings.annotators),
            "documents": list(ratings.documents),
            "features": [label_choices(ratings.question.name or "label", ratings.labels, ratings.codes, paints)],
            "kinds": reasons_to_ask(self.desk),
            "rows": [self._row(number, names) for number in range(len(ratings.items))],
        }

    def row_state(self, number: int) -> list[Any]:
        """Return what changes in a row: its status."""
        return [number, self.desk.status(number)]

    def place(self, number: int) -> dict[str, Any]:
        """Return one item."""
        ratings, joint = self.ratings, self.draft.joint
        text = None if ratings.texts is None else ratings.texts[number]
        return {
            "number": number,
            "document": ratings.documents[ratings.document[number]],
            "item": str(ratings.items[number]),
            "text": None if text is None else shortened(text, _MOST_TEXT),
            "disorder": self._doubt(number),
            "why": [*dispute_on(self.desk, number), *(reason.words for reason in joint.reasons.get(number, ()))],
            "differing": [decision_view(one) for one in self.desk.differing(number)],
            "labels": {str(who): self._label(int(code)) for who, code in enumerate(ratings.codes[number].tolist())},
            "draft": sent_label(joint.label[number]),
            "decision": decision_view(self.desk.latest(number)),
            "earlier": [
                decision_view(one)
                for one in self.desk.stale.get(ratings.documents[ratings.document[number]], ())
                if str(one.place.get("item")) == str(ratings.items[number])
            ],
        }

    def _doubt(self, number: int) -> float:
        found = float(self.draft.joint.doubt[number])
        return round(found, 3) if isfinite(found) else 0.0

    def _label(self, code: int) -> Any:
        return None if code < 0 else sent_label(self.ratings.labels[code])

    def _row(self, number: int, names: Mapping[str, str]) -> list[Any]:
        ratings, joint = self.ratings, self.draft.joint
        text = None if ratings.texts is None else ratings.texts[number]
        shown = str(ratings.items[number]) if text is None else " ".join(text[: 4 * EXCERPT].split())
        return [
            int(ratings.document[number]),
            number,
            number,
            self._doubt(number),
            self.desk.rank(number),
            self.desk.status(number),
            self._differs(number, names),
            shortened(shown, EXCERPT),
            kinds_at(self.desk, number, joint.reasons.get(number, ())),
        ]

    def _differs(self, number: int, names: Mapping[str, str]) -> str:
        said: dict[str, list[str]] = {}
        for who, code in zip(self.ratings.annotators, self.ratings.codes[number].tolist(), strict=True):
            if code >= 0:
                said.setdefault(seen_label(self.ratings.labels[code]), []).append(names[who])
        if len(said) < 2:
            return f"all: {next(iter(said))}" if said else "no label"
        return opinions(sorted(said.items(), key=lambda one: len(one[1])))
