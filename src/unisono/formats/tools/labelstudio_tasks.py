"""A task of Label Studio: its text, and what each person did in it."""

from __future__ import annotations

import json
import sys
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from unisono.data import Label
from unisono.data.anchors import SOURCE, TARGET
from unisono.data.labels import written_label
from unisono.data.unit_kinds import RELATIONS
from unisono.errors import DataError, mention
from unisono.formats.collected import Collected
from unisono.formats.format import Instructions
from unisono.formats.json_reading import as_list, as_object, is_number, shown_json
from unisono.formats.links import LinksOfText, RoleLink
from unisono.formats.pieces import Position
from unisono.formats.tools.labelstudio_items import (
    Answers,
    Asked,
    Given,
    Questions,
    is_about_region,
    is_answer,
    region_ids,
)
from unisono.formats.tools.labelstudio_text import OFFSETS, SPANS, LabelledSpan, Offsets, find_text

_FURTHER = ("choices", "textarea", "rating", "number", "taxonomy")
LABEL_STUDIO = "labelstudio"
"""The kind of schema that says how controls, and the field with the text, are named (see `Corpus.schemas`)."""
_PREDICTIONS = "predictions"
_DOCUMENT = mention("options", {"document": "…"})
"""How a user names tasks."""


@dataclass(slots=True)
class TaskWork:
    """What one person, or model, did in a task."""

    annotator: str | None
    spans: list[LabelledSpan] = field(default_factory=list)
    answers: Given = ()
    dropped: list[str] = field(default_factory=list)
    relations: list[Mapping[str, Any]] = field(default_factory=list)


@dataclass(slots=True)
class AnnotatedTask:
    """A task: a document with the work of several people."""

    name: str
    text: str | None
    field: str | None  # of the data, in which the text is
    length: float | None
    work: list[TaskWork]
    dropped: list[str]


def collect_tasks(collected: Collected, tasks: Iterable[Any]) -> None:
    """Collect what is in tasks: labelled spans as units, labels of whole tasks as answers."""
    offsets = Offsets(collected.instructions.choice("offsets", OFFSETS, None))
    questions = Questions()
    instructions = collected.instructions
    found = deque(_found(task, number, instructions, offsets, questions) for number, task in enumerate(tasks, 1))
    asked = questions.asked()
    for name, kind in asked.kinds.items():
        collected.question(name, kind)
    good = [task for _, task in found if isinstance(task, AnnotatedTask)]
    if good and not any(task.work for task in good) and any(_PREDICTIONS in task.dropped for task in good):
        hint = mention("options", {"predictions": "true"})
        raise DataError(f"nobody annotated anything, there are only predictions; read them with {hint}")
    spans = [span for task in good for work in task.work for span in work.spans]
    controls = {span.control: {"type": span.kind, "to_name": span.object} for span in spans}
    field = next((task.field for task in good if task.field is not None), None)
    if controls:
        collected.schema(LABEL_STUDIO, json.dumps({"text": field, "controls": controls}, sort_keys=True))
    del spans
    del good
    names: set[str] = set()
    while found:  # what is collected need not be kept twice
        name, task = found.popleft()
        with collected.record(), _naming(name):
            if isinstance(task, DataError):
                raise task
            if task.name in names:
                raise DataError(f"another one is document {task.name!r} already; choose the name with {_DOCUMENT}")
            names.add(task.name)
            task.dropped += [note for work in task.work for note in offsets.place(work.spans, task.text)]
            _add(task, collected, asked, has_spans=bool(controls), layered=len(controls) > 1)


def _found(
    task: Any, number: int, instructions: Instructions, offsets: Offsets, questions: Questions
) -> tuple[Any, AnnotatedTask | DataError]:
    """Take a task, or what is wrong with it, and its name for messages; learn what positions and answers are like."""
    name = task.get("id", number) if isinstance(task, dict) else number
    try:
        taken = _task(task, number, instructions, questions)
    except DataError as error:
        return name, error
    for work in taken.work:
        offsets.learn(taken.text, work.spans)
    return name, taken


@contextmanager
def _naming(name: Any) -> Iterator[None]:
    """Name the task in errors."""
    try:
        yield
    except DataError as error:
        raise DataError(f"task {shown_json(name)}: {error.message}", path=error.path, line=error.line) from None


def _add(task: AnnotatedTask, collected: Collected, asked: Asked, *, has_spans: bool, layered: bool) -> None:
    """Add a task; where spans were marked, or files are annotators, a task without any is work, too."""
    for what in [*task.dropped, *(what for work in task.work for what in work.dropped)]:
        collected.drop(what)
    if task.length is not None:
        collected.bounds(0, task.length, task.name)
    for work in task.work:
        if has_spans or work.annotator is None or not asked.kinds:
            collected.version(task.name, work.annotator, text=task.text)
        for span in work.spans:
            layer = span.control if layered else None
            collected.unit(span.start, span.end, span.labels, document=task.name, annotator=work.annotator, layer=layer)
        _add_relations(task.name, work, collected)
    for question, thing, annotator, label in asked.answers([(work.annotator, work.answers) for work in task.work]):
        item, text = (task.name, task.text) if thing is None else (f"{task.name}: {thing}", None)
        collected.answer(question, item, label, annotator=annotator, text=text)


def _add_relations(document: str, work: TaskWork, collected: Collected) -> None:
    """Add relations between regions; the arrow of some points to the left."""
    places = {span.id: [(span.start, span.end)] for span in work.spans if span.id is not None}
    links = LinksOfText(collected, document, work.annotator, places)
    for result in work.relations:
        given = result.get("labels")
        label = None
        if collected.instructions.units == RELATIONS:
            label = _labels(given)
        elif isinstance(given, list) and given:
            label = "/".join(map(str, given))
        ends = [str(result.get(key)) for key in ("from_id", "to_id")]
        if result.get("direction") == "left":
            ends.reverse()
        labels = {"category": label, "direction": "bi" if result.get("direction") == "bi" else None}
        shown = f"{written_label(label) if label else 'a relation'} of task {document}"
        links.add(RoleLink(shown, RELATIONS, list(zip((SOURCE, TARGET), ends, strict=True)), labels))
    links.collect()


def objects(holder: Any, key: str) -> list[dict[str, Any]]:
    """Return the objects in a list that an object may hold."""
    return [one for one in as_list(as_object(holder).get(key)) if isinstance(one, dict)]


def _task(task: Any, number: int, instructions: Instructions, questions: Questions) -> AnnotatedTask:
    if not isinstance(task, dict):
        raise DataError(f"it should be an object, not {shown_json(task)}")
    if "annotation_id" in task and "annotations" not in task:
        raise DataError(f"this is JSON-MIN; read it with {mention('format', 'labelstudio-min')}")
    guessed = instructions.options.get("predictions", "false").lower() == "true"
    done = task.get("annotations", task.get("completions", []))
    data = task.get("data")
    if not isinstance(done, list) or not isinstance(data, dict):
        raise DataError("it should have data and annotations; export it as JSON from Label Studio")
    dropped = ["drafts"] * len(as_list(task.get("drafts")))
    dropped += ["annotations that are not objects"] * sum(not isinstance(one, dict) for one in done)
    chosen, skipped = _chosen(objects(task, "annotations") or objects(task, "completions"), instructions)
    guesses = as_list(task.get("predictions"))
    if guessed:
        models = {str(guess.get("model_version") or "model"): guess for guess in objects(task, "predictions")}
        chosen += models.items()
        dropped += ["earlier predictions by the same model"] * (len(objects(task, "predictions")) - len(models))
        dropped += ["predictions that are not objects"] * (len(guesses) - len(objects(task, "predictions")))
    else:
        dropped += [_PREDICTIONS] * len(guesses)
    results = [result for _, one in chosen for result in objects(one, "result")]
    seconds = any(map(_is_in_seconds, results))
    work = [_work(annotator, one, questions, seconds=seconds) for annotator, one in chosen]
    spans = [span for one in work for span in one.spans]
    text = (
        None
        if seconds or any("globalOffsets" in as_object(result.get("value")) for result in results)
        else find_text(data, results, spans, instructions)
    )
    where = None if text is None else next((key for key, value in data.items() if value is text), None)
    return AnnotatedTask(
        _name(task, data, number, instructions), text, where, _length(results, spans), work, dropped + skipped
    )


def _chosen(
    done: Sequence[dict[str, Any]], instructions: Instructions
) -> tuple[list[tuple[str | None, dict[str, Any]]], list[str]]:
    """Return the annotations that count, the latest of each person, and what is left out."""
    dropped = []
    latest: dict[str | None, dict[str, Any]] = {}
    for one in done:
        if one.get("was_cancelled"):
            dropped.append("annotations that were skipped (cancelled)")
            continue
        annotator = None if instructions.annotator_from in ("folder", "file") else _annotator(one.get("completed_by"))
        if annotator in latest:
            dropped.append("earlier annotations of a task by the same person")
            if str(one.get("updated_at", "")) < str(latest[annotator].get("updated_at", "")):
                continue
        latest[annotator] = one
    return list(latest.items()), dropped


def _annotator(completed_by: Any) -> str | None:
    if isinstance(completed_by, dict):
        completed_by = completed_by.get("email") or completed_by.get("id")
    if isinstance(completed_by, list | dict):
        raise DataError(f"completed_by should be a number, a name or an object, not {shown_json(completed_by)}")
    return None if completed_by in (None, "") else str(completed_by)


def _name(task: Mapping[str, Any], data: Mapping[str, Any], number: int, instructions: Instructions) -> str:
    wanted = instructions.options.get("document")
    if wanted is not None:
        if not isinstance(data.get(wanted), str | int):
            raise DataError(f"its data has no {wanted!r} to name the document; choose another with {_DOCUMENT}")
        return str(data[wanted])
    return str(next((task[key] for key in ("id", "inner_id") if task.get(key) is not None), number))


def _work(annotator: str | None, one: Mapping[str, Any], questions: Questions, *, seconds: bool) -> TaskWork:
    work, answers = TaskWork(annotator), Answers()
    if not isinstance(one.get("result"), list):
        raise DataError(f"an annotation should have a list of results, not {shown_json(one.get('result'))}")
    results = objects(one, "result")
    further = _further(one)
    spans = {_id(result) for result in results if result.get("type") in SPANS} - {None}
    regions = region_ids(results)
    work.dropped += ["results that are not objects"] * (len(one["result"]) - len(results))
    for result in results:
        kind = result.get("type")
        about_region = is_about_region(result, regions)
        if kind in SPANS:
            work.spans.append(_span(result, further, seconds=seconds))
        elif kind == "relation":
            work.relations.append(result)
        elif is_answer(result) and not about_region:
            answers.add(result)
        elif kind == "textarea" and not about_region:
            work.dropped.append("free texts about whole tasks, which are not labels")
        elif kind not in _FURTHER:
            work.dropped.append(f"results that are not labelled spans ({shown_json(kind)})")
        elif _id(result) not in spans or not _is_further(result):
            work.dropped.append(f"results about regions that are not labelled ({shown_json(kind)})")
    work.answers = questions.learn(annotator, answers)
    return work


def _span(
    result: Mapping[str, Any], further: Mapping[str | None, Mapping[str, Label | None]], *, seconds: bool
) -> LabelledSpan:
    start, end = _positions(result, seconds=seconds)
    value = as_object(result.get("value"))
    labels = {"category": _labels(value.get(str(result["type"]))), **further.get(_id(result), {})}
    covered = value.get("text")
    text = covered if isinstance(covered, str) else None
    kind, named = sys.intern(str(result["type"])), sys.intern(str(result.get("to_name") or "text"))
    return LabelledSpan(str(result.get("from_name")), start, end, labels, text, kind, named, _id(result))


def _id(result: Mapping[str, Any]) -> str | None:
    """Return what identifies a region, which a span and further labels of it share."""
    return None if result.get("id") is None else str(result["id"])


def _is_further(result: Mapping[str, Any]) -> bool:
    """Whether a result says more about a span."""
    return result.get("type") in _FURTHER and "start" in as_object(result.get("value"))


def _further(one: Mapping[str, Any]) -> dict[str | None, dict[str, Label | None]]:
    """Return further labels of spans, by their identifiers: from_name to labels."""
    found: dict[str | None, dict[str, Label | None]] = {}
    for result in filter(_is_further, objects(one, "result")):
        value = as_object(result.get("value")).get("text" if result["type"] == "textarea" else result["type"])
        found.setdefault(_id(result), {})[str(result.get("from_name"))] = _labels(value)
    found.pop(None, None)
    return found


def _labels(value: Any) -> Label | None:
    """Return one label as it is, several as a set."""
    if isinstance(value, list):
        names = ["/".join(map(str, one)) if isinstance(one, list) else one for one in value]
        if not all(isinstance(name, str) for name in names):
            raise DataError(f"labels should be texts, not {shown_json(value)}")
        return None if not names else names[0] if len(names) == 1 else tuple(names)
    if isinstance(value, str | None) or is_number(value):
        return value
    raise DataError(f"a label should be text or a number, not {shown_json(value)}")


def _is_in_seconds(result: Mapping[str, Any]) -> bool:
    value = as_object(result.get("value"))
    numbers = [value.get("start"), value.get("end")]
    return result.get("type") in SPANS and (
        "original_length" in result
        or "channel" in value
        or any(isinstance(number, float) and not number.is_integer() for number in numbers)
    )


def _positions(result: Mapping[str, Any], *, seconds: bool) -> tuple[Position, Position]:
    value = as_object(result.get("value"))
    place = value.get("globalOffsets", value)
    start, end = (place.get(key) for key in ("start", "end")) if isinstance(place, dict) else (None, None)
    if not is_number(start) or not is_number(end):
        raise DataError(f"a span should have start and end, and globalOffsets in HTML, not {shown_json(value)}")
    if start > end:
        raise DataError(f"a span ends ({end}) before it begins ({start})")
    return (float(start), float(end)) if seconds else (int(start), int(end))


def _length(results: Sequence[Mapping[str, Any]], spans: Sequence[LabelledSpan]) -> float | None:
    """Return the length of a recording, if it is given; spans can go slightly beyond it."""
    lengths = [result["original_length"] for result in results if is_number(result.get("original_length"))]
    return max([*lengths, *(span.end for span in spans)]) if lengths and min(lengths) > 0 else None
