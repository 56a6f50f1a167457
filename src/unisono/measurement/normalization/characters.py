"""Normalization as a task of characters (Bollmann, Dipper & Petran 2016, §5): what each original character becomes.

Original and normalization are aligned by Needleman and Wunsch's algorithm. An unchanged character has the identity
label; inserted characters belong to the character on their left, word-initial ones to the right; a deleted character
has a separate label.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import overload

import numpy as np

from unisono.arrays import FloatArray, IntArray
from unisono.checks import check_choice
from unisono.data.labels import MISSING
from unisono.data.meetings import ranges
from unisono.data.normalizations import Forms
from unisono.dissimilarity.difference_sums import Spelled
from unisono.errors import DataError, OptionError
from unisono.kernels import expect_work
from unisono.kernels.characters import KEPT, distinct_rows, distinct_runs, rewrite, spread
from unisono.measurement.categorization.choice import Scale
from unisono.measurement.categorization.counts import Counts
from unisono.measurement.normalization.spelling import CHARACTERS, Spelling

_MOST_CELLS = 2**24
_CELLS_AS_UNIT = 200
"""Aligning this many pairs of characters takes as long as a unit of γ; see `unisono.kernels.plan`."""


@dataclass(frozen=True)
class Representation:
    """A token's normalization, character by character (table 4).

    Attributes
    ----------
    original, normalization : str
        The words.
    units : tuple of str
        The characters of the original.
    full : tuple of str
        What each becomes.
    diff : tuple of str
        The same, with = for what is not changed.
    """

    original: str
    normalization: str
    units: tuple[str, ...]
    full: tuple[str, ...]
    diff: tuple[str, ...]

    def __str__(self) -> str:
        rows = {"": self.units, "full": self.full, "diff": self.diff}
        widths = [max(map(len, column)) for column in zip(*rows.values(), strict=True)]
        lines = [[text.ljust(width) for text, width in zip(row, widths, strict=True)] for row in rows.values()]
        return "\n".join("  ".join([name.ljust(4), *line]).rstrip() for name, line in zip(rows, lines, strict=True))


def representation(original: str, normalization: str, *, characters: str = "codepoints") -> Representation:
    """Show what each character of a word becomes in its normalization (table 4).

    Parameters
    ----------
    original, normalization : str
        The words.
    characters : {"codepoints", "graphemes"}
        What a character is.

    Examples
    --------
    >>> import unisono
    >>> print(unisono.representation("gewain", "weinte"))
          g  e  w  a  i  n
    full  ∅  ∅  w  e  i  nte
    diff  ∅  ∅  =  e  =  =te

    Returns
    -------
    Representation
        What each character becomes; `str()` of it is a table.

    See Also
    --------
    normalization
    """
    for name, given in (("original", original), ("normalization", normalization)):
        if not isinstance(given, str):
            message = f"{given!r} is not a word; pass the original and its normalization as text"
            raise OptionError.about(name, message)
    spelling = Spelling(Forms((original, normalization)), check_choice(characters, "characters", CHARACTERS))
    word = np.zeros(1, dtype=np.int64)
    rewritten = Rewritten(spelling, word, word + 1)
    units = [spelling.written([symbol]) for symbol in spelling.symbols[: spelling.starts[1]].tolist()]
    diff = [rewritten.labels[code] for code in rewritten.of(0).tolist()]
    full = [rewritten.full(code, symbol) for code, symbol in zip(rewritten.of(0), spelling.symbols, strict=False)]
    return Representation(original, normalization, tuple(units), tuple(full), tuple(diff))


@dataclass(frozen=True)
class Rewritten:
    """What the characters of originals become."""

    spelling: Spelling  # all words
    # shape (n_pairs,): which words become which; each pair once
    original: IntArray
    normalization: IntArray

    @cached_property
    def starts(self) -> IntArray:
        """Where the codes of each pair start in `codes`, and where the last ones end."""
        return np.concatenate([np.zeros(1, np.int64), np.cumsum(self.spelling.length[self.original])])

    @property
    def codes(self) -> IntArray:
        """The label of each character of each pair: index into `labels`."""
        return self._coded[0]

    @cached_property
    def labels(self) -> Sequence[str]:
        """The labels as displayed; different labels may be displayed alike."""
        return _Written(self.spelling, self._symbols)

    @cached_property
    def spelled(self) -> Spelled:
        """The labels, ready for distances."""
        flat = np.array([symbol for symbols in self._symbols for symbol in symbols], dtype=np.int64)
        edges = np.cumsum([0, *map(len, self._symbols)])
        return Spelled(self.spelling.private(flat, edges))

    @cached_property
    def identity(self) -> int:
        """The code of the identity label; -1 if every character is changed."""
        return next((code for code, symbols in enumerate(self._symbols) if symbols == [KEPT]), MISSING)

    def of(self, pair: int) -> IntArray:
        """Return the codes of one pair."""
        return self.codes[self.starts[pair] : self.starts[pair + 1]]

    def full(self, code: int, symbol: int) -> str:
        """Write a label with the character itself where it is not changed."""
        return self.spelling.written([symbol if one == KEPT else one for one in self._symbols[code]])

    @cached_property
    def _symbols(self) -> list[list[int]]:
        """The labels as symbols."""
        _, symbols, edges, first = self._coded
        return [symbols[edges[run] : edges[run + 1]].tolist() for run in first.tolist()]

    @cached_property
    def _coded(self) -> tuple[IntArray, IntArray, IntArray, IntArray]:
        """Codes; all labels as symbols, and where each begins; one place where each code occurs."""
        length = self.spelling.length
        cells = (length[self.original] + 1) * (length[self.normalization] + 1)
        most = int(cells.max(initial=1))
        if most > _MOST_CELLS:
            word = self.spelling.words[int(self.original[int(cells.argmax())])]
            raise DataError(
                f"the token {word[:30]!r}… has {len(word):,} characters, which together with its normalization are too "
                "many to align; check which column is the original"
            )
        expect_work(int(cells.sum()) // _CELLS_AS_UNIT, 2)
        symbols, edges = rewrite(
            self.spelling.symbols,
            self.spelling.starts,
            self.original,
            self.normalization,
            most,
            int(self.starts[-1]),
        )
        codes, first = distinct_runs(symbols, edges)
        return codes, symbols, edges, first


@dataclass(frozen=True)
class _Written(Sequence[str]):
    """Labels whose text is made only when they are displayed."""

    spelling: Spelling
    symbols: Sequence[Sequence[int]]

    def __len__(self) -> int:
        return len(self.symbols)

    @overload
    def __getitem__(self, code: int) -> str: ...

    @overload
    def __getitem__(self, code: slice) -> Sequence[str]: ...

    def __getitem__(self, code: int | slice) -> str | Sequence[str]:
        if isinstance(code, slice):
            return [self.spelling.written(symbols) for symbols in self.symbols[code]]
        return self.spelling.written(self.symbols[code])


@dataclass(frozen=True)
class Characters:
    """The characters of tokens as units, with the label that each annotator gave them."""

    spelling: Spelling  # all words
    original: IntArray  # shape (n_rows,): the original of each row: index into the words
    norm: IntArray  # shape (n_rows, n_annotators): its normalizations; -1 where there is none

    @property
    def rewritten(self) -> Rewritten:
        """Every distinct pair of original and normalization."""
        return self._paired[0]

    @property
    def pair(self) -> IntArray:
        """Which of them each normalization is, shape (n_rows, n_annotators); -1 where there is none."""
        return self._paired[1]

    @cached_property
    def scale(self) -> Scale:
        """The labels."""
        return Scale(self.rewritten.labels)

    @cached_property
    def row(self) -> IntArray:
        """The row of each character."""
        return np.repeat(np.arange(len(self.original)), self._length)

    @cached_property
    def symbol(self) -> IntArray:
        """Each character itself, as a number."""
        return np.asarray(self.spelling.symbols[ranges(self.spelling.starts[self.original], self._length)])

    @property
    def kind(self) -> IntArray:
        """Index into `kinds` of each character: those with the same labels are of one kind."""
        return self._kinds[0]

    @property
    def kinds(self) -> IntArray:
        """The labels that annotators gave characters of each kind, shape (n_annotators, n_kinds)."""
        return self._kinds[1]

    def counts(self, rows: IntArray, repeats: FloatArray) -> Counts:
        """Count labels of the characters of some rows, each as often as it occurs."""
        length = self._length[rows]
        kind = self.kind
        if len(rows) < len(self.original):
            kind = kind[ranges((np.cumsum(self._length) - self._length)[rows], length)]
        n = np.bincount(kind, weights=np.repeat(repeats, length), minlength=self.kinds.shape[1])
        some = np.flatnonzero(n)
        return Counts(np.ascontiguousarray(self.kinds[:, some]), n[some].astype(np.float64), self.scale)

    def of_rows(self, values: FloatArray) -> FloatArray:
        """Add up a value of each kind over the characters of each row."""
        return np.bincount(self.row, weights=values[self.kind], minlength=len(self.original)).astype(np.float64)

    @cached_property
    def _length(self) -> IntArray:
        """How many characters each row has."""
        return self.spelling.length[self.original]

    @cached_property
    def _paired(self) -> tuple[Rewritten, IntArray]:
        """Distinct pairs, and which of them occurs where."""
        cells = np.empty((*self.norm.shape, 2), dtype=np.int64)
        cells[:, :, 0], cells[:, :, 1] = self.original[:, None], self.norm
        which, first = distinct_rows(cells.reshape(-1, 2))
        pairs = cells.reshape(-1, 2)[first]
        given = pairs[:, 1] >= 0
        number = np.where(given, np.cumsum(given) - 1, MISSING)
        return Rewritten(self.spelling, pairs[given, 0], pairs[given, 1]), number[which].reshape(self.norm.shape)

    @cached_property
    def _kinds(self) -> tuple[IntArray, IntArray]:
        n_annotators = self.norm.shape[1]
        starts = np.append(self.rewritten.starts[:-1], MISSING)[self.pair]
        n_labels = int(self._length.sum()) * n_annotators
        labels = spread(self.rewritten.codes, starts.ravel(), self._length, n_labels).reshape(-1, n_annotators)
        kind, first = distinct_rows(labels)
        return kind, np.ascontiguousarray(labels[first].T)
