"""Objects that stand one a line, or in one list: JSON lines as other tools write them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from unisono.errors import DataError
from unisono.formats.files import HEAD, head_text, read_head, text_lines
from unisono.formats.json_reading import load

_LONGEST_LINE = 2**28
_LONGEST_FIRST = 2**24
_OBJECT = re.compile(r"\[?\s*(\{)")


def records(path: Path, bad: Callable[[DataError], None]) -> Iterator[tuple[int | None, Any]]:
    """Go through the values in a file, each with its line, if they stand one a line.

    Parameters
    ----------
    path : Path
        The file.
    bad : callable
        Is told of a line that is not JSON.
    """
    if _begin(read_head(path)).startswith("["):
        content = load(path)
        yield from ((None, one) for one in (content if isinstance(content, list) else [content]))
        return
    for line, text in enumerate(text_lines(path, _LONGEST_LINE), start=1):
        if text.strip("\ufeff\r\n\t "):
            try:
                value = _parsed(text.removeprefix("\ufeff"), path, line)
            except DataError as error:
                bad(error)
            else:
                yield line, value


def first_record(head: bytes, path: Path) -> dict[str, Any]:
    """Give the first object of a file whose first bytes are given; an empty one if there is none."""
    found = _first(_begin(head))
    if found is None and len(head) >= HEAD:
        with path.open("rb") as stream:
            found = _first(_begin(stream.read(_LONGEST_FIRST)))
    return found or {}


def _begin(head: bytes) -> str:
    return head_text(head).removeprefix("\ufeff").lstrip()


def _first(begin: str) -> dict[str, Any] | None:
    match = _OBJECT.match(begin)
    if match is None:
        return {}
    try:
        found, _ = json.JSONDecoder().raw_decode(begin, match.start(1))
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else {}


def _parsed(text: str, path: Path, line: int) -> Any:
    try:
        return json.loads(text)
    except RecursionError:
        raise DataError("the line is nested too deeply; check it", path=path, line=line) from None
    except ValueError as error:
        reason = getattr(error, "msg", None) or "a number is too long"
        raise DataError(f"this is not JSON ({reason}); write one object a line", path=path, line=line) from None
