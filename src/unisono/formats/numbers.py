"""Columns of numbers written as text."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from unisono.arrays import BoolArray, FloatArray, IntArray
from unisono.data.labels import spells_number
from unisono.data.spans import EXACT
from unisono.errors import DataError

SEVERAL_NUMBERS = "|"
"""Between the positions of a unit in pieces, in one cell."""
_LONGEST = 1_000
_SHORT = 16
"""Whole numbers of fewer digits are exact."""
_DECIMAL_COMMA = re.compile(r"\s*[+-]?\d*,\d+([eE][+-]?\d+)?\s*", re.ASCII)


@dataclass(frozen=True, slots=True)
class Numbers:
    """A column of numbers, whole or not."""

    values: IntArray | FloatArray
    """Int64 or float64 array, shape (n_rows,): 0 where missing."""
    missing: BoolArray
    """Bool array, shape (n_rows,): where there is no number."""
    further: Mapping[int, Sequence[int | float]] = field(default_factory=dict)
    """Row to the numbers after the first, where a cell has several, as of a unit in pieces."""

    def take(self, rows: Sequence[int]) -> Numbers:
        """Return some of the rows."""
        kept = {new: self.further[row] for new, row in enumerate(rows) if row in self.further} if self.further else {}
        return Numbers(self.values[rows], self.missing[rows], kept)

    def cell(self, row: int) -> list[int | float]:
        """Return all numbers of a row."""
        return [] if self.missing[row] else [self.values[row].item(), *self.further.get(row, ())]

    def whole_if_possible(self) -> Numbers:
        """Return whole numbers, if only missing ones made fractions of them, as in a pandas column."""
        fits = self.missing.any() and (self.values == np.floor(self.values)).all()
        return Numbers(self.values.astype(np.int64), self.missing, self.further) if fits else self


def parse_numbers(texts: Sequence[str], fail: Callable[[int, str], DataError]) -> Numbers:
    """Parse numbers; empty texts are missing values. Whole numbers stay whole if all of them are.

    `fail` makes the error out of a row and an explanation. A cell may have several numbers, separated by |.
    """
    values = _quick(texts)
    if values is not None:
        return Numbers(values, np.zeros(len(texts), dtype=np.bool_))
    missing = np.array([not text.strip() for text in texts], dtype=np.bool_)
    filled = [text if text.strip() else "0" for text in texts]
    for row, text in enumerate(filled):
        if wrong := wrong_cell(text):
            raise fail(row, wrong)
    whole = all("." not in text and "e" not in text.lower() for text in filled)
    number: type[int] | type[float] = int if whole else float
    cells = [[*map(number, text.split(SEVERAL_NUMBERS))] for text in filled]
    further = {row: numbers[1:] for row, numbers in enumerate(cells) if len(numbers) > 1}
    first = [numbers[0] for numbers in cells]
    return Numbers(np.array(first, np.int64) if whole else np.array(first, np.float64), missing, further)


def joined_numbers(parts: Sequence[Numbers]) -> Numbers:
    """Put the pieces of a column together."""
    if not parts:
        return Numbers(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.bool_))
    further: dict[int, Sequence[int | float]] = {}
    n_before = 0
    for part in parts:
        further |= {n_before + row: numbers for row, numbers in part.further.items()}
        n_before += len(part.values)
    values = np.concatenate([part.values for part in parts])
    return Numbers(values, np.concatenate([part.missing for part in parts]), further)


def looks_numeric(text: str) -> bool:
    """Whether a text is meant as a number; decimal commas count."""
    return spells_number(text) or _DECIMAL_COMMA.fullmatch(text) is not None


def with_point(text: str) -> str:
    """Write numbers with decimal points if they have decimal commas; leave any other text as it is."""
    if SEVERAL_NUMBERS in text:
        return SEVERAL_NUMBERS.join(map(with_point, text.split(SEVERAL_NUMBERS)))
    return text.replace(",", ".") if "," in text and _DECIMAL_COMMA.fullmatch(text) else text


def not_a_number(text: str) -> str:
    """Explain what is wrong with a text in place of a number."""
    if _DECIMAL_COMMA.fullmatch(text):
        return f"{_short(text)} is not a number; write decimals with a point instead of a comma"
    if text.strip().lower().lstrip("+-") in ("nan", "inf", "infinity"):
        return f"{_short(text)} is not a finite number; correct it"
    return f"{_short(text)} is not a number; correct it"


def _quick(texts: Sequence[str]) -> IntArray | FloatArray | None:
    """Convert in bulk; None where something needs a closer look."""
    everything = "".join(texts)
    if not everything.isascii() or "_" in everything:
        return None
    values: IntArray | FloatArray
    try:
        values = np.fromiter(map(int, texts), dtype=np.int64, count=len(texts))
    except (ValueError, OverflowError):
        try:
            values = np.fromiter(map(float, texts), dtype=np.float64, count=len(texts))
        except ValueError:
            return None
    exact = (values < EXACT) & (values > -EXACT)
    return values if exact.all() else None


def wrong_cell(text: str) -> str | None:
    """Explain what is wrong with a cell of one number or several; None if nothing is, or if it is empty."""
    if SEVERAL_NUMBERS not in text:
        return wrong_number(text)
    parts = text.split(SEVERAL_NUMBERS)
    if not all(part.strip() for part in parts):
        return f"{_short(text)} has nothing before or after '|'; correct it"
    return next(filter(None, map(wrong_number, parts)), None)


def wrong_number(text: str) -> str | None:
    """Explain what is wrong with a text in place of a number; None if nothing is, or if it is empty."""
    plain = len(text) < _SHORT and text.isascii() and text.isdecimal()
    if plain or not text.strip():
        return None
    if len(text) > _LONGEST or not spells_number(text):
        return not_a_number(text)
    if abs(float(text)) < EXACT or text.strip().lstrip("+-") == str(EXACT):
        return None
    return f"{_short(text)} is beyond ±2^53, where positions lose precision; use smaller numbers"


def _short(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:39] + "…")
