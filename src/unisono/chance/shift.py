"""Chance from one continuum: split it at random and permute the parts (Mathet et al. 2015, §5.2.1)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from unisono.arrays import FloatArray
from unisono.chance.draw import Draw, OfDocument
from unisono.data.annotation_set import sorted_set


@dataclass(frozen=True)
class Shift(OfDocument):
    """Each random annotator is a real one, drawn at random, whose continuum was split and its two parts permuted.

    Units stay whole: one that is split continues beyond the end. Where all positions are whole numbers, so are the
    splits. No two splits are nearer to each other, around the circle, than the mean length of units; where there is not
    enough space for that, than half of an even spacing.
    """

    @property
    def impossible(self) -> str | None:
        """Why this continuum cannot be split, if it cannot."""
        low, high = self.units.bounds
        if not self.units.n_units:
            return "there are no units"
        if high <= low:
            return "the continuum has no length; set its start and end"
        if ((self.units.start <= low) & (self.units.end >= high)).all():
            return (
                "every unit covers the whole continuum, so splitting and permuting it changes nothing; "
                "set where the continuum starts and ends, or use several documents with chance=corpus"
            )
        return None

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes on the random annotation sets."""
        too_long = "units are too long to split the continuum at the distance that the paper requires"
        return (too_long,) if self.crowded else ()

    @property
    def distance(self) -> float:
        """The least distance between two splits."""
        # Splits nearer than that would let a unit meet itself (§5.2.1). n splits around a circle have n distances
        # between them, so there is enough space if n times the mean length fits.
        low, high = self.units.bounds
        mean_length = self._mean_length
        if mean_length * self.units.n_annotators <= high - low:
            return mean_length
        even = (high - low) / (2 * self.units.n_annotators)
        return float(np.floor(even)) if self._whole else even

    @property
    def crowded(self) -> bool:
        """Whether the mean length of units is too long for that many splits."""
        return self.distance < self._mean_length

    def draw(self, rng: np.random.Generator) -> Draw:
        """Make one random annotation set."""
        units = self.units
        low, high = units.bounds
        while True:
            chosen = rng.integers(units.n_annotators, size=units.n_annotators)
            index = [np.flatnonzero(units.annotator == who) for who in chosen]
            if sum(map(len, index)):
                break
        splits = rng.permutation(self._splits(rng))
        taken = np.concatenate(index)
        who = np.repeat(np.arange(units.n_annotators), [len(own) for own in index])
        start = low + np.mod(units.start[taken] - low - splits[who], high - low)
        end = start + (units.end[taken] - units.start[taken])
        random = sorted_set(start, end, who, units.codes[:, taken], units.n_annotators, units.bounds)
        return Draw(random, (self.document,))

    def _splits(self, rng: np.random.Generator) -> FloatArray:
        """Draw splits that are far enough apart, all such choices equally likely."""
        # The distances between n splits around the circle are at least `distance`, and what they exceed it by adds up
        # to what is free: all ways to divide that into n parts are equally likely, and so is where the circle begins.
        n = self.units.n_annotators
        low, high = self.units.bounds
        length, distance = high - low, self.distance
        free = length - n * distance
        if not self._whole:
            cuts = np.sort(rng.uniform(0.0, free, size=n - 1))
            turn = rng.uniform(0.0, length)
        elif distance >= 1:
            # n - 1 different cuts among free + n - 1 places are a division of `free` into n whole numbers
            places = np.sort(rng.choice(int(free) + n - 1, size=n - 1, replace=False))
            cuts = (places - np.arange(n - 1)).astype(np.float64)
            turn = float(rng.integers(int(length)))
        else:  # splits may coincide, so each is drawn on its own
            return rng.integers(int(length), size=n).astype(np.float64)
        offsets = np.concatenate([[0.0], cuts])
        return np.asarray(np.mod(offsets + distance * np.arange(n) + turn, length))

    @cached_property
    def _mean_length(self) -> float:
        mean = float((self.units.end - self.units.start).mean())
        return float(np.ceil(mean)) if self._whole else mean

    @cached_property
    def _whole(self) -> bool:
        units = self.units
        positions = np.concatenate([units.start, units.end, units.bounds])
        return bool((positions == np.floor(positions)).all())
