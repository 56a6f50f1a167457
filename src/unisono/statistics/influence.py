"""The document that a value depends on most, and whether that is more than the value is uncertain without it.

A document stands out if leaving it out moves the value by more than the standard error (jackknife) of the value without
it. Leaving one of n similar documents out moves a mean by about σ/n, and its standard error is about σ/√n, so that a
document has to be some √n standard deviations away from the others: in regression, the same rule is that |DFFITS|
exceeds 1 (Belsley, Kuh & Welsch 1980).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unisono.arrays import FloatArray
from unisono.statistics.jackknife import Divisible

_FEWEST = 4
"""Without one of them, three are left, which show at least roughly how much documents vary."""
MOST_DOCUMENTS = 200
"""Of more documents, none is as far away from the others."""
_WORTH_A_LOOK = 0.6
"""Let s be the standard error of all documents. One that stands out moves the value by about s/√2 or more, so documents
with a smaller influence need not be looked at."""
_ROUNDING = 1e-12


@dataclass(frozen=True)
class Influential:
    """A document, the value without it, and by how many standard errors of that value it moves the value."""

    document: str
    without: float
    ratio: float


def influential_document(parts: Divisible) -> Influential | None:
    """Return the document that stands out, if any does."""
    names = list(parts.documents())
    if not _FEWEST <= len(names) <= MOST_DOCUMENTS:
        return None
    whole = parts.leave_out([[name] for name in names])
    moved = np.abs(whole.without - whole.error)
    if not np.isfinite(moved).all() or moved.max() <= _ROUNDING:
        return None
    most = int(moved.argmax())
    if moved[most] < _WORTH_A_LOOK * _standard_error(whole.without):
        return None
    # one by one, since a document must not be in two groups
    left = [parts.leave_out([[names[most], name]]).without[0] for name in names if name != names[most]]
    error = _standard_error(np.array(left))
    if not error > _ROUNDING or moved[most] <= error:
        return None
    without = float(whole.without[most])
    return Influential(names[most], 1 - without if whole.scale.agreement else without, float(moved[most]) / error)


def _standard_error(without: FloatArray) -> float:
    """Return the standard error of a value that is so much without each of its parts; NaN if one of them is."""
    n = len(without)
    return float(np.sqrt((n - 1) / n * np.square(without - without.mean()).sum()))
