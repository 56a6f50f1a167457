"""The command line as a user meets it: output, exit status, errors in one sentence."""

from __future__ import annotations

import csv
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from commands import run

import unisono
from unisono.demo import demo_path

CSV = """document,annotator,start,end,category
d1,anna,0,10,A
d1,bert,1,10,A
d1,chris,0,9,A
d1,anna,20,25,B
d1,bert,20,25,C
d1,chris,21,25,B
d1,anna,40,48,A
d2,anna,0,10,A
d2,bert,0,11,A
d2,anna,15,25,C
d2,bert,16,25,C
d2,chris,,,
"""
FAST = "gamma(precision=0.2)"


@pytest.fixture
def annotations(tmp_path):
    path = tmp_path / "annotations.csv"
    path.write_text(CSV)
    return path


def test_measure_prints_a_table_in_a_process_of_its_own(annotations):
    command = [sys.executable, "-m", "unisono", "measure", str(annotations), "-m", FAST]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert "γ of 3 annotators on 2 documents, 11 units" in done.stdout
    assert "alignment proven optimal" in done.stdout
    assert "γ without" in done.stdout
    assert "gamma|alpha:1|beta:1|delta_empty:1|chance:shift|" in done.stdout
    assert max(len(line) for line in done.stdout.splitlines() if "See where" not in line) <= 110


def test_measure_json_keeps_the_contract(annotations):
    annotations.write_text(CSV + "d3,anna,0,9,B\nd3,bert,0,9,B\nd3,chris,0,8,C\n")
    done = run(
        "measure",
        annotations,
        "-m",
        "gamma(alpha=3,beta=1,precision=0.2)",
        "-m",
        FAST,
        "--seed",
        "7",
        "--json",
        "--pairwise",
    )
    assert done.returncode == 0, done.stderr
    results = json.loads(done.stdout)["results"]
    assert len(results) == 2
    first = results[0]
    assert first["measure"] == "gamma"
    assert first["value"] == pytest.approx(1 - first["observed"] / first["expected"])
    assert first["undefined"] is None
    assert set(first["interval"]) == {"low", "high", "level", "method"}
    assert (first["n_documents"], first["n_annotators"], first["n_units"]) == (3, 3, 14)
    assert first["n_samples"] >= 30
    assert first["optimality_gap"] == 0
    assert first["signature"].startswith("gamma|alpha:3|beta:1|")
    assert "seed:7" in first["signature"]
    assert [row["document"] for row in first["documents"]] == ["d1", "d2", "d3"]
    assert {"value", "observed", "expected", "n_units"} <= set(first["documents"][0])
    assert len(first["pairs"]) == 3
    assert len(first["without"]) == 3


def test_groups(annotations):
    done = run("measure", annotations, "-m", FAST, "--group", "old=anna,bert", "--group", "new=bert,chris", "--json")
    groups = json.loads(done.stdout)["results"][0]["groups"]
    assert [row["group"] for row in groups] == ["old", "new", "old + new"]


def test_same_seed_same_output_whatever_the_workers(annotations):
    one, two = (run("measure", annotations, "-m", FAST, "--json", "--workers", n).stdout for n in (1, 2))
    assert one == two


def test_a_single_annotator_is_an_error_and_json_still_tells_why(tmp_path):
    path = tmp_path / "one.csv"
    path.write_text("annotator,start,end\na,0,5\n")
    done = run("measure", path)
    assert done.returncode == 1
    assert done.stdout == ""
    assert "no document was worked on by two annotators" in done.stderr
    done = run("measure", path, "--json")
    assert done.returncode == 1
    result = json.loads(done.stdout)["results"][0]
    assert result["value"] is None
    assert "fewer than two" in result["undefined"]


def test_an_undefined_document_is_told_and_no_error(annotations):
    annotations.write_text(CSV + "d3,anna,0,5,A\n")
    done = run("measure", annotations, "-m", FAST)
    assert done.returncode == 0
    assert "1 of 3 documents has no value: fewer than two annotators" in " ".join(done.stdout.split())


def test_align_writes_the_worst_first(annotations, tmp_path):
    output = tmp_path / "alignment.csv"
    done = run("align", annotations, "-o", output)
    assert done.returncode == 0, done.stderr
    rows = list(csv.DictReader(output.read_text().splitlines()))
    disorder = [float(row["disorder"]) for row in rows]
    assert disorder == sorted(disorder, reverse=True)
    assert {row["document"] for row in rows} == {"d1", "d2"}
    lone = next(row for row in rows if row["anna.start"] == "40")
    assert lone["differs"] == "missing"
    assert lone["bert.start"] == ""
    marked = sum(bool(row[f"{who}.start"]) for row in rows for who in ("anna", "bert", "chris"))
    assert marked == 11
    for row in rows:
        parts = sum(float(row[kind]) for kind in ("position", "category", "missing"))
        assert parts == pytest.approx(float(row["disorder"]), abs=1e-9)


@pytest.mark.parametrize("options", [(), ("--positions", "tokens")])
def test_texts_are_shown_whatever_positions_count(options, tmp_path):
    """The alignment, the queue of decisions and the report all quote what annotators marked."""
    text = "one two three four five"
    path = tmp_path / "spans.jsonl"
    lines = [
        {"document": "d", "annotator": who, "text": text, "units": [{"start": 4, "end": end, "category": "X"}]}
        for who, end in (("anna", 13), ("bert", 18))
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    (row,) = csv.DictReader(run("align", path, *options).stdout.splitlines())
    assert (row["anna.text"], row["bert.text"]) == ("two three", "two three four")
    assert run("gold", path, *options, "-o", tmp_path / "gold.csv", "--queue", tmp_path / "queue.csv").returncode == 0
    (decision,) = csv.DictReader((tmp_path / "queue.csv").read_text(encoding="utf-8").splitlines())
    assert decision["text"] == "two three four"
    assert run("report", path, *options, "-o", tmp_path / "page.html").returncode == 0
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    (scene,) = json.loads(re.search(r'id="places-data">(.*?)</script>', page)[1])["documents"]
    assert scene["texts"] == [[[0, text]]]
    assert scene["bounds"] == [0, len(text)]
    assert [cell[:2] for cell in scene["rows"][0][3]] == [[4, 13], [4, 18]]
    assert run("report", path, *options, "--hide-text", "-o", tmp_path / "hidden.html").returncode == 0
    assert "three" not in (tmp_path / "hidden.html").read_text(encoding="utf-8")


def test_align_does_not_overwrite(annotations, tmp_path):
    output = tmp_path / "out.csv"
    output.write_text("mine")
    done = run("align", annotations, "-o", output)
    assert done.returncode == 1
    assert "exists already" in done.stderr
    assert output.read_text() == "mine"
    assert run("align", annotations, "-o", output, "--force").returncode == 0
    assert output.read_text() != "mine"


def test_align_other_forms(annotations, tmp_path):
    output = tmp_path / "out.jsonl"
    assert run("align", annotations, "-o", output).returncode == 0
    assert json.loads(output.read_text().splitlines()[0])["disorder"] > 0
    assert run("align", annotations).stdout.startswith("document,unitary_alignment,disorder,differs")
    wrong = run("align", annotations, "-o", tmp_path / "out.docx")
    assert wrong.returncode == 1
    assert not (tmp_path / "out.docx").exists()


def test_lists():
    assert "gamma" in run("measures").stdout
    assert "jsonl" in run("formats").stdout
    assert json.loads(run("measures", "--json").stdout)[0]["name"] == "gamma"
    assert {row["name"] for row in json.loads(run("formats", "--json").stdout)} >= {"csv", "tsv", "jsonl", "parquet"}


def test_demo(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = run("demo")
    assert done.returncode == 0, done.stderr
    assert "γ" in done.stdout
    page = (tmp_path / "unisono-demo.html").read_text(encoding="utf-8")
    assert "<svg" in page
    again = run("demo")
    assert again.returncode == 0
    assert "unisono-demo.html: the page of an earlier demo was replaced" in again.stderr
    (tmp_path / "mine.html").write_text("mine")
    foreign = run("demo", "-o", tmp_path / "mine.html")
    assert foreign.returncode == 1
    assert "--force" in foreign.stderr
    assert (tmp_path / "mine.html").read_text() == "mine"
    assert "ends in .html" in run("demo", "-o", tmp_path / "page.txt").stderr


def test_demo_writes_its_data_and_leaves_yours_alone(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert "The data: annotations.jsonl," in run("demo").stdout
    assert Path("annotations.jsonl").read_bytes() == demo_path().read_bytes()
    Path("annotations.jsonl").write_text("yours")
    assert f"The data: {demo_path()}" in " ".join(run("demo").stdout.split())
    assert Path("annotations.jsonl").read_text() == "yours"


def test_version_and_help():
    assert run("--version").stdout.startswith("unisono ")
    assert "measure" in run("--help").stdout


@pytest.mark.parametrize(
    "arguments", [["measure"], ["measure", "x.csv", "--wat"], ["fly"], ["measure", "x", "--seed", "no"]]
)
def test_wrong_usage_is_2(arguments):
    assert run(*arguments).returncode == 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("measure", "x.csv", "--seed", "no"), "--seed: expected a whole number, not 'no'"),
        (("measure", "x.csv", "--seed=-3"), "--seed: expected a whole number from 0 up, not '-3'"),
        (("plan", "x.csv", "--width", "wide"), "--width: expected a number, not 'wide'"),
    ],
)
def test_numbers_that_are_none(arguments, said):
    done = run(*arguments)
    assert done.returncode == 2
    assert done.stderr == f"unisono: {said}\n"


def test_a_measure_that_does_not_fit_is_named_once(tmp_path):
    path = tmp_path / "ratings.csv"
    path.write_text("item,a,b,c\n1,x,x,y\n2,x,y,y\n3,y,y,y\n")
    done = run("measure", path, "-m", "cohen-kappa")
    assert done.returncode == 1
    assert done.stderr.startswith("unisono: cohen-kappa is for two annotators")


def test_the_hint_leaves_out_a_ladder_that_there_is_not(tmp_path):
    path = tmp_path / "ratings.csv"
    path.write_text("item,a,b\n1,x,x\n2,x,x\n3,x,x\n")
    done = run("measure", path, "-m", "krippendorff-alpha", "--ladder")
    assert done.returncode == 0, done.stderr
    assert "No ladder: " in done.stdout
    assert "--ladder" not in done.stdout


@pytest.mark.parametrize(("columns", "widest"), [("60", 60), ("", 100), ("wide", 100)])
def test_what_is_not_a_terminal_is_as_wide_as_columns_says(monkeypatch, columns, widest):
    monkeypatch.setenv("COLUMNS", columns)
    lines = run("measures").stdout.splitlines()
    assert widest - 20 < max(map(len, lines)) <= widest


MATRIX = ",A,B,C\nA,0,0.5,1\nB,0.5,0,1\nC,1,1,0\n"


@pytest.mark.parametrize(
    ("name", "content", "options", "words"),
    [
        ("missing column", "annotator,start,category\na,0,X\n", [], ["line 1", "'end'"]),
        ("end before start", "annotator,start,end\na,0,3\na,9,4\n", [], ["line 3", "before start"]),
        ("text for a number", "annotator,start,end\na,0,three\n", [], ["line 2", "three"]),
        ("nan", "annotator,start,end\na,0,nan\n", [], ["line 2"]),
        ("empty", "", [], ["empty"]),
        ("binary", bytes(range(256)), [], ["binary"]),
        ("unknown category", CSV.replace("C", "Q"), ["-m", "gamma(distance=matrix({matrix}))"], ["'Q'", "matrix"]),
        ("asymmetric", CSV, ["-m", "gamma(distance=matrix({asymmetric}))"], ["asymmetric.csv", "line 3"]),
        ("no order", CSV, ["-m", "gamma(distance=ordinal)"], ["ordinal(low,mid,high)"]),
        ("bad measure", CSV, ["-m", "gamma(alpha=x)"], ["alpha=x"]),
        ("bad feature", CSV, ["-m", "gamma(features=pos)"], ["'pos'", "category"]),
        ("bad columns", CSV, ["--columns", "document"], ["document=doc"]),
        ("bad continuum", CSV, ["--continuum", "7"], ["0:5000"]),
        ("narrow continuum", CSV, ["--continuum", "0:7"], ["outside"]),
        ("bad group", CSV, ["--group", "x"], ["experts=anna,bert"]),
        ("stranger in a group", CSV, ["--group", "x=anna,zoe"], ["zoe"]),
        ("bad format", CSV, ["--format", "xlsx"], ["xlsx"]),
    ],
)
def test_bad_input_is_one_sentence_and_1(tmp_path, name, content, options, words):
    path = tmp_path / "data.csv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    (tmp_path / "matrix.csv").write_text(MATRIX)
    (tmp_path / "asymmetric.csv").write_text(MATRIX.replace("A,0,0.5", "A,0,0.4"))
    places = {"matrix": tmp_path / "matrix.csv", "asymmetric": tmp_path / "asymmetric.csv"}
    done = run("measure", path, *(option.format(**places) for option in options))
    assert done.returncode == 1, done.stderr
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    for word in words:
        assert word in done.stderr


def test_missing_file_and_folder(tmp_path):
    for path, word in ((tmp_path / "nowhere.csv", "no such file"), (tmp_path, "folder")):
        done = run("measure", path)
        assert done.returncode == 1
        assert word in done.stderr
        assert str(path) in done.stderr


def test_matrix_reaches_the_measure(tmp_path, annotations):
    (tmp_path / "m.csv").write_text(MATRIX)
    plain, weighted = (
        json.loads(run("measure", annotations, "-m", m, "--json").stdout)["results"][0]["observed"]
        for m in (FAST, f"gamma(precision=0.2,distance=matrix({tmp_path / 'm.csv'}))")
    )
    assert weighted == plain
    (tmp_path / "m.csv").write_text(MATRIX.replace(",1", ",0.1"))
    spec = f"gamma(precision=0.2,distance=matrix({tmp_path / 'm.csv'}))"
    milder = json.loads(run("measure", annotations, "-m", spec, "--json").stdout)["results"][0]["observed"]
    assert milder < plain


def test_the_same_file_twice_is_refused(annotations):
    done = run("measure", annotations, annotations)
    assert done.returncode == 1
    assert "named twice" in done.stderr


def test_namesakes_in_two_folders_are_refused(tmp_path):
    paths = []
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        paths.append(tmp_path / folder / "text.csv")
        paths[-1].write_text("annotator,start,end\na,0,5\nb,0,4\n")
    done = run("measure", *paths)
    assert done.returncode == 1
    assert "same name" in done.stderr
    paths[1].write_text("annotator,start,end\nc,0,5\nd,0,4\n")  # other annotators of the same document
    assert run("measure", *paths, "-m", FAST).returncode == 0


def test_units_beyond_the_text_are_refused(tmp_path):
    path = tmp_path / "data.jsonl"
    path.write_text('{"document": "d", "annotator": "a", "text": "short", "units": [{"start": 0, "end": 9}]}\n')
    done = run("measure", path)
    assert done.returncode == 1
    assert "line 1" in done.stderr
    assert "outside the text" in done.stderr


def test_nothing_to_align(tmp_path):
    path = tmp_path / "one.csv"
    path.write_text("annotator,start,end\na,0,5\n")
    done = run("align", path)
    assert done.returncode == 1
    assert "nothing to align" in done.stderr


def test_the_signature_is_one_line_and_nothing_ends_in_spaces(annotations):
    done = run("measure", annotations, "-m", "gamma(precision=0.2,distance=ordinal(A,B,C),confidence=0.9,alpha=1.25)")
    assert any(
        line.strip().startswith("gamma|") and line.endswith(f"|unisono:{unisono.__version__}")
        for line in done.stdout.splitlines()
    )
    assert not any(line.endswith(" ") for line in done.stdout.splitlines())


def test_demo_does_not_overwrite_a_file_of_yours(annotations):
    done = run("demo", "-o", annotations)
    assert done.returncode == 1
    assert annotations.read_text() == CSV


def test_documents_are_chosen(annotations):
    whole, chosen = (
        json.loads(run("measure", annotations, "-m", "span-f1", "--json", *options).stdout)
        for options in ([], ["--documents", "d1", "--annotators", "anna,bert"])
    )
    assert (whole["results"][0]["n_documents"], chosen["results"][0]["n_documents"]) == (2, 1)
    assert chosen["results"][0]["n_annotators"] == 2
    assert chosen["options"] == ["--annotators", "anna,bert", "--documents", "d1"]
    done = run("measure", annotations, "--documents", "d7")
    assert done.returncode == 1
    assert "d7" in done.stderr
    assert "d1, d2" in done.stderr


def test_documents_of_ratings_are_chosen(tmp_path):
    path = tmp_path / "ratings.csv"
    path.write_text("document,item,annotator,label\nd1,1,a,x\nd1,1,b,x\nd2,2,a,x\nd2,2,b,y\nd2,3,a,y\nd2,3,b,y\n")
    done = run("measure", path, "--documents", "d2", "-m", "percent-agreement", "--json")
    assert json.loads(done.stdout)["results"][0]["value"] == 0.5


def test_hints_repeat_the_documents(annotations):
    done = run("measure", annotations, "-m", FAST, "--documents", "d1")
    assert f'unisono report {annotations} -m "gamma(precision=0.2)" --documents d1 -o report.html' in done.stdout


def test_options_for_units_are_refused_for_ratings(tmp_path):
    path = tmp_path / "ratings.csv"
    path.write_text("item,anna,bert\n1,x,x\n2,y,x\n")
    done = run("measure", path, "--layer", "NE")
    assert done.returncode == 1
    assert done.stderr.startswith("unisono: --layer: only for units")
