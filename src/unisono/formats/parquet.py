"""Parquet: the columns of CSV, with labels of any kind. Needs pyarrow."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

from unisono.errors import DataError
from unisono.formats.columns import TableKind
from unisono.formats.format import Format, Instructions
from unisono.formats.frames import table_from
from unisono.formats.kinds import data_reader
from unisono.formats.table import RawTable

_SUFFIXES = (".parquet", ".pq")
_PANDAS_INDEX = re.compile(r"__index_level_\d+__")


def read_parquet_table(path: Path, instructions: Instructions, expected: Collection[TableKind]) -> RawTable:
    """Read a table that holds one of some kinds of data."""

    def fail(row: int | None, message: str) -> DataError:
        return DataError(message if row is None else f"row {row}: {message}", path=path)

    (frame,) = arrow_pieces(path)
    if not frame.num_rows:
        raise DataError("the table has no rows; check that the file is complete", path=path)
    document = instructions.document_of(path)
    return table_from(frame, instructions.columns, expected, fail, document=document, source=path.name)


def arrow_pieces(path: Path, n_rows: int | None = None) -> Iterator[Any]:
    """Iterate over a file as tables of about so many rows, by default one of all."""
    try:
        import pyarrow
        from pyarrow.parquet import ParquetFile
    except ImportError:
        message = (
            'reading Parquet needs pyarrow, which is not installed; install it with pip install "unisono[parquet]"'
        )
        raise DataError(message, path=path) from None
    try:
        with ParquetFile(path) as file:
            parts = [file.read()] if n_rows is None else map(pyarrow.Table.from_batches, _batches(file, n_rows))
            for frame in parts:
                frame.validate(full=True)  # text that is not UTF-8
                yield frame.drop_columns([name for name in frame.column_names if _PANDAS_INDEX.fullmatch(name)])
    except (pyarrow.ArrowException, OSError, ValueError, KeyError) as error:
        reason = str(error).splitlines()[0].rstrip(".") if str(error) else "unknown reason"
        raise DataError(f"the Parquet file is damaged ({reason}); write it again", path=path) from None


def _batches(file: Any, n_rows: int) -> Iterator[list[Any]]:
    return ([batch] for batch in file.iter_batches(batch_size=n_rows))


FORMAT = Format(
    name="parquet",
    title="Parquet",
    suffixes=_SUFFIXES,
    reads="the same columns as CSV; numbers, true/false and lists of texts stay what they are. Needs pyarrow "
    '(pip install "unisono[parquet]")',
    ignores="the index of a pandas frame",
    annotator_from=(),
    sniff=lambda head, path: head.startswith(b"PAR1") or path.suffix.lower() in _SUFFIXES,
    read=data_reader(read_parquet_table),
    read_table=read_parquet_table,
)
