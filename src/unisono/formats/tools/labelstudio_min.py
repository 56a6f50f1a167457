"""Label Studio's JSON-MIN, CSV and TSV: one record per annotation, with the data of its task and what was answered.

Specification: Label Studio's documentation, "Export formats", and its converter. A control's answer is under its name:
one choice as a text, otherwise values such as {"choices": […]}, alone or in a list. The data of the task is beside
them, so what is a control has to be found out: by such values; by the place of the keys (data, id, answers, annotator,
…); and since the data of a task is the same in all its annotations. In CSV and TSV, cells hold JSON, and columns are
sorted.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from unisono.errors import DataError, listed, mention
from unisono.formats.collected import Collected, collecting
from unisono.formats.delimited import find_delimiter, numbered_records, readable_records
from unisono.formats.files import head_text, read_head
from unisono.formats.format import Format
from unisono.formats.json_reading import as_object, first_record, is_number, json_elements, shown_json
from unisono.formats.tools import labelstudio
from unisono.formats.tools.labelstudio_items import ANSWER_KEYS
from unisono.formats.tools.labelstudio_tasks import collect_tasks
from unisono.formats.tools.labelstudio_text import SPANS

_OF_MIN = {"annotation_id", "lead_time"}
_KNOWN = {"id", "annotator", "created_at", "updated_at", "was_cancelled", "agreement", "history", *_OF_MIN}
"""Keys that are neither data nor answers."""
_ABOUT_WORK = {"ground_truth", "draft_created_at", "unique_id", "reviews", "comments", "prediction", "last_action"}
"""Keys of annotations that may be there, too; they differ between annotators, but are no answers."""
_TYPES = {"selected": "pairwise"}
"""Types of results that are not called as the key of their value."""
_CONTROLS = mention("options", {"controls": "…"})
_MANY = 20

_Record = dict[str, Any]


@collecting
def read(collected: Collected) -> None:
    """Read labelled spans as units, and labels of whole tasks as answers."""
    table = not head_text(read_head(collected.path)).lstrip("\ufeff \t\r\n").startswith(("[", "{"))
    records = _rows(collected) if table else ((None, one) for one in json_elements(collected.path))
    good = []
    for number, (line, record) in enumerate(records, start=1):
        with collected.record(line):
            if not isinstance(record, dict) or not _is_name(record.get("id")):
                raise DataError(f"record {number}: it should be an object with the task's id, not {shown_json(record)}")
            good.append(record)
    controls = _controls(good, collected, table=table)
    collect_tasks(collected, _tasks(good, controls))


def _is_name(value: Any) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool)


def _rows(collected: Collected) -> Iterator[tuple[int, _Record]]:
    """Iterate over the rows of a table; cells that hold JSON are parsed, empty ones left out."""
    path, bad = collected.path, collected.instructions.bad
    header: list[str] = []

    def wrong(row: list[str]) -> str | None:
        return f"there are {len(row)} fields, but {len(header)} columns" if header and len(row) != len(header) else None

    delimiter = find_delimiter(path, None, lambda names: set(names) >= _OF_MIN)
    rows = numbered_records(path, delimiter) if bad is None else readable_records(path, delimiter, wrong, bad)
    for line, row in rows:
        if (message := wrong(row)) is not None:
            raise DataError(message, path=path, line=line)
        if header:
            yield line, {name: _cell(text) for name, text in zip(header, row, strict=True) if text}
        header = header or row


def _cell(text: str) -> Any:
    if text.startswith(("[", "{")):
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            return text
    return text


@dataclass
class _Key:
    """What is under a key, in all records."""

    by_task: dict[str, tuple[Any, int]] = field(default_factory=dict)
    """The first value in each task, and how many annotations have one."""
    differs: bool = False
    """Whether it differs between annotations of one task."""
    answers: bool = False
    """Whether there are values that only controls have."""
    values: dict[str, None] = field(default_factory=dict)
    """Some of the texts and numbers under it."""


def _controls(records: Sequence[_Record], collected: Collected, *, table: bool) -> list[str]:
    """Find out which keys are controls, unless the user names them."""
    keys = _keys(records)
    wanted = collected.instructions.names("controls")
    for name in wanted:
        if name not in keys:
            raise DataError(f"there is no {name!r}; choose controls among {listed([*keys])} with {_CONTROLS}")
    if wanted:
        return wanted
    answering = {name for record in records for name in _between(record)} if not table else set()
    keys = {name: key for name, key in keys.items() if name not in _ABOUT_WORK}
    found = [name for name, key in keys.items() if key.answers or key.differs or (key.values and name in answering)]
    if not found:
        raise DataError(
            f"it is not clear which columns are answers and which are data, since annotators of a task never differ; "
            f"name them with {_CONTROLS} ({listed([*keys], 8)}), or export JSON"
        )
    few = [name for name, key in keys.items() if name not in found and _may_be_labels(key)]
    if few:
        what = (
            "columns that are the same for all annotators of a task, taken for data (the option controls names answers)"
        )
        collected.drop(f"{what}: {listed(few, 5)}", len(few))
    return found


def _keys(records: Iterable[_Record]) -> dict[str, _Key]:
    keys: dict[str, _Key] = {}
    tasks = Counter(str(record["id"]) for record in records)
    for record in records:
        task = str(record["id"])
        for name, value in record.items():
            if name not in _KNOWN:
                key = keys.setdefault(name, _Key())
                first, n = key.by_task.get(task, (value, 0))
                key.by_task[task] = (first, n + 1)
                key.differs = key.differs or first != value
                key.answers = key.answers or any(map(_is_answer, value if isinstance(value, list) else [value]))
                if (isinstance(value, str) or is_number(value)) and len(key.values) <= _MANY:
                    key.values[str(value)] = None
    for key in keys.values():
        key.differs = key.differs or any(n < tasks[task] for task, (_, n) in key.by_task.items())
    return keys


def _between(record: _Record) -> list[str]:
    """Return the keys between id and annotator, where answers are, unless the id comes first, as part of the data."""
    names = list(record)
    first, last = names.index("id"), names.index("annotator") if "annotator" in record else 0
    return names[first + 1 : last] if first else []


def _may_be_labels(key: _Key) -> bool:
    return 1 < len(key.values) <= min(_MANY, len(key.by_task) // 2)


def _is_answer(value: Any) -> bool:
    """Whether a value has the form of an answer."""
    keys = as_object(value).keys()
    about_span = bool(keys & ANSWER_KEYS) and {"start", "end"} <= keys
    return (
        about_span
        or (len(keys) == 1 and keys <= ANSWER_KEYS)
        or any(key.endswith("labels") and isinstance(value[key], list) and len(keys) > 1 for key in keys)
    )


def _tasks(records: Iterable[_Record], controls: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Put the annotations of each task together, as they are in Label Studio's JSON."""
    tasks: dict[str, dict[str, Any]] = {}
    records = [*records]
    kinds = {name: _number_kind(record.get(name) for record in records) for name in controls}
    for record in records:
        data = {name: value for name, value in record.items() if name not in _KNOWN and name not in controls}
        task = tasks.setdefault(str(record["id"]), {"id": record["id"], "data": data, "annotations": []})
        task["annotations"].append(
            {
                "completed_by": record.get("annotator"),
                "updated_at": record.get("updated_at"),
                "was_cancelled": str(record.get("was_cancelled")).lower() in ("true", "1"),
                "result": [
                    one for name in controls if name in record for one in _results(name, record[name], kinds[name])
                ],
            }
        )
    yield from tasks.values()


def _number_kind(values: Iterable[Any]) -> str | None:
    """Return the kind of numbers that a control asks for, rating or number; None if it asks for something else."""
    found = {_type(one) for value in values if isinstance(value, list) for one in value if isinstance(one, dict)}
    return next(iter(found)) if found in ({"rating"}, {"number"}) else None


def _results(control: str, value: Any, numbers: str | None) -> Iterator[Any]:
    """Return what a control says as results."""
    if isinstance(value, list) and value and not isinstance(value[0], dict):
        yield {"type": "labels of regions that are not there", "from_name": control}
        return
    for one in value if isinstance(value, list) else [value]:
        if numbers and isinstance(one, str | int | float):
            yield {"type": numbers, "from_name": control, "value": {numbers: one}}
        elif isinstance(one, str):
            yield {"type": "choices", "from_name": control, "value": {"choices": [one]}}
        elif is_number(one):
            yield {"type": "number", "from_name": control, "value": {"number": one}}
        elif isinstance(one, dict):
            place = f"{one['start']}-{one['end']}" if {"start", "end"} <= one.keys() else None
            yield {"id": place, "type": _type(one), "from_name": control, "value": one}
        else:
            yield one


def _type(value: Mapping[str, Any]) -> str:
    known = [key for key in (*SPANS, *sorted(ANSWER_KEYS)) if key in value]
    others = [key for key in value if key.endswith("labels")] or (["textarea"] if "text" in value else [])
    return next((_TYPES.get(key, key) for key in [*known, *others]), "unknown")


def _sniff(head: bytes, path: Path) -> bool:
    begin = head_text(head).removeprefix("\ufeff").lstrip()
    if begin[:1] in ("[", "{"):
        known = first_record(head, path).keys()
        return known >= _OF_MIN and "annotations" not in known
    header = begin.partition("\n")[0]
    return all(name in header for name in (*_OF_MIN, "annotator", "updated_at"))


FORMAT = Format(
    name="labelstudio-min",
    title="Label Studio JSON-MIN or CSV",
    suffixes=(".json", ".csv", ".tsv"),
    reads="the same as Label Studio JSON, as far as it is there: labels of whole tasks and labelled spans of text; "
    "columns with answers are detected",
    ignores="labels of regions without their places, free texts, results in images, skipped annotations, all but the "
    "latest by one person",
    options={
        "controls": "the columns with answers, separated by semicolons; by default those with values that only answers "
        "have, that stand where answers stand, or that differ between annotators of one task",
        **{name: labelstudio.FORMAT.options[name] for name in ("text", "document", "offsets")},
    },
    annotator_from=labelstudio.FORMAT.annotator_from,
    whole=True,
    sniff=_sniff,
    read=read,
)
