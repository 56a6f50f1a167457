"""Comparisons and ladders in notebooks: drawn, with their tables and sentences below."""

from __future__ import annotations

from collections.abc import Sequence

from unisono.comparison.comparisons import Comparison, Comparisons
from unisono.reporting.interval_plot import IntervalRow, interval_drawing
from unisono.reporting.pieces import tabled_html
from unisono.results import Captioned
from unisono.shuffling.rungs import Ladder


def comparison_html(comparison: Comparison) -> str:
    """Show a comparison: both values, their difference, and the tables."""
    return _compared([comparison], comparison.tabled())


def comparisons_html(comparisons: Comparisons) -> str:
    """Show several comparisons."""
    return _compared(comparisons, comparisons.tabled())


def ladder_html(ladder: Ladder) -> str:
    """Show at which magnitude each kind of error gives the agreement."""
    tables, sentences = ladder.tabled()
    rows = [IntervalRow(str(name), magnitude, bar=True) for name, magnitude in tables[0].table.rows]
    drawn = interval_drawing(rows, title=f"Magnitude of errors that give {ladder.symbol} = {ladder.value:.2f}")
    return tabled_html(tables, sentences, figures=[("Magnitude of each kind of error, from 0 (none) to 1", drawn)])


def _compared(found: Sequence[Comparison], tabled: tuple[list[Captioned], list[str]]) -> str:
    several = len({one.symbol for one in found}) > 1
    values, differences = [], []
    for one in found:
        for name, value, interval in zip((one.one, one.other), one.values, one.intervals, strict=True):
            low, high = (None, None) if interval is None else (interval.low, interval.high)
            values.append(IntervalRow(f"{one.symbol} {name}" if several else name, value, low, high))
        it = one.difference
        name = f"{one.symbol}: {it.name}" if several else it.name
        known = it.low is not None and it.high is not None and not it.low <= 0 <= it.high
        differences.append(IntervalRow(name, it.value, it.low, it.high, certain=known))
    symbols = " and ".join(dict.fromkeys(one.symbol for one in found))
    figures = [
        (f"{symbols} with intervals", interval_drawing(list(dict.fromkeys(values)), title=f"{symbols} of each")),
        ("Difference with its interval", interval_drawing(differences, title="Differences", whole=False)),
    ]
    return tabled_html(*tabled, figures=figures)
