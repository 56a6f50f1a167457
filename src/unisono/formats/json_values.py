"""What values of JSON are, and how they are shown in messages."""

from __future__ import annotations

import json
import math
from typing import Any, TypeGuard

_LARGEST = 2**53


def is_number(value: Any) -> TypeGuard[int | float]:
    """Tell whether a value is a finite number, not larger than any that can be counted with."""
    if isinstance(value, float):
        return math.isfinite(value)
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= _LARGEST


def shown(value: Any) -> str:
    """Show a value in a message."""
    try:
        text = json.dumps(value, ensure_ascii=False)
    except ValueError:
        text = "a very large number"
    return text if len(text) <= 60 else text[:59] + "…"


def adding_text(document: str, annotator: str) -> str:
    """Say how a text can be added to data that has none: in a file of JSON lines."""
    line = json.dumps({"document": document, "annotator": annotator, "text": "…"}, ensure_ascii=False)
    return f"name a .jsonl file with the texts as well, with a line such as {line} for each document"
