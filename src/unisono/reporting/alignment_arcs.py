"""Units of several anchors in the picture of an alignment: a bar per anchor, and an arc that joins them.

As in annotation tools, the arc of a relation leaves its source and ends with a tip at its target; that of an event
leaves the trigger. Pieces of one unit are joined without tips.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from unisono.data import Unit
from unisono.data.anchors import SOURCE, TRIGGER, Anchor
from unisono.reporting.alignment_picture import ARC, Bar, Picture
from unisono.reporting.markup import escaped, label_text, text_width
from unisono.reporting.svg import px, svg_text, tag

_SIZE = 11.0
_ROUND = 8.0
_TIP = 4.0


def arc(picture: Picture, unit: Unit, bars: Sequence[Bar]) -> str:
    """Draw the arc above the bars of a unit's anchors, with the unit's category where there is room for it."""
    at = [(bar.x0 + bar.x1) / 2 for bar in bars]
    head = head_of(unit.anchors)
    line = _line(at, bars[0].y, _said(picture, unit))
    tips = [_tip(x, bars[0].y) for number, x in enumerate(at) if head is not None and number != head]
    return line + "".join(tips)


def head_of(anchors: Sequence[Anchor]) -> int | None:
    """Return the number of the anchor from which a unit's arc leaves; None if the arc has no direction."""
    roles = [one.role for one in anchors]
    return next((roles.index(role) for role in (SOURCE, TRIGGER) if role in roles), None)


def paired_bars(upper: tuple[Unit, list[Bar]], lower: tuple[Unit, list[Bar]]) -> list[tuple[Bar, Bar]]:
    """Pair the anchors of two aligned units, those of each role in the order of the text."""
    pairs: list[tuple[Bar, Bar]] = []
    for role in dict.fromkeys(one.role for one in upper[0].anchors):
        own, other = (
            [bar for one, bar in zip(unit.anchors, bars, strict=True) if one.role == role]
            for unit, bars in (upper, lower)
        )
        pairs += zip(own, other, strict=False)
    return pairs


def mean_anchors(units: Sequence[Unit]) -> list[tuple[float, float]]:
    """Return where the anchors of units lie on average, if all units have the same roles; else nothing."""
    roles = [[one.role for one in unit.anchors] for unit in units]
    if any(own != roles[0] for own in roles):
        return []
    same = zip(*(unit.anchors for unit in units), strict=True)
    return [(sum(one.start for one in some) / len(some), sum(one.end for one in some) / len(some)) for some in same]


def _line(at: Sequence[float], bottom: float, said: str) -> str:
    """Draw a line above the bars that comes down to each of them; it is interrupted where the category stands."""
    top, stops = bottom - ARC + 5, sorted(at)
    first, last = stops[0], stops[-1]
    bend = min(_ROUND, (last - first) / 2)
    widest = max(itertools.pairwise(stops), key=lambda two: two[1] - two[0])
    middle, half = sum(widest) / 2, text_width(said, _SIZE) / 2 + 3
    gap = f"H{px(middle - half)}M{px(middle + half)} {px(top)}"
    fits = bool(said) and half < (widest[1] - widest[0]) / 2 - bend
    ends = f"M{px(first)} {px(bottom)}Q{px(first)} {px(top)} {px(first + bend)} {px(top)}{gap if fits else ''}"
    ends += f"H{px(last - bend)}Q{px(last)} {px(top)} {px(last)} {px(bottom)}"
    inner = "".join(f"M{px(x)} {px(top)}V{px(bottom)}" for x in stops[1:-1])
    label = svg_text(escaped(said), middle, top + 4, "label said") if fits else ""
    return tag("path", class_="link", d=ends + inner) + label


def _tip(x: float, bottom: float) -> str:
    return tag(
        "path", class_="tip", d=f"M{px(x - _TIP)} {px(bottom - 1.5 * _TIP)}H{px(x + _TIP)}L{px(x)} {px(bottom)}Z"
    )


def _said(picture: Picture, unit: Unit) -> str:
    category = picture.category(unit)
    return "" if category is None else label_text(category)
