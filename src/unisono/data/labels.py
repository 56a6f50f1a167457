"""Columns of labels, stored as integer codes into a sorted table of distinct labels."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import compress
from types import NoneType
from typing import Any, TypeAlias

import numpy as np

from unisono.arrays import ComparedByContent, IntArray
from unisono.errors import DataError

Label: TypeAlias = str | bool | int | float | tuple[str, ...]
MISSING = -1
SET_SEPARATOR = "|"
_NUMBER = re.compile(r"\s*[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?\s*", re.ASCII)


@dataclass(frozen=True, slots=True, eq=False)
class Feature(ComparedByContent):
    """One feature of many units."""

    codes: IntArray  # shape (n_units,): index into `labels`; -1 where a unit has no such feature
    labels: tuple[Label, ...]  # the distinct labels, sorted

    def take(self, index: Any) -> Feature:
        """Return the same feature for some of the units; labels that none of them has stay possible."""
        return Feature(self.codes[index], self.labels)

    def given(self) -> Feature:
        """Return the same feature without labels that no unit has."""
        return Feature(*given_labels(self.codes, self.labels))

    def values(self) -> list[Label | None]:
        """Spell the labels out, unit by unit; None if there is none."""
        table: list[Label | None] = [*self.labels, None]
        return [table[code] for code in self.codes.tolist()]


@dataclass(frozen=True, eq=False)
class Coded(Sequence[Any]):
    """A column of values, stored as codes into its distinct values."""

    codes: IntArray  # index into `values`
    values: tuple[Any, ...]  # the distinct values, in the order of their first appearance; None may come first

    @classmethod
    def of(cls, values: Sequence[Any]) -> Coded:
        """Make a column; one that is coded stays as it is."""
        return values if isinstance(values, Coded) else cls(*encode_in_order(values))

    def numbers(self, number: Mapping[Any, int]) -> IntArray:
        """Return the code of each row in another table."""
        table = np.fromiter(map(number.__getitem__, self.values), np.int64, count=len(self.values))
        return table[self.codes] if len(table) else self.codes

    def __len__(self) -> int:
        return len(self.codes)

    def __getitem__(self, index: Any) -> Any:
        codes = self.codes[index]
        return self.values[codes] if np.ndim(codes) == 0 else [self.values[code] for code in codes.tolist()]


def feature(values: Iterable[Any]) -> Feature:
    """Make a feature from labels; None is a missing label."""
    if isinstance(values, Coded):
        own = feature(values.values)
        return Feature(own.codes[values.codes] if len(values) else values.codes, own.labels)
    labels = list(values)
    if not {*map(type, labels)} <= {str, NoneType}:
        labels = [_label(value) for value in labels]
    if bool not in map(type, labels):
        return Feature(*encode(labels))
    # true is not 1 here, although Python treats them as equal
    codes, kept = encode([None if label is None else (isinstance(label, bool), label) for label in labels])
    return Feature(codes, tuple(label for _, label in kept))


def given_labels(codes: IntArray, labels: tuple[Label, ...]) -> tuple[IntArray, tuple[Label, ...]]:
    """Leave out the labels that nobody gave."""
    there = np.bincount(codes.ravel() + 1, minlength=len(labels) + 1)[1:] > 0
    if there.all():
        return codes, labels
    fewer = np.append(np.cumsum(there) - 1, MISSING)
    return fewer[codes], tuple(compress(labels, there))


def written_label(label: Label) -> str:
    """Spell a label as a user would write it: 1.0 is 1, a set is A|B, and the empty set, which is a label, is |."""
    if isinstance(label, tuple):
        return SET_SEPARATOR.join(label) or SET_SEPARATOR
    return str(int(label)) if isinstance(label, float) and label.is_integer() else str(label)


def spells_number(text: str) -> bool:
    """Whether text is a number with a decimal point, in digits that everybody knows."""
    return _NUMBER.fullmatch(text) is not None


def encode(values: Sequence[Any]) -> tuple[IntArray, tuple[Any, ...]]:
    """Assign numbers to the distinct values in sorted order; None becomes -1."""
    distinct = dict.fromkeys(values)
    distinct.pop(None, None)
    labels = sorted(distinct, key=_sort_key)
    number: dict[Any, int] = {label: code for code, label in enumerate(labels)}
    number[None] = MISSING
    codes = np.fromiter(map(number.__getitem__, values), dtype=np.int64, count=len(values))
    return codes, tuple(labels)


def encode_in_order(values: Sequence[Any]) -> tuple[IntArray, tuple[Any, ...]]:
    """Assign numbers to the distinct values in the order of their first appearance."""
    number = {value: code for code, value in enumerate(dict.fromkeys(values))}
    return np.fromiter(map(number.__getitem__, values), np.int64, count=len(values)), tuple(number)


def _sort_key(label: Any) -> tuple[Any, ...]:
    if isinstance(label, tuple) and label and isinstance(label[0], bool):
        return label[0], *_sort_key(label[1])
    if isinstance(label, bool) or not isinstance(label, int | float):
        return type(label).__name__, label
    return "number", label


def _label(value: Any) -> Label | None:
    if value is None or type(value) is str:
        return value
    if value is np.ma.masked or type(value).__name__ in ("NAType", "NaTType"):
        return None
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and value != value:
        return None
    if isinstance(value, float) and value in (float("inf"), float("-inf")):
        raise DataError(f"{value!r} cannot be a label; use None for a missing one")
    if isinstance(value, str | bool | int | float):
        return value
    if isinstance(value, list | tuple | set | frozenset):
        return tuple(sorted({_member(member, value) for member in value}))
    raise DataError(f"{value!r} cannot be a label: text, a number, true/false or a list of texts is expected")


def _member(member: Any, whole: Any) -> str:
    """Write a member of a set: 1, 1.0 and "1" are the same."""
    label = member if type(member) is str else _label(member) if not isinstance(member, list | tuple | set) else None
    if label is None:
        raise DataError(f"the set-valued label {whole!r} has a member that is neither text nor a number")
    return written_label(label)
