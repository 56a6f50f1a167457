"""The notebooks of the documentation run, and print what their pages say."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
NAMES = sorted(path.stem for path in (ROOT / "docs/notebooks").glob("*.ipynb"))


def test_there_are_notebooks():
    assert len(NAMES) >= 8


def test_notebooks_print_what_their_pages_say():
    """All in one process, which loads the program once."""
    pytest.importorskip("IPython", reason="notebooks are run by IPython, in the extra test")
    command = [sys.executable, ROOT / "docs/make_notebooks.py", "--check", *NAMES]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, encoding="utf-8")
    assert done.returncode == 0, done.stdout + done.stderr
