"""How alike annotators are on each item or document, for the alternative annotator test."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from unisono.arrays import FloatArray
from unisono.data import Data, Ratings
from unisono.dissimilarity.difference_sums import Differences, Points
from unisono.measurement.categorization.counts import Counts
from unisono.measurement.categorization.family import PreparedRatings
from unisono.measurement.disorder.result import DisorderResult
from unisono.measurement.rating_scales.scores import number_scale
from unisono.measurement.readers import read_alpha_distance, read_weights
from unisono.statistics.alternative import AlternativeTest, alternative_test


def likeness_test(
    data: Data, results: dict[frozenset[str], Any], humans: Sequence[str], model: str, epsilon: float
) -> AlternativeTest:
    """Run the alternative annotator test on items where there are any, or else on documents.

    `results` has the result of each pair of annotators; `epsilon` is by how much a human may be better.
    """
    likeness = {pair: _likeness(result, data) for pair, result in results.items()}
    instances = list(dict.fromkeys(name for found in likeness.values() for name in found))
    place = {name: index for index, name in enumerate(instances)}
    table = {pair: np.full(len(instances), np.nan) for pair in likeness}
    for pair, found in likeness.items():
        for name, value in found.items():
            table[pair][place[name]] = value
    human = np.array([_mean([table[frozenset((j, k))] for k in humans if k != j]) for j in humans])
    alike = np.array([_mean([table[frozenset((model, k))] for k in humans if k != j]) for j in humans])
    what = "items" if all(_has_items(result) for result in results.values()) else "documents"
    return alternative_test(humans, human, alike, epsilon=epsilon, instances=what)


def _likeness(result: Any, data: Data) -> dict[Any, float]:
    """Return how alike two annotators are on each item that both labelled, or on each document.

    Annotators who did the same are equally alike to others: what is expected by chance of a pair, which is drawn at
    random, plays no part, and labels are as far apart for one pair as for the next.
    """
    if isinstance(result, DisorderResult):
        return {one.document: -one.observed for one in result.documents if one.observed is not None}
    if not _has_items(result):
        sign = 1.0 if result.declaration.scale == "agreement" else -1.0
        return {one.document: sign * one.value for one in result.documents if one.value is not None}
    counts, ratings = result.prepared.by_item, result.prepared.ratings
    both = np.flatnonzero(counts.paired)
    first, second = counts.columns[:, both]
    apart = _differences(result, counts, data).compare(first, second)
    keys = [(ratings.documents[ratings.document[row]], ratings.items[row]) for row in both.tolist()]
    return dict(zip(keys, (-apart).tolist(), strict=True))


def _has_items(result: Any) -> bool:
    """Whether the measure compares labels of items, and not units."""
    prepared = getattr(result, "prepared", None)
    return isinstance(prepared, PreparedRatings) and result.declaration.family == "ratings"


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


def _mean(rows: Sequence[FloatArray]) -> FloatArray:
    """Return the mean over rows, of the numbers that are not missing."""
    return np.asarray(np.ma.masked_invalid(np.array(rows)).mean(axis=0).filled(np.nan))
