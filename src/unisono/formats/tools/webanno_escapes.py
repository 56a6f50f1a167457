"""How WebAnno TSV 3 escapes characters that have a meaning there."""

from __future__ import annotations

import re

_IN_LABEL = re.compile(r"\\(\\|\[|\]|\||_|->|;|t|n|\*)")
_IN_TEXT = re.compile(r"\\([tnfrb\\\x01-\x07\x0e-\x1f])")
_JAVA = re.compile(r"\\(?:u+([0-9a-fA-F]{4})|([0-3]?[0-7]{1,2})|([btnfr\"'/\\]))")
_MEANING = {"t": "\t", "n": "\n", "f": "\f", "r": "\r", "b": "\b"}
_SPECIAL = re.compile(r"->|[\\\[\]|_;*\t\n]")
_SPECIAL_IN_TEXT = re.compile(r"[\\\t\n\r\f\x08]")
_PIECE = re.compile(r"\\.|[^\\]|\\$", re.DOTALL)
_NUMBERED = re.compile(r"((?:[^\\]|\\.)*)\[(\d{1,9})\]", re.DOTALL)


def in_label(value: str) -> str:
    """Return a label without escapes."""
    return _IN_LABEL.sub(_meant, value) if "\\" in value else value


def in_text(text: str, version: tuple[int, int]) -> str:
    """Return a line of the text without escapes."""
    if "\\" not in text:
        return text
    if version >= (3, 2):
        return _IN_TEXT.sub(_meant, text)
    units = _JAVA.sub(_meant_in_java, text)  # half a character each, if it is one beyond 16 bits
    return units.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def escaped_label(value: str) -> str:
    """Return a label as it is written."""
    return _SPECIAL.sub(_escape, value)


def escaped_text(text: str) -> str:
    """Return a line of the text, or a token, as it is written."""
    return _SPECIAL_IN_TEXT.sub(_escape, text)


def split_unescaped(value: str, mark: str) -> list[str]:
    """Split at a mark, unless it is escaped."""
    if "\\" not in value:
        return value.split(mark)
    parts: list[list[str]] = [[]]
    for piece in _PIECE.findall(value):
        if piece == mark:
            parts.append([])
        else:
            parts[-1].append(piece)
    return ["".join(part) for part in parts]


def without_number(value: str) -> tuple[str, str | None]:
    """Return a value without the number in brackets after it, and the number."""
    match = _NUMBERED.fullmatch(value) if value.endswith("]") else None
    return (value, None) if match is None else (match[1], match[2])


def _escape(match: re.Match[str]) -> str:
    letters = {meaning: letter for letter, meaning in _MEANING.items()}
    return "\\" + letters.get(match[0], match[0])


def _meant(match: re.Match[str]) -> str:
    return _MEANING.get(match[1], match[1])


def _meant_in_java(match: re.Match[str]) -> str:
    if match[1]:
        return chr(int(match[1], 16))
    return chr(int(match[2], 8)) if match[2] else _MEANING.get(match[3], match[3])
