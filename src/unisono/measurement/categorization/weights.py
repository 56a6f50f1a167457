"""The parameter `weights`, which coefficients that correct an agreement for chance share.

Weights are given as disagreements w_ck from 0 (the same) to 1 (altogether different); agreements are 1 - w_ck, as Gwet
(2014, chapter 3) writes them.
"""

from __future__ import annotations

from unisono.arrays import FloatArray
from unisono.dissimilarity.difference_sums import Differences, Unlike
from unisono.dissimilarity.registry import DistanceLike, DistanceRole, available_distances
from unisono.measurement.categorization.choice import Weighing
from unisono.measurement.categorization.counts import Counts
from unisono.measurement.declaration import Parameter
from unisono.measurement.readers import read_weights

KINDS = f"{available_distances(DistanceRole.WEIGHTS)}; words need an order: linear(low,mid,high)"

WEIGHTS = Parameter("weights", "nominal", read_weights, f"weights of disagreement, from 0 to 1: {KINDS}")


def weighing_of(counts: Counts, weights: DistanceLike) -> Weighing:
    """Bind weights to the labels of the data; none may exceed 1, or agreement would be below 0."""
    weighing = counts.scale.weighing(weights, read_weights)
    weighing.refuse_above_one()
    return weighing


def chance_agreement(differences: Differences, first: FloatArray, second: FloatArray) -> float:
    """Return Σ_ck p_c q_k (1 - w_ck), for shares p and q of labels."""
    if isinstance(differences, Unlike):
        return float(first @ second)
    return 1 - differences.total(first, second)


def categories_of(counts: Counts, weighing: Weighing, given: int | None) -> tuple[int, float]:
    """Return the number of categories, those that nobody chose included, and Σ w over all ordered pairs of them."""
    if given is None or counts.scale.one_or_other:
        return weighing.among(None)
    return weighing.among(counts.scale.n_categories(given))
