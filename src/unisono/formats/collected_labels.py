"""Collects the labels of items that a file holds, answer by answer, until they become ratings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from unisono.data import Label, Question, Ratings
from unisono.data.labels import written_label
from unisono.data.questions import AnswerKind

SHARED_DOCUMENT = "document"
"""The document of items that belong to none, in whichever file they are."""
_SHOWN = 1000
"""How many characters of an item's text are kept, which is for display."""
SEVERAL: tuple[AnswerKind, ...] = ("sets", "paths")
"""Kinds of answers that are sets, of one name too."""


class _Answer(NamedTuple):
    question: str
    document: str
    item: str
    annotator: str
    label: Label | None
    line: int | None


@dataclass
class CollectedLabels:
    """Labels of items, in answer to one question or several."""

    path: Path
    questions: dict[str, Question] = field(default_factory=dict)
    answers: list[_Answer] = field(default_factory=list)
    texts: dict[tuple[str, str], str] = field(default_factory=dict)

    def question(
        self,
        name: str,
        kind: AnswerKind | None = None,
        order: tuple[str, ...] = (),
        meanings: Mapping[str, str] | None = None,
    ) -> None:
        """Note what the file says about a question; where it says it several times, sets win over single names."""
        before = self.questions.get(name)
        if before is None or before.kind is None or kind in SEVERAL:
            self.questions[name] = Question.of(name, kind, order, meanings)

    def add(
        self,
        question: str,
        item: str,
        annotator: str,
        label: Label | None,
        *,
        document: str | None = None,
        text: str | None = None,
        line: int | None = None,
    ) -> None:
        """Add an answer; None says that the annotator saw the item and gave no label."""
        place = (document or SHARED_DOCUMENT, item)
        self.questions.setdefault(question, Question(question))
        self.answers.append(_Answer(question, *place, annotator, label, line))
        if text is not None:
            self.texts.setdefault(place, text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…")

    def parts(self) -> tuple[list[Any] | dict[Any, Any], ...]:
        """Return everything that is collected, so that a bad record can be forgotten."""
        return self.questions, self.answers, self.texts

    def ratings(self) -> dict[str, Ratings]:
        """Make ratings of the answers to each question that somebody answered."""
        rows: dict[str, list[_Answer]] = {}
        for answer in self.answers:
            rows.setdefault(answer.question, []).append(answer)
        return {
            name: self._of_question(self.questions[name], own)
            for name, own in rows.items()
            if any(answer.label is not None for answer in own)
        }

    def _of_question(self, question: Question, answers: list[_Answer]) -> Ratings:
        return Ratings.from_columns(
            item=[answer.item for answer in answers],
            annotator=[answer.annotator for answer in answers],
            label=[as_kind(answer.label, question.kind) for answer in answers],
            document=[answer.document for answer in answers],
            question=question,
            texts=self.texts,
            lines={(answer.document, answer.item): answer.line for answer in answers if answer.line is not None},
            source=self.path.name,
            locate=lambda row: (self.path, answers[row].line),
        )


def as_kind(label: Label | None, kind: AnswerKind | None) -> Label | None:
    """Make a set of a single name where answers are sets."""
    if kind not in SEVERAL or label is None or isinstance(label, tuple):
        return label
    return (written_label(label),)
