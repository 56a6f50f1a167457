"""JSON: whole files, and files with one value per line; how messages show its values."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NoReturn, TextIO, TypeGuard

from unisono.data import Label
from unisono.data.spans import EXACT
from unisono.errors import DataError
from unisono.formats.files import HEAD, NOT_UTF8, Bad, encoding, head_text, read_head, reject_binary, text_lines

_LONGEST_LINE = 2**28
_LONGEST_FIRST = 2**24
_OBJECT = re.compile(r"\[?\s*(\{)")
_BLOCK = 2**20
_ESCAPED_COLON = "\\u003"  # U+003A is the colon
_SPACE = re.compile(r"[ \t\n\r]*")


def load_json(path: Path) -> Any:
    """Read a file that is one JSON value."""
    head = read_head(path)
    reject_binary(head, path)
    try:
        text = path.read_bytes().decode(encoding(head))
    except UnicodeDecodeError:
        raise DataError(NOT_UTF8, path=path) from None
    return parse_json(text, path)


def json_elements(path: Path, *, several: bool = False) -> Iterator[Any]:
    """Iterate over the values in a file that is one list, few of them in memory.

    Any other value is the only one; or `several` may follow one another.
    """
    head = read_head(path)
    reject_binary(head, path)
    try:
        with path.open(encoding=encoding(head), newline="") as stream:
            yield from _Window(stream, path).elements(several=several)
    except UnicodeError:
        raise DataError(NOT_UTF8, path=path) from None


class _Window:
    """The part of a JSON text that is being parsed."""

    def __init__(self, stream: TextIO, path: Path) -> None:
        self._stream, self._path = stream, path
        self._decoder = json.JSONDecoder()
        self._text, self._at, self._lines_before, self._ended = "", 0, 0, False

    def elements(self, *, several: bool = False) -> Iterator[Any]:
        """Iterate over the elements of a list, or over other values."""
        if self._next() == "[":
            self._at += 1
            if self._next() != "]":
                yield self._value()
                while self._next() == ",":
                    self._at += 1
                    self._next()
                    yield self._value()
            if self._next() != "]":
                raise self._error("Expecting ',' delimiter", self._at)
            self._at += 1
        else:
            yield self._value()
            while several and self._next():
                yield self._value()
        if self._next():
            raise self._error("Extra data", self._at)

    def _next(self) -> str:
        """Skip white space; return the next character, or nothing at the end."""
        while True:
            found = _SPACE.match(self._text, self._at)
            self._at = found.end() if found else self._at
            if self._at < len(self._text) or self._ended:
                return self._text[self._at : self._at + 1]
            self._read_on()

    def _value(self) -> Any:
        """Parse the value that begins here, and read on while it may be incomplete."""
        while True:
            try:
                value, end = self._decoder.raw_decode(self._text, self._at)
            except RecursionError:
                raise self._error("nested too deeply", self._at) from None
            except ValueError as error:
                if self._ended:
                    place = getattr(error, "pos", self._at)
                    raise self._error(getattr(error, "msg", None) or str(error), place) from None
            else:
                if self._ended or self._text[end : end + 4].strip("0123456789.eE+-"):  # a number may go on
                    self._at = end
                    return value
            self._read_on()

    def _read_on(self) -> None:
        """Forget what was parsed and read more: at least as much as is left, so a long value is parsed few times."""
        self._lines_before += self._text.count("\n", 0, self._at)
        left = self._text[self._at :]
        block = self._stream.read(max(_BLOCK, len(left)))
        self._text, self._at, self._ended = left + block, 0, not block

    def _error(self, reason: str, place: int) -> DataError:
        line = self._lines_before + self._text.count("\n", 0, place) + 1
        return _not_json(reason, self._path, line)


def _not_json(reason: str, path: Path, line: int | None) -> DataError:
    return DataError(f"this is not JSON ({reason}); check that the file is complete", path=path, line=line)


def parse_json(
    text: str,
    path: Path,
    line: int | None = None,
    *,
    strict: bool = False,
    colons: Callable[[Any], int] | None = None,
) -> Any:
    """Parse what is in a file, or on one of its lines.

    If strict, repeated keys and numbers such as NaN are rejected. `colons` does the same, faster for usual values: it
    counts the colons that a value needs, one after each key, and those in its texts, as far as it knows them.
    """
    text = text.removeprefix("\ufeff")
    try:
        if colons is not None and _ESCAPED_COLON not in text:
            value = _FINITE.decode(text)
            if colons(value) == text.count(":"):
                return value  # a key that was repeated would have had one more
        return (_STRICT if strict or colons else _USUAL).decode(text)
    except RecursionError:
        reason, at = "nested too deeply", line
    except ValueError as error:
        reason, at = _reason(error), line or getattr(error, "lineno", None)
    if line is None:
        raise _not_json(reason, path, at)
    raise DataError(f"this is not JSON on one line ({reason}); write one object per line", path=path, line=at)


def _reason(error: ValueError) -> str:
    """Return what is wrong, without the end of a sentence that goes on with a place in the text."""
    reason: str = getattr(error, "msg", None) or str(error)
    return reason.removesuffix(" at").removesuffix(" starting")


def json_lines(
    path: Path, bad: Bad | None = None, *, colons: Callable[[Any], int] | None = None, part: bytes | None = None
) -> Iterator[tuple[int, Any]]:
    """Iterate over the values in a file with one per line, each with its line; `bad` takes errors of single lines.

    With `colons`, which is explained in `parse_json`, repeated keys are rejected. `part` is some of the file's bytes,
    to be read instead of all; its lines are counted from 1.
    """
    for line, text in enumerate(text_lines(path, _LONGEST_LINE, bad, part=part), start=1):
        if text.strip().strip("\ufeff"):
            try:
                value = parse_json(text, path, line, colons=colons)
            except DataError as error:
                if bad is None:
                    raise
                bad(error)
            else:
                yield line, value


def json_records(path: Path, bad: Bad | None) -> Iterator[tuple[int | None, Any]]:
    """Iterate over the values in a file, one per line or in one list, each with its line, if known.

    Values may also be one after another over several lines each, as programs print them for people.
    """
    begin = _begin(read_head(path))
    if begin.startswith("[") or _is_spread(begin):
        yield from ((None, one) for one in json_elements(path, several=True))
    else:
        yield from json_lines(path, bad)


def first_record(head: bytes, path: Path) -> dict[str, Any]:
    """Return the first object of a file whose first bytes are given; an empty one if there is none."""
    found = _first(_begin(head))
    if found is None and len(head) >= HEAD:
        with path.open("rb") as stream:
            found = _first(_begin(stream.read(_LONGEST_FIRST)))
    return found or {}


def as_object(value: Any) -> dict[str, Any]:
    """Return an object as it is, and an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def as_list(value: Any) -> list[Any]:
    """Return a list as it is, and an empty one for anything else."""
    return value if isinstance(value, list) else []


def is_number(value: Any, largest: float = EXACT) -> TypeGuard[int | float]:
    """Whether a value is a finite number, and not too large."""
    if isinstance(value, float):
        return math.isfinite(value)
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= largest


def given_label(value: Any, what: str) -> Label | None:
    """Return a value as a label, None if there is none; `what` names it in the error."""
    if value is None or value == "":
        return None
    if isinstance(value, str | bool) or is_number(value):
        return value
    raise DataError(f"{what} is {shown_json(value)}, which cannot be a label")


def joined_text(value: Any) -> str | None:
    """Return a text; of an object with several, each with its name."""
    if isinstance(value, dict):
        return "\n".join(f"{name}: {part}" for name, part in value.items())
    return value if isinstance(value, str) else None


def shown_json(value: Any) -> str:
    """Show a value in a message."""
    try:
        text = json.dumps(value, ensure_ascii=False)
    except ValueError:
        text = "a very large number"
    return text if len(text) <= 60 else text[:59] + "…"


def _begin(head: bytes) -> str:
    return head_text(head).removeprefix("\ufeff").lstrip()


def _is_spread(begin: str) -> bool:
    """Whether a first value goes on below its first line."""
    line = begin.partition("\n")[0].strip()
    return line == "{" or (line.startswith("{") and line.endswith(",") and bool(_first(begin)))


def _first(begin: str) -> dict[str, Any] | None:
    match = _OBJECT.match(begin)
    if match is None:
        return {}
    try:
        found, _ = json.JSONDecoder().raw_decode(begin, match.start(1))
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else {}


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"the key {next(key for key in made if keys.count(key) > 1)!r} occurs twice in one object")
    return made


def _reject_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number in JSON")


_USUAL = json.JSONDecoder()
_FINITE = json.JSONDecoder(parse_constant=_reject_constant)
_STRICT = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_reject_constant)
