"""Curves of a benchmark as a figure: small multiples, after figures 24 to 30 of Mathet et al. (2015, §6.3).

Plain SVG, without scripts, fonts or anything from outside; every name is escaped.
"""

from __future__ import annotations

import itertools
import re
import textwrap
from collections.abc import Iterable, Iterator

import numpy as np

from unisono.arrays import BoolArray, FloatArray
from unisono.checks import check_choice
from unisono.reporting.curves_layout import (
    ABOVE,
    AXIS,
    BELOW,
    GAP,
    GRID_STEP,
    HEADING,
    LABEL,
    MARGIN,
    NUMBERS,
    TICK,
    TITLE,
    CurveLine,
    CurvesFigure,
    EndLabel,
    EndLabels,
    Panel,
    Plot,
    figure_layout,
    panels_of,
    spelled_error,
)
from unisono.reporting.curves_style import COLOURS, DASHES, curves_style
from unisono.reporting.markup import enumerated, escaped, fitted, plain, text_width
from unisono.reporting.measure_names import measure_labels
from unisono.reporting.palette import Follows, scoped
from unisono.reporting.pieces import fragment
from unisono.reporting.shown_tables import ShownCell, ShownTable
from unisono.reporting.svg import KeyEntry, clipped, drawing, key_rows, px, svg_text, tag
from unisono.reporting.templates import render
from unisono.shuffling.curves import YES_OR_NO, Curve, Curves

_BAND = 2.0
"""Bands reach so many standard errors to either side: a mean lies within in about 95% of cases."""
_MARKERS = (
    "m-3.4 0a3.4 3.4 0 1 0 6.8 0a3.4 3.4 0 1 0-6.8 0z",
    "m-3 -3h6v6h-6z",
    "m0 -4l3.8 6.8h-7.6z",
    "m0 -4.2l4.2 4.2l-4.2 4.2l-4.2 -4.2z",
)
"""Each drawn around its point, first filled, then hollow."""


def curves_svg(curves: Curves, *, by: str = "error", title: str = "", follows: Follows = "system") -> str:
    """Draw curves: mean agreement by magnitude, with a band of two standard errors to either side.

    Parameters
    ----------
    curves : Curves
        The curves, as `unisono.shuffling.benchmark` returns them.
    by : {"error", "measure"}
        One panel per kind of error with one line per measure, or the other way round.
    title : str
        The title above the panels.
    follows : {"system", "host"}
        What decides whether it is dark; a file of its own follows the system.

    Returns
    -------
    str
        An SVG element, which can also be a file of its own.
    """
    check_choice(by, "by", ("error", "measure"))
    panels = panels_of(curves, by)
    figure = figure_layout(panels)
    body, height = _body(figure, title)
    return drawing(
        body,
        figure.width,
        height,
        title=title or f"Agreement by magnitude, for each {'kind of error' if by == 'error' else 'measure'}",
        description=_description(panels),
        style=scoped(curves_style(follows)),
    )


def curves_html(curves: Curves) -> str:
    """Show curves in a notebook: the figure, and a judgement of each by the desiderata of §6.3."""
    by = "measure" if len(curves.measures) == 1 < len(curves.errors) else "error"
    table = render("tables", figures=[], tables=[_judgements(curves)], sentences=[])
    return fragment(f"<figure>{curves_svg(curves, by=by, follows='host')}</figure>\n{table}")


def _body(figure: CurvesFigure, title: str) -> tuple[list[str], float]:
    """Draw everything from top to bottom; return the height too."""
    plot = figure.plot
    parts, y = _title(title, figure.width, MARGIN)
    if not figure.panels:
        return [*parts, svg_text("no curves", MARGIN, y + 14, "soft")], y + 14 + MARGIN
    if figure.labels is None:
        legend, y = _legend(figure, y)
        parts += legend
    for k, panel in enumerate(figure.panels):
        row, column = divmod(k, figure.n_columns)
        at_x = MARGIN + AXIS + column * (plot.width + figure.space + GAP)
        at_y = y + ABOVE + row * (ABOVE + plot.height + BELOW)
        lowest = k + figure.n_columns >= len(figure.panels)
        labels = figure.labels[k] if figure.labels else {}
        inside = "\n".join(_panel(panel, figure, labels, leftmost=column == 0, lowest=lowest))
        parts.append(tag("g", inside, class_="panel", transform=f"translate({px(at_x)} {px(at_y)})"))
    n_rows = -(-len(figure.panels) // figure.n_columns)
    return parts, y + n_rows * (ABOVE + plot.height + BELOW) - BELOW + NUMBERS + MARGIN / 2


def _title(title: str, width: float, y: float) -> tuple[list[str], float]:
    """Write the title, in as many lines as needed."""
    parts = []
    most = int(len(title) * (width - 2 * MARGIN) / max(text_width(title, TITLE), 1.0))
    for line in textwrap.wrap(title, max(most, 1)):
        parts.append(svg_text(escaped(line), MARGIN, y + 15, "title"))
        y += 22
    return parts, y + 8 if parts else y


def _legend(figure: CurvesFigure, y: float) -> tuple[list[str], float]:
    """Explain the lines."""
    lines = {line.number: line for panel in figure.panels for line in panel.lines}
    left, right = MARGIN, figure.width - MARGIN
    entries = []
    for number, line in sorted(lines.items()):
        swatch = tag("path", class_=f"line {_stroke(number)} {_dash(number)}", d="M0 6H32")
        label = fitted(line.label, LABEL, right - left - 40)
        entries.append(KeyEntry(label, swatch + _marks(number, [(16, 6)]), 32))
    return key_rows(entries, left, right, y, size=LABEL, write=_svg_label)


def _panel(panel: Panel, figure: CurvesFigure, labels: EndLabels, *, leftmost: bool, lowest: bool) -> Iterator[str]:
    plot = figure.plot
    yield _heading(panel, plot.width + figure.space)
    yield from _grid(plot, leftmost=leftmost, lowest=lowest)
    lines = [line for line in panel.lines if line.known.any()]
    yield clipped((_band(line, plot) for line in lines), 0, 0, plot.width, plot.height)
    yield clipped((_curve(line, plot) for line in lines), -6, -6, plot.width + 12, plot.height + 12)
    yield from (_label(line, labels[line.number]) for line in panel.lines if line.number in labels)


def _heading(panel: Panel, space: float) -> str:
    """Name the panel, and the lines of which next to nothing can be seen."""
    heading = fitted(panel.heading, HEADING, space - 8)
    without = [line.label for line in panel.lines if not line.shown]
    names = "".join(_svg_label(label, ", ") for label in without[:-1]) + "".join(map(_svg_label, without[-1:]))
    if text_width(f"no curve: {', '.join(without)}", TICK) > space - text_width(heading, HEADING) - 10:
        names = f"{len(without)} of {len(panel.lines)}"
    more = tag("tspan", f"no curve: {names}", class_="note soft", dx=10) if without else ""
    return svg_text(_svg_label(heading, more), 0, -12, "heading")


def _grid(plot: Plot, *, leftmost: bool, lowest: bool) -> Iterator[str]:
    """Draw lines with their numbers: firm ones at 0 and 1, thin ones between and below."""
    values = [round(k * GRID_STEP, 10) for k in range(round(plot.low / GRID_STEP), round(1 / GRID_STEP) + 1)]
    thin = "".join(f"M0 {px(plot.y(value))}h{px(plot.width)}" for value in values if value not in (0, 1))
    yield tag("path", class_="grid", d=thin)
    firm = "".join(f"M0 {px(plot.y(value))}h{px(plot.width)}" for value in (1, 0))
    ticks = "".join(f"M{px(plot.x(k / 5))} {px(plot.height)}v4" for k in range(6))
    yield tag("path", class_="firm", d=firm + ticks)
    if leftmost:
        yield from (svg_text(plain(value), -6, plot.y(value) + 4, "tick soft y") for value in values)
        turned = f"translate(-34 {px(plot.height / 2)}) rotate(-90)"
        yield tag("text", "agreement", class_="tick soft x", transform=turned)
    if lowest:
        yield from (svg_text(plain(k / 5), plot.x(k / 5), plot.height + 17, "tick soft x") for k in range(6))
        yield svg_text("magnitude", plot.width / 2, plot.height + 32, "tick soft x")


def _band(line: CurveLine, plot: Plot) -> str:
    """Fill what lies within two standard errors; at an isolated point, draw a bar."""
    curve, shapes = line.curve, []
    known = line.known & np.isfinite(curve.standard_error)
    low, high = (curve.mean + side * _BAND * curve.standard_error for side in (-1, 1))
    for run in _runs(known):
        top, bottom = _points(line, high, run, plot), _points(line, low, run, plot)
        shape = _path([*top, *reversed(bottom)])
        alone = len(run) == 1
        kind = f"bar {_stroke(line.number)}" if alone else f"band {_fill(line.number)}"
        shapes.append(tag("path", class_=kind, d=shape if alone else f"{shape}Z"))
    return "".join(shapes)


def _curve(line: CurveLine, plot: Plot) -> str:
    """Draw a curve, interrupted where it has no value, and mark where it leaves the plot."""
    mean, number = line.curve.mean, line.number
    runs = list(_runs(line.known))
    path = "".join(_path(_points(line, mean, run, plot)) for run in runs)
    step = max(1, round(int(line.known.sum()) / 6))
    marked = [k for run in runs for k in run if len(run) == 1 or k % step == number % step]
    inside = [k for k in marked if plot.holds(mean[k])]
    parts = [
        tag("title", escaped(f"{line.label}: {_words(line.curve)}")),
        tag("path", class_=f"line {_stroke(number)} {_dash(number)}", d=path),
        _marks(number, _points(line, mean, inside, plot)),
        _cuts(line, plot),
    ]
    return tag("g", "".join(parts), class_="curve")


def _cuts(line: CurveLine, plot: Plot) -> str:
    """Point to values that lie outside."""
    arrows = []
    for k in np.flatnonzero(line.known):
        value = float(line.curve.mean[k])
        if not plot.holds(value):
            down = 1 if value < plot.low else -1
            arrows.append(f"M{px(plot.x(line.curve.magnitudes[k]) - 3.5)} {px(plot.kept(value))}l3.5 {4 * down}")
            arrows.append(f"l3.5 {-4 * down}")
    return tag("path", class_=f"cut {_stroke(line.number)}", d="".join(arrows)) if arrows else ""


def _marks(number: int, points: Iterable[tuple[float, float]]) -> str:
    shape = _MARKERS[number % len(_MARKERS)]
    kind = f"hollow {_stroke(number)}" if number // len(_MARKERS) % 2 else f"mark {_fill(number)}"
    path = "".join(f"M{px(x)} {px(y)}{shape}" for x, y in points)
    return tag("path", class_=kind, d=path) if path else ""


def _stroke(number: int) -> str:
    return f"c{number % len(COLOURS['light'])}"


def _fill(number: int) -> str:
    return f"f{number % len(COLOURS['light'])}"


def _dash(number: int) -> str:
    return f"h{number % len(DASHES)}"


def _points(line: CurveLine, values: FloatArray, indices: Iterable[int], plot: Plot) -> list[tuple[float, float]]:
    return [(plot.x(line.curve.magnitudes[k]), plot.y(float(values[k]))) for k in indices]


def _path(points: Iterable[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{px(x)} {px(y)}" for x, y in points)


def _runs(mask: BoolArray) -> Iterator[list[int]]:
    """Return the runs of indices for which a mask is true."""
    for holds, run in itertools.groupby(range(len(mask)), key=lambda k: bool(mask[k])):
        if holds:
            yield list(run)


def _label(line: CurveLine, place: EndLabel) -> str:
    leader = _path([(place.end_x + 4, place.end_y), (place.x - 3, place.y)])
    label = svg_text(_svg_label(line.label), place.x, place.y + 4, "label")
    return tag("path", class_=f"leader {_stroke(line.number)}", d=leader) + label


_SUBSCRIPT = re.compile(r"^(\w{1,2})_(\w)(?=$|[ (…])")


def _svg_label(label: str, more: str = "") -> str:
    """Write κ_d with a subscript, and what follows on the line again."""
    found = _SUBSCRIPT.match(label)
    if found is None:
        return escaped(label) + more
    rest = escaped(label[found.end() :]) + more
    raised = tag("tspan", rest, dy=-3) if rest else ""
    return found[1] + tag("tspan", found[2], class_="sub", dy=3) + raised


def _description(panels: Iterable[Panel]) -> str:
    """Describe in words what each curve does."""
    said = [f"Panel {panel.heading}. {_sentence(panel)}." for panel in panels if panel.lines]
    return " ".join(["Mean agreement by magnitude of errors, from 0 to 1.", *said])


def _sentence(panel: Panel) -> str:
    return ". ".join(f"{line.label}: {_words(line.curve)}" for line in panel.lines)


def _words(curve: Curve) -> str:
    """Describe a curve, and where it has no value."""
    known = np.isfinite(curve.mean)
    if not known.any():
        return str(curve.judgement)
    gaps = [
        f"{curve.magnitudes[run[0]]:g}" + (f"–{curve.magnitudes[run[-1]]:g}" if len(run) > 1 else "")
        for run in _runs(~known)
    ]
    return f"{curve.judgement}; no value at {enumerated(gaps)}" if gaps else str(curve.judgement)


def _judgements(curves: Curves) -> ShownTable:
    """Judge each curve by the desiderata."""
    labels = measure_labels(curves.measures)
    columns = ("error", "measure", "full range", "decreasing", "never below 0", "curve")
    rows = []
    for curve in curves.curves:
        label, name = labels[curve.measure], curve.measure
        answers = [YES_OR_NO[answer] for answer in curve.judgement.answers().values()]
        texts = [spelled_error(curve.errors), label if label == name else f"{label}: {name}", *answers, _words(curve)]
        rows.append([ShownCell(words) for words in texts])
    return ShownTable("Judgements", columns, rows, numeric=[False] * len(columns))
