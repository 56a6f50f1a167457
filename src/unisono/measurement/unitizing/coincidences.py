"""The length over which sections of two categories coincide: the basis of uα, cuα and related measures.

Everything is a sum over documents, so that a corpus is like one long continuum in parts; with m annotators on a
document, each of its sections meets m - 1 others everywhere and counts 1 / (m - 1) each time.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np

from unisono.arrays import FloatArray, IntArray
from unisono.data import Label
from unisono.data.labelled_units import LabelledUnits, refuse_overlap
from unisono.data.sections import GAP, Sections, document_sections, intersections
from unisono.measurement.sums import DocumentSums, Tables, document_sums, sums_by, tally, tally_parts
from unisono.measurement.unitizing.units import UnitStatistics, UnitSums, unit_frame
from unisono.results import Table
from unisono.results.shown import MOST_SQUARE, square_table


def prepare(data: Any, *, feature: str | None, measure: str, gaps: bool) -> SectionsPrepared:
    """Cut a corpus into sections; DataError if units of one annotator overlap. Not every measure uses the gaps."""
    return SectionsPrepared(unit_frame(data, feature, partial(refuse_overlap, measure=measure)), extent=gaps)


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


@dataclass(frozen=True)
class Continua(UnitStatistics):
    """The sections of one document, or of several."""

    prepared: SectionsPrepared

    @property
    def labels(self) -> tuple[Label | None, ...]:
        """The categories' labels; None for units without one."""
        return self.frame.labels

    @property
    def undefined(self) -> str | None:
        """Why there can be no value."""
        return super().undefined or (None if (self.sums["length"].key != GAP).any() else "all units have length 0")

    @property
    def lengths(self) -> tuple[IntArray, FloatArray]:
        """Category and length of each section here, one by one."""
        sections = self.prepared.sections
        rows = slice(None) if self.document is None else sections.rows(self.document)
        return sections.category[rows], sections.length[rows]

    @property
    def mismatch(self) -> float:
        """Σ over documents of Σ_{i≠j} |g ∩ h|² / (m - 1), over sections of different categories."""
        return float(self.sums["mismatch"].value.sum())

    @cached_property
    def coincidences(self) -> LengthCoincidences:
        """l_ck with gaps; q_c is the sum of squared lengths of units, and of lengths of gaps.

        A gap consists of atoms of length 1, each with itself. If positions are not whole numbers, there are no
        atoms, and the limit for ever smaller ones is used, 0.
        """
        alone = self.sums["squares"].spread(self.frame.size)
        alone[GAP] = self.sums["length"].spread(self.frame.size)[GAP] if self.frame.whole else 0.0
        return self._coincidences(*self._cells, alone)

    @cached_property
    def of_units(self) -> LengthCoincidences:
        """l*_ck without gaps; q*_c is the sum of squares of what each unit adds to l*_c."""
        rows, columns, length = self._cells
        both = (rows != GAP) & (columns != GAP)
        alone = self.sums["shared"].spread(self.frame.size)
        return self._coincidences(rows[both], columns[both], length[both], alone)

    def _coincidences(
        self, rows: IntArray, columns: IntArray, length: FloatArray, alone: FloatArray
    ) -> LengthCoincidences:
        return LengthCoincidences(rows, columns, length, sums_by(rows, length, self.frame.size), alone)

    @property
    def _cells(self) -> tuple[IntArray, IntArray, FloatArray]:
        cells, length = self.sums["met"]
        return (*np.divmod(cells, self.frame.size), length)


@dataclass(frozen=True)
class SectionsPrepared(UnitSums):
    """Sections of a corpus (see `Prepared`)."""

    def statistics_of(self, tables: Tables, document: int | None) -> Continua:
        """See `SumsPrepared`."""
        return Continua(self.frame, tables, document, self)

    def matrices(self) -> list[Table]:
        """Return the coincidences of categories, in lengths."""
        continua = self.statistics()
        names = [*(["gap"] if self.extent else []), *map(str, continua.names)]
        if continua.undefined or not 1 < len(names) <= MOST_SQUARE:
            return []
        found = continua.coincidences if self.extent else continua.of_units
        table = np.zeros((len(continua.names) + 1, len(continua.names) + 1))
        table[found.rows, found.columns] = found.length / self.frame.scale
        cells = table[-len(names) :, -len(names) :]
        return [square_table("length", names, cells, 0 if (cells == np.floor(cells)).all() else 1)]

    @cached_property
    def sections(self) -> Sections:
        """Units and gaps of all documents, for a formula that needs each of them."""
        return document_sections(self.units)

    def added_up(self, units: LabelledUnits) -> dict[str, DocumentSums]:
        """Go over the sections, and over their intersections, once.

        Keys of `met` (l_ck) are two categories, those of `length`, `squares` and `shared` (q*_c) are one.
        """
        cut, n_documents, size = document_sections(units), len(units.corpus), self.frame.size
        weight = 1.0 / np.maximum(units.n_workers - 1, 1)
        n_cells, mismatch, with_units = n_documents * size * size, np.zeros(n_documents), np.zeros(len(cut.category))
        met: list[tuple[IntArray, FloatArray]] = []
        for _, g, h, length in intersections(cut):
            document, c, k = cut.continuum[g], cut.category[g], cut.category[h]
            share = length * weight[document]
            met.append(tally((document * size + c) * size + k, share, n_cells))
            met.append(tally((document * size + k) * size + c, share, n_cells))
            unlike = c != k
            mismatch += 2 * np.bincount(document[unlike], weights=(share * length)[unlike], minlength=n_documents)
            both = (c != GAP) & (k != GAP)
            for unit in (g[both], h[both]):
                with_units += np.bincount(unit, weights=share[both], minlength=len(with_units))
        cells, lengths = tally_parts(met, n_cells)
        squares = np.where(cut.category == GAP, 0.0, cut.length**2)
        return {
            "met": DocumentSums(*np.divmod(cells, size * size), lengths),
            "length": document_sums(cut.continuum, cut.category, cut.length, size),
            "squares": document_sums(cut.continuum, cut.category, squares, size),
            "shared": document_sums(cut.continuum, cut.category, with_units**2, size),
            "mismatch": DocumentSums(np.arange(n_documents), np.zeros(n_documents, np.int64), mismatch),
        }
