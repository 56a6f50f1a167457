"""JSON of annotators, each with their items and labels, as the alternative annotator test takes it.

Specification: the README of nitaytech/AltTest: {"anna": {"item1": "A", "item2": "B"}, "bert": {"item2": "C"}}, people
in ``human_annotations.json`` and models in ``llm_annotations.json``. A table as pandas writes it looks the same if all
annotators labelled all items; it is read as such unless the file has one of these names.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from unisono.errors import DataError
from unisono.formats.collected import Collected, collecting
from unisono.formats.format import Format
from unisono.formats.json_reading import as_object, first_record, given_label, load_json, shown_json
from unisono.formats.recognition import is_usual_name

_NAMED = ("human_annotations", "llm_annotations")
_QUESTION = "label"


@collecting
def read(collected: Collected) -> None:
    """Read the labels of all annotators."""
    for annotator, labels in as_object(load_json(collected.path)).items():
        with collected.record():
            if not isinstance(labels, dict):
                raise DataError(f"{annotator!r} should be an object of items and labels, not {shown_json(labels)}")
            for item, label in labels.items():
                given = given_label(label, f"the label of {item!r} by {annotator!r}")
                collected.answer(_QUESTION, item, given, annotator=annotator)


def _sniff(head: bytes, path: Path) -> bool:
    if path.suffix.lower() != ".json":
        return False
    found = first_record(head, path)
    if not found or not all(isinstance(labels, dict) and labels for labels in found.values()):
        return False
    if any(isinstance(label, dict | list) for labels in found.values() for label in labels.values()):
        return False
    return path.stem in _NAMED or _is_ragged(found)


def _is_ragged(found: Mapping[str, Mapping[str, Any]]) -> bool:
    """Whether annotators labelled different items, and there are more items than annotators."""
    items = {item for labels in found.values() for item in labels}
    return (
        len(items) > len(found) > 1
        and any(len(labels) < len(items) for labels in found.values())
        and not any(map(is_usual_name, items))
    )


FORMAT = Format(
    name="alttest",
    title="labels by annotator",
    suffixes=(".json",),
    reads="an object of annotators, each an object of items and labels; items of one name are the same in all files, "
    "so that those of people and those of models, human_annotations.json and llm_annotations.json, belong together",
    ignores="nothing",
    annotator_from=(),
    sniff=_sniff,
    read=read,
)
