"""Where annotators agree on labels: per category, annotator and item; which labels meet."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from unisono.arrays import FloatArray, IntArray
from unisono.data import Ratings
from unisono.measurement.categorization.choice import Scale
from unisono.measurement.categorization.counts import Coincidences, Contingency, Counts, OneOrOther
from unisono.measurement.sums import sums_by
from unisono.results import Estimate, Table
from unisono.results.shown import MOST_SQUARE, TEXT_COLUMN, aligned_numbers, square_table

MOST_ROWS = 10_000
_MOST_CATEGORIES = 1_000
_ALONE = Estimate(None, undefined="there is no other category")
_NOT_COMPARED = Estimate(None, undefined="no item with this category has labels from two annotators")

_Row = dict[str, Any]


def rows(people: Sequence[str], counts: Counts, apply: Callable[[Counts], Estimate]) -> dict[str, list[_Row]]:
    """Return all tables but items by name; those that are too long are left out (see `left_out_notes`)."""
    cells = Cells(counts)
    found = {"categories": categories(cells, apply)}
    if len(people) <= MOST_ROWS:
        found["annotators"] = annotators(people, cells)
    if len(people) == 2 and (not counts.n_paired or len(counts.contingency.n) <= MOST_ROWS):
        found["contingency"] = contingency(counts)
    if len(counts.coincidences) <= MOST_ROWS:
        found["coincidences"] = coincidences(counts)
    return found


def left_out_notes(counts: Counts, n_rows: int) -> Iterator[str]:
    """State which tables are too long to be shown."""
    used = int(np.count_nonzero(counts.frequencies))
    if used > _MOST_CATEGORIES:
        yield f"agreement per category is reported for the {_MOST_CATEGORIES:,} most frequent of {used:,} categories"
    if n_rows > MOST_ROWS:
        yield f"items are not listed (there are over {MOST_ROWS:,}); in Python, result.prepared.items() lists them"
    if used**2 > MOST_ROWS and len(counts.coincidences) > MOST_ROWS:
        yield f"pairs of labels that meet are not listed (there are over {MOST_ROWS:,})"


@dataclass(frozen=True)
class Cells:
    """The labels one by one."""

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

    @property
    def weight(self) -> FloatArray:
        """How often it occurs."""
        return np.asarray(self.counts.repeats[self.place[1]])

    @property
    def others(self) -> IntArray:
        """r_i - 1, how many others labelled the item."""
        return np.asarray(self.counts.given[self.place[1]] - 1)

    @cached_property
    def alike(self) -> IntArray:
        """r_ik - 1, how many of them gave the same label."""
        keys = self.place[1] * max(len(self.counts.labels), 1) + self.code
        order = np.argsort(keys, kind="stable")
        begin = np.flatnonzero(np.diff(keys[order], prepend=-1))
        n = np.diff(begin, append=len(keys))
        alike = np.empty(len(keys), dtype=np.int64)
        alike[order] = np.repeat(n - 1, n)
        return alike

    def against_others(self, code: int) -> OneOrOther:
        """Count one category against all others, at the cost of only the items that have it.

        Items without it differ only in how many labels they have, so one represents many.
        """
        counts, (who, item) = self.counts, self.place
        order, first = self._by_code
        given = order[first[code] : first[code + 1]]
        items = np.unique(item[given])
        near = counts.packed[:, items]
        sizes, n = self._sizes
        far = np.where(np.arange(len(near))[:, None] < sizes, 0, -1)
        left = n - sums_by(np.searchsorted(sizes, counts.given[items]), counts.repeats[items], len(n))
        chosen = sums_by(who[given], counts.repeats[item[given]], counts.n_annotators)
        return OneOrOther(
            np.concatenate([np.where(near < 0, -1, near == code), far], axis=1),
            np.concatenate([counts.repeats[items], left]),
            Scale(("any other", counts.labels[code]), one_or_other=True),
            chosen,
            self._by_annotator - chosen,
            counts,
            code,
        )

    @cached_property
    def _by_code(self) -> tuple[IntArray, IntArray]:
        order = np.argsort(self.code, kind="stable")
        return order, np.searchsorted(self.code[order], np.arange(len(self.counts.labels) + 1))

    @cached_property
    def _by_annotator(self) -> FloatArray:
        """How many labels each annotator gave."""
        return sums_by(self.place[0], self.weight, self.counts.n_annotators)

    @cached_property
    def _sizes(self) -> tuple[IntArray, FloatArray]:
        """How many labels items have, and how many items have that number."""
        sizes, which = np.unique(self.counts.given, return_inverse=True)
        return sizes, sums_by(which.reshape(-1), self.counts.repeats, len(sizes))


def categories(cells: Cells, apply: Callable[[Counts], Estimate]) -> list[_Row]:
    """Return the coefficient of each category against all others, and specific agreement, the most frequent first.

    Specific agreement is Σ_i r_ik (r_ik - 1) / Σ_i r_ik (r_i - 1): where one annotator chose the category, how often
    another did.
    """
    counts = cells.counts
    size = len(counts.labels)
    alike = np.bincount(cells.code, weights=cells.weight * cells.alike, minlength=size)
    others = np.bincount(cells.code, weights=cells.weight * cells.others, minlength=size)
    alone = np.count_nonzero(counts.frequencies) == 1
    found = []
    for code in np.argsort(-counts.frequencies, kind="stable")[:_MOST_CATEGORIES].tolist():
        if counts.frequencies[code]:
            estimate = _NOT_COMPARED if not others[code] else _ALONE if alone else apply(cells.against_others(code))
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


def annotators(people: Sequence[str], cells: Cells) -> list[_Row]:
    """Return each annotator's agreement with the others: the mean share of them who agree, over shared items."""
    who, shared = cells.place[0], cells.others > 0
    size = len(people)
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
        for index, name in enumerate(people)
    ]


def items(ratings: Ratings, counts: Counts, agreement: FloatArray | None = None) -> list[_Row]:
    """Return agreement on each item, the worst first; by default the share of pairs of annotators with one label."""
    agreement = counts.agreeing / np.maximum(counts.pairs, 1) if agreement is None else agreement
    share = np.where(counts.paired, agreement, np.inf)
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


def contingency(counts: Counts) -> list[_Row]:
    """Return the contingency table of two annotators: the first's label, the second's, how often."""
    if not counts.n_paired:
        return []
    table, labels = counts.contingency, counts.labels
    cells = zip(table.rows.tolist(), table.columns.tolist(), table.n.tolist(), strict=True)
    return [{"label_1": labels[c], "label_2": labels[k], "n": int(n)} for c, k, n in cells]


def coincidences(counts: Counts) -> list[_Row]:
    """Return Krippendorff's coincidence matrix, o_ck = Σ_u (pairs c–k in u)/(m_u - 1), without cells that are 0."""
    labels = counts.labels
    cells = zip(*(column.tolist() for column in counts.coincidences.both_ways()), strict=True)
    return [{"category_1": labels[c], "category_2": labels[k], "n": n} for c, k, n in cells]


def matrices(people: Sequence[str], counts: Counts) -> list[Table]:
    """Return the contingency of two annotators, or the coincidences of more; of many labels, the most confused."""
    if not counts.n_paired:
        return []
    two, n_labels = len(people) == 2, len(counts.labels)
    table = counts.contingency if two else counts.coincidences
    corner = f"{people[0]} ↓ {people[1]} →" if two else "coincidences"
    used = np.flatnonzero(np.bincount(table.rows, minlength=n_labels) + np.bincount(table.columns, minlength=n_labels))
    if len(used) > MOST_SQUARE:
        return [_confused(counts, table, corner if two else "labels", two)]
    row, column = np.searchsorted(used, table.rows), np.searchsorted(used, table.columns)
    cells = np.zeros((len(used), len(used)))
    cells[row, column] = table.n
    if not two:
        cells[column, row] = table.n
    return [square_table(corner, [str(counts.labels[code]) for code in used.tolist()], cells, 0 if two else 1)]


def disputed(ratings: Ratings, counts: Counts, agreement: FloatArray | None = None) -> list[Table]:
    """Return the items on which annotators disagree, the worst first, with who gave which label; see `items`."""
    if ratings.repeats is not None:
        return []
    several = len(ratings.documents) > 1
    rows, keys = [], []
    for row in items(ratings, counts, agreement):
        if row["agreement"] is not None and row["agreement"] < 1:
            item = f"{row['document']}: {row['item']}" if several else str(row["item"])
            who: dict[Any, list[str]] = {}
            for name, label in row["labels"].items():
                who.setdefault(label, []).append(name)
            said = "; ".join(f"{label}: {', '.join(names)}" for label, names in who.items())
            rows.append((item, row["agreement"], said))
            keys.append((row["document"], row["item"]))
    return [with_texts(Table(("item", "agreement", "labels"), rows), ratings, keys)] if rows else []


def with_texts(table: Table, ratings: Ratings, keys: Sequence[tuple[str, Any]]) -> Table:
    """Add what items say, if that is known; `keys` are the documents and items of the rows."""
    if ratings.texts is None:
        return table
    documents = [ratings.documents[index] for index in ratings.document.tolist()]
    known = dict(zip(zip(documents, ratings.items, strict=True), ratings.texts, strict=True))
    said = [" ".join((known[key] or "").split()) for key in keys]
    if all(text in ("", str(key[1])) for text, key in zip(said, keys, strict=True)):
        return table
    rows = [(*row, text) for row, text in zip(table.rows, said, strict=True)]
    return table._replace(columns=(*table.columns, TEXT_COLUMN), rows=rows)


def _confused(counts: Counts, table: Contingency | Coincidences, corner: str, two: bool) -> Table:
    """List the pairs of different labels that meet most often."""
    unlike = np.flatnonzero(table.rows != table.columns)
    ranked = unlike[np.argsort(-table.n[unlike], kind="stable")][:MOST_ROWS]
    pairs = zip(table.rows[ranked].tolist(), table.columns[ranked].tolist(), strict=True)
    names = [f"{counts.labels[c]} – {counts.labels[k]}" for c, k in pairs]
    shown = aligned_numbers((table.n[ranked] * (1 if two else 2)).tolist(), 0 if two else 1)
    return Table((f"confused most: {corner}", "n"), list(zip(names, shown, strict=True)), holds="labels")
