"""Which labels are taken for which: pairs of aligned units, or of labels of one item, counted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from unisono.alignment.aligned import Aligned
from unisono.alignment.alignment import Alignment
from unisono.alignment.text_alignment import TextAlignment
from unisono.arrays import IntArray
from unisono.data import Ratings
from unisono.report.full.grids import Cell, Grid, named, shade
from unisono.report.full.hiding import Names

NO_LABEL, NO_UNIT = "no label", "no unit"
_MOST_LABELS = 20
_NOBODY = -2


def alignment_confusion(alignments: Mapping[str, Aligned], names: Names) -> Grid | None:
    """Count which labels aligned units have, and which units have no counterpart; None if there is nothing to count."""
    first = next(iter(alignments.values()), None)
    if first is None:
        return None
    feature, corpus = _feature(first), first.document.corpus
    labels = () if feature is None else corpus.features[feature].labels
    tables = [_codes(alignment, feature) for alignment in alignments.values()]
    n_annotators = len(corpus.annotators)
    counts = count_pairs(tables, len(labels), ordered=n_annotators == 2)
    written = [] if feature is None else [names.of(feature, label) for label in labels]
    if feature is None:
        counts, heads = counts[:, [-2, -1]][[-2, -1]], ["unit", NO_UNIT]
    else:
        heads = [*written, NO_LABEL, NO_UNIT]
    return _grid(heads, counts, corpus.annotators, "units that are aligned", keep_last=True)


def rating_confusion(ratings: Ratings, names: Names) -> Grid | None:
    """Count which labels two annotators gave to the same item."""
    repeats = None if ratings.repeats is None else ratings.repeats
    codes = ratings.codes if repeats is None else np.repeat(ratings.codes, repeats, axis=0)
    missing = np.where(codes < 0, _NOBODY, codes)
    counts = count_pairs([missing], len(ratings.labels), ordered=len(ratings.annotators) == 2)
    n = len(ratings.labels)
    heads = [names.of("label", label) for label in ratings.labels]
    return _grid(heads, counts[:n, :n], ratings.annotators, "labels of the same item", keep_last=False)


def count_pairs(tables: Iterable[IntArray], n_labels: int, *, ordered: bool) -> IntArray:
    """Count pairs of annotators by what they have.

    Parameters
    ----------
    tables : iterable of int64 array, shape (n_places, n_annotators)
        The label of each annotator; -1 a unit without label, -2 no unit.
    n_labels : int
        How many labels there are.
    ordered : bool
        Whether rows are the first annotator and columns the second; else a pair counts both ways.

    Returns
    -------
    int64 array, shape (n_labels + 2, n_labels + 2)
        The last but one row and column are units without label, the last no unit.
    """
    size = n_labels + 2
    counts = np.zeros((size, size), np.int64)
    for table in tables:
        cells = np.where(table == _NOBODY, size - 1, np.where(table < 0, size - 2, table))
        for a in range(table.shape[1]):
            for b in range(a + 1, table.shape[1]):
                np.add.at(counts, (cells[:, a], cells[:, b]), 1)
    counts[-1, -1] = 0
    return counts if ordered else counts + counts.T - np.diag(np.diag(counts))


def _feature(alignment: Aligned) -> str | None:
    if isinstance(alignment, Alignment):
        return next(iter(alignment.dissimilarity.features), None)
    return next((name for name in alignment.document.corpus.features if name != "type"), None)


def _codes(alignment: Aligned, feature: str | None) -> IntArray:
    table = alignment.solution.table
    if feature is None:
        codes = np.full(alignment.annotations.n_units, -1)
    elif isinstance(alignment, TextAlignment):
        column = alignment.document.corpus.features[feature].codes
        codes = np.where(alignment.rows >= 0, column[alignment.rows], -1)
    else:
        codes = np.asarray(alignment.annotations.codes[0])
    if not len(codes):
        return np.full(table.shape, _NOBODY)
    return np.where(table >= 0, codes[table], _NOBODY)


def _grid(
    heads: Sequence[str], counts: IntArray, annotators: Sequence[str], what: str, *, keep_last: bool
) -> Grid | None:
    heads, counts = _largest(list(heads), counts, keep_last)
    if not counts.any():
        return None
    two = len(annotators) == 2
    corner = f"{annotators[0]} ↓ {annotators[1]} →" if two else "label"
    totals = np.maximum(counts.sum(axis=1), 1)
    rows = []
    for k, head in enumerate(heads):
        cells = [
            Cell(f"{n:,}" if n else "·", float(n), shade(n / totals[k], "same" if k == j else "other") if n else "")
            for j, n in enumerate(counts[k].tolist())
        ]
        rows.append([named(head), *cells])
    note = (
        f"Rows are {annotators[0]}, columns {annotators[1]}."
        if two
        else "Every pair of annotators counts, and the table is the same on both sides of its diagonal."
    )
    return Grid(f"Confusion: {what}", (corner, *heads), (False, *[True] * len(heads)), rows, note=note, matrix=True)


def _largest(heads: list[str], counts: IntArray, keep_last: bool) -> tuple[list[str], IntArray]:
    """Keep the most frequent labels, put the others together, and leave out what never occurs."""
    end = len(heads) - 1 if keep_last else len(heads)
    total = counts.sum(axis=0) + counts.sum(axis=1)
    used = [k for k in np.argsort(-total[:end], kind="stable").tolist() if total[k]]
    shown, rest = used[:_MOST_LABELS], used[_MOST_LABELS:]
    groups = [[k] for k in shown] + ([rest] if rest else []) + ([[end]] if keep_last and total[end] else [])
    names = [heads[k] for k in shown] + ([f"{len(rest):,} others"] if rest else [])
    names += [heads[end]] if keep_last and total[end] else []
    merged = np.array([[counts[np.ix_(a, b)].sum() for b in groups] for a in groups], dtype=np.int64)
    return names, merged.reshape(len(groups), len(groups))
