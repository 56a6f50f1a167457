"""Every block of the documentation is run, page by page from top to bottom, and prints what the page says."""

from __future__ import annotations

import glob
import re
import shlex
from collections.abc import Mapping
from pathlib import Path

import page_files
import pandas as pd
import pytest
import typer
from commands import run
from pages import Block, assert_printed, blocks, commands, page_names, same_words

from unisono.cli.app import app

NOT_RUN = {
    ("../README.md", "python3 -m venv"): "installs; .ci/run follows it on a clean checkout",
    ("../README.md", "unisono serve"): "waits for a browser; tests/app",
    ("app.md", "pip install"): "installs",
    ("app.md", "unisono serve"): "waits for a browser; tests/app",
    ("coming-from.md", "import krippendorff"): "under another licence: its numbers were computed once",
    ("coming-from.md", "import pandas as pd\nimport pingouin"): "large: its numbers were computed once",
    ("formats.md", 'unisono measure corpus/ --pattern "{document}/'): "another layout; tests/formats/test_pattern.py",
    ("formats.md", 'unisono measure corpus/ --pattern "{document}_'): "another layout; tests/formats/test_pattern.py",
    ("coverage.md", "python benchmarks/"): "takes an hour, and is no part of an installation",
    ("performance.md", "dask"): "starts a cluster; tests/test_execution_dask.py",
    ("performance.md", "from dask.distributed import"): "needs SLURM",
    ("performance.md", "unisono measure project.zip -m gamma --dask"): "needs a cluster; tests/test_execution_dask.py",
    ("tool-formats.md", "prodigy"): "a program that one has to buy",
    ("tool-formats.md", "unisono measure both.conll"): "other columns; tests/formats/test_iob.py",
    (
        "tool-formats.md",
        'unisono measure export/ --pattern "{annotator}.jsonl"\n',
    ): "only spans; tests/formats/test_doccano.py",
    ("tool-formats.md", "unisono measure news.jsonl\n"): "only spans; tests/formats/test_prodigy.py",
    (
        "tool-formats.md",
        "unisono measure project-1.json  ",
    ): "only one question; tests/formats/test_labelstudio_items.py",
    (
        "tool-formats.md",
        'unisono measure project-1.json --option "document',
    ): "other fields; tests/formats/test_labelstudio.py",
    ("tool-formats.md", "unisono judges logs/"): "logs of several models; tests/formats/test_inspect_log.py",
    ("tool-formats.md", "unisono measure HS-Brexit"): "a published file; tests/formats/test_lewidi.py",
    ("tool-formats.md", "unisono compare data/wax"): "published files; tests/formats/test_alttest.py",
    ("tool-formats.md", "unisono measure CATMA_…_project/"): "a cloned project; tests/formats/test_catma.py",
    ("tool-formats.md", "unisono measure first.xml second.xml"): "exported collections; tests/formats/test_catma.py",
    ("tool-formats.md", "unisono measure corpus/ --annotator-from field"): "another layout; tests/formats/test_gate.py",
}
"""Page and the beginning of a block or a command: why it is not run. Options of our commands are checked anyway."""

FASTER = {"unisono benchmark": "--repetitions 1 --magnitudes 0.2"}
"""Commands that take minutes run with fewer repetitions."""

SLOW = ("relations.md", "shuffling.md", "xray.md")
"""Pages whose benchmarks take long all the same."""


def is_run(page: str, text: str, only: str = "") -> bool:
    """Tell whether a block or a command is run, as far as one exception is concerned or all are."""
    exceptions = [beginning for name, beginning in NOT_RUN if name == page and only in ("", beginning)]
    return not f"{text}\n".startswith(tuple(exceptions))


def given(page: str) -> dict[str, object]:
    """Return what the Python blocks of a page take for granted."""
    if page == "cheat-sheet.md":
        return {"df": pd.DataFrame({"annotator": ["a", "b"], "start": [0, 0], "end": [3, 4], "category": ["x", "x"]})}
    return {}


def put(folder: Path, files: Mapping[str, page_files.Write]) -> None:
    for name, write in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        write(folder / name)


def write_files(page: str, found: list[Block], folder: Path) -> None:
    """Write the files that a page takes for granted, and those that it shows."""
    folder.mkdir()
    put(folder, page_files.PAGES.get(page, {}))
    put(
        folder,
        {one.name: page_files.text(one.text) for one in found if one.name and one.language not in ("sh", "python")},
    )


def follow(line: str, variables: dict[str, str]) -> tuple[int, str]:
    """Run a command as a shell would; return its status and what it prints."""
    line = re.sub(r"\$(\w+)", lambda found: variables[found[1]], line.partition(" > ")[0])
    words = [name for word in shlex.split(line, comments=True) for name in (sorted(glob.glob(word)) or [word])]
    more = next((more for beginning, more in FASTER.items() if line.startswith(beginning)), "")
    done = run(*words[1:], *more.split())
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize(
    "page", [pytest.param(page, marks=[pytest.mark.slow] * (page in SLOW)) for page in page_names()]
)
def test_a_page_can_be_followed(page, tmp_path, monkeypatch):
    """Tools of their own sections, each with files of the same names, get folders of their own."""
    found, folder = blocks(page), tmp_path / "page"
    write_files(page, found, folder)
    monkeypatch.chdir(folder)
    names = given(page)
    variables: dict[str, str] = {}
    status, section = 0, ""
    for block in found:
        if block.heading != section and block.heading in page_files.SECTIONS.get(page, {}):
            section = block.heading
            place = tmp_path / re.sub(r"\W+", " ", section)
            place.mkdir()
            put(place, page_files.SECTIONS[page][section])
            monkeypatch.chdir(place)
        if block.language == "python" and is_run(page, block.text):
            exec(block.text, names)
        for command in commands(block):
            if setting := re.match(r'(\w+)="(.*)"$', command.line):
                variables[setting[1]] = setting[2]
            elif command.line == "echo $?":
                assert same_words(command.printed or "") == str(status)
            elif is_run(page, command.line):
                status, printed = follow(command.line, variables)
                complains = re.search("^unisono: ", command.printed or "", flags=re.M) is not None
                assert bool(status) == complains, (command.line, printed)
                assert_printed(command.printed or "", printed)


def test_what_is_not_run_is_on_its_page_and_has_options_that_exist():
    group = typer.main.get_command(app)
    for page, beginning in NOT_RUN:
        found = blocks(page)
        lines = [command.line for block in found for command in commands(block)]
        scripts = [block.text for block in found if block.language == "python"]
        meant = [text for text in (*lines, *scripts) if not is_run(page, text, beginning)]
        assert meant, (page, beginning)
        for line in meant:
            words = shlex.split(line, comments=True) if line.startswith("unisono ") else []
            known = {one for option in group.commands[words[1]].params for one in option.opts} if words else set()
            assert {word for word in words if word.startswith("-")} <= known, line
