"""Alignments of many documents as one table, worst disagreement first, and such tables as files."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from unisono.alignment.aligned import Aligned
from unisono.errors import OptionError
from unisono.output import new_file
from unisono.reporting.exported import csv_text

Columns: TypeAlias = dict[str, list[Any]]

_DELIMITERS = {".csv": ",", ".tsv": "\t"}


def alignment_table(alignments: Mapping[str, Aligned]) -> Columns:
    """Join the alignments of all documents; annotators who did not work on a document have empty cells there."""
    parts = [alignment.columns() for alignment in alignments.values()]
    names = dict.fromkeys(name for part in parts for name in part)
    table: Columns = {name: [] for name in names}
    for part in parts:
        for name in names:
            table[name].extend(part.get(name, [None] * len(part["disorder"])))
    disorder: Sequence[float] = table.get("disorder", [])
    order = sorted(range(len(disorder)), key=lambda row: -disorder[row])
    return {name: [column[row] for row in order] for name, column in table.items()}


def write_table(table: Columns, path: Path, *, overwrite: bool = False, safe: bool = False) -> None:
    """Write a table as CSV, TSV or JSON lines, depending on the file's name; see `csv_text`."""
    refuse_table_name(path)
    suffix = path.suffix.lower()
    text = _json_lines(table) if suffix == ".jsonl" else as_text(table, _DELIMITERS[suffix], safe=safe)
    with new_file(path, overwrite=overwrite) as stream:
        stream.write(text.encode(errors="backslashreplace"))


def refuse_table_name(path: Path) -> None:
    """Raise an error if a file's name does not end like that of a table."""
    if path.suffix.lower() not in (*_DELIMITERS, ".jsonl"):
        raise OptionError(f"{path}: a table is written as .csv, .tsv or .jsonl; choose such a name")


def as_text(table: Columns, delimiter: str = ",", *, safe: bool = False) -> str:
    """Return the table as delimited text."""
    return csv_text([[*table], *zip(*table.values(), strict=True)], delimiter, safe=safe)


def _json_lines(table: Columns) -> str:
    rows = (dict(zip(table, row, strict=True)) for row in zip(*table.values(), strict=True))
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
