"""Label Studio's JSON: tasks, each with the annotations of several people.

Specification: Label Studio's documentation, "Label Studio JSON format of annotated tasks" and the pages on tags;
positions as its editor writes them (``RichTextRegion``). In text, they count characters (code points); older versions
counted UTF-16 code units. If the two differ, the whole export decides: the texts that results say they cover, and
positions that only one of the two allows. In HTML, the positions are the ``globalOffsets``, which count characters
between tags, so that there is no text; in audio, seconds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from unisono.data import Label
from unisono.errors import DataError, mention
from unisono.formats.collected import Collected, Position, collecting
from unisono.formats.files import head_text
from unisono.formats.format import Format, Instructions
from unisono.formats.json_reading import as_list, as_object, first_record, is_number, load_json, shown_json
from unisono.formats.tools.labelstudio_text import OFFSETS, LabelledSpan, Offsets, find_text

_SPANS = ("labels", "hypertextlabels", "paragraphlabels", "timeserieslabels")
_FURTHER = ("choices", "textarea", "rating", "number", "taxonomy")
_DOCUMENT = mention("options", {"document": "…"})
_OF_TASKS = {"annotations", "completions"}
_OF_WORK = {"result", "completed_by", "total_annotations", "inner_id"}
_OF_JSON_MIN = {"annotation_id", "lead_time"}


@collecting
def read(collected: Collected) -> None:
    """Read labelled spans as units."""
    offsets = Offsets(collected.instructions.choice("offsets", OFFSETS, None))
    content = load_json(collected.path)
    tasks = content if isinstance(content, list) else [content]
    layered = len(_controls(tasks)) > 1
    names: set[str] = set()
    for number, (task, found) in enumerate(zip(tasks, _found(tasks, collected.instructions, offsets), strict=True), 1):
        try:
            if isinstance(found, DataError):
                raise found
            if found.name in names:
                raise DataError(f"another one is document {found.name!r} already; choose the name with {_DOCUMENT}")
            found.dropped += [note for work in found.work for note in offsets.place(work.spans, found.text)]
            names.add(found.name)
            _add(found, collected, layered=layered)
        except DataError as error:
            name = task.get("id", number) if isinstance(task, dict) else number
            collected.bad(DataError(f"task {shown_json(name)}: {error.message}", path=collected.path))


def _found(tasks: Sequence[Any], instructions: Instructions, offsets: Offsets) -> list[_Task | DataError]:
    """Take all tasks, or what is wrong with them, and learn from them what positions count."""
    found: list[_Task | DataError] = []
    for number, task in enumerate(tasks, start=1):
        try:
            taken = _task(task, number, instructions)
        except DataError as error:
            found.append(error)
            continue
        found.append(taken)
        for work in taken.work:
            offsets.learn(taken.text, work.spans)
    return found


@dataclass
class _Work:
    """What one person, or model, did in a task."""

    annotator: str | None
    spans: list[LabelledSpan] = field(default_factory=list)
    dropped: list[str] = field(default_factory=list)


@dataclass
class _Task:
    """A task: a document with the work of several people."""

    name: str
    text: str | None
    length: float | None
    work: list[_Work]
    dropped: list[str]


def _add(task: _Task, collected: Collected, *, layered: bool) -> None:
    for what in [*task.dropped, *(what for work in task.work for what in work.dropped)]:
        collected.drop(what)
    if task.length is not None:
        collected.bounds(0, task.length, task.name)
    for work in task.work:
        collected.version(task.name, work.annotator, text=task.text)
        for span in work.spans:
            layer = span.control if layered else None
            collected.unit(span.start, span.end, span.labels, document=task.name, annotator=work.annotator, layer=layer)


def _controls(tasks: Sequence[Any]) -> set[str]:
    """Return the names of the controls that labelled spans."""
    return {
        str(result.get("from_name"))
        for task in tasks
        for work in _objects(task, "annotations") + _objects(task, "completions") + _objects(task, "predictions")
        for result in _objects(work, "result")
        if result.get("type") in _SPANS
    }


def _objects(holder: Any, key: str) -> list[dict[str, Any]]:
    """Return the objects in a list that an object may hold."""
    return [one for one in as_list(as_object(holder).get(key)) if isinstance(one, dict)]


def _task(task: Any, number: int, instructions: Instructions) -> _Task:
    if not isinstance(task, dict):
        raise DataError(f"it should be an object, not {shown_json(task)}")
    if "annotation_id" in task and "annotations" not in task:
        raise DataError("this is JSON-MIN, which does not distinguish layers; export it as JSON")
    done = task.get("annotations", task.get("completions"))
    data = task.get("data")
    if not isinstance(done, list) or not isinstance(data, dict):
        raise DataError("it should have data and annotations; export it as JSON from Label Studio")
    dropped = ["drafts"] * len(as_list(task.get("drafts")))
    dropped += ["annotations that are not objects"] * sum(not isinstance(one, dict) for one in done)
    chosen, skipped = _chosen(_objects(task, "annotations") or _objects(task, "completions"), instructions)
    guesses = as_list(task.get("predictions"))
    if instructions.options.get("predictions", "false").lower() == "true":
        chosen += [(str(guess.get("model_version") or "model"), guess) for guess in _objects(task, "predictions")]
        dropped += ["predictions that are not objects"] * (len(guesses) - len(_objects(task, "predictions")))
    else:
        dropped += ["predictions"] * len(guesses)
    results = [result for _, one in chosen for result in _objects(one, "result")]
    seconds = any(map(_is_in_seconds, results))
    work = [_work(annotator, one, seconds=seconds) for annotator, one in chosen]
    spans = [span for one in work for span in one.spans]
    text = (
        None
        if seconds or any("globalOffsets" in as_object(result.get("value")) for result in results)
        else find_text(data, results, spans, instructions)
    )
    return _Task(_name(task, data, number, instructions), text, _length(results, spans), work, dropped + skipped)


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
    return None if completed_by is None else str(completed_by)


def _name(task: Mapping[str, Any], data: Mapping[str, Any], number: int, instructions: Instructions) -> str:
    wanted = instructions.options.get("document")
    if wanted is not None:
        if not isinstance(data.get(wanted), str | int):
            raise DataError(f"its data has no {wanted!r} to name the document; choose another with {_DOCUMENT}")
        return str(data[wanted])
    return str(next((task[key] for key in ("id", "inner_id") if task.get(key) is not None), number))


def _work(annotator: str | None, one: Mapping[str, Any], *, seconds: bool) -> _Work:
    work = _Work(annotator)
    if not isinstance(one.get("result"), list):
        raise DataError(f"an annotation should have a list of results, not {shown_json(one.get('result'))}")
    further = _further(one)
    spans = {_id(result) for result in _objects(one, "result") if result.get("type") in _SPANS} - {None}
    work.dropped += ["results that are not objects"] * (len(one["result"]) - len(_objects(one, "result")))
    for result in _objects(one, "result"):
        kind = result.get("type")
        if kind in _SPANS:
            start, end = _positions(result, seconds=seconds)
            value = as_object(result.get("value"))
            labels = {"category": _labels(value.get(str(kind))), **further.get(_id(result), {})}
            covered = value.get("text")
            text = covered if isinstance(covered, str) else None
            work.spans.append(LabelledSpan(str(result.get("from_name")), start, end, labels, text))
        elif kind == "relation":
            work.dropped.append("relations, which are not compared")
        elif not _is_further(result):
            work.dropped.append(f"results that are not labelled spans ({shown_json(kind)})")
        elif _id(result) not in spans:
            work.dropped.append(f"results about regions that are not labelled ({shown_json(kind)})")
    return work


def _id(result: Mapping[str, Any]) -> str | None:
    """Return what identifies a region, which a span and further labels of it share."""
    return None if result.get("id") is None else str(result["id"])


def _is_further(result: Mapping[str, Any]) -> bool:
    """Whether a result says more about a span."""
    return result.get("type") in _FURTHER and "start" in as_object(result.get("value"))


def _further(one: Mapping[str, Any]) -> dict[str | None, dict[str, Label | None]]:
    """Return further labels of spans, by their identifiers: from_name to labels."""
    found: dict[str | None, dict[str, Label | None]] = {}
    for result in filter(_is_further, _objects(one, "result")):
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
    return result.get("type") in _SPANS and (
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


def _sniff(head: bytes, path: Path) -> bool:
    begin = head_text(head).removeprefix("\ufeff").lstrip()
    if begin[:1] not in ("[", "{"):
        return False
    named = {key for key in _OF_TASKS | _OF_WORK | _OF_JSON_MIN if f'"{key}"' in begin}
    return _are_known(named) or _are_known(_keys(first_record(head, path)))


def _are_known(keys: Set[str]) -> bool:
    """Whether these are keys of Label Studio; or of JSON-MIN, so that its rejection can say what it is."""
    return bool(keys & _OF_TASKS and keys & _OF_WORK) or keys >= _OF_JSON_MIN


def _keys(task: Mapping[str, Any]) -> set[str]:
    """Return the keys of a task and of the annotations in it, which can come after a long text."""
    done = _objects(task, "annotations") + _objects(task, "completions")
    return {*task, *(key for one in done for key in one)}


FORMAT = Format(
    name="labelstudio",
    title="Label Studio JSON",
    suffixes=(".json",),
    reads="labelled spans of text, HTML and audio as units with a category, further labels of a span under the "
    "name of their control, and the control as the layer if there are several; annotators from completed_by; a "
    "document is a task",
    ignores="predictions, skipped annotations, drafts, all but the latest by one person, relations, classifications of "
    "whole tasks, regions in images and video",
    options={
        "text": "the field of data with the text; by default the one that suits the spans",
        "document": "the field of data that names the document; by default the task's id",
        "predictions": "true reads predictions, the model's version as the annotator",
        "offsets": "what positions in text count: characters or utf-16; by default what suits the text that is covered",
    },
    annotator_from=("folder", "file", "field"),
    whole=True,
    sniff=_sniff,
    read=read,
)
