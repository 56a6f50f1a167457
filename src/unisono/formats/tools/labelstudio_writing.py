"""Data as Label Studio's JSON: tasks with annotations, to be imported into a project with the same labelling setup."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, BinaryIO

from unisono.data import Corpus, Data, Label, Ratings
from unisono.data.export import LAYER_FEATURE, ONLY_LAYER
from unisono.data.unit_kinds import RELATIONS, SPANS, only_kind
from unisono.errors import DataError, plural
from unisono.formats.tools.labelstudio_tasks import LABEL_STUDIO
from unisono.formats.tools.linked import Link, Linking, Mark, has_relations
from unisono.formats.tools.one_annotator import category_of
from unisono.formats.tools.versions import Version, not_held, versions_of

_TOOL = "Label Studio"
_CONTROL, _OBJECT, _TEXT = "label", "text", "text"
_DIRECTION, _BOTH = "direction", "bi"
_ANSWERS = {"sets": "choices", "numbers": "number", "steps": "rating", "paths": "taxonomy"}


def write_tasks(data: Data, stream: BinaryIO) -> list[str]:
    """Write tasks; return sentences about what is not written."""
    if isinstance(data, Corpus):
        said: list[str] = []
        tasks = _unit_tasks(data, said)
    elif isinstance(data, Ratings):
        tasks, said = _item_tasks(data), []
    else:
        raise DataError("Label Studio holds units on texts or labels of items, and this is something else; write csv")
    stream.write(b"[")
    for number, task in enumerate(tasks):
        stream.write(b",\n" if number else b"\n")
        stream.write(json.dumps(task, ensure_ascii=False).encode())
    stream.write(b"\n]\n")
    return said


def _unit_tasks(corpus: Corpus, said: list[str]) -> Iterator[dict[str, Any]]:
    """Iterate over tasks; then `said` has sentences about what is not written."""
    schema = _schema(corpus)
    (only,) = corpus.schemas.get(ONLY_LAYER, (*schema["controls"], _CONTROL))[:1]
    categories = [category_of(only_kind(corpus, kind)) for kind in (SPANS, RELATIONS)]
    style = _Style(categories[0], categories[1], schema["controls"])
    linking = Linking(
        _TOOL, lambda unit: str(unit.features.get(LAYER_FEATURE) or only), lambda layer: None, lambda layer: True, only
    )
    if only not in schema["controls"] and schema["controls"] and has_relations(corpus):
        linking.default = next(iter(schema["controls"]))
    for name, versions in groupby(versions_of(corpus, _TOOL), key=lambda version: version.document):
        annotations, text = [], ""
        for version in versions:
            text = text or version.text
            linked = linking.linked(version)
            marks = [
                result for number, mark in enumerate(linked.marks) for result in style.results(mark, number, version)
            ]
            annotations.append(_annotation(version.annotator, [*marks, *map(style.relation, linked.links)]))
        yield {**_identified(name), "data": {schema["text"]: text}, "annotations": annotations}
    said += [*not_held(corpus, _TOOL), *linking.said(), *style.said()]


@dataclass
class _Style:
    """How units are written as results."""

    category: str | None
    category_of_relations: str | None
    controls: Mapping[str, Any]
    lost: Counter[str] = field(default_factory=Counter)
    layers: set[str] = field(default_factory=set)
    """Of relations."""

    def results(self, mark: Mark, number: int, version: Version) -> Iterator[dict[str, Any]]:
        """Iterate over the results of a unit: its place with the category, and its further labels."""
        about = self.controls.get(mark.layer, {})
        kind, to_name = about.get("type", "labels"), about.get("to_name", _OBJECT)
        place = {"start": mark.start, "end": mark.end, "text": version.text[mark.start : mark.end]}
        features = {} if mark.unit is None else mark.unit.features
        label = None if self.category is None else features.get(self.category)
        shared = {"id": _region(number), "to_name": to_name, "origin": "manual"}
        yield {**shared, "from_name": mark.layer, "type": kind, "value": {**place, kind: _listed(label)}}
        for name, further in features.items():
            if name not in (LAYER_FEATURE, self.category) and further is not None:
                value = {"number": further} if isinstance(further, int | float) else {"choices": _listed(further)}
                yield {**shared, "from_name": name, "type": next(iter(value)), "value": {**place, **value}}

    def relation(self, link: Link) -> dict[str, Any]:
        """Return the result of a relation, which has a direction and labels, and nothing else."""
        features = {name: label for name, label in link.unit.features.items() if label is not None}
        label = features.pop(self.category_of_relations or "", None)
        if label is None:
            label = features.pop(LAYER_FEATURE, None)
        both = features.get(_DIRECTION) == _BOTH
        self.lost.update(name for name in features if not (both and name == _DIRECTION))
        self.layers.add(link.layer)
        ends = {"from_id": _region(link.source), "to_id": _region(link.target or 0)}
        return {**ends, "type": "relation", "direction": _BOTH if both else "right", "labels": _listed(label)}

    def said(self) -> list[str]:
        """Say what is not written."""
        return [
            f"relations in {_TOOL} have no feature {name!r}: {plural(n, 'label')} not written"
            for name, n in self.lost.items()
            if name != LAYER_FEATURE or len(self.layers) > 1
        ]


def _region(number: int) -> str:
    return f"u{number}"


def _item_tasks(ratings: Ratings) -> Iterator[dict[str, Any]]:
    name = ratings.question.name or _CONTROL
    kind = _ANSWERS.get(ratings.question.kind or "", "choices")
    for row, item in enumerate(ratings.items):
        annotations = []
        for code, who in zip(ratings.codes[row].tolist(), ratings.annotators, strict=True):
            if code >= 0:
                value = _answer(kind, ratings.labels[code])
                shown = next(iter(value))
                annotations.append(
                    _annotation(who, [{"from_name": name, "to_name": _OBJECT, "type": shown, "value": value}])
                )
        text = None if ratings.texts is None else ratings.texts[row]
        yield {
            **_identified(str(item)),
            "data": {_TEXT: str(item) if text is None else text},
            "annotations": annotations,
        }


def _answer(kind: str, label: Label) -> dict[str, Any]:
    if kind in ("number", "rating"):
        if isinstance(label, int | float):
            return {kind: label}
        kind = "choices"
    if kind == "taxonomy":
        return {kind: [str(one).split("/") for one in _listed(label)]}
    return {kind: _listed(label)}


def _listed(label: Label | None) -> list[Any]:
    return [] if label is None else [str(one) for one in label] if isinstance(label, tuple) else [str(label)]


def _annotation(annotator: str, results: list[dict[str, Any]]) -> dict[str, Any]:
    who: Any = int(annotator) if annotator.isascii() and annotator.isdigit() else {"email": annotator}
    return {"completed_by": who, "ground_truth": annotator == "gold", "result": results}


def _identified(name: str) -> dict[str, Any]:
    """Return the task's id, if it is one."""
    return {"id": int(name) if name.isascii() and name.isdigit() else name}


def _schema(corpus: Corpus) -> dict[str, Any]:
    """Return how the exports that were read named controls and the field with the text."""
    said = [json.loads(text) for text in corpus.schemas.get(LABEL_STUDIO, ())]
    controls = {name: about for one in said for name, about in one["controls"].items()}
    return {"text": next((one["text"] for one in said if one["text"]), _TEXT), "controls": controls}
