"""What several people decided, as annotations of their own: then their agreement can be measured like any other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from unisono.adjudication.decision_files import History, deciders, shared_places
from unisono.adjudication.decisions import PlaceDecision, place_key
from unisono.adjudication.item_result import ItemGold
from unisono.adjudication.result import Gold
from unisono.adjudication.settling import AnyGold, draft_places
from unisono.adjudication.text_result import TextGold
from unisono.data import Corpus, Data, Ratings
from unisono.data.anchors import PIECE
from unisono.errors import DataError

_Known: TypeAlias = Mapping[int, Mapping[int, PlaceDecision]]
"""The number of a place to what each person, by the number of the file, decided there."""


def decided_data(draft: AnyGold, histories: Sequence[History]) -> Data:
    """Return what people decided, each as an annotator, at places on which several of them decided.

    Of units, a document has the places on which all decided who decided there at all: what one did not get to is not a
    unit that is missing.
    """
    if isinstance(draft, TextGold):
        raise DataError(
            "decisions about texts cannot be measured directly; write a gold standard for each person, and measure "
            "text-gamma"
        )
    shared, keys = shared_places(histories), [place_key(place) for place in draft_places(draft)]
    known: _Known = {number: shared[key] for number, key in enumerate(keys) if key in shared}
    if isinstance(draft, Gold):
        known = _complete(draft, known)
    if not known:
        raise DataError(
            "there is no place on which all of these people decided; choose files with decisions about the same places"
        )
    names = deciders(histories)
    return _units(draft, names, known) if isinstance(draft, Gold) else _labels(draft, names, known)


def _complete(draft: Gold, known: _Known) -> _Known:
    """Return the places on which all decided who decided on any place of the document."""
    there: dict[str, set[int]] = {}
    for number, decisions in known.items():
        there.setdefault(draft.proposals[number].document, set()).update(decisions)
    return {
        number: decisions
        for number, decisions in known.items()
        if there[draft.proposals[number].document] == set(decisions)
    }


def _units(draft: Gold, names: Sequence[str], known: _Known) -> Corpus:
    corpus = draft.annotated
    worked = {(draft.proposals[number].document, names[who]): None for number, some in known.items() for who in some}
    rows = [
        (draft.proposals[number].document, names[who], unit)
        for number, decisions in known.items()
        for who, decision in decisions.items()
        for unit in decision.units
    ]
    texts = {(document, who): corpus[document].text for document, who in worked}
    documents = list(dict.fromkeys(document for document, _ in worked))
    plain = corpus.anchors is None
    return Corpus.from_columns(
        document=[document for document, _, _ in rows],
        annotator=[name for _, name, _ in rows],
        start=[unit.start for _, _, unit in rows],
        end=[unit.end for _, _, unit in rows],
        features={feature: [unit.features.get(feature) for _, _, unit in rows] for feature in corpus.features},
        documents=documents,
        worked=list(worked),
        texts={place: text for place, text in texts.items() if text is not None},
        bounds={name: corpus[name].bounds for name in documents if corpus[name].has_bounds},
        anchors=None if plain else [unit.anchors or [(PIECE, unit.start, unit.end)] for _, _, unit in rows],
    )


def _labels(draft: ItemGold, names: Sequence[str], known: _Known) -> Ratings:
    ratings = draft.annotated
    people = sorted({who for decisions in known.values() for who in decisions})
    labels = {
        who: [decisions[who].label if who in decisions else None for decisions in known.values()] for who in people
    }
    return Ratings.from_annotators(
        {names[who]: labels[who] for who in people},
        items=[ratings.items[number] for number in known],
        document=[ratings.documents[ratings.document[number]] for number in known],
    )
