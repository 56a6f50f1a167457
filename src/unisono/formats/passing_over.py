"""Bad lines passed over, in formats where a line is a record."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from unisono.data import Data
from unisono.errors import DataError

_MOST = 1000


def read_good_lines(path: Path, read: Callable[[Path], Data], bad: Callable[[DataError], None]) -> Data:
    """Read a file; where a line is bad, tell of it, and read the file as if the line were empty.

    Parameters
    ----------
    path : Path
        The file.
    read : callable
        Reads a file, or raises an error that names the line.
    bad : callable
        Is told of each bad line.
    """
    found = _tried(path, read)
    if not isinstance(found, DataError):
        return found
    with TemporaryDirectory(prefix="unisono-") as temporary:
        copy = Path(temporary, path.name)
        lines = path.read_bytes().splitlines(keepends=True)
        known: set[int] = set()
        while isinstance(found, DataError):
            if found.line is None or found.line in known or not 1 < found.line <= len(lines):
                raise DataError(found.reason, path=path, line=found.line)
            if len(known) >= _MOST:
                raise DataError(f"more than {_MOST:,} lines are bad; check what the file is", path=path)
            bad(DataError(found.reason, path=path, line=found.line))
            known.add(found.line)
            lines[found.line - 1] = b"\n"
            copy.write_bytes(b"".join(lines))
            found = _tried(copy, read)
        return found


def _tried(path: Path, read: Callable[[Path], Data]) -> Data | DataError:
    try:
        return read(path)
    except DataError as error:
        return error
