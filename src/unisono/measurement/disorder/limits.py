"""Notes on what time was too short for: alignments that are not proven optimal, and sampling that ended early.

Numbers of single documents are arrays with one number per document, 0 where there is nothing to say.
"""

from __future__ import annotations

import numpy as np

from unisono.alignment.solution import relative_gap
from unisono.arrays import FloatArray
from unisono.measurement.disorder.document import DocumentColumns


def observed_gaps(columns: DocumentColumns) -> FloatArray:
    """Return the fraction by which the observed disorder of each document may exceed the minimum."""
    gaps = np.zeros(len(columns))
    for index in np.flatnonzero(columns.total > columns.bound).tolist():
        gaps[index] = relative_gap(columns.total.item(index), columns.bound.item(index))
    return gaps


def observed_note(gaps: FloatArray, together: float) -> str:
    """Say how far the observed disorder of all documents `together`, and of the worst, may be from the minimum."""
    n, worst = _affected(gaps)
    if len(gaps) == 1:
        return f"the observed disorder is proven to be within {together:.2%} of the minimum"
    proven = f"the observed disorder of all documents is proven to be within {together:.2%} of the minimum"
    if n == 1:
        return f"{proven}; 1 of {len(gaps):,} alignments is not proven optimal: it is within {worst:.2%} of its minimum"
    return f"{proven}; {n:,} of {len(gaps):,} alignments are not proven optimal; the worst is within {worst:.2%}"


def expected_note(gaps: FloatArray) -> str:
    """Say by how much the expected disorder of documents may be too high."""
    n, worst = _affected(gaps)
    if len(gaps) == 1:
        return f"the expected disorder may be up to {worst:.2%} too high"
    if n == 1:
        return f"the expected disorder of 1 of {len(gaps):,} documents may be up to {worst:.2%} too high"
    return (
        f"the expected disorder of {n:,} of {len(gaps):,} documents may be too high, in the worst case by up to "
        f"{worst:.2%}"
    )


def sampling_note(errors: FloatArray, precision: float) -> str:
    """Say how large the relative error of the expected disorder is where sampling ended before the precision."""
    n, worst = _affected(errors)
    which, whose, where = f" of {n:,} of {len(errors):,} documents", "the", " in the worst of them"
    if len(errors) == 1:
        which, where = "", ""
    elif n == 1:
        whose, where = "its", ""
    error = f"the relative error of {whose} expected disorder is up to {worst:.2%}{where}, instead of {precision:.2%}"
    return f"the time limit ended the sampling{which}: {error}"


def _affected(numbers: FloatArray) -> tuple[int, float]:
    """Return how many documents have a number, and the greatest."""
    return int(np.count_nonzero(numbers)), float(numbers.max(initial=0.0))
