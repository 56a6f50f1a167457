"""The keys that a study.toml may have, and what each of them holds."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from unisono.errors import DataError


class KeyKind(NamedTuple):
    """What a key holds: a description, whether a value fits, and how it is converted first."""

    description: str
    fits: Callable[[Any], bool]
    converted: Callable[[Any], Any] = lambda value: value


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


def _is_table(value: Any, of: Callable[[Any], bool] = lambda value: True) -> bool:
    return isinstance(value, dict) and all(map(of, value.values()))


def _is_range(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(type(one) in (int, float) for one in value)


def _as_list(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


def _as_lists(value: Any) -> Any:
    return {name: _as_list(one) for name, one in value.items()} if isinstance(value, dict) else value


_TEXT = KeyKind("text in quotation marks", _is_text)
_TEXTS = KeyKind('a list of texts, e.g. ["one", "two"]', _is_texts, _as_list)
_PAIRS = KeyKind('a table of texts, e.g. { name = "text" }', lambda value: _is_table(value, _is_text))
_SWITCH = KeyKind("true or false, without quotation marks", lambda value: isinstance(value, bool))
_RANGE = KeyKind("two numbers, e.g. [0, 5000]", _is_range)
_TABLE = KeyKind("a table", _is_table)
_GUIDELINES = KeyKind("tables, e.g. [guidelines.first] with path = ...", lambda value: _is_table(value, _is_table))
_GROUPS = KeyKind(
    'lists of annotators, e.g. students = ["anna", "bert"]', lambda value: _is_table(value, _is_texts), _as_lists
)

STUDY: Mapping[str, KeyKind] = {
    "title": _TEXT,
    "path": _TEXT,
    "pattern": _TEXT,
    "leave_out": _TEXTS,
    "measure": _TEXTS,
    "groups": _GROUPS,
    "guidelines": _GUIDELINES,
    "rename": _TABLE,
    "read": _TABLE,
    "prepare": _TABLE,
}
GUIDELINE: Mapping[str, KeyKind] = {
    "path": _TEXTS,
    "pattern": _TEXT,
    "groups": _GROUPS,
    "rename": _TABLE,
    "read": _TABLE,
    "prepare": _TABLE,
}
RENAME: Mapping[str, KeyKind] = {"documents": _PAIRS, "annotators": _PAIRS}
READ: Mapping[str, KeyKind] = {
    "format": _TEXT,
    "annotator_from": _TEXT,
    "options": _PAIRS,
    "columns": _PAIRS,
    "delimiter": _TEXT,
    "encoding": _TEXT,
    "decimal": _TEXT,
    "sheet": _TEXT,
    "units": _TEXT,
    "discontinuous": _TEXT,
    "continuum": _RANGE,
}
READ_ONE: Mapping[str, KeyKind] = {**READ, "worked": _TEXT}
"""Who worked on what differs between guidelines, so it is given for each of them."""
PREPARE: Mapping[str, KeyKind] = {
    "annotators": _TEXTS,
    "documents": _TEXTS,
    "layers": _TEXTS,
    "clean": _TEXTS,
    "missing": _TEXTS,
    "where": _TEXT,
    "features": _TEXTS,
    "join": _TEXTS,
    "positions": _TEXT,
    "adjacent": _SWITCH,
}


def load_toml(path: Path) -> dict[str, Any]:
    """Read a TOML file."""
    try:
        return tomllib.loads(path.read_bytes().decode("utf-8-sig"))
    except OSError as error:
        raise DataError(f"the file cannot be read ({error.strerror}); check the path", path=path) from None
    except UnicodeDecodeError:
        raise DataError("the file is not UTF-8; convert it to UTF-8", path=path) from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise DataError(f"this is not TOML ({error}); correct the file", path=path) from None


def check_table(given: Mapping[str, Any], keys: Mapping[str, KeyKind], what: str, path: Path) -> dict[str, Any]:
    """Check the keys of a table and their values; a text where a list is expected becomes a list."""
    found = {}
    for key, value in given.items():
        if key not in keys:
            raise DataError(f"{key!r} is unknown in {what}; there are: {', '.join(keys)}", path=path)
        found[key] = keys[key].converted(value)
        if not keys[key].fits(found[key]):
            raise DataError(f"{key} in {what} should be {keys[key].description}; correct it", path=path)
    return found
