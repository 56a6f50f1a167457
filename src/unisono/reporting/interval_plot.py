"""Values as dots with their intervals, one below the other on one axis: to compare them at a glance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from unisono.reporting.alignment_layout import ticks
from unisono.reporting.cards import value_text
from unisono.reporting.markup import escaped, fitted, is_finite, plain, text_width
from unisono.reporting.palette import SIGNALS, scoped
from unisono.reporting.svg import drawing, px, svg_text, tag
from unisono.reporting.templates import style_sheet
from unisono.results.shown import written_alike

_ROW, _TWO_LINES, _HEADING, _AXIS, _ABOVE = 24.0, 40.0, 30.0, 26.0, 3.0
_SIZE, _RADIUS, _GAP, _ARROW = 13.0, 4.5, 14.0, 5.0
_WIDEST_NAME = 230.0
_WIDTH, _NARROW, _NARROWEST_PLOT = 660.0, 350.0, 200.0
_LOWEST, _HIGHEST = -1.0, 2.0
"""The axis ends there, and longer intervals have an arrow."""
_N_TICKS = 6


@dataclass(frozen=True)
class IntervalRow:
    """A value with its limits; a row without a value is a heading."""

    name: str
    value: float | None = None
    low: float | None = None
    high: float | None = None
    address: str = ""
    """Where the name leads."""
    certain: bool = True
    """Whether the dot is filled; a difference that may be nothing has an open dot."""
    heading: bool = False
    bar: bool = False
    """Whether it is a bar from 0, for magnitudes."""


@dataclass(frozen=True)
class _Plot:
    """Where things stand; if it is narrow, names and numbers are above the lines."""

    width: float
    left: float
    right: float
    low: float
    high: float
    narrow: bool

    @property
    def row(self) -> float:
        return _TWO_LINES if self.narrow else _ROW

    def x(self, value: float) -> float:
        share = (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)
        return self.left + share * (self.right - self.left)


def interval_figure(rows: Sequence[IntervalRow], *, title: str, whole: bool = True) -> str:
    """Draw rows for a page whose style sheet has `intervals.css`, once for wide windows and once for narrow ones.

    `whole` if the axis must show 0 and 1.
    """
    label = f"{title}; the table has the same numbers"
    role = "group" if any(row.address for row in rows) else "img"
    found = []
    for kind, width in (("wide", _WIDTH), ("narrow", _NARROW)):
        parts, height = _parts(rows, whole=whole, width=width)
        box = f"0 0 {px(width)} {px(height)}"
        found.append(tag("svg", "".join(parts), class_=f"intervals {kind}", role=role, aria_label=label, viewBox=box))
    return "".join(found)


def interval_drawing(rows: Sequence[IntervalRow], *, title: str, whole: bool = True) -> str:
    """Draw rows for a notebook."""
    parts, height = _parts(rows, whole=whole, width=_WIDTH)
    said = "; ".join(f"{row.name}: {_said(row)}" for row in rows if not row.heading)
    style = scoped(style_sheet("hosts") + style_sheet("intervals"), SIGNALS, follows="host")
    return drawing(parts, _WIDTH, height, title=title, description=said, style=style)


def interval_style() -> str:
    """Return the rules for pages."""
    return style_sheet("intervals").replace("&", ".intervals")


def _parts(rows: Sequence[IntervalRow], *, whole: bool, width: float) -> tuple[list[str], float]:
    """Draw everything from top to bottom; return the height too."""
    plot = _laid_out(rows, whole, width)
    heights = [_HEADING if row.heading else plot.row for row in rows]
    bottom = _ABOVE + sum(heights)
    marks = ticks(plot.low, plot.high, _N_TICKS)
    parts = [tag("line", class_="rule", x1=plot.x(at), x2=plot.x(at), y1=0, y2=bottom) for at in marks]
    parts.append(tag("line", class_="zero", x1=plot.x(0), x2=plot.x(0), y1=0, y2=bottom))
    y = _ABOVE
    for row, height in zip(rows, heights, strict=True):
        y += height
        if row.heading:
            parts.append(svg_text(escaped(row.name), 0, y - 8, "heading"))
        else:
            parts += [*_words(row, y, plot), *_marks(row, y - (_ROW / 2 if not plot.narrow else 9), plot)]
    parts += [svg_text(plain(at, 4), plot.x(at), bottom + 15, "tick") for at in marks]
    return parts, bottom + _AXIS


def _laid_out(rows: Sequence[IntervalRow], whole: bool, width: float) -> _Plot:
    narrow = width < _WIDTH
    names = [text_width(row.name, _SIZE) for row in rows if not row.heading]
    said = max((text_width(_said(row), _SIZE) for row in rows if not row.heading), default=0.0)
    left = _RADIUS if narrow else min(max(names, default=0.0), _WIDEST_NAME) + _GAP
    right = width - _GAP if narrow else max(width - 1.1 * said - _GAP, left + _NARROWEST_PLOT)
    numbers = [n for row in rows for n in (row.value, row.low, row.high) if n is not None and is_finite(n)]
    low, high = min([0.0, *numbers]), max([1.0 if whole else 0.0, *numbers])
    low, high = max(low, _LOWEST), min(high, _HIGHEST)
    if not high - low > 0:
        low, high = low - 0.1, high + 0.1
    room = 0.0 if whole else 0.05 * (high - low)
    return _Plot(width, left, right, low - room, high + room, narrow)


def _words(row: IntervalRow, y: float, plot: _Plot) -> list[str]:
    """Write the name and the numbers of a row that ends at y."""
    line = y - (plot.row - 15 if plot.narrow else _ROW / 2 - 4)
    space = plot.width - 1.1 * text_width(_said(row), _SIZE) - _GAP if plot.narrow else plot.left - _GAP + 1
    name = svg_text(escaped(fitted(row.name, _SIZE, space)), 0, line, "name")
    said = escaped(_said(row))
    numbers = (
        svg_text(said, plot.width, line, "said", text_anchor="end")
        if plot.narrow
        else svg_text(said, plot.right + _GAP, line, "said")
    )
    return [tag("a", name, href=row.address) if row.address else name, numbers]


def _marks(row: IntervalRow, y: float, plot: _Plot) -> list[str]:
    """Draw the value of a row with its limits."""
    if row.value is None or not is_finite(row.value):
        return []
    if row.bar:
        return [tag("line", class_="bar", x1=plot.x(0), x2=plot.x(row.value), y1=y, y2=y)]
    parts = []
    if row.low is not None and row.high is not None:
        parts.append(tag("line", class_="span", x1=plot.x(row.low), x2=plot.x(row.high), y1=y, y2=y))
        parts += [_arrow(plot.x(end), y, way) for end, way in ((row.low, -1), (row.high, 1)) if _beyond(end, way, plot)]
    kind, radius = ("point", _RADIUS) if row.certain else ("point open", _RADIUS - 0.5)
    return [*parts, tag("circle", class_=kind, cx=plot.x(row.value), cy=y, r=radius)]


def _beyond(end: float, way: int, plot: _Plot) -> bool:
    return end < plot.low if way < 0 else end > plot.high


def _arrow(x: float, y: float, way: int) -> str:
    down, across, back = px(_ARROW), px(way * _ARROW), px(-way * _ARROW)
    return tag("path", class_="point", d=f"M{px(x)} {px(y - _ARROW)}l{across} {down}l{back} {down}z")


def _said(row: IntervalRow) -> str:
    if row.value is None:
        return "no value"
    if row.low is None or row.high is None or not is_finite(row.value):
        return value_text(row.value)
    value, low, high = written_alike(row.value, row.low, row.high)
    return f"{value} ({low} to {high})"
