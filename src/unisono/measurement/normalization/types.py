"""Types of modernization (Bollmann, Dipper & Petran 2016, §6.2 and §6.3).

Where an annotator gave no type, the token was left unchanged (ORIG) or only normalized (NORM).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from unisono.arrays import BoolArray, FloatArray, IntArray
from unisono.data import Normalizations
from unisono.data.labels import MISSING
from unisono.errors import plural
from unisono.kernels.characters import distinct_rows
from unisono.measurement.categorization.choice import Scale
from unisono.measurement.categorization.counts import Counts
from unisono.measurement.normalization.tokens import TokenRows, Tokens

ORIG, NORM = "ORIG", "NORM"


@dataclass(frozen=True)
class Types:
    """The type of each token, by each annotator."""

    data: Normalizations  # cleaned; with types
    characters: str  # codepoints or graphemes: what a character is

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """ORIG, NORM, and the types that were given."""
        return tuple(dict.fromkeys([ORIG, NORM, *self.data.types]))

    @cached_property
    def codes(self) -> IntArray:
        """Index into `labels`, shape (n_tokens, n_annotators); -1 where there is neither type nor normalization."""
        changed = self.data.norm != self.data.original[:, None]
        derived = np.where((self.data.norm < 0) | self._without_type, MISSING, changed.astype(np.int64))
        number = np.array([*map(self.labels.index, self.data.types), MISSING], dtype=np.int64)
        return np.where(self._given >= 0, number[self._given], derived)

    def within(self, subset: str) -> BoolArray:
        """Return which tokens have a type beyond ORIG and NORM: of at least one annotator (medium), of all (strict)."""
        modern = (self.codes > 1).sum(axis=1)
        if subset == "all":
            return np.ones(len(modern), dtype=np.bool_)
        return np.asarray(
            modern > 0 if subset == "medium" else (modern > 0) & (modern == (self.codes >= 0).sum(axis=1))
        )

    def counts(self, subset: str) -> Counts:
        """Count types as labels of tokens."""
        codes = self.codes[self.within(subset)]
        which, first = distinct_rows(codes)
        repeats = np.bincount(which, minlength=len(first)).astype(np.float64)
        return Counts(np.ascontiguousarray(codes[first].T), repeats, Scale(self.labels))

    def confusion(self) -> FloatArray:
        """Return how often one annotator chose a type and the other another, the mean over pairs and both directions.

        The sum of all is the number of tokens. Shape (n_types, n_types), symmetric.
        """
        tables = []
        size = len(self.labels)
        for one, other in itertools.combinations(self.codes.T, 2):
            both = (one >= 0) & (other >= 0)
            table = np.bincount(one[both] * size + other[both], minlength=size * size).reshape(size, size)
            if both.any():
                tables.append((table + table.T) / 2)
        return np.asarray(np.mean(tables, axis=0)) if tables else np.zeros((size, size))

    def modernized(self, label: str) -> Tokens:
        """Return the tokens that all annotators gave this type, with modernizations in place of normalizations.

        For ORIG and NORM the modernization is the normalization.
        """
        return self._modernized.of_document(self.labels.index(label))

    def notes(self) -> Iterator[str]:
        """Report where a type has no modernization, or a modernization no type."""
        bare = (self._given >= 0) & (self.codes > 1) & (self._mod < 0)
        if bare.any():
            yield (
                f"{plural(int(bare.sum()), 'type')} of modernization without a modernization (the first: "
                f"{self._first(bare)}): the type counts, the modernization is missing"
            )
        if self._without_type.any():
            yield (
                f"{plural(int(self._without_type.sum()), 'modernization')} without a type (the first: "
                f"{self._first(self._without_type)}): the type is missing there"
            )

    @property
    def _given(self) -> IntArray:
        return np.full(self.data.norm.shape, MISSING, dtype=np.int64) if self.data.type is None else self.data.type

    @property
    def _mod(self) -> IntArray:
        return np.full(self.data.norm.shape, MISSING, dtype=np.int64) if self.data.mod is None else self.data.mod

    @cached_property
    def _without_type(self) -> BoolArray:
        return np.asarray((self._mod >= 0) & (self._mod != self.data.norm) & (self._given < 0))

    @cached_property
    def _modernized(self) -> TokenRows:
        """Tokens with an agreed type, sorted by it as if it were their text."""
        given = (self.codes >= 0).sum(axis=1)
        highest = self.codes.max(axis=1, initial=MISSING)
        agreed = ((self.codes == highest[:, None]).sum(axis=1) == given) & (given >= 2)
        tokens = np.flatnonzero(agreed)
        tokens = tokens[np.argsort(highest[tokens], kind="stable")]
        forms = np.where(self.codes > 1, self._mod, self.data.norm)
        data = replace(
            self.data,
            documents=self.labels,
            document=highest[tokens],
            original=self.data.original[tokens],
            norm=np.where(self.codes >= 0, forms, MISSING)[tokens],
            mod=None,
            type=None,
            sentence=None,
        )
        return TokenRows(data, self.characters)

    def _first(self, cells: BoolArray) -> str:
        token, who = np.argwhere(cells)[0].tolist()
        word, document = self.data.forms[self.data.original[token]], self.data.documents[self.data.document[token]]
        return f"{word!r} by {self.data.annotators[who]!r} in {document!r}"
