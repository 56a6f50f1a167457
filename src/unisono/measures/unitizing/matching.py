"""Which units of two annotators can be matched, and the best way to match them one to one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any, TypeAlias

import numpy as np

from unisono.arrays import BoolArray, FloatArray, IntArray
from unisono.data.labelled_units import LabelledUnits
from unisono.data.sections import places
from unisono.kernels.assignment import assign
from unisono.kernels.switch import plan
from unisono.measures.unitizing.units import UnitsPrepared, units_of, without_value

Saving: TypeAlias = Callable[[LabelledUnits, IntArray, IntArray], FloatArray]
"""units, u, v -> what matching unit u with unit v is worth, pair by pair; 0 if they cannot be matched."""


def prepare(data: Any, *, feature: str | None) -> SpansPrepared:
    """Take the units of a corpus, whether they overlap or not."""
    return SpansPrepared(units_of(data, feature), extent=False, lengths=False)


@dataclass(frozen=True)
class SpansPrepared(UnitsPrepared):
    """Units of a corpus that are matched between annotators (see `Prepared`)."""

    def statistics(self, document: int | None = None) -> Matches:
        """Give the matches of one document, or of all."""
        return Matches(self, document)

    @cached_property
    def touching(self) -> tuple[IntArray, IntArray, IntArray]:
        """All units of different annotators that overlap, or are the same: pair of annotators, unit, other unit."""
        found = list(_touching(self.units))
        empty = np.zeros(0, np.int64)
        return tuple(np.concatenate([empty, *(part[i] for part in found)]) for i in range(3))  # type: ignore[return-value]

    @cached_property
    def _matched(self) -> dict[str, tuple[IntArray, IntArray, IntArray, FloatArray]]:
        return {}

    def matched(self, name: str, saving: Saving) -> tuple[IntArray, IntArray, IntArray, FloatArray]:
        """Match the units of every two annotators for the greatest total saving; each way is computed once.

        Parameters
        ----------
        name : str
            Under which the matches are kept.
        saving : Saving
            What matching two units is worth.

        Returns
        -------
        pair, u, v, saving
            Pair of annotators, the units, and what matching them saves; sorted by document.
        """
        if name not in self._matched:
            pair, u, v = self.touching
            worth = saving(self.units, u, v)
            useful = worth > 0
            pair, u, v, worth = pair[useful], u[useful], v[useful], worth[useful]
            plan(len(u), 2)
            chosen = _best(pair, u, v, worth)
            chosen = chosen[np.argsort(self.units.document[u[chosen]], kind="stable")]
            self._matched[name] = pair[chosen], u[chosen], v[chosen], worth[chosen]
        return self._matched[name]


@dataclass(frozen=True)
class Matches:
    """What is matched in one document, or in all, as formulas see it."""

    prepared: SpansPrepared
    document: int | None

    @property
    def undefined(self) -> str | None:
        """Why there can be no value."""
        return without_value(self.units, self.document)

    @property
    def units(self) -> LabelledUnits:
        """The units."""
        return self.prepared.units

    @cached_property
    def pairs(self) -> IntArray:
        """The pairs of annotators who worked on the same document, shape (n_pairs, 2)."""
        worked = self._worked.astype(np.int64)
        together = worked.T @ worked
        everybody = list(combinations(range(len(together)), 2))
        return np.array([pair for pair in everybody if together[pair]], dtype=np.int64).reshape(-1, 2)

    @cached_property
    def n_units(self) -> IntArray:
        """Units of annotator a in documents that b worked on too; shape (n_annotators, n_annotators)."""
        return np.asarray(self.by_category.sum(axis=1))

    @cached_property
    def by_category(self) -> IntArray:
        """The same category by category; shape (n_annotators, n_categories, n_annotators)."""
        here = slice(None) if self.document is None else self.units.rows(self.document)
        document, category = self.units.document[here], self.units.category[here] - 1
        n_annotators, n_categories = self.units.worked.shape[1], len(self.units.labels)
        keys = self.units.annotator[here] * n_categories + category
        size = n_annotators * n_categories
        counts = [
            np.bincount(keys[self.units.worked[document, b]], minlength=size).reshape(n_annotators, n_categories)
            for b in range(n_annotators)
        ]
        return np.stack(counts, axis=2).astype(np.int64) if counts else np.zeros((0, n_categories, 0), np.int64)

    def saved(self, name: str, saving: Saving) -> FloatArray:
        """Give what the best matches save, summed for each of `pairs`."""
        return np.asarray(self.saved_by_category(name, saving).sum(axis=1))

    def saved_by_category(self, name: str, saving: Saving) -> FloatArray:
        """Give the same for each category of the first annotator's units; shape (n_pairs, n_categories)."""
        pair, u, _, worth = self.prepared.matched(name, saving)
        if self.document is not None:
            low, high = np.searchsorted(self.units.document[u], (self.document, self.document + 1))
            pair, u, worth = pair[low:high], u[low:high], worth[low:high]
        n_categories = len(self.units.labels)
        n_annotators = self.units.worked.shape[1]
        keys = pair * n_categories + self.units.category[u] - 1
        sums = np.bincount(keys, weights=worth, minlength=n_annotators**2 * n_categories)
        table = sums.reshape(n_annotators**2, n_categories)
        return np.asarray(table[self.pairs[:, 0] * n_annotators + self.pairs[:, 1]])

    @property
    def _worked(self) -> BoolArray:
        return self.units.worked if self.document is None else self.units.worked[[self.document]]


def _touching(units: LabelledUnits) -> Iterator[tuple[IntArray, IntArray, IntArray]]:
    """List the units of every two annotators that share a place, or are both empty and at the same place.

    Two units overlap if one starts within the other. Places are numbered along all documents, so that the units that
    start within another are neighbours in the order of starts.
    """
    place = places(np.tile(units.document, 2), np.concatenate([units.start, units.end]))
    first, last = place[: units.n_units], place[units.n_units :]
    empty = first == last
    n_annotators = units.worked.shape[1]
    of = [np.flatnonzero(units.annotator == who) for who in range(n_annotators)]
    for i, j in combinations(range(n_annotators), 2):
        for u, v in (
            _starting_within(of[i][~empty[of[i]]], of[j][~empty[of[j]]], first, first, last),
            _starting_within(of[j][~empty[of[j]]], of[i][~empty[of[i]]], first, first + 1, last)[::-1],
            _starting_within(of[i][empty[of[i]]], of[j][empty[of[j]]], first, first, last + 1),
        ):
            yield np.full(len(u), i * n_annotators + j, np.int64), u, v


def _starting_within(
    starting: IntArray, around: IntArray, first: IntArray, since: IntArray, until: IntArray
) -> tuple[IntArray, IntArray]:
    """Pair units of the one kind with those of the other that they start within; both are sorted by start."""
    low = np.searchsorted(first[starting], since[around], side="left")
    high = np.maximum(np.searchsorted(first[starting], until[around], side="left"), low)
    counts = high - low
    begin = np.cumsum(counts) - counts
    index = np.arange(int(counts.sum())) - np.repeat(begin - low, counts)
    return starting[index], np.repeat(around, counts)


def _best(pair: IntArray, u: IntArray, v: IntArray, saving: FloatArray) -> IntArray:
    """Choose the edges of the best matching, pairs of annotators apart from each other."""
    chosen = [np.zeros(0, np.int64)]
    order = np.lexsort((v, u, pair))
    for edges in np.split(order, np.flatnonzero(np.diff(pair[order])) + 1):
        if not len(edges):
            continue
        rows, row = np.unique(u[edges], return_inverse=True)
        columns, column = np.unique(v[edges], return_inverse=True)
        starts = np.searchsorted(row, np.arange(len(rows) + 1))
        column_of = assign(starts, column.astype(np.int64), saving[edges], len(columns))
        chosen.append(edges[column == column_of[row]])
    return np.concatenate(chosen)
