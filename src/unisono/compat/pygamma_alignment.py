"""Alignments, as pygamma-agreement has them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any

from unisono.alignment.alignment import Alignment as BestAlignment
from unisono.compat.pygamma_dissimilarity import AbstractDissimilarity
from unisono.compat.pygamma_units import Unit

if TYPE_CHECKING:
    from unisono.compat.pygamma_continuum import Continuum


class SetPartitionError(Exception):
    """An alignment does not contain every unit exactly once."""


class UnitaryAlignment:
    """One unit, or None, of every annotator."""

    def __init__(self, n_tuple: Sequence[tuple[str, Unit | None]], disorder: float | None = None) -> None:
        self.n_tuple = list(n_tuple)
        self._disorder = disorder

    def __repr__(self) -> str:
        return f"UnitaryAlignment({self.n_tuple!r})"

    @property
    def nb_units(self) -> int:
        """How many annotators have a unit."""
        return sum(unit is not None for _, unit in self.n_tuple)

    @property
    def bounds(self) -> tuple[float, float]:
        """From where to where its units reach."""
        segments = [unit.segment for _, unit in self.n_tuple if unit is not None]
        return min(one.start for one in segments), max(one.end for one in segments)

    @property
    def disorder(self) -> float:
        """What it costs, once that is computed."""
        if self._disorder is None:
            raise ValueError("the disorder is not known yet; call compute_disorder")
        return self._disorder

    def compute_disorder(self, dissimilarity: AbstractDissimilarity) -> float:
        """Compute what it costs: the mean over all pairs of annotators, equation (6)."""
        costs = [
            dissimilarity.delta_empty if one is None or other is None else dissimilarity.d(one, other)
            for (_, one), (_, other) in combinations(self.n_tuple, 2)
        ]
        self._disorder = sum(costs) / len(costs)
        return self._disorder


class Alignment:
    """Unitary alignments that contain every unit of a continuum once.

    Attributes
    ----------
    unitary_alignments : list of UnitaryAlignment
        They.
    best : unisono.Alignment or None
        What `unisono.align` gives, if the alignment was computed: drawings, frames, what differs.
    """

    def __init__(
        self,
        unitary_alignments: Sequence[UnitaryAlignment],
        continuum: Continuum | None = None,
        check_validity: bool = False,
        disorder: float | None = None,
        best: BestAlignment | None = None,
    ) -> None:
        self.unitary_alignments = list(unitary_alignments)
        self.continuum, self.best = continuum, best
        self._disorder = disorder
        if check_validity:
            self.check()

    @classmethod
    def of(cls, best: BestAlignment, continuum: Continuum) -> Alignment:
        """Make one from unisono's."""
        rows = [
            UnitaryAlignment(
                [(who, None if unit is None else continuum.unit_of(unit)) for who, unit in row.units.items()],
                row.disorder,
            )
            for row in best
        ]
        return cls(rows, continuum, disorder=best.disorder, best=best)

    def __iter__(self) -> Iterator[UnitaryAlignment]:
        return iter(self.unitary_alignments)

    def __getitem__(self, index: int) -> UnitaryAlignment:
        return self.unitary_alignments[index]

    def _repr_html_(self) -> str | None:
        return None if self.best is None else self.best._repr_html_()

    @property
    def annotators(self) -> list[str]:
        """Their names."""
        return [who for who, _ in self.unitary_alignments[0].n_tuple] if self.unitary_alignments else []

    @property
    def categories(self) -> set[str]:
        """The labels of its units."""
        return {unit.annotation for _, unit in self._units() if unit.annotation is not None}

    @property
    def num_annotators(self) -> int:
        """How many annotators there are."""
        return len(self.annotators)

    @property
    def num_unitary_alignments(self) -> int:
        """How many unitary alignments there are."""
        return len(self.unitary_alignments)

    @property
    def avg_num_annotations_per_annotator(self) -> float:
        """The mean number of units per annotator, x̄."""
        return sum(row.nb_units for row in self.unitary_alignments) / self.num_annotators

    @property
    def disorder(self) -> float:
        """Its disorder, equation (7)."""
        if self._disorder is None:
            self._disorder = sum(row.disorder for row in self) / self.avg_num_annotations_per_annotator
        return self._disorder

    def compute_disorder(self, dissimilarity: AbstractDissimilarity) -> float:
        """Compute its disorder with a dissimilarity."""
        costs = [row.compute_disorder(dissimilarity) for row in self]
        self._disorder = sum(costs) / self.avg_num_annotations_per_annotator
        return self._disorder

    def check(self, continuum: Continuum | None = None) -> None:
        """Raise `SetPartitionError` unless it contains every unit of the continuum exactly once."""
        against = self.continuum if continuum is None else continuum
        if against is None:
            raise ValueError("there is no continuum to check against")
        aligned, given = sorted(self._units()), sorted(against)
        if aligned != given:
            missing: list[Any] = [unit for unit in given if unit not in aligned]
            what = f"{missing[0]!r} is missing" if missing else "a unit is there twice, or is not in the continuum"
            raise SetPartitionError(f"the alignment must contain every unit once: {what}")

    def _units(self) -> Iterator[tuple[str, Unit]]:
        return ((who, unit) for row in self for who, unit in row.n_tuple if unit is not None)
