"""Files that are read in pieces, for data larger than memory: tables by rows, JSON lines by lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import chain, islice
from pathlib import Path
from typing import Any

from unisono.data import Data
from unisono.errors import DataError
from unisono.formats import csv_format, jsonl, parquet
from unisono.formats.columns import UNITS, assign_columns, ignored_columns
from unisono.formats.delimited import delimited_records, find_delimiter
from unisono.formats.files import locating
from unisono.formats.format import Format, Instructions
from unisono.formats.frames import table_from
from unisono.formats.json_reading import json_lines
from unisono.formats.kinds import ANY_KIND, table_kind
from unisono.formats.numbers import Numbers
from unisono.formats.spreadsheets import MARKS, is_protected
from unisono.formats.table import RawTable, corpus_from

_ROWS = 50_000
_LINES = 2_000
_LETTERS = 2**22
"""So many rows, lines, or letters of a text are read at a time."""


def pieces(known: Format, path: Path, instructions: Instructions) -> Iterator[Data]:
    """Iterate over what a file holds, piece by piece; a document may be in several pieces of a table.

    Files of other formats, and tables of something other than units, are one piece.
    """
    in_pieces = _PIECES.get(known.name)
    if in_pieces is None or instructions.bad is not None:  # a bad record may make a whole file bad
        yield known.read(path, instructions)
    else:
        with locating(path):
            yield from in_pieces(known, path, instructions)


@dataclass
class _Later(csv_format._Source):
    """A file whose rows are counted from a later one on."""

    before: int = 0

    def fail(self, row: int | None, message: str) -> DataError:
        """Make an error out of a row, of those below the header, and a message."""
        return super().fail(None if row is None else row + self.before, message)


def _csv_pieces(known: Format, path: Path, instructions: Instructions) -> Iterator[Data]:
    def fits(first: Any) -> bool:
        return csv_format._has_known_header(first, instructions, ANY_KIND) or csv_format._begins_with_unit(
            first, instructions, ANY_KIND
        )

    source = _Later(path, find_delimiter(path, instructions.delimiter, fits), None)
    with closing(source.records()) as rows:
        first = next(rows, None)
        layout = None if first is None else csv_format._layout(first, instructions, ANY_KIND)
        if first is None or layout is None or layout.kind is not UNITS or len(first) == 1:
            yield known.read(path, instructions)
            return
        source.has_header = layout.has_header
        places = assign_columns(layout.names, instructions.columns, UNITS, source.fail)
        left = rows if layout.has_header else chain([first], rows)
        dropped: dict[str, int] = dict(ignored_columns(layout.names, places))
        marks = _Marks(path, source.delimiter, instructions, places)
        while chunk := list(islice(left, _ROWS)):
            columns = csv_format._columns(iter(chunk), places, layout, source)
            numbers = {name: column for name, column in columns.items() if isinstance(column, Numbers)}
            others = {name: column for name, column in columns.items() if not isinstance(column, Numbers)}
            others, n_marked = marks.removed(others, begun=source.before > 0)
            if n_marked:
                dropped[csv_format._MARKED] = n_marked
            document = instructions.document_of(path)
            at = replace(source)  # which keeps its own count of rows
            yield corpus_from(RawTable(UNITS, numbers, others, at.fail, document, path.name, dropped))
            source.before += len(chunk)
            dropped = {}
        if not source.before:
            raise DataError("there is a header but no row below it; check that the file is complete", path=path)


@dataclass
class _Marks:
    """Whether a table has marks that protect cells from spreadsheets, which only the whole file can tell."""

    path: Path
    delimiter: str
    instructions: Instructions
    places: Mapping[str, int]
    has: bool | None = None

    def removed(self, columns: Mapping[str, list[str | None]], begun: bool) -> tuple[dict[str, list[str | None]], int]:
        """Remove the marks, if the table has them; return how many cells had one, of the header too if it is first."""
        if not any(text and text[0] in MARKS for column in (columns, *columns.values()) for text in set(column)):
            return dict(columns), 0
        if self.has is None:
            how = self.instructions.choice("safe", ("true", "false"), None)
            self.has = is_protected(self._texts()) if how is None else how == "true"
        options = {**self.instructions.options, "safe": str(self.has).lower()}
        plain, n_marked = csv_format._without_marks(columns, replace(self.instructions, options=options))
        n_names = sum(before != after for before, after in zip(columns, plain, strict=True))
        return plain, n_marked - (n_names if begun else 0)

    def _texts(self) -> Iterator[str]:
        """Iterate over the names and cells that may have marks."""
        wanted = [place for name, place in self.places.items() if name not in ("start", "end")]
        yield from (name for name in self.places if name[:1] in MARKS)
        for record in delimited_records(self.path, self.delimiter):
            for place in wanted:
                if place < len(record) and record[place][:1] in MARKS and record[place]:
                    yield record[place]


def _json_pieces(known: Format, path: Path, instructions: Instructions) -> Iterator[Data]:
    lines, n_lines, n_letters = jsonl._Lines(path, instructions), 0, 0
    latest: Any = None
    for line, entry in json_lines(path, instructions.bad, strict=True):
        document = entry.get("document", "") if isinstance(entry, dict) else latest
        if (n_lines >= _LINES or n_letters >= _LETTERS) and document != latest:
            yield lines.corpus()
            lines, n_lines, n_letters = jsonl._Lines(path, instructions), 0, 0
        latest = document
        with lines.record(line):
            lines.add(entry, line)
        n_lines += 1
        text = entry.get("text") if isinstance(entry, dict) else None
        n_letters += len(text) if isinstance(text, str) else 0
    yield lines.corpus()


def _parquet_pieces(known: Format, path: Path, instructions: Instructions) -> Iterator[Data]:
    before = 0
    for frame in parquet.arrow_pieces(path, _ROWS):
        if not before and table_kind(frame.column_names, instructions.columns, ANY_KIND) is not UNITS:
            break
        if frame.num_rows:
            table = table_from(
                frame,
                instructions.columns,
                ANY_KIND,
                _failing(path, before),
                document=instructions.document_of(path),
                source=path.name,
            )
            yield corpus_from(table if not before else replace(table, dropped={}))
            before += frame.num_rows
    if not before:
        yield known.read(path, instructions)


def _failing(path: Path, before: int) -> Callable[[int | None, str], DataError]:
    def fail(row: int | None, message: str) -> DataError:
        return DataError(message if row is None else f"row {row + before}: {message}", path=path)

    return fail


_PIECES: Mapping[str, Callable[[Format, Path, Instructions], Iterator[Data]]] = {
    "csv": _csv_pieces,
    "tsv": _csv_pieces,
    "jsonl": _json_pieces,
    "parquet": _parquet_pieces,
}
