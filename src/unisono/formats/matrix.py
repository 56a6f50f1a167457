"""Tables of distances between categories (Mathet et al. 2015, Table 3)."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from unisono.arrays import FloatArray
from unisono.errors import DataError
from unisono.formats.delimited import find_delimiter, numbered_records
from unisono.formats.numbers import not_a_number


def read_matrix(path: str | os.PathLike[str]) -> tuple[tuple[str, ...], FloatArray]:
    """Read a symmetric table of distances, with the categories in its first row and first column.

    Parameters
    ----------
    path : path
        A CSV or TSV file. Rows may stand in another order than columns.

    Returns
    -------
    labels : tuple of str
        The categories, in the order of the columns.
    values : float64 array, shape (n_labels, n_labels)
        The distances, from 0 to 1.
    """
    file = Path(path)
    rows = list(numbered_records(file, find_delimiter(file, None, lambda first: False)))
    if len(rows) < 2:
        raise DataError("there is no matrix; write categories in the first row and the first column", path=file)
    labels = tuple(rows[0][1][1:])
    _refuse_twice(labels, file, rows[0][0])
    values = np.full((len(labels), len(labels)), np.nan)
    lines: dict[str, int] = {}
    for line, (label, *texts) in rows[1:]:
        _refuse_unlike(label, texts, labels, lines, file, line)
        lines[label] = line
        values[labels.index(label)] = [_distance(text, file, line) for text in texts]
    for label in labels:
        if label not in lines:
            raise DataError(f"there is no row for the category {label!r}; add it", path=file, line=rows[-1][0])
    _refuse_uneven(labels, values, lines, file)
    return labels, values


def _refuse_twice(labels: Sequence[str], path: Path, line: int) -> None:
    if not labels:
        raise DataError(
            "there are no categories in the first row, after the first field; add them", path=path, line=line
        )
    for index, label in enumerate(labels):
        if label in labels[:index]:
            raise DataError(f"the category {label!r} is there twice; remove one", path=path, line=line)


def _refuse_unlike(
    label: str, texts: Sequence[str], labels: Sequence[str], lines: dict[str, int], path: Path, line: int
) -> None:
    if label not in labels:
        raise DataError(f"the row's category {label!r} is not in the first row; make them agree", path=path, line=line)
    if label in lines:
        raise DataError(f"the category {label!r} has a row already; remove one", path=path, line=line)
    if len(texts) != len(labels):
        raise DataError(
            f"there are {len(texts)} values for {len(labels)} categories; the matrix must be square",
            path=path,
            line=line,
        )


def _distance(text: str, path: Path, line: int) -> float:
    try:
        value = float(text)
    except ValueError:
        wrong = not_a_number(text) if text.strip() else "a value is missing; fill in both halves of the matrix"
        raise DataError(wrong, path=path, line=line) from None
    if not (math.isfinite(value) and value >= 0):
        raise DataError(f"the distance {text.strip()} is not a number from 0 up", path=path, line=line)
    return value


def _refuse_uneven(labels: Sequence[str], values: FloatArray, lines: dict[str, int], path: Path) -> None:
    for row, label in enumerate(labels):
        if values[row, row] != 0:
            message = f"the distance of {label!r} from itself is {values[row, row]:g}; it must be 0"
            raise DataError(message, path=path, line=lines[label])
    for row, column in np.argwhere(values != values.T).tolist():
        one, other = labels[row], labels[column]
        raise DataError(
            f"the distance of {one!r} and {other!r} is {values[row, column]:g} but {values[column, row]:g} "
            "the other way round; the matrix must be symmetric",
            path=path,
            line=max(lines[one], lines[other]),
        )
