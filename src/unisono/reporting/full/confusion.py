"""Which labels are taken for which: pairs of aligned units, or of labels of one item, counted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from unisono.alignment.aligned import Aligned
from unisono.alignment.alignment import Alignment
from unisono.alignment.text_alignment import TextAlignment
from unisono.arrays import IntArray
from unisono.data import Label, Ratings
from unisono.reporting.full.grids import Cell, Grid, named, shade
from unisono.reporting.full.hiding import Names
from unisono.reporting.full.labels import Orders, label_order

NO_LABEL, NO_UNIT = "no label", "no unit"
_MOST_LABELS = 20
_MOST_FEATURES = 4
_NOBODY = -2
_NO_FEATURE = (None,)


def alignment_confusion(alignments: Mapping[str, Aligned], names: Names, orders: Orders = ()) -> list[Grid]:
    """Count, for each feature, which labels aligned units have, and which units have no counterpart."""
    first = next(iter(alignments.values()), None)
    if first is None:
        return []
    features: list[str | None] = [*_features(first)[:_MOST_FEATURES]]
    found = [_of_feature(alignments.values(), feature, names, orders) for feature in features or [*_NO_FEATURE]]
    return [grid for grid in found if grid is not None]


def rating_confusion(ratings: Ratings, names: Names, orders: Orders = ()) -> Grid | None:
    """Count which labels two annotators gave to the same item."""
    codes = ratings.codes if ratings.repeats is None else np.repeat(ratings.codes, ratings.repeats, axis=0)
    missing = np.where(codes < 0, _NOBODY, codes)
    n = len(ratings.labels)
    counts = count_pairs([missing], n, ordered=len(ratings.annotators) == 2)[:n, :n]
    heads = [names.of("label", label) for label in ratings.labels]
    groups = _groups(ratings.labels, counts, orders)
    return _grid("Confusion: labels of the same item", heads, counts, groups, ratings.annotators)


def _of_feature(alignments: Iterable[Aligned], feature: str | None, names: Names, orders: Orders) -> Grid | None:
    every = list(alignments)
    corpus = every[0].document.corpus
    labels = () if feature is None else corpus.features[feature].labels
    counts = count_pairs(
        [_codes(alignment, feature) for alignment in every], len(labels), ordered=len(corpus.annotators) == 2
    )
    unlabelled = "unit" if feature is None else NO_LABEL
    heads = [*(names.of(feature or "", label) for label in labels), unlabelled, NO_UNIT]
    groups = [*_groups(labels, counts, orders), [len(labels)], [len(labels) + 1]]
    caption = f"Confusion: {'units that are aligned' if feature is None else f'{feature} of aligned units'}"
    return _grid(caption, heads, counts, groups, corpus.annotators)


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


def _features(alignment: Aligned) -> list[str]:
    if isinstance(alignment, Alignment):
        return list(alignment.dissimilarity.features)
    return [name for name in alignment.document.corpus.features if name != "type"]


def _codes(alignment: Aligned, feature: str | None) -> IntArray:
    table = alignment.solution.table
    if feature is None:
        codes = np.full(alignment.annotations.n_units, -1)
    elif isinstance(alignment, TextAlignment):
        column = alignment.document.corpus.features[feature].codes
        codes = np.where(alignment.rows >= 0, column[alignment.rows], -1)
    else:
        codes = np.asarray(alignment.annotations.codes[_features(alignment).index(feature)])
    if not len(codes):
        return np.full(table.shape, _NOBODY)
    return np.where(table >= 0, codes[table], _NOBODY)


def _groups(labels: Sequence[Label], counts: IntArray, orders: Orders) -> list[list[int]]:
    """Give the labels that have a row of their own, the most frequent, and the others together."""
    total = (counts.sum(axis=0) + counts.sum(axis=1))[: len(labels)].tolist()
    shown = label_order(labels, total, _MOST_LABELS, orders)
    rest = [k for k in range(len(labels)) if total[k] and k not in shown]
    return [*([k] for k in shown), *([rest] if rest else [])]


def _grid(
    caption: str, names: Sequence[str], counts: IntArray, groups: Sequence[list[int]], annotators: Sequence[str]
) -> Grid | None:
    """Lay counts out: one row and column a group, without those that never occur."""
    total = counts.sum(axis=0) + counts.sum(axis=1)
    groups = [group for group in groups if total[group].any()]
    if not groups:
        return None
    heads = [names[group[0]] if len(group) == 1 else f"{len(group):,} others" for group in groups]
    cells = np.array([[counts[np.ix_(a, b)].sum() for b in groups] for a in groups], dtype=np.int64)
    totals = np.maximum(cells.sum(axis=1), 1)
    rows = []
    for k, head in enumerate(heads):
        shades = [shade(n / totals[k], "same" if k == j else "other") if n else "" for j, n in enumerate(cells[k])]
        rows.append(
            [named(head), *(Cell(f"{n:,}" if n else "·", float(n), s) for n, s in zip(cells[k], shades, strict=True))]
        )
    two = len(annotators) == 2
    corner = f"{annotators[0]} ↓ {annotators[1]} →" if two else "label"
    note = (
        f"Rows are {annotators[0]}, columns {annotators[1]}."
        if two
        else "Every pair of annotators counts, and the table is the same on both sides of its diagonal."
    )
    return Grid(caption, (corner, *heads), (False, *[True] * len(heads)), rows, note=note, matrix=True)
