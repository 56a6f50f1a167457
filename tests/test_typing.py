"""A user's own script under ``mypy --strict``: what is right passes, what is wrong is found."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent / "typing"
NAMES = ("passes.py", "fails.py")
ERROR = re.compile(r"([^/\\]+):(\d+): error: .*\[([a-z-]+)\]$")


@pytest.fixture(scope="module")
def errors() -> dict[str, list[tuple[int, str]]]:
    """Check both files as a user would; give lines and kinds of errors."""
    files = [str(HERE / name) for name in NAMES]
    command = [sys.executable, "-m", "mypy", "--strict", "--hide-error-context", "--no-pretty", *files]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    assert found.returncode in (0, 1), found.stderr
    errors = re.findall(ERROR.pattern, found.stdout, re.MULTILINE)
    assert {name for name, _, _ in errors} <= set(NAMES), found.stdout
    return {name: [(int(line), kind) for file, line, kind in errors if file == name] for name in NAMES}


def test_what_users_write_passes(errors):
    assert errors["passes.py"] == []


def test_mistakes_are_found(errors):
    lines = (HERE / "fails.py").read_text(encoding="utf-8").splitlines()
    expected = [(n, line.split("# error: ")[1]) for n, line in enumerate(lines, 1) if "# error: " in line]
    assert len(expected) > 10
    assert sorted(set(errors["fails.py"])) == expected


@pytest.mark.parametrize(
    "name", ["Alignment", "Corpus", "Distance", "Interval", "Measure", "Ratings", "Result", "TextAlignment"]
)
def test_classes_are_exported(name):
    import unisono

    assert isinstance(getattr(unisono, name), type)
