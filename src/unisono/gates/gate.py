"""A gate: what a value, or a limit of its interval, must reach."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from unisono.checks import check_choice, check_number
from unisono.comparison import Comparison
from unisono.errors import OptionError, listed, mention
from unisono.results import Interval, Result, ValueScale
from unisono.results.shown import written_alike
from unisono.statistics.quantiles import LEVEL

VALUE, LOW, HIGH = "value", "low", "high"
DIGITS = 3
"""Numbers have so many decimals, as in tables."""


@dataclass(frozen=True)
class Gate:
    """A number that a value must not be under, or over if it is an error.

    Attributes
    ----------
    number : float
        The number itself is good enough.
    errors : bool
        Whether it is for measures of error, which must not be over it.
    on : str
        What counts: the value, or the limit of its interval that is worse (low, or high for errors).
    """

    number: float
    errors: bool = False
    on: str = VALUE

    def missed_by(self, found: float) -> float:
        """Return how far a number is on the wrong side; 0 or less if it is good enough."""
        return found - self.number if self.errors else self.number - found

    @property
    def condition(self) -> str:
        """What is asked for, in short."""
        return f"{self.on} {'≤' if self.errors else '≥'} {self.number:g}"


@dataclass(frozen=True)
class Outcome:
    """What a gate says about a value.

    Attributes
    ----------
    name : str
        What was measured.
    condition : str
        What it has to be.
    value : float or None
        The value; None if there is none.
    interval : Interval or None
        Its interval.
    passed : bool
        Whether it is good enough.
    said : str
        The same as a sentence without a full stop, with the distance.
    """

    name: str
    condition: str
    value: float | None
    interval: Interval | None
    passed: bool
    said: str

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return {**vars(self), "interval": None if self.interval is None else self.interval.to_dict()}


def gate_of(under: float | None, over: float | None, on: str | None) -> Gate | None:
    """Check what a user asks for; None if that is nothing."""
    if under is not None and over is not None:
        raise OptionError(f"{mention('under')} and {mention('over')} exclude each other; choose one")
    if under is None and over is None:
        if on is not None:
            raise OptionError(f"it needs {mention('under')} or {mention('over')}; add one, or leave it out", "on")
        return None
    errors = over is not None
    number = check_number(over if errors else under, "over" if errors else "under")
    return Gate(number, errors, check_choice(on or VALUE, "on", (VALUE, HIGH if errors else LOW)))


def outcome_of(gate: Gate, result: Result, category: str | None = None) -> Outcome:
    """Say whether a value, or that of one category, is good enough."""
    check_side(gate, result.measure, result.scale)
    if category is None:
        value, interval, why = result.value, result.interval, result.undefined
        no_interval = result.no_interval
    else:
        if gate.on != VALUE:
            raise OptionError("single categories have no interval; leave it out, so that the value counts", "on")
        row = _row(result, category)
        value, interval, why, no_interval = row["value"], None, row.get("undefined"), None
    name = result.symbol if category is None else f"{result.symbol} of {category}"
    if value is None:
        return Outcome(name, gate.condition, None, None, False, f"{name} has no value: {why or 'too little data'}")
    limits = () if interval is None else (interval.low, interval.high)
    written, *spelled = written_alike(value, *limits, gate.number, digits=DIGITS)
    if gate.on == VALUE:
        counted, shown = value, f"{name} = {written}"
    elif interval is None:
        said = f"{name} = {written} has no interval to compare with {gate.number:g}: {no_interval}"
        return Outcome(name, gate.condition, value, None, False, said)
    else:
        counted = interval.low if gate.on == LOW else interval.high
        which, limit = ("lower", spelled[0]) if gate.on == LOW else ("upper", spelled[1])
        shown = f"the {which} limit of {name}, {limit},"
    missed = gate.missed_by(counted)
    side = "above" if gate.errors else "below"
    said = f"{shown} is {distance(missed)} {side} {gate.number:g}"
    if missed <= 0:
        said = f"{shown} is not {side} {gate.number:g}"
    return Outcome(name, gate.condition, value, interval, missed <= 0, said)


def non_inferior(found: Comparison, margin: float, on: str = LOW) -> Outcome:
    """Say whether the second of two is at most so much worse than the first.

    With `on` "low", that must hold for the limit of the interval of the difference, not just for its value. Two that
    are the same in every part (p is 1) have no interval, and need none.
    """
    apart, sign = found.difference, 1 if found.scale == "agreement" else -1
    name = f"{found.symbol}: {found.other} against {found.one}"
    condition = f"{on} ≥ {f'−{margin:g}' if margin else '0'}"
    if apart.value is None:
        said = f"{name} cannot be compared: {found.undefined or apart.no_interval}"
        return Outcome(name, condition, None, None, False, said)
    value, interval = 0.0 - sign * apart.value, None
    if apart.low is not None and apart.high is not None:
        low, high = sorted((-sign * apart.low, -sign * apart.high))
        interval = Interval(low, high, LEVEL, f"jackknife over {found.parts}")
    if on == LOW and interval is None and apart.p != 1:
        said = f"{name} is not known to be at most {margin:g} worse: {apart.no_interval or 'there is no interval'}"
        return Outcome(name, condition, value, None, False, said)
    counted = value if interval is None or on != LOW else interval.low
    missed = -margin - counted
    how = "may be" if on == LOW else "is"
    worse = f"{distance(-counted)} worse" if counted < 0 else "no worse"
    said = f"{name} {how} {worse}"
    said += f", {distance(missed)} more than the margin of {margin:g}" if missed > 0 else f"; the margin is {margin:g}"
    return Outcome(name, condition, value, interval, missed <= 0, said)


def distance(number: float) -> str:
    """Write how far two numbers are apart, with three decimals, or as many as show that they differ."""
    return f"{number:.3f}" if number >= 0.0005 else f"{number:.1g}"


def check_side(gate: Gate, measure: str, scale: ValueScale) -> None:
    """Raise OptionError if more is better, and the gate is for errors, or the other way round."""
    if gate.errors == (scale == "agreement"):
        right = mention("under" if gate.errors else "over")
        kind = "an agreement, where more is better" if gate.errors else "an error, where 0 is perfect"
        raise OptionError(f"{measure} is {kind}; use {right}", "over" if gate.errors else "under")


def _row(result: Result, category: str) -> dict[str, Any]:
    rows = {str(row["category"]): row for row in result.categories()}
    if category not in rows:
        there = f"available: {listed(list(rows))}" if rows else f"{result.measure} has no values of categories"
        raise OptionError(f"unknown category {category!r}; {there}")
    return rows[category]
