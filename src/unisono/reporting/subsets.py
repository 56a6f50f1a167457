"""What a result says of some of the annotators, as tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from unisono.results import Table

FEW_ANNOTATORS = 6
FEW_UNITS = 2000
"""Up to here, some of the annotators are measured by themselves without being asked for."""


def subset_tables(
    symbol: str,
    units: str,
    without: Sequence[dict[str, Any]],
    pairs: Sequence[dict[str, Any]],
    groups: Sequence[dict[str, Any]],
) -> list[Table]:
    """Lay out the value without each annotator, of pairs and of groups of annotators."""
    shown = [row for row in without if any(other["value_without"] is not None for other in without)]
    ranked = sorted(shown, key=lambda row: (row["agreement_without"] is None, -(row["agreement_without"] or 0.0)))
    alone = [(row["annotator"], row["value_without"], row["n_units"]) for row in ranked]
    together = [(f"{row['annotator_1']} – {row['annotator_2']}", row["value"], row["n_units"]) for row in pairs]
    of_groups = [(row["group"], row["value"], row["n_units"]) for row in groups]
    return [
        Table(("annotator", f"{symbol} without", units), alone),
        Table(("pair", symbol, units), together),
        Table(("group", symbol, units), of_groups),
    ]
