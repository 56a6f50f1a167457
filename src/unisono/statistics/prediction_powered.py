"""Prediction-powered inference: shares of categories from many labels of a model and a few of people, without bias.

With Y what people say, f what the model says, n items with both and N items with f alone, the estimate is [1]_ [2]_

    θ = mean_N(λ f) + mean_n(Y - λ f).

It is unbiased for any λ that does not depend on these items, however wrong the model is, if the n items are a random
sample of all. λ = 0 leaves the model out, λ = 1 is [1]_, and the λ of least variance is [2]_

    λ = Cov(Y, f) / ((1 + n/N) Var(f)),

both summed over categories, so that shares add up to 1. Estimated from the same n items, it would bias θ, by up to a
point for fifty items and a rare category. Hence each part of the sample takes the λ of all other parts.

References
----------
.. [1] Angelopoulos, A. N., Bates, S., Fannjiang, C., Jordan, M. I. & Zrnic, T. (2023). Prediction-powered inference.
       Science 382, 669–674.
.. [2] Angelopoulos, A. N., Duchi, J. C. & Zrnic, T. (2023). PPI++: efficient prediction-powered inference.
       arXiv:2311.01453.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unisono.arrays import FloatArray, IntArray
from unisono.statistics.shares import DoubleSample, EstimatedShare, shares_of


@dataclass(frozen=True)
class PoweredShares:
    """Shares of categories.

    Attributes
    ----------
    shares : list of EstimatedShare
        Of each category.
    tuning : float
        λ, the weight of the model's labels: 0 if they do not help, 1 if they replace people's.
    gain : float
        How many times as many items people alone would need for limits as close, over all categories.
    """

    shares: list[EstimatedShare]
    tuning: float
    gain: float


def powered_shares(sample: DoubleSample) -> PoweredShares:
    """Estimate the share of each category, as people would label all items."""
    n, by_people = sample.n_people, sample.by_people
    people, model = sample.people[by_people], sample.model[by_people]
    if not sample.n_model:
        return PoweredShares(_powered(sample, people, model, 0.0, np.zeros(n)), 0.0, 1.0)
    each = _tuning_without(people, model, sample)
    tuning = best_tuning(people, model, sample.model, n / sample.n_model)
    shares = _powered(sample, people, model, tuning, each)
    residual = np.square(people - tuning * model - (people - tuning * model).mean(axis=0)).sum() / n**2
    rest = sample.model[~by_people]
    predicted = tuning**2 * np.square(rest - rest.mean(axis=0)).sum() / sample.n_model**2
    alone = np.square(people - people.mean(axis=0)).sum() / n**2
    return PoweredShares(shares, tuning, float(alone / (residual + predicted)) if residual + predicted else 1.0)


def best_tuning(people: FloatArray, model: FloatArray, every: FloatArray, ratio: float) -> float:
    """Return the λ of least variance, for items with both labels, those of the model for all, and n/N."""
    covariance = ((people - people.mean(axis=0)) * model).sum() / max(len(people) - 1, 1)
    spread = float(every.var(axis=0, ddof=1).sum())
    return float(np.clip(covariance / ((1 + ratio) * spread), 0.0, 1.0)) if spread > 0 else 0.0


def _powered(
    sample: DoubleSample, people: FloatArray, model: FloatArray, tuning: float, each: FloatArray
) -> list[EstimatedShare]:
    """Return the estimates for λ of each item by people, and for the others the λ of all."""
    n, by_people = sample.n_people, sample.by_people
    rest = sample.model[~by_people]
    predicted = rest.mean(axis=0) if len(rest) else np.zeros(people.shape[1])
    rectified = people - each[:, None] * (model - predicted)
    value = rectified.mean(axis=0)
    influence = np.empty(sample.model.shape)
    influence[by_people] = (rectified - value) / n
    if len(rest):
        influence[~by_people] = tuning * (rest - predicted) / len(rest)
    # as if one item more had been of the category for people only or, half the time, for the model only: where the two
    # never differ in a few items, nothing else says how seldom they do
    unseen = np.square(1 + tuning * predicted - value) + np.square(tuning * (1 - predicted) + value)
    variance = sample.variance(influence) + sample.unseen_variance(influence) + unseen / 2 / n**2
    return shares_of(value, variance, n, sample.freedom)


def _tuning_without(people: FloatArray, model: FloatArray, sample: DoubleSample) -> FloatArray:
    """Return, for each item by people, the λ without all items of its part."""
    parts, part = np.unique(sample.part[sample.by_people], return_inverse=True)
    n_left, people_left = _left(part, len(parts), people)
    model_left = _left(part, len(parts), model)[1]
    both_left = (people * model).sum() - np.bincount(part, (people * model).sum(axis=1), len(parts))
    every, squares = sample.model.sum(axis=0), float(np.square(sample.model).sum())
    every_left = every - model.sum(axis=0) + model_left
    squares_left = squares - np.bincount(part, np.square(model).sum(axis=1), len(parts))
    total = n_left + sample.n_model
    with np.errstate(divide="ignore", invalid="ignore"):
        covariance = (both_left - (people_left * model_left).sum(axis=1) / n_left) / (n_left - 1)
        spread = (squares_left - np.square(every_left).sum(axis=1) / total) / (total - 1)
        found = covariance / ((1 + n_left / sample.n_model) * spread)
    return np.asarray(np.clip(np.nan_to_num(found, nan=0.0, posinf=0.0, neginf=0.0), 0.0, 1.0)[part])


def _left(part: IntArray, n_parts: int, values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return how many items are left without each part, and the sum of their values."""
    sums = np.zeros((n_parts, values.shape[1]))
    np.add.at(sums, part, values)
    return len(part) - np.bincount(part, minlength=n_parts).astype(np.float64), values.sum(axis=0) - sums
