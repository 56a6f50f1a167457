"""Closed and full streams: one sentence, the right exit status, no traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.resources import files

import commands
import pytest

DATA = str(files("unisono") / "demo" / "annotations.jsonl")
pytestmark = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no /dev/full")


def run(*words, shell=""):
    command = f'"{sys.executable}" -m unisono "$@" {shell}'
    return subprocess.run(["sh", "-c", command, "sh", *words], capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("words", "shell"),
    [
        (("measures",), ">&-"),
        (("--version",), ">&-"),
        (("--version",), ">/dev/full"),
        (("advise", DATA), ">/dev/full"),
    ],
)
def test_results_that_cannot_be_printed(words, shell):
    reason = "the standard output is closed" if shell == ">&-" else "No space left on device"
    done = run(*words, shell=shell)
    assert done.returncode == 1
    assert done.stderr == f"unisono: cannot print the result: {reason}; write it to another file or folder\n"


@pytest.mark.parametrize("shell", ["2>&-", "2>/dev/full"])
def test_notes_that_cannot_be_printed(shell):
    done = run("advise", DATA, shell=shell)
    assert (done.returncode, done.stdout) == (0, commands.run("advise", DATA).stdout)
    assert done.stdout
    assert run("measure", "nothing.csv", shell=shell).returncode == 1


def test_nothing_is_printed_where_everything_goes_into_a_file(tmp_path):
    file = tmp_path / "made.csv"
    assert run("convert", DATA, "-o", str(file), shell=">&-").returncode == 0
    assert file.exists()


def test_names_do_not_control_the_terminal(tmp_path):
    name = "an\x1b[31mna\u202e\x07"
    (tmp_path / "units.csv").write_text(
        f"annotator,start,end,category\n{name},0,4,X\nbert,0,5,X\ncarl,0,5,X\n", encoding="utf-8"
    )
    done = run("measure", str(tmp_path / "units.csv"), "-m", "span-f1")
    assert "an\\x1b[31mna\\u202e" in done.stdout
    wrong = run("measure", str(tmp_path / "units.csv"), "--annotators", "x\x1b[2Jy")
    for text in (done.stdout, done.stderr, wrong.stderr):
        assert not {"\x1b", "\u202e", "\x07"} & set(text)
    assert wrong.returncode == 1
