"""Logs of Inspect evaluations."""

from __future__ import annotations

import json
import struct
import sys
import zipfile
import zlib

import pytest
from format_helpers import refusal

import unisono
from unisono.data import Export
from unisono.formats import read
from unisono.formats.verdict_reading import as_verdicts

EDIT = {
    "value": "I",
    "history": [
        {"value": "C", "answer": "4", "explanation": "UNCHANGED", "provenance": None},
        {"value": "UNCHANGED", "explanation": "typo", "provenance": {"author": "bert", "timestamp": "2026-01-01"}},
        {"value": "P", "provenance": {"author": "anna"}},
        {"value": "I", "provenance": {"author": "anna"}},
    ],
}
"""A score that a person changed twice."""


def sample(number, epoch=1, **scores):
    given = {
        name: value if isinstance(value, dict) and "history" in value else {"value": value}
        for name, value in scores.items()
    }
    return {"id": number, "epoch": epoch, "input": f"Question {number}?", "target": "4", "scores": given}


def log(*samples, model="openai/gpt-4o", scorers=("match", "graded")):
    known = [
        {"name": name, "options": {"model": "google/gemini"} if name == "graded" else {}, "metrics": []}
        for name in scorers
    ]
    spec = {"task": "sums", "model": model, "task_id": "mj7khqpMM4GBCf", "created": "2026-01-01", "scorers": known}
    return {"version": 2, "status": "success", "eval": spec, "plan": {}, "samples": [*samples]}


EXAMPLE = json.dumps(log(sample(1, match="C", graded=EDIT), sample(2, match="I", graded="I")))


@pytest.fixture(params=["json", "eval"])
def file(tmp_path, request):
    """Write a log in both formats."""

    def make(content, name="log"):
        path = tmp_path / f"{name}.{request.param}"
        if request.param == "json":
            path.write_text(json.dumps(content))
            return path
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for one in content["samples"]:
                archive.writestr(f"samples/{one['id']}_epoch_{one['epoch']}.json", json.dumps(one))
            archive.writestr("header.json", json.dumps({key: content[key] for key in content if key != "samples"}))
        return path

    return make


def labels(ratings):
    names = [*ratings.labels, None]
    return {who: [names[code] for code in ratings.codes[:, i]] for i, who in enumerate(ratings.annotators)}


def test_scorers_and_people_who_edit_are_annotators(file):
    found = read(file(log(sample(1, match="C", graded=EDIT), sample(2, match="I", graded="I"))))
    assert labels(found) == {"match": ["C", "I"], "graded (google/gemini)": ["C", "I"], "anna": ["I", None]}
    assert list(found.items) == ["1", "2"]
    assert found.documents == ("sums, openai/gpt-4o, mj7khqpM",)
    assert found.texts == ("Question 1?", "Question 2?")
    assert dict(found.question.meanings)["P"] == "partially correct"


def test_epochs_are_items_and_keys_are_questions(file):
    values = {"style": 3, "tone": "formal"}
    found = read(file(log(sample(1, match=0.5, graded=values), sample(1, epoch=2, match=float("nan"), graded=values))))
    assert isinstance(found, Export)
    score, style = (unisono.prepare(found, layers=[name]) for name in ("score", "style"))
    assert list(score.items) == ["1", "1, epoch 2"]
    assert labels(score) == {"match": [0.5, None]}
    assert labels(style) == {"graded (google/gemini)": [3, 3]}


def test_logs_of_one_run_belong_together(file, tmp_path):
    """The same samples, scored by another scorer later."""
    one = file(log(sample(1, match="C"), sample(2, match="I")), "one")
    two = file(log(sample(1, graded="C"), sample(2, graded="C")), "two")
    found = read([one, two])
    assert labels(found) == {"match": ["C", "I"], "graded (google/gemini)": ["C", "C"]}


def test_scores_are_verdicts_on_the_evaluated_models(file):
    paths = [
        file(log(sample(1, match="C", graded=EDIT), sample(2, match="P", graded="I"), model=model), name)
        for name, model in (("one", "gpt"), ("two", "llama"))
    ]
    found = as_verdicts(paths)
    assert found.systems == ("gpt", "llama")
    assert found.judges == ("anna", "graded (google/gemini)", "match")
    columns = found.columns()
    given = dict(zip(zip(columns["item"], columns["judge"], strict=True), found.value.tolist(), strict=True))
    assert given[("sums, 2", "match")] == 0.5
    assert given[("sums, 1", "anna")] == 0
    assert unisono.judges(paths, ["match"], humans=["anna"]).n_systems == 2


def test_old_logs_have_one_score(file):
    old = {"id": "a", "epoch": 1, "input": [{"role": "system", "content": "x"}, {"role": "user", "content": "Why?"}]}
    content = log({**old, "score": {"value": "C"}})
    found = read(file(content))
    assert labels(found) == {"score": ["C"]}
    assert found.texts == ("Why?",)


def test_what_cannot_be_read(file, tmp_path):
    refusal(file(log()), None, "the log has no samples")
    refusal(file(log(sample(1))), None, "no sample of the log has a score; score it")
    refusal(
        file(log(sample(1)) | {"status": "error"}), None, 'no sample of the log has a score (its status is "error")'
    )
    refusal(file(log(sample(1, match=[1, 2]))), None, "cannot be a label")
    refusal(file(log({"id": "", "epoch": 1, "scores": {"match": {"value": "C"}}})), None, "a sample has no id")
    refusal(file(log({"id": 1, "epoch": 1, "scores": {"match": "C"}})), None, "should be an object")


def test_damaged_logs(tmp_path):
    path = tmp_path / "damaged.eval"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("header.json", "{")
        archive.writestr("samples/1_epoch_1.json", "{}")
    refusal(path, None, "header.json in the log is not JSON")
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("header.json", "{}")
        archive.writestr("samples/1_epoch_1.json", '{"id": 1}')
    content = path.read_bytes()
    path.write_bytes(content.replace(b'{"id": 1}', b'{"id": 2}'))
    refusal(path, None, "samples/1_epoch_1.json in the log is damaged")
    path.write_bytes(content[:60])
    refusal(path, None, "the log is damaged")


def packed_with_zstd(path, content):
    """Write a ZIP archive as newer versions of Inspect do, which Python can do from 3.14 on."""
    arrow = pytest.importorskip("pyarrow", reason="packs what is read here")
    files, directory = b"", b""
    for name, text in content.items():
        data = text.encode()
        packed = arrow.compress(data, codec="zstd", asbytes=True)
        known = struct.pack("<HHHHHIIIHH", 63, 0, 93, 0, 33, zlib.crc32(data), len(packed), len(data), len(name), 0)
        directory += b"PK\x01\x02" + struct.pack("<H", 63) + known + struct.pack("<HHHII", 0, 0, 0, 0, len(files))
        directory += name.encode()
        files += b"PK\x03\x04" + known + name.encode() + packed
    end = struct.pack("<HHHHIIH", 0, 0, len(content), len(content), len(directory), len(files), 0)
    path.write_bytes(files + directory + b"PK\x05\x06" + end)


def test_logs_that_are_packed_with_zstd(tmp_path, monkeypatch):
    content = log(sample(1, match="C", graded="I"), sample(2, match="I", graded="I"))
    members = {f"samples/{one['id']}_epoch_1.json": json.dumps(one) for one in content["samples"]}
    path = tmp_path / "log.eval"
    packed_with_zstd(path, {**members, "header.json": json.dumps({"eval": content["eval"]})})
    assert labels(read(path)) == {"match": ["C", "I"], "graded (google/gemini)": ["I", "I"]}
    path.write_bytes(path.read_bytes().replace(b"samples/2_epoch_1.json(", b"samples/2_epoch_1.json)"))
    refusal(path, None, "samples/2_epoch_1.json in the log is damaged")


def test_without_what_unpacks_zstd(tmp_path, monkeypatch):
    packed_with_zstd(tmp_path / "log.eval", {"header.json": "{}", "samples/1_epoch_1.json": '{"id": 1}'})
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setattr(zipfile.ZipFile, "open", _cannot)
    refusal(tmp_path / "log.eval", None, 'needs Python 3.14 or pyarrow (pip install "unisono[parquet]")')


def _cannot(*given):
    raise NotImplementedError


def test_other_archives_and_json_are_not_taken_for_logs(tmp_path):
    path = tmp_path / "table.json"
    path.write_text(json.dumps([{"item": "a", "anna": "x", "bert": "eval"}]))
    assert read(path).annotators == ("anna", "bert")
