"""Chance from a corpus: annotators of different continua put side by side (Mathet et al. 2015, §5.2.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import comb

import numpy as np

from unisono.arrays import BoolArray, FloatArray, IntArray
from unisono.chance.draw import Draws, moved_with
from unisono.chance.sampling import key_of
from unisono.data import AnnotationSet
from unisono.data.anchors import Anchors, joined_anchors
from unisono.data.annotation_set import Stack
from unisono.kernels.draws import mixed_sets

ENOUGH_COMBINATIONS = 30
"""As many as the fewest samples that are drawn: with fewer, most samples would repeat others."""


@dataclass(frozen=True)
class Mixture:
    """n different documents drawn at random, one annotator of each, all extended to the longest by repetition.

    The documents are those that are measured: several annotators worked on them, and one of them marked something.
    Others say nothing about agreement, so nothing is expected of them. An annotator who marked nothing in a document in
    which others did is drawn like everybody else: that is an annotation, too. A document is not repeated beyond a
    thousand units, or twice as many as the busiest annotator has.

    Attributes
    ----------
    documents : sequence of AnnotationSet
        All documents, as `canonical_documents` returns them.
    n_annotators : int
        How many annotators a random annotation set has.
    keys : sequence of str, optional
        What documents are sorted by before they are drawn: see `content_keys`. By default they stay in their order.
    """

    documents: Sequence[AnnotationSet]
    n_annotators: int
    keys: Sequence[str] | None = None

    @property
    def stream(self) -> str:
        """What the random numbers depend on besides the seed."""
        return f"corpus of {self.n_annotators}"

    @cached_property
    def measured(self) -> IntArray:
        """The documents that are drawn from, in the order of their content."""
        found = [index for index, units in enumerate(self.documents) if units.n_annotators > 1 and units.n_units]
        return np.array(found if self.keys is None else sorted(found, key=self.keys.__getitem__), dtype=np.int64)

    @cached_property
    def n_units(self) -> int:
        """About how many units a random annotation set has."""
        sizes = [self.documents[index].mean_units for index in self.measured]
        return int(np.mean(sizes) * self.n_annotators) if sizes else 0

    @property
    def impossible(self) -> str | None:
        """Why the documents cannot be mixed, if they cannot."""
        return too_few_documents(len(self.measured), self.n_annotators)

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes on the random annotation sets."""
        return ()

    @property
    def rich(self) -> bool:
        """Whether there are enough different mixtures for a meaningful expected value."""
        if self.impossible is not None:
            return False
        # the number of combinations of the paper, which has as many annotators of each document as are drawn
        mean_annotators = float(np.mean([self.documents[i].n_annotators for i in self.measured]))
        return enough_combinations(len(self.measured), mean_annotators, self.n_annotators)

    @staticmethod
    def draw(models: Sequence[Mixture], numbers: Sequence[range], seed: int) -> Draws:
        """Make random annotation sets; see `ChanceModel`."""
        [model], [own] = models, numbers  # there is one for each number of annotators
        n, drawn = model.n_annotators, model._drawn
        sets = mixed_sets(
            drawn.annotators,
            drawn.first,
            drawn.start,
            drawn.end,
            drawn.length,
            model._most,
            *key_of(seed, model.stream),
            own.start,
            len(own),
            n,
        )
        begin, start, end, source, documents = sets
        chosen = np.sort(model.measured[documents].reshape(len(own), n), axis=1)
        anchors = moved_with(drawn, source, start, end)
        return Draws(Stack(start, end, drawn.codes[:, source], n, begin, anchors), chosen)

    @cached_property
    def _drawn(self) -> MixedDocuments:
        """The documents that are drawn from, one after another."""
        sets = [self.documents[index] for index in self.measured]
        low, high = np.array([self._bounds[index] for index in self.measured]).T
        annotators = np.cumsum([0, *(units.n_annotators for units in sets)])
        sizes = [units.n_units for units in sets]
        who = np.concatenate([units.annotator for units in sets]) + np.repeat(annotators[:-1], sizes)
        offset = np.repeat(low, sizes)
        anchors = joined_anchors([(units.anchors, units.start, units.end) for units in sets])
        if anchors is not None:
            before = offset[anchors.owner]
            anchors = replace(anchors, start=anchors.start - before, end=anchors.end - before)
        # A document much shorter than the longest, with many units, would fill it with more units than anybody marks,
        # and take long to align: that is what `_most` limits. The paper has no such limit.
        return MixedDocuments(
            annotators,
            np.searchsorted(who, np.arange(annotators[-1] + 1)),
            np.concatenate([units.start for units in sets]) - offset,
            np.concatenate([units.end for units in sets]) - offset,
            high - low,
            np.concatenate([units.codes for units in sets], axis=1),
            anchors,
        )

    @cached_property
    def _bounds(self) -> list[tuple[float, float]]:
        """Where each continuum begins and ends; see `shared_beginning`."""
        limits = np.array([units.bounds for units in self.documents], np.float64).reshape(-1, 2)
        inferred = np.array([units.inferred for units in self.documents], np.bool_)
        begin = shared_beginning(limits[:, 0], limits[:, 1], inferred, self.measured)
        return list(zip(begin.tolist(), limits[:, 1].tolist(), strict=True))

    @cached_property
    def _most(self) -> int:
        """About how many units a mosaic can have."""
        return most_units(np.concatenate([np.bincount(self.documents[index].annotator) for index in self.measured]))


@dataclass(frozen=True, slots=True)
class MixedDocuments:
    """Documents one after another: see `kernels.draws.mixed_sets`."""

    annotators: IntArray
    first: IntArray
    start: FloatArray
    end: FloatArray
    length: FloatArray
    codes: IntArray
    anchors: Anchors | None = None


def enough_combinations(n_documents: int, mean_annotators: float, n_annotators: int) -> bool:
    """Whether documents, each with so many annotators on average, have enough mixtures of so many annotators."""
    return comb(n_documents, n_annotators) * mean_annotators**n_annotators >= ENOUGH_COMBINATIONS


def too_few_documents(n_documents: int, n_annotators: int) -> str | None:
    """Explain why so many documents that are measured cannot be mixed for so many annotators, if they cannot."""
    if n_documents >= n_annotators:
        return None
    return (
        "chance=corpus needs as many documents as annotators, each with units and with several annotators: "
        f"there are {n_documents} and {n_annotators}; use chance=shift"
    )


def shared_beginning(
    low: FloatArray, high: FloatArray, inferred: BoolArray, measured: IntArray | None = None
) -> FloatArray:
    """Return where each continuum begins; inferred ones begin where the first of them does, if that is near.

    Otherwise the first units of all documents would coincide, and chance would agree too well. A document whose units
    begin farther from there than they extend seems to count from elsewhere, and keeps its own beginning. The first is
    among the documents that are `measured`, by default all.
    """
    drawn = np.zeros(len(low), np.bool_)
    drawn[slice(None) if measured is None else measured] = True
    first = low[drawn & inferred].min() if (drawn & inferred).any() else 0.0
    return np.where(inferred & (low - first <= high - low), first, low)


def most_units(counts: IntArray) -> int:
    """Return about how many units a mosaic can have, if annotators have so many."""
    return max(1000, 2 * int(counts.max(initial=0)))
