"""CSV: one row per unit or label, or one column per annotator; fields separated by commas, semicolons, tabs or bars."""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, islice
from pathlib import Path

from unisono.data import Data, Export
from unisono.data.unit_kinds import COMPOSITE
from unisono.errors import DataError
from unisono.formats.columns import UNITS, TableKind, ignored_columns, position_columns
from unisono.formats.csv_writing import write
from unisono.formats.delimited import delimited_records, find_delimiter, numbered_records, readable_records
from unisono.formats.encodings import found_encoding
from unisono.formats.files import encoding
from unisono.formats.format import Format, Instructions
from unisono.formats.kinds import ANY_KIND, data_reader
from unisono.formats.numbers import Numbers
from unisono.formats.spreadsheets import MARKS, is_protected
from unisono.formats.table import RawTable, corpus_from
from unisono.formats.text_tables import (
    MARKED,
    RecordSource,
    begins_with_unit,
    has_known_header,
    layout_of,
    only_header,
    text_columns,
    text_table,
    without_marks,
)
from unisono.formats.wanted import as_wanted

_ROWS = 50_000
"""So many rows are a piece of a file that is read in pieces."""


def read_csv_table(path: Path, instructions: Instructions, expected: Collection[TableKind]) -> RawTable:
    """Read a table that holds one of some kinds of data."""

    def fits(first: Sequence[str]) -> bool:
        return has_known_header(first, instructions, expected) or begins_with_unit(first, instructions, expected)

    codec, how = found_encoding(path, instructions.encoding)
    delimiter = find_delimiter(path, instructions.delimiter, fits, codec)
    table = text_table(_Source(path, delimiter, instructions.bad, codec=codec), instructions, expected)
    return replace(table, dropped={how: 1, **table.dropped}) if how else table


@dataclass
class _Source(RecordSource):
    """A file, and where its records begin, if bad ones are skipped."""

    codec: str | None = None
    lines: list[int] = field(default_factory=list)

    def records(self) -> Generator[list[str], None, None]:
        """Iterate over the records."""
        if self.bad is None:
            yield from delimited_records(self.path, self.delimiter, self.codec)
            return
        found = readable_records(self.path, self.delimiter, lambda record: self.wrong(record), self.bad, self.codec)
        for line, record in found:
            self.lines.append(line)
            yield record

    def fail(self, row: int | None, message: str) -> DataError:
        """Make an error out of a row, of those below the header, and a message."""
        index = 0 if row is None else row + self.has_header
        if self.bad is None:
            line, _ = next(islice(numbered_records(self.path, self.delimiter, self.codec), index, None))
        else:
            line = self.lines[index]
        return DataError(message, path=self.path, line=line)


def csv_pieces(path: Path, instructions: Instructions) -> Iterator[Data | Export]:
    """Read units some rows at a time; a table of anything else is one piece."""

    def fits(first: Sequence[str]) -> bool:
        return has_known_header(first, instructions, ANY_KIND) or begins_with_unit(first, instructions, ANY_KIND)

    codec, how = found_encoding(path, instructions.encoding)
    source = _Later(path, find_delimiter(path, instructions.delimiter, fits, codec), None, codec=codec)
    with closing(source.records()) as rows:
        first = next(rows, None)
        layout = None if first is None else layout_of(first, instructions, ANY_KIND)
        if first is None or layout is None or layout.kind is not UNITS or len(first) == 1:
            yield read_csv(path, instructions)
            return
        source.has_header = layout.has_header
        places = layout.places(instructions.columns, source.fail)
        left = rows if layout.has_header else chain([first], rows)
        dropped: dict[str, int] = {**({how: 1} if how else {}), **ignored_columns(layout.names, places)}
        marks = _Marks(path, source.delimiter, codec, instructions, places)
        while chunk := list(islice(left, _ROWS)):
            columns = text_columns(iter(chunk), places, layout, source, instructions.decimal)
            numbers = {name: column for name, column in columns.items() if isinstance(column, Numbers)}
            others = {name: column for name, column in columns.items() if not isinstance(column, Numbers)}
            others, n_marked = marks.removed(others, begun=source.before > 0)
            if n_marked:
                dropped[MARKED] = n_marked
            document = layout.document(path, instructions)
            at = replace(source)  # which keeps its own count of rows
            table = RawTable(UNITS, numbers, others, at.fail, document, path.name, dropped)
            yield as_wanted(corpus_from(table), instructions)
            source.before += len(chunk)
            dropped = {}
        if not source.before:
            raise only_header(path)


@dataclass
class _Later(_Source):
    """A file whose rows are counted from a later one on."""

    before: int = 0

    def fail(self, row: int | None, message: str) -> DataError:
        """Make an error out of a row, of those below the header, and a message."""
        return super().fail(None if row is None else row + self.before, message)


@dataclass
class _Marks:
    """Whether a table has marks that protect cells from spreadsheets, which only the whole file can tell."""

    path: Path
    delimiter: str
    codec: str | None
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
        told = replace(self.instructions, options=options)
        names, plain, n_marked = without_marks([*columns], [*columns.values()], told)
        n_names = sum(before != after for before, after in zip(columns, names, strict=True))
        return dict(zip(names, plain, strict=True)), n_marked - (n_names if begun else 0)

    def _texts(self) -> Iterator[str]:
        """Iterate over the names and cells that may have marks."""
        positions = position_columns(self.places)
        wanted = [place for name, place in self.places.items() if name not in positions]
        yield from (name for name in self.places if name[:1] in MARKS)
        for record in delimited_records(self.path, self.delimiter, self.codec):
            for place in wanted:
                if place < len(record) and record[place][:1] in MARKS and record[place]:
                    yield record[place]


read_csv = data_reader(read_csv_table)

FORMAT = Format(
    name="csv",
    title="CSV",
    suffixes=(".csv", ".txt"),
    reads="units: document, annotator, start, end, category; any further column is a feature. Relations: target_start "
    "and target_end, too; events: trigger_start, trigger_end, and the same of other roles; several pieces: 0|10. "
    "Without a header: annotator, category, start, end, perhaps with document before them. "
    "Or ratings: item, annotator, label, or one column per annotator; names that many people use are recognized, and "
    "result tables of MTurk, Appen, Toloka, Potato and Prolific. Or normalizations: original, and one column per "
    "annotator, or token, original, annotator, norm, mod, type",
    ignores="further columns of ratings, such as comments and dates",
    annotator_from=(),
    composite=COMPOSITE,
    writes_links=COMPOSITE,
    sniff=lambda head, path: b"\0" not in head or encoding(head) in ("utf-16", "utf-32"),
    read=read_csv,
    pieces=csv_pieces,
    read_table=read_csv_table,
    settings=("delimiter", "encoding", "decimal"),
    options={
        "safe": "true: an apostrophe before = + - @ protects a cell from spreadsheets and is not read; false: it is "
        "text; by default it is not read if all cells that need one have it"
    },
    write=write,
    write_safe=partial(write, safe=True),
)

TSV = replace(
    FORMAT,
    name="tsv",
    title="TSV",
    suffixes=(".tsv", ".tab"),
    reads="the same as CSV",
    sniff=lambda head, path: path.suffix.lower() in (".tsv", ".tab") and FORMAT.sniff(head, path),
    write=partial(write, delimiter="\t"),
    write_safe=partial(write, delimiter="\t", safe=True),
)
"""CSV with tabs."""
