"""How far off each annotator's boundaries are, estimated from the distances between every two annotators.

If annotators err independently, the mean squared distance between two of them is the sum of what each contributes
(Grubbs 1948); with three annotators or more, each contribution can be estimated. The distance is d_pos, in squared
shares of the units' lengths.

References
----------
.. [1] Grubbs, F. E. (1948). On estimating precision of measuring instruments and product variability. Journal of the
       American Statistical Association 43(242), 243–264.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from unisono.alignment.alignment import Alignment
from unisono.alignment.solution import aligned_pairs
from unisono.arrays import FloatArray

_LEAST_SHARE = 0.05


def imprecision(alignments: Mapping[str, Alignment]) -> dict[str, float]:
    """Estimate how far each annotator's boundaries are off, as a share of a unit's length; 0 is exact."""
    from scipy.optimize import nnls  # takes longer to load than to draft a small gold standard without competence

    names = sorted({who for alignment in alignments.values() for who in alignment.names})
    apart, n_pairs = _distances(alignments, {who: place for place, who in enumerate(names)})
    if not n_pairs.any():
        return dict.fromkeys(names, 0.0)
    first, second = np.nonzero(n_pairs)
    counts, means = n_pairs[first, second], apart[first, second] / n_pairs[first, second]
    equations = np.zeros((len(first) + len(names), len(names)))
    equations[np.arange(len(first)), first] = equations[np.arange(len(first)), second] = np.sqrt(counts)
    # a weak prior that all are alike (worth one pair), so that there is a solution for all
    equations[len(first) :] = np.eye(len(names))
    mean = float(apart.sum() / n_pairs.sum())
    squares, _ = nnls(equations, np.concatenate([means * np.sqrt(counts), np.full(len(names), mean / 2)]))
    return dict(zip(names, np.sqrt(squares).tolist(), strict=True))


def precision_weights(imprecise: Mapping[str, float]) -> dict[str, float]:
    """Return how much each annotator's boundaries count in a median, from how far they are off.

    If errors follow a Laplace distribution, the most likely boundary is the median weighted by 1/error. No squared
    error is assumed to be below a share of the mean, because an exact annotator would make all others superfluous.
    """
    squares = np.square(list(imprecise.values()))
    if not squares.any():
        return dict.fromkeys(imprecise, 1.0)
    weights = 1 / np.sqrt(np.maximum(squares, _LEAST_SHARE * squares.mean()))
    return dict(zip(imprecise, weights.tolist(), strict=True))


def _distances(alignments: Mapping[str, Alignment], place: Mapping[str, int]) -> tuple[FloatArray, FloatArray]:
    """Add up d_pos, at most 1, over the aligned units of every two annotators, and count them."""
    size = len(place)
    apart, n_pairs = np.zeros(size * size), np.zeros(size * size)
    for alignment in alignments.values():
        units = alignment.annotations
        whose = np.array([place[who] for who in alignment.names], dtype=np.int64)[units.annotator]
        _, u, v = aligned_pairs(alignment.solution.table)
        distance = np.minimum(alignment.dissimilarity.positional(units, u, v), 1.0)
        pair = np.minimum(whose[u], whose[v]) * size + np.maximum(whose[u], whose[v])
        apart += np.bincount(pair, weights=distance, minlength=size * size)
        n_pairs += np.bincount(pair, minlength=size * size)
    return apart.reshape(size, size), n_pairs.reshape(size, size)
