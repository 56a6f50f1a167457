"""An alignment as a picture: the annotators' tracks, and bands between aligned units.

After the figures of Mathet et al. (2015, §4): one track per annotator, one bar per unit, bands between the units of a
unitary alignment. Plain SVG, without scripts, fonts or anything from outside; all svg_text of the data is escaped.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterator

from unisono.alignment.aligned import UnitaryAlignment
from unisono.alignment.alignment import Alignment, quoted_unit
from unisono.data import Label, Unit
from unisono.errors import plural
from unisono.reporting.alignment_arcs import arc, mean_anchors, paired_bars
from unisono.reporting.alignment_layout import View, choose_view, ticks
from unisono.reporting.alignment_picture import BAND, GUTTER, LANE, MARGIN, NAME_SIZE, Bar, Picture, n_real
from unisono.reporting.cards import KIND_NAMES
from unisono.reporting.markup import (
    enumerated,
    escaped,
    fitted,
    is_wide,
    label_text,
    plain,
    seen_label,
    shortened,
    text_width,
)
from unisono.reporting.palette import DISORDER, LEVEL_LIMITS, SURFACE, TRACKS, scoped
from unisono.reporting.svg import KEY_ROW, KeyEntry, clipped, drawing, key_rows, px, svg_text, tag
from unisono.reporting.templates import style_sheet
from unisono.results.shown import fixed

_SIZE = 11.0
_NARROWEST_CHARACTER = 5.4
_LARGEST_TEXT = 15.0
_MOST_IN_LEGEND = 24


def alignment_svg(
    alignment: Alignment,
    *,
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
    first, last : float, optional
        Draw this stretch only; by default the whole continuum.
    most_units : int
        If there are more units, draw only the stretch with most disorder, and say so.
    standalone : bool
        Whether to make a complete file with a light background, rather than a part of a notebook.

    Returns
    -------
    str
        An SVG element, or an SVG file if standalone.
    """
    picture = Picture(alignment, choose_view(alignment, first, last, most_units))
    body, height = _body(picture)
    sheet = style_sheet("alignment") + (style_sheet("alignment_arcs") if picture.headroom else "")
    svg = drawing(
        body,
        picture.width,
        height,
        title=f"How the annotations of {alignment.document.name} align",
        description=_description(picture),
        style=scoped(sheet, SURFACE, TRACKS, DISORDER)
        if standalone
        else scoped(style_sheet("hosts") + sheet, TRACKS, DISORDER, follows="host"),
    )
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{svg}\n' if standalone else svg


def _body(picture: Picture) -> tuple[list[str], float]:
    """Draw everything from top to bottom; return the height too."""
    bottom = picture.tops[-1] - BAND
    inside = [*_bands(picture), *_ghosts(picture), *_bars(picture)]
    width = picture.right - picture.left + 10
    parts = [*_tracks(picture), *_grid(picture, bottom), clipped(inside, picture.left - 5, 0, width, bottom + 4)]
    axis, y = _axis(picture, bottom + 8)
    source, y = _source_text(picture, y)
    legend, y = _legend(picture, y + 8)
    note, y = _note(picture, y)
    return [*parts, *axis, *source, *legend, *note], y + 6


def _tracks(picture: Picture) -> Iterator[str]:
    width = picture.right - picture.left
    for name, top, following in zip(picture.names, picture.tops, picture.tops[1:], strict=False):
        height = following - BAND - top
        yield tag("rect", class_="track", x=picture.left, y=top, width=width, height=height, rx=4)
        shown = escaped(fitted(name, NAME_SIZE, GUTTER)) + tag("title", escaped(name))
        yield svg_text(shown, picture.left - 10, top + height / 2 + 4.5, "name")


def _grid(picture: Picture, bottom: float) -> Iterator[str]:
    for position in _ticks(picture):
        yield tag("path", class_="grid", d=f"M{px(picture.x(position))} {px(MARGIN)}V{px(bottom + 8)}")


def _bands(picture: Picture) -> Iterator[str]:
    """Join each unit to the next one below it in its unitary alignment; narrow bands lie on top."""
    table = picture.alignment.solution.table
    for row, group in sorted(picture.rows.items(), key=lambda item: item[1].start - item[1].end):
        members = [int(unit) for unit in table[row] if unit >= 0]
        about = tag("title", escaped(_band_title(row, group)))
        for upper, lower in itertools.pairwise(members):
            if _joined(picture.view, upper, lower):
                path = "".join(itertools.starmap(_band_path, _joined_bars(picture, upper, lower)))
                kind = f"band d{picture.level(row)}"
                yield tag("path", about, class_=kind, data_units=f"{upper} {lower}", d=path)


def _joined(view: View, upper: int, lower: int) -> bool:
    """Whether to draw a band: one end is drawn, and the other is drawn too or lies outside."""
    one = bool(view.drawn[upper] or view.drawn[lower])
    return one and not (view.hidden[upper] or view.hidden[lower])


def _joined_bars(picture: Picture, upper: int, lower: int) -> list[tuple[Bar, Bar]]:
    """Return what to join of two units: the anchors that correspond, or the units as wholes."""
    one, other = ((picture.units[number][0], picture.anchor_bars(number)) for number in (upper, lower))
    return paired_bars(one, other) or [(picture.bar(upper), picture.bar(lower))]


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
        about = tag("title", escaped(f"{picture.names[track]} has no unit in unitary alignment {row + 1}"))
        real = [unit for unit in picture.rows[row].units.values() if unit is not None]
        spans = [picture.stretch(*span) for span in mean_anchors(real)] or [(x0, x1)]
        for bar in (picture.ghost_bar(track, *span, lane) for span in spans):
            size = {"width": max(bar.x1 - bar.x0 - 1.5, 1.0), "height": LANE - 1.5, "rx": 4.0}
            yield tag("rect", about, class_="ghost", x=bar.x0 + 0.75, y=bar.y + 0.75, **size, pointer_events="all")


def _bars(picture: Picture) -> Iterator[str]:
    for number, (unit, row) in sorted(picture.units.items()):
        if picture.view.drawn[number]:
            alone = n_real(picture.rows[row]) == 1
            about = tag("title", escaped(_unit_title(picture, unit, alone=alone)))
            shape = _composite(picture, number, unit) if unit.anchors else _plain(picture, number, unit)
            yield tag("g", about + shape, class_="unit alone" if alone else "unit", data_unit=str(number))


def _plain(picture: Picture, number: int, unit: Unit) -> str:
    bar = picture.bar(number)
    if picture.is_point(number):
        return _point(picture, unit, bar)
    return _box(picture, unit, bar) + _bar_label(picture, unit, bar)


def _composite(picture: Picture, number: int, unit: Unit) -> str:
    """Draw the anchors of a unit, the longest first because they may overlap, and the arc that joins them."""
    bars = picture.anchor_bars(number)
    order = sorted(range(len(bars)), key=lambda k: unit.anchors[k].start - unit.anchors[k].end)
    points = [one.start == one.end for one in unit.anchors]
    shapes = [_point(picture, unit, bars[k]) if points[k] else _box(picture, unit, bars[k]) for k in order]
    joined = arc(picture, unit, bars) if len(bars) > 1 else _bar_label(picture, unit, bars[0])
    return "".join(shapes) + joined


def _box(picture: Picture, unit: Unit, bar: Bar) -> str:
    fill, stripe = picture.colours(picture.category(unit))
    shape = _rect(bar.x0, bar.y, bar.x1 - bar.x0, LANE, fill)
    return shape if stripe is None else shape + _stripe(bar.x0, bar.bottom - 4.5, bar.x1 - bar.x0, stripe)


def _bar_label(picture: Picture, unit: Unit, bar: Bar) -> str:
    """Write the category inside the visible part of the bar, if it fits."""
    x0, x1 = max(bar.x0, picture.left), min(bar.x1, picture.right)
    category = picture.category(unit)
    label = "" if category is None else label_text(category)
    if not label or text_width(label, _SIZE) > x1 - x0 - 4:
        return ""
    _, stripe = picture.colours(category)
    return svg_text(escaped(label), (x0 + x1) / 2, bar.y + (14 if stripe is None else 12), "label")


def _point(picture: Picture, unit: Unit, bar: Bar) -> str:
    x, middle = (bar.x0 + bar.x1) / 2, bar.y + LANE / 2
    fill, _ = picture.colours(picture.category(unit))
    corners = ((x, bar.y), (bar.x1, middle), (x, bar.bottom), (bar.x0, middle))
    path = "M" + "L".join(f"{px(across)} {px(down)}" for across, down in corners) + "Z"
    return tag("path", class_="bar point", fill=fill, d=path)


def _rect(x: float, y: float, width: float, height: float, fill: str) -> str:
    return tag("rect", class_="bar", fill=fill, x=x, y=y, width=width, height=height, rx=min(4.0, width / 3))


def _stripe(x: float, y: float, width: float, colour: str) -> str:
    inset = min(2.0, width / 6)
    place = {"x": x + inset, "y": y, "width": width - 2 * inset, "height": 3.0}
    return tag("rect", "", fill=colour, stroke="#1f2933", stroke_width=0.5, **place, pointer_events="none")


def _unit_title(picture: Picture, unit: Unit, *, alone: bool) -> str:
    """Name the annotator, the position, the labels and the words of a unit."""
    ends = [f"{one.role} {plain(one.start)}–{plain(one.end)}" for one in unit.anchors]
    lines = [f"{unit.annotator}, {', '.join(ends) or f'{plain(unit.start)}–{plain(unit.end)}'}"]
    lines += [f"{name}: {label_text(label)}" for name, label in unit.features.items() if label is not None]
    whole = _offset_text(picture)
    if whole is not None:
        quoted = quoted_unit(unit, lambda start, end: " ".join(whole[int(start) : int(end)].split()))
        lines.append(f"“{shortened(quoted or '', 120)}”")
    if alone:
        lines.append("aligned with nobody")
    return "\n".join(lines)


def _axis(picture: Picture, y: float) -> tuple[list[str], float]:
    parts = [tag("path", class_="axis", d=f"M{px(picture.left)} {px(y)}H{px(picture.right)}")]
    for position in _ticks(picture):
        x = picture.x(position)
        parts.append(tag("path", class_="axis", d=f"M{px(x)} {px(y)}v4"))
        parts.append(svg_text(plain(position), x, y + 16, "tick"))
    return parts, y + 22


def _ticks(picture: Picture) -> list[float]:
    view = picture.view
    widest = max(text_width(plain(edge, 8), _SIZE) for edge in (view.first, view.last))
    most = int((picture.right - picture.left) / max(70.0, widest + 30))
    return ticks(view.first, view.last, most)


def _source_text(picture: Picture, y: float) -> tuple[list[str], float]:
    """Write the svg_text below the axis word by word where there is room for it, or even character by character."""
    whole = _offset_text(picture)
    if whole is None or picture.step < _NARROWEST_CHARACTER:
        return [], y
    begin, end = max(0, math.ceil(picture.view.first)), min(len(whole), math.floor(picture.view.last))
    size = picture.step / (1.02 if is_wide(whole[begin:end]) else 0.6)
    pieces = re.finditer(r"\S+" if size <= _LARGEST_TEXT else r"\S", whole[begin:end])
    font = f"font-size:{px(min(size, _LARGEST_TEXT))}px"
    parts = []
    for piece in pieces:
        # a word is as wide as its stretch of the axis, whatever the font
        length = {"textLength": picture.step * len(piece[0])} if len(piece[0]) > 1 else {}
        spacing = {"lengthAdjust": "spacing"} if length else {}
        x = picture.x(begin + piece.start())
        parts.append(svg_text(escaped(piece[0]), x, y + 14, "source", style=font, **length, **spacing))
    return parts, y + 22


def _offset_text(picture: Picture) -> str | None:
    """Return the svg_text if the units' positions can be offsets into it."""
    found, units = picture.alignment.document.text, picture.alignment.annotations
    if not found or not units.n_units:
        return found or None
    whole = bool((units.start % 1 == 0).all() and (units.end % 1 == 0).all())
    return found if whole and units.start.min() >= 0 and units.end.max() <= len(found) else None


def _legend(picture: Picture, y: float) -> tuple[list[str], float]:
    """Explain the colours."""
    parts: list[str] = []
    for entries in (list(_category_key(picture)), list(_disorder_key(picture))):
        if entries:
            drawn, y = key_rows(entries, picture.left, picture.right, y, size=_SIZE)
            parts += drawn
    return parts, y


def _category_key(picture: Picture) -> Iterator[KeyEntry]:
    drawn = [unit for number, (unit, _) in picture.units.items() if picture.view.drawn[number]]
    if picture.feature is None or not drawn:
        return
    yield KeyEntry(f"{picture.feature}:")
    present = {picture.category(unit) for unit in drawn}
    known = sorted((label for label in present if label is not None), key=picture.categories.__getitem__)
    for label in known[:_MOST_IN_LEGEND]:
        yield KeyEntry(shortened(seen_label(label), 40), _category_swatch(picture, label), 16)
    if len(known) > _MOST_IN_LEGEND:
        yield KeyEntry(f"… and {len(known) - _MOST_IN_LEGEND} more")
    if None in present:
        yield KeyEntry("none", _category_swatch(picture, None), 16)


def _category_swatch(picture: Picture, label: Label | None) -> str:
    fill, stripe = picture.colours(label)
    return _rect(0, 0, 16, 12, fill) + ("" if stripe is None else _stripe(0, 7.5, 16, stripe))


def _disorder_key(picture: Picture) -> Iterator[KeyEntry]:
    groups = [group for group in picture.rows.values() if n_real(group) > 1]
    if groups:
        yield KeyEntry("disorder of aligned units:")
        delta = picture.alignment.delta_empty
        limits = ["0", *(f"≤ {plain(limit * delta, 3)}" for limit in LEVEL_LIMITS[1:])]
        limits.append(f"> {plain(LEVEL_LIMITS[-1] * delta, 3)}")
        for number, label in enumerate(limits):
            yield KeyEntry(label, tag("rect", class_=f"step d{number}", width=16, height=12, rx=1), 16)
    if any(n_real(group) == 1 for group in picture.rows.values()):
        yield KeyEntry("aligned with nobody", tag("g", _rect(1, 0, 18, 12, "none"), class_="alone"), 20)
    if picture.ghosts:
        swatch = tag("rect", class_="ghost", x=1, width=18, height=12, rx=3)
        yield KeyEntry("not marked, though most did", swatch, 20)


def _note(picture: Picture, y: float) -> tuple[list[str], float]:
    """Say what is not drawn."""
    note = _not_drawn(picture)
    return ([svg_text(escaped(note), picture.left, y + 13, "soft caption")], y + KEY_ROW) if note else ([], y)


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
