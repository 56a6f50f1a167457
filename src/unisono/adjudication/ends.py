"""The spans of a gold standard that relations join: each end of a relation is one of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

import numpy as np

from unisono.arrays import FloatArray
from unisono.data import Corpus
from unisono.data.anchors import Anchor
from unisono.data.export import LAYER_FEATURE
from unisono.data.unit_kinds import SPANS, of_origin, only_kind

SpanPlace: TypeAlias = tuple[int | float, int | float]
_ROUNDING = 1e-9
_WORDS = "token"
"""The layer of words, in formats in which these are units."""


class JointEnd(NamedTuple):
    """What annotators mean by an end of a relation."""

    place: SpanPlace | None
    """The span that most mean, the first in a tie; None: something that is no span of the gold standard."""
    others: tuple[SpanPlace | None, ...]
    """All that were chosen, if there is no majority."""


@dataclass(frozen=True)
class GoldSpans:
    """The spans of a gold standard, to find those that ends of relations mean."""

    corpus: Corpus
    """With one annotator."""
    _places: dict[str, FloatArray] = field(default_factory=dict)
    _known: dict[tuple[str, SpanPlace], SpanPlace | None] = field(default_factory=dict)

    def joint(
        self, document: str, ends: Sequence[Anchor], weights: Sequence[float] | None, majority: float
    ) -> JointEnd:
        """Return the span that most of annotators' ends mean."""
        counted = [1.0] * len(ends) if weights is None else weights
        shares: dict[SpanPlace | None, float] = {}
        for end, weight in zip(ends, counted, strict=True):
            place = self.nearest(document, (end.start, end.end))
            shares[place] = shares.get(place, 0.0) + weight / sum(counted)
        most = max(shares.values()) - _ROUNDING
        first, *tied = sorted((one for one in shares if shares[one] >= most), key=lambda one: (one is None, one))
        agreed = not tied and shares[first] > majority
        return JointEnd(first, () if agreed else tuple(sorted(shares, key=lambda one: (one is None, one))))

    def nearest(self, document: str, end: SpanPlace) -> SpanPlace | None:
        """Return the span that an end means: the nearest that γ would align with it; None if there is none."""
        key = document, end
        if key not in self._known:
            self._known[key] = self._nearest(document, end)
        return self._known[key]

    def _nearest(self, document: str, end: SpanPlace) -> SpanPlace | None:
        places = self._places.get(document)
        if places is None:
            places = self._places[document] = _stretches_in(self.corpus, document)
        apart = np.abs(places - end).sum(axis=1)
        size = (places[:, 1] - places[:, 0]) + (end[1] - end[0])
        near = (apart < size) | (apart == 0)  # d_pos, the square of their ratio, is less than an empty unit costs
        if not near.any():
            return None
        ratio = np.where(near, apart / np.maximum(size, _ROUNDING), np.inf)
        start, stop = places[int(np.argmin(ratio))].tolist()
        return (int(start), int(stop)) if isinstance(end[0], int) and isinstance(end[1], int) else (start, stop)


def joined_layers(relations: Corpus, spans: Corpus) -> list[Corpus]:
    """Return the layers of spans that relations join: those with most ends, until all that are spans are covered.

    Layers in which every token is a span, such as parts of speech, are left out: nobody chose what is a span there.
    """
    layers = [layer for layer in _layers(only_kind(spans, SPANS)) if not _are_tokens(layer)]
    on = [_ends(relations) & _ends(layer) for layer in layers]
    chosen = []
    while any(on):
        best = max(range(len(on)), key=lambda index: len(on[index]))
        chosen.append(layers[best])
        on = [own - on[best] for own in on]
    return chosen


def _layers(spans: Corpus) -> list[Corpus]:
    column = spans.features.get(LAYER_FEATURE)
    if column is None:
        return [spans]
    return [of_origin(spans, np.flatnonzero(column.codes == code)) for code in np.unique(column.codes).tolist()]


def _ends(corpus: Corpus) -> set[tuple[int, int, float, float]]:
    """Return document, annotator, start and end of each anchor, or of each plain unit."""
    anchors = corpus.anchors
    if anchors is None:
        columns = corpus.document, corpus.annotator, corpus.start, corpus.end
    else:
        owner = anchors.owner
        columns = corpus.document[owner], corpus.annotator[owner], anchors.start, anchors.end
    return set(zip(*(column.tolist() for column in columns), strict=True))


def _are_tokens(layer: Corpus) -> bool:
    """Whether spans are tokens, or every token is a span, in each document with spans."""
    column = layer.features.get(LAYER_FEATURE)
    if column is not None and set(column.labels) == {_WORDS}:
        return True
    documents = np.unique(layer.document).tolist()
    if not documents or not all(document in layer.tokens for document in documents):
        return False
    n_tokens = sum(len(layer.tokens[document]) * int(layer.worked[document].sum()) for document in documents)
    return len(_ends(layer)) >= n_tokens


def _stretches_in(corpus: Corpus, document: str) -> FloatArray:
    """Return where spans, or their pieces, begin and end in a document, in their order; shape (n, 2)."""
    units = corpus[document].units if document in corpus.documents else ()
    stretches = {(one.start, one.end) for unit in units for one in unit.anchors or [unit]}
    return np.array(sorted(stretches), np.float64).reshape(-1, 2)
