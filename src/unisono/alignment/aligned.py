"""Alignments as people look at them: unitary alignments, their units, and what differs."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from unisono import tables
from unisono.alignment.solution import Solution
from unisono.arrays import ComparedByContent, FloatArray
from unisono.data import AnnotationSet, Document, Unit
from unisono.drawing import Drawn


@dataclass(frozen=True)
class UnitaryAlignment:
    """At most one unit of each annotator, regarded as the same thing (Mathet et al. 2015, §4.5).

    Attributes
    ----------
    units : dict
        Annotator to unit; None is the empty unit.
    disorder : float
        What it costs, equation (6).
    parts : dict
        The disorder by what differs, such as position, category or missing units.
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
        """What differs, the largest part first; empty where all agree."""
        kinds = [kind for kind, part in self.parts.items() if part > 0]
        return tuple(sorted(kinds, key=lambda kind: -self.parts[kind]))


@dataclass(frozen=True, eq=False)
class Aligned(ComparedByContent, Drawn, ABC):
    """The best alignment of one document; iterate over it, ordered by position.

    Attributes
    ----------
    document : Document
        What was aligned.
    annotations : AnnotationSet
        Its units as arrays.
    solution : Solution
        The unitary alignments as arrays, in units of Δ∅.
    """

    document: Document
    annotations: AnnotationSet
    solution: Solution

    @property
    @abstractmethod
    def parts(self) -> Mapping[str, FloatArray]:
        """The disorder of each unitary alignment, by what differs."""

    @property
    @abstractmethod
    def units(self) -> list[Unit]:
        """Units in the order of the annotation set."""

    @property
    def delta_empty(self) -> float:
        """Δ∅, what an empty unit costs."""
        return 1.0

    @property
    def disorder(self) -> float | None:
        """The disorder δ of the alignment, equation (7); None if there are no units."""
        if not self.annotations.n_units:
            return None
        return self.solution.total * self.delta_empty / self.annotations.mean_units

    @property
    def optimality_gap(self) -> float:
        """The share by which the disorder may be above the least; 0 when proven least."""
        return self.solution.gap

    def __repr__(self) -> str:
        disorder = "no units" if self.disorder is None else f"disorder {self.disorder:.4f}"
        return f"{type(self).__name__}({self.document.name!r}, {len(self)} unitary alignments, {disorder})"

    def __len__(self) -> int:
        return len(self.solution.table)

    def __iter__(self) -> Iterator[UnitaryAlignment]:
        return (self[index] for index in range(len(self)))

    def __getitem__(self, index: int) -> UnitaryAlignment:
        row = self.solution.table[index].tolist()
        return UnitaryAlignment(
            {who: self.units[unit] if unit >= 0 else None for who, unit in zip(self.names, row, strict=True)},
            float(self.solution.cost[index]) * self.delta_empty,
            {kind: float(part[index]) for kind, part in self.parts.items()},
        )

    def worst_first(self) -> list[int]:
        """Return the indices of the unitary alignments, those with most disorder first."""
        return [int(index) for index in np.argsort(-self.solution.cost, kind="stable")]

    def columns(self) -> dict[str, list[Any]]:
        """Return the alignment as columns, worst disagreement first: start, end and features of each annotator."""
        worst = self.worst_first()
        rows = [self[index] for index in worst]
        columns: dict[str, list[Any]] = {
            "document": [self.document.name] * len(rows),
            "unitary_alignment": [index + 1 for index in worst],
            "disorder": [row.disorder for row in rows],
            "differs": ["+".join(row.differs) for row in rows],
        }
        # a feature may have the name of a part or of a column
        for kind in self.parts:
            columns[_free(kind, columns)] = [row.parts[kind] for row in rows]
        for place, who in enumerate(self.names):
            units = [row.units[who] for row in rows]
            columns[f"{who}.start"] = [None if unit is None else unit.start for unit in units]
            columns[f"{who}.end"] = [None if unit is None else unit.end for unit in units]
            columns |= self.more_columns(place, worst)
            for name in self.document.corpus.features:
                key = _free(f"{who}.{name}", columns)
                columns[key] = [None if unit is None else unit.features.get(name) for unit in units]
        return columns

    def more_columns(self, annotator: int, rows: list[int]) -> dict[str, list[Any]]:
        """Return further columns for one annotator, of some unitary alignments."""
        return {}

    def to_frame(self, library: str | None = None) -> Any:
        """Return the alignment as a data frame, worst disagreement first."""
        return tables.frame(self.columns(), library)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The annotators, in the order of the table's columns."""
        return self.document.annotators


def _free(name: str, columns: Mapping[str, Any]) -> str:
    """Return a column name that is not taken: a feature may have the name of another column."""
    return name if name not in columns else _free(f"feature {name}", columns)
