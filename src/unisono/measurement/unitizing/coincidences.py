"""The length over which sections of two categories coincide: the basis of uα, cuα and related measures.

Everything is a sum over documents, so that a corpus is like one long continuum in parts; with m annotators on a
document, each of its sections meets m - 1 others everywhere and counts 1 / (m - 1) each time.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from unisono.arrays import FloatArray, IntArray, run
from unisono.data import Label
from unisono.data.labelled_units import refuse_overlap
from unisono.data.sections import GAP, Sections, document_sections, intersections
from unisono.measurement.categorization.counts import sums_by, tally, tally_parts
from unisono.measurement.unitizing.units import UnitsPrepared, UnitStatistics, units_of
from unisono.results import Table
from unisono.results.shown import MOST_SQUARE, square_table


def prepare(data: Any, *, feature: str | None, measure: str, gaps: bool) -> SectionsPrepared:
    """Cut a corpus into sections; DataError if units of one annotator overlap. Not every measure uses the gaps."""
    units = units_of(data, feature)
    refuse_overlap(units, measure)
    return SectionsPrepared(units, extent=gaps)


@dataclass(frozen=True)
class LengthCoincidences:
    """Coincidences of categories; 0 is the gap, or not there."""

    # shape (n_cells,): two categories, in either order
    rows: IntArray
    columns: IntArray
    length: FloatArray  # shape (n_cells,): l_ck; cells that are 0 are left out
    margins: FloatArray  # shape (1 + n_categories,): l_c, the sums of rows
    alone: FloatArray  # shape (1 + n_categories,): q_c, the length over which a section would coincide with itself

    @property
    def total(self) -> float:
        """l.., the length of all sections."""
        return float(self.margins.sum())

    @property
    def same(self) -> FloatArray:
        """l_cc, the length over which each category coincides with itself."""
        diagonal = self.rows == self.columns
        return sums_by(self.rows[diagonal], self.length[diagonal], len(self.margins))

    @property
    def pairable(self) -> float:
        """l..² - Σ q, the pairs of places that chance could bring together."""
        return self.total**2 - float(self.alone.sum())


class Continua(UnitStatistics["SectionsPrepared"]):
    """The sections of one document, or of all."""

    @property
    def labels(self) -> tuple[Label | None, ...]:
        """The categories' labels; None for units without one."""
        return self.units.labels

    @property
    def undefined(self) -> str | None:
        """Why there can be no value."""
        return super().undefined or (None if (self.lengths[0] != GAP).any() else "all units have length 0")

    @property
    def sections(self) -> Sections:
        """Units and gaps of all documents."""
        return self.prepared.sections

    @property
    def lengths(self) -> tuple[IntArray, FloatArray]:
        """Category and length of each section here."""
        rows = slice(None) if self.document is None else self.sections.rows(self.document)
        return self.sections.category[rows], self.sections.length[rows]

    @property
    def mismatch(self) -> float:
        """Σ over documents of Σ_{i≠j} |g ∩ h|² / (m - 1), over sections of different categories."""
        found = self.prepared.mismatches
        return float(found.sum() if self.document is None else found[self.document])

    @cached_property
    def coincidences(self) -> LengthCoincidences:
        """l_ck with gaps; q_c is the sum of squared lengths of units, and of lengths of gaps.

        A gap consists of atoms of length 1, each with itself. If positions are not whole numbers, there are no
        atoms, and the limit for ever smaller ones is used, 0.
        """
        category, length = self.lengths
        of_gaps = length if self.units.whole else np.zeros(len(length))
        alone = np.where(category == GAP, of_gaps, length**2)
        return self._coincidences(*self._cells(), sums_by(category, alone, len(self.labels) + 1))

    @cached_property
    def of_units(self) -> LengthCoincidences:
        """l*_ck without gaps; q*_c is the sum of squares of what each unit adds to l*_c."""
        rows, columns, length = self._cells()
        both = (rows != GAP) & (columns != GAP)
        keys, sums = self.prepared.shared
        some = self._cut(keys, len(self.labels) + 1)
        alone = sums_by(keys[some] % (len(self.labels) + 1), sums[some], len(self.labels) + 1)
        return self._coincidences(rows[both], columns[both], length[both], alone)

    def _coincidences(
        self, rows: IntArray, columns: IntArray, length: FloatArray, alone: FloatArray
    ) -> LengthCoincidences:
        return LengthCoincidences(rows, columns, length, sums_by(rows, length, len(self.labels) + 1), alone)

    def _cells(self) -> tuple[IntArray, IntArray, FloatArray]:
        size = len(self.labels) + 1
        keys, sums = self.prepared.met
        some = self._cut(keys, size * size)
        if self.document is not None:
            return (*np.divmod(keys[some] % (size * size), size), sums[some])
        cells, length = tally(keys % (size * size), sums, size * size)
        return (*np.divmod(cells, size), length)

    def _cut(self, keys: IntArray, size: int) -> slice:
        """Find the sorted keys of the document; each document has `size` of them."""
        if self.document is None:
            return slice(None)
        return run(keys, self.document * size, (self.document + 1) * size)


@dataclass(frozen=True)
class SectionsPrepared(UnitsPrepared):
    """Sections of a corpus (see `Prepared`); sums are computed once, when a formula needs them."""

    def statistics(self, document: int | None = None) -> Continua:
        """Return the sections of one document, or of all."""
        return Continua(self, document)

    def matrices(self) -> list[Table]:
        """Return the coincidences of categories, in lengths."""
        continua = self.statistics()
        names = [*(["gap"] if self.extent else []), *map(str, continua.names)]
        if continua.undefined or not 1 < len(names) <= MOST_SQUARE:
            return []
        found = continua.coincidences if self.extent else continua.of_units
        table = np.zeros((len(continua.names) + 1, len(continua.names) + 1))
        table[found.rows, found.columns] = found.length / self.units.scale
        cells = table[-len(names) :, -len(names) :]
        return [square_table("length", names, cells, 0 if (cells == np.floor(cells)).all() else 1)]

    @cached_property
    def sections(self) -> Sections:
        """Units and gaps of all documents."""
        return document_sections(self.units)

    @cached_property
    def met(self) -> tuple[IntArray, FloatArray]:
        """l_ck by document: keys (document, c, k) and lengths."""
        return self._sums[0]

    @cached_property
    def shared(self) -> tuple[IntArray, FloatArray]:
        """q*_c by document: keys (document, c) and sums of squares."""
        return self._sums[1]

    @cached_property
    def mismatches(self) -> FloatArray:
        """Σ_{i≠j} |g ∩ h|² / (m - 1) over sections of different categories, by document."""
        return self._sums[2]

    @cached_property
    def _sums(self) -> tuple[tuple[IntArray, FloatArray], tuple[IntArray, FloatArray], FloatArray]:
        """Go over the intersections once: sorted keys and sums for each of the three."""
        cut, n_documents, size = self.sections, len(self.units.corpus), len(self.units.labels) + 1
        weight = 1.0 / np.maximum(self.units.n_workers - 1, 1)
        n_cells, mismatches, with_units = n_documents * size * size, np.zeros(n_documents), np.zeros(len(cut.category))
        met: list[tuple[IntArray, FloatArray]] = []
        for _, g, h, length in intersections(cut):
            document, c, k = cut.continuum[g], cut.category[g], cut.category[h]
            share = length * weight[document]
            met.append(tally((document * size + c) * size + k, share, n_cells))
            met.append(tally((document * size + k) * size + c, share, n_cells))
            unlike = c != k
            mismatches += 2 * np.bincount(document[unlike], weights=(share * length)[unlike], minlength=n_documents)
            both = (c != GAP) & (k != GAP)
            for unit in (g[both], h[both]):
                with_units += np.bincount(unit, weights=share[both], minlength=len(with_units))
        shared = tally(cut.continuum * size + cut.category, with_units**2, n_documents * size)
        return tally_parts(met, n_cells), shared, mismatches
