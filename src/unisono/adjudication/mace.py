"""Which labels are true, and how often each annotator knows rather than guesses (Hovy et al. 2013), by EM.

References
----------
.. [1] Hovy, D., Berg-Kirkpatrick, T., Vaswani, A. & Hovy, E. (2013). Learning whom to trust with MACE. NAACL-HLT 2013,
       1120–1130.
"""

from __future__ import annotations

import numpy as np

from unisono.adjudication.truth import LEAST_PROBABILITY, Truth, shares, until_settled
from unisono.arrays import BoolArray, FloatArray, IntArray

_KNOWING = 0.5
_GUESSING = 0.1


def mace(labels: IntArray, n_labels: int, *, most_steps: int | None = None) -> Truth:
    """Estimate the probability of each label for each item, and how often each annotator knows the true one.

    `labels` has shape (n_items, n_annotators), with -1 where an annotator was not asked.
    Each annotator knows the label of an item with some probability, their competence; otherwise they guess, each label
    with some probability. Unlike in the paper, true labels have frequencies, which are estimated too: "no unit" is
    rarely as probable as every other label. Competence has the prior Beta(1.5, 1.5), guesses have a Dirichlet prior of
    1.1; the estimation starts with the mean share that each annotator's labels have.
    """
    asked = labels >= 0
    safe = np.where(asked, labels, 0)
    n_asked = asked.sum(axis=0)
    first = shares(labels, n_labels)
    knows = _given(first, safe, asked).sum(axis=0) / np.maximum(n_asked, 1)
    guesses = np.full((labels.shape[1], n_labels), 1 / n_labels)

    def step(probability: FloatArray) -> FloatArray:
        nonlocal knows, guesses
        knew = _given(probability, safe, asked) * knows / _right(knows, guesses, safe)
        knows = (knew.sum(axis=0) + _KNOWING) / (n_asked + 2 * _KNOWING)
        guesses = _guesses(np.where(asked, 1 - knew, 0.0), safe, n_labels)
        guessed = np.take_along_axis(guesses, safe.T, axis=1).T * (1 - knows)
        evidence = np.tile(np.log(np.maximum(probability.mean(axis=0), LEAST_PROBABILITY)), (len(labels), 1))
        for own, here, wrong, right in zip(safe.T, asked.T, guessed.T, (guessed + knows).T, strict=True):
            wrong, right = (
                np.log(np.maximum(wrong[here], LEAST_PROBABILITY)),
                np.log(np.maximum(right[here], LEAST_PROBABILITY)),
            )
            evidence[here] += wrong[:, np.newaxis]
            evidence[np.flatnonzero(here), own[here]] += right - wrong
        return evidence

    probability, settled = until_settled(step, first, most_steps)
    return Truth(probability, np.where(n_asked > 0, knows, np.nan), settled)


def _given(probability: FloatArray, labels: IntArray, asked: BoolArray) -> FloatArray:
    """Return the probability of the label that each annotator gave; 0 where they were not asked."""
    return np.where(asked, np.take_along_axis(probability, labels, axis=1), 0.0)


def _right(knows: FloatArray, guesses: FloatArray, labels: IntArray) -> FloatArray:
    """Return the probability of each annotator's label if it is the true one."""
    guessed = np.take_along_axis(guesses, labels.T, axis=1).T
    return np.asarray(np.maximum(knows + (1 - knows) * guessed, LEAST_PROBABILITY))


def _guesses(guessed: FloatArray, labels: IntArray, n_labels: int) -> FloatArray:
    """Estimate how often each annotator guesses each label."""
    counts = np.full((labels.shape[1], n_labels), _GUESSING)
    for annotator in range(labels.shape[1]):
        counts[annotator] += np.bincount(labels[:, annotator], weights=guessed[:, annotator], minlength=n_labels)
    return np.asarray(counts / counts.sum(axis=1, keepdims=True))
