"""What the desk shows of a place where annotators have texts of their own: everybody's version, and the text around."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from unisono.adjudication import TextGold
from unisono.adjudication.decisions import TEXT, PlaceDecision
from unisono.adjudication.text_places import TextVersion, shape_words
from unisono.adjudication.text_result import TextProposal
from unisono.app.desk import DECIDED, Desk
from unisono.app.place_views import (
    decision_view,
    dispute_on,
    kinds_at,
    label_choices,
    names_seen,
    reasons_to_ask,
    sent_label,
)
from unisono.reporting.markup import seen_label, shortened

_AROUND = 300
"""Characters before and after a place."""
_NEAR = 24
"""Characters before and after a place in the list."""
_MOST = 160


class TextViews:
    """Views of places of texts that differ."""

    def __init__(self, desk: Desk, draft: TextGold) -> None:
        self.desk = desk
        self.draft = draft
        corpus = draft.annotated
        self.features = [name for name, column in corpus.features.items() if column.labels and name != "type"]
        self._people = {name: index for index, name in enumerate(corpus.annotators)}
        self._documents = {name: index for index, name in enumerate(draft.documents)}

    def overview(self, *, hidden: bool = False) -> dict[str, Any]:
        """Return what all places have in common, and a row for each of them; names may be hidden."""
        columns = self.draft.annotated.features
        names = names_seen(self.draft.annotated.annotators, hidden=hidden)
        return {
            "sort": "texts",
            "annotators": list(self.draft.annotated.annotators),
            "documents": list(self.draft.documents),
            "features": [label_choices(name, columns[name].labels, columns[name].codes) for name in self.features],
            "kinds": reasons_to_ask(self.desk),
            "whole": True,
            "rows": [self._row(number, names) for number in range(len(self.draft.proposals))],
        }

    def row_state(self, number: int) -> list[Any]:
        """Return what changes in a row: its status."""
        return [number, self.desk.status(number)]

    def place(self, number: int) -> dict[str, Any]:
        """Return one place."""
        proposal, start = self.draft.proposals[number], self.draft.starts[number]
        return {
            "number": number,
            "document": proposal.document,
            "start": start,
            "end": start + len(proposal.version.text),
            "whole": True,
            "disorder": round(proposal.place.disorder, 3),
            "why": [*dispute_on(self.desk, number), *(reason.words for reason in proposal.reasons)],
            "differing": [decision_view(one) for one in self.desk.differing(number)],
            "versions": {str(self._people[who]): self._version(one) for who, one in proposal.place.versions.items()},
            "draft": self._draft(proposal),
            "decision": decision_view(self.desk.latest(number)),
            "earlier": [
                decision_view(one) for one in self.desk.stale.get(proposal.document, ()) if _meets(one, proposal)
            ],
            "before": [*self._around(number, -1)][::-1],
            "after": [*self._around(number, 1)],
        }

    def _version(self, version: TextVersion) -> dict[str, Any]:
        tokens = [
            {
                "start": token.start,
                "end": token.end,
                "features": {name: sent_label(token.features.get(name)) for name in self.features},
            }
            for token in version.tokens
        ]
        return {"text": version.text, "tokens": tokens}

    def _draft(self, proposal: TextProposal) -> dict[str, Any]:
        """Return the version that is proposed, with the labels between which there is a tie."""
        found = self._version(proposal.version)
        for token, votes in zip(found["tokens"], proposal.votes, strict=True):
            tied = {name: [sent_label(one) for one in vote.tied] for name, vote in votes.items() if vote.tied}
            token["ties"] = tied
        return {**found, "is_tied": self._is_tied(proposal)}

    def _is_tied(self, proposal: TextProposal) -> bool:
        """Whether the draft has no majority: of the text with its tokens, or of a label."""
        versions = [one.shape for one in proposal.place.versions.values()]
        most = max(versions.count(shape) for shape in set(versions))
        return sum(versions.count(shape) == most for shape in set(versions)) > 1 or any(
            one.tied for votes in proposal.votes for one in votes.values()
        )

    def _around(self, number: int, by: int) -> Iterator[list[Any]]:
        """Yield the text on one side of a place, away from it: texts, and whether somebody should still decide."""
        proposals = self.draft.proposals
        length, at = 0, number
        while length < _AROUND:
            nearer, at = at, at + by
            if not 0 <= at < len(proposals) or proposals[at].document != proposals[number].document:
                return
            yield [proposals[max(nearer, at)].place.space, False]
            text = self._text(at)
            yield [text, self.desk.rank(at) >= 0 and self.desk.status(at) != DECIDED]
            length += len(text) + 1

    def _text(self, number: int) -> str:
        """Return the text of a place as it is decided by now."""
        decision = self.desk.latest(number)
        decided = decision is not None and decision.kind == TEXT
        return decision.text if decision is not None and decided else self.draft.proposals[number].version.text

    def _row(self, number: int, names: Mapping[str, str]) -> list[Any]:
        proposal, start = self.draft.proposals[number], self.draft.starts[number]
        return [
            self._documents[proposal.document],
            start,
            start + len(proposal.version.text),
            round(proposal.place.disorder, 3),
            self.desk.rank(number),
            self.desk.status(number),
            self._differs(proposal, names),
            self._excerpt(number),
            kinds_at(self.desk, number, proposal.reasons),
        ]

    def _differs(self, proposal: TextProposal, names: Mapping[str, str]) -> str:
        """Say who has what, those who agree together; only labels if texts and tokens are the same."""
        versions = proposal.place.versions
        same = len({one.shape for one in versions.values()}) == 1
        said: dict[str, list[str]] = {}
        for who, one in versions.items():
            said.setdefault(self._labels(one) if same else shape_words(one.shape), []).append(names[who])
        text = shape_words(proposal.version.shape)
        if len(said) == 1:
            return f"all: {text}"
        parts = sorted(said.items(), key=lambda one: len(one[1]))
        named = (f"{', '.join(who) if len(who) < 4 else f'{len(who)} others'}: {words}" for words, who in parts)
        return shortened(f"{text} – {'; '.join(named)}" if same else "; ".join(named), _MOST)

    def _labels(self, version: TextVersion) -> str:
        return " | ".join(
            " · ".join(seen_label(one) for name in self.features if (one := token.features.get(name)) is not None)
            or "no label"
            for token in version.tokens
        )

    def _excerpt(self, number: int) -> str:
        text = self.draft.texts[self.draft.proposals[number].document]
        start = self.draft.starts[number]
        end = start + len(self.draft.proposals[number].version.text)
        near = text[max(start - _NEAR, 0) : min(end, start + 4 * _NEAR) + _NEAR]
        return f"{'… ' if start > _NEAR else ''}{' '.join(near.split())}"


def _meets(decision: PlaceDecision, proposal: TextProposal) -> bool:
    """Whether an earlier decision was about a stretch of somebody's text that meets that of a place."""
    own = {who: (begin, begin + len(proposal.place.versions[who].text)) for who, begin in proposal.place.starts.items()}
    try:
        return any(
            who in own and start <= own[who][1] and start + len(text) >= own[who][0]
            for who, start, text, _ in decision.place.get("tokens", ())
        )
    except (TypeError, ValueError):  # a file that somebody has changed
        return False
