"""What is needed to repeat a value, on one line."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from unisono.version import __version__


@dataclass(frozen=True)
class Signature:
    """Measure, parameters, seed and version on one line, so that two results can be compared."""

    measure: str
    parameters: Mapping[str, Any]

    def __str__(self) -> str:
        parts = [_within_bars(f"{name}:{spelled(value)}") for name, value in self.parameters.items()]
        return "|".join([self.measure, *parts, f"unisono:{__version__}"])


def spelled(value: Any) -> str:
    """Spell a parameter's value, numbers exactly and as short as possible."""
    if isinstance(value, bool) or value is None:
        return str(value).lower()
    if isinstance(value, float | np.floating):
        return f"{value:g}" if float(f"{value:g}") == value else repr(float(value)).removesuffix(".0")
    return str(value)


def listed_name(name: str, marks: str) -> str:
    """Write a name in a list, in quotation marks if it has one of the marks that separate the parts of the list."""
    return json.dumps(name, ensure_ascii=False) if set(name) & {*marks, '"'} else name


def _within_bars(text: str) -> str:
    """Write a text without bars, which separate the parts of a signature, so that no two texts become the same."""
    return text.replace("\\", "\\\\").replace("¦", "\\¦").replace("|", "¦")
