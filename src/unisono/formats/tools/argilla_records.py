"""Records of Argilla, of all its versions, as what they are about and the responses to them.

Specification: Argilla's code and documentation of `to_json` (2.x), of FeedbackDataset and its export to the Hugging
Face Hub (1.x), and of records for text and token classification (Rubrix, 1.x).

- 2.x: {"id", "fields": {…}, "responses": {question: [{"value", "user_id", "status"}]}, "suggestions": {…}}; flattened:
  "question.responses": [value], "question.responses.users": [user], "question.responses.status": [status].
- 1.x, feedback: {"fields", "responses": [{"user_id", "values": {question: {"value"}}, "status"}]}; on the Hub:
  {field: text, question: [{"user_id", "value", "status"}], "question-suggestion": value, …}.
- Rubrix: {"text" or "inputs", "annotation", "annotation_agent", "prediction", "prediction_agent", "status"}.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from unisono.errors import DataError
from unisono.formats.json_reading import as_list, as_object, is_number, shown_json

RUBRIX = "label"
"""The question that annotations of Rubrix answer, which has no name."""
SUGGESTION = "suggestion"
_FLAT = ".responses"


class Response(NamedTuple):
    """What somebody answered; by a model, it is a suggestion."""

    question: str
    user: str | None
    value: Any
    status: str
    suggested: bool = False


@dataclass(frozen=True, slots=True)
class Record:
    """What was annotated, and the responses."""

    name: str
    fields: Mapping[str, str]
    responses: Sequence[Response]


def read_record(record: Any) -> Record:
    """Read a record of any version."""
    if not isinstance(record, dict):
        raise DataError(f"a record should be an object, not {shown_json(record)}")
    if is_rubrix(record):
        fields = {"text": record["text"]} if isinstance(record.get("text"), str) else _texts(record.get("inputs"))
        return Record(_name(record, fields), fields, list(_of_rubrix(record)))
    fields = _texts(record.get("fields", record))
    return Record(_name(record, fields), fields, [*_responses(record), *_suggestions(record)])


def is_rubrix(record: Mapping[str, Any]) -> bool:
    """Whether a record is one of Rubrix, for text or token classification."""
    return {"annotation", "prediction"} <= record.keys() and not isinstance(record.get("responses"), list | dict)


def is_known(record: Mapping[str, Any]) -> bool:
    """Whether a record is one of Argilla."""
    nested = isinstance(record.get("fields"), dict) and isinstance(record.get("responses"), list | dict)
    flat = any(key.endswith(_FLAT) and f"{key}.users" in record for key in record)
    hub = any(f"{key}-suggestion" in record and isinstance(value, list | None) for key, value in record.items())
    return nested or flat or hub or (is_rubrix(record) and {"annotation_agent", "prediction_agent"} <= record.keys())


def _responses(record: Mapping[str, Any]) -> Iterator[Response]:
    found = record.get("responses")
    if not isinstance(found, dict | list | None):
        raise DataError(f"responses should be an object or a list, not {shown_json(found)}")
    if isinstance(found, dict):
        for question, given in found.items():
            yield from (_response(question, one) for one in as_list(given))
    elif isinstance(found, list):
        for one in found:
            yield from _of_person(one)
    elif "fields" not in record:
        for key, value in record.items():
            question = key.removesuffix(_FLAT)
            if question != key and f"{key}.users" in record:
                yield from _flattened(record, question)
            elif f"{key}-suggestion" in record:
                yield from (_response(key, one) for one in as_list(value))


def _response(question: str, one: Any) -> Response:
    if not isinstance(one, dict):
        raise DataError(f"a response should be an object with value and user_id, not {shown_json(one)}")
    return Response(question, _user(one.get("user_id")), one.get("value"), _status(one.get("status")))


def _of_person(one: Any) -> Iterator[Response]:
    """Iterate over what one person answered, in a record of 1.x."""
    values = as_object(one).get("values")
    if isinstance(values, list):
        values = {question: value for part in values for question, value in as_object(part).items()}
    if not isinstance(one, dict) or not isinstance(values, dict | None):
        raise DataError(f"a response should be an object with values and user_id, not {shown_json(one)}")
    given = values or {}
    user, status = _user(one.get("user_id")), _status(one.get("status"))
    if not given and status != "submitted":
        yield Response("", user, None, status)
    for question, value in given.items():
        yield Response(question, user, as_object(value).get("value"), status)


def _flattened(record: Mapping[str, Any], question: str) -> Iterator[Response]:
    values, users = as_list(record.get(question + _FLAT)), as_list(record.get(f"{question}{_FLAT}.users"))
    statuses = as_list(record.get(f"{question}{_FLAT}.status")) or [None] * len(values)
    if not len(values) == len(users) == len(statuses):
        raise DataError(f"{question!r} has {len(values)} responses, but {len(users)} users; correct the record")
    for value, user, status in zip(values, users, statuses, strict=True):
        yield Response(question, _user(user), value, _status(status))


def _suggestions(record: Mapping[str, Any]) -> Iterator[Response]:
    found = record.get("suggestions")
    if isinstance(found, dict):
        named = [(question, as_object(one)) for question, one in found.items()]
    elif isinstance(found, list):
        named = [(str(as_object(one).get("question_name")), as_object(one)) for one in found]
    else:
        flat = [(key, key.removesuffix(".suggestion").removesuffix("-suggestion")) for key in record]
        named = [
            (question, {"value": record[key], "agent": _agent(record, question)})
            for key, question in flat
            if question != key
        ]
    for question, one in named:
        if one.get("value") is not None:
            yield Response(question, _user(one.get("agent")) or SUGGESTION, one["value"], "submitted", suggested=True)


def _agent(record: Mapping[str, Any], question: str) -> Any:
    by_name = as_object(record.get(f"{question}-suggestion-metadata")).get("agent")
    return record.get(f"{question}.suggestion.agent", by_name)


def _of_rubrix(record: Mapping[str, Any]) -> Iterator[Response]:
    """Iterate over the annotation and the prediction; a prediction gives each label a score."""
    several = record.get("multi_label") is True
    tokens = "tokens" in record
    discarded = "discarded" if record.get("status") == "Discarded" else "submitted"
    annotation = record.get("annotation")
    if annotation is not None:
        label = [annotation] if several and isinstance(annotation, str) else annotation
        value = [_rubrix_span(one) for one in as_list(label)] if tokens else label
        yield Response(RUBRIX, _user(record.get("annotation_agent")), value, discarded)
    elif discarded == "discarded":
        yield Response(RUBRIX, None, None, discarded)
    scored = [one for one in as_list(record.get("prediction")) if isinstance(one, dict | list)]
    agent = _user(record.get("prediction_agent")) or SUGGESTION
    if scored and tokens:
        yield Response(RUBRIX, agent, [_rubrix_span(one) for one in scored], "submitted", suggested=True)
    elif scored:
        pairs = [(one.get("label"), one.get("score")) if isinstance(one, dict) else (*one, 0)[:2] for one in scored]
        likely = sorted(((score, label) for label, score in pairs if is_number(score)), key=lambda one: -one[0])
        chosen = [label for score, label in likely if score >= 0.5]
        if several or likely:
            yield Response(RUBRIX, agent, chosen if several else likely[0][1], "submitted", suggested=True)


def _rubrix_span(one: Any) -> Any:
    """Return a span as an object; it may be a list of label, start, end and perhaps a score."""
    return dict(zip(("label", "start", "end"), one, strict=False)) if isinstance(one, list) else one


def _user(user: Any) -> str | None:
    if isinstance(user, list | dict):
        raise DataError(f"a user should be a name, not {shown_json(user)}")
    return None if user in (None, "", "None") else str(user)


def _status(status: Any) -> str:
    return str(as_object(status).get("value", status)).rpartition(".")[2] if status is not None else "submitted"


def _texts(fields: Any) -> dict[str, str]:
    if not isinstance(fields, dict):
        raise DataError(f"fields should be an object, not {shown_json(fields)}")
    names = ("id", "external_id", "_server_id", "metadata", "status")
    return {
        key: value
        for key, value in fields.items()
        if isinstance(value, str) and key not in names and not key.endswith((".agent", "suggestion"))
    }


def _name(record: Mapping[str, Any], fields: Mapping[str, str]) -> str:
    for key in ("id", "external_id", "_server_id"):
        if isinstance(record.get(key), str | int) and record[key] not in ("", "None"):
            return str(record[key])
    content = json.dumps(fields, sort_keys=True)
    return f"record {hashlib.sha256(content.encode()).hexdigest()[:12]}"
