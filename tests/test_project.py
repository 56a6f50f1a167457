"""The project's own rules: style, types, the direction of imports, and what the README promises."""

from __future__ import annotations

import itertools
import re
import subprocess
import sys
import tomllib
from contextlib import suppress
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import unisono

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
LOWEST = (3, int(PROJECT["requires-python"].removeprefix(">=3.")))


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
    if command[0] == "mypy" and sys.version_info[:2] != LOWEST:
        pytest.skip("types are checked on the lowest Python: what NumPy ships for newer ones is newer syntax")
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
    for requirement in itertools.chain(PROJECT["dependencies"], *EXTRAS.values()):
        is_own_extra = re.fullmatch(r"unisono\[[a-z,]+\]", requirement)
        assert is_own_extra or re.fullmatch(r"[A-Za-z0-9_.-]+>=[0-9.]+", requirement), requirement


def test_the_core_is_light_and_the_rest_are_extras():
    assert not [
        one
        for one in PROJECT["dependencies"]
        if re.match("pyarrow|matplotlib|spacy|distributed|pandas|starlette|uvicorn", one)
    ]
    assert {"all", "app", "dask", "docs", "parquet", "plot", "spacy", "statistics", "test"} == set(EXTRAS)
    assert EXTRAS["all"] == [f"unisono[{','.join(sorted(set(EXTRAS) - {'all', 'docs', 'test'}))}]"]


def test_every_python_from_the_lowest_on_is_named():
    named = [one.rpartition(" ")[2] for one in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", one)]
    assert named == [f"3.{minor}" for minor in range(LOWEST[1], LOWEST[1] + len(named))]


def needed(name, extras, known):
    """Collect the distributions that one needs, with those that they need."""
    for text in metadata.requires(name) or ():
        one = Requirement(text)
        if one.marker is None or any(one.marker.evaluate({"extra": extra}) for extra in (*extras, "")):
            with suppress(metadata.PackageNotFoundError):
                if one.name not in known:
                    known[one.name] = metadata.metadata(one.name)
                    needed(one.name, one.extras, known)
    return known


def test_licences_of_dependencies_are_permissive():
    found = needed("unisono", set(EXTRAS) - {"test"}, {})
    assert len(found) > 20
    for name, about in found.items():
        classifiers = [one for one in about.get_all("Classifier") or () if one.startswith("License")]
        named = [about.get("License-Expression") or "", (about.get("License") or "").partition("\n")[0], *classifiers]
        assert any(named), name
        assert not re.search("GPL|General Public|Affero", " ".join(named)), name


def test_public_names_can_be_imported():
    for name in unisono.__all__:
        assert getattr(unisono, name) is not None
