"""Words as sequences of characters, code points or grapheme clusters, for alignment and for distances."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from unisono.arrays import IntArray
from unisono.data.normalizations import Forms
from unisono.dissimilarity.difference_sums import Spelled
from unisono.kernels.characters import DELETED, KEPT

CHARACTERS = ("codepoints", "graphemes")
IDENTITY = "="
"""How an unchanged character is displayed."""
DELETION = "∅"
"""How a deleted character is displayed."""
_JOINER = "\u200d"


@dataclass(frozen=True)
class Spelling:
    """Words and the characters that they are made of."""

    words: Forms
    # codepoints or graphemes: what a character is; a grapheme is a character with the combining marks that follow it
    characters: str = "codepoints"

    @cached_property
    def length(self) -> IntArray:
        """Number of characters of each word."""
        if self.characters == "codepoints":
            return self.words.length
        return np.fromiter(map(len, self._clusters), np.int64, count=len(self.words))

    @cached_property
    def starts(self) -> IntArray:
        """Where each word starts in `symbols`, and where the last one ends."""
        return np.concatenate([np.zeros(1, np.int64), np.cumsum(self.length)])

    @cached_property
    def symbols(self) -> IntArray:
        """The characters of all words one after the other, as numbers."""
        if self.characters == "codepoints":
            return self.words.code_points
        number = {cluster: code for code, cluster in enumerate(self._alphabet)}
        return np.array([number[cluster] for word in self._clusters for cluster in word], dtype=np.int64)

    def written(self, symbols: Sequence[int]) -> str:
        """Write symbols for display."""
        return "".join(self._written(symbol) for symbol in symbols)

    @cached_property
    def spelled(self) -> Spelled:
        """The words, ready for distances."""
        return Spelled(self.words if self.characters == "codepoints" else self.private(self.symbols, self.starts))

    def private(self, symbols: IntArray, starts: IntArray) -> list[str]:
        """Return runs of symbols as texts in a private alphabet, where no symbol can be mistaken for another."""
        _, letters = np.unique(symbols, return_inverse=True)
        text = "".join(map(chr, letters.reshape(-1).tolist()))
        return [text[first:last] for first, last in pairwise(starts.tolist())]

    def _written(self, symbol: int) -> str:
        if symbol in _WRITTEN:
            return _WRITTEN[symbol]
        return chr(symbol) if self.characters == "codepoints" else self._alphabet[symbol]

    @cached_property
    def _clusters(self) -> list[list[str]]:
        return [grapheme_clusters(word) for word in self.words]

    @cached_property
    def _alphabet(self) -> list[str]:
        return sorted({cluster for word in self._clusters for cluster in word})


_WRITTEN = {KEPT: IDENTITY, DELETED: DELETION}


def grapheme_clusters(word: str) -> list[str]:
    """Split a word: each character with the combining marks, and what a zero-width joiner joins, after it."""
    found: list[str] = []
    for character in word:
        extends = unicodedata.category(character)[0] == "M" or character == _JOINER
        if found and (extends or found[-1].endswith(_JOINER)):
            found[-1] += character
        else:
            found.append(character)
    return found
