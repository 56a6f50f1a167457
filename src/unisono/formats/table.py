"""A table, and how one with a row a unit becomes a corpus: the rules for CSV, Parquet and frames."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import Any

import numpy as np

from unisono.arrays import BoolArray
from unisono.data import Corpus
from unisono.data.labels import feature
from unisono.errors import DataError
from unisono.formats.columns import Fail, Kind
from unisono.formats.numbers import Numbers

_PLAIN = {str, int, float, bool, type(None)}


@dataclass(frozen=True, slots=True)
class Table:
    """Columns under our names.

    Attributes
    ----------
    kind : Kind
        What the table holds.
    numbers : mapping
        The columns start and end, of a table of units.
    others : mapping
        All other columns: names, and labels.
    fail : callable
        Makes an error out of a row and a message.
    """

    kind: Kind
    numbers: Mapping[str, Numbers]
    others: Mapping[str, Sequence[Any]]
    fail: Fail


def corpus_from(table: Table, *, document: str, source: str) -> Corpus:
    """Make a corpus out of a table.

    A row with neither start nor end nor labels says that the annotator worked on the document and marked
    nothing.

    Parameters
    ----------
    table : Table
        One row a unit.
    document : str
        The document's name where the table has no such column.
    source : str
        Where the table comes from.
    """
    annotators = names(table, "annotator")
    documents = names(table, "document") if "document" in table.others else [document] * len(annotators)
    features = {name: values for name, values in table.others.items() if name not in ("document", "annotator")}
    columns = {name: labels(name, values, table.fail) for name, values in features.items()}
    start, end = table.numbers["start"], table.numbers["end"]
    units = _units(start, end, columns, table.fail)
    rows = np.flatnonzero(units)
    try:
        return Corpus.from_columns(
            documents=documents,
            document=list(compress(documents, units)),
            annotator=list(compress(annotators, units)),
            start=start.values[rows],
            end=end.values[rows],
            features={name: list(compress(values, units)) for name, values in columns.items()},
            worked=dict.fromkeys(zip(compress(documents, ~units), compress(annotators, ~units), strict=True)),
            source=source,
            locate=lambda row: (None, row),
        )
    except DataError as error:
        if error.line is None:
            raise
        raise table.fail(int(rows[error.line]), str(error).removeprefix(f"line {error.line}: ")) from None


def worked_from(table: Table) -> list[tuple[str, str]]:
    """Give the (document, annotator) pairs of a table."""
    return list(dict.fromkeys(zip(names(table, "document"), names(table, "annotator"), strict=True)))


def names(table: Table, column: str) -> Sequence[str]:
    """Give a column of names; whole numbers are names too."""
    values = table.others[column]
    if set(map(type, values)) == {str} and "" not in values:
        return values
    found = [_name(value) for value in values]
    if "" in found:
        row = found.index("")
        wrong = "is missing" if values[row] in (None, "") else f"is {values[row]!r}, not a name"
        raise table.fail(row, f"the {column} {wrong}; fill it in")
    return found


def _name(value: Any) -> str:
    whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
    return str(value) if whole or isinstance(value, str) else ""


def labels(name: str, values: Sequence[Any], fail: Fail) -> Sequence[Any]:
    """Give a column of labels, None where one is missing."""
    if not _PLAIN.issuperset(map(type, values)):
        for row, value in enumerate(values):
            _refuse_unlike_label(name, value, row, fail)
        return values
    return [None if value == "" else value for value in values] if "" in values else values


def _refuse_unlike_label(name: str, value: Any, row: int, fail: Fail) -> None:
    if type(value) in _PLAIN:
        return
    try:
        feature([value])
    except DataError as error:
        raise fail(row, f"{name}: {error}") from None


def _units(start: Numbers, end: Numbers, labels: Mapping[str, Sequence[Any]], fail: Fail) -> BoolArray:
    """Tell the rows with a unit from those that only say who worked on what."""
    half = start.missing != end.missing
    if half.any():
        row = int(np.flatnonzero(half)[0])
        raise fail(row, f"the {'start' if start.missing[row] else 'end'} is missing; fill it in")
    for row in np.flatnonzero(start.missing).tolist():
        for name, values in labels.items():
            if values[row] is not None:
                raise fail(row, f"there is a label ({name}) but neither start nor end; fill them in")
    units: BoolArray = ~start.missing
    return units
