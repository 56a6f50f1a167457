"""What a release is made of: the same version and the same dependencies everywhere, workflows that are valid."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import typer

import unisono
from unisono.cli.app import app

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def recipe():
    return (ROOT / "packaging/conda/recipe.yaml").read_text(encoding="utf-8")


def listed(part):
    """Return what a section of the recipe's requirements lists, without spaces."""
    block = re.search(rf"^  {part}:\n((?:    - .*\n)+)", recipe(), flags=re.M)
    return {line.removeprefix("    - ").replace(" ", "") for line in block[1].splitlines()}


def test_the_recipe_has_the_version():
    assert f'version: "{unisono.__version__}"' in recipe()


def test_the_recipe_needs_what_the_package_needs():
    python = f"python{PROJECT['project']['requires-python']}"
    assert listed("run") == {python, *PROJECT["project"]["dependencies"]}
    assert listed("host") == {python, "pip", *PROJECT["build-system"]["requires"]}


def test_workflows_test_every_python_that_is_named():
    named = re.findall(r":: (3\.\d+)$", "\n".join(PROJECT["project"]["classifiers"]), flags=re.M)
    versions = ", ".join(f'"{one}"' for one in named)
    assert f"python: [{versions}]" in (ROOT / ".github/workflows/tests.yml").read_text(encoding="utf-8")


def test_the_readme_on_pypi_has_no_relative_links():
    """As PyPI shows it: every link and picture leads to the repository."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for rule in PROJECT["tool"]["hatch"]["metadata"]["hooks"]["fancy-pypi-readme"]["substitutions"]:
        text = re.sub(rule["pattern"], rule["replacement"], text)
    targets = re.findall(r"\]\(([^)]+)\)", text)
    assert len(targets) > 20
    assert [one for one in targets if not one.startswith(("https:", "#"))] == []
    base = PROJECT["project"]["urls"]["Homepage"].removeprefix("https://github.com/")
    assert sum(base in one for one in targets) > 20


def test_every_file_that_the_sdist_names_is_there():
    for name in PROJECT["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]:
        assert (ROOT / name.removeprefix("/")).exists(), name


def test_the_container_runs_a_command_that_there_is():
    words = json.loads(
        re.search(r"^CMD (.*)$", (ROOT / "packaging/Dockerfile").read_text(encoding="utf-8"), flags=re.M)[1]
    )
    options = {one for option in typer.main.get_command(app).commands[words[0]].params for one in option.opts}
    assert set(words[1:]) <= options
