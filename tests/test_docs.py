"""What pages say beyond their commands: numbers of other programs, options, names."""

from __future__ import annotations

import json
import re
import shlex
from typing import NamedTuple

import pytest
import typer
from commands import run
from pages import DOCS, assert_printed, blocks, commands, same_words

import unisono
from unisono import shuffling, studies
from unisono.cli.app import app

NOT_INSTALLED = ("krippendorff", "pingouin")
"""Programs that tests do not install: one is under another licence, one is large. Their numbers were computed once."""

COMING = ("coming-from.md", "coming-from-tools.md")
"""Pages about other programs."""

COMPARED = re.compile(r"^\| (.+?) \|.* `(\w+\.(?:csv|json) [^|]*)` \| ([\d.]+) \|$", flags=re.M)
"""A row of a table: the call of another program, our command, and the number that both give."""


class Section(NamedTuple):
    """What a page says about another program: Python code to begin with; its calls, our commands, and their values."""

    program: str
    code: str
    rows: list[tuple[str, str, str]]


def printed_by(page: str) -> dict[str, str]:
    """Return what the commands of a page print, where it says so."""
    every = [one for block in blocks(page) for one in commands(block)]
    return {one.line.removeprefix("unisono "): one.printed for one in every if one.printed}


def sections_of_programs():
    """Give the sections of the pages about other programs with a table of calls, our commands and values."""
    for page in COMING:
        text = (DOCS / page).read_text(encoding="utf-8")
        for part in re.split(r"^## ", text, flags=re.M)[1:]:
            if rows := COMPARED.findall(part):
                code = re.findall(r"^```python\n(.*?)^```$", part, flags=re.M | re.S)
                yield Section(part.split("\n", 1)[0], code[0] if code else "", rows)


def test_every_tool_gives_the_same_number():
    shown = printed_by("labels.md")
    assert len(shown) > 15
    assert {command for command, printed in shown.items() if "α 0.444" not in same_words(printed)} == set()


@pytest.fixture(scope="module")
def two_tables(tmp_path_factory):
    folder = tmp_path_factory.mktemp("coming-from")
    for page in COMING:
        for block in blocks(page):
            if block.name:
                (folder / block.name).write_text(block.text, encoding="utf-8")
    return folder


@pytest.mark.parametrize("section", list(sections_of_programs()), ids=lambda section: section.program)
def test_our_command_gives_the_number_of_the_other_program(section, two_tables, monkeypatch):
    monkeypatch.chdir(two_tables)
    assert section.rows
    for _, command, value in section.rows:
        done = run("measure", *shlex.split(command), "--no-leave-one-out", "--json")
        assert done.returncode == 0, done.stderr
        assert f"{json.loads(done.stdout)['results'][0]['value']:.3f}" == value, command


@pytest.mark.parametrize(
    "section",
    [one for one in sections_of_programs() if one.code and one.program not in NOT_INSTALLED],
    ids=lambda section: section.program,
)
def test_the_other_program_gives_its_number(section, two_tables, monkeypatch):
    monkeypatch.chdir(two_tables)
    names: dict[str, object] = {}
    exec(section.code, names)
    for call, _, value in section.rows:
        assert f"{eval(call.strip('`'), names):.3f}" == value, call


def test_the_cheat_sheet_has_commands_and_options_that_exist():
    group = typer.main.get_command(app)
    found = re.findall(r"`unisono (\w+)([^`]*)`", (DOCS / "cheat-sheet.md").read_text(encoding="utf-8"))
    assert len(found) > 20
    for name, rest in found:
        known = {one for option in group.commands[name].params for one in option.opts}
        given = [word.partition("=")[0] for word in shlex.split(rest) if word.startswith("-")]
        assert set(given) <= known, (name, given)


def test_the_same_number_is_discussed_on_another_page():
    printed = printed_by("tutorial.md")["measure round1 --ladder"]
    ((command, said),) = printed_by("is-it-good.md").items()
    assert command == "measure round1 --ladder"
    assert_printed(said, printed)
    low, high = re.search(r"interval (\S+) to (\S+)", printed).groups()
    assert f"an interval from {low} to {high}" in same_words((DOCS / "is-it-good.md").read_text(encoding="utf-8"))


def test_the_api_page_lists_the_public_names_and_no_others():
    page = (DOCS / "api.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `(unisono\.[\w.]+)` \|", page, flags=re.M)
    modules = {"unisono": dir(unisono), "unisono.shuffling": shuffling.__all__, "unisono.studies": studies.__all__}
    assert sorted(listed) == sorted(f"{module}.{name}" for module, names in modules.items() for name in names)


def test_percentages_are_written_in_one_way():
    """As CONTRIBUTING says; output of commands has no space either."""
    pages = [*DOCS.rglob("*.md"), *(DOCS.parent / name for name in ("README.md", "CONTRIBUTING.md"))]
    found = {path.name: re.findall(r"\d[\u00a0\u202f ]%(?! *\d)", path.read_text(encoding="utf-8")) for path in pages}
    assert not any(found.values()), {name: own for name, own in found.items() if own}
