"""The input of the measure of normalizations: tokens that are rewritten alike, each with how often it occurs."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from unisono.arrays import BoolArray, FloatArray, IntArray
from unisono.data import Normalizations
from unisono.dissimilarity.difference_sums import Differences, Unlike
from unisono.errors import OptionError
from unisono.kernels import expect_work
from unisono.kernels.characters import distinct_rows
from unisono.measurement.categorization.choice import Scale
from unisono.measurement.categorization.counts import Counts
from unisono.measurement.normalization.alpha import alpha_of_words
from unisono.measurement.normalization.characters import Characters
from unisono.measurement.normalization.edits import EditSets
from unisono.measurement.normalization.spelling import Spelling
from unisono.results import Estimate

LEVELS = ("character", "word", "edits")
DISTANCES = ("nld", "nominal", "masi", "jaccard")
SUBSETS = ("all", "medium", "strict")
MOST_PAIRS = 66
"""Up to this many pairs of annotators, each is compared."""
_TOKENS_AS_UNIT = 20
"""This many normalizations take as long as a unit of γ; see `unisono.kernels.plan`."""


@dataclass(frozen=True)
class TokenRows:
    """Distinct rows of a table of normalizations."""

    data: Normalizations  # the table, cleaned
    characters: str = "codepoints"  # codepoints or graphemes: what a character is

    @property
    def which(self) -> IntArray:
        """The row of each token."""
        return self._distinct[0]

    @cached_property
    def original(self) -> IntArray:
        """The original of each row, shape (n_rows,)."""
        return np.asarray(self.data.original[self._distinct[1]])

    @cached_property
    def norm(self) -> IntArray:
        """Its normalizations, shape (n_rows, n_annotators)."""
        return np.asarray(self.data.norm[self._distinct[1]])

    @cached_property
    def given(self) -> IntArray:
        """How many normalizations a row has."""
        return np.asarray((self.norm >= 0).sum(axis=1))

    def within(self, subset: str) -> BoolArray:
        """Return which rows are in a subset (§6): all; medium, changed by at least one annotator; strict, by all.

        Only the normalizations that exist count.
        """
        changed = ((self.norm >= 0) & (self.norm != self.original[:, None])).sum(axis=1)
        if subset == "all":
            return np.ones(len(self.original), dtype=np.bool_)
        return np.asarray(changed > 0 if subset == "medium" else (changed == self.given) & (changed > 0))

    @cached_property
    def spelling(self) -> Spelling:
        """All forms, and their characters."""
        return Spelling(self.data.forms, self.characters)

    @cached_property
    def scale(self) -> Scale:
        """The forms as labels."""
        return Scale(self.data.forms)

    @cached_property
    def as_characters(self) -> Characters:
        """The characters of each row."""
        return Characters(self.spelling, self.original, self.norm)

    @cached_property
    def edits(self) -> EditSets:
        """The edits of each row."""
        return EditSets(self.as_characters)

    @cached_property
    def all_tokens(self) -> Tokens:
        """All tokens."""
        repeats = np.bincount(self.which, minlength=len(self.original)).astype(np.float64)
        return Tokens(self, np.arange(len(repeats)), repeats, whole=True)

    def of_document(self, document: int) -> Tokens:
        """Return the tokens of one document."""
        first, last = np.searchsorted(self.data.document, (document, document + 1))
        return self.of_tokens(np.arange(first, last))

    def of_tokens(self, tokens: IntArray) -> Tokens:
        """Return some tokens."""
        some, repeats = np.unique(self.which[tokens], return_counts=True)
        return Tokens(self, some, repeats.astype(np.float64))

    @cached_property
    def words_against(self) -> dict[str, FloatArray]:
        """Σ_k δ(c, k) n_k of all words c, δ being the normalized Levenshtein distance.

        By subset, and by pairs of annotators; all at once, since comparing all words takes most of the time.
        """
        every = self.all_tokens
        weights = {name: every.within(name).words.marginals for name in SUBSETS}
        for pair in self.pairs:
            weights[str(list(pair))] = every.of_pair(pair).words.marginals
        found = self.spelling.spelled.against(np.stack(list(weights.values()), axis=1))
        return dict(zip(weights, np.ascontiguousarray(found.T), strict=True))

    @cached_property
    def pairs(self) -> Sequence[tuple[int, int]]:
        """The pairs of annotators, if they are not too many."""
        pairs = list(itertools.combinations(range(len(self.data.annotators)), 2))
        return pairs if len(pairs) <= MOST_PAIRS else []

    @cached_property
    def _distinct(self) -> tuple[IntArray, IntArray]:
        cells = np.concatenate([self.data.original[:, None], self.data.norm], axis=1)
        expect_work(cells.size // _TOKENS_AS_UNIT, 2)
        return distinct_rows(cells)


@dataclass(frozen=True)
class Tokens:
    """Some tokens: rows, and how often each occurs."""

    rows: TokenRows  # the distinct rows
    some: IntArray  # shape (n,): those that occur among these tokens
    repeats: FloatArray  # shape (n,): how often each occurs
    whole: bool = False  # whether these are all tokens
    who: list[int] | None = None  # only these annotators; all if None

    @property
    def undefined(self) -> str | None:
        """Why there can be no agreement, whatever is compared."""
        return None if self.n_tokens("all") else "no token was normalized by two annotators"

    def of_pair(self, pair: tuple[int, int]) -> Tokens:
        """Return the same tokens with two annotators only."""
        return replace(self, who=list(pair))

    def within(self, subset: str) -> Tokens:
        """Return those of a subset."""
        if subset == "all":
            return self
        inside = self.rows.within(subset)[self.some]
        return replace(self, some=self.some[inside], repeats=self.repeats[inside])

    def n_tokens(self, subset: str) -> int:
        """Return the number of tokens of a subset with two normalizations or more."""
        chosen = self.within(subset)
        given = self.rows.given if self.who is None else (self.rows.norm[:, self.who] >= 0).sum(axis=1)
        return int(chosen.repeats[given[chosen.some] >= 2].sum())

    @cached_property
    def words(self) -> Counts:
        """Words as labels of tokens."""
        columns = np.ascontiguousarray(self.rows.norm[self.some].T)
        return Counts(columns if self.who is None else columns[self.who], self.repeats, self.rows.scale)

    @cached_property
    def characters(self) -> Counts:
        """What characters become as labels of characters."""
        counts = self.rows.as_characters.counts(self.some, self.repeats)
        return counts if self.who is None else Counts(counts.columns[self.who], counts.repeats, counts.scale)

    def agreement(self, level: str, distance: str, subset: str) -> Estimate:
        """Return α of the tokens of a subset; the distances masi and jaccard are for edits."""
        refuse_senseless(level, distance)
        if self.undefined is not None:
            return Estimate(None, undefined=self.undefined, what="disagreement")
        chosen = self.within(subset)
        if not chosen.n_tokens("all"):
            who = "any" if subset == "medium" else "all"
            reason = f"no token was changed by {who} of at least two annotators"
            return Estimate(None, undefined=reason, what="disagreement")
        if level == "edits":
            return self.rows.edits.agreement(chosen.some, chosen.repeats, distance)
        return alpha_of_words(
            chosen.counts(level), self.differences(level, distance), self._total(level, distance, subset)
        )

    def counts(self, level: str) -> Counts:
        """Count labels."""
        return self.words if level == "word" else self.characters

    def differences(self, level: str, distance: str) -> Differences:
        """Return δ of the labels."""
        if distance == "nominal":
            return Unlike()
        return self.rows.spelling.spelled if level == "word" else self.rows.as_characters.rewritten.spelled

    def against(self, level: str, distance: str, subset: str) -> FloatArray:
        """Return Σ_k δ(c, k) n_k of all labels c, for all tokens of a subset."""
        if level == "word" and distance == "nld":
            return self.rows.words_against[subset]
        n = self.within(subset).counts(level).marginals
        if distance == "nominal":
            return np.asarray(n.sum() - n)
        return self.rows.as_characters.rewritten.spelled.against(n[:, None])[:, 0]

    def _total(self, level: str, distance: str, subset: str) -> float | None:
        """Return Σ_ck n_c n_k δ_ck where comparing all words once is enough for several of them."""
        name = subset if self.who is None else str(self.who)
        if not self.whole or level != "word" or distance != "nld" or name not in self.rows.words_against:
            return None
        return float(self.within(subset).words.marginals @ self.rows.words_against[name])


def refuse_senseless(level: str, distance: str) -> None:
    """Reject invalid combinations."""
    sets = distance in DISTANCES[2:]
    if sets and level != "edits":
        raise OptionError.about(
            "distance", f"distance={distance} compares sets of edits; set level=edits, or distance=nld or nominal"
        )
    if level == "edits" and not sets:
        raise OptionError.about(
            "level", "level=edits compares sets of edits; set distance=masi or distance=jaccard too"
        )
