"""Argilla's records, as JSON or JSON lines: responses of several people to questions about them.

What records look like is in `argilla_records`. The type of a question is not in the records, but its values show it: a
text (a label), a list of texts (several labels), a number (a rating), objects with ranks (a ranking), or with start and
end (spans). Lists that all have the same texts, in different orders, are rankings, as Argilla 2 writes them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, TypeAlias

from unisono.data import Label
from unisono.data.questions import AnswerKind
from unisono.errors import DataError
from unisono.formats.collected import Collected, collecting
from unisono.formats.format import Format
from unisono.formats.json_reading import as_list, first_record, is_number, json_records, shown_json
from unisono.formats.tools.argilla_records import Record, Response, is_known, read_record

_LONGEST_LABEL = 200
_STATUSES = {"draft": "drafts", "discarded": "discarded responses", "pending": "pending responses"}
_Kind: TypeAlias = Literal["spans", "texts"] | AnswerKind


@collecting
def read(collected: Collected) -> None:
    """Read responses as answers, and spans as units."""
    suggested = collected.instructions.choice("predictions", ("true", "false"), "false") == "true"
    from_path = collected.instructions.annotator_from in ("folder", "file")
    found: list[tuple[int | None, Record]] = []
    names: set[str] = set()
    for line, value in json_records(collected.path, collected.instructions.bad):
        with collected.record(line):
            record = read_record(value)
            if record.name in names:
                raise DataError(f"there is another record with the id {record.name}; rename one")
            names.add(record.name)
            found.append((line, _by_path(record) if from_path else record))
    kinds = _kinds(response for _, record in found for response in record.responses)
    for question, kind in kinds.items():
        if kind != "spans" and kind != "texts":
            collected.question(question, kind)
    layered = sum(kind == "spans" for kind in kinds.values()) > 1
    people = _people(record for _, record in found)
    for line, record in found:
        with collected.record(line):
            given = _given(record, collected, suggested=suggested)
            for response in given.values():
                _add(response, record, kinds.get(response.question), collected, line, layered=layered)
            for question, user in _unanswered(given, kinds, people):
                collected.answer(question, record.name, (), annotator=user, text=_text(record), line=line)


def _by_path(record: Record) -> Record:
    """Return a record whose responses are those of the annotator named by the path."""
    return replace(record, responses=[response._replace(user=None) for response in record.responses])


def _kinds(responses: Iterable[Response]) -> dict[str, _Kind]:
    """Find out what most answers to each question are like; if some texts are too long to be labels, all are texts."""
    found: dict[str, Counter[_Kind]] = {}
    lists: dict[str, set[tuple[Any, ...]]] = {}
    for response in responses:
        kind = _kind(response.value)
        if kind is not None:
            found.setdefault(response.question, Counter())[kind] += 1
        if kind == "sets":
            lists.setdefault(response.question, set()).add(tuple(map(str, response.value)))
    for question, counts in found.items():
        if counts["texts"]:
            counts["texts"] += counts.pop("names", 0)
        if _are_orders(lists.get(question, set())):
            counts["ranks"] += counts.pop("sets")
    return {question: counts.most_common(1)[0][0] for question, counts in found.items()}


def _are_orders(lists: Collection[tuple[Any, ...]]) -> bool:
    """Whether lists are rankings: they all have the same things, in different orders."""
    return len(lists) > 1 and len(set(map(frozenset, lists))) == 1 and all(len(set(one)) == len(one) for one in lists)


def _kind(value: Any) -> _Kind | None:
    if isinstance(value, str):
        return "names" if len(value) <= _LONGEST_LABEL else "texts"
    if is_number(value):
        return "numbers"
    if isinstance(value, dict) and "rank" in value:
        return "ranks"
    if not isinstance(value, list) or not value:
        return None
    if not isinstance(value[0], dict):
        return "sets"
    return "spans" if "start" in value[0] else "ranks"


def _people(records: Iterable[Record]) -> set[tuple[str, str | None]]:
    """Return who answered which question."""
    return {
        (response.question, response.user)
        for record in records
        for response in record.responses
        if _counts(response) and not response.suggested
    }


def _counts(response: Response) -> bool:
    return response.status not in _STATUSES and response.value is not None


def _given(record: Record, collected: Collected, *, suggested: bool) -> dict[tuple[str, str | None], Response]:
    """Return the responses that count, by question and user; count the others."""
    given: dict[tuple[str, str | None], Response] = {}
    for response in record.responses:
        if response.status in _STATUSES:
            collected.drop(_STATUSES[response.status])
        elif response.suggested and not suggested:
            collected.drop("suggestions of models")
        elif response.value is not None:
            if (response.question, response.user) in given:
                collected.drop("earlier responses of one person to the same question")
            given[response.question, response.user] = response
    return given


def _unanswered(
    given: Mapping[tuple[str, str | None], Response],
    kinds: Mapping[str, _Kind],
    people: set[tuple[str, str | None]],
) -> list[tuple[str, str | None]]:
    """Return who chose nothing where several labels could be chosen: those who answered other questions here."""
    users = dict.fromkeys(user for _, user in given)
    several = [question for question, kind in kinds.items() if kind == "sets"]
    return [(q, user) for q in several for user in users if (q, user) not in given and (q, user) in people]


def _add(
    response: Response, record: Record, kind: _Kind | None, collected: Collected, line: int | None, *, layered: bool
) -> None:
    question, value, user = response.question, response.value, response.user
    if kind is None:
        collected.drop("responses that are not understood")
    elif kind == "texts":
        collected.drop("free texts, which are not labels")
    elif kind == "spans":
        _add_spans(response, record, collected, line, layer=question if layered else None)
    elif kind == "ranks":
        for thing, rank in _ranks(value).items():
            collected.answer(question, f"{record.name}: {thing}", rank, annotator=user, text=thing, line=line)
    else:
        label = _label(value, kind, question)
        collected.answer(question, record.name, label, annotator=user, text=_text(record), line=line)


def _label(value: Any, kind: _Kind, question: str) -> Label:
    several = isinstance(value, list) and all(isinstance(one, str) for one in value)
    if kind == "sets" and several:
        return tuple(sorted(set(value)))
    if (kind == "numbers" and is_number(value)) or (kind == "names" and isinstance(value, str)):
        return value
    raise DataError(f"{question!r} is answered by {shown_json(value)} here, and by {kind} elsewhere; correct it")


def _ranks(value: Any) -> dict[str, int | float]:
    """Return the ranks of things, which may share one, or have none; the Hub has a list of values and one of ranks."""
    if isinstance(value, dict):
        pairs = list(zip(as_list(value.get("value")), as_list(value.get("rank")), strict=False))
    elif isinstance(value, list) and all(isinstance(one, str) for one in value):
        pairs = [(one, rank) for rank, one in enumerate(value, start=1)]
    else:
        pairs = [(one.get("value"), one.get("rank")) for one in as_list(value) if isinstance(one, dict)]
        if len(pairs) < len(as_list(value)):
            raise DataError(f"a ranking should have objects with value and rank, not {shown_json(value)}")
    ranks = {str(thing): rank for thing, rank in pairs if rank is not None}
    if not all(is_number(rank) for rank in ranks.values()) or len(ranks) < sum(rank is not None for _, rank in pairs):
        raise DataError(f"a ranking should name each thing once, with a number, not {shown_json(value)}")
    return ranks


def _add_spans(
    response: Response, record: Record, collected: Collected, line: int | None, *, layer: str | None
) -> None:
    spans = as_list(response.value)
    text = _spanned_text(record, spans)
    name = record.name if text is None or len(record.fields) < 2 else f"{record.name}: {text[0]}"
    collected.version(name, response.user, text=None if text is None else text[1], line=line)
    for span in spans:
        start, end, label = (
            (span.get(key) for key in ("start", "end", "label")) if isinstance(span, dict) else [None] * 3
        )
        if not isinstance(start, int) or not isinstance(end, int) or not isinstance(label, str | None):
            raise DataError(f"a span should be an object with start, end and label, not {shown_json(span)}")
        collected.unit(start, end, {"category": label}, document=name, annotator=response.user, layer=layer, line=line)


def _spanned_text(record: Record, spans: Iterable[Any]) -> tuple[str, str] | None:
    """Return the field that spans are in, and its text: one that fits what they say they cover, or is long enough."""
    known = [span for span in spans if isinstance(span, dict) and isinstance(span.get("end"), int)]
    last = max((span["end"] for span in known), default=0)
    fitting = [
        (sum(text[span.get("start") : span["end"]] == span.get("text") for span in known), len(text) >= last, name)
        for name, text in record.fields.items()
        if all(isinstance(span.get("start"), int) for span in known)
    ]
    if not fitting:
        return None
    best = max(fitting, key=lambda one: one[:2])[2]
    return best, record.fields[best]


def _text(record: Record) -> str | None:
    return "\n".join(record.fields.values()) or None


def _sniff(head: bytes, path: Path) -> bool:
    return is_known(first_record(head, path))


FORMAT = Format(
    name="argilla",
    title="Argilla",
    suffixes=(".json", ".jsonl"),
    reads="responses to questions as answers: labels, several labels as sets, ratings, rankings (an item per thing); "
    "spans as units with a category, the question as the layer if there are several; annotators from "
    "user_id; an item, or a document, is a record, named by its id. Records of Argilla 2 and 1, as JSON and as on the "
    "Hugging Face Hub, and of Rubrix, whose question is called label",
    ignores="drafts, discarded responses, suggestions and predictions, free texts, vectors, metadata",
    options={"predictions": "true reads suggestions and predictions; the agent is the annotator"},
    annotator_from=("folder", "file", "field"),
    whole=True,
    sniff=_sniff,
    read=read,
)
