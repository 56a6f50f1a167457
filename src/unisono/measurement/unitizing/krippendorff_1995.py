"""α_U: whether annotators mark the same stretches of a continuum, category by category (Krippendorff 1995, 2004)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Unpack

import numpy as np

from unisono.arrays import FloatArray, IntArray, run
from unisono.data.labelled_units import LabelledUnits, refuse_overlap
from unisono.data.sections import GAP, Sections, category_sections, intersections
from unisono.measurement.coefficient import coefficient
from unisono.measurement.options import UnitsOptions
from unisono.measurement.sums import DocumentSums, Tables
from unisono.measurement.unitizing.units import (
    UnitStatistics,
    UnitSums,
    compared_lengths,
    family_of_units,
    unit_frame,
)
from unisono.results import VALUES, Estimate, from_disagreement


def prepare(data: Any, *, feature: str | None) -> CategorySections:
    """Cut a corpus into sections, once for each category; DataError if one annotator's units of it overlap."""
    return CategorySections(unit_frame(data, feature, partial(refuse_overlap, measure="α_U", within_category=True)))


@coefficient(
    family_of_units(prepare, at_once=compared_lengths),
    symbol="α_U",
    title="Krippendorff's α_U: units on a continuum, each category separately",
    needs="spans that do not overlap within an annotator and category; two or more annotators",
    ignores="which categories are confused with which: each has its own continuum",
    reference="Krippendorff 1995; Krippendorff 2004, p. 251",
    papers=("krippendorff1995",),
    when="if results are to be compared with studies that report α_U; otherwise use its successor, u-alpha",
)
def alpha_u(continua: CategoryContinua, **how: Unpack[UnitsOptions]) -> Estimate:
    """Agreement beyond chance on where the units of each category start and end.

    α_U = 1 - Σ_c D_o,c / Σ_c D_e,c. Two units that intersect differ by (b_g - b_h)² + (e_g - e_h)², their starts and
    ends; a unit that lies within a gap by its squared length. D_o,c is the sum over ordered pairs of annotators,
    divided by m (m - 1) L². With the lengths l of the category's N_c units and l_φ of its gaps

    D_e,c = 2/L · Σ_g ((N_c - 1)/3 · (2l³ - 3l² + l) + l² Σ_{l_φ ≥ l} (l_φ - l + 1)) / (mL (mL - 1) - Σ_g l (l - 1)).

    If positions are not whole numbers, there is no smallest step: the limit for ever smaller steps is used.

    The numbers of Krippendorff (2004), pp. 251–256, are reproduced. Of those in Krippendorff (1995), eqs. 7–11, all
    observed disagreements are, and two of the four expected ones.

    See Also
    --------
    u_alpha, gamma

    Examples
    --------
    >>> import unisono
    >>> corpus = unisono.Corpus.from_columns(
    ...     annotator=["anna", "anna", "bert", "bert"],
    ...     start=[0, 5, 0, 6],
    ...     end=[4, 9, 4, 9],
    ...     features={"category": ["PER", "LOC", "PER", "ORG"]},
    ... )
    >>> round(unisono.alpha_u(corpus).value, 3)
    0.02
    """
    observed, expected = continua.observed, continua.expected
    tables = {"categories": _categories(continua, observed, expected)} if continua.document is None else {}
    return from_disagreement(float(observed.sum()), float(expected.sum()), tables=tables)


def _categories(continua: CategoryContinua, observed: FloatArray, expected: FloatArray) -> list[dict[str, Any]]:
    """Return α_U of each category."""
    n_units = continua.n_by_category[1:]
    rows = []
    for c in np.flatnonzero(n_units).tolist():
        found = from_disagreement(float(observed[c]), float(expected[c]))
        values = {name: getattr(found, name) for name in VALUES}
        rows.append({"category": continua.names[c], **values, "n_units": int(n_units[c])})
    return rows


@dataclass(frozen=True)
class CategorySections(UnitSums):
    """Sections of a corpus, once for each category (see `Prepared`).

    What is expected by chance is no sum over documents: the lengths of all units are compared with those of all gaps.
    """

    def statistics_of(self, tables: Tables, document: int | None) -> CategoryContinua:
        """See `SumsPrepared`."""
        return CategoryContinua(self.frame, tables, document, self)

    def added_up(self, units: LabelledUnits) -> dict[str, DocumentSums]:
        """See `UnitSums`: nothing else."""
        return {}

    @property
    def sections(self) -> Sections:
        """Units and gaps; one continuum per document and category that occurs there."""
        return self._cut[0]

    @property
    def document(self) -> IntArray:
        """The document of each continuum."""
        return self._cut[1]

    @property
    def category(self) -> IntArray:
        """The category of each continuum, from 1 up."""
        return self._cut[2]

    @cached_property
    def differences(self) -> FloatArray:
        """Σ_{i≠j} δ² / (m (m - 1)) of each continuum."""
        cut, sums = self.sections, np.zeros(len(self.document))
        for _, g, h, length in intersections(cut):
            apart = np.square(cut.start[g] - cut.start[h]) + np.square(cut.end[g] - cut.end[h])
            within = (length == cut.length[g]) & (cut.category[h] == GAP) & (cut.category[g] != GAP)
            around = (length == cut.length[h]) & (cut.category[g] == GAP) & (cut.category[h] != GAP)
            both = (cut.category[g] != GAP) & (cut.category[h] != GAP)
            delta = np.where(both, apart, np.where(within | around, np.square(length), 0.0))
            sums += 2 * np.bincount(cut.continuum[g], weights=delta, minlength=len(sums))
        m = self.units.n_workers[self.document]
        return np.asarray(sums / (m * (m - 1)))

    @cached_property
    def _cut(self) -> tuple[Sections, IntArray, IntArray]:
        return category_sections(self.units)


@dataclass(frozen=True)
class CategoryContinua(UnitStatistics):
    """The units and gaps of each category, in one document or in all.

    Several documents are one long continuum in parts: lengths add up, and units and gaps of all are compared.
    """

    prepared: CategorySections

    @property
    def units(self) -> LabelledUnits:
        """The units of all documents."""
        return self.prepared.units

    @property
    def undefined(self) -> str | None:
        """Why there can be no value."""
        category = self.prepared.sections.category
        return super().undefined or (None if (category[self._rows] != GAP).any() else "all units have length 0")

    @property
    def observed(self) -> FloatArray:
        """D_o of each category."""
        category, sums = self.prepared.category[self._continua], self.prepared.differences[self._continua]
        by_category = np.bincount(category - 1, weights=sums, minlength=len(self.names))
        return np.asarray(by_category / float(self._lengths.sum()) ** 2)

    @property
    def expected(self) -> FloatArray:
        """D_e of each category."""
        cut = self.prepared.sections
        continuum = cut.continuum[self._rows]
        category = self.prepared.category[continuum]
        length, is_gap = cut.length[self._rows], cut.category[self._rows] == GAP
        order = np.argsort(category, kind="stable")
        found = np.zeros(len(self.names))
        for rows in np.split(order, np.flatnonzero(np.diff(category[order])) + 1):
            units, gaps = length[rows][~is_gap[rows]], length[rows][is_gap[rows]]
            found[category[rows[0]] - 1] = self._expected(units, np.concatenate([gaps, self._without(continuum[rows])]))
        return found

    def _expected(self, units: FloatArray, gaps: FloatArray) -> float:
        """Return D_e of a category with units and gaps of these lengths."""
        if not len(units):
            return 0.0
        step = 1.0 if self.frame.whole else 0.0
        total = float(self._lengths @ self._workers)
        against_units = (len(units) - 1) / 3 * (2 * units**3 - step * (3 * units**2 - units))
        gaps = np.sort(gaps)
        after = np.concatenate([np.cumsum(gaps[::-1])[::-1], [0.0]])
        first = np.searchsorted(gaps, units)
        against_gaps = units**2 * np.maximum(after[first] - (len(gaps) - first) * (units - step), 0.0)
        pairs = total * (total - step) - float((units * (units - step)).sum())
        return 2 / float(self._lengths.sum()) * float((against_units + against_gaps).sum()) / pairs

    def _without(self, continua: IntArray) -> FloatArray:
        """Return the gaps in documents other than those of the continua: the whole document, for each annotator.

        There, nobody marked the category. A document alone has only the categories that were marked in it.
        """
        if self.document is not None:
            return np.zeros(0)
        there = np.zeros(len(self.units.shared), dtype=np.bool_)
        there[self.prepared.document[continua]] = True
        empty = ~there[self._documents]
        return np.repeat(self._lengths[empty], self._workers[empty])

    @cached_property
    def _documents(self) -> IntArray:
        return np.flatnonzero(self.units.shared) if self.document is None else np.array([self.document])

    @cached_property
    def _continua(self) -> slice:
        """The continua here; they are sorted by document."""
        if self.document is None:
            return slice(0, len(self.prepared.document))
        return run(self.prepared.document, self.document, self.document + 1)

    @cached_property
    def _rows(self) -> slice:
        """The sections here."""
        return run(self.prepared.sections.continuum, self._continua.start, self._continua.stop)

    @cached_property
    def _lengths(self) -> FloatArray:
        """How long each document is."""
        units = self.units
        return np.asarray(units.finish[self._documents] - units.begin[self._documents])

    @cached_property
    def _workers(self) -> IntArray:
        """How many annotators worked on each document."""
        return self.units.n_workers[self._documents]
