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
