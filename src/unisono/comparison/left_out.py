"""What the error of any result is without some of its documents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from unisono.arrays import FloatArray
from unisono.measures.coefficient_result import CoefficientResult
from unisono.measures.disorder.left_out import counting_documents, disorders_without
from unisono.measures.disorder.result import DisorderResult
from unisono.measures.intervals import documents_of, error_of, errors_without, groups_of, within_one
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
    error = error_of(result)
    without = np.full(len(groups), np.nan) if error is None else _without(result, groups)
    sizes = counted(result)
    weights = np.array([sum(sizes.get(name, 0.0) for name in group) for group in groups])
    return LeftOut(np.nan if error is None else error, without, weights, within_one(result))


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
    return LeftOut(error, without, parts[0].weights, parts[0].within_one)


def counted(result: Any) -> dict[str, float]:
    """Give the documents that count in a result, and how much each weighs."""
    return counting_documents(result) if isinstance(result, DisorderResult) else documents_of(result)


def _without(result: Any, groups: Sequence[Sequence[str]]) -> FloatArray:
    if isinstance(result, CoefficientResult):
        return errors_without(result, groups)
    return disorders_without(result, groups)
