"""What the pages print is what the commands print."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import NamedTuple

import pytest
from commands import run

ROOT = Path(__file__).parents[1]
FILES = {
    "categorization.md": {"mood.csv": 0},
    "segmentation.md": {"hearst.json": 0},
    "unitizing.md": {"interview.csv": 0},
    "text-gamma.md": {"labels.jsonl": 1, "tokens.jsonl": 3, "start.jsonl": 5, "texts.jsonl": 6},
}
"""Page to the files that its commands read, each with the number of the block on the page that holds it."""


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


def same_words(text):
    return " ".join(text.split())


@pytest.mark.parametrize("example", list(examples()), ids=lambda one: f"{one.page}: {one.command}")
def test_a_command_prints_what_the_page_says(example, tmp_path, monkeypatch):
    for name, content in example.files.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    done = run(*shlex.split(example.command))
    assert done.returncode == 0, done.stderr
    shown = same_words(done.stdout)
    place = 0
    for piece in re.split(r"^\s*…$", example.printed.removeprefix("$ unisono demo"), flags=re.M):  # … stands for more
        words = same_words(piece)
        assert words in shown[place:], done.stdout
        place += shown[place:].index(words) + len(words)
