"""A given number of random changes to the text, segmentation and labels of an edition (Barteld et al. 2016, §6).

They are those of text-γ's chance model (`chance.edits`), which makes a random number of them, many editions at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from unisono.arrays import BoolArray, FloatArray, IntArray
from unisono.data.editions import Edition, Layer

_INSERT, _DELETE, _SUBSTITUTE = 0, 1, 2
_SPLIT, _MERGE_LEFT, _MERGE_RIGHT = 0, 1, 2


@dataclass(frozen=True)
class TextEdits:
    """What can be changed, and to what.

    Attributes
    ----------
    symbols : float64 array, shape (n_symbols,)
        How often each symbol occurs in units.
    labels : tuple
        For each layer and feature, how often each label occurs; "none" comes first.
    white : bool array, shape (n_symbols,)
        Which symbols are white space.
    edited : tuple of int
        The layers whose units' texts are edited.
    """

    symbols: FloatArray
    labels: tuple[tuple[FloatArray, ...], ...]
    white: BoolArray
    edited: tuple[int, ...]

    def edit_text(self, base: Edition, n_edits: int, rng: np.random.Generator) -> Edition:
        """Edit the text of so many units of the finest layer, each once; all units move with it."""
        chosen = np.sort(rng.choice(self._with_text(base), size=n_edits, replace=False))
        if not len(chosen):
            return base
        start = np.concatenate([base.layers[k].start for k in self.edited])
        end = np.concatenate([base.layers[k].end for k in self.edited])
        change = self._changes(base.text, start[chosen], end[chosen], rng)
        return Edition(change.applied(base.text), tuple(change.moved(layer) for layer in base.layers))

    def segment(self, edition: Edition, n_changes: Sequence[int], rng: np.random.Generator) -> Edition:
        """Split and merge units of each layer so many times.

        Labels are left as they were, and have no meaning where units changed.
        """
        layers = [
            self._segmented(edition.text, layer, times, rng)
            for layer, times in zip(edition.layers, n_changes, strict=False)
        ]
        return Edition(edition.text, tuple(layers))

    def draw_labels(self, n_units: int, layer: int, rng: np.random.Generator) -> IntArray:
        """Draw labels for units of a layer, feature by feature; "none" is one of them."""
        codes = [_drawn(frequency, rng.random(n_units)) - 1 for frequency in self.labels[layer]]
        return np.array(codes, dtype=np.int64).reshape(len(codes), n_units)

    def n_editable(self, base: Edition) -> int:
        """Return how many units have a text that can be edited."""
        return len(self._with_text(base))

    def _with_text(self, base: Edition) -> IntArray:
        """Return the units whose text can be edited, numbered over the layers that are edited."""
        long = [base.layers[k].end > base.layers[k].start for k in self.edited]
        return np.flatnonzero(np.concatenate(long))

    def _changes(self, text: IntArray, start: IntArray, end: IntArray, rng: np.random.Generator) -> _Change:
        """Draw one edit for each of some units: an insertion, a deletion or a substitution, equally likely.

        A unit of one symbol is not emptied, and where there is only one symbol none can be substituted: then one of
        the other edits is made.
        """
        # the k-th of the edits that are allowed is where their running count exceeds k
        n, length = len(start), end - start
        several = np.count_nonzero(self.symbols) > 1
        allowed = np.stack([np.ones(n, dtype=np.bool_), length > 1, np.full(n, several)], axis=1)
        which = (rng.random(n) * allowed.sum(axis=1)).astype(np.int64)
        kind = np.argmax(np.cumsum(allowed, axis=1) > which[:, None], axis=1)
        place = start + (rng.random(n) * (length + (kind == _INSERT))).astype(np.int64)
        symbol = np.full(n, -1, dtype=np.int64)
        inserted = kind == _INSERT
        symbol[inserted] = _drawn(self.symbols, rng.random(int(inserted.sum())))
        substituted = kind == _SUBSTITUTE
        symbol[substituted] = _drawn_other(self.symbols, text[place[substituted]], rng.random(int(substituted.sum())))
        return _Change(start, place, kind, symbol)

    def _segmented(self, text: IntArray, layer: Layer, times: int, rng: np.random.Generator) -> Layer:
        """Split units, and merge neighbours with what is between them, so many times; results can change again."""
        if not times or not layer.n_units:
            return layer
        start, end = layer.start.tolist(), layer.end.tolist()
        for kind in rng.integers(3, size=times).tolist():
            kind, index = _possible(kind, start, end, rng)
            if index is None:
                break
            if kind == _SPLIT:
                cut = start[index] + 1 + int(rng.integers(end[index] - start[index] - 1))
                left, right = self._parted(text, start[index], cut, end[index])
                end.insert(index, left)
                start.insert(index + 1, right)
            else:
                index = index - 1 if kind == _MERGE_LEFT else index
                del end[index], start[index + 1]
        return Layer(np.array(start, dtype=np.int64), np.array(end, dtype=np.int64), layer.codes)

    def _parted(self, text: IntArray, start: int, cut: int, end: int) -> tuple[int, int]:
        """Return where the part before a cut ends and the one after it begins: white space belongs to neither."""
        left, right = cut, cut
        while left > start and self.white[text[left - 1]]:
            left -= 1
        while right < end and self.white[text[right]]:
            right += 1
        return (left, right) if start < left and right < end else (cut, cut)


@dataclass(frozen=True)
class _Change:
    """Edits of a text: the unit's start, the place, the kind, and the symbol."""

    start: IntArray
    place: IntArray
    kind: IntArray
    symbol: IntArray

    def applied(self, text: IntArray) -> IntArray:
        """Edit the text."""
        made = text.copy()
        substituted, inserted = self.kind == _SUBSTITUTE, self.kind == _INSERT
        made[self.place[substituted]] = self.symbol[substituted]
        # an insertion at the beginning of a unit comes after one at the end of the unit before it
        where = np.lexsort((self.start[inserted], self.place[inserted]))
        kept = np.ones(len(text), dtype=np.bool_)
        kept[self.place[self.kind == _DELETE]] = False
        made = np.insert(made, self.place[inserted][where], self.symbol[inserted][where])
        return made[np.insert(kept, self.place[inserted][where], True)]

    def moved(self, layer: Layer) -> Layer:
        """Move units with their text: what is inserted at a unit's own beginning or end belongs to it."""
        return Layer(self._moved(layer.start), self._moved(layer.end), layer.codes)

    def _moved(self, position: IntArray) -> IntArray:
        inserted = self.kind == _INSERT
        at_begin = inserted & (self.place == self.start)
        later = np.sort(self.place[inserted & ~at_begin])  # counts for what is at its place or after
        sooner = np.sort(self.place[at_begin])  # counts for what is after its place
        deleted = np.sort(self.place[self.kind == _DELETE])
        moved = position + np.searchsorted(later, position, side="right")
        moved += np.searchsorted(sooner, position, side="left")
        return np.asarray(moved - np.searchsorted(deleted, position, side="left"), dtype=np.int64)


def _possible(kind: int, start: Sequence[int], end: Sequence[int], rng: np.random.Generator) -> tuple[int, int | None]:
    """Choose a unit for a split or merge; another kind of change if this one is impossible, None if all are."""
    # Most units can be split: drawing until one can is faster than listing those that can, as long as it succeeds.
    # Either way all of them are equally likely.
    n = len(start)
    if kind == _SPLIT:
        for _ in range(20):
            index = int(rng.integers(n))
            if end[index] - start[index] > 1:
                return kind, index
        long = [index for index in range(n) if end[index] - start[index] > 1]
        if long:
            return kind, long[int(rng.integers(len(long)))]
        kind = _MERGE_LEFT
    if n > 1:
        return kind, int(rng.integers(n - 1)) + (kind == _MERGE_LEFT)
    return _SPLIT, 0 if end[0] - start[0] > 1 else None


def _drawn(frequency: FloatArray, uniform: FloatArray) -> IntArray:
    """Draw by frequency."""
    total = np.cumsum(frequency)
    return np.asarray(
        np.minimum(np.searchsorted(total, uniform * total[-1], side="right"), len(frequency) - 1), dtype=np.int64
    )


def _drawn_other(frequency: FloatArray, but: IntArray, uniform: FloatArray) -> IntArray:
    """Draw by frequency, for each place another one than the one given."""
    # along the cumulative frequencies, the stretch of the one that is not allowed is skipped
    total = np.concatenate([[0.0], np.cumsum(frequency)])
    at = uniform * (total[-1] - frequency[but])
    at = np.where(at >= total[but], at + frequency[but], at)
    return np.asarray(np.minimum(np.searchsorted(total[1:], at, side="right"), len(frequency) - 1), dtype=np.int64)
