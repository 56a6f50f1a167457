"""Logs of Inspect evaluations (``.eval`` and ``.json``): the scores that scorers, and people who edited them, gave.

Specification: the log format of inspect_ai (`EvalLog`, `EvalSample`, `Score`, `ScoreEdit`). A ``.eval`` file is a ZIP
archive with ``header.json`` and ``samples/ID_epoch_N.json``; a ``.json`` log has the same in one object. A score that
was edited keeps its history: first what the scorer said, then each edit with its author.
"""

from __future__ import annotations

import json
import zipfile
import zlib
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from os import SEEK_CUR
from pathlib import Path
from typing import Any, NamedTuple

from unisono.data import Label
from unisono.errors import DataError
from unisono.formats.collected import Collected, collecting
from unisono.formats.columns import VERDICTS, TableKind
from unisono.formats.format import Format, Instructions
from unisono.formats.json_reading import as_list, as_object, first_record, load_json, shown_json
from unisono.formats.table import RawTable

_PACKED = ".eval"
_SCORE = "score"
_MEANINGS = {"C": "correct", "I": "incorrect", "P": "partially correct", "N": "no answer"}
_AS_NUMBERS: Mapping[str, float] = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
"""What Inspect takes for these letters in its means."""
_UNCHANGED = "UNCHANGED"
_LARGEST = 2**28
_ZSTD = 93
_LOCAL_HEADER = 30


@dataclass(frozen=True)
class _Log:
    """What is known about a log."""

    task: str
    model: str
    name: str
    graders: Mapping[str, str]


class _Scored(NamedTuple):
    """One score of one sample."""

    item: str
    annotator: str
    question: str
    label: Label | None
    text: str | None


@collecting
def read(collected: Collected) -> None:
    """Read the scores of all samples; the values of a score with several keys answer a question each."""
    header, samples = _content(collected.path)
    log = _log(header)
    found = _all_scored(samples, log, header, collected.path)
    letters = all(one.label is None or one.label in _MEANINGS for one in found if not one.question)
    for name in dict.fromkeys(one.question for one in found):
        collected.question(name or _SCORE, meanings=_MEANINGS if letters and not name else None)
    for one in found:
        collected.answer(
            one.question or _SCORE, one.item, one.label, document=log.name, annotator=one.annotator, text=one.text
        )


def read_verdicts(path: Path, instructions: Instructions, expected: Collection[TableKind]) -> RawTable:
    """Read scores as verdicts on the outputs of the model that was evaluated."""

    def fail(row: int | None, message: str) -> DataError:
        return DataError(message if row is None else f"score {row + 1}: {message}", path=path)

    if VERDICTS not in expected:
        raise DataError("a log of Inspect cannot say who worked on what; use a CSV table", path=path)
    header, samples = _content(path)
    log = _log(header)
    given: dict[tuple[str, str], dict[str, Any]] = {}
    for one in _all_scored(samples, log, header, path):
        own = given.setdefault((f"{log.task}, {one.item}", one.annotator), {})
        own[one.question or _SCORE] = _counted(one.label)
    names = list(dict.fromkeys(name for own in given.values() for name in own))
    others: dict[str, list[Any]] = {
        "item": [item for item, _ in given],
        "judge": [judge for _, judge in given],
        "system": [log.model] * len(given),
        **{name: [own.get(name) for own in given.values()] for name in names},
    }
    return RawTable(VERDICTS, {}, others, fail, log.name, path.name)


def _content(path: Path) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Return what a log says about the evaluation, and its samples."""
    if zipfile.is_zipfile(path):
        return _unpacked(path)
    if path.suffix.lower() == _PACKED:
        raise DataError("the log is damaged; copy it again", path=path)
    header = as_object(load_json(path))
    samples = [as_object(one) for one in as_list(header.get("samples"))]
    if not samples:
        raise DataError("the log has no samples; write it again with its samples", path=path)
    return header, samples


def _unpacked(path: Path) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
        header = next((name for name in ("header.json", "_journal/start.json") if name in names), None)
        samples = [name for name in names if name.startswith("samples/") and name.endswith(".json")]
        if header is None or not samples:
            raise DataError("the log has no samples; write it again with its samples", path=path)
        return _member(archive, header, path), [_member(archive, name, path) for name in samples]


def _member(archive: zipfile.ZipFile, name: str, path: Path) -> dict[str, Any]:
    try:
        info = archive.getinfo(name)
        if info.file_size > _LARGEST:
            raise DataError(f"{name} in the log is too large", path=path)
        content = _content_of(archive, info, path)
    except (zipfile.BadZipFile, OSError, EOFError, ValueError) as error:
        raise DataError(f"{name} in the log is damaged ({error}); copy the log again", path=path) from None
    try:
        return as_object(json.loads(content))
    except (ValueError, RecursionError) as error:
        raise DataError(f"{name} in the log is not JSON ({error}); copy the log again", path=path) from None


def _content_of(archive: zipfile.ZipFile, info: zipfile.ZipInfo, path: Path) -> bytes:
    """Unpack a file; those of newer logs are packed with zstd, which Arrow unpacks, and Python from 3.14 on."""
    try:
        with archive.open(info) as stream:
            return stream.read(_LARGEST)
    except NotImplementedError:
        if info.compress_type != _ZSTD:
            raise DataError("the log is packed in an unknown way; convert it to JSON", path=path) from None
    try:
        import pyarrow
    except ImportError:
        raise DataError(
            'the log is packed with zstd, which needs Python 3.14 or pyarrow (pip install "unisono[parquet]"); or '
            "convert it with inspect log convert, to json",
            path=path,
        ) from None
    with path.open("rb") as stream:
        stream.seek(info.header_offset)
        before = stream.read(_LOCAL_HEADER)
        # after the header come the name and an extra field, whose lengths are its last four bytes
        stream.seek(int.from_bytes(before[-4:-2], "little") + int.from_bytes(before[-2:], "little"), SEEK_CUR)
        packed = stream.read(info.compress_size)
    found: bytes = pyarrow.decompress(packed, info.file_size, codec="zstd", asbytes=True)
    if zlib.crc32(found) != info.CRC:
        raise ValueError("its checksum is wrong")
    return found


def _log(header: Mapping[str, Any]) -> _Log:
    spec = as_object(header.get("eval"))
    task, model = str(spec.get("task") or "task"), str(spec.get("model") or "model")
    run = str(spec.get("task_id") or "")[:8]
    graders = {}
    for scorer in as_list(spec.get("scorers")):
        options = as_object(as_object(scorer).get("options"))
        grader = options.get("model")
        if isinstance(grader, dict):
            grader = grader.get("model")
        if isinstance(grader, str) and isinstance(scorer.get("name"), str):
            graders[scorer["name"]] = grader
    return _Log(task, model, ", ".join(filter(None, (task, model, run))), graders)


def _all_scored(
    samples: Iterable[Mapping[str, Any]], log: _Log, header: Mapping[str, Any], path: Path
) -> list[_Scored]:
    """Return all scores; without any, the evaluation failed or has yet to be scored."""
    found = [one for sample in samples for one in _scored(sample, log)]
    if not found:
        status = header.get("status")
        ended = f" (its status is {shown_json(status)})" if status not in (None, "success") else ""
        raise DataError(f"no sample of the log has a score{ended}; score it with inspect score", path=path)
    return found


def _scored(sample: Mapping[str, Any], log: _Log) -> Iterator[_Scored]:
    """Iterate over the scores of a sample: of each scorer, and of the people who edited it."""
    item = str(sample.get("id", ""))
    if not item:
        raise DataError("a sample has no id; give it one")
    epoch = sample.get("epoch", 1)
    if epoch != 1:
        item = f"{item}, epoch {epoch}"
    text = _text(sample.get("input"))
    scores = as_object(sample.get("scores")) or ({_SCORE: sample["score"]} if sample.get("score") else {})
    for name, score in scores.items():
        if not isinstance(score, dict):
            raise DataError(f"the score of sample {item!r} should be an object, not {shown_json(score)}")
        scorer = f"{name} ({log.graders[name]})" if name in log.graders else str(name)
        for annotator, value in _values(scorer, score):
            for question, label in _labels(value, item):
                yield _Scored(item, annotator, question, label, text)


def _values(scorer: str, score: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Iterate over who gave which value; of several edits by one author, the last counts."""
    history = [as_object(one) for one in as_list(score.get("history"))]
    if not history:
        yield scorer, score.get("value")
        return
    authors: dict[str, Any] = {}
    for edit in history:
        author = as_object(edit.get("provenance")).get("author")
        if edit.get("value", _UNCHANGED) != _UNCHANGED:
            authors[str(author) if author else scorer] = edit["value"]
    yield from authors.items()


def _labels(value: Any, item: str) -> Iterator[tuple[str, Label | None]]:
    """Iterate over the questions that a value answers, and the labels."""
    if isinstance(value, dict):
        for key, one in value.items():
            yield str(key), _label(one, item)
    else:
        yield "", _label(value, item)


def _label(value: Any, item: str) -> Label | None:
    if isinstance(value, float) and value != value:
        return None  # the sample could not be scored
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return tuple(sorted(set(value)))
    if value is None or isinstance(value, str | int | float | bool):
        return value
    raise DataError(f"the score of sample {item!r} is {shown_json(value)}, which cannot be a label")


def _counted(label: Label | None) -> Any:
    """Return a score as Inspect counts it; what is no number is left to a message."""
    if isinstance(label, bool):
        return float(label)
    return _AS_NUMBERS.get(label, label) if isinstance(label, str) else label


def _text(given: Any) -> str | None:
    """Return what a sample asks: a text, or the last message of a user."""
    if isinstance(given, str):
        return given
    messages = [as_object(one) for one in as_list(given)]
    said = [one.get("content") for one in messages if one.get("role") == "user"]
    return said[-1] if said and isinstance(said[-1], str) else None


def _sniff(head: bytes, path: Path) -> bool:
    if path.suffix.lower() == _PACKED:
        return head.startswith(b"PK\x03\x04")
    if path.suffix.lower() != ".json" or b'"eval"' not in head:
        return False
    record = first_record(head, path)
    spec = as_object(record.get("eval"))
    return {"version", "status"} <= set(record) and {"task", "model"} <= set(spec)


FORMAT = Format(
    name="inspect",
    title="Inspect log",
    suffixes=(_PACKED, ".json"),
    reads="scores of samples: a sample is an item of the document task, model and id of the run; each scorer, with its "
    "grading model, is an annotator, and so is everybody who edited a score. Scores with several keys are several "
    "questions",
    ignores="messages, events and metrics; epochs are items of their own",
    annotator_from=(),
    sniff=_sniff,
    read=read,
    read_table=read_verdicts,
)
