"""Documents of γ in batches: what is kept of each batch once its documents are aligned and chance is known.

Costs of unitary alignments, what differs and agreement on categories are added up for all documents of a batch at once:
there may be thousands of small ones. A batch's numbers depend on its documents only, so a corpus may be measured batch
by batch, in any process, and gives the same result.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np

from unisono.alignment.alignment import disorder_parts
from unisono.alignment.solution import Solution
from unisono.arrays import BoolArray, FloatArray, IntArray, sums_of_runs
from unisono.bundles import Bundled
from unisono.data import AnnotationSet
from unisono.data.annotation_set import stacked
from unisono.dissimilarity.combined import BoundDissimilarity
from unisono.measurement.disorder.document import NONE, SERIOUS, DocumentColumns, expectations
from unisono.measurement.gamma.categories import CategoryTally, summed, tally_sets
from unisono.measurement.gamma.expected import ExpectedCategories

_T = TypeVar("_T")

_MOST_SUMS = 2**20
"""So many documents times categories are added up at a time."""


@dataclass(frozen=True, eq=False)
class MeasuredBatch:
    """What is kept of some documents.

    Attributes
    ----------
    columns : DocumentColumns
        Their numbers.
    category_sums : float64 array, shape (4, 1 + n_categories)
        Sums of observed disorder, weight, weight where chance is known, and expected disorder of categories.
    label_counts : int64 array, shape (1 + n_categories,)
        How many units have no category, and how many have each.
    solutions : dict
        Document, by its number, to its alignment; empty if that is not kept.
    chances : dict
        Chance model, by its number, to what it gives; empty if that is not kept.
    """

    columns: DocumentColumns
    category_sums: FloatArray
    label_counts: IntArray
    solutions: Mapping[int, Solution] = field(default_factory=dict)
    chances: Mapping[int, ExpectedCategories] = field(default_factory=dict)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle all alignments together, and all that chance gives."""
        kept = [([*own], Bundled(own.values())) for own in (self.solutions, self.chances)]
        return _batch_of, (self.columns, self.category_sums, self.label_counts, *kept)


def _batch_of(
    columns: DocumentColumns,
    category_sums: FloatArray,
    label_counts: IntArray,
    solutions: tuple[list[int], Bundled[Solution]],
    chances: tuple[list[int], Bundled[ExpectedCategories]],
) -> MeasuredBatch:
    kept = dict(zip(*solutions, strict=True)), dict(zip(*chances, strict=True))
    return MeasuredBatch(columns, category_sums, label_counts, *kept)


@dataclass(frozen=True)
class Judged:
    """What is known about the value of a document besides numbers: its chance model, and what a reader should know."""

    model: int
    chance: ExpectedCategories | None
    undefined: str | None
    notes: tuple[str, ...] = ()


def made_batch(
    first: int,
    sets: Sequence[AnnotationSet],
    solutions: Sequence[Solution | None],
    judged: Sequence[Judged],
    dissimilarity: BoundDissimilarity,
) -> MeasuredBatch:
    """Make a batch of documents, the first of which has this number."""
    n_labels = len(dissimilarity.labels[dissimilarity.features[0]]) if dissimilarity.features else 0
    costs = _added_up(sets, solutions, judged, dissimilarity, n_labels)
    n_units = np.array([units.n_units for units in sets], np.int64)
    n_annotators = np.array([units.n_annotators for units in sets], np.int64)
    reasons = tuple(dict.fromkeys(one.undefined for one in judged if one.undefined is not None))
    remarks = tuple(dict.fromkeys([(), *(one.notes for one in judged)]))
    columns = DocumentColumns(
        n_units=n_units,
        n_annotators=n_annotators,
        size=np.where(np.isnan(costs.total), 0.0, n_units / np.maximum(n_annotators, 1)),
        total=costs.total,
        bound=costs.bound,
        n_aligned=costs.n_aligned,
        serious=costs.serious,
        parts=costs.parts,
        model=np.array([one.model for one in judged], np.int64),
        **expectations([one.chance for one in judged]),
        undefined=_codes([one.undefined for one in judged], {**_numbered(reasons), None: NONE}),
        notes=_codes([one.notes for one in judged], _numbered(remarks)),
        kinds=costs.kinds,
        reasons=reasons,
        remarks=remarks,
    )
    return MeasuredBatch(
        columns,
        costs.category_sums,
        _label_counts(sets, n_labels),
        {first + index: one for index, one in enumerate(solutions) if one is not None},
        {one.model: one.chance for one in judged if one.chance is not None},
    )


@dataclass
class _Costs:
    """Sums over the unitary alignments of each document."""

    total: FloatArray
    bound: FloatArray
    n_aligned: IntArray
    serious: BoolArray
    parts: FloatArray
    kinds: tuple[str, ...]
    category_sums: FloatArray


def _added_up(
    sets: Sequence[AnnotationSet],
    solutions: Sequence[Solution | None],
    judged: Sequence[Judged],
    dissimilarity: BoundDissimilarity,
    n_labels: int,
) -> _Costs:
    """Add up costs, parts and categories of documents, those with the same number of annotators at once."""
    n = len(sets)
    made = _Costs(
        total=np.full(n, np.nan),
        bound=np.full(n, np.nan),
        n_aligned=np.zeros(n, np.int64),
        serious=np.zeros(n, np.bool_),
        parts=np.zeros((n, 0)),
        kinds=(),
        category_sums=np.zeros((4, 1 + n_labels)),
    )
    for place, found in _together(sets, solutions, _MOST_SUMS // (1 + n_labels)):
        units = stacked([sets[index] for index in place])
        cost = np.concatenate([one.cost for one in found])
        n_rows = np.array([len(one.cost) for one in found])
        document = np.repeat(np.arange(len(found)), n_rows)
        table = np.concatenate([one.table for one in found])
        table = np.where(table >= 0, table + units.begin[:: units.n_annotators][document, None], -1)
        made.total[place] = sums_of_runs(cost, n_rows)
        made.bound[place] = [one.bound for one in found]
        made.n_aligned[place] = np.bincount(document, weights=(table >= 0).sum(axis=1), minlength=len(found))
        made.serious[place] = np.bincount(document, weights=cost >= SERIOUS, minlength=len(found)) > 0
        parts = disorder_parts(units, dissimilarity, table, cost)
        if not made.kinds:
            made.kinds, made.parts = tuple(parts), np.zeros((n, len(parts)))
        for kind, part in enumerate(parts.values()):
            made.parts[place, kind] = np.bincount(document, weights=part, minlength=len(found))
        tally = tally_sets(units, dissimilarity, table, document, len(found))
        if tally is not None:
            expected = [_expected_categories(judged[index], sets[index]) for index in place]
            which = np.array([one is not None for one in expected], np.bool_)
            some = [one for one in expected if one is not None]
            if some:
                made.category_sums += summed(CategoryTally(tally.disorder[which], tally.weight[which]), np.array(some))
    return made


def _expected_categories(judged: Judged, units: AnnotationSet) -> FloatArray | None:
    """Return the expected categorical disorder of a document that counts in the value of the corpus."""
    chance = judged.chance
    return None if chance is None or not chance.mean > 0 or not units.n_units else chance.categories


def _together(
    sets: Sequence[AnnotationSet], solutions: Sequence[Solution | None], most: int
) -> Iterator[tuple[list[int], list[Solution]]]:
    """Iterate over documents that can be added up together, at most so many at a time, and their alignments."""
    groups: dict[int, list[tuple[int, Solution]]] = {}
    for index, (units, found) in enumerate(zip(sets, solutions, strict=True)):
        if found is not None:
            groups.setdefault(units.n_annotators, []).append((index, found))
    for group in groups.values():
        for first in range(0, len(group), max(most, 1)):
            some = group[first : first + max(most, 1)]
            yield [index for index, _ in some], [found for _, found in some]


def _label_counts(sets: Sequence[AnnotationSet], n_labels: int) -> IntArray:
    """Count the units without a category, and with each of them."""
    codes = [units.codes[0] for units in sets if len(units.codes)] or [np.zeros(0, np.int64)]
    return np.bincount(np.concatenate(codes) + 1, minlength=1 + n_labels).astype(np.int64)


def _numbered(distinct: Sequence[_T]) -> dict[_T, int]:
    return {one: code for code, one in enumerate(distinct)}


def _codes(values: Sequence[_T], number: Mapping[_T, int]) -> IntArray:
    return np.fromiter((number[one] for one in values), np.int64, count=len(values))
