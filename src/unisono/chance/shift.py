"""Chance from one continuum: split it at random and permute the parts (Mathet et al. 2015, §5.2.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from unisono.chance.draw import Draws, OfDocument, drawn_from_documents, keys_of, limits, moved_with
from unisono.data.annotation_set import stacked
from unisono.data.spans import Positions
from unisono.kernels.draws import shifted_sets


@dataclass(frozen=True)
class Shift(OfDocument):
    """Each random annotator is a real one, drawn at random, whose continuum was split and its two parts permuted.

    Units stay whole: one that is split continues beyond the end. All anchors of a unit move by the same amount: where
    the first of them in the continuum goes, the others follow. Where all positions are whole numbers, so are the
    splits. No two splits are nearer to each other, around the circle, than the mean length of units, or of anchors;
    where there is not enough space for that, than half of an even spacing.
    """

    @property
    def impossible(self) -> str | None:
        """Why this continuum cannot be split, if it cannot."""
        low, high = self.units.bounds
        if not self.units.n_units:
            return "there are no units"
        if high <= low:
            return "the continuum has no length; set its start and end"
        start, end = self._stretches
        if ((start <= low) & (end >= high)).all():
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

    @cached_property
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

    @staticmethod
    def draw(models: Sequence[Shift], numbers: Sequence[range], seed: int) -> Draws:
        """Make random annotation sets; see `ChanceModel`."""
        # The distances between n splits around the circle are at least `distance`, and what they exceed it by adds up
        # to what is free: all ways to divide that into n parts are equally likely, and so is where the circle begins.
        units = stacked([model.units for model in models])
        bounds = np.array([model.units.bounds for model in models])
        sets = shifted_sets(
            units.begin,
            units.start,
            units.end,
            np.ascontiguousarray(bounds[:, 0]),
            bounds[:, 1] - bounds[:, 0],
            np.array([model.distance for model in models]),
            np.array([model._whole for model in models]),
            keys_of(seed, models),
            limits(numbers),
            units.n_annotators,
        )
        _, start, end, source = sets
        return drawn_from_documents(models, numbers, units.codes, sets, moved_with(units, source, start, end))

    @cached_property
    def _mean_length(self) -> float:
        start, end = self._stretches
        mean = float((end - start).mean())
        return float(np.ceil(mean)) if self._whole else mean

    @cached_property
    def _whole(self) -> bool:
        positions = np.concatenate([*self._stretches, self.units.bounds])
        return bool((positions == np.floor(positions)).all())

    @property
    def _stretches(self) -> tuple[Positions, Positions]:
        """Where units, or their anchors if some have several, begin and end."""
        parts = self.units if self.units.anchors is None else self.units.anchors
        return parts.start, parts.end
