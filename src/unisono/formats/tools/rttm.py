"""RTTM, NIST's Rich Transcription Time Marked format: who speaks when, and other objects on the time of recordings.

Specification: The 2009 Rich Transcription Meeting Recognition Evaluation Plan (NIST), appendix A, and before it the
RTTM format specification 1.3. A line has nine or ten fields, separated by spaces: type, file, channel, begin, duration,
orthography, subtype, speaker, confidence and, in later versions, lookahead; ``<NA>`` is an empty field, and ``;;``
begins a comment. Speakers' turns are lines of type SPEAKER, and their category is the speaker. The category of all
other objects is the subtype, for example laugh of a NON-LEX.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import NamedTuple

from unisono.errors import DataError, OptionError, mention
from unisono.formats.collected import Collected, collecting
from unisono.formats.files import head_text, numbered_lines
from unisono.formats.format import Format, Instructions

_NOTHING = "<NA>"
_SPEAKER = "SPEAKER"
_WITHOUT_TIME = "SPKR-INFO"
_POINTS = ("IP", "CB")
_TYPES = (
    "SEGMENT",
    "NOSCORE",
    "NO_RT_METADATA",
    "LEXEME",
    "NON-LEX",
    "NON-SPEECH",
    "FILLER",
    "EDIT",
    "IP",
    "SU",
    "CB",
    "A/P",
    _SPEAKER,
    _WITHOUT_TIME,
)
_TIME = re.compile(r"-?\d{1,12}(?:\.\d{0,30})?(?:[eE][+-]?\d{1,3})?", re.ASCII)


class _Row(NamedTuple):
    """A line."""

    line: int
    type: str
    file: str
    channel: str
    begin: str
    duration: str
    orthography: str
    subtype: str
    speaker: str


@collecting
def read(collected: Collected) -> None:
    """Read turns of speakers, or other objects, as units; positions are seconds."""
    wanted = _wanted(collected.instructions)
    rows = _rows(collected)
    several = _with_several_channels(rows)
    for row in rows:
        document = f"{row.file} {row.channel}" if row.file in several else row.file
        collected.version(document, line=row.line)
        if row.type == _WITHOUT_TIME:
            collected.drop("lines that describe a speaker (SPKR-INFO), which have no time")
        elif wanted is not None and row.type not in wanted:
            collected.drop(f"objects of type {row.type}, which was not asked for")
        else:
            with collected.record(row.line):
                _add(row, document, collected)


def _wanted(instructions: Instructions) -> list[str] | None:
    """Return the types to read; None for all."""
    types = instructions.names("types") or [_SPEAKER]
    for name in types:
        if name not in (*_TYPES, "all"):
            raise OptionError(f"unknown type {name!r}; available: {', '.join(_TYPES)}, all", "options")
    return None if "all" in types else types


def _rows(collected: Collected) -> list[_Row]:
    rows = []
    for line, content in numbered_lines(collected.path, collected.instructions.bad):
        fields = content.split()
        if not fields or fields[0].startswith(";;"):
            continue
        with collected.record(line):
            if fields[0] not in _TYPES:
                raise DataError(f"{fields[0]!r} is not a type of RTTM, such as {_SPEAKER}; correct or remove the line")
            if len(fields) not in (9, 10):
                raise DataError(
                    f"there are {len(fields)} fields, but RTTM has 9 or 10; correct it (names have no spaces)"
                )
            rows.append(_Row(line, *fields[:8]))
    return rows


def _with_several_channels(rows: Sequence[_Row]) -> set[str]:
    """Return the recordings whose channels are separate documents."""
    channels: dict[str, str] = {}
    return {row.file for row in rows if channels.setdefault(row.file, row.channel) != row.channel}


def _add(row: _Row, document: str, collected: Collected) -> None:
    begin = _time(row.begin, "start")
    is_point = row.duration == _NOTHING and row.type in _POINTS
    duration = Decimal(0) if is_point else _time(row.duration, "duration")
    if duration < 0:
        raise DataError(f"the duration is {row.duration}, less than 0; correct it")
    speaker, subtype = _label(row.speaker), _label(row.subtype)
    labels = {"category": subtype, "speaker": speaker, "orthography": _label(row.orthography)}
    collected.unit(
        float(begin),
        float(begin + duration),  # as decimals, so that a turn ends exactly where the next one begins
        {"category": speaker} if row.type == _SPEAKER else labels,
        document=document,
        layer=row.type,
        line=row.line,
    )


def _time(text: str, what: str) -> Decimal:
    if not _TIME.fullmatch(text) or not math.isfinite(float(text)):
        raise DataError(f"the {what} {text!r} should be a number of seconds; correct it")
    return Decimal(text)


def _label(text: str) -> str | None:
    return None if text == _NOTHING else text


def _sniff(head: bytes, path: Path) -> bool:
    if path.suffix.lower() in FORMAT.suffixes:
        return True
    lines = (line for line in head_text(head).removeprefix("\ufeff").splitlines() if not line.startswith(";;"))
    fields = next((line.split() for line in lines if line.strip()), [])
    times = all(time == _NOTHING or _TIME.fullmatch(time) for time in fields[3:5])
    return len(fields) in (9, 10) and fields[0] in _TYPES and times


FORMAT = Format(
    name="rttm",
    title="RTTM",
    suffixes=(".rttm",),
    reads="speakers' turns (SPEAKER) as units, in seconds, with the speaker as category; with "
    f"{mention('options', {'types': '…'})} other objects, with the subtype as category, and speaker and orthography as "
    "features; the type as layer; documents: the files that it names, by channel if one has several. Annotator: from "
    "the path",
    ignores="confidence and lookahead, descriptions of speakers (SPKR-INFO), objects of other types",
    options={"types": "types of objects to read, separated by semicolons, or all; by default SPEAKER"},
    names_annotators=False,
    sniff=_sniff,
    read=read,
)
