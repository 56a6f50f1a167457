"""How often annotators change text and segmentation (Barteld et al. 2016, §6): given, estimated, or both (MAP)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from unisono.alignment.texts import LayerAlignment
from unisono.checks import check_number
from unisono.data.editions import Edition
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


def text_changes(
    editions: Sequence[Edition],
    layer: int,
    made: LayerAlignment,
    dissimilarity: BoundText,
    pairs: Iterable[tuple[int, int]],
) -> Changes:
    """Count aligned units whose texts differ, over pairs of editions."""
    total = Changes(0.0, 0.0)
    for a, b in pairs:
        both = np.flatnonzero((made.table[:, a] >= 0) & (made.table[:, b] >= 0))
        same = dissimilarity.between(editions[a], editions[b], layer).same_text(
            made.table[both, a], made.table[both, b]
        )
        total += Changes(float((~same).sum()), float(len(both)))
    return total


def segmentation_changes(
    editions: Sequence[Edition], layer: int, made: LayerAlignment, pairs: Iterable[tuple[int, int]], *, of_first: bool
) -> Changes:
    """Count splits and merges over pairs of editions: each leaves two markers without a counterpart.

    With `of_first`, the first of each pair is the one that was changed; else their mean number of units counts.
    """
    total = Changes(0.0, 0.0)
    for a, b in pairs:
        n, m = (editions[index].layers[layer].n_units for index in (a, b))
        alone = 2 * (n + m) - int(made.n_matched[a, b])
        total += Changes(alone / 2, n if of_first else (n + m) / 2)
    return total


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
