"""Segments and units, as pygamma-agreement and pyannote.core have them."""

from __future__ import annotations

from functools import total_ordering
from typing import Any, NamedTuple


class Segment(NamedTuple):
    """From where to where; pyannote.core's segments are accepted in its place."""

    start: float
    end: float

    @property
    def duration(self) -> float:
        """Its length."""
        return max(0.0, self.end - self.start)


@total_ordering
class Unit:
    """A segment and its label, if it has one; ordered by both, those without a label first."""

    __slots__ = ("annotation", "segment")

    def __init__(self, segment: Any, annotation: str | None = None) -> None:
        self.segment = Segment(segment.start, segment.end)
        self.annotation = annotation

    def __repr__(self) -> str:
        return f"Unit(segment=<Segment({self.segment.start:g}, {self.segment.end:g})>, annotation={self.annotation!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Unit) and self._key == other._key

    def __lt__(self, other: Unit) -> bool:
        return self._key < other._key

    def __hash__(self) -> int:
        return hash(self._key)

    @property
    def _key(self) -> tuple[Segment, bool, str]:
        return self.segment, self.annotation is not None, self.annotation or ""
