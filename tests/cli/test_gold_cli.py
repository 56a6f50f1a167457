"""`unisono gold` as a user meets it."""

from __future__ import annotations

import contextlib
import csv
import json
import sys

import commands
import pyarrow.parquet
import pytest

import unisono
from unisono.cli import main
from unisono.demo import demo_path

CSV = """document,annotator,start,end,category
d1,anna,0,10,A
d1,bert,1,10,A
d1,chris,0,9,A
d1,anna,20,25,B
d1,bert,20,25,C
d1,anna,40,48,A
d2,anna,0,10,A
d2,bert,0,11,A
d2,chris,,,
"""


def run(*arguments, cwd="."):
    with contextlib.chdir(cwd):
        return commands.run(*arguments)


@pytest.fixture
def annotations(tmp_path):
    path = tmp_path / "annotations.csv"
    path.write_text(CSV)
    return path


def test_a_draft_and_a_queue(annotations, tmp_path):
    done = run("gold", annotations, "-o", "gold.csv", "--queue", "queue.csv", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""
    assert "gold.csv: 3 units in 2 documents" in done.stderr
    assert "3 to decide in queue.csv, worst first: boundaries 1, tie of labels 1, too few 1" in done.stderr
    with (tmp_path / "gold.csv").open() as stream:
        rows = list(csv.DictReader(stream))
    assert [(row["document"], row["annotator"], row["start"], row["end"], row["category"]) for row in rows] == [
        ("d1", "gold", "0", "10", "A"),
        ("d1", "gold", "20", "25", ""),
        ("d2", "gold", "0", "10", "A"),
    ]
    assert rows[0]["support"] == "1.0"
    assert rows[1]["support of category"] == "0.5"
    with (tmp_path / "queue.csv").open() as stream:
        queue = list(csv.DictReader(stream))
    assert [float(row["disorder"]) for row in queue] == sorted((float(row["disorder"]) for row in queue), reverse=True)
    assert {row["why"] for row in queue} == {"tie of category: B or C", "marked by 1 of 3", "ends between 10 and 11"}
    assert "text" not in queue[0]


def test_plain_has_the_columns_of_the_data(annotations, tmp_path):
    assert run("gold", annotations, "-o", tmp_path / "gold.csv", "--plain").returncode == 0
    assert (tmp_path / "gold.csv").read_text().splitlines()[0] == "document,annotator,start,end,category"


def test_parquet(annotations, tmp_path):
    done = run("gold", annotations, "-o", "gold.parquet", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "gold.parquet: 3 units in 2 documents" in done.stderr
    assert "become text" not in done.stderr
    written = pyarrow.parquet.read_table(tmp_path / "gold.parquet").to_pylist()
    assert next((row["start"], row["category"], row["support"]) for row in written) == (0, "A", 1.0)


def test_thresholds_and_the_measure(annotations, tmp_path):
    options = ["--support", "0.7", "--majority", "0.4", "--boundary", "0", "--sure", "0.99", "--ask-above", "0.4"]
    done = run("gold", annotations, "-o", tmp_path / "gold.jsonl", "-m", "gamma(alpha=3,beta=0)", *options)
    assert done.returncode == 0, done.stderr
    assert "gold.jsonl: 1 unit in 2 documents" in done.stderr
    assert "1 unit with too little support left out (--ask-above)" in done.stderr
    assert "to decide; list them with --queue queue.csv: boundaries 2, too few 2, tie of labels 1" in done.stderr


def test_competence_is_printed(tmp_path):
    done = run("gold", demo_path(), "-o", tmp_path / "gold.jsonl", "--competence", "dawid-skene")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.split("\n")
    assert lines[0] == "Competence (dawid-skene)"
    assert lines[1].split() == ["annotator", "category", "boundaries", "off"]
    assert [line.split()[0] for line in lines[2:5]] == ["anna", "bert", "chris"]


@pytest.mark.parametrize("option", [[], ["--hide-text"]])
def test_the_text_is_in_draft_and_queue_unless_hidden(tmp_path, option):
    draft, queue = tmp_path / "gold.jsonl", tmp_path / "queue.jsonl"
    done = run("gold", demo_path(), "-o", draft, "--queue", queue, *option)
    assert done.returncode == 0, done.stderr
    first = json.loads(queue.read_text(encoding="utf-8").splitlines()[0])
    assert ("text" in first) == (not option)
    assert ("Lake Sarn" in draft.read_text(encoding="utf-8")) == (not option)
    lengths = [document.bounds for document in unisono.read(draft)]
    assert lengths == [document.bounds for document in unisono.read(demo_path())]


def test_nothing_is_drafted_where_nobody_marked_anything(tmp_path):
    (tmp_path / "empty.csv").write_text("document,annotator,start,end,category\nd,a,,,\nd,b,,,\n")
    done = run("gold", "empty.csv", "-o", "gold.jsonl", cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith("unisono: nothing is marked in any document")
    assert [path.name for path in tmp_path.iterdir()] == ["empty.csv"]


def test_brat(tmp_path):
    done = run("gold", demo_path(), "--to", "brat", "-o", tmp_path / "brat", "--plain")
    assert done.returncode == 0, done.stderr
    corpus = unisono.read(demo_path())
    told = unisono.read(tmp_path / "brat", pattern="{annotator}/{document}.ann")
    for draft in (told, unisono.read(tmp_path / "brat")):
        assert draft.annotators == ("gold",)
        assert sorted(draft.documents) == sorted(corpus.documents)
    assert run("convert", demo_path(), "--to", "brat", "-o", tmp_path / "round1").returncode == 0
    both = unisono.read([tmp_path / "round1", tmp_path / "brat"])
    assert sorted(both.annotators) == sorted([*corpus.annotators, "gold"])


@pytest.mark.parametrize("there", ["gold.csv", "queue.csv"])
def test_nothing_is_overwritten_or_half_written(annotations, tmp_path, there):
    (tmp_path / there).write_text("mine")
    done = run("gold", annotations, "-o", "gold.csv", "--queue", "queue.csv", cwd=tmp_path)
    assert done.returncode == 1
    assert f"{there}: the file exists already" in done.stderr
    assert (tmp_path / there).read_text() == "mine"
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(["annotations.csv", there])
    assert run("gold", annotations, "-o", "gold.csv", "--queue", "queue.csv", "--force", cwd=tmp_path).returncode == 0


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["-o", "gold.csv", "--queue", "gold.csv"], "the draft and the queue must be separate"),
        (["-o", "gold.csv", "--queue", "queue.html"], "a table is written as .csv, .tsv or .jsonl"),
        (["-o", "gold.xyz"], "the file name does not show which format to write"),
        (["-o", "gold.csv", "-m", "gama"], "unknown measure 'gama'; did you mean gamma?"),
        (["-o", "gold.csv", "--support", "1"], "more than this share must mark a unit, so 1 is impossible"),
        (["-o", "gold.csv", "--competence", "magic"], "expected dawid-skene, mace or severity"),
        (["-o", "gold.csv", "--annotators", "anna"], "no document was worked on by two annotators"),
        (["-o", "brat", "--to", "brat"], "brat needs one; write csv or jsonl"),
    ],
)
def test_errors_are_one_sentence(annotations, tmp_path, monkeypatch, capsys, options, said):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["unisono", "gold", str(annotations), *options])
    with pytest.raises(SystemExit) as stopped:
        main()
    assert stopped.value.code == 1
    assert said in capsys.readouterr().err.splitlines()[-1]
    assert [path.name for path in tmp_path.iterdir()] == ["annotations.csv"]


def test_labels_of_items_are_not_aligned(tmp_path):
    (tmp_path / "ratings.csv").write_text("item,anna,bert\n1,x,y\n2,x,x\n")
    other = run("gold", tmp_path / "ratings.csv", "-o", tmp_path / "gold.parquet")
    assert other.returncode == 0, other.stderr
    written = pyarrow.parquet.read_table(tmp_path / "gold.parquet").to_pydict()
    assert (written["item"], written["gold"]) == (["1", "2"], [None, "x"])
    done = run("gold", tmp_path / "ratings.csv", "-m", "gamma", "-o", tmp_path / "gold.csv")
    assert done.returncode == 1
    assert "-m: only units are aligned, and these are labels of items; leave it out" in done.stderr
