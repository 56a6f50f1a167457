"""An alignment as people look at it: unitary alignments, their units, and what differs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from unisono import tables
from unisono.alignment.solution import Solution, aligned_pairs
from unisono.arrays import FloatArray
from unisono.data import AnnotationSet, Document, Unit
from unisono.dissimilarity.combined import BoundDissimilarity


@dataclass(frozen=True)
class UnitaryAlignment:
    """At most one unit of each annotator, taken for the same thing (Mathet et al. 2015, §4.5).

    Attributes
    ----------
    units : dict
        Annotator to unit; None is the empty unit.
    disorder : float
        What it costs, equation (6).
    parts : dict
        The disorder by what differs: position, category, missing; with a dissimilarity of one's own, dissimilarity
        and missing.
    """

    units: Mapping[str, Unit | None]
    disorder: float
    parts: Mapping[str, float]

    @property
    def start(self) -> int | float:
        """Where its first unit begins."""
        return min(unit.start for unit in self.units.values() if unit is not None)

    @property
    def end(self) -> int | float:
        """Where its last unit ends."""
        return max(unit.end for unit in self.units.values() if unit is not None)

    @property
    def differs(self) -> tuple[str, ...]:
        """What differs, the greatest part first; nothing where all agree."""
        kinds = [kind for kind, part in self.parts.items() if part > 0]
        return tuple(sorted(kinds, key=lambda kind: -self.parts[kind]))


@dataclass(frozen=True)
class Alignment:
    """The best alignment of one document; iterate over it, ordered by position.

    Attributes
    ----------
    document : Document
        What was aligned.
    annotations : AnnotationSet
        Its units as arrays.
    solution : Solution
        The unitary alignments as arrays, in units of Δ∅.
    dissimilarity : BoundDissimilarity
        d(u, v).
    """

    document: Document
    annotations: AnnotationSet
    solution: Solution
    dissimilarity: BoundDissimilarity

    @property
    def delta_empty(self) -> float:
        """Δ∅, what an empty unit costs."""
        return self.dissimilarity.definition.delta_empty

    @property
    def disorder(self) -> float | None:
        """The disorder δ of the alignment, equation (7); None if there are no units."""
        if not self.annotations.n_units:
            return None
        return self.solution.total * self.delta_empty / self.annotations.mean_units

    @property
    def optimality_gap(self) -> float:
        """By which part the disorder may be above the least; 0 when proven least."""
        return self.solution.gap

    def __repr__(self) -> str:
        disorder = "no units" if self.disorder is None else f"disorder {self.disorder:.4f}"
        return f"Alignment({self.document.name!r}, {len(self)} unitary alignments, {disorder})"

    def __len__(self) -> int:
        return len(self.solution.table)

    def __iter__(self) -> Iterator[UnitaryAlignment]:
        return (self[index] for index in range(len(self)))

    def __getitem__(self, index: int) -> UnitaryAlignment:
        row = self.solution.table[index].tolist()
        return UnitaryAlignment(
            {who: self._units[unit] if unit >= 0 else None for who, unit in zip(self._names, row, strict=True)},
            float(self.solution.cost[index]) * self.delta_empty,
            {kind: float(part[index]) for kind, part in self.parts.items()},
        )

    @cached_property
    def parts(self) -> Mapping[str, FloatArray]:
        """The disorder of each unitary alignment, by what differs."""
        n = self.annotations.n_annotators
        n_pairs = n * (n - 1) / 2
        definition = self.dissimilarity.definition
        row, u, v = aligned_pairs(self.solution.table)
        real = np.bincount(row, minlength=len(self))
        missing = (n_pairs - real) / n_pairs * self.delta_empty
        differing = np.maximum(self.solution.cost * self.delta_empty - missing, 0.0)
        differing[differing < 1e-12 * self.delta_empty] = 0.0
        if definition.custom is not None:
            return {"dissimilarity": differing, "missing": missing}
        category = np.zeros(len(self))
        if definition.beta and self.dissimilarity.compare:
            excess = definition.beta * self.dissimilarity.categorical(self.annotations, u, v)
            category = np.bincount(row, weights=excess, minlength=len(self)) / n_pairs * self.delta_empty
        position = np.maximum(differing - category, 0.0)
        position[position < 1e-12 * self.delta_empty] = 0.0
        return {"position": position, "category": category, "missing": missing}

    def worst_first(self) -> list[int]:
        """Give the numbers of the unitary alignments, those with most disorder first."""
        return [int(index) for index in np.argsort(-self.solution.cost, kind="stable")]

    def columns(self) -> dict[str, list[Any]]:
        """Give the alignment as columns, worst disagreement first: for each annotator start, end and features."""
        rows = [self[index] for index in self.worst_first()]
        columns: dict[str, list[Any]] = {
            "document": [self.document.name] * len(rows),
            "unitary_alignment": [index + 1 for index in self.worst_first()],
            "disorder": [row.disorder for row in rows],
            "differs": ["+".join(row.differs) for row in rows],
            **{kind: [row.parts[kind] for row in rows] for kind in self.parts},
        }
        for who in self._names:
            units = [row.units[who] for row in rows]
            columns[f"{who}.start"] = [None if unit is None else unit.start for unit in units]
            columns[f"{who}.end"] = [None if unit is None else unit.end for unit in units]
            for name in self.document.corpus.features:
                columns[f"{who}.{name}"] = [None if unit is None else unit.features[name] for unit in units]
        return columns

    def to_frame(self, library: str | None = None) -> Any:
        """Give the alignment as a data frame, worst disagreement first."""
        return tables.frame(self.columns(), library)

    @cached_property
    def _names(self) -> tuple[str, ...]:
        return self.document.annotators

    @cached_property
    def _units(self) -> list[Unit]:
        """Units in the order of the annotation set."""
        units = self.document.units
        rows = self.document.corpus.rows(self.document.index)
        corpus = self.document.corpus
        codes = [corpus.features[name].codes[rows] for name in self.dissimilarity.features]
        order = np.lexsort((*codes[::-1], corpus.end[rows], corpus.start[rows], corpus.annotator[rows]))
        return [units[index] for index in order.tolist()]

    def _repr_html_(self) -> str:
        from unisono.report.notebook import alignment_html

        return alignment_html(self)
