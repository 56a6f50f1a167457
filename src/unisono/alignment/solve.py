"""The best alignment of an annotation set: which solver, and its answer."""

from __future__ import annotations

import functools

import numpy as np

from unisono.alignment.few_groups import few_groups
from unisono.alignment.many import best_grouping
from unisono.alignment.pairs import Pairs, candidate_pairs
from unisono.alignment.partition import Partition, UnitGroups, best_partition
from unisono.alignment.solution import Solution, relative_gap, solution
from unisono.alignment.two import best_pairs
from unisono.arrays import FloatArray, IntArray
from unisono.data import AnnotationSet
from unisono.deadlines import Until
from unisono.dissimilarity.combined import BoundDissimilarity
from unisono.kernels import compile_kernels
from unisono.kernels.groups import undominated

# Trade-offs, chosen by trial: to list all groups is faster as long as there are few of them, and how many there are is
# known only by trying. Units of five annotators are in some 20 groups each, those of six in 90, of seven in 250; from
# six on, random annotations take longer to choose from than to generate groups as needed.
MOST_GROUPS = 10_000
GROUPS_PER_UNIT = 60
MOST_ANNOTATORS = 9
MOST_SPLITS = 100_000_000
"""With more groups than both, more annotators, or more splits to look at, groups are generated instead of listed. 10⁸
splits take about a second as machine code (a group of k units has 2ᵏ⁻¹ - 1 of them)."""
_FEW_ANNOTATORS = 5
"""With more annotators than this, listing groups needs machine code."""


def best_alignment(
    units: AnnotationSet,
    dissimilarity: BoundDissimilarity,
    *,
    time_limit: float | None = None,
    tolerance: float = 0.0,
    most_groups: int | None = None,
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
        Relative gap that is good enough where the proof is hard.
    most_groups : int, optional
        How many groups to list at most; beyond, column generation takes over. By default it depends on the units.

    Returns
    -------
    Solution
        Its `gap` is 0 when it is proven best.
    """
    deadline = Until.after(time_limit)
    pairs = candidate_pairs(units, dissimilarity)
    if units.n_annotators == 2:
        return solution(units, dissimilarity, *best_pairs(units, pairs), None)
    found = _by_listing(pairs, units.annotator, units.n_annotators, most_groups, deadline, tolerance)
    if found is None:
        middle = (units.start + units.end) / 2
        found = _by_generation(pairs, units.annotator, units.n_annotators, middle, deadline, tolerance)
    return solution(units, dissimilarity, found.groups.bounds, found.groups.members, found.bound)


def best_groups(
    pairs: Pairs,
    annotator: IntArray,
    n_annotators: int,
    *,
    position: FloatArray,
    time_limit: float | None = None,
    tolerance: float = 0.0,
) -> Partition:
    """Group units at the least cost, three annotators or more, where the pairs that can meet are known.

    Parameters
    ----------
    pairs : Pairs
        The pairs that can meet in a group.
    annotator : int64 array, shape (n_units,)
        Who made each unit; units are sorted by it.
    n_annotators : int
        All annotators, those without units included.
    position : float64 array, shape (n_units,)
        Where units are, about.
    time_limit, tolerance
        See `best_alignment`.
    """
    deadline = Until.after(time_limit)
    found = _by_listing(pairs, annotator, n_annotators, None, deadline, tolerance)
    return found or _by_generation(pairs, annotator, n_annotators, position, deadline, tolerance)


def _by_listing(
    pairs: Pairs, annotator: IntArray, n_annotators: int, most_groups: int | None, deadline: Until, tolerance: float
) -> Partition | None:
    """Choose among all groups that can be of use; None if they are too many to list."""
    if n_annotators > MOST_ANNOTATORS:
        return None
    if n_annotators > _FEW_ANNOTATORS:
        compile_kernels()
    if most_groups is None:
        most_groups = max(MOST_GROUPS, GROUPS_PER_UNIT * len(annotator))
    bounds, members, cost, complete = undominated(
        pairs.starts, pairs.other, pairs.dissimilarity, annotator, n_annotators, most_groups, MOST_SPLITS
    )
    if not complete:
        return None
    return best_partition(UnitGroups(bounds, members, cost), len(annotator), deadline, tolerance)


def _by_generation(
    pairs: Pairs, annotator: IntArray, n_annotators: int, position: FloatArray, deadline: Until, tolerance: float
) -> Partition:
    """Generate groups as needed."""
    # compiling, or loading what was compiled, is not part of the time that an alignment may take
    began = deadline.now()
    _load_kernels()
    deadline = deadline.later(deadline.now() - began)
    few = few_groups(pairs, annotator, n_annotators, tolerance)
    if few is not None and _gap(few) <= tolerance:
        return few
    found = best_grouping(pairs, annotator, n_annotators, deadline=deadline, tolerance=tolerance, position=position)
    return found if few is None or found.bound is None else _better(few, found)


def _gap(found: Partition) -> float:
    return 0.0 if found.bound is None else relative_gap(float(found.groups.cost.sum()), found.bound)


def _better(one: Partition, other: Partition) -> Partition:
    """Return the better of two groupings, with the better bound."""
    best = min(one, other, key=lambda found: float(found.groups.cost.sum()))
    bound = max(found.bound for found in (one, other) if found.bound is not None)
    return Partition(best.groups, None if bound >= float(best.groups.cost.sum()) else bound)


@functools.cache
def _load_kernels() -> None:
    """Use all kernels that generating groups needs once."""
    compile_kernels()
    pairs = Pairs(np.array([0, 2, 3, 3]), np.array([1, 2, 2]), np.array([0.2, 1.5, 0.4]))
    few_groups(pairs, np.arange(3), 3)
    best_grouping(pairs, np.arange(3), 3, deadline=Until(), position=np.zeros(3))
