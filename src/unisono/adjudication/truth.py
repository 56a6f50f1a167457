"""What models of annotators share: labels that are true with some probability, found step by step."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from unisono.arrays import FloatArray, IntArray

LEAST = 1e-10
"""The least probability that is reckoned with."""
_MOST_STEPS = 2000
_TOLERANCE = 1e-7


@dataclass(frozen=True, slots=True)
class Truth:
    """What is believed.

    Attributes
    ----------
    probability : float64 array, shape (n_items, n_labels)
        Of each label to be the true one.
    competence : float64 array, shape (n_annotators,)
        From 0 to 1; NaN for who was not asked.
    settled : bool
        Whether the probabilities stopped changing before there were too many steps.
    """

    probability: FloatArray
    competence: FloatArray
    settled: bool


def shares(labels: IntArray, n_labels: int) -> FloatArray:
    """Give the share that each label has of those given to an item, to begin with."""
    counts = np.zeros((len(labels), n_labels))
    for own in labels.T:
        asked = np.flatnonzero(own >= 0)
        counts[asked, own[asked]] += 1
    return np.asarray(counts / counts.sum(axis=1, keepdims=True))


def settle(
    step: Callable[[FloatArray], FloatArray], probability: FloatArray, most_steps: int | None = None
) -> tuple[FloatArray, bool]:
    """Repeat a step, from probabilities to the logarithms of new ones, until they change no more.

    Parameters
    ----------
    step : callable
        Estimates what annotators do, and from that, what is true.
    probability : float64 array, shape (n_items, n_labels)
        To begin with.
    most_steps : int, optional
        Stop after so many.

    Returns
    -------
    (float64 array, bool)
        The probabilities, and whether they changed no more.
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
