"""What the pages print is what the commands print."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path
from typing import NamedTuple

import pytest
from commands import run

import unisono
from unisono import shuffling, studies
from unisono.demo import demo_path

ROOT = Path(__file__).parents[1]
FILES = {
    "categorization.md": {"mood.csv": 0, "quality.csv": 5, "paradox.csv": 7},
    "gold-items.md": {"ratings.csv": 0, "scores.csv": 7},
    "ratings.md": {"essays.csv": 0},
    "segmentation.md": {"hearst.json": 0},
    "unitizing.md": {"interview.csv": 0},
    "text-gamma.md": {"labels.jsonl": 1, "tokens.jsonl": 3, "start.jsonl": 5, "texts.jsonl": 6},
}
"""Page to the files that its commands read, each with the number of the block on the page that holds it."""
FOLLOWED = ("tutorial.md", "gold.md")
"""Pages to follow from the top to the bottom, with the built-in data in annotations.jsonl."""
SKIPPED = ("report",)
"""What takes long."""


class Example(NamedTuple):
    """A command of a page, what it prints, and the files that it reads."""

    page: str
    command: str
    printed: str
    files: dict[str, str]


def blocks(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    return re.findall(r"^```\w*\n(.*?)^```$", text, flags=re.M | re.S)


def examples():
    yield Example("README.md", "demo", next(one for one in blocks("README.md") if one.startswith("$ unisono demo")), {})
    for name, places in FILES.items():
        found = blocks(f"docs/{name}")
        files = {file: found[place] for file, place in places.items()}
        for one in found:
            for part in re.split(r"^\$ unisono ", one, flags=re.M)[1:]:
                command, printed = part.split("\n", 1)
                if any(file in command for file in files):
                    yield Example(name, command, printed, files)


def steps(page):
    """Give the commands of a page one after another, each with what it prints, where the page says so."""
    for block in blocks(f"docs/{page}"):
        if "$ unisono " in block:
            yield from (part.split("\n", 1) for part in re.split(r"^\$ unisono ", block, flags=re.M)[1:])
        else:
            yield from ((line.removeprefix("unisono "), "") for line in re.findall(r"^unisono .*", block, flags=re.M))


def same_words(text):
    return " ".join(text.split())


@pytest.mark.parametrize("example", list(examples()), ids=lambda one: f"{one.page}: {one.command}")
def test_a_command_prints_what_the_page_says(example, tmp_path, monkeypatch):
    for name, content in example.files.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    done = run(*shlex.split(example.command))
    assert done.returncode == 0, done.stderr
    assert_printed(example.printed.removeprefix("$ unisono demo"), done.stdout)


@pytest.mark.parametrize("page", FOLLOWED)
def test_a_page_can_be_followed(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shutil.copy(demo_path(), "annotations.jsonl")
    for command, printed in steps(page):
        if not command.startswith(SKIPPED):
            done = run(*shlex.split(command, comments=True))
            assert done.returncode == 0, (command, done.stderr)
            assert_printed(printed, done.stdout + done.stderr)


def test_the_same_number_is_discussed_on_another_page():
    printed = next(text for command, text in steps("tutorial.md") if command == "measure round1 --ladder")
    ((command, said),) = steps("is-it-good.md")
    assert command == "measure round1 --ladder"
    assert_printed(said, printed)
    low, high = re.search(r"interval (\S+) to (\S+)", printed).groups()
    assert f"an interval from {low} to {high}" in same_words((ROOT / "docs/is-it-good.md").read_text(encoding="utf-8"))


def test_the_api_page_lists_the_public_names_and_no_others():
    page = (ROOT / "docs/api.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `(unisono\.[\w.]+)` \|", page, flags=re.M)
    modules = {"unisono": dir(unisono), "unisono.shuffling": shuffling.__all__, "unisono.studies": studies.__all__}
    assert sorted(listed) == sorted(f"{module}.{name}" for module, names in modules.items() for name in names)


def assert_printed(expected, printed):
    """Find what a page says in what was printed; … stands for more."""
    shown = same_words(printed)
    place = 0
    for piece in re.split(r"^\s*…$", expected, flags=re.M):
        words = same_words(piece)
        assert words in shown[place:], printed
        place += shown[place:].index(words) + len(words)
