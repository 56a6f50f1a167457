"""The project's own rules: style, types, the direction of imports, and what the README promises."""

from __future__ import annotations

import itertools
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import unisono

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize(
    "command",
    [
        ["ruff", "check", "."],
        ["ruff", "format", "--check", "."],
        ["mypy", "--no-error-summary"],
        ["lint-imports"],
    ],
    ids=lambda command: " ".join(command[:2]),
)
def test_linters_pass(command):
    program = Path(sys.executable).with_name(command[0])
    if not program.exists():
        pytest.skip(f"{command[0]} is not installed beside this Python")
    done = subprocess.run([program, *command[1:]], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr


def test_version_is_the_same_everywhere():
    assert f"version: {unisono.__version__}" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")


def test_readme_links_lead_somewhere():
    for page in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")]:
        for target in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_dependencies_have_lower_bounds_and_no_pins():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = itertools.chain.from_iterable(project["optional-dependencies"].values())
    for requirement in [*project["dependencies"], *extras]:
        assert re.fullmatch(r"[A-Za-z0-9_.-]+(\[[a-z,]+\])?>=[0-9.]+", requirement), requirement


def test_public_names_can_be_imported():
    for name in unisono.__all__:
        assert getattr(unisono, name) is not None
