"""Prodigy's JSON lines, as its command db-out writes them: one object per annotated task.

Specification: Prodigy's documentation, "Annotation interfaces" and "Named multi-user sessions". Spans have start and
end in characters, and a label; those of audio have seconds. Tasks with the same ``_input_hash`` are about the same
text; without it, the text itself is compared. An annotator is named by ``_annotator_id``, otherwise ``_session_id``;
both begin with the name of the dataset: ``news-anna`` is anna, unless that would merge two people. Times, which stand
for unnamed sessions, name nobody.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from unisono.data import Label
from unisono.data.unit_kinds import RELATIONS
from unisono.errors import DataError, mention
from unisono.formats.collected import Collected, collecting
from unisono.formats.format import Format, Instructions
from unisono.formats.json_reading import as_list, first_record, is_number, json_records, shown_json
from unisono.formats.pieces import Position
from unisono.formats.tools.prodigy_answers import ProdigyAnswers, has_labelled_spans

_TIME = re.compile(r"(?:.*-)?\d{4}-\d\d-\d\d_\d\d-\d\d-\d\d")
_REJECTED = ("leave-out", "label")
_HASHES = ("_input_hash", "_task_hash")

_Unit = tuple[Position, Position, str | None]


@collecting
def read(collected: Collected) -> None:
    """Read spans of accepted tasks as units, and answers to whole tasks."""
    rejected = collected.instructions.choice("rejected", _REJECTED, "leave-out")
    found = list(json_records(collected.path, collected.instructions.bad))
    names = _annotators([record for _, record in found if isinstance(record, dict)], collected.instructions)
    known: set[tuple[str, str | None, Any]] = set()
    answers = ProdigyAnswers(reject_is_label=rejected == "label")
    for line, record in found:
        with collected.record(line):
            if not isinstance(record, dict):
                raise DataError(f"a task should be an object, not {shown_json(record)}")
            annotator = names.get(_session(record))
            asked = answers.add(record, _name(record, collected.instructions), annotator, line)
            if not asked or (has_labelled_spans(record) and "options" in record):
                _add(record, annotator, collected, known, line)
    answers.collect(collected)


def _session(record: Mapping[str, Any]) -> str | None:
    given = next((record[key] for key in ("_annotator_id", "_session_id") if record.get(key)), None)
    return str(given) if isinstance(given, str | int) and not _TIME.fullmatch(str(given)) else None


def _annotators(tasks: Sequence[Mapping[str, Any]], instructions: Instructions) -> dict[str | None, str | None]:
    """Return the annotators of sessions: the last part of their names, if that distinguishes them."""
    if instructions.annotator_from in ("folder", "file"):
        return {}
    sessions = {session for session in map(_session, tasks) if session is not None}
    short = {session: session.rpartition("-")[2] or session for session in sessions}
    clear = max(Counter(short.values()).values(), default=0) <= 1
    return {session: short[session] if clear else session for session in sessions}


def _add(
    record: Mapping[str, Any],
    annotator: str | None,
    collected: Collected,
    known: set[tuple[str, str | None, Any]],
    line: int | None,
) -> None:
    answer = record.get("answer", "accept")
    if answer != "accept":
        collected.drop(f"tasks that were not accepted ({shown_json(answer)})")
        return
    text = record.get("text")
    audio = "audio_spans" in record
    if not isinstance(text, str) and not audio:
        raise DataError("the task has neither text nor audio_spans; only these are read")
    text = text if isinstance(text, str) and not audio else None
    name = _name(record, collected.instructions)
    units = list(_units(record, text))
    tokens = _tokens(record, text)
    collected.version(name, annotator, text=text, line=line)
    if tokens:
        collected.tokens(tokens, name)
    for start, end, label in units:
        if (name, annotator, (start, end, label)) in known:
            collected.drop("spans that one annotator gave twice for one text")
            continue
        known.add((name, annotator, (start, end, label)))
        labels: dict[str, Label | None] = {"category": label}
        collected.unit(start, end, labels, document=name, annotator=annotator, line=line)
    _count(record, units, collected)
    for relation in as_list(record.get("relations")):
        with collected.record(line):
            _add_relation(relation, record, text, (name, annotator), collected, known, line)


def _add_relation(
    relation: Any,
    record: Mapping[str, Any],
    text: str | None,
    place: tuple[str, str | None],
    collected: Collected,
    known: set[tuple[str, str | None, Any]],
    line: int | None,
) -> None:
    """Add a relation from a head to a child, which are spans or else tokens."""
    label = relation.get("label") if isinstance(relation, dict) else None
    if not collected.wants(RELATIONS, {"category": label if isinstance(label, str) else None}):
        return
    if not isinstance(relation, dict) or not isinstance(label, str | None):
        raise DataError(f"a relation should be an object with head, child and label, not {shown_json(relation)}")
    ends = [_end(relation, one, record, text) for one in ("head", "child")]
    for one, there in zip(("head", "child"), ends, strict=True):
        if there is None:
            missing = f"its {one} {shown_json(relation.get(one))}"
            collected.endless(RELATIONS, f"{label or 'a relation'} of text {place[0]}", missing, line)
            return
    key = (*place, (*ends, label))
    if key in known:
        collected.drop("relations that one annotator gave twice for one text")
        return
    known.add(key)
    source, target = ([there] if there else [] for there in ends)
    document, annotator = place
    collected.relation(source, target, {"category": label}, document=document, annotator=annotator, line=line)


def _end(
    relation: Mapping[str, Any], one: str, record: Mapping[str, Any], text: str | None
) -> tuple[Position, Position] | None:
    """Return where the head or the child of a relation is, if it is there."""
    span, token = relation.get(f"{one}_span"), relation.get(one)
    tokens = as_list(record.get("tokens"))
    if isinstance(span, dict):
        return _place(span, text)
    if isinstance(token, int) and 0 <= token < len(tokens) and isinstance(tokens[token], dict):
        return _place(tokens[token], text)
    return None


def _name(record: Mapping[str, Any], instructions: Instructions) -> str:
    wanted = instructions.options.get("document")
    if wanted is not None:
        meta = record.get("meta")
        given = record.get(wanted, meta.get(wanted) if isinstance(meta, dict) else None)
        if not isinstance(given, str | int):
            other = mention("options", {"document": "…"})
            raise DataError(f"the task has no {wanted!r} to name the document; choose another with {other}")
        return str(given)
    if isinstance(record.get("_input_hash"), int):
        return str(record["_input_hash"])
    places = ("path", "audio") if "audio_spans" in record else ("text", "html", "path", "image", "audio")
    source = next((str(record[key]) for key in places if key in record), "")
    return f"text {hashlib.sha256(source.encode('utf-8', 'surrogatepass')).hexdigest()[:12]}"


def _units(record: Mapping[str, Any], text: str | None) -> Iterator[_Unit]:
    spans = record.get("audio_spans" if text is None else "spans")
    if not isinstance(spans, list | None):
        raise DataError(f"spans should be a list, not {shown_json(spans)}")
    for span in spans or ():
        if not isinstance(span, dict) or not isinstance(span.get("label"), str | None):
            raise DataError(f"a span should be an object with start, end and label, not {shown_json(span)}")
        if "start" in span:
            yield *_place(span, text), span.get("label")


def _place(span: Mapping[str, Any], text: str | None) -> tuple[Position, Position]:
    start, end = span.get("start"), span.get("end")
    if not is_number(start) or not is_number(end) or start > end:
        raise DataError(f"a span should have start and end, in this order, not {shown_json(span)}")
    if text is None:
        return float(start), float(end)
    if not isinstance(start, int) or not isinstance(end, int) or start < 0 or end > len(text):
        raise DataError(f"a span from {start} to {end} is not within the text, which has {len(text):,} characters")
    return start, end


def _tokens(record: Mapping[str, Any], text: str | None) -> list[tuple[int, int]]:
    found = record.get("tokens")
    if text is None or not isinstance(found, list):
        return []
    if not all(isinstance(token, dict) for token in found):
        raise DataError("tokens should be objects with start and end")
    places = [_place(token, text) for token in found]
    return [(int(start), int(end)) for start, end in places]


def _count(record: Mapping[str, Any], units: Sequence[_Unit], collected: Collected) -> None:
    """Count what is not read."""
    spans = record.get("spans")
    if "audio_spans" not in record and isinstance(spans, list):
        collected.drop("spans without positions in the text", len(spans) - len(units))


def _sniff(head: bytes, path: Path) -> bool:
    first = first_record(head, path)
    if "units" in first or "annotator" in first:
        return False
    answered = first.get("answer") in ("accept", "reject", "ignore") and ("label" in first or "options" in first)
    known = any(key in first for key in (*_HASHES, "audio_spans")) or ("spans" in first and "text" in first)
    return answered or (known and any(key in first for key in ("text", "audio_spans", "options", "label")))


FORMAT = Format(
    name="prodigy",
    title="Prodigy JSONL",
    suffixes=(".jsonl",),
    reads="spans of accepted tasks as units with a category, of texts and of audio; tokens; choices among options as "
    "labels of whole tasks (the question choice; sets if any task has several); accept and reject of a task with one "
    "label as the answers yes and no (the question is the label); annotators from _annotator_id or _session_id; a "
    "document, or an item, is a text, identified by _input_hash. With "
    + mention("units", "relations")
    + ": relations from head to child",
    ignores="tasks that were ignored, rejected tasks with spans or options, all but the latest answer of one annotator "
    "to a task, free texts, regions in images",
    options={
        "document": "the key of the task, or of its meta, that names the document; by default _input_hash",
        "rejected": "what a rejected task with options is: leave-out, the default, or label, a label of its own",
    },
    annotator_from=("folder", "file", "field"),
    whole=True,
    composite=(RELATIONS,),
    sniff=_sniff,
    read=read,
)
