"""CSV: one row a unit or a label, or one column an annotator; fields between commas, semicolons, tabs or bars."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import chain, islice, pairwise
from pathlib import Path

from unisono.data import Data
from unisono.errors import DataError
from unisono.formats.columns import LONG, SPANS, WIDE, WORKED, Fail, Kind, assign, has_names
from unisono.formats.csv_writing import write
from unisono.formats.delimited import find_delimiter, numbered_records, records
from unisono.formats.files import encoding
from unisono.formats.format import Format, Options
from unisono.formats.kinds import ANY, RATINGS, data_from, kind_of, long_without_header, refuse_doubtful
from unisono.formats.numbers import Numbers, joined, looks_numeric, parse
from unisono.formats.table import Table, worked_from

_NAMES = ("document", "annotator", "item")
_UNITS_WITHOUT_HEADER = ("document", "annotator", "category", "start", "end")
_CHUNK = 4_000
"""So many rows are taken at a time, fewer if they are long."""
_CHUNK_FIELDS = 2**20


def read(path: Path, options: Options) -> Data:
    """Read units, or ratings if the columns are theirs; see the module's docstring."""
    return data_from(_table(path, options, ANY), document=options.document_of(path), source=path.name)


def read_ratings(path: Path, options: Options) -> Data:
    """Read ratings, whatever the columns look like."""
    return data_from(_table(path, options, RATINGS), document=options.document_of(path), source=path.name)


def read_worked(path: Path, options: Options) -> list[tuple[str, str]]:
    """Read who worked on what."""
    return worked_from(_table(path, options, [WORKED]))


@dataclass(frozen=True, slots=True)
class _Layout:
    """What a file holds, the names of its columns, and whether its first row has these names."""

    kind: Kind
    names: Sequence[str]
    has_header: bool = True


def _table(path: Path, options: Options, expected: Collection[Kind]) -> Table:
    def fits(first: Sequence[str]) -> bool:
        return _has_known_header(first, options, expected) or _begins_with_unit(first, options, expected)

    delimiter = find_delimiter(path, options.delimiter, fits)
    with closing(records(path, delimiter)) as rows:  # an error must not leave the file open
        return _read(rows, path, options, expected, delimiter)


def _read(rows: Iterator[list[str]], path: Path, options: Options, expected: Collection[Kind], delimiter: str) -> Table:
    first = next(rows, None)
    if first is None:
        raise DataError("the file has only empty lines; check that it was saved", path=path)
    layout = _layout(first, options, expected)
    fail = _failing(path, delimiter, layout.has_header)
    places = assign(layout.names, options.columns, layout.kind, fail)
    rows = rows if layout.has_header else chain([first], rows)
    columns = _columns(rows, places, layout, delimiter, fail)
    numbers = {name: column for name, column in columns.items() if isinstance(column, Numbers)}
    others = {name: column for name, column in columns.items() if not isinstance(column, Numbers)}
    if not any(others.values()):
        raise DataError("there is a header but no row below it; check that the file is complete", path=path)
    if layout.kind is WIDE and not options.columns and others.keys().isdisjoint(WIDE.columns):
        order = long_without_header(first, list(others.values()))
        if order is not None:
            return Table(LONG, {}, _with_first(order, first, others), _failing(path, delimiter, has_header=False))
        if SPANS in expected:
            refuse_doubtful(others, fail)
    return Table(layout.kind, numbers, others, fail)


def _layout(first: Sequence[str], options: Options, expected: Collection[Kind]) -> _Layout:
    kind = kind_of(first, options.columns, expected)
    if _has_known_header(first, options, expected) or SPANS not in expected:
        return _Layout(kind, first)
    if _begins_with_unit(first, options, expected):
        return _Layout(SPANS, _UNITS_WITHOUT_HEADER[-len(first) :], has_header=False)
    if kind is WIDE and not options.columns and _ends_like_unit(first):
        kind = SPANS  # with more labels than can be told apart without a header
    return _Layout(kind, first)


def _has_known_header(first: Sequence[str], options: Options, expected: Collection[Kind]) -> bool:
    if WIDE in expected and len(first) > 2 and first[0].strip().casefold() in WIDE.columns:
        return True
    return any(kind.required and has_names(first, options.columns, kind) for kind in expected)


def _begins_with_unit(first: Sequence[str], options: Options, expected: Collection[Kind]) -> bool:
    """Tell whether a file of units without a header can begin so; a row of labels or of numbered names cannot."""
    if SPANS not in expected or options.columns or len(first) not in (4, 5):
        return False
    if not all(map(looks_numeric, first)):
        return _ends_like_unit(first)
    fields = [float(field.replace(",", ".")) for field in first]
    counted = all(after - before == 1 for before, after in pairwise(fields))
    return fields[-2] < fields[-1] and not counted


def _ends_like_unit(first: Sequence[str]) -> bool:
    """Tell whether names are followed by positions."""
    numeric = [looks_numeric(field) for field in first]
    return all(numeric[-2:]) and not all(numeric)


def _failing(path: Path, delimiter: str, has_header: bool) -> Fail:
    def fail(row: int | None, message: str) -> DataError:
        index = 0 if row is None else row + has_header
        line, _ = next(islice(numbered_records(path, delimiter), index, None))
        return DataError(message, path=path, line=line)

    return fail


def _columns(
    rows: Iterator[list[str]], places: Mapping[str, int], layout: _Layout, delimiter: str, fail: Fail
) -> dict[str, Numbers | list[str | None]]:
    parts: dict[str, list[Numbers]] = {name: [] for name in ("start", "end") if layout.kind is SPANS}
    texts: dict[str, list[str | None]] = {name: [] for name in places if name not in parts}
    named = [name for name in _NAMES if name in layout.kind.columns]
    share: dict[str, Callable[..., str | None]] = {
        name: ({} if name in named else {"": None}).setdefault  # an empty label is a missing one
        for name in texts
    }
    first = 0
    many = max(1, min(_CHUNK, _CHUNK_FIELDS // len(layout.names)))
    while chunk := list(islice(rows, many)):
        _refuse_ragged(chunk, len(layout.names), delimiter, first, fail)
        fields = list(zip(*chunk, strict=True))
        for name, column in texts.items():
            field = fields[places[name]]
            column.extend(map(share[name], field, field))
        for name, pieces in parts.items():
            pieces.append(parse(fields[places[name]], _failing_number(name, first, fail)))
        first += len(chunk)
    return {**{name: joined(pieces) for name, pieces in parts.items()}, **texts}


def _refuse_ragged(rows: Sequence[Sequence[str]], width: int, delimiter: str, first: int, fail: Fail) -> None:
    if set(map(len, rows)) == {width}:
        return
    row = next(row for row, record in enumerate(rows) if len(record) != width)
    raise fail(
        first + row,
        f"the number of fields is {len(rows[row])} where the first line has {width}; "
        f"mend the line, and quote fields that contain {delimiter!r}",
    )


def _failing_number(name: str, first: int, fail: Fail) -> Callable[[int, str], DataError]:
    return lambda row, wrong: fail(first + row, f"the {name} {wrong}")


def _with_first(
    order: Sequence[str], first: Sequence[str], columns: Mapping[str, list[str | None]]
) -> dict[str, list[str | None]]:
    """Take the first row for what it is, a label."""
    added = ([cell, *column] for cell, column in zip(first, columns.values(), strict=True))
    return dict(zip(order, added, strict=True))


def _sniff(head: bytes, path: Path) -> bool:
    return b"\0" not in head or encoding(head) in ("utf-16", "utf-32")


FORMAT = Format(
    name="csv",
    title="CSV",
    suffixes=(".csv", ".txt"),
    reads="units: document, annotator, start, end, category; any further column is a feature. "
    "Without a header: annotator, category, start, end, with document before them or not. "
    "Or ratings: item, annotator, label, or one column an annotator. Or normalizations: original, and one column an "
    "annotator, or token, original, annotator, norm, mod, type",
    ignores="further columns of ratings with a column label",
    annotator_from=(),
    sniff=_sniff,
    read=read,
    first_record=2,
    read_worked=read_worked,
    write=write,
)
