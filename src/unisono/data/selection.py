"""Which annotators and documents are kept, and how data remembers what was done to it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from typing import TypeAlias

import numpy as np

from unisono.arrays import BoolArray
from unisono.errors import DataError, listed

Steps: TypeAlias = tuple[tuple[str, str], ...]
"""What was done to data before it was measured: (step, how), in order."""

_MOST_NAMES = 8


def kept(names: Sequence[str], wanted: Iterable[str] | None, what: str) -> BoolArray:
    """Whether each name is wanted; all are, if none is given."""
    if wanted is None:
        return np.ones(len(names), dtype=np.bool_)
    chosen = {wanted} if isinstance(wanted, str) else set(wanted)
    unknown = sorted(map(str, chosen - set(names)))
    if unknown:
        raise DataError(f"unknown {what} {unknown[0]!r}; available: {listed(names)}")
    return np.array([name in chosen for name in names], dtype=np.bool_)


def noted(steps: Steps, step: str, how: str) -> Steps:
    """Add a step; if it was done before, only the latest is kept."""
    return (*((name, before) for name, before in steps if name != step), (step, how))


def chosen(steps: Steps, step: str, names: Sequence[str], keep: BoolArray) -> Steps:
    """Note which annotators or documents were chosen; nothing if all were."""
    if keep.all():
        return steps
    some = sorted(name for name, stays in zip(names, keep.tolist(), strict=True) if stays)
    if len(some) <= _MOST_NAMES:
        return noted(steps, step, ",".join(map(_quoted, some)))
    digest = hashlib.sha256("\n".join(some).encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return noted(steps, step, f"{len(some)} of {len(names)} ({digest})")


def _quoted(name: str) -> str:
    """Quote a name that has a separator in it."""
    return json.dumps(name, ensure_ascii=False) if any(mark in name for mark in ',;=|"') else name
