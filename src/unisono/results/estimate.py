"""The output of a formula, before it becomes a result, and the uncertainty of a value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, TypeAlias

from unisono.results.shown import digits_apart, fixed

ValueScale: TypeAlias = Literal["agreement", "error", "cost"]
"""Whether 1 is perfect agreement, or 0 is; a cost is an error without an upper limit."""

Detail: TypeAlias = float | Mapping[str, Any] | None
"""A further value: a number, or what belongs together, such as a statistic with its degrees of freedom and its p."""


@dataclass(frozen=True)
class Estimate:
    """The output of a formula: the value and its components.

    Attributes
    ----------
    value : float or None
        The coefficient; None if it is undefined.
    observed, expected : float or None
        Observed and expected agreement or disagreement, as defined by the formula; None if it has none.
    undefined : str or None
        Why there is no value, if there is none.
    details : dict
        Further values that belong to this one, such as the greatest possible κ.
    more : callable or None
        What returns yet more of them, which take longer; it is called for results only, not for parts of their data.
    tables : dict
        Rows that only this formula provides, by the name of the table, such as the categories of (k)uα.
    notes : tuple of str
        What a reader should know about the value.
    what : str
        What was observed and expected: agreement or disagreement.
    normalized : float or None
        The error as a share of the greatest possible one, for values that are errors of any size.
    interval : Interval, str or None
        The interval by the formula's own theory, which takes items for a random sample, independent of each other; or a
        clause that explains why there is none. None if the formula has no theory of its own.
    """

    value: float | None
    observed: float | None = None
    expected: float | None = None
    undefined: str | None = None
    details: Mapping[str, Detail] = field(default_factory=dict)
    more: Callable[[], Mapping[str, Detail]] | None = field(default=None, repr=False, compare=False)
    tables: Mapping[str, list[dict[str, Any]]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    what: str = "agreement"
    normalized: float | None = None
    interval: Interval | str | None = None

    def agreement(self, scale: ValueScale) -> float | None:
        """Return the value as an agreement: 1 is perfect, even if the value itself is an error."""
        if self.value is None or scale == "agreement":
            return self.value
        error = self.normalized if scale == "cost" else self.value
        return None if error is None else 1 - error


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

    See Also
    --------
    Result, plan

    Examples
    --------
    >>> import unisono
    >>> labels = {"anna": ["a", "b", "a", "b"] * 5, "bert": ["a", "b", "b", "b"] * 5}
    >>> interval = unisono.cohen_kappa(labels).interval
    >>> round(interval.low, 2), round(interval.high, 2), interval.level
    (-0.02, 0.81, 0.95)
    >>> interval.method
    'jackknife over 20 items'
    """

    low: float
    high: float
    level: float
    method: str

    def __str__(self) -> str:
        return spelled_interval(self)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return asdict(self)


def spelled_interval(interval: Interval, value: float | None = None) -> str:
    """Write an interval, with as many decimals as show that its limits, and the value beside it, differ."""
    low, high = interval.low, interval.high
    digits = digits_apart((low, high, value))
    return f"{interval.level:.0%} interval {fixed(low, digits)} to {fixed(high, digits)} ({interval.method})"


_ROUNDING = 1e-12
_NO_CHANCE = "no disagreement is expected by chance, so agreement beyond chance cannot be determined"


def beyond_chance(observed: float, expected: float, **more: Any) -> Estimate:
    """Correct an agreement for chance: (A_o - A_e) / (1 - A_e)."""
    if 1 - expected < _ROUNDING:
        reason = "agreement by chance is already perfect, so agreement beyond chance cannot be determined"
        return Estimate(None, observed, expected, reason, **more)
    return Estimate((observed - expected) / (1 - expected), observed, expected, **more)


def from_disagreement(observed: float, expected: float, reason: str = _NO_CHANCE, **more: Any) -> Estimate:
    """Turn disagreements into an agreement: 1 - D_o / D_e; `reason` explains why none may be expected."""
    if not expected > 0:
        return Estimate(None, observed, expected, reason, what="disagreement", **more)
    return Estimate(1 - observed / expected, observed, expected, what="disagreement", **more)
