"""What chance gives: the distribution of its samples, with the observed value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from unisono.chance.sampling import Expected
from unisono.measurement.disorder.result import DisorderResult
from unisono.reporting.layout import ticks
from unisono.reporting.markup import fixed

_MOST_BINS = 30
_MOST_MARKS = 400


@dataclass(frozen=True)
class Histogram:
    """A histogram as it is drawn: across from 0 to 1000, heights from 0 to 100.

    Attributes
    ----------
    bars : list of (float, float, float)
        Left edge, width and height.
    observed : float
        Where the observed value stands.
    marks : list of float
        Where the documents stand.
    ticks : list of (float, str)
        The axis.
    symbol, value : str
        The measure and its value.
    n_samples, n_above : int
        How many samples there are, and how many agree as much as the annotators, or more.
    """

    bars: list[tuple[float, float, float]]
    observed: float
    marks: list[float]
    ticks: list[tuple[float, str]]
    symbol: str
    value: str
    n_samples: int
    n_above: int


def chance_histogram(result: Any) -> Histogram | None:
    """Draw the samples of chance on the scale of the measure, where their mean is 0; None if there are none.

    Each sample is one random set of annotations of a document; 1 - δ/δ_e is what the measure would say of it.
    """
    if not isinstance(result, DisorderResult) or result.value is None:
        return None
    models = {id(document.chance): document.chance for document in result.documents}
    sampled = [model for model in models.values() if isinstance(model, Expected) and model.mean > 0]
    if not sampled:
        return None
    values = np.concatenate([1 - model.values / model.mean for model in sampled])
    documents = [document.value for document in result.documents if document.value is not None]
    marks = documents if len(documents) > 1 else []
    low = float(min(values.min(), min(documents, default=0.0), result.value, 0.0))
    high = float(max(values.max(), result.value, 1.0))
    low, high = low - 0.02 * (high - low), high + 0.02 * (high - low)
    n_bins = int(np.clip(np.sqrt(len(values)) * 1.5, 8, _MOST_BINS))
    heights, edges = np.histogram(values, bins=n_bins)

    def place(what: float) -> float:
        return round(1000 * (what - low) / (high - low), 1)

    bars = [
        (place(left), round(place(right) - place(left), 1), round(100 * height / heights.max(), 1))
        for left, right, height in zip(edges[:-1].tolist(), edges[1:].tolist(), heights.tolist(), strict=True)
    ]
    return Histogram(
        bars=bars,
        observed=place(result.value),
        marks=[place(mark) for mark in marks[:_MOST_MARKS]],
        ticks=[(place(tick), fixed(tick, 1)) for tick in ticks(low, high, 8)],
        symbol=result.symbol,
        value=fixed(result.value, 2),
        n_samples=len(values),
        n_above=int((values >= result.value).sum()),
    )
