"""Units that touch and mean the same, made one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from unisono.data import Corpus
from unisono.preparation.units import counted, with_features


def merge_adjacent(corpus: Corpus) -> Corpus:
    """Make one unit of those of an annotator that have the same labels and follow each other without a gap.

    White space between them is no gap where there is a text. Units that overlap are not made one.
    """
    codes = [feature.codes for feature in corpus.features.values()]
    order = np.lexsort((corpus.end, corpus.start, *reversed(codes), corpus.annotator, corpus.document))
    columns = [corpus.document[order], corpus.annotator[order], *(column[order] for column in codes)]
    same = np.ones(max(len(order) - 1, 0), dtype=np.bool_)
    for column in columns:
        same &= column[1:] == column[:-1]
    start, end = corpus.start[order], corpus.end[order]
    touching = start[1:] == end[:-1]
    for row in np.flatnonzero(same & (start[1:] > end[:-1])).tolist():
        text = corpus.texts.get((int(columns[0][row]), int(columns[1][row])), "")
        between = text[int(end[row]) : int(start[row + 1])]
        touching[row] = bool(between) and between.isspace()
    first = np.concatenate([[True], ~(same & touching)])[: len(order)]
    last = np.concatenate([first[1:], [True]])[: len(order)]
    kept = order[first]
    merged = replace(
        corpus,
        document=corpus.document[kept],
        annotator=corpus.annotator[kept],
        start=start[first],
        end=end[last],
        features={name: feature.take(kept) for name, feature in corpus.features.items()},
        dropped=counted(corpus, {"units made one with the one before (--merge-adjacent)": int((~first).sum())}),
    )
    return with_features(merged, merged.features)
