"""Data to CSV: units with one row each, ratings and normalizations with one column per annotator."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any, BinaryIO, NamedTuple

from unisono.data import Corpus, Data, Normalizations, Ratings
from unisono.formats.numbers import SEVERAL_NUMBERS
from unisono.formats.spreadsheets import is_protected, protected
from unisono.formats.written_tables import (
    WrittenColumns,
    cell_text,
    check_labels_as_text,
    lost_of_ratings,
    lost_of_units,
    normalization_columns,
    rating_columns,
    unit_columns,
)


def write(data: Data, stream: BinaryIO, delimiter: str = ",", *, safe: bool = False) -> list[str]:
    """Write a table, and return sentences about what it could not hold.

    If it is to be safe, cells that spreadsheets would take for formulas are protected (see `spreadsheets`).
    """
    target = _Target(stream, delimiter, safe)
    if isinstance(data, Ratings):
        columns = rating_columns(data, cell_text)
        check_labels_as_text(data.labels)
        names = [*data.documents, *data.annotators, *map(str, data.items)]
        _write_rows(columns, [*names, *map(cell_text, data.labels)], target)
        return list(lost_of_ratings(data, as_text=True))
    if isinstance(data, Normalizations):
        texts = [*data.documents, *data.annotators, *data.forms, *data.types]
        _write_rows(normalization_columns(data), texts, target)
        return []
    _write_units(data, target)
    return list(lost_of_units(data, list(data.features)))


class _Target(NamedTuple):
    """Where a table is written, and how."""

    stream: BinaryIO
    delimiter: str
    safe: bool


def _write_units(corpus: Corpus, target: _Target) -> None:
    labels = [cell_text(label) for column in corpus.features.values() for label in column.labels]
    columns = {
        name: cells if name in ("document", "annotator") else list(map(_text_of(name, corpus), cells))
        for name, cells in unit_columns(corpus).items()
    }
    _write_rows(columns, [*corpus.documents, *corpus.annotators, *corpus.features, *labels], target)


def _text_of(name: str, corpus: Corpus) -> Any:
    return cell_text if name in corpus.features else _position


def _position(cell: Any) -> Any:
    return SEVERAL_NUMBERS.join(map(str, cell)) if isinstance(cell, list) else cell


def _write_rows(columns: WrittenColumns, texts: Iterable[str], target: _Target) -> None:
    """Write columns; `texts` are all texts in them."""
    header: Sequence[Any] = [*columns]
    rows: Iterable[Sequence[Any]] = zip(*columns.values(), strict=True)
    texts = list(texts)
    stream, delimiter, safe = target
    text = io.TextIOWrapper(stream, encoding="utf-8", newline="", write_through=True)
    if safe or is_protected(texts):  # what looks protected is read as if it were
        other = {words: after for words in texts if (after := protected(words)) != words}
        header, *rows = (
            ([other.get(cell, cell) for cell in row] for row in (header, *rows)) if other else (header, *rows)
        )
    marks = "\r" if delimiter != "\t" else '\r\n\t"'  # returns csv leaves unquoted; with tabs, all or nothing is quoted
    quoted = any(mark in words for words in texts for mark in marks)
    writer = csv.writer(
        text,
        delimiter=delimiter,
        lineterminator="\n",
        quoting=csv.QUOTE_NONNUMERIC if quoted else csv.QUOTE_MINIMAL,
    )
    writer.writerow(header)
    writer.writerows(rows)
    text.detach()
