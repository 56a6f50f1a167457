"""Annotators against each other: every pair as a heat map."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from unisono.arrays import IntArray
from unisono.data import Corpus, Data, Ratings
from unisono.errors import plural
from unisono.reporting.full.grids import Cell, Grid, named, shade
from unisono.reporting.markup import fixed, is_finite


def pair_matrix(rows: Sequence[dict[str, Any]], annotators: Sequence[str], symbol: str, shared: Shared) -> Grid | None:
    """Lay the values of pairs out as a matrix; None if there are fewer than two.

    Parameters
    ----------
    rows : sequence of dict
        The value of every pair, as a result gives it.
    annotators : sequence of str
        Their names, in order.
    symbol : str
        The measure's letter.
    shared : Shared
        What every two have to be compared by.
    """
    if len(rows) < 2:
        return None
    found = {(row["annotator_1"], row["annotator_2"]): row for row in rows}
    grid = [
        [named(one), *(_cell(found.get((one, other)) or found.get((other, one)), shared) for other in annotators)]
        for one in annotators
    ]
    return Grid(
        f"{symbol} of every two annotators",
        ("annotator", *annotators),
        (False, *[True] * len(annotators)),
        grid,
        note=f"Below each value: {shared.note}.",
        matrix=True,
    )


@dataclass(frozen=True)
class Shared:
    """What every two annotators have to be compared by.

    Attributes
    ----------
    documents, items : int64 array, shape (n_annotators, n_annotators)
        How many documents both worked on, and how many items both labelled; without items, their units are counted.
    annotators : tuple of str
        Their names.
    what, note : str
        What is counted, and what a reader is told of it.
    """

    annotators: tuple[str, ...]
    documents: IntArray
    items: IntArray | None
    what: str
    note: str

    def said(self, row: dict[str, Any]) -> str:
        """Write what a pair has, in two lines."""
        a, b = (self.annotators.index(row[name]) for name in ("annotator_1", "annotator_2"))
        n = int(row["n_units"] if self.items is None else self.items[a, b])
        return f"{plural(n, self.what)}\n{plural(int(self.documents[a, b]), 'document')}"


def shared_by(data: Data, unit: str) -> Shared:
    """Count what every two annotators have to be compared by; `unit` is what a measure of units counts."""
    documents = "the documents that both worked on"
    if isinstance(data, Corpus):
        worked = data.worked.astype(np.int64)
        return Shared(data.annotators, worked.T @ worked, None, unit, f"the {unit}s of both, and {documents}")
    given = ((data.codes if isinstance(data, Ratings) else data.norm) >= 0).astype(np.int64)
    times = data.repeats if isinstance(data, Ratings) else None
    items = given.T @ (given if times is None else given * times[:, None])
    worked = np.zeros((len(data.documents), len(data.annotators)), np.int64)
    np.maximum.at(worked, data.document, given)
    what, did = ("item", "labelled") if isinstance(data, Ratings) else ("word", "rewrote")
    return Shared(data.annotators, worked.T @ worked, items, what, f"the {what}s that both {did}, and {documents}")


def _cell(row: dict[str, Any] | None, shared: Shared) -> Cell:
    if row is None:
        return Cell("")
    small = shared.said(row)
    if not is_finite(row["value"]):
        return Cell("–", None, small=small)
    agreement = row.get("agreement")
    return Cell(fixed(row["value"]), row["value"], shade(agreement) if agreement is not None else "", small=small)
