"""The distribution of the chance samples, beside the observed value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from unisono.chance.sampling import Expected
from unisono.reporting.alignment_layout import ticks
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
        Where the observed value is.
    marks : list of float
        Where the documents are.
    ticks : list of (float, str)
        The axis.
    symbol, value : str
        The measure and its value.
    n_samples, n_above : int
        The number of samples, and of those that agree at least as much as the annotators.
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
    """Draw the chance samples on the scale of the measure, where their mean is 0; None if there are none.

    Each sample is a random set of annotations of one document; its value on that scale is 1 - δ/δ_e.
    """
    if result is None or result.value is None:
        return None
    chances = [getattr(document, "chance", None) for document in result.documents]
    models = {id(chance): chance for chance in chances}
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
