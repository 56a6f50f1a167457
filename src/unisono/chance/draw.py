"""What a chance model draws: a random annotation set, and the documents that it was made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from unisono.data import AnnotationSet


@dataclass(frozen=True, slots=True)
class Draw:
    """A random annotation set.

    Attributes
    ----------
    units : AnnotationSet
        The random annotations.
    documents : tuple of int
        The documents of the corpus that they were made of.
    """

    units: AnnotationSet
    documents: tuple[int, ...]


class ChanceModel(Protocol):
    """A way to make random annotation sets."""

    @property
    def stream(self) -> str:
        """What the random numbers depend on besides the seed and the number of the set."""
        ...

    @property
    def n_units(self) -> int:
        """About how many units a set has."""
        ...

    @property
    def n_annotators(self) -> int:
        """How many annotators a set has."""
        ...

    @property
    def impossible(self) -> str | None:
        """Why none can be made, if so."""
        ...

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes on them."""
        ...

    def draw(self, rng: np.random.Generator) -> Draw:
        """Make one."""
        ...


@dataclass(frozen=True)
class OfDocument:
    """What chance models that draw from a single document have in common.

    Attributes
    ----------
    units : AnnotationSet
        The document, as `canonical` returns it.
    document : int
        Its number in the corpus.
    stream : str
        What the random numbers depend on besides the seed: see `content_keys`.
    """

    units: AnnotationSet
    document: int = 0
    stream: str = ""

    @property
    def n_units(self) -> int:
        """About how many units a random annotation set has."""
        return self.units.n_units

    @property
    def n_annotators(self) -> int:
        """How many annotators a random annotation set has."""
        return self.units.n_annotators

    @property
    def impossible(self) -> str | None:
        """Why nothing can be drawn, if so."""
        return None if self.units.n_units else "there are no units"

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes on the random annotation sets."""
        return ()
