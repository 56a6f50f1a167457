"""Which labels are confused: counts of pairs of aligned units, or of labels of one item."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TypeAlias

import numpy as np

from unisono.alignment.aligned import Aligned
from unisono.alignment.text_alignment import TextAlignment
from unisono.arrays import IntArray
from unisono.data import Label, Ratings
from unisono.reporting.addresses import choice_address
from unisono.reporting.full_report.hidden_text import Names
from unisono.reporting.full_report.label_order import Orders, label_order
from unisono.reporting.full_report.label_paints import PaintedLabels, painted_labels
from unisono.reporting.full_report.places import compared_features
from unisono.reporting.shown_tables import ShownTable, count_cell, name_cell, shade

NO_LABEL, NO_UNIT = "no label", "no unit"
_MOST_LABELS = 20
_MOST_FEATURES = 4
_NOBODY = -2
_Address: TypeAlias = Callable[[Sequence[int], Sequence[int]], str]
"""Groups of labels of a row and a column to the address of the places where they meet."""


def alignment_confusion(alignments: Mapping[str, Aligned], names: Names, orders: Orders = ()) -> list[ShownTable]:
    """Count, for each feature, which labels aligned units have, and which units have no counterpart."""
    first = next(iter(alignments.values()), None)
    if first is None:
        return []
    features: list[str | None] = [*compared_features(first)[:_MOST_FEATURES]]
    found = [_of_feature(list(alignments.values()), feature, names, orders) for feature in features or [None]]
    return [table for table in found if table is not None]


def rating_confusion(ratings: Ratings, names: Names, orders: Orders = ()) -> ShownTable | None:
    """Count which labels two annotators gave to the same item."""
    codes = ratings.codes if ratings.repeats is None else np.repeat(ratings.codes, ratings.repeats, axis=0)
    missing = np.where(codes < 0, _NOBODY, codes)
    n = len(ratings.labels)
    counts = count_pairs([missing], n, ordered=len(ratings.annotators) == 2)[:n, :n]
    heads = [names.of("label", label) for label in ratings.labels]
    painted = painted_labels(ratings, ratings.codes, orders)
    groups, caption = _groups_of_ratings(painted, counts), "Confusion: labels of the same item"
    return _table(caption, heads, counts, groups, ratings.annotators, stretches=painted.shaded)


def _groups_of_ratings(painted: PaintedLabels, counts: IntArray) -> list[list[int]]:
    """Give the most frequent labels a row of their own; of many numbers, put those of the same shade together."""
    total = (counts.sum(axis=0) + counts.sum(axis=1)).tolist()
    used = [(code, paint) for code, paint in zip(painted.order, painted.paints, strict=True) if total[code]]
    if len(used) > _MOST_LABELS and painted.shaded:
        return [[code for code, own in used if own == paint] for paint in dict.fromkeys(paint for _, paint in used)]
    kept = set(sorted((code for code, _ in used), key=lambda code: -total[code])[:_MOST_LABELS])
    rest = [code for code, _ in used if code not in kept]
    return [*([code] for code, _ in used if code in kept), *([rest] if rest else [])]


def _of_feature(alignments: Sequence[Aligned], feature: str | None, names: Names, orders: Orders) -> ShownTable | None:
    corpus = alignments[0].document.corpus
    labels = () if feature is None else corpus.features[feature].labels
    codes = (_codes(alignment, feature) for alignment in alignments)
    counts = count_pairs(codes, len(labels), ordered=len(corpus.annotators) == 2)
    unlabelled = "unit" if feature is None else NO_LABEL
    heads = [*(names.of(feature or "", label) for label in labels), unlabelled, NO_UNIT]
    groups = [*_groups(labels, counts, orders), [len(labels)], [len(labels) + 1]]
    caption = f"Confusion: {'units that are aligned' if feature is None else f'{feature} of aligned units'}"
    people = corpus.annotators if len(corpus.annotators) == 2 else ()
    first = feature is None or feature == compared_features(alignments[0])[0]
    address = partial(_places_where, heads, people, "" if first else feature or "")
    return _table(caption, heads, counts, groups, corpus.annotators, address=address)


def _places_where(
    heads: Sequence[str], people: Sequence[str], feature: str, row: Sequence[int], column: Sequence[int]
) -> str:
    """Return the address of the places where a label of the row meets one of the column.

    The last two of `heads` are no label and no unit; `people` are the annotators of rows and columns, if there are two.
    """
    special = {len(heads) - 2: "label", len(heads) - 1: "unit"}
    sides = sorted([row, column], key=lambda group: group[0] in special)  # labels first
    labels = [[heads[code] for code in group] for group in sides if group[0] not in special]
    chosen = dict(zip(("row", "column"), labels, strict=False))
    if none := [special[group[0]] for group in sides if group[0] in special]:
        chosen["none"] = none
    if people:
        chosen["pair"] = list(people if sides[0] is row else people[::-1])
    if feature:
        chosen["feature"] = [feature]
    return choice_address(**chosen, **({"all": "1"} if row is column else {}))


def count_pairs(tables: Iterable[IntArray], n_labels: int, *, ordered: bool) -> IntArray:
    """Count pairs of annotators by what they have.

    Parameters
    ----------
    tables : iterable of int64 array, shape (n_places, n_annotators)
        The label of each annotator; -1 a unit without label, -2 no unit.
    n_labels : int
        How many labels there are.
    ordered : bool
        Whether rows are the first annotator and columns the second; otherwise a pair counts both ways.

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


def _codes(alignment: Aligned, feature: str | None) -> IntArray:
    table = alignment.solution.table
    if feature is None:
        codes = np.full(alignment.annotations.n_units, -1)
    elif isinstance(alignment, TextAlignment):
        column = alignment.document.corpus.features[feature].codes
        codes = np.where(alignment.rows >= 0, column[alignment.rows], -1)
    else:
        codes = np.asarray(alignment.annotations.codes[compared_features(alignment).index(feature)])
    if not len(codes):
        return np.full(table.shape, _NOBODY)
    return np.where(table >= 0, codes[table], _NOBODY)


def _groups(labels: Sequence[Label], counts: IntArray, orders: Orders) -> list[list[int]]:
    """Give the most frequent labels a row of their own, and put the others together."""
    total = (counts.sum(axis=0) + counts.sum(axis=1))[: len(labels)].tolist()
    shown = label_order(labels, total, _MOST_LABELS, orders)
    rest = [k for k in range(len(labels)) if total[k] and k not in shown]
    return [*([k] for k in shown), *([rest] if rest else [])]


def _table(
    caption: str,
    names: Sequence[str],
    counts: IntArray,
    groups: Sequence[list[int]],
    annotators: Sequence[str],
    *,
    stretches: bool = False,
    address: _Address | None = None,
) -> ShownTable | None:
    """Lay counts out: one row and column per group, without those that never occur.

    Several labels of a group are a stretch of a scale, or else all others.
    """
    total = counts.sum(axis=0) + counts.sum(axis=1)
    groups = [group for group in groups if total[group].any()]
    if not groups:
        return None
    heads = [_head(group, names, stretches) for group in groups]
    cells = [[_n_met(counts[np.ix_(a, b)], a is b and len(annotators) != 2) for b in groups] for a in groups]
    rows = []
    for k, row in enumerate(cells):
        shades = [shade(n / sum(row), "same" if k == j else "other") if n else "" for j, n in enumerate(row)]
        places = ["" if address is None else address(groups[k], group) for group in groups]
        counted = zip(row, shades, places, strict=True)
        rows.append([name_cell(heads[k]), *(count_cell(n, s, zero="·", address=where) for n, s, where in counted)])
    corner, note = "label", "Every pair of annotators counts; the table is symmetric."
    if len(annotators) == 2:
        first, second = annotators
        corner, note = f"{first} ↓ {second} →", f"Rows are {first}, columns {second}."
    return ShownTable(caption, (corner, *heads), rows, note=note, matrix=True)


def _head(group: Sequence[int], names: Sequence[str], stretches: bool) -> str:
    """Name a group: its only label, the ends of a stretch of a scale, or how many labels are put together."""
    if len(group) == 1:
        return names[group[0]]
    return f"{names[group[0]]} – {names[group[-1]]}" if stretches else f"{len(group):,} others"


def _n_met(block: IntArray, both_ways: bool) -> int:
    """Add up how often labels meet; those of one group that count both ways are counted once."""
    return int(np.triu(block).sum() if both_ways else block.sum())
