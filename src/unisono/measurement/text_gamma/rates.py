"""How often annotators change text and segmentation (Barteld et al. 2016, §6): given, estimated, or both (MAP)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from unisono.alignment.texts import LayerAlignment, aligned_units
from unisono.arrays import IntArray
from unisono.checks import check_number
from unisono.data.stacked_editions import StackedEditions
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
        The rate that was known before, e.g. 0.04 for a tokenizer that gets 4% of the tokens wrong.
    weight : float
        How many units of data it is worth.

    See Also
    --------
    text_gamma, TextGammaResult

    Examples
    --------
    >>> import unisono
    >>> corpus = unisono.Corpus.from_columns(
    ...     annotator=["anna", "anna", "anna", "bert", "bert", "bert"],
    ...     start=[0, 5, 9, 0, 5, 9],
    ...     end=[4, 8, 13, 4, 8, 13],
    ...     features={"pos": ["NOUN", "VERB", "NOUN", "NOUN", "VERB", "ADJ"]},
    ...     texts={("document", "anna"): "Cats eat fish", ("document", "bert"): "Cats eat fish"},
    ... )
    >>> result = unisono.text_gamma(corpus, p_text=unisono.Prior(mean=0.04, weight=50), p_segmentation=0)
    >>> round(result.rates.text.value, 4)
    0.0377
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
    stack : StackedEditions
        The editions, text by text.
    sizes : int64 array, shape (n_texts,)
        Number of editions of each text.
    alignments : sequence of sequences of LayerAlignment
        Their alignments, type by type.
    of_first : bool
        Whether the first of two editions is the one that was changed; else they are equals.
    """

    stack: StackedEditions
    sizes: IntArray
    alignments: Sequence[Sequence[LayerAlignment]]
    of_first: bool

    def text_changes(self, layer: int, dissimilarity: BoundText) -> tuple[IntArray, IntArray]:
        """Count aligned units whose texts differ, and aligned units, in each group."""
        first, n = np.cumsum(self.sizes) - self.sizes, len(self.sizes)
        _, pairs = aligned_units([own[layer].table for own in self.alignments], first)
        changed = ~dissimilarity.between(self.stack, layer).same_text(pairs)
        group = np.searchsorted(first, pairs.first, side="right") - 1
        return np.bincount(group[changed], minlength=n), np.bincount(group, minlength=n)

    def changes_of_text(self, layer: int, dissimilarity: BoundText) -> Changes:
        """Count units whose text an annotator changed, and units that could be."""
        changed, aligned = self.text_changes(layer, dissimilarity)
        return Changes(self._share * float(changed.sum()), float(aligned.sum()))

    def changes_of_segmentation(self, layer: int) -> Changes:
        """Count splits and merges by an annotator: each leaves two markers without a counterpart."""
        n_units = self.stack.n_units[:, layer]
        # over all pairs: each edition is in as many as there are others, and each pair is twice in the matrix
        others = np.repeat(self.sizes - 1, self.sizes)
        n_markers = 2 * int((others * n_units).sum())
        n_matched = sum(int(own[layer].n_matched.sum()) for own in self.alignments) // 2
        of_pairs = int(n_units[np.cumsum(self.sizes) - self.sizes].sum()) if self.of_first else n_markers / 4
        return Changes(self._share * (n_markers - n_matched) / 2, float(of_pairs))

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
