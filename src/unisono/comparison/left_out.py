"""Leaving the same documents out of several results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import inf
from typing import Any

import numpy as np

from unisono.measurement.intervals import grouped_documents
from unisono.statistics.jackknife import Jackknife


def grouped(results: Sequence[Any]) -> list[list[str]]:
    """Put the documents that count in all results into groups to leave out; γ leaves them out one by one."""
    first, *others = (result.parts.documents() for result in results)
    names = [name for name in first if all(name in other for other in others)]
    if all(result.parts.most_parts == inf for result in results):
        return [[name] for name in names]
    return grouped_documents(names, max(result.n_units for result in results))


def mean_of(parts: Sequence[Jackknife]) -> Jackknife:
    """Return the mean error of several results, without the same parts."""
    error, without, weights = (
        np.mean([getattr(part, name) for part in parts], axis=0) for name in ("error", "without", "weights")
    )
    scale = replace(parts[0].scale, greatest=max(part.scale.greatest for part in parts))
    return replace(parts[0], error=float(error), without=without, weights=weights, scale=scale)
