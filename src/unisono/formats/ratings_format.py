"""Ratings by name: a table that is read as ratings whatever its columns look like."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from unisono.data import Data, Ratings
from unisono.errors import DataError
from unisono.formats import csv_format, csv_writing, parquet
from unisono.formats.files import read_head
from unisono.formats.format import Options


def read(path: Path, options: Options) -> Data:
    """Read a CSV or Parquet table as ratings."""
    if parquet.FORMAT.sniff(read_head(path), path):
        return parquet.read_ratings(path, options)
    return csv_format.read_ratings(path, options)


def write(data: Data, stream: BinaryIO) -> list[str]:
    """Write ratings as CSV."""
    if not isinstance(data, Ratings):
        raise DataError("these are units, not ratings; write csv or jsonl")
    return csv_writing.write(data, stream)


FORMAT = replace(
    csv_format.FORMAT,
    name="ratings",
    suffixes=(),
    reads="document, item, annotator, label; or document, item, and one column an annotator; without document and item "
    "too. Without a header: annotator, item, label. By name: whatever else the columns look like",
    sniff=lambda head, path: False,
    read=read,
    write=write,
)
