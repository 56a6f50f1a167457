"""The confidence interval of α: texts, or blocks of the text where there are few, are left out one by one.

α = 1 - D_o / D_e. Leaving a cluster c out takes its disagreement from D_o and its labels from D_e, whose numerator Q =
Σ n_k n_l δ_kl becomes Q - 2 Σ_k n_ck Σ_l n_l δ_kl + Q_c. All of these are sums that are gathered once.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np

from unisono.arrays import FloatArray, IntArray
from unisono.measures.categorization.counts import Counts
from unisono.measures.normalization.alpha import disagreements
from unisono.measures.normalization.tokens import Tokens
from unisono.results import Estimate, Interval
from unisono.statistics.jackknife import over_documents

_FEW = 200
"""Up to so many clusters, Q_c is computed; beyond, it is a part of Q so small that the usual mix of labels will do."""
_N_BLOCKS = 5
_FEWEST = 5
"""Fewer clusters, or tokens in each, are too few to tell how much they vary."""


def interval(tokens: Tokens, level: str, distance: str, subset: str, estimate: Estimate) -> Interval | None:
    """Give the interval of α, or None if there is too little to go by.

    Parameters
    ----------
    tokens : Tokens
        All tokens.
    level, distance, subset : str
        What α is of.
    estimate : Estimate
        α itself.
    """
    if estimate.value is None or estimate.expected is None:
        return None
    cluster, what = clusters(tokens)
    rows = _edits(tokens, distance) if level == "edits" else _labels(tokens, level, distance, subset)
    inside = tokens.rows.within(subset)
    observed, n, against = (_by_cluster(np.where(inside, part, 0.0), tokens, cluster) for part in rows)
    there = n > 0
    if there.sum() < _FEWEST or tokens.rows.data.n_tokens < _FEWEST**2:
        return None
    total = n.sum()
    expected = n * estimate.expected
    without = (total - n) * estimate.expected
    if level != "edits":
        own = _own(tokens, level, distance, subset, cluster, n)
        with np.errstate(divide="ignore", invalid="ignore"):
            without = (against.sum() - 2 * against + own) / (total - n - 1)
    # a single deviation counts 2, once for either order of the two annotators
    found = over_documents(
        observed[there] / 2,
        expected[there] / 2,
        serious=bool(observed.sum() > 0),
        expected_without=without[there] / 2,
    )
    if found is None:
        return None
    method = f"jackknife over {int(there.sum()):,} {what}" if observed.sum() else "Poisson limit, no disagreement seen"
    return replace(found, low=float(found.low), high=float(found.high), method=method)


def clusters(tokens: Tokens) -> tuple[IntArray, str]:
    """Say which cluster each token is in, and what clusters are: texts, or blocks of the text if there are few.

    Blocks are cut between sentences where these are known. Sentences themselves would be too small: where difficulty
    drifts through a text, neighbours are alike, and leaving them out one by one makes the interval too narrow.
    """
    data = tokens.rows.data
    if len(np.unique(data.document)) >= _FEWEST:
        return data.document, "texts"
    if data.sentence is None:
        return np.arange(data.n_tokens) * _N_BLOCKS // max(data.n_tokens, 1), "blocks of tokens"
    first, which = np.unique(data.sentence, return_index=True, return_inverse=True)[1:]
    return first[which.reshape(-1)] * _N_BLOCKS // max(data.n_tokens, 1), "blocks of sentences"


def _labels(tokens: Tokens, level: str, distance: str, subset: str) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Give, row by row, disagreement, the number of labels, and how much these differ from all labels."""
    rows = tokens.rows
    columns = rows.norm.T if level == "word" else rows.as_characters.kinds
    units = Counts(columns, np.ones(columns.shape[1]), rows.scale if level == "word" else rows.as_characters.scale)
    against = np.append(tokens.against(level, distance, subset), 0.0)  # the last is for what is missing
    parts = (
        disagreements(units, tokens.differences(level, distance)),
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
