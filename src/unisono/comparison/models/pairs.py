"""Agreement of every two annotators, with and without each part of the data.

Everything that is said about models is made of these: means over pairs of people, of people and models, of models.
A mean weighs pairs by how much both annotators did; where all did everything, that is the plain mean.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from unisono.arrays import FloatArray
from unisono.comparison.models.scope import Scope
from unisono.comparison.pairing import some_of
from unisono.comparison.work import Work
from unisono.data import Data
from unisono.errors import DataError
from unisono.measurement.registry import Measure
from unisono.statistics.jackknife import Disputes, Jackknife

Pair = frozenset[str]


@dataclass(frozen=True)
class MeasuredPairs:
    """Agreement of pairs of annotators on what is in a scope.

    Attributes
    ----------
    scope : Scope
        What was measured.
    results : dict
        Two annotators to their result, or to a clause that explains why there is none.
    parts : str
        What is left out one by one: items, documents, blocks of items.
    errors : dict
        Two annotators to 1 - agreement, or the error itself: first of all data, then without each part, NaN if there is
        no value without it; shape (1 + n_parts,).
    weights : dict
        The same pairs to how much both did, of all data and without each part.
    sizes : dict
        The same pairs to how much each part counts, shape (n_parts,).
    like : Jackknife or None
        The scale of errors, from one of the pairs.
    """

    scope: Scope
    results: Mapping[Pair, Any]
    parts: str
    errors: Mapping[Pair, FloatArray]
    weights: Mapping[Pair, FloatArray]
    sizes: Mapping[Pair, FloatArray]
    like: Jackknife | None

    def known(self, pairs: Iterable[Iterable[str]]) -> list[Pair]:
        """Return those of some pairs that count: that have a value without each part, too, if there are any."""
        found = [pair for one in pairs if (pair := frozenset(one)) in self.errors]
        return [pair for pair in found if np.isfinite(self.errors[pair]).all()] or found

    def mean(self, pairs: Iterable[Iterable[str]]) -> FloatArray | None:
        """Return the mean error of pairs, of all data and without each part; None if none counts."""
        known = self.known(pairs)
        if not known:
            return None
        errors, weights = (np.array([of[pair] for pair in known]) for of in (self.errors, self.weights))
        return np.asarray((errors * weights).sum(axis=0) / weights.sum(axis=0))

    def jackknife(self, pairs: Iterable[Iterable[str]]) -> Jackknife | None:
        """Return the mean error of pairs for intervals and differences; None if none counts."""
        pairs = [*pairs]
        found = self.mean(pairs)
        if found is None or self.like is None:
            return None
        made = replace(self.like, error=float(found[0]), without=found[1:], weights=self.counts(pairs), what=self.parts)
        if made.error <= 0 and made.disputes.one_more > 0:  # nobody ever differs: as for all annotators together
            return replace(made, disputes=replace(made.disputes, n=0))
        in_all = frozenset.intersection(*self.known(pairs))
        return made.with_one_unseen() if in_all and self.scope.items else made

    def counts(self, pairs: Iterable[Iterable[str]]) -> FloatArray:
        """Return how much each part counts for some pairs."""
        return np.asarray(np.mean([self.sizes[pair] for pair in self.known(pairs)], axis=0))

    def reason(self, pairs: Iterable[Iterable[str]]) -> str:
        """Explain why none of some pairs counts."""
        for result in (self.results.get(frozenset(one)) for one in pairs):
            if result is not None:
                return result if isinstance(result, str) else str(result.undefined)
        return "they have nothing in common"


def measured_pairs(scope: Scope, pairs: Sequence[Pair], measure: Measure, work: Work) -> MeasuredPairs:
    """Measure pairs of annotators, and measure them again without each part of the data."""
    shared = {pair: scope.shared(sorted(pair)) for pair in pairs}
    there = [pair for pair in pairs if shared[pair].any()]
    found = work.each(partial(_measured_pair, measure, scope.data, work), [tuple(sorted(pair)) for pair in there])
    results = dict(zip(there, found, strict=True))
    usable = {
        pair: result for pair, result in results.items() if not isinstance(result, str) and result.value is not None
    }
    if not usable:
        return MeasuredPairs(scope, results, "documents", {}, {}, {}, None)
    groups = scope.groups([*usable.values()])
    singly = _left_out(scope, results, usable, shared, groups, scope.parts(groups))
    blocks = scope.blocks()
    if blocks is None or len(blocks) >= len(groups):
        return singly
    in_blocks = _left_out(scope, results, usable, shared, blocks, "blocks of items")
    return in_blocks if _variance(in_blocks) > _variance(singly) else singly


def _measured_pair(measure: Measure, data: Data, work: Work, pair: tuple[str, str]) -> Any:
    try:
        return work.measured(measure, some_of(data, annotators=pair))
    except DataError as error:
        return str(error)


def _left_out(
    scope: Scope,
    results: Mapping[Pair, Any],
    usable: Mapping[Pair, Any],
    shared: Mapping[Pair, FloatArray],
    groups: Sequence[Sequence[str]],
    parts: str,
) -> MeasuredPairs:
    place = {name: index for index, name in enumerate(scope.data.documents)}
    members = [np.array([place[name] for name in group]) for group in groups]
    errors, weights, sizes, scales, one_more = {}, {}, {}, [], []
    for pair, result in usable.items():
        like = result.parts.leave_out(groups)
        total, both = shared[pair].sum(), shared[pair]
        errors[pair] = np.append(like.error, like.without)
        weights[pair] = np.append(total, [total - both[group].sum() for group in members])
        sizes[pair] = like.weights
        scales.append(like.scale)
        one_more.append(like.disputes.one_more)
    scale = replace(scales[0], greatest=max(one.greatest for one in scales))
    disputes = Disputes(None, float(np.mean(one_more)))
    like = replace(like, scale=scale, disputes=disputes, remaining=None, names=(), remark="")
    return MeasuredPairs(scope, results, parts, errors, weights, sizes, like)


def _variance(measured: MeasuredPairs) -> float:
    """Return the variance of the mean over all pairs; none if it cannot be told."""
    found = measured.jackknife(measured.errors)
    return -1.0 if found is None or found.variance is None else found.variance
