"""The properties of data that matter for the choice of a measure, looked up once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from unisono.arrays import FloatArray, IntArray
from unisono.data import Corpus, Data, Label, Normalizations, Ratings
from unisono.data.coinciding import ratings_from_units
from unisono.data.cuts import cuts_from_units, without_empty_versions
from unisono.data.labelled_units import first_overlap, labelled_units
from unisono.data.questions import UNKNOWN, Question
from unisono.data.unit_kinds import RELATIONS, SPANS, UNIT_KINDS, in_a_row, kinds_of
from unisono.errors import DataError
from unisono.measurement.relations.dependencies import attaches_once
from unisono.measurement.scales import LabelKind, LabelScale, scale_among

_PREVALENT = 0.8
"""At this share or above, one label determines κ and α."""

ENOUGH = 10_000
"""So many units show whether a measure has a value."""


@dataclass(frozen=True)
class LabelFacts:
    """What the labels are like."""

    n: int  # how many different ones there are
    scale: LabelScale
    most: Label  # the most frequent one
    share: float

    @property
    def kind(self) -> LabelKind:
        """What they are."""
        return self.scale.kind

    @property
    def prevail(self) -> bool:
        """Whether one label prevails."""
        return self.n > 1 and self.share >= _PREVALENT


class Facts:
    """Facts about the data; each is looked up when it is first needed."""

    def __init__(self, data: Data) -> None:
        self.data = data

    @cached_property
    def features(self) -> tuple[str, ...]:
        """The features of units that may be their category."""
        return self.data.label_features if isinstance(self.data, Corpus) else ()

    @cached_property
    def labels(self) -> LabelFacts | None:
        """What the labels are like; None if there are none, or several features."""
        if isinstance(self.data, Ratings):
            given = self.data.codes >= 0
            weights = np.broadcast_to(self.data.times[:, None], given.shape)[given]
            counts = np.bincount(self.data.codes[given], weights, len(self.data.labels))
            return _labels(self.data.labels, counts, self.data.question)
        if isinstance(self.data, Normalizations) or len(self.features) != 1:
            return None
        column = self.data.features[self.features[0]]
        return _labels(column.labels, np.bincount(column.codes[column.codes >= 0], minlength=len(column.labels)))

    @cached_property
    def corrected(self) -> list[str]:
        """The documents of which annotators have different texts."""
        return [one.name for one in self.data if one.texts_differ] if isinstance(self.data, Corpus) else []

    @cached_property
    def overlap(self) -> str | None:
        """The first units of one annotator that overlap."""
        if not isinstance(self.data, Corpus) or not self.data.n_units or self.composite:
            return None
        return first_overlap(labelled_units(self.data, next(iter(self.features), None)))

    @cached_property
    def composite(self) -> str:
        """What units with several anchors are: relations, dependencies, events or units in pieces; empty if plain."""
        if not isinstance(self.data, Corpus) or self.data.anchors is None:
            return ""
        kinds = {UNIT_KINDS[kind] for kind in set(kinds_of(self.data)[self.data.anchors.composite].tolist())}
        if kinds == {RELATIONS} and attaches_once(self.data):
            return "dependencies"
        return in_a_row(["units in pieces" if kind == SPANS else kind for kind in UNIT_KINDS if kind in kinds])

    @cached_property
    def layers(self) -> list[str]:
        """The layers of the units, if there are several and none of the features is the category of all."""
        if not isinstance(self.data, Corpus) or len(self.features) < 2 or "type" not in self.features:
            return []
        return [str(label) for label in self.data.features["type"].labels]

    @cached_property
    def cut(self) -> bool:
        """Whether every annotator cut every continuum completely, and at least one of them into several pieces."""
        corpus = self.data
        if not isinstance(corpus, Corpus) or corpus.n_units <= corpus.worked.sum() or self.composite:
            return False
        return self.uncut is None

    @cached_property
    def uncut(self) -> str | None:
        """Why units are no segmentation, whatever the size of an atom; None if they are one."""
        corpus = self.data
        if not isinstance(corpus, Corpus):
            return None
        lengths = corpus.end - corpus.start
        try:
            marked, _ = without_empty_versions(corpus)
            cuts_from_units(marked, step=None if self.whole else float(lengths[lengths > 0].min(initial=1.0)))
        except DataError as error:
            return error.message
        return None

    @cached_property
    def tokens(self) -> bool:
        """Whether units may be tokens of the text: all of it is cut into labelled pieces, not everywhere alike."""
        corpus = self.data
        return isinstance(corpus, Corpus) and bool(corpus.texts and self.features) and self.cut and not self.coincide

    @cached_property
    def whole(self) -> bool:
        """Whether all positions are whole numbers."""
        return isinstance(self.data, Corpus) and self.data.start.dtype.kind == "i"

    @cached_property
    def coincide(self) -> bool:
        """Whether two annotators or more marked the same spans wherever they worked, and gave them labels."""
        if not (isinstance(self.data, Corpus) and self.features and (self.data.worked.sum(axis=1) > 1).any()):
            return False
        return not self.composite and self.apart is None

    @cached_property
    def apart(self) -> str | None:
        """Why the labels of units are no labels of given items; None if they may be."""
        if not isinstance(self.data, Corpus):
            return None
        try:
            ratings_from_units(self.data, feature=next(iter(self.features), None))
        except DataError as error:
            return error.message
        return None

    @cached_property
    def sample(self) -> Data:
        """Enough documents to see whether a measure has a value; all if there are not many more.

        What is undefined for want of units, categories or disagreement is no longer so with more of them, so that a
        measure that has a value for some documents has one for all.
        """
        corpus = self.data
        if not isinstance(corpus, Corpus) or corpus.n_units < 2 * ENOUGH or not self.whole:
            return corpus
        if not all(float(limit).is_integer() for bounds in corpus.bounds.values() for limit in bounds):
            return corpus
        sizes = np.where(corpus.worked.sum(axis=1) > 1, corpus.unit_counts.sum(axis=1), 0)
        kept = (sizes > 0) & (np.cumsum(sizes) - sizes < ENOUGH)
        return corpus.select(
            documents=[name for name, keep in zip(corpus.documents, kept.tolist(), strict=True) if keep]
        )

    @cached_property
    def alone(self) -> bool:
        """Whether no two annotators worked on, or labelled, the same data."""
        if isinstance(self.data, Corpus):
            return not (self.data.worked.sum(axis=1) > 1).any()
        return not (self.data.n_given > 1).any()


def _labels(labels: Sequence[Label], counts: FloatArray | IntArray, question: Question = UNKNOWN) -> LabelFacts | None:
    used = [label for label, n in zip(labels, counts.tolist(), strict=True) if n]
    if not used:
        return None
    total, most = float(counts.sum()), int(counts.argmax())
    scale = scale_among(used, total, question)
    return LabelFacts(len(used), scale, labels[most], float(counts[most]) / total)
