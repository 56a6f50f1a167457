"""Text and numbers as they stand in HTML and SVG, and wherever else people read them."""

from __future__ import annotations

import html
import math
import re
import unicodedata
from collections.abc import Sequence
from typing import Any

from unisono.data.labels import written_label
from unisono.results.shown import above_ties

_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_NARROW = frozenset("fijlrt.,:;'|!()[]{} ·-")
_SUBSCRIPT = re.compile(r"(?<!\w)(A|\w?[α-ω])_(\w+)")


def valid_text(text: str) -> str:
    """Replace what XML cannot hold by �."""
    return _NOT_XML.sub("\ufffd", text)


def escaped(text: object) -> str:
    """Make text safe between tags and inside quoted attributes."""
    return html.escape(valid_text(str(text)), quote=True)


def with_subscripts(text: object) -> str:
    """Escape text, and write the letters after a symbol's underscore as a subscript: γ_cat."""
    return _SUBSCRIPT.sub(r"\1<sub>\2</sub>", escaped(text))


def shortened(text: str, most: int) -> str:
    """Cut text to a number of characters, and mark the cut."""
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def fitted(text: str, size: float, width: float) -> str:
    """Cut text, if need be, so that it fits a width in pixels."""
    if text_width(text, size) <= width:
        return text
    kept = text
    while kept and text_width(kept + "…", size) > width:
        kept = kept[:-1]
    return kept + "…"


def percent(share: float) -> str:
    """Write a share as a percentage; a small one is not written as 0."""
    return "under 1%" if share < 0.01 else f"{above_ties(share):.0%}"


def plain(value: float, digits: int = 12) -> str:
    """Write a position, as short as it can be."""
    if float(value).is_integer():
        return f"{int(value)}".replace("-", "−")
    return f"{value:.{digits}g}".replace("-", "−")


def label_text(label: Any) -> str:
    """Write a label, the parts of a set with a plus between them."""
    return " + ".join(label) if isinstance(label, tuple) else written_label(label)


def seen_label(label: Any) -> str:
    """Write a label; one that would be invisible as (empty)."""
    text = label_text(label)
    return text if text.strip() else "(empty)"


def enumerated(names: Sequence[str], most: int = 12) -> str:
    """List names as a sentence does; of many only the first, and how many more there are."""
    if len(names) > most:
        return f"{', '.join(names[:most])} and {len(names) - most} more"
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def text_width(text: str, size: float) -> float:
    """Estimate how wide text is in a sans-serif font, rather too wide than too narrow."""
    return size * sum(map(_em, text))


def _em(character: str) -> float:
    if character in _NARROW:
        return 0.36
    if unicodedata.combining(character):
        return 0.0
    if unicodedata.east_asian_width(character) in "WF":
        return 1.05
    return 0.75 if character.isupper() or character in "mw@%—…" else 0.6


def is_wide(text: str) -> bool:
    """Whether text has characters as wide as they are high."""
    return any(unicodedata.east_asian_width(character) in "WF" for character in text)


def is_finite(value: float | None) -> bool:
    """Whether there is a number to show."""
    return value is not None and math.isfinite(value)
