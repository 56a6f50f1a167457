"""Runs of a model that a column tells apart."""

from __future__ import annotations

import json

import pandas as pd
import pytest
from commands import run

import unisono
from unisono.errors import DataError

LABELS = """item,annotator,seed,label
s1,anna,,x
s1,gpt,1,x
s1,gpt,2,y
s2,anna,,y
s2,gpt,1,y
s2,gpt,2,y
"""
UNITS = """document,annotator,iteration,start,end,category
d,anna,,0,5,A
d,gpt,a,0,5,A
d,gpt,b,1,5,A
e,gpt,b,,,
"""
RUNS = ("anna", "gpt#1", "gpt#2")


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "labels.csv").write_text(LABELS, encoding="utf-8")
    (tmp_path / "units.csv").write_text(UNITS, encoding="utf-8")
    return tmp_path


def test_labels_of_items(files):
    data = unisono.read("labels.csv", columns={"run": "seed"})
    assert data.annotators == RUNS
    frame = unisono.from_frame(pd.read_csv("labels.csv"), columns={"run": "seed"})
    assert (frame.annotators, frame.codes.tolist()) == (RUNS, data.codes.tolist())
    with pytest.raises(DataError, match=r"labels the item 's1' a second time; .* by columns=\{'run': 'NAME'\}"):
        unisono.read("labels.csv")


def test_other_names_of_columns(files):
    text = LABELS.replace("annotator", "coder").replace("label", "rating").replace("seed", "Run No")
    (files / "labels.csv").write_text(text, encoding="utf-8")
    data = unisono.read("labels.csv", columns={"run": "Run No"})
    assert data.annotators == RUNS
    assert not any("Run No" in reason for reason in data.dropped)


def test_units(files):
    data = unisono.read("units.csv", columns={"run": "iteration"})
    assert data.annotators == ("anna", "gpt#a", "gpt#b")
    assert [*data.features] == ["category"]
    assert data.worked.tolist() == [[True, True, True], [False, False, True]]
    assert data == unisono.from_frame(pd.read_csv("units.csv"), columns={"run": "iteration"})


def test_a_feature_may_be_called_run(files):
    text = "".join(UNITS.replace("iteration", "run").splitlines(keepends=True)[:-1])
    (files / "units.csv").write_text(text, encoding="utf-8")
    assert [*unisono.read("units.csv").features] == ["category", "run"]
    assert unisono.read("units.csv", columns={"run": "run"}).annotators == ("anna", "gpt#a", "gpt#b")


def test_rows_as_json(files):
    rows = pd.read_csv("labels.csv").to_dict("records")
    (files / "rows.json").write_text(json.dumps([{k: v for k, v in one.items() if v == v} for one in rows]), "utf-8")
    assert unisono.read("rows.json", columns={"run": "seed"}).annotators == RUNS


def test_json_lines_have_a_key_for_it(files):
    lines = [
        {"document": "d", "annotator": "anna", "units": [{"start": 0, "end": 5}]},
        {"document": "d", "annotator": "gpt", "run": 1, "units": [{"start": 0, "end": 5}]},
        {"document": "d", "annotator": "gpt", "run": "b", "units": []},
        {"document": "d", "annotator": "bert", "run": None, "units": []},
    ]
    (files / "data.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    assert unisono.read("data.jsonl").annotators == ("anna", "bert", "gpt#1", "gpt#b")
    (files / "data.jsonl").write_text(json.dumps({**lines[1], "run": [1]}), encoding="utf-8")
    with pytest.raises(DataError, match="the run should be text"):
        unisono.read("data.jsonl")


def test_the_command_line(files):
    written = [
        f"s{i},{who},{number},{'xy'[(i * 7 + place) % 5 < 2]}"
        for i in range(40)
        for place, (who, number) in enumerate([("anna", ""), ("bert", ""), ("gpt", 1), ("gpt", 2)])
    ]
    (files / "many.csv").write_text("\n".join(["item,annotator,seed,label", *written]), encoding="utf-8")
    done = run("compare", "many.csv", "--runs", "seed", "--model", "gpt", "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["humans"] == ["anna", "bert"]
    assert found["runs"][0]["runs"] == ["gpt#1", "gpt#2"]
    assert run("compare", "many.csv", "--columns", "run=seed", "--model", "gpt", "--json").stdout == done.stdout


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("labels.csv", LABELS, "unknown column 'temperature' for run; available: item, annotator, seed, label"),
        (
            "wide.csv",
            "item,anna,gpt,temperature\ns1,x,x,1\ns2,y,x,2\n",
            "runs can be in a column only if annotators are, too",
        ),
    ],
)
def test_wrong_columns(files, name, content, said):
    (files / name).write_text(content, encoding="utf-8")
    done = run("measure", name, "--runs", "temperature")
    assert done.returncode == 1
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
