"""Valid files made invalid, for fuzz tests of the formats."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import strategies as st

from unisono.errors import UnisonoError
from unisono.formats import read


def mangled(content: bytes, *words: bytes) -> st.SearchStrategy[bytes]:
    """Cut, remove, double, replace bytes, lines and the given words of a file, several times over."""
    pieces = [
        *words,
        b"",
        b"\0",
        b"\xff",
        b"\xe4",
        b"-1",
        b"1e999",
        b"9" * 400,
        b"nan",
        b"\n",
        b"\t",
        b'"',
        b"<",
        b"\r",
    ]

    @st.composite
    def strategy(draw: st.DrawFn) -> bytes:
        changed = content
        for _ in range(draw(st.integers(1, 3))):
            changed = _changed(draw, changed, pieces)
        return changed

    return strategy()


def _changed(draw: st.DrawFn, content: bytes, pieces: list[bytes]) -> bytes:
    size = len(content)
    first = draw(st.integers(0, size))
    last = draw(st.integers(first, min(size, first + draw(st.sampled_from([1, 20, 200])))))
    how = draw(st.sampled_from(["cut", "remove", "double", "replace", "insert", "line", "bytes"]))
    before, within, after = content[:first], content[first:last], content[last:]
    match how:
        case "cut":
            return before
        case "remove":
            return before + after
        case "double":
            return before + within * 2 + after
        case "replace":
            return before + draw(st.sampled_from(pieces)) + after
        case "insert":
            return before + draw(st.sampled_from(pieces)) + within + after
        case "bytes":
            return before + draw(st.binary(max_size=8)) + after
    lines = content.splitlines(keepends=True)
    place, other = (draw(st.integers(0, max(0, len(lines) - 1))) for _ in range(2))
    lines[place : place + 1] = lines[other : other + 1]
    return b"".join(lines)


def data_or_refusal(content: bytes, name: str, **options: object) -> None:
    """Check that a file is read, or refused in one sentence."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        path.write_bytes(content)
        try:
            read(path, **options)  # type: ignore[arg-type]
        except UnisonoError as error:
            message = str(error)
        else:
            return
    assert message
    assert "\n" not in message, message
