"""Annotators against each other: every pair as a heat map."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np

from unisono.data import Corpus, Data, Ratings
from unisono.errors import plural
from unisono.measurement.coverage import shared_items
from unisono.reporting.addresses import choice_address
from unisono.reporting.cards import value_text
from unisono.reporting.markup import is_finite
from unisono.reporting.shown_tables import ShownCell, ShownTable, name_cell, shade
from unisono.results import Result

PairRow: TypeAlias = dict[str, Any]
"""The value of a pair of annotators, as a result returns it."""


def pair_matrix(rows: Sequence[PairRow], result: Result, data: Data) -> ShownTable | None:
    """Lay the values of pairs, as the result returns them, out as a matrix; None if there are fewer than two."""
    if len(rows) < 2:
        return None
    annotators = data.annotators
    small, note = pair_counts(data, result.unit)
    found = {(row["annotator_1"], row["annotator_2"]): row for row in rows}
    cells = [
        [
            name_cell(one, choice_address(alone=one) if len(annotators) > 2 else ""),
            *(_cell(found.get((one, other)) or found.get((other, one)), small) for other in annotators),
        ]
        for one in annotators
    ]
    caption, note = f"{result.symbol} of each pair of annotators", f"Below each value: {note}."
    return ShownTable(caption, ("annotator", *annotators), cells, note=note, matrix=True)


def pair_counts(data: Data, unit: str) -> tuple[Callable[[PairRow], str], str]:
    """Count what the annotators of each pair have in common; `unit` is what a measure of units counts.

    Return a function that writes the counts of a pair, in two lines, and a note that says what is counted.
    """
    worked = data.worked.astype(np.int64)
    documents = worked.T @ worked
    items = None if isinstance(data, Corpus) else shared_items(data)
    if items is None:
        what, note = unit, f"the {unit}s of both"
    elif isinstance(data, Ratings):
        what, note = "item", "the items that both labelled"
    else:
        what, note = "word", "the words that both rewrote"

    def write(row: PairRow) -> str:
        a, b = (data.annotators.index(row[name]) for name in ("annotator_1", "annotator_2"))
        n = int(row["n_units"] if items is None else items[a, b])
        return f"{plural(n, what)}\n{plural(int(documents[a, b]), 'document')}"

    return write, f"{note}, and the documents that both worked on"


def _cell(row: PairRow | None, small: Callable[[PairRow], str]) -> ShownCell:
    if row is None:
        return ShownCell("")
    value, agreement = row["value"], row.get("agreement")
    if not is_finite(value):
        return ShownCell(value_text(None), small=small(row))
    address = choice_address(pair=(row["annotator_1"], row["annotator_2"]))
    heat = "" if agreement is None else shade(agreement)
    return ShownCell(value_text(value), value, heat, small=small(row), address=address)
