"""Which labels are true, and how each annotator confuses them (Dawid & Skene 1979), by expectation maximization.

References
----------
.. [1] Dawid, A. P. & Skene, A. M. (1979). Maximum likelihood estimation of observer error-rates using the EM algorithm.
       Applied Statistics 28(1), 20–28.
"""

from __future__ import annotations

import numpy as np

from unisono.adjudication.truth import LEAST_PROBABILITY, Truth, shares, until_settled
from unisono.arrays import FloatArray, IntArray

SMOOTHING = 0.1
DIAGONAL = 1.0


def dawid_skene(
    labels: IntArray,
    n_labels: int,
    *,
    smoothing: float = SMOOTHING,
    diagonal: float = DIAGONAL,
    most_steps: int | None = None,
) -> Truth:
    """Estimate the probability of each label for each item, and how often each annotator gives the true one.

    `labels` has shape (n_items, n_annotators), with -1 where an annotator was not asked.
    `smoothing` is added to all counts, and `diagonal` to those of correct labels: with few items, an annotator is
    assumed to be right rather than to make a systematic confusion that was seen once. 0 and 0 is as in the paper.
    """
    prior_counts = np.full((n_labels, n_labels), smoothing) + diagonal * np.eye(n_labels)

    def step(probability: FloatArray) -> FloatArray:
        confusions = [_confusions(own, probability, prior_counts) for own in labels.T]
        frequency = probability.mean(axis=0)
        evidence = np.tile(np.log(np.maximum(frequency, LEAST_PROBABILITY)), (len(labels), 1))
        for own, confusion in zip(labels.T, confusions, strict=True):
            asked = own >= 0
            evidence[asked] += np.log(confusion[own[asked]])
        return evidence

    probability, settled = until_settled(step, shares(labels, n_labels), most_steps)
    return Truth(probability, _accuracy(labels, probability), settled)


def _confusions(own: IntArray, probability: FloatArray, prior_counts: FloatArray) -> FloatArray:
    """Estimate the probability that an annotator gives a label (row) when another one is true (column)."""
    asked = own >= 0
    given, n_labels = own[asked], len(prior_counts)
    seen = [np.bincount(given, weights=true, minlength=n_labels) for true in probability[asked].T]
    counts = np.maximum(prior_counts + np.stack(seen, axis=1), LEAST_PROBABILITY)
    return np.asarray(counts / counts.sum(axis=0))


def _accuracy(labels: IntArray, probability: FloatArray) -> FloatArray:
    """Return the estimated share of items in which each annotator is right; NaN without items."""
    found = np.full(labels.shape[1], np.nan)
    for annotator, own in enumerate(labels.T):
        asked = np.flatnonzero(own >= 0)
        if len(asked):
            found[annotator] = probability[asked, own[asked]].mean()
    return found
