"""Tables in JSON: a list of flat objects, one object per line, what pandas writes, or nested objects by paths."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from unisono.data.unit_kinds import COMPOSITE
from unisono.errors import DataError, mention
from unisono.formats.columns import RATINGS_WIDE, UNITS, TableKind, has_names
from unisono.formats.files import head_text, read_head
from unisono.formats.format import Format, Instructions
from unisono.formats.frames import table_of_values
from unisono.formats.json_paths import is_nested, is_path, nested_rows, suggested_paths
from unisono.formats.json_reading import first_record, json_lines, load_json, parse_json, shown_json
from unisono.formats.kinds import data_reader
from unisono.formats.recognition import is_usual_name
from unisono.formats.table import RawTable
from unisono.formats.verdict_records import unfolded

_LINE_KEYS = {"document", "annotator", "run", "text", "continuum", "tokens", "units"}
_EXAMPLE = {"item": "id", "annotator": "reviews[].worker", "label": "reviews[].rating"}
_SUFFIXES = (".json", ".jsonl", ".ndjson")


@dataclass
class _Rows:
    """Rows, and the line or the record of each."""

    path: Path
    rows: list[Mapping[str, Any]] = field(default_factory=list)
    lines: list[int | None] = field(default_factory=list)
    index: str | None = None
    """The column that identifies rows, if the file says so."""

    def fail(self, row: int | None, message: str) -> DataError:
        """Make an error out of a row and a message."""
        if row is None:
            return DataError(message, path=self.path)
        line = self.lines[row]
        return DataError(message if line else f"object {row + 1}: {message}", path=self.path, line=line)


def read_json_table(path: Path, instructions: Instructions, expected: Collection[TableKind]) -> RawTable:
    """Read a table that holds one of some kinds of data."""
    bare = _bare_rows(path)
    if bare is not None:
        names, cells = [str(cell) for cell in bare[0]], [list(column) for column in zip(*bare[1:], strict=True)]
        found = _Rows(path, [{}] * len(bare), [None] * len(bare))
        document = instructions.document_of(path)
        columns = instructions.columns
        return table_of_values(
            names, cells, columns, expected, found.fail, document=document, source=path.name, headed=False
        )
    paths = {ours: theirs for ours, theirs in instructions.columns.items() if is_path(theirs)}
    found = _Rows(path)
    for line, record in _records(path, instructions, bool(paths), found):
        try:
            row = _flat(record)
            rows = list(nested_rows(row, instructions.columns)) if paths else unfolded(row)
        except DataError as error:
            wrong = DataError(error.message, path=path, line=line)
            if instructions.bad is None:
                raise wrong from None
            instructions.bad(wrong)
            continue
        found.rows += rows
        found.lines += [line] * len(rows)
    if not found.rows:
        raise DataError("there is no row in it; check the file, and the paths to the columns", path=path)
    names = list(dict.fromkeys(name for row in found.rows for name in row))
    if paths and (empty := [ours for ours in paths if all(row.get(ours) is None for row in found.rows)]):
        raise DataError(f"there is nothing at {paths[empty[0]]!r}; check the path to {empty[0]}", path=path)
    cells = [[_cell(row.get(name)) for row in found.rows] for name in names]
    columns = {} if paths else instructions.columns
    document = instructions.document_of(path)
    try:
        table = table_of_values(
            names, cells, columns, expected, found.fail, document=document, source=path.name, index=found.index
        )
    except DataError as error:
        if error.line is None:
            _refuse_nested(found, instructions)
        raise
    if table.kind is RATINGS_WIDE:
        _refuse_nested(found, instructions)
    return table


def _flat(record: Any) -> dict[str, Any]:
    if not isinstance(record, dict):
        raise DataError(f"each row should be an object of names and values, not {shown_json(record)}")
    return record


def _refuse_nested(found: _Rows, instructions: Instructions) -> None:
    """Raise an error if annotators and labels are deeper inside, and the user has not said where."""
    if not instructions.columns and any(map(is_nested, found.rows[0].values())):
        example = suggested_paths(_first_content(found)) or _EXAMPLE
        message = "the JSON is nested; name item, annotator and label by their paths, such as "
        raise DataError(message + mention("columns", example), path=found.path)


def _first_content(found: _Rows) -> Any:
    """Return a record, or all of a file that is one object."""
    whole = load_json(found.path) if found.lines[0] is None else None
    return whole if isinstance(whole, dict) else found.rows[0]


def _bare_rows(path: Path) -> list[list[str | None]] | None:
    """Return a list of rows without names of columns, as texts like those of CSV; None if this is something else."""
    if not "".join(head_text(read_head(path)).removeprefix("\ufeff").split()).startswith("[["):
        return None
    rows = load_json(path)
    if len(rows) < 2 or not all(isinstance(row, list) and len(row) == len(rows[0]) for row in rows):
        raise DataError("rows should be lists of the same length, at least two; write them with names", path=path)
    return [[None if cell is None else str(cell) for cell in row] for row in rows]


def _cell(value: Any) -> Any:
    """Return a value as a cell; lists are sets, objects and lists of them are shown as they are written."""
    if isinstance(value, dict) or (
        isinstance(value, list) and not all(isinstance(one, str | int | float) for one in value)
    ):
        return str(value)
    return tuple(value) if isinstance(value, list) else value


def _records(path: Path, instructions: Instructions, nested: bool, found: _Rows) -> Iterator[tuple[int | None, Any]]:
    """Iterate over the rows of a file, each with its line if it has one of its own."""
    begin = head_text(read_head(path)).removeprefix("\ufeff").lstrip()
    if not begin.startswith("[") and _is_one_line(begin, path):
        lines = list(json_lines(path, instructions.bad))
        if len(lines) != 1 or nested:
            yield from lines
            return
        content = lines[0][1]
    else:
        content = load_json(path)
    table = [content] if nested and isinstance(content, dict) else _rows_of(content)
    found.index = _index_of(content)
    if table is None:
        raise DataError(
            "this JSON is not a table; name where the columns are, e.g. " + mention("columns", _EXAMPLE), path=path
        )
    yield from ((None, row) for row in table)


def _is_one_line(begin: str, path: Path) -> bool:
    try:
        parse_json(begin.split("\n", 1)[0], path)
    except DataError:
        return "\n" not in begin[:-1] and len(begin) > 2**15
    return True


def _rows_of(content: Any) -> list[Any] | None:
    """Return the rows of a table, in any of the ways in which pandas writes them."""
    if isinstance(content, list):
        return content
    if not isinstance(content, dict):
        return None
    if isinstance(content.get("columns"), list) and isinstance(content.get("data"), list):
        return _named(content["columns"], content["data"])
    if isinstance(content.get("data"), list) and "schema" in content:
        return list(content["data"])
    values = list(content.values())
    if values and all(isinstance(value, list) for value in values) and len(set(map(len, values))) == 1:
        return _named(list(content), list(zip(*values, strict=True)))
    if not values or not all(isinstance(value, dict) for value in values):
        return [content] if values and not any(isinstance(value, dict) for value in values) else None
    if any(value.keys() != values[0].keys() for value in values):
        return values
    keys = list(values[0])
    if all(map(str.isdecimal, keys)) and not all(map(str.isdecimal, content)):
        return _named(list(content), [[value[key] for value in values] for key in keys])
    if len(keys) > len(content) and not any(map(is_usual_name, keys)) and "item" not in content:
        return [{"item": key, **{name: value[key] for name, value in content.items()}} for key in keys]
    return values


def _index_of(content: Any) -> str | None:
    """Return the column that pandas calls the index of a table."""
    schema = content.get("schema") if isinstance(content, dict) else None
    keys = schema.get("primaryKey") if isinstance(schema, dict) else None
    return keys[0] if isinstance(keys, list) and len(keys) == 1 and isinstance(keys[0], str) else None


def _named(names: Sequence[Any], rows: Sequence[Sequence[Any]]) -> list[Any]:
    return [dict(zip(map(str, names), row, strict=False)) for row in rows]


def _sniff(head: bytes, path: Path) -> bool:
    begin = head_text(head).removeprefix("\ufeff").lstrip()
    if path.suffix.lower() not in _SUFFIXES and not begin.startswith(("{", "[{")):
        return False
    first = first_record(head, path)
    if not first and begin.startswith("["):
        return path.suffix.lower() == ".json"
    if begin.startswith("[") and "units" not in first:
        return True
    if not first or "units" in first or set(first) <= _LINE_KEYS:
        return False
    if "document" in first or "annotator" in first:
        flat = not any(isinstance(value, dict) for value in first.values())
        return flat and (has_names([*first], {}, UNITS) or "label" in first or "item" in first)
    return True


FORMAT = Format(
    name="json",
    title="JSON table",
    suffixes=_SUFFIXES,
    reads="the same columns as CSV: a list of objects, one object per line, or what pandas writes (records, columns, "
    "index, split, table); of nested objects what is at the paths given as columns, e.g. reviews[].rating",
    ignores="what is not at the paths, if paths are given",
    annotator_from=(),
    sniff=_sniff,
    read=data_reader(read_json_table),
    composite=COMPOSITE,
    read_table=read_json_table,
)
