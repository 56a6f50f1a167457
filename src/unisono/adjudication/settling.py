"""Drafts with what people decided: units and labels are replaced, and what is settled leaves the queue."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from unisono.adjudication.decision_files import (
    History,
    Verdict,
    broken_notes,
    deciders,
    merged_decisions,
    shared_places,
)
from unisono.adjudication.decisions import (
    LABEL,
    TEXT,
    UNITS,
    DecidedUnit,
    PlaceDecision,
    place_key,
    places_of_items,
    places_of_texts,
    places_of_units,
    version_of,
)
from unisono.adjudication.item_result import ItemGold
from unisono.adjudication.proposal import Proposal, Reason
from unisono.adjudication.result import Gold
from unisono.adjudication.text_places import TextVersion, Token
from unisono.adjudication.text_result import TextGold, TextProposal
from unisono.alignment.consensus import Vote, label_key
from unisono.data import Document, Label, Ratings
from unisono.data.anchors import PIECE
from unisono.errors import DataError, listed, plural

AnyGold: TypeAlias = Gold | ItemGold | TextGold
CONFLICT = "people decided differently"
"""Why a person should decide again."""
_MOST_NAMED = 20


def draft_places(draft: AnyGold) -> list[dict[str, Any]]:
    """Return the places of a draft as files of decisions have them."""
    if isinstance(draft, Gold):
        return places_of_units(draft.proposals)
    if isinstance(draft, TextGold):
        return places_of_texts(proposal.place for proposal in draft.proposals)
    return places_of_items(draft.annotated)


def settled_gold(draft: AnyGold, histories: Sequence[History]) -> AnyGold:
    """Put what people decided into a draft, and note what could not be."""
    verdicts = merged_decisions(histories)
    keys = [place_key(place) for place in draft_places(draft)]
    own = [verdicts.get(key) for key in keys]
    made: AnyGold
    if isinstance(draft, Gold):
        made = settled_units(draft, own)
    else:
        made = settled_texts(draft, own) if isinstance(draft, TextGold) else settled_items(draft, own)
    known = [verdicts[key] for key in keys if key in verdicts]
    notes = [*broken_notes(histories), *shared_notes(histories), *_notes(known, len(verdicts) - len(known))]
    return replace(made, notes=(*draft.notes, *notes))


def shared_notes(histories: Sequence[History]) -> list[str]:
    """Say how often people agree on places that several of them decided; nothing if there are none."""
    shared = shared_places(histories)
    if not shared:
        return []
    agreeing = sum(len({one.outcome for one in decisions.values()}) == 1 for decisions in shared.values())
    names, there = deciders(histories), sorted({who for decisions in shared.values() for who in decisions})
    share = f"{agreeing:,} ({agreeing / len(shared):.0%})"
    who = listed([names[number] for number in there])
    return [f"{plural(len(shared), 'place')} decided by several people ({who}), who agree on {share}"]


def settled_units(draft: Gold, verdicts: Sequence[Verdict | None]) -> Gold:
    """Put decisions, one or none per proposal, into a draft of units."""
    for proposal, verdict in zip(draft.proposals, verdicts, strict=True):
        if verdict is not None and verdict.settled is not None:
            check_decided(verdict.settled.units, draft.annotated[proposal.document])
    proposals = [
        made
        for proposal, verdict in zip(draft.proposals, verdicts, strict=True)
        for made in _decided(proposal, verdict, UNITS)
    ]
    return replace(draft, proposals=tuple(proposals))


def settled_items(draft: ItemGold, verdicts: Sequence[Verdict | None]) -> ItemGold:
    """Put decisions, one or none per item, into a draft of labels."""
    labels, share, reasons = list(draft.joint.label), draft.joint.share.copy(), dict(draft.joint.reasons)
    for row, verdict in enumerate(verdicts):
        decision = None if verdict is None else verdict.settled
        if decision is not None and decision.kind == LABEL:
            labels[row] = _as_given(decision.label, draft.annotated)
            share[row] = _share_of(labels[row], draft.annotated.codes[row].tolist(), draft.annotated)
            reasons.pop(row, None)
        elif verdict is not None:
            reasons[row] = (*reasons.get(row, ()), Reason(CONFLICT, _differ(verdict)))
    return replace(draft, joint=replace(draft.joint, label=labels, share=share, reasons=reasons))


def settled_texts(draft: TextGold, verdicts: Sequence[Verdict | None]) -> TextGold:
    """Put decisions, one or none per place, into a draft of texts."""
    proposals = [
        proposal if verdict is None else _text_decided(proposal, verdict, [*draft.annotated.features])
        for proposal, verdict in zip(draft.proposals, verdicts, strict=True)
    ]
    return replace(draft, proposals=tuple(proposals))


def _text_decided(proposal: TextProposal, verdict: Verdict, features: Sequence[str]) -> TextProposal:
    """Return the proposal that a person decided on, with the shares that annotators give it."""
    decision = verdict.settled
    if decision is None or decision.kind != TEXT:
        return replace(proposal, reasons=(*proposal.reasons, Reason(CONFLICT, _differ(verdict))))
    version = version_of(decision)
    everybody = [*proposal.place.versions.values()]
    same = [one for one in everybody if one.shape == version.shape]
    votes = tuple(
        {name: Vote(token.features.get(name), _share(token, name, k, same)) for name in features}
        for k, token in enumerate(version.tokens)
    )
    return TextProposal(proposal.place, version, len(same) / len(everybody), votes, ())


def _share(token: Token, name: str, k: int, same: Sequence[TextVersion]) -> float:
    """Return the share of those with the same tokens who gave a token the same label."""
    label = label_key(token.features.get(name))
    return sum(label_key(one.tokens[k].features.get(name)) == label for one in same) / max(len(same), 1)


def check_decided(units: Sequence[DecidedUnit], document: Document) -> None:
    """Raise a DataError if a document cannot have these units."""
    whole = document.corpus.start.dtype.kind == "i"
    low, high = document.bounds if document.has_bounds else (-math.inf, math.inf)
    known = (PIECE,) if document.corpus.anchors is None else document.corpus.anchors.roles
    for unit in units:
        if whole and not all(float(place).is_integer() for span in unit.spans for place in span):
            raise DataError(f"{unit.words} in document {document.name!r} is not at whole positions, as all units are")
        if not low <= unit.start <= unit.end <= high:
            raise DataError(f"{unit.words} is outside document {document.name!r}, which is {low:g} to {high:g}")
        if wrong := {one.role for one in unit.anchors} - set(known):
            raise DataError(f"{unit.words}: units of this data have no {sorted(wrong)[0]}, only {listed(known)}")
        if not unit.anchors and PIECE not in known:
            raise DataError(f"{unit.words} has no ends; all units of this data have {listed(known)}")


def _decided(proposal: Proposal, verdict: Verdict | None, kind: str) -> Iterator[Proposal]:
    """Yield what becomes of a proposal: as many as there are units, or the proposal that there is none."""
    decision = None if verdict is None else verdict.settled
    if verdict is None:
        yield proposal
    elif decision is None or decision.kind != kind:
        yield replace(proposal, reasons=(*proposal.reasons, Reason(CONFLICT, _differ(verdict))))
    elif not decision.units:
        yield replace(proposal, drafted=False, reasons=(), decided=True)
    else:
        for unit in decision.units:
            yield _as_decided(proposal, unit)


def _as_decided(proposal: Proposal, unit: DecidedUnit) -> Proposal:
    """Return the proposal of a unit that a person decided on, with the shares that annotators give it."""
    units = [one for one in proposal.row.units.values() if one is not None]
    where = unit.start, unit.end, unit.anchors
    exact = sum((one.start, one.end, one.anchors) == where for one in units) / len(units)
    votes = {
        name: Vote(label, sum(label_key(one.features[name]) == label_key(label) for one in units) / len(units))
        for name in proposal.votes
        for label in [unit.features.get(name)]
    }
    settled = replace(proposal, start=unit.start, end=unit.end, anchors=unit.anchors, votes=votes, exact=exact)
    return replace(settled, drafted=True, reasons=(), decided=True)


def _as_given(label: Label | None, ratings: Ratings) -> Label | None:
    """Return a label as annotators gave it, if they did: 1 in a file may be 1.0 in another."""
    return next((one for one in ratings.labels if label_key(one) == label_key(label)), label)


def _share_of(label: Label | None, codes: Sequence[int], ratings: Ratings) -> float:
    given = [ratings.labels[code] for code in codes if code >= 0]
    same = sum(label_key(one) == label_key(label) for one in given)
    return same / len(given) if given else float("nan")


def _differ(verdict: Verdict) -> str:
    return "; ".join(f"{one.by or 'somebody'}: {one.words}" for one in verdict.decisions)


def _notes(known: Sequence[Verdict], unmatched: int) -> Iterator[str]:
    """Say what became of decisions."""
    conflicts = [f"{_where(one.decisions[0])}: {_differ(one)}" for one in known if one.settled is None]
    yield f"{plural(len(known) - len(conflicts), 'decision')} in the gold standard"
    if conflicts:
        yield f"{plural(len(conflicts), 'place')} on which people decided differently, left to decide:"
        yield from (f"  {words}" for words in conflicts[:_MOST_NAMED])
    if len(conflicts) > _MOST_NAMED:
        yield f"  … and {len(conflicts) - _MOST_NAMED:,} more"
    if unmatched:
        places = f"{plural(unmatched, 'decision')} not used, because the data has no such place"
        yield f"{places}; it was read differently, or has changed since"


def _where(decision: PlaceDecision) -> str:
    place = decision.place
    if "item" in place:
        return f"{place['document']}, item {place['item']}"
    if "tokens" in place:
        return f"{place['document']}, {next((one[2] for one in place['tokens'] if one[2]), 'nothing')}"
    units = place["units"]
    return f"{place['document']}, {units[0][1]}..{units[0][2]}" if units else str(place["document"])
