"""Checks of what users pass to `read`, `write` and `from_frame`: a wrong type is an OptionError."""

from __future__ import annotations

import os
from collections.abc import Mapping
from math import isfinite
from pathlib import Path
from typing import Any

from unisono.checks import list_of
from unisono.data.corpus import Bounds
from unisono.errors import OptionError


def check_path(value: Any, name: str) -> Path:
    """Return a path."""
    if not isinstance(value, str | os.PathLike) or not isinstance(path := os.fspath(value), str) or not path:
        raise OptionError(f"expected a path, not {_shown(value)}", name)
    return Path(path)


def check_paths(value: Any, name: str) -> list[Path]:
    """Return one or more paths."""
    if isinstance(value, str | os.PathLike):
        return [check_path(value, name)]
    if hasattr(value, "columns"):
        raise OptionError("expected a path, not a data frame; use from_frame for that", name)
    several = None if isinstance(value, bytes | Mapping) else list_of(value)
    if several is None:
        raise OptionError(f"expected a path or several paths, not {_shown(value)}", name)
    paths = [check_path(one, name) for one in several]
    if not paths:
        raise OptionError("expected at least one path", name)
    return paths


def check_words(value: Any, name: str, example: Mapping[str, str]) -> dict[str, str]:
    """Return a mapping from texts to texts, empty for None."""
    if value is None:
        return {}
    if not isinstance(value, Mapping) or not all(isinstance(word, str) for pair in value.items() for word in pair):
        raise OptionError(f"expected a mapping from names to names, e.g. {dict(example)}, not {_shown(value)}", name)
    return dict(value)


def check_continuum(value: Any) -> Bounds | None:
    """Return where every continuum begins and ends, None for None."""
    if value is None:
        return None
    try:
        low, high = (float(one) for one in value)
    except (TypeError, ValueError, OverflowError):
        low = high = float("nan")
    if isinstance(value, str | bytes) or not (isfinite(low) and isfinite(high)):
        raise OptionError(f"expected two numbers, where it begins and ends, not {_shown(value)}", "continuum")
    if low > high:
        raise OptionError(f"it ends ({high:g}) before it begins ({low:g})", "continuum")
    return low, high


def check_sheet(value: Any) -> str:
    """Return the name or the number of a sheet as text."""
    if isinstance(value, bool) or not isinstance(value, str | int) or not str(value).strip():
        raise OptionError(f"expected the name or the number of a sheet, not {_shown(value)}", "sheet")
    return str(value)


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:60]}… ({type(value).__name__})"
