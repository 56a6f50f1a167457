"""Data in notebooks: who marked how much, with which labels, and what was left out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from unisono.arrays import IntArray
from unisono.data import Corpus, Label, Ratings
from unisono.errors import plural
from unisono.reporting.notebook import seen_label, tabled_html
from unisono.results import Captioned, Table

_MOST_ROWS = 20
_MOST_FEATURES = 4


def data_html(data: Corpus | Ratings) -> str:
    """Show a small data sheet: annotators, labels, and sentences on what was read."""
    tables = _of_corpus(data) if isinstance(data, Corpus) else _of_ratings(data)
    counted = [plural(len(data.documents), "document"), plural(len(data.annotators), "annotator")]
    if isinstance(data, Ratings):
        counted.append(plural(data.n_items, "item"))
    counted.append(plural(data.n_units, "unit" if isinstance(data, Corpus) else "label"))
    source = f" ({data.source})" if data.source else ""
    left_out = [f"{n:,} {what}" for what, n in data.dropped.items()]
    return tabled_html(tables, [", ".join(counted) + source, *left_out])


def _of_corpus(corpus: Corpus) -> list[Captioned]:
    documents = corpus.worked.sum(axis=0).tolist()
    units = np.bincount(corpus.annotator, minlength=len(corpus.annotators)).tolist()
    people = list(zip(corpus.annotators, documents, units, strict=True))
    tables = [_cut("Annotators", ("annotator", "documents", "units"), people)]
    for name, column in list(corpus.features.items())[:_MOST_FEATURES]:
        counts = np.bincount(column.codes[column.codes >= 0], minlength=len(column.labels))
        tables.append(_labels(f"Labels: {name}", column.labels, counts, "units"))
    return tables


def _of_ratings(ratings: Ratings) -> list[Captioned]:
    times = np.ones(len(ratings.codes), np.int64) if ratings.repeats is None else ratings.repeats
    given = ratings.codes >= 0
    people = [
        (name, n, ratings.n_items - n)
        for name, n in zip(ratings.annotators, (given * times[:, None]).sum(axis=0).tolist(), strict=True)
    ]
    counts = np.zeros(len(ratings.labels), np.int64)
    np.add.at(counts, ratings.codes[given], np.broadcast_to(times[:, None], given.shape)[given])
    return [
        _cut("Annotators", ("annotator", "labels", "missing"), people),
        _labels("Labels", ratings.labels, counts, "times"),
    ]


def _labels(caption: str, labels: Sequence[Label], counts: IntArray, what: str) -> Captioned:
    order = np.argsort(-counts, kind="stable").tolist()
    return _cut(caption, ("label", what), [(seen_label(labels[k]), int(counts[k])) for k in order])


def _cut(caption: str, columns: Sequence[str], rows: Sequence[Sequence[str | int]]) -> Captioned:
    """Make a table of the first rows; its caption says how many there are."""
    said = f"{caption}, the first {_MOST_ROWS} of {len(rows):,}" if len(rows) > _MOST_ROWS else caption
    return Captioned(said, Table(columns, rows[:_MOST_ROWS]))
