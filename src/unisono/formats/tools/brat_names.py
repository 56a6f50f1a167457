"""Names that brat, or a file system, accepts, for names that it does not."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import TypeVar

from unisono.errors import listed

BREAKS = re.compile("[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]+")
"""Line breaks, for brat."""

_Key = TypeVar("_Key", bound=Hashable)

_NOT_IN_A_NAME = re.compile(r"[^A-Za-z0-9_-]")
_NOT_IN_A_VALUE = re.compile(r"[\s,|\x00-\x1f\x7f-\x9f\ud800-\udfff\ufeff]")
_NOT_IN_A_FILE_NAME = re.compile(r'[/\\:*?"<>|\s\x00-\x1f\x7f-\x9f\ud800-\udfff\ufeff]')
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\..*)?", re.IGNORECASE)
_LONGEST_FILE_NAME = 150


def name(text: str) -> str:
    """Make a name of a type or an attribute: letters, digits, ``_`` and ``-``, without accents."""
    bare = "".join(letter for letter in unicodedata.normalize("NFKD", text) if not unicodedata.combining(letter))
    cleaned = _NOT_IN_A_NAME.sub("_", bare)
    return cleaned if cleaned.strip("-") else f"_{cleaned}"


def value(text: str) -> str:
    """Make a value of an attribute: no white space, comma or bar."""
    return _NOT_IN_A_VALUE.sub("_", text) or "_"


def file_name(text: str) -> str:
    """Make a name of a file or folder that works on every system, is not hidden and does not lead elsewhere."""
    cleaned = re.sub(r"^\.|\.$", "_", _NOT_IN_A_FILE_NAME.sub("_", text)) or "_"
    while len(cleaned.encode()) > _LONGEST_FILE_NAME:
        cleaned = cleaned[: max(1, len(cleaned) * _LONGEST_FILE_NAME // len(cleaned.encode()))]
    return f"_{cleaned}" if _RESERVED.fullmatch(cleaned) else cleaned


def distinct(
    texts: Mapping[_Key, str],
    clean: Callable[[str], str],
    *,
    taken: Iterable[str] = (),
    same: Callable[[str], str] = str,
) -> dict[_Key, str]:
    """Make a distinct name for each text; texts that are names already keep theirs.

    `clean` makes a name; those in `taken` must not be used; names for which `same` returns the same are the same.
    """
    used = {same(own) for own in taken}
    names: dict[_Key, str] = {}
    tails: dict[str, int] = {}
    for key, text in sorted(texts.items(), key=lambda item: clean(item[1]) != item[1]):
        wanted = free = clean(text)
        while same(free) in used:
            tails[wanted] = tails.get(wanted, 1) + 1
            free = f"{wanted}-{tails[wanted]}"
        used.add(same(free))
        names[key] = free
    return names


def caseless(text: str) -> str:
    """Return what file systems that ignore case compare."""
    return unicodedata.normalize("NFC", text).casefold()


def renamed(what: str, texts: Mapping[_Key, str], names: Mapping[_Key, str], tool: str = "brat") -> list[str]:
    """Say what is written differently, if anything."""
    changed = [f"{text!r} as {names[key]}" for key, text in texts.items() if names[key] != text]
    why = f"{tool} does not accept these {what}, so they are written differently"
    return [f"{why}: {listed(changed)}"] if changed else []
