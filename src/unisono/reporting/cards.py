"""The headline of a result: its value, how certain it is, what it is made of, and where disagreement comes from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from unisono.errors import plural
from unisono.measurement.coverage import coverage_of
from unisono.reporting.addresses import choice_address
from unisono.reporting.markup import is_finite, percent
from unisono.reporting.palette import kind_colours
from unisono.reporting.shown_tables import zero_is_perfect
from unisono.results import NOTHING, Interval, PValue, Result
from unisono.results.estimate import spelled_interval
from unisono.results.shown import digits_apart, fixed

KIND_NAMES = {
    "position": "boundaries",
    "category": "category",
    "missing": "missing unit",
    "segmentation": "no counterpart",
}
"""What annotators differ in, for people; a feature keeps its own name."""


@dataclass(frozen=True)
class Share:
    """A part of the disagreement: what differs, how much of it, where it begins on the bar, and its colour."""

    name: str
    share: float
    begin: float
    colour: str
    address: str = ""
    """The places that differ in it."""

    @property
    def percent(self) -> str:
        """The share as a percentage."""
        return percent(self.share)


@dataclass(frozen=True)
class Card:
    """What is said of one measure."""

    measure: str
    symbol: str
    title: str
    """The measure as the user wrote it, its letter, and what was measured."""
    value: str
    """The value; empty if there is none."""
    certainty: str
    """The interval in words, or why there is no interval or no value."""
    facts: list[tuple[str, str, str]]
    counts: list[tuple[str, str, str]]
    """Name, value and remark of what the value is made of, and of what was counted."""
    remarks: list[str]
    """What a reader should know."""
    shares: list[Share]
    """Where the disagreement comes from."""
    signature: str
    """What is needed to repeat the value."""


def failed_card(measure: str, reason: str) -> Card:
    """Describe a measure that could not be computed."""
    return Card(measure, measure, "", "", reason, [], [], [], [], "")


def card_of(result: Result, measure: str = "", sentence: Callable[[str], str] = str) -> Card:
    """Describe a result; `measure` is as the user wrote it, `sentence` replaces sentences that must not be shown."""
    lines = result.headline()
    known = is_finite(result.value)
    certainty = (
        interval_text(result.interval, result.value) if known else result.undefined or "it could not be computed"
    )
    return Card(
        measure=measure or result.measure,
        symbol=result.symbol,
        title=result.title(),
        value=value_text(result.value, lines[0].digits) if known else "",
        certainty=certainty if known and certainty else sentence(certainty or lines[0].remark or "no interval"),
        facts=[(line.name, value_text(line.value, line.digits), sentence(line.remark)) for line in lines[1:]],
        counts=_counts(result),
        remarks=_remarks(result, sentence),
        shares=_shares(result),
        signature=result.signature,
    )


def value_text(value: float | None, digits: int = 2) -> str:
    """Write a value; a dash if there is none. A small probability is not written as 0."""
    if isinstance(value, PValue):
        return value.spelled(digits)
    return fixed(value, digits) if value is not None and is_finite(value) else NOTHING


def interval_text(interval: Interval | None, value: float | None = None) -> str:
    """Write an interval, perhaps beside its value; nothing if there is none."""
    if interval is None or not (is_finite(interval.low) and is_finite(interval.high)):
        return ""
    return spelled_interval(interval, value)


def value_and_interval(value: float | None, interval: Interval | None) -> tuple[str, str]:
    """Write a value and its interval with the same decimals; nothing for an interval that there is not."""
    limits = () if interval is None else (interval.low, interval.high)
    return value_text(value, digits_apart((value, *limits))), interval_text(interval, value)


def _remarks(result: Result, sentence: Callable[[str], str]) -> list[str]:
    """Return what a reader should know; where disorder comes from is drawn."""
    direction = [f"{result.symbol} measures disagreement: 0 is perfect."] if zero_is_perfect(result) else []
    return direction + list(dict.fromkeys(sentence(f"Note: {note}.") for note in result.notes))


def _counts(result: Any) -> list[tuple[str, str, str]]:
    """Return numbers of annotators, documents, items and units, chance model and seed."""
    counts = coverage_of(result)
    rows = [("annotators", f"{result.n_annotators:,}", "")]
    if counts.items is None or counts.documents_read > 1:
        rows.append(("documents", f"{counts.documents:,}", _of(counts.documents, counts.documents_read)))
    if counts.items is not None:
        rows.append(("items", f"{counts.items:,}", _of(counts.items, counts.items_read)))
    rows.append((f"{result.unit}s", f"{counts.units:,}", _of(counts.units, counts.units_read)))
    if chance := getattr(result, "chance", None):
        samples = f"{plural(result.n_samples, 'sample')}, seed {result.seed}"
        rows.append(("chance", chance, samples if result.n_samples else "computed without samples"))
    return rows


def _of(some: int, read: int | None) -> str:
    return f"of {read:,} read" if read is not None and some != read else ""


def _shares(result: Result) -> list[Share]:
    parts = {kind: share for kind, share in result.disagreement.items() if share > 0}
    names = {**KIND_NAMES, **getattr(result, "words", {})}
    colours, found, begin = kind_colours(parts), [], 0.0
    for kind, share in sorted(parts.items(), key=lambda part: -part[1]):
        name = names.get(kind, kind)
        address = choice_address(kind=KIND_NAMES.get(kind, kind))
        found.append(Share(name, share, round(100 * begin, 3), colours[kind], address))
        begin += share
    return found
