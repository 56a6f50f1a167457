"""Categories of whole texts as spaCy stores them: a score for each category, 1 for those that an annotator chose.

Scores of models are between 0 and 1. If those of a text add up to 1, its categories exclude each other, and the highest
counts; otherwise each from one half on. If every text of a file has exactly one category, categories are names, else
sets.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from unisono.errors import DataError
from unisono.formats.collected import Collected

QUESTION = "cats"
_SCORED = (
    "texts whose categories have scores between 0 and 1 (the highest counts if they add up to 1, else those from 0.5)"
)
_ALMOST = 0.01


class _Text(NamedTuple):
    item: str
    chosen: tuple[str, ...]
    text: str | None
    annotator: str | None
    line: int | None


def text_name(text: str) -> str:
    """Name a text by what it says, which is the same for all annotators, whichever texts their files have."""
    return f"text {hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:12]}"


@dataclass
class TextNames:
    """Names of the texts of a file; those that occur again are numbered."""

    _n_times: Counter[str] = field(default_factory=Counter)

    def name(self, text: str) -> str:
        """Name the next text."""
        name = text_name(text)
        self._n_times[name] += 1
        return name if self._n_times[name] == 1 else f"{name} ({self._n_times[name]})"


@dataclass
class Categories:
    """Texts with their categories, until all of a file are known."""

    _texts: list[_Text] = field(default_factory=list)
    _n_scored: int = 0

    def add(
        self, item: str, scores: Any, text: str | None, *, annotator: str | None = None, line: int | None = None
    ) -> None:
        """Add a text; without any category in the table of scores, nobody was asked about it."""
        if scores:
            self._texts.append(_Text(item, self._chosen(scores), text, annotator, line))

    def collect(self, collected: Collected) -> None:
        """Hand over the texts as items."""
        if not self._texts:
            return
        single = all(len(one.chosen) == 1 for one in self._texts)
        collected.question(QUESTION, "names" if single else "sets")
        collected.drop(_SCORED, self._n_scored)
        for one in self._texts:
            label = one.chosen[0] if single else one.chosen
            collected.answer(QUESTION, one.item, label, annotator=one.annotator, text=one.text, line=one.line)

    def _chosen(self, scores: Any) -> tuple[str, ...]:
        if not isinstance(scores, Mapping):
            raise DataError(f"categories should be names with a score each, not {scores!r:.60}; correct them")
        for name, score in scores.items():
            if not isinstance(name, str) or not isinstance(score, bool | int | float) or not 0 <= score <= 1:
                raise DataError(f"the score of the category {name!r:.60} should be from 0 to 1, not {score!r:.60}")
        if set(scores.values()) <= {0, 1}:
            return tuple(sorted(name for name, score in scores.items() if score))
        self._n_scored += 1
        if math.isclose(sum(scores.values()), 1, abs_tol=_ALMOST):
            highest = max(scores.values())
            return (min(name for name, score in scores.items() if score == highest),)
        return tuple(sorted(name for name, score in scores.items() if score >= 0.5))
