"""What models of annotators share: the probabilities of true labels, estimated step by step."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from unisono.arrays import FloatArray, IntArray

LEAST_PROBABILITY = 1e-10
"""No probability is assumed to be smaller."""
_MOST_STEPS = 2000
_TOLERANCE = 1e-7


@dataclass(frozen=True, slots=True)
class Truth:
    """What is estimated."""

    probability: FloatArray  # shape (n_items, n_labels): that each label is the true one
    competence: FloatArray  # shape (n_annotators,): from 0 to 1; NaN for annotators who were not asked
    settled: bool  # whether the probabilities stopped changing before the maximum number of steps


def shares(labels: IntArray, n_labels: int) -> FloatArray:
    """Return each label's share of those that an item was given, as a start."""
    counts = np.zeros((len(labels), n_labels))
    for own in labels.T:
        asked = np.flatnonzero(own >= 0)
        counts[asked, own[asked]] += 1
    return np.asarray(counts / counts.sum(axis=1, keepdims=True))


def until_settled(
    step: Callable[[FloatArray], FloatArray], probability: FloatArray, most_steps: int | None = None
) -> tuple[FloatArray, bool]:
    """Repeat a step, from probabilities to the logarithms of new ones, until they stop changing.

    Returns the probabilities, shape (n_items, n_labels), and whether they stopped changing.
    """
    if not len(probability):
        return probability, True
    for _ in range(_MOST_STEPS if most_steps is None else most_steps):
        evidence = step(probability)
        new = np.exp(evidence - evidence.max(axis=1, keepdims=True))
        new /= new.sum(axis=1, keepdims=True)
        change = float(np.abs(new - probability).max())
        probability = new
        if change < _TOLERANCE:
            return probability, True
    return probability, False
