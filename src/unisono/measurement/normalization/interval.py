"""The confidence interval of α: texts, or blocks of the text where there are few, are left out one by one.

α = 1 - D_o / D_e. Leaving a cluster c out takes its disagreement from D_o and its labels from D_e, whose numerator Q =
Σ n_k n_l δ_kl becomes Q - 2 Σ_k n_ck Σ_l n_l δ_kl + Q_c. All of these are sums that are gathered once.
"""

from __future__ import annotations

from itertools import pairwise
from math import inf

import numpy as np

from unisono.arrays import BoolArray, FloatArray, IntArray
from unisono.measurement.categorization.counts import Counts
from unisono.measurement.normalization.alpha import disagreement_sums
from unisono.measurement.normalization.tokens import Tokens
from unisono.results import Estimate, Interval
from unisono.statistics.leaving_out import FEWEST, LeftOut, limits, no_limits, poisson_limits

_FEW = 200
"""Up to so many clusters, Q_c is computed; beyond, it is a part of Q so small that the usual mix of labels will do."""
_N_BLOCKS = 5
_FEWEST_TOKENS = 25
"""Fewer are too few to tell how much blocks of them vary."""
_ROUNDING = 1e-12
"""Where less than this part of what is expected is left without a cluster, that is rounding."""


def interval(tokens: Tokens, level: str, distance: str, subset: str, estimate: Estimate) -> Interval | str:
    """Give the interval of α, or say in a clause why there is none.

    Parameters
    ----------
    tokens : Tokens
        All tokens.
    level, distance, subset : str
        What α is of.
    estimate : Estimate
        α itself.
    """
    if estimate.value is None or not estimate.expected:
        return "there is no value"
    if tokens.rows.data.n_tokens < _FEWEST_TOKENS:
        return f"there are fewer than {_FEWEST_TOKENS} tokens"
    # a token on which nobody gives what another does adds this much to the error
    one_more = 1 / tokens.n_tokens(subset) / estimate.expected
    if not estimate.observed:
        return _of_error((0.0, poisson_limits(0)[1] * one_more), "Poisson limit, no disagreement seen")
    left, what = _left_out(tokens, level, distance, subset, estimate)
    found = limits(left)
    if found is not None:
        return _of_error(found, f"jackknife over {left.n_parts:,} {what}", left.greatest)
    if left.in_one_part and left.n_parts >= FEWEST:
        method = f"Poisson limits, nearly all disagreement in one of {left.n_parts:,} {what}"
        return _of_error(_seen_once(left.error, one_more), method, left.greatest)
    return no_limits(left, what)


def clusters(tokens: Tokens, counting: BoolArray) -> tuple[IntArray, str]:
    """Say which cluster each token is in, and what clusters are: texts, or blocks of the text if there are few.

    Blocks are cut between sentences where these are known. Sentences themselves would be too small: where difficulty
    drifts through a text, neighbours are alike, and leaving them out one by one makes the interval too narrow.

    Parameters
    ----------
    tokens : Tokens
        All tokens.
    counting : bool array, shape (n_tokens,)
        Which of them count.
    """
    data = tokens.rows.data
    if len(np.unique(data.document[counting])) >= FEWEST:
        return data.document, "texts"
    if data.sentence is None:
        return np.arange(data.n_tokens) * _N_BLOCKS // max(data.n_tokens, 1), "blocks of tokens"
    first, which = np.unique(data.sentence, return_index=True, return_inverse=True)[1:]
    return first[which.reshape(-1)] * _N_BLOCKS // max(data.n_tokens, 1), "blocks of sentences"


def _left_out(tokens: Tokens, level: str, distance: str, subset: str, estimate: Estimate) -> tuple[LeftOut, str]:
    """Give D_o / D_e without each cluster, and say what clusters are."""
    of_rows = _edits(tokens, distance) if level == "edits" else _labels(tokens, level, distance, subset)
    inside = tokens.rows.within(subset)
    parts = [np.where(inside, part, 0.0) for part in of_rows]
    cluster, what = clusters(tokens, (parts[1] > 0)[tokens.rows.which])
    observed, n, against = (_by_cluster(part, tokens, cluster) for part in parts)
    total, there = n.sum(), n > 0
    expected = (total - n) * (estimate.expected or 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        if level != "edits":
            own = _own(tokens, level, distance, subset, cluster, n)
            expected = (against.sum() - 2 * against + own) / (total - n - 1)
        expected[expected <= _ROUNDING * total * (estimate.expected or 0.0)] = np.nan
        without = (np.maximum(observed.sum() - observed, 0.0) / expected)[there]
    error = 1 - (estimate.value or 0.0)
    # D_o ≤ 2 D_e, for δ(x, y) ≤ δ(x, z) + δ(z, y) with a z drawn by chance, which nld and edits need not keep to
    return LeftOut(error, without, n[there], greatest=2.0 if error <= 2 else inf), what


def _seen_once(error: float, one_more: float) -> tuple[float, float]:
    """Give the limits of an error that one cluster holds nearly all of; what others would hold may be no near miss."""
    low, high = poisson_limits(1)
    return low * error, error + (high - 1) * max(error, one_more)


def _of_error(found: tuple[float, float], method: str, greatest: float = 2.0) -> Interval:
    return Interval(1 - min(found[1], greatest), 1 - found[0], 0.95, method)


def _labels(tokens: Tokens, level: str, distance: str, subset: str) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Give, row by row, disagreement, the number of labels, and how much these differ from all labels."""
    rows = tokens.rows
    columns = rows.norm.T if level == "word" else rows.as_characters.kinds
    units = Counts(columns, np.ones(columns.shape[1]), rows.scale if level == "word" else rows.as_characters.scale)
    against = np.append(tokens.against(level, distance, subset), 0.0)  # the last is for what is missing
    parts = (
        disagreement_sums(units, tokens.differences(level, distance)),
        np.where(units.paired, units.given, 0).astype(np.float64),
        np.where(units.paired, against[columns].sum(axis=0), 0.0),
    )
    if level == "word":
        return parts
    observed, n, apart = (rows.as_characters.of_rows(part) for part in parts)
    return observed, n, apart


def _edits(tokens: Tokens, distance: str) -> tuple[FloatArray, FloatArray, FloatArray]:
    given = tokens.rows.given
    n = np.where(given >= 2, given, 0).astype(np.float64)
    return tokens.rows.edits.disagreement(distance), n, np.zeros(len(n))


def _by_cluster(of_rows: FloatArray, tokens: Tokens, cluster: IntArray) -> FloatArray:
    sums = np.bincount(cluster, weights=of_rows[tokens.rows.which], minlength=1)
    return sums.astype(np.float64)


def _own(tokens: Tokens, level: str, distance: str, subset: str, cluster: IntArray, n: FloatArray) -> FloatArray:
    """Give Q_c of each cluster."""
    delta = tokens.differences(level, distance)
    if len(n) > _FEW:
        counts = tokens.within(subset).counts(level)
        q = float(counts.marginals @ tokens.against(level, distance, subset))
        return np.asarray(np.square(n / n.sum()) * q)
    order = np.argsort(cluster, kind="stable")
    edges = np.searchsorted(cluster[order], np.arange(len(n) + 1))
    found = np.zeros(len(n))
    for index, (first, last) in enumerate(pairwise(edges.tolist())):
        marginals = tokens.rows.of_tokens(order[first:last]).within(subset).counts(level).marginals
        found[index] = delta.total(marginals, marginals)
    return found
