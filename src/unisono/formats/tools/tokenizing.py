"""Tokens for formats that need them: those of the data, or words and signs."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from itertools import pairwise

from unisono.formats.tools.versions import Version

_TOKEN = re.compile(r"\w+|[^\w\s]")


def tokens_of(version: Version) -> list[tuple[int, int]]:
    """Return where the tokens of a text begin and end: those of the data if they fit, otherwise words and signs."""
    if version.tokens is not None:
        known = sorted({(begin, end) for begin, end in version.tokens.tolist() if begin < end <= len(version.text)})
        if all(end <= after for (_, end), (after, _) in pairwise(known)):
            return known
    return [match.span() for match in _TOKEN.finditer(version.text)]


def cut(tokens: Iterable[tuple[int, int]], places: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Cut tokens where units begin or end within them."""
    within = sorted(set(places))
    for begin, end in tokens:
        for place in within[bisect_right(within, begin) : bisect_left(within, end)]:
            yield begin, place
            begin = place
        yield begin, end


def lines_of(text: str, tokens: Iterable[tuple[int, int]]) -> Iterator[list[tuple[int, int]]]:
    """Divide tokens into lines of the text, as sentences."""
    line: list[tuple[int, int]] = []
    for begin, end in tokens:
        if line and "\n" in text[line[-1][1] : begin]:
            yield line
            line = []
        line.append((begin, end))
    if line:
        yield line
