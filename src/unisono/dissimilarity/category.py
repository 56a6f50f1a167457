"""Distances between labels.

A distance is bound to the labels that occur in the data and then compares arrays of codes, in one of two ways:

- `Distance.bind`, for γ and text-γ: dist_cat of Mathet et al. (2015, §4.4.3), 0 for the same label and 1 for altogether
  different ones. It must not exceed 1, or two units would be better left alone than aligned.
- `Distance.differences`, for α, weighted κ and AC2: Krippendorff's δ². It may be of any size, since these coefficients
  are ratios of sums of differences, and it adds up over all pairs of labels without a table of all pairs.

Most distances are the same both ways. Scales are not, because the papers define them differently:

==========  ==============================  ===========================================  ============================
labels      γ                               α                                            weights of κ_w and AC2
==========  ==============================  ===========================================  ============================
in order    `ordinal`: |rank - rank| / max  `ordinal`: squared difference of mean ranks  `ordinal`: Gwet's rank pairs
numbers     `numeric`: |x - y| / range      `interval`: (x - y)², `ratio`, `circular`    `linear`, `quadratic`
==========  ==============================  ===========================================  ============================

`unisono.dissimilarity.registry` lists all distances, their names and what they are for.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self, TypeAlias
from zlib import crc32

import numpy as np

from unisono.arrays import BoolArray, FloatArray, IntArray
from unisono.checks import check_number, check_text
from unisono.data import Label
from unisono.data.labels import spells_number, written_label
from unisono.dissimilarity.difference_sums import Compare, Compared, Differences, Ranked, Unlike
from unisono.errors import DataError, OptionError, naming
from unisono.results import function_name, listed_name, spelled

LoadMatrix: TypeAlias = Callable[[str], tuple[Sequence[str], FloatArray]]
"""Reads a table of distances: a file's name to the labels and the values of all pairs of them."""

_TABLE_LIMIT = 1024
"""Up to this many labels, the distances of all pairs are computed once and looked up (8 MB)."""
LARGEST_LABEL = 1e100
"""Squares of numbers up to this size can still be added up without overflow."""


class Distance(ABC):
    """A distance between labels; 0 from a label to itself, and symmetric.

    See Also
    --------
    Nominal, Ordinal, Matrix

    Examples
    --------
    >>> import numpy as np
    >>> import unisono
    >>> class FirstLetter(unisono.Distance):
    ...     name = "first-letter"  # labels that begin with the same letter are half as far apart as others
    ...
    ...     def bind(self, labels):
    ...         letters = np.array([label[0] for label in labels])
    ...         return lambda one, other: np.where(one == other, 0.0, 1 - (letters[one] == letters[other]) / 2)
    >>> labels = {"anna": ["NN", "NE", "VB", "NN"], "bert": ["NE", "NE", "VB", "NN"]}
    >>> round(unisono.krippendorff_alpha(labels).value, 3)
    0.667
    >>> round(unisono.krippendorff_alpha(labels, distance=FirstLetter()).value, 3)
    0.788
    """

    name: ClassVar[str]

    @abstractmethod
    def bind(self, labels: Sequence[Label]) -> Compare:
        """Return the function that compares codes of these labels (none missing), element by element."""

    def differences(self, labels: Sequence[Label]) -> Differences:
        """Bind to labels for α and weights; by default the same distance as for γ."""
        return Compared(self.bind(labels))

    @classmethod
    def read(cls, words: Sequence[str], load: LoadMatrix) -> Self:
        """Make the distance from its arguments as they are written in brackets behind its name.

        Raises TypeError or ValueError if they are too many, too few, or not what is expected.
        """
        return cls(*words)

    def known_labels(self, labels: Sequence[Label]) -> Sequence[Label]:
        """Return the labels that could have been given: those of an order or matrix, else those of the data."""
        return labels

    def greatest(self, labels: Sequence[Label]) -> float:
        """Return the greatest difference of two labels."""
        compare, every = self.differences(labels).compare, np.arange(len(labels))
        return max((float(compare(np.full(len(every), code), every).max()) for code in every.tolist()), default=0.0)

    def check_within_one(self) -> None:  # noqa: B027 (of most distances, nothing is known before they see labels)
        """Raise DataError if a distance is known to exceed 1 whatever the labels of the data are."""

    def __str__(self) -> str:
        return self.name

    @property
    def signature(self) -> str:
        """What identifies the distance in the signature of a value."""
        return str(self)


@dataclass(frozen=True)
class Nominal(Distance):
    """Two labels are the same or not.

    See Also
    --------
    Distance, Ordinal

    Examples
    --------
    >>> import unisono
    >>> labels = {"anna": ["a", "b", "a", "b", "a"], "bert": ["a", "b", "b", "b", "a"]}
    >>> round(unisono.krippendorff_alpha(labels, distance=unisono.Nominal()).value, 3)
    0.64
    >>> round(unisono.krippendorff_alpha(labels, distance="nominal").value, 3)
    0.64
    """

    name: ClassVar[str] = "nominal"

    def bind(self, labels: Sequence[Label]) -> Compare:
        """See `Distance`."""
        return Unlike().compare

    def differences(self, labels: Sequence[Label]) -> Differences:
        """See `Distance`."""
        return Unlike()

    def greatest(self, labels: Sequence[Label]) -> float:
        """See `Distance`."""
        return 1.0


@dataclass(frozen=True)
class Ordered(Distance):
    """Base of distances between numbers, or between labels whose order is given."""

    order: tuple[str, ...] = ()  # the labels from lowest to highest; empty if labels are numbers

    def __post_init__(self) -> None:
        if isinstance(self.order, str) or not isinstance(self.order, Iterable):
            raise OptionError(f"expected the labels from lowest to highest, not {self.order!r}", "order")
        object.__setattr__(self, "order", tuple(map(str, self.order)))
        if self.order and (len(self.order) < 2 or len(set(self.order)) < len(self.order)):
            raise OptionError.about(
                "order",
                f"{self.name} needs the labels from lowest to highest, each once, e.g. {self.name}(low,mid,high)",
            )

    @classmethod
    def read(cls, words: Sequence[str], load: LoadMatrix) -> Self:
        """See `Distance`."""
        return cls(tuple(words))

    def values(self, labels: Sequence[Label]) -> FloatArray:
        """Return the labels as numbers: what they are, or their place in the order."""
        if not self.order:
            need = f"{self.name} needs numbers, or the order of the labels, e.g. {self.name}(low,mid,high)"
            return as_numbers(labels, need)
        return _places(labels, self.order, f"the given order {' < '.join(self.order)}; add it there").astype(np.float64)

    def span(self, values: FloatArray) -> float:
        """Return the greatest possible difference of values, for division: 1 if all are the same."""
        return (len(self.order) - 1.0 if self.order else float(np.ptp(values)) if len(values) else 0.0) or 1.0

    def known_labels(self, labels: Sequence[Label]) -> Sequence[Label]:
        """See `Distance`."""
        return self.order or labels

    def __str__(self) -> str:
        return (
            f"{self.name}({','.join(listed_name(label, '()[],=:') for label in self.order)})"
            if self.order
            else self.name
        )


@dataclass(frozen=True)
class Ordinal(Ordered):
    """Labels are ordered, by the order given or as numbers: how many ranks apart they are.

    Attributes
    ----------
    order : sequence of labels
        The labels from the lowest to the highest; numbers need none.

    See Also
    --------
    Distance, Numeric

    Examples
    --------
    >>> import unisono
    >>> labels = {"anna": ["low", "mid", "high", "mid"], "bert": ["low", "high", "high", "mid"]}
    >>> round(unisono.krippendorff_alpha(labels, distance=unisono.Ordinal(("low", "mid", "high"))).value, 3)
    0.79
    >>> round(unisono.krippendorff_alpha(labels, distance="ordinal(low,mid,high)").value, 3)
    0.79
    """

    name: ClassVar[str] = "ordinal"

    def bind(self, labels: Sequence[Label]) -> Compare:
        """See `Distance`: |rank - rank| / (number of ranks - 1)."""
        values = self.values(labels)
        ranks = values if self.order else steps(values).astype(np.float64)
        return _absolute_difference(ranks, self.span(ranks))

    def differences(self, labels: Sequence[Label]) -> Differences:
        """See `Distance`: Krippendorff's ordinal difference, from how often each label occurs."""
        return Ranked(steps(self.values(labels)))


@dataclass(frozen=True)
class Numeric(Distance):
    """Labels are numbers: |x - y| / range, by default the range of the labels in the data; at most 1.

    Attributes
    ----------
    range : float, optional
        The difference that counts as 1; by default, the greatest difference of two labels in the data.

    See Also
    --------
    Distance, Ordinal

    Examples
    --------
    >>> import unisono
    >>> labels = {"anna": [1, 2, 3, 4], "bert": [1, 3, 3, 5]}
    >>> round(unisono.krippendorff_alpha(labels, distance=unisono.Numeric()).value, 3)
    0.696
    >>> round(unisono.krippendorff_alpha(labels, distance="interval").value, 3)
    0.87
    """

    range: float | None = None
    name: ClassVar[str] = "numeric"

    def __post_init__(self) -> None:
        if self.range is not None:
            check_number(self.range, "range", above=0)

    @classmethod
    def read(cls, words: Sequence[str], load: LoadMatrix) -> Self:
        """See `Distance`."""
        return cls(*map(float, words))

    def bind(self, labels: Sequence[Label]) -> Compare:
        """See `Distance`."""
        values = as_numbers(labels, "the distance numeric needs numbers")
        span = self.range if self.range is not None else float(np.ptp(values)) if len(values) else 0.0
        return _absolute_difference(values, span or 1.0)

    def __str__(self) -> str:
        return "numeric" if self.range is None else f"numeric({spelled(self.range)})"


@dataclass(frozen=True)
class Hierarchy(Distance):
    """Labels are paths such as A/B/C: 1 - 2 · (common steps from the top) / (steps + steps).

    A label may also be a set of paths, written A/B|A/C or given as a list. Each set is completed by all places above
    its paths, {A, A/B, A/C}, and two such sets are 1 - 2 · |common places| / (|places| + |places|) apart (Dice), which
    is the same for single paths. No path at all (an empty set) is 0 apart from itself and 1 from all others.

    Attributes
    ----------
    separator : str
        What separates the steps of a path.

    See Also
    --------
    Distance, Sets

    Examples
    --------
    >>> import unisono
    >>> labels = {"anna": ["loc/city", "per", "loc/city"], "bert": ["loc/land", "per", "per"]}
    >>> round(unisono.krippendorff_alpha(labels, distance=unisono.Hierarchy()).value, 3)
    0.25
    >>> round(unisono.krippendorff_alpha(labels, distance="hierarchy").value, 3)
    0.25
    """

    separator: str = "/"
    name: ClassVar[str] = "hierarchy"

    def __post_init__(self) -> None:
        check_text(self.separator, "separator")

    def bind(self, labels: Sequence[Label]) -> Compare:
        """See `Distance`."""
        sets = [self._paths(label) for label in labels]
        if any(len(paths) != 1 for paths in sets):
            return compared_sets([frozenset(beginnings(paths)) for paths in sets], dice)
        paths = [path for (path,) in sets]
        size = np.array([len(path) for path in paths], dtype=np.int64)
        number: dict[tuple[str, ...], int] = {}  # of every beginning of a path
        begins = np.full((len(paths), int(size.max(initial=1))), -1, dtype=np.int64)
        for row, path in enumerate(paths):
            for depth in range(len(path)):
                begins[row, depth] = number.setdefault(path[: depth + 1], len(number))

        def compare(u: IntArray, v: IntArray) -> FloatArray:
            common = np.zeros(len(u), dtype=np.int64)
            for step in begins.T:  # two paths have a step in common if they begin with the same path to it
                common += (step[u] == step[v]) & (step[u] >= 0)
            return np.asarray(1.0 - 2.0 * common / (size[u] + size[v]))

        return _looked_up(len(labels), compare)

    def _paths(self, label: Label) -> list[tuple[str, ...]]:
        """Return the paths of a label; a text without a bar is one path, whatever it is."""
        if not isinstance(label, tuple):
            text = str(label)
            label = tuple(part.strip() for part in text.split("|") if part.strip()) if "|" in text else (text,)
        return [tuple(path.split(self.separator)) for path in label]

    def __str__(self) -> str:
        return "hierarchy" if self.separator == "/" else f"hierarchy({self.separator})"


@dataclass(frozen=True)
class Sets(Distance):
    """Labels are sets, written A|B or given as lists: Jaccard distance 1 - |A ∩ B| / |A ∪ B|.

    Attributes
    ----------
    separator : str
        What separates the members of a set that is written as one label.

    See Also
    --------
    Distance, Hierarchy

    Examples
    --------
    >>> import unisono
    >>> labels = {"anna": ["joy|trust", "fear", "joy"], "bert": ["joy", "fear", "joy|fear"]}
    >>> round(unisono.krippendorff_alpha(labels, distance=unisono.Sets()).value, 3)
    0.483
    >>> round(unisono.krippendorff_alpha(labels, distance="set").value, 3)
    0.483
    """

    separator: str = "|"
    name: ClassVar[str] = "set"

    def __post_init__(self) -> None:
        check_text(self.separator, "separator")

    def bind(self, labels: Sequence[Label]) -> Compare:
        """See `Distance`."""
        return compared_sets([*map(self.members, labels)], jaccard)

    def members(self, label: Label) -> frozenset[str]:
        """Return the members of the set that a label is."""
        parts = label if isinstance(label, tuple) else str(label).split(self.separator)
        return frozenset(part.strip() for part in parts if part.strip())

    def __str__(self) -> str:
        return self.name if self.separator == "|" else f"{self.name}({self.separator})"


@dataclass(frozen=True)
class Masi(Sets):
    """Labels are sets: 1 - J · M, Jaccard's J times M = 1 same, ⅔ one within the other, ⅓ overlapping, 0 disjoint."""

    name: ClassVar[str] = "masi"

    def bind(self, labels: Sequence[Label]) -> Compare:
        """See `Distance`; Passonneau, R. (2006). Measuring agreement on set-valued items (MASI). LREC 2006."""
        return compared_sets([*map(self.members, labels)], masi)


@dataclass(frozen=True, eq=False)
class Matrix(Distance):
    """Distances from a table of all pairs of labels (Table 3 of Mathet et al. 2015).

    Attributes
    ----------
    labels : tuple of str
        The labels of rows and columns.
    values : float64 array, shape (n_labels, n_labels)
        Symmetric, 0 on the diagonal, not negative; γ and AC2 need values from 0 to 1.
    source : str
        Where the table comes from, for messages and the signature.

    See Also
    --------
    Distance, Hierarchy

    Examples
    --------
    >>> import unisono
    >>> distance = unisono.Matrix(["yes", "maybe", "no"], [[0, 0.5, 1], [0.5, 0, 0.5], [1, 0.5, 0]])
    >>> labels = {"anna": ["yes", "no", "maybe", "no"], "bert": ["yes", "no", "yes", "maybe"]}
    >>> round(unisono.krippendorff_alpha(labels, distance=distance).value, 3)
    0.533
    >>> unisono.Matrix.of_pairs({("yes", "maybe"): 0.5, ("maybe", "no"): 0.5}) == distance
    True
    """

    labels: tuple[str, ...]
    values: FloatArray = field(repr=False)
    source: str = "given"
    name: ClassVar[str] = "matrix"

    def __post_init__(self) -> None:
        try:
            values = np.array(self.values, dtype=np.float64)
        except (TypeError, ValueError):
            raise OptionError("expected a table of numbers", "values") from None
        values.flags.writeable = False
        object.__setattr__(self, "labels", tuple(self.labels))
        object.__setattr__(self, "values", values)
        if len(set(self.labels)) < len(self.labels):
            raise DataError(f"the matrix {self.source} names a category twice")
        if values.shape != (len(self.labels), len(self.labels)):
            raise DataError(f"the matrix {self.source} has {values.shape} values for {len(self.labels)} categories")
        self._check(~np.isfinite(values) | (values < 0), "is not a number from 0 up")
        diagonal = np.eye(len(values), dtype=bool)
        self._check(diagonal & (values != 0), "should be 0: a category does not differ from itself")
        self._check(values != values.T, "differs from the value the other way round; the matrix must be symmetric")

    @classmethod
    def read(cls, words: Sequence[str], load: LoadMatrix) -> Self:
        """See `Distance`: the argument is a file."""
        (path,) = words
        labels, values = load(path)
        return cls(tuple(labels), values, source=path)

    @classmethod
    def of_pairs(cls, pairs: Mapping[Any, float]) -> Self:
        """Make a matrix of a mapping {(a, b): distance}; pairs that are not in it are 1 apart."""
        for pair in pairs:
            if not (isinstance(pair, tuple) and len(pair) == 2):
                raise OptionError(f"a table of distances maps two labels to a number, and {pair!r} is not two labels")
        labels = tuple(dict.fromkeys(written_label(label) for pair in pairs for label in pair))
        number = {label: index for index, label in enumerate(labels)}
        values = np.ones((len(labels), len(labels))) - np.eye(len(labels))
        for (a, b), value in pairs.items():
            if pairs.get((b, a), value) != value:
                raise OptionError(f"two different distances are given for {a!r} and {b!r}; it must be symmetric")
            values[number[written_label(a)], number[written_label(b)]] = values[
                number[written_label(b)], number[written_label(a)]
            ] = value
        return cls(labels, values)

    def check_within_one(self) -> None:
        """See `Distance`."""
        self._check(self.values > 1, "is not within 0 to 1; divide all values by the largest")

    def bind(self, labels: Sequence[Label]) -> Compare:
        """See `Distance`."""
        more = "name it in a pair" if self.source == "given" else "add a row and a column"
        index = _places(labels, self.labels, f"the matrix {self.source}; {more}")
        table = self.values[np.ix_(index, index)]
        return lambda u, v: np.asarray(table[u, v])

    def known_labels(self, labels: Sequence[Label]) -> Sequence[Label]:
        """See `Distance`."""
        return self.labels

    def _check(self, bad: BoolArray, why: str) -> None:
        if bad.any():
            row, column = np.argwhere(bad)[0]
            pair = f"{self.labels[row]!r} and {self.labels[column]!r}"
            raise DataError(f"the matrix {self.source}: {self.values[row, column]:g} for {pair} {why}")

    def __eq__(self, other: object) -> bool:
        """Compare the tables, wherever they come from."""
        if type(other) is not type(self) or not isinstance(other, Matrix):
            return NotImplemented
        return self.labels == other.labels and bool(np.array_equal(self.values, other.values))

    def __hash__(self) -> int:
        return hash((type(self), self.labels, self.values.tobytes()))

    def __str__(self) -> str:
        return f'matrix("{self.source}")'

    @property
    def signature(self) -> str:
        """See `Distance`: with a checksum, for the file's name may stay while its content changes."""
        content = "|".join(self.labels).encode() + np.ascontiguousarray(self.values).tobytes()
        return f"matrix({self.source}#{crc32(content):08x})"


@dataclass(frozen=True, repr=False)
class Custom(Distance):
    """A user's function of two arrays of labels that returns an array of values from 0 up."""

    function: Callable[[Any, Any], Any]
    parameter: str = field(default="distance", compare=False)  # the name of the parameter that it was passed as
    _written: str = field(init=False, compare=False)  # at once, for what the function reads may change later
    name: ClassVar[str] = "custom"

    def __post_init__(self) -> None:
        object.__setattr__(self, "_written", f"custom({function_name(self.function)})")

    def bind(self, labels: Sequence[Label]) -> Compare:
        """See `Distance`."""
        table = np.empty(len(labels), dtype=object)
        table[:] = labels

        def apart(u: IntArray, v: IntArray) -> FloatArray:
            return called_on_pairs(self.function, (table[u], table[v]), len(u), self.parameter)

        with naming(self.parameter, said=True):
            return _looked_up(len(labels), apart)

    def __str__(self) -> str:
        return self._written

    def __repr__(self) -> str:
        return f"Custom({getattr(self.function, '__qualname__', repr(self.function))})"


_ONES = np.array([byte.bit_count() for byte in range(256)], dtype=np.int64)


def compared_sets(
    sets: Sequence[frozenset[Any]], formula: Callable[[IntArray, IntArray, IntArray], FloatArray]
) -> Compare:
    """Make a comparison of sets, by their numbers, out of a formula of |A ∩ B|, |A| and |B|; sets are rows of bits."""
    number = {member: index for index, member in enumerate(sorted(set().union(*sets)))}
    bits = np.zeros((len(sets), max(len(number), 1)), dtype=np.bool_)
    for row, members in enumerate(sets):
        bits[row, [number[member] for member in members]] = True
    size, packed = bits.sum(axis=1), np.packbits(bits, axis=1)
    at_once = max(2**23 // packed.shape[1], 1)

    def compare(u: IntArray, v: IntArray) -> FloatArray:
        common = np.empty(len(u), dtype=np.int64)
        for first in range(0, len(u), at_once):
            some = slice(first, first + at_once)
            common[some] = _ONES[packed[u[some]] & packed[v[some]]].sum(axis=1)
        return formula(common, size[u], size[v])

    return compare


def beginnings(paths: Iterable[tuple[str, ...]]) -> Iterator[tuple[str, ...]]:
    """Yield paths with all places above them."""
    for path in paths:
        for depth in range(len(path)):
            yield path[: depth + 1]


def dice(common: IntArray, size_u: IntArray, size_v: IntArray) -> FloatArray:
    """Return 1 - 2 · |A ∩ B| / (|A| + |B|) of sets of these sizes; 0 where both are empty."""
    both = size_u + size_v
    return np.asarray(1.0 - np.divide(2 * common, both, out=np.ones(len(common)), where=both > 0))


def jaccard(common: IntArray, size_u: IntArray, size_v: IntArray) -> FloatArray:
    """Return 1 - |A ∩ B| / |A ∪ B| of sets of these sizes; 0 where both are empty."""
    union = size_u + size_v - common
    return np.asarray(1.0 - np.divide(common, union, out=np.ones(len(common)), where=union > 0))


def masi(common: IntArray, size_u: IntArray, size_v: IntArray) -> FloatArray:
    """Return 1 - J · M of sets of these sizes; 0 where both are empty."""
    same = (common == size_u) & (common == size_v)
    within = (common == size_u) | (common == size_v)
    monotonic = np.where(same, 1.0, np.where(within, 2 / 3, np.where(common > 0, 1 / 3, 0.0)))
    return np.asarray(1.0 - (1.0 - jaccard(common, size_u, size_v)) * monotonic)


def called_on_pairs(function: Callable[..., Any], pairs: tuple[Any, ...], expected: int, what: str) -> FloatArray:
    """Call a user's function once for all pairs, and check what it returns."""
    try:
        values = function(*pairs)
    except (TypeError, ValueError, AttributeError) as error:
        raise OptionError(
            f"the function failed ({error}); it gets arrays with one element per pair and returns an array", what
        ) from error
    return checked_values(values, expected, what)


def checked_values(values: Any, expected: int, parameter: str, of: str = "") -> FloatArray:
    """Check what a user's function returned, and return it as an array; `of` says which of several it was."""
    what = f"the {parameter} function{of}"
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise OptionError.about(parameter, f"{what} returned something other than numbers") from None
    if array.shape != (expected,):
        message = f"{what} must return one value per pair: {expected} expected, shape {array.shape}"
        raise OptionError.about(parameter, message)
    if not np.isfinite(array).all() or (array < 0).any():
        raise OptionError.about(parameter, f"{what} returned a negative or infinite value, or NaN")
    return array


def with_missing(compare: Compare) -> Compare:
    """Extend a comparison to missing labels (code -1): 0 from each other, 1 from any label."""

    def extended(u: IntArray, v: IntArray) -> FloatArray:
        missing = (u < 0) | (v < 0)
        if not missing.any():
            return compare(u, v)
        values: FloatArray = (u != v).astype(np.float64)
        values[~missing] = compare(u[~missing], v[~missing])
        return values

    return extended


def as_numbers(labels: Sequence[Label], need: str) -> FloatArray:
    """Return the numbers that labels are; `need` explains what needs them if they are not."""
    if set(map(type, labels)) <= {int, float}:  # there may be millions
        with suppress(OverflowError):
            values = np.array(labels, dtype=np.float64)
            if (np.abs(values) <= LARGEST_LABEL).all():
                return values
    values = np.empty(len(labels))
    for index, label in enumerate(labels):
        if isinstance(label, tuple) or label != label or (isinstance(label, str) and not spells_number(label)):
            raise DataError(f"the label {label!r} is not a number; {need}")
        try:
            values[index] = float(label)
        except OverflowError:
            values[index] = np.inf
        if abs(values[index]) > LARGEST_LABEL:
            raise DataError(f"the label {str(label)[:20]!r} is beyond ±{LARGEST_LABEL:g}, too large to compute with")
    return values


def steps(values: FloatArray) -> IntArray:
    """Rank values from the lowest to the highest; equal values share a rank."""
    return np.unique(values, return_inverse=True)[1].reshape(-1).astype(np.int64)


def _places(labels: Sequence[Label], known: Sequence[str], where: str) -> IntArray:
    """Return each label's place among known ones."""
    place = {label: index for index, label in enumerate(known)}
    for label in labels:
        if written_label(label) not in place:
            raise DataError(f"the label {label!r} is not in {where}")
    return np.array([place[written_label(label)] for label in labels], dtype=np.int64)


def _absolute_difference(values: FloatArray, span: float) -> Compare:
    return lambda u, v: np.asarray(np.minimum(np.abs(values[u] - values[v]) / span, 1.0))


def _looked_up(n_labels: int, compare: Compare) -> Compare:
    """Compare all pairs of labels once and look the values up, where they are few enough; check them in any case."""
    every = np.arange(n_labels, dtype=np.int64)
    if n_labels > _TABLE_LIMIT:  # too many pairs: check each label against its neighbour
        _check_symmetric(compare(every, np.roll(every, 1)), compare(np.roll(every, 1), every), compare(every, every))
        return compare
    table = compare(np.repeat(every, n_labels), np.tile(every, n_labels)).reshape(n_labels, n_labels)
    _check_symmetric(table, table.T, np.diagonal(table))
    return lambda u, v: np.asarray(table[u, v])


def _check_symmetric(there: FloatArray, back: FloatArray, itself: FloatArray) -> None:
    if not np.allclose(there, back, rtol=0, atol=1e-12):
        raise OptionError("the distance between two labels depends on their order; it must be symmetric")
    if itself.any():
        raise OptionError("the distance of a label from itself must be 0")
