"""What every measure gives: a value, what it was made of, and what is needed to repeat it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from unisono.version import __version__


@dataclass(frozen=True)
class Interval:
    """A confidence interval.

    Attributes
    ----------
    low, high : float
        Its limits.
    level : float
        How often such an interval covers the true value.
    method : str
        How it was made, and what for.
    """

    low: float
    high: float
    level: float
    method: str

    def to_dict(self) -> dict[str, Any]:
        """Give plain data."""
        return {"low": self.low, "high": self.high, "level": self.level, "method": self.method}


@dataclass(frozen=True)
class Signature:
    """Measure, parameters, seed and version on one line, so that two results can be compared."""

    measure: str
    parameters: Mapping[str, Any]

    def __str__(self) -> str:
        parts = [f"{name}:{spelled(value)}" for name, value in self.parameters.items()]
        return "|".join([self.measure, *parts, f"unisono:{__version__}"])


def spelled(value: Any) -> str:
    """Spell a parameter's value, numbers as short as can be."""
    if isinstance(value, bool) or value is None:
        return str(value).lower()
    if isinstance(value, float | np.floating):
        return f"{value:g}" if float(f"{value:g}") == value else repr(float(value))
    return str(value)
