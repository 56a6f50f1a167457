"""Whether two data hold the same, wherever they come from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np


def same_data(one: Any, other: Any) -> bool:
    """Tell whether two data are of one kind and hold the same.

    Parameters
    ----------
    one, other : Corpus, Ratings or Normalizations
        What was annotated.
    """
    if one is other:
        return True
    if type(one) is not type(other):
        return False
    names = [field.name for field in fields(one) if field.compare and field.name != "source"]
    return all(_same(getattr(one, name), getattr(other, name)) for name in names)


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        return np.array_equal(one, other)
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(_same(value, other[name]) for name, value in one.items())
    if is_dataclass(one) and type(one) is type(other):
        return same_data(one, other)
    return bool(one == other)
