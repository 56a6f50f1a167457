"""The JSON of the shared tasks Learning With Disagreements (LeWiDi): items with the labels of named annotators.

Specification: the readme files of the second and third edition (Le-Wi-Di/le-wi-di.github.io). ``annotators`` are names
with commas between them; ``annotations`` are their labels in the same order, or an object of annotators and labels,
where several labels have commas between them. ``other annotations`` in ``other_info`` answer further questions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from unisono.data import Label
from unisono.errors import DataError, plural
from unisono.formats.collected import Collected, collecting
from unisono.formats.files import head_text
from unisono.formats.format import Format
from unisono.formats.json_reading import as_object, joined_text, load_json, shown_json

_TASK = "annotation task"
_OTHERS = ("other annotations", "other_annotations")
_ITEMS = re.compile(r'\s*\{\s*"[^"\\]*"\s*:\s*\{')


@collecting
def read(collected: Collected) -> None:
    """Read the labels of each item, which are answers to the task, and to further questions."""
    found: list[tuple[str, str | None, list[tuple[str, str, str]]]] = []
    for name, item in as_object(load_json(collected.path)).items():
        with collected.record():
            if not isinstance(item, dict):
                raise DataError(f"the item {name!r} should be an object, not {shown_json(item)}")
            split = item.get("split")
            key = f"{split} {name}" if isinstance(split, str) and split else name
            found.append((key, joined_text(item.get("text")), [*_labels(name, item)]))
    several = {question for _, _, labels in found for question, _, label in labels if "," in label}
    for key, text, labels in found:
        for question, annotator, label in labels:
            collected.question(question, "sets" if question in several else None)
            collected.answer(question, key, _label(label, question in several), annotator=annotator, text=text)


def _labels(name: str, item: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Iterate over question, annotator and label, as they are written."""
    annotators = [name.strip() for name in str(item.get("annotators") or "").split(",") if name.strip()]
    others = as_object(item.get("other_info"))
    further = next((as_object(others[key]) for key in _OTHERS if key in others), {})
    for question, given in {str(item.get(_TASK, "label")): item.get("annotations"), **further}.items():
        if isinstance(given, dict):
            for annotator, label in given.items():
                yield question, annotator, "" if label is None else str(label)
            continue
        labels = str(given).split(",") if given not in (None, "") else []
        if labels and len(labels) != len(annotators):
            raise DataError(
                f"item {name!r} has {plural(len(labels), 'label')} ({question}) by "
                f"{plural(len(annotators), 'annotator')}; correct one of them"
            )
        for annotator, label in zip(annotators, labels, strict=bool(labels)):
            yield question, annotator, label.strip()


def _label(written: str, several: bool) -> Label | None:
    if not written:
        return None
    return tuple(sorted({one.strip() for one in written.split(",")})) if several else written


def _sniff(head: bytes, path: Path) -> bool:
    begin = head_text(head)
    return path.suffix.lower() == ".json" and f'"{_TASK}"' in begin and _ITEMS.match(begin) is not None


FORMAT = Format(
    name="lewidi",
    title="LeWiDi",
    suffixes=(".json",),
    reads="the labels that named annotators gave to each item, which is named by its split and its key; the task is a "
    "question, and so is each of the other annotations; sets if somebody gave several labels",
    ignores="soft and hard labels, which follow from the others; what is known about annotators",
    annotator_from=(),
    sniff=_sniff,
    read=read,
)
