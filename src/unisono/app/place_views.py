"""What the desk shows of a place: the text around it, everybody's units, the draft, and why somebody should decide.

All of it is plain data for the scripts. Positions are those of the data; where these count tokens, the characters of
each token come with them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from math import isfinite
from typing import Any

import numpy as np

from unisono.adjudication import Gold, ItemGold
from unisono.adjudication.decisions import PlaceDecision
from unisono.adjudication.proposal import Proposal
from unisono.app.desk import DECIDED, Desk
from unisono.arrays import IntArray
from unisono.data import Corpus, Document, Label, Ratings
from unisono.reporting.full_report.label_order import label_order
from unisono.reporting.markup import seen_label, shortened

_AROUND = 400
"""Characters before and after a place."""
_WHOLE, _NEAR = 4000, 300
"""A longer place is shown only near the boundaries of its units, so many characters on both sides."""
_MOST_CHOICES = 300
_MOST_NEAR = 200
_MOST_TEXT = 20_000
_EXCERPT = 80


class UnitViews:
    """Views of places of units."""

    def __init__(self, desk: Desk, draft: Gold) -> None:
        self.desk = desk
        self.draft = draft
        self.corpus: Corpus = draft.annotated
        self.features = [name for name, column in self.corpus.features.items() if column.labels]
        self._people = {name: index for index, name in enumerate(self.corpus.annotators)}
        self._documents = {name: index for index, name in enumerate(draft.documents)}

    def overview(self) -> dict[str, Any]:
        """Return what all places have in common, and a row for each of them."""
        return {
            "sort": "units",
            "annotators": list(self.corpus.annotators),
            "documents": list(self.draft.documents),
            "features": [_choices(self.corpus, name) for name in self.features],
            "kinds": list(self.draft.reasons()),
            "rows": [self._row(number) for number in range(len(self.draft.proposals))],
        }

    def row_state(self, number: int) -> list[Any]:
        """Return what changes in a row: its status."""
        return [number, self.desk.status(number)]

    def place(self, number: int) -> dict[str, Any]:
        """Return one place."""
        proposal = self.draft.proposals[number]
        document = self.corpus[proposal.document]
        low, high = self._window(document, proposal)
        return {
            "number": number,
            "document": proposal.document,
            "start": proposal.row.start,
            "end": proposal.row.end,
            "disorder": round(proposal.row.disorder, 3),
            "why": [reason.words for reason in proposal.reasons],
            "units": {
                str(self._people[who]): None if unit is None else self._unit(unit.start, unit.end, unit.features)
                for who, unit in proposal.row.units.items()
            },
            "draft": self._drafted(proposal),
            "decision": decision_view(self.desk.latest(number)),
            "earlier": [
                decision_view(one) for one in self.desk.stale.get(proposal.document, ()) if _meets(one, proposal.row)
            ],
            "bounds": list(document.bounds) if document.has_bounds else None,
            "whole": self.corpus.start.dtype.kind == "i",
            **self._text(document, proposal, low, high),
            "near": self._near(document, low, high),
            "gold": self._gold_near(document, low, high, number),
        }

    def _row(self, number: int) -> list[Any]:
        proposal = self.draft.proposals[number]
        row = proposal.row
        return [
            self._documents[proposal.document],
            row.start,
            row.end,
            round(row.disorder, 3),
            self.desk.rank(number),
            self.desk.status(number),
            self._differs(proposal),
            self._excerpt(proposal),
            [reason.kind for reason in proposal.reasons],
        ]

    def _differs(self, proposal: Proposal) -> str:
        """Say who marked what, those who agree together."""
        said: dict[str, list[str]] = {}
        for who, unit in proposal.row.units.items():
            words = "none" if unit is None else self._labels(unit.features) or "unit"
            said.setdefault(words, []).append(who)
        if len(said) == 1:
            return (
                f"all: {next(iter(said))}, other boundaries"
                if proposal.row.disorder > 0
                else f"all: {next(iter(said))}"
            )
        parts = sorted(said.items(), key=lambda one: (one[0] == "none", len(one[1])))
        names = [
            f"{', '.join(people) if len(people) < 4 else f'{len(people)} others'}: {words}" for words, people in parts
        ]
        return shortened("; ".join(names), 160)

    def _labels(self, features: Mapping[str, Label | None]) -> str:
        return " · ".join(seen_label(label) for name in self.features if (label := features.get(name)) is not None)

    def _excerpt(self, proposal: Proposal) -> str:
        quote = self._quoting.get(proposal.document)
        if quote is None:
            quote = self._quoting[proposal.document] = self.corpus[proposal.document].quoting()
        text = quote(proposal.row.start, proposal.row.end)
        return "" if text is None else shortened(" ".join(text[: 4 * _EXCERPT].split()), _EXCERPT)

    @cached_property
    def _quoting(self) -> dict[str, Any]:
        return {}

    def _unit(self, start: float, end: float, features: Mapping[str, Label | None]) -> dict[str, Any]:
        return {"start": start, "end": end, "features": {name: _plain(features.get(name)) for name in self.features}}

    def _drafted(self, proposal: Proposal) -> dict[str, Any] | None:
        """Return the unit that is proposed, and between which labels there is a tie."""
        if not proposal.drafted:
            return None
        ties = {name: [_plain(one) for one in vote.tied] for name, vote in proposal.votes.items() if vote.tied}
        return {**self._unit(proposal.start, proposal.end, proposal.labels), "ties": ties}

    def _window(self, document: Document, proposal: Proposal) -> tuple[float, float]:
        """Return the stretch around a place that is shown, in positions of the data."""
        start, end = proposal.row.start, proposal.row.end
        counted = self.corpus.counted.get(document.index)
        if counted is not None:
            return max(start - _AROUND / 5, 0), min(end + _AROUND / 5, len(counted.tokens))
        if document.readable is not None:
            return max(start - _AROUND, 0), min(end + _AROUND, len(document.readable))
        low, high = document.bounds
        length = (end - start) or (high - low) * 0.05 or 1.0
        return max(low, start - 2 * length), min(max(high, end), end + 2 * length)

    def _text(self, document: Document, proposal: Proposal, low: float, high: float) -> dict[str, Any]:
        """Return the text of the stretch in pieces of (first character, text), and its tokens if these are counted."""
        text = document.readable
        if text is None:
            return {"pieces": None, "from": low, "to": high, "tokens": None}
        counted = self.corpus.counted.get(document.index)
        tokens = None
        if counted is not None:
            tokens = [int(low), counted.tokens[int(low) : int(high)].tolist()]
        first, last = (int(place) for place in document.characters(low, high))
        first, last = _at_words(text, first, last)
        stretches = [(first, last)]
        if last - first > _WHOLE:
            units = [unit for unit in proposal.row.units.values() if unit is not None]
            cuts = [document.characters(unit.start, unit.end) for unit in units]
            stretches = list(_joined(sorted(int(cut) for pair in cuts for cut in pair), first, last))
        return {"pieces": [[a, text[a:b]] for a, b in stretches], "from": low, "to": high, "tokens": tokens}

    def _near(self, document: Document, low: float, high: float) -> list[list[Any]]:
        """Return units that are in a stretch: annotator, start, end, and the first feature's label."""
        rows = self.corpus.rows(document.index)
        start, end = self.corpus.start[rows], self.corpus.end[rows]
        found = np.flatnonzero((start <= high) & (end >= low))[:_MOST_NEAR] + rows.start
        return [
            [
                int(self.corpus.annotator[row]),
                self.corpus.start[row].item(),
                self.corpus.end[row].item(),
                self._code(row),
            ]
            for row in found.tolist()
        ]

    def _code(self, row: int) -> Any:
        if not self.features:
            return None
        column = self.corpus.features[self.features[0]]
        code = int(column.codes[row])
        return None if code < 0 else _plain(column.labels[code])

    @cached_property
    def _extents(self) -> dict[str, tuple[IntArray, Any, Any]]:
        """The proposals of each document: their numbers, and where they begin and end."""
        numbers: dict[str, list[int]] = {}
        for number, proposal in enumerate(self.draft.proposals):
            numbers.setdefault(proposal.document, []).append(number)
        return {
            name: (
                np.array(own),
                np.array([self.draft.proposals[number].row.start for number in own], np.float64),
                np.array([self.draft.proposals[number].row.end for number in own], np.float64),
            )
            for name, own in numbers.items()
        }

    def _gold_near(self, document: Document, low: float, high: float, number: int) -> list[list[Any]]:
        """Return what the gold standard has in a stretch besides a place: start, end, label, place, whether decided."""
        numbers, start, end = self._extents[document.name]
        found = []
        for other in numbers[(start <= high) & (end >= low)].tolist()[:_MOST_NEAR]:
            if other == number:
                continue
            proposal, decision = self.draft.proposals[other], self.desk.latest(other)
            if self.desk.status(other) == DECIDED and decision is not None:
                found += [[one.start, one.end, self._first(one.features), other, True] for one in decision.units]
            elif proposal.drafted:
                found.append([proposal.start, proposal.end, self._first(proposal.labels), other, False])
        return found

    def _first(self, features: Mapping[str, Label | None]) -> Any:
        return _plain(features.get(self.features[0])) if self.features else None


class ItemViews:
    """Views of items and their labels."""

    def __init__(self, desk: Desk, draft: ItemGold) -> None:
        self.desk = desk
        self.draft = draft
        self.ratings: Ratings = draft.annotated

    def overview(self) -> dict[str, Any]:
        """Return what all items have in common, and a row for each of them."""
        ratings = self.ratings
        counts = np.bincount(ratings.codes[ratings.codes >= 0], minlength=len(ratings.labels)).tolist()
        order = label_order(ratings.labels, counts)
        several = any(isinstance(label, tuple) for label in ratings.labels)
        return {
            "sort": "items",
            "annotators": list(ratings.annotators),
            "documents": list(ratings.documents),
            "features": [
                {
                    "name": ratings.question.name or "label",
                    "labels": [[_plain(ratings.labels[k]), seen_label(ratings.labels[k]), counts[k]] for k in order][
                        :_MOST_CHOICES
                    ],
                    "left_out": max(len(order) - _MOST_CHOICES, 0),
                    "numbers": _are_numbers(ratings.labels),
                    "sets": several,
                }
            ],
            "kinds": list(self.draft.reasons()),
            "rows": [self._row(number) for number in range(len(ratings.items))],
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
            "why": [reason.words for reason in joint.reasons.get(number, ())],
            "labels": {str(who): self._label(int(code)) for who, code in enumerate(ratings.codes[number].tolist())},
            "draft": _plain(joint.label[number]),
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
        return None if code < 0 else _plain(self.ratings.labels[code])

    def _row(self, number: int) -> list[Any]:
        ratings, joint = self.ratings, self.draft.joint
        text = None if ratings.texts is None else ratings.texts[number]
        shown = str(ratings.items[number]) if text is None else " ".join(text[: 4 * _EXCERPT].split())
        return [
            int(ratings.document[number]),
            number,
            number,
            self._doubt(number),
            self.desk.rank(number),
            self.desk.status(number),
            self._differs(number),
            shortened(shown, _EXCERPT),
            [reason.kind for reason in joint.reasons.get(number, ())],
        ]

    def _differs(self, number: int) -> str:
        said: dict[str, list[str]] = {}
        for who, code in zip(self.ratings.annotators, self.ratings.codes[number].tolist(), strict=True):
            if code >= 0:
                said.setdefault(seen_label(self.ratings.labels[code]), []).append(who)
        if len(said) < 2:
            return f"all: {next(iter(said))}" if said else "no label"
        parts = sorted(said.items(), key=lambda one: len(one[1]))
        named = (f"{', '.join(who) if len(who) < 4 else f'{len(who)} others'}: {label}" for label, who in parts)
        return shortened("; ".join(named), 160)


def views_of(desk: Desk) -> UnitViews | ItemViews:
    """Return the views that fit a desk."""
    return UnitViews(desk, desk.draft) if isinstance(desk.draft, Gold) else ItemViews(desk, desk.draft)


def decision_view(decision: PlaceDecision | None) -> dict[str, Any] | None:
    """Return a decision as scripts see it."""
    if decision is None:
        return None
    return {
        "id": decision.id,
        "kind": decision.kind,
        "units": [
            {"start": one.start, "end": one.end, "features": {k: _plain(v) for k, v in one.features.items()}}
            for one in decision.units
        ],
        "label": _plain(decision.label),
        "took": decision.took,
        "by": decision.by,
        "note": decision.note,
        "time": decision.time,
        "words": decision.words if decision.kind != "skip" else "skipped",
    }


def _choices(corpus: Corpus, name: str) -> dict[str, Any]:
    """Return the labels of a feature, the most frequent first."""
    column = corpus.features[name]
    counts = np.bincount(column.codes[column.codes >= 0], minlength=len(column.labels)).tolist()
    order = label_order(column.labels, counts)
    return {
        "name": name,
        "labels": [[_plain(column.labels[k]), seen_label(column.labels[k]), counts[k]] for k in order[:_MOST_CHOICES]],
        "left_out": max(len(order) - _MOST_CHOICES, 0),
        "numbers": _are_numbers(column.labels),
        "sets": any(isinstance(label, tuple) for label in column.labels),
    }


def _are_numbers(labels: Iterable[Label]) -> bool:
    return all(isinstance(label, int | float) and not isinstance(label, bool) for label in labels)


def _plain(label: Label | None) -> Any:
    return list(label) if isinstance(label, tuple) else label


def _meets(decision: PlaceDecision, row: Any) -> bool:
    """Whether an earlier decision was about the stretch of a place."""
    try:
        return any(start <= row.end and end >= row.start for _, start, end, _ in decision.place.get("units", ()))
    except (TypeError, ValueError):  # a file that somebody has changed
        return False


def _at_words(text: str, first: int, last: int) -> tuple[int, int]:
    """Move the ends of a stretch outwards to white space, but not far."""
    for _ in range(20):
        if first > 0 and not text[first - 1].isspace():
            first -= 1
        if last < len(text) and not text[last].isspace():
            last += 1
    return first, last


def _joined(cuts: Sequence[int], low: int, high: int) -> Iterator[tuple[int, int]]:
    """Join the surroundings of some positions where they meet."""
    begin = end = None
    for cut in cuts:
        first, last = max(cut - _NEAR, low), min(cut + _NEAR, high)
        if begin is None or end is None:
            begin, end = first, last
        elif first <= end:
            end = max(end, last)
        else:
            yield begin, end
            begin, end = first, last
    if begin is not None and end is not None:
        yield begin, end
