"""A user's own script under ``mypy --strict``: what is right passes, what is wrong is found."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent / "typing"
ERROR = re.compile(r":(\d+): error: .*\[([a-z-]+)\]$")


def mypy(file: str) -> list[tuple[int, str]]:
    """Check a file as a user would; give lines and kinds of errors."""
    command = [sys.executable, "-m", "mypy", "--strict", "--hide-error-context", "--no-pretty", str(HERE / file)]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    assert found.returncode in (0, 1), found.stderr
    return [(int(line), kind) for line, kind in re.findall(ERROR.pattern, found.stdout, re.MULTILINE)]


def test_what_users_write_passes():
    assert mypy("passes.py") == []


def test_mistakes_are_found():
    lines = (HERE / "fails.py").read_text(encoding="utf-8").splitlines()
    expected = [(n, line.split("# error: ")[1]) for n, line in enumerate(lines, 1) if "# error: " in line]
    assert len(expected) > 10
    assert sorted(set(mypy("fails.py"))) == expected


@pytest.mark.parametrize(
    "name", ["Alignment", "Corpus", "Distance", "Interval", "Measure", "Ratings", "Result", "TextAlignment"]
)
def test_classes_are_exported(name):
    import unisono

    assert isinstance(getattr(unisono, name), type)
