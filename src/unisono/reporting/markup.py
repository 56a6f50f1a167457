"""Text and numbers as they stand in HTML and SVG."""

from __future__ import annotations

import hashlib
import html
import math
import re
import unicodedata
from collections.abc import Sequence

_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_NARROW = frozenset("fijlrt.,:;'|!()[]{} ·-")


def escaped(text: object) -> str:
    """Make text safe between tags and inside quoted attributes; what XML cannot hold becomes �."""
    return html.escape(_NOT_XML.sub("\ufffd", str(text)), quote=True)


def shortened(text: str, most: int) -> str:
    """Cut text to a number of characters, and show that it was cut."""
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def fixed(value: float, digits: int = 2) -> str:
    """Write a number with some digits, with a real minus sign and no negative zero."""
    written = f"{value:.{digits}f}"
    return written.lstrip("-") if float(written) == 0 else written.replace("-", "−")


def plain(value: float, digits: int = 12) -> str:
    """Write a position as short as it is exact enough."""
    if float(value).is_integer():
        return f"{int(value)}".replace("-", "−")
    return f"{value:.{digits}g}".replace("-", "−")


def listed(names: Sequence[str], most: int = 12) -> str:
    """Write names as one would say them; of many only the first and how many there are."""
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
    """Tell whether text has characters as wide as they are high."""
    return any(unicodedata.east_asian_width(character) in "WF" for character in text)


def is_finite(value: float | None) -> bool:
    """Tell whether there is a number to show."""
    return value is not None and math.isfinite(value)


def scope(style: str) -> str:
    """Name a class after the style that it scopes: equal styles share it, others never clash."""
    return "unisono-" + hashlib.sha256(style.encode()).hexdigest()[:8]
