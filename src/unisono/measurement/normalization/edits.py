"""Normalizations as sets of edit operations (an option that Bollmann, Dipper & Petran 2016, §7, leave open).

geweint for gewain is {4: a → e, 6: n → nt}. Observed disagreement compares the sets of two annotators on the same
token, where the place of an edit counts. Chance compares the normalizations of any two tokens, where places are
irrelevant: what counts is which edits were made, and how often in the word. Places can only make edits differ, so
chance is never made to look worse than it is.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from unisono.arrays import FloatArray, IntArray
from unisono.data.meetings import ranges
from unisono.dissimilarity.category import jaccard, masi
from unisono.kernels.characters import distinct_rows, distinct_runs
from unisono.measurement.normalization.characters import Characters
from unisono.results import Estimate

_FORMULAS: dict[str, Callable[[Any, Any, Any], FloatArray]] = {"masi": masi, "jaccard": jaccard}
_PAIRS_AT_ONCE = 2**20


@dataclass(frozen=True)
class EditSets:
    """The edits of each row."""

    characters: Characters  # what each character becomes

    def agreement(self, rows: IntArray, repeats: FloatArray, distance: str) -> Estimate:
        """Return α = 1 - D_o / D_e of some rows, each occurring so often; some must have two normalizations or more."""
        given = (self.characters.norm >= 0).sum(axis=1)
        weights = np.zeros(len(given))
        weights[rows] = np.where(given[rows] >= 2, repeats, 0.0)
        n = float(weights @ given)
        observed = float(weights @ self.disagreement(distance)) / n
        expected = self._by_chance(weights, distance) / (n * (n - 1))
        if expected > 0:
            return Estimate(1 - observed / expected, observed, expected, what="disagreement")
        reason = "all normalizations make the same edits, so agreement cannot be distinguished from chance"
        return Estimate(None, observed, expected, reason, what="disagreement")

    def disagreement(self, distance: str) -> FloatArray:
        """Return Σ δ / (m - 1) over ordered pairs of the m annotators of each row; 0 where there is just one."""
        characters = self.characters
        given = (characters.norm >= 0).sum(axis=1)
        columns, identity = characters.kinds, characters.rewritten.identity
        size = [characters.of_rows((column != identity) & (column >= 0)) for column in columns]
        total = np.zeros(len(characters.original))
        for one, other in itertools.combinations(range(len(columns)), 2):
            same = (columns[one] == columns[other]) & (columns[one] != identity)
            common = characters.of_rows(same & (columns[one] >= 0))
            both = (characters.norm[:, one] >= 0) & (characters.norm[:, other] >= 0)
            total += np.where(both, 2 * _FORMULAS[distance](common, size[one], size[other]), 0.0)
        return np.asarray(total / np.maximum(given - 1, 1))

    def _by_chance(self, weights: FloatArray, distance: str) -> float:
        """Return Σ n_s n_t δ(s, t) over all bags of edits s and t; those with nothing in common differ by 1."""
        pair, member = self._bags
        n = np.zeros(member.shape[0])
        for column in pair.T:
            n += np.bincount(column[column >= 0], weights=weights[column >= 0], minlength=len(n))
        size = np.diff(member.indptr)
        nothing = float(n[size == 0].sum())
        alike = nothing * nothing
        formula = _FORMULAS[distance]
        turned = member.T.tocsr()
        for some in self._batches(member, n):
            common = (member[some] @ turned).tocoo()
            row, column = some[common.row], common.col
            similarity = 1.0 - formula(common.data, size[row], size[column])
            alike += float((n[row] * n[column] * similarity).sum())
        return max(float(n.sum()) ** 2 - alike, 0.0)

    def _batches(self, member: Any, n: FloatArray) -> list[IntArray]:
        """Cut the bags that occur into batches that do not have too much in common with others at once."""
        some = np.flatnonzero((n > 0) & (np.diff(member.indptr) > 0))
        shared = np.bincount(member.indices, minlength=member.shape[1])
        work = np.add.reduceat(np.append(shared[member.indices], 0), member.indptr[:-1])[some]
        return np.split(some, np.flatnonzero(np.diff(np.cumsum(work) // _PAIRS_AT_ONCE)) + 1)

    @cached_property
    def _bags(self) -> tuple[IntArray, Any]:
        """The bag of each normalization, shape (n_rows, n_annotators), and which edits each bag has.

        The second time that an edit is made in a word, it counts as a different edit, so bags become sets.
        """
        from scipy.sparse import csr_matrix

        rewritten, pair = self.characters.rewritten, self.characters.pair
        word = np.repeat(np.arange(len(rewritten.original)), np.diff(rewritten.starts))
        changed = np.flatnonzero(rewritten.codes != rewritten.identity)
        word = word[changed]
        offset = changed - rewritten.starts[word]
        symbol = rewritten.spelling.symbols[rewritten.spelling.starts[rewritten.original[word]] + offset]
        operations = np.stack([symbol, rewritten.codes[changed]], axis=1)
        operation, _ = distinct_rows(operations)
        order = np.lexsort((operation, word))
        word, operation = word[order], operation[order]
        edit = np.stack([operation, _times(word, operation)], axis=1)
        number, first = distinct_rows(edit)
        edges = np.searchsorted(word, np.arange(len(rewritten.original) + 1))
        bag, one = distinct_runs(number, edges)
        lengths = edges[one + 1] - edges[one]
        indptr = np.concatenate([[0], np.cumsum(lengths)])
        inside = ranges(edges[one], lengths)
        shape = (len(one), max(len(first), 1))
        member = csr_matrix((np.ones(len(inside), dtype=np.int64), number[inside], indptr), shape=shape)
        return np.where(pair >= 0, bag[np.maximum(pair, 0)], -1) if len(bag) else pair, member


def _times(word: IntArray, operation: IntArray) -> IntArray:
    """Count how often each operation has already occurred in its word; both are sorted."""
    new = np.ones(len(word), dtype=np.bool_)
    new[1:] = (word[1:] != word[:-1]) | (operation[1:] != operation[:-1])
    begin = np.flatnonzero(new)
    return np.arange(len(word)) - np.repeat(begin, np.diff(np.append(begin, len(word))))
