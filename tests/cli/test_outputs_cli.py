"""What commands write: never over what is read, never half, and refused before the work."""

from __future__ import annotations

import builtins
import os
import signal
from dataclasses import replace
from importlib import import_module

import pytest
from commands import run

import unisono
from unisono.demo import demo_path
from unisono.formats import writing
from unisono.reporting import alignment_table

SPANS = "document,annotator,start,end,category\nd,anna,0,5,A\nd,bert,0,6,A\nd,chris,1,5,B\n"
WRITERS = {
    "align": [],
    "convert": [],
    "gold": [],
    "shuffle": ["--annotator", "anna", "--error", "position", "--magnitude", "0.5"],
    "benchmark": ["--annotator", "anna", "-m", "u-alpha", "--error", "position"],
}


@pytest.fixture
def spans(tmp_path):
    path = tmp_path / "spans.csv"
    path.write_text(SPANS)
    return path


def refused(done, said):
    assert done.returncode == 1, done.stderr
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""


@pytest.mark.parametrize("command", WRITERS)
def test_what_is_read_is_never_written_over(spans, command):
    refused(run(command, spans, "-o", spans, "--force", *WRITERS[command]), "spans.csv: this is what is read")
    assert spans.read_text() == SPANS
    assert os.listdir(spans.parent) == ["spans.csv"]


def test_a_table_of_who_worked_is_read_too(spans, tmp_path):
    worked = tmp_path / "worked.csv"
    worked.write_text("document,annotator\nd,anna\n")
    refused(run("convert", spans, "--worked", worked, "-o", worked, "--force"), "this is what is read")


def test_the_draft_does_not_replace_the_annotators(tmp_path):
    project = tmp_path / "round1"
    assert run("convert", demo_path(), "--to", "brat", "-o", project).returncode == 0
    before = sorted(tmp_path.rglob("*"))
    for output, said in (
        (project, "this is what is read"),
        (project / "gold", "would be read with it"),
        (tmp_path, "lies in this folder"),
    ):
        refused(run("gold", project, "--to", "brat", "-o", output, "--force"), said)
    assert sorted(tmp_path.rglob("*")) == before
    done = run("gold", demo_path(), "--to", "brat", "-o", project, "--plain", "--force")
    assert done.returncode == 0, done.stderr
    assert "stays as it is: anna, bert, chris" in done.stderr
    assert unisono.read(project).annotators == ("anna", "bert", "chris", "gold")


@pytest.mark.parametrize(
    ("command", "arguments", "said"),
    [
        ("align", ["-o", "no/x.csv"], "there is no folder"),
        ("align", ["-o", "x.docx"], "a table is written as"),
        ("convert", ["-o", "no/x.csv"], "there is no folder"),
        ("convert", ["-o", "x.docx"], "does not show which format"),
        ("gold", ["-o", "no/x.csv"], "there is no folder"),
        ("gold", ["-o", "x.docx"], "does not show which format"),
        ("gold", ["-o", "x.csv", "--queue", "no/queue.csv"], "there is no folder"),
        ("gold", ["-o", "full", "--to", "brat"], "not empty"),
        ("gold", ["-o", "full", "--to", "brat", "--force"], "holds other things"),
        ("gold", ["-o", "new", "--to", "brat", "--hide-text"], "brat needs the text"),
        ("gold", ["-o", "full", "--to", "brat", "--queue", "full/queue.csv"], "not empty"),
        ("report", ["-o", "no/x.html"], "there is no folder"),
        ("report", ["-o", "there.html"], "exists already"),
        ("study", ["-o", "no/x.html"], "there is no folder"),
        ("study", ["-o", "there.html"], "exists already"),
        ("shuffle", ["-o", "no/x.csv", *WRITERS["shuffle"]], "there is no folder"),
        ("benchmark", ["-o", "no/x.csv", *WRITERS["benchmark"]], "there is no folder"),
    ],
)
def test_refused_before_anything_is_read(tmp_path, monkeypatch, command, arguments, said):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "notes.md").write_text("mine")
    (tmp_path / "there.html").write_text("mine")
    refused(run(command, "not-there.csv", *arguments), said)


def test_the_demo_is_refused_before_the_work(tmp_path):
    refused(run("demo", "-o", tmp_path / "no" / "x.html"), "there is no folder")


def test_brat_without_text_is_refused_before_the_alignment(spans, tmp_path, monkeypatch):
    monkeypatch.setattr(import_module("unisono.adjudication"), "gold", lambda *_, **__: pytest.fail("it was drafted"))
    refused(run("gold", spans, "--to", "brat", "-o", tmp_path / "gold"), "there are no texts, and brat needs one")


def test_without_the_queue_there_is_no_draft(spans, tmp_path, monkeypatch):
    def failing(*_, **__):
        raise unisono.DataError("the disk is full")

    monkeypatch.setattr(alignment_table, "write_table", failing)
    for target in (["-o", tmp_path / "gold.csv"], ["-o", tmp_path / "gold", "--to", "brat"]):
        refused(run("gold", demo_path(), *target, "--queue", tmp_path / "queue.csv"), "the disk is full")
    assert os.listdir(tmp_path) == ["spans.csv"]


def test_without_the_table_there_is_no_figure(tmp_path, monkeypatch):
    def failing(*_, **__):
        raise unisono.DataError("the disk is full")

    monkeypatch.setattr(alignment_table, "write_table", failing)
    quick = ["-m", "u-alpha", "--error", "position", "--magnitudes", "0,1", "--repetitions", "1", "--workers", "1"]
    refused(run("benchmark", "generate(n_units=9)", *quick, "-o", tmp_path / "x.csv"), "the disk is full")
    assert os.listdir(tmp_path) == ["x.csv.runs.jsonl"]  # what was done is kept


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupted_run_says_so_and_leaves_nothing(spans, monkeypatch, number, status):
    def interrupted(_, stream):
        stream.write(b"half")
        signal.raise_signal(number)
        return []

    whole = writing.by_suffix
    monkeypatch.setattr(writing, "by_suffix", lambda path: replace(whole(path), write=interrupted))
    before = signal.getsignal(number)
    done = run("convert", spans, "-o", spans.parent / "out.csv")
    assert done == (status, "", "unisono: interrupted\n")
    assert os.listdir(spans.parent) == ["spans.csv"]
    assert signal.getsignal(number) is before


def test_an_interruption_while_commands_are_loaded(monkeypatch):
    load = builtins.__import__

    def interrupted(name, *rest, **more):
        if name == "unisono.cli.app":
            signal.raise_signal(signal.SIGINT)
        return load(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", interrupted)
    assert run("formats") == (130, "", "unisono: interrupted\n")


def test_signals_that_we_were_started_to_ignore_stay_ignored(spans):
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        assert run("convert", spans, "-o", spans.parent / "out.csv").returncode == 0
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


def test_the_report_says_which_measure_does_not_fit(spans, tmp_path):
    page = tmp_path / "report.html"
    done = run("report", spans, "-o", page, "-m", "span-f1", "-m", "cohen-kappa", "--no-subsets")
    assert done.returncode == 0, done.stderr
    assert "not measured: cohen-kappa" in done.stderr
    assert page.exists()


def test_a_page_may_lie_in_the_folder_that_is_read(spans):
    done = run("report", spans.parent, "-o", spans.parent / "report.html", "-m", "span-f1", "--no-subsets")
    assert done.returncode == 0, done.stderr


def test_a_plan_as_tables(tmp_path):
    lines = [f"s{item},{'xy'[item % 2]},{'xy'[item % 3 == 0]}" for item in range(40)]
    data = tmp_path / "ratings.csv"
    data.write_text("\n".join(["item,anna,bert", *lines]) + "\n")
    assert run("plan", data, "--width", "0.5", "--csv").stdout.count(",") > 2
    assert r"\toprule" in run("plan", data, "--width", "0.5", "--latex").stdout
    refused(run("plan", data, "--width", "0.5", "--csv", "--json"), "exclude each other")


def test_help_speaks_of_the_value_whatever_the_measure():
    told = " ".join(run("measure", "--help").stdout.split())
    assert "Also compute the value without each annotator; by default up to 6 annotators and 2,000 units." in told
    assert "Also compute the value of every pair of annotators." in told


def test_a_study_says_where_its_page_is(tmp_path):
    for annotator in ("anna", "bert"):
        folder = tmp_path / "first" / "all" / annotator
        folder.mkdir(parents=True)
        (folder / "text.ann").write_text("T1\tX 0 3\tone\n")
        (folder / "text.txt").write_text("one two three")
    page = tmp_path / "study.html"
    done = run("study", tmp_path, "-m", "span-f1", "-o", page)
    assert done.returncode == 0, done.stderr
    assert f"{page}: open it in a browser" in done.stderr


@pytest.mark.parametrize("command", ["convert", "gold"])
def test_texts_are_added_as_the_message_says(spans, tmp_path, command):
    given = ("--to", "brat", "-o", tmp_path / "out")
    said = run(command, spans, *given).stderr
    line = '{"document": "d", "annotator": "anna", "text": "…"}'
    assert line in said
    texts = tmp_path / "texts.jsonl"
    texts.write_text(line.replace("…", "one two three") + "\n", encoding="utf-8")
    done = run(command, spans, texts, *given)
    assert done.returncode == 0, done.stderr
