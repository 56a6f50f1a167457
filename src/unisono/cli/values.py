"""Values as they are written on the command line: lists of names, pairs, groups, ranges."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from io import StringIO
from typing import TYPE_CHECKING

from unisono.errors import OptionError

if TYPE_CHECKING:
    from unisono.comparison.models.roles import Families

_BY_NAMES = "families"
"""The group that stands for families that are found by their names."""


def names_in(text: str) -> list[str]:
    """Read names, of which those with a comma stand in quotation marks, e.g. ``anna,"Smith, Bert"``."""
    return [name.strip() for row in csv.reader([text], skipinitialspace=True) for name in row if name.strip()]


def names_out(names: Sequence[str]) -> str:
    """Write names as `names_in` reads them."""
    written = StringIO()
    csv.writer(written, lineterminator="").writerow(names)
    return written.getvalue()


def steps_in(text: str) -> list[str]:
    """Read cleaning steps, e.g. ``case,spaces``; a replacement may contain commas, so it stands alone."""
    return [text] if text.startswith("s") and not text[1:2].isalnum() else names_in(text)


def pairs_in(text: str | None, option: str, how: str) -> dict[str, str] | None:
    """Read names and values, e.g. ``text=trans,merge=#``."""
    if text is None:
        return None
    found = {}
    for part in text.split(","):
        name, equals, value = part.partition("=")
        if not (name.strip() and equals and value.strip()):
            raise OptionError(f"{option} {text}: write {how}")
        found[name.strip()] = value.strip()
    return found


def groups_in(written: Sequence[str] | None) -> dict[str, list[str]]:
    """Read groups of annotators, e.g. ``experts=anna,bert``."""
    groups: dict[str, list[str]] = {}
    for text in written or ():
        name, equals, members = text.partition("=")
        people = names_in(members)
        if not (name.strip() and equals and people):
            raise OptionError(f"--group {text}: write a name, =, and annotators, e.g. experts=anna,bert")
        if name.strip() in groups:
            raise OptionError(f"--group {text}: there is already a group {name.strip()!r}; choose another name")
        groups[name.strip()] = people
    return groups


def families_in(written: Sequence[str] | None) -> Families:
    """Read families of models or systems, e.g. ``openai=gpt-4o,o3``, or ``families``: by their names."""
    return "names" if [*(written or ())] == [_BY_NAMES] else groups_in(written) or None


def continuum_in(text: str | None) -> tuple[float, float] | None:
    """Read where a continuum starts and ends, e.g. ``0:5000``."""
    if text is None:
        return None
    low, _, high = text.partition(":")
    try:
        return float(low), float(high)
    except ValueError:
        raise OptionError(f"--continuum {text}: write its start and end, e.g. 0:5000") from None


def magnitudes_in(text: str) -> list[float]:
    """Read magnitudes: start, end and step, e.g. ``0:1:0.05``, or a list, e.g. ``0,0.5,1``."""
    try:
        if ":" not in text:
            return [float(part) for part in text.split(",")]
        begin, end, step = (float(part) for part in text.split(":"))
        count = int((end - begin) / step + 1e-9)
        return [round(begin + k * step, 10) for k in range(count + 1)]
    except (ValueError, ZeroDivisionError, OverflowError):
        raise OptionError(f"--magnitudes {text}: write start, end and step, 0:1:0.05, or 0,0.5,1") from None
