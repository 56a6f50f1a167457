"""Files of SPSS and Stata: labels are what their values mean, in the order of the values. Needs pyreadstat."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from unisono.data import Question
from unisono.data.labels import written_label
from unisono.data.unit_kinds import COMPOSITE
from unisono.errors import DataError, mention
from unisono.formats.columns import TableKind
from unisono.formats.contents import given
from unisono.formats.format import Format, Instructions
from unisono.formats.kinds import data_reader
from unisono.formats.label_tables import LabelFile, label_table
from unisono.formats.recognition import RawColumns
from unisono.formats.table import RawTable

_READERS = {".sav": "read_sav", ".zsav": "read_sav", ".por": "read_por", ".dta": "read_dta"}


def read_statistics_table(path: Path, instructions: Instructions, expected: Collection[TableKind]) -> RawTable:
    """Read a table of labels."""
    try:
        import pyreadstat
    except ImportError:
        raise DataError(
            "reading files of SPSS and Stata needs pyreadstat, which is not installed; install it with pip install "
            '"unisono[statistics]"',
            path=path,
        ) from None

    def fail(row: int | None, message: str) -> DataError:
        return DataError(message if row is None else f"case {row + 1}: {message}", path=path)

    try:
        cells, about = getattr(pyreadstat, _READERS[path.suffix.lower()])(str(path), output_format="dict")
    except (pyreadstat.ReadstatError, pyreadstat.PyreadstatError, OSError, ValueError) as error:
        raise DataError(
            f"the file is damaged ({str(error).splitlines()[0].rstrip('.')}); save it again", path=path
        ) from None
    names = list(about.column_names)
    if not names or not len(cells[names[0]]):
        raise DataError("the table has no cases; check that the file is complete", path=path)
    columns, questions = [], {}
    plain = {name: [_plain(cell) for cell in cells[name]] for name in names}
    partly = [about.variable_value_labels.get(name) for name in names if _is_partly_labelled(name, plain, about)]
    for name in names:
        meanings = about.variable_value_labels.get(name, {})
        measure = about.variable_measure.get(name)
        labels, question = _with_meanings(plain[name], meanings, measure, partly=meanings in partly)
        columns.append(labels)
        questions[name] = question
    file = LabelFile(
        instructions.columns, expected, instructions.document_of(path), path.name, mention("format", "ratings")
    )
    return label_table(RawColumns(names, columns, fail, questions), file)


def _plain(cell: Any) -> Any:
    """Return a cell as a label: whole numbers as such, None for what is missing."""
    if cell is None or cell == "" or cell != cell:
        return None
    if isinstance(cell, float) and cell.is_integer():
        return int(cell)
    return cell.rstrip() if isinstance(cell, str) else cell


def _is_partly_labelled(name: str, cells: Mapping[str, Sequence[Any]], about: Any) -> bool:
    """Whether some values of a variable have a label and others, which are there, have none."""
    known = {_plain(value) for value in about.variable_value_labels.get(name, {})}
    return bool(known) and not set(given(cells[name])) <= known


def _with_meanings(
    cells: Sequence[Any], meanings: Mapping[Any, str], measure: str | None, *, partly: bool
) -> tuple[list[Any], Question]:
    """Return labels for values, if all values have one, and what the file says about them.

    Values of a nominal variable have no order. Variables with the same labels are treated alike.
    """
    known = {_plain(value): meaning for value, meaning in sorted(meanings.items(), key=lambda pair: str(type(pair[0])))}
    if not known:
        return list(cells), Question()
    ordered = sorted(known, key=lambda value: (isinstance(value, str), value))
    written = {written_label(value): known[value] for value in ordered}
    kind = {"nominal": "names", "ordinal": "ordered"}.get(measure or "")
    if not partly and len(set(known.values())) == len(known):
        order = () if kind == "names" else tuple(known[value] for value in ordered)
        labels = [None if cell is None else known[cell] for cell in cells]
        return labels, Question.of("", kind, order, written)  # type: ignore[arg-type]
    return list(cells), Question.of("", None, (), written)


FORMAT = Format(
    name="statistics",
    title="SPSS or Stata",
    suffixes=tuple(_READERS),
    reads="labels of items, as in CSV; value labels are the labels, in the order of the values unless the variable is "
    'nominal. Needs pyreadstat (pip install "unisono[statistics]")',
    ignores="what else the file says about variables; missing values of all kinds are missing labels",
    annotator_from=(),
    sniff=lambda head, path: path.suffix.lower() in _READERS,
    read=data_reader(read_statistics_table),
    composite=COMPOSITE,
    read_table=read_statistics_table,
)
