"""The value of each document as a file: Parquet if pyarrow is there, else JSON lines."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

from unisono.output import write_whole
from unisono.results import DOCUMENT, Result

_AT_ONCE = 10_000
_TEXTS, _WHOLE = ("document", "undefined"), ("n_units", "n_annotators", "n_samples")


def write_documents(result: Result, path: Path) -> Path:
    """Write one row per document, with what `to_dict` has for it; the name's ending says in which format."""
    try:
        import pyarrow
        from pyarrow.parquet import ParquetWriter
    except ImportError:
        place = path.with_name(f"{path.name}.jsonl")
        if not place.exists():
            write_whole(place, lambda file: _write_lines(result, file))
        return place

    def write(file: BinaryIO) -> None:
        number, text, whole = pyarrow.float64(), pyarrow.string(), pyarrow.int64()
        kinds = {**dict.fromkeys(_TEXTS, text), **dict.fromkeys(_WHOLE, whole), "notes": pyarrow.list_(text)}
        schema = pyarrow.schema([(name, kinds.get(name, number)) for name in DOCUMENT])
        with ParquetWriter(file, schema) as writer:
            for rows in _rows(result):
                made = [
                    {**row, "document": _utf8(row["document"]), "notes": [*map(_utf8, row["notes"])]} for row in rows
                ]
                writer.write_table(pyarrow.Table.from_pylist(made, schema=schema))

    place = path.with_name(f"{path.name}.parquet")
    if not place.exists():
        write_whole(place, write)
    return place


def _utf8(text: str) -> str:
    """Write half a surrogate pair, which JSON can hold and Parquet cannot, as an escape."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()


def _rows(result: Result) -> Iterator[list[dict[str, Any]]]:
    rows = (document.to_dict() for document in result.documents)
    while some := list(islice(rows, _AT_ONCE)):
        yield some


def _write_lines(result: Result, file: BinaryIO) -> None:
    for rows in _rows(result):
        lines = (json.dumps(row, ensure_ascii=False) for row in rows)
        file.write("".join(f"{line}\n" for line in lines).encode("utf-8", "surrogatepass"))
