"""Units that touch and have the same labels, merged into one."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from unisono.arrays import IntArray
from unisono.data import Corpus
from unisono.data.spans import Positions
from unisono.preparation.units import with_dropped, with_features

_SPACE = re.compile(r"\s+")


def merge_adjacent(corpus: Corpus) -> Corpus:
    """Merge units of one annotator that have the same labels and touch.

    Two units touch if one begins where the other ends, or if there is a text and only white space between them. A chain
    of units that touch, however long, becomes one unit, from where the first begins to where the last ends. Units that
    only overlap are not merged; other units between or within them do not matter. Relations, events and units in pieces
    stay as they are.
    """
    if not corpus.n_units:
        return corpus
    group = _groups(corpus)
    order = np.lexsort((corpus.end, corpus.start, group))
    start, end = corpus.start[order], corpus.end[order]
    low, high = _followers(group[order], start, end, _reach(corpus)[order])
    chain = _chains(low, high)
    first = np.unique(chain, return_index=True)[1]
    longest = end[first]
    np.maximum.at(longest, chain, end)
    kept = order[first]
    merged = replace(
        corpus,
        document=corpus.document[kept],
        annotator=corpus.annotator[kept],
        start=start[first],
        end=longest,
        features={name: feature.take(kept) for name, feature in corpus.features.items()},
        anchors=None if corpus.anchors is None else corpus.anchors.take(kept).with_plain(start[first], longest),
        dropped=with_dropped(corpus, {"units merged with the one before": len(order) - len(kept)}),
    )
    return with_features(merged, merged.features)


def _groups(corpus: Corpus) -> IntArray:
    """Return a number for each unit, the same for plain units of the same document, annotator and labels."""
    columns = [corpus.document, corpus.annotator, *(feature.codes for feature in corpus.features.values())]
    if corpus.anchors is not None:
        columns.append(np.where(corpus.anchors.composite, np.arange(1, corpus.n_units + 1), 0))
    return np.unique(np.column_stack(columns), axis=0, return_inverse=True)[1].reshape(-1)


def _reach(corpus: Corpus) -> Positions:
    """Return where the white space after each unit ends, if there is a text: up to there the next one may begin."""
    reach = corpus.end.copy()
    place = corpus.document * len(corpus.annotators) + corpus.annotator
    bounds = np.flatnonzero(np.diff(place, prepend=-1, append=-1))
    for low, high in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True):
        text = corpus.texts.get((int(corpus.document[low]), int(corpus.annotator[low])), "")
        spaces = np.array([match.span() for match in _SPACE.finditer(text)], dtype=np.int64).reshape(-1, 2)
        if len(spaces):
            end = reach[low:high]
            run = np.maximum(np.searchsorted(spaces[:, 0], end, side="right") - 1, 0)
            inside = (spaces[run, 0] <= end) & (end < spaces[run, 1])
            reach[low:high] = np.where(inside, spaces[run, 1], end)
    return reach


def _followers(group: IntArray, start: Positions, end: Positions, reach: Positions) -> tuple[IntArray, IntArray]:
    """Return, for units sorted by group and start, the range of those that touch the end of each."""
    n = len(group)
    rank = np.unique(np.concatenate([start, end, reach]), return_inverse=True)[1].reshape(3, n)
    key = group * (3 * n) + rank
    return np.searchsorted(key[0], key[1], side="left"), np.searchsorted(key[0], key[2], side="right")


def _chains(low: IntArray, high: IntArray) -> IntArray:
    """Return a number for each unit, the same for a whole chain: each is linked to those from low to high."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    n = len(low)
    unit = np.flatnonzero(low < high)
    together = np.zeros(n + 1, dtype=np.int64)  # above 0: this one and the next follow the same unit
    np.add.at(together, low[unit], 1)
    np.add.at(together, high[unit] - 1, -1)
    both = np.flatnonzero(np.cumsum(together) > 0)
    one, other = np.concatenate([unit, both]), np.concatenate([low[unit], both + 1])
    links = coo_array((np.ones(len(one), dtype=np.int8), (one, other)), shape=(n, n))
    found: IntArray = connected_components(links, directed=False)[1].astype(np.int64)
    return found
