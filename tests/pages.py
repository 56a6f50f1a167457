"""The blocks of the documentation's pages, in their order, and one way to run them."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
_BLOCK = re.compile(r"^(?P<indent> *)```(?P<language>\w*)\n(?P<text>.*?)^ *```$", flags=re.M | re.S)
_NAMED = re.compile(r"`([^`\n]+)`(?: \([^\n]*\))?:\n\n *\Z")


class Block(NamedTuple):
    """A block of a page: the heading it is under, its language and text, and the file's name right above it, if any."""

    heading: str
    language: str
    text: str
    name: str | None


class Command(NamedTuple):
    """A line of a shell block, and what the page says that it prints; None if it says nothing."""

    line: str
    printed: str | None = None


def page_names() -> list[str]:
    """Return the pages with blocks that users copy: all that are neither made from the code nor notebooks."""
    return ["../README.md", *sorted(path.name for path in DOCS.glob("*.md"))]


def blocks(page: str) -> list[Block]:
    """Return the blocks of a page from top to bottom, without formulas."""
    text, found = (DOCS / page).read_text(encoding="utf-8"), []
    for match in _BLOCK.finditer(text):
        if match["language"] == "formula":
            continue
        before = text[: match.start()]
        headings = re.findall(r"^#+ (.*)$", re.sub(_BLOCK, "", before), flags=re.M)
        name = _NAMED.search(before)
        content = re.sub(f"^{match['indent']}", "", match["text"], flags=re.M)
        found.append(Block(headings[-1], match["language"], content, name[1] if name else None))
    return found


def commands(block: Block) -> Iterator[Command]:
    """Iterate over the commands of a block: lines after $ with what they print, or the lines of a script."""
    if re.search(r"^\$ ", block.text, flags=re.M):
        for part in re.split(r"^\$ ", block.text, flags=re.M)[1:]:
            line, printed = part.split("\n", 1)
            yield Command(line, printed)
    elif block.language == "sh":
        for line in block.text.replace("\\\n", " ").splitlines():
            if shlex.split(line, comments=True):
                yield Command(line)


def same_words(text: str) -> str:
    return " ".join(text.split())


def assert_printed(expected: str, printed: str) -> None:
    """Find what a page says in what was printed; … stands for more."""
    shown = same_words(printed)
    place = 0
    for piece in re.split(r"^\s*…$", expected, flags=re.M):
        words = same_words(piece)
        assert words in shown[place:], printed
        place += shown[place:].index(words) + len(words)
