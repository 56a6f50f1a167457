"""Positional dissimilarity (Mathet et al. 2015, §4.4.2)."""

from __future__ import annotations

import numpy as np

from unisono.arrays import FloatArray


def positional(start_u: FloatArray, end_u: FloatArray, start_v: FloatArray, end_v: FloatArray) -> FloatArray:
    r"""Compare positions: equation (3), in units of Δ∅.

    .. math:: d_{pos}(u, v) = \left(\frac{|start(u) - start(v)| + |end(u) - end(v)|}
              {(end(u) - start(u)) + (end(v) - start(v))}\right)^2

    Two zero-length units are 0 apart at the same place and infinitely far apart at different places.
    """
    difference = np.abs(start_u - start_v) + np.abs(end_u - end_v)
    length = (end_u - start_u) + (end_v - start_v)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = difference / length
    ratio[(length == 0) & (difference == 0)] = 0.0
    return np.square(ratio)


def reach(limit: float) -> float:
    """Return r such that d_pos ≤ limit only if midpoints are at most r · (sum of lengths)/2 apart.

    Proof: by the triangle inequality, |start(u) - start(v)| + |end(u) - end(v)| is at least twice the distance of the
    midpoints, so √d_pos ≥ 2 · (distance of midpoints) / (sum of lengths).
    """
    return float(np.sqrt(limit))
