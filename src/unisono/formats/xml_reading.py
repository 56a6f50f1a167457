"""XML, element by element, in little memory and without any of its dangers.

A document type declaration is refused, and with it all that can blow up or lead elsewhere: entities, internal or
external. Depth and length of tags are limited; nothing is kept but what is open.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, NoReturn
from xml.parsers import expat

from unisono.errors import DataError
from unisono.formats.files import read_head, refuse_binary

_CHUNK = 2**16
_LONGEST_TAG = 2**22
_DEEPEST = 100
_BREAKS_OFF = (
    expat.errors.XML_ERROR_NO_ELEMENTS,
    expat.errors.XML_ERROR_UNCLOSED_TOKEN,
    expat.errors.XML_ERROR_PARTIAL_CHAR,
    expat.errors.XML_ERROR_UNCLOSED_CDATA_SECTION,
)


class Element(NamedTuple):
    """The begin of an element: its name after those of the elements around it, its attributes and its line."""

    names: tuple[str, ...]
    attributes: dict[str, str]
    line: int


def elements(path: Path) -> Iterator[Element]:
    """Go through the elements of a file in the order in which they begin."""
    refuse_binary(read_head(path), path)
    parser = expat.ParserCreate()
    names: list[str] = []
    begun: list[Element] = []

    def begin(name: str, attributes: dict[str, str]) -> None:
        names.append(name)
        if len(names) > _DEEPEST:
            fail(f"elements are nested more than {_DEEPEST} deep; check that the file is what it should be")
        begun.append(Element(tuple(names), attributes, parser.CurrentLineNumber))

    def end(name: str) -> None:
        names.pop()

    def refuse_declaration(*_: Any) -> None:
        fail("there is a document type declaration (DOCTYPE), which may hide harmful entities; remove it")

    def fail(message: str) -> NoReturn:
        raise DataError(message, path=path, line=parser.CurrentLineNumber)

    parser.StartElementHandler = begin
    parser.EndElementHandler = end
    parser.StartDoctypeDeclHandler = refuse_declaration
    n_read = 0
    with path.open("rb") as stream:
        chunk = None
        while chunk != b"":
            chunk = stream.read(_CHUNK)
            n_read += len(chunk)
            try:
                parser.Parse(chunk, not chunk)
            except (expat.ExpatError, ValueError, LookupError) as error:
                raise _malformed(error, parser.ErrorByteIndex, path) from None
            if n_read - parser.CurrentByteIndex > _LONGEST_TAG:
                fail("a tag or comment has no end; check that the file is complete")
            yield from begun
            begun.clear()


def _malformed(error: Exception, at: int, path: Path) -> DataError:
    if not isinstance(error, expat.ExpatError):
        return DataError(f"the XML's encoding cannot be read ({error}); convert the file to UTF-8", path=path)
    reason = expat.errors.messages[error.code]
    if reason in _BREAKS_OFF:
        message = "the XML breaks off before its end; check that the file is complete"
    elif _is_undecodable(at, path):
        message = "there are characters that are not UTF-8 (perhaps Latin-1); convert the file to UTF-8"
    else:
        message = f"the XML cannot be read: {reason}; mend it"
    return DataError(message, path=path, line=error.lineno)


def _is_undecodable(at: int, path: Path) -> bool:
    """Tell whether the bytes from there on are not UTF-8."""
    with path.open("rb") as stream:
        stream.seek(at)
        try:
            codecs.getincrementaldecoder("utf-8")().decode(stream.read(_CHUNK))
        except UnicodeDecodeError:
            return True
    return False
