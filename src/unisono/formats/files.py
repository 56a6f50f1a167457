"""Bytes and lines of files; every failure becomes a sentence."""

from __future__ import annotations

import codecs
import io
import re
import stat
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import TypeAlias

from unisono.errors import DataError

Bad: TypeAlias = Callable[[DataError], None]
"""Takes the error of something that cannot be read, which is then skipped."""

HEAD = 2**16
"""How many bytes are inspected to find out what a file is."""

_BLOCK = 2**18
_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_KNOWN_BINARIES = (
    (b"PK\x03\x04", "a ZIP archive or an Excel workbook; name it .zip, .xlsx or .ods, or save the sheet as CSV"),
    (b"\xd0\xcf\x11\xe0", "an old Excel workbook; name it .xls"),
    (b"\x1f\x8b", "compressed with gzip; name it .gz"),
    (b"%PDF", "a PDF; save the annotations as CSV or JSON lines"),
)
_PAGE = re.compile(r"\s*(<\?xml[^>]*>\s*)?(<!--.*?-->\s*)*<(!doctype\s+html|html)\b", re.IGNORECASE | re.DOTALL)
_UNDECODED = re.compile("[\udc80-\udcff]")
NOT_UTF8 = "there are characters that are not UTF-8 (perhaps Latin-1); convert the file to UTF-8"
_WITH_ZEROS = ("utf-16", "utf-32", "utf_16", "utf_32")
"""How names of encodings begin in which plain text has zero bytes."""


def read_head(path: Path) -> bytes:
    """Return a file's first bytes; reject what is missing, not a file, or empty."""
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            raise DataError("this is a folder; name the files in it", path=path)
        if not stat.S_ISREG(mode):
            raise DataError("this is not a regular file; save the data to one and name that", path=path)
        with path.open("rb") as stream:
            head = stream.read(HEAD)
    except (OSError, ValueError) as error:
        raise unreadable(error, path) from None
    if not head:
        raise DataError("the file is empty; check that it was saved", path=path)
    return head


def is_empty(path: Path) -> bool:
    """Whether a file is there and has no content."""
    try:
        found = path.stat()
    except (OSError, ValueError):
        return False
    return stat.S_ISREG(found.st_mode) and found.st_size == 0


def unreadable(error: Exception, path: Path) -> DataError:
    """Explain why the system could not read a file."""
    if isinstance(error, FileNotFoundError):
        return DataError("there is no such file; check the path", path=path)
    if isinstance(error, PermissionError):
        return DataError("the file may not be read; check its permissions", path=path)
    reason = getattr(error, "strerror", None) or str(error)
    return DataError(f"the file cannot be read ({reason}); check the path", path=path)


_FEW = 256
"""Fewer zeros than one of so many bytes are damage in a text, which is found where it is."""


def reject_binary(head: bytes, path: Path, codec: str | None = None) -> None:
    """Reject a file that is not text; the encoding may be given."""
    for magic, what in _KNOWN_BINARIES:
        if head.startswith(magic):
            raise DataError(f"the file is {what}", path=path)
    if b"\0" in head and head.count(0) * _FEW >= len(head) and not (codec or encoding(head)).startswith(_WITH_ZEROS):
        raise DataError("the file is not text but binary; save it as CSV or JSON lines in UTF-8", path=path)


def reject_page(head: bytes, path: Path) -> None:
    """Reject a web page."""
    if _PAGE.match(head_text(head)):
        raise DataError("this is an HTML page, not an annotation; name the files that the tool exports", path=path)


def encoding(head: bytes) -> str:
    """Find the encoding: what the byte order mark says, else UTF-8."""
    return next((name for mark, name in _BYTE_ORDER_MARKS if head.startswith(mark)), "utf-8")


def head_text(head: bytes, codec: str | None = None) -> str:
    """Decode a file's first bytes as far as they go."""
    return head.decode(codec or encoding(head), errors="ignore")


@contextmanager
def locating(path: Path, line: int | None = None) -> Iterator[None]:
    """Name the file, and perhaps the line, in errors that do not."""
    try:
        yield
    except DataError as error:
        place = path if error.path is None else error.path
        raise DataError(error.message, path=place, line=line if error.line is None else error.line) from None


def text_lines(
    path: Path, longest: int, bad: Bad | None = None, codec: str | None = None, part: bytes | None = None
) -> Iterator[str]:
    """Iterate over the lines of a text file, with their line breaks, none longer than `longest` characters."""
    return chain.from_iterable(blocks(path, longest, bad, codec, part))


def numbered_lines(path: Path, bad: Bad | None = None, longest: int = 2**24) -> Iterator[tuple[int, str]]:
    """Iterate over the lines of a text file, each with its number and without its line break; for `bad`, see `blocks`.

    `bad` is for formats in which an empty line means nothing.
    """
    for number, line in enumerate(text_lines(path, longest, bad), start=1):
        yield number, line.removeprefix("\ufeff").rstrip("\r\n")


def blocks(
    path: Path, longest: int, bad: Bad | None = None, codec: str | None = None, part: bytes | None = None
) -> Generator[list[str], None, None]:
    """Iterate over the file in blocks of whole lines: a million lines should not be a million calls.

    `bad` takes the error of a line that cannot be read, which is then empty; without it, the error is raised. The
    encoding is UTF-8, or what the byte order mark says, if none is given. `part` is some of the file's
    bytes, to be read instead of all.
    """
    head = read_head(path)
    reject_binary(head, path, codec)
    codec = codec or encoding(head)
    errors = "surrogateescape" if bad is not None and codec.startswith("utf-8") else "strict"
    number = 0
    begun: list[str] = []  # of a line that continues in the next block
    too_long = False  # whether that line is, and will be empty
    try:
        with path.open("rb") if part is None else io.BytesIO(part) as stream:
            text = io.TextIOWrapper(stream, codec, errors, newline="")
            while block := text.read(_BLOCK):
                if "\n" in block or "\r" in block:
                    lines = io.StringIO("".join([*begun, block]), newline="").readlines()
                    begun = [] if block.endswith("\n") else [lines.pop()]
                    if too_long and lines:
                        lines[0], too_long = "\n", False
                    _check_lines(lines, number, longest, path, bad)
                    number += len(lines)
                    yield lines
                elif not too_long:
                    begun.append(block)
                if not too_long and sum(map(len, begun)) > longest:
                    _report(_too_long(longest, path, number + 1), bad)
                    begun, too_long = [""], True
            if begun and not too_long:
                rest = io.StringIO("".join(begun), newline="").readlines()
                _check_lines(rest, number, longest, path, bad)
                yield rest
    except UnicodeError:
        raise _undecodable(path, codec, longest) from None
    except OSError as error:
        raise unreadable(error, path) from None


def stored_text(path: Path, annotations: Path) -> str:
    """Read a text as it is stored, with its line breaks and byte order mark; it belongs to a file of annotations."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        message = f"the text, {path.name}, is not there; put it beside the annotations"
        raise DataError(message, path=annotations) from None
    except OSError as error:
        raise unreadable(error, path) from None
    reject_binary(content[:HEAD], path)
    codec = encoding(content[:4])
    try:
        return content.decode("utf-8" if codec == "utf-8-sig" else codec)
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise DataError(NOT_UTF8, path=path, line=line) from None


def _check_lines(lines: list[str], before: int, longest: int, path: Path, bad: Bad | None) -> None:
    """Reject lines that cannot be read, or empty them."""
    everything = "".join(lines)
    escaped = bad is not None and not everything.isascii() and _UNDECODED.search(everything)
    if max(map(len, lines), default=0) <= longest and "\0" not in everything and not escaped:
        return
    for number, line in enumerate(lines, start=before + 1):
        error = None
        if len(line) > longest:
            error = _too_long(longest, path, number)
        elif "\0" in line:
            error = DataError("there is a NUL byte in the line; remove it", path=path, line=number)
        elif bad is not None and _UNDECODED.search(line):
            error = DataError(NOT_UTF8, path=path, line=number)
        if error is not None:
            _report(error, bad)
            lines[number - before - 1] = "\n"


def _report(error: DataError, bad: Bad | None) -> None:
    if bad is None:
        raise error
    bad(error)


def _too_long(longest: int, path: Path, line: int) -> DataError:
    message = f"the line is longer than {longest:,} characters; check that the file is complete"
    return DataError(message, path=path, line=line)


def _undecodable(path: Path, codec: str, longest: int) -> DataError:
    if not codec.startswith("utf-8"):
        return DataError(f"the file is damaged or not {codec.upper()}; convert it to UTF-8", path=path)
    line = 0
    with path.open(encoding=codec, errors="surrogateescape", newline="") as text:
        while piece := text.readline(longest):
            line += 1
            if _UNDECODED.search(piece):
                break
    return DataError(NOT_UTF8, path=path, line=line)
