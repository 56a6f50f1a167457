"""A corpus with some of its units or with other features, and a record of what was done."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeVar

import numpy as np

from unisono.arrays import BoolArray, IntArray
from unisono.data import Corpus, Normalizations, Ratings
from unisono.data.anchors import tie_breakers
from unisono.data.labels import Feature

_Kind = TypeVar("_Kind", Corpus, Ratings, Normalizations)


def with_units(corpus: Corpus, kept: BoolArray, why: str) -> Corpus:
    """Keep some units and count the others; annotators worked on the same documents as before."""
    chosen = _taken(corpus, np.flatnonzero(kept), corpus.features)
    anchors = None if chosen.anchors is None else chosen.anchors.simplest()
    given = {name: feature.given() for name, feature in chosen.features.items()}
    chosen = replace(chosen, features=given, anchors=anchors)
    return replace(chosen, extents=corpus.all_extents(), dropped=with_dropped(corpus, {why: int((~kept).sum())}))


def with_versions(corpus: Corpus, worked: BoolArray) -> Corpus:
    """Keep the versions of some annotators of some documents; those without any are removed, and so are their units."""
    stays = worked[corpus.document, corpus.annotator]
    chosen = replace(
        _taken(corpus, np.flatnonzero(stays), corpus.features),
        worked=worked,
        extents=corpus.all_extents(),
        texts={place: text for place, text in corpus.texts.items() if worked[place]},
        origins={place: origin for place, origin in corpus.origins.items() if worked[place]},
    )
    people = [name for name, one in zip(corpus.annotators, worked.T.tolist(), strict=True) if any(one)]
    documents = [name for name, one in zip(corpus.documents, worked.tolist(), strict=True) if any(one)]
    return replace(chosen.select(annotators=people, documents=documents), preparation=corpus.preparation)


def with_features(corpus: Corpus, features: Mapping[str, Feature]) -> Corpus:
    """Give units other features, and sort them again."""
    codes = [feature.codes for feature in features.values()]
    codes = [*tie_breakers(corpus.anchors), *reversed(codes)]
    order = np.lexsort((*codes, corpus.end, corpus.start, corpus.annotator, corpus.document))
    return _taken(corpus, order, features)


def with_dropped(data: Corpus | Ratings, more: Mapping[str, int]) -> dict[str, int]:
    """Return the counts of what was left out, with more of them."""
    dropped = dict(data.dropped)
    for what, n in more.items():
        if n:
            dropped[what] = dropped.get(what, 0) + n
    return dropped


def recorded(data: _Kind, step: str, how: str) -> _Kind:
    """Record a step of the preparation, which results name in their signature; a repeated step is recorded again."""
    return replace(data, preparation=(*data.preparation, (step, how)))


def _taken(corpus: Corpus, index: IntArray, features: Mapping[str, Feature]) -> Corpus:
    return replace(
        corpus,
        document=corpus.document[index],
        annotator=corpus.annotator[index],
        start=corpus.start[index],
        end=corpus.end[index],
        features={name: feature.take(index) for name, feature in features.items()},
        anchors=None if corpus.anchors is None else corpus.anchors.take(index),
    )
