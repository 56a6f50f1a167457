"""A corpus with some of its units, or with other ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from unisono.arrays import BoolArray
from unisono.data import Corpus
from unisono.data.labels import Feature


def with_units(corpus: Corpus, kept: BoolArray, why: str) -> Corpus:
    """Keep some units, and count the others; everybody still worked where they did."""
    n_lost = int((~kept).sum())
    index = np.flatnonzero(kept)
    return replace(
        corpus,
        document=corpus.document[index],
        annotator=corpus.annotator[index],
        start=corpus.start[index],
        end=corpus.end[index],
        features={name: feature.take(index) for name, feature in corpus.features.items()},
        extents=corpus.all_extents(),
        dropped=counted(corpus, {why: n_lost}),
    )


def with_features(corpus: Corpus, features: Mapping[str, Feature]) -> Corpus:
    """Give units other features, and put them in order again."""
    codes = [feature.codes for feature in features.values()]
    order = np.lexsort((*reversed(codes), corpus.end, corpus.start, corpus.annotator, corpus.document))
    return replace(
        corpus,
        document=corpus.document[order],
        annotator=corpus.annotator[order],
        start=corpus.start[order],
        end=corpus.end[order],
        features={name: feature.take(order) for name, feature in features.items()},
    )


def counted(corpus: Corpus, more: Mapping[str, int]) -> dict[str, int]:
    """Add to what was left out."""
    dropped = dict(corpus.dropped)
    for what, n in more.items():
        if n:
            dropped[what] = dropped.get(what, 0) + n
    return dropped
