"""What several people decided, as annotations of their own: then their agreement can be measured like any other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from unisono.adjudication.decision_files import History, names_of, places_of_all
from unisono.adjudication.decisions import PlaceDecision, place_key, places_of_items, places_of_units
from unisono.adjudication.item_result import ItemGold
from unisono.adjudication.result import Gold
from unisono.data import Corpus, Data, Ratings
from unisono.errors import DataError


def decided_data(draft: Gold | ItemGold, histories: Sequence[History]) -> Data:
    """Return what people decided, each as an annotator, at the places on which all of them decided."""
    shared = places_of_all(histories)
    keys = [place_key(place) for place in _places(draft)]
    known = {number: shared[key] for number, key in enumerate(keys) if key in shared}
    if not known:
        raise DataError("there is no place on which all of these people decided")
    if isinstance(draft, Gold):
        return _units(draft, names_of(histories), known)
    return _labels(draft, names_of(histories), known)


def _places(draft: Gold | ItemGold) -> Sequence[Mapping[str, object]]:
    return places_of_units(draft.proposals) if isinstance(draft, Gold) else places_of_items(draft.annotated)


def _units(draft: Gold, names: Sequence[str], known: Mapping[int, Sequence[PlaceDecision]]) -> Corpus:
    corpus = draft.annotated
    documents = list(dict.fromkeys(draft.proposals[number].document for number in known))
    rows = [
        (draft.proposals[number].document, name, unit)
        for number, decisions in known.items()
        for name, decision in zip(names, decisions, strict=True)
        for unit in decision.units
    ]
    texts = {name: corpus[name].text for name in documents}
    bounds = {name: corpus[name].bounds for name in documents if corpus[name].has_bounds}
    return Corpus.from_columns(
        document=[document for document, _, _ in rows],
        annotator=[name for _, name, _ in rows],
        start=[unit.start for _, _, unit in rows],
        end=[unit.end for _, _, unit in rows],
        features={feature: [unit.features.get(feature) for _, _, unit in rows] for feature in corpus.features},
        documents=documents,
        annotators=names,
        worked=[(document, name) for document in documents for name in names],
        texts={(name, who): text for name, text in texts.items() if text is not None for who in names},
        bounds=bounds,
        anchors=None
        if corpus.anchors is None
        else [unit.anchors or [("piece", unit.start, unit.end)] for _, _, unit in rows],
    )


def _labels(draft: ItemGold, names: Sequence[str], known: Mapping[int, Sequence[PlaceDecision]]) -> Ratings:
    ratings = draft.annotated
    return Ratings.from_annotators(
        {name: [decisions[who].label for decisions in known.values()] for who, name in enumerate(names)},
        items=[ratings.items[number] for number in known],
        document=[ratings.documents[ratings.document[number]] for number in known],
    )
