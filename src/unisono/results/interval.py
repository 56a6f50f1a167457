"""The uncertainty of a value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


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
        How it was computed, and what it applies to.
    """

    low: float
    high: float
    level: float
    method: str

    def __str__(self) -> str:
        low, high = (f"{round(limit, 2) + 0.0:.2f}".replace("-", "−") for limit in (self.low, self.high))
        return f"{self.level:.0%} interval {low} to {high} ({self.method})"

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return {"low": self.low, "high": self.high, "level": self.level, "method": self.method}
