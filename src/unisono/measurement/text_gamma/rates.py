"""How often annotators change text and segmentation (Barteld et al. 2016, §6): given, estimated, or both (MAP)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np

from unisono.alignment.texts import LayerAlignment, aligned_units
from unisono.arrays import IntArray
from unisono.checks import check_number
from unisono.data.edition import Edition
from unisono.data.stacked_editions import StackedEditions, stacked_editions
from unisono.dissimilarity.text import BoundText
from unisono.errors import OptionError
from unisono.results import spelled


@dataclass(frozen=True)
class Prior:
    """A known rate that the data may correct: the maximum a posteriori of a beta prior.

    p = (changes + mean · weight) / (units + weight)

    Attributes
    ----------
    mean : float
        The rate that was known before, e.g. 0.04 for a tokenizer that gets 4 % of the tokens wrong.
    weight : float
        How many units of data it is worth.
    """

    mean: float
    weight: float

    def __post_init__(self) -> None:
        check_number(self.mean, "mean", low=0, high=1)
        check_number(self.weight, "weight", above=0)

    def __str__(self) -> str:
        return f"map({spelled(self.mean)},{spelled(self.weight)})"


Wanted: TypeAlias = float | Prior | None
"""A rate as requested: given, known but to be corrected, or to be estimated."""


@dataclass(frozen=True)
class Rate:
    """A rate, and where it comes from."""

    value: float  # from 0 to 1
    origin: str  # given, estimated or map
    above: bool = False  # whether more changes than units were counted, so that 1 is used

    def __str__(self) -> str:
        return spelled(self.value) if self.origin == "given" else f"{self.value:.6g}"


@dataclass(frozen=True)
class Changes:
    """Changes counted, and the units that could be changed."""

    n_changes: float
    n_units: float

    def __add__(self, other: Changes) -> Changes:
        return Changes(self.n_changes + other.n_changes, self.n_units + other.n_units)

    def rate(self, wanted: Wanted) -> Rate:
        """Return the rate."""
        if isinstance(wanted, Prior):
            made = (self.n_changes + wanted.mean * wanted.weight) / (self.n_units + wanted.weight)
            return Rate(min(made, 1.0), "map", made > 1)
        if wanted is not None:
            return Rate(wanted, "given")
        found = self.n_changes / self.n_units if self.n_units else 0.0
        return Rate(min(found, 1.0), "estimated", found > 1)


def checked_rate(value: Any, name: str) -> Wanted:
    """Check a requested rate."""
    if value is None or isinstance(value, Prior):
        return value
    if isinstance(value, bool) or not isinstance(value, int | float | np.number) or not 0 <= value <= 1:
        raise OptionError(f"expected a number from 0 to 1, not {value!r}; leave it out to have it estimated", name)
    return float(value)


@dataclass(frozen=True)
class ComparedEditions:
    """Editions of texts that were aligned, to count what was changed.

    Attributes
    ----------
    groups : sequence of tuples of Edition
        The editions of each text.
    alignments : sequence of sequences of LayerAlignment
        Their alignments, type by type.
    of_first : bool
        Whether the first of two editions is the one that was changed; else they are equals.
    """

    groups: Sequence[tuple[Edition, ...]]
    alignments: Sequence[Sequence[LayerAlignment]]
    of_first: bool

    @cached_property
    def _stacked(self) -> tuple[StackedEditions, IntArray]:
        sizes = [len(group) for group in self.groups]
        stack = stacked_editions([edition for group in self.groups for edition in group])
        return stack, np.cumsum(sizes) - np.array(sizes, dtype=np.int64)

    def text_changes(self, layer: int, dissimilarity: BoundText) -> tuple[IntArray, IntArray]:
        """Count aligned units whose texts differ, and aligned units, in each group."""
        stack, first = self._stacked
        _, pairs = aligned_units([own[layer].table for own in self.alignments], first)
        changed = ~dissimilarity.between(stack, layer).same_text(pairs)
        group = np.searchsorted(first, pairs.first, side="right") - 1
        n = len(self.groups)
        return np.bincount(group[changed], minlength=n), np.bincount(group, minlength=n)

    def changes_of_text(self, layer: int, dissimilarity: BoundText) -> Changes:
        """Count units whose text an annotator changed, and units that could be."""
        changed, aligned = self.text_changes(layer, dissimilarity)
        return Changes(self._share * float(changed.sum()), float(aligned.sum()))

    def changes_of_segmentation(self, layer: int) -> Changes:
        """Count splits and merges by an annotator: each leaves two markers without a counterpart."""
        total = Changes(0.0, 0.0)
        for group, own in zip(self.groups, self.alignments, strict=True):
            sizes = [edition.layers[layer].n_units for edition in group]
            # over all pairs: each edition is in as many as there are others, and each pair is twice in the matrix
            others = len(group) - 1
            alone = 2 * others * sum(sizes) - int(own[layer].n_matched.sum()) // 2
            total += Changes(self._share * alone / 2, sizes[0] if self.of_first else others * sum(sizes) / 2)
        return total

    @property
    def _share(self) -> float:
        """What part of the difference of two editions is one annotator's."""
        return 1.0 if self.of_first else 0.5


@dataclass(frozen=True)
class Rates:
    """How often text and segmentation are changed.

    Attributes
    ----------
    text : Rate
        p_text.
    segmentation : mapping
        p_segmentation of each type of units.
    """

    text: Rate
    segmentation: Mapping[str, Rate]
