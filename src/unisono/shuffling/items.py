"""Errors of annotators who label given items: they confuse labels, scatter, are severe, or leave labels out.

- *category* confuses labels as it confuses the categories of units (Mathet et al. 2015, §6.3.1).
- *noise*, on a scale: a label x becomes μ + (1 - m)(x - μ) + √(1 - (1 - m)²) σ ε, with the reference's mean μ and
  standard deviation σ, and normal ε. So labels keep their mean and their spread, and correlate by 1 - m with the
  reference.
- *severity*, on a scale: each annotator adds a constant between ± m · factor · half the range of the reference.
- *missing*: each label is left out with probability m.

On a scale, labels stay among those of the reference if these are steps of an order, else within their range.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from unisono.arrays import FloatArray, IntArray
from unisono.data import Label, Ratings
from unisono.data.labels import MISSING, feature, given_labels, written_label
from unisono.dissimilarity.category import as_numbers
from unisono.errors import OptionError
from unisono.measurement.readers import written_distance
from unisono.measurement.scales import label_scale
from unisono.shuffling.errors import ITEM_ERROR_KINDS, ReferenceProfile, confusion_probabilities

_NUMBERS = ("noise", "severity")
_STEPS = ("ordered", "steps", "ranks")
"""Kinds of labels that stay among those of the reference."""
_ENOUGH_ITEMS = 2_000
"""So many items are enough to know how agreement falls."""


class ItemErrors:
    """Makes errors of some kinds in the labels of a reference; see the module."""

    def __init__(
        self,
        reference: Ratings,
        kinds: Sequence[tuple[str, float | None]],
        *,
        distance: object = None,
        uniform: bool = False,
    ) -> None:
        self.reference = reference
        self._kinds = kinds
        self._codes = reference.codes[:, 0]
        labels = reference.labels
        counts = np.bincount(self._codes[self._codes >= 0], minlength=len(labels)).astype(np.float64)
        prevalence = np.ones(len(labels)) if uniform else counts
        similarity = None
        if distance is not None:
            compare = written_distance(distance).bind(labels)
            u, v = np.divmod(np.arange(len(labels) ** 2), max(len(labels), 1))
            similarity = 1.0 - np.clip(compare(u, v), 0.0, 1.0).reshape(len(labels), len(labels))
        nothing = np.zeros(0)
        self._profile = ReferenceProfile(
            0, prevalence / prevalence.sum(), nothing, self._codes[np.newaxis], similarity, ("label",)
        )
        if any(name in _NUMBERS for name, _ in kinds):
            self._values, self._in_steps = _scale(reference)

    def shuffled(self, magnitude: float, n_annotators: int, rng: np.random.Generator) -> Ratings:
        """Simulate annotators who make errors of a magnitude."""
        columns = [self._erring(magnitude, rng) for _ in range(n_annotators)]
        digits = len(str(n_annotators))  # so that the order of annotators is that of their names
        names = tuple(f"annotator {number:0{digits}d}" for number in range(1, n_annotators + 1))
        codes, labels = _together(columns)
        return replace(
            self.reference,
            annotators=names,
            codes=codes,
            labels=labels,
            source=f"shuffled · {self.reference.source}",
        )

    def _erring(self, magnitude: float, rng: np.random.Generator) -> tuple[IntArray, tuple[Label, ...]]:
        """Make the labels of one annotator."""
        codes, labels = self._codes.copy(), self.reference.labels
        given = codes >= 0
        values = self._values[codes] if any(name in _NUMBERS for name, _ in self._kinds) else None
        for name, own in self._kinds if magnitude else ():
            default = ITEM_ERROR_KINDS[name].factor
            factor = own if own is not None else 1.0 if default is None else default
            if name == "category":
                codes[given] = self._confused(codes[given], magnitude, rng)
                values = None if values is None else self._values[codes]
            elif name == "missing":
                codes[rng.random(len(codes)) < magnitude] = MISSING
            elif values is not None:
                change = self._scattered if name == "noise" else self._shifted
                values = change(values, magnitude, factor, rng)
                if self._in_steps:
                    codes[codes >= 0] = self._nearest(values[codes >= 0])
        if values is None or self._in_steps:
            return codes, labels
        low, high = float(self._values[:-1].min()), float(self._values[:-1].max())
        whole = not (self._values[:-1] % 1).any()
        moved = np.clip(np.rint(values) if whole else values, low, high)
        column = feature([None if code < 0 else value for code, value in zip(codes, moved.tolist(), strict=True)])
        return column.codes, column.labels

    def _confused(self, codes: IntArray, magnitude: float, rng: np.random.Generator) -> IntArray:
        total = np.cumsum(confusion_probabilities(magnitude, self._profile)[codes], axis=1)
        drawn = (rng.random(len(codes))[:, np.newaxis] * total[:, -1:] >= total).sum(axis=1)
        return np.asarray(np.minimum(drawn, len(self._profile.prevalence) - 1))

    def _scattered(self, values: FloatArray, magnitude: float, factor: float, rng: np.random.Generator) -> FloatArray:
        kept = 1 - magnitude
        own = self._values[self._codes[self._codes >= 0]]
        noise = np.sqrt(1 - kept**2) * factor * own.std() * rng.standard_normal(len(values))
        return np.asarray(own.mean() + kept * (values - own.mean()) + noise)

    def _shifted(self, values: FloatArray, magnitude: float, factor: float, rng: np.random.Generator) -> FloatArray:
        most = magnitude * factor * float(np.ptp(self._values[:-1])) / 2
        return values + rng.uniform(-most, most)

    def _nearest(self, values: FloatArray) -> IntArray:
        """Return the labels whose steps are nearest."""
        order = np.argsort(self._values[:-1])
        ranked = self._values[:-1][order]
        return np.asarray(order[np.searchsorted((ranked[1:] + ranked[:-1]) / 2, values)])


def is_on_scale(ratings: Ratings) -> bool:
    """Whether labels can scatter and be more or less severe."""
    return label_scale(ratings).kind in (*_STEPS, "numbers")


def agreed_labels(ratings: Ratings, seed: int) -> Ratings:
    """Return the label of each item that most annotators gave, or the median on a scale, as one annotator's work.

    Of two labels that are equally good, one is drawn. Of many items, some are drawn.
    """
    rng = np.random.default_rng(seed)
    labelled = np.flatnonzero((ratings.codes >= 0).any(axis=1))
    digests = [tuple(sorted(row)) for row in ratings.codes[labelled].tolist()]
    by_content = labelled[np.array(sorted(range(len(labelled)), key=digests.__getitem__), dtype=np.int64)]
    rows = rng.permutation(by_content)[:_ENOUGH_ITEMS]
    place = _scale(ratings)[0] if is_on_scale(ratings) else None
    chosen = [_agreed(ratings.codes[row][ratings.codes[row] >= 0], place, rng) for row in rows.tolist()]
    codes, labels = given_labels(np.array(chosen, dtype=np.int64)[:, np.newaxis], ratings.labels)
    return Ratings(
        items=range(1, len(rows) + 1),
        annotators=("reference",),
        documents=("document",),
        document=np.zeros(len(rows), dtype=np.int64),
        codes=codes,
        labels=labels,
        question=ratings.question,
        source=ratings.source,
    )


def _agreed(given: IntArray, place: FloatArray | None, rng: np.random.Generator) -> int:
    if place is not None:
        ranked = given[np.argsort(place[given], kind="stable")]
        return int(ranked[(len(ranked) - int(rng.integers(2))) // 2 if len(ranked) % 2 == 0 else len(ranked) // 2])
    label, n = np.unique(given, return_counts=True)
    return int(rng.choice(label[n == n.max()]))


def _scale(reference: Ratings) -> tuple[FloatArray, bool]:
    """Return the value of each label, with one for no label at the end, and whether labels are steps of an order."""
    labels, scale = reference.labels, label_scale(reference)
    if scale.kind == "ordered":
        return np.array([*(float(scale.order.index(written_label(label))) for label in labels), np.nan]), True
    if scale.kind not in (*_STEPS, "numbers"):
        raise OptionError(
            f"{' and '.join(_NUMBERS)} need labels on a scale: numbers, or words with a known order; use category",
            "errors",
        )
    return np.append(as_numbers(labels, "noise and severity need numbers"), np.nan), scale.kind in _STEPS


def _together(columns: Sequence[tuple[IntArray, tuple[Label, ...]]]) -> tuple[IntArray, tuple[Label, ...]]:
    """Give the labels of all annotators common numbers."""
    every = feature([label for _, labels in columns for label in labels])
    codes = np.empty((len(columns[0][0]), len(columns)), dtype=np.int64)
    first = 0
    for place, (own, labels) in enumerate(columns):
        number = np.append(every.codes[first : first + len(labels)], MISSING)
        codes[:, place] = number[own]
        first += len(labels)
    return codes, every.labels
