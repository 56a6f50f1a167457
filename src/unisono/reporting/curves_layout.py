"""Where everything stands in the figure of a benchmark, in pixels: panels, lines, labels."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from unisono.arrays import BoolArray
from unisono.reporting.markup import text_width
from unisono.reporting.measure_names import measure_labels
from unisono.shuffling.curves import Curve, Curves
from unisono.statistics.isotonic import non_increasing

_LOWEST = -0.4
"""No axis goes lower, to leave enough space for what matters; lower values are cut off and marked."""
GRID_STEP = 0.2
"""Between two lines of the grid."""
_TOLERANCE = 0.02
"""What is no farther beyond the axis looks as if it were on it."""
MARGIN, GAP, AXIS = 14.0, 16.0, 40.0
ABOVE, BELOW, NUMBERS = 24.0, 20.0, 38.0
"""Above a panel, between it and the next, and below the last ones for the numbers of the axis."""
TICK, LABEL, HEADING, TITLE = 11.0, 12.0, 15.0, 18.5
"""Sizes of text; the last two are larger than in the style sheet because bold text is wider."""
_ROW = 14.0
_LEADER = 15.0
_FARTHEST = 3.2 * _ROW
"""The greatest distance of a label from its line's end."""
_WIDEST = 0.26
"""Labels that would take a larger share of a panel's width go to the legend."""


@dataclass(frozen=True)
class CurveLine:
    """A curve as it is drawn: its label, and the number that determines colour, dashes and marker."""

    curve: Curve
    number: int
    label: str

    @property
    def known(self) -> BoolArray:
        """Where there is a value."""
        return np.isfinite(self.curve.mean)

    @property
    def shown(self) -> bool:
        """Whether there is something to see: more than a single point, unless only one magnitude was measured."""
        return int(self.known.sum()) >= min(2, max(1, len(self.curve.magnitudes)))

    @property
    def last(self) -> int:
        """Index of the last point that has a value."""
        return int(np.flatnonzero(self.known)[-1])


@dataclass(frozen=True)
class Panel:
    """A panel: its heading and its lines."""

    heading: str
    lines: tuple[CurveLine, ...]


@dataclass(frozen=True)
class Plot:
    """The area in which lines are drawn, in pixels, with its upper left corner at (0, 0)."""

    width: float
    height: float
    low: float

    def x(self, magnitude: float) -> float:
        """Return where a magnitude is drawn."""
        return self.width * magnitude

    def y(self, agreement: float) -> float:
        """Return the height of a value, which may lie outside."""
        return self.height * (1 - max(min(agreement, 1e4), -1e4)) / (1 - self.low)

    def kept(self, agreement: float) -> float:
        """Return the height at which a value is shown even if it lies outside."""
        return self.y(max(min(agreement, 1.0), self.low))

    def holds(self, agreement: float) -> bool:
        """Whether a value lies inside."""
        return self.low - _TOLERANCE <= agreement <= 1 + _TOLERANCE


@dataclass(frozen=True)
class EndLabel:
    """Where a line's label stands (its left end and its middle), and where the line ends."""

    x: float
    y: float
    end_x: float
    end_y: float


EndLabels: TypeAlias = Mapping[int, EndLabel]


@dataclass(frozen=True)
class CurvesFigure:
    """Panels in rows, all of one size, with labels to their right, or with a legend instead."""

    panels: tuple[Panel, ...]
    width: float
    n_columns: int
    space: float
    plot: Plot
    labels: tuple[EndLabels, ...] | None


def panels_of(curves: Curves, by: str) -> tuple[Panel, ...]:
    """Make one panel per kind of error, or per measure, and label all lines."""
    errors = {name: spelled_error(name) for name in curves.errors}
    measures = measure_labels(curves.measures)
    panels, lines = (errors, measures) if by == "error" else (measures, errors)
    number = {name: k for k, name in enumerate(lines)}
    own = [(c.errors, c.measure, c) if by == "error" else (c.measure, c.errors, c) for c in curves.curves]
    return tuple(
        Panel(heading, tuple(CurveLine(curve, number[line], lines[line]) for at, line, curve in own if at == panel))
        for panel, heading in panels.items()
    )


def spelled_error(name: str) -> str:
    """Write false-negatives+category as in running text."""
    return re.sub(r"(?<=[a-z)])\+(?=[a-z])", " + ", re.sub(r"(?<=[a-z])-(?=[a-z])", " ", name))


def figure_layout(panels: tuple[Panel, ...]) -> CurvesFigure:
    """Leave space for labels if they are short and each finds a place; otherwise for a legend."""
    n_columns = 1 if len(panels) <= 1 else 2 if len(panels) in (2, 4) else 3
    width = 560.0 if n_columns == 1 else 900.0
    inner = (width - 2 * MARGIN - AXIS - GAP * (n_columns - 1)) / n_columns
    widest = max((text_width(line.label, LABEL) for panel in panels for line in panel.lines), default=0.0)
    if widest <= _WIDEST * inner:
        space = _LEADER + widest
        plot = _plot(panels, inner - space)
        labels = [found for panel in panels if (found := _labels(panel, plot)) is not None]
        if len(labels) == len(panels):
            return CurvesFigure(panels, width, n_columns, space, plot, tuple(labels))
    return CurvesFigure(panels, width, n_columns, 6.0, _plot(panels, inner - 6.0), None)


def _plot(panels: Iterable[Panel], width: float) -> Plot:
    return Plot(width, min(max(0.74 * width, 180.0), 290.0), _low(panels))


def _low(panels: Iterable[Panel]) -> float:
    """Let the axis begin at 0, or at a grid line below all values."""
    means = [line.curve.mean[line.known] for panel in panels for line in panel.lines]
    lowest = min((float(mean.min()) for mean in means if len(mean)), default=0.0)
    steps = math.floor(max(lowest, _LOWEST) / GRID_STEP + _TOLERANCE / GRID_STEP)
    return max(_LOWEST, min(0.0, steps * GRID_STEP))


def _labels(panel: Panel, plot: Plot) -> EndLabels | None:
    """Find a place for each label at its line's end where it touches no other; None if there is none.

    Lines that end at the same magnitude share a column, the rightmost first.
    """
    found: dict[int, EndLabel] = {}
    taken: list[tuple[float, float, float]] = []
    lines = sorted((line for line in panel.lines if line.shown), key=lambda line: _end(line, plot)[1])
    for end in sorted({_end(line, plot)[0] for line in lines}, reverse=True):
        column = [line for line in lines if _end(line, plot)[0] == end]
        wanted = [_end(line, plot)[1] for line in column]
        for line, y, at in zip(column, wanted, _spread(wanted, plot), strict=True):
            left, right = end + _LEADER, end + _LEADER + text_width(line.label, LABEL)
            met = any(begin < right and left < stop and abs(at - other) < _ROW - 1 for begin, stop, other in taken)
            if met or abs(at - y) > _FARTHEST or _crossed(left - 6, right, at, lines, line, plot):
                return None
            found[line.number] = EndLabel(left, at, end, y)
            taken.append((left, right, at))
    return found


def _end(line: CurveLine, plot: Plot) -> tuple[float, float]:
    return plot.x(line.curve.magnitudes[line.last]), plot.kept(float(line.curve.mean[line.last]))


def _spread(wanted: Sequence[float], plot: Plot) -> list[float]:
    """Move sorted heights apart, by a row each and as little as possible (isotonic regression)."""
    rows = _ROW * np.arange(len(wanted), dtype=np.float64)
    most = max(plot.height - (len(wanted) - 1) * _ROW, 0.0)
    return [float(height) for height in np.clip(-non_increasing(rows - np.array(wanted)), 0.0, most) + rows]


def _crossed(left: float, right: float, y: float, lines: Iterable[CurveLine], own: CurveLine, plot: Plot) -> bool:
    """Whether another line that goes on beyond this one's end runs through a label's place."""
    for line in lines:
        x = np.array(line.curve.magnitudes)[line.known] * plot.width
        if line is own or x[-1] < left:
            continue
        across = np.linspace(left, min(right, x[-1]), 12)
        heights = np.interp(across, x, [plot.kept(value) for value in line.curve.mean[line.known]])
        if (np.abs(heights - y) < _ROW / 2 + 1).any():
            return True
    return False
