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

import numpy as np

from unisono.arrays import BoolArray, FloatArray, IntArray
from unisono.data import Label
from unisono.data.editions import Alphabet, Edition, LayerKind
from unisono.data.meetings import ranges
from unisono.dissimilarity.category import Distance, Nominal, checked_values, with_missing
from unisono.dissimilarity.combined import WeightedFeature
from unisono.dissimilarity.difference_sums import Compare
from unisono.dissimilarity.registry import DistanceRole, available_distances, serves_as
from unisono.errors import OptionError
from unisono.kernels.characters import distinct_runs

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

    def between(self, first: Edition, second: Edition, layer: int, *, complete: bool = False) -> TextCompare:
        """Prepare to compare the units of a layer of two editions.

        They are `complete` if every unit has a label of every feature, "none" being one, as in random annotations.
        """
        return TextCompare(self, first, second, layer, complete)

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


class TextCompare:
    """Compares the units of a layer of two editions."""

    def __init__(self, bound: BoundText, first: Edition, second: Edition, layer: int, complete: bool) -> None:
        self.bound = bound
        self.first, self.second = first.layers[layer], second.layers[layer]
        self._texts = first.text, second.text
        self._features = [(bound.weight_of(name), bound.compare[name]) for name in bound.kinds[layer].features]
        self._complete = complete
        self._which: IntArray | None = None

    def __call__(self, u: IntArray, v: IntArray) -> FloatArray:
        """Return d(u, v)/Δ∅ for units u of the first and v of the second edition, element by element."""
        total, weight = np.zeros(len(u)), np.zeros(len(u))
        for part, counts in self._parts(u, v):
            total += part
            weight += counts
        return np.divide(total, weight, out=np.zeros(len(u)), where=weight > 0)

    def parts(self, u: IntArray, v: IntArray) -> list[FloatArray]:
        """Return what the text, then each feature, adds to d(u, v)/Δ∅."""
        parts = list(self._parts(u, v))
        weight = sum((counts for _, counts in parts), np.zeros(len(u)))
        return [np.divide(part, weight, out=np.zeros(len(u)), where=weight > 0) for part, _ in parts]

    def same_text(self, u: IntArray, v: IntArray) -> BoolArray:
        """Return which pairs of units have the same text."""
        which = self._numbers()
        return np.asarray(which[u] == which[self.first.n_units + v])

    def _parts(self, u: IntArray, v: IntArray) -> Iterator[tuple[FloatArray, FloatArray | float]]:
        """Return weighted distances, and the weights that count for each pair."""
        weight = self.bound.definition.text_weight
        yield weight * self._text(u, v) if weight else np.zeros(len(u)), weight
        for codes_u, codes_v, (weight, compare) in zip(
            self.first.codes, self.second.codes, self._features, strict=True
        ):
            here, there = codes_u[u], codes_v[v]
            either = weight if self._complete else weight * ((here >= 0) | (there >= 0))
            yield weight * compare(here, there), either

    def _text(self, u: IntArray, v: IntArray) -> FloatArray:
        different = (~self.same_text(u, v)).astype(np.float64)
        if isinstance(self.bound.definition.text_distance, Nominal):
            return different
        unlike = np.flatnonzero(different)
        which = self._numbers()
        pairs, back = np.unique(
            np.stack([which[u[unlike]], which[self.first.n_units + v[unlike]]]), axis=1, return_inverse=True
        )
        _, where = np.unique(which, return_index=True)
        words = [self._spelled(int(unit)) for unit in where]
        compare = self.bound.definition.text_distance.bind(words)
        if len(unlike):
            different[unlike] = compare(pairs[0], pairs[1])[back.ravel()]
        return different

    def _spelled(self, unit: int) -> str:
        """Return a unit's text with one character per symbol, whatever symbols are; surrogates are skipped."""
        n_first = self.first.n_units
        layer, text = (self.first, self._texts[0]) if unit < n_first else (self.second, self._texts[1])
        unit = unit if unit < n_first else unit - n_first
        symbols = text[layer.start[unit] : layer.end[unit]].tolist()
        return "".join([chr(code if code < 0xD800 else code + 0x800) for code in symbols])

    def _numbers(self) -> IntArray:
        """Assign numbers to texts of units, those of the first edition and then those of the second."""
        if self._which is None:
            (first, second), (left, right) = (self.first, self.second), self._texts
            sizes = [layer.end - layer.start for layer in (first, second)]
            texts = np.concatenate([left[ranges(first.start, sizes[0])], right[ranges(second.start, sizes[1])]])
            self._which, _ = distinct_runs(texts, np.concatenate([[0], np.cumsum(np.concatenate(sizes))]))
        return self._which


def _within_one(compare: Compare, name: str) -> Compare:
    """Check that distances of labels are within 0 to 1, so that inequality (1) holds."""

    def within(u: IntArray, v: IntArray) -> FloatArray:
        values = checked_values(compare(u, v), len(u), "distance", f" of {name}")
        if (values > 1).any():
            message = f"the distance of {name!r} returned {values.max():g}; distances must be from 0 to 1"
            raise OptionError.about("distance", message)
        return values

    return within
