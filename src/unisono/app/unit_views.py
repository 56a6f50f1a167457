"""What the desk shows of a place with units: the text around it, all units, the draft, and why somebody should decide.

All of it is plain data for the scripts. Positions are those of the data; where these count tokens, the characters of
each token come with them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from unisono.adjudication import Gold
from unisono.adjudication.decisions import PlaceDecision
from unisono.adjudication.proposal import ENDS, NO_UNIT, Proposal, Reason, placed
from unisono.app.desk import DECIDED, Desk
from unisono.app.place_views import (
    EXCERPT,
    decision_view,
    dispute_on,
    kinds_at,
    label_choices,
    names_seen,
    opinions,
    reasons_to_ask,
    seen_ends,
    sent_label,
)
from unisono.arrays import IntArray
from unisono.data import Corpus, Document, Label, Unit
from unisono.data.anchors import SOURCE, TARGET, TRIGGER, Anchor
from unisono.reporting.markup import seen_label, shortened

_AROUND = 400
"""Characters before and after a place."""
_WHOLE, _NEAR = 4000, 300
"""A longer place is shown only near the boundaries of its units, so many characters on both sides."""
_MOST_NEAR = 200
_MOST_BESIDE = 6
_END = 24
"""So many characters of the text of an end in the list."""


class UnitViews:
    """Views of places of units."""

    def __init__(self, desk: Desk, draft: Gold) -> None:
        self.desk = desk
        self.draft = draft
        self.corpus: Corpus = draft.annotated
        some = {name: column for name, column in self.corpus.features.items() if column.labels}
        same = [name for name, column in some.items() if len(column.labels) == 1 and bool((column.codes >= 0).all())]
        self._same = set(same) if len(same) < len(some) else set()  # they distinguish nothing
        self.features = sorted(some, key=lambda name: name in self._same)
        self._quoting: dict[str, Any] = {}  # document to what gives the text of a stretch
        self._units: dict[str, list[Unit]] = {}  # document to the units of its places
        self._people = {name: index for index, name in enumerate(self.corpus.annotators)}
        self._documents = {name: index for index, name in enumerate(draft.documents)}

    def overview(self, *, hidden: bool = False) -> dict[str, Any]:
        """Return what all places have in common, and a row for each of them; names may be hidden."""
        names = names_seen(self.corpus.annotators, hidden=hidden)
        return {
            "sort": "units",
            "annotators": list(self.corpus.annotators),
            "documents": list(self.draft.documents),
            "features": [self._choices(name) for name in self.features],
            "whole": self.corpus.start.dtype.kind == "i",
            "roles": [] if self.corpus.anchors is None else list(self.corpus.anchors.roles),
            "kinds": reasons_to_ask(self.desk),
            "rows": [self._row(number, names) for number in range(len(self.draft.proposals))],
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
            "why": [*dispute_on(self.desk, number), *(self._why(proposal, reason) for reason in proposal.reasons)],
            "differing": [decision_view(one) for one in self.desk.differing(number)],
            "units": {
                str(self._people[who]): None
                if unit is None
                else self._unit(unit.start, unit.end, unit.features, unit.anchors)
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
            **self._related(document, proposal, low, high),
        }

    def _row(self, number: int, names: Mapping[str, str]) -> list[Any]:
        proposal = self.draft.proposals[number]
        row = proposal.row
        return [
            self._documents[proposal.document],
            row.start,
            row.end,
            round(row.disorder, 3),
            self.desk.rank(number),
            self.desk.status(number),
            self._differs(proposal, names),
            self._excerpt(proposal),
            kinds_at(self.desk, number, proposal.reasons),
        ]

    def _choices(self, name: str) -> dict[str, Any]:
        column = self.corpus.features[name]
        return {**label_choices(name, column.labels, column.codes), "same": name in self._same}

    def _differs(self, proposal: Proposal, names: Mapping[str, str]) -> str:
        """Say who marked what, those who agree together."""
        said: dict[str, list[str]] = {}
        for who, unit in proposal.row.units.items():
            words = "no unit" if unit is None else self._labels(unit.features) or "unit"
            said.setdefault(words, []).append(names[who])
        if len(said) == 1:
            where = self._other_ends(proposal) or ", other boundaries"
            return f"all: {next(iter(said))}{where if proposal.row.disorder > 0 else ''}"
        return opinions(sorted(said.items(), key=lambda one: (one[0] == "no unit", len(one[1]))))

    def _other_ends(self, proposal: Proposal) -> str:
        """Say in which ends annotators differ; nothing of plain units."""
        units = [unit for unit in proposal.row.units.values() if unit is not None]
        if not any(unit.anchors for unit in units):
            return ""
        roles = dict.fromkeys(one.role for unit in units for one in unit.anchors)
        said = []
        for role in roles:
            ends = [tuple(one for one in unit.anchors if one.role == role) for unit in units]
            if len(set(ends)) > 1:
                quoted = dict.fromkeys(self._quoted(proposal, own) for own in sorted(ends, key=len, reverse=True))
                quoted = dict.fromkeys(text or "none" for text in quoted)
                said.append(f"{role} {' or '.join(quoted)}" if len(quoted) > 1 else f"other boundaries of {role}")
        return f"; {', '.join(said)}"

    def _why(self, proposal: Proposal, reason: Reason) -> str:
        """Return why somebody should decide, with the text of ends that differ in place of their positions."""
        for role in dict.fromkeys(one.role for one in proposal.anchors) if reason.kind == ENDS else ():
            if reason.words.startswith(f"{role}: "):
                ends = [[one for one in unit.anchors if one.role == role] for unit in _marked(proposal)]
                quoted = dict.fromkeys(self._quoted(proposal, own) for own in ends if own)
                return f"{role}: {' or '.join(quoted)}" if len(quoted) > 1 else reason.words
        for one in proposal.anchors if reason.kind == NO_UNIT else ():
            shown = f"{one.role} {placed(one.start)}..{placed(one.end)}"
            if reason.words.startswith(shown):
                return f"{one.role} {self._quoted(proposal, [one])}{reason.words.removeprefix(shown)}"
        return reason.words

    def _quoted(self, proposal: Proposal, anchors: Sequence[Anchor]) -> str:
        """Return the text of anchors: source → target, piece … piece, trigger (role text); or positions."""
        quote = self._quote(proposal.document)
        found = [quote(one.start, one.end) or f"{one.start:g}–{one.end:g}" for one in anchors]
        short = [shortened(" ".join(text[: 4 * _END].split()), _END) for text in found]
        roles = [one.role for one in anchors]
        if len({*roles}) == 1 or {*roles} <= {SOURCE, TARGET}:
            return (" … " if len({*roles}) == 1 else " → ").join(short)
        head = " … ".join(text for role, text in zip(roles, short, strict=True) if role == TRIGGER)
        others = ", ".join(f"{role} {text}" for role, text in zip(roles, short, strict=True) if role != TRIGGER)
        return f"{head} ({others})" if head else others

    def _quote(self, document: str) -> Any:
        """Return what gives the text of a stretch, or None where there is none."""
        if document not in self._quoting:
            self._quoting[document] = self.corpus[document].quoting()
        return self._quoting[document]

    def _labels(self, features: Mapping[str, Label | None]) -> str:
        shown = [features.get(name) for name in self.features if name not in self._same]
        return " · ".join(seen_label(label) for label in shown if label is not None)

    def _excerpt(self, proposal: Proposal) -> str:
        anchors = proposal.anchors or next((one.anchors for one in _marked(proposal) if one.anchors), ())
        if anchors:
            return self._quoted(proposal, anchors)
        text = self._quote(proposal.document)(proposal.row.start, proposal.row.end)
        return "" if text is None else shortened(" ".join(text[: 4 * EXCERPT].split()), EXCERPT)

    def _unit(
        self, start: float, end: float, features: Mapping[str, Label | None], anchors: Sequence[Anchor]
    ) -> dict[str, Any]:
        given = {name: sent_label(features.get(name)) for name in self.features}
        return {"start": start, "end": end, "features": given, **seen_ends(anchors)}

    def _drafted(self, proposal: Proposal) -> dict[str, Any] | None:
        """Return the unit that is proposed, and between which labels there is a tie."""
        if not proposal.drafted:
            return None
        ties = {name: [sent_label(one) for one in vote.tied] for name, vote in proposal.votes.items() if vote.tied}
        return {**self._unit(proposal.start, proposal.end, proposal.labels, proposal.anchors), "ties": ties}

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
            cuts = [document.characters(*span) for unit in _marked(proposal) for span in _spans(unit)]
            stretches = list(_joined(sorted(int(cut) for pair in cuts for cut in pair), first, last))
        return {"pieces": [[a, text[a:b]] for a, b in stretches], "from": low, "to": high, "tokens": tokens}

    def _near(self, document: Document, low: float, high: float) -> list[list[Any]]:
        """Return units that are in a stretch: annotator, start, end, and the first feature's label."""
        rows = self.corpus.rows(document.index)
        start, end = self.corpus.start[rows], self.corpus.end[rows]
        there = (start <= high) & (end >= low)
        if self.corpus.anchors is not None:
            there &= ~self._composite[rows]  # arcs of all relations around would hide those of the place
        found = np.flatnonzero(there)[:_MOST_NEAR] + rows.start
        return [
            [
                int(self.corpus.annotator[row]),
                self.corpus.start[row].item(),
                self.corpus.end[row].item(),
                self._code(row),
            ]
            for row in found.tolist()
        ]

    @cached_property
    def _composite(self) -> Any:
        assert self.corpus.anchors is not None
        return self.corpus.anchors.composite

    def _related(self, document: Document, proposal: Proposal, low: float, high: float) -> dict[str, Any]:
        """Return, of units with several anchors, the stretches where anchors are, and units that share an end."""
        if not any(unit.anchors for unit in _marked(proposal)):
            return {}
        own = {id(unit) for unit in _marked(proposal)}
        mine = {span for unit in _marked(proposal) for span in _spans(unit)}
        near = [unit for unit in self._by_document(document) if unit.start <= high and unit.end >= low]
        known = (span for unit in near for span in _spans(unit))
        spans = mine | {span for span in (*known, *self._gold_spans(document)) if low <= span[0] and span[1] <= high}
        beside = [
            [self._people[one.annotator], self._labels(one.features) or "unit", self._quoted(proposal, one.anchors)]
            for one in near
            if one.anchors and id(one) not in own and not mine.isdisjoint(_spans(one))
        ]
        return {"stretches": sorted(map(list, spans)), "beside": beside[:_MOST_BESIDE]}

    def _gold_spans(self, document: Document) -> list[tuple[float, float]]:
        """Return the spans that relations may join, as far as these are drafted."""
        spans = self.draft.spans
        if spans is None or document.name not in spans.documents:
            return []
        rows = spans[document.name].corpus.rows(spans[document.name].index)
        return [*zip(spans.start[rows].tolist(), spans.end[rows].tolist(), strict=True)]

    def _by_document(self, document: Document) -> Sequence[Unit]:
        if document.name not in self._units:
            # the very units of the places, so that these are known again
            own = (one for one in self.draft.proposals if one.document == document.name)
            self._units[document.name] = [unit for one in own for unit in _marked(one)]
        return self._units[document.name]

    def _code(self, row: int) -> Any:
        if not self.features:
            return None
        column = self.corpus.features[self.features[0]]
        code = int(column.codes[row])
        return None if code < 0 else sent_label(column.labels[code])

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
                found += [
                    [*span, self._first(one.features), other, True] for one in decision.units for span in one.spans
                ]
            elif proposal.drafted:
                found += [[*span, self._first(proposal.labels), other, False] for span in _spans(proposal)]
        return found

    def _first(self, features: Mapping[str, Label | None]) -> Any:
        return sent_label(features.get(self.features[0])) if self.features else None


def _marked(proposal: Proposal) -> list[Unit]:
    return [unit for unit in proposal.row.units.values() if unit is not None]


def _spans(unit: Unit | Proposal) -> list[tuple[float, float]]:
    return [(one.start, one.end) for one in unit.anchors] or [(unit.start, unit.end)]


def _meets(decision: PlaceDecision, row: Any) -> bool:
    """Whether an earlier decision was about the stretch of a place."""
    try:
        units = decision.place.get("units", ())
        return any(start <= row.end and end >= row.start for _, start, end, *_ in units)
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
