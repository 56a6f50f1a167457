"""A table of rewritten words becomes normalizations, and back: the rules for CSV, Parquet and frames."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from unisono.arrays import IntArray
from unisono.data import Normalizations
from unisono.data.ratings import numbers_within
from unisono.formats.columns import NORMALIZATIONS_LONG
from unisono.formats.table import RawTable

TOKEN_TWICE = "number the tokens of each document"
_OF_ONE = ("norm", "mod", "type")


def normalizations_from(table: RawTable) -> Normalizations:
    """Make normalizations out of a table, with one row per token and annotator or one column per annotator."""
    with table.locating():
        return _long(table) if table.kind is NORMALIZATIONS_LONG else _wide(table)


def columns_of(data: Normalizations) -> dict[str, Sequence[Any]]:
    """Return normalizations as the columns of a table: one per annotator, or long if there are modernizations."""
    if data.mod is None and data.type is None:
        return _about(data) | dict(zip(data.annotators, _texts(data, data.norm), strict=True))
    rows = range(data.n_tokens)
    cells = {"norm": _texts(data, data.norm)}
    if data.mod is not None:
        cells["mod"] = _texts(data, data.mod)
    if data.type is not None:
        cells["type"] = [[("", *data.types)[code + 1] for code in column] for column in data.type.T.tolist()]
    about = _about(data)
    numbers = numbers_within(data.document)
    repeated = {name: [column[row] for row in rows for _ in data.annotators] for name, column in about.items()}
    original = repeated.pop("original")
    return {
        **repeated,
        "token": [numbers[row] for row in rows for _ in data.annotators],
        "original": original,
        "annotator": [name for _ in rows for name in data.annotators],
        **{name: [column[row] for row in rows for column in lists] for name, lists in cells.items()},
    }


def _long(table: RawTable) -> Normalizations:
    tokens = table.names("token")
    return Normalizations.from_columns(
        token=tokens,
        original=table.others["original"],
        annotator=table.names("annotator"),
        norm=table.others["norm"],
        mod=table.others.get("mod"),
        type=table.others.get("type"),
        document=table.documents(len(tokens)),
        sentence=table.others.get("sentence"),
        source=table.source,
        locate=lambda row: (None, row),
    )


def _wide(table: RawTable) -> Normalizations:
    columns = table.further()
    if not columns:
        raise table.fail(None, "there is no annotator; add one column per annotator, beside the column original")
    for name in columns:
        if name.casefold() in _OF_ONE:
            raise table.fail(
                None,
                f"there is a column {name!r} but no column 'annotator'; a table with norm, mod and type has columns "
                f"token and annotator too; if {name!r} is an annotator, give the column another name",
            )
    original = table.others["original"]
    documents = table.documents(len(original))
    if "token" in table.others:
        table.reject(table.wrong_repeated("token", documents, TOKEN_TWICE))
    return Normalizations.from_annotators(
        original,
        columns,
        document=documents,
        sentence=table.others.get("sentence"),
        source=table.source,
        locate=lambda row: (None, row),
    )


def _about(data: Normalizations) -> dict[str, Sequence[Any]]:
    found: dict[str, Sequence[Any]] = {}
    if data.documents != ("document",):
        found["document"] = [data.documents[code] for code in data.document.tolist()]
    if data.sentence is not None:
        found["sentence"] = (data.sentence + 1).tolist()
    found["original"] = [data.forms[code] for code in data.original.tolist()]
    return found


def _texts(data: Normalizations, codes: IntArray) -> list[list[str]]:
    texts = [*data.forms, ""]  # the last is for what is missing: its code is -1
    return [[texts[code] for code in column] for column in codes.T.tolist()]
