"""Tables of distances between categories (Mathet et al. 2015, Table 3)."""

from __future__ import annotations

import math
import os
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

import numpy as np

from unisono.arrays import FloatArray
from unisono.errors import DataError
from unisono.formats.delimited import find_delimiter, numbered_records
from unisono.formats.files import locating
from unisono.formats.numbers import not_a_number


def read_matrix(path: str | os.PathLike[str]) -> tuple[tuple[str, ...], FloatArray]:
    """Read a symmetric table of distances (CSV or TSV), with the categories in its first row and first column.

    Return the categories in the order of the columns, and the distances, from 0 to 1, as an array of shape (n_labels,
    n_labels). Rows may be in another order than columns.
    """
    file = Path(path)
    with locating(file):
        rows = list(numbered_records(file, find_delimiter(file, None, lambda first: False)))
        if len(rows) < 2:
            raise DataError("there is no matrix; write categories in the first row and the first column")
        labels = _labels(*rows[0])
        values = np.full((len(labels), len(labels)), np.nan)
        lines: dict[str, int] = {}
        for line, (label, *texts) in rows[1:]:
            with locating(file, line):
                _check_row(label, texts, labels, lines)
                values[labels.index(label)] = [_distance(text) for text in texts]
            lines[label] = line
        missing = [label for label in labels if label not in lines]
        if missing:
            raise DataError(f"there is no row for the category {missing[0]!r}; add it", line=rows[-1][0])
        _check_symmetric(labels, values, lines)
    return labels, values


def _labels(line: int, header: Sequence[str]) -> tuple[str, ...]:
    labels = tuple(header[1:])
    if not labels:
        raise DataError("there are no categories in the first row, after the first field; add them", line=line)
    for index, label in enumerate(labels):
        if label in labels[:index]:
            raise DataError(f"the category {label!r} occurs twice; remove one", line=line)
    return labels


def _check_row(label: str, texts: Sequence[str], labels: Sequence[str], lines: Collection[str]) -> None:
    if label not in labels:
        raise DataError(f"the row's category {label!r} is not in the first row; make them agree")
    if label in lines:
        raise DataError(f"the category {label!r} has a row already; remove one")
    if len(texts) != len(labels):
        raise DataError(f"there are {len(texts)} values for {len(labels)} categories; the matrix must be square")


def _distance(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        wrong = not_a_number(text) if text.strip() else "a value is missing; fill in both halves of the matrix"
        raise DataError(wrong) from None
    if not (math.isfinite(value) and value >= 0):
        raise DataError(f"the distance {text.strip()} is not a number from 0 up")
    return value


def _check_symmetric(labels: Sequence[str], values: FloatArray, lines: Mapping[str, int]) -> None:
    for row, label in enumerate(labels):
        if values[row, row] != 0:
            own = f"the distance of {label!r} from itself is {values[row, row]:g}"
            raise DataError(f"{own}; it must be 0", line=lines[label])
    for row, column in np.argwhere(values != values.T).tolist():
        one, other = labels[row], labels[column]
        both = f"{values[row, column]:g} but {values[column, row]:g} the other way round"
        message = f"the distance of {one!r} and {other!r} is {both}; the matrix must be symmetric"
        raise DataError(message, line=max(lines[one], lines[other]))
