"""Runs kept in a file: what was interrupted goes on, and nothing else is taken for it."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from unisono import DataError
from unisono.data import Corpus
from unisono.shuffling import benchmark, generate
from unisono.shuffling.benchmarking import Run
from unisono.shuffling.store import FileStore, fingerprint

ABOUT = {"data": "0123", "measures": ["cu-alpha", "window-diff(reference=Zoë)"], "seed": 42, "annotator": None}
RUNS = {
    Run("category", 0.05, 0): {"cu-alpha": 0.1 + 0.2, "window-diff(reference=Zoë)": None},
    Run("position+category", 1.0, 3): {"cu-alpha": -1e-17, "window-diff(reference=Zoë)": 1.0},
    Run("false-positives(factor=3)", 0.0, 12): {"cu-alpha": 1.0, "window-diff(reference=Zoë)": 0.25},
}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "curves.csv.runs.jsonl"


@pytest.fixture
def kept(path):
    store = FileStore(path, ABOUT)
    for run, values in RUNS.items():
        store.keep(run, values)
    return path


def test_a_new_store_knows_nothing(path):
    store = FileStore(path, ABOUT)
    assert store.n_known == 0
    assert dict(store.known()) == {}


def test_runs_come_back_as_they_were(kept):
    store = FileStore(kept, ABOUT)
    assert store.n_known == 3
    assert dict(store.known()) == RUNS


def test_a_line_a_run(kept):
    first, *lines = map(json.loads, kept.read_text(encoding="utf-8").splitlines())
    assert first["benchmark"]["measures"] == ABOUT["measures"]
    assert first["benchmark"]["unisono"]
    assert lines[0] == {
        "error": "category",
        "magnitude": 0.05,
        "repetition": 0,
        "values": {"cu-alpha": 0.1 + 0.2, "window-diff(reference=Zoë)": None},
    }
    assert "Zoë" in kept.read_text(encoding="utf-8")


def test_a_store_can_be_opened_again_and_again(kept):
    before = kept.read_bytes()
    for _ in range(3):
        assert FileStore(kept, ABOUT).n_known == 3
    assert kept.read_bytes() == before
    FileStore(kept, ABOUT).keep(Run("splits", 0.5, 0), {"cu-alpha": 1.0})
    assert FileStore(kept, ABOUT).n_known == 4


@pytest.mark.parametrize("cut", [1, 2, 10, 40])
def test_a_last_line_that_was_cut_off_is_dropped(kept, cut):
    kept.write_bytes(kept.read_bytes()[:-cut])
    store = FileStore(kept, ABOUT)
    assert store.n_known == 2
    run, values = [*RUNS.items()][-1]
    store.keep(run, values)
    assert dict(FileStore(kept, ABOUT).known()) == RUNS


def test_a_last_line_that_was_cut_off_within_a_character(kept):
    content = kept.read_bytes()
    kept.write_bytes(content[: content.rindex("ë".encode()) + 1])
    assert FileStore(kept, ABOUT).n_known == 2


def test_going_on_writes_nothing_that_is_kept_already(kept, monkeypatch):
    monkeypatch.setattr(Path, "write_bytes", lambda *_: pytest.fail("written anew"))
    monkeypatch.setattr(Path, "write_text", lambda *_: pytest.fail("written anew"))
    before = kept.read_bytes()
    os.utime(kept, (1, 1))
    assert FileStore(kept, ABOUT).n_known == 3
    assert kept.stat().st_mtime == 1  # not touched at all
    with kept.open("ab") as stream:
        stream.write(b'{"error": "splits", "magn')
    file = kept.stat().st_ino
    assert FileStore(kept, ABOUT).n_known == 3
    assert kept.read_bytes() == before
    assert kept.stat().st_ino == file


def test_only_the_head_is_there(path):
    FileStore(path, ABOUT)
    assert FileStore(path, ABOUT).n_known == 0


@pytest.mark.parametrize(
    "change", [{"data": "3210"}, {"measures": ["cu-alpha"]}, {"seed": 43}, {"annotator": "anna"}, {"more": 1}]
)
def test_other_settings_are_refused(kept, change):
    before = kept.read_bytes()
    with pytest.raises(DataError, match="a benchmark with other data or settings; remove the file") as caught:
        FileStore(kept, {**ABOUT, **change})
    assert caught.value.path == kept
    assert kept.read_bytes() == before


@pytest.mark.parametrize(
    "content",
    [
        "hello\nworld\n",
        '{"a": 1}\n',
        "[1, 2]\n",
        "3\n",
        '{"benchmark": {}}\n{"error": "x"}\n{"error": "y"}\n',
        '{"benchmark": {}}\nnot json\n{"error": "y"}\n',
    ],
)
def test_foreign_files_are_refused_and_left_alone(path, content):
    path.write_text(content)
    with pytest.raises(DataError, match="does not come from an interrupted benchmark"):
        FileStore(path, ABOUT)
    assert path.read_text() == content


def test_a_file_that_is_no_text_is_refused(path):
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(DataError, match="does not come from an interrupted benchmark"):
        FileStore(path, ABOUT)


def test_a_folder_is_refused(tmp_path):
    with pytest.raises(DataError):
        FileStore(tmp_path, ABOUT)


@pytest.mark.parametrize("size", [0, 10])
def test_an_interruption_at_the_very_begin(path, size):
    FileStore(path, ABOUT)
    path.write_bytes(path.read_bytes()[:size])
    assert FileStore(path, ABOUT).n_known == 0


def test_a_folder_that_is_not_there(tmp_path):
    with pytest.raises(DataError, match=r"runs cannot be saved \(No such file or directory\); check the folder"):
        FileStore(tmp_path / "nowhere" / "runs.jsonl", ABOUT)


def test_removing(kept):
    store = FileStore(kept, ABOUT)
    store.remove()
    assert not kept.exists()
    store.remove()


def test_a_benchmark_that_was_interrupted_goes_on(path):
    work = (generate(n_units=10), ["cu-alpha", "u-alpha"], ["category", "false-negatives"])
    settings = {"magnitudes": (0, 0.5, 1), "repetitions": 2, "workers": 1}

    def tired(done, total):
        if done > 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        benchmark(*work, store=FileStore(path, ABOUT), progress=tired, **settings)
    path.write_bytes(path.read_bytes()[:-7])
    store = FileStore(path, ABOUT)
    assert store.n_known == 3
    made = benchmark(*work, store=store, **settings)
    assert made == benchmark(*work, **settings)
    again = FileStore(path, ABOUT)
    assert again.n_known == 12
    calls = []
    assert benchmark(*work, store=again, progress=lambda *call: calls.append(call), **settings) == made
    assert calls == []


def spans(**changes):
    given = {
        "document": ["one", "one", "two"],
        "annotator": ["anna", "anna", "bert"],
        "start": [0, 5, 2],
        "end": [3, 9, 8],
        "features": {"category": ["A", "B", "A"]},
        "bounds": {"one": (0, 20), "two": (0, 20)},
        "texts": {("one", "anna"): "x" * 20},
    }
    return Corpus.from_columns(**{**given, **changes})


def test_fingerprints_are_the_same_for_the_same_data():
    assert fingerprint(spans()) == fingerprint(spans())
    assert fingerprint(generate(rng=1)) == fingerprint(generate(rng=1)) != fingerprint(generate(rng=2))


@pytest.mark.parametrize(
    "changes",
    [
        {"start": [0, 6, 2]},
        {"end": [3, 9, 9]},
        {"start": [0.0, 5.0, 2.0]},
        {"features": {"category": ["A", "B", "B"]}},
        {"features": {"category": ["A", "C", "A"]}},
        {"features": {"category": ["A", "B", None]}},
        {"features": {"label": ["A", "B", "A"]}},
        {"features": {}},
        {"document": ["one", "two", "two"]},
        {"document": ["one", "one", "three"], "bounds": {}},
        {"texts": {}},
        {"worked": [("two", "anna")]},
        {"texts": {("one", "anna"): "y" * 20}},
        pytest.param({"bounds": {"one": (0, 20), "two": (0, 3000)}}),
        pytest.param({"annotator": ["anna", "anna", "anna"]}),
    ],
)
def test_fingerprints_differ_for_other_data(changes):
    assert fingerprint(spans(**changes)) != fingerprint(spans())
