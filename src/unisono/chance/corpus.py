"""Chance from a corpus: annotators of different continua put side by side (Mathet et al. 2015, §5.2.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import comb

import numpy as np

from unisono.arrays import IntArray
from unisono.chance.draw import Draw
from unisono.data import AnnotationSet
from unisono.data.annotation_set import sorted_set

ENOUGH_COMBINATIONS = 30


@dataclass(frozen=True)
class Mixture:
    """n different documents drawn at random, one annotator of each, all extended to the longest by repetition."""

    documents: Sequence[AnnotationSet]
    n_annotators: int

    @cached_property
    def annotated(self) -> IntArray:
        """The documents that somebody worked on."""
        return np.flatnonzero([units.n_annotators > 0 for units in self.documents])

    @property
    def n_units(self) -> int:
        """About how many units a random annotation set has."""
        sizes = [self.documents[index].mean_units for index in self.annotated]
        return int(np.mean(sizes) * self.n_annotators) if sizes else 0

    @property
    def impossible(self) -> str | None:
        """Why the documents cannot be mixed, if so."""
        if len(self.annotated) < self.n_annotators:
            return (
                f"chance=corpus needs as many documents as annotators: there are {len(self.annotated)} documents "
                f"and {self.n_annotators} annotators; use chance=shift"
            )
        if not any(units.n_units for units in self.documents):
            return "there are no units"
        return None

    @property
    def rich(self) -> bool:
        """Whether there are enough different mixtures for an expected value to mean something."""
        if self.impossible is not None:
            return False
        choices = float(np.mean([self.documents[i].n_annotators for i in self.annotated])) ** self.n_annotators
        return comb(len(self.annotated), self.n_annotators) * choices >= ENOUGH_COMBINATIONS

    def draw(self, rng: np.random.Generator) -> Draw:
        """Make one random annotation set."""
        while True:
            chosen = rng.choice(self.annotated, size=self.n_annotators, replace=False)
            own = [self._someones_units(int(index), rng) for index in chosen]
            if sum(map(len, own)):
                break
        sets = [self.documents[int(index)] for index in chosen]
        longest = max(units.bounds[1] - units.bounds[0] for units in sets)
        tiles = [_mosaic(units, index, longest) for units, index in zip(sets, own, strict=True)]
        random = sorted_set(
            np.concatenate([start for start, _, _ in tiles]),
            np.concatenate([end for _, end, _ in tiles]),
            np.repeat(np.arange(self.n_annotators), [len(start) for start, _, _ in tiles]),
            np.concatenate([codes for _, _, codes in tiles], axis=1),
            self.n_annotators,
            (0.0, longest),
        )
        return Draw(random, tuple(sorted(chosen.tolist())))

    def _someones_units(self, index: int, rng: np.random.Generator) -> IntArray:
        units = self.documents[index]
        return np.flatnonzero(units.annotator == rng.integers(units.n_annotators))


def _mosaic(units: AnnotationSet, index: IntArray, longest: float):  # type: ignore[no-untyped-def]
    """Repeat one annotator's units until the continuum is as long as the longest."""
    low, high = units.bounds
    length = high - low
    times = int(np.ceil(longest / length)) if length > 0 else 1
    offset = np.repeat(np.arange(times) * length, len(index))
    index = np.tile(index, times)
    start, end = units.start[index] - low + offset, units.end[index] - low + offset
    inside = start < max(longest, np.finfo(float).tiny)
    return start[inside], end[inside], units.codes[:, index[inside]]
