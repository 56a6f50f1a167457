"""Parquet: the columns of CSV, with labels of any kind."""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import Path
from typing import Any

from unisono.data import Data
from unisono.errors import DataError
from unisono.formats.columns import WORKED, Kind
from unisono.formats.format import Format, Options
from unisono.formats.frames import table_from
from unisono.formats.kinds import ANY, RATINGS, data_from
from unisono.formats.table import Table, worked_from

_PANDAS_INDEX = re.compile(r"__index_level_\d+__")


def read(path: Path, options: Options) -> Data:
    """Read units, or ratings if the columns are theirs."""
    return data_from(_table(path, options, ANY), document=options.document_of(path), source=path.name)


def read_ratings(path: Path, options: Options) -> Data:
    """Read ratings, whatever the columns look like."""
    return data_from(_table(path, options, RATINGS), document=options.document_of(path), source=path.name)


def read_worked(path: Path, options: Options) -> list[tuple[str, str]]:
    """Read who worked on what."""
    return worked_from(_table(path, options, [WORKED]))


def _table(path: Path, options: Options, expected: Collection[Kind]) -> Table:
    def fail(row: int | None, message: str) -> DataError:
        return DataError(message if row is None else f"row {row}: {message}", path=path)

    frame = _arrow(path)
    if not frame.num_rows:
        raise DataError("the table has no rows; check that the file is complete", path=path)
    return table_from(frame, options.columns, expected, fail)


def _arrow(path: Path) -> Any:
    import pyarrow
    from pyarrow.parquet import ParquetFile

    try:
        with ParquetFile(path) as file:
            frame = file.read()
    except (pyarrow.ArrowException, OSError, ValueError, KeyError) as error:
        reason = str(error).splitlines()[0].rstrip(".") if str(error) else "unknown reason"
        raise DataError(f"the Parquet file is damaged ({reason}); write it again", path=path) from None
    return frame.drop_columns([name for name in frame.column_names if _PANDAS_INDEX.fullmatch(name)])


FORMAT = Format(
    name="parquet",
    title="Parquet",
    suffixes=(".parquet", ".pq"),
    reads="the same columns as CSV; numbers, true/false and lists of texts stay what they are",
    ignores="the index of a pandas frame",
    annotator_from=(),
    sniff=lambda head, path: head.startswith(b"PAR1") or path.suffix.lower() in (".parquet", ".pq"),
    read=read,
    read_worked=read_worked,
)
