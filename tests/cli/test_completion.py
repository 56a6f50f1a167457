"""Shell completion, asked as shells ask: through environment variables."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from unittest.mock import patch

import commands
import pytest
from commands import run
from typer.main import get_command

import unisono
from unisono.formats.registry import FORMATS
from unisono.measurement.registry import measures
from unisono.shuffling.errors import ERROR_KINDS, TEXT_ERROR_KINDS
from unisono.shuffling.relations import RELATION_ERROR_KINDS

PROGRAM = "import sys; sys.argv[0] = 'unisono'; from unisono.cli import main; main()"


def ask(shell, line):
    """Return what a shell would offer at the end of a line."""
    words = line.split(" ")
    given = {
        "bash": {"COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1)},
        "zsh": {"_TYPER_COMPLETE_ARGS": line},
    }
    with patch.dict(os.environ, {**given[shell], "_UNISONO_COMPLETE": f"complete_{shell}"}):
        done = run()
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout


def offered(line):
    return ask("bash", line).split()


def test_commands():
    assert offered("unisono me") == ["measure", "measures"]
    assert '"measure":"Measure how well annotators agree."' in ask("zsh", "unisono me")


def test_measures():
    assert set(offered("unisono measure x.csv -m ")) == set(measures())
    assert offered("unisono measure x.csv -m gwet") == ["gwet-ac1", "gwet-ac2"]
    assert offered("unisono gold x.csv --measure text") == ["text-gamma"]
    assert offered("unisono measures text") == ["text-gamma"]
    assert '"gwet-ac1":' in ask("zsh", "unisono measure x.csv -m gwet")


def test_formats():
    assert set(offered("unisono measure x --format ")) == {one.name for one in FORMATS}
    assert offered("unisono convert x --to br") == ["brat"]
    assert "webanno" in offered("unisono convert x --format we")
    assert offered("unisono convert x --to eaf") == []
    assert '"brat":' in ask("zsh", "unisono convert x --to br")


def test_errors_and_what_can_be_combined_with_them():
    assert set(offered("unisono shuffle generate --error ")) == {
        *ERROR_KINDS,
        *TEXT_ERROR_KINDS,
        *RELATION_ERROR_KINDS,
    }
    assert offered("unisono benchmark generate --error position+cat") == ["position+category"]
    assert '"splits":' in ask("zsh", "unisono shuffle generate --error spl")


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("unisono measure x --annotator-from t", ["tier"]),
        ("unisono measure x --discontinuous p", ["pieces"]),
        ("unisono measure x --clean case,sp", ["case,spaces"]),
        ("unisono measure x --positions tokens(u", ["tokens(unicode)"]),
        ("unisono gold x --competence ma", ["mace"]),
        ("unisono benchmark x --by m", ["measure"]),
        ("unisono measure x --merge", ["--merge-adjacent"]),
    ],
)
def test_values_and_options(line, found):
    assert offered(line) == found


def test_values_that_are_offered_are_accepted(tmp_path):
    data = tmp_path / "spans.jsonl"
    data.write_text('{"document": "d", "annotator": "a", "text": "one", "units": [{"start": 0, "end": 3}]}\n')
    for value in offered("unisono measure x --discontinuous "):
        assert unisono.read(data, discontinuous=value).n_units == 1
    for value in offered("unisono measure x --annotator-from "):
        with pytest.raises(unisono.OptionError, match="JSON lines"):  # the place is known, but not in this format
            unisono.read(data, annotator_from=value)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_can_be_shown_and_installed(tmp_path, monkeypatch, shell):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION", "1")
    monkeypatch.setattr(commands, "_made", get_command)  # these options depend on the environment
    shown = run("--show-completion", shell)
    assert shown.returncode == 0, shown.stderr
    assert f"_UNISONO_COMPLETE=complete_{shell}" in shown.stdout
    installed = run("--install-completion", shell)
    assert installed.returncode == 0, installed.stderr
    scripts = [path for path in tmp_path.rglob("*") if path.is_file() and "_UNISONO_COMPLETE" in path.read_text()]
    assert len(scripts) == 1


def test_bash_completes_with_the_script(tmp_path):
    """The script that is installed works in a real bash, which falls back to files where nothing is offered."""
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("there is no bash")
    environment = {**os.environ, "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}
    shown = subprocess.run(
        [sys.executable, "-c", PROGRAM, "--show-completion", "bash"], capture_output=True, text=True, env=environment
    )
    program = tmp_path / "unisono"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -c "{PROGRAM}" "$@"\n')
    program.chmod(0o755)
    script = f"""{shown.stdout}
COMP_WORDS=(unisono measure x.csv -m gwet)
COMP_CWORD=4
_unisono_completion {program}
echo "${{COMPREPLY[@]}}"
"""
    done = subprocess.run([bash, "--norc", "-c", script], capture_output=True, text=True)
    assert done.stdout.split() == ["gwet-ac1", "gwet-ac2"], done.stderr
