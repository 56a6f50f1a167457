"""The confidence interval of α: texts, or blocks of the text if there are few, are left out one by one.

α = 1 - D_o / D_e. Without a cluster c, D_o loses its disagreement and D_e its labels; D_e's numerator Q =
Σ n_k n_l δ_kl becomes Q - 2 Σ_k n_ck Σ_l n_l δ_kl + Q_c. All of these are sums that are computed once.
"""

from __future__ import annotations

from itertools import pairwise
from math import inf

import numpy as np

from unisono.arrays import BoolArray, FloatArray, IntArray
from unisono.measurement.categorization.counts import Counts
from unisono.measurement.normalization.alpha import disagreement_sums
from unisono.measurement.normalization.tokens import Tokens
from unisono.measurement.sums import sums_by
from unisono.results import Estimate, Interval
from unisono.statistics.jackknife import FEWEST_PARTS, Disputes, ErrorScale, Jackknife

_FEW = 200
"""Up to this many clusters, Q_c is computed; with more, each is so small a part of Q that its share of Q is enough."""
_N_BLOCKS = 5
_FEWEST_TOKENS = 25
"""With fewer tokens, blocks do not show how much they vary."""
_ROUNDING = 1e-12
"""If less than this fraction of the expected disagreement is left without a cluster, it is rounding error."""


def normalization_interval(
    tokens: Tokens, level: str, distance: str, subset: str, estimate: Estimate
) -> Interval | str:
    """Return the interval of α, or a clause that explains why there is none."""
    if estimate.value is None or not estimate.expected:
        return "there is no value"
    if tokens.rows.data.n_tokens < _FEWEST_TOKENS:
        return f"there are fewer than {_FEWEST_TOKENS} tokens"
    error = 1 - estimate.value
    # a token that every annotator normalizes differently adds this much to the error
    one_more = 1 / tokens.n_tokens(subset) / estimate.expected
    # D_o ≤ 2 D_e, for δ(x, y) ≤ δ(x, z) + δ(z, y) with a z drawn by chance; nld and edits need not satisfy this
    scale = ErrorScale(greatest=2.0 if error <= 2 else inf)
    if not estimate.observed:
        return Jackknife(error, scale=scale, disputes=Disputes(0, one_more)).interval()
    parts = _left_out(tokens, level, distance, subset, estimate.expected)
    return Jackknife(error, *parts, scale=scale, disputes=Disputes(None, one_more, near_misses=True)).interval()


def _clusters(tokens: Tokens, counting: BoolArray) -> tuple[IntArray, str]:
    """Return the cluster of each token that counts, and what clusters are: texts, or blocks if there are few texts.

    Blocks are cut between sentences where these are known. Sentences themselves would be too small: where difficulty
    drifts through a text, neighbours are alike, and leaving them out one by one makes the interval too narrow.
    """
    data = tokens.rows.data
    if len(np.unique(data.document[counting])) >= FEWEST_PARTS:
        return data.document, "texts"
    if data.sentence is None:
        return np.arange(data.n_tokens) * _N_BLOCKS // max(data.n_tokens, 1), "blocks of tokens"
    first, which = np.unique(data.sentence, return_index=True, return_inverse=True)[1:]
    return first[which.reshape(-1)] * _N_BLOCKS // max(data.n_tokens, 1), "blocks of sentences"


def _left_out(
    tokens: Tokens, level: str, distance: str, subset: str, by_chance: float
) -> tuple[FloatArray, FloatArray, str]:
    """Return D_o / D_e without each cluster, how many labels each has, and what clusters are."""
    of_rows = _edits(tokens, distance) if level == "edits" else _labels(tokens, level, distance, subset)
    inside = tokens.rows.within(subset)
    parts = [np.where(inside, part, 0.0) for part in of_rows]
    cluster, what = _clusters(tokens, (parts[1] > 0)[tokens.rows.which])
    observed, n, against = (sums_by(cluster, part[tokens.rows.which], 1) for part in parts)
    total, there = n.sum(), n > 0
    expected = (total - n) * by_chance
    with np.errstate(divide="ignore", invalid="ignore"):
        if level != "edits":
            own = _own(tokens, level, distance, subset, cluster, n)
            expected = (against.sum() - 2 * against + own) / (total - n - 1)
        expected[expected <= _ROUNDING * total * by_chance] = np.nan
        without = np.maximum(observed.sum() - observed, 0.0) / expected
    return without[there], n[there], what


def _labels(tokens: Tokens, level: str, distance: str, subset: str) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return, for each row, disagreement, the number of labels, and how much these differ from all labels."""
    rows = tokens.rows
    columns = rows.norm.T if level == "word" else rows.as_characters.kinds
    units = Counts(columns, np.ones(columns.shape[1]), rows.scale if level == "word" else rows.as_characters.scale)
    against = np.append(tokens.against(level, distance, subset), 0.0)  # the last is for missing labels
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


def _own(tokens: Tokens, level: str, distance: str, subset: str, cluster: IntArray, n: FloatArray) -> FloatArray:
    """Return Q_c of each cluster."""
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
