"""How the positions of a REFI-QDA project are counted.

The standard counts code points, from 0. Some programs count UTF-16 code units, or a line break of Windows as one
character, or the byte order mark; the standard's words ("the first and the last character") allow that the last one is
included, though its example excludes it. Many programs store the text of a selection as its name: that tells.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from unisono.formats.tools.utf16 import Utf16

_SPACE = re.compile(r"\s+")
_LEAST = 8
"""How many characters of a text must fit if its name breaks off."""


class NamedSelection(NamedTuple):
    """A selection as it is stored: its positions and its name."""

    start: int
    end: int
    name: str


class Counting(NamedTuple):
    """A way to count."""

    words: str
    short_breaks: bool = False
    utf16: bool = False
    first: int = 0
    """What the first character's number is."""
    included: int = 0
    """1 if the last character is included."""

    def prepared(self, text: str) -> str:
        """Return a text as it is counted."""
        return text.replace("\r\n", "\n") if self.short_breaks else text

    def placing(self, text: str) -> Callable[[int, int], tuple[int, int]]:
        """Return what turns positions into code points of a prepared text; those that are nowhere stay as they are."""
        translate = Utf16(text) if self.utf16 and not text.isascii() else None

        def place(start: int, end: int) -> tuple[int, int]:
            start, end = start - self.first, end - self.first + self.included
            if translate is None:
                return start, end
            first, last = translate(start), translate(end)
            return start if first is None else first, end if last is None else last

        return place


CODE_POINTS = Counting("")
UTF_16 = Counting("in UTF-16 code units", utf16=True)
_SHORT = "with one character for a line break of two"
_ALL = (
    CODE_POINTS,
    UTF_16,
    Counting(_SHORT, short_breaks=True),
    Counting(f"{_SHORT}, in UTF-16 code units", short_breaks=True, utf16=True),
    Counting("from 1, or with the byte order mark", first=1),
    Counting("with the last character included", included=1),
)


def counting_of(selections: Mapping[str, Sequence[NamedSelection]]) -> Counting:
    """Return the way to count that most names of selections, by texts, fit; the standard's, if they do not tell."""
    scores = [sum(_fits(way, text, own) for text, own in selections.items()) for way in _ALL]
    return _ALL[scores.index(max(scores))]


def _fits(way: Counting, text: str, selections: Sequence[NamedSelection]) -> int:
    """Add 2 for each name that is the text that is selected, 1 if it is the beginning of it."""
    text = way.prepared(text)
    place = way.placing(text)
    score = 0
    for one in selections:
        start, end = place(one.start, one.end)
        name = _plain(one.name)
        covered = _plain(text[max(start, 0) : max(end, 0)])
        if name and covered == name:
            score += 2
        elif len(name) >= _LEAST and covered.startswith(name.rstrip(".…")):
            score += 1
    return score


def _plain(text: str) -> str:
    return _SPACE.sub(" ", text).strip()
