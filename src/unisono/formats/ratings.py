"""A table of labels becomes ratings: the rules for CSV, Parquet and frames."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from unisono.data import Feature, Ratings
from unisono.data.labels import MISSING, feature
from unisono.data.ratings import numbers_within
from unisono.errors import DataError
from unisono.formats.columns import LONG, Fail
from unisono.formats.numbers import looks_numeric
from unisono.formats.table import Table, labels, names


def ratings_from(table: Table, *, document: str, source: str) -> Ratings:
    """Make ratings out of a table, one row a label or one column an annotator.

    Parameters
    ----------
    table : Table
        What was read.
    document : str
        The document's name where the table has no such column.
    source : str
        Where the table comes from.
    """
    made = _long if table.kind is LONG else _wide
    ratings = _same_numbers(made(table, document, source))
    numbers = numbers_within(ratings.document)
    return replace(ratings, items=numbers) if list(map(str, numbers)) == list(ratings.items) else ratings


def _same_numbers(ratings: Ratings) -> Ratings:
    """Take 1 and 1.0 for the same label where all labels are written numbers; pandas writes 1.0 beside a gap."""
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


def _long(table: Table, document: str, source: str) -> Ratings:
    items, annotators = names(table, "item"), names(table, "annotator")
    documents = _documents(table, document, len(items))
    try:
        return Ratings.from_columns(
            item=items,
            annotator=annotators,
            label=labels("label", table.others["label"], table.fail),
            document=documents,
            source=source,
            locate=lambda row: (None, row),
        )
    except DataError as error:
        if error.line is None:
            raise
        row, said = error.line, str(error).removeprefix(f"line {error.line}: ")
        first = _where(_first(row, documents, items, annotators), table.fail)
        raise table.fail(row, f"{said} (the first is {first})") from None


def _wide(table: Table, document: str, source: str) -> Ratings:
    columns = {name: column for name, column in table.others.items() if name not in table.kind.columns}
    if len(columns) < 2:
        there = f"only one annotator, {next(iter(columns))!r}" if columns else "no annotator"
        raise table.fail(
            None, f"there is {there}; agreement needs two: one column each, or the columns item, annotator, label"
        )
    documents = _documents(table, document, len(next(iter(columns.values()))))
    items = names(table, "item") if "item" in table.others else None
    if items is not None and len(set(zip(documents, items, strict=True))) < len(items):
        _refuse_repeated(documents, items, table.fail)
    return Ratings.from_annotators(
        {name: labels(name, column, table.fail) for name, column in columns.items()},
        items=items,
        document=documents,
        source=source,
    )


def _documents(table: Table, document: str, n_rows: int) -> Sequence[str]:
    return names(table, "document") if "document" in table.others else [document] * n_rows


def _refuse_repeated(documents: Sequence[str], items: Sequence[str], fail: Fail) -> None:
    seen: set[tuple[str, str]] = set()
    for row, place in enumerate(zip(documents, items, strict=True)):
        if place in seen:
            first = _where(_first(row, documents, items), fail)
            raise fail(
                row,
                f"the item {items[row]!r} has a row already ({first}); make them one, "
                "or tell items of different documents apart by a column document",
            )
        seen.add(place)


def _first(row: int, *columns: Sequence[Any]) -> int:
    """Find the first row that is the same as another in some columns."""
    return next(one for one in range(row) if all(column[one] == column[row] for column in columns))


def _where(row: int, fail: Fail) -> str:
    line = fail(row, "").line
    return f"in row {row}" if line is None else f"on line {line}"
