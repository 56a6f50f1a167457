"""What a chance model draws: random annotation sets, and the documents that they were made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from unisono.arrays import FloatArray, IntArray
from unisono.chance.sampling import key_of
from unisono.data import AnnotationSet
from unisono.data.anchors import Anchors
from unisono.data.annotation_set import Stack
from unisono.data.spans import Positions


@dataclass(frozen=True, slots=True)
class Draws:
    """Random annotation sets.

    Attributes
    ----------
    units : Stack
        The random annotations.
    documents : int64 array, shape (n_sets, any)
        The documents of the corpus that each set was made of.
    """

    units: Stack
    documents: IntArray


class Anchored(Protocol):
    """Units with their anchors, if some have several."""

    @property
    def start(self) -> Positions:
        """Where they begin."""

    @property
    def end(self) -> Positions:
        """Where they end."""

    @property
    def anchors(self) -> Anchors | None:
        """Their anchors; None if all units are plain."""


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

    @staticmethod
    def draw(models: Sequence[Any], numbers: Sequence[range], seed: int) -> Draws:
        """Make sets of several models of this kind with the same number of annotators.

        Parameters
        ----------
        models : sequence of ChanceModel
            The models.
        numbers : sequence of range
            The numbers of the sets of each. A set depends on the seed, the model's `stream` and its number, on nothing
            else.
        seed : int
            The seed.
        """
        ...


@dataclass(frozen=True)
class OfDocument:
    """What chance models that draw from a single document have in common.

    Attributes
    ----------
    units : AnnotationSet
        The document, as `canonical_documents` returns it.
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


def drawn_from_documents(
    models: Sequence[OfDocument],
    numbers: Sequence[range],
    codes: IntArray,
    sets: tuple[IntArray, FloatArray, FloatArray, IntArray],
    anchors: Anchors | None = None,
) -> Draws:
    """Put together what kernels drew from single documents: where sets begin, positions, and units of origin."""
    begin, start, end, source = sets
    documents = np.repeat([model.document for model in models], [len(own) for own in numbers])
    return Draws(Stack(start, end, codes[:, source], models[0].n_annotators, begin, anchors), documents[:, None])


def moved_with(units: Anchored, source: IntArray, start: FloatArray, end: FloatArray) -> Anchors | None:
    """Return the anchors of random units, which are where those of their units of origin are, relative to the unit.

    Parameters
    ----------
    units : Anchored
        The units that random ones were made from.
    source : int64 array, shape (n_random_units,)
        The unit of origin of each.
    start, end : float64 array, shape (n_random_units,)
        Where random units, of the same lengths, begin and end.
    """
    if units.anchors is None:
        return None
    anchors = units.anchors.take(source)
    owner = anchors.owner
    low, high = units.start[source][owner], units.end[source][owner]

    def moved(position: Positions) -> FloatArray:
        # what is at the end of the unit stays there, whatever is rounded
        return np.where(position == high, end[owner], np.minimum(start[owner] + (position - low), end[owner]))

    return replace(anchors, start=moved(anchors.start), end=moved(anchors.end))


def keys_of(seed: int, models: Sequence[OfDocument]) -> IntArray:
    """Return the keys of several models, one after another."""
    return np.array([key_of(seed, model.stream) for model in models], dtype=np.int64).ravel()


def limits(numbers: Sequence[range]) -> IntArray:
    """Return the numbers of the samples of each model, from and to, one after another."""
    return np.array([(own.start, own.stop) for own in numbers], dtype=np.int64).ravel()
