"""In which encoding a text is: UTF-8 unless it cannot be; then what the user says, or what the content shows."""

from __future__ import annotations

import codecs
import re
from itertools import chain
from pathlib import Path

from unisono.errors import OptionError
from unisono.formats.files import encoding, read_head, unreadable

_SAMPLE = 2**20
"""So many bytes of lines that are not ASCII show the encoding."""
_ENOUGH = 32
"""In so few bytes, any encoding is possible."""
_FOREIGN = 4
"""So few bytes beyond ASCII are damage, rather."""
_WESTERN = frozenset("äöüßÄÖÜéèêëÉÈÊàâáãåæÀÂÁÅÆçÇñÑíìîïÍóòôõøœÓÔÖØŒúùûüÚ„“”‚‘’«»‹›–—…·•°€£§²³½×¿¡ªº\xa0")
_CANDIDATES = {"cp1252": "Windows-1252", "mac_roman": "Mac Roman"}
_WORD = re.compile(r"\w+")
_CAPITAL_INSIDE = re.compile(r"[a-zß-ÿ][À-ÞŒ]")


def check_encoding(name: str) -> str:
    """Return the name that Python has for an encoding."""
    try:
        found = codecs.lookup(name)
        b"\0\0\0\0".decode(found.name)  # not all codecs are encodings of texts
    except (LookupError, UnicodeError, ValueError):
        raise OptionError(
            f"unknown encoding {name!r}; examples: utf-8, windows-1252, mac-roman, utf-16, iso-8859-2", "encoding"
        ) from None
    return found.name


def found_encoding(path: Path, given: str | None) -> tuple[str | None, str]:
    """Return the encoding of a text file, None for UTF-8 or what its byte order mark says; and how it was found.

    A file that has valid characters of UTF-8 beyond ASCII is in UTF-8, even if some of its lines are damaged.
    """
    if given is not None:
        return check_encoding(given), ""
    if encoding(read_head(path)) != "utf-8":
        return None, ""
    foreign = b"" if _is_utf8(path) else _foreign_lines(path)
    if not foreign:
        return None, ""
    codec = next((name for name in _CANDIDATES if _is_western(foreign, name)), None) or _detected(foreign)
    if codec is None:
        return None, ""
    name = _CANDIDATES.get(codec, codec)
    return (
        codec,
        f"files that are not in UTF-8 but, as their content shows, in {name} (choose with the option encoding)",
    )


def _is_utf8(path: Path) -> bool:
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        with path.open("rb") as stream:
            while block := stream.read(_SAMPLE):
                decoder.decode(block)
            decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    except OSError as error:
        raise unreadable(error, path) from None
    return True


def _foreign_lines(path: Path) -> bytes:
    """Return the lines that are not in UTF-8, if no line shows that the file is."""
    found: list[bytes] = []
    size = 0
    try:
        with path.open("rb") as stream:
            for line in stream:
                if line.isascii():
                    continue
                try:
                    line.decode("utf-8")
                except UnicodeDecodeError:
                    if size < _SAMPLE:
                        found.append(line)
                        size += len(line)
                else:
                    return b""
    except OSError as error:
        raise unreadable(error, path) from None
    return b"".join(found)


def _is_western(text: bytes, codec: str) -> bool:
    """Whether text is plausible as words of Western Europe: letters with accents are within words, and not many."""
    try:
        decoded = text.decode(codec)
    except UnicodeDecodeError:
        return False
    strange = {letter for letter in decoded if not letter.isascii()}
    if not strange <= _WESTERN or _CAPITAL_INSIDE.search(decoded):
        return False
    words = [word for word in _WORD.findall(decoded) if not word.isascii()]
    letters = list(chain.from_iterable(words))
    return not words or (sum(letter.isascii() for letter in letters) > len(letters) / 2)


def _detected(text: bytes) -> str | None:
    from charset_normalizer import from_bytes

    n_foreign = sum(byte > 127 for byte in text)
    if len(text) < _ENOUGH or n_foreign < _FOREIGN:
        return None
    best = from_bytes(text).best()
    return None if best is None or best.encoding in ("ascii", "utf_8") else str(best.encoding)
