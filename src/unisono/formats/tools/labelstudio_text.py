"""The text of a task of Label Studio, and where labelled spans are in it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from unisono.data import Label
from unisono.errors import DataError, mention
from unisono.formats.collected import Position
from unisono.formats.format import Instructions
from unisono.formats.tools.utf16 import Utf16

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


def place_spans(spans: Sequence[LabelledSpan], text: str | None, instructions: Instructions) -> list[str]:
    """Put spans where they are in a text, in characters; note those that seem to be elsewhere."""
    if text is None:
        return []
    doubtful = []
    position = Utf16(text)
    chosen = instructions.options.get("offsets")
    for span in spans:
        if chosen is None:
            utf16 = not _covers(text, span, int(span.start)) and _covers(text, span, position(int(span.start)))
        else:
            utf16 = chosen == "utf-16"
        start, end = (position(int(span.start)), position(int(span.end))) if utf16 else (span.start, span.end)
        if start is None or end is None or not 0 <= start <= end <= len(text):
            raise DataError(
                f"a span from {span.start} to {span.end} is not within the text, which has {len(text):,} characters; "
                f"name the field with the text with {_TEXT}"
            )
        span.start, span.end = start, end
        if span.text is not None and _plain(span.text) != _plain(_seen(text, span)):
            doubtful.append("spans that cover other text than they say, read by their positions")
    return doubtful


def _seen(text: str, span: LabelledSpan) -> str:
    """Return the text where a span is, but only as much as needed to compare it with what the span says."""
    return text[int(span.start) : min(int(span.end), int(span.start) + 2 * len(span.text or "") + _ROOM)]


def _plain(text: str) -> str:
    """Leave out white space and line breaks, which the editor changes."""
    return _SPACE.sub("", text)
