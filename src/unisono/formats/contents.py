"""What the cells of a column look like: names of items, times, texts, numbers. Missing cells are None or empty."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Sequence
from datetime import date, datetime, time, timedelta
from itertools import pairwise
from typing import Any

from unisono.formats.numbers import looks_numeric

_DAY = r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}"
_CLOCK = r"\d{1,2}:\d{2}(:\d{2}([.,]\d+)?)?(\s*[AaPp][Mm])?"
_ZONE = r"(\s*(Z|[A-Z]{2,5}|[+-]\d{2}:?\d{2}))?"
_NAMED_DAY = r"(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? .*\d{1,2}:\d{2}.*"
_TIME = re.compile(rf"({_DAY})([T ]+{_CLOCK}{_ZONE})?|{_CLOCK}{_ZONE}|{_NAMED_DAY}")
_NUMBERED = re.compile(r"(\D*)\d+\D*")
_MANY_WORDS = 4
"""A label rarely has so many words."""


def given(cells: Iterable[Any]) -> list[Any]:
    """Return the cells that are not missing."""
    return [cell for cell in cells if cell is not None and cell != "" and cell == cell]


def are_different(cells: Sequence[Any]) -> bool:
    """Whether no cell is missing and no two are the same."""
    return len(given(cells)) == len(cells) and len(set(map(_key, cells))) == len(cells)


def shared_kind(cells: Iterable[Any]) -> type | None:
    """Return float if all given cells are numbers, str if none is, None if some are."""
    found = {_is_number(cell) for cell in set(map(_key, given(cells)))}
    return None if len(found) != 1 else float if found.pop() else str


def distinct_cells(cells: Iterable[Any]) -> set[Hashable]:
    """Return the distinct cells that are given."""
    return set(map(_key, given(cells)))


def are_times(cells: Iterable[Any]) -> bool:
    """Whether all given cells are points in time."""
    known = distinct_cells(cells)
    return bool(known) and all(map(_is_time, known))


def are_prose(cells: Sequence[Any]) -> bool:
    """Whether cells are texts of several words, most of them different."""
    known = given(cells)
    texts = [cell for cell in known if isinstance(cell, str) and len(cell.split()) >= _MANY_WORDS]
    return len(texts) * 2 > len(known) and len(set(texts)) * 2 > len(texts)


def are_numbered_names(cells: Sequence[Any]) -> bool:
    """Whether cells are different names that differ in a number, such as s1, s2, s3."""
    found = [_NUMBERED.fullmatch(str(cell)) for cell in cells]
    prefixes = {match[1] for match in found if match is not None}
    return are_different(cells) and None not in found and len(prefixes) == 1 and "" not in prefixes


def are_counted(cells: Sequence[Any]) -> bool:
    """Whether cells are whole numbers, each one more than the one before."""
    numbers = [int(cell) for cell in map(str, cells) if cell.strip().isascii() and cell.strip().isdecimal()]
    return len(numbers) == len(cells) and all(after - before == 1 for before, after in pairwise(numbers))


def are_whole(cells: Iterable[Any]) -> bool:
    """Whether all given cells are whole numbers."""
    return all(str(cell).strip().isascii() and str(cell).strip().isdecimal() for cell in distinct_cells(cells))


def _key(cell: Any) -> Hashable:
    return tuple(map(str, cell)) if isinstance(cell, list | tuple) else str(cell) if isinstance(cell, dict) else cell


def _is_number(cell: Any) -> bool:
    if isinstance(cell, str):
        return looks_numeric(cell)
    return isinstance(cell, int | float) and not isinstance(cell, bool)


def _is_time(cell: Any) -> bool:
    if isinstance(cell, date | datetime | time | timedelta):
        return True
    return isinstance(cell, str) and _TIME.fullmatch(cell.strip()) is not None
