"""Annotators against each other: every pair as a heat map."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from unisono.report.full.grids import Cell, Grid, named, shade
from unisono.report.markup import fixed, is_finite


def pair_matrix(
    rows: Sequence[dict[str, Any]],
    annotators: Sequence[str],
    symbol: str,
    shared: dict[tuple[str, str], int],
    unit: str,
) -> Grid | None:
    """Lay the values of pairs out as a matrix; None if there are fewer than two.

    Parameters
    ----------
    rows : sequence of dict
        The value of every pair, as a result gives it.
    annotators : sequence of str
        Their names, in order.
    symbol, unit : str
        The measure's letter, and what it counts.
    shared : dict
        How many documents both worked on.
    """
    if len(rows) < 2:
        return None
    found = {(row["annotator_1"], row["annotator_2"]): row for row in rows}
    grid = [
        [named(one), *(_cell(found.get((one, other)) or found.get((other, one)), shared, unit) for other in annotators)]
        for one in annotators
    ]
    return Grid(
        f"{symbol} of every two annotators",
        ("annotator", *annotators),
        (False, *[True] * len(annotators)),
        grid,
        note="Below each value: the units of both, and the documents that both worked on.".replace("units", f"{unit}s"),
        matrix=True,
    )


def _cell(row: dict[str, Any] | None, shared: dict[tuple[str, str], int], unit: str) -> Cell:
    if row is None:
        return Cell("")
    documents = shared.get((row["annotator_1"], row["annotator_2"]), 0)
    small = f"{row['n_units']:,} {unit}s\n{documents:,} {'document' if documents == 1 else 'documents'}"
    if not is_finite(row["value"]):
        return Cell("–", None, small=small)
    agreement = row.get("agreement")
    return Cell(fixed(row["value"]), row["value"], shade(agreement) if agreement is not None else "", small=small)
