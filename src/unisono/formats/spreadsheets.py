"""Cells that spreadsheets would take for formulas, and how they are protected: by an apostrophe before them.

A cell that begins with apostrophes before such a sign gets one more, so that nothing is lost: in a protected table,
every cell that begins with an apostrophe and such a sign has one too many. Numbers such as -3 are no formulas.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from unisono.formats.numbers import looks_numeric

MARKS = frozenset("'=+-@\t\r")
"""How cells begin that are formulas, or protected."""

_MARK = "'"
_FORMULA = re.compile(r"[=+\-@\t\r]")
_PROTECTED = re.compile(r"'+[=+\-@\t\r]")


def protected(text: str) -> str:
    """Return a text as it is written in a protected table."""
    return _MARK + text if _is_exposed(text) or _PROTECTED.match(text) else text


def unprotected(text: str) -> str:
    """Return a text of a protected table as it was."""
    return text[len(_MARK) :] if _PROTECTED.match(text) else text


def is_protected(texts: Iterable[str]) -> bool:
    """Whether a table with these texts is protected: some of them are, and none is exposed that should be."""
    found = False
    for text in texts:
        if _is_exposed(text):
            return False
        found = found or _PROTECTED.match(text) is not None
    return found


def _is_exposed(text: str) -> bool:
    return _FORMULA.match(text) is not None and not looks_numeric(text)
