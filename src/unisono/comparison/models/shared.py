"""Errors that models share, and agreement without each family of models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from unisono.arrays import FloatArray
from unisono.comparison.models.one_model import interval_of, value_of
from unisono.comparison.models.pairs import MeasuredPairs
from unisono.comparison.models.roles import Participants
from unisono.measurement.declaration import Declaration
from unisono.results import Interval
from unisono.statistics.quantiles import LEVEL
from unisono.statistics.shared_errors import (
    FEWEST_ERRORS,
    correlation_limits,
    error_correlations,
    error_products,
    mean_correlation,
    worth,
)


@dataclass(frozen=True)
class SharedErrors:
    """How far the errors of models are the same.

    Attributes
    ----------
    pairs : list of dict
        Of every two models: model_1, model_2, correlation, low, high and n_errors, which says how many items have an
        error (a mean of the two models).
    mean : float or None
        The mean error correlation.
    n_independent : float or None
        How many independent annotators the models are worth.
    interval : Interval or None
        Of that number.
    undefined : str or None
        Why there is no correlation at all.
    """

    pairs: list[dict[str, Any]]
    mean: float | None = None
    n_independent: float | None = None
    interval: Interval | None = None
    undefined: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            "pairs": self.pairs,
            "mean_correlation": self.mean,
            "n_independent": self.n_independent,
            "interval": None if self.interval is None else self.interval.to_dict(),
            "undefined": self.undefined,
        }


def shared_errors(measured: MeasuredPairs, roles: Participants, declaration: Declaration) -> SharedErrors:
    """Find out how far the errors of models are the same, beyond what people explain."""
    if declaration.scale != "agreement" or (declaration.family == "ratings" and not declaration.corrected):
        return SharedErrors([], undefined=f"{declaration.name} is not corrected for chance; use another measure")
    products = _products(measured, roles)
    if not np.isfinite(products[..., 0]).any():
        return SharedErrors([], undefined="people do not agree beyond chance, so nothing shows what errors are")
    found, n_items, sizes = error_correlations(products), _n_items(measured), measured.counts(measured.errors)
    own = n_items * np.einsum("ff...->f...", products)[:, 0]
    pairs = []
    for (f, one), (g, other) in combinations(enumerate(roles.models), 2):
        n_errors = float(np.sqrt(max(own[f], 0.0) * max(own[g], 0.0)))
        pairs.append({"model_1": one, "model_2": other, **_estimated(found[f, g], sizes, n_errors)})
    mean = mean_correlation(products)
    n, value = len(roles.models), float(mean[0])
    if not np.isfinite(value) or own.min() <= 0:
        return SharedErrors(pairs)
    limits = correlation_limits(mean, sizes, float(own.mean()) * np.sqrt(n / 2))
    interval = None
    if limits is not None:
        low, high = (worth(n, limit) for limit in reversed(limits))
        interval = Interval(low, high, LEVEL, f"jackknife over {len(sizes)} {measured.parts}")
    return SharedErrors(pairs, min(value, 1.0), worth(n, value), interval)


def without_families(
    measured: MeasuredPairs, roles: Participants, families: Mapping[str, Sequence[str]]
) -> list[dict[str, Any]]:
    """Return agreement among everybody, and among models, with all families and without each."""
    rows = []
    for name, gone in [("", ()), *families.items()]:
        models = [model for model in roles.models if model not in gone]
        among = model_pairs(roles, models)
        people = [*combinations(roles.humans, 2)]
        mixed = [(human, run) for human in roles.humans for model in models for run in roles.runs[model]]
        everybody, only_models = measured.jackknife([*people, *mixed, *among]), measured.jackknife(among)
        rows.append(
            {
                "without": name,
                "models": [*gone],
                **_mean(everybody, "everybody"),
                **_mean(only_models, "among_models"),
            }
        )
    return rows


def model_pairs(roles: Participants, models: Sequence[str]) -> list[tuple[str, str]]:
    """Return all pairs of runs of different models."""
    return [(a, b) for one, other in combinations(models, 2) for a in roles.runs[one] for b in roles.runs[other]]


def _mean(found: Any, what: str) -> dict[str, Any]:
    interval = interval_of(found)
    low, high = (None, None) if interval is None else (interval.low, interval.high)
    return {what: value_of(found), f"{what}_low": low, f"{what}_high": high}


def _products(measured: MeasuredPairs, roles: Participants) -> FloatArray:
    """Return e_fg of every two models, of all data and without each part."""
    unknown, people = np.full(1 + len(measured.counts(measured.errors)), np.nan), roles.humans

    def agreement(pairs: Sequence[tuple[str, str]]) -> FloatArray:
        found = measured.mean(pairs)
        return unknown if found is None else 1 - found

    runs = [*roles.runs.values()]
    models = np.array([[agreement([(a, b) for a in one for b in other]) for other in runs] for one in runs])
    with_people = np.array([[agreement([(a, human) for a in one]) for human in people] for one in runs])
    among = np.array([[agreement([(j, k)]) if j != k else unknown for k in people] for j in people])
    weights = np.array([[_weight(measured, j, k) for k in people] for j in people])
    return error_products(models, with_people, among, weights)


def _weight(measured: MeasuredPairs, one: str, other: str) -> float:
    found = measured.weights.get(frozenset((one, other)))
    return 0.0 if found is None else float(found[0])


def _n_items(measured: MeasuredPairs) -> float:
    """Return how many items, or units of an annotator, a pair has on average."""
    known = [measured.results[pair] for pair in measured.errors]
    return float(np.mean([result.n_units for result in known])) / 2 if known else 0.0


def _estimated(found: FloatArray, sizes: FloatArray, n_errors: float) -> dict[str, Any]:
    value = float(found[0])
    if not np.isfinite(value) or n_errors < FEWEST_ERRORS:
        known = None if not np.isfinite(value) else max(min(value, 1.0), -1.0)
        return {"correlation": known, "low": None, "high": None, "n_errors": n_errors}
    low, high = correlation_limits(found, sizes, n_errors) or (None, None)
    return {"correlation": max(min(value, 1.0), -1.0), "low": low, "high": high, "n_errors": n_errors}
