"""The headline: each measure's value, how sure it is, and what it was made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from unisono.errors import plural
from unisono.measurement.disorder.result import DisorderResult
from unisono.measurement.registry import declared
from unisono.reporting.full.counting import counts_of
from unisono.reporting.full.hiding import Names
from unisono.reporting.full.measured import Measured
from unisono.reporting.full.places import WORDS
from unisono.reporting.markup import fixed, is_finite
from unisono.results import Result

KINDS = ("position", "category", "missing", "text", "segmentation", "moved", "dissimilarity")
"""What disagreement comes from and has a colour of its own; what else there is takes the others in turn."""


@dataclass(frozen=True)
class Span:
    """A value and its interval on an axis, everything from 0 to 100.

    Attributes
    ----------
    zero, one, value : float
        Where 0, 1 and the value stand.
    low, high : float
        The interval; the value itself if there is none.
    """

    zero: float
    one: float
    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Share:
    """A part of the disagreement: what differs, how much of it, where it begins on the bar, and its colour."""

    name: str
    share: float
    begin: float
    colour: str

    @property
    def percent(self) -> str:
        """The share as it is written."""
        return "under 1 %" if self.share < 0.01 else f"{self.share:.0%}".replace("%", " %")


@dataclass(frozen=True)
class Card:
    """What is said of one measure.

    Attributes
    ----------
    measure, symbol, title : str
        How it was written, its letter, and what was measured.
    value : str
        The value; empty where there is none.
    interval, reason : str
        The interval in words, and why there is no value or interval.
    span : Span or None
        The value on an axis.
    facts : list of (str, str, str)
        Name, value and remark of everything else.
    remarks : list of str
        What one should know.
    shares : list of Share
        Where the disagreement comes from.
    signature : str
        What is needed to repeat the value.
    """

    measure: str
    symbol: str
    title: str
    value: str
    interval: str
    reason: str
    span: Span | None
    facts: list[tuple[str, str, str]]
    remarks: list[str]
    shares: list[Share]
    signature: str


def card(one: Measured, names: Names) -> Card:
    """Describe what a measure gave."""
    result = one.result
    if result is None:
        return Card(one.measure, one.measure, "", "", "", names.error(one.failed), None, [], [], [], "")
    lines = result.headline()
    interval = result.interval
    value = result.value if is_finite(result.value) else None
    reason = result.undefined or ""
    if value is not None and interval is None:
        reason = lines[0].remark or "no interval"
    return Card(
        measure=one.measure,
        symbol=result.symbol,
        title=result.title(),
        value="" if value is None else fixed(value, 3),
        interval=_interval(interval),
        reason=names.sentence(reason),
        span=None if value is None else _span(value, interval),
        facts=[
            *[(line.name, _number(line.value), names.sentence(line.remark)) for line in lines[1:]],
            *_counts(result),
        ],
        remarks=_remarks(result, names),
        shares=_shares(result),
        signature=result.signature,
    )


def zero_is_perfect(result: Result) -> bool:
    """Tell whether a value is a distance or an error, so that 0 is perfect agreement."""
    return declared(result.measure).scale != "agreement"


def _remarks(result: Result, names: Names) -> list[str]:
    """Give what one should know; where disorder comes from is drawn."""
    found = [f"Note: {note}." for note in result.notes] if isinstance(result, DisorderResult) else result.remarks()
    distance = [f"{result.symbol} counts disagreement: 0 is perfect."] if zero_is_perfect(result) else []
    return distance + list(dict.fromkeys(map(names.sentence, found)))


def _number(value: float | None) -> str:
    return fixed(value, 3) if value is not None and is_finite(value) else "–"


def _interval(interval: Any) -> str:
    if interval is None or not (is_finite(interval.low) and is_finite(interval.high)):
        return ""
    level = f"{interval.level:.0%}".replace("%", " %")
    return f"{level} interval {fixed(interval.low)} to {fixed(interval.high)} ({interval.method})"


def _counts(result: Result) -> list[tuple[str, str, str]]:
    """Give numbers of annotators, documents, items and units, chance model and seed."""
    counts = counts_of(result)
    rows = [("annotators", f"{result.n_annotators:,}", "")]
    if counts.items is None or counts.documents_read > 1:
        rows.append(("documents", f"{counts.documents:,}", _of(counts.documents, counts.documents_read)))
    if counts.items is not None:
        rows.append(("items", f"{counts.items:,}", _of(counts.items, counts.items_read)))
    rows.append((f"{result.unit}s", f"{counts.units:,}", _of(counts.units, counts.units_read)))
    if isinstance(result, DisorderResult):
        samples = f"{plural(result.n_samples, 'sample')}, seed {result.seed}"
        rows.append(("chance", result.chance, samples if result.n_samples else "computed without samples"))
    return rows


def _of(some: int, read: int | None) -> str:
    return f"of {read:,} read" if read is not None and some != read else ""


def _span(value: float, interval: Any) -> Span | None:
    low, high = (value, value) if interval is None else (interval.low, interval.high)
    if not (is_finite(low) and is_finite(high)) or not -3 <= low <= high <= 3:
        return None
    first, last = min(0.0, low, value), max(1.0, high, value)

    def place(what: float) -> float:
        return round(100 * (what - first) / (last - first), 2)

    return Span(place(0.0), place(1.0), place(value), place(low), place(high))


def _shares(result: Result) -> list[Share]:
    if not isinstance(result, DisorderResult):
        return []
    found, begin = [], 0.0
    extra = [kind for kind in result.disagreement if kind not in KINDS]
    for kind, share in sorted(result.disagreement.items(), key=lambda part: -part[1]):
        if share > 0:
            colour = kind if kind in KINDS else f"feature-{extra.index(kind) % 4}"
            found.append(Share(result.words.get(kind, WORDS.get(kind, kind)), share, round(100 * begin, 3), colour))
            begin += share
    return found


def ladder_rungs(ladder: Any) -> Sequence[tuple[str, float | None]]:
    """Give the sentence and the magnitude of each rung, the smallest first."""
    rungs = [(str(rung), rung.magnitude) for rung in getattr(ladder, "rungs", ())]
    return sorted(rungs, key=lambda rung: (rung[1] is None, rung[1] or 0.0))
