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
    {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
]
if sys.platform == "win32":
    CONSOLES.append({"PYTHONLEGACYWINDOWSSTDIO": "1", "PYTHONIOENCODING": "cp1252"})


@pytest.fixture
def spans(tmp_path):
    path = tmp_path / "naïve.csv"
    rows = [f"d,{name},{start},{start + 5},Größe" for name in NAMES for start in (0, 10, 20)]
    path.write_text("\n".join(["document,annotator,start,end,category", *rows]) + "\n", encoding="utf-8")
    return path


def run(console, *arguments, program=("-m", "unisono"), **streams):
    command = [sys.executable, *program, *map(str, arguments)]
    given = streams or {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    kept = {name: value for name, value in os.environ.items() if name not in ("LC_ALL", "LANG", "PYTHONIOENCODING")}
    return subprocess.run(command, env={**kept, **console}, timeout=120, **given)


SEVERAL = """
import sys
from unisono.cli import main

for command in sys.argv[1:]:
    sys.argv = ["unisono", *command.split("\\t")]
    code = 0
    try:
        main()
    except SystemExit as ended:
        code = ended.code or 0
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
        stream.buffer.write(b"\\0%d\\0" % code)
        stream.flush()
"""


def run_several(console, *commands):
    """Run commands in one process, which takes a fraction of the time: what each gave, as (code, stdout, stderr)."""
    done = run(console, *("\t".join(map(str, command)) for command in commands), program=("-c", SEVERAL))
    assert done.returncode == 0, done.stderr
    out, err = (stream.decode("utf-8").split("\0") for stream in (done.stdout, done.stderr))
    return [*zip(map(int, out[1::2]), out[:-1:2], err[:-1:2], strict=True)]


@pytest.mark.parametrize("console", CONSOLES, ids=str)
def test_whatever_the_console(spans, console):
    gamma = ("measure", spans, "-m", "gamma(precision=0.2)")
    found = run_several(console, (*gamma, "--json"), gamma, ("measure", spans, "--annotators", "Ζωή,nobody"))
    (code, written, err), (_, shown, _), (failed, _, message) = found
    assert code == 0, err
    plain = json.loads(written)
    assert [row["annotator"] for row in plain["results"][0]["without"]] == list(NAMES)
    assert "γ of 3 annotators" in shown
    assert all(name in shown for name in NAMES)
    assert failed == 1
    assert "Łukasz" in message


def test_redirected_into_files(spans, tmp_path):
    with (tmp_path / "out").open("wb") as out, (tmp_path / "err").open("wb") as err:
        run(CONSOLES[0], "align", spans, stdout=out, stderr=err)
    assert "Größe" in (tmp_path / "out").read_text(encoding="utf-8")
    with (tmp_path / "out").open("wb") as out, (tmp_path / "err").open("wb") as err:
        run(CONSOLES[0], "measure", tmp_path / "李.csv", stdout=out, stderr=err)
    assert "李.csv" in (tmp_path / "err").read_text(encoding="utf-8")


def test_files_are_utf8(spans):
    outputs = {
        "converted.csv": ["convert"],
        "converted.jsonl": ["convert"],
        "aligned.jsonl": ["align"],
        "gold.csv": ["gold"],
        "report.html": ["report", "-m", "span-f1"],
    }
    commands = [[*command, spans, "-o", spans.with_name(output)] for output, command in outputs.items()]
    for output, (code, _, err) in zip(outputs, run_several(CONSOLES[2], *commands), strict=True):
        assert code == 0, err
        assert "Größe" in spans.with_name(output).read_bytes().decode("utf-8"), output


def test_what_utf8_cannot_write_is_not_lost(tmp_path):
    """A lone surrogate, as names of files can have, is written as an escape and not as "?"."""
    done = run(CONSOLES[0], "measure", os.fsdecode(bytes(tmp_path) + b"/\xff.csv"))
    assert done.returncode == 1
    assert b"\\udcff.csv" in done.stderr


def test_help_and_usage_errors(tmp_path):
    assert "PATH…" in run(CONSOLES[1], "measure", "--help").stdout.decode("utf-8")
    assert "PATH…" in run(CONSOLES[1], "measure").stderr.decode("utf-8")
