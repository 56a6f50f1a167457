"""Curves of a benchmark as a figure: small multiples, after figures 24 to 30 of Mathet et al. (2015, §6.3).

Plain SVG, without scripts, fonts or anything from outside; every name is escaped. Colours are written out twice, for
light and for dark surroundings, and not as variables, so that programs that know little CSS can draw the file too.
"""

from __future__ import annotations

import itertools
import math
import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from unisono.arrays import BoolArray, FloatArray
from unisono.errors import OptionError
from unisono.measures.registry import Measure, parse_measure
from unisono.measures.spec import quoted
from unisono.report.markup import escaped, listed, plain, scope, shortened, text_width
from unisono.report.notebook import fragment
from unisono.shuffling.curves import Curve, Curves

_LOWEST = -0.4
"""No axis goes deeper, lest little is left for what matters; lower values are cut off, and marked."""
_STEP = 0.2
"""Between two lines of the grid."""
_TOLERANCE = 0.02
"""So little beyond the axis is not seen."""
_SURE = 2.0
"""Bands show so many standard errors."""
_MARGIN, _GAP, _AXIS = 14.0, 16.0, 40.0
_ABOVE, _BELOW, _NUMBERS = 24.0, 20.0, 38.0
"""Above a panel, between it and the next, and below the last ones for the numbers of the axis."""
_TICK, _LABEL, _HEADING, _TITLE = 11.0, 12.0, 15.0, 18.5
"""Sizes of text, the last two taken larger than they are, for they are bold."""
_ROW = 14.0
_LEADER = 15.0
_FARTHEST = 3.2 * _ROW
"""A label stands no farther from its line's end."""
_WIDEST = 0.26
"""Labels that take a larger share of a panel go to the legend."""

_COLOURS = {
    "light": ("#0a4ba0", "#dd730c", "#27a17b", "#630f40", "#665713", "#9536e8", "#d5405a"),
    "dark": ("#6aa3fb", "#f5891c", "#55eed3", "#b252a2", "#ead996", "#9a55f5", "#e0484e"),
}
"""Told apart with any kind of colour blindness; neighbours differ in lightness."""
_SURFACE = {
    "light": {"paper": "#fff", "ink": "#1f2933", "soft": "#5b6673", "line": "#dfe4ea", "firm": "#9aa5b1"},
    "dark": {"paper": "#14181d", "ink": "#e6eaef", "soft": "#a3adb9", "line": "#323a44", "firm": "#66717e"},
}
_DASHES = ("none", "7 3", "2 2.5", "9 3 2 3", "4 2.5")
_MARKERS = (
    "m-3.4 0a3.4 3.4 0 1 0 6.8 0a3.4 3.4 0 1 0-6.8 0z",
    "m-3 -3h6v6h-6z",
    "m0 -4l3.8 6.8h-7.6z",
    "m0 -4.2l4.2 4.2l-4.2 4.2l-4.2 -4.2z",
)
"""Each drawn around its point, first filled, then hollow."""

_RULES = """
& text{font:12px system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
& .title{font-size:16px;font-weight:650}
& .heading{font-size:13px;font-weight:600}
& .note{font-size:11px;font-weight:400}
& .tick{font-size:11px}
& .x{text-anchor:middle}
& .y{text-anchor:end}
& .grid,& .firm,& .line,& .leader,& .bar,& .cut{fill:none}
& .grid,& .firm{shape-rendering:crispEdges}
& .line{stroke-width:1.9;stroke-linejoin:round}
& .band{fill-opacity:.17;stroke:none}
& .bar{stroke-width:1.2}
& .mark{stroke-width:1}
& .hollow{stroke-width:1.5}
& .cut{stroke-width:1.8;stroke-linecap:round;stroke-linejoin:round}
& .leader{stroke-width:1}
& .label{paint-order:stroke;stroke-width:3;stroke-linejoin:round}
& .sub{font-size:9px}
"""


def curves_svg(curves: Curves, *, by: str = "error", title: str = "") -> str:
    """Draw curves: mean agreement by magnitude, with a band of two standard errors to either side.

    Parameters
    ----------
    curves : Curves
        What `unisono.benchmark` gives.
    by : {"error", "measure"}
        A panel for each kind of error with a line a measure, or a panel for each measure with a line a kind of error.
    title : str
        Stands above the panels.

    Returns
    -------
    str
        An SVG element, which is also a file of its own.
    """
    if by not in ("error", "measure"):
        raise OptionError(f"by must be error or measure, not {by!r}")
    panels = _panels(curves, by)
    figure = _layout(panels)
    body, height = _body(figure, title)
    name = escaped(title or f"Agreement by magnitude, for each {'kind of error' if by == 'error' else 'measure'}")
    style = _style()
    size = f'width="{_n(figure.width)}" height="{_n(height)}"'
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="{scope(style)}" role="img" aria-label="{name}" '
            f'viewBox="0 0 {_n(figure.width)} {_n(height)}" {size} style="max-width:100%;height:auto">',
            f"<title>{name}</title><desc>{escaped(_description(panels))}</desc>",
            f"<style>{style.replace('&', '.' + scope(style))}</style>",
            f'<rect class="paper" {size} rx="6"/>',
            *body,
            "</svg>\n",
        ]
    )


def curves_html(curves: Curves) -> str:
    """Show curves in a notebook: the figure, and what the desiderata say of each (§6.3)."""
    by = "measure" if len(curves.measures) == 1 < len(curves.errors) else "error"
    return fragment([f"<figure>{curves_svg(curves, by=by)}</figure>", _table(curves)])


@dataclass(frozen=True)
class _Line:
    """A curve as it is drawn: its label, and the number that colour, dashes and marker come from."""

    curve: Curve
    number: int
    label: str

    @property
    def known(self) -> BoolArray:
        """Where there is a value."""
        return np.isfinite(self.curve.mean)

    @property
    def shown(self) -> bool:
        """Whether there is something to see: more than a single point, unless no more was asked for."""
        return int(self.known.sum()) >= min(2, max(1, len(self.curve.magnitudes)))

    @property
    def last(self) -> int:
        """Index of the last point that has a value."""
        return int(np.flatnonzero(self.known)[-1])


@dataclass(frozen=True)
class _Panel:
    heading: str
    lines: tuple[_Line, ...]


@dataclass(frozen=True)
class _Plot:
    """The area in which lines are drawn, in pixels, its left upper corner at (0, 0)."""

    width: float
    height: float
    low: float

    def x(self, magnitude: float) -> float:
        return self.width * magnitude

    def y(self, agreement: float) -> float:
        return self.height * (1 - max(min(agreement, 1e4), -1e4)) / (1 - self.low)

    def kept(self, agreement: float) -> float:
        """Give the height at which a value is shown, even if it lies outside."""
        return self.y(max(min(agreement, 1.0), self.low))

    def holds(self, agreement: float) -> bool:
        return self.low - _TOLERANCE <= agreement <= 1 + _TOLERANCE


@dataclass(frozen=True)
class _Label:
    """Where a line's label stands, its left end and its middle, and where the line ends."""

    x: float
    y: float
    end_x: float
    end_y: float


_Labels: TypeAlias = Mapping[int, _Label]


@dataclass(frozen=True)
class _Figure:
    """Panels in rows, all alike, with labels at their right, or without if there is a legend instead."""

    panels: tuple[_Panel, ...]
    width: float
    n_columns: int
    room: float
    plot: _Plot
    labels: tuple[_Labels, ...] | None


def _panels(curves: Curves, by: str) -> tuple[_Panel, ...]:
    errors = {name: _spelled_error(name) for name in curves.errors}
    measures = _measure_labels(curves.measures)
    panels, lines = (errors, measures) if by == "error" else (measures, errors)
    number = {name: k for k, name in enumerate(lines)}
    own = [(c.errors, c.measure, c) if by == "error" else (c.measure, c.errors, c) for c in curves.curves]
    return tuple(
        _Panel(heading, tuple(_Line(curve, number[line], lines[line]) for at, line, curve in own if at == panel))
        for panel, heading in panels.items()
    )


def _spelled_error(name: str) -> str:
    """Write false-negatives+category as one would in a text."""
    return re.sub(r"(?<=[a-z)])\+(?=[a-z])", " + ", re.sub(r"(?<=[a-z])-(?=[a-z])", " ", name))


def _measure_labels(names: Iterable[str]) -> dict[str, str]:
    """Call measures by their symbols, and where two share one, by what tells them apart."""
    known = {name: _measure(name) for name in names}
    return {
        name: name if own is None else _told_apart(own, [other for other in known.values() if other is not None])
        for name, own in known.items()
    }


def _measure(name: str) -> Measure | None:
    try:
        return parse_measure(name)
    except OptionError:
        return None


def _told_apart(measure: Measure, known: Iterable[Measure]) -> str:
    symbol = measure.declaration.symbol
    same = [other for other in known if other.declaration.symbol == symbol]
    if any(other.declaration.name != measure.declaration.name for other in same):
        return str(measure)
    own = [
        f"{key}={quoted(value)}"
        for key, value in measure.given.items()
        if any(other.given.get(key) != value for other in same)
    ]
    return f"{symbol} ({', '.join(own)})" if own else symbol


def _layout(panels: tuple[_Panel, ...]) -> _Figure:
    """Make room for labels if they are short, and if each finds a place; else for a legend."""
    n_columns = 1 if len(panels) <= 1 else 2 if len(panels) in (2, 4) else 3
    width = 560.0 if n_columns == 1 else 900.0
    inner = (width - 2 * _MARGIN - _AXIS - _GAP * (n_columns - 1)) / n_columns
    widest = max((text_width(line.label, _LABEL) for panel in panels for line in panel.lines), default=0.0)
    if widest <= _WIDEST * inner:
        room = _LEADER + widest
        plot = _plot(panels, inner - room)
        labels = [found for panel in panels if (found := _labels(panel, plot)) is not None]
        if len(labels) == len(panels):
            return _Figure(panels, width, n_columns, room, plot, tuple(labels))
    return _Figure(panels, width, n_columns, 6.0, _plot(panels, inner - 6.0), None)


def _plot(panels: Iterable[_Panel], width: float) -> _Plot:
    return _Plot(width, min(max(0.74 * width, 180.0), 290.0), _low(panels))


def _low(panels: Iterable[_Panel]) -> float:
    """Let the axis begin at 0, or at a line of the grid below all values."""
    means = [line.curve.mean[line.known] for panel in panels for line in panel.lines]
    lowest = min((float(mean.min()) for mean in means if len(mean)), default=0.0)
    steps = math.floor(max(lowest, _LOWEST) / _STEP + _TOLERANCE / _STEP)
    return max(_LOWEST, min(0.0, steps * _STEP))


def _labels(panel: _Panel, plot: _Plot) -> _Labels | None:
    """Find a place at its end for each line's label, where it touches no other; None if that cannot be.

    Lines that end at the same magnitude share a column, the rightmost first.
    """
    found: dict[int, _Label] = {}
    taken: list[tuple[float, float, float]] = []
    lines = sorted((line for line in panel.lines if line.shown), key=lambda line: _end(line, plot)[1])
    for end in sorted({_end(line, plot)[0] for line in lines}, reverse=True):
        column = [line for line in lines if _end(line, plot)[0] == end]
        wanted = [_end(line, plot)[1] for line in column]
        for line, y, at in zip(column, wanted, _spread(wanted, plot), strict=True):
            left, right = end + _LEADER, end + _LEADER + text_width(line.label, _LABEL)
            met = any(begin < right and left < stop and abs(at - other) < _ROW - 1 for begin, stop, other in taken)
            if met or abs(at - y) > _FARTHEST or _crossed(left - 6, right, at, lines, line, plot):
                return None
            found[line.number] = _Label(left, at, end, y)
            taken.append((left, right, at))
    return found


def _end(line: _Line, plot: _Plot) -> tuple[float, float]:
    return plot.x(line.curve.magnitudes[line.last]), plot.kept(float(line.curve.mean[line.last]))


def _spread(wanted: Sequence[float], plot: _Plot) -> list[float]:
    """Move heights, given in order, apart by a row each, and as little as possible (isotonic regression)."""
    blocks: list[tuple[float, int]] = []
    for k, height in enumerate(wanted):
        blocks.append((height - k * _ROW, 1))
        while len(blocks) > 1 and blocks[-2][0] > blocks[-1][0]:
            (a, n), (b, m) = blocks[-2:]
            blocks[-2:] = [((a * n + b * m) / (n + m), n + m)]
    most = max(plot.height - (len(wanted) - 1) * _ROW, 0.0)
    levels = [min(max(level, 0.0), most) for level, n in blocks for _ in range(n)]
    return [level + k * _ROW for k, level in enumerate(levels)]


def _crossed(left: float, right: float, y: float, lines: Iterable[_Line], own: _Line, plot: _Plot) -> bool:
    """Tell whether another line that goes on beyond this one's end runs through a label's place."""
    for line in lines:
        x = np.array(line.curve.magnitudes)[line.known] * plot.width
        if line is own or x[-1] < left:
            continue
        across = np.linspace(left, min(right, x[-1]), 12)
        heights = np.interp(across, x, [plot.kept(value) for value in line.curve.mean[line.known]])
        if (np.abs(heights - y) < _ROW / 2 + 1).any():
            return True
    return False


def _body(figure: _Figure, title: str) -> tuple[list[str], float]:
    """Draw everything from top to bottom; give the height too."""
    plot = figure.plot
    parts, y = _title(title, figure.width, _MARGIN)
    if not figure.panels:
        return [*parts, f'<text class="soft" x="{_n(_MARGIN)}" y="{_n(y + 14)}">no curves</text>'], y + 14 + _MARGIN
    if figure.labels is None:
        legend, y = _legend(figure, y)
        parts += legend
    for k, panel in enumerate(figure.panels):
        row, column = divmod(k, figure.n_columns)
        at_x = _MARGIN + _AXIS + column * (plot.width + figure.room + _GAP)
        at_y = y + _ABOVE + row * (_ABOVE + plot.height + _BELOW)
        lowest = k + figure.n_columns >= len(figure.panels)
        parts.append(f'<g class="panel" transform="translate({_n(at_x)} {_n(at_y)})">')
        parts += _panel(panel, figure, figure.labels[k] if figure.labels else {}, leftmost=column == 0, lowest=lowest)
        parts.append("</g>")
    n_rows = -(-len(figure.panels) // figure.n_columns)
    return parts, y + n_rows * (_ABOVE + plot.height + _BELOW) - _BELOW + _NUMBERS + _MARGIN / 2


def _title(title: str, width: float, y: float) -> tuple[list[str], float]:
    """Write the title, in as many lines as it takes."""
    parts = []
    most = int(len(title) * (width - 2 * _MARGIN) / max(text_width(title, _TITLE), 1.0))
    for line in textwrap.wrap(title, max(most, 1)):
        parts.append(f'<text class="title" x="{_n(_MARGIN)}" y="{_n(y + 15)}">{escaped(line)}</text>')
        y += 22
    return parts, y + 8 if parts else y


def _legend(figure: _Figure, y: float) -> tuple[list[str], float]:
    """Explain the lines, in as many rows as it takes."""
    lines = {line.number: line for panel in figure.panels for line in panel.lines}
    parts, x, right = [], _MARGIN, figure.width - _MARGIN
    for number, line in sorted(lines.items()):
        label = _cut(line.label, _LABEL, right - _MARGIN - 40)
        width = 40 + text_width(label, _LABEL)
        if x > _MARGIN and x + width > right:
            x, y = _MARGIN, y + 20
        swatch = f'<path class="line {_stroke(number)} {_dash(number)}" d="M0 0H32"/>{_marks(number, [(16, 0)])}'
        parts.append(f'<g transform="translate({_n(x)} {_n(y + 9)})">{swatch}</g>')
        parts.append(f'<text x="{_n(x + 38)}" y="{_n(y + 13)}">{_svg_label(label)}</text>')
        x += width + 18
    return parts, y + 26


def _panel(panel: _Panel, figure: _Figure, labels: _Labels, *, leftmost: bool, lowest: bool) -> Iterator[str]:
    plot = figure.plot
    yield _heading(panel, plot.width + figure.room)
    yield from _grid(plot, leftmost=leftmost, lowest=lowest)
    lines = [line for line in panel.lines if line.known.any()]
    yield _clipped([_band(line, plot) for line in lines], plot, 0)
    yield _clipped([_curve(line, plot) for line in lines], plot, 6)
    yield from (_label(line, labels[line.number]) for line in panel.lines if line.number in labels)


def _clipped(parts: Iterable[str], plot: _Plot, beyond: float) -> str:
    """Cut off some pixels beyond the plot; an inner svg element does so without needing a name."""
    box = f"{_n(-beyond)} {_n(-beyond)} {_n(plot.width + 2 * beyond)} {_n(plot.height + 2 * beyond)}"
    x, y, width, height = box.split()
    head = f'<svg x="{x}" y="{y}" width="{width}" height="{height}" viewBox="{box}" overflow="hidden">'
    return "\n".join([head, *filter(None, parts), "</svg>"])


def _heading(panel: _Panel, room: float) -> str:
    """Name the panel, and the lines of which there is next to nothing to see."""
    heading = _cut(panel.heading, _HEADING, room - 8)
    without = [line.label for line in panel.lines if not line.shown]
    names = "".join(_svg_label(label, ", ") for label in without[:-1]) + "".join(map(_svg_label, without[-1:]))
    if text_width(f"no curve: {', '.join(without)}", _TICK) > room - text_width(heading, _HEADING) - 10:
        names = f"{len(without)} of {len(panel.lines)}"
    more = f'<tspan class="note soft" dx="10">no curve: {names}</tspan>' if without else ""
    return f'<text class="heading" x="0" y="-12">{_svg_label(heading, more)}</text>'


def _grid(plot: _Plot, *, leftmost: bool, lowest: bool) -> Iterator[str]:
    """Draw lines with their numbers: firm ones at 0 and 1, thin ones between and below."""
    values = [round(k * _STEP, 10) for k in range(round(plot.low / _STEP), round(1 / _STEP) + 1)]
    thin = "".join(f"M0 {_n(plot.y(value))}h{_n(plot.width)}" for value in values if value not in (0, 1))
    yield f'<path class="grid" d="{thin}"/>'
    ticks = "".join(f"M{_n(plot.x(k / 5))} {_n(plot.height)}v4" for k in range(6))
    yield f'<path class="firm" d="M0 {_n(plot.y(1))}h{_n(plot.width)}M0 {_n(plot.y(0))}h{_n(plot.width)}{ticks}"/>'
    if leftmost:
        for value in values:
            yield f'<text class="tick soft y" x="-6" y="{_n(plot.y(value) + 4)}">{plain(value)}</text>'
        middle = f"-34 {_n(plot.height / 2)}"
        yield f'<text class="tick soft x" transform="translate({middle}) rotate(-90)">agreement</text>'
    if lowest:
        for k in range(6):
            yield f'<text class="tick soft x" x="{_n(plot.x(k / 5))}" y="{_n(plot.height + 17)}">{plain(k / 5)}</text>'
        yield f'<text class="tick soft x" x="{_n(plot.width / 2)}" y="{_n(plot.height + 32)}">magnitude</text>'


def _band(line: _Line, plot: _Plot) -> str:
    """Fill what lies within two standard errors; at a point alone, a bar."""
    curve, shapes = line.curve, []
    known = line.known & np.isfinite(curve.error)
    low, high = curve.mean - _SURE * curve.error, curve.mean + _SURE * curve.error
    for run in _runs(known):
        top, bottom = _points(line, high, run, plot), _points(line, low, run, plot)
        shape = "M" + "L".join(f"{_n(x)} {_n(y)}" for x, y in [*top, *reversed(bottom)])
        shapes.append(f'<path class="bar {_stroke(line.number)}" d="{shape}"/>' if len(run) == 1 else "")
        shapes.append(f'<path class="band {_fill(line.number)}" d="{shape}Z"/>' if len(run) > 1 else "")
    return "".join(shapes)


def _curve(line: _Line, plot: _Plot) -> str:
    """Draw a curve, broken where it has no value, and mark where it leaves the plot."""
    mean, number = line.curve.mean, line.number
    runs = list(_runs(line.known))
    path = "".join("M" + "L".join(f"{_n(x)} {_n(y)}" for x, y in _points(line, mean, run, plot)) for run in runs)
    step = max(1, round(int(line.known.sum()) / 6))
    marked = [k for run in runs for k in run if len(run) == 1 or k % step == number % step]
    inside = [k for k in marked if plot.holds(mean[k])]
    about = escaped(f"{line.label}: {_words(line.curve)}")
    parts = [
        f'<g class="curve"><title>{about}</title>',
        f'<path class="line {_stroke(number)} {_dash(number)}" d="{path}"/>',
        _marks(number, _points(line, mean, inside, plot)),
        _cuts(line, plot),
        "</g>",
    ]
    return "".join(parts)


def _cuts(line: _Line, plot: _Plot) -> str:
    """Point to values that lie outside."""
    arrows = []
    for k in np.flatnonzero(line.known):
        value = float(line.curve.mean[k])
        if not plot.holds(value):
            down = 1 if value < plot.low else -1
            arrows.append(f"M{_n(plot.x(line.curve.magnitudes[k]) - 3.5)} {_n(plot.kept(value))}l3.5 {4 * down}")
            arrows.append(f"l3.5 {-4 * down}")
    return f'<path class="cut {_stroke(line.number)}" d="{"".join(arrows)}"/>' if arrows else ""


def _marks(number: int, points: Iterable[tuple[float, float]]) -> str:
    shape = _MARKERS[number % len(_MARKERS)]
    kind = f"hollow {_stroke(number)}" if number // len(_MARKERS) % 2 else f"mark {_fill(number)}"
    path = "".join(f"M{_n(x)} {_n(y)}{shape}" for x, y in points)
    return f'<path class="{kind}" d="{path}"/>' if path else ""


def _stroke(number: int) -> str:
    return f"c{number % len(_COLOURS['light'])}"


def _fill(number: int) -> str:
    return f"f{number % len(_COLOURS['light'])}"


def _dash(number: int) -> str:
    return f"h{number % len(_DASHES)}"


def _points(line: _Line, values: FloatArray, indices: Iterable[int], plot: _Plot) -> list[tuple[float, float]]:
    return [(plot.x(line.curve.magnitudes[k]), plot.y(float(values[k]))) for k in indices]


def _runs(mask: BoolArray) -> Iterator[list[int]]:
    """Give the stretches of indices over which a mask holds."""
    for holds, run in itertools.groupby(range(len(mask)), key=lambda k: bool(mask[k])):
        if holds:
            yield list(run)


def _label(line: _Line, place: _Label) -> str:
    leader = f"M{_n(place.end_x + 4)} {_n(place.end_y)}L{_n(place.x - 3)} {_n(place.y)}"
    return (
        f'<path class="leader {_stroke(line.number)}" d="{leader}"/>'
        f'<text class="label" x="{_n(place.x)}" y="{_n(place.y + 4)}">{_svg_label(line.label)}</text>'
    )


_SUBSCRIPT = re.compile(r"^(\w{1,2})_(\w)(?=$|[ (…])")


def _svg_label(label: str, more: str = "") -> str:
    """Write κ_d with an index, and whatever follows on the line again."""
    found = _SUBSCRIPT.match(label)
    if found is None:
        return escaped(label) + more
    rest = escaped(label[found.end() :]) + more
    raised = f'<tspan dy="-3">{rest}</tspan>' if rest else ""
    return f'{found[1]}<tspan class="sub" dy="3">{found[2]}</tspan>{raised}'


def _cut(text: str, size: float, room: float) -> str:
    """Shorten text to the room there is."""
    width = text_width(text, size)
    return text if width <= room else shortened(text, max(1, int(len(text) * room / width)))


def _description(panels: Iterable[_Panel]) -> str:
    """Say in words what each curve does."""
    said = [f"Panel {panel.heading}. {_sentence(panel)}." for panel in panels if panel.lines]
    return " ".join(["Mean agreement by magnitude of errors, from 0 to 1.", *said])


def _sentence(panel: _Panel) -> str:
    return ". ".join(f"{line.label}: {_words(line.curve)}" for line in panel.lines)


def _words(curve: Curve) -> str:
    """Say what a curve does, and where it has no value."""
    known = np.isfinite(curve.mean)
    if not known.any():
        return str(curve.judgement)
    gaps = [
        f"{curve.magnitudes[run[0]]:g}" + (f"–{curve.magnitudes[run[-1]]:g}" if len(run) > 1 else "")
        for run in _runs(~known)
    ]
    return f"{curve.judgement}; no value at {listed(gaps)}" if gaps else str(curve.judgement)


def _table(curves: Curves) -> str:
    """Judge each curve by the desiderata."""
    labels = _measure_labels(curves.measures)
    columns = ("error", "measure", "full range", "decreasing", "never below 0", "curve")
    head = "".join(f'<th scope="col">{name}</th>' for name in columns)
    body = "".join(_row(curve, labels[curve.measure]) for curve in curves.curves)
    return f'<div class="table"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def _row(curve: Curve, label: str) -> str:
    found = curve.judgement
    name = _SUBSCRIPT.sub(r"\1<sub>\2</sub>", escaped(label))
    full = "" if label == curve.measure else f' <span class="soft">{escaped(curve.measure)}</span>'
    answers = [{True: "yes", False: "no", None: "–"}[answer] for answer in found.answers().values()]
    if found.undefined is not None:
        answers = ["–"] * 3
    cells = [escaped(_spelled_error(curve.errors)), name + full, *answers, escaped(_words(curve))]
    return "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"


def _style() -> str:
    dashes = "".join(f"& .h{k}{{stroke-dasharray:{dash}}}" for k, dash in enumerate(_DASHES))
    return f"{_RULES}{dashes}{_paint('light')}\n@media (prefers-color-scheme:dark){{{_paint('dark')}}}\n"


def _paint(mode: str) -> str:
    """Write the colours of a light or a dark figure."""
    of = _SURFACE[mode]
    rules = [
        f"& .paper{{fill:{of['paper']}}}",
        f"& text{{fill:{of['ink']}}}",
        f"& .soft{{fill:{of['soft']}}}",
        f"& .grid{{stroke:{of['line']}}}",
        f"& .firm{{stroke:{of['firm']}}}",
        f"& .label{{stroke:{of['paper']}}}",
        f"& .mark{{stroke:{of['paper']}}}",
        f"& .hollow{{fill:{of['paper']}}}",
    ]
    for k, colour in enumerate(_COLOURS[mode]):
        rules.append(f"& .c{k}{{stroke:{colour}}}& .f{k}{{fill:{colour}}}")
    return "".join(rules)


def _n(number: float) -> str:
    """Write a coordinate."""
    return f"{round(number, 2):g}"
