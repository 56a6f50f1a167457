"""Potato's JSON lines, ``annotated_instances.jsonl``: one object per item, one folder per annotator.

Specification: Potato's code (`save_user_state`) and documentation. ``label_annotations`` has a scheme's answers:
{"sentiment": {"positive": "true"}} for one choice, several names for several; {"stars": {"scale_4": "4"}} for a scale;
{"why": {"text_box": "…"}} for free text; {"age": {"slider": "30"}} for numbers.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from unisono.data import Label
from unisono.data.questions import AnswerKind
from unisono.errors import DataError
from unisono.formats.collected import Collected, collecting
from unisono.formats.format import Format
from unisono.formats.json_reading import first_record, is_number, json_records, shown_json

_SCALE = re.compile(r"scale_([0-9]{1,9})")
_NUMBERS = ("slider", "number")
_TEXTS = ("text_box", "textbox", "text")
_NOT_CHOSEN = (None, False, "", "false", "False")


class _Item(NamedTuple):
    name: str
    annotator: str | None
    text: str | None
    answers: Mapping[str, tuple[str | float, ...]]


@collecting
def read(collected: Collected) -> None:
    """Read answers to the schemes."""
    found: list[tuple[int | None, _Item]] = []
    seen: set[tuple[str, str | None]] = set()
    kinds: dict[str, Counter[AnswerKind]] = {}
    for line, record in json_records(collected.path, collected.instructions.bad):
        with collected.record(line):
            item = _item(record, collected)
            if (item.name, item.annotator) in seen:
                raise DataError(f"the item {item.name!r} is there a second time; remove one")
            seen.add((item.name, item.annotator))
            found.append((line, item))
            for scheme, chosen in item.answers.items():
                kinds.setdefault(scheme, Counter())[_kind(chosen)] += 1
    for scheme, counts in kinds.items():
        collected.question(scheme, "sets" if counts["sets"] else "numbers" if set(counts) == {"numbers"} else "names")
    for line, item in found:
        for scheme, counts in kinds.items():
            answer = _label(item.answers.get(scheme, ()), several=counts["sets"] > 0)
            collected.answer(scheme, item.name, answer, annotator=item.annotator, text=item.text, line=line)


def _item(record: Any, collected: Collected) -> _Item:
    if not isinstance(record, dict):
        raise DataError(f"an item should be an object, not {shown_json(record)}")
    name = record.get("id", record.get("instance_id"))
    labels = record.get("label_annotations")
    if not isinstance(name, str | int) or not isinstance(labels, dict | None):
        raise DataError(f"an item should have an id and label_annotations, not {shown_json(record)}")
    answers = {}
    for scheme, given in (labels or {}).items():
        if not isinstance(given, dict):
            raise DataError(f"{scheme!r} should be an object with what was chosen, not {shown_json(given)}")
        chosen = {name: value for name, value in given.items() if value not in _NOT_CHOSEN}
        answers[scheme] = tuple(_answer(name, value) for name, value in chosen.items() if name not in _TEXTS)
        n_texts = sum(name in _TEXTS for name in chosen)
        collected.drop("free texts, which are not labels", n_texts)
        if n_texts and not answers[scheme]:
            del answers[scheme]
    spans = record.get("span_annotations")
    n_spans = sum(map(_size, spans.values())) if isinstance(spans, dict) else _size(spans)
    collected.drop("span annotations", n_spans)
    user, text = record.get("user_id"), record.get("displayed_text")
    by_path = collected.instructions.annotator_from in ("folder", "file") or user in (None, "")
    return _Item(str(name), None if by_path else str(user), text if isinstance(text, str) else None, answers)


def _answer(name: str, value: Any) -> str | float:
    """Return a name that was chosen, or the number that was given."""
    step = _SCALE.fullmatch(name)
    if step is not None:
        return int(step[1])
    if name not in _NUMBERS:
        return name
    try:
        number = value if is_number(value) else float(str(value))
    except ValueError:
        number = None
    if not is_number(number):
        raise DataError(f"{name} should be a number, not {shown_json(value)}")
    return int(number) if float(number).is_integer() else number


def _kind(chosen: tuple[str | float, ...]) -> AnswerKind:
    if len(chosen) > 1:
        return "sets"
    return "numbers" if chosen and is_number(chosen[0]) else "names"


def _label(chosen: tuple[str | float, ...], *, several: bool) -> Label | None:
    if several:
        return tuple(sorted(set(map(str, chosen))))
    return chosen[0] if chosen else None


def _size(value: Any) -> int:
    return len(value) if isinstance(value, list | dict) else int(value not in _NOT_CHOSEN)


def _sniff(head: bytes, path: Path) -> bool:
    return isinstance(first_record(head, path).get("label_annotations"), dict)


FORMAT = Format(
    name="potato",
    title="Potato",
    suffixes=(".jsonl",),
    reads="answers to each scheme, which is a question: names, sets if anybody chose several, numbers of scales and "
    "sliders; an item is named by its id. Annotator: from the path (the folder), or from user_id",
    ignores="span annotations, free texts, behavioral data",
    annotator_from=("folder", "file", "field"),
    names_annotators=False,
    sniff=_sniff,
    read=read,
)
