"""Many editions one after the other in arrays, so that kernels can work on all of them in one call."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import cycle, pairwise

import numpy as np

from unisono.arrays import ComparedByContent, IntArray
from unisono.data.edition import Edition, Layer


@dataclass(frozen=True, slots=True, eq=False)
class StackedEditions(ComparedByContent):
    """Editions, all with the same layers."""

    n_layers: int
    # the texts, shape (n_symbols,), and where each one begins, shape (n_editions + 1,)
    text: IntArray
    text_edges: IntArray
    # places of units in their own text, shape (n_units,): edition by edition, and in each layer by layer; where each
    # layer of each edition begins, shape (n_editions · n_layers + 1,)
    start: IntArray
    end: IntArray
    edges: IntArray
    # labels: in each layer of each edition feature by feature, and where each begins, as before
    codes: IntArray
    code_edges: IntArray

    @property
    def n_units(self) -> IntArray:
        """Number of units, shape (n_editions, n_layers)."""
        return np.diff(self.edges).reshape(-1, self.n_layers)

    def labels(self, feature: int, layer: int, edition: IntArray, unit: IntArray) -> IntArray:
        """Return the codes of a feature, by its place in the layer, for units of a layer; -1 where there is none."""
        block = edition * self.n_layers + layer
        return np.asarray(self.codes[self.code_edges[block] + feature * np.diff(self.edges)[block] + unit])

    def edition(self, index: int) -> Edition:
        """Return one of them."""
        layers = []
        for block in range(index * self.n_layers, (index + 1) * self.n_layers):
            own = slice(self.edges[block], self.edges[block + 1])
            codes = self.codes[self.code_edges[block] : self.code_edges[block + 1]]
            n_units = own.stop - own.start
            n_features = len(codes) // n_units if n_units else 0
            layers.append(Layer(self.start[own], self.end[own], codes.reshape(n_features, n_units)))
        return Edition(self.text[self.text_edges[index] : self.text_edges[index + 1]], tuple(layers))

    def editions(self, n_features: Sequence[int]) -> list[Edition]:
        """Return all of them, if so many features belong to each layer."""
        units, codes = pairwise(self.edges.tolist()), pairwise(self.code_edges.tolist())
        layers = [
            Layer(self.start[a:b], self.end[a:b], self.codes[c:d].reshape(n, b - a))
            for (a, b), (c, d), n in zip(units, codes, cycle(n_features), strict=False)
        ]
        own = zip(*[iter(layers)] * self.n_layers, strict=True)
        texts = pairwise(self.text_edges.tolist())
        return [Edition(self.text[a:b], of_text) for (a, b), of_text in zip(texts, own, strict=True)]


def stacked_editions(editions: Sequence[Edition]) -> StackedEditions:
    """Put editions one after the other."""
    layers = [layer for edition in editions for layer in edition.layers]
    return StackedEditions(
        len(editions[0].layers) if editions else 1,
        _joined([edition.text for edition in editions]),
        _edges([len(edition.text) for edition in editions]),
        _joined([layer.start for layer in layers]),
        _joined([layer.end for layer in layers]),
        _edges([layer.n_units for layer in layers]),
        _joined([layer.codes.ravel() for layer in layers]),
        _edges([layer.codes.size for layer in layers]),
    )


def _joined(parts: Sequence[IntArray]) -> IntArray:
    return np.concatenate(parts) if parts else np.zeros(0, np.int64)


def _edges(sizes: Sequence[int]) -> IntArray:
    return np.concatenate([[0], np.cumsum(np.array(sizes, dtype=np.int64))])
