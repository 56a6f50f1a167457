"""References as they are written on the command line: generate(n_units=60,categories=[A:4,B:2],length=5-30)."""

from __future__ import annotations

import re
from typing import Any

from unisono.data import Corpus
from unisono.errors import OptionError
from unisono.measurement.spec import Value, parse
from unisono.shuffling.reference import generate

_RANGE = re.compile(r"(\d+)\s*(?:-|–|\.\.)\s*(\d+)")


def is_generated(text: str) -> bool:
    """Whether a reference is to be generated, and not a file."""
    return text == "generate" or text.startswith("generate(")


def parse_reference(text: str, seed: int) -> Corpus:
    """Generate the reference that is described."""
    _, given = parse(text, "reference", "generate(n_units=60,categories=[A:4,B:2],length=5-30,gap=0-30)")
    options: dict[str, Any] = {}
    for name, value in given.items():
        if name not in _READ:
            raise OptionError(f"generate has no {name!r}; it has: {', '.join(_READ)}")
        try:
            options[name] = _READ[name](value)
        except (ValueError, TypeError, AttributeError):
            raise OptionError(f"generate: {name}={value} is invalid; write {_EXAMPLES[name]}") from None
    return generate(**options, rng=seed)


def _count(value: Value) -> int:
    return int(str(value))


def _range(value: Value) -> tuple[float, float]:
    """Read 5-30, or 12 for always the same."""
    found = _RANGE.fullmatch(str(value).strip())
    if found is not None:
        return float(found[1]), float(found[2])
    return float(str(value)), float(str(value))


def _lengths(value: Value) -> Any:
    return {name: _range(one) for name, one in value.items()} if isinstance(value, dict) else _range(value)


def _categories(value: Value) -> Any:
    if isinstance(value, dict):
        return {name: float(str(share)) for name, share in value.items()}
    return [str(name) for name in value] if isinstance(value, list) else int(str(value))


def _share(value: Value) -> float:
    return float(str(value))


_READ = {
    "n_units": _count,
    "categories": _categories,
    "length": _lengths,
    "gap": _range,
    "overlap": _share,
    "n_documents": _count,
}
_EXAMPLES = {
    "n_units": "n_units=60",
    "categories": "categories=4, or with prevalences categories=[A:4,B:2,C:1]",
    "length": "length=5-30, or by category length=[A:5-10,B:20-40]",
    "gap": "gap=0-30; gap=0 covers the continuum completely",
    "overlap": "overlap=0.2",
    "n_documents": "n_documents=3",
}
