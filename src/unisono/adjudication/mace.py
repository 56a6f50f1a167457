"""Which labels are true, and how often each annotator knows rather than guesses (Hovy et al. 2013), by EM.

References
----------
.. [1] Hovy, D., Berg-Kirkpatrick, T., Vaswani, A. & Hovy, E. (2013). Learning whom to trust with MACE. NAACL-HLT 2013,
       1120–1130.
"""

from __future__ import annotations

import numpy as np

from unisono.adjudication.truth import LEAST, Truth, settle, shares
from unisono.arrays import BoolArray, FloatArray, IntArray

_KNOWING = 0.5
_GUESSING = 0.1


def mace(labels: IntArray, n_labels: int, *, most_steps: int | None = None) -> Truth:
    """Estimate how probable each label is for each item, and how often each annotator knows the true one.

    An annotator knows the label of an item with a probability of their own, their competence; otherwise they guess,
    each label with a probability of their own. Other than in the paper, true labels have frequencies, which are
    estimated too: that there is no unit is seldom as probable as any label. Competence has the prior Beta(1.5, 1.5),
    guesses have a Dirichlet prior of 1.1; annotators begin with the mean share that their labels have.

    Parameters
    ----------
    labels : int64 array, shape (n_items, n_annotators)
        The label that each annotator gave; -1 where they were not asked.
    n_labels : int
        Number of labels.
    most_steps : int, optional
        Stop after so many steps.
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
        evidence = np.tile(np.log(np.maximum(probability.mean(axis=0), LEAST)), (len(labels), 1))
        for own, here, wrong, right in zip(safe.T, asked.T, guessed.T, (guessed + knows).T, strict=True):
            wrong, right = np.log(np.maximum(wrong[here], LEAST)), np.log(np.maximum(right[here], LEAST))
            evidence[here] += wrong[:, np.newaxis]
            evidence[np.flatnonzero(here), own[here]] += right - wrong
        return evidence

    probability, settled = settle(step, first, most_steps)
    return Truth(probability, np.where(n_asked > 0, knows, np.nan), settled)


def _given(probability: FloatArray, labels: IntArray, asked: BoolArray) -> FloatArray:
    """Give how probable the label is that each annotator gave, 0 where they were not asked."""
    return np.where(asked, np.take_along_axis(probability, labels, axis=1), 0.0)


def _right(knows: FloatArray, guesses: FloatArray, labels: IntArray) -> FloatArray:
    """Give how probable each annotator's label is when it is the true one."""
    guessed = np.take_along_axis(guesses, labels.T, axis=1).T
    return np.asarray(np.maximum(knows + (1 - knows) * guessed, LEAST))


def _guesses(guessed: FloatArray, labels: IntArray, n_labels: int) -> FloatArray:
    """Estimate what each annotator guesses."""
    counts = np.full((labels.shape[1], n_labels), _GUESSING)
    for annotator in range(labels.shape[1]):
        counts[annotator] += np.bincount(labels[:, annotator], weights=guessed[:, annotator], minlength=n_labels)
    return np.asarray(counts / counts.sum(axis=1, keepdims=True))
