"""The distribution of the chance samples, beside the observed value."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from markupsafe import Markup

from unisono.arrays import FloatArray
from unisono.chance.sampling import Expected
from unisono.reporting.alignment_layout import ticks
from unisono.reporting.markup import escaped
from unisono.reporting.svg import svg_text, tag
from unisono.results.shown import fixed

_MOST_BINS = 30
_MOST_MARKS = 400
_FLOOR, _HEIGHT = 150.0, 120.0


class Histogram(NamedTuple):
    """A drawing, what is marked in it, and how many of the samples agree at least as much as the annotators."""

    svg: Markup
    documents: list[float]
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
    marks = documents[:_MOST_MARKS] if len(documents) > 1 else []
    svg = Markup(_drawn(values, documents, marks, result))
    return Histogram(svg, marks, len(values), int((values >= result.value).sum()))


def _drawn(values: FloatArray, documents: list[float], marks: list[float], result: Any) -> str:
    low = float(min(values.min(), min(documents, default=0.0), result.value, 0.0))
    high = float(max(values.max(), result.value, 1.0))
    low, high = low - 0.02 * (high - low), high + 0.02 * (high - low)
    heights, edges = np.histogram(values, bins=int(np.clip(np.sqrt(len(values)) * 1.5, 8, _MOST_BINS)))

    def x(value: float) -> float:
        return 1000 * (value - low) / (high - low)

    def line(kind: str, at: float, top: float) -> str:
        return tag("line", class_=kind, x1=x(at), x2=x(at), y1=top, y2=_FLOOR + 16)

    parts = []
    for left, right, n in zip(edges[:-1].tolist(), edges[1:].tolist(), heights.tolist(), strict=True):
        height, width = _HEIGHT * n / heights.max(), max(x(right) - x(left) - 1, 0.5)
        parts.append(tag("rect", class_="bin", x=x(left), width=width, y=_FLOOR - height, height=height))
    parts.append(tag("line", class_="axis", x1=0, x2=1000, y1=_FLOOR, y2=_FLOOR))
    parts += [line("mark", value, _FLOOR + 4) for value in marks]
    parts.append(line("observed", result.value, 22))
    symbol, observed, at = escaped(result.symbol), fixed(result.value), x(result.value)
    parts.append(svg_text(f"{symbol} = {observed}", at, 14, "said", text_anchor=_anchor(at, 120)))
    for tick in ticks(low, high, 8):
        parts.append(svg_text(fixed(tick, 1), x(tick), 190, "number", text_anchor=_anchor(x(tick), 25)))
    parts.append(svg_text(f"{symbol} of each sample", 500, 222, "number", text_anchor="middle"))
    label = f"{len(values)} chance samples, centred on 0, and the observed {result.symbol} of {observed}"
    return tag("svg", "\n".join(parts), viewBox="0 0 1000 230", role="img", aria_label=label)


def _anchor(x: float, margin: float) -> str:
    """Let text that is near an end of the picture begin or end there."""
    return "start" if x < margin else "end" if x > 1000 - margin else "middle"
