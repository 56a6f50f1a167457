"""Data to Parquet: the columns of CSV, in which labels keep their kind and positions of several pieces are lists."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, BinaryIO

from unisono.data import Corpus, Data, Label, Normalizations, Ratings
from unisono.errors import DataError
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


def check_pyarrow(doing: str) -> None:
    """Raise an error that says what to install if pyarrow is not."""
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        raise DataError(
            f'{doing} Parquet needs pyarrow, which is not installed; install it with pip install "unisono[parquet]"'
        ) from None


def write(data: Data, stream: BinaryIO) -> list[str]:
    """Write a table, and return sentences about what it could not hold."""
    check_pyarrow("writing")
    if isinstance(data, Ratings):
        return _write_ratings(data, stream)
    if isinstance(data, Normalizations):
        columns = normalization_columns(data)
        _write_columns({name: [None if cell == "" else cell for cell in own] for name, own in columns.items()}, stream)
        return []
    return _write_units(data, stream)


def _write_units(corpus: Corpus, stream: BinaryIO) -> list[str]:
    columns, as_text = dict(unit_columns(corpus)), []
    for name, cells in columns.items():
        if name in corpus.features and _array(corpus.features[name].labels) is None:
            columns[name] = list(map(_text, cells))
            as_text.append(name)
        elif name not in corpus.features:
            columns[name] = _positions(cells)
    _write_columns(columns, stream)
    return list(lost_of_units(corpus, as_text))


def _positions(cells: Sequence[Any]) -> Sequence[Any]:
    """Write positions as numbers, or all as lists if some are those of several anchors; None where there is none."""
    if any(isinstance(cell, list) and cell for cell in cells):
        return [(cell if isinstance(cell, list) else [cell]) or None for cell in cells]
    return [None if cell == [] else cell for cell in cells]


def _write_ratings(ratings: Ratings, stream: BinaryIO) -> list[str]:
    as_text = _array(ratings.labels) is None
    if as_text:
        check_labels_as_text(ratings.labels)
    _write_columns(rating_columns(ratings, _text if as_text else lambda label: label), stream)
    return list(lost_of_ratings(ratings, as_text=as_text))


def _text(label: Label | None) -> str | None:
    return None if label is None else cell_text(label)


def _write_columns(columns: WrittenColumns, stream: BinaryIO) -> None:
    import pyarrow
    from pyarrow.parquet import write_table

    write_table(pyarrow.table({name: _array(cells) for name, cells in columns.items()}), stream)


def _array(cells: Sequence[Any]) -> Any:
    """Return a column of cells of one kind; None if they are of several."""
    import pyarrow

    try:
        made = pyarrow.array(cells)
    except (pyarrow.ArrowException, OverflowError):
        return None
    return made.cast(pyarrow.string()) if pyarrow.types.is_null(made.type) else made
