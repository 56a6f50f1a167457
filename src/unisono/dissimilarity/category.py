"""Distances between labels (dist_cat of Mathet et al. 2015, §4.4.3): 0 the same, 1 altogether different.

A distance is bound to the labels that occur in the data and then compares arrays of codes. A unit without a label
is at distance 0 from another without and at distance 1 from any with one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeAlias
from zlib import crc32

import numpy as np

from unisono.arrays import FloatArray, IntArray
from unisono.data import Label
from unisono.data.labels import spelled
from unisono.errors import DataError, OptionError

Compare: TypeAlias = Callable[[IntArray, IntArray], FloatArray]
"""Distances of two arrays of codes, element by element."""

_TABLE_LIMIT = 1024
"""Up to so many labels, distances are looked up in a table of all pairs."""


class Distance(ABC):
    """A distance between labels."""

    name: ClassVar[str]

    @abstractmethod
    def bind(self, labels: Sequence[Label]) -> Compare:
        """Make the function that compares codes of these labels (none missing)."""

    def __str__(self) -> str:
        return self.name

    @property
    def signature(self) -> str:
        """What is needed to know the distance again."""
        return str(self)


@dataclass(frozen=True)
class Nominal(Distance):
    """Two labels are the same or not."""

    name: ClassVar[str] = "nominal"

    def bind(self, labels: Sequence[Label]) -> Compare:
        """See `Distance`."""
        return lambda u, v: (u != v).astype(np.float64)


@dataclass(frozen=True)
class Ordinal(Distance):
    """Ranks in a given order: |rank - rank| / (number of ranks - 1)."""

    order: tuple[str, ...]
    name: ClassVar[str] = "ordinal"

    def __post_init__(self) -> None:
        object.__setattr__(self, "order", tuple(map(str, self.order)))
        if len(self.order) < 2 or len(set(self.order)) < len(self.order):
            raise OptionError("ordinal needs the labels from lowest to highest, each once, e.g. ordinal(low,mid,high)")

    def bind(self, labels: Sequence[Label]) -> Compare:
        """See `Distance`."""
        rank = {label: float(index) for index, label in enumerate(self.order)}
        for label in labels:
            if spelled(label) not in rank:
                raise DataError(
                    f"the category {label!r} is not in the given order {' < '.join(self.order)}; add it there"
                )
        values = np.array([rank[spelled(label)] for label in labels])
        return _absolute_difference(values, float(len(self.order) - 1))

    def __str__(self) -> str:
        return f"ordinal({','.join(self.order)})"


@dataclass(frozen=True)
class Numeric(Distance):
    """Labels are numbers: |x - y| / range, by default the range of the labels in the data; at most 1."""

    range: float | None = None
    name: ClassVar[str] = "numeric"

    def __post_init__(self) -> None:
        if self.range is not None and not (np.isfinite(self.range) and self.range > 0):
            raise OptionError(f"the range of the distance numeric must be a number above 0, not {self.range:g}")

    def bind(self, labels: Sequence[Label]) -> Compare:
        """See `Distance`."""
        values = np.array([_number(label) for label in labels])
        span = self.range if self.range is not None else float(np.ptp(values)) if len(values) else 0.0
        return _absolute_difference(values, span or 1.0)

    def __str__(self) -> str:
        return "numeric" if self.range is None else f"numeric({self.range:g})"


@dataclass(frozen=True)
class Hierarchy(Distance):
    """Labels are paths such as A/B/C: 1 - 2 · (common steps from the top) / (steps + steps)."""

    separator: str = "/"
    name: ClassVar[str] = "hierarchy"

    def bind(self, labels: Sequence[Label]) -> Compare:
        """See `Distance`."""
        paths = [str(label).split(self.separator) for label in labels]

        def apart(u: int, v: int) -> float:
            common = 0
            for step, other in zip(paths[u], paths[v], strict=False):
                if step != other:
                    break
                common += 1
            return 1.0 - 2.0 * common / (len(paths[u]) + len(paths[v]))

        return _looked_up(len(labels), _elementwise(apart))

    def __str__(self) -> str:
        return "hierarchy" if self.separator == "/" else f"hierarchy({self.separator})"


@dataclass(frozen=True)
class Sets(Distance):
    """Labels are sets, written A|B or given as lists: Jaccard distance 1 - |A ∩ B| / |A ∪ B|."""

    separator: str = "|"
    name: ClassVar[str] = "set"

    def bind(self, labels: Sequence[Label]) -> Compare:
        """See `Distance`."""
        return self.compared(labels, jaccard)

    def compared(
        self, labels: Sequence[Label], formula: Callable[[IntArray, IntArray, IntArray], FloatArray]
    ) -> Compare:
        """Make a comparison out of |A ∩ B|, |A| and |B|, sets being rows of bits."""
        sets = [self._members(label) for label in labels]
        number = {member: index for index, member in enumerate(sorted(set().union(*sets)))}
        bits = np.zeros((len(sets), max(len(number), 1)), dtype=np.bool_)
        for row, members in enumerate(sets):
            bits[row, [number[member] for member in members]] = True
        size, packed = bits.sum(axis=1), np.packbits(bits, axis=1)
        step = max(2**23 // packed.shape[1], 1)

        def compare(u: IntArray, v: IntArray) -> FloatArray:
            common = np.empty(len(u), dtype=np.int64)
            for first in range(0, len(u), step):
                some = slice(first, first + step)
                common[some] = _ONES[packed[u[some]] & packed[v[some]]].sum(axis=1)
            return formula(common, size[u], size[v])

        return compare

    def _members(self, label: Label) -> frozenset[str]:
        parts = label if isinstance(label, tuple) else str(label).split(self.separator)
        return frozenset(part.strip() for part in parts if part.strip())

    def __str__(self) -> str:
        return "set" if self.separator == "|" else f"set({self.separator})"


@dataclass(frozen=True)
class Matrix(Distance):
    """Distances from a table of all pairs of labels (Table 3 of the paper).

    Attributes
    ----------
    labels : tuple of str
        The labels of rows and columns.
    values : float64 array, shape (n_labels, n_labels)
        Symmetric, 0 on the diagonal, from 0 up; γ and AC2 need them within 0 to 1.
    source : str
        Where the table comes from, for the signature.
    """

    labels: tuple[str, ...]
    values: FloatArray = field(repr=False)
    source: str = "given"
    name: ClassVar[str] = "matrix"

    def __post_init__(self) -> None:
        values = np.asarray(self.values, dtype=np.float64)
        object.__setattr__(self, "values", values)
        if len(set(self.labels)) < len(self.labels):
            raise DataError(f"the matrix {self.source} names a category twice")
        if values.shape != (len(self.labels), len(self.labels)):
            raise DataError(f"the matrix {self.source} has {values.shape} values for {len(self.labels)} categories")
        self._refuse(~np.isfinite(values) | (values < 0), "is not a number from 0 up")
        diagonal = np.eye(len(values), dtype=bool)
        self._refuse(diagonal & (values != 0), "should be 0: a category does not differ from itself")
        self._refuse(values != values.T, "differs from the value the other way round; the matrix must be symmetric")

    def refuse_above_one(self) -> None:
        """Raise a DataError if a distance is above 1."""
        self._refuse(self.values > 1, "is not within 0 to 1; divide by the largest")

    def _refuse(self, bad: Any, why: str) -> None:
        if bad.any():
            row, column = np.argwhere(bad)[0]
            pair = f"{self.labels[row]!r} and {self.labels[column]!r}"
            raise DataError(f"the matrix {self.source}: {self.values[row, column]:g} for {pair} {why}")

    def bind(self, labels: Sequence[Label]) -> Compare:
        """See `Distance`."""
        number = {label: index for index, label in enumerate(self.labels)}
        for label in labels:
            if spelled(label) not in number:
                raise DataError(f"the category {label!r} is not in the matrix {self.source}; add a row and a column")
        index = np.array([number[spelled(label)] for label in labels], dtype=np.int64)
        table = self.values[np.ix_(index, index)]
        return lambda u, v: np.asarray(table[u, v])

    def __str__(self) -> str:
        return f'matrix("{self.source}")'

    @property
    def signature(self) -> str:
        """See `Distance`: the file's name may stay while its content changes."""
        content = "|".join(self.labels).encode() + np.ascontiguousarray(self.values).tobytes()
        return f"matrix({self.source}#{crc32(content):08x})"


@dataclass(frozen=True)
class Custom(Distance):
    """A distance of the user's: a function of two arrays of labels that gives an array of values from 0 up."""

    function: Callable[[Any, Any], Any]
    name: ClassVar[str] = "custom"

    def bind(self, labels: Sequence[Label]) -> Compare:
        """See `Distance`."""
        table = np.empty(len(labels), dtype=object)
        table[:] = labels

        def apart(u: IntArray, v: IntArray) -> FloatArray:
            return checked(self.function(table[u], table[v]), len(u), "distance")

        return _looked_up(len(labels), apart)

    def __str__(self) -> str:
        return f"custom({getattr(self.function, '__name__', 'function')})"


_ONES = np.array([byte.bit_count() for byte in range(256)], dtype=np.int64)


def jaccard(common: IntArray, size_u: IntArray, size_v: IntArray) -> FloatArray:
    """Give 1 - |A ∩ B| / |A ∪ B| of sets of these sizes; 0 where both are empty."""
    union = size_u + size_v - common
    return np.asarray(1.0 - np.divide(common, union, out=np.ones(len(common)), where=union > 0))


def as_distance(value: Any) -> Distance:
    """Make a distance of a name, a table ({(a, b): distance}, or labels and values) or a function."""
    if isinstance(value, Distance):
        return value
    if isinstance(value, str):
        if value == "ordinal":
            raise OptionError("ordinal needs the order of the labels, e.g. ordinal(low,mid,high)")
        for kind in (Nominal, Numeric, Hierarchy, Sets):
            if value == kind.name:
                return kind()
        raise OptionError(
            f"there is no distance {value!r}; there are nominal, ordinal(…), numeric, hierarchy, set and matrix(…)"
        )
    if isinstance(value, Mapping):
        return _from_pairs(value)
    if callable(value):
        return Custom(value)
    raise OptionError(f"{value!r} is not a distance between labels")


def checked(values: Any, expected: int, what: str) -> FloatArray:
    """Check what a user's function gave."""
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise OptionError(f"the {what} function gave something else than numbers") from None
    if array.shape != (expected,):
        raise OptionError(f"the {what} function must give one value a pair: {expected} expected, shape {array.shape}")
    if not np.isfinite(array).all() or (array < 0).any():
        raise OptionError(f"the {what} function gave a negative or infinite value, or NaN")
    return array


def with_missing(compare: Compare) -> Compare:
    """Extend a comparison to missing labels (code -1)."""

    def extended(u: IntArray, v: IntArray) -> FloatArray:
        missing = (u < 0) | (v < 0)
        if not missing.any():
            return compare(u, v)
        values: FloatArray = (u != v).astype(np.float64)
        values[~missing] = compare(u[~missing], v[~missing])
        return values

    return extended


def _refuse_unpaired(pairs: Mapping[Any, float]) -> None:
    for pair in pairs:
        if not (isinstance(pair, tuple) and len(pair) == 2):
            raise OptionError(f"a table of distances is from two labels to a number, and {pair!r} is not two labels")


def _from_pairs(pairs: Mapping[Any, float]) -> Matrix:
    _refuse_unpaired(pairs)
    labels = tuple(dict.fromkeys(spelled(label) for pair in pairs for label in pair))
    number = {label: index for index, label in enumerate(labels)}
    values = np.ones((len(labels), len(labels))) - np.eye(len(labels))
    for (a, b), value in pairs.items():
        if pairs.get((b, a), value) != value:
            raise OptionError(f"the distance of {a!r} and {b!r} is given twice, and not the same; it must be symmetric")
        values[number[spelled(a)], number[spelled(b)]] = values[number[spelled(b)], number[spelled(a)]] = value
    return Matrix(labels, values)


def _number(label: Any) -> float:
    try:
        value = float(label)
    except (TypeError, ValueError):
        value = float("nan")
    if not np.isfinite(value):
        raise DataError(f"the category {label!r} is not a number; the distance numeric needs numbers")
    return value


def _absolute_difference(values: FloatArray, span: float) -> Compare:
    return lambda u, v: np.asarray(np.minimum(np.abs(values[u] - values[v]) / span, 1.0))


def _elementwise(apart: Callable[[int, int], float]) -> Compare:
    """Compare distinct pairs one by one."""

    def compare(u: IntArray, v: IntArray) -> FloatArray:
        base = int(max(u.max(initial=0), v.max(initial=0))) + 1
        pairs, inverse = np.unique(u * base + v, return_inverse=True)
        values = np.array([apart(*divmod(pair, base)) for pair in pairs.tolist()], dtype=np.float64)
        return np.asarray(values[inverse])

    return compare


def _looked_up(n_labels: int, compare: Compare) -> Compare:
    """Compare all pairs of labels once, where that is few enough, and look the values up."""
    if n_labels > _TABLE_LIMIT:
        _refuse_uneven(n_labels, compare)
        return compare
    u, v = np.divmod(np.arange(n_labels * n_labels, dtype=np.int64), max(n_labels, 1))
    table = compare(u, v).reshape(n_labels, n_labels)
    _refuse_uneven(n_labels, lambda u, v: np.asarray(table[u, v]))
    return lambda u, v: np.asarray(table[u, v])


def _refuse_uneven(n_labels: int, compare: Compare) -> None:
    """Refuse a distance that depends on the order, or is not 0 from a label to itself; all pairs, if they are few."""
    every = np.arange(n_labels, dtype=np.int64)
    if n_labels > _TABLE_LIMIT:
        u, v = every, np.roll(every, 1)
    else:
        u, v = np.divmod(np.arange(n_labels * n_labels, dtype=np.int64), max(n_labels, 1))
    if not np.allclose(compare(u, v), compare(v, u), rtol=0, atol=1e-12):
        raise OptionError("the distance between two labels depends on their order; it must not")
    if compare(every, every).any():
        raise OptionError("the distance of a label from itself must be 0")
