"""Praat's TextGrid: tiers of labelled intervals and points on the time of a recording.

Specification: Praat manual, "TextGrid file formats". Of a text file, only free-standing numbers, texts in quotes (a
quote within is doubled) and flags such as ``<exists>`` count; all the rest (``xmin =``, ``intervals [1]:``, and what
follows an exclamation mark) is comment. So the long and the short form are read in the same way. Files are UTF-16 if
they begin with a byte order mark, else UTF-8, else Latin-1, as Praat writes them. Whose a tier is: see `tiers`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

from unisono.errors import DataError
from unisono.formats.collected import Collected, collecting
from unisono.formats.files import encoding, head_text, read_head, reject_binary
from unisono.formats.format import Format
from unisono.formats.tools.tiers import TIERS_OPTION, Tier, TimedUnit, add_tiers

_BINARY = b"ooBinaryFile"
_HEADER = re.compile(r'\ufeff?\s*(?:File type\s*=\s*)?"ooTextFile(?: short)?"\s+(?:Object class\s*=\s*)?"TextGrid"')
_CHRONOLOGICAL = "Praat chronological TextGrid"
_TOKEN = re.compile(r'![^\n]*|"(?P<text>[^"]*(?:""[^"]*)*)"|(?P<flag><[^<>\s]*>)|(?P<word>\S+)')
_NUMBER = re.compile(r"[+-]?\d+(?:\.\d*)?(?:[eE][+-]?\d+)?", re.ASCII)
_INTERVALS, _POINTS = "IntervalTier", "TextTier"
_SHOWN = 40
"""So many characters of a text are shown in a message."""


@collecting
def read(collected: Collected) -> None:
    """Read labelled intervals and points as units, with their labels as categories; positions are seconds."""
    begin, end, tiers = _grid(_Tokens(_text(collected.path)))
    add_tiers(tiers, collected, (begin, end))


def _text(path: Path) -> str:
    head = read_head(path)
    if head.startswith(_BINARY):
        raise DataError("this is a binary TextGrid; open it in Praat and save it as a text file (Save as text file…)")
    reject_binary(head, path)
    content = path.read_bytes()
    codec = encoding(head)
    try:
        text = content.decode(codec)
    except UnicodeError:
        if codec != "utf-8":
            raise DataError(f"the file is damaged or not {codec.upper()}; save it again with Praat") from None
        text = content.decode("latin-1")
    return text.replace("\r\n", "\n").replace("\r", "\n")


class _Tokens:
    """Takes what counts in a file, one after the other."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._found = self._tokens()
        self._counted = 0
        self.line = 1

    def text(self, what: str) -> str:
        """Take a text."""
        return self._take("text", what, ", a text in quotes,").replace('""', '"')

    def number(self, what: str) -> float:
        """Take a number."""
        number = float(self._take("number", what, ", a number,"))
        if not math.isfinite(number):
            self.fail(f"{what} is too large a number; correct it")
        return number

    def count(self, what: str) -> int:
        """Take a whole number."""
        number = self.number(what)
        if not (number.is_integer() and number >= 0):
            self.fail(f"{what} is {number:g} where a whole number is expected; correct it")
        return int(number)

    def flag(self) -> bool:
        """Take the flag that says whether there are tiers."""
        return self._take("flag", "<exists>") == "<exists>"

    def fail(self, message: str) -> NoReturn:
        """Reject the file."""
        raise DataError(message, line=self.line)

    def _take(self, expected: str, what: str, described: str = "") -> str:
        found = next(self._found, None)
        if found is None:
            self.fail(f"the file breaks off where {what} is expected; check that it is complete")
        kind, value, at = found
        self.line += self._text.count("\n", self._counted, at)
        self._counted = at
        if kind == "open":
            self.fail("a text in quotes has no end; check that the file is complete")
        if kind != expected:
            self.fail(f"there is {value[:_SHOWN]!r} where {what}{described} is expected; correct it")
        return value

    def _tokens(self) -> Iterator[tuple[str, str, int]]:
        for match in _TOKEN.finditer(self._text):
            kind = match.lastgroup
            if kind == "word":
                if _NUMBER.fullmatch(match[0]):
                    yield "number", match[0], match.start()
                elif match[0].startswith('"'):
                    yield "open", match[0], match.start()
            elif kind is not None:
                yield kind, match[kind], match.start()


def _grid(tokens: _Tokens) -> tuple[float, float, list[Tier]]:
    """Return start and end of the recording, and the tiers."""
    _check_type(tokens)
    begin, end = tokens.number("the start of the recording"), tokens.number("the end of the recording")
    if not tokens.flag():
        return begin, end, []
    tiers = []
    for number in range(1, tokens.count("the number of tiers") + 1):
        tiers.append(_tier(tokens, number))
    times = [time for tier in tiers for unit in tier.units for time in (unit.start, unit.end)]
    return min([begin, *times]), max([end, *times]), tiers


def _check_type(tokens: _Tokens) -> None:
    kind = tokens.text('"ooTextFile"')
    if kind not in ("ooTextFile", "ooTextFile short"):
        chronological = kind.startswith(_CHRONOLOGICAL)
        what = "a chronological TextGrid" if chronological else f"a file of type {kind[:_SHOWN]!r}"
        tokens.fail(f"this is {what}; open it in Praat and save it as a text file (Save as text file…)")
    name = tokens.text("the class of the object").partition(" ")[0]
    if name != "TextGrid":
        shown = repr(name[:_SHOWN])
        tokens.fail(
            f"the object is a {shown} where a TextGrid is expected; open it in Praat and save the TextGrid alone"
        )


def _tier(tokens: _Tokens, number: int) -> Tier:
    kind = tokens.text("the class of a tier")
    line = tokens.line
    if kind not in (_INTERVALS, _POINTS):
        tokens.fail(f"the tier is a {kind[:_SHOWN]!r} where {_INTERVALS} or {_POINTS} is expected; correct it")
    name = tokens.text("the name of a tier") or f"tier {number}"
    tokens.number("the start of a tier")
    tokens.number("the end of a tier")
    units = []
    for _ in range(tokens.count("the number of intervals or points")):
        start = tokens.number("the start of an interval" if kind == _INTERVALS else "the time of a point")
        stop = tokens.number("the end of an interval") if kind == _INTERVALS else start
        at = tokens.line
        label = tokens.text("a label")
        if label.strip() or kind == _POINTS:
            units.append(TimedUnit(start, stop, {"category": label if label.strip() else None}, at))
    return Tier(name, line, units, len(units))


def _sniff(head: bytes, path: Path) -> bool:
    if head.startswith(_BINARY):
        return b"TextGrid" in head[:64]
    return path.suffix.lower() in FORMAT.suffixes or bool(_HEADER.match(head_text(head)))


FORMAT = Format(
    name="textgrid",
    title="Praat TextGrid",
    suffixes=(".textgrid",),
    reads="intervals with a label, and points (as units without length), in seconds, with the label as category; the "
    "recording's begin and end as the continuum; annotator: the path's if a pattern names it, else the tier; if the "
    "tier is not the annotator, it is the layer",
    ignores="intervals without a label, which are silence",
    options=TIERS_OPTION,
    annotator_from=("folder", "file", "tier", "field"),
    whole=True,
    sniff=_sniff,
    read=read,
)
