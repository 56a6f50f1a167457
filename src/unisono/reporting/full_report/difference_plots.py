"""Bland–Altman plots: how far apart two annotators' numbers are, by their mean [1]_.

References
----------
.. [1] Bland, J. M.; Altman, D. G. (1986). Statistical methods for assessing agreement between two methods of clinical
   measurement. The Lancet 327(8476), 307–310.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from markupsafe import Markup

from unisono.arrays import FloatArray
from unisono.data import Ratings
from unisono.errors import plural
from unisono.measurement.rating_scales.bland_altman import BlandAltman, bland_altman
from unisono.measurement.rating_scales.scores import Scores
from unisono.reporting.alignment_layout import ticks
from unisono.reporting.full_report.label_use import rating_scores
from unisono.reporting.markup import escaped, plain
from unisono.reporting.shown_tables import ShownTable, shown_table
from unisono.reporting.svg import svg_text, tag
from unisono.results import Interval, Table
from unisono.results.shown import fixed

MOST_PLOTS = 45
"""The pairs of ten annotators; of more, those with the most items in common are drawn."""
_MOST_POINTS, _MOST_IN_PLOT = 10_000, 1_200
"""In all plots together and in each; where there are more, points that are near each other become one."""
_STEPS = 48
"""How many places a grid for these has from left to right; two thirds as many from bottom to top."""
_WIDTH, _HEIGHT = 640.0, 360.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 64.0, 152.0, 12.0, 50.0


@dataclass(frozen=True)
class DifferencePlot:
    """A drawing, what is said about it, and its numbers."""

    name: str
    svg: Markup
    said: str
    table: ShownTable


@dataclass(frozen=True)
class DifferencePlots:
    """Plots of pairs of annotators, and how many pairs have none."""

    plots: list[DifferencePlot]
    n_left_out: int


def difference_plots(ratings: Ratings, numbers: FloatArray) -> DifferencePlots | None:
    """Draw a plot for each pair of annotators who both rated two items or more; None if there is no such pair."""
    pairs, n_left_out = compared_pairs(ratings, numbers, MOST_PLOTS)
    most = min(_MOST_POINTS // max(len(pairs), 1), _MOST_IN_PLOT)
    return DifferencePlots([_plot(pair, most) for pair in pairs], n_left_out) if pairs else None


def compared_pairs(ratings: Ratings, numbers: FloatArray, most: int) -> tuple[list[BlandAltman], int]:
    """Compare annotators who both rated two items or more, and count the pairs beyond the `most` that share most items.

    `numbers` are those of the labels, by code.
    """
    scores = rating_scores(ratings, numbers)
    every = _pairs(scores)
    kept = sorted(sorted(range(len(every)), key=lambda k: -every[k][0])[:most])
    found: list[BlandAltman] = []
    for _, a, b in (every[k] for k in kept):
        names = (ratings.annotators[a], ratings.annotators[b])
        found += bland_altman(Scores(scores.values[[a, b]], scores.repeats), names)
    return found, len(every) - len(kept)


def _pairs(scores: Scores) -> list[tuple[float, int, int]]:
    """Return how many items each two annotators have in common, if these are two or more, and who they are."""
    given = scores.given.astype(np.float64)
    shared = (given * scores.repeats) @ given.T
    return [(float(shared[a, b]), a, b) for a, b in combinations(range(scores.n_annotators), 2) if shared[a, b] >= 2]


def _plot(pair: BlandAltman, most: int) -> DifferencePlot:
    name = f"{pair.annotator_1} – {pair.annotator_2}"
    rows = [(row["what"], row["difference"], row["low"], row["high"]) for row in pair.rows()]
    table = shown_table(
        Table(("line", "difference", "95% from", "to"), rows),
        f"Differences: {name}",
        note=f"{pair.n_items:,.0f} items.",
    )
    points, merged = _points(pair, most)
    said = f"{name}: {plural(int(pair.n_items), 'item')}, differences are the first minus the second."
    if merged:
        said += " Items near each other share a dot, the larger the more there are."
    elif (points[2] > 1).any():
        said += " The larger a dot, the more items it stands for."
    return DifferencePlot(name, Markup(_drawn(pair, points, name, merged)), said, table)


def _points(pair: BlandAltman, most: int) -> tuple[FloatArray, bool]:
    """Return means, differences and how many items each point stands for; too many points are put on a grid."""
    points = np.stack([pair.means, pair.differences])
    found = _counted(points, pair.repeats)
    if found.shape[1] <= most:
        return found, False
    low, extent = points.min(axis=1, keepdims=True), np.ptp(points, axis=1, keepdims=True)
    steps = np.array([[_STEPS], [_STEPS * 2 // 3]])
    unit = np.where(extent > 0, extent, 1.0) / steps
    return _counted(low + np.round((points - low) / unit) * unit, pair.repeats), True


def _counted(points: FloatArray, repeats: FloatArray) -> FloatArray:
    distinct, where = np.unique(points, axis=1, return_inverse=True)
    return np.vstack([distinct, np.bincount(where.reshape(-1), repeats, distinct.shape[1])])


def _drawn(pair: BlandAltman, points: FloatArray, name: str, merged: bool) -> str:
    bands = [one for one in (pair.mean_interval, *(pair.limit_intervals or ())) if one is not None]
    heights = [0.0, *points[1], *(end for band in bands for end in (band.low, band.high))]
    (left, right), (low, high) = _range(points[0].min(), points[0].max()), _range(min(heights), max(heights))

    def x(value: float) -> float:
        return _LEFT + (_WIDTH - _LEFT - _RIGHT) * (value - left) / (right - left)

    def y(value: float) -> float:
        return _TOP + (_HEIGHT - _TOP - _BOTTOM) * (high - value) / (high - low)

    parts = [_band(band, y) for band in bands]
    parts.append(_level("zero", y(0)))
    for one, other, n in points.T.tolist():
        parts.append(
            tag(
                "circle",
                class_="point",
                cx=round(x(one), 1),
                cy=round(y(other), 1),
                r=_radius(n, points[2].max() if merged else 0.0),
            )
        )
    lower, upper = pair.limits or (None, None)
    parts += _lines([("line", "mean", pair.mean), ("edge", "upper", upper), ("edge", "lower", lower)], y)
    floor = _HEIGHT - _BOTTOM
    parts.append(_level("axis", floor))
    parts.append(tag("line", class_="axis", x1=_LEFT, x2=_LEFT, y1=_TOP, y2=floor))
    parts += [svg_text(plain(tick, 6), x(tick), floor + 20, text_anchor="middle") for tick in ticks(left, right, 6)]
    parts += [svg_text(plain(tick, 6), _LEFT - 7, y(tick) + 5, text_anchor="end") for tick in ticks(low, high, 6)]
    parts.append(svg_text("mean of both", (_LEFT + _WIDTH - _RIGHT) / 2, _HEIGHT - 8, text_anchor="middle"))
    middle = (_TOP + floor) / 2
    parts.append(svg_text("difference", 13, middle, text_anchor="middle", transform=f"rotate(-90 13 {middle:g})"))
    label = f"Differences of {name} by their mean; the table below has the numbers"
    return tag("svg", "\n".join(parts), viewBox=f"0 0 {_WIDTH:g} {_HEIGHT:g}", role="img", aria_label=label)


def _range(low: float, high: float) -> tuple[float, float]:
    """Return the ends of an axis with some space around the points."""
    space = 0.06 * (high - low) or abs(high) * 0.1 or 1.0
    return float(low - space), float(high + space)


def _radius(n: float, most: float) -> float:
    """Return the size of a dot for n items; `most` is how many the largest dot of a grid has."""
    step = (_WIDTH - _LEFT - _RIGHT) / _STEPS
    return round(float(max(step * 0.55 * np.sqrt(n / most), 0.9) if most else min(2.6 * n**0.35, 11.0)), 1)


def _band(interval: Interval, y: Callable[[float], float]) -> str:
    top, bottom = y(interval.high), y(interval.low)
    return tag("rect", class_="band", x=_LEFT, width=_WIDTH - _LEFT - _RIGHT, y=top, height=max(bottom - top, 0.5))


def _level(kind: str, y: float) -> str:
    return tag("line", class_=kind, x1=_LEFT, x2=_WIDTH - _RIGHT, y1=y, y2=y)


def _lines(lines: Sequence[tuple[str, str, float | None]], y: Callable[[float], float]) -> list[str]:
    """Draw the mean and the limits, each with its number on the right, where the numbers do not touch."""
    parts, said = [], []
    known = [(kind, name, value) for kind, name, value in lines if value is not None]
    for kind, name, value in known:
        parts.append(_level(kind, y(value)))
        said.append((y(value) + 4, f"{name} {_written(value, known)}"))
    place = -np.inf
    for wanted, text in sorted(said):
        place = max(wanted, place + 18)
        parts.append(svg_text(escaped(text), _WIDTH - _RIGHT + 8, place, "said"))
    return parts


def _written(value: float, lines: Sequence[tuple[str, str, float]]) -> str:
    greatest = max(abs(other) for *_, other in lines)
    return fixed(value, int(np.clip(2 - np.floor(np.log10(greatest)), 0, 6)) if greatest > 0 else 2)
