"""Labels that are numbers with a decimal comma."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from unisono.formats.columns import RATINGS_LONG, RATINGS_WIDE
from unisono.formats.contents import given
from unisono.formats.numbers import looks_numeric, with_point
from unisono.formats.table import RawTable

_CONVERTED = "numbers with a decimal comma, read with a point"
_KEPT = "labels that look like numbers with a decimal comma, read as names (choose with the option decimal)"


def with_points(table: RawTable, decimal: str | None, delimiter: str) -> RawTable:
    """Write labels that are numbers with a decimal point.

    If it is not given what separates decimals, it is the comma where something else than a comma separates fields (a
    semicolon, or nothing) and all labels are numbers, none with a point: a label such as "1,5" among others that are
    texts stays as it is. Elsewhere such labels are counted.
    """
    if table.kind not in (RATINGS_LONG, RATINGS_WIDE) or decimal == ".":
        return table
    converts = decimal is not None or delimiter in (";", "")
    wide = [list(table.further())] if table.kind is RATINGS_WIDE else [[one.column] for one in table.asked]
    others, n_commas = dict(table.others), 0
    for names in wide:
        labels = {label for name in names for label in given(others[name]) if isinstance(label, str)}
        plain = {label: point for label in labels if (point := with_point(label)) != label}
        if not plain or (decimal is None and not _are_numbers(labels)):
            continue
        for name in names:
            n_commas += sum(isinstance(cell, str) and cell in plain for cell in others[name])
            if converts:
                others[name] = [plain.get(cell, cell) if isinstance(cell, str) else cell for cell in others[name]]
    what = _CONVERTED if converts else _KEPT
    return replace(table, others=others, dropped={**table.dropped, what: n_commas}) if n_commas else table


def _are_numbers(labels: Iterable[str]) -> bool:
    return all(looks_numeric(label) and "." not in label for label in labels)
