"""References as they are written on the command line: generate(n_units=60,categories=[A:4,B:2],length=5-30)."""

from __future__ import annotations

import re
from inspect import signature
from typing import Any

from unisono.data import Corpus, Ratings
from unisono.errors import OptionError
from unisono.measurement.spec import Value, parse_spec
from unisono.shuffling.reference import generate

_RANGE = re.compile(r"(\d+)\s*(?:-|–|\.\.)\s*(\d+)")
_EXAMPLE = "generate(n_units=60,categories=[A:4,B:2],length=5-30,gap=0-30,overlap=0.2,n_documents=3)"


def is_generated(text: str) -> bool:
    """Whether a reference is to be generated, and not a file."""
    return text == "generate" or text.startswith("generate(")


def parse_reference(text: str, seed: int) -> Corpus | Ratings:
    """Generate the reference that is described."""
    _, given = parse_spec(text, "reference", _EXAMPLE)
    known = [name for name in signature(generate).parameters if name != "rng"]
    for name in given:
        if name not in known:
            raise OptionError(f"generate has no {name!r}; it has: {', '.join(known)}")
    options: dict[str, Any] = {name: _read(value) for name, value in given.items()}
    try:
        return generate(**options, rng=seed)
    except OptionError as error:
        raise OptionError(f"{text}: {error}; write e.g. {_EXAMPLE}") from None


def _read(value: Value) -> Any:
    """Read a number, a range such as 5-30, or values by name; anything else stays what it is."""
    if isinstance(value, dict):
        return {name: _read(one) for name, one in value.items()}
    if not isinstance(value, str):
        return value
    found = _RANGE.fullmatch(value.strip())
    if found is not None:
        return int(found[1]), int(found[2])
    try:
        return float(value) if set(value) & set(".eE") else int(value)
    except ValueError:
        return value
