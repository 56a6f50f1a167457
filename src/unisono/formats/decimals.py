"""Labels that are numbers with a decimal comma."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from unisono.formats.columns import RATINGS_LONG, RATINGS_WIDE
from unisono.formats.contents import given
from unisono.formats.numbers import with_point
from unisono.formats.table import RawTable

_NUMBER = re.compile(r"\s*[+-]?(\d+(,\d+)?|,\d+)([eE][+-]?\d+)?\s*", re.ASCII)
_CONVERTED = "numbers with a decimal comma, read with a point"


def with_points(table: RawTable, decimal: str | None, delimiter: str) -> RawTable:
    """Write labels that are numbers with a decimal point.

    If it is not given what separates decimals, it is the comma where something else than a comma separates fields (a
    semicolon, or nothing) and all labels are numbers, none with a point: a label such as "1,5" among others that are
    texts stays as it is.
    """
    if table.kind not in (RATINGS_LONG, RATINGS_WIDE) or decimal == "." or not (decimal or delimiter in (";", "")):
        return table
    wide = [list(table.further())] if table.kind is RATINGS_WIDE else [[one.column] for one in table.asked]
    others, n_converted = dict(table.others), 0
    for names in wide:
        labels = {label for name in names for label in given(others[name]) if isinstance(label, str)}
        if decimal is None and not _are_numbers(labels):
            continue
        plain = {label: with_point(label) for label in labels}
        for name in names:
            n_converted += sum(_is_changed(cell, plain) for cell in others[name])
            others[name] = [plain.get(cell, cell) if isinstance(cell, str) else cell for cell in others[name]]
    return replace(table, others=others, dropped={**table.dropped, _CONVERTED: n_converted}) if n_converted else table


def _are_numbers(labels: Iterable[str]) -> bool:
    return all(map(_NUMBER.fullmatch, labels))


def _is_changed(cell: Any, plain: dict[str, str]) -> bool:
    return isinstance(cell, str) and plain.get(cell, cell) != cell
