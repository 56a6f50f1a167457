"""Errors of what was skipped while data was read into a folder, so that a continued command can list them, too."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

from unisono.errors import DataError
from unisono.output import write_whole

_NAME = "skipped.json"


def keep_skipped(folder: Path, errors: Sequence[DataError]) -> None:
    """Keep errors in a folder, in place of those of an earlier attempt."""
    if not errors:
        (folder / _NAME).unlink(missing_ok=True)
        return
    rows = [[error.message, None if error.path is None else str(error.path), error.line] for error in errors]
    content = json.dumps(rows, indent=0).encode("ascii")
    write_whole(folder / _NAME, lambda file: file.write(content))


def tell_skipped(folder: Path, bad: Callable[[DataError], None] | None) -> None:
    """Call a function with each of the errors that are kept in a folder."""
    if bad is not None:
        for error in _kept(folder):
            bad(error)


def _kept(folder: Path) -> list[DataError]:
    try:
        rows = json.loads((folder / _NAME).read_bytes())
        return [DataError(message, path=path, line=line) for message, path, line in rows]
    except (OSError, ValueError, TypeError):
        return []  # there are none, or somebody has damaged the file; how many there were is in the data
