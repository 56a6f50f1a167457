"""What the error of any result is without some of its documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from unisono.arrays import FloatArray
from unisono.errors import listed
from unisono.measurement.coefficient_result import CoefficientResult
from unisono.measurement.disorder.left_out import counting_documents, disorders_without, greatest_disorder
from unisono.measurement.disorder.result import DisorderResult
from unisono.measurement.intervals import (
    documents_of,
    error_of,
    errors_without,
    groups_of,
    left_out,
    weights_of,
)
from unisono.statistics.leaving_out import LeftOut


def leave_out(result: Any, groups: Sequence[Sequence[str]]) -> LeftOut:
    """Leave groups of documents out, one by one.

    Parameters
    ----------
    result : result of any measure
        It must have a value.
    groups : sequence of sequences of str
        Names of documents; those that the result does not have change nothing.
    """
    found = error_of(result)
    error = np.nan if found is None else found
    without = np.full(len(groups), np.nan) if found is None else _without(result, groups)
    sizes = counted(result) if isinstance(result, DisorderResult) else weights_of(result)
    weights = np.array([sum(sizes.get(name, 0.0) for name in group) for group in groups])
    names = [listed(group, 2) for group in groups]
    if isinstance(result, DisorderResult):
        return LeftOut(error, without, weights, False, greatest_disorder(result), names)
    return left_out(result, error, without, weights, names)


def grouped(results: Sequence[Any]) -> list[list[str]]:
    """Put the documents that count in all results into groups to leave out; γ leaves them out one by one."""
    counting = [counted(result) for result in results]
    names = [name for name in counting[0] if all(name in others for others in counting)]
    if all(isinstance(result, DisorderResult) for result in results):
        return [[name] for name in names]
    return groups_of(names, max(result.n_units for result in results))


def mean_of(parts: Sequence[LeftOut]) -> LeftOut:
    """Give the mean error of several results, without the same parts."""
    without = np.mean([part.without for part in parts], axis=0)
    error = float(np.mean([part.error for part in parts]))
    weights = np.mean([part.weights for part in parts], axis=0)
    return replace(parts[0], error=error, without=without, weights=weights, greatest=max(p.greatest for p in parts))


def counted(result: Any) -> dict[str, float]:
    """Give the documents that count in a result, and how much each weighs."""
    return counting_documents(result) if isinstance(result, DisorderResult) else documents_of(result)


def _without(result: Any, groups: Sequence[Sequence[str]]) -> FloatArray:
    if isinstance(result, CoefficientResult):
        return errors_without(result, groups)
    return disorders_without(result, groups)
