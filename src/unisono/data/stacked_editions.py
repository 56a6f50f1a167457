"""Many editions one after the other in arrays, so that kernels can work on all of them in one call."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import cycle, pairwise
from typing import TypeAlias

import numpy as np

from unisono.arrays import ComparedByContent, IntArray
from unisono.data.edition import Edition, Layer
from unisono.data.meetings import ranges

_Places: TypeAlias = tuple[IntArray | slice, IntArray]


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

    def __len__(self) -> int:
        return len(self.text_edges) - 1

    @property
    def n_units(self) -> IntArray:
        """Number of units, shape (n_editions, n_layers)."""
        return np.diff(self.edges).reshape(-1, self.n_layers)

    def labels(self, feature: int, layer: int, edition: IntArray, unit: IntArray) -> IntArray:
        """Return the codes of a feature, by its place in the layer, for units of a layer; -1 where there is none."""
        block = edition * self.n_layers + layer
        return np.asarray(self.codes[self.code_edges[block] + feature * np.diff(self.edges)[block] + unit])

    def take(self, index: IntArray) -> StackedEditions:
        """Return some of them, in this order."""
        blocks = (index[:, None] * self.n_layers + np.arange(self.n_layers)).ravel()
        return self._at(_taken(self.text_edges, index), _taken(self.edges, blocks), _taken(self.code_edges, blocks))

    def part(self, first: int, last: int) -> StackedEditions:
        """Return those from `first`, included, to `last`, excluded."""
        blocks = slice(first * self.n_layers, last * self.n_layers)
        return self._at(
            _between(self.text_edges, slice(first, last)),
            _between(self.edges, blocks),
            _between(self.code_edges, blocks),
        )

    def _at(self, texts: _Places, units: _Places, codes: _Places) -> StackedEditions:
        """Return what is at some places, given with where each edition or layer begins among them."""
        return StackedEditions(
            self.n_layers,
            self.text[texts[0]],
            texts[1],
            self.start[units[0]],
            self.end[units[0]],
            units[1],
            self.codes[codes[0]],
            codes[1],
        )

    def and_then(self, others: StackedEditions) -> StackedEditions:
        """Return these editions and others after them."""

        def edges(one: IntArray, other: IntArray) -> IntArray:
            return np.concatenate([one, one[-1] + other[1:]])

        return StackedEditions(
            self.n_layers,
            np.concatenate([self.text, others.text]),
            edges(self.text_edges, others.text_edges),
            np.concatenate([self.start, others.start]),
            np.concatenate([self.end, others.end]),
            edges(self.edges, others.edges),
            np.concatenate([self.codes, others.codes]),
            edges(self.code_edges, others.code_edges),
        )

    def without_labels(self) -> StackedEditions:
        """Return the same editions without their labels."""
        return replace(self, codes=self.codes[:0], code_edges=np.zeros_like(self.code_edges))

    def keys(self) -> list[tuple[bytes, ...]]:
        """Return what editions are sorted by, so that the order of annotators does not matter."""
        text, start, end, codes = (own.tobytes() for own in (self.text.astype(">u4"), self.start, self.end, self.codes))
        units, labels = pairwise((8 * self.edges).tolist()), pairwise((8 * self.code_edges).tolist())
        layers = (start[a:b] + end[a:b] + codes[c:d] for (a, b), (c, d) in zip(units, labels, strict=True))
        texts = (text[a:b] for a, b in pairwise((4 * self.text_edges).tolist()))
        return [*zip(texts, *[layers] * self.n_layers, strict=True)]

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


def _taken(edges: IntArray, blocks: IntArray) -> _Places:
    """Return the places of what is in some blocks, and where each of these begins if they follow each other."""
    counts = edges[blocks + 1] - edges[blocks]
    return ranges(edges[blocks], counts), np.concatenate([[0], np.cumsum(counts)])


def _between(edges: IntArray, blocks: slice) -> _Places:
    """Return the same for blocks that follow each other already."""
    own = edges[blocks.start : blocks.stop + 1]
    return slice(int(own[0]), int(own[-1])), own - own[0]


def _joined(parts: Sequence[IntArray]) -> IntArray:
    return np.concatenate(parts) if parts else np.zeros(0, np.int64)


def _edges(sizes: Sequence[int]) -> IntArray:
    return np.concatenate([[0], np.cumsum(np.array(sizes, dtype=np.int64))])
