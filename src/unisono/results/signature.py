"""What is needed to repeat a value, on one line."""

from __future__ import annotations

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
        parts = [f"{name}:{spelled(value)}" for name, value in self.parameters.items()]
        return "|".join([self.measure, *parts, f"unisono:{__version__}"])


def spelled(value: Any) -> str:
    """Spell a parameter's value, numbers as short as possible."""
    if isinstance(value, bool) or value is None:
        return str(value).lower()
    if isinstance(value, float | np.floating):
        return f"{value:g}" if float(f"{value:g}") == value else repr(float(value))
    return str(value)
