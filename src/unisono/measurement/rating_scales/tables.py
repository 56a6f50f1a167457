"""What ratings on a scale show besides the value: who rates higher, how far apart two annotators are, and items."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from unisono.data import Ratings
from unisono.measurement.categorization.counts import Counts
from unisono.measurement.categorization.tables import MOST_ROWS, with_texts
from unisono.measurement.rating_scales.bland_altman import bland_altman
from unisono.measurement.rating_scales.scores import number_scale, raw_scores
from unisono.measurement.rating_scales.severity import MOST_COMPARED_ANNOTATORS, severity
from unisono.results import Table

_MOST_PAIRS = 45
"""The pairs of ten annotators."""

_Row = dict[str, Any]


def scale_tables(people: Sequence[str], counts: Counts, *, ranks: bool) -> dict[str, list[_Row]]:
    """Return all tables but items by name; differences of ranks have no limits of agreement."""
    found = {}
    if len(people) <= MOST_COMPARED_ANNOTATORS:
        found["annotators"] = severities(people, counts)
    if not ranks and _n_pairs(people) <= _MOST_PAIRS:
        found["limits"] = [row for pair in bland_altman(raw_scores(counts), people) for row in pair.rows()]
    return found


def unlisted(people: Sequence[str], n_rows: int, *, ranks: bool) -> Iterator[str]:
    """State which tables are too long to be shown."""
    if len(people) > MOST_COMPARED_ANNOTATORS:
        yield f"who rates higher than others is not reported (there are over {MOST_COMPARED_ANNOTATORS:,} annotators)"
    if not ranks and _n_pairs(people) > _MOST_PAIRS:
        yield f"limits of agreement are not listed (there are over {_MOST_PAIRS} pairs of annotators)"
    if n_rows > MOST_ROWS:
        yield f"items are not listed (there are over {MOST_ROWS:,}); in Python, result.prepared.items() lists them"


def severities(people: Sequence[str], counts: Counts) -> list[_Row]:
    """Return how much higher each annotator rates than the others (see `severity`), with a 95% interval."""
    found = severity(raw_scores(counts))
    given = (counts.columns >= 0) @ counts.repeats
    low, high = found.value - found.half_width, found.value + found.half_width
    return [
        {
            "annotator": name,
            "severity": _number(found.value[index]),
            "low": _number(low[index]),
            "high": _number(high[index]),
            "n_units": int(given[index]),
        }
        for index, name in enumerate(people)
    ]


def spreads(ratings: Ratings, counts: Counts) -> list[_Row]:
    """Return mean and standard deviation of each item's labels, the widest spread first."""
    scale = number_scale(counts)
    values = np.append(scale.numbers, np.nan)[counts.columns]
    given = counts.columns >= 0
    n = np.maximum(counts.given, 1)
    means = np.where(given, values, 0.0).sum(axis=0) / n
    squares = np.square(np.where(given, values - means, 0.0)).sum(axis=0)
    sd = np.where(counts.given >= 2, np.sqrt(squares / np.maximum(counts.given - 1, 1)), np.nan)
    found = []
    for index in np.argsort(np.where(np.isnan(sd), np.inf, -sd), kind="stable").tolist():
        codes = zip(ratings.annotators, counts.columns[:, index].tolist(), strict=True)
        row = {
            "item": ratings.items[index],
            "document": ratings.documents[ratings.document[index]],
            "mean": _number(means[index]) if counts.given[index] else None,
            "sd": _number(sd[index]),
            "n_units": int(counts.given[index]),
            "labels": {name: counts.labels[code] for name, code in codes if code >= 0},
        }
        found.append(row if ratings.repeats is None else {**row, "repeats": int(ratings.repeats[index])})
    return found


def spread_labels(ratings: Ratings, counts: Counts) -> list[Table]:
    """Return the items on which annotators differ, the most first, with who gave which label."""
    if ratings.repeats is not None:
        return []
    several = len(ratings.documents) > 1
    rows, keys = [], []
    for row in spreads(ratings, counts):
        if row["sd"]:
            item = f"{row['document']}: {row['item']}" if several else str(row["item"])
            rows.append((item, row["mean"], row["sd"], "; ".join(f"{who}: {x}" for who, x in row["labels"].items())))
            keys.append((row["document"], row["item"]))
    return [with_texts(Table(("item", "mean", "sd", "labels"), rows), ratings, keys)] if rows else []


def _n_pairs(people: Sequence[str]) -> int:
    return len(people) * (len(people) - 1) // 2


def _number(value: Any) -> float | None:
    return None if np.isnan(value) else float(value)
