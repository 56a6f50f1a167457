"""Annotators against each other: every pair as a heat map."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from unisono.arrays import IntArray
from unisono.data import Corpus, Data, Ratings
from unisono.errors import plural
from unisono.measurement.coverage import shared_items, unit_counts
from unisono.reporting.cards import value_text
from unisono.reporting.markup import is_finite
from unisono.reporting.shown_tables import ShownCell, ShownTable, name_cell, shade
from unisono.results import Result


def pair_matrix(rows: Sequence[dict[str, Any]], result: Result, data: Data) -> ShownTable | None:
    """Lay the values of pairs out as a matrix; None if there are fewer than two.

    Parameters
    ----------
    rows : sequence of dict
        The value of every pair, as the result returns it.
    result : Result
        What was measured.
    data : Corpus, Ratings or Normalizations
        The data, for what the annotators of a pair have in common.
    """
    if len(rows) < 2:
        return None
    annotators, common = data.annotators, pair_counts(data, result.unit)
    found = {(row["annotator_1"], row["annotator_2"]): row for row in rows}
    cells = [
        [name_cell(one), *(_cell(found.get((one, other)) or found.get((other, one)), common) for other in annotators)]
        for one in annotators
    ]
    caption, note = f"{result.symbol} of each pair of annotators", f"Below each value: {common.note}."
    return ShownTable(caption, ("annotator", *annotators), cells, note=note, matrix=True)


@dataclass(frozen=True)
class PairCounts:
    """What the annotators of each pair have in common.

    Attributes
    ----------
    annotators : tuple of str
        Their names.
    documents, items : int64 array, shape (n_annotators, n_annotators)
        How many documents both worked on, and how many items both labelled; without items, their units are counted.
    what, note : str
        What is counted, and how that is explained.
    """

    annotators: tuple[str, ...]
    documents: IntArray
    items: IntArray | None
    what: str
    note: str

    def in_words(self, row: dict[str, Any]) -> str:
        """Write the counts of a pair, in two lines."""
        a, b = (self.annotators.index(row[name]) for name in ("annotator_1", "annotator_2"))
        n = int(row["n_units"] if self.items is None else self.items[a, b])
        return f"{plural(n, self.what)}\n{plural(int(self.documents[a, b]), 'document')}"


def pair_counts(data: Data, unit: str) -> PairCounts:
    """Count what the annotators of each pair have in common; `unit` is what a measure of units counts."""
    worked = unit_counts(data)[0].astype(np.int64)
    documents = "the documents that both worked on"
    if isinstance(data, Corpus):
        return PairCounts(data.annotators, worked.T @ worked, None, unit, f"the {unit}s of both, and {documents}")
    what, did = ("item", "labelled") if isinstance(data, Ratings) else ("word", "rewrote")
    note = f"the {what}s that both {did}, and {documents}"
    return PairCounts(data.annotators, worked.T @ worked, shared_items(data), what, note)


def _cell(row: dict[str, Any] | None, common: PairCounts) -> ShownCell:
    if row is None:
        return ShownCell("")
    value, agreement = row["value"], row.get("agreement")
    if not is_finite(value):
        return ShownCell(value_text(None), small=common.in_words(row))
    colour = "" if agreement is None else shade(agreement)
    return ShownCell(value_text(value), value, colour, small=common.in_words(row))
