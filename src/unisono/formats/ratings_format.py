"""Ratings by name: a table that is read as ratings whatever its columns look like."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import BinaryIO

from unisono.data import Data, Ratings
from unisono.errors import DataError
from unisono.formats import csv_format, csv_writing, json_tables, parquet, statistics_files, workbooks
from unisono.formats.columns import TableKind
from unisono.formats.files import read_head
from unisono.formats.format import Instructions
from unisono.formats.kinds import RATINGS_KINDS, data_reader
from unisono.formats.table import RawTable

_TABLES = (parquet.FORMAT, workbooks.FORMAT, statistics_files.FORMAT, json_tables.FORMAT)
"""Formats of tables besides CSV."""


def write(data: Data, stream: BinaryIO, *, safe: bool = False) -> list[str]:
    """Write ratings as CSV."""
    if not isinstance(data, Ratings):
        raise DataError("these are units, not ratings; write csv or jsonl")
    return csv_writing.write(data, stream, safe=safe)


def _read_table(path: Path, instructions: Instructions, expected: Collection[TableKind]) -> RawTable:
    """Read a table, of whichever format of tables it is."""
    head = read_head(path)
    for known in _TABLES:
        if known.read_table is not None and known.sniff(head, path):
            return known.read_table(path, instructions, expected)
    return csv_format.read_csv_table(path, instructions, expected)


FORMAT = replace(
    csv_format.FORMAT,
    name="ratings",
    suffixes=(),
    reads="document, item, annotator, label; or document, item, and one column per annotator; document and item may be "
    "missing. Without a header: annotator, item, label. By name: whatever else the columns look like",
    sniff=lambda head, path: False,
    read=data_reader(_read_table, RATINGS_KINDS),
    read_table=_read_table,
    settings=("delimiter", "encoding", "decimal", "sheet"),
    write=write,
    write_safe=partial(write, safe=True),
)
