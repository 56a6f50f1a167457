"""Values deep in nested JSON, by paths such as ``reviews[].worker_id`` or ``questions.*.label``.

Names are separated by points. ``[]`` goes through a list and ``*`` through all values of an object; rows are what the
innermost of these goes through. A backslash before a point makes it part of a name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from unisono.errors import DataError, OptionError
from unisono.formats.json_reading import shown_json

_STEP = re.compile(r"(?:[^.\[\]\\]|\\.)+|\[\]")
_EACH = ("[]", "*")


def is_path(name: str) -> bool:
    """Whether a user means a place in nested JSON, not the name of a column."""
    return "[]" in name or "*" in name.split(".") or "." in name


def nested_rows(record: Any, paths: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """Iterate over the rows of a record: the values at the paths, by our names.

    An item that is further outside than what is gone through is named with the keys in between, so that two items of
    one record are different.
    """
    steps = {ours: _steps(path) for ours, path in paths.items()}
    each = {ours: _through(own) for ours, own in steps.items()}
    deepest = max(each.values(), key=len)
    for ours, own in each.items():
        if own != deepest[: len(own)]:
            raise OptionError(f"{paths[ours]!r} does not go through the same lists as the others", "columns")
    for keys in _places(record, deepest, ()):
        row = {ours: _value(record, own, keys) for ours, own in steps.items()}
        between = keys[len(each["item"]) : -1] if "item" in each else ()
        if between and row.get("item") is not None:
            row["item"] = " ".join(map(str, (row["item"], *between)))
        yield row


def _steps(path: str) -> list[str]:
    steps = [step if step == "[]" else re.sub(r"\\(.)", r"\1", step) for step in _STEP.findall(path)]
    if not steps:
        raise OptionError(f"{path!r} is not a path; write names separated by points, and [] for lists", "columns")
    return steps


def _through(steps: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """Return what a path goes through: the steps up to each list or object."""
    return tuple(tuple(steps[: place + 1]) for place, step in enumerate(steps) if step in _EACH)


def _places(record: Any, through: Sequence[Sequence[str]], keys: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    if len(keys) == len(through):
        yield keys
        return
    container = _value(record, through[len(keys)][:-1], keys)
    if container is None:
        return
    wanted = list if through[len(keys)][-1] == "[]" else dict
    if not isinstance(container, wanted):
        kind = "a list" if wanted is list else "an object"
        path = ".".join(through[len(keys)][:-1]).replace(".[]", "[]")
        raise DataError(f"at {path!r} there should be {kind}, not {shown_json(container)}")
    for key in range(len(container)) if isinstance(container, list) else container:
        yield from _places(record, through, (*keys, key))


def _value(record: Any, steps: Sequence[str], keys: Sequence[Any]) -> Any:
    """Return what is at the end of a path, None if nothing is; `keys` are taken for what the path goes through."""
    value, left = record, iter(keys)
    for step in steps:
        key = next(left) if step in _EACH else step
        try:
            value = value[key]
        except (KeyError, IndexError, TypeError):
            return None
    return value
