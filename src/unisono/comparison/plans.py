"""Plans: how wide an interval would be, by how much is annotated, and how much is needed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from unisono.errors import plural
from unisono.results import Captioned, Table, Tabled
from unisono.results.shown import digits_apart, fixed

_MOST_DIGITS = 6
"""Widths are shown with at most so many decimals."""


@dataclass(frozen=True)
class Width:
    """What a number of documents, or items, would give.

    Attributes
    ----------
    n : int
        How many.
    width : float
        The median width of the interval.
    share : float
        How often it is as narrow as wanted.
    """

    n: int
    width: float
    share: float


@dataclass(frozen=True)
class Plan(Tabled):
    """How many documents, or items, are needed.

    Attributes
    ----------
    measure, symbol : str
        The measure with its parameters, and its letter.
    value : float
        The value of the pilot.
    pilot_width : float or None
        The width of its interval, if it has one.
    what : str
        What is counted: documents or items.
    n_pilot : int
        How many the pilot has.
    goal, probability : float
        The width wanted, and how likely the interval should be that narrow.
    needed : int or None
        How many are needed; None if more than were tried.
    widths : tuple of Width
        What some numbers of documents would give.

    See Also
    --------
    plan, Interval

    Examples
    --------
    >>> import unisono
    >>> labels = {"anna": ["a", "b", "a", "b"] * 5, "bert": ["a", "b", "b", "b"] * 5}
    >>> found = unisono.plan(labels, 0.4, "cohen-kappa")
    >>> found.n_pilot, round(found.pilot_width, 2), found.needed > 20
    (20, 0.83, True)
    """

    measure: str
    symbol: str
    value: float
    pilot_width: float | None
    what: str
    n_pilot: int
    goal: float
    probability: float
    needed: int | None
    widths: tuple[Width, ...]

    def tabled(self) -> tuple[list[Captioned], list[str]]:
        """Return widths by number of documents as a table, and a sentence that says how many are needed."""
        rows = [(f"{one.n:,}", one.width, one.share) for one in self.widths]
        width = self.pilot_width
        digits = 2 if width is None else digits_apart((0.0, width))  # a width should not look like 0
        now = "" if width is None else f", interval {fixed(width, digits)} wide"
        pilot = f"the pilot has {self.n_pilot:,} {self.what}: {self.symbol} = {fixed(self.value, digits)}{now}"
        shown = max(
            digits_apart((0.0, one), 3, _MOST_DIGITS) for one in (self.goal, *(one.width for one in self.widths))
        )
        table = Table((self.what, "median width", f"share up to {self.goal:g}"), rows, shown)
        said = f"Even {self.widths[-1].n:,} {self.what} are not enough for an interval {self.goal:g} wide."
        if self.needed is not None:
            said = (
                f"{plural(self.needed, self.what[:-1])} like these give an interval at most {self.goal:g} wide with "
                f"{100 * self.probability:g}% probability."
            )
        return [Captioned(pilot, table)], [said]

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return {**vars(self), "widths": [vars(one) for one in self.widths]}


def shown_widths(widths: list[Width]) -> tuple[Width, ...]:
    """Return the last numbers that are not always enough, and the first that is."""
    open_ones = [one for one in widths if one.share < 1][-8:] or widths[:1]
    return tuple(dict.fromkeys([*open_ones, *[one for one in widths if one.share == 1][:1]]))


def needed_for(at: Callable[[int], Width], widths: list[Width], probability: float) -> int | None:
    """Find the smallest number that is enough, between two that were tried."""
    enough = [index for index, one in enumerate(widths) if one.share >= probability]
    if not enough:
        return None
    if enough[0] == 0:
        return widths[0].n
    low, high = widths[enough[0] - 1].n, widths[enough[0]].n
    while high - low > max(1, low // 50):
        middle = (low + high) // 2
        low, high = (low, middle) if at(middle).share >= probability else (middle, high)
    return high
