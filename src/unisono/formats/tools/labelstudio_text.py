"""The text of a task of Label Studio, and where labelled spans are in it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from unisono.data import Label
from unisono.errors import DataError, mention
from unisono.formats.format import Instructions
from unisono.formats.pieces import Position
from unisono.formats.tools.utf16 import Utf16

CHARACTERS, UTF_16 = OFFSETS = ("characters", "utf-16")
"""What positions can count; newer versions count characters."""

SPANS = ("labels", "hypertextlabels", "paragraphlabels", "timeserieslabels")
"""Types of controls that label stretches."""
_LINK = re.compile(r"(?:[a-z][a-z0-9+.-]*://|/data/|data:)\S*", re.IGNORECASE)
_ROOM = 1_000
_TEXT = mention("options", {"text": "…"})
_SPACE = re.compile(r"\\n|\s+")


@dataclass
class LabelledSpan:
    """A labelled span: where, with what, and the text that it says it covers."""

    control: str
    start: Position
    end: Position
    labels: dict[str, Label | None]
    text: str | None
    kind: str = SPANS[0]  # the type of the control
    object: str = "text"  # the name of what is labelled
    id: str | None = None


def find_text(
    data: Mapping[str, Any],
    results: Sequence[Mapping[str, Any]],
    spans: Sequence[LabelledSpan],
    instructions: Instructions,
) -> str | None:
    """Find the text: the field named, or the one that the results name and that suits them best."""
    wanted = instructions.options.get("text")
    if wanted is not None:
        if not isinstance(data.get(wanted), str):
            raise DataError(f"its data has no text {wanted!r}; choose another with {_TEXT}")
        return str(data[wanted])
    texts = {key: value for key, value in data.items() if isinstance(value, str) and not _LINK.fullmatch(value)}
    named = {str(result.get("to_name")) for result in results}
    ordered = sorted(texts, key=lambda key: (key not in named, -len(texts[key])))
    return max((texts[key] for key in ordered), key=lambda text: _n_covered(text, spans), default=None)


def _n_covered(text: str, spans: Sequence[LabelledSpan]) -> int:
    """Count the spans that cover what they say in a text."""
    position = Utf16(text)
    return sum(_covers(text, span, int(span.start)) or _covers(text, span, position(int(span.start))) for span in spans)


def _covers(text: str, span: LabelledSpan, start: int | None) -> bool:
    """Whether the text that a span says it covers begins at a place."""
    return span.text is not None and start is not None and start >= 0 and text.startswith(span.text, start)


@dataclass
class Offsets:
    """What positions count in an export: characters or UTF-16 code units, by all that its spans show.

    A span that covers what it says only by the other reading, as in projects that are older than their version of
    Label Studio, is read by that.
    """

    given: str | None
    """What the user says."""
    by_text: Counter[str] = field(default_factory=Counter)
    by_length: Counter[str] = field(default_factory=Counter)
    """How many spans show what they count: by the text that they say they cover, or since the other is impossible."""

    def learn(self, text: str | None, spans: Sequence[LabelledSpan]) -> None:
        """Take note of what spans in a text show."""
        if not spans or self.given is not None or text is None or not _is_wide(text):
            return
        position = Utf16(text)
        for span in spans:
            places = _places(text, span, position)
            possible = [how for how, place in places.items() if place is not None]
            if (shown := _shown(text, span, places)) is not None:
                self.by_text[shown] += 1
            elif len(possible) == 1:
                self.by_length[possible[0]] += 1

    @property
    def usual(self) -> str | None:
        """What most spans show; None if they show nothing."""
        best = max(OFFSETS, key=lambda how: (self.by_text[how], self.by_length[how]))
        return best if self.by_text[best] or self.by_length[best] else None

    def place(self, spans: Sequence[LabelledSpan], text: str | None) -> list[str]:
        """Put spans where they are in a text, in characters; return notes about those that are doubtful."""
        if text is None or not spans:
            return []
        notes = []
        position = Utf16(text)
        clear = self.given is not None or not _is_wide(text)
        usual = self.given or self.usual or CHARACTERS
        for span in spans:
            places = _places(text, span, position)
            how = usual if clear else _shown(text, span, places) or usual
            place = places[how]
            if place is None:
                raise DataError(
                    f"a span from {span.start} to {span.end} is not within the text, which has {len(text):,} "
                    f"characters; name the field with the text with {_TEXT}"
                )
            span.start, span.end = place
            if how != usual:
                notes.append(f"spans with positions in {how}, unlike most of the export")
            elif not clear and self.usual is None and len(set(places.values())) > 1:
                notes.append(f"spans around characters beyond 16 bits, read with positions in {how}")
            if span.text is not None and _plain(span.text) != _plain(_seen(text, span.text, place)):
                notes.append("spans that cover other text than they say, read by their positions")
        return notes


def _is_wide(text: str) -> bool:
    """Whether characters and UTF-16 code units differ."""
    return max(text, default="") > "\uffff"


def _places(text: str, span: LabelledSpan, position: Utf16) -> dict[str, tuple[int, int] | None]:
    """Return where a span would be in the text, in characters, by what its positions count; None where it cannot be."""
    start, end = int(span.start), int(span.end)
    first, last = position(start), position(end)
    return {
        CHARACTERS: (start, end) if 0 <= start <= end <= len(text) else None,
        UTF_16: None if first is None or last is None or first > last else (first, last),
    }


def _shown(text: str, span: LabelledSpan, places: Mapping[str, tuple[int, int] | None]) -> str | None:
    """Return by which of the readings a span covers what it says: exactly, or else but for white space."""
    said = span.text
    found = {how: place for how, place in places.items() if place is not None}
    if said is None or len(set(found.values())) < len(found):
        return None
    covering = [how for how, (start, end) in found.items() if end - start == len(said) and text[start:end] == said]
    covering = covering or [how for how, at in found.items() if _plain(_seen(text, said, at)) == _plain(said)]
    return covering[0] if len(covering) == 1 else None


def _seen(text: str, said: str, place: tuple[int, int]) -> str:
    """Return the text at a place, but only as much as needed to compare it with what a span says."""
    start, end = place
    return text[start : min(end, start + 2 * len(said) + _ROOM)]


def _plain(text: str) -> str:
    """Leave out white space and line breaks, which the editor changes."""
    return _SPACE.sub("", text)
