"""The interval of γ and text-γ: documents, or blocks of the only one, are left out (docs/intervals.md).

r = Σ observed / Σ expected disorder over documents, so r without some documents comes from sums, and nothing is aligned
again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf
from typing import Any

import numpy as np

from unisono.arrays import BoolArray, FloatArray, IntArray
from unisono.chance.sampling import Expected
from unisono.errors import listed
from unisono.measurement.disorder.document import SERIOUS, Documents, alignment_of
from unisono.statistics.jackknife import FEWEST_PARTS, Disputes, Divisible, ErrorScale, Jackknife

_N_BLOCKS = 5
"""Blocks of one document; single unitary alignments are too small where difficulty drifts through the text (84 to 89%
coverage)."""
_ROUNDING = 1e-12
_SAME = 1e-9
_NOISE = 8.0
"""Expected values of the same document are not further apart than this many standard errors."""


@dataclass(frozen=True, eq=False)
class DisorderParts(Divisible):
    """The documents that can be left out of γ or text-γ."""

    all_documents: Documents[Any, Any]
    # if random annotations are mixed from several documents, the models, by their numbers: samples that a document has
    # a part in are left out with it
    mixed: Mapping[int, Expected] | None = None

    def jackknife(self) -> Jackknife | str:
        """See `Divisible`."""
        n = len(self._usable)
        if not n:
            return "no document has disorder expected by chance to compare with"
        if n == 1:
            return self._over_blocks()
        if self._all_alike():
            return f"all {n} documents are alike, so they do not show how much others would differ"
        return self._over_groups(np.arange(n), self._names)

    def leave_out(self, groups: Sequence[Sequence[str]]) -> Jackknife:
        """See `Divisible`."""
        number = {name: index for index, group in enumerate(groups) for name in group}
        group = np.array([number.get(name, -1) for name in self._names], dtype=np.int64)
        return self._over_groups(group, [listed(group, 2) for group in groups])

    def documents(self) -> dict[str, float]:
        """See `Divisible`: the disorder expected for each document."""
        return dict(zip(self._names, self._expected.tolist(), strict=True))

    @cached_property
    def _usable(self) -> IntArray:
        """The documents that count in the value."""
        return np.flatnonzero(self.all_documents.usable)

    @cached_property
    def _names(self) -> list[str]:
        return [self.all_documents.names[index] for index in self._usable.tolist()]

    @property
    def _sizes(self) -> FloatArray:
        """x̄, the mean number of units per annotator, of each document."""
        return self.all_documents.columns.size[self._usable]

    @property
    def _observed(self) -> FloatArray:
        return self.all_documents.columns.total[self._usable]

    @cached_property
    def _expected(self) -> FloatArray:
        return np.asarray(self._sizes * self.all_documents.columns.mean[self._usable])

    def _over_groups(self, group: IntArray, names: Sequence[str]) -> Jackknife:
        """Leave groups of documents out; documents of group -1 always stay."""
        n_groups = len(names)
        observed, expected = float(self._observed.sum()), float(self._expected.sum()) or inf  # inf without documents
        rest = observed - _sums(group, self._observed, n_groups)
        rest[rest <= _ROUNDING * observed] = 0.0
        by_chance = self._expected_without(group, n_groups)
        by_chance[by_chance <= _ROUNDING * expected] = np.nan
        columns = self.all_documents.columns
        serious = bool(columns.serious[self._usable].any())
        # leaving every unit unaligned is an alignment too, and costs 1 per unit
        greatest = int(columns.n_aligned[self._usable].sum()) / expected
        return Jackknife(
            observed / expected,
            rest / by_chance,
            _sums(group, self._expected, n_groups),
            names=names,
            scale=ErrorScale(greatest=greatest),
            disputes=Disputes(None if serious or n_groups < FEWEST_PARTS else 0, 1 / expected),
            remaining=rest / (observed or 1.0),
        )

    def _expected_without(self, group: IntArray, n_groups: int) -> FloatArray:
        """Return the disorder expected for all other documents without each group."""
        if self.mixed is None:
            return np.asarray(self._expected.sum() - _sums(group, self._expected, n_groups))
        group_of = np.full(len(self.all_documents), n_groups)  # the last place is for documents of no group
        group_of[self._usable] = np.where(group >= 0, group, n_groups)
        total, models = np.zeros(n_groups), self.all_documents.columns.model[self._usable]
        for number in np.unique(models).tolist():
            sizes = (models == number) * self._sizes
            means = self.mixed[number].means_without(group_of, n_groups + 1)[:n_groups]
            total += means * (sizes.sum() - _sums(group, sizes, n_groups))
        return total

    def _all_alike(self) -> bool:
        """Whether documents differ only in the random samples that were drawn for them."""
        observed, columns = self._observed, self.all_documents.columns
        if len(observed) < FEWEST_PARTS or not observed.any() or np.ptp(self._sizes):
            return False
        apart = float(np.ptp(columns.mean[self._usable]))
        return bool(
            np.ptp(observed) <= _SAME * observed.max() and apart <= _NOISE * float(columns.error[self._usable].max())
        )

    def _over_blocks(self) -> Jackknife:
        """Leave out blocks of unitary alignments of the only document, in the order of positions."""
        only = int(self._usable[0])
        alignment, columns = alignment_of(self.all_documents[only]), self.all_documents.columns
        mean, error = float(columns.mean[only]), float(columns.error[only])
        cost, n_units = alignment.solution.cost, (alignment.solution.table >= 0).sum(axis=1)
        n_blocks = min(_N_BLOCKS, len(cost))
        block = np.arange(len(cost)) * n_blocks // max(len(cost), 1)
        keep: BoolArray = block[None, :] != np.arange(n_blocks)[:, None]
        each = mean / alignment.annotations.n_annotators  # disorder expected by chance per unit
        total, expected, rest = float(cost.sum()), float(n_units.sum() * each), keep @ cost
        with np.errstate(invalid="ignore"):  # nothing is left without the only block
            without = rest / (keep @ n_units * each)
        seen = None if (cost >= SERIOUS).any() or n_blocks < FEWEST_PARTS else 0
        return Jackknife(
            total / expected,
            without,
            np.ones(n_blocks),
            "blocks of the document",
            scale=ErrorScale(greatest=float(n_units.sum()) / expected),
            disputes=Disputes(seen, 1 / expected),
            remaining=rest / (total or 1.0),
            noise=(error / mean) ** 2,
        )


def _sums(group: IntArray, values: FloatArray, n_groups: int) -> FloatArray:
    inside = group >= 0
    return np.bincount(group[inside], weights=values[inside], minlength=n_groups).astype(np.float64)
