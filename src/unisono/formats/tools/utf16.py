"""Positions counted in UTF-16 code units, as Java and JavaScript do, to positions in code points."""

from __future__ import annotations

from bisect import bisect_left


class Utf16:
    """Translates positions in one text."""

    def __init__(self, text: str) -> None:
        self._length = len(text)
        wide = (place for place, character in enumerate(text) if ord(character) > 0xFFFF) if not text.isascii() else ()
        self._wide = [place + before for before, place in enumerate(wide)]  # where in UTF-16 each of them begins

    def __call__(self, position: int) -> int | None:
        """Return the position in code points; None if it is within a character or outside the text."""
        before = bisect_left(self._wide, position)
        within = before and self._wide[before - 1] == position - 1
        translated = position - before
        return None if within or not 0 <= translated <= self._length else translated

    def back(self, position: int) -> int:
        """Return the position in UTF-16 code units of one in code points."""
        return position + sum(1 for before, wide in enumerate(self._wide) if wide - before < position)
