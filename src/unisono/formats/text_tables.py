"""Tables of text, record by record: what the first record says about the others, and the columns that are read."""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import chain, islice, pairwise
from pathlib import Path

from unisono.errors import DataError, mention
from unisono.formats.columns import (
    RATINGS_WIDE,
    UNITS,
    Fail,
    TableKind,
    assign_columns,
    has_names,
    ignored_columns,
    lack_annotator,
    position_columns,
)
from unisono.formats.contents import are_counted
from unisono.formats.decimals import with_points
from unisono.formats.files import Bad
from unisono.formats.format import Instructions
from unisono.formats.kinds import table_kind
from unisono.formats.label_tables import LabelFile, is_label_table, label_table
from unisono.formats.numbers import Numbers, joined_numbers, looks_numeric, parse_numbers, with_point, wrong_cell
from unisono.formats.recognition import RawColumns
from unisono.formats.spreadsheets import MARKS, is_protected, unprotected
from unisono.formats.table import RawTable

MARKED = "cells with an apostrophe that protects them from spreadsheets, read without it"
_NAMES = ("document", "annotator", "item")
_UNITS_WITHOUT_HEADER = ("document", "annotator", "category", "start", "end")
_CHUNK = 4_000
"""So many rows are taken at a time, fewer if they are long."""
_CHUNK_FIELDS = 2**20


@dataclass
class RecordSource:
    """Where records come from; `bad` takes the errors of those that are skipped."""

    path: Path
    delimiter: str
    """What separates fields, for messages and for what a comma in a number means; empty if nothing does."""
    bad: Bad | None
    has_header: bool = True
    wrong: Callable[[list[str]], str | None] = lambda record: None
    """What is wrong with a record, as soon as that is known from the header."""

    def records(self) -> Generator[list[str], None, None]:
        """Iterate over the records."""
        raise NotImplementedError

    def fail(self, row: int | None, message: str) -> DataError:
        """Make an error out of a row, of those below the header, and a message."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Layout:
    """What a file holds, the names of its columns, and whether its first row has these names."""

    kind: TableKind
    names: Sequence[str]
    has_header: bool = True
    annotator: str | None = None
    """Whose units these are, if no column says it but the path does."""

    def document(self, path: Path, instructions: Instructions) -> str:
        """Return the document of rows that do not name one."""
        return instructions.document_of(path) if self.annotator is None else instructions.shared_document

    def places(self, columns: Mapping[str, str], fail: Fail) -> dict[str, int]:
        """Find the column for each of our names; see `assign_columns`."""
        if self.annotator is None:
            return assign_columns(self.names, columns, self.kind, fail)
        places = assign_columns([*self.names, "annotator"], columns, self.kind, fail)
        return {name: place for name, place in places.items() if name != "annotator"}


def text_table(source: RecordSource, instructions: Instructions, expected: Collection[TableKind]) -> RawTable:
    """Read a table that holds one of some kinds of data."""
    with closing(source.records()) as rows:  # an error must not leave the file open
        first = next(rows, None)
        if first is None:
            raise DataError("the file has only empty lines; check that it was saved", path=source.path)
        return with_points(_table(first, rows, source, instructions, expected), instructions.decimal, source.delimiter)


def _table(
    first: list[str],
    rows: Iterator[list[str]],
    source: RecordSource,
    instructions: Instructions,
    expected: Collection[TableKind],
) -> RawTable:
    alone = len(first) == 1 and not has_known_header(first, instructions, expected)
    if alone and (instructions.delimiter is not None or UNITS in expected):
        raise source.fail(None, _no_table(first[0], instructions.delimiter))
    layout = layout_of(first, instructions, expected)
    named = layout.annotator is not None or begins_with_unit(first, instructions, expected)
    if is_label_table(first, instructions.columns, expected) and not named:
        return _label_table(first, rows, source, instructions, expected)
    source.has_header = layout.has_header
    places = layout.places(instructions.columns, source.fail)
    rows = rows if layout.has_header else chain([first], rows)
    columns = text_columns(rows, places, layout, source, instructions.decimal)
    numbers = {name: column for name, column in columns.items() if isinstance(column, Numbers)}
    others = {name: column for name, column in columns.items() if not isinstance(column, Numbers)}
    _check_filled(others, source)
    names, plain, n_marked = without_marks([*others], [*others.values()], instructions)
    others = dict(zip(names, plain, strict=True))
    dropped = {**ignored_columns(layout.names, places), **({MARKED: n_marked} if n_marked else {})}
    document = layout.document(source.path, instructions)
    return RawTable(layout.kind, numbers, others, source.fail, document, source.path.name, dropped)


def _label_table(
    first: list[str],
    rows: Iterator[list[str]],
    source: RecordSource,
    instructions: Instructions,
    expected: Collection[TableKind],
) -> RawTable:
    """Read all columns, since only what is in them tells what they are."""
    too_many = len(first) > len(_UNITS_WITHOUT_HEADER) and UNITS in expected
    known = has_known_header(first, instructions, expected) or _has_numbered_annotators(first) or instructions.columns
    if too_many and _ends_like_unit(first) and not known:
        assign_columns(first, instructions.columns, UNITS, source.fail)  # more labels than a unit without a header has
    keys = [f"{place} {name}" for place, name in enumerate(first)]
    places = {key: place for place, key in enumerate(keys)}
    columns = text_columns(rows, places, Layout(RATINGS_WIDE, first), source, instructions.decimal)
    others = {name: column for name, column in columns.items() if not isinstance(column, Numbers)}
    _check_filled(others, source)
    named = [key for key, name in zip(keys, first, strict=True) if name.strip() or any(others[key])]
    names = [first[places[key]] for key in named]  # a comma at the end of each line is no column
    names, plain, n_marked = without_marks(names, [others[key] for key in named], instructions)
    file = LabelFile(
        columns=instructions.columns,
        expected=expected,
        document=instructions.document_of(source.path),
        source=source.path.name,
        as_ratings=mention("format", "ratings"),
        headed=any(name.strip().casefold() in RATINGS_WIDE.columns for name in names),
        dropped={MARKED: n_marked} if n_marked else {},
    )
    table = label_table(RawColumns(names, plain, source.fail, {}), file)
    source.has_header = table.n_rows <= len(plain[0])
    return table


def _check_filled(columns: Mapping[str, Sequence[str | None]], source: RecordSource) -> None:
    if not any(columns.values()):
        raise only_header(source.path)


def only_header(path: Path) -> DataError:
    """Make the error of a table without rows."""
    worked = f"or list who marked nothing in a table ({mention('worked')})"
    return DataError(f"there is a header but no row below it; check that the file is complete, {worked}", path=path)


def without_marks(
    names: Sequence[str], columns: Sequence[list[str | None]], instructions: Instructions
) -> tuple[list[str], list[list[str | None]], int]:
    """Remove the marks that protect cells from spreadsheets, if the table has them; count the cells that had one."""
    texts = [text for column in (names, *columns) for text in set(column) if text and text[0] in MARKS]
    how = instructions.choice("safe", ("true", "false"), None)
    if not (is_protected(texts) if how is None else how == "true"):
        return list(names), list(columns), 0
    plain = {text: after for text in texts if (after := unprotected(text)) != text}
    n_marked = sum(text in plain for column in (names, *columns) for text in column)
    without = [[text if text is None else plain.get(text, text) for text in column] for column in columns]
    return [plain.get(name, name) for name in names], without, n_marked


def _no_table(first: str, given: str | None) -> str:
    """Explain that the first line has one field only."""
    if given is not None:
        detected = f"leave out {mention('delimiter')} to have it detected"
        return f"there is no {given!r} in the first line, {first[:40]!r}; {detected}"
    how = f"name another format with {mention('format', '…')}, or save a table with the columns annotator, start, end"
    return f"this is not a table: there is no comma, semicolon, tab or bar in the first line, {first[:40]!r}; {how}"


def layout_of(first: Sequence[str], instructions: Instructions, expected: Collection[TableKind]) -> Layout:
    """Find out from its first record what a table holds, and whether that record has names."""
    if _has_units_of_one(first, instructions, expected):
        return Layout(UNITS, first, annotator=instructions.annotator)
    kind = table_kind(first, instructions.columns, expected)
    if has_known_header(first, instructions, expected) or UNITS not in expected:
        return Layout(kind, first)
    if begins_with_unit(first, instructions, expected):
        return Layout(UNITS, _UNITS_WITHOUT_HEADER[-len(first) :], has_header=False)
    if kind is RATINGS_WIDE and not instructions.columns and _ends_like_unit(first):
        kind = UNITS  # with more labels than can be identified without a header
    return Layout(kind, first)


def has_known_header(first: Sequence[str], instructions: Instructions, expected: Collection[TableKind]) -> bool:
    """Whether the first record has the names that a table of one of these kinds must have."""
    if RATINGS_WIDE in expected and len(first) > 2 and first[0].strip().casefold() in RATINGS_WIDE.columns:
        return True
    if _has_units_of_one(first, instructions, expected):
        return True
    return any(kind.required and has_names(first, instructions.columns, kind) for kind in expected)


def _has_units_of_one(first: Sequence[str], instructions: Instructions, expected: Collection[TableKind]) -> bool:
    """Whether the first record has the names that units need whose annotator is named by the path."""
    return UNITS in expected and instructions.has_annotator and lack_annotator(first, instructions.columns)


def begins_with_unit(first: Sequence[str], instructions: Instructions, expected: Collection[TableKind]) -> bool:
    """Whether this can be the first row of units without a header; a row of labels or of numbered names cannot."""
    if UNITS not in expected or instructions.columns or len(first) not in (4, 5):
        return False
    if not all(map(looks_numeric, first)):
        return _ends_like_unit(first) and not _has_numbered_annotators(first)
    fields = [float(field.replace(",", ".")) for field in first]
    counted = all(after - before == 1 for before, after in pairwise(fields))
    return fields[-2] < fields[-1] and not counted


def _has_numbered_annotators(first: Sequence[str]) -> bool:
    """Whether a name is followed by the numbers of annotators, from 0 or 1."""
    return len(first) > 2 and first[1] in ("0", "1") and are_counted(first[1:])


def _ends_like_unit(first: Sequence[str]) -> bool:
    """Whether names are followed by positions."""
    numeric = [looks_numeric(field) for field in first]
    return all(numeric[-2:]) and not all(numeric)


def text_columns(
    rows: Iterator[list[str]], places: Mapping[str, int], layout: Layout, source: RecordSource, decimal: str | None
) -> dict[str, Numbers | list[str | None]]:
    """Read the columns that are wanted; numbers may have a decimal comma if fields are separated by something else."""
    commas = decimal == "," or (decimal is None and source.delimiter == ";")
    parts: dict[str, list[Numbers]] = {name: [] for name in (position_columns(places) if layout.kind is UNITS else ())}
    texts: dict[str, list[str | None]] = {name: [] for name in places if name not in parts}
    named = [name for name in _NAMES if name in layout.kind.columns]
    # equal texts of a column become one object, which saves memory; an empty label is a missing value
    share: dict[str, Callable[..., str | None]] = {
        name: ({} if name in named else {"": None}).setdefault for name in texts
    }
    first = 0
    many = max(1, min(_CHUNK, _CHUNK_FIELDS // len(layout.names)))
    source.wrong = wrong = _wrong_record(
        len(layout.names), {name: places[name] for name in parts}, source.delimiter, commas
    )
    while chunk := list(islice(rows, many)):
        if set(map(len, chunk)) != {len(layout.names)}:
            row = next(row for row, record in enumerate(chunk) if len(record) != len(layout.names))
            raise source.fail(first + row, wrong(chunk[row]) or "")
        fields = list(zip(*chunk, strict=True))
        for name, column in texts.items():
            cells = fields[places[name]]
            column.extend(map(share[name], cells, cells))
        for name, pieces in parts.items():
            cells = tuple(map(with_point, fields[places[name]])) if commas else fields[places[name]]
            pieces.append(parse_numbers(cells, _failing_number(name, first, source.fail)))
        first += len(chunk)
    if layout.annotator is not None:
        texts["annotator"] = [layout.annotator] * first
    return {**{name: joined_numbers(pieces) for name, pieces in parts.items()}, **texts}


def _wrong_record(
    width: int, numbers: Mapping[str, int], delimiter: str, commas: bool
) -> Callable[[list[str]], str | None]:
    """Make the function that explains what is wrong with a record, None if nothing is."""

    def wrong(record: list[str]) -> str | None:
        if len(record) != width:
            return (
                f"the number of fields is {len(record)} where the first line has {width}; "
                f"correct the line, and quote fields that contain {delimiter!r}"
            )
        for name, place in numbers.items():
            if problem := wrong_cell(with_point(record[place]) if commas else record[place]):
                return f"the {name} {problem}"
        return None

    return wrong


def _failing_number(name: str, first: int, fail: Fail) -> Callable[[int, str], DataError]:
    return lambda row, wrong: fail(first + row, f"the {name} {wrong}")
