"""The interval of γ, or text-γ: documents, or blocks of the only one, are left out one by one (docs/intervals.md)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from unisono.arrays import FloatArray
from unisono.measurement.disorder.document import DocumentResult, alignment_of, chance_of
from unisono.results import Interval
from unisono.statistics.jackknife import SERIOUS, in_one_document, no_interval, over_blocks, over_documents
from unisono.statistics.leaving_out import FEWEST

_ROUNDING = 1e-9
_NOISE = 8.0
"""Expected values of the same document are not further apart, in standard errors."""


def interval_of(usable: Sequence[DocumentResult[Any, Any]], expected_without: FloatArray | None) -> Interval | str:
    """Give the interval, or say in a clause why there is none.

    Parameters
    ----------
    usable : sequence of DocumentResult
        The documents that count in the value.
    expected_without : float64 array, shape (n_documents,), optional
        What is expected of all others without each of them, where that changes what chance gives.
    """
    if not usable:
        return "no document has disorder expected by chance to compare with"
    if len(usable) == 1:
        return _of_one(usable[0]) or "nothing in the only document tells how much others would differ; annotate more"
    solutions = [alignment_of(document).solution for document in usable]
    weights = np.array([alignment_of(document).annotations.mean_units for document in usable])
    observed = np.array([solution.total for solution in solutions])
    expected = weights * np.array([chance_of(document).mean for document in usable])
    if _are_alike(observed, weights, [chance_of(document) for document in usable]):
        return f"all {len(usable)} documents are alike, and nothing tells how much others would differ"
    # all units alone is an alignment too, and costs 1 a unit
    greatest = float(sum(int((solution.table >= 0).sum()) for solution in solutions) / expected.sum())
    found = over_documents(
        observed,
        expected,
        serious=any((solution.cost >= SERIOUS).any() for solution in solutions),
        expected_without=expected_without,
        greatest=greatest,
    )
    return found or in_one_document(observed, expected, greatest) or no_interval(observed, expected)


def _are_alike(observed: FloatArray, weights: FloatArray, chances: Sequence[Any]) -> bool:
    """Tell whether documents differ in nothing but the samples of chance that were drawn for them."""
    if len(observed) < FEWEST or not observed.any() or np.ptp(weights) or np.ptp(observed) > _ROUNDING * observed.max():
        return False
    apart = float(np.ptp([chance.mean for chance in chances]))
    return apart <= _NOISE * max(float(chance.error) for chance in chances)


def _of_one(document: DocumentResult[Any, Any]) -> Interval | None:
    alignment, chance = alignment_of(document), chance_of(document)
    return over_blocks(
        alignment.solution.cost,
        (alignment.solution.table >= 0).sum(axis=1),
        alignment.annotations.n_annotators,
        chance.mean,
        (chance.error / chance.mean) ** 2,
    )
