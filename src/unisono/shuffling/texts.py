"""Errors of annotators who correct the text (Barteld et al. 2016, §7): text, segmentation, labels, in this order.

Of n units, at magnitude m, 0.5 m n get another text, 0.1 m n splits and merges are made, and m n labels are drawn
again. These numbers are rounded up or down at random, so that the mean is right for short documents too. Changes are
those of text-γ's chance model.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from unisono.arrays import IntArray
from unisono.chance.edits import Edits
from unisono.data import Corpus
from unisono.data.edition import Edition, Layer
from unisono.data.editions import Editions, editions
from unisono.data.labels import Feature
from unisono.errors import DataError
from unisono.measurement.text_gamma.models import label_frequencies, symbol_frequencies
from unisono.shuffling.errors import TEXT_ERROR_KINDS
from unisono.shuffling.units import rounded, simulated_corpus


class TextErrors:
    """Makes errors of some kinds (text, segmentation, label) in the texts, tokens and labels of a reference."""

    def __init__(self, reference: Corpus, kinds: Sequence[str]) -> None:
        if not reference.texts:
            raise DataError("the reference has no text that could be changed")
        self.reference = reference
        self._kinds = kinds
        features = [name for name in reference.features if name != "type"]
        self._made: Editions = editions(reference, features, fewest=1)
        self._edits = Edits(
            p_text=0.0,
            p_segmentation=(),
            p_further=0.0,
            symbols=symbol_frequencies(self._made),
            labels=tuple(label_frequencies(self._made, layer) for layer in range(len(self._made.kinds))),
            white=self._made.alphabet.white,
            edited=self._made.with_text,
            gaps=False,
        )

    def shuffled(self, magnitude: float, n_annotators: int, rng: np.random.Generator) -> Corpus:
        """Simulate annotators who make errors of a magnitude."""
        owners: list[tuple[int, int]] = []
        layers: list[Layer] = []
        codes: list[IntArray] = []
        texts = {}
        for d in self._made.of_document:
            for who in range(n_annotators):
                edition = self.erring(self._made.of_document[d][0], magnitude, rng)
                texts[d, who] = self._made.alphabet.spelled(edition.text)
                for kind, layer in zip(self._made.kinds, edition.layers, strict=True):
                    owners.append((d, who))
                    layers.append(layer)
                    columns = [
                        self._column(name, feature, kind.name, kind.features, layer)
                        for name, feature in self.reference.features.items()
                    ]
                    codes.append(np.array(columns, dtype=np.int64).reshape(len(columns), layer.n_units))
        document, annotator = np.repeat(owners, [layer.n_units for layer in layers], axis=0).T
        span = np.concatenate([layer.start for layer in layers]), np.concatenate([layer.end for layer in layers])
        joined = np.concatenate(codes, axis=1)
        return simulated_corpus(self.reference, n_annotators, (document, annotator), span, joined, texts=texts)

    def erring(self, edition: Edition, magnitude: float, rng: np.random.Generator) -> Edition:
        """Make one annotator's edition."""
        kinds = TEXT_ERROR_KINDS.values()
        counts = {kind.name: magnitude * kind.share if kind.name in self._kinds else 0.0 for kind in kinds}
        n_units = max(layer.n_units for layer in edition.layers)
        labels = [layer.codes.copy() for layer in edition.layers]
        if counts["text"]:
            n_edits = min(rounded(counts["text"] * n_units, rng), self._edits.n_editable(edition))
            edition = self._edits.edit_text(edition, n_edits, rng)
        if counts["segmentation"]:
            edition, labels = self._segmented(edition, counts["segmentation"], rng)
        if counts["label"]:
            for place, layer in enumerate(edition.layers):
                chosen = rng.choice(layer.n_units, rounded(counts["label"] * layer.n_units, rng), replace=False)
                labels[place][:, chosen] = self._edits.draw_labels(len(chosen), place, rng)
        layers = [Layer(layer.start, layer.end, own) for layer, own in zip(edition.layers, labels, strict=True)]
        return Edition(edition.text, tuple(layers))

    def _segmented(self, edition: Edition, share: float, rng: np.random.Generator) -> tuple[Edition, list[IntArray]]:
        """Split and merge; a unit keeps the labels of the unit of the reference that covers most of it."""
        times = [rounded(share * layer.n_units, rng) for layer in edition.layers]
        made = self._edits.segment(edition, times, rng)
        labels = []
        for before, after in zip(edition.layers, made.layers, strict=True):
            labels.append(before.codes[:, _owners(before, after)])
        return made, labels

    def _column(self, name: str, feature: Feature, kind: str, own: Sequence[str], layer: Layer) -> IntArray:
        """Return a feature's codes for units of one type."""
        if name == "type":
            names = [str(label) for label in feature.labels]
            return np.full(layer.n_units, names.index(kind) if kind in names else -1, dtype=np.int64)
        return layer.codes[own.index(name)] if name in own else np.full(layer.n_units, -1, dtype=np.int64)


def _owners(before: Layer, after: Layer) -> IntArray:
    """Return, for each unit after splits and merges, the one before that covers most of it, the first of several.

    Empty units stay as they are. A unit between two others belongs to the first that it touches.
    """
    # all pairs of a unit after and one before that meet or touch; at least one for each unit after
    first = np.minimum(np.searchsorted(before.end, after.start, side="left"), before.n_units - 1)
    sizes = np.maximum(np.searchsorted(before.start, after.end, side="right") - first, 1)
    here = np.cumsum(sizes) - sizes
    mine = np.repeat(np.arange(after.n_units), sizes)
    other = np.arange(len(mine)) + np.repeat(first - here, sizes)
    begin, end = np.maximum(before.start[other], after.start[mine]), np.minimum(before.end[other], after.end[mine])
    outside = (begin == end) & (before.end[other] > before.start[other])  # touches only, other than an empty one within
    order = np.lexsort((other, outside, begin - end, mine))
    owner: IntArray = other[order[here]]
    still = np.flatnonzero(after.end == after.start)
    owner[still] += np.arange(len(still)) - np.searchsorted(after.start[still], after.start[still])
    return owner
