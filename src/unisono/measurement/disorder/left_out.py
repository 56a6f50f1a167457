"""What γ, or text-γ, is without some documents: from the documents' own disorders, without another alignment."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import inf
from typing import Any

import numpy as np

from unisono.arrays import FloatArray
from unisono.measurement.disorder.document import alignment_of, chance_of
from unisono.measurement.disorder.result import DisorderResult

_MIXED = "corpus"
"""The chance model whose samples are mixed of several documents."""


def counting_documents(result: DisorderResult[Any, Any]) -> dict[str, float]:
    """Give the documents that count in the value, and what disorder is expected of each by chance."""
    usable = [document for document in result.documents if document.usable]
    return {
        document.document: alignment_of(document).annotations.mean_units * chance_of(document).mean
        for document in usable
    }


def greatest_disorder(result: DisorderResult[Any, Any]) -> float:
    """Give the greatest δ_o/δ_e there can be: all units alone, which costs 1 a unit."""
    solutions = [alignment_of(document).solution for document in result.documents if document.usable]
    expected = sum(counting_documents(result).values())
    return sum(int((solution.table >= 0).sum()) for solution in solutions) / expected if expected else inf


def disorders_without(result: DisorderResult[Any, Any], groups: Sequence[Collection[str]]) -> FloatArray:
    """Give δ_o/δ_e without each group of documents; NaN where nothing is left.

    Where chance mixes documents, samples that a document had a part in are left out with it.
    """
    usable = [document for document in result.documents if document.usable]
    names = [document.document for document in usable]
    place = {name: index for index, name in enumerate(result.corpus.documents)}
    observed = np.array([alignment_of(document).solution.total for document in usable])
    weights = np.array([alignment_of(document).annotations.mean_units for document in usable])
    found = []
    for group in groups:
        left = set(group)
        stays = np.array([name not in left for name in names])
        gone = np.array([place[name] for name in left if name in place], dtype=np.int64)
        means = {id(chance_of(one)): _mean_without(chance_of(one), gone, result.chance) for one in usable}
        expected = np.array([means[id(chance_of(document))] for document in usable])
        by_chance = float((weights * expected)[stays].sum())
        found.append(float(observed[stays].sum()) / by_chance if by_chance > 0 else np.nan)
    return np.array(found)


def _mean_without(chance: Any, gone: Any, kind: str) -> float:
    if kind != _MIXED or not len(gone):
        return float(chance.mean)
    apart = np.array([not np.isin(gone, sample.documents).any() for sample in chance.samples])
    return float(chance.values[apart].mean()) if apart.any() else float(chance.mean)
