"""How much of a model's disagreement with people is only that its runs differ.

For labels that are the same or not, and for squared differences, disagreement is a squared distance of vectors. Let q
be the mean over all runs of a model. A run is q and noise, and so

    D(run, person) = D(run, run')/2 + what remains between q and the person:

the share of noise is s = D(run, run')/2 / D(run, person). With R runs averaged (as shares of labels, or as means of
numbers), noise is 1/R of that. Limits of s are those of a jackknife on log D(run, run') - log D(run, person); some of
the variance of one more item on which runs differ is added (`UNSEEN`), which matters where they hardly ever do.
"""

from __future__ import annotations

from math import ceil, exp, inf, log, sqrt

import numpy as np

from unisono.arrays import FloatArray
from unisono.statistics.jackknife import UNSEEN, effective_freedom
from unisono.statistics.quantiles import LEVEL, student_quantile

NOISE_LEFT = 0.1
"""Enough runs are averaged if noise is at most this share of the disagreement that is left."""


def noise_share(among_runs: float, with_people: float) -> float | None:
    """Return s, of two disagreements; None if the model agrees perfectly with people."""
    return min(among_runs / 2 / with_people, 1.0) if with_people > 0 else None


def noise_limits(
    among_runs: FloatArray, with_people: FloatArray, sizes: FloatArray, one_more: float = 0.0, level: float = LEVEL
) -> tuple[float, float] | None:
    """Return the limits of s; disagreements are of all data, then without each part. None if parts say too little.

    `one_more` is by how much one further item on which runs differ would raise their disagreement.
    """
    both = np.stack([among_runs, with_people])
    n = len(sizes)
    if n < 3 or not (np.isfinite(both).all() and (both > 0).all()):
        return None
    scaled = np.log(both[0]) - np.log(both[1])
    without = scaled[1:]
    unseen = UNSEEN * (one_more / float(among_runs[0])) ** 2
    error = sqrt((n - 1) / n * float(np.square(without - without.mean()).sum()) + unseen)
    half = float(student_quantile((1 + level) / 2, effective_freedom(sizes))) * error
    return tuple(min(exp(limit - log(2)), 1.0) for limit in (scaled[0] - half, scaled[0] + half))  # type: ignore[return-value]


def left_with(n_runs: float, noise: float) -> float:
    """Return what share of the disagreement with people is left if so many runs are averaged."""
    return 1 - noise + (0.0 if n_runs == inf else noise / n_runs)


def runs_needed(noise: float, enough: float = NOISE_LEFT) -> int | None:
    """Return how many runs to average so that noise is a small share of what is left; None if all is noise."""
    if noise >= 1:
        return None
    return max(1, ceil(noise / (1 - noise) * (1 - enough) / enough - 1e-9))
