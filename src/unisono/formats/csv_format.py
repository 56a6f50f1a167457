"""CSV: one row per unit or label, or one column per annotator; fields separated by commas, semicolons, tabs or bars."""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, islice, pairwise
from pathlib import Path

from unisono.data import Data
from unisono.errors import DataError, mention
from unisono.formats.columns import (
    RATINGS_LONG,
    RATINGS_WIDE,
    UNITS,
    Fail,
    TableKind,
    assign_columns,
    has_names,
    ignored_columns,
)
from unisono.formats.csv_writing import write
from unisono.formats.delimited import delimited_records, find_delimiter, numbered_records, readable_records
from unisono.formats.files import Bad, encoding
from unisono.formats.format import Format, Instructions
from unisono.formats.kinds import ANY_KIND, check_annotators, data_reader, long_without_header, table_kind
from unisono.formats.numbers import Numbers, joined_numbers, looks_numeric, parse_numbers, wrong_number
from unisono.formats.spreadsheets import MARKS, is_protected, unprotected
from unisono.formats.table import RawTable, corpus_from

_NAMES = ("document", "annotator", "item")
_MARKED = "cells with an apostrophe that protects them from spreadsheets, read without it"
_UNITS_WITHOUT_HEADER = ("document", "annotator", "category", "start", "end")
_CHUNK = 4_000
"""So many rows are taken at a time, fewer if they are long."""
_CHUNK_FIELDS = 2**20
_ROWS = 50_000
"""So many rows are a piece of a file that is read in pieces."""


def read_csv_table(path: Path, instructions: Instructions, expected: Collection[TableKind]) -> RawTable:
    """Read a table that holds one of some kinds of data."""

    def fits(first: Sequence[str]) -> bool:
        return _has_known_header(first, instructions, expected) or _begins_with_unit(first, instructions, expected)

    delimiter = find_delimiter(path, instructions.delimiter, fits)
    source = _Source(path, delimiter, instructions.bad)
    with closing(source.records()) as rows:  # an error must not leave the file open
        first = next(rows, None)
        if first is None:
            raise DataError("the file has only empty lines; check that it was saved", path=path)
        return _table(first, rows, source, instructions, expected)


@dataclass
class _Source:
    """A file, and where its records begin, if bad ones are skipped; `bad` takes their errors."""

    path: Path
    delimiter: str
    bad: Bad | None
    has_header: bool = True
    wrong: Callable[[list[str]], str | None] = lambda record: None
    """What is wrong with a record, as soon as that is known from the header."""
    lines: list[int] = field(default_factory=list)

    def records(self) -> Generator[list[str], None, None]:
        """Iterate over the records."""
        if self.bad is None:
            yield from delimited_records(self.path, self.delimiter)
            return
        for line, record in readable_records(self.path, self.delimiter, lambda record: self.wrong(record), self.bad):
            self.lines.append(line)
            yield record

    def fail(self, row: int | None, message: str) -> DataError:
        """Make an error out of a row, of those below the header, and a message."""
        index = 0 if row is None else row + self.has_header
        if self.bad is None:
            line, _ = next(islice(numbered_records(self.path, self.delimiter), index, None))
        else:
            line = self.lines[index]
        return DataError(message, path=self.path, line=line)


@dataclass(frozen=True, slots=True)
class _Layout:
    """What a file holds, the names of its columns, and whether its first row has these names."""

    kind: TableKind
    names: Sequence[str]
    has_header: bool = True


def _table(
    first: list[str],
    rows: Iterator[list[str]],
    source: _Source,
    instructions: Instructions,
    expected: Collection[TableKind],
) -> RawTable:
    alone = len(first) == 1 and not _has_known_header(first, instructions, expected)
    if alone and (instructions.delimiter is not None or UNITS in expected):
        raise source.fail(None, _no_table(first[0], instructions.delimiter))
    layout = _layout(first, instructions, expected)
    source.has_header = layout.has_header
    places = assign_columns(layout.names, instructions.columns, layout.kind, source.fail)
    rows = rows if layout.has_header else chain([first], rows)
    columns = _columns(rows, places, layout, source)
    numbers = {name: column for name, column in columns.items() if isinstance(column, Numbers)}
    others = {name: column for name, column in columns.items() if not isinstance(column, Numbers)}
    if not any(others.values()):
        raise DataError("there is a header but no row below it; check that the file is complete", path=source.path)
    document = instructions.document_of(source.path)
    others, n_marked = _without_marks(others, instructions)
    dropped = {**ignored_columns(layout.names, places), **({_MARKED: n_marked} if n_marked else {})}
    table = RawTable(layout.kind, numbers, others, source.fail, document, source.path.name, dropped)
    if layout.kind is RATINGS_WIDE and not instructions.columns and others.keys().isdisjoint(RATINGS_WIDE.columns):
        order = long_without_header(first, list(others.values()))
        if order is not None:
            added = ([cell, *column] for cell, column in zip(first, others.values(), strict=True))
            labels = dict(zip(order, added, strict=True))
            source.has_header = False
            return replace(table, kind=RATINGS_LONG, others=labels)
        if UNITS in expected:
            check_annotators(others, source.fail)
    return table


def _without_marks(
    columns: Mapping[str, list[str | None]], instructions: Instructions
) -> tuple[dict[str, list[str | None]], int]:
    """Remove the marks that protect cells from spreadsheets, if the table has them; return how many cells had one."""
    texts = [text for column in (columns, *columns.values()) for text in set(column) if text and text[0] in MARKS]
    how = instructions.choice("safe", ("true", "false"), None)
    if not (is_protected(texts) if how is None else how == "true"):
        return dict(columns), 0
    plain = {text: after for text in texts if (after := unprotected(text)) != text}
    n_marked = sum(text in plain for name, column in columns.items() for text in (name, *column))
    return {
        plain.get(name, name): [text if text is None else plain.get(text, text) for text in column]
        for name, column in columns.items()
    }, n_marked


def _no_table(first: str, given: str | None) -> str:
    """Explain that the first line has one field only."""
    if given is not None:
        detected = f"leave out {mention('delimiter')} to have it detected"
        return f"there is no {given!r} in the first line, {first[:40]!r}; {detected}"
    how = f"name another format with {mention('format', '…')}, or save a table with the columns annotator, start, end"
    return f"this is not a table: there is no comma, semicolon, tab or bar in the first line, {first[:40]!r}; {how}"


def _layout(first: Sequence[str], instructions: Instructions, expected: Collection[TableKind]) -> _Layout:
    kind = table_kind(first, instructions.columns, expected)
    if _has_known_header(first, instructions, expected) or UNITS not in expected:
        return _Layout(kind, first)
    if _begins_with_unit(first, instructions, expected):
        return _Layout(UNITS, _UNITS_WITHOUT_HEADER[-len(first) :], has_header=False)
    if kind is RATINGS_WIDE and not instructions.columns and _ends_like_unit(first):
        kind = UNITS  # with more labels than can be identified without a header
    return _Layout(kind, first)


def _has_known_header(first: Sequence[str], instructions: Instructions, expected: Collection[TableKind]) -> bool:
    if RATINGS_WIDE in expected and len(first) > 2 and first[0].strip().casefold() in RATINGS_WIDE.columns:
        return True
    return any(kind.required and has_names(first, instructions.columns, kind) for kind in expected)


def _begins_with_unit(first: Sequence[str], instructions: Instructions, expected: Collection[TableKind]) -> bool:
    """Whether this can be the first row of units without a header; a row of labels or of numbered names cannot."""
    if UNITS not in expected or instructions.columns or len(first) not in (4, 5):
        return False
    if not all(map(looks_numeric, first)):
        return _ends_like_unit(first)
    fields = [float(field.replace(",", ".")) for field in first]
    counted = all(after - before == 1 for before, after in pairwise(fields))
    return fields[-2] < fields[-1] and not counted


def _ends_like_unit(first: Sequence[str]) -> bool:
    """Whether names are followed by positions."""
    numeric = [looks_numeric(field) for field in first]
    return all(numeric[-2:]) and not all(numeric)


def _columns(
    rows: Iterator[list[str]], places: Mapping[str, int], layout: _Layout, source: _Source
) -> dict[str, Numbers | list[str | None]]:
    parts: dict[str, list[Numbers]] = {name: [] for name in ("start", "end") if layout.kind is UNITS}
    texts: dict[str, list[str | None]] = {name: [] for name in places if name not in parts}
    named = [name for name in _NAMES if name in layout.kind.columns]
    # equal texts of a column become one object, which saves memory; an empty label is a missing value
    share: dict[str, Callable[..., str | None]] = {
        name: ({} if name in named else {"": None}).setdefault for name in texts
    }
    first = 0
    many = max(1, min(_CHUNK, _CHUNK_FIELDS // len(layout.names)))
    source.wrong = wrong = _wrong_record(len(layout.names), {name: places[name] for name in parts}, source.delimiter)
    while chunk := list(islice(rows, many)):
        if set(map(len, chunk)) != {len(layout.names)}:
            row = next(row for row, record in enumerate(chunk) if len(record) != len(layout.names))
            raise source.fail(first + row, wrong(chunk[row]) or "")
        fields = list(zip(*chunk, strict=True))
        for name, column in texts.items():
            cells = fields[places[name]]
            column.extend(map(share[name], cells, cells))
        for name, pieces in parts.items():
            pieces.append(parse_numbers(fields[places[name]], _failing_number(name, first, source.fail)))
        first += len(chunk)
    return {**{name: joined_numbers(pieces) for name, pieces in parts.items()}, **texts}


def _wrong_record(width: int, numbers: Mapping[str, int], delimiter: str) -> Callable[[list[str]], str | None]:
    """Make the function that explains what is wrong with a record, None if nothing is."""

    def wrong(record: list[str]) -> str | None:
        if len(record) != width:
            return (
                f"the number of fields is {len(record)} where the first line has {width}; "
                f"correct the line, and quote fields that contain {delimiter!r}"
            )
        for name, place in numbers.items():
            if problem := wrong_number(record[place]):
                return f"the {name} {problem}"
        return None

    return wrong


def _failing_number(name: str, first: int, fail: Fail) -> Callable[[int, str], DataError]:
    return lambda row, wrong: fail(first + row, f"the {name} {wrong}")


def csv_pieces(path: Path, instructions: Instructions) -> Iterator[Data]:
    """Read units some rows at a time; a table of anything else is one piece."""

    def fits(first: Sequence[str]) -> bool:
        return _has_known_header(first, instructions, ANY_KIND) or _begins_with_unit(first, instructions, ANY_KIND)

    source = _Later(path, find_delimiter(path, instructions.delimiter, fits), None)
    with closing(source.records()) as rows:
        first = next(rows, None)
        layout = None if first is None else _layout(first, instructions, ANY_KIND)
        if first is None or layout is None or layout.kind is not UNITS or len(first) == 1:
            yield read_csv(path, instructions)
            return
        source.has_header = layout.has_header
        places = assign_columns(layout.names, instructions.columns, UNITS, source.fail)
        left = rows if layout.has_header else chain([first], rows)
        dropped: dict[str, int] = dict(ignored_columns(layout.names, places))
        marks = _Marks(path, source.delimiter, instructions, places)
        while chunk := list(islice(left, _ROWS)):
            columns = _columns(iter(chunk), places, layout, source)
            numbers = {name: column for name, column in columns.items() if isinstance(column, Numbers)}
            others = {name: column for name, column in columns.items() if not isinstance(column, Numbers)}
            others, n_marked = marks.removed(others, begun=source.before > 0)
            if n_marked:
                dropped[_MARKED] = n_marked
            document = instructions.document_of(path)
            at = replace(source)  # which keeps its own count of rows
            yield corpus_from(RawTable(UNITS, numbers, others, at.fail, document, path.name, dropped))
            source.before += len(chunk)
            dropped = {}
        if not source.before:
            raise DataError("there is a header but no row below it; check that the file is complete", path=path)


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
        plain, n_marked = _without_marks(columns, replace(self.instructions, options=options))
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


read_csv = data_reader(read_csv_table)

FORMAT = Format(
    name="csv",
    title="CSV",
    suffixes=(".csv", ".txt"),
    reads="units: document, annotator, start, end, category; any further column is a feature. "
    "Without a header: annotator, category, start, end, perhaps with document before them. "
    "Or ratings: item, annotator, label, or one column per annotator. Or normalizations: original, and one column per "
    "annotator, or token, original, annotator, norm, mod, type",
    ignores="further columns of ratings with a column label",
    annotator_from=(),
    sniff=lambda head, path: b"\0" not in head or encoding(head) in ("utf-16", "utf-32"),
    read=read_csv,
    pieces=csv_pieces,
    read_table=read_csv_table,
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
