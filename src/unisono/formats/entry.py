"""The one way in: whatever a user has becomes data.

Every public function that takes data passes it through `as_data` (or `as_corpus`, if it needs units). What reads files
and frames is imported when there are any: whoever has data already need not wait for it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from io import IOBase
from typing import Any, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from unisono import formats
from unisono.checks import check_choice
from unisono.data import Corpus, Data, Export, Normalizations, Ratings
from unisono.data.normalizations import REWRITTEN
from unisono.data.ratings import NO_UNITS
from unisono.data.ratings import Rows as Rows
from unisono.errors import DataError, OptionError
from unisono.formats.arguments import check_path, check_paths
from unisono.formats.hugging_face import is_dataset

Path: TypeAlias = str | os.PathLike[str]


class Frame(Protocol):
    """A data frame of pandas, polars or pyarrow."""

    @property
    def columns(self) -> Any:
        """Its columns."""


DataLike: TypeAlias = (
    Data
    | Export
    | Path
    | Iterable[Path]
    | Frame
    | Mapping[str, Sequence[Any]]
    | Sequence[Sequence[Any]]
    | npt.NDArray[Any]
)
"""What a user can have: data, a path or several, a data frame, annotators with their labels, a bare table."""

_NUMBERED = re.compile(r"(column_)?[0-9]+")
_EXPECTED = (
    "expected a path, a data frame, what unisono.read gives, annotators with their labels ({'anna': [...], "
    "'bert': [...]}), or a table of labels"
)


def as_data(given: Any, *, rows: Rows = None, parameter: str = "data") -> Data:
    """Turn whatever a user has into data of one kind; an export of several is rejected, see `as_whole`."""
    data = as_whole(given, rows=rows, parameter=parameter)
    if isinstance(data, Export):
        raise data.ambiguous()
    return data


def as_whole(given: Any, *, rows: Rows = None, parameter: str = "data") -> Data | Export:
    """Turn whatever a user has into data.

    Data stays as it is; a path or several are read as by `read`, a data frame as by `from_frame`; a mapping goes from
    annotators to their labels (with `original`, the words that they rewrote); a bare table of labels is a
    two-dimensional array or a list of lists. What its rows are has no default: half of all packages have items there,
    half annotators. Messages name the parameter.
    """
    if rows is not None:
        check_choice(rows, "rows", ("items", "annotators"))
    if isinstance(given, IOBase):
        raise OptionError("expected a path, not an open file", parameter)
    if isinstance(given, Iterator):
        given = list(given)
    if isinstance(given, Corpus | Ratings | Normalizations | Export):
        data: Data | Export = given
    elif isinstance(given, str | os.PathLike):
        data = formats.read(check_paths(given, parameter))
    elif isinstance(given, Mapping):
        data = _from_mapping(given, parameter)
    elif _is_frame(given):
        formats.known_frame(given, parameter)
        if rows is not None and _is_unnamed(given):
            return Ratings.of(_cells(given), rows=rows)
        data = formats.from_frame(given)
    elif paths := _paths(given):
        data = formats.read(check_paths(paths, parameter))
    elif _is_table(given):
        return Ratings.of(given, rows=rows)
    else:
        raise OptionError(f"{_EXPECTED}, not {_kind(given)}", parameter)
    if rows is not None:
        raise OptionError("applies only to bare tables (arrays and lists of lists); leave it out here", "rows")
    return data


def as_corpus(given: Any, *, rows: Rows = None, parameter: str = "corpus", instead: str | None = None) -> Corpus:
    """Turn whatever a user has into a corpus; labels of items and rewritten words have no units and are rejected.

    `instead` says what to do with labels of items; for the rest see `as_data`.
    """
    data = as_data(given, rows=rows, parameter=parameter)
    if isinstance(data, Ratings):
        hint = f"; {instead}" if instead else ""
        raise DataError(f"{NO_UNITS}{hint}")
    if isinstance(data, Normalizations):
        raise DataError(REWRITTEN)
    return data


def as_base(given: Any) -> Corpus | None:
    """Turn whatever a user has into the pre-annotation that annotators started from; None stays None."""
    if given is None:
        return None
    if isinstance(given, str | os.PathLike):
        return formats.read_base(check_path(given, "base"))
    return as_corpus(given, parameter="base")


def _from_mapping(given: Mapping[Any, Any], parameter: str) -> Ratings | Normalizations:
    if not given:
        raise OptionError(f"{_EXPECTED}, not an empty mapping", parameter)
    for name, labels in given.items():
        if isinstance(labels, str | bytes | Mapping | Set) or not isinstance(labels, Iterable):
            raise OptionError(
                f"expected annotators with a list of labels each, e.g. {{'anna': ['x', 'y'], 'bert': ['x', 'x']}}; "
                f"{name!r} has {_kind(labels)}",
                parameter,
            )
    return Normalizations.of(given) if "original" in given else Ratings.from_annotators(given)


def _is_frame(given: Any) -> bool:
    """Whether this is a data frame, of a library that is supported or of another: `from_frame` rejects the latter."""
    return (hasattr(type(given), "columns") and not isinstance(given, np.ndarray)) or is_dataset(given)


def _is_unnamed(frame: Any) -> bool:
    """Whether the columns of a frame have no names but numbers, as those that libraries give them."""
    import narwhals as nw

    if is_dataset(frame):
        return False
    return all(_NUMBERED.fullmatch(str(name)) for name in nw.from_native(frame, eager_only=True).columns)


def _cells(frame: Any) -> Any:
    """Return the cells of a frame whose column names mean nothing."""
    import narwhals as nw

    known = nw.from_native(frame, eager_only=True)
    return [list(row) for row in known.iter_rows()]


def _paths(given: Any) -> list[Path]:
    """Return several paths, if that is what this is."""
    several = given if isinstance(given, Sequence) else sorted(given, key=str) if isinstance(given, Set) else []
    return list(several) if all(isinstance(one, str | os.PathLike) for one in several) else []


def _is_table(given: Any) -> bool:
    """Whether this has rows with cells."""
    if isinstance(given, np.ndarray):
        return given.ndim == 2
    rows = list(given) if isinstance(given, Sequence) and not isinstance(given, str | bytes) else []
    return bool(rows) and all(_is_row(row) for row in rows)


def _is_row(row: Any) -> bool:
    return isinstance(row, Iterable) and hasattr(row, "__len__") and not isinstance(row, str | bytes | Mapping | Set)


def _kind(given: Any) -> str:
    if isinstance(given, np.ndarray):
        return f"an array of {given.ndim} dimensions"
    if given is None or isinstance(given, bool):
        return str(given)
    return "an empty list" if isinstance(given, list) and not given else type(given).__name__
