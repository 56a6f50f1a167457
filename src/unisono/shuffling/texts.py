"""Errors of annotators who correct the text (Barteld et al. 2016, §7): text, segmentation, labels, in this order.

Of n units, at magnitude m, the text of 0.5 m n is changed, 0.1 m n splits and merges are made, m n labels are drawn
anew. Where these are no whole numbers they are rounded up or down at random, so that the mean is right for short
documents too. Changes are those of text-γ's chance model.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from unisono.arrays import IntArray
from unisono.chance.edits import RandomEditions
from unisono.data import Corpus
from unisono.data.editions import Edition, Editions, Layer, editions
from unisono.data.labels import Feature
from unisono.errors import DataError
from unisono.measurement.text_gamma.models import label_frequencies, symbol_frequencies
from unisono.shuffling.errors import TEXT_KINDS
from unisono.shuffling.units import annotator_names, rounded

SHARES = {kind.name: kind.share for kind in TEXT_KINDS.values()}
"""What part of the units is changed at magnitude 1 (§7)."""


class TextErrors:
    """Makes errors in the texts, tokens and labels of a reference.

    Parameters
    ----------
    reference : Corpus
        One annotator's texts and units.
    kinds : sequence of str
        Which errors: text, segmentation, label.
    """

    def __init__(self, reference: Corpus, kinds: Sequence[str]) -> None:
        if not reference.texts:
            raise DataError("the reference has no text, so there is none to change")
        self.reference = reference
        self._kinds = kinds
        features = [name for name in reference.features if name != "type"]
        self._made: Editions = editions(reference, features, fewest=1)
        self._edits = RandomEditions(
            bases=(),
            n_annotators=1,
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
        """Make annotators who err at a magnitude."""
        people = annotator_names(n_annotators)
        columns: dict[str, list[IntArray]] = {name: [] for name in ("document", "annotator", "start", "end")}
        codes: dict[str, list[IntArray]] = {name: [] for name in self.reference.features}
        texts = {}
        for d in self._made.of_document:
            for who in range(n_annotators):
                edition = self.erring(self._made.of_document[d][0], magnitude, rng)
                texts[d, who] = self._made.alphabet.spelled(edition.text)
                for kind, layer in zip(self._made.kinds, edition.layers, strict=True):
                    columns["document"].append(np.full(layer.n_units, d))
                    columns["annotator"].append(np.full(layer.n_units, who))
                    columns["start"].append(layer.start)
                    columns["end"].append(layer.end)
                    for name, feature in self.reference.features.items():
                        codes[name].append(self._column(name, feature, kind.name, kind.features, layer))
        joined = {name: np.concatenate(parts) for name, parts in columns.items()}
        labels = {name: np.concatenate(parts) for name, parts in codes.items()}
        order = np.lexsort(
            (*reversed([*labels.values()]), joined["end"], joined["start"], joined["annotator"], joined["document"])
        )
        return Corpus(
            documents=self.reference.documents,
            annotators=people,
            document=joined["document"][order],
            annotator=joined["annotator"][order],
            start=joined["start"][order],
            end=joined["end"][order],
            features={
                name: Feature(labels[name][order], feature.labels) for name, feature in self.reference.features.items()
            },
            worked=np.ones((len(self.reference.documents), n_annotators), dtype=np.bool_),
            texts=texts,
            source=f"shuffled · {self.reference.source}",
        )

    def erring(self, edition: Edition, magnitude: float, rng: np.random.Generator) -> Edition:
        """Make one annotator's edition."""
        counts = {kind: magnitude * SHARES[kind] if kind in self._kinds else 0.0 for kind in SHARES}
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
        """Split and merge; a unit keeps the labels of the one in the reference that it has most of."""
        times = [rounded(share * layer.n_units, rng) for layer in edition.layers]
        made = self._edits.segment(edition, times, rng)
        labels = []
        for before, after in zip(edition.layers, made.layers, strict=True):
            labels.append(before.codes[:, _owners(before, after)])
        return made, labels

    def _column(self, name: str, feature: Feature, kind: str, own: Sequence[str], layer: Layer) -> IntArray:
        """Give a feature's codes for units of one type."""
        if name == "type":
            names = [str(label) for label in feature.labels]
            return np.full(layer.n_units, names.index(kind) if kind in names else -1, dtype=np.int64)
        return layer.codes[own.index(name)] if name in own else np.full(layer.n_units, -1, dtype=np.int64)


def _owners(before: Layer, after: Layer) -> IntArray:
    """Give the unit before splits and mergers that each one after has most of, the first of several.

    Empty units stay themselves. What lies between two units belongs to the first that it touches.
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
