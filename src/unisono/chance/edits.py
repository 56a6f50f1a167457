"""Chance from a pre-annotation: its text, segmentation and labels changed at random (Barteld et al. 2016, §6).

Annotators who correct a text do not start from nothing. Random annotators change about as many units as real ones are
assumed to, in random places and ways, and label all units at random.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
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
    """Random editions of one document: copies of a pre-annotation, edited.

    Attributes
    ----------
    bases : tuple of Edition
        The pre-annotation; if there are several, samples take them in turn.
    n_annotators : int
        How many editions a sample has.
    edits : Edits
        What is changed.
    stream : str
        What the random numbers depend on besides the seed.
    """

    bases: tuple[Edition, ...]
    n_annotators: int
    edits: Edits
    stream: str = ""

    @property
    def n_units(self) -> int:
        """About how many units a sample has."""
        return sum(base.n_units for base in self.bases) // len(self.bases) * self.n_annotators


def draw(models: Sequence[RandomEditions], numbers: Sequence[range], seed: int) -> StackedEditions:
    """Make samples of some models, one model after the other, by the numbers of the samples of each.

    A sample is as many random editions of the base whose turn it is. Of each, the text is changed first, then its
    segmentation, then its labels, each independently of the others. The models must share their edits. A sample depends
    on its model, its number and the seed, not on what is made with it.
    """
    edits = models[0].edits
    bases = stacked_editions([base for model in models for base in model.bases])
    n_bases = np.array([len(model.bases) for model in models])
    keys = np.array([key_of(seed, model.stream) for model in models], dtype=np.int64)
    whose = np.repeat(np.arange(len(models)), [len(own) for own in numbers])
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
        (np.cumsum(n_bases) - n_bases)[whose] + number % n_bases[whose],
        np.array([model.n_annotators for model in models])[whose],
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
