"""How alike annotators are on each item or document, for the alternative annotator test."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from unisono.arrays import FloatArray, IntArray
from unisono.comparison.models.pairs import Pair
from unisono.data import Data, Ratings
from unisono.dissimilarity.difference_sums import Differences, Points
from unisono.measurement.categorization.counts import Counts
from unisono.measurement.categorization.family import PreparedRatings
from unisono.measurement.disorder.result import DisorderResult
from unisono.measurement.rating_scales.scores import number_scale
from unisono.measurement.readers import read_alpha_distance, read_weights
from unisono.statistics.alternative import AlternativeTest, alternative_test


@dataclass(frozen=True)
class Likeness:
    """How alike every two annotators are on each instance.

    Attributes
    ----------
    pairs : dict
        Two annotators to their likeness, shape (n_instances,); NaN where it is unknown.
    document : int64 array, shape (n_instances,)
        What each instance is part of.
    instances : str
        What they are: items or documents.
    """

    pairs: Mapping[Pair, FloatArray]
    document: IntArray
    instances: str

    @classmethod
    def of(cls, results: Mapping[Pair, Any], data: Data) -> Likeness:
        """Find it from the result of each pair of annotators."""
        found = {pair: _likeness(result, data) for pair, result in results.items()}
        instances = list(dict.fromkeys(key for one in found.values() for key in one))
        place = {key: index for index, key in enumerate(instances)}
        table = {pair: np.full(len(instances), np.nan) for pair in found}
        for pair, one in found.items():
            table[pair][[place[key] for key in one]] = [*one.values()]
        by_items = all(has_items(result) for result in results.values())
        number = {name: index for index, name in enumerate(data.documents)}
        document = np.array([number[document] for document, _ in instances], dtype=np.int64)
        return cls(table, document, "items" if by_items else "documents")

    def test(self, humans: Sequence[str], runs: Sequence[str], epsilon: float, *, by_document: bool) -> AlternativeTest:
        """Run the alternative annotator test on a model, which has one run or several.

        `epsilon` is by how much a human may be better. Instances of one document may be alike: `by_document` says
        whether the interval takes that into account.
        """
        with_others = {j: [k for k in humans if k != j] for j in humans}
        human = np.array([self._mean(j, others) for j, others in with_others.items()])
        model = np.array([[self._mean(run, others) for others in with_others.values()] for run in runs])
        clusters = self.document if by_document and self.instances == "items" else None
        return alternative_test(humans, human, model, epsilon=epsilon, instances=self.instances, clusters=clusters)

    def _mean(self, one: str, others: Iterable[str]) -> FloatArray:
        """Return the mean likeness to others, of those that are known."""
        rows = [self.pairs[pair] for other in others if (pair := frozenset((one, other))) in self.pairs]
        if not rows:
            return np.full(len(self.document), np.nan)
        return np.asarray(np.ma.masked_invalid(np.array(rows)).mean(axis=0).filled(np.nan))


def has_items(result: Any) -> bool:
    """Whether the measure compares labels of items, and not units."""
    prepared = getattr(result, "prepared", None)
    return isinstance(prepared, PreparedRatings) and result.declaration.family == "ratings"


def _likeness(result: Any, data: Data) -> dict[tuple[str, Any], float]:
    """Return how alike two annotators are on each item that both labelled, or on each document.

    Annotators who did the same are equally alike to others: what is expected by chance of a pair, which is drawn at
    random, plays no part, and labels are as far apart for one pair as for the next.
    """
    if isinstance(result, DisorderResult):
        return {(one.document, None): -one.observed for one in result.documents if one.observed is not None}
    if not has_items(result):
        sign = 1.0 if result.declaration.scale == "agreement" else -1.0
        return {(one.document, None): sign * one.value for one in result.documents if one.value is not None}
    counts, ratings = result.prepared.by_item, result.prepared.ratings
    both = np.flatnonzero(counts.paired)
    apart = _differences(result, counts, data).compare(*counts.columns[:, both])
    documents = ratings.document[both].tolist()
    keys = ((ratings.documents[place], ratings.items[row]) for place, row in zip(documents, both.tolist(), strict=True))
    return dict(zip(keys, (-apart).tolist(), strict=True))


def _differences(result: Any, counts: Counts, data: Data) -> Differences:
    """Return the measure's own distance between labels, given how often all gave them; nominal if it has none.

    For measures of numbers and ranks, it is the squared difference.
    """
    if result.declaration.labels != "names":
        scale = number_scale(counts)
        values = scale.numbers if result.declaration.labels == "numbers" else scale.places.astype(np.float64)
        return Points(values[:, None])
    if "distance" in result.parameters:
        weighing = counts.scale.weighing(result.parameters["distance"], read_alpha_distance)
    else:
        weighing = counts.scale.weighing(result.parameters.get("weights", "nominal"), read_weights)
    if not isinstance(data, Ratings):
        return weighing.differences.given(counts.marginals)
    frequencies = np.bincount(data.codes[data.codes >= 0], minlength=len(data.labels))
    return weighing.differences.given(frequencies.astype(np.float64))
