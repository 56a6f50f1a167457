"""Readers of parameters: values as text or as Python objects."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np

from unisono import formats
from unisono.deadlines import check_time_limit
from unisono.dissimilarity.category import Distance
from unisono.dissimilarity.registry import DistanceRole, as_distance, named_distance
from unisono.measurement.spec import Call, parse_value


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


def text(value: Any) -> str:
    """Read a word."""
    if not isinstance(value, str):
        raise ValueError(value)
    return value


def yes_or_no(value: Any) -> bool:
    """Read true or false."""
    if isinstance(value, bool | np.bool_):
        return bool(value)
    return {"true": True, "yes": True, "false": False, "no": False}[text(value).lower()]


def time_or_none(value: Any) -> float | None:
    """Read a number of seconds, a time such as 5m, or none."""
    return None if value == "none" else check_time_limit(value)


def choice(*choices: str) -> Callable[[Any], str]:
    """Return a reader of one of some words."""
    return partial(_one_of, choices=choices)


def _one_of(value: Any, choices: tuple[str, ...]) -> str:
    if value not in choices:
        raise ValueError(value)
    return text(value)


def names_with_weights(value: Any) -> list[str] | dict[str, float]:
    """Read a name, a list of names, or names with weights."""
    if isinstance(value, dict):
        return {name: number(weight) for name, weight in value.items()}
    return [text(name) for name in value] if isinstance(value, list) else [text(value)]


def weights_by_name(value: Any) -> dict[str, float]:
    """Read names with weights."""
    if not isinstance(value, Mapping):
        raise ValueError(value)
    return {text(name): number(weight) for name, weight in value.items()}


def read_order(value: Any) -> tuple[str, ...]:
    """Read labels from the lowest to the highest."""
    if not isinstance(value, list | tuple) or not all(isinstance(one, str | int) for one in value):
        raise ValueError(value)
    order = tuple(map(str, value))
    if len(set(order)) < max(len(order), 2):
        raise ValueError(value)
    return order


def read_distance(value: Any, role: DistanceRole) -> Distance:
    """Read a distance between labels, e.g. ``ordinal(low,mid,high)`` or anything that `as_distance` accepts."""
    if isinstance(value, str) and "(" in value:
        value = parse_value(value, "distance", "ordinal(low,mid,high)")
    if isinstance(value, Call):
        return named_distance(value.name, value.arguments, role, formats.read_matrix)
    return as_distance(value, role)


def read_distances(value: Any, role: DistanceRole) -> Distance | dict[str, Distance]:
    """Read a distance for all features, or a mapping from features to distances."""
    if isinstance(value, Mapping) and all(isinstance(name, str) for name in value):
        return {name: read_distance(one, role) for name, one in value.items()}
    return read_distance(value, role)


read_gamma_distances = partial(read_distances, role=DistanceRole.GAMMA)
read_text_gamma_distances = partial(read_distances, role=DistanceRole.TEXT_GAMMA)
read_alpha_distance = partial(read_distance, role=DistanceRole.ALPHA)
read_weights = partial(read_distance, role=DistanceRole.WEIGHTS)
written_distance = partial(read_distance, role=DistanceRole.GAMMA)
