"""The interval of a mean of several shares of the same instances.

The mean over rows j of p_j, the share of instances with property w_ij, has the variance Σ (Σ_j (w_ij - p_j)/(m n_j))²
over independent instances i, or over clusters of them. The limits are those of a share with this variance (`shares`).
If nearly all instances are alike, the variance is known too badly to be less than that of a proportion of all of them.
"""

from __future__ import annotations

import numpy as np

from unisono.arrays import FloatArray, IntArray
from unisono.statistics.jackknife import effective_freedom
from unisono.statistics.shares import share_limits

_FEW = 5
"""With fewer instances that differ from the others, or agree with them, nearly all are alike."""


def mean_share_limits(shares: FloatArray, clusters: IntArray | None = None) -> tuple[float, float] | None:
    """Return the limits of a mean of shares; None with fewer than two clusters.

    `shares`, shape (n_rows, n_instances), are numbers from 0 to 1; NaN where a row does not have an instance.
    `clusters` are numbers of what each instance belongs to; by default, each is independent.
    """
    known = np.isfinite(shares)
    shares, known = shares[known.any(axis=1)], known[known.any(axis=1)]
    if not len(shares):
        return None
    each = np.where(known, shares, 0.0).sum(axis=1) / known.sum(axis=1)
    there = np.flatnonzero(known.any(axis=0))
    pulls = (np.where(known, shares - each[:, None], 0.0) / known.sum(axis=1)[:, None]).mean(axis=0)[there]
    _, of = np.unique(there if clusters is None else clusters[there], return_inverse=True)
    sizes = np.bincount(of.reshape(-1)).astype(np.float64)
    if len(sizes) < 2:
        return None
    pulls = np.bincount(of.reshape(-1), weights=pulls)
    variance = len(sizes) / (len(sizes) - 1) * float(np.square(pulls).sum())
    mean, n = float(each.mean()), float(len(there))
    worth = mean * (1 - mean) / variance if variance > 0 else n
    with_it, without = (shares > 0) & known, (shares < 1) & known
    if min(with_it.any(axis=0).sum(), without.any(axis=0).sum()) < _FEW:
        worth = min(worth, n)
    inner = min(max(mean, 0.5 / n), 1 - 0.5 / n)
    like = np.array(inner * (1 - inner) / worth)
    low, high = share_limits(np.array(mean), like, len(there), effective_freedom(sizes))
    return float(low), float(high)
