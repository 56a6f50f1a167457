"""A corpus as columns with IOB2 tags, one token per line, if no units overlap."""

from __future__ import annotations

import re
from collections import deque
from typing import BinaryIO

from unisono.data import Data, Label
from unisono.errors import DataError
from unisono.formats.tools.one_annotator import category_of, label_of, lost, only_versions, overlapping, plain_label
from unisono.formats.tools.tokenizing import cut, lines_of, tokens_of
from unisono.formats.tools.versions import Version

_TOOL = "IOB"
_SPACE = re.compile(r"\s+")


def write_iob(data: Data, stream: BinaryIO) -> list[str]:
    """Write units as chunks; return sentences about what is not written."""
    corpus, versions = only_versions(data, _TOOL)
    category = category_of(corpus)
    n_empty = 0
    for number, version in enumerate(versions):
        if len(versions) > 1:
            stream.write(f"{'' if number == 0 else chr(10)}-DOCSTART- ({_plain(version.document)})\n\n".encode())
        for line in _lines(version, category):
            stream.write(line.encode())
        n_empty += sum(unit.start == unit.end for unit in version.units)
    spaces = "what is between tokens is not in the file: when it is read, tokens are joined by spaces"
    return [*lost(corpus, category, _TOOL, n_empty, layers=category is None), spaces]


def _lines(version: Version, category: str | None) -> list[str]:
    chunks = [unit for unit in version.units if unit.start < unit.end]
    if (pair := overlapping(chunks)) is not None:
        one, other = (f"{unit.start}–{unit.end} ({plain_label(label_of(unit, category))})" for unit in pair)
        raise DataError(
            f"document {version.document!r}: the units {one} and {other} overlap, which IOB cannot hold; write jsonl, "
            "brat, webanno or docbin"
        )
    places = [place for unit in chunks for place in (int(unit.start), int(unit.end))]
    waiting = deque(sorted(chunks, key=lambda unit: unit.start))
    lines: list[str] = []
    begun = None
    for number, line in enumerate(lines_of(version.text, cut(tokens_of(version), places))):
        lines += ["\n"] if number else []
        for begin, end in line:
            while waiting and waiting[0].end <= begin:
                waiting.popleft()
            inside = waiting[0] if waiting and waiting[0].start < end else None
            tag = "O" if inside is None else _tag("I" if inside is begun else "B", label_of(inside, category))
            begun = inside
            lines.append(f"{_plain(version.text[begin:end])}\t{tag}\n")
    return lines


def _tag(letter: str, label: Label | None) -> str:
    return f"{letter}-{_plain(plain_label(label))}" if label is not None else letter


def _plain(text: str) -> str:
    """Replace white space, which separates columns."""
    return _SPACE.sub("_", text) or "_"
