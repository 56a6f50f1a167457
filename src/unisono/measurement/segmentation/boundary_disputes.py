"""How much annotators disagree at each place where somebody cut, by the measure itself.

For B, S and GHD, that is what the edits of the boundaries there cost; for P_k and WindowDiff, the share of the windows
over the place in which two annotators differ. Both are means over the pairs of annotators who cut the document.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from unisono.arrays import FloatArray, IntArray
from unisono.data.cuts import Cuts
from unisono.data.spans import EXACT
from unisono.measurement.coefficient_result import CoefficientResult
from unisono.measurement.segmentation.coefficients import (
    boundary_similarity,
    generalized_hamming,
    pk,
    segmentation_similarity,
    window_diff,
)
from unisono.measurement.segmentation.edits import boundary_costs
from unisono.measurement.segmentation.pairs import SegmentationPairs, Segmentations
from unisono.measurement.segmentation.windows import Differ, half_a_segment, one_only
from unisono.results import Result

_EDITING = (boundary_similarity, segmentation_similarity, generalized_hamming)
_SLIDING: Mapping[object, Differ] = {pk: one_only, window_diff: np.not_equal}
_MOST_WINDOWS = 20_000_000
"""If windows have more positions than this, places are ranked by edits instead."""
FULL_MISS, NEAR_MISS, WINDOWS = "full miss", "near miss", "windows"


@dataclass(frozen=True)
class BoundaryDisputes:
    """Places where somebody cut, in the order of documents and positions.

    Attributes
    ----------
    document : int64 array, shape (n_places,)
        Index of the document.
    cut : float64 array, shape (n_places, n_annotators)
        Where each annotator cut, in positions of the corpus; NaN where one did not.
    costs : dict
        What differs to how much, shape (n_places,).
    who : dict
        Document to those who segmented it, by their indices.
    """

    document: IntArray
    cut: FloatArray
    costs: Mapping[str, FloatArray]
    who: Mapping[int, tuple[int, ...]]


def boundary_disputes(result: Result | None) -> BoundaryDisputes | None:
    """Return the disputed places of a measure of segmentations; None for other measures."""
    if not isinstance(result, CoefficientResult) or not isinstance(result.prepared, Segmentations):
        return None
    compared, corpus = result.prepared.comparisons, result.prepared.data
    cuts = compared.cuts
    owner = np.repeat(np.arange(len(cuts.document)), cuts.n_boundaries)
    key = np.stack([cuts.document[owner], cuts.boundaries], axis=1)
    places, place = np.unique(key, axis=0, return_inverse=True)
    place = place.reshape(-1)
    cut = np.full((len(places), len(corpus.annotators)), np.nan)
    cut[place, cuts.annotator[owner]] = corpus.start[cuts.units]
    who: dict[int, list[int]] = {}
    for document, annotator in zip(cuts.document.tolist(), cuts.annotator.tolist(), strict=True):
        who.setdefault(document, []).append(annotator)
    costs = dict(_costs(result, compared, places, place))
    return BoundaryDisputes(places[:, 0], cut, costs, {name: tuple(some) for name, some in who.items()})


def _costs(
    result: CoefficientResult, compared: SegmentationPairs, places: IntArray, place: IntArray
) -> Iterator[tuple[str, FloatArray]]:
    """Yield what each place costs, by what differs."""
    cuts, differ = compared.cuts, _SLIDING.get(result.formula)
    if differ is not None and 2 * int(cuts.length[compared.first].sum()) <= _MOST_WINDOWS:
        yield WINDOWS, _in_windows(result, compared, places, differ)
        return
    if result.formula not in _EDITING and differ is None:
        return
    reach = min(result.parameters.get("n", 2), EXACT)
    n_pairs = np.bincount(cuts.document[compared.first], minlength=int(places[:, 0].max(initial=0)) + 1)
    for kind, cost in zip(
        (FULL_MISS, NEAR_MISS), boundary_costs(cuts, compared.first, compared.second, reach), strict=True
    ):
        total = np.bincount(place, weights=cost, minlength=len(places))
        yield kind, total / np.maximum(n_pairs[places[:, 0]], 1)


def _in_windows(result: CoefficientResult, compared: SegmentationPairs, places: IntArray, differ: Differ) -> FloatArray:
    """Return the mean over pairs of the share of windows over each place in which the two differ."""
    cuts, given = compared.cuts, result.parameters
    _, to, of = compared.directed()
    if given["reference"] is not None:
        keep = cuts.annotator[to] == compared.annotators.index(given["reference"])
        to, of = to[keep], of[keep]
    size = half_a_segment(cuts, to) if given["window"] is None else np.full(len(to), given["window"])
    total, n = np.zeros(len(places)), np.zeros(len(places))
    for reference, hypothesis, k in zip(to.tolist(), of.tolist(), size.tolist(), strict=True):
        before = k if given.get("padding") else 0
        here = places[:, 0] == cuts.document[reference]
        n_windows = int(cuts.length[reference]) - k + 2 * before
        if n_windows < 1:
            continue
        differing = differ(*(_in_each(cuts, one, k, before, n_windows) for one in (reference, hypothesis)))
        upto = np.concatenate([[0], np.cumsum(differing)])
        # windows from b - k to b - 1 have the boundary b
        first = np.clip(places[here, 1] - k + before, 0, n_windows)
        last = np.clip(places[here, 1] + before, 0, n_windows)
        total[here] += (upto[last] - upto[first]) / np.maximum(last - first, 1)
        n[here] += 1
    return total / np.maximum(n, 1)


def _in_each(cuts: Cuts, which: int, k: int, before: int, n_windows: int) -> IntArray:
    """Count the boundaries of a segmentation in each window of size k; the first begins so many atoms before 0."""
    length = int(cuts.length[which])
    has = np.zeros(length + 1 + 2 * before, np.int64)
    has[cuts.boundaries[cuts.starts[which] : cuts.starts[which + 1]] + before] = 1
    upto = np.cumsum(has)
    return np.asarray(upto[k : k + n_windows] - upto[:n_windows])
