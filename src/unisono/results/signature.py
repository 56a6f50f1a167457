"""What is needed to repeat a value, on one line."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from unisono.version import __version__


def function_name(function: Any) -> str:
    """Return what stands for a user's function: its name, and a digest of what it does, as far as Python shows it."""
    code = getattr(function, "__code__", None)
    if code is None:
        inner = getattr(function, "func", None) or vars(type(function)).get("__call__")
        code = getattr(inner, "__code__", None)
    cells = [cell.cell_contents for cell in getattr(function, "__closure__", None) or ()]
    state = getattr(function, "__dict__", None) or getattr(getattr(function, "__self__", None), "__dict__", None)
    bound = (getattr(function, "args", None), getattr(function, "keywords", None), state)
    defaults = (getattr(function, "__defaults__", None), getattr(function, "__kwdefaults__", None))
    does = (None,) if code is None else (code.co_code, _constants(code), code.co_names)
    digest = hashlib.sha256(_ADDRESS.sub("", repr((does, cells, defaults, bound))).encode()).hexdigest()[:8]
    return f"{getattr(function, '__name__', 'function')}#{digest}"


def _constants(code: Any) -> list[Any]:
    """Return the constants of a function, those of the functions within it included."""
    return [(one.co_code, _constants(one), one.co_names) if hasattr(one, "co_code") else one for one in code.co_consts]


_ADDRESS = re.compile(r" at 0x[0-9a-f]+")


@dataclass(frozen=True)
class Signature:
    """Measure, parameters, seed and version on one line, so that two results can be compared."""

    measure: str
    parameters: Mapping[str, Any]

    def __str__(self) -> str:
        parts = [f"{name}:{spelled(value)}" for name, value in self.parameters.items()]
        return "|".join([self.measure, *parts, f"unisono:{__version__}"])


def spelled(value: Any) -> str:
    """Spell a parameter's value, numbers as short as possible."""
    if isinstance(value, bool) or value is None:
        return str(value).lower()
    if isinstance(value, str) and "|" in value:
        return value.replace("|", "¦")
    if isinstance(value, float | np.floating):
        return f"{value:g}" if float(f"{value:g}") == value else repr(float(value))
    return str(value)
