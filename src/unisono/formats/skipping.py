"""Bad lines are skipped, in formats where each line is a record."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from unisono.data import Corpus, Data
from unisono.errors import DataError
from unisono.formats.files import HEAD, encoding

_MOST = 1000


def read_good_lines(
    path: Path, first_record: int, read: Callable[[Path], Data], bad: Callable[[DataError], None]
) -> Data:
    """Read a file; if a line is bad, report it, and read the file as if the line were empty.

    Lines before the first record are a header, which cannot be skipped; `read` raises errors that name the line.
    """
    found = _tried(path, read)
    if not isinstance(found, DataError):
        return found
    with TemporaryDirectory(prefix="unisono-") as temporary:
        copy = Path(temporary, path.name)
        lines = _lines(path)
        known: set[int] = set()
        while isinstance(found, DataError):
            if found.line is None and known:
                raise DataError(f"without its bad lines the file cannot be read: {found.message}", path=path)
            if found.line is None or found.line in known or not first_record <= found.line <= len(lines):
                raise DataError(found.message, path=path, line=found.line)
            if len(known) >= _MOST:
                raise DataError(f"more than {_MOST:,} lines are bad; check what the file is", path=path)
            bad(DataError(found.message, path=path, line=found.line))
            known.add(found.line)
            lines[found.line - 1] = "\n"
            copy.write_text("".join(lines), encoding="utf-8", newline="", errors="surrogatepass")
            found = _tried(copy, read)
    if not isinstance(found, Corpus):
        return found
    return replace(found, origins={key: (path, line) for key, (_, line) in found.origins.items()})


def _lines(path: Path) -> list[str]:
    content = path.read_bytes()
    try:
        text = content.decode(encoding(content[:HEAD]))
    except UnicodeDecodeError:
        raise DataError("there are characters that cannot be decoded; convert the file to UTF-8", path=path) from None
    return io.StringIO(text, newline="").readlines()


def _tried(path: Path, read: Callable[[Path], Data]) -> Data | DataError:
    try:
        return read(path)
    except DataError as error:
        return error
