"""Dependencies: relations each of which attaches one stretch, the dependent, to another one, its head."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from unisono.arrays import FloatArray, IntArray
from unisono.data import Corpus
from unisono.data.anchors import SOURCE, TARGET, Anchors
from unisono.data.labelled_units import LabelledUnits
from unisono.errors import DataError
from unisono.measurement.declaration import Parameter
from unisono.measurement.readers import choice
from unisono.measurement.relations.ends import anchors_of

DEPENDENT = Parameter(
    "dependent",
    "auto",
    choice("auto", SOURCE, TARGET),
    "which end is the dependent: source, target, or auto (the end that no two relations of an annotator share)",
)


@dataclass(frozen=True)
class Dependencies:
    """The dependent and the head of each unit; a root is its own head.

    Attributes
    ----------
    start, end : float64 array, shape (n_units,)
        Where the dependent is.
    head_start, head_end : float64 array, shape (n_units,)
        Where its head is.
    """

    start: FloatArray
    end: FloatArray
    head_start: FloatArray
    head_end: FloatArray

    @classmethod
    def of(cls, units: LabelledUnits, dependent: str) -> Dependencies:
        """Return those of units that count."""
        anchors = anchors_of(units)
        own, head = _ends(anchors, dependent)
        start, end = anchors.start.astype(np.float64), anchors.end.astype(np.float64)
        return cls(start[own], end[own], start[head], end[head])

    def same_dependent(self, u: IntArray, v: IntArray) -> Any:
        """Whether pairs of units attach the same stretch."""
        return (self.start[u] == self.start[v]) & (self.end[u] == self.end[v])

    def same_head(self, u: IntArray, v: IntArray) -> Any:
        """Whether pairs of units attach something to the same stretch."""
        return (self.head_start[u] == self.head_start[v]) & (self.head_end[u] == self.head_end[v])


def dependent_end(corpus: Any, wanted: str, measure: str) -> str:
    """Return which end of the relations of a corpus is the dependent; DataError if they are no dependencies."""
    if not isinstance(corpus, Corpus) or corpus.anchors is None:
        return SOURCE
    anchors = corpus.anchors
    names = np.array(anchors.roles, dtype=object)[anchors.role]
    related = anchors.sizes > 1
    first = anchors.first[:-1][related]
    wrong = np.flatnonzero(anchors.sizes > 2)
    if not len(wrong):
        odd = (names[first] != SOURCE) | (names[first + 1] != TARGET)
        wrong = np.flatnonzero(related)[odd]
    if len(wrong):
        where = corpus.documents[corpus.document[wrong[0]]]
        raise DataError(
            f"{measure} compares dependencies, each with one source and one target, but document {where!r} has a unit "
            f"at {corpus.start[wrong[0]]:g} with other anchors; use relation-f1 or gamma"
        )
    if wanted != "auto":
        return wanted
    distinct = _distinct_ends(corpus, anchors)
    return TARGET if distinct[1] > distinct[0] else SOURCE


def attaches_once(corpus: Corpus) -> bool:
    """Whether each annotator attaches every stretch at most once, and some to the same: like dependencies."""
    anchors = corpus.anchors
    if anchors is None or (anchors.sizes > 2).any():
        return False
    distinct = _distinct_ends(corpus, anchors)
    return int((anchors.sizes == 2).sum()) == max(distinct) > min(distinct)


def _distinct_ends(corpus: Corpus, anchors: Anchors) -> tuple[int, int]:
    """Count the different sources, and the different targets, of each annotator's relations in each document."""
    related = anchors.sizes == 2
    whose = [corpus.document[related], corpus.annotator[related]]
    first = anchors.first[:-1][related]
    sources, targets = (
        len(np.unique(np.column_stack([*whose, anchors.start[place], anchors.end[place]]), axis=0))
        for place in (first, first + 1)
    )
    return sources, targets


def _ends(anchors: Anchors, dependent: str) -> tuple[IntArray, IntArray]:
    """Return the anchors that are the dependent and the head of each unit; a single one is both."""
    first, last = anchors.first[:-1], anchors.first[1:] - 1  # sources come before targets
    return (first, last) if dependent == SOURCE else (last, first)
