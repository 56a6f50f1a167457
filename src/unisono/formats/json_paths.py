"""Values deep in nested JSON, by paths such as ``reviews[].worker_id`` or ``questions.*.label``.

Names are separated by points. ``[]`` goes through a list and ``*`` through all values of an object; rows are what the
innermost of these goes through. A backslash before a point makes it part of a name. If labels are the values of an
object and no path leads to annotators, they are its keys: ``{"labels": {"anna": "x", "bert": "y"}}``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from unisono.errors import DataError, OptionError
from unisono.formats.json_reading import shown_json

_STEP = re.compile(r"(?:[^.\[\]\\]|\\.)+|\[\]")
_EACH = ("[]", "*")
_DEEPEST = 6


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
    keyed = "annotator" not in steps and steps.get("label", [""])[-1] == "*"
    for keys in _places(record, deepest, ()):
        row = {ours: _value(record, own, keys) for ours, own in steps.items()}
        if keyed:
            row["annotator"] = str(keys[-1])
        between = keys[len(each["item"]) : -1] if "item" in each else ()
        if between and row.get("item") is not None:
            row["item"] = " ".join(map(str, (row["item"], *between)))
        yield row


def suggested_paths(record: Any) -> dict[str, str]:
    """Return paths to columns that a record might have, as an example; nothing if nothing in it is nested."""
    prefix, inner, item = "", record, ""
    for _ in range(_DEEPEST):
        if prefix.endswith("[].") and len(_flat(inner)) > 1:
            break
        if _are_alike(inner):
            prefix, inner = f"{prefix}*.", next(iter(inner.values()))
            continue
        item = item or next((f"{prefix}{key}" for key in _flat(inner)), "")
        name = next((name for name, value in _fields(inner).items() if is_nested(value)), None)
        if name is None:
            break
        prefix, inner = prefix + name.replace(".", r"\."), inner[name]
        prefix, inner = (f"{prefix}[].", inner[0]) if isinstance(inner, list) else (f"{prefix}.", inner)
    found = _flat(inner)
    if not item or not found or "." not in prefix:
        return {}
    if not prefix.endswith("[]."):
        return {"item": item, "label": f"{prefix}*"}
    return {"item": item, "annotator": prefix + found[0], "label": prefix + found[-1]}


def is_nested(value: Any) -> bool:
    """Whether there are objects in a value."""
    return bool(value) and (isinstance(value, dict) or (isinstance(value, list) and isinstance(value[0], dict)))


def _fields(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _flat(value: Any) -> list[str]:
    return [key for key, one in _fields(value).items() if not isinstance(one, list | dict)]


def _are_alike(value: Any) -> bool:
    """Whether the values of an object are objects with the same keys, so that its own keys are names."""
    found = list(_fields(value).values())
    return len(found) > 1 and all(isinstance(one, dict) and one.keys() == found[0].keys() for one in found)


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
