"""Help pages: what a command is for and examples that run come first, options stand under headings."""

from __future__ import annotations

import json
import re
import shlex

import pytest
from commands import run
from typer.main import get_command

import unisono
from unisono.cli.app import app
from unisono.measurement.completing import FEW_ANNOTATORS, FEW_UNITS
from unisono.shuffling.errors import ERROR_KINDS, TEXT_ERROR_KINDS

COMMANDS = get_command(app).commands
QUICK = {"benchmark": ("--repetitions", "1", "--workers", "1")}
"""Options that make examples short."""


def examples(page):
    """Return the commands under Examples."""
    block = re.search(r"^Examples:\n((?:  .+\n)+)", page, re.MULTILINE)
    return [line.strip() for line in block[1].splitlines()]


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Make the files that the examples name, and let servers end at once."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("UNISONO_HOME", str(tmp_path / "home"))
    monkeypatch.setattr("uvicorn.Server.run", lambda self, sockets: None)
    monkeypatch.setattr("webbrowser.open", lambda address: True)
    reference = unisono.shuffling.generate(n_units=12, n_documents=5, rng=1)
    unisono.write(unisono.shuffling.reference_of(reference), "reference.csv")
    for name, magnitude in (("annotations", 0.2), ("round1", 0.4), ("round2", 0.1)):
        made = unisono.shuffling.shuffle(reference, ["category", "false-negatives"], magnitude, n_annotators=4, rng=1)
        unisono.write(made, f"{name}.csv")
    named = (tmp_path / "annotations.csv").read_text(encoding="utf-8").replace(made.annotators[-1], "gpt")
    (tmp_path / "annotations.csv").write_text(named, encoding="utf-8")
    rows = [f"s{item},{'xy'[item % 2]},{'xy'[item % 3 == 0]}" for item in range(40)]
    (tmp_path / "ratings.csv").write_text("\n".join(["item,anna,bert", *rows]) + "\n", encoding="utf-8")
    rows = [f"s{item},{'xy'[item % 2] if item < 40 else ''},{'xy'[item % 3 == 0]}" for item in range(200)]
    judged = [
        f"q{n},gpt,llama,{who},{'abt'[n % 3].replace('t', 'tie')}" for n in range(40) for who in ("anna", "gpt-4")
    ]
    header = "item,system_a,system_b,judge,winner"
    (tmp_path / "verdicts.csv").write_text("\n".join([header, *judged]) + "\n", encoding="utf-8")
    scored = [
        {"item": n, "system": system, "judge": who, "coherence": n % 5, "fluency": 1}
        for n in range(40)
        for system in ("gpt", "llama")
        for who in ("anna", "gpt-4")
    ]
    (tmp_path / "scores.jsonl").write_text("\n".join(map(json.dumps, scored)) + "\n", encoding="utf-8")
    (tmp_path / "labels.csv").write_text("\n".join(["item,anna,gpt", *rows]) + "\n", encoding="utf-8")
    for place in ("corpus", "project/first/all", "project/second/all"):
        for annotator in ("anna", "bert"):
            folder = tmp_path / place / annotator
            folder.mkdir(parents=True)
            (folder / "text.txt").write_text("one two three", encoding="utf-8")
            (folder / "text.ann").write_text("T1\tX 0 3\tone\nT2\tY 4 7\ttwo\n", encoding="utf-8")
    checks = 'path = "annotations.csv"\n[[check]]\nmeasure = "span-f1"\nunder = 0.1\n'
    (tmp_path / "unisono.toml").write_text(checks, encoding="utf-8")
    (tmp_path / "study.toml").write_text('measure = "u-alpha"\npath = "project"\n', encoding="utf-8")


@pytest.mark.parametrize("name", COMMANDS)
def test_examples_run(files, name):
    given = examples(run(name, "--help").stdout)
    assert len(given) == 2
    for example in given:
        program, *arguments = shlex.split(example)
        assert (program, arguments[0]) == ("unisono", name)
        done = run(*arguments, *QUICK.get(name, ()))
        assert done.returncode == 0, f"{example}: {done.stderr}"


def test_examples_of_the_first_page_run(files):
    for example in examples(run("--help").stdout):
        assert run(*shlex.split(example)[1:]).returncode == 0


@pytest.mark.parametrize("name", COMMANDS)
def test_a_page_begins_with_what_the_command_is_for(name):
    page = run(name, "--help").stdout
    command = COMMANDS[name]
    assert page.startswith(command.short_help)
    assert page.index("Examples:") < page.index("Usage:") < page.index("Other:")
    assert page == run(name, "-h").stdout


@pytest.mark.parametrize("name", ["", *COMMANDS])
def test_pages_fit_80_columns_and_nothing_is_cut_off(name, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    page = run(*filter(None, [name]), "--help").stdout
    assert max(map(len, page.splitlines())) <= 80
    assert "..." not in page.replace("[ARGS]...", "")
    for parameter in COMMANDS[name].params if name else ():
        assert parameter.help.split()[-1] in page
        for option in (*parameter.opts, *parameter.secondary_opts):
            assert option.strip("-") in page or parameter.param_type_name == "argument"


def test_every_summary_is_one_whole_sentence_on_one_line():
    page = run("--help").stdout
    for name, command in COMMANDS.items():
        assert re.search(rf"^  {name} +{re.escape(command.short_help)}$", page, re.MULTILINE)
        assert command.short_help.endswith(".")


def test_options_stand_under_headings():
    page = run("measure", "--help").stdout
    headings = re.findall(r"^(\w+):$", page, re.MULTILINE)
    assert headings == ["Examples", "Arguments", "Measuring", "Output", "Reading", "Preparing", "Work", "Other"]
    for option, heading in (("--pairwise", "Measuring"), ("--json", "Output"), ("--pattern", "Reading")):
        before = page[: page.index(f"  {option}")]
        assert re.findall(r"^(\w+):$", before, re.MULTILINE)[-1] == heading
    for command in COMMANDS.values():
        for parameter in command.params:
            assert parameter.param_type_name == "argument" or parameter.rich_help_panel
            assert parameter.help.endswith(".")
            assert parameter.metavar or parameter.is_flag


def test_the_numbers_in_the_help_are_those_that_are_used():
    for command in ("measure", "report"):
        page = " ".join(run(command, "--help").stdout.split())
        assert f"by default up to {FEW_ANNOTATORS} annotators and {FEW_UNITS:,} units" in page


def test_errors_that_shuffling_knows_are_listed():
    page = " ".join(run("shuffle", "--help").stdout.split())
    for kind in (*ERROR_KINDS, *TEXT_ERROR_KINDS):
        assert kind in page
