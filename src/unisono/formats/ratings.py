"""A table of labels becomes ratings: the rules for CSV, Parquet and frames."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from unisono.data import Export, Feature, Question, Ratings
from unisono.data.labels import MISSING, feature
from unisono.data.ratings import numbers_within
from unisono.errors import DataError
from unisono.formats.collected_labels import as_kind
from unisono.formats.columns import RATINGS_LONG
from unisono.formats.numbers import looks_numeric
from unisono.formats.table import QuestionColumn, RawTable

ITEM_TWICE = "merge them, or add a column document if they are items of different documents"


def ratings_from(table: RawTable) -> Ratings | Export:
    """Make ratings out of a table, with one row per label or one column per annotator; an export of several questions.

    Questions that nobody answered are left out.
    """
    if table.kind is not RATINGS_LONG:
        return _ratings(table, table.asked[0])
    every = {one.question.name: _ratings(table, one) for one in table.asked}
    answered = {name: ratings for name, ratings in every.items() if ratings.n_units} or every
    if len(answered) == 1:
        return next(iter(answered.values()))
    return Export(None, answered, source=table.source)


def _ratings(table: RawTable, asked: QuestionColumn) -> Ratings:
    ratings = _same_numbers(_long(table, asked) if table.kind is RATINGS_LONG else _wide(table, asked.question))
    numbers = numbers_within(ratings.document)
    return replace(ratings, items=numbers) if list(map(str, numbers)) == list(ratings.items) else ratings


def _same_numbers(ratings: Ratings) -> Ratings:
    """Take 1 and 1.0 for the same label if all labels are written numbers; pandas writes 1.0 beside a gap."""
    if not all(isinstance(label, str) and looks_numeric(label) and "," not in label for label in ratings.labels):
        return ratings
    values, number = np.unique([float(str(label)) for label in ratings.labels], return_inverse=True)
    if len(values) == len(ratings.labels):
        return ratings
    shortest = [""] * len(values)
    for label, index in zip(map(str, ratings.labels), number.tolist(), strict=True):
        shortest[index] = min(shortest[index] or label, label, key=len)
    merged = Feature(np.append(number, MISSING)[ratings.codes].ravel(), tuple(shortest)).values()
    column = feature(merged)
    return replace(ratings, codes=column.codes.reshape(ratings.codes.shape), labels=column.labels)


def _long(table: RawTable, asked: QuestionColumn) -> Ratings:
    items, annotators = table.names("item"), table.names("annotator")
    documents = table.documents(len(items))
    texts: dict[tuple[str, str], str] = {}
    for place, text in zip(zip(documents, items, strict=True), table.texts or (), strict=False):
        if text is not None:
            texts.setdefault(place, text)
    try:
        return Ratings.from_columns(
            item=items,
            annotator=annotators,
            label=_labels(table, asked),
            document=documents,
            question=asked.question,
            texts=texts or None,
            source=table.source,
            locate=lambda row: (None, row),
        )
    except DataError as error:
        if error.line is None:
            raise
        columns = (documents, items, annotators)
        first = next(row for row in range(error.line) if all(one[row] == one[error.line] for one in columns))
        raise table.fail(error.line, f"{error.message} (the first is {table.where(first)})") from None


def _labels(table: RawTable, asked: QuestionColumn) -> Sequence[Any]:
    kind, labels = asked.question.kind, table.labels(asked.column)
    return labels if kind is None else [as_kind(label, kind) for label in labels]


def _wide(table: RawTable, question: Question) -> Ratings:
    annotators = list(table.further())
    if not annotators or (len(annotators) < 2 and "item" not in table.others):
        there = f"only one annotator, {annotators[0]!r}" if annotators else "no annotator"
        advice = "agreement needs two: one column per annotator, or the columns item, annotator, label"
        raise table.fail(None, f"there is {there}; {advice}")
    documents = table.documents(len(table.others[annotators[0]]))
    items = table.names("item") if "item" in table.others else None
    if items is not None:
        table.reject(table.wrong_repeated("item", documents, ITEM_TWICE))
    ratings = Ratings.from_annotators(
        {name: table.labels(name) for name in annotators}, items=items, document=documents, source=table.source
    )
    texts = None if table.texts is None or not any(table.texts) else tuple(table.texts)
    return replace(ratings, question=question, texts=texts)
