"""Where annotators agree on labels: per category, annotator and item; which labels meet."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from unisono.arrays import BoolArray, FloatArray, IntArray
from unisono.data import Ratings
from unisono.measures.categorization.counts import Counts, Scale
from unisono.results import Estimate, Table

_MOST_ROWS = 10_000
_MOST_CATEGORIES = 1_000
_SQUARE = 12
"""Up to so many labels, a table of all pairs is shown."""

Row = dict[str, Any]


def rows(ratings: Ratings, counts: Counts, apply: Callable[[Counts], Estimate]) -> dict[str, list[Row]]:
    """Give all tables by name; those that are too long are left out (see `left_out`)."""
    cells = Cells(counts)
    found = {"categories": categories(cells, apply), "annotators": annotators(ratings, cells)}
    if len(ratings.annotators) == 2:
        found["contingency"] = contingency(counts)
    found["coincidences"] = coincidences(counts)
    if _n_rows(counts) <= _MOST_ROWS:
        found["items"] = items(ratings, counts)
    return {name: listed for name, listed in found.items() if len(listed) <= _MOST_ROWS}


def left_out(counts: Counts) -> Iterator[str]:
    """Say which tables are too long to be given."""
    used = int(np.count_nonzero(counts.frequencies))
    if used > _MOST_CATEGORIES:
        yield f"agreement per category is given for the {_MOST_CATEGORIES:,} most frequent of {used:,} categories"
    if _n_rows(counts) > _MOST_ROWS:
        yield f"items are not listed, there being over {_MOST_ROWS:,}; in Python, result.prepared.items() lists them"
    if used**2 > _MOST_ROWS and len(_coincidences(counts)) > _MOST_ROWS:
        yield f"the labels that meet are not listed, there being over {_MOST_ROWS:,} pairs of them"


@dataclass(frozen=True)
class Cells:
    """The labels one by one.

    Attributes
    ----------
    counts : Counts
        Whose.
    """

    counts: Counts

    @cached_property
    def place(self) -> tuple[IntArray, IntArray]:
        """Annotator and item of each label."""
        who, item = np.nonzero(self.counts.columns >= 0)
        return who, item

    @cached_property
    def code(self) -> IntArray:
        """The label's code."""
        return np.asarray(self.counts.columns[self.place])

    @cached_property
    def weight(self) -> FloatArray:
        """How often it stands."""
        return np.asarray(self.counts.repeats[self.place[1]])

    @cached_property
    def others(self) -> IntArray:
        """r_i - 1, how many others labelled the item."""
        return np.asarray(self.counts.given[self.place[1]] - 1)

    @cached_property
    def alike(self) -> IntArray:
        """r_ik - 1, how many of them gave the same label."""
        keys = self.place[1] * max(len(self.counts.labels), 1) + self.code
        _, which, n = np.unique(keys, return_inverse=True, return_counts=True)
        return np.asarray(n[which.reshape(-1)] - 1)


def categories(cells: Cells, apply: Callable[[Counts], Estimate]) -> list[Row]:
    """Give the coefficient of each category against all others, and specific agreement, the most frequent first.

    Specific agreement is Σ_i r_ik (r_ik - 1) / Σ_i r_ik (r_i - 1): where one annotator chose the category, how often
    another did.
    """
    counts = cells.counts
    size = len(counts.labels)
    alike = np.bincount(cells.code, weights=cells.weight * cells.alike, minlength=size)
    others = np.bincount(cells.code, weights=cells.weight * cells.others, minlength=size)
    against = Against(cells)
    found = []
    for code in np.argsort(-counts.frequencies, kind="stable")[:_MOST_CATEGORIES].tolist():
        if counts.frequencies[code]:
            estimate = apply(against.others(code))
            found.append(
                {
                    "category": counts.labels[code],
                    "value": estimate.value,
                    "agreement": float(alike[code] / others[code]) if others[code] else None,
                    "n_units": int(counts.frequencies[code]),
                    "undefined": estimate.undefined,
                }
            )
    return found


@dataclass(frozen=True)
class Against:
    """Counts of one category against all others, at the price of the items that have it.

    Items without it are alike but for who labelled them, so that one stands for many.
    """

    cells: Cells

    def others(self, code: int) -> Counts:
        """Count one category against all others."""
        counts = self.cells.counts
        pattern, first, n = self._patterns
        items = self._items(code)
        near = counts.columns[:, items]
        far = np.where(counts.columns[:, first] < 0, -1, 0)
        left = n - np.bincount(pattern[items], weights=counts.repeats[items], minlength=len(n))
        return Counts(
            np.concatenate([np.where(near < 0, -1, near == code), far], axis=1),
            np.concatenate([counts.repeats[items], left]),
            Scale(("any other", counts.labels[code]), one_or_other=True),
        )

    def _items(self, code: int) -> IntArray:
        order, first = self._by_code
        return np.unique(self.cells.place[1][order[first[code] : first[code + 1]]])

    @cached_property
    def _by_code(self) -> tuple[IntArray, IntArray]:
        order = np.argsort(self.cells.code, kind="stable")
        return order, np.searchsorted(self.cells.code[order], np.arange(len(self.cells.counts.labels) + 1))

    @cached_property
    def _patterns(self) -> tuple[IntArray, IntArray, FloatArray]:
        """Who labelled an item: the pattern of each item, an item of each pattern, and how many items have it."""
        given: BoolArray = self.cells.counts.columns.T >= 0
        _, first, pattern = np.unique(np.packbits(given, axis=1), axis=0, return_index=True, return_inverse=True)
        pattern = pattern.reshape(-1)
        n = np.bincount(pattern, weights=self.cells.counts.repeats, minlength=len(first)).astype(np.float64)
        return pattern, first, n


def annotators(ratings: Ratings, cells: Cells) -> list[Row]:
    """Give each annotator's agreement with the others: the mean over shared items of the share of others who agree."""
    who, shared = cells.place[0], cells.others > 0
    size = len(ratings.annotators)
    share = cells.weight * cells.alike / np.maximum(cells.others, 1)
    agreement = np.bincount(who[shared], weights=share[shared], minlength=size)
    n = np.bincount(who[shared], weights=cells.weight[shared], minlength=size)
    given = np.bincount(who, weights=cells.weight, minlength=size)
    return [
        {
            "annotator": name,
            "agreement": float(agreement[index] / n[index]) if n[index] else None,
            "n_units": int(given[index]),
        }
        for index, name in enumerate(ratings.annotators)
    ]


def items(ratings: Ratings, counts: Counts) -> list[Row]:
    """Give agreement on each item, the share of pairs of annotators with the same label, the worst first."""
    share = np.where(counts.paired, counts.agreeing / np.maximum(counts.pairs, 1), np.inf)
    found = []
    for index in np.argsort(share, kind="stable").tolist():
        codes = zip(ratings.annotators, counts.columns[:, index].tolist(), strict=True)
        row = {
            "item": ratings.items[index],
            "document": ratings.documents[ratings.document[index]],
            "agreement": float(share[index]) if counts.paired[index] else None,
            "n_units": int(counts.given[index]),
            "labels": {name: counts.labels[code] for name, code in codes if code >= 0},
        }
        found.append(row if ratings.repeats is None else {**row, "repeats": int(ratings.repeats[index])})
    return found


def contingency(counts: Counts) -> list[Row]:
    """Give the contingency table of two annotators: the first's label, the second's, how often."""
    if not counts.n_paired:
        return []
    table = counts.contingency
    cells = zip(table.rows.tolist(), table.columns.tolist(), table.n.tolist(), strict=True)
    return [{"label_1": counts.labels[c], "label_2": counts.labels[k], "n": int(n)} for c, k, n in cells]


def coincidences(counts: Counts) -> list[Row]:
    """Give Krippendorff's coincidence matrix, o_ck = Σ_u (pairs c–k in u)/(m_u - 1), without cells that are 0."""
    return [
        {"category_1": counts.labels[c], "category_2": counts.labels[k], "n": n} for c, k, n in _coincidences(counts)
    ]


def matrices(ratings: Ratings, counts: Counts) -> list[Table]:
    """Give the contingency table of two annotators, or the coincidences of more; of many labels, the most confused."""
    if not counts.n_paired:
        return []
    two = len(ratings.annotators) == 2
    if two:
        table = counts.contingency
        cells = list(zip(table.rows.tolist(), table.columns.tolist(), table.n.tolist(), strict=True))
        corner = f"{ratings.annotators[0]} ↓ {ratings.annotators[1]} →"
    else:
        cells, corner = _coincidences(counts), "coincidences"
    used = sorted({code for c, k, _ in cells for code in (c, k)})
    names = [str(counts.labels[code]) for code in used]
    if len(used) > _SQUARE:
        return [_confused(counts, cells, corner if two else "labels", two)]
    sums = {(c, k): n for c, k, n in cells}
    squares = [[sums.get((c, k), 0.0) for k in used] for c in used]
    shown = [_aligned(column, 0 if two else 1) for column in zip(*squares, strict=True)]
    return [Table((corner, *names), [(name, *row) for name, row in zip(names, zip(*shown, strict=True), strict=True)])]


def _n_rows(counts: Counts) -> int:
    return len(counts.repeats)


def _coincidences(counts: Counts) -> list[tuple[int, int, float]]:
    weights = np.where(counts.paired, counts.repeats / np.maximum(counts.given - 1, 1), 0.0)
    c, k, n = counts.pair_sums(weights)
    cells = list(zip(c.tolist(), k.tolist(), np.where(c == k, n, n / 2).tolist(), strict=True))
    return sorted(cells + [(b, a, n) for a, b, n in cells if a != b])


def _confused(counts: Counts, cells: list[tuple[int, int, float]], corner: str, two: bool) -> Table:
    """List the pairs of different labels that meet most often."""
    unlike = [cell for cell in cells if cell[0] != cell[1] and (two or cell[0] < cell[1])]
    unlike.sort(key=lambda cell: -cell[2])
    names = [f"{counts.labels[c]} – {counts.labels[k]}" for c, k, _ in unlike]
    shown = _aligned([n if two else 2 * n for _, _, n in unlike], 0 if two else 1)
    return Table((f"confused most: {corner}", "n"), list(zip(names, shown, strict=True)))


def _aligned(column: Any, digits: int) -> list[str]:
    texts = [f"{value:,.{digits}f}" for value in column]
    width = max(map(len, texts), default=0)
    return [text.rjust(width) for text in texts]
