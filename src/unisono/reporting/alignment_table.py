"""Alignments of many documents as one table, worst disagreement first."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from unisono.alignment.aligned import Aligned
from unisono.errors import OptionError
from unisono.output import new_file

Columns: TypeAlias = dict[str, list[Any]]

_DELIMITERS = {".csv": ",", ".tsv": "\t"}


def alignment_table(alignments: Mapping[str, Aligned]) -> Columns:
    """Put the alignments of all documents into one table; who did not work on a document has empty cells there."""
    parts = [alignment.columns() for alignment in alignments.values()]
    names = dict.fromkeys(name for part in parts for name in part)
    table: Columns = {name: [] for name in names}
    for part in parts:
        for name in names:
            table[name].extend(part.get(name, [None] * len(part["disorder"])))
    disorder: Sequence[float] = table.get("disorder", [])
    order = sorted(range(len(disorder)), key=lambda row: -disorder[row])
    return {name: [column[row] for row in order] for name, column in table.items()}


def write_table(table: Columns, path: Path, *, overwrite: bool = False) -> None:
    """Write a table as CSV, TSV or JSON lines, whichever the file's name says."""
    refuse_table_name(path)
    suffix = path.suffix.lower()
    with new_file(path, overwrite=overwrite) as stream:
        stream.write(
            (_json_lines(table) if suffix == ".jsonl" else as_text(table, _DELIMITERS[suffix])).encode(
                errors="backslashreplace"
            )
        )


def refuse_table_name(path: Path) -> None:
    """Refuse a name that does not tell how a table is written."""
    if path.suffix.lower() not in (*_DELIMITERS, ".jsonl"):
        raise OptionError(f"{path}: a table is written as .csv, .tsv or .jsonl; choose such a name")


def as_text(table: Columns, delimiter: str = ",") -> str:
    """Give the table as text with delimiters."""
    stream = io.StringIO()
    writer = csv.writer(stream, delimiter=delimiter, lineterminator="\n")
    writer.writerow(table)
    writer.writerows(zip(*([_cell(value) for value in column] for column in table.values()), strict=True))
    return stream.getvalue()


def _cell(value: Any) -> Any:
    if isinstance(value, tuple):
        return "|".join(value)
    return f"{value:.12g}" if isinstance(value, float) else value


def _json_lines(table: Columns) -> str:
    rows = (dict(zip(table, row, strict=True)) for row in zip(*table.values(), strict=True))
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
