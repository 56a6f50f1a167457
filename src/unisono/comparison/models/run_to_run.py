"""Several runs of a model: how stable it is, and how many runs to average."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, product
from math import inf
from typing import Any

import numpy as np

from unisono.comparison.models.one_model import interval_of, value_of
from unisono.comparison.models.pairs import MeasuredPairs
from unisono.comparison.work import Work
from unisono.data import Data
from unisono.errors import DataError
from unisono.measurement.registry import Measure
from unisono.results import Interval
from unisono.statistics.quantiles import LEVEL
from unisono.statistics.run_noise import left_with, noise_limits, noise_share, runs_needed

AVERAGED = (1, 2, 3, 5, 10)
"""Numbers of runs to average for which the agreement with people is predicted."""


@dataclass(frozen=True)
class RunsOfModel:
    """Several runs of one model.

    Attributes
    ----------
    model : str
        The model.
    runs : tuple of str
        Its annotators.
    stability : float or None
        Agreement of the runs with each other.
    interval : Interval or None
        Of the stability.
    with_people : float or None
        Mean agreement of a run with a person.
    noise : float or None
        The share of the disagreement with people that is only that runs differ.
    noise_interval : Interval or None
        Of that share.
    needed : int or None
        How many runs to average so that noise is at most a tenth of the disagreement that is left.
    averaged : dict
        Number of averaged runs to the agreement with people that is expected then.
    without_noise : float or None
        The same for very many runs.
    """

    model: str
    runs: tuple[str, ...]
    stability: float | None
    interval: Interval | None
    with_people: float | None
    noise: float | None
    noise_interval: Interval | None
    needed: int | None
    averaged: dict[int, float]
    without_noise: float | None

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            **vars(self),
            "runs": [*self.runs],
            "interval": None if self.interval is None else self.interval.to_dict(),
            "noise_interval": None if self.noise_interval is None else self.noise_interval.to_dict(),
        }


def runs_of_model(
    measured: MeasuredPairs,
    model: str,
    runs: Sequence[str],
    humans: Sequence[str],
    measure: Measure,
    work: Work,
    data: Data,
) -> RunsOfModel:
    """Compare runs of a model with each other and with people."""
    mixed = [*product(humans, runs)]
    among, people = measured.jackknife(combinations(runs, 2)), measured.jackknife(mixed)
    stability, interval = _stability(data, runs, measure, work)
    if stability is None:
        stability, interval = value_of(among), interval_of(among)
    noise, limits, averaged, unlimited = None, None, {}, None
    if among is not None and people is not None and people.scale.agreement:
        noise = noise_share(among.error, people.error)
        of_runs, of_people = (np.append(one.error, one.without) for one in (among, people))
        limits = noise_limits(of_runs, of_people, measured.counts(mixed), among.disputes.one_more)
    if noise is not None and people is not None:
        averaged = {n: 1 - people.error * left_with(n, noise) for n in AVERAGED}
        unlimited = 1 - people.error * left_with(inf, noise)
    method = f"jackknife over {len(measured.counts(mixed))} {measured.parts}"
    return RunsOfModel(
        model,
        tuple(runs),
        stability,
        interval,
        value_of(people),
        noise,
        None if limits is None else Interval(*limits, LEVEL, method),
        None if noise is None else runs_needed(noise),
        averaged,
        unlimited,
    )


def _stability(data: Data, runs: Sequence[str], measure: Measure, work: Work) -> tuple[float | None, Interval | None]:
    """Measure all runs together, if the measure can."""
    if measure.declaration.wrong_number(runs) is not None:
        return None, None
    try:
        result = work.measured(measure, data.select(annotators=runs, all_labels=True))
    except DataError:
        return None, None
    return result.value, result.interval
