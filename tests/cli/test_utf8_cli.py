"""Output is UTF-8 whatever the console's encoding, so that programs can rely on it and no name becomes "?????"."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

NAMES = ("Łukasz", "Ζωή", "李雷")
CONSOLES = [
    {"PYTHONIOENCODING": "cp1252"},
    {"PYTHONIOENCODING": "ascii:strict"},
    {"PYTHONLEGACYWINDOWSSTDIO": "1", "PYTHONIOENCODING": "cp1252"},
    {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
    {"LC_ALL": "C.UTF-8"},
]


@pytest.fixture
def spans(tmp_path):
    path = tmp_path / "naïve.csv"
    rows = [f"d,{name},{start},{start + 5},Größe" for name in NAMES for start in (0, 10, 20)]
    path.write_text("\n".join(["document,annotator,start,end,category", *rows]) + "\n", encoding="utf-8")
    return path


def run(console, *arguments, **streams):
    command = [sys.executable, "-m", "unisono", *map(str, arguments)]
    given = streams or {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    kept = {name: value for name, value in os.environ.items() if name not in ("LC_ALL", "LANG", "PYTHONIOENCODING")}
    return subprocess.run(command, env={**kept, **console}, timeout=120, **given)


@pytest.mark.parametrize("console", CONSOLES, ids=str)
def test_whatever_the_console(spans, console):
    done = run(console, "measure", spans, "-m", "gamma(precision=0.2)", "--json")
    assert done.returncode == 0, done.stderr
    plain = json.loads(done.stdout.decode("utf-8"))
    assert [row["annotator"] for row in plain["results"][0]["without"]] == list(NAMES)
    done = run(console, "measure", spans, "-m", "gamma(precision=0.2)")
    shown = done.stdout.decode("utf-8")
    assert "γ of 3 annotators" in shown
    assert all(name in shown for name in NAMES)
    done = run(console, "measure", spans, "--annotators", "Ζωή,nobody")
    assert done.returncode == 1
    assert "Łukasz" in done.stderr.decode("utf-8")


def test_redirected_into_files(spans, tmp_path):
    with (tmp_path / "out").open("wb") as out, (tmp_path / "err").open("wb") as err:
        run(CONSOLES[0], "align", spans, stdout=out, stderr=err)
    assert "Größe" in (tmp_path / "out").read_text(encoding="utf-8")
    with (tmp_path / "out").open("wb") as out, (tmp_path / "err").open("wb") as err:
        run(CONSOLES[0], "measure", tmp_path / "李.csv", stdout=out, stderr=err)
    assert "李.csv" in (tmp_path / "err").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("command", "options", "output"),
    [
        ("convert", [], "out.csv"),
        ("convert", [], "out.jsonl"),
        ("align", [], "out.jsonl"),
        ("gold", [], "out.csv"),
        ("report", ["-m", "span-f1"], "out.html"),
    ],
)
def test_files_are_utf8(spans, command, options, output):
    path = spans.with_name(output)
    done = run(CONSOLES[3], command, spans, *options, "-o", path)
    assert done.returncode == 0, done.stderr
    assert "Größe" in path.read_bytes().decode("utf-8")


def test_what_utf8_cannot_write_is_not_lost(tmp_path):
    """A lone surrogate, as names of files can have, is written as an escape and not as "?"."""
    done = run(CONSOLES[0], "measure", os.fsdecode(bytes(tmp_path) + b"/\xff.csv"))
    assert done.returncode == 1
    assert b"\\udcff.csv" in done.stderr


def test_help_and_usage_errors(tmp_path):
    assert "PATH…" in run(CONSOLES[1], "measure", "--help").stdout.decode("utf-8")
    assert "PATH…" in run(CONSOLES[1], "measure").stderr.decode("utf-8")
