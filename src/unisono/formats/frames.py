"""Data frames of pandas, polars and pyarrow, through narwhals."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from unisono.data import Corpus, Data, Document, Export, Question
from unisono.data.labels import written_label
from unisono.data.spans import EXACT
from unisono.errors import DataError, OptionError, listed, mention
from unisono.formats.arguments import check_continuum, check_words
from unisono.formats.columns import (
    RATINGS_LONG,
    UNITS,
    WORKED,
    Fail,
    TableKind,
    assign_columns,
    ignored_columns,
    position_columns,
)
from unisono.formats.format import Instructions, reading_steps
from unisono.formats.hugging_face import arrow_table, is_dataset
from unisono.formats.kinds import ANY_KIND, data_from, table_kind
from unisono.formats.label_tables import LabelFile, is_label_table, label_table
from unisono.formats.merging import merge, only_for_units
from unisono.formats.numbers import SEVERAL_NUMBERS, Numbers, wrong_cell
from unisono.formats.recognition import RawColumns
from unisono.formats.table import ONE_LABEL, QuestionColumn, RawTable, worked_from

if TYPE_CHECKING:
    import narwhals as nw

_AS_ROWS = mention("rows", "items")
"""How a user says that a bare table holds nothing but labels."""


def from_frame(
    frame: Any,
    *,
    columns: Mapping[str, str] | None = None,
    worked: Any = None,
    continuum: tuple[float, float] | None = None,
    texts: Mapping[str, str] | Mapping[tuple[str, str], str] | Mapping[str | tuple[str, str], str] | None = None,
) -> Data | Export:
    """Make a corpus out of a data frame of units, ratings out of labels, or normalizations out of rewritten words.

    Parameters
    ----------
    frame : pandas.DataFrame, polars.DataFrame, pyarrow.Table or datasets.Dataset
        Units, one row each: columns `annotator`, `start`, `end`, and `document` and `category` if there are any;
        further columns are features. Relations have `target_start` and `target_end`, too, events `trigger_start`,
        `trigger_end` and the same of other roles; lists of positions are those of several pieces. A row without
        positions and labels means: worked on it and marked nothing.
        Ratings: columns `item`, `annotator`, `label`, and `document` if there are several; or one column per annotator,
        and `item` and `document` if there are such columns. Other names that many people use are recognized, and result
        tables of MTurk, Appen, Toloka and Potato. Ordered categories are steps of a scale.
        Null and NaN are missing labels, lists are sets of labels.
        Normalizations: columns `original`, `document` if there are several, and one column per annotator; or `token`,
        `original`, `annotator`, `norm`, and `mod`, `type`, `document`, `sentence` if there are any.
    columns : mapping, optional
        Our names to the frame's, for example ``{"document": "doc"}``.
    worked : frame, optional
        Columns `document` and `annotator`: who worked on what, with or without units.
    continuum : (float, float), optional
        Start and end of every document's continuum.
    texts : mapping, optional
        Each document's text, or each (document, annotator)'s if annotators changed it. Positions count its characters,
        and the continuum is the whole text.

    Returns
    -------
    Corpus, Ratings, Normalizations or Export
        An export has the answers to several questions; choose one with ``unisono.prepare(export, layers=[…])``.

    Examples
    --------
    >>> import pandas
    >>> import unisono
    >>> frame = pandas.DataFrame({"annotator": ["A", "B"], "start": [0, 1], "end": [3, 4]})
    >>> unisono.from_frame(frame)
    Corpus(1 documents, 2 annotators, 2 units, features: none)
    >>> unisono.from_frame(pandas.DataFrame({"item": ["i1", "i2"], "A": ["yes", "no"], "B": ["yes", None]}))
    Ratings(2 items, 2 annotators, 2 labels)

    See Also
    --------
    read, Corpus, Ratings
    """
    names = check_words(columns, "columns", {"document": "doc"})
    limits = check_continuum(continuum)
    instructions = Instructions(columns=names)
    data = data_from(table_from(frame, names, ANY_KIND, _fail, as_ratings=_AS_ROWS))
    given = {"worked": worked, "continuum": continuum, "texts": texts}
    if all(value is None for value in given.values()):
        return replace(data, preparation=reading_steps(instructions, None, None))
    if isinstance(data, Export):
        raise data.ambiguous()
    if not isinstance(data, Corpus):
        raise only_for_units(next(name for name, value in given.items() if value is not None), "the frame", data)
    pairs = None if worked is None else worked_from(table_from(worked, names, [WORKED], _fail, parameter="worked"))
    steps = reading_steps(instructions, limits, pairs)
    corpus = replace(merge([data], worked=pairs or (), continuum=limits, source=data.source), preparation=steps)
    return corpus if texts is None else _with_texts(corpus, texts)


def table_from(
    frame: Any,
    columns: Mapping[str, str],
    expected: Collection[TableKind],
    fail: Fail,
    *,
    document: str = "document",
    source: str = "data frame",
    parameter: str = "frame",
    as_ratings: str = mention("format", "ratings"),
    index: str | None = None,
) -> RawTable:
    """Take the columns of a frame under our names; see `assign_columns` and `RawTable`.

    `expected` is what the frame can hold, `parameter` the name of the parameter that it was passed as, `index` the
    column that identifies rows, if it is known.
    """
    known = known_frame(frame, parameter, fail)
    if WORKED in expected:
        columns = {ours: theirs for ours, theirs in columns.items() if ours in WORKED.columns}
    unnamed = [name for name in known.columns if not isinstance(name, str)]
    if unnamed:
        raise fail(
            None,
            f"the columns have no names ({listed(unnamed, 5)}); name them annotator, start, end … if these are units, "
            f"or item, annotator, label; if these are labels of items only, pass them to a measure with {_AS_ROWS}",
        )
    if is_label_table(known.columns, columns, expected):
        raw = RawColumns(
            known.columns,
            [_any_values(known.get_column(name)) for name in known.columns],
            fail,
            {
                name: Question.of("", "ordered", scale)
                for name in known.columns
                if (scale := _scale(known.get_column(name)))
            },
            index,
        )
        file = LabelFile(columns, expected, document, source, as_ratings)
        table = label_table(raw, file)
        _check_labels(table, known, fail)
        return table
    kind = table_kind(known.columns, columns, expected)
    places = assign_columns(known.columns, columns, kind, fail, as_ratings)
    series = {name: known.get_column(known.columns[place]) for name, place in places.items()}
    positions = position_columns(places) if kind is UNITS else ()
    return RawTable(
        kind,
        numbers={name: _numbers(name, series[name], fail) for name in positions},
        others={name: _values(name, column, fail) for name, column in series.items() if name not in positions},
        fail=fail,
        document=document,
        source=source,
        dropped=ignored_columns(known.columns, places),
        asked=_asked(kind, series),
    )


def table_of_values(
    names: Sequence[str],
    cells: Sequence[Sequence[Any]],
    columns: Mapping[str, str],
    expected: Collection[TableKind],
    fail: Fail,
    *,
    document: str,
    source: str,
    headed: bool = True,
    index: str | None = None,
) -> RawTable:
    """Take columns of Python values by the same rules as those of a frame."""
    as_ratings = mention("format", "ratings")
    if is_label_table(names, columns, expected):
        return label_table(
            RawColumns(names, cells, fail, {}, index),
            LabelFile(columns, expected, document, source, as_ratings, headed),
        )
    kind = table_kind(names, columns, expected)
    places = assign_columns(names, columns, kind, fail, as_ratings)
    positions = position_columns(places) if kind is UNITS else ()
    missing = {name: np.array([cell is None for cell in cells[places[name]]], dtype=np.bool_) for name in positions}
    return RawTable(
        kind,
        numbers={name: _mixed_numbers(name, cells[places[name]], missing[name], fail) for name in positions},
        others={name: cells[place] for name, place in places.items() if name not in positions},
        fail=fail,
        document=document,
        source=source,
        dropped=ignored_columns(names, places),
    )


def _asked(kind: TableKind, series: Mapping[str, Any]) -> tuple[QuestionColumn, ...]:
    scale = _scale(series["label"]) if kind is RATINGS_LONG else ()
    return (QuestionColumn("label", Question.of("", "ordered", scale)),) if scale else ONE_LABEL


def _scale(column: nw.Series[Any]) -> tuple[str, ...]:
    """Return the categories of a column from the lowest to the highest, if they have an order."""
    native = column.to_native()
    if getattr(getattr(native, "dtype", None), "ordered", False):
        return tuple(written_label(one) for one in native.dtype.categories.tolist())
    kind = getattr(native, "type", None)
    if getattr(kind, "ordered", False) and native.num_chunks:
        return tuple(written_label(one) for one in native.chunk(0).dictionary.to_pylist())
    return ()


def _any_values(column: nw.Series[Any]) -> list[Any]:
    """Return the cells of a column of any kind, None where one is missing."""
    values = [value.tolist() if isinstance(value, np.ndarray) else value for value in column.to_list()]
    missing = column.is_null().to_list()
    return [
        None if absent or (isinstance(value, float) and value != value) else value
        for absent, value in zip(missing, values, strict=True)
    ]


def _check_labels(table: RawTable, frame: nw.DataFrame[Any], fail: Fail) -> None:
    """Reject labels of a kind that cannot be labels, such as times."""
    for name in [one.column for one in table.asked] if table.kind is RATINGS_LONG else table.further():
        if name in frame.columns:
            _values(name, frame.get_column(name), fail)


def _fail(row: int | None, message: str) -> DataError:
    return DataError(message if row is None else f"row {row}: {message}")


def known_frame(frame: Any, parameter: str, fail: Fail = _fail) -> nw.DataFrame[Any]:
    """Return a frame of any library that is supported; of another, the error names the parameter."""
    import narwhals as nw

    if is_dataset(frame):
        frame = arrow_table(frame, parameter)
    try:
        return nw.from_native(frame, eager_only=True)
    except nw.exceptions.DuplicateError as error:
        reason = " ".join(str(error).split())
        raise fail(None, f"there are two columns of the same name; rename one of them ({reason})") from None
    except TypeError:
        kind = f"{type(frame).__module__.partition('.')[0]}.{type(frame).__name__}"
        raise OptionError(
            f"a {kind} is not a frame that can be read; pass a pandas.DataFrame, a polars.DataFrame (collected, if it "
            "is lazy) or a pyarrow.Table",
            parameter,
        ) from None


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
    """Convert a column of Python objects; a list, or a text with bars, has the positions of several pieces."""
    cells: list[list[Any]] = [[0] if absent else _several(value) for value, absent in zip(values, missing, strict=True)]
    for row, cell in enumerate(cells):
        for value in cell or [values[row]]:
            if isinstance(value, bool) or not isinstance(value, int | float | np.number):
                raise fail(row, f"the {name} is {value!r}, not a number; convert the column to numbers")
            if abs(float(value)) > EXACT:
                raise fail(row, f"the {name} {value} is beyond ±2^53, where positions lose precision")
    whole = all(isinstance(value, int | np.integer) for cell in cells for value in cell)
    further = {row: cell[1:] for row, cell in enumerate(cells) if len(cell) > 1}
    first = [cell[0] for cell in cells]
    return Numbers(np.array(first, np.int64) if whole else np.array(first, np.float64), missing, further)


def _several(value: Any) -> list[Any]:
    """Return the numbers of a cell."""
    if isinstance(value, str) and SEVERAL_NUMBERS in value and wrong_cell(value) is None:
        return [int(part) if part.strip().isdecimal() else float(part) for part in value.split(SEVERAL_NUMBERS)]
    return list(value) if isinstance(value, list | tuple | np.ndarray) else [value]


def _values(name: str, column: nw.Series[Any], fail: Fail) -> list[Any]:
    import narwhals as nw

    usable = (nw.String, nw.Categorical, nw.Enum, nw.Boolean, nw.List, nw.Array, nw.Object, nw.Unknown)
    plain = column.dtype.is_numeric() and not column.dtype.is_decimal()
    if not plain and column.dtype not in usable:
        raise fail(None, f"the column {name!r} holds {column.dtype}, which cannot be labels; convert it to text")
    values = [value.tolist() if isinstance(value, np.ndarray) else value for value in column.to_list()]
    missing = column.is_null().to_list()
    return [None if absent or value != value else value for value, absent in zip(values, missing, strict=True)]


def _with_texts(corpus: Corpus, texts: Any) -> Corpus:
    """Add texts of documents, or of (document, annotator), which win over those of documents."""
    if not isinstance(texts, Mapping) or not all(isinstance(text, str) for text in texts.values()):
        raise OptionError(
            "expected a mapping from documents to their texts, e.g. {'text1': 'Once upon a time'}", "texts"
        )
    added: dict[tuple[int, int], str] = {}
    for key, text in sorted(texts.items(), key=lambda item: isinstance(item[0], tuple)):
        document, annotator = key if isinstance(key, tuple) and len(key) == 2 else (key, None)
        place = _index(document, corpus.documents, "document")
        worked = np.flatnonzero(corpus.worked[place]).tolist()
        people = worked if annotator is None else [_index(annotator, corpus.annotators, "annotator")]
        added |= {(place, who): text for who in people}
    present = corpus.worked.copy()
    for (place, who), text in added.items():
        present[place, who] = True
        _check_within(corpus[corpus.documents[place]], corpus.annotators[who], len(text))
    return replace(corpus, texts=added, worked=present)


def _index(name: Any, known: Sequence[str], what: str) -> int:
    if name not in known:
        raise OptionError(f"unknown {what} {name!r}; available: {listed(known)}", "texts")
    return known.index(name)


def _check_within(document: Document, annotator: str, length: int) -> None:
    for unit in document.units:
        if unit.annotator == annotator and not 0 <= unit.start <= unit.end <= length:
            raise DataError(
                f"a unit of {annotator!r} in document {document.name!r} is from {unit.start} to {unit.end}, not within "
                f"its text, which has {length:,} characters; correct the positions or the text"
            )
