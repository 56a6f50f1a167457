"""Which units the edits of boundaries belong to, so that people can look at the worst of them first."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from unisono.arrays import FloatArray
from unisono.data.spans import EXACT
from unisono.measurement.coefficient_result import CoefficientResult
from unisono.measurement.segmentation.coefficients import boundary_similarity, segmentation_similarity
from unisono.measurement.segmentation.edits import boundary_costs
from unisono.measurement.segmentation.pairs import Segmentations
from unisono.results import Result

_EDITING = (boundary_similarity, segmentation_similarity)


def unit_edits(result: Result | None) -> Mapping[str, FloatArray] | None:
    """Return what the edits of B and S cost at the beginning of each unit, by kind; None for other measures.

    A boundary belongs to the unit that begins there. Costs are means over the pairs of annotators who cut the document.
    """
    if not isinstance(result, CoefficientResult) or not isinstance(result.prepared, Segmentations):
        return None
    if result.formula not in _EDITING:
        return None
    compared, corpus = result.prepared.comparisons, result.prepared.data
    full, near = boundary_costs(compared.cuts, compared.first, compared.second, min(result.parameters["n"], EXACT))
    n_pairs = np.bincount(compared.cuts.document[compared.first], minlength=max(len(corpus.documents), 1))
    found = {}
    for kind, cost in (("full miss", full), ("near miss", near)):
        of_units = np.bincount(compared.cuts.units, weights=cost, minlength=corpus.n_units)
        found[kind] = of_units / np.maximum(n_pairs[corpus.document], 1)
    return found
