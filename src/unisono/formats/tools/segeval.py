"""Segmentations as segeval stores them: JSON, or a table of segment masses or positions.

JSON: ``{"segmentation_type": "linear", "items": {document: {coder: [masses]}}}``. Table: a header ``Coder, Masses`` or
``Coder, Positions``, then a row for each coder of the one document, which is named after the file. Masses are the
lengths of segments; positions name, atom by atom, the segment that it belongs to.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import groupby
from pathlib import Path
from typing import Any

from unisono.data import Corpus
from unisono.data.cuts import from_masses
from unisono.errors import DataError
from unisono.formats.delimited import find_delimiter, numbered_records
from unisono.formats.files import head_text, text_lines
from unisono.formats.format import Format, Instructions
from unisono.formats.json_reading import parse_json

_LONGEST_LINE = 2**28
_CODER = ("coder", "annotator")
_KINDS = ("masses", "positions")
_FIRST_KEY = re.compile(r'\{\s*"(?:segmentation_type|items)"\s*:')
_HEADER = re.compile(rf"\"?(?:{'|'.join(_CODER)})\"?[,;|\t]\"?(?:{'|'.join(_KINDS)})\"?[,;|\t]*\s*$", re.IGNORECASE)


def read(path: Path, instructions: Instructions) -> Corpus:
    """Read segmentations as units without category, which cut the continuum from 0 to its length."""
    text = "".join(text_lines(path, _LONGEST_LINE))
    is_json = text.lstrip().startswith("{")
    documents = _items(text, path) if is_json else {instructions.document_of(path): _coders(path)}
    if not any(documents.values()):
        raise DataError("there are no segmentations in it; check that the file is complete")
    return from_masses(documents, source=path.name)


def _items(text: str, path: Path) -> dict[str, Any]:
    data = parse_json(text, path, strict=True)
    kind = data.get("segmentation_type", "linear")
    if kind != "linear":
        raise DataError(f"the segmentation_type is {kind!r}; only linear segmentations can be read")
    items = data.get("items")
    if not isinstance(items, dict) or not all(isinstance(coders, dict) for coders in items.values()):
        raise DataError('there should be "items": {document: {coder: [masses]}}; add it')
    return items


def _coders(path: Path) -> dict[str, list[int]]:
    """Read a table; a row is as long as its coder has segments, or atoms."""
    delimiter = find_delimiter(path, None, _is_header)
    coders: dict[str, list[int]] = {}
    with closing(numbered_records(path, delimiter)) as rows:  # an error must not leave the file open
        _, names = next(rows, (1, []))
        if not _is_header(names):
            raise DataError("the header should be Coder and Masses, or Coder and Positions; correct it", line=1)
        positions = _filled(names)[1].casefold() == "positions"
        for line, record in rows:
            who, *fields = _filled(record)
            if who in coders:
                raise DataError(f"the coder {who!r} occurs twice; remove one", line=line)
            coders[who] = list(_lengths(fields)) if positions else _masses(fields, line)
    return coders


def _is_header(names: Sequence[str]) -> bool:
    names = [name.casefold() for name in _filled(names)]
    return len(names) == 2 and names[0] in _CODER and names[1] in _KINDS


def _filled(record: Sequence[str]) -> list[str]:
    """Return the fields of a record without the empty ones at its end, which spreadsheets add."""
    fields = [field.strip() for field in record]
    while fields and not fields[-1]:
        fields.pop()
    return fields


def _masses(fields: Sequence[str], line: int) -> list[int]:
    for field in fields:
        if not (field.isdecimal() and int(field)):
            raise DataError(f"the mass {field!r} should be a whole number above 0; correct it", line=line)
    return [int(field) for field in fields]


def _lengths(fields: Sequence[str]) -> Iterator[int]:
    return (len(list(run)) for _, run in groupby(fields))


def _sniff(head: bytes, path: Path) -> bool:
    begin = head_text(head).lstrip()
    return bool(_FIRST_KEY.match(begin) or _HEADER.match(begin.partition("\n")[0]))


FORMAT = Format(
    name="segeval",
    title="segeval",
    suffixes=(),
    reads="JSON with items, coders and segment masses; tables with Coder and Masses, or Coder and Positions",
    ignores="further entries of the JSON",
    annotator_from=(),
    sniff=_sniff,
    read=read,
)
