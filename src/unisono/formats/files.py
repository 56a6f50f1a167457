"""Bytes and lines of files, with every way to fail turned into a sentence."""

from __future__ import annotations

import codecs
import io
import re
import stat
from collections.abc import Generator, Iterator
from itertools import chain
from pathlib import Path

from unisono.errors import DataError

HEAD = 2**16
"""So many bytes are looked at to find out what a file is."""

_BLOCK = 2**18
_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_KNOWN_BINARIES = (
    (b"PK\x03\x04", "a ZIP archive or an Excel workbook; name it .zip, or save the sheet as CSV"),
    (b"\xd0\xcf\x11\xe0", "an old Excel workbook; save the sheet as CSV"),
    (b"\x1f\x8b", "compressed with gzip; unpack it"),
    (b"%PDF", "a PDF; save the annotations as CSV or JSON lines"),
)
_PAGE = re.compile(r"\s*(<\?xml[^>]*>\s*)?(<!--.*?-->\s*)*<(!doctype\s+html|html)\b", re.IGNORECASE | re.DOTALL)
_UNDECODED = re.compile("[\udc80-\udcff]")


def read_head(path: Path) -> bytes:
    """Give a file's first bytes; refuse what is missing, not a file, or empty."""
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
    """Tell whether a file is there and has no content."""
    try:
        found = path.stat()
    except (OSError, ValueError):
        return False
    return stat.S_ISREG(found.st_mode) and found.st_size == 0


def unreadable(error: Exception, path: Path) -> DataError:
    """Say why the system did not let a file be read."""
    if isinstance(error, FileNotFoundError):
        return DataError("there is no such file; check the path", path=path)
    if isinstance(error, PermissionError):
        return DataError("the file may not be read; check its permissions", path=path)
    reason = getattr(error, "strerror", None) or str(error)
    return DataError(f"the file cannot be read ({reason}); check the path", path=path)


def refuse_binary(head: bytes, path: Path) -> None:
    """Refuse a file that is not text."""
    for magic, what in _KNOWN_BINARIES:
        if head.startswith(magic):
            raise DataError(f"the file is {what}", path=path)
    if b"\0" in head and encoding(head) in ("utf-8", "utf-8-sig"):
        raise DataError("the file is not text but binary; save it as CSV or JSON lines in UTF-8", path=path)


def refuse_page(head: bytes, path: Path) -> None:
    """Refuse a page of the web."""
    if _PAGE.match(head_text(head)):
        raise DataError("this is an HTML page and no annotation; name the files that the tool exports", path=path)


def encoding(head: bytes) -> str:
    """Find the encoding: what the byte order mark says, else UTF-8."""
    return next((name for mark, name in _BYTE_ORDER_MARKS if head.startswith(mark)), "utf-8")


def head_text(head: bytes) -> str:
    """Decode a file's first bytes as far as they go."""
    return head.decode(encoding(head), errors="ignore")


def text_lines(path: Path, longest: int) -> Iterator[str]:
    """Go through the lines of a text file, ends of line included, none longer than `longest` characters."""
    return chain.from_iterable(blocks(path, longest))


def blocks(path: Path, longest: int) -> Generator[list[str], None, None]:
    """Go through the file in blocks of whole lines: a million lines should not be a million calls."""
    head = read_head(path)
    refuse_binary(head, path)
    number = 0
    begun: list[str] = []  # of a line that goes on in the next block
    try:
        with path.open(encoding=encoding(head), newline="") as text:
            while block := text.read(_BLOCK):
                if "\n" in block or "\r" in block:
                    lines = io.StringIO("".join([*begun, block]), newline="").readlines()
                    begun = [] if block.endswith("\n") else [lines.pop()]
                    _refuse_lines(lines, number, longest, path)
                    number += len(lines)
                    yield lines
                else:
                    begun.append(block)
                if sum(map(len, begun)) > longest:
                    raise _too_long(longest, path, number + 1)
            if begun:
                rest = io.StringIO("".join(begun), newline="").readlines()
                _refuse_lines(rest, number, longest, path)
                yield rest
    except UnicodeError:
        raise _undecodable(path, encoding(head), longest) from None
    except OSError as error:
        raise unreadable(error, path) from None


def _refuse_lines(lines: list[str], before: int, longest: int, path: Path) -> None:
    if max(map(len, lines), default=0) <= longest and "\0" not in "".join(lines):
        return
    for number, line in enumerate(lines, start=before + 1):
        if len(line) > longest:
            raise _too_long(longest, path, number)
        if "\0" in line:
            raise DataError("there is a NUL byte in the line; remove it", path=path, line=number)


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
    return DataError(
        "there are characters that are not UTF-8 (perhaps Latin-1); convert the file to UTF-8",
        path=path,
        line=line,
    )
