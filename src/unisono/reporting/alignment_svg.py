"""An alignment as a picture: the annotators' tracks, and bands between aligned units.

After the figures of Mathet et al. (2015, §4): one track per annotator, one bar per unit, bands between the units of a
unitary alignment. Plain SVG, without scripts, fonts or anything from outside; all text of the data is escaped.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from unisono.alignment.aligned import UnitaryAlignment
from unisono.alignment.alignment import Alignment
from unisono.data import Label, Unit
from unisono.errors import plural
from unisono.reporting.alignment_layout import View, choose_view, ticks
from unisono.reporting.alignment_picture import BAND, GUTTER, LANE, MARGIN, NAME_SIZE, Bar, Picture, n_real
from unisono.reporting.cards import KIND_NAMES
from unisono.reporting.markup import (
    enumerated,
    escaped,
    fitted,
    fixed,
    is_wide,
    label_text,
    plain,
    px,
    seen_label,
    shortened,
    text_width,
)
from unisono.reporting.palette import DISORDER, LEVEL_LIMITS, SURFACE, TRACKS, scoped, style_sheet

_ROW = 22.0
_SIZE = 11.0
_NARROWEST_CHARACTER = 5.4
_LARGEST_TEXT = 15.0
_MOST_IN_LEGEND = 24


def alignment_svg(
    alignment: Alignment,
    *,
    width: int = 960,
    first: float | None = None,
    last: float | None = None,
    most_units: int = 400,
    standalone: bool = False,
) -> str:
    """Draw an alignment.

    Parameters
    ----------
    alignment : Alignment
        What to draw, e.g. `unisono.gamma(corpus).alignment["doc1"]`.
    width : int
        In pixels; the height follows from the data.
    first, last : float, optional
        Draw this stretch only; by default the whole continuum.
    most_units : int
        If there are more units, draw only the stretch with most disorder, and say so.
    standalone : bool
        Whether to make a complete file with a light background, rather than a part of a page.

    Returns
    -------
    str
        An SVG element, or an SVG file if standalone.
    """
    picture = Picture(alignment, choose_view(alignment, first, last, most_units), max(float(width), 320.0))
    body, height = _body(picture)
    name, style = scoped(style_sheet("alignment"), SURFACE, TRACKS, DISORDER, dark=not standalone)
    title = escaped(f"How the annotations of {alignment.document.name} align")
    head = (
        f'<svg{_NAMESPACE if standalone else ""} class="{name}" role="img" aria-label="{title}" '
        f'viewBox="0 0 {px(picture.width)} {px(height)}" width="{px(picture.width)}" height="{px(height)}" '
        'style="max-width:100%;height:auto">'
    )
    about = f"<title>{title}</title><desc>{escaped(_description(picture))}</desc>"
    paper = f'<rect class="paper" width="{px(picture.width)}" height="{px(height)}" rx="6"/>'
    svg = "\n".join([head, about, f"<style>{style}</style>", paper, *body, "</svg>"])
    return _DECLARATION + svg + "\n" if standalone else svg


_NAMESPACE = ' xmlns="http://www.w3.org/2000/svg"'
_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'


def _body(picture: Picture) -> tuple[list[str], float]:
    """Draw everything from top to bottom; return the height too."""
    bottom = picture.tops[-1] - BAND
    parts = [*_tracks(picture), *_grid(picture, bottom)]
    parts += [_clipped(picture, bottom, [*_bands(picture), *_ghosts(picture), *_bars(picture)])]
    axis, y = _axis(picture, bottom + 8)
    source, y = _source_text(picture, y)
    legend, y = _legend(picture, y + 8)
    note, y = _note(picture, y)
    return [*parts, *axis, *source, *legend, *note], y + 6


def _tracks(picture: Picture) -> Iterator[str]:
    for name, top, following in zip(picture.names, picture.tops, picture.tops[1:], strict=False):
        height = following - BAND - top
        yield (
            f'<rect class="track" x="{px(picture.left)}" y="{px(top)}" width="{px(picture.right - picture.left)}" '
            f'height="{px(height)}" rx="4"/>'
        )
        yield (
            f'<text class="name" x="{px(picture.left - 10)}" y="{px(top + height / 2 + 4.5)}">'
            f"{escaped(fitted(name, NAME_SIZE, GUTTER))}<title>{escaped(name)}</title></text>"
        )


def _grid(picture: Picture, bottom: float) -> Iterator[str]:
    for position in _ticks(picture):
        x = px(picture.x(position))
        yield f'<path class="grid" d="M{x} {px(MARGIN)}V{px(bottom + 8)}"/>'


def _clipped(picture: Picture, bottom: float, parts: Sequence[str]) -> str:
    """Cut off what is beyond the tracks; an inner svg element does so without needing an id."""
    x, width = picture.left - 5, picture.right - picture.left + 10
    box = f"{px(x)} 0 {px(width)} {px(bottom + 4)}"
    head = f'<svg x="{px(x)}" y="0" width="{px(width)}" height="{px(bottom + 4)}" viewBox="{box}" overflow="hidden">'
    return "\n".join([head, *parts, "</svg>"])


def _bands(picture: Picture) -> Iterator[str]:
    """Join each unit to the next one below it in its unitary alignment; narrow bands lie on top."""
    table = picture.alignment.solution.table
    for row, group in sorted(picture.rows.items(), key=lambda item: item[1].start - item[1].end):
        members = [int(unit) for unit in table[row] if unit >= 0]
        about = escaped(_band_title(row, group))
        for upper, lower in itertools.pairwise(members):
            if _joined(picture.view, upper, lower):
                path = _band_path(picture.bar(upper), picture.bar(lower))
                yield (
                    f'<path class="band d{picture.level(row)}" data-units="{upper} {lower}" d="{path}">'
                    f"<title>{about}</title></path>"
                )


def _joined(view: View, upper: int, lower: int) -> bool:
    """Whether to draw a band: one end is drawn, and the other is drawn too or lies outside."""
    one = bool(view.drawn[upper] or view.drawn[lower])
    return one and not (view.hidden[upper] or view.hidden[lower])


def _band_path(upper: Bar, lower: Bar) -> str:
    y0, y1 = upper.bottom, lower.y
    middle = px((y0 + y1) / 2)
    a0, a1, b0, b1 = map(px, (upper.x0, upper.x1, lower.x0, lower.x1))
    return f"M{a0} {px(y0)}C{a0} {middle} {b0} {middle} {b0} {px(y1)}H{b1}C{b1} {middle} {a1} {middle} {a1} {px(y0)}Z"


def _band_title(row: int, group: UnitaryAlignment) -> str:
    parts = [f"{kind} {fixed(group.parts[kind])}" for kind in group.differs]
    what = f": {', '.join(parts)}" if parts else ": all agree"
    return f"unitary alignment {row + 1}, disorder {fixed(group.disorder)}{what}"


def _ghosts(picture: Picture) -> Iterator[str]:
    for row, track, x0, x1, lane in picture.ghosts:
        bar = picture.ghost_bar(track, x0, x1, lane)
        about = f"{picture.names[track]} has no unit in unitary alignment {row + 1}"
        yield (
            f'<rect class="ghost" x="{px(bar.x0 + 0.75)}" y="{px(bar.y + 0.75)}" '
            f'width="{px(max(bar.x1 - bar.x0 - 1.5, 1.0))}" height="{px(LANE - 1.5)}" rx="4" '
            f'pointer-events="all"><title>{escaped(about)}</title></rect>'
        )


def _bars(picture: Picture) -> Iterator[str]:
    for number, (unit, row) in sorted(picture.units.items()):
        if picture.view.drawn[number]:
            alone = " alone" if n_real(picture.rows[row]) == 1 else ""
            about = escaped(_unit_title(picture, unit, alone=bool(alone)))
            shape = _point(picture, number, unit) if picture.is_point(number) else _box(picture, number, unit)
            yield f'<g class="unit{alone}" data-unit="{number}"><title>{about}</title>{shape}</g>'


def _box(picture: Picture, number: int, unit: Unit) -> str:
    bar = picture.bar(number)
    fill, stripe = picture.colours(picture.category(unit))
    shape = _rect(bar.x0, bar.y, bar.x1 - bar.x0, LANE, fill)
    if stripe is None:
        return shape + _bar_label(picture, unit, bar, bar.y + 14)
    return (
        shape + _stripe(bar.x0, bar.bottom - 4.5, bar.x1 - bar.x0, stripe) + _bar_label(picture, unit, bar, bar.y + 12)
    )


def _bar_label(picture: Picture, unit: Unit, bar: Bar, baseline: float) -> str:
    """Write the category inside the visible part of the bar, if it fits."""
    x0, x1 = max(bar.x0, picture.left), min(bar.x1, picture.right)
    category = picture.category(unit)
    label = "" if category is None else label_text(category)
    if not label or text_width(label, _SIZE) > x1 - x0 - 4:
        return ""
    return f'<text class="label" x="{px((x0 + x1) / 2)}" y="{px(baseline)}">{escaped(label)}</text>'


def _point(picture: Picture, number: int, unit: Unit) -> str:
    bar = picture.bar(number)
    x, middle = (bar.x0 + bar.x1) / 2, bar.y + LANE / 2
    fill, _ = picture.colours(picture.category(unit))
    return (
        f'<path class="bar point" fill="{fill}" d="M{px(x)} {px(bar.y)}L{px(bar.x1)} {px(middle)}'
        f'L{px(x)} {px(bar.bottom)}L{px(bar.x0)} {px(middle)}Z"/>'
    )


def _rect(x: float, y: float, width: float, height: float, fill: str) -> str:
    round_ = min(4.0, width / 3)
    return (
        f'<rect class="bar" fill="{fill}" x="{px(x)}" y="{px(y)}" width="{px(width)}" height="{px(height)}" '
        f'rx="{px(round_)}"/>'
    )


def _stripe(x: float, y: float, width: float, colour: str) -> str:
    inset = min(2.0, width / 6)
    return (
        f'<rect fill="{colour}" stroke="#1f2933" stroke-width=".5" x="{px(x + inset)}" y="{px(y)}" '
        f'width="{px(width - 2 * inset)}" height="3" pointer-events="none"/>'
    )


def _unit_title(picture: Picture, unit: Unit, *, alone: bool) -> str:
    """Name the annotator, the position, the labels and the words of a unit."""
    lines = [f"{unit.annotator}, {plain(unit.start)}–{plain(unit.end)}"]
    lines += [f"{name}: {label_text(label)}" for name, label in unit.features.items() if label is not None]
    text = _offset_text(picture)
    if text is not None:
        lines.append(f"“{shortened(' '.join(text[int(unit.start) : int(unit.end)].split()), 120)}”")
    if alone:
        lines.append("aligned with nobody")
    return "\n".join(lines)


def _axis(picture: Picture, y: float) -> tuple[list[str], float]:
    parts = [f'<path class="axis" d="M{px(picture.left)} {px(y)}H{px(picture.right)}"/>']
    for position in _ticks(picture):
        x = px(picture.x(position))
        parts.append(f'<path class="axis" d="M{x} {px(y)}v4"/>')
        parts.append(f'<text class="tick" x="{x}" y="{px(y + 16)}">{plain(position)}</text>')
    return parts, y + 22


def _ticks(picture: Picture) -> list[float]:
    view = picture.view
    widest = max(text_width(plain(edge, 8), _SIZE) for edge in (view.first, view.last))
    most = int((picture.right - picture.left) / max(70.0, widest + 30))
    return ticks(view.first, view.last, most)


def _source_text(picture: Picture, y: float) -> tuple[list[str], float]:
    """Write the text below the axis word by word where there is room for it, or even character by character."""
    text = _offset_text(picture)
    if text is None or picture.step < _NARROWEST_CHARACTER:
        return [], y
    begin, end = max(0, math.ceil(picture.view.first)), min(len(text), math.floor(picture.view.last))
    size = picture.step / (1.02 if is_wide(text[begin:end]) else 0.6)
    pieces = _words(text, begin, end) if size <= _LARGEST_TEXT else _characters(text, begin, end)
    font = f"font-size:{px(min(size, _LARGEST_TEXT))}px"
    parts = [
        f'<text class="source" style="{font}" x="{px(picture.x(at))}" y="{px(y + 14)}"'
        f"{_text_length(picture, word)}>{escaped(word)}</text>"
        for at, word in pieces
    ]
    return parts, y + 22


def _offset_text(picture: Picture) -> str | None:
    """Return the text if the units' positions can be offsets into it."""
    text, units = picture.alignment.document.text, picture.alignment.annotations
    if not text or not units.n_units:
        return text or None
    whole = bool((units.start % 1 == 0).all() and (units.end % 1 == 0).all())
    return text if whole and units.start.min() >= 0 and units.end.max() <= len(text) else None


def _text_length(picture: Picture, word: str) -> str:
    """Make a word as wide as its stretch of the axis, whatever the font."""
    return f' textLength="{px(picture.step * len(word))}" lengthAdjust="spacing"' if len(word) > 1 else ""


def _characters(text: str, begin: int, end: int) -> Iterator[tuple[int, str]]:
    return ((at, text[at]) for at in range(begin, end) if not text[at].isspace())


def _words(text: str, begin: int, end: int) -> Iterator[tuple[int, str]]:
    at = begin
    while at < end:
        stop = at
        while stop < end and not text[stop].isspace():
            stop += 1
        if stop > at:
            yield at, text[at:stop]
        at = stop + 1


def _legend(picture: Picture, y: float) -> tuple[list[str], float]:
    """Explain the colours, in as many rows as needed."""
    rows = [entries for entries in (list(_category_key(picture)), list(_disorder_key(picture))) if entries]
    parts: list[str] = []
    for entries in rows:
        drawn, y = _flow(entries, picture, y)
        parts += drawn
    return parts, y


@dataclass(frozen=True)
class _Entry:
    """A swatch, drawn with its upper left corner at (0, 0), and what it means."""

    label: str
    swatch: str = ""
    swatch_width: float = 0.0


def _category_key(picture: Picture) -> Iterator[_Entry]:
    drawn = [unit for number, (unit, _) in picture.units.items() if picture.view.drawn[number]]
    if picture.feature is None or not drawn:
        return
    yield _Entry(f"{picture.feature}:")
    present = {picture.category(unit) for unit in drawn}
    known = sorted((label for label in present if label is not None), key=picture.categories.__getitem__)
    for label in known[:_MOST_IN_LEGEND]:
        yield _Entry(shortened(seen_label(label), 40), _category_swatch(picture, label), 16)
    if len(known) > _MOST_IN_LEGEND:
        yield _Entry(f"… and {len(known) - _MOST_IN_LEGEND} more")
    if None in present:
        yield _Entry("none", _category_swatch(picture, None), 16)


def _category_swatch(picture: Picture, label: Label | None) -> str:
    fill, stripe = picture.colours(label)
    return _rect(0, 0, 16, 12, fill) + ("" if stripe is None else _stripe(0, 7.5, 16, stripe))


def _disorder_key(picture: Picture) -> Iterator[_Entry]:
    groups = [group for group in picture.rows.values() if n_real(group) > 1]
    if groups:
        yield _Entry("disorder of aligned units:")
        delta = picture.alignment.delta_empty
        limits = ["0", *(f"≤ {plain(limit * delta, 3)}" for limit in LEVEL_LIMITS[1:])]
        limits.append(f"> {plain(LEVEL_LIMITS[-1] * delta, 3)}")
        for number, label in enumerate(limits):
            yield _Entry(label, f'<rect class="step d{number}" width="16" height="12" rx="1"/>', 16)
    if any(n_real(group) == 1 for group in picture.rows.values()):
        swatch = f'<g class="alone">{_rect(1, 0, 18, 12, "none")}</g>'
        yield _Entry("aligned with nobody", swatch, 20)
    if picture.ghosts:
        swatch = '<rect class="ghost" x="1" width="18" height="12" rx="3"/>'
        yield _Entry("not marked, though most did", swatch, 20)


def _flow(entries: Iterable[_Entry], picture: Picture, y: float) -> tuple[list[str], float]:
    """Place entries side by side, in a new row where the picture ends."""
    parts, x = [], picture.left
    for entry in entries:
        width = entry.swatch_width + (5 if entry.swatch else 0) + text_width(entry.label, _SIZE) + 14
        if x > picture.left and x + width - 14 > picture.right:
            x, y = picture.left, y + _ROW
        if entry.swatch:
            parts.append(f'<g transform="translate({px(x)} {px(y + 3)})">{entry.swatch}</g>')
        text = x + entry.swatch_width + (5 if entry.swatch else 0)
        soft = "" if entry.swatch else ' class="soft"'
        parts.append(f'<text{soft} x="{px(text)}" y="{px(y + 13)}">{escaped(entry.label)}</text>')
        x += width
    return parts, y + _ROW


def _note(picture: Picture, y: float) -> tuple[list[str], float]:
    """Say what is not drawn."""
    text = _not_drawn(picture)
    if not text:
        return [], y
    return [f'<text class="soft caption" x="{px(picture.left)}" y="{px(y + 13)}">{escaped(text)}</text>'], y + _ROW


def _not_drawn(picture: Picture) -> str:
    """Say which part is drawn and what is left out; nothing if all is there."""
    view, units = picture.view, picture.alignment.annotations
    if not units.n_units:
        return "no units: nobody marked anything"
    low, high = picture.alignment.document.bounds
    parts = []
    if view.first > low or view.last < high:
        ends = f"positions {plain(view.first, 8)} to {plain(view.last, 8)} of {plain(low, 8)} to {plain(high, 8)}"
        parts.append(ends)
    if view.n_left_out:
        parts.append(f"{plural(view.n_left_out, 'unit')} not drawn")
    return "; ".join(parts)


def _description(picture: Picture) -> str:
    """Describe in words what is drawn."""
    view = picture.view
    n_units = int(view.drawn.sum())
    edges = f"from position {plain(view.first, 8)} to {plain(view.last, 8)}"
    said = [f"Tracks of {enumerated(picture.names)}, {edges}, with {plural(n_units, 'unit')}."]
    groups = [(row, group) for row, group in picture.rows.items() if n_real(group) > 1]
    alone = len(picture.rows) - len(groups)
    if picture.rows:
        agree = sum(group.disorder == 0 for _, group in groups)
        said.append(
            f"{plural(len(groups), 'group')} of aligned units, {agree} in full agreement; "
            f"{plural(alone, 'unit')} aligned with nobody."
        )
    differing = [group for _, group in groups if group.disorder > 0]
    if differing:
        worst = max(differing, key=lambda group: group.disorder)
        said.append(
            f"The aligned units with most disorder, {fixed(worst.disorder)}, lie at {plain(worst.start)}–"
            f"{plain(worst.end)} and differ in {enumerated([KIND_NAMES.get(kind, kind) for kind in worst.differs])}."
        )
    left_out = _not_drawn(picture)
    said.append(f"{left_out[:1].upper()}{left_out[1:]}." if left_out else "")
    return " ".join(filter(None, said))
