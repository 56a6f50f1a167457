"""Spreadsheets, as Excel and LibreOffice save them: the rules of CSV for the cells of a sheet."""

from __future__ import annotations

from collections.abc import Collection, Generator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time
from pathlib import Path
from typing import Any

from unisono.data.unit_kinds import COMPOSITE
from unisono.errors import DataError, OptionError, listed, mention
from unisono.formats.columns import TableKind
from unisono.formats.format import Format, Instructions
from unisono.formats.kinds import data_reader
from unisono.formats.recognition import is_item_name, is_label_name
from unisono.formats.table import RawTable
from unisono.formats.text_tables import RecordSource, text_table

_SUFFIXES = (".xlsx", ".ods", ".xlsm", ".xls", ".xlsb")
_SHEETS_LEFT_OUT = "sheets that are not read"


@dataclass
class _Sheet(RecordSource):
    """The rows of a sheet that are not empty, as texts, and their numbers."""

    rows: list[list[str]] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    name: str = ""
    place: int = 0
    """Its number in the workbook, from 1."""
    given: list[int] = field(default_factory=list)
    """The numbers of the rows that were read."""

    def records(self) -> Generator[list[str], None, None]:
        """Iterate over the rows; those that are wrong are skipped, if others may be."""
        for number, row in zip(self.numbers, self.rows, strict=True):
            message = self.wrong(row) if self.bad is not None and self.given else None
            if message is None:
                self.given.append(number)
                yield row
            elif self.bad is not None:
                self.bad(DataError(message, path=self.path, line=number))

    def fail(self, row: int | None, message: str) -> DataError:
        """Make an error out of a row and a message; the line is the number that the spreadsheet shows."""
        return DataError(message, path=self.path, line=self.given[0 if row is None else row + self.has_header])


def read_sheet_table(path: Path, instructions: Instructions, expected: Collection[TableKind]) -> RawTable:
    """Read a sheet that holds one of some kinds of data."""
    sheets, hidden = _sheets(path, instructions)
    if instructions.sheet is not None:
        chosen = _chosen(sheets, instructions.sheet)
        return _without_others(text_table(chosen, instructions, expected), [one for one in sheets if one is not chosen])
    sheets = [sheet for sheet in sheets if sheet not in hidden]
    if not sheets:
        raise DataError("the visible sheets are empty; choose a hidden one with " + mention("sheet", "NAME"), path=path)
    if len(sheets) > 1 and _are_by_annotator(sheets):
        return _without_others(text_table(_joined(sheets, instructions), instructions, expected), hidden)
    if len(sheets) == 1:
        return _without_others(text_table(sheets[0], instructions, expected), hidden)
    tables: dict[str, RawTable] = {}
    for sheet in sheets:
        try:
            quiet = replace(sheet, bad=None, given=[])
            tables[sheet.name] = text_table(quiet, replace(instructions, bad=None), expected)
        except DataError as error:
            first = error
    if len(tables) != 1:
        names = [*tables] or [sheet.name for sheet in sheets]
        why = "several sheets have annotations" if tables else f"no sheet can be read ({first.message})"
        raise DataError(f"{why}: {listed(names)}; choose one with {mention('sheet', names[0])}", path=path)
    (name,) = tables
    others = [sheet for sheet in (*sheets, *hidden) if sheet.name != name]
    table = text_table(next(sheet for sheet in sheets if sheet.name == name), instructions, expected)
    return _without_others(table, others)


def _without_others(table: RawTable, others: Sequence[_Sheet]) -> RawTable:
    if not others:
        return table
    told = f"{_SHEETS_LEFT_OUT}: {listed([sheet.name for sheet in others], 3)}"
    return replace(table, dropped={**table.dropped, told: len(others)})


def _chosen(sheets: Sequence[_Sheet], wanted: str) -> _Sheet:
    named = [sheet for sheet in sheets if sheet.name == wanted]
    named = named or [sheet for sheet in sheets if sheet.name.casefold() == wanted.strip().casefold()]
    if named:
        return named[0]
    for sheet in sheets:
        if wanted.strip() == str(sheet.place):
            return sheet
    raise OptionError(f"unknown sheet {wanted!r}; available: {listed([sheet.name for sheet in sheets])}", "sheet")


def _are_by_annotator(sheets: Sequence[_Sheet]) -> bool:
    """Whether each sheet is one annotator's: all have the same header, an item and a label."""
    header = sheets[0].rows[0]
    if len(header) < 2 or any(sheet.rows[0] != header for sheet in sheets):
        return False
    labels = [name for name in header[1:] if is_label_name(name)]
    return is_item_name(header[0]) and bool(header[0]) and bool(labels) and "annotator" not in map(str.casefold, header)


def _joined(sheets: Sequence[_Sheet], instructions: Instructions) -> _Sheet:
    """Put sheets together, with the name of each as its annotator."""
    rows = [["annotator", *sheets[0].rows[0]]]
    rows += [[sheet.name, *row] for sheet in sheets for row in sheet.rows[1:]]
    numbers = [sheets[0].numbers[0], *(number for sheet in sheets for number in sheet.numbers[1:])]
    return _Sheet(sheets[0].path, "", instructions.bad, rows=rows, numbers=numbers, name="")


def _sheets(path: Path, instructions: Instructions) -> tuple[list[_Sheet], list[_Sheet]]:
    """Read all sheets that are not empty; return them, and those of them that are hidden."""
    from python_calamine import CalamineError, CalamineWorkbook, SheetVisibleEnum

    found, hidden = [], []
    try:
        with CalamineWorkbook.from_path(path) as workbook:
            for place, about in enumerate(workbook.sheets_metadata, start=1):
                sheet = workbook.get_sheet_by_name(about.name)
                cells = sheet.to_python(skip_empty_area=False)
                rows, numbers = _filled(cells, sheet.merged_cell_ranges or [])
                one = _Sheet(path, "", instructions.bad, rows=rows, numbers=numbers, name=about.name, place=place)
                if rows:
                    found.append(one)
                if rows and about.visible != SheetVisibleEnum.Visible:
                    hidden.append(one)
    except (CalamineError, OSError, ValueError) as error:
        reason = str(error).splitlines()[0].rstrip(".") if str(error) else "unknown reason"
        raise DataError(f"the spreadsheet cannot be read ({reason}); save it again", path=path) from None
    if not found:
        raise DataError("all sheets are empty; check that the file was saved", path=path)
    return found, hidden


def _filled(cells: Sequence[Sequence[Any]], merged: Sequence[Any]) -> tuple[list[list[str]], list[int]]:
    """Return the rows that are not empty, without empty columns and titles above the header, and their numbers."""
    rows = [[_text(cell) for cell in row] for row in cells]
    for (top, left), (bottom, right) in merged:
        for row in range(top, min(bottom + 1, len(rows))):
            for column in range(left, min(right + 1, len(rows[row]))):
                rows[row][column] = rows[top][left]
    places = [place for place in range(len(rows[0]) if rows else 0) if any(row[place] for row in rows)]
    kept = [(number, [row[place] for place in places]) for number, row in enumerate(rows, start=1) if any(row)]
    while len(kept) > 2 and len(places) > 1 and len({cell for cell in kept[0][1] if cell}) == 1 < _n_given(kept[1][1]):
        del kept[0]
    kept = _with_one_header(kept)
    return [row for _, row in kept], [number for number, _ in kept]


def _n_given(row: Sequence[str]) -> int:
    return sum(map(bool, row))


def _with_one_header(kept: list[tuple[int, list[str]]]) -> list[tuple[int, list[str]]]:
    """Join two rows of names, if the first has the same name above several columns."""
    if len(kept) < 3:
        return kept
    (number, above), (_, below) = kept[0], kept[1]
    names = [name for name in above if name]
    if len(set(names)) == len(names):
        return kept
    joined = [
        one if one == other else " ".join(filter(None, (one, other))) for one, other in zip(above, below, strict=True)
    ]
    return [(number, joined), *kept[2:]] if len(set(joined)) == len(joined) else kept


def _text(cell: Any) -> str:
    """Write a cell as a spreadsheet would save it as CSV: whole numbers without decimals, dates as in ISO 8601."""
    if isinstance(cell, bool):
        return str(cell).upper()
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 2**53:
        return str(int(cell))
    if isinstance(cell, datetime):
        return cell.date().isoformat() if cell.time() == time() else cell.isoformat(sep=" ")
    if isinstance(cell, date | time):
        return cell.isoformat()
    return str(cell)


def _sniff(head: bytes, path: Path) -> bool:
    return path.suffix.lower() in _SUFFIXES and head.startswith((b"PK\x03\x04", b"\xd0\xcf\x11\xe0"))


FORMAT = Format(
    name="spreadsheet",
    title="spreadsheet",
    suffixes=_SUFFIXES,
    reads="the same as CSV, from one sheet; if several sheets are alike and have an item and a label, each is one "
    "annotator's, named after the sheet. Whole numbers, dates and true/false become text as in CSV",
    ignores="formats, formulas (their values are read), hidden sheets, empty rows and columns, titles above the header",
    annotator_from=(),
    sniff=_sniff,
    read=data_reader(read_sheet_table),
    composite=COMPOSITE,
    read_table=read_sheet_table,
    settings=("decimal", "sheet"),
)
