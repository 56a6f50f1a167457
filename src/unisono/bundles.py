"""Lists of small objects that hold arrays, pickled as a few large arrays, which is about ten times as fast."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, is_dataclass
from itertools import chain, pairwise
from typing import Any, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from unisono.arrays import IntArray

_Object = TypeVar("_Object")


class Bundled(list[_Object]):
    """A list of dataclasses of one kind, whose fields hold arrays, other dataclasses, tuples of these, or anything.

    It is a list like any other, except that it is pickled field by field. Fields are passed to the class by position.
    Arrays come out as parts of one large array, which stays in memory as long as any of them.
    """

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle each field of all objects together."""
        return _unbundled, (_column(self),)


class _Column(Protocol):
    """What one field of many objects holds."""

    def values(self) -> Iterable[Any]:
        """Return the values, one by one."""


def _unbundled(column: _Column) -> Bundled[Any]:
    return Bundled(column.values())


def _column(values: Sequence[Any]) -> _Column:
    """Choose how values are kept together."""
    if not values:
        return _Plain([])
    first, kind = values[0], type(values[0])
    if all(value is first for value in values):
        return _Same(first, len(values))
    if any(type(value) is not kind for value in values):
        return _Plain([*values])
    if kind is np.ndarray and len({(value.dtype, value.ndim) for value in values}) == 1 and first.dtype != object:
        flat = np.concatenate([value.ravel() for value in values])
        return _Arrays(flat, np.array([value.shape for value in values], np.int64).reshape(len(values), -1))
    if kind is tuple:
        return _Tuples(np.array([*map(len, values)]), _column([*chain.from_iterable(values)]))
    if is_dataclass(first):
        names = [field.name for field in fields(first)]
        return _Objects(kind, [_column([getattr(value, name) for value in values]) for name in names])
    return _Plain([*values])


@dataclass(frozen=True, slots=True)
class _Same:
    """One object, again and again."""

    value: Any
    times: int

    def values(self) -> Iterable[Any]:
        return [self.value] * self.times


@dataclass(frozen=True, slots=True)
class _Plain:
    """Anything."""

    given: list[Any]

    def values(self) -> Iterable[Any]:
        return self.given


@dataclass(frozen=True, slots=True)
class _Arrays:
    """Arrays, one after the other, and the shape of each."""

    flat: npt.NDArray[Any]
    shapes: IntArray

    def values(self) -> Iterable[Any]:
        edges = np.concatenate([[0], np.cumsum(self.shapes.prod(axis=1))]).tolist()
        parts = [self.flat[a:b] for a, b in pairwise(edges)]
        if self.shapes.shape[1] == 1:
            return parts
        return [part.reshape(shape) for part, shape in zip(parts, self.shapes.tolist(), strict=True)]


@dataclass(frozen=True, slots=True)
class _Tuples:
    """Tuples, one after the other, and the length of each."""

    lengths: IntArray
    column: _Column

    def values(self) -> Iterable[Any]:
        every = [*self.column.values()]
        return [tuple(every[a:b]) for a, b in pairwise([0, *np.cumsum(self.lengths).tolist()])]


@dataclass(frozen=True, slots=True)
class _Objects:
    """Dataclasses, field by field."""

    kind: type
    columns: list[_Column]

    def values(self) -> Iterable[Any]:
        return map(self.kind, *[column.values() for column in self.columns])
