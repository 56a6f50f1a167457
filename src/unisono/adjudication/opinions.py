"""The joint opinion on one unitary alignment: whether there is a unit, its labels, and whose boundaries count."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from unisono.alignment.aligned import UnitaryAlignment
from unisono.alignment.consensus import Vote, vote

AlignmentRow: TypeAlias = tuple[str, UnitaryAlignment]
"""A document's name and one of its unitary alignments."""


@dataclass(frozen=True, slots=True)
class Opinion:
    """What annotators think together."""

    support: float  # the share of the document's annotators who marked a unit; or the probability that there is one
    votes: Mapping[str, Vote]  # feature to the vote on its label, among those who marked a unit
    # annotator to how much their boundaries count; None if all count the same
    weights: Mapping[str, float] | None = None


def equal_opinions(rows: Sequence[AlignmentRow]) -> list[Opinion]:
    """Return the joint opinions if all annotators count the same."""
    return [_equal(row) for _, row in rows]


def _equal(row: UnitaryAlignment) -> Opinion:
    units = [unit for unit in row.units.values() if unit is not None]
    votes = {name: vote([unit.features[name] for unit in units]) for name in units[0].features}
    return Opinion(len(units) / len(row.units), votes)
