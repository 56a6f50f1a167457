"""Dissimilarity of units whose text may differ too (Barteld et al. 2016, §5).

d(u, v) = (w_t · d_t(text(u), text(v)) + Σ w_f · d_f(f(u), f(v))) / (w_t + Σ w_f), over the features f that u or v
has; weights are 1 by default. All distances are from 0 to 1, in units of Δ∅, which makes d(u, v) ≤ Δ∅ (inequality 1).

References
----------
.. [1] Barteld, F., Schröder, I. & Zinsmeister, H. (2016). text-gamma: inter-annotator agreement for categorization with
       simultaneous segmentation and transcription-error correction. KONVENS 2016.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from unisono.arrays import BoolArray, FloatArray, IntArray
from unisono.data import Label
from unisono.data.editions import Alphabet, LayerKind
from unisono.data.meetings import ranges
from unisono.data.stacked_editions import StackedEditions
from unisono.dissimilarity.category import Distance, Nominal, checked_values, with_missing
from unisono.dissimilarity.combined import WeightedFeature
from unisono.dissimilarity.difference_sums import Compare
from unisono.dissimilarity.registry import DistanceRole, available_distances, serves_as
from unisono.errors import OptionError
from unisono.kernels.characters import distinct_runs, same_runs

_MOST_LABELS = 2048
"""Up to this many labels, all pairs are compared to compute what is expected."""


@dataclass(frozen=True)
class TextDissimilarity:
    """How unlike two units of texts are."""

    features: tuple[WeightedFeature, ...] = ()  # the features that count
    text_weight: float = 1.0  # how much the text counts
    # how unlike two texts are: the same or not, or by their spelling
    text_distance: Distance = field(default_factory=Nominal)

    def __post_init__(self) -> None:
        for name, weight in (("text", self.text_weight), *((f.name, f.weight) for f in self.features)):
            if not (np.isfinite(weight) and weight >= 0):
                message = f"the weight of {name!r} must be a number from 0 up, not {weight:g}"
                raise OptionError.about("features", message)
        if not self.text_weight and not any(feature.weight for feature in self.features):
            raise OptionError.about("features", "text and features cannot all weigh 0: all units would be the same")
        if not serves_as(self.text_distance, DistanceRole.TEXTS):
            known = available_distances(DistanceRole.TEXTS)
            message = f"texts cannot be compared by {self.text_distance}; available for texts: {known}"
            raise OptionError.about("distance", message)
        for feature in self.features:
            feature.distance.check_within_one()

    def bind(
        self, kinds: Sequence[LayerKind], labels: Mapping[str, tuple[Label, ...]], alphabet: Alphabet
    ) -> BoundText:
        """Bind to the labels of a corpus."""
        known = {feature.name: feature for feature in self.features}
        names = dict.fromkeys(name for kind in kinds for name in kind.features)
        compare = {name: with_missing(_within_one(known[name].distance.bind(labels[name]), name)) for name in names}
        return BoundText(self, tuple(kinds), dict(labels), alphabet, compare)


@dataclass(frozen=True)
class BoundText:
    """A dissimilarity that knows the labels; compares units of two editions, in units of Δ∅."""

    definition: TextDissimilarity  # what counts
    kinds: tuple[LayerKind, ...]  # the types of units
    labels: Mapping[str, tuple[Label, ...]]  # feature to its labels
    alphabet: Alphabet  # the symbols of the texts
    compare: Mapping[str, Compare]  # feature to the comparison of its labels

    def between(self, editions: StackedEditions, layer: int, *, complete: bool = False) -> TextCompare:
        """Prepare to compare the units of a layer of some editions.

        They are `complete` if every unit has a label of every feature, "none" being one, as in random annotations.
        """
        return TextCompare(self, editions, layer, complete)

    def weight_of(self, feature: str) -> float:
        """Return how much a feature counts."""
        return next(one.weight for one in self.definition.features if one.name == feature)

    def expected(self, feature: str, frequency: FloatArray) -> float | None:
        """Return the mean distance of two labels drawn at random; None if they are too many to compare.

        `frequency` is how often "none", and each label, occurs; shape (1 + n_labels,).
        """
        present = np.flatnonzero(frequency)
        share = frequency[present] / frequency.sum()
        distance = next(one.distance for one in self.definition.features if one.name == feature)
        if isinstance(distance, Nominal):
            return float(1.0 - share @ share)
        if len(present) > _MOST_LABELS:
            return None
        u, v = np.divmod(np.arange(len(present) ** 2), max(len(present), 1))
        return float((share[u] * share[v]) @ self.compare[feature](present[u] - 1, present[v] - 1))

    def __reduce__(self) -> tuple[object, ...]:
        # comparisons are closures, which cannot be pickled: they are made again in the other process
        return self.definition.bind, (self.kinds, self.labels, self.alphabet)


class UnitPairs(NamedTuple):
    """Pairs of units of one layer, as arrays: editions, and the units in them."""

    first: IntArray
    second: IntArray
    u: IntArray
    v: IntArray


class TextCompare:
    """Compares units of a layer of some editions."""

    def __init__(self, bound: BoundText, editions: StackedEditions, layer: int, complete: bool) -> None:
        self._bound, self._editions, self._layer, self._complete = bound, editions, layer, complete

    def __call__(self, pairs: UnitPairs) -> FloatArray:
        """Return d(u, v)/Δ∅ of each pair."""
        total, weight = np.zeros(len(pairs.u)), np.zeros(len(pairs.u))
        for part, counts in self._parts(pairs):
            total += part
            weight += counts
        return np.divide(total, weight, out=np.zeros(len(total)), where=weight > 0)

    def parts(self, pairs: UnitPairs) -> list[FloatArray]:
        """Return what the text, then each feature, adds to d(u, v)/Δ∅."""
        parts = list(self._parts(pairs))
        weight = sum((counts for _, counts in parts), np.zeros(len(pairs.u)))
        return [np.divide(part, weight, out=np.zeros(len(part)), where=weight > 0) for part, _ in parts]

    def same_text(self, pairs: UnitPairs) -> BoolArray:
        """Return which pairs of units have the same text."""
        one, other = self.runs(pairs.first, pairs.u), self.runs(pairs.second, pairs.v)
        return same_runs(self._editions.text, *one, *other)

    def _parts(self, pairs: UnitPairs) -> Iterator[tuple[FloatArray, FloatArray | float]]:
        """Return weighted distances, and the weights that count for each pair."""
        bound, labels = self._bound, self._editions.labels
        weight = bound.definition.text_weight
        yield weight * self._text(pairs) if weight else np.zeros(len(pairs.u)), weight
        for place, name in enumerate(bound.kinds[self._layer].features):
            weight = bound.weight_of(name)
            here = labels(place, self._layer, pairs.first, pairs.u)
            there = labels(place, self._layer, pairs.second, pairs.v)
            either = np.full(len(here), weight)
            if not self._complete:
                either[(here < 0) & (there < 0)] = 0.0
            yield weight * bound.compare[name](here, there), either

    def _text(self, pairs: UnitPairs) -> FloatArray:
        different = (~self.same_text(pairs)).astype(np.float64)
        if isinstance(self._bound.definition.text_distance, Nominal):
            return different
        unlike = np.flatnonzero(different)
        if not len(unlike):
            return different
        one = self.runs(pairs.first[unlike], pairs.u[unlike])
        other = self.runs(pairs.second[unlike], pairs.v[unlike])
        begin, end = np.concatenate([one[0], other[0]]), np.concatenate([one[1], other[1]])
        text = self._editions.text
        which, where = distinct_runs(text[ranges(begin, end - begin)], np.concatenate([[0], np.cumsum(end - begin)]))
        words = [_written(text[begin[run] : end[run]]) for run in where.tolist()]
        compare = self._bound.definition.text_distance.bind(words)
        unique, back = np.unique(which.reshape(2, -1), axis=1, return_inverse=True)
        different[unlike] = compare(unique[0], unique[1])[back.ravel()]
        return different

    def runs(self, edition: IntArray, unit: IntArray) -> tuple[IntArray, IntArray]:
        """Return where the texts of units begin and end among all texts."""
        own = self._editions
        place, offset = own.edges[edition * own.n_layers + self._layer] + unit, own.text_edges[edition]
        return offset + own.start[place], offset + own.end[place]


def _written(symbols: IntArray) -> str:
    """Return a text with one character per symbol, whatever symbols are; surrogates are skipped."""
    return "".join([chr(code if code < 0xD800 else code + 0x800) for code in symbols.tolist()])


def _within_one(compare: Compare, name: str) -> Compare:
    """Check that distances of labels are within 0 to 1, so that inequality (1) holds."""

    def within(u: IntArray, v: IntArray) -> FloatArray:
        values = checked_values(compare(u, v), len(u), "distance", f" of {name}")
        if (values > 1).any():
            message = f"the distance of {name!r} returned {values.max():g}; distances must be from 0 to 1"
            raise OptionError.about("distance", message)
        return values

    return within
