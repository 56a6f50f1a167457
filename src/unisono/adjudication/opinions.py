"""What annotators say on one unitary alignment: whether there is a unit, its labels, and whose boundaries count."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from unisono.alignment.aligned import UnitaryAlignment
from unisono.alignment.consensus import Vote, vote

Row: TypeAlias = tuple[str, UnitaryAlignment]
"""A document's name and one of its unitary alignments."""


@dataclass(frozen=True, slots=True)
class Opinion:
    """What annotators say together.

    Attributes
    ----------
    support : float
        The share of those who worked on the document that marked a unit; or how probable it is that there is one.
    votes : dict
        Feature to the label that it gets, of those who marked a unit.
    weights : dict or None
        Annotator to how much their boundaries count; all the same if None.
    """

    support: float
    votes: Mapping[str, Vote]
    weights: Mapping[str, float] | None = None


def counted(rows: Sequence[Row]) -> list[Opinion]:
    """Let every annotator count the same."""
    return [_counted(row) for _, row in rows]


def _counted(row: UnitaryAlignment) -> Opinion:
    units = [unit for unit in row.units.values() if unit is not None]
    votes = {name: vote([unit.features[name] for unit in units]) for name in units[0].features}
    return Opinion(len(units) / len(row.units), votes)
