"""The best alignment of an annotation set: which solver, and its answer."""

from __future__ import annotations

import time

import numpy as np

from unisono.alignment.pairs import candidate_pairs
from unisono.alignment.partition import Groups, best_partition
from unisono.alignment.solution import Solution, solution
from unisono.alignment.two import best_pairs
from unisono.data import AnnotationSet
from unisono.dissimilarity.combined import BoundDissimilarity
from unisono.kernels.groups import undominated

MOST_GROUPS = 1_000_000
"""With more groups than this, they are generated as needed instead of listed."""


def best_alignment(
    units: AnnotationSet,
    dissimilarity: BoundDissimilarity,
    *,
    time_limit: float | None = None,
    tolerance: float = 0.0,
    most_groups: int = MOST_GROUPS,
) -> Solution:
    """Find the alignment with the least disorder (Mathet et al. 2015, §4.7 and §5.1).

    Parameters
    ----------
    units : AnnotationSet
        The units of two or more annotators.
    dissimilarity : BoundDissimilarity
        d(u, v).
    time_limit : float, optional
        Seconds after which the best alignment found so far is returned, with a proven bound.
    tolerance : float
        Relative gap that is good enough where groups have to be generated.
    most_groups : int
        How many groups to list at most; beyond, column generation takes over.

    Returns
    -------
    Solution
        Its `gap` is 0 when it is proven best.
    """
    deadline = np.inf if time_limit is None else time.monotonic() + time_limit
    pairs = candidate_pairs(units, dissimilarity)
    if units.n_annotators == 2:
        return solution(units, dissimilarity, *best_pairs(units, pairs), None)
    bounds, members, cost, complete = undominated(
        pairs.starts, pairs.other, pairs.dissimilarity, units.annotator, units.n_annotators, most_groups
    )
    if not complete:
        raise NotImplementedError
    partition = best_partition(Groups(bounds, members, cost), units.n_units, deadline)
    return solution(units, dissimilarity, partition.groups.bounds, partition.groups.members, partition.bound)
