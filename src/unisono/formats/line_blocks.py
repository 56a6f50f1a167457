"""One large file of lines, read by several workers: in blocks of whole lines."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

from unisono.formats.files import encoding, read_head

LARGE = 2**23
"""Bytes of a file that is worth dividing: it takes a third of a second to read."""
_BLOCK = 2**20


def line_blocks(path: Path) -> list[range]:
    """Return the bytes of each block of whole lines; nothing if the file is too small, or cannot be divided."""
    try:
        n_bytes = path.stat().st_size
        if n_bytes < LARGE or not encoding(read_head(path)).startswith("utf-8"):
            return []
        edges = [0]
        with path.open("rb") as stream:
            for place in range(_BLOCK, n_bytes, _BLOCK):
                if place > edges[-1]:  # else a long line goes beyond it
                    stream.seek(place)
                    stream.readline()
                    edges.append(stream.tell())
    except OSError:
        return []
    return [range(first, last) for first, last in pairwise([*edges, n_bytes]) if first < last]


def block_of_lines(path: Path, block: range) -> tuple[bytes, int] | None:
    """Return the bytes of a block, and how many lines it has; None if a carriage return alone ends lines."""
    with path.open("rb") as stream:
        stream.seek(block.start)
        content = stream.read(len(block))
    if content.count(b"\r") != content.count(b"\r\n"):
        return None
    return content, content.count(b"\n")
