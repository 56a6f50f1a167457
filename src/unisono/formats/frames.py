"""Data frames of pandas, polars and pyarrow, through narwhals."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from unisono.data import Corpus, Data
from unisono.data.corpus import EXACT
from unisono.errors import DataError
from unisono.formats.columns import SPANS, WORKED, Fail, Kind, assign
from unisono.formats.kinds import ANY, data_from, kind_of
from unisono.formats.merging import merge, only_for_units
from unisono.formats.numbers import Numbers
from unisono.formats.table import Table, worked_from

if TYPE_CHECKING:
    import narwhals as nw


def from_frame(
    frame: Any,
    *,
    columns: Mapping[str, str] | None = None,
    worked: Any = None,
    continuum: tuple[float, float] | None = None,
) -> Data:
    """Make a corpus out of a data frame with one row a unit, ratings out of labels, normalizations out of words.

    Parameters
    ----------
    frame : pandas.DataFrame, polars.DataFrame or pyarrow.Table
        Units: columns `annotator`, `start`, `end`, `document` and `category` if there are any; further ones are
        features. A row with neither start nor end nor labels says: worked on it and marked nothing.
        Ratings: columns `item`, `annotator`, `label`, and `document` if there are several; or `item` and `document`, if
        there are such columns, and one column an annotator. Null and NaN are missing labels, lists are sets of labels.
        Normalizations: columns `original`, `document` if there are several, and one column an annotator; or `token`,
        `original`, `annotator`, `norm`, and `mod`, `type`, `document`, `sentence` if there are any.
    columns : mapping, optional
        Our names to the frame's, for example ``{"document": "doc"}``.
    worked : frame, optional
        Columns `document` and `annotator`: who worked on what, with units or without.
    continuum : (float, float), optional
        Begin and end of every document's continuum.

    Returns
    -------
    Corpus, Ratings or Normalizations

    Examples
    --------
    >>> import pyarrow
    >>> frame = pyarrow.table({"annotator": ["A", "B"], "start": [0, 1], "end": [3, 4]})
    >>> from_frame(frame)
    Corpus(1 documents, 2 annotators, 2 units, features: none)
    >>> from_frame(pyarrow.table({"item": ["i1", "i2"], "A": ["yes", "no"], "B": ["yes", None]}))
    Ratings(2 items, 2 annotators, 2 labels)
    """
    table = table_from(frame, columns or {}, ANY, _fail)
    data = data_from(table, document="document", source="data frame")
    if worked is None and continuum is None:
        return data
    if not isinstance(data, Corpus):
        raise only_for_units("worked" if continuum is None else "continuum", "the frame", data)
    pairs = [] if worked is None else worked_from(table_from(worked, columns or {}, [WORKED], _fail))
    return merge([data], worked=pairs, continuum=continuum, source=data.source)


def table_from(frame: Any, columns: Mapping[str, str], expected: Collection[Kind], fail: Fail) -> Table:
    """Take the columns of a frame under our names."""
    known = _known(frame, fail)
    if WORKED in expected:
        columns = {ours: theirs for ours, theirs in columns.items() if ours in WORKED.columns}
    names = list(map(str, known.columns))
    kind = kind_of(names, columns, expected)
    places = assign(names, columns, kind, fail)
    series = {name: known.get_column(known.columns[place]) for name, place in places.items()}
    positions = ("start", "end") if kind is SPANS else ()
    return Table(
        kind,
        numbers={name: _numbers(name, series[name], fail) for name in positions},
        others={name: _values(name, column, fail) for name, column in series.items() if name not in positions},
        fail=fail,
    )


def _fail(row: int | None, message: str) -> DataError:
    return DataError(message if row is None else f"row {row}: {message}")


def _known(frame: Any, fail: Fail) -> nw.DataFrame[Any]:
    import narwhals as nw

    try:
        return nw.from_native(frame, eager_only=True)
    except nw.exceptions.DuplicateError as error:
        raise fail(None, f"there are two columns of one name; rename one of them ({_one_line(error)})") from None
    except TypeError:
        kind = f"{type(frame).__module__.partition('.')[0]}.{type(frame).__name__}"
        raise DataError(
            f"a {kind} is not a frame that can be read; give a pandas.DataFrame, a polars.DataFrame "
            "(collected, if it is lazy) or a pyarrow.Table"
        ) from None


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())


def _numbers(name: str, column: nw.Series[Any], fail: Fail) -> Numbers:
    missing = column.is_null().to_numpy().astype(np.bool_)
    if column.dtype.is_integer():
        values = column.fill_null(0).to_numpy()
        if values.dtype.kind == "u" and (values > np.iinfo(np.int64).max).any():
            raise fail(int(np.argmax(values)), f"the {name} is beyond ±2^53, where positions lose precision")
        return Numbers(values.astype(np.int64), missing)
    if column.dtype.is_float():
        floats = column.fill_null(0.0).to_numpy().astype(np.float64)
        missing |= np.isnan(floats)
        return Numbers(np.where(missing, 0.0, floats), missing)
    if missing.all():
        return Numbers(np.zeros(len(missing), dtype=np.int64), missing)
    return _mixed_numbers(name, column.to_list(), missing, fail)


def _mixed_numbers(name: str, values: Sequence[Any], missing: Any, fail: Fail) -> Numbers:
    """Convert a column of Python objects."""
    for row, value in enumerate(values):
        if not missing[row] and (isinstance(value, bool) or not isinstance(value, int | float | np.number)):
            raise fail(row, f"the {name} is {value!r}, not a number; convert the column to numbers")
        if not missing[row] and abs(value) > EXACT:
            raise fail(row, f"the {name} {value} is beyond ±2^53, where positions lose precision")
    filled = [0 if absent else value for value, absent in zip(values, missing, strict=True)]
    if all(isinstance(value, int | np.integer) for value in filled):
        return Numbers(np.array(filled, dtype=np.int64), missing)
    return Numbers(np.array(filled, dtype=np.float64), missing)


def _values(name: str, column: nw.Series[Any], fail: Fail) -> list[Any]:
    import narwhals as nw

    plain = column.dtype.is_numeric() and not column.dtype.is_decimal()
    if not plain and column.dtype not in (
        nw.String,
        nw.Categorical,
        nw.Enum,
        nw.Boolean,
        nw.List,
        nw.Array,
        nw.Object,
        nw.Unknown,
    ):
        raise fail(None, f"the column {name!r} holds {column.dtype}, which cannot be labels; convert it to text")
    values = [value.tolist() if isinstance(value, np.ndarray) else value for value in column.to_list()]
    missing = column.is_null().to_list()
    return [None if absent or value != value else value for value, absent in zip(values, missing, strict=True)]
