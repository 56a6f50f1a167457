"""Chance from a pre-annotation: its text, segmentation and labels changed at random (Barteld et al. 2016, §6).

Annotators who correct a text do not start from nothing. Random annotators change about as many units as real ones are
assumed to, in random places and ways, and label all units at random.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from unisono.arrays import BoolArray, FloatArray, IntArray
from unisono.chance.sampling import key_of
from unisono.data.edition import Edition, Layer
from unisono.data.meetings import ranges
from unisono.data.stacked_editions import StackedEditions, stacked_editions
from unisono.kernels import expect_work
from unisono.kernels.edits import draw_editions, edit_units, segment_units

_EDIT = 3
"""An edit takes about as long as to align so many units."""


@dataclass(frozen=True, eq=False)
class Edits:
    """What random annotators change, and how often.

    Attributes
    ----------
    p_text : float
        How likely the text of a unit is edited; units without text are not.
    p_segmentation : tuple of float
        The expected number of splits and merges as a share of the units, for each layer.
    p_further : float
        How likely each edit of a unit is followed by another one.
    symbols : float64 array, shape (n_symbols,)
        How often each symbol occurs in units.
    labels : tuple
        For each layer and feature, how often each label occurs; "none" comes first.
    white : bool array, shape (n_symbols,)
        Which symbols are white space.
    edited : tuple of int
        The layers whose units' texts are edited.
    gaps : bool
        Whether the last layer is the text outside units.
    """

    p_text: float
    p_segmentation: tuple[float, ...]
    p_further: float
    symbols: FloatArray
    labels: tuple[tuple[FloatArray, ...], ...]
    white: BoolArray
    edited: tuple[int, ...]
    gaps: bool

    @property
    def none(self) -> bool:
        """Whether text and segmentation never change, so that only labels are random."""
        return self.p_text == 0 and not any(self.p_segmentation)

    @cached_property
    def totals(self) -> tuple[FloatArray, FloatArray, IntArray, IntArray]:
        """Frequencies of symbols and labels as kernels need them; see `draw_editions`."""
        every = [_total(frequency) for own in self.labels for frequency in own]
        edges = np.cumsum([0, *map(len, every)])
        features = np.cumsum([0, *map(len, self.labels)])
        return _total(self.symbols), np.concatenate([*every, np.zeros(0)]), edges, features

    def n_editable(self, base: Edition) -> int:
        """Return how many units have a text that can be edited."""
        return len(_editable(stacked_editions([base]), self.edited)[0]) // 2

    def edit_text(self, base: Edition, n_edits: int, rng: np.random.Generator) -> Edition:
        """Edit the text of so many units, of the finest layer and of gaps if they count; all units move with it."""
        # distinct units, as in the paper; edits after the first one of a unit are ours (p_further)
        units = _editable(stacked_editions([base]), self.edited)[0].reshape(-1, 2)
        chosen = np.sort(rng.choice(len(units), size=n_edits, replace=False))
        expect_work(_EDIT * n_edits, 2)
        text, moved = edit_units(base.text, units[chosen].ravel(), self.totals[0], self.p_further, *_key(rng))
        layers = [Layer(moved[layer.start], moved[layer.end], layer.codes) for layer in base.layers]
        return Edition(text, tuple(layers))

    def segment(self, edition: Edition, n_changes: Sequence[int], rng: np.random.Generator) -> Edition:
        """Split and merge units of each layer so many times.

        Labels are left as they were, and have no meaning where units changed.
        """
        layers = []
        for layer, times in zip(edition.layers, n_changes, strict=True):
            expect_work(_EDIT * times, 2)
            span = segment_units(edition.text, self.white, layer.start, layer.end, times, *_key(rng))
            layers.append(Layer(*span, layer.codes))
        return Edition(edition.text, tuple(layers))

    def draw_labels(self, n_units: int, layer: int, rng: np.random.Generator) -> IntArray:
        """Draw labels for units of a layer, feature by feature; "none" is one of them."""
        codes = [
            rng.choice(len(frequency), n_units, p=frequency / frequency.sum()) - 1 for frequency in self.labels[layer]
        ]
        return np.array(codes, dtype=np.int64).reshape(len(codes), n_units)


def _key(rng: np.random.Generator) -> tuple[int, int]:
    return int(rng.integers(1 << 32)), int(rng.integers(1 << 32))


def _total(frequency: FloatArray) -> FloatArray:
    return np.concatenate([[0.0], np.cumsum(frequency)])


@dataclass(frozen=True, eq=False)
class RandomEditions:
    """Random editions of some documents: copies of their pre-annotations, edited.

    Attributes
    ----------
    documents : tuple of str
        The names of the documents.
    bases : StackedEditions
        Their pre-annotations, document by document; if one has several, samples take them in turn.
    n_bases, n_annotators : int64 array, shape (n_documents,)
        How many pre-annotations each document has, and how many editions a sample of it.
    edits : Edits
        What is changed.
    streams : tuple of str
        What the random numbers of each document depend on besides the seed.
    """

    documents: tuple[str, ...]
    bases: StackedEditions
    n_bases: IntArray
    n_annotators: IntArray
    edits: Edits
    streams: tuple[str, ...]

    def at_rates(self, p_text: float, p_segmentation: tuple[float, ...]) -> RandomEditions:
        """Return the same, if text and segmentation are changed so often."""
        return replace(self, edits=replace(self.edits, p_text=p_text, p_segmentation=p_segmentation))

    def take(self, index: IntArray) -> RandomEditions:
        """Return those of some documents."""
        n_bases = self.n_bases[index]
        return RandomEditions(
            tuple([self.documents[place] for place in index.tolist()]),
            self.bases.take(ranges(self.first[index], n_bases)),
            n_bases,
            self.n_annotators[index],
            self.edits,
            tuple([self.streams[place] for place in index.tolist()]),
        )

    @cached_property
    def first(self) -> IntArray:
        """The place of the first pre-annotation of each document."""
        return np.cumsum(self.n_bases) - self.n_bases

    @property
    def n_units(self) -> IntArray:
        """About how many units a sample of each document has."""
        return self._of_bases(self.bases.n_units.sum(axis=1)) * self.n_annotators

    @property
    def sizes(self) -> IntArray:
        """About how many symbols and markers of each document are aligned for one sample."""
        lengths = np.diff(self.bases.text_edges) + 2 * self.bases.n_units.sum(axis=1)
        return self._of_bases(lengths) * self.n_annotators * (self.n_annotators - 1) // 2 + 1

    def _of_bases(self, numbers: IntArray) -> IntArray:
        """Return the mean of a number over the pre-annotations of each document, as a whole number."""
        whose = np.repeat(np.arange(len(self.n_bases)), self.n_bases)
        return np.bincount(whose, numbers, minlength=len(self.n_bases)).astype(np.int64) // self.n_bases


def draw(models: RandomEditions, numbers: Sequence[range], seed: int) -> StackedEditions:
    """Make samples of some documents, one document after the other, by the numbers of the samples of each.

    A sample is as many random editions of the base whose turn it is. Of each, the text is changed first, then its
    segmentation, then its labels, each independently of the others. A sample depends on its document, its number and
    the seed, not on what is made with it.
    """
    edits, bases, n_bases = models.edits, models.bases, models.n_bases
    keys = np.array([key_of(seed, stream) for stream in models.streams], dtype=np.int64)
    whose = np.repeat(np.arange(len(n_bases)), [len(own) for own in numbers])
    number = np.concatenate([np.array(own, dtype=np.int64) for own in numbers])
    editable, editable_edges = _editable(bases, edits.edited)
    symbols, labels, label_edges, feature_edges = edits.totals
    made = draw_editions(
        bases.text,
        bases.text_edges,
        bases.start,
        bases.end,
        bases.edges,
        editable,
        editable_edges,
        bases.n_layers,
        edits.gaps,
        edits.white,
        symbols,
        labels,
        label_edges,
        feature_edges,
        edits.p_text,
        np.array(edits.p_segmentation),
        edits.p_further,
        models.first[whose] + np.remainder(number, n_bases[whose]),
        models.n_annotators[whose],
        keys[whose, 0],
        keys[whose, 1],
        number,
    )
    return StackedEditions(bases.n_layers, *made)


def _editable(bases: StackedEditions, edited: Sequence[int]) -> tuple[IntArray, IntArray]:
    """Return the units whose text can be edited, by start and end in the order of the text; see `draw_editions`."""
    n_bases = len(bases.text_edges) - 1
    blocks = (np.arange(n_bases)[:, None] * bases.n_layers + np.array(edited)).ravel()
    counts = np.diff(bases.edges)[blocks]
    units = ranges(bases.edges[blocks], counts)
    whose = np.repeat(np.arange(n_bases).repeat(len(edited)), counts)
    long = bases.end[units] > bases.start[units]
    units, whose = units[long], whose[long]
    units = units[np.lexsort((bases.start[units], whose))]
    edges = np.concatenate([[0], np.cumsum(np.bincount(whose, minlength=n_bases))])
    return np.stack([bases.start[units], bases.end[units]], axis=1).ravel(), edges
