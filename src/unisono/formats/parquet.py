"""Parquet: the columns of CSV, with labels of any kind. Needs pyarrow."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from unisono.data import Data, Export
from unisono.data.unit_kinds import COMPOSITE
from unisono.errors import DataError
from unisono.formats.columns import UNITS, TableKind, lack_annotator, resembled
from unisono.formats.files import locating
from unisono.formats.format import Format, Instructions
from unisono.formats.frames import table_from
from unisono.formats.kinds import ANY_KIND, data_reader, table_kind
from unisono.formats.parquet_writing import check_pyarrow, write
from unisono.formats.table import RawTable, corpus_from
from unisono.formats.wanted import as_wanted

_SUFFIXES = (".parquet", ".pq")
_ROWS = 50_000
"""So many rows are a piece of a file that is read in pieces."""
_PANDAS_INDEX = re.compile(r"__index_level_\d+__")


def read_parquet_table(path: Path, instructions: Instructions, expected: Collection[TableKind]) -> RawTable:
    """Read a table that holds one of some kinds of data."""
    (frame,) = _arrow(path, instructions)
    if not frame.num_rows:
        raise DataError("the table has no rows; check that the file is complete", path=path)
    return _table(frame, path, instructions, expected)


def _arrow(path: Path, instructions: Instructions, n_rows: int | None = None) -> Iterator[Any]:
    """Iterate over a file as tables of about so many rows, by default one of all.

    If no column says whose units these are but the path does, there are more columns: the annotator and the document.
    """
    with locating(path):
        check_pyarrow("reading")
    import pyarrow
    from pyarrow.parquet import ParquetFile

    try:
        with ParquetFile(path) as file:
            parts = [file.read()] if n_rows is None else map(pyarrow.Table.from_batches, _batches(file, n_rows))
            for frame in parts:
                frame.validate(full=True)  # text that is not UTF-8
                frame = frame.drop_columns([name for name in frame.column_names if _PANDAS_INDEX.fullmatch(name)])
                if instructions.has_annotator and lack_annotator(frame.column_names, instructions.columns):
                    said = {"annotator": instructions.annotator, "document": instructions.shared_document}
                    for name in said.keys() - resembled(frame.column_names, instructions.columns):
                        frame = frame.append_column(name, [[said[name]] * frame.num_rows])
                yield frame
    except (pyarrow.ArrowException, OSError, ValueError, KeyError) as error:
        reason = str(error).splitlines()[0].rstrip(".") if str(error) else "unknown reason"
        raise DataError(f"the Parquet file is damaged ({reason}); write it again", path=path) from None


def _batches(file: Any, n_rows: int) -> Iterator[list[Any]]:
    return ([batch] for batch in file.iter_batches(batch_size=n_rows))


def parquet_pieces(path: Path, instructions: Instructions) -> Iterator[Data | Export]:
    """Read units some rows at a time; a table of anything else is one piece."""
    before = 0
    for frame in _arrow(path, instructions, _ROWS):
        if not before and table_kind(frame.column_names, instructions.columns, ANY_KIND) is not UNITS:
            break
        if frame.num_rows:
            table = _table(frame, path, instructions, ANY_KIND, before)
            corpus = corpus_from(table if not before else replace(table, dropped={}))
            yield as_wanted(corpus, instructions)
            before += frame.num_rows
    if not before:
        yield read_parquet(path, instructions)


def _table(
    frame: Any, path: Path, instructions: Instructions, expected: Collection[TableKind], before: int = 0
) -> RawTable:
    """Take the columns of a part of a file, before which there are so many rows."""

    def fail(row: int | None, message: str) -> DataError:
        return DataError(message if row is None else f"row {row + before}: {message}", path=path)

    document = instructions.document_of(path)
    index = _index_of(frame)
    return table_from(frame, instructions.columns, expected, fail, document=document, source=path.name, index=index)


def _index_of(frame: Any) -> str | None:
    """Return the column that was the index of a pandas frame."""
    kept = [name for name in (frame.schema.pandas_metadata or {}).get("index_columns", ()) if isinstance(name, str)]
    return kept[0] if len(kept) == 1 and kept[0] in frame.column_names else None


read_parquet = data_reader(read_parquet_table)

FORMAT = Format(
    name="parquet",
    title="Parquet",
    suffixes=_SUFFIXES,
    reads="the same columns as CSV; numbers, true/false and lists of texts stay what they are. Needs pyarrow "
    '(pip install "unisono[parquet]")',
    ignores="the index of a pandas frame, if it has no name",
    annotator_from=(),
    composite=COMPOSITE,
    sniff=lambda head, path: head.startswith(b"PAR1") or path.suffix.lower() in _SUFFIXES,
    read=read_parquet,
    pieces=parquet_pieces,
    read_table=read_parquet_table,
    writes_links=COMPOSITE,
    check_writing=partial(check_pyarrow, "writing"),
    write=write,
)
