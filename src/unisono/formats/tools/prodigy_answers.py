"""Answers to whole tasks of Prodigy: choices among options, and yes or no to one label.

Specification: Prodigy's documentation, "Annotation interfaces" (choice, classification) and "Text classification".
``accept`` lists the options that were chosen, in the order of the clicks, which means nothing. Without options, a task
with a ``label`` asks whether it applies: ``"answer": "accept"`` is yes, ``"reject"`` is no.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from unisono.data import Label
from unisono.data.questions import AnswerKind
from unisono.errors import DataError
from unisono.formats.collected import Collected
from unisono.formats.json_reading import as_list, as_object, is_number, shown_json

_CHOICE = "choice"
_REJECTED, _NOTHING = "rejected", "nothing chosen"
"""Labels for what was answered without choosing an option."""
_YES_OR_NO = {"accept": "yes", "reject": "no"}
_TEXTS = ("text", "html", "image", "audio", "path")


class _Answer(NamedTuple):
    chosen: tuple[str | int | float, ...]
    """What was chosen; several at once if the question allows it."""
    text: str | None
    line: int | None


@dataclass
class ProdigyAnswers:
    """The answers in a file, of which the latest of an annotator to a task counts."""

    reject_is_label: bool
    _answers: dict[tuple[str, str, str | None], _Answer] = field(default_factory=dict)
    _times: dict[tuple[str, str, str | None], float] = field(default_factory=dict)
    _dropped: list[str] = field(default_factory=list)
    _meanings: dict[str, str] = field(default_factory=dict)
    _several: bool = False

    def add(self, record: Mapping[str, Any], item: str, annotator: str | None, line: int | None) -> bool:
        """Add the answer of a task, if it asks for one; return whether it does."""
        answer = record.get("answer", "accept")
        if "options" in record or "accept" in record:
            question, chosen = _CHOICE, _chosen(record)
            meanings = _meanings(record)
            if answer == "reject" and self.reject_is_label:
                chosen = (_REJECTED,)
            elif answer != "accept":
                self._dropped.append(f"tasks that were not accepted ({shown_json(answer)})")
                return True
            self._several = self._several or len(chosen) > 1 or _style(record) == "multiple"
            self._meanings |= meanings
        elif isinstance(record.get("label"), str) and not has_labelled_spans(record):
            question = record["label"]
            if not isinstance(answer, str) or answer not in _YES_OR_NO:
                self._dropped.append(f"tasks that were not accepted ({shown_json(answer)})")
                return True
            chosen = (_YES_OR_NO[answer],)
        else:
            return False
        if isinstance(record.get("user_input"), str) and record["user_input"]:
            self._dropped.append("free texts, which are not labels")
        text = next((record[key] for key in _TEXTS if isinstance(record.get(key), str)), None)
        self._keep((question, item, annotator), _Answer(chosen, text, line), record.get("_timestamp"))
        return True

    def collect(self, collected: Collected) -> None:
        """Hand over what was answered."""
        for what in self._dropped:
            collected.drop(what)
        kind = self._kind()
        if any(question == _CHOICE for question, _, _ in self._answers):
            meanings = {code: meaning for code, meaning in self._meanings.items() if meaning != code}
            collected.question(_CHOICE, kind, meanings=meanings)
        for (question, item, annotator), (chosen, text, line) in self._answers.items():
            label: Label | None = chosen[0] if chosen else None if kind is None else _NOTHING
            if question == _CHOICE and kind == "sets":
                label = tuple(sorted({str(one) for one in chosen}))
            collected.answer(question, item, label, annotator=annotator, text=text, line=line)

    def _kind(self) -> AnswerKind | None:
        """Return what choices are like; None if numbers are chosen one by one, which may be steps of a scale."""
        made = [
            one for (question, _, _), answer in self._answers.items() if question == _CHOICE for one in answer.chosen
        ]
        numbers = bool(made) and all(is_number(one) for one in made)
        return "sets" if self._several else None if numbers else "names"

    def _keep(self, key: tuple[str, str, str | None], answer: _Answer, time: Any) -> None:
        when = float(time) if is_number(time) else 0.0
        if key in self._answers:
            self._dropped.append("earlier answers of one annotator to the same task")
            if when < self._times[key]:
                return
        self._answers[key], self._times[key] = answer, when


def has_labelled_spans(record: Mapping[str, Any]) -> bool:
    """Whether somebody marked or judged spans, or could; those without labels only show what a pattern found."""
    spans = record.get("audio_spans", record.get("spans"))
    if record.get("_view_id") == "classification" or not isinstance(spans, list):
        return False
    if "label" in record and "options" not in record:
        return any(as_object(span).get("label") is not None for span in spans)
    return True


def _chosen(record: Mapping[str, Any]) -> tuple[str | int | float, ...]:
    accept = record.get("accept")
    if not isinstance(accept, list | None):
        raise DataError(f"accept should be a list of options, not {shown_json(accept)}")
    for one in accept or ():
        if not isinstance(one, str) and not is_number(one):
            raise DataError(f"an option should be a text or a number, not {shown_json(one)}")
    return tuple(dict.fromkeys(accept or ()))


def _meanings(record: Mapping[str, Any]) -> dict[str, str]:
    options = [as_object(option) for option in as_list(record.get("options"))]
    return {str(one["id"]): one["text"] for one in options if "id" in one and isinstance(one.get("text"), str)}


def _style(record: Mapping[str, Any]) -> Any:
    return as_object(record.get("config")).get("choice_style")
