"""Making parameter values out of what was written, or given in Python."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from unisono.dissimilarity.category import Distance, Hierarchy, Matrix, Numeric, Ordinal, Sets, as_distance
from unisono.dissimilarity.difference import (
    Circular,
    Linear,
    Masi,
    Quadratic,
    RankPairs,
    Ranks,
    Spelling,
    as_difference,
    as_weights,
)
from unisono.errors import OptionError
from unisono.formats import read_matrix
from unisono.measurement.spec import Call, Value, parse


def number(value: Any) -> float:
    """Read a number."""
    if isinstance(value, bool) or not isinstance(value, str | int | float | np.number):
        raise ValueError(value)
    return float(value)


def whole_number(value: Any) -> int:
    """Read a whole number."""
    found = number(value)
    if found != int(found):
        raise ValueError(value)
    return int(found)


def text(value: Value) -> str:
    """Read a word."""
    return _text(value)


def yes_or_no(value: Any) -> bool:
    """Read true or false."""
    if isinstance(value, bool | np.bool_):
        return bool(value)
    return {"true": True, "yes": True, "false": False, "no": False}[_text(value).lower()]


def number_or_none(value: Value) -> float | None:
    """Read a number, or none."""
    return None if value == "none" else number(value)


def one_of(*choices: str) -> Callable[[Value], str]:
    """Return a function that reads one of some words, and that can be pickled as the measures that use it."""
    return partial(_one_of, choices)


def _one_of(choices: tuple[str, ...], value: Value) -> str:
    if value not in choices:
        raise ValueError(value)
    return _text(value)


def names_with_weights(value: Value) -> list[str] | dict[str, float]:
    """Read a name, a list of names, or names with weights."""
    if isinstance(value, dict):
        return {name: number(weight) for name, weight in value.items()}
    return [_text(name) for name in value] if isinstance(value, list) else [_text(value)]


def distance(value: Value) -> Distance | dict[str, Distance]:
    """Read a distance between labels, or one a feature."""
    if isinstance(value, dict):
        return {name: _one_distance(one) for name, one in value.items()}
    return _one_distance(value)


def distance_or_spelling(value: Value) -> Distance | dict[str, Distance]:
    """Read a distance between labels or texts, nld too, or one a feature."""
    if isinstance(value, dict):
        return {name: _spelling_or(one) for name, one in value.items()}
    return _spelling_or(value)


def written_distance(text: str) -> Distance:
    """Read a distance as it is written on the command line, e.g. ``ordinal(low,mid,high)``."""
    value = parse(f"measure(value={text})")[1]["value"]
    try:
        return _one_distance(value)
    except ValueError:
        raise OptionError(
            f"{text} is not a distance; there are nominal, ordinal(…), matrix(FILE), hierarchy, set"
        ) from None


def difference(value: Any) -> Distance:
    """Read a difference function for α, as it is written or as Python has it."""
    return _written(value, _DIFFERENCES, as_difference)


def weights(value: Any) -> Distance:
    """Read weights of disagreement, as they are written or as Python has them."""
    return _written(value, _WEIGHTS, as_weights)


def _spelling_or(value: Value) -> Distance:
    return Spelling() if value == Spelling.name else _one_distance(value)


def _one_distance(value: Value) -> Distance:
    if isinstance(value, str):
        return as_distance(value)
    if not isinstance(value, Call):
        raise ValueError(value)
    if value.name == "ordinal":
        return Ordinal(value.arguments)
    if len(value.arguments) > 1 or value.name not in _WITH_ARGUMENT:
        raise OptionError(
            f"there is no distance {value}; there are nominal, ordinal(…), matrix(FILE), numeric, hierarchy, set"
        )
    made: Distance = _WITH_ARGUMENT[value.name](*value.arguments)
    return made


def _matrix(path: str) -> Matrix:
    labels, values = read_matrix(path)
    return Matrix(tuple(labels), values, source=path)


_WITH_ARGUMENT: dict[str, Callable[..., Any]] = {
    "matrix": _matrix,
    "numeric": lambda span: Numeric(float(span)),
    "hierarchy": Hierarchy,
    "set": Sets,
}


_DIFFERENCES: dict[str, Callable[..., Distance]] = {
    "ordinal": lambda *order: Ranks(order),
    "circular": lambda period: Circular(float(period)),
    "set": Sets,
    "jaccard": Sets,
    "masi": Masi,
    **{name: _WITH_ARGUMENT[name] for name in ("hierarchy", "matrix")},
}
_WEIGHTS: dict[str, Callable[..., Distance]] = {
    "linear": lambda *order: Linear(order),
    "quadratic": lambda *order: Quadratic(order),
    "ordinal": lambda *order: RankPairs(order),
    "matrix": _matrix,
}


def _written(value: Any, kinds: dict[str, Callable[..., Distance]], otherwise: Callable[[Any], Distance]) -> Distance:
    if isinstance(value, str) and "(" in value:
        value = parse(f"measure(value={value})")[1]["value"]
    if not isinstance(value, Call):
        return otherwise(value)
    if value.name not in kinds:
        raise OptionError(f"there is no {value}; there are {', '.join(f'{name}(…)' for name in kinds)}")
    return kinds[value.name](*value.arguments)


def _text(value: Value) -> str:
    if not isinstance(value, str):
        raise ValueError(value)
    return value
